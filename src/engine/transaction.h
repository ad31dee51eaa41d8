/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transactions: apply with put-back on failure, and rollback. They decide outcomes; src/cmd/ maps
 * outcomes to exit statuses.
 */
#ifndef NETTUNE_ENGINE_TRANSACTION_H
#define NETTUNE_ENGINE_TRANSACTION_H

#include "engine/execute.h"

enum outcome {
	OUTCOME_UNCHANGED,
	OUTCOME_APPLIED,
	OUTCOME_FAILED, /* before the first write */
	OUTCOME_PUT_BACK,
	OUTCOME_INCOMPLETE,
	OUTCOME_ROLLED_BACK,
	OUTCOME_CONFLICTS,
	OUTCOME_MAX
};
const char *outcome_name(enum outcome outcome); /* as in JSON: "unchanged", "put-back" ... */

/* A setting that is not what it should have become, or stayed. */
struct leftover {
	struct address at;
	struct value wanted, live;
};
struct leftovers {
	struct leftover *v;
	size_t n, cap;
	struct arena *arena;
};

struct transaction_result {
	enum outcome outcome;
	const char *id;             /* NULL: none */
	bool changed;               /* live differs from before the run */
	struct error error;         /* of a failure, also where everything was put back */
	struct leftovers leftovers; /* INCOMPLETE: what is in between */
	struct leftovers moved;     /* APPLIED: moved along, and nothing in the plan said so */
};

/*
 * Applies a plan of run_plan() under the lock that the caller holds: journal, execute, put back on
 * failure. Errors before the first write: -errno, *error, outcome FAILED.
 */
int transaction_apply(struct run *run, struct plan *plan, const struct journal_profile *profiles,
	size_t nprofiles, struct transaction_result *ret, struct error *error);

struct rollback_request {
	const char *id; /* NULL: the newest */
	const char *to; /* --to */
	bool all, force, dry_run;
};
struct rollback_result {
	struct transaction_result result; /* of all that was rolled back; id: the last one's */
	struct plan plan;                 /* the changes, of all transactions rolled back */
	struct classification classified; /* what the profile or its steps touched, likewise */
	const char **ids;                 /* rolled back (dry run: would be), NULL-ended */
	const char *note;                 /* what there is to say instead: "already undone ..." */
};
/* Under the lock (not for a dry run, which only plans). */
int transaction_rollback(struct run *run, const struct rollback_request *request,
	struct rollback_result *ret, struct diags *diags, struct error *error);

/* The newest unfinished or open transaction of this namespace and boot, or NULL. */
int transaction_unfinished(
	struct run *run, struct journal **ret, struct diags *diags, struct error *error);

#endif
