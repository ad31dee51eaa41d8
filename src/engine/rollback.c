/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rolling one transaction back: classified once, recorded, planned and executed like any change. A
 * rollback that died is continued to the targets that its record holds.
 */
#include "engine/rollback.h"

#include "engine/await.h"
#include "engine/putback.h"
#include "engine/snapshot.h"
#include "util/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The last rollback in the journal if it has not come to its end. */
static const struct journal_rollback *open_rollback(const struct journal *journal)
{
	const struct journal_rollback *last;

	if (!journal->nrollbacks)
		return NULL;
	last = &journal->rollbacks[journal->nrollbacks - 1];
	if (last->outcome && strcmp(last->outcome, outcome_name(OUTCOME_INCOMPLETE)) != 0)
		return NULL;
	return last;
}

/* The part of the snapshot that steps which began may have moved: all, once the plan was done. */
static int begun_part(struct run *run, const struct journal *journal, struct state *ret)
{
	struct plan begun;
	struct wants scope = {.arena = run->arena};

	plan_init(&begun, run->arena);
	for (size_t i = 0; i < journal->plan.nsteps; i++) {
		const struct step *step = &journal->plan.steps[i];

		for (uint32_t j = 0; journal->begun[i] && j < step->n; j++) {
			if (arena_grow(run->arena, &begun.v, &begun.cap, begun.n,
				    sizeof(*begun.v)) < 0)
				return -ENOMEM;
			begun.v[begun.n++] = journal->plan.v[step->first + j];
		}
	}
	if (plan_scope(&begun, &run->host, run->kinds, &scope) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < journal->begun_extra.n; i++) {
		const struct address *at = &journal->begun_extra.v[i].at;

		if (wants_add(&scope, at->kind, at->target.link, NULL) < 0)
			return -ENOMEM;
	}
	return snapshot_take(&journal->before, &scope, ret);
}

static int observe_journal(struct run *run, const struct journal *journal, struct error *error)
{
	struct wants wants = {.arena = run->arena};

	if (snapshot_wants(&journal->before, &wants) < 0 ||
		snapshot_wants(&journal->left, &wants) < 0)
		return error_no_memory(error);
	return run_observe(run, &wants, error);
}

/* Links that a killed run has just reset may still be on their way up, and what is read of them now is
 * not what they will come up with. */
static int settle(struct run *run, const struct journal *journal, struct error *error)
{
	if (await_note(run) < 0)
		return error_no_memory(error);
	for (size_t i = 0; i < journal->nlinks; i++) {
		if (journal->links[i].link)
			await_expect(run, (struct link *)journal->links[i].link);
	}
	return 0;
}

static int classify_journal(struct rollback *job, struct error *error)
{
	struct run *run = job->run;
	const struct journal *journal = job->journal;
	const struct journal_rollback *again = open_rollback(journal);
	struct state before = {.arena = run->arena};
	int r;

	job->classified = (struct classification){.arena = run->arena, .host = &run->host};
	if (again && !again->put_back) {
		job->classified = again->classified;
		return 0;
	}
	if (journal->has_left)
		r = classify(&journal->before, &journal->left, &run->live, &journal->plan,
			job->force, &job->classified);
	else {
		r = begun_part(run, journal, &before);
		if (r == 0)
			r = classify(&before, NULL, &run->live, &journal->plan, job->force,
				&job->classified);
	}
	return r < 0 ? error_no_memory(error) : 0;
}

static int make_goals(struct rollback *job, struct error *error)
{
	job->goals = (struct settings){.arena = job->run->arena};
	for (size_t i = 0; i < job->classified.n; i++) {
		const struct classified *c = &job->classified.v[i];
		struct setting setting = {.at = c->at, .value = c->target};

		if (settings_add(&job->goals, &setting) < 0)
			return error_no_memory(error);
	}
	return 0;
}

/* The changes of host settings, which reach over links that the journal may not know. */
static int host_part(const struct plan *plan, struct plan *ret)
{
	for (size_t i = 0; i < plan->n; i++) {
		if (!plan->v[i].at.kind->single)
			continue;
		if (arena_grow(ret->arena, &ret->v, &ret->cap, ret->n, sizeof(*ret->v)) < 0)
			return -ENOMEM;
		ret->v[ret->n++] = plan->v[i];
	}
	return 0;
}

static bool is_classified(const struct rollback *job, const struct address *at)
{
	for (size_t i = 0; i < job->classified.n; i++) {
		if (address_equal(&job->classified.v[i].at, at))
			return true;
	}
	return false;
}

static int keep(struct rollback *job, const struct address *at)
{
	struct classification *all = &job->classified;
	const struct observed *live = state_find(&job->run->live, at);
	struct setting goal = {.at = *at, .value = live ? live->value : value_none()};

	if (arena_grow(all->arena, &all->v, &all->cap, all->n, sizeof(*all->v)) < 0)
		return -ENOMEM;
	all->v[all->n++] = (struct classified){
		.at = *at,
		.live = goal.value,
		.target = goal.value,
		.class = CLASS_KEPT,
	};
	return settings_add(&job->goals, &goal);
}

/*
 * What others have set since on links that are newer than the transaction, and the rollback's own
 * steps would wipe (forwarding of every interface goes with ip_forward), keeps its value.
 */
static int keep_foreign(struct rollback *job, struct error *error)
{
	struct run *run = job->run;
	struct plan host;
	struct wants scope = {.arena = run->arena};
	int r;

	plan_init(&host, run->arena);
	if (host_part(&job->plan, &host) < 0 ||
		plan_scope(&host, &run->host, run->kinds, &scope) < 0)
		return error_no_memory(error);
	r = run_observe(run, &scope, error);
	if (r == 0)
		r = putback_plan(run, &job->goals, &job->plan, error);
	for (size_t i = 0; r == 0 && i < job->plan.follows.n; i++) {
		const struct address *at = &job->plan.follows.v[i].at;

		if (at->kind->single && !is_classified(job, at) && keep(job, at) < 0)
			r = error_no_memory(error);
	}
	return r;
}

