/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which transactions a rollback undoes: the newest, one by its ID, down to an ID, or all; always
 * from the newest on, since each left the state that the next one found.
 */
#include "engine/transaction.h"

#include "engine/identity.h"
#include "engine/rollback.h"
#include "engine/store.h"

#include <errno.h>
#include <string.h>

static const char *const outcome_names[] = {
	[OUTCOME_UNCHANGED] = "unchanged",
	[OUTCOME_APPLIED] = "applied",
	[OUTCOME_FAILED] = "failed",
	[OUTCOME_PUT_BACK] = "put-back",
	[OUTCOME_INCOMPLETE] = "incomplete",
	[OUTCOME_ROLLED_BACK] = "rolled-back",
	[OUTCOME_CONFLICTS] = "conflicts",
};
_Static_assert(ARRAY_SIZE(outcome_names) == OUTCOME_MAX, "a name for each outcome");

const char *outcome_name(enum outcome outcome)
{
	return outcome_names[outcome];
}

static bool is_to_be_undone(enum standing standing)
{
	return standing == STANDING_IN_FORCE || standing == STANDING_UNFINISHED ||
	       standing == STANDING_OPEN;
}

/* A rollback that left conflicts alone may be asked for once more, with force. */
static bool may_undo(const struct run *run, const struct journal *journal, bool force)
{
	enum standing standing = journal_standing(journal, &run->host);
	const char *last = journal->nrollbacks ? journal->rollbacks[journal->nrollbacks - 1].outcome
					       : NULL;

	return is_to_be_undone(standing) ||
	       (force && standing == STANDING_UNDONE && last &&
		       strcmp(last, outcome_name(OUTCOME_CONFLICTS)) == 0);
}

int transaction_unfinished(
	struct run *run, struct journal **ret, struct diags *diags, struct error *error)
{
	struct journal **v;
	size_t n;
	int r = store_load_all(run, diags, &v, &n, error);

	*ret = NULL;
	for (size_t i = 0; r == 0 && i < n; i++) {
		enum standing standing = journal_standing(v[i], &run->host);

		if (standing == STANDING_UNFINISHED || standing == STANDING_OPEN)
			*ret = v[i];
	}
	return r;
}

/* All journals of this namespace and boot, newest first, and which of them to undo. */
struct selection {
	struct journal **v;
	size_t n;
	size_t count; /* v[0 .. count) is looked at; those that are in force are undone */
	const char *note;
};

static const char *list_in_force(struct run *run, const struct selection *s)
{
	const char *list = "";

	for (size_t i = 0; i < s->n; i++) {
		if (is_to_be_undone(journal_standing(s->v[i], &run->host)))
			list = arena_printf(
				run->arena, "%s%s%s", list, *list ? ", " : "", s->v[i]->header.id);
	}
	return list;
}

static int load_newest_first(
	struct run *run, struct selection *s, struct diags *diags, struct error *error)
{
	struct journal **all;
	size_t n;
	int r = store_load_all(run, diags, &all, &n, error);

	if (r < 0)
		return r;
	s->v = ARENA_ARRAY(run->arena, n + 1, struct journal *);
	if (!s->v)
		return error_no_memory(error);
	while (n-- > 0) {
		if (journal_standing(all[n], &run->host) != STANDING_OTHER)
			s->v[s->n++] = all[n];
	}
	return 0;
}

static int find_id(struct run *run, const struct selection *s, const char *id, size_t *ret,
	struct error *error)
{
	struct journal *other;
	int r;

	for (size_t i = 0; i < s->n; i++) {
		if (strcmp(s->v[i]->header.id, id) == 0) {
			*ret = i;
			return 0;
		}
	}
	r = store_load(run, id, &other, error);
	if (r < 0)
		return r;
	return error_set(error, ERROR_FAILED, EINVAL,
		"transaction %s is of another boot or network namespace: its values are history, "
		"there is nothing to roll back",
		id);
}

/* One transaction by its ID: only if nothing newer is in force. */
static int select_id(struct run *run, struct selection *s, const struct rollback_request *request,
	struct error *error)
{
	const char *id = request->id;
	size_t at = 0;
	int r = find_id(run, s, id, &at, error);

	if (r < 0)
		return r;
	for (size_t i = 0; i < at; i++) {
		if (is_to_be_undone(journal_standing(s->v[i], &run->host)))
			return error_set(error, ERROR_FAILED, EBUSY,
				"transaction %s is newer than %s and in force: roll it back first",
				s->v[i]->header.id, id);
	}
	if (!may_undo(run, s->v[at], request->force))
		s->note = arena_printf(run->arena, "transaction %s is already undone", id);
	s->count = at + 1;
	return 0;
}

static int choose(struct run *run, const struct rollback_request *request, struct selection *s,
	struct error *error)
{
	size_t at = 0;
	int r;

	if (request->all) {
		s->count = s->n;
	} else if (request->to) {
		r = find_id(run, s, request->to, &at, error);
		if (r < 0)
			return r;
		s->count = at;
	} else if (request->id) {
		return select_id(run, s, request, error);
	} else {
		s->count = MIN(s->n, (size_t)1);
		if (s->n && !may_undo(run, s->v[0], request->force))
			s->note = arena_printf(
				run->arena, "transaction %s is already undone", s->v[0]->header.id);
	}
	return 0;
}

