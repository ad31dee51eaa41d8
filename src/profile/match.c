/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a rule hold for a link? Conditions that cost nothing come first, those that need a file or
 * an ioctl per link later, the speed last, so that most links of a large host are never asked.
 */
#include "profile/profile.h"
#include "profile/words.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

enum held { HELD_NO, HELD_YES, HELD_UNKNOWN };

struct question {
	const struct match *match;
	const struct link *link;
	struct arena *arena;
	const char *reason; /* why the condition does not hold, or can't be decided */
};

static bool fits_one(const char *const *globs, const char *text, int flags)
{
	for (; globs && *globs; globs++) {
		if (fnmatch(*globs, text, flags) == 0)
			return true;
	}
	return false;
}

/* "driver is igb, wanted mlx5_core" */
static enum held judge(
	struct question *q, bool held, const char *what, const char *is, const char *const *wanted)
{
	if (held)
		return HELD_YES;
	if (is && *is)
		q->reason = arena_printf(
			q->arena, "%s is %s, wanted %s", what, is, join_words(q->arena, wanted));
	else
		q->reason = arena_printf(
			q->arena, "has no %s, wanted %s", what, join_words(q->arena, wanted));
	return HELD_NO;
}

static enum held test_name(struct question *q)
{
	const char *name = q->link->name;

	return judge(q, fits_one(q->match->names, name, 0) || is_one_of(name, q->match->names),
		"name", name, q->match->names);
}

static bool is_zero_mac(const uint8_t mac[6])
{
	static const uint8_t zero[6];

	return memcmp(mac, zero, sizeof(zero)) == 0;
}

/* The permanent address, since the ports of a bond share the other one. */
static enum held test_mac(struct question *q)
{
	const uint8_t *m = is_zero_mac(q->link->perm_mac) ? q->link->mac : q->link->perm_mac;
	const char *text = arena_printf(
		q->arena, "%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4], m[5]);

	return judge(q, is_one_of(text, q->match->macs), "mac", is_zero_mac(m) ? NULL : text,
		q->match->macs);
}

static enum held test_kind(struct question *q)
{
	return judge(q, is_one_of(q->link->type, q->match->kinds), "kind", q->link->type,
		q->match->kinds);
}

/* "*" is not meant for loopback, bridges and the like. */
static enum held test_device(struct question *q)
{
	if (strcmp(q->link->type, "physical") == 0 || is_one_of(q->link->name, q->match->names))
		return HELD_YES;
	q->reason = "has no device behind it; give kind or the exact name";
	return HELD_NO;
}

static enum held test_up(struct question *q)
{
	if (q->link->up == (q->match->up == 1))
		return HELD_YES;
	q->reason = q->link->up ? "is up, wanted down" : "is down, wanted up";
	return HELD_NO;
}

static enum held test_driver(struct question *q)
{
	const char *driver = q->link->driver ? q->link->driver : "";

	return judge(
		q, fits_one(q->match->drivers, driver, 0), "driver", driver, q->match->drivers);
}

static enum held test_bus(struct question *q)
{
	const char *bus = q->link->bus ? q->link->bus : "";

	return judge(q, fits_one(q->match->buses, bus, FNM_CASEFOLD), "bus", bus, q->match->buses);
}

static bool compare(enum compare_op op, uint64_t a, uint64_t b)
{
	switch (op) {
	case COMPARE_EQ:
		return a == b;
	case COMPARE_NE:
		return a != b;
	case COMPARE_LT:
		return a < b;
	case COMPARE_LE:
		return a <= b;
	case COMPARE_GT:
		return a > b;
	case COMPARE_GE:
		return a >= b;
	case COMPARE_NONE:
		break;
	}
	return true;
}

static const char *rate_text(struct arena *arena, uint64_t rate)
{
	static const struct {
		uint64_t factor;
		const char *unit;
	} units[] = {{.factor = 1000000000, .unit = "Gbit"}, {.factor = 1000000, .unit = "Mbit"},
		{.factor = 1000, .unit = "Kbit"}};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (rate % units[i].factor == 0)
			return arena_printf(
				arena, "%" PRIu64 "%s", rate / units[i].factor, units[i].unit);
	}
	return arena_printf(arena, "%" PRIu64 "bit", rate);
}

