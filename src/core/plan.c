/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The planner: walks a model that moves with the plan, host settings that shape others first, then
 * link by link and phase by phase, then the other host settings. A rollback takes the same way with
 * given targets instead of wishes.
 */
#include "core/planner.h"

#include <errno.h>
#include <string.h>

void plan_init(struct plan *plan, struct arena *arena)
{
	*plan = (struct plan){
		.arena = arena,
		.unchanged.arena = arena,
		.skipped.arena = arena,
		.lost.arena = arena,
		.follows.arena = arena,
		.fresh.arena = arena,
	};
}

bool planner_is_host_phase(enum phase phase)
{
	return phase == PHASE_HOST_EARLY || phase == PHASE_HOST_LATE;
}

enum phase planner_phase(const struct kind *kind, const char *key)
{
	return kind->key_phase ? kind->key_phase(key) : kind->phase;
}

static int plan_link_kind(struct planner *p, const struct kind *kind, const struct link *link)
{
	struct settings settings = {.arena = p->arena};
	struct goals goals = {0};

	if (planner_settings(p, kind, link, &settings) < 0 ||
		planner_goals(p, &settings, &goals) < 0 ||
		planner_carry(p, kind, link, kind->phase, &goals) < 0)
		return -ENOMEM;
	return planner_steps(p, &goals);
}

