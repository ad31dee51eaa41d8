/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matching and planning in one call, for commands that read and for apply alike: a dry run is the
 * same code.
 */
#include "cmd/planning.h"

#include "cmd/layers.h"
#include "engine/answers.h"
#include "engine/transaction.h"
#include "util/log.h"

#include <errno.h>

static int add_deferred(struct planning *planning)
{
	const struct skips *deferred = &planning->matching.deferred;

	for (size_t i = 0; i < deferred->n; i++)
		if (skips_add(&planning->plan.skipped, &deferred->v[i]) < 0)
			return -ENOMEM;
	return 0;
}

int planning_fill(struct session *session, const struct planning_request *request,
	struct planning *ret, struct error *error)
{
	struct run *run = &session->run;
	int r;

	run->desired = (struct desired){.arena = session->arena};
	plan_init(&ret->plan, session->arena);
	answers_load(run, request->diags);
	r = desired_fill(
		run, request->profiles, request->unmatched, &ret->matching, request->diags, error);
	if (r == 0)
		r = run_plan(run, &ret->plan, request->diags, error);
	if (r == 0 && (add_deferred(ret) < 0 || layers_note(run, &ret->plan, request->diags) < 0 ||
			      arena_failed(session->arena)))
		r = error_no_memory(error);
	return r;
}

int planning_make(
	struct session *session, enum severity unmatched, struct planning *ret, struct error *error)
{
	const struct planning_request request = {
		.profiles = &session->profiles,
		.unmatched = unmatched,
		.diags = &session->diags,
	};

	return planning_fill(session, &request, ret, error);
}

static bool has_deferred(const struct plan *plan)
{
	for (size_t i = 0; i < plan->skipped.n; i++)
		if (plan->skipped.v[i].verdict == VERDICT_DEFERRED)
			return true;
	return false;
}

int planning_report(const struct session *session, const struct planning *planning)
{
	const struct plan *plan = &planning->plan;
	const struct ending ending = {
		.is_different = line_has(session->line, OPTION(DETAILED_EXITCODE)) &&
				(plan->n || has_deferred(plan)),
	};
	/* what was planned for a recorded host is nothing to apply to this one */
	const char *next = plan->n && !session->line->root ? session_next(session, "apply", true)
							   : NULL;
	int r;

	session_warn(session);
	r = output_plan(&session->output, &session->report, plan, next);
	return session_end(session, r, exit_status(&ending));
}

void warn_unfinished(struct session *session)
{
	const bool busy = session_is_busy(session);
	struct journal *journal = NULL;
	struct error error;

	if (transaction_unfinished(&session->run, &journal, &session->diags, &error) < 0) {
		log_verbose("the journal can't be read: %s", error.msg);
		return;
	}
	if (journal)
		diags_add(&session->diags, SEVERITY_WARNING, ERROR_UNFINISHED,
			busy ? "running" : "unfinished", (struct pos){0},
			busy ? "transaction %s is still running"
			     : "transaction %s is unfinished; nettune rollback undoes it",
			journal->header.id);
}