int rollback_plan(struct rollback *job, struct error *error)
{
	int r = 0;

	if ((!job->journal->has_left || open_rollback(job->journal)) && !job->is_dry)
		r = settle(job->run, job->journal, error);
	if (r == 0)
		r = observe_journal(job->run, job->journal, error);
	if (r == 0)
		r = classify_journal(job, error);
	if (r == 0)
		r = make_goals(job, error);
	if (r == 0)
		r = putback_plan(job->run, &job->goals, &job->plan, error);
	if (r == 0)
		r = keep_foreign(job, error);
	if (r == 0)
		r = putback_plan(job->run, &job->goals, &job->plan, error);
	return r;
}

static bool is_in_journal(const struct rollback *job, const struct link *link)
{
	for (size_t i = 0; i < job->journal->nlinks; i++) {
		if (job->journal->links[i].link == link)
			return true;
	}
	return false;
}

/* The journal's links, and behind them those that it does not know yet, which get a line. */
static int record_links(struct rollback *job, struct error *error)
{
	const struct journal *journal = job->journal;
	struct state held = {.arena = job->run->arena};
	struct journal_link *found, *all;
	size_t nfound, n = journal->nlinks;

	for (size_t i = 0; i < job->classified.n; i++) {
		const struct observed o = {.at = job->classified.v[i].at};

		if (state_put(&held, &o) < 0)
			return error_no_memory(error);
	}
	if (snapshot_links(&held, &job->plan, job->run->arena, &found, &nfound) < 0)
		return error_no_memory(error);
	all = ARENA_ARRAY(job->run->arena, n + nfound + 1, struct journal_link);
	if (!all)
		return error_no_memory(error);
	for (size_t i = 0; i < n; i++)
		all[i] = journal->links[i];
	for (size_t i = 0; i < nfound; i++) {
		if (!is_in_journal(job, found[i].link))
			all[n++] = found[i];
	}
	job->links = all;
	job->nlinks = n;
	if (n == journal->nlinks)
		return 0;
	return store_append(
		&job->store, journal_links_line(all + journal->nlinks, n - journal->nlinks), error);
}

/* The record is durable before the first write; without room for it nothing is written. */
static int record(struct rollback *job, struct journal_rollback *ret, struct error *error)
{
	int r = record_links(job, error);

	*ret = (struct journal_rollback){
		.time = clock_text(job->run->arena),
		.user = job->user,
		.command = job->run->options->command,
		.force = job->force,
		.classified = job->classified,
		.plan = job->plan,
	};
	if (r == 0)
		r = store_append(
			&job->store, journal_rollback_line(ret, job->links, job->nlinks), error);
	return r < 0 ? r : store_commit(&job->store, journal_steps_size(&job->plan), error);
}

static bool has_conflicts(const struct rollback *job)
{
	for (size_t i = 0; i < job->classified.n; i++) {
		const struct classified *c = &job->classified.v[i];

		if (c->class == CLASS_CONFLICT && c->named && !value_equal(&c->target, &c->before))
			return true;
	}
	return false;
}

/* A queue that is not there, although its link is up and all else is as it was: others have taken it
 * away, and there is nothing to put back. */
static bool is_unreachable(const struct leftover *leftover)
{
	const struct link *link = leftover->at.target.link;

	return leftover->at.target.part != PART_WHOLE && leftover->live.type == VALUE_NONE &&
	       link && link->up;
}

static bool is_all_back(struct rollback *job, bool is_known)
{
	struct leftovers *leftovers = &job->leftovers;

	if (putback_check(job->run, &job->goals, leftovers) == 0)
		return true;
	for (size_t i = 0; i < leftovers->n; i++) {
		if (!is_known || !is_unreachable(&leftovers->v[i]))
			return false;
	}
	leftovers->n = 0;
	return !arena_failed(job->run->arena);
}

static void conclude(struct rollback *job, int r, struct error *error)
{
	struct run *run = job->run;
	struct error ignored;

	if (r < 0) {
		job->error = *error;
		run->live.n = 0; /* nothing is known any more: all counts as left over */
	}
	if (!is_all_back(job, r == 0))
		job->outcome = OUTCOME_INCOMPLETE;
	else
		job->outcome = has_conflicts(job) ? OUTCOME_CONFLICTS : OUTCOME_ROLLED_BACK;
	store_append(&job->store,
		journal_outcome_line(outcome_name(job->outcome), clock_text(run->arena)), &ignored);
}

int rollback_run(struct rollback *job, struct error *error)
{
	struct executor ex = {
		.run = job->run,
		.plan = &job->plan,
		.store = &job->store,
		.keep_going = true,
	};
	struct journal_rollback header;
	int r = store_open_append(&job->store, job->run->options->state_dir,
		job->journal->header.id, job->run->arena, error);

	if (r < 0)
		return r;
	r = record(job, &header, error);
	if (r == 0)
		r = snapshot_reserve(job->run->arena, job->run->live.n + job->plan.n, error);
	if (r < 0) {
		store_close(&job->store);
		return r;
	}
	ex.links = job->links;
	ex.nlinks = job->nlinks;
	signals_hold();
	r = putback_execute(&ex, &job->goals, &header, error);
	job->changed = ex.result.wrote;
	conclude(job, r, error);
	if (r == 0 && job->outcome == OUTCOME_INCOMPLETE)
		job->error = ex.result.error;
	signals_release();
	store_close(&job->store);
	return 0;
}
