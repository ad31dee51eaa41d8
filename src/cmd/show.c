/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune show: the profiles resolved on this host: each setting with its value, the line that asks
 * for it, and why.
 */
#include "cmd/load.h"
#include "cmd/planning.h"

#include <errno.h>

static int compare_shown(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;

	return address_compare(&x->at, &y->at);
}

static struct shown show_setting(const struct address *at, const struct value *value,
	const struct value *live, const struct wish *wish, struct arena *arena)
{
	return (struct shown){
		.at = *at,
		.value = *value,
		.live = *live,
		.text = expr_text(arena, wish->value),
		.wish = wish,
	};
}

/* What the profile asks for, changed or not; values that are only carried are not of it. */
static int collect(const struct session *session, const struct plan *plan, struct shown **ret,
	size_t *ret_n, struct error *error)
{
	struct arena *arena = session->arena;
	struct shown *v = ARENA_ARRAY(arena, plan->n + plan->unchanged.n + 1, struct shown);
	size_t n = 0;

	if (!v)
		return error_no_memory(error);
	for (size_t i = 0; i < plan->n; i++) {
		const struct change *c = &plan->v[i];

		if (c->wish)
			v[n++] = show_setting(&c->at, &c->wanted, &c->before, c->wish, arena);
	}
	for (size_t i = 0; i < plan->unchanged.n; i++) {
		const struct setting *s = &plan->unchanged.v[i];
		const struct observed *live = state_find(&session->run.live, &s->at);

		v[n++] = show_setting(
			&s->at, &s->value, live ? &live->value : &s->value, s->wish, arena);
	}
	qsort(v, n, sizeof(*v), compare_shown);
	*ret = v;
	*ret_n = n;
	return 0;
}

static int run_show_command(struct session *session)
{
	const struct ending ending = {0};
	struct planning planning;
	struct error error = {0};
	struct shown *v = NULL;
	size_t n = 0;
	int r;

	if (load_profiles(session, &error) < 0 ||
		session_open(session, PRIVILEGE_READ, &error) < 0 ||
		planning_make(session, SEVERITY_WARNING, &planning, &error) < 0 ||
		collect(session, &planning.plan, &v, &n, &error) < 0)
		return session_fail(session, &error);
	session_warn(session);
	r = output_show(&session->output, &session->report, v, n, &planning.plan.skipped);
	return session_end(session, r, exit_status(&ending));
}

const struct command command_show = {
	.name = "show",
	.operands = "[PROFILE...]",
	.summary = "the profile resolved on this host",
	.details = "Shows every value, the line of the profile that it comes from, and why.\n"
		   "Without PROFILE: those of /etc/nettune/nettune.yaml.",
	.max_operands = OPERANDS_MANY,
	.options = OPTION(INTERFACE) | OPTION(ONLY) | OPTION(ROOT),
	.run = run_show_command,
};
