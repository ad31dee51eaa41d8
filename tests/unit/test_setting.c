/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses, their order and text; the sorted state; and the small lists and words around them.
 */
#include "core/kind.h"
#include "core/plan.h"
#include "core/setting.h"
#include "unit/test.h"
#include "util/macros.h"

#include <stdlib.h>
#include <string.h>

static const struct field rps_fields[] = {{.name = "cpus"}, {.name = "flows"}, {}};
static const struct field offload_fields[] = {
	{.name = "feature", .flags = FIELD_OPEN}, {.name = "tso"}, {}};
static const struct kind sysctl = {.name = "sysctl", .phase = PHASE_HOST_LATE},
			 mtu = {.name = "mtu", .phase = PHASE_MTU},
			 rings = {.name = "rings", .phase = PHASE_RINGS},
			 offloads = {.name = "offloads",
				 .phase = PHASE_OFFLOADS,
				 .fields = offload_fields},
			 rps = {.name = "rps", .phase = PHASE_RPS, .fields = rps_fields};
static const struct kind *const kinds[] = {&sysctl, &mtu, &rings, &offloads, &rps, NULL};

static const struct link eth0 = {.ifindex = 2, .name = "eth0"},
			 eth1 = {.ifindex = 10, .name = "eth1"},
			 vlan = {.ifindex = 11, .name = "eth0.100"},
			 gone_a = {.ifindex = 0, .name = "eth7"},
			 gone_b = {.ifindex = 0, .name = "eth8"};
static const struct link *const links[] = {NULL, &gone_a, &gone_b, &eth0, &eth1, &vlan};

static struct arena arena;

static int setup(void **state)
{
	arena_init(&arena);
	return 0;
}

static int teardown(void **state)
{
	assert_false(arena_failed(&arena));
	arena_done(&arena);
	return 0;
}

static struct address address(const struct kind *kind, const struct link *link, enum part part,
	unsigned index, const char *key)
{
	return (struct address){.kind = kind,
		.target = {.link = link, .part = part, .index = (uint16_t)index},
		.key = key};
}

static void addresses_as_text(void **state)
{
	const struct {
		struct address at;
		const char *text;
	} cases[] = {
		{address(&sysctl, NULL, PART_WHOLE, 0, "net.core.somaxconn"),
			"sysctl/net.core.somaxconn"},
		{address(&sysctl, &eth0, PART_WHOLE, 0, "net.ipv4.conf.{interface}.forwarding"),
			"sysctl/net.ipv4.conf.eth0.forwarding"},
		{address(&sysctl, &vlan, PART_WHOLE, 0, "net.ipv6.neigh.{interface}.mcast_solicit"),
			"sysctl/net.ipv6.neigh.eth0/100.mcast_solicit"},
		{address(&rings, &eth0, PART_WHOLE, 0, "rx"), "eth0/rings.rx"},
		{address(&mtu, &eth0, PART_WHOLE, 0, "mtu"), "eth0/mtu"},
		{address(&mtu, &vlan, PART_WHOLE, 0, "mtu"), "eth0.100/mtu"},
		{address(&rps, &eth0, PART_RX, 3, "cpus"), "eth0/rx-3/rps.cpus"},
		{address(&rps, &eth0, PART_TX, 0, "cpus"), "eth0/tx-0/rps.cpus"},
		{address(&rps, &eth0, PART_RXTX, 12, "cpus"), "eth0/rxtx-12/rps.cpus"},
		{address(&rps, &eth0, PART_OTHER, 0, "cpus"), "eth0/other-0/rps.cpus"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(address_text(&arena, &cases[i].at), cases[i].text);
	assert_string_equal(target_part_text(&arena, &cases[0].at.target), "");
	assert_string_equal(target_part_text(&arena, &cases[6].at.target), "rx-3");
}

/* All addresses of a small world, in order. */
static size_t all_addresses(struct address *v)
{
	static const struct kind *const order[] = {&mtu, &rings, &rps};
	static const char *const keys[] = {"cpus", "flows"};
	size_t n = 0;

	for (size_t l = 0; l < ARRAY_SIZE(links); l++) {
		for (size_t k = 0; k < ARRAY_SIZE(order); k++) {
			for (unsigned part = 0; part < PART_MAX; part++) {
				for (unsigned index = 0; index < 300; index += 150) {
					for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
						v[n++] = address(order[k], links[l],
							(enum part)part, index, keys[i]);
				}
			}
		}
	}
	return n;
}

static void addresses_have_a_total_order(void **state)
{
	struct address v[600];
	size_t n = all_addresses(v);

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			int order = address_compare(&v[i], &v[j]);

			assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
			assert_int_equal(address_equal(&v[i], &v[j]), i == j);
		}
	}
}

