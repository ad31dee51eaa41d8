/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What shall be: wishes expanded against the model, a rollback's targets, and what is carried.
 */
#include "core/planner.h"

#include <errno.h>
#include <string.h>

static int goals_add(struct planner *p, struct goals *goals, const struct goal *goal)
{
	if (arena_grow(p->arena, &goals->v, &goals->cap, goals->n, sizeof(*goals->v)) < 0)
		return -ENOMEM;
	goals->v[goals->n++] = *goal;
	return 0;
}

static struct setting *settings_find(const struct settings *settings, const struct address *at)
{
	for (size_t i = 0; i < settings->n; i++) {
		if (address_equal(&settings->v[i].at, at))
			return &settings->v[i];
	}
	return NULL;
}

void planner_report(struct planner *p, const struct wish *wish, const struct link *link,
	const struct error *error)
{
	struct diag *diag = diags_add(p->diags, SEVERITY_ERROR, error->kind,
		error->kind == ERROR_MISSING ? "not-available" : "bad-value", wish->pos, "%s",
		error->msg);

	if (diag) {
		diag->interface = link ? link->name : NULL;
		diag->key = arena_printf(p->arena, "%s.%s", wish->kind->name, wish->key);
	}
}

static const struct pair *find_pair(
	const struct planner *p, const struct wish *wish, const struct link *link)
{
	const struct desired *desired = p->input->desired;

	for (size_t i = 0; desired && i < desired->n; i++) {
		if (desired->v[i].wish == wish && desired->v[i].link == link)
			return &desired->v[i];
	}
	return NULL;
}

bool planner_must_fail(const struct planner *p, const struct wish *wish, const struct link *link,
	enum verdict verdict)
{
	const struct pair *pair;

	if (!wish || !wish->fail_unsupported ||
		(verdict != VERDICT_UNSUPPORTED && verdict != VERDICT_MANAGED &&
			verdict != VERDICT_IGNORED))
		return false;
	/* what a rule for ports wants, the bond above them need not have */
	pair = find_pair(p, wish, link);
	return !pair || !pair->has_ports;
}

/* The same word of a profile, another one that came to this key ("tso", "queues"), or one for several
 * of which this is one. */
static bool is_kept(const struct wish *keep, const struct wish *wish, const struct address *at)
{
	const struct kind *kind = keep->kind;

	if (!wish || wish->kind != kind)
		return false;
	return strcmp(wish->key, keep->key) == 0 || strcmp(at->key, keep->key) == 0 ||
	       (kind->stands_for && kind->stands_for(keep->key, at->key));
}

/* "keep" takes back what earlier wishes said of the same key. */
static void keep(struct planner *p, const struct pair *pair, struct settings *settings)
{
	struct skips *skipped = &p->plan->skipped;
	size_t n = 0, nskipped = 0;

	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *s = &settings->v[i];

		if (!is_kept(pair->wish, s->wish, &s->at))
			settings->v[n++] = *s;
	}
	settings->n = n;
	for (size_t i = 0; i < skipped->n; i++) {
		const struct skip *skip = &skipped->v[i];

		if (skip->at.target.link != pair->link ||
			!is_kept(pair->wish, skip->wish, &skip->at))
			skipped->v[nskipped++] = *skip;
	}
	skipped->n = nskipped;
}

/* on-unsupported: fail makes errors of what would be skipped. */
static void report_skips(struct planner *p, const struct pair *pair, size_t from)
{
	for (size_t i = from; i < p->plan->skipped.n; i++) {
		const struct skip *skip = &p->plan->skipped.v[i];
		struct error error;

		if (!planner_must_fail(p, pair->wish, pair->link, skip->verdict))
			continue;
		error_set(&error, ERROR_MISSING, EOPNOTSUPP, "%s = %s: %s",
			address_text(p->arena, &skip->at), skip->wanted, skip->reason);
		planner_report(p, pair->wish, pair->link, &error);
	}
}

/* A rule for a bond wins over an earlier one for the port, as later rules do; but not unseen. */
static void report_override(struct planner *p, const struct pair *pair, const struct setting *old,
	const struct setting *now)
{
	const struct pair *before = find_pair(p, old->wish, pair->link);
	struct diag *diag;

	if (!pair->via || !before || before->via || value_equal(&old->value, &now->value))
		return;
	diag = diags_add(p->diags, SEVERITY_WARNING, ERROR_FAILED, "port-override", now->wish->pos,
		"%s = %s, as for %s above it: takes the place of %s in line %u of %s",
		address_text(p->arena, &now->at), value_text(&now->value), pair->via->name,
		value_text(&old->value), old->wish->pos.line, old->wish->profile);
	if (diag) {
		diag->interface = pair->link->name;
		diag->key = address_text(p->arena, &now->at);
	}
}

/* A later setting of the same address takes the place of the earlier one. */
static int replace(struct planner *p, const struct pair *pair, const struct setting *setting,
	struct settings *settings)
{
	struct setting *old = settings_find(settings, &setting->at);

