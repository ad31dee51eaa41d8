/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From loaded profiles to a plan: what show, plan, apply and verify have in common.
 */
#ifndef NETTUNE_CMD_PLANNING_H
#define NETTUNE_CMD_PLANNING_H

#include "cmd/desired.h"
#include "cmd/session.h"

struct planning {
	struct plan plan; /* its skipped settings hold the deferred ones, too */
	struct matching matching;
};

struct planning_request {
	const struct profiles *profiles;
	enum severity unmatched; /* what a rule that matches nothing is */
	struct diags *diags;     /* findings go here */
};

/* Wrong values are findings, -EINVAL. */
int planning_fill(struct session *session, const struct planning_request *request,
	struct planning *ret, struct error *error);
/* Of the session's profiles, with its findings. */
int planning_make(struct session *session, enum severity unmatched, struct planning *ret,
	struct error *error);
/* Prints the plan; the exit status of plan and of apply --dry-run. */
int planning_report(const struct session *session, const struct planning *planning);
/* Warns of a transaction that is unfinished, as far as the journal can be read. */
void warn_unfinished(struct session *session);

#endif
