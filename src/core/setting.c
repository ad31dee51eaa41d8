/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses in their order and text, and the arrays of settings: appended lists, and the state,
 * which is kept sorted. Observation arrives nearly in order, so appending is the usual case.
 */
#include "core/setting.h"

#include "core/kind.h"
#include "core/plan.h"

#include <errno.h>
#include <string.h>

#define INTERFACE "{interface}"

static const char *const part_names[] = {
	[PART_WHOLE] = "",
	[PART_RX] = "rx",
	[PART_TX] = "tx",
	[PART_RXTX] = "rxtx",
	[PART_OTHER] = "other",
};
_Static_assert(ARRAY_SIZE(part_names) == PART_MAX, "a name for each part");

static const char *const support_names[] = {
	[SUPPORT_NONE] = "none",
	[SUPPORT_READ_ONLY] = "read-only",
	[SUPPORT_FIXED] = "fixed",
	[SUPPORT_MANAGED] = "managed",
	[SUPPORT_SETTABLE] = "settable",
};
_Static_assert(ARRAY_SIZE(support_names) == SUPPORT_MAX, "a name for each support");

static int link_compare(const struct link *a, const struct link *b)
{
	if (a == b)
		return 0;
	if (!a || !b)
		return a ? 1 : -1;
	if (a->ifindex != b->ifindex)
		return a->ifindex < b->ifindex ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* By phase and name, since the addresses of two kinds say nothing that outlives a run. */
static int kind_compare(const struct kind *a, const struct kind *b)
{
	if (a == b)
		return 0;
	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Like address_compare(), as far as link and kind go. */
static int scope_compare(const struct address *at, const struct kind *kind, const struct link *link)
{
	int order = link_compare(at->target.link, link);

	return order ? order : kind_compare(at->kind, kind);
}

int address_compare(const struct address *a, const struct address *b)
{
	int order = scope_compare(a, b->kind, b->target.link);

	if (order)
		return order;
	if (a->target.part != b->target.part)
		return a->target.part < b->target.part ? -1 : 1;
	if (a->target.index != b->target.index)
		return a->target.index < b->target.index ? -1 : 1;
	return strcmp(a->key, b->key);
}

const char *target_part_text(struct arena *arena, const struct target *target)
{
	if (target->part == PART_WHOLE)
		return "";
	return arena_printf(arena, "%s-%u", part_names[target->part], (unsigned)target->index);
}

/* A link's sysctl: the name of the link in its place, dots in it as slashes. */
static const char *sysctl_text(
	struct arena *arena, const struct address *address, const char *interface)
{
	char *name = arena_strdup(arena, address->target.link->name);

	for (char *dot = strchr(name, '.'); dot; dot = strchr(dot, '.'))
		*dot = '/';
	return arena_printf(arena, "%s/%.*s%s%s", address->kind->name,
		(int)(interface - address->key), address->key, name, interface + strlen(INTERFACE));
}

const char *address_text(struct arena *arena, const struct address *address)
{
	const struct target *target = &address->target;
	const char *interface = strstr(address->key, INTERFACE), *kind = address->kind->name;
	const char *part, *key = address->key, *dot = ".";

	if (!target->link)
		return arena_printf(arena, "%s/%s", kind, key);
	if (interface)
		return sysctl_text(arena, address, interface);
	if (strcmp(kind, key) == 0)
		key = dot = "";
	part = target_part_text(arena, target);
	return arena_printf(
		arena, "%s/%s%s%s%s%s", target->link->name, part, *part ? "/" : "", kind, dot, key);
}

int desired_add(struct desired *desired, const struct pair *pair)
{
	if (arena_grow(desired->arena, &desired->v, &desired->cap, desired->n,
		    sizeof(*desired->v)) < 0)
		return -ENOMEM;
	desired->v[desired->n++] = *pair;
	return 0;
}

int settings_add(struct settings *settings, const struct setting *setting)
{
	if (arena_grow(settings->arena, &settings->v, &settings->cap, settings->n,
		    sizeof(*settings->v)) < 0)
		return -ENOMEM;
	settings->v[settings->n++] = *setting;
	return 0;
}

int skips_add(struct skips *skips, const struct skip *skip)
{
	if (arena_grow(skips->arena, &skips->v, &skips->cap, skips->n, sizeof(*skips->v)) < 0)
		return -ENOMEM;
	skips->v[skips->n++] = *skip;
	return 0;
}

const char *support_name(enum support support)
{
	return support_names[support];
}

enum support support_of_name(const char *name)
{
	for (unsigned i = 0; i < SUPPORT_MAX; i++) {
		if (strcmp(support_names[i], name) == 0)
			return (enum support)i;
	}
	return SUPPORT_MAX;
}

/* The first entry that is not before `at`. */
static size_t lower_bound(const struct state *state, const struct address *at)
{
	size_t low = 0, high = state->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (address_compare(&state->v[middle].at, at) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int state_put(struct state *state, const struct observed *observed)
{
	const struct observed entry = *observed; /* it may lie in the array that moves */
	size_t at = state->n;

	if (state->n && address_compare(&state->v[state->n - 1].at, &entry.at) >= 0)
		at = lower_bound(state, &entry.at);
	if (at < state->n && address_equal(&state->v[at].at, &entry.at)) {
		state->v[at] = entry;
		return 0;
	}
	if (arena_grow(state->arena, &state->v, &state->cap, state->n, sizeof(*state->v)) < 0)
		return -ENOMEM;
	if (at < state->n)
		memmove(&state->v[at + 1], &state->v[at], (state->n - at) * sizeof(*state->v));
	state->v[at] = entry;
	state->n++;
	return 0;
}

struct observed *state_find(const struct state *state, const struct address *at)
{
	size_t i = lower_bound(state, at);

	return i < state->n && address_equal(&state->v[i].at, at) ? &state->v[i] : NULL;
}

struct observed *state_get(const struct state *state, const struct kind *kind,
	const struct link *link, enum part part, unsigned index, const char *key)
{
	struct address at = {
		.kind = kind,
		.target = {.link = link, .part = part, .index = (uint16_t)index},
		.key = key,
	};

	return index <= UINT16_MAX ? state_find(state, &at) : NULL;
}

static struct observed *find_part(
	const struct state *state, const struct address *at, enum part part)
{
	struct address other = *at;

	other.target.part = part;
	return state_find(state, &other);
}

/* A queue of one direction may share its vector with the other, or one of both have two. */
size_t state_serving(
	const struct state *state, const struct address *at, struct observed *ret[SERVING_MAX])
{
	const enum part part = at->target.part;
	size_t n = 0;

	ret[n] = state_find(state, at);
	if (ret[n] || at->kind->phase != PHASE_IRQ)
		return ret[n] ? 1 : 0;
	if (part == PART_RX || part == PART_TX) {
		ret[n] = find_part(state, at, PART_RXTX);
		return ret[n] ? 1 : 0;
	}
	for (enum part one = PART_RX; part == PART_RXTX && one <= PART_TX; one++) {
		ret[n] = find_part(state, at, one);
		n += ret[n] ? 1 : 0;
	}
	return n;
}

static void remove_entries(struct state *state, size_t first, size_t n)
{
	size_t behind = state->n - first - n;

	if (n && behind)
		memmove(&state->v[first], &state->v[first + n], behind * sizeof(*state->v));
	state->n -= n;
}

void state_remove(struct state *state, const struct address *at)
{
	size_t i = lower_bound(state, at);

	if (i < state->n && address_equal(&state->v[i].at, at))
		remove_entries(state, i, 1);
}

void state_remove_kind(struct state *state, const struct kind *kind, const struct link *link)
{
	size_t first, n = state_range(state, kind, link, &first);

	remove_entries(state, first, n);
}

int state_update(struct state *state, const struct kind *kind, const struct link *link,
	const struct state *fresh)
{
	size_t first, n = state_range(state, kind, link, &first);

	for (size_t i = first + n; i-- > first;) {
		const struct address at = state->v[i].at;

		if (!state_find(fresh, &at))
			state_remove(state, &at);
	}
	for (size_t i = 0; i < fresh->n; i++) {
		if (state_put(state, &fresh->v[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

int state_merge(struct state *state, const struct state *more)
{
	struct state both = {.arena = state->arena};
	size_t i = 0, j = 0;

	while (i < state->n || j < more->n) {
		int order = i == state->n  ? 1
			    : j == more->n ? -1
					   : address_compare(&state->v[i].at, &more->v[j].at);

		if (arena_grow(both.arena, &both.v, &both.cap, both.n, sizeof(*both.v)) < 0)
			return -ENOMEM;
		both.v[both.n++] = order < 0 ? state->v[i] : more->v[j];
		i += order <= 0;
		j += order >= 0;
	}
	*state = both;
	return 0;
}

int state_copy(struct state *ret, const struct state *from)
{
	struct observed *v = NULL;

	if (from->n) {
		v = ARENA_ARRAY(ret->arena, from->n, struct observed);
		if (!v)
			return -ENOMEM;
		memcpy(v, from->v, from->n * sizeof(*v));
	}
	ret->v = v;
	ret->n = ret->cap = from->n;
	return 0;
}

/* The first entry whose kind and link are not before these, or with `behind` the first after. */
static size_t scope_bound(
	const struct state *state, const struct kind *kind, const struct link *link, bool behind)
{
	size_t low = 0, high = state->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = scope_compare(&state->v[middle].at, kind, link);

		if (order < 0 || (behind && order == 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t state_range(
	const struct state *state, const struct kind *kind, const struct link *link, size_t *first)
{
	*first = scope_bound(state, kind, link, false);
	return scope_bound(state, kind, link, true) - *first;
}