static void links_are_equal_by_what_they_are(void **state)
{
	struct link copy = eth0, renamed = eth0;
	char name[] = "eth0", key[] = "rx";
	struct address a = address(&rings, &eth0, PART_WHOLE, 0, "rx"),
		       b = address(&rings, &copy, PART_WHOLE, 0, key);

	copy.name = name;
	assert_true(address_equal(&a, &b));
	renamed.name = "wan0";
	b.target.link = &renamed;
	assert_false(address_equal(&a, &b));
}

static void shuffle(struct address *v, size_t n)
{
	uint32_t seed = 4711;

	for (size_t i = n - 1; i > 0; i--) {
		struct address swap = v[i];
		size_t j;

		seed = seed * 1664525 + 1013904223;
		j = seed % (i + 1);
		v[i] = v[j];
		v[j] = swap;
	}
}

static void the_state_is_sorted_however_it_comes(void **state)
{
	struct address sorted[600], shuffled[600];
	struct state world = {.arena = &arena};
	size_t n = all_addresses(sorted);

	all_addresses(shuffled);
	shuffle(shuffled, n);
	for (size_t i = 0; i < n; i++) {
		struct observed entry = {.at = shuffled[i], .handle = (uint32_t)i};

		assert_null(state_find(&world, &shuffled[i]));
		assert_int_equal(state_put(&world, &entry), 0);
		assert_int_equal(state_find(&world, &shuffled[i])->handle, i);
	}
	assert_int_equal(world.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_true(address_equal(&world.v[i].at, &sorted[i]));
		assert_ptr_equal(state_find(&world, &sorted[i]), &world.v[i]);
	}
}

static void an_entry_is_replaced(void **state)
{
	struct state world = {.arena = &arena};
	struct observed entry = {.at = address(&mtu, &eth0, PART_WHOLE, 0, "mtu")}, *found;

	entry.value = value_number(&arena, 1500);
	assert_int_equal(state_put(&world, &entry), 0);
	entry.value = value_number(&arena, 9000);
	assert_int_equal(state_put(&world, &entry), 0);
	assert_int_equal(world.n, 1);
	found = state_get(&world, &mtu, &eth0, PART_WHOLE, 0, "mtu");
	assert_non_null(found);
	assert_true(found->value.number == 9000);
	assert_null(state_get(&world, &mtu, &eth1, PART_WHOLE, 0, "mtu"));
	assert_null(state_get(&world, &mtu, &eth0, PART_WHOLE, 65536, "mtu"));
}

/* An entry may be put under another address from inside the array, which moves meanwhile. */
static void an_entry_of_the_state_may_be_put_again(void **state)
{
	struct state world = {.arena = &arena};
	struct observed entry = {.at = address(&rps, &eth0, PART_RX, 0, "cpus"), .handle = 5};

	assert_int_equal(state_put(&world, &entry), 0);
	while (world.n < world.cap) {
		entry.at.target.index++;
		assert_int_equal(state_put(&world, &entry), 0);
	}
	world.v[0].at.target.index = 500;
	assert_int_equal(state_put(&world, &world.v[0]), 0);
	assert_int_equal(world.v[world.n - 1].at.target.index, 500);
	assert_int_equal(world.v[world.n - 1].handle, 5);
}