/* What a journal that can't be read has changed is not known, so nothing older is undone. */
static int check_readable(struct run *run, const struct selection *s,
	const struct rollback_request *request, struct error *error)
{
	const char *oldest = s->n ? s->v[0]->header.id : "";

	for (size_t i = 0; i < s->count; i++) {
		if (may_undo(run, s->v[i], request->force))
			oldest = s->v[i]->header.id;
	}
	if (strcmp(run->damaged, oldest) <= 0)
		return 0;
	return error_set(error, ERROR_DATA, EINVAL,
		"journal %s can't be read, so what it changed can't be undone, nor what is older; "
		"move %s/journal/%s.jsonl away to go on without it",
		run->damaged, run->options->state_dir, run->damaged);
}

static int add_classified(struct classification *to, const struct classification *from)
{
	for (size_t i = 0; i < from->n; i++) {
		if (arena_grow(to->arena, &to->v, &to->cap, to->n, sizeof(*to->v)) < 0)
			return -ENOMEM;
		to->v[to->n++] = from->v[i];
	}
	return 0;
}

/* The plan of one more transaction behind those that the report has already. */
static int add_plan(struct plan *to, const struct plan *from)
{
	size_t shift = to->n;

	for (size_t i = 0; i < from->n; i++) {
		if (arena_grow(to->arena, &to->v, &to->cap, to->n, sizeof(*to->v)) < 0)
			return -ENOMEM;
		to->v[to->n++] = from->v[i];
	}
	for (size_t i = 0; i < from->nsteps; i++) {
		if (arena_grow(to->arena, &to->steps, &to->steps_cap, to->nsteps,
			    sizeof(*to->steps)) < 0)
			return -ENOMEM;
		to->steps[to->nsteps] = from->steps[i];
		to->steps[to->nsteps++].first += (uint32_t)shift;
	}
	for (size_t i = 0; i < from->skipped.n; i++) {
		if (skips_add(&to->skipped, &from->skipped.v[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* For the plan of the next older one in a dry run: as if this one had been rolled back. */
static int pretend(struct run *run, const struct rollback *job)
{
	for (size_t i = 0; i < job->goals.n; i++) {
		const struct setting *goal = &job->goals.v[i];
		struct observed *live = state_find(&run->live, &goal->at);
		struct observed appears = {
			.at = goal->at,
			.value = goal->value,
			.support = SUPPORT_SETTABLE,
		};

		if (live && goal->value.type == VALUE_NONE)
			state_remove(&run->live, &goal->at);
		else if (live)
			live->value = goal->value;
		else if (goal->value.type != VALUE_NONE && state_put(&run->live, &appears) < 0)
			return -ENOMEM;
	}
	return 0;
}

static enum outcome worse(enum outcome a, enum outcome b)
{
	if (a == OUTCOME_INCOMPLETE || b == OUTCOME_INCOMPLETE)
		return OUTCOME_INCOMPLETE;
	if (a == OUTCOME_CONFLICTS || b == OUTCOME_CONFLICTS)
		return OUTCOME_CONFLICTS;
	return OUTCOME_ROLLED_BACK;
}

static int undo_one(struct run *run, const struct rollback_request *request,
	const struct journal *journal, struct rollback_result *ret, struct diags *diags,
	struct error *error)
{
	struct rollback job = {
		.run = run,
		.journal = journal,
		.user = run_user_name(),
		.force = request->force,
		.is_dry = request->dry_run,
		.leftovers.arena = run->arena,
	};
	int r = rollback_plan(&job, error);

	if (r == 0 && !request->dry_run)
		r = rollback_run(&job, error);
	if (r < 0)
		return r;
	identity_note(run, journal, diags);
	ret->result.id = journal->header.id;
	ret->result.changed |= job.changed;
	if (request->dry_run) {
		ret->result.outcome = OUTCOME_ROLLED_BACK;
		if (pretend(run, &job) < 0)
			return error_no_memory(error);
	} else {
		ret->result.outcome = worse(ret->result.outcome, job.outcome);
		ret->result.error = job.error;
		ret->result.leftovers = job.leftovers;
	}
	if (add_plan(&ret->plan, &job.plan) < 0 ||
		add_classified(&ret->classified, &job.classified) < 0)
		return error_no_memory(error);
	return 0;
}

static void say_what_is_in_force(
	struct run *run, const struct selection *s, struct rollback_result *ret)
{
	const char *list = list_in_force(run, s);

	if (!s->note && !s->n)
		ret->note = "no transaction of this boot and network namespace";
	else if (*list)
		ret->note = arena_printf(run->arena, "%s; still in force: %s",
			s->note ? s->note : "nothing to undo", list);
	else
		ret->note = arena_printf(run->arena, "%s; nothing is in force",
			s->note ? s->note : "nothing to undo");
}

int transaction_rollback(struct run *run, const struct rollback_request *request,
	struct rollback_result *ret, struct diags *diags, struct error *error)
{
	struct selection s = {0};
	size_t nids = 0;
	int r;

	*ret = (struct rollback_result){
		.result.leftovers.arena = run->arena,
		.classified.arena = run->arena,
	};
	plan_init(&ret->plan, run->arena);
	r = load_newest_first(run, &s, diags, error);
	if (r == 0)
		r = choose(run, request, &s, error);
	if (r == 0)
		r = check_readable(run, &s, request, error);
	if (r < 0)
		return r;
	ret->ids = ARENA_ARRAY(run->arena, s.count + 1, const char *);
	if (!ret->ids)
		return error_no_memory(error);
	for (size_t i = 0; i < s.count; i++) {
		if (!may_undo(run, s.v[i], request->force))
			continue;
		r = undo_one(run, request, s.v[i], ret, diags, error);
		if (r < 0)
			return r;
		ret->ids[nids++] = s.v[i]->header.id;
		if (ret->result.outcome == OUTCOME_INCOMPLETE)
			break;
	}
	if (!nids)
		say_what_is_in_force(run, &s, ret);
	return 0;
}
