/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of links in a plan: with an MTU that rises the lower device comes first, with one that
 * falls the upper (a VLAN may never have more than the device below it); bridges after their ports,
 * bonds before their members.
 */
#include "core/kind.h"
#include "core/plan.h"

#include <string.h>

/* -1 falls, 1 rises, 0 stays. */
static int mtu_direction(const struct settings *mtus, const struct link *link)
{
	for (size_t i = mtus->n; i-- > 0;) {
		const struct setting *s = &mtus->v[i];

		if (s->at.target.link != link || s->value.type != VALUE_NUMBER)
			continue;
		return s->value.number > link->mtu ? 1 : s->value.number < link->mtu ? -1 : 0;
	}
	return 0;
}

static bool is_type(const struct link *link, const char *type)
{
	return link->type && strcmp(link->type, type) == 0;
}

/* A bridge follows its ports (and goes on doing so only if it is not written itself); a bond or team
 * sets its members. */
static bool master_precedes(const struct link *a, const struct link *b)
{
	if (b->master == a->ifindex)
		return is_type(a, "bond") || is_type(a, "team");
	return a->master == b->ifindex && is_type(b, "bridge");
}

/* Must a come before b? */
static bool precedes(const struct settings *mtus, const struct link *a, const struct link *b)
{
	const struct link *lower = a, *upper = b;
	int direction;

	if (a->lower == b->ifindex) {
		lower = b;
		upper = a;
	} else if (b->lower != a->ifindex) {
		return master_precedes(a, b);
	}
	direction = mtu_direction(mtus, lower);
	if (!direction)
		direction = mtu_direction(mtus, upper);
	return (direction < 0 ? upper : lower) == a;
}

static bool is_ready(const struct settings *mtus, struct link *const *v, size_t n, size_t candidate)
{
	for (size_t i = 0; i < n; i++) {
		if (i != candidate && precedes(mtus, v[i], v[candidate]))
			return false;
	}
	return true;
}

/* Selection: of those that nothing left must precede, the first by name. A ring of devices can't
 * exist in the kernel; should facts say so, names decide. */
void plan_sort_links(const struct settings *mtus, struct link **v, size_t n)
{
	for (size_t done = 0; done < n; done++) {
		size_t best = n;

		for (size_t i = done; i < n; i++) {
			if ((best == n || strcmp(v[i]->name, v[best]->name) < 0) &&
				is_ready(mtus, v + done, n - done, i - done))
				best = i;
		}
		if (best == n)
			best = done;

		struct link *link = v[best];

		memmove(v + done + 1, v + done, (best - done) * sizeof(*v));
		v[done] = link;
	}
}
