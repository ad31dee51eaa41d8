/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must be done: goals compared with the model become changes, changes steps, and the model
 * moves with each step.
 */
#include "core/answer.h"
#include "core/planner.h"

#include <errno.h>
#include <string.h>

static bool may_be_moot(const struct field *field, const struct link *link)
{
	if (!field || !field->moot)
		return false;
	return !field->moot_with || (driver_find(link->driver)->flags & field->moot_with);
}

bool is_moot(const struct state *state, const struct address *at)
{
	const struct field *field = kind_field(at->kind, at->key);
	const struct observed *mode;

	if (!may_be_moot(field, at->target.link))
		return false;
	mode = state_get(
		state, at->kind, at->target.link, at->target.part, at->target.index, field->moot);
	return mode && mode->value.type == VALUE_BOOL && mode->value.number;
}

/* The mode that makes it moot is on in the model, and none of the goals turns it off; or one turns it
 * on, and the driver keeps nothing for later. */
static bool stays_moot(
	const struct state *model, const struct address *at, const struct goals *goals)
{
	const struct field *field = kind_field(at->kind, at->key);

	for (size_t i = 0; may_be_moot(field, at->target.link) && i < goals->n; i++) {
		const struct setting *s = &goals->v[i].setting;

		if (strcmp(s->at.key, field->moot) == 0 && (!s->value.number || field->moot_with))
			return s->value.number;
	}
	return is_moot(model, at);
}

/* All ports are by then what their bond hands down to them. */
static bool finds_ports_ready(const struct planner *p, const struct change *change)
{
	const struct host *host = p->input->host;
	struct address at = change->at;

	for (size_t i = 0; i < host->nlinks; i++) {
		const struct observed *now;

		at.target.link = host->links[i];
		if (host->links[i]->master != change->at.target.link->ifindex)
			continue;
		now = state_find(&p->model, &at);
		if (!now || !value_equal(&now->value, &change->after))
			return false;
	}
	return true;
}

static enum interrupts interrupts_of(
	const struct planner *p, const struct kind *kind, const struct change *change)
{
	const struct link *link = change->at.target.link;

	if (!link || !link->up || planner_is_host_phase(kind->phase))
		return INTERRUPTS_NONE;
	if (kind_is_handed_down(kind, link) && finds_ports_ready(p, change))
		return INTERRUPTS_NONE;
	if (kind->interrupts)
		return kind->interrupts(link, change);
	return (enum interrupts)driver_find(link->driver)->interrupts[kind->phase];
}

int planner_skip(struct planner *p, const struct setting *s, enum verdict verdict, const char *why)
{
	return skips_add(&p->plan->skipped, &(struct skip){
						    .at = s->at,
						    .wanted = value_text(&s->value),
						    .verdict = verdict,
						    .reason = why ? why : "",
						    .wish = s->wish,
					    });
}

/* It reads as wished. What an own step brings there is a change, too: it differs now. */
static bool is_reached(const struct planner *p, const struct setting *s, const struct observed *now,
	const struct value *after)
{
	const struct observed *live = state_find(p->input->live, &s->at);

	if (!value_equal(&now->value, &s->value) && !value_equal(&now->value, after))
		return false;
	return !s->wish || !live || now->support != SUPPORT_SETTABLE ||
	       value_equal(&live->value, &now->value);
}

static int add_change(struct planner *p, const struct goal *goal, struct value after)
{
	const struct address *at = &goal->setting.at;
	const struct observed *live = state_find(p->input->live, at);
	struct change *change;

	if (arena_grow(p->arena, &p->plan->v, &p->plan->cap, p->plan->n, sizeof(*p->plan->v)) < 0)
		return -ENOMEM;
	change = &p->plan->v[p->plan->n++];
	*change = (struct change){
		.at = *at,
		.before = live ? live->value : value_none(),
		.wanted = goal->setting.value,
		.after = after,
		.wish = goal->setting.wish,
		.origin = goal->origin,
		.cause = goal->cause,
	};
	if (!change->cause && value_equal(&change->before, &after))
		change->cause = planner_cause(p, at);
	change->interrupts = interrupts_of(p, at->kind, change);
	return 0;
}

/* Not possible: listed, or an error where the wish says so. */
static int refuse(struct planner *p, const struct setting *s, enum verdict verdict, const char *why)
{
	struct error error;

	if (!planner_must_fail(p, s->wish, s->at.target.link, verdict))
		return planner_skip(p, s, verdict, why);
	error_set(&error, ERROR_MISSING, EOPNOTSUPP, "%s = %s: %s", address_text(p->arena, &s->at),
		value_text(&s->value), why ? why : verdict_name(verdict));
	planner_report(p, s->wish, s->at.target.link, &error);
	return 0;
}

/* What a predicted value is of the one that was wished. */
static enum verdict verdict_of_predicted(const struct setting *s, const struct observed *now)
{
	const struct change change = {.at = s->at, .wanted = s->value, .after = now->value};
	enum verdict verdict = VERDICT_ROUNDED;

	if (s->at.kind->judge)
		verdict = s->at.kind->judge(&change, now);
	return verdict_is_good(verdict) ? verdict : VERDICT_ROUNDED;
}

/* As wished, exactly or as nearly as it goes. */
static int add_unchanged(struct planner *p, const struct setting *s, const struct observed *now,
	enum verdict verdict)
{
	struct setting setting = *s;

	if (!s->wish)
		return 0;
	if (!value_equal(&now->value, &s->value)) {
		setting.got = now->value;
		setting.verdict = verdict;
	}
	return settings_add(&p->plan->unchanged, &setting);
}

