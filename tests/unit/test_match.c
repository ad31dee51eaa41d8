/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules against links: what holds, what must be read first, and why not.
 */
#include "test.h"

#include "profile/profile.h"

#include <stdio.h>
#include <string.h>

static const char *const mlx[] = {"mlx5_core", NULL};
static const char *const igb_or_ixgbe[] = {"ixgbe", "igb", NULL};
static const char *const eth_any[] = {"eth*", NULL};
static const char *const eth0[] = {"eth0", NULL};
static const char *const veth_any_and_one[] = {"veth*", "lan0", NULL};
static const char *const any[] = {"*", NULL};
static const char *const physical[] = {"physical", NULL};
static const char *const veth[] = {"veth", NULL};

#define NOTHING .up = -1

static struct link nic(void)
{
	return (struct link){
		.ifindex = 2,
		.name = "eth0",
		.type = "physical",
		.driver = "igb",
		.bus = "0000:00:03.0",
		.mac = {0x52, 0x54, 0, 0, 0, 1},
		.perm_mac = {0x52, 0x54, 0, 0, 0, 2},
		.speed = 1000000000,
		.max_speed = 10000000000,
		.up = true,
		.known = LINK_DRIVER | LINK_BUS | LINK_SPEED | LINK_MAX_SPEED,
	};
}

static struct link virtual_link(const char *name, const char *type)
{
	return (struct link){.ifindex = 3, .name = name, .type = type, .up = true};
}

struct answer {
	enum match_result result;
	unsigned need;
	bool near;
	char reason[160];
};

static struct answer ask(const struct match *match, const struct link *link)
{
	struct answer answer = {};
	struct arena arena;
	const char *reason;

	arena_init(&arena);
	answer.result = match_link(match, link, &arena, &answer.need, &reason, &answer.near);
	if (reason)
		snprintf(answer.reason, sizeof(answer.reason), "%s", reason);
	arena_done(&arena);
	return answer;
}

static void check_no(
	const struct match *match, const struct link *link, bool near, const char *reason)
{
	struct answer answer = ask(match, link);

	assert_int_equal(answer.result, MATCH_NO);
	assert_string_equal(answer.reason, reason);
	assert_int_equal(answer.near, near);
}

static void check_yes(const struct match *match, const struct link *link)
{
	struct answer answer = ask(match, link);

	if (answer.reason[0])
		print_message("%s\n", answer.reason);
	assert_int_equal(answer.result, MATCH_YES);
}

static void test_names(void **state)
{
	struct link link = nic();

	check_yes(&(struct match){NOTHING, .names = eth_any}, &link);
	check_yes(&(struct match){NOTHING, .names = eth0}, &link);
	link.name = "lan1";
	check_no(&(struct match){NOTHING, .names = eth_any}, &link, false,
		"name is lan1, wanted eth*");
}

/* B40: "*" is not meant for loopback, bridges and veths. */
static void test_links_without_device(void **state)
{
	struct link veth0 = virtual_link("veth0", "veth"), lo = virtual_link("lo", "loopback");
	struct link lan0 = virtual_link("lan0", "bridge"), eth = nic();
	const char *reason = "has no device behind it; give kind or the exact name";

	check_no(&(struct match){NOTHING, .names = any}, &veth0, true, reason);
	check_no(&(struct match){NOTHING, .names = veth_any_and_one}, &veth0, true, reason);
	check_yes(&(struct match){NOTHING, .names = veth_any_and_one}, &lan0);
	check_yes(&(struct match){NOTHING, .names = any, .kinds = veth}, &veth0);
	check_yes(&(struct match){NOTHING, .kinds = veth}, &veth0);
	check_yes(&(struct match){NOTHING, .names = any}, &eth);
	/* nobody meant these */
	check_no(&(struct match){.up = 1}, &lo, false, reason);
	check_no(&(struct match){NOTHING, .drivers = mlx}, &lo, false, reason);
	/* but "driver: veth" is meant for veths */
	check_no(&(struct match){NOTHING, .drivers = veth}, &veth0, true, reason);
}

static void test_kinds(void **state)
{
	struct link veth0 = virtual_link("veth0", "veth"), eth = nic();

	check_yes(&(struct match){NOTHING, .kinds = physical}, &eth);
	check_no(&(struct match){NOTHING, .kinds = physical}, &veth0, false,
		"kind is veth, wanted physical");
	check_no(&(struct match){NOTHING, .kinds = veth, .names = eth0}, &eth, true,
		"kind is physical, wanted veth");
}

static void test_drivers(void **state)
{
	struct link link = nic();

	check_yes(&(struct match){NOTHING, .drivers = igb_or_ixgbe}, &link);
	check_no(&(struct match){NOTHING, .drivers = mlx}, &link, true,
		"driver is igb, wanted mlx5_core");
	link.driver = NULL;
	check_no(&(struct match){NOTHING, .drivers = igb_or_ixgbe}, &link, true,
		"has no driver, wanted ixgbe or igb");
}

static void test_buses(void **state)
{
	static const char *const good[] = {"0000:00:*", NULL}, *const bad[] = {
								       "0000:3B:00.0", NULL};
	struct link link = nic();

	check_yes(&(struct match){NOTHING, .buses = good}, &link);
	check_no(&(struct match){NOTHING, .buses = bad}, &link, true,
		"bus is 0000:00:03.0, wanted 0000:3B:00.0");
	link.bus = "0000:3b:00.0";
	check_yes(&(struct match){NOTHING, .buses = bad}, &link);
}

