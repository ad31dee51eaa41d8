/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a rollback does with each setting of the snapshot: decided once, from one observation before
 * its first write, absent being a value.
 */
#include "core/kind.h"
#include "core/plan.h"

#include <errno.h>

static struct value value_in(const struct state *state, const struct address *at)
{
	const struct observed *o = state ? state_find(state, at) : NULL;

	return o ? o->value : value_none();
}

static bool is_named(const struct plan *plan, const struct address *at)
{
	for (size_t i = 0; i < plan->n; i++) {
		if (plan->v[i].origin == ORIGIN_PROFILE && address_equal(&plan->v[i].at, at))
			return true;
	}
	return false;
}

/* As nettune left it, or what became of that when CPUs went offline. */
static bool is_as_left(
	const struct classified *c, const struct state *live, const struct classification *all)
{
	const struct setting left = {.at = c->at, .value = c->left};

	return value_equal(&c->live, &c->left) ||
	       (all->host && is_reduced(all->host, &left, live, all->arena));
}

/* Queues and vectors go with a change of channels, in part only when the link comes up, and vectors
 * with a link that goes down: what they had is theirs when they are back. */
static bool is_away(const struct classified *c)
{
	return c->at.target.part != PART_WHOLE && c->live.type == VALUE_NONE;
}

/* Not of others, but what the kernel made of it. */
static bool is_of_the_kernel(const struct classified *c)
{
	const struct kind *kind = c->at.kind;

	return is_away(c) || (kind->is_reset && kind->is_reset(&c->at, &c->before, &c->live));
}

/* A value that can't be read just now says nothing of others: it is ours until it is seen. */
static void decide(struct classified *c, const struct state *left, const struct state *live,
	const struct classification *all)
{
	const struct observed *now = state_find(live, &c->at);
	bool is_ours = !left || (now && observed_is_unread(now));

	if (!is_ours && value_equal(&c->live, &c->before))
		c->class = CLASS_STAYS;
	else if (is_ours || is_of_the_kernel(c) || is_as_left(c, live, all))
		c->class = CLASS_RESTORE;
	else
		c->class = CLASS_CONFLICT;
}

/* A value that a change of the plan never had nor was to have. */
static bool is_foreign(const struct plan *plan, const struct classified *c)
{
	for (size_t i = 0; i < plan->n; i++) {
		const struct change *change = &plan->v[i];

		if (!address_equal(&change->at, &c->at))
			continue;
		return !value_equal(&c->live, &c->before) &&
		       !value_equal(&c->live, &change->wanted) &&
		       !value_equal(&c->live, &change->after) && c->live.type != VALUE_NONE;
	}
	return false;
}

static int classify_one(const struct address *at, const struct state *before,
	const struct state *left, const struct state *live, const struct plan *plan, bool force,
	struct classification *ret)
{
	struct classified c = {
		.at = *at,
		.before = value_in(before, at),
		.left = value_in(left, at),
		.live = value_in(live, at),
		.named = is_named(plan, at),
	};

	decide(&c, left, live, ret);
	c.target = c.class == CLASS_CONFLICT && !force ? c.live : c.before;
	if (!left && is_foreign(plan, &c))
		c.class = CLASS_FOREIGN;
	if (at->target.link && !at->target.link->ifindex)
		c.class = CLASS_GONE;
	if (arena_grow(ret->arena, &ret->v, &ret->cap, ret->n, sizeof(*ret->v)) < 0)
		return -ENOMEM;
	ret->v[ret->n++] = c;
	return 0;
}

int classify(const struct state *before, const struct state *left, const struct state *live,
	const struct plan *plan, bool force, struct classification *ret)
{
	for (size_t i = 0; i < before->n; i++) {
		if (classify_one(&before->v[i].at, before, left, live, plan, force, ret) < 0)
			return -ENOMEM;
	}
	/* what appeared with the transaction has no value to go back to, but may be a conflict */
	for (size_t i = 0; left && i < left->n; i++) {
		const struct address *at = &left->v[i].at;

		if (state_find(before, at))
			continue;
		if (classify_one(at, before, left, live, plan, force, ret) < 0)
			return -ENOMEM;
	}
	return 0;
}