/* It differs, and could be written: what is known of the driver decides. */
static int compare_known(struct planner *p, const struct goal *goal, const struct goals *goals,
	const struct observed *now, struct value after)
{
	const struct setting *s = &goal->setting;
	const struct answer *answer;

	if (planner_answer(p, goal, goals, &answer) < 0)
		return -ENOMEM;
	if (!answer)
		return add_change(p, goal, after);
	if (answer->verdict == VERDICT_UNSUPPORTED || answer->verdict == VERDICT_MANAGED)
		return refuse(p, s, answer->verdict, answer_reason(p->arena, answer));
	if (verdict_is_good(answer->verdict))
		return is_reached(p, s, now, &answer->got)
			       ? add_unchanged(p, s, now, answer->verdict)
			       : add_change(p, goal, answer->got);
	/* what was ignored once leaves a value where it is: maybe not another one than then */
	if (value_equal(&now->value, &answer->got))
		return refuse(p, s, answer->verdict, answer_reason(p->arena, answer));
	return add_change(p, goal, after);
}

/* The device has it, and it is not in force, or would not be. */
static int skip_moot(struct planner *p, const struct setting *s)
{
	const struct field *field = kind_field(s->at.kind, s->at.key);

	if (!field->moot_with)
		return planner_skip(p, s, VERDICT_NONE,
			arena_printf(p->arena, "not in force while %s is on", field->moot));
	return refuse(p, s, VERDICT_IGNORED,
		arena_printf(p->arena, "%s ignores it while %s is on", s->at.target.link->driver,
			field->moot));
}

/* Compares one goal with the model: a change, nothing to do, or not possible. */
static int compare(struct planner *p, const struct goal *goal, const struct goals *goals)
{
	const struct setting *s = &goal->setting;
	const struct kind *kind = s->at.kind;
	const struct observed *now = state_find(&p->model, &s->at);
	struct value after = s->value;

	if (!now)
		return planner_skip(p, s, VERDICT_GONE, "is not there");
	if (kind->predict)
		after = kind->predict(p->input->host, s, &p->model, p->arena);
	if (is_reached(p, s, now, &after))
		return add_unchanged(p, s, now, verdict_of_predicted(s, now));
	if (stays_moot(&p->model, &s->at, goals))
		return skip_moot(p, s);
	if (now->support == SUPPORT_MANAGED)
		return refuse(p, s, VERDICT_MANAGED, now->note);
	if (now->support != SUPPORT_SETTABLE)
		return refuse(p, s, VERDICT_UNSUPPORTED, now->note);
	return compare_known(p, goal, goals, now, after);
}

static int rank_of(const struct planner *p, const struct setting *s)
{
	const struct kind *kind = s->at.kind;
	const struct observed *now = state_find(&p->model, &s->at);
	struct value from = now ? now->value : value_none();

	return kind->rank ? kind->rank(&s->at, &from, &s->value) : 0;
}

/* Stable, and few elements: insertion by rank. */
static int sort_by_rank(struct planner *p, struct goals *goals)
{
	int *ranks = ARENA_ARRAY(p->arena, goals->n + 1, int);

	if (!ranks)
		return -ENOMEM;
	for (size_t i = 0; i < goals->n; i++) {
		struct goal goal = goals->v[i];
		int rank = rank_of(p, &goal.setting);
		size_t j = i;

		for (; j > 0 && ranks[j - 1] > rank; j--) {
			goals->v[j] = goals->v[j - 1];
			ranks[j] = ranks[j - 1];
		}
		goals->v[j] = goal;
		ranks[j] = rank;
	}
	for (size_t i = 0; i < goals->n; i++)
		goals->v[i].rank = ranks[i];
	return 0;
}

static int add_step(struct planner *p, size_t first)
{
	struct plan *plan = p->plan;

	if (first == plan->n)
		return 0;
	if (arena_grow(p->arena, &plan->steps, &plan->steps_cap, plan->nsteps,
		    sizeof(*plan->steps)) < 0)
		return -ENOMEM;
	plan->steps[plan->nsteps++] = (struct step){
		.first = (uint32_t)first, .n = (uint32_t)(plan->n - first)};
	return 0;
}

/* The model after one step: the values themselves, then what comes of them. */
static int project(struct planner *p, size_t first)
{
	const struct plan *plan = p->plan;

	for (size_t i = first; i < plan->n; i++) {
		struct observed *now = state_find(&p->model, &plan->v[i].at);

		if (!now)
			continue;
		now->value = plan->v[i].after;
		if (now->active.type != VALUE_NONE)
			now->active = plan->v[i].after;
	}
	for (size_t i = first; i < plan->n; i++) {
		const struct kind *kind = plan->v[i].at.kind;

		if (kind->project)
			kind->project(p->input->host, &plan->v[i], &p->model);
	}
	return arena_failed(p->arena) ? -ENOMEM : 0;
}

/* Does goal i go into the same message as the one before it? */
static bool joins(const struct goals *goals, size_t i)
{
	const struct goal *a = &goals->v[i - 1], *b = &goals->v[i];

	return !b->setting.at.kind->single && a->rank == b->rank;
}

int planner_steps(struct planner *p, struct goals *goals)
{
	size_t first = p->plan->n;

	if (sort_by_rank(p, goals) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < goals->n; i++) {
		if (compare(p, &goals->v[i], goals) < 0)
			return -ENOMEM;
		if (i + 1 < goals->n && joins(goals, i + 1))
			continue;
		if (add_step(p, first) < 0 || project(p, first) < 0)
			return -ENOMEM;
		first = p->plan->n;
	}
	return 0;
}
