/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Observation: what the wishes name, and what the plan may move, each read once and lazily.
 */
#include "engine/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int run_open(struct run *run, const struct kernel_options *kernel_options,
	const struct options *options, const struct kind *const *all_kinds, struct arena *arena,
	struct error *error)
{
	int r;

	*run = (struct run){
		.kinds = all_kinds,
		.options = options,
		.arena = arena,
		.live.arena = arena,
		.desired.arena = arena,
		.observed.arena = arena,
		.answers.arena = arena,
		.damaged = "",
	};
	r = kernel_open(&run->kernel, kernel_options, arena, error);
	if (r < 0)
		return r;
	r = kernel_host(&run->kernel, &run->host, error);
	if (r == 0)
		r = kernel_links(&run->kernel, &run->host, error);
	if (r < 0)
		kernel_close(&run->kernel);
	return r;
}

void run_close(struct run *run)
{
	kernel_close(&run->kernel);
}

/*
 * Many files are found by the name of the link. What was read while the name passed to another
 * interface is read again. -ENODEV: the link is gone.
 */
static int observe_link(struct run *run, const struct kind *kind, const struct scope *scope,
	struct state *ret, struct error *error)
{
	struct link *link = scope->link;

	for (;;) {
		const char *name = link->name;
		int r = kernel_link_facts(
			&run->kernel, link, LINK_DRIVER | LINK_BUS | LINK_NODE, error);

		if (r == 0)
			r = kind->observe(&run->kernel, &run->host, scope, ret, error);
		if (r == 0 && !run->kernel.below_root)
			r = kernel_link_refresh(&run->kernel, link, error);
		if (r == -ENODEV)
			state_remove_kind(ret, kind, link);
		if (r < 0 || strcmp(name, link->name) == 0)
			return r;
		state_remove_kind(ret, kind, link);
		link->known = 0;
	}
}

int run_observe_one(struct run *run, const struct kind *kind, struct link *link,
	const char *const *keys, size_t nkeys, struct state *ret, struct error *error)
{
	struct scope scope = {.link = link, .keys = keys, .nkeys = nkeys};
	int r;

	if (link && !link->ifindex)
		return 0;
	if (link)
		r = observe_link(run, kind, &scope, ret, error);
	else
		r = kind->observe(&run->kernel, &run->host, &scope, ret, error);
	if (r == -ENODEV && link)
		return 0;
	if (r == 0 && arena_failed(run->arena))
		return error_no_memory(error);
	return r;
}

static int compare_links(const void *a, const void *b)
{
	const struct want *x = a, *y = b;
	const int i = x->link ? x->link->ifindex : 0, j = y->link ? y->link->ifindex : 0;

	return i < j ? -1 : i > j;
}

/* Reads v[from] with all following wants of the same kind and link in one call. */
static int observe_group(struct run *run, const struct wants *wants, bool *done, size_t from,
	struct state *ret, struct error *error)
{
	const struct want *first = &wants->v[from];
	size_t end = from, nkeys = 0;
	const char **keys;
	bool whole = false;

	while (end < wants->n && compare_links(first, &wants->v[end]) == 0)
		end++;
	keys = ARENA_ARRAY(run->arena, end - from, const char *);
	if (!keys)
		return error_no_memory(error);
	for (size_t i = from; i < end; i++) {
		if (done[i] || wants->v[i].kind != first->kind || wants->v[i].link != first->link)
			continue;
		done[i] = true;
		if (wants->v[i].keys)
			keys[nkeys++] = wants->v[i].keys;
		else
			whole = true;
	}
	return run_observe_one(
		run, first->kind, first->link, whole ? NULL : keys, whole ? 0 : nkeys, ret, error);
}

/* In the order of links, so that most entries come behind those that are there. */
static int observe_all(
	struct run *run, const struct wants *wants, struct state *ret, struct error *error)
{
	struct want *sorted = ARENA_ARRAY(run->arena, wants->n + 1, struct want);
	bool *done = ARENA_ARRAY(run->arena, wants->n + 1, bool);
	struct wants by_link = {.v = sorted, .n = wants->n, .arena = run->arena};
	struct state found = {.arena = run->arena};
	int r = 0;

	if (!done || !sorted)
		return error_no_memory(error);
	for (size_t i = 0; i < wants->n; i++)
		sorted[i] = wants->v[i];
	qsort(sorted, wants->n, sizeof(*sorted), compare_links);
	for (size_t i = 0; i < wants->n && r == 0; i++) {
		if (!done[i])
			r = observe_group(run, &by_link, done, i, &found, error);
	}
	if (r == 0 && state_merge(ret, &found) < 0)
		r = error_no_memory(error);
	return r;
}

int run_observe(struct run *run, const struct wants *wants, struct error *error)
{
	struct wants missing = {.arena = run->arena};
	size_t known = run->observed.n;

	for (size_t i = 0; i < wants->n; i++) {
		const struct want *w = &wants->v[i];
		size_t n = run->observed.n;

		if (wants_add(&run->observed, w->kind, w->link, w->keys) < 0 ||
			(run->observed.n > n && wants_add(&missing, w->kind, w->link, w->keys) < 0))
			return error_no_memory(error);
	}
	if (run->observed.n == known)
		return 0;
	return observe_all(run, &missing, &run->live, error);
}

int run_refresh(struct run *run, struct error *error)
{
	struct state fresh = {.arena = run->arena};
	int r = kernel_links(&run->kernel, &run->host, error);

	if (r == 0)
		r = observe_all(run, &run->observed, &fresh, error);
	if (r == 0)
		run->live = fresh;
	return r;
}

static int wants_of_desired(const struct run *run, struct wants *ret)
{
	for (size_t i = 0; i < run->desired.n; i++) {
		const struct pair *pair = &run->desired.v[i];
		const struct kind *kind = pair->wish->kind;

		if (wants_add(ret, kind, pair->link, kind->single ? pair->wish->key : NULL) < 0)
			return -ENOMEM;
	}
	return 0;
}

int run_plan(struct run *run, struct plan *ret, struct diags *diags, struct error *error)
{
	struct plan_input input = {
		.host = &run->host,
		.kinds = run->kinds,
		.live = &run->live,
		.desired = &run->desired,
		.answers = &run->answers,
	};
	struct wants wants = {.arena = run->arena};
	size_t ndiags = diags->n;
	bool is_built = false;
	int r;

	if (wants_of_desired(run, &wants) < 0)
		return error_no_memory(error);
	for (;;) {
		size_t known = run->observed.n;

		r = run_observe(run, &wants, error);
		if (r < 0)
			return r;
		if (is_built && run->observed.n == known)
			break;
		is_built = true;
		diags->n = ndiags;
		plan_init(ret, run->arena);
		if (plan_build(&input, ret, diags) < 0 ||
			plan_scope(ret, &run->host, run->kinds, &wants) < 0)
			return error_no_memory(error);
	}
	diags_sort(diags, ndiags);
	if (diags_have_errors(diags)) {
		const struct diag *first = diags_first_error(diags);

		return error_set(error, first->kind, EINVAL, "%s", first->text);
	}
	return plan_remarks(&input, ret, diags) < 0 ? error_no_memory(error) : 0;
}

const char *run_user_name(void)
{
	const char *user = getenv("SUDO_USER");

	if (!user)
		user = getenv("USER");
	return user ? user : "root";
}
