/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a plan may move, and the order of links: over made-up stacks of links.
 */
#include "core/kind.h"
#include "core/plan.h"
#include "unit/test.h"

#include <string.h>

static struct link eth0 = {.ifindex = 2, .name = "eth0", .mtu = 1500};
static struct link vlan = {.ifindex = 3, .name = "a-vlan", .lower = 2, .mtu = 1500};
static struct link bridge = {.ifindex = 4, .name = "br0", .type = "bridge", .mtu = 1500};
static struct link port = {.ifindex = 5, .name = "zport", .master = 4, .mtu = 1500};
static struct link vlan_on_bridge = {.ifindex = 6, .name = "br0.7", .lower = 4, .mtu = 1500};
static struct link *links[] = {&eth0, &vlan, &bridge, &port, &vlan_on_bridge};
static const struct host host = {.links = links, .nlinks = ARRAY_SIZE(links)};

static const struct effect effects[] = {
	{.key = "up", .kind = "moved", .on = REACH_UPPERS},
	{.key = "down", .kind = "moved", .keys = "k", .on = REACH_LOWERS},
	{.key = "conf.all.*", .kind = "moved", .keys = "conf.{interface}.$1", .on = REACH_LINKS},
	{.key = "host", .kind = "moved", .keys = "x", .on = REACH_HOST},
	{.key = NULL, .kind = "moved", .keys = "always", .on = REACH_SELF},
	{0},
};
static const struct kind moved = {.name = "moved", .phase = PHASE_RPS};
static const struct kind mover = {.name = "mover", .phase = PHASE_MTU, .effects = effects};
static const struct kind *const both[] = {&mover, &moved, NULL};

static struct wants scope_of(struct arena *arena, struct link *link, const char *key)
{
	struct change change = {.at = {.kind = &mover, .target.link = link, .key = key}};
	struct plan plan = {.v = &change, .n = 1};
	struct wants wants = {.arena = arena};

	assert_int_equal(plan_scope(&plan, &host, both, &wants), 0);
	return wants;
}

static bool wanted(const struct wants *wants, const struct link *link, const char *keys)
{
	for (size_t i = 0; i < wants->n; i++) {
		const struct want *w = &wants->v[i];

		if (w->kind == &moved && w->link == link &&
			(w->keys ? keys && strcmp(w->keys, keys) == 0 : !keys))
			return true;
	}
	return false;
}

static void test_uppers_are_transitive(void **state)
{
	struct arena arena;
	struct wants wants;

	arena_init(&arena);
	wants = scope_of(&arena, &port, "up");
	assert_true(wanted(&wants, &bridge, NULL));
	assert_true(wanted(&wants, &vlan_on_bridge, NULL));
	assert_false(wanted(&wants, &eth0, NULL));
	assert_false(wanted(&wants, &vlan, NULL));
	assert_true(wanted(&wants, &port, "always"));
	arena_done(&arena);
}

static void test_lowers_are_transitive(void **state)
{
	struct arena arena;
	struct wants wants;

	arena_init(&arena);
	wants = scope_of(&arena, &vlan_on_bridge, "down");
	assert_true(wanted(&wants, &bridge, "k"));
	assert_true(wanted(&wants, &port, "k"));
	assert_false(wanted(&wants, &vlan, "k"));
	arena_done(&arena);
}

static void test_component_is_carried_over(void **state)
{
	struct arena arena;
	struct wants wants;

	arena_init(&arena);
	wants = scope_of(&arena, NULL, "conf.all.rp_filter");
	for (size_t i = 0; i < host.nlinks; i++)
		assert_true(wanted(&wants, links[i], "conf.{interface}.rp_filter"));
	wants = scope_of(&arena, NULL, "host");
	assert_true(wanted(&wants, NULL, "x"));
	arena_done(&arena);
}

/* The default moves the links' keys, and each of those its twin. */
static void test_moved_sysctls_move_more(void **state)
{
	static const struct effect chain[] = {
		{.key = "default", .kind = "chained", .keys = "one", .on = REACH_LINKS},
		{.key = "one", .kind = "chained", .keys = "two", .on = REACH_SELF},
		{.key = "two", .kind = "chained", .keys = "one", .on = REACH_SELF},
		{.key = "one", .kind = "moved", .keys = "k", .on = REACH_SELF},
		{0},
	};
	static const struct kind chained = {.name = "chained", .single = true, .effects = chain};
	static const struct kind *const kinds[] = {&chained, &moved, NULL};
	struct change change = {.at = {.kind = &chained, .key = "default"}};
	struct plan plan = {.v = &change, .n = 1};
	struct arena arena;
	struct wants wants = {.arena = &arena};

	arena_init(&arena);
	/* wished as well, and so known before */
	assert_int_equal(wants_add(&wants, &chained, &eth0, "one"), 0);
	assert_int_equal(plan_scope(&plan, &host, kinds, &wants), 0);
	for (size_t i = 0; i < host.nlinks; i++) {
		const struct address two = {
			.kind = &chained, .target.link = links[i], .key = "two"};

		assert_true(wants_cover(&wants, &two));
		assert_true(wanted(&wants, links[i], "k"));
	}
	assert_int_equal(wants.n, 1 + 3 * host.nlinks);
	arena_done(&arena);
}