static enum held test_rate(
	struct question *q, const char *what, uint64_t rate, const struct comparison *wanted)
{
	if (rate && compare(wanted->op, rate, wanted->number))
		return HELD_YES;
	if (rate)
		q->reason = arena_printf(q->arena, "%s is %s, wanted %s", what,
			rate_text(q->arena, rate), wanted->text);
	else
		q->reason = arena_printf(
			q->arena, "%s is not known, wanted %s", what, wanted->text);
	return rate ? HELD_NO : HELD_UNKNOWN;
}

static enum held test_speed(struct question *q)
{
	return test_rate(q, "link-speed", q->link->speed, &q->match->speed);
}

static enum held test_max_speed(struct question *q)
{
	return test_rate(q, "max-link-speed", q->link->max_speed, &q->match->max_speed);
}

enum condition_flag {
	CONDITION_SELECTS = 1, /* if it holds, somebody means this link */
	CONDITION_NEAR = 2     /* a link that fails only here is worth a word */
};

struct condition {
	unsigned fact; /* enum link_fact that the test reads; 0: always known */
	unsigned flags;
	enum held (*test)(struct question *q);
};

#define CONDITIONS_MAX 9

/* The conditions of a match, cheap ones first. */
static size_t list_conditions(const struct match *m, struct condition v[CONDITIONS_MAX])
{
	size_t n = 0;

	if (m->names)
		v[n++] = (struct condition){.flags = CONDITION_SELECTS, .test = test_name};
	if (m->macs)
		v[n++] = (struct condition){.flags = CONDITION_SELECTS, .test = test_mac};
	if (m->kinds)
		v[n++] = (struct condition){.flags = CONDITION_SELECTS, .test = test_kind};
	else
		v[n++] = (struct condition){.test = test_device};
	if (m->up >= 0)
		v[n++] = (struct condition){.flags = CONDITION_NEAR, .test = test_up};
	if (m->drivers)
		v[n++] = (struct condition){.fact = LINK_DRIVER,
			.flags = CONDITION_SELECTS | CONDITION_NEAR,
			.test = test_driver};
	if (m->buses)
		v[n++] = (struct condition){.fact = LINK_BUS,
			.flags = CONDITION_SELECTS | CONDITION_NEAR,
			.test = test_bus};
	if (m->speed.op != COMPARE_NONE)
		v[n++] = (struct condition){
			.fact = LINK_SPEED, .flags = CONDITION_NEAR, .test = test_speed};
	if (m->max_speed.op != COMPARE_NONE)
		v[n++] = (struct condition){
			.fact = LINK_MAX_SPEED, .flags = CONDITION_NEAR, .test = test_max_speed};
	return n;
}

/* A rule for "driver: veth" means veths, and lacks the kind. */
static bool names_type(const struct question *q)
{
	return fits_one(q->match->drivers, q->link->type, 0);
}

enum match_result match_link(const struct match *match, const struct link *link,
	struct arena *arena, unsigned *ret_need, const char **ret_reason, bool *ret_near)
{
	struct question q = {.match = match, .link = link, .arena = arena};
	struct condition v[CONDITIONS_MAX];
	size_t n = list_conditions(match, v);
	bool selected = false;
	unsigned need = 0;
	const char *undecided = NULL;

	*ret_need = 0;
	*ret_reason = NULL;
	*ret_near = false;
	for (size_t i = 0; i < n; i++) {
		if (v[i].fact & ~link->known) {
			need |= v[i].fact;
			continue;
		}
		switch (v[i].test(&q)) {
		case HELD_NO:
			*ret_reason = q.reason;
			*ret_near = selected || (v[i].flags & CONDITION_NEAR) || names_type(&q);
			return MATCH_NO;
		case HELD_UNKNOWN:
			undecided = undecided ? undecided : q.reason;
			break;
		case HELD_YES:
			selected |= v[i].flags & CONDITION_SELECTS;
			break;
		}
	}
	if (need) {
		unsigned cheap = need & (LINK_DRIVER | LINK_BUS);

		*ret_need = cheap ? cheap : need;
		return MATCH_NEED_FACTS;
	}
	*ret_reason = undecided;
	*ret_near = undecided != NULL;
	return undecided ? MATCH_UNDECIDED : MATCH_YES;
}
