/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The snapshot scope of a plan: what its changes may move, from the effects that the kinds declare.
 */
#include "core/kind.h"
#include "core/plan.h"

#include <errno.h>
#include <string.h>

/* Length of a component: up to the next dot. */
static size_t component(const char *key)
{
	return strcspn(key, ".");
}

/*
 * ret_star, where asked for, gets what the first "*" stood for (a piece of key, not NUL-ended).
 */
static bool match_components(
	const char *pattern, const char *key, const char **ret_star, size_t *ret_length)
{
	for (;;) {
		size_t p = component(pattern), k = component(key);

		if (p == 1 && *pattern == '*') {
			if (!k)
				return false;
			if (ret_star && !*ret_star) {
				*ret_star = key;
				*ret_length = k;
			}
		} else if (p != k || strncmp(pattern, key, p) != 0) {
			return false;
		}
		if (!pattern[p] || !key[k])
			return !pattern[p] && !key[k];
		pattern += p + 1;
		key += k + 1;
	}
}

bool key_matches(const char *pattern, const char *key)
{
	return match_components(pattern, key, NULL, NULL);
}

const char *effect_keys(const struct effect *effect, const char *cause, struct arena *arena)
{
	const char *star = NULL, *dollar;
	size_t length = 0;

	if (!effect->keys || !(dollar = strstr(effect->keys, "$1")) || !effect->key)
		return effect->keys;
	if (!match_components(effect->key, cause, &star, &length) || !star)
		return effect->keys;
	return arena_printf(arena, "%.*s%.*s%s", (int)(dollar - effect->keys), effect->keys,
		(int)length, star, dollar + 2);
}

static bool same_keys(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

int wants_add(
	struct wants *wants, const struct kind *kind, const struct link *link, const char *keys)
{
	for (size_t i = 0; i < wants->n; i++) {
		const struct want *w = &wants->v[i];

		if (w->kind == kind && w->link == link && (!w->keys || same_keys(w->keys, keys)))
			return 0;
	}
	if (arena_grow(wants->arena, &wants->v, &wants->cap, wants->n, sizeof(*wants->v)) < 0)
		return -ENOMEM;
	wants->v[wants->n++] = (struct want){
		.kind = kind,
		.link = (struct link *)link,
		.keys = keys,
	};
	return 0;
}

static bool is_lower_of(const struct link *lower, const struct link *upper)
{
	return upper->lower == lower->ifindex || lower->master == upper->ifindex;
}

/* Marks in seen[] all links above (or below) the one that is marked, transitively. */
static void spread_over_stack(const struct host *host, bool *seen, enum reach reach)
{
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < host->nlinks; i++) {
			for (size_t j = 0; seen[i] && j < host->nlinks; j++) {
				const struct link *from = host->links[i], *to = host->links[j];

				if (seen[j] || !(reach == REACH_UPPERS ? is_lower_of(from, to)
								       : is_lower_of(to, from)))
					continue;
				seen[j] = more = true;
			}
		}
	}
}

static int reach_stack(const struct effect *effect, const struct link *link,
	const struct host *host, const struct kind *kind, struct wants *ret)
{
	bool *seen = ARENA_ARRAY(ret->arena, host->nlinks + 1, bool);

	if (!seen)
		return -ENOMEM;
	for (size_t i = 0; i < host->nlinks; i++)
		seen[i] = host->links[i] == link;
	spread_over_stack(host, seen, effect->on);
	for (size_t i = 0; i < host->nlinks; i++) {
		if (seen[i] && host->links[i] != link &&
			wants_add(ret, kind, host->links[i], effect->keys) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int reach_effect(const struct effect *effect, const struct want *cause,
	const struct host *host, const struct kind *kind, struct wants *ret)
{
	const char *keys = effect_keys(effect, cause->keys, ret->arena);

	switch (effect->on) {
	case REACH_SELF:
		return wants_add(ret, kind, cause->link, keys);
	case REACH_HOST:
		return wants_add(ret, kind, NULL, keys);
	case REACH_LINKS:
		for (size_t i = 0; i < host->nlinks; i++) {
			if (wants_add(ret, kind, host->links[i], keys) < 0)
				return -ENOMEM;
		}
		return 0;
	case REACH_UPPERS:
	case REACH_LOWERS:
		return reach_stack(effect, cause->link, host, kind, ret);
	case REACH_END:
		break;
	}
	return 0;
}

/* cause->keys: one key. */
static int reach(const struct want *cause, const struct host *host, const struct kind *const *kinds,
	struct wants *ret)
{
	const struct effect *e = cause->kind->effects;

	for (; e && e->on != REACH_END; e++) {
		const struct kind *moved = kind_find(kinds, e->kind);

		if (!moved || (e->key && !key_matches(e->key, cause->keys)))
			continue;
		if (reach_effect(e, cause, host, moved, ret) < 0)
			return -ENOMEM;
	}
	return 0;
}

/*
 * A rollback writes what a change has moved, too, and that may move more. Of kinds that are read as a
 * whole, the effects name all there is.
 */
static int reach_further(
	const struct host *host, const struct kind *const *kinds, struct wants *moved)
{
	for (size_t i = 0; i < moved->n; i++) {
		const struct want cause = moved->v[i];

		if (cause.kind->single && cause.keys && reach(&cause, host, kinds, moved) < 0)
			return -ENOMEM;
	}
	return 0;
}

int plan_scope(const struct plan *plan, const struct host *host, const struct kind *const *kinds,
	struct wants *ret)
{
	struct wants moved = {.arena = ret->arena};

	for (size_t i = 0; i < plan->n; i++) {
		const struct address *at = &plan->v[i].at;
		const struct want cause = {
			.kind = at->kind, .link = (struct link *)at->target.link, .keys = at->key};

		if (wants_add(ret, at->kind, at->target.link, at->kind->single ? at->key : NULL) <
				0 ||
			reach(&cause, host, kinds, &moved) < 0)
			return -ENOMEM;
	}
	if (reach_further(host, kinds, &moved) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < moved.n; i++) {
		const struct want *w = &moved.v[i];

		if (wants_add(ret, w->kind, w->link, w->keys) < 0)
			return -ENOMEM;
	}
	return 0;
}

bool wants_cover(const struct wants *wants, const struct address *at)
{
	for (size_t i = 0; i < wants->n; i++) {
		const struct want *w = &wants->v[i];
		const bool is_same = w->link == at->target.link;

		/* a host's pattern ("net.ipv4.conf.*.forwarding") is for links, too */
		if (w->kind != at->kind || (!is_same && (w->link || !w->keys)))
			continue;
		if (!w->keys || key_matches(w->keys, at->key))
			return true;
	}
	return false;
}