	if (!old)
		return settings_add(settings, setting);
	report_override(p, pair, old, setting);
	*old = *setting;
	return 0;
}

static int expand_wish(struct planner *p, const struct pair *pair, struct settings *ret)
{
	const struct kind *kind = pair->wish->kind;
	size_t nskipped = p->plan->skipped.n;
	struct error error = {0};
	struct settings fresh = {.arena = p->arena};
	struct expansion expansion = {
		.wish = pair->wish,
		.link = pair->link,
		.host = p->input->host,
		.model = &p->model,
		.arena = p->arena,
		.ret = &fresh,
		.skipped = &p->plan->skipped,
	};

	if (expr_is_word(pair->wish->value, "keep")) {
		keep(p, pair, ret);
		return 0;
	}
	if (kind->expand(&expansion, &error) < 0) {
		if (arena_failed(p->arena))
			return -ENOMEM;
		planner_report(p, pair->wish, pair->link, &error);
		return 0;
	}
	report_skips(p, pair, nskipped);
	for (size_t i = 0; i < fresh.n; i++) {
		if (replace(p, pair, &fresh.v[i], ret) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* The settings that the wishes of this kind and link come to, in the model as it is now. */
static int expand_all(
	struct planner *p, const struct kind *kind, const struct link *link, struct settings *ret)
{
	const struct desired *desired = p->input->desired;

	for (size_t i = 0; i < desired->n; i++) {
		const struct pair *pair = &desired->v[i];

		if (pair->wish->kind != kind || pair->link != link)
			continue;
		if (expand_wish(p, pair, ret) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int given_goals(
	struct planner *p, const struct kind *kind, const struct link *link, struct settings *ret)
{
	const struct settings *goals = p->input->goals;

	for (size_t i = 0; i < goals->n; i++) {
		const struct setting *s = &goals->v[i];

		if (s->at.kind != kind || s->value.type == VALUE_NONE)
			continue;
		if (!planner_is_host_phase(kind->phase) && s->at.target.link != link)
			continue;
		if (settings_add(ret, s) < 0)
			return -ENOMEM;
	}
	return 0;
}

int planner_settings(
	struct planner *p, const struct kind *kind, const struct link *link, struct settings *ret)
{
	return p->input->goals ? given_goals(p, kind, link, ret) : expand_all(p, kind, link, ret);
}

/* Does writing `cause` move the setting at `at` by this effect? */
static bool moves(struct planner *p, const struct effect *effect, const struct address *cause,
	const struct address *at)
{
	const char *keys;

	if (strcmp(effect->kind, at->kind->name) != 0 ||
		(effect->on == REACH_HOST && at->target.link) ||
		(effect->key && !key_matches(effect->key, cause->key)))
		return false;
	keys = effect_keys(effect, cause->key, p->arena);
	return !keys || key_matches(keys, at->key);
}

const char *planner_cause(struct planner *p, const struct address *at)
{
	for (size_t i = 0; i < p->plan->n; i++) {
		const struct address *cause = &p->plan->v[i].at;
		const struct effect *e = cause->kind->effects;

		for (; cause->target.link == at->target.link && e && e->on != REACH_END; e++) {
			if (moves(p, e, cause, at))
				return address_text(p->arena, cause);
		}
	}
	return NULL;
}

static bool has_goal(const struct goals *goals, const struct address *at)
{
	for (size_t i = 0; i < goals->n; i++) {
		if (address_equal(&goals->v[i].setting.at, at))
			return true;
	}
	return false;
}

/* What an own step of this run would wipe although nobody asked for that: written again. */
int planner_goals(struct planner *p, const struct settings *settings, struct goals *ret)
{
	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *s = &settings->v[i];
		struct goal goal = {
			.setting = *s,
			.origin = s->wish ? ORIGIN_PROFILE : ORIGIN_RESTORE,
		};

		if (goals_add(p, ret, &goal) < 0)
			return -ENOMEM;
	}
	return 0;
}

static bool is_wiped(struct planner *p, const struct observed *was)
{
	const struct observed *now = state_find(&p->model, &was->at);

	return now && !now->follows && now->support == SUPPORT_SETTABLE &&
	       was->value.type != VALUE_NONE && !value_equal(&was->value, &now->value);
}

int planner_carry(struct planner *p, const struct kind *kind, const struct link *link,
	enum phase phase, struct goals *goals)
{
	const struct state *live = p->input->live;
	size_t first = 0, n = link ? state_range(live, kind, link, &first) : live->n;

	for (size_t i = first; i < first + n; i++) {
		const struct observed *was = &live->v[i];
		struct goal goal = {
			.setting = {.at = was->at, .value = was->value},
			.origin = ORIGIN_CARRIED,
		};

		if (was->at.kind != kind || planner_phase(kind, was->at.key) != phase ||
			!is_wiped(p, was) || has_goal(goals, &was->at))
			continue;
		goal.cause = planner_cause(p, &was->at);
		if (goals_add(p, goals, &goal) < 0)
			return -ENOMEM;
	}
	return 0;
}
