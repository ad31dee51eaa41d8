/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Execution of a plan: read, write, read back, judge, repair; the same for apply and rollback.
 */
#ifndef NETTUNE_ENGINE_EXECUTE_H
#define NETTUNE_ENGINE_EXECUTE_H

#include "engine/run.h"
#include "engine/store.h"

/* What happened. */
struct execution {
	bool wrote;         /* something was handed to the kernel */
	bool stopped;       /* SIGINT or SIGTERM: ended after the running step */
	size_t failed;      /* changes that are refused or neither exact nor allowed, and links that
			       did not come back */
	size_t not_back;    /* the latter */
	struct error error; /* of the first failure */
};

struct executor {
	struct run *run;
	struct plan *plan;                /* verdicts and observations go here */
	struct store *store;              /* NULL: no journal (tests) */
	const struct journal_link *links; /* of the journal */
	size_t nlinks;
	bool keep_going; /* a putting-back: a failed step or journal line stops nothing */
	struct execution result;
	const struct link *away; /* the last one that did not come back in time */
};

/*
 * Runs all steps and up to three repair rounds, then judges every change from one fresh reading.
 * 0, also for failed changes (executor->result says so); -errno and *error only if the state can't
 * be read any more.
 */
int execute(struct executor *executor, struct error *error);
/* The change may stay as it turned out. */
bool change_is_acceptable(const struct change *change);

/* From the first write to the outcome: ignores SIGHUP, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU; SIGINT
 * and SIGTERM only set a flag. */
void signals_hold(void);
void signals_release(void);
bool signals_pending(void);
/* What came so far has been heeded: the way back begins. */
void signals_forget(void);

/* The judgement of one change against the live state, shared with verify. */
enum verdict judge(const struct change *change, const struct observed *live);

#endif
