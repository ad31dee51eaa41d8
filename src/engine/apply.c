/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applying a plan as one transaction: all that a rollback needs is durable before the first write;
 * on failure everything is put back by the same executor.
 */
#include "engine/putback.h"
#include "engine/snapshot.h"
#include "engine/transaction.h"
#include "util/clock.h"

#include <errno.h>
#include <string.h>

struct apply {
	struct run *run;
	struct plan *plan;
	const struct journal_profile *profiles;
	size_t nprofiles;
	struct store store;
	struct journal_link *links;
	size_t nlinks;
	struct wants scope;
	struct state before;
	struct state in_sync; /* what was as wished already, and must be so in the end */
};

static int note_in_sync(struct apply *a)
{
	const struct settings *unchanged = &a->plan->unchanged;

	for (size_t i = 0; i < unchanged->n; i++) {
		const struct observed *live = state_find(&a->run->live, &unchanged->v[i].at);

		if (live && state_put(&a->in_sync, live) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* What can't be read could not be put back. */
static int check_readable(const struct apply *a, struct error *error)
{
	for (size_t i = 0; i < a->before.n; i++) {
		const struct observed *o = &a->before.v[i];

		if (observed_is_unread(o))
			return error_set(error, ERROR_FAILED, EIO, "%s could not be put back: %s",
				address_text(a->run->arena, &o->at), o->note);
	}
	return 0;
}

static int take_snapshot(struct apply *a, struct error *error)
{
	struct run *run = a->run;

	if (note_in_sync(a) < 0 || plan_scope(a->plan, &run->host, run->kinds, &a->scope) < 0 ||
		snapshot_take(&run->live, &a->scope, &a->before) < 0 ||
		snapshot_links(&a->before, a->plan, run->arena, &a->links, &a->nlinks) < 0)
		return error_no_memory(error);
	return check_readable(a, error);
}

static int write_header(struct apply *a, struct error *error)
{
	const struct run *run = a->run;
	struct journal_header header = {
		.id = a->store.id,
		.boot_id = run->host.boot_id,
		.version = run->options->version,
		.user = run_user_name(),
		.command = run->options->command,
		.time = clock_text(run->arena),
		.host = run->host.name,
		.netns = run->host.netns,
	};
	int r = store_append(&a->store, journal_header_line(&header), error);

	if (r == 0)
		r = store_append(&a->store, journal_links_line(a->links, a->nlinks), error);
	for (size_t i = 0; i < a->nprofiles && r == 0; i++)
		r = store_append(&a->store, journal_profile_line(&a->profiles[i]), error);
	return r;
}

/* Everything up to the first write: header, plan, snapshot, room for what follows; durable. */
static int write_intent(struct apply *a, struct error *error)
{
	size_t room = 2 * journal_steps_size(a->plan);
	char *before;
	int r = write_header(a, error);

	if (r < 0)
		return r;
	r = store_append(&a->store, journal_plan_line(a->plan, a->links, a->nlinks), error);
	if (r < 0)
		return r;
	before = journal_state_line(RECORD_STATE, &a->before, a->links, a->nlinks);
	room += before ? 2 * strlen(before) : 0;
	r = store_append(&a->store, before, error);
	return r < 0 ? r : store_commit(&a->store, room, error);
}

static void append_quietly(struct store *store, char *line)
{
	struct error ignored;

	/* after the first write a journal line that can't be written stops nothing: the file then
	 * ends early and reads as an unfinished transaction, which is the safe reading */
	store_append(store, line, &ignored);
}

static bool is_known_link(const struct apply *a, const struct link *link)
{
	for (size_t i = 0; i < a->nlinks; i++) {
		if (a->links[i].link == link)
			return true;
	}
	return !link;
}

static void write_left(struct apply *a)
{
	struct state left = {.arena = a->run->arena}, known = {.arena = a->run->arena};

	if (snapshot_take(&a->run->live, &a->scope, &left) < 0)
		return;
	/* a link that has appeared meanwhile is none of this transaction's */
	for (size_t i = 0; i < left.n; i++) {
		if (is_known_link(a, left.v[i].at.target.link) && state_put(&known, &left.v[i]) < 0)
			return;
	}
	append_quietly(&a->store, journal_state_line(RECORD_LEFT, &known, a->links, a->nlinks));
}

static void put_back(struct apply *a, const struct executor *ex, struct transaction_result *ret)
{
	struct putback job = {
		.run = a->run,
		.before = &a->before,
		.applied = a->plan,
		.store = &a->store,
		.links = a->links,
		.nlinks = a->nlinks,
		.user = run_user_name(),
		.waited = ex->result.not_back > 0,
	};

	ret->outcome = putback_run(&job, &ret->leftovers) == 0 ? OUTCOME_PUT_BACK
							       : OUTCOME_INCOMPLETE;
	ret->changed = ret->outcome == OUTCOME_INCOMPLETE;
}

/*
 * What was as wished is no change of the plan, so the executor did not look at it; moved by an own
 * step all the same, it fails the run, and goes back with the rest.
 */
static int check_in_sync(struct apply *a, struct error *error)
{
	const struct state *live = &a->run->live;

	for (size_t i = 0; i < a->in_sync.n; i++) {
		const struct observed *was = &a->in_sync.v[i], *now = state_find(live, &was->at);
		struct value value = now ? now->value : value_none();

		if (value_equal(&was->value, &value) || is_moot(live, &was->at))
			continue;
		if (state_put(&a->before, was) < 0)
			return error_no_memory(error);
		error_set(error, ERROR_FAILED, EIO, "%s: was %s as wished, is %s after the changes",
			address_text(a->run->arena, &was->at), value_text(&was->value),
			value_text(&value));
	}
	return error->err ? -EIO : 0;
}

static bool has_moved(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		if (!value_equal(&plan->v[i].before, &plan->v[i].observed))
			return true;
	}
	return false;
}

static bool is_planned(const struct plan *plan, const struct address *at)
{
	for (size_t i = 0; i < plan->n; i++) {
		if (address_equal(&plan->v[i].at, at))
			return true;
	}
	return false;
}

static bool is_same(const struct observed *a, const struct observed *b)
{
	return b && value_equal(&a->value, &b->value) && value_equal(&a->active, &b->active);
}

static bool is_as_foretold(const struct observed *end, const struct observed *now)
{
	return end->value.type == VALUE_NONE || is_same(end, now);
}

/* Of a feature, the bit in force, if what is wanted has stayed. */
static int add_moved(struct leftovers *ret, const struct observed *was, const struct observed *now)
{
	bool is_active = now && value_equal(&was->value, &now->value);
	struct leftover moved = {
		.at = was->at,
		.wanted = is_active ? was->active : was->value,
		.live = is_active ? now->active
			: now     ? now->value
				  : value_none(),
	};

	if (arena_grow(ret->arena, &ret->v, &ret->cap, ret->n, sizeof(*ret->v)) < 0)
		return -ENOMEM;
	ret->v[ret->n++] = moved;
	return 0;
}

/* A driver does more than is known of it: nobody would see it if it were not said. */
static int note_moved(const struct apply *a, struct leftovers *ret, struct error *error)
{
	const struct state *live = &a->run->live;

	for (size_t i = 0; i < a->before.n; i++) {
		const struct observed *was = &a->before.v[i], *now = state_find(live, &was->at);
		const struct observed *end = state_find(&a->plan->end, &was->at);

		if (!end || is_same(was, now) || is_as_foretold(end, now) ||
			is_moot(live, &was->at) || is_planned(a->plan, &was->at))
			continue;
		if (add_moved(ret, was, now) < 0)
			return error_no_memory(error);
	}
	return 0;
}

static void conclude(struct apply *a, struct executor *ex, int r, struct transaction_result *ret,
	const struct error *error)
{
	if (r < 0)
		ret->error = *error;
	else if (ex->result.failed)
		ret->error = ex->result.error;
	else if (ex->result.stopped)
		error_set(&ret->error, ERROR_FAILED, EINTR, "interrupted by a signal");
	else if (arena_failed(a->run->arena))
		error_no_memory(&ret->error);
	else if (check_in_sync(a, &ret->error) == 0 &&
		 note_moved(a, &ret->moved, &ret->error) == 0) {
		ret->outcome = OUTCOME_APPLIED;
		ret->changed = has_moved(a->plan);
		write_left(a);
		append_quietly(&a->store, journal_outcome_line(outcome_name(ret->outcome),
						  clock_text(a->run->arena)));
		return;
	}
	put_back(a, ex, ret);
}

int transaction_apply(struct run *run, struct plan *plan, const struct journal_profile *profiles,
	size_t nprofiles, struct transaction_result *ret, struct error *error)
{
	struct apply a = {
		.run = run,
		.plan = plan,
		.profiles = profiles,
		.nprofiles = nprofiles,
		.scope.arena = run->arena,
		.before.arena = run->arena,
		.in_sync.arena = run->arena,
	};
	struct executor ex = {.run = run, .plan = plan, .store = &a.store};
	int r;

	*ret = (struct transaction_result){
		.leftovers.arena = run->arena,
		.moved.arena = run->arena,
	};
	if (!plan->n)
		return 0;
	ret->outcome = OUTCOME_FAILED;
	r = take_snapshot(&a, error);
	if (r == 0)
		r = store_create(&a.store, run->options->state_dir, run->arena, error);
	if (r < 0)
		return r;
	r = write_intent(&a, error);
	if (r == 0)
		r = snapshot_reserve(run->arena, run->live.n + plan->n, error);
	if (r < 0) {
		store_discard(&a.store);
		return r;
	}
	ret->id = a.store.id;
	ex.links = a.links;
	ex.nlinks = a.nlinks;
	signals_hold();
	r = execute(&ex, error);
	conclude(&a, &ex, r, ret, error);
	signals_release();
	store_close(&a.store);
	return 0;
}