static int plan_link(struct planner *p, const struct link *link)
{
	for (enum phase phase = PHASE_HOST_EARLY + 1; phase < PHASE_HOST_LATE; phase++) {
		for (size_t i = 0; p->input->kinds[i]; i++) {
			const struct kind *kind = p->input->kinds[i];

			if (kind->phase == phase && plan_link_kind(p, kind, link) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

/* The goals of a kind that acts on the host, in one of its two phases. */
static int plan_host_kind(
	struct planner *p, const struct kind *kind, const struct settings *all, enum phase phase)
{
	struct settings now = {.arena = p->arena};
	struct goals goals = {0};

	for (size_t i = 0; i < all->n; i++) {
		const struct setting *s = &all->v[i];

		if (planner_phase(kind, s->at.key) == phase && settings_add(&now, s) < 0)
			return -ENOMEM;
	}
	if (planner_goals(p, &now, &goals) < 0 || planner_carry(p, kind, NULL, phase, &goals) < 0)
		return -ENOMEM;
	return planner_steps(p, &goals);
}

static int plan_host(struct planner *p, enum phase phase)
{
	for (size_t i = 0; p->input->kinds[i]; i++) {
		const struct kind *kind = p->input->kinds[i];

		if (!planner_is_host_phase(kind->phase))
			continue;
		if (phase == PHASE_HOST_EARLY &&
			planner_settings(p, kind, NULL, &p->host_goals[i]) < 0)
			return -ENOMEM;
		if (plan_host_kind(p, kind, &p->host_goals[i], phase) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Every link that a wish or a target names, once. */
static int collect_links(struct planner *p, struct link ***ret, size_t *ret_n)
{
	const struct host *host = p->input->host;
	size_t most = host->nlinks, n = 0;
	struct link **v = ARENA_ARRAY(p->arena, most + 1, struct link *);

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < most; i++) {
		bool named = false;

		for (size_t j = 0; p->input->desired && j < p->input->desired->n && !named; j++)
			named = p->input->desired->v[j].link == host->links[i];
		for (size_t j = 0; p->input->goals && j < p->input->goals->n && !named; j++)
			named = p->input->goals->v[j].at.target.link == host->links[i];
		if (named)
			v[n++] = host->links[i];
	}
	*ret = v;
	*ret_n = n;
	return 0;
}

/* The MTUs that will be asked for, to sort the links; mistakes are reported when their turn comes. */
static int collect_mtus(
	struct planner *p, struct link *const *links, size_t n, struct settings *ret)
{
	const struct kind *mtu = kind_find(p->input->kinds, "mtu");
	struct diags *diags = p->diags;
	struct diags unheard = {.arena = p->arena};
	size_t nskipped = p->plan->skipped.n;
	int r = 0;

	p->diags = &unheard;
	for (size_t i = 0; mtu && i < n && r == 0; i++)
		r = planner_settings(p, mtu, links[i], ret);
	p->diags = diags;
	p->plan->skipped.n = nskipped;
	return r;
}

static bool is_queue_of_link(const struct address *at)
{
	return at->target.link && at->target.part != PART_WHOLE;
}

static bool is_planned(const struct plan *plan, const struct address *at)
{
	for (size_t i = 0; i < plan->n; i++) {
		if (address_equal(&plan->v[i].at, at))
			return true;
	}
	return false;
}

/* Of a feature that stays wanted, the bit in force goes off and on with others. */
static int list_follower(struct planner *p, const struct observed *was, const struct observed *now)
{
	bool is_moved = now->follows && !value_equal(&now->value, &was->value);
	struct setting moved = {.at = was->at, .value = is_moved ? now->value : now->active};

	if ((!is_moved && value_equal(&now->active, &was->active)) || is_planned(p->plan, &was->at))
		return 0;
	return settings_add(&p->plan->follows, &moved);
}

/* What the plan makes vanish, appear and move along. */
static int list_moved(struct planner *p)
{
	const struct state *live = p->input->live;

	for (size_t i = 0; i < live->n; i++) {
		const struct observed *o = &live->v[i], *now = state_find(&p->model, &o->at);
		struct setting lost = {.at = o->at, .value = o->value};

		if (!now && o->at.target.link && settings_add(&p->plan->lost, &lost) < 0)
			return -ENOMEM;
		if (now && list_follower(p, o, now) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < p->model.n; i++) {
		const struct observed *o = &p->model.v[i];
		struct setting s = {.at = o->at, .value = o->value};

		if (is_queue_of_link(&o->at) && !state_find(live, &o->at) &&
			settings_add(&p->plan->fresh, &s) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Wished and set already, but another wish moves it: the profile contradicts itself. */
static int report_moved(struct planner *p, const struct setting *s, const struct value *to)
{
	struct diag *diag = diags_add(p->diags, SEVERITY_ERROR, ERROR_DATA, "bad-value",
		s->wish->pos, "%s = %s: other settings of this plan make it %s",
		address_text(p->arena, &s->at), value_text(&s->value), value_text(to));

	if (!diag)
		return -ENOMEM;
	diag->interface = s->at.target.link ? s->at.target.link->name : NULL;
	diag->key = address_text(p->arena, &s->at);
	return 0;
}

static int check_unchanged(struct planner *p)
{
	const struct settings *unchanged = &p->plan->unchanged;

	for (size_t i = 0; i < unchanged->n; i++) {
		const struct setting *s = &unchanged->v[i];
		const struct observed *now = state_find(&p->model, &s->at);
		const struct observed *was = state_find(p->input->live, &s->at);

		if (!s->wish || !was || !now || now->value.type == VALUE_NONE ||
			value_equal(&now->value, &was->value) ||
			value_equal(&now->value, &s->value) || is_moot(&p->model, &s->at))
			continue;
		if (report_moved(p, s, &now->value) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Wished and set already, but kept off by something: known only when the plan is complete. */
static int list_held(struct planner *p)
{
	struct settings *unchanged = &p->plan->unchanged;
	size_t n = 0;

	for (size_t i = 0; i < unchanged->n; i++) {
		const struct setting *s = &unchanged->v[i];
		const struct observed *now = state_find(&p->model, &s->at);

		if (!now || now->active.type == VALUE_NONE || value_equal(&now->active, &s->value))
			unchanged->v[n++] = *s;
		else if (planner_skip(p, s, VERDICT_HELD, now->note) < 0)
			return -ENOMEM;
	}
	unchanged->n = n;
	return 0;
}

static int walk(struct planner *p)
{
	struct settings mtus = {.arena = p->arena};
	struct link **links;
	size_t nkinds = 0, nlinks;

	while (p->input->kinds[nkinds])
		nkinds++;
	p->host_goals = ARENA_ARRAY(p->arena, nkinds + 1, struct settings);
	if (!p->host_goals || state_copy(&p->model, p->input->live) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < nkinds; i++)
		p->host_goals[i].arena = p->arena;
	if (plan_host(p, PHASE_HOST_EARLY) < 0 || collect_links(p, &links, &nlinks) < 0 ||
		collect_mtus(p, links, nlinks, &mtus) < 0)
		return -ENOMEM;
	plan_sort_links(&mtus, links, nlinks);
	for (size_t i = 0; i < nlinks; i++) {
		if (plan_link(p, links[i]) < 0)
			return -ENOMEM;
	}
	if (plan_host(p, PHASE_HOST_LATE) < 0 || list_moved(p) < 0 || check_unchanged(p) < 0 ||
		list_held(p) < 0)
		return -ENOMEM;
	return arena_failed(p->arena) ? -ENOMEM : 0;
}

int plan_build(const struct plan_input *input, struct plan *ret, struct diags *diags)
{
	struct planner planner = {
		.input = input,
		.plan = ret,
		.diags = diags,
		.arena = ret->arena,
		.model.arena = ret->arena,
	};
	int r = walk(&planner);

	ret->end = planner.model;
	return r;
}

enum interrupts plan_interrupts(const struct plan *plan)
{
	enum interrupts most = INTERRUPTS_NONE;

	for (size_t i = 0; i < plan->n; i++)
		most = MAX(most, plan->v[i].interrupts);
	return most;
}
