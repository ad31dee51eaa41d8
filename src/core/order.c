/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of links in a plan: with an MTU that rises the lower device comes first, with one that
 * falls the upper (a VLAN may never have more than the device below it); bridges after their ports,
 * teams before theirs, bonds after ports that get the same MTU. Else ports that carry nothing first.
 */
#include "core/kind.h"
#include "core/plan.h"

#include <string.h>

/* 0: none is planned. */
static uint64_t mtu_planned(const struct settings *mtus, const struct link *link)
{
	for (size_t i = mtus->n; i-- > 0;) {
		const struct setting *s = &mtus->v[i];

		if (s->at.target.link == link && s->value.type == VALUE_NUMBER)
			return s->value.number;
	}
	return 0;
}

/* -1 falls, 1 rises, 0 stays. */
static int mtu_direction(const struct settings *mtus, const struct link *link)
{
	uint64_t mtu = mtu_planned(mtus, link);

	return !mtu || mtu == link->mtu ? 0 : mtu > link->mtu ? 1 : -1;
}

static bool is_type(const struct link *link, const char *type)
{
	return link->type && strcmp(link->type, type) == 0;
}

/*
 * A bridge follows its ports (and goes on doing so only if it is not written itself). A team sets
 * its ports, which can't be set alone. A bond sets those that differ, all at once: ports that have
 * its MTU by then, one after the other, keep their carrier.
 */
static bool master_precedes(const struct settings *mtus, const struct link *a, const struct link *b)
{
	bool is_above = b->master == a->ifindex, is_port = a->master == b->ifindex;
	uint64_t mtu = mtu_planned(mtus, a);
	bool is_same = mtu && mtu == mtu_planned(mtus, b) && mtu != (is_above ? a : b)->mtu;

	if (is_above)
		return is_type(a, "team") || (is_type(a, "bond") && !is_same);
	return is_port && (is_type(b, "bridge") || (is_type(b, "bond") && is_same));
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
		return master_precedes(mtus, a, b);
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

/* A backup port, or one that is down: as long as it is reset the others go on as before. */
static bool comes_first(const struct link *a, const struct link *b)
{
	return a->idle != b->idle ? a->idle : strcmp(a->name, b->name) < 0;
}

/* Selection: of those that nothing left must precede, an idle port, or the first by name. A ring of devices can't
 * exist in the kernel; should facts say so, names decide. */
void plan_sort_links(const struct settings *mtus, struct link **v, size_t n)
{
	for (size_t done = 0; done < n; done++) {
		size_t best = n;

		for (size_t i = done; i < n; i++) {
			if ((best == n || comes_first(v[i], v[best])) &&
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