static void test_keys_match_by_component(void **state)
{
	assert_true(key_matches("net.*.conf.all.x", "net.ipv4.conf.all.x"));
	assert_false(key_matches("net.*.conf.all.x", "net.ipv4.conf.all.xy"));
	assert_false(key_matches("net.*", "net.ipv4.conf"));
	assert_false(key_matches("net.ipv4.*", "net.ipv4"));
	assert_true(key_matches("*", "somaxconn"));
	assert_false(key_matches("", "a"));
}

static struct settings mtus_of(struct arena *arena, struct link *const *v, size_t n, uint64_t mtu)
{
	struct settings ret = {.arena = arena};

	for (size_t i = 0; i < n; i++) {
		struct setting s = {.at = {.kind = &mover, .target.link = v[i], .key = "mtu"},
			.value = value_number(arena, mtu)};

		assert_int_equal(settings_add(&ret, &s), 0);
	}
	return ret;
}

static void assert_order(struct link *const *v, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_string_equal(v[i]->name, names[i]);
}

static void test_rising_mtu_lower_first(void **state)
{
	struct link *v[] = {&vlan_on_bridge, &vlan, &bridge, &port, &eth0};
	const char *const names[] = {"eth0", "a-vlan", "zport", "br0", "br0.7"};
	struct arena arena;
	struct settings mtus;

	arena_init(&arena);
	mtus = mtus_of(&arena, v, 5, 9000);
	plan_sort_links(&mtus, v, 5);
	assert_order(v, names, 5);
	arena_done(&arena);
}

static void test_falling_mtu_upper_first(void **state)
{
	struct link *v[] = {&port, &bridge, &eth0, &vlan, &vlan_on_bridge};
	const char *const names[] = {"a-vlan", "br0.7", "eth0", "zport", "br0"};
	struct arena arena;
	struct settings mtus;

	arena_init(&arena);
	mtus = mtus_of(&arena, v, 5, 1400);
	plan_sort_links(&mtus, v, 5);
	assert_order(v, names, 5);
	arena_done(&arena);
}

/* Only the upper one has a new MTU: it decides. */
static void test_upper_alone(void **state)
{
	struct link *v[] = {&vlan, &eth0};
	const char *const up[] = {"eth0", "a-vlan"}, *const down[] = {"a-vlan", "eth0"};
	struct link *const one[] = {&vlan};
	struct arena arena;
	struct settings mtus;

	arena_init(&arena);
	mtus = mtus_of(&arena, one, 1, 9000);
	plan_sort_links(&mtus, v, 2);
	assert_order(v, up, 2);
	mtus = mtus_of(&arena, one, 1, 1300);
	plan_sort_links(&mtus, v, 2);
	assert_order(v, down, 2);
	arena_done(&arena);
}

/* Whichever way it goes, a bond follows ports that get its MTU: it then resets none of them. */
static void test_bond_after_its_ports(void **state)
{
	struct link bond = {.ifindex = 7, .name = "bond0", .type = "bond", .mtu = 1500};
	struct link a = {
		.ifindex = 8, .name = "eth8", .type = "physical", .master = 7, .mtu = 1500};
	struct link b = {
		.ifindex = 9, .name = "eth9", .type = "physical", .master = 7, .mtu = 1500};
	struct link *v[] = {&bond, &b, &a}, *const one[] = {&b};
	const char *const after[] = {"eth8", "eth9", "bond0"};
	const char *const before[] = {"bond0", "eth8", "eth9"};
	struct arena arena;
	struct settings mtus, other;

	arena_init(&arena);
	mtus = mtus_of(&arena, v, 3, 9000);
	plan_sort_links(&mtus, v, 3);
	assert_order(v, after, 3);
	mtus = mtus_of(&arena, v, 3, 1400);
	plan_sort_links(&mtus, v, 3);
	assert_order(v, after, 3);
	/* a port that shall differ comes after what the bond does to it */
	mtus = mtus_of(&arena, v, 3, 9000);
	other = mtus_of(&arena, one, 1, 4000);
	assert_int_equal(settings_add(&mtus, &other.v[0]), 0);
	plan_sort_links(&mtus, v, 3);
	assert_string_equal(v[1]->name, "bond0");
	assert_string_equal(v[2]->name, "eth9");
	/* the ports of a team can't be set alone */
	bond.type = "team";
	mtus = mtus_of(&arena, v, 3, 9000);
	plan_sort_links(&mtus, v, 3);
	assert_order(v, before, 3);
	arena_done(&arena);
}

/* A port that carries nothing now is reset before one that does. */
static void test_idle_ports_first(void **state)
{
	struct link a = {
		.ifindex = 8, .name = "eth8", .type = "physical", .master = 7, .mtu = 1500};
	struct link b = {
		.ifindex = 9, .name = "eth9", .type = "physical", .master = 7, .mtu = 1500};
	struct link *v[] = {&a, &b};
	const char *const names[] = {"eth9", "eth8"};
	struct settings none = {0};

	b.idle = true;
	plan_sort_links(&none, v, 2);
	assert_order(v, names, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uppers_are_transitive),
		cmocka_unit_test(test_lowers_are_transitive),
		cmocka_unit_test(test_component_is_carried_over),
		cmocka_unit_test(test_moved_sysctls_move_more),
		cmocka_unit_test(test_keys_match_by_component),
		cmocka_unit_test(test_rising_mtu_lower_first),
		cmocka_unit_test(test_falling_mtu_upper_first),
		cmocka_unit_test(test_upper_alone),
		cmocka_unit_test(test_bond_after_its_ports),
		cmocka_unit_test(test_idle_ports_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
