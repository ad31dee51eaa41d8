/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leading settings back to given values with the ordinary planner and executor.
 */
#include "engine/putback.h"

#include "engine/await.h"
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
		return error_no_memory(error);
	return 0;
}

/* What can be: CPUs that went offline meanwhile are missing in sets of them. */
static bool is_there(const struct run *run, const struct setting *goal)
{
	const struct observed *live = state_find(&run->live, &goal->at);
	struct value now = live ? live->value : value_none();

	return value_equal(&goal->value, &now) ||
	       is_reduced(&run->host, goal, &run->live, run->arena);
}

int putback_check(const struct run *run, const struct settings *goals, struct leftovers *ret)
{
	for (size_t i = 0; i < goals->n; i++) {
		const struct setting *goal = &goals->v[i];
		const struct observed *live = state_find(&run->live, &goal->at);
		struct value now = live ? live->value : value_none();

		if (goal->value.type == VALUE_NONE || is_there(run, goal) ||
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

enum { ROUNDS = 3 };

static bool is_reached(const struct run *run, const struct settings *goals)
{
	struct leftovers leftovers = {.arena = run->arena};

	return putback_check(run, goals, &leftovers) == 0;
}

/* What stands in the plan that people get to see is what came of it in the end. */
static void judge_plan(struct plan *plan, const struct run *run)
{
	for (size_t i = 0; i < plan->n; i++) {
		struct change *change = &plan->v[i];
		const struct observed *live = state_find(&run->live, &change->at);

		change->observed = live ? live->value : value_none();
		change->moot = is_moot(&run->live, &change->at);
		change->verdict = judge(change, live);
	}
}

/* A plan that can't be recorded is executed all the same, but then its steps are not recorded
 * either: behind no header of their own they would read as those of another plan. */
static void record(struct executor *ex, const struct journal_rollback *header)
{
	struct journal_rollback rollback = *header;
	struct error ignored;

	rollback.plan = *ex->plan;
	if (ex->store &&
		store_append(ex->store, journal_rollback_line(&rollback, ex->links, ex->nlinks),
			&ignored) < 0)
		ex->store = NULL;
}

static int run_round(struct executor *ex, struct error *error)
{
	int r = execute(ex, error);

	return r < 0 ? r : run_refresh(ex->run, error);
}

int putback_execute(struct executor *ex, const struct settings *goals,
	const struct journal_rollback *header, struct error *error)
{
	struct execution first;
	struct plan again;
	int r = run_round(ex, error);

	first = ex->result;
	for (unsigned i = 1; r == 0 && i < ROUNDS && !is_reached(ex->run, goals); i++) {
		struct executor next = *ex;

		next.plan = &again;
		r = putback_plan(ex->run, goals, &again, error);
		if (r < 0 || !again.n)
			break;
		record(&next, header);
		r = run_round(&next, error);
		first.wrote |= next.result.wrote;
		ex->store = next.store;
	}
	ex->result = first;
	if (r == 0)
		judge_plan(ex->plan, ex->run);
	return r;
}

/* What links that the failed apply has reset show now is not what they will come up with. */
static void settle(const struct putback *job)
{
	for (size_t i = 0; !job->waited && i < job->nlinks; i++) {
		struct error late;

		if (job->links[i].link)
			await_link(job->run, job->links[i].link, true, &late);
	}
}

static int attempt(struct putback *job, const struct settings *goals, struct error *error)
{
	struct arena *arena = job->run->arena;
	struct journal_rollback header = {
		.time = clock_text(arena),
		.user = job->user,
		.command = job->run->options->command,
		.put_back = true,
		.classified.arena = arena,
	};
	struct plan plan;
	struct executor ex = {
		.run = job->run,
		.plan = &plan,
		.store = job->store,
		.links = job->links,
		.nlinks = job->nlinks,
		.keep_going = true,
	};
	int r;

	settle(job);
	r = run_refresh(job->run, error);
	if (r == 0)
		r = putback_plan(job->run, goals, &plan, error);
	if (r < 0)
		return r;
	if (classify(job->before, NULL, &job->run->live, job->applied, false, &header.classified) <
		0)
		ex.store = NULL;
	record(&ex, &header);
	return putback_execute(&ex, goals, &header, error);
}

int putback_run(struct putback *job, struct leftovers *ret)
{
	struct arena *arena = job->run->arena;
	struct settings goals = {.arena = arena};
	struct error error;
	int r = snapshot_goals(job->before, &goals);

	signals_forget();
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
