/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leading settings back to given values with the ordinary planner and executor.
 */
#include "engine/putback.h"

#include "engine/snapshot.h"
#include "util/clock.h"

#include <errno.h>

int putback_plan(
	struct run *run, const struct settings *goals, struct plan *ret, struct error *error)
{
	struct plan_input input = {
		.host = &run->host,
		.kinds = run->kinds,
		.live = &run->live,
		.goals = goals,
	};
	struct diags diags = {.arena = run->arena};

	plan_init(ret, run->arena);
	if (plan_build(&input, ret, &diags) < 0)
		return error_set(error, ERROR_FAILED, ENOMEM, "out of memory");
	return 0;
}

int putback_check(const struct run *run, const struct settings *goals, struct leftovers *ret)
{
	for (size_t i = 0; i < goals->n; i++) {
		const struct setting *goal = &goals->v[i];
		const struct observed *live = state_find(&run->live, &goal->at);
		struct value now = live ? live->value : value_none();

		if (goal->value.type == VALUE_NONE || value_equal(&goal->value, &now) ||
			(goal->at.target.link && !goal->at.target.link->ifindex) ||
			is_moot(&run->live, &goal->at))
			continue;
		if (arena_grow(ret->arena, &ret->v, &ret->cap, ret->n, sizeof(*ret->v)) < 0)
			return -ENOMEM;
		ret->v[ret->n++] = (struct leftover){
			.at = goal->at, .wanted = goal->value, .live = now};
	}
	return ret->n ? -EIO : 0;
}

/* A put-back that can't be recorded still puts back, but then its steps are not recorded either:
 * behind no header of their own they would read as steps of the apply. */
static struct store *record(struct putback *job, const struct plan *plan)
{
	struct arena *arena = job->run->arena;
	struct classification classified = {.arena = arena};
	struct journal_rollback rollback = {
		.time = clock_text(arena),
		.user = job->user,
		.command = job->run->options->command,
		.put_back = true,
		.plan = *plan,
	};
	struct error ignored;

	if (classify(job->before, NULL, &job->run->live, job->applied, false, &classified) < 0)
		return NULL;
	rollback.classified = classified;
	if (store_append(job->store, journal_rollback_line(&rollback, job->links, job->nlinks),
		    &ignored) < 0)
		return NULL;
	return job->store;
}

static int attempt(struct putback *job, const struct settings *goals, struct error *error)
{
	struct plan plan;
	struct executor ex = {
		.run = job->run,
		.plan = &plan,
		.links = job->links,
		.nlinks = job->nlinks,
		.keep_going = true,
	};
	int r = run_refresh(job->run, error);

	if (r == 0)
		r = putback_plan(job->run, goals, &plan, error);
	if (r < 0)
		return r;
	ex.store = record(job, &plan);
	r = execute(&ex, error);
	return r < 0 ? r : run_refresh(job->run, error);
}

int putback_run(struct putback *job, struct leftovers *ret)
{
	struct arena *arena = job->run->arena;
	struct settings goals = {.arena = arena};
	struct error error;
	int r = snapshot_goals(job->before, &goals);

	if (r == 0)
		r = attempt(job, &goals, &error);
	if (r < 0)
		job->run->live.n = 0; /* nothing is known: everything counts as left over */
	r = putback_check(job->run, &goals, ret);
	store_append(job->store,
		journal_outcome_line(outcome_name(r < 0 ? OUTCOME_INCOMPLETE : OUTCOME_PUT_BACK),
			clock_text(arena)),
		&error);
	return r;
}