/* The ports of a bond share one address; the permanent one tells them apart. */
static void test_macs(void **state)
{
	static const char *const first[] = {"52:54:00:00:00:01", NULL};
	static const char *const second[] = {"52:54:00:00:00:02", NULL};
	struct link link = nic();

	check_yes(&(struct match){NOTHING, .macs = second}, &link);
	check_no(&(struct match){NOTHING, .macs = first}, &link, false,
		"mac is 52:54:00:00:00:02, wanted 52:54:00:00:00:01");
	memset(link.perm_mac, 0, sizeof(link.perm_mac));
	check_yes(&(struct match){NOTHING, .macs = first}, &link);
	memset(link.mac, 0, sizeof(link.mac));
	check_no(&(struct match){NOTHING, .macs = first}, &link, false,
		"has no mac, wanted 52:54:00:00:00:01");
}

static void test_up(void **state)
{
	struct link link = nic();

	check_yes(&(struct match){.up = 1}, &link);
	check_no(&(struct match){.up = 0}, &link, true, "is up, wanted down");
	link.up = false;
	check_yes(&(struct match){.up = 0}, &link);
	check_no(&(struct match){.up = 1, .kinds = physical}, &link, true, "is down, wanted up");
}

static void test_speeds(void **state)
{
	static const struct {
		enum compare_op op;
		bool less, same, more;
	} rows[] = {
		{.op = COMPARE_EQ, .same = true},
		{.op = COMPARE_NE, .less = true, .more = true},
		{.op = COMPARE_LT, .less = true},
		{.op = COMPARE_LE, .less = true, .same = true},
		{.op = COMPARE_GT, .more = true},
		{.op = COMPARE_GE, .same = true, .more = true},
	};
	struct link link = nic();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct match match = {NOTHING,
			.speed = {.op = rows[i].op, .number = 1000000000, .text = "1Gbit"}};

		link.speed = 100000000;
		assert_int_equal(ask(&match, &link).result, rows[i].less ? MATCH_YES : MATCH_NO);
		link.speed = 1000000000;
		assert_int_equal(ask(&match, &link).result, rows[i].same ? MATCH_YES : MATCH_NO);
		link.speed = 10000000000;
		assert_int_equal(ask(&match, &link).result, rows[i].more ? MATCH_YES : MATCH_NO);
	}
}

static const struct comparison fast = {
	.op = COMPARE_GE, .number = 10000000000, .text = ">= 10Gbit"};

static void test_speed_reasons(void **state)
{
	struct link link = nic();

	check_no(&(struct match){NOTHING, .speed = fast}, &link, true,
		"link-speed is 1Gbit, wanted >= 10Gbit");
	check_yes(&(struct match){NOTHING, .max_speed = fast}, &link);
	link.max_speed = 2500000000;
	check_no(&(struct match){NOTHING, .max_speed = fast}, &link, true,
		"max-link-speed is 2500Mbit, wanted >= 10Gbit");
}

/* No carrier: the kernel does not know the speed, and so nobody can tell. */
static void test_unknown_speed(void **state)
{
	struct link link = nic();
	struct answer answer;

	link.speed = 0;
	answer = ask(&(struct match){NOTHING, .speed = fast}, &link);
	assert_int_equal(answer.result, MATCH_UNDECIDED);
	assert_string_equal(answer.reason, "link-speed is not known, wanted >= 10Gbit");
	assert_true(answer.near);
	/* something else that fails decides all the same */
	link.max_speed = 1000000000;
	check_no(&(struct match){NOTHING, .speed = fast, .max_speed = fast}, &link, true,
		"max-link-speed is 1Gbit, wanted >= 10Gbit");
}

static void test_facts_are_read_late(void **state)
{
	struct match match = {NOTHING, .names = eth_any, .drivers = mlx, .max_speed = fast};
	struct link link = nic();

	link.known = 0;
	link.name = "lan0";
	assert_int_equal(ask(&match, &link).result, MATCH_NO); /* no fact needed */
	link.name = "eth0";
	assert_int_equal(ask(&match, &link).result, MATCH_NEED_FACTS);
	assert_int_equal(ask(&match, &link).need, LINK_DRIVER); /* not yet the speed */
	link.known = LINK_DRIVER;
	check_no(&match, &link, true, "driver is igb, wanted mlx5_core");
	match.drivers = igb_or_ixgbe;
	assert_int_equal(ask(&match, &link).need, LINK_MAX_SPEED);
	link.known |= LINK_MAX_SPEED;
	check_yes(&match, &link);
}

static void test_veths_are_not_asked(void **state)
{
	struct link link = virtual_link("veth7", "veth");
	struct match match = {NOTHING, .drivers = mlx, .max_speed = fast};

	assert_int_equal(ask(&match, &link).result, MATCH_NO);
	assert_int_equal(ask(&match, &link).need, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_links_without_device),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_drivers),
		cmocka_unit_test(test_buses),
		cmocka_unit_test(test_macs),
		cmocka_unit_test(test_up),
		cmocka_unit_test(test_speeds),
		cmocka_unit_test(test_speed_reasons),
		cmocka_unit_test(test_unknown_speed),
		cmocka_unit_test(test_facts_are_read_late),
		cmocka_unit_test(test_veths_are_not_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
