/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leading settings back to given values with the ordinary planner and executor, recorded in the
 * journal of the transaction that is undone. Inside of the engine only.
 */
#ifndef NETTUNE_ENGINE_PUTBACK_H
#define NETTUNE_ENGINE_PUTBACK_H

#include "engine/execute.h"
#include "engine/transaction.h"

struct putback {
	struct run *run;
	const struct state *before; /* of the failed apply: everything in it is put back */
	const struct plan *applied;
	struct store *store;
	const struct journal_link *links;
	size_t nlinks;
	const char *user;
	bool waited; /* for a link that did not come back: what goes back may help, and at once */
};

/*
 * Puts a failed apply back. 0, or -EIO with the settings that differ in *ret (also when the state
 * can't be read any more: then all of them).
 */
int putback_run(struct putback *job, struct leftovers *ret);

/* The part that rollback shares: plans `goals` from run->live. */
int putback_plan(
	struct run *run, const struct settings *goals, struct plan *ret, struct error *error);
/*
 * Executes ex->plan, which `header` has recorded, and reads everything again. What its own steps
 * moved is planned and written once more (causes before what follows them), in at most three rounds;
 * the verdicts in ex->plan are those of the end. -errno: the state can't be read any more.
 */
int putback_execute(struct executor *ex, const struct settings *goals,
	const struct journal_rollback *header, struct error *error);
/* What is not at its goal in run->live, without settings of links that are gone. */
int putback_check(const struct run *run, const struct settings *goals, struct leftovers *ret);

#endif