static void ranges_of_kind_and_link(void **state)
{
	struct address v[600];
	struct state world = {.arena = &arena}, copy = {.arena = &arena};
	size_t n = all_addresses(v), first, each = PART_MAX * 2 * 2;

	assert_int_equal(state_range(&world, &rps, &eth0, &first), 0);
	state_remove_kind(&world, &rps, &eth0);
	assert_int_equal(state_copy(&copy, &world), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(state_put(&world, &(struct observed){.at = v[i]}), 0);
	assert_int_equal(state_range(&world, &rps, &eth0, &first), each);
	for (size_t i = first; i < first + each; i++) {
		assert_ptr_equal(world.v[i].at.kind, &rps);
		assert_ptr_equal(world.v[i].at.target.link, &eth0);
	}
	assert_int_equal(state_range(&world, &offloads, &eth0, &first), 0);
	assert_int_equal(state_range(&world, &mtu, NULL, &first), each);
	assert_int_equal(first, 0);

	assert_int_equal(state_copy(&copy, &world), 0);
	state_remove_kind(&copy, &rps, &eth0);
	assert_int_equal(copy.n, n - each);
	assert_int_equal(state_range(&copy, &rps, &eth0, &first), 0);
	assert_int_equal(state_range(&copy, &rps, &eth1, &first), each);
	assert_int_equal(world.n, n);
	state_remove(&copy, &copy.v[0].at);
	state_remove(&copy, &v[0]);
	assert_int_equal(copy.n, n - each - 1);
	assert_true(address_equal(&copy.v[0].at, &v[1]));
	while (copy.n)
		state_remove(&copy, &copy.v[copy.n - 1].at);
}

static void put(struct state *state, const struct kind *kind, const struct link *link,
	unsigned index, unsigned number)
{
	struct observed o = {.at = address(kind, link, PART_RX, index, "cpus"),
		.value = value_number(&arena, number)};

	assert_int_equal(state_put(state, &o), 0);
}

static uint64_t number_of(const struct state *state, const struct link *link, unsigned index)
{
	return state_get(state, &rps, link, PART_RX, index, "cpus")->value.number;
}

static void a_fresh_reading_of_one_kind_and_link(void **unused)
{
	struct state world = {.arena = &arena}, fresh = {.arena = &arena};

	for (unsigned i = 0; i < 4; i++) {
		put(&world, &rps, &eth0, i, i);
		put(&world, &rps, &eth1, i, i);
	}
	put(&fresh, &rps, &eth0, 1, 11);
	put(&fresh, &rps, &eth0, 7, 17);
	assert_int_equal(state_update(&world, &rps, &eth0, &fresh), 0);
	assert_int_equal(world.n, 6);
	assert_int_equal(number_of(&world, &eth0, 1), 11);
	assert_int_equal(number_of(&world, &eth0, 7), 17);
	assert_null(state_get(&world, &rps, &eth0, PART_RX, 0, "cpus"));
	assert_int_equal(number_of(&world, &eth1, 3), 3);
}

static void two_states_become_one(void **unused)
{
	struct state world = {.arena = &arena}, more = {.arena = &arena};

	put(&world, &rps, &eth0, 1, 1);
	put(&world, &rps, &eth0, 3, 3);
	put(&more, &rps, &eth0, 0, 10);
	put(&more, &rps, &eth0, 3, 13);
	put(&more, &rps, &eth1, 5, 15);
	assert_int_equal(state_merge(&world, &more), 0);
	assert_int_equal(world.n, 4);
	for (size_t i = 1; i < world.n; i++)
		assert_true(address_compare(&world.v[i - 1].at, &world.v[i].at) < 0);
	assert_int_equal(number_of(&world, &eth0, 1), 1);
	assert_int_equal(number_of(&world, &eth0, 3), 13);
	assert_int_equal(number_of(&world, &eth1, 5), 15);
}

static void lists_grow(void **state)
{
	struct desired desired = {.arena = &arena};
	struct settings settings = {.arena = &arena};
	struct skips skips = {.arena = &arena};
	struct link link = eth0;
	struct wish wish = {.key = "rx"};

	for (unsigned i = 0; i < 100; i++) {
		struct setting setting = {.at = address(&rps, &eth0, PART_RX, i, "cpus")};
		struct skip skip = {.at = setting.at, .verdict = VERDICT_DEFERRED};

		assert_int_equal(
			desired_add(&desired, &(struct pair){.link = &link, .wish = &wish}), 0);
		assert_int_equal(settings_add(&settings, &setting), 0);
		assert_int_equal(skips_add(&skips, &skip), 0);
	}
	assert_int_equal(desired.n, 100);
	assert_ptr_equal(desired.v[99].link, &link);
	assert_int_equal(settings.v[99].at.target.index, 99);
	assert_int_equal(skips.v[99].verdict, VERDICT_DEFERRED);
}

static void words_of_support_verdict_and_origin(void **state)
{
	for (unsigned i = 0; i < SUPPORT_MAX; i++)
		assert_int_equal(support_of_name(support_name((enum support)i)), i);
	assert_int_equal(support_of_name("maybe"), SUPPORT_MAX);
	for (unsigned i = 0; i < VERDICT_MAX; i++)
		assert_int_equal(verdict_of_name(verdict_name((enum verdict)i)), i);
	assert_int_equal(verdict_of_name("fine"), VERDICT_MAX);
	assert_string_equal(verdict_name(VERDICT_MANAGED), "managed");
	assert_string_equal(origin_name(ORIGIN_CARRIED), "carried");
	assert_true(verdict_is_good(VERDICT_EXACT) && verdict_is_good(VERDICT_ROUNDED));
	assert_true(verdict_is_good(VERDICT_CLAMPED) && verdict_is_good(VERDICT_REDUCED));
	assert_false(verdict_is_good(VERDICT_NONE) || verdict_is_good(VERDICT_REFUSED));
	assert_false(verdict_is_good(VERDICT_IGNORED) || verdict_is_good(VERDICT_HELD));
	assert_false(verdict_is_good(VERDICT_DEFERRED) || verdict_is_good(VERDICT_GONE));
}

static void kinds_and_fields_by_name(void **state)
{
	assert_ptr_equal(kind_find(kinds, "rps"), &rps);
	assert_null(kind_find(kinds, "xps"));
	assert_ptr_equal(kind_field(&rps, "flows"), &rps_fields[1]);
	assert_null(kind_field(&rps, "queues"));
	/* an exact row wins over the open one, wherever it stands */
	assert_ptr_equal(kind_field(&offloads, "tso"), &offload_fields[1]);
	assert_ptr_equal(kind_field(&offloads, "tx-scatter-gather"), &offload_fields[0]);
	assert_null(kind_field(&sysctl, "net.core.somaxconn"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_as_text),
		cmocka_unit_test(addresses_have_a_total_order),
		cmocka_unit_test(links_are_equal_by_what_they_are),
		cmocka_unit_test(the_state_is_sorted_however_it_comes),
		cmocka_unit_test(an_entry_is_replaced),
		cmocka_unit_test(an_entry_of_the_state_may_be_put_again),
		cmocka_unit_test(ranges_of_kind_and_link),
		cmocka_unit_test(a_fresh_reading_of_one_kind_and_link),
		cmocka_unit_test(two_states_become_one),
		cmocka_unit_test(lists_grow),
		cmocka_unit_test(words_of_support_verdict_and_origin),
		cmocka_unit_test(kinds_and_fields_by_name),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
