/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On which layer settings act: of a link that stands on others (a bond, a VLAN), and not of those.
 */
#include "cmd/layers.h"

#include <errno.h>
#include <string.h>

struct stack {
	const struct run *run;
	const struct plan *plan;
	const struct link *top;
	const struct link **below;
	size_t n;
};

static bool is_below(const struct run *run, const struct link *link, const struct link *top)
{
	return top->lower == link->ifindex || host_port_of(&run->host, link) == top;
}

/* The plan lists by itself what moves along below: an MTU, and LRO that goes off. */
static bool moves_along(const struct address *at)
{
	for (const struct effect *e = at->kind->effects; e && e->on != REACH_END; e++) {
		if (e->on == REACH_LOWERS && (!e->key || key_matches(e->key, at->key)))
			return true;
	}
	return false;
}

static bool is_of(const struct address *at, const struct kind *kind, const struct link *link)
{
	return at->kind == kind && at->target.link == link && !moves_along(at);
}

/* The plan has something to say of this kind and link, be it changed or as wished already. */
static bool is_wished(const struct plan *plan, const struct kind *kind, const struct link *link)
{
	for (size_t i = 0; i < plan->n; i++) {
		if (plan->v[i].wish && is_of(&plan->v[i].at, kind, link))
			return true;
	}
	for (size_t i = 0; i < plan->unchanged.n; i++) {
		if (is_of(&plan->unchanged.v[i].at, kind, link))
			return true;
	}
	return false;
}

/* Links below that nothing of this kind is asked of, by name; "" for none. */
static const char *left_alone(const struct stack *s, const struct kind *kind)
{
	const char *names = "";

	for (size_t i = 0; i < s->n; i++) {
		if (!is_wished(s->plan, kind, s->below[i]))
			names = arena_printf(s->run->arena, "%s%s%s", names, *names ? ", " : "",
				s->below[i]->name);
	}
	return names;
}

static int note_kind(const struct stack *s, const struct kind *kind, struct diags *diags)
{
	const char *names;
	struct diag *diag;

	if (kind->single || !is_wished(s->plan, kind, s->top))
		return 0;
	names = left_alone(s, kind);
	if (!*names)
		return 0;
	diag = diags_add(diags, SEVERITY_NOTE, ERROR_FAILED, "layer", (struct pos){0},
		"%s: the %s settings act on %s itself, not on %s below it", s->top->name,
		kind->name, s->top->name, names);
	if (!diag)
		return -ENOMEM;
	diag->interface = s->top->name;
	if (link_takes_ports(s->top))
		diag->hint = "with members: true the rule is for its ports, too";
	return 0;
}

/* The ports that follow a change of their bond, each of them reset in the one call. */
static int warn_at_once(const struct stack *s, struct diags *diags)
{
	const struct settings *follows = &s->plan->follows;
	const char *names = "";
	struct diag *diag;
	size_t n = 0;

	for (size_t i = 0; i < follows->n; i++) {
		const struct address *at = &follows->v[i].at;

		if (!kind_is_handed_down(at->kind, s->top) ||
			host_port_of(&s->run->host, at->target.link) != s->top)
			continue;
		names = arena_printf(
			s->run->arena, "%s%s%s", names, n++ ? ", " : "", at->target.link->name);
	}
	if (n < 2)
		return 0;
	diag = diags_add(diags, SEVERITY_WARNING, ERROR_FAILED, "ports-at-once", (struct pos){0},
		"%s hands its change down to %s at once, which may interrupt all of them",
		s->top->name, names);
	if (!diag)
		return -ENOMEM;
	diag->interface = s->top->name;
	return 0;
}

static int note_stack(const struct stack *s, struct diags *diags)
{
	for (size_t i = 0; s->run->kinds[i]; i++) {
		if (note_kind(s, s->run->kinds[i], diags) < 0)
			return -ENOMEM;
	}
	return warn_at_once(s, diags);
}

int layers_note(const struct run *run, const struct plan *plan, struct diags *diags)
{
	const struct host *host = &run->host;
	struct stack s = {.run = run, .plan = plan};

	s.below = ARENA_ARRAY(run->arena, host->nlinks + 1, const struct link *);
	if (!s.below)
		return -ENOMEM;
	for (size_t i = 0; i < host->nlinks; i++) {
		s.top = host->links[i];
		s.n = 0;
		if (!s.top->lower && !link_takes_ports(s.top))
			continue;
		for (size_t j = 0; j < host->nlinks; j++) {
			if (is_below(run, host->links[j], s.top))
				s.below[s.n++] = host->links[j];
		}
		if (s.n && note_stack(&s, diags) < 0)
			return -ENOMEM;
	}
	return 0;
}
