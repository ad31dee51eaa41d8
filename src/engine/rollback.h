/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rolling one transaction back. Inside of the engine only; transaction_rollback() chooses which.
 */
#ifndef NETTUNE_ENGINE_ROLLBACK_H
#define NETTUNE_ENGINE_ROLLBACK_H

#include "engine/store.h"
#include "engine/transaction.h"

struct rollback {
	struct run *run;
	const struct journal *journal;
	const char *user;
	bool force, is_dry;

	/* rollback_plan */
	struct classification classified;
	struct settings goals;
	struct plan plan;

	/* rollback_run */
	struct store store;
	const struct journal_link *links;
	size_t nlinks;
	enum outcome outcome;
	bool changed;
	struct error error;
	struct leftovers leftovers;
};

/* Observes what the journal names, classifies (or takes the targets of a rollback that died), and
 * plans. */
int rollback_plan(struct rollback *job, struct error *error);
/* Records and executes the plan; the outcome is in job. -errno: nothing was written. */
int rollback_run(struct rollback *job, struct error *error);

#endif
