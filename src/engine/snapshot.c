/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a journal holds of the state.
 */
#include "engine/snapshot.h"

#include <errno.h>
#include <string.h>

int snapshot_take(const struct state *state, const struct wants *scope, struct state *ret)
{
	for (size_t i = 0; i < state->n; i++) {
		if (wants_cover(scope, &state->v[i].at) && state_put(ret, &state->v[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

struct links {
	struct journal_link *v;
	size_t n, cap;
	struct arena *arena;
};

static int add_link(struct links *links, const struct link *link)
{
	struct journal_link *new;

	if (!link)
		return 0;
	for (size_t i = 0; i < links->n; i++) {
		if (links->v[i].link == link)
			return 0;
	}
	if (arena_grow(links->arena, &links->v, &links->cap, links->n, sizeof(*links->v)) < 0)
		return -ENOMEM;
	new = &links->v[links->n++];
	*new = (struct journal_link){
		.ifindex = link->ifindex,
		.name = link->name,
		.driver = link->driver,
		.bus = link->bus,
		.link = link,
	};
	memcpy(new->perm_mac, link->perm_mac, sizeof(new->perm_mac));
	return 0;
}

static int add_links_of(struct links *links, const struct settings *settings)
{
	for (size_t i = 0; i < settings->n; i++) {
		if (add_link(links, settings->v[i].at.target.link) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_links_of_plan(struct links *links, const struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		if (add_link(links, plan->v[i].at.target.link) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < plan->skipped.n; i++) {
		if (add_link(links, plan->skipped.v[i].at.target.link) < 0)
			return -ENOMEM;
	}
	if (add_links_of(links, &plan->unchanged) < 0 || add_links_of(links, &plan->lost) < 0 ||
		add_links_of(links, &plan->fresh) < 0)
		return -ENOMEM;
	return 0;
}

int snapshot_links(const struct state *state, const struct plan *plan, struct arena *arena,
	struct journal_link **ret, size_t *ret_n)
{
	struct links links = {.arena = arena};

	for (size_t i = 0; i < state->n; i++) {
		if (add_link(&links, state->v[i].at.target.link) < 0)
			return -ENOMEM;
	}
	if (add_links_of_plan(&links, plan) < 0)
		return -ENOMEM;
	*ret = links.v;
	*ret_n = links.n;
	return 0;
}

int snapshot_reserve(struct arena *arena, size_t entries, struct error *error)
{
	/* each is read some twenty times, with its text, at most */
	const size_t fixed = 256 * 1024, each = 20 * (sizeof(struct observed) + 64);

	if (arena_reserve(arena, fixed + entries * each) < 0)
		return error_no_memory(error);
	return 0;
}

int snapshot_wants(const struct state *state, struct wants *ret)
{
	for (size_t i = 0; i < state->n; i++) {
		const struct address *at = &state->v[i].at;

		if (wants_add(ret, at->kind, at->target.link, at->kind->single ? at->key : NULL) <
			0)
			return -ENOMEM;
	}
	return 0;
}

int snapshot_goals(const struct state *state, struct settings *ret)
{
	for (size_t i = 0; i < state->n; i++) {
		const struct observed *o = &state->v[i];
		struct setting setting = {.at = o->at, .value = o->value};

		if (settings_add(ret, &setting) < 0)
			return -ENOMEM;
	}
	return 0;
}
