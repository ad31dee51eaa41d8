/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private flags: names come with the answer, and go with the request; what a driver does not have
 * is skipped.
 */
#include "unit/ethtool_fixture.h"

#include <linux/ethtool_netlink.h>

static void put_bit(struct nlmsghdr *message, uint32_t index, const char *name, bool on)
{
	struct nlattr *bit = mnl_attr_nest_start(message, ETHTOOL_A_BITSET_BITS_BIT);

	mnl_attr_put_u32(message, ETHTOOL_A_BITSET_BIT_INDEX, index);
	mnl_attr_put_strz(message, ETHTOOL_A_BITSET_BIT_NAME, name);
	if (on)
		mnl_attr_put(message, ETHTOOL_A_BITSET_BIT_VALUE, 0, NULL);
	mnl_attr_nest_end(message, bit);
}

/* A verbose bitset, with a bit beyond its size that no kernel sends. */
static void put_flags(uint32_t size)
{
	struct nlmsghdr *reply = fake_reply(&fake);
	struct nlattr *set = mnl_attr_nest_start(reply, ETHTOOL_A_PRIVFLAGS_FLAGS), *bits;

	mnl_attr_put_u32(reply, ETHTOOL_A_BITSET_SIZE, size);
	bits = mnl_attr_nest_start(reply, ETHTOOL_A_BITSET_BITS);
	put_bit(reply, 0, "legacy-rx", false);
	put_bit(reply, 1, "vf-true-promisc-support", true);
	put_bit(reply, 2, "beyond", true);
	mnl_attr_nest_end(reply, bits);
	mnl_attr_nest_end(reply, set);
}

static int observe(void)
{
	struct scope scope = {.link = &eth0};
	struct error error;

	return kind_private_flags.observe(&kernel, NULL, &scope, &state, &error);
}

static const struct observed *get(const char *key)
{
	return state_get(&state, &kind_private_flags, &eth0, PART_WHOLE, 0, key);
}

static void names_come_with_the_answer(void **unused)
{
	put_flags(2);
	assert_int_equal(observe(), 0);
	assert_int_equal(fake_command(&fake), ETHTOOL_MSG_PRIVFLAGS_GET);
	assert_int_equal(state.n, 2);
	assert_false(get("legacy-rx")->value.number);
	assert_true(get("vf-true-promisc-support")->value.number);
	assert_int_equal(get("legacy-rx")->support, SUPPORT_SETTABLE);
}

static void too_many_are_an_error(void **unused)
{
	put_flags(5000);
	assert_int_equal(observe(), -EPROTO);
}

static void a_driver_without_them_has_nothing(void **unused)
{
	fake.answer = EOPNOTSUPP;
	assert_int_equal(observe(), 0);
	assert_int_equal(state.n, 0);
}

static struct change change_of(const char *key, bool wanted)
{
	return (struct change){
		.at = {.kind = &kind_private_flags, .target = {.link = &eth0}, .key = key},
		.before = value_bool(!wanted),
		.wanted = value_bool(wanted),
		.after = value_bool(wanted),
	};
}

/* One BIT each, by name; VALUE only for those that go on. */
static void all_go_in_one_message_by_name(void **unused)
{
	static const uint8_t bits[] = {/* BITSET_BITS (3), nested: two BITs (1), nested */
		48, 0, 3, 0x80, 20, 0, 1, 0x80, 14, 0, 2, 0, 'l', 'e', 'g', 'a', 'c', 'y', '-', 'r',
		'x', 0, 0, 0, 24, 0, 1, 0x80, 14, 0, 2, 0, 'l', 'i', 'n', 'k', '-', 'd', 'o', 'w',
		'n', 0, 0, 0, 4, 0, 3, 0};
	struct change off = change_of("legacy-rx", false), on = change_of("link-down", true);
	struct change *const v[] = {&off, &on};
	const struct nlattr *set;

	assert_int_equal(kind_private_flags.write(&kernel, NULL, v, 2, NULL), 0);
	assert_int_equal(fake_command(&fake), ETHTOOL_MSG_PRIVFLAGS_SET);
	assert_int_equal(fake.requests, 1);
	set = fake_attr(&fake, ETHTOOL_A_PRIVFLAGS_FLAGS);
	assert_non_null(set);
	assert_int_equal(mnl_attr_get_payload_len(set), sizeof(bits));
	assert_memory_equal(mnl_attr_get_payload(set), bits, sizeof(bits));
}

static void a_refusal_names_the_flag(void **unused)
{
	struct change on = change_of("s0ix-enabled", true);
	struct change *const v[] = {&on};
	struct error error;

	fake.answer = EINVAL;
	assert_int_equal(kind_private_flags.write(&kernel, NULL, v, 1, &error), -EINVAL);
	assert_non_null(strstr(error.msg, "eth0/private-flags.s0ix-enabled = on"));
	assert_non_null(strstr(error.msg, "ETHTOOL_MSG_PRIVFLAGS_SET eth0"));
}

static void what_the_driver_lacks_is_skipped(void **unused)
{
	struct fake_expansion e = fake_expand(
		&arena, &kind_private_flags, &eth0, &state, "legacy-rx", "on");

	assert_int_equal(e.result, 0);
	assert_string_equal(e.skips.v[0].reason, "the driver has no private flags");
	put_flags(2);
	assert_int_equal(observe(), 0);
	e = fake_expand(&arena, &kind_private_flags, &eth0, &state, "nonsense", "on");
	assert_string_equal(e.skips.v[0].reason, "the driver has no flag nonsense");
	e = fake_expand(&arena, &kind_private_flags, &eth0, &state, "legacy-rx", "yes");
	assert_int_equal(e.result, 0);
	assert_int_equal(e.skips.n, 0);
	assert_int_equal(e.settings.n, 1);
	assert_true(e.settings.v[0].value.number);
}

static void a_name_has_a_length(void **unused)
{
	struct error error;

	assert_string_equal(kind_private_flags.canonical(&arena, "legacy-rx", &error), "legacy-rx");
	assert_null(kind_private_flags.canonical(&arena, "", &error));
	assert_null(kind_private_flags.canonical(
		&arena, "this-name-is-longer-than-the-kernel-has", &error));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(names_come_with_the_answer),
		TEST(too_many_are_an_error),
		TEST(a_driver_without_them_has_nothing),
		TEST(all_go_in_one_message_by_name),
		TEST(a_refusal_names_the_flag),
		TEST(what_the_driver_lacks_is_skipped),
		TEST(a_name_has_a_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
