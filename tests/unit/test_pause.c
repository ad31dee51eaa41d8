/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flow control: the bytes of each parameter, the order of autoneg and values, and what is known of
 * them after a reset or a negotiation.
 */
#include "kinds/pause.h"

#include "unit/ethtool_fixture.h"

#include <linux/ethtool_netlink.h>

/* What include/uapi/linux/ethtool_netlink.h and ethtool.h say. */
static const struct {
	const char *key;
	uint16_t attr;
	unsigned word; /* place in struct ethtool_pauseparam */
} wires[] = {{"autoneg", 2, 1}, {"rx", 3, 2}, {"tx", 4, 3}};

static struct change change_of(const char *key, bool before, bool wanted)
{
	return (struct change){
		.at = {.kind = &kind_pause, .target = whole, .key = key},
		.before = value_bool(before),
		.wanted = value_bool(wanted),
		.after = value_bool(wanted),
	};
}

static void parameters_are_sent_as_attributes(void **unused)
{
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		struct change change = change_of(wires[i].key, false, true);
		struct change *const v[] = {&change};
		const struct nlattr *attr;

		assert_int_equal(kind_pause.write(&kernel, NULL, v, 1, NULL), 0);
		assert_int_equal(fake_command(&fake), ETHTOOL_MSG_PAUSE_SET);
		assert_int_equal(fake_attr_count(&fake), 2);
		attr = fake_attr(&fake, wires[i].attr);
		assert_non_null(attr);
		assert_int_equal(mnl_attr_get_payload_len(attr), 1);
		assert_int_equal(*(const uint8_t *)mnl_attr_get_payload(attr), 1);
	}
}

static void the_structure_keeps_what_is_not_changed(void **unused)
{
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		struct change change = change_of(wires[i].key, true, false);
		struct change *const v[] = {&change};

		fake_open(&fake, &kernel, &arena, false);
		fake.get[1] = fake.get[2] = fake.get[3] = 1;
		assert_int_equal(kind_pause.write(&kernel, NULL, v, 1, NULL), 0);
		assert_int_equal(fake.set_command, ETHTOOL_SPAUSEPARAM);
		for (unsigned word = 1; word < 4; word++)
			assert_int_equal(fake.set[word], word != wires[i].word);
	}
}

static const struct observed *in_model(const char *key)
{
	return state_get(&state, &kind_pause, &eth0, PART_WHOLE, 0, key);
}

static void assert_read(bool autoneg, bool rx, bool tx)
{
	const bool values[] = {autoneg, rx, tx};

	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		const struct observed *o = in_model(wires[i].key);

		assert_non_null(o);
		assert_int_equal(o->support, SUPPORT_SETTABLE);
		assert_null(o->note);
		assert_int_equal(o->value.number, values[i]);
	}
}

static void all_three_are_read(void **unused)
{
	struct scope scope = {.link = &eth0};
	struct nlmsghdr *reply = fake_reply(&fake);
	struct error error;

	mnl_attr_put_u8(reply, ETHTOOL_A_PAUSE_AUTONEG, 0);
	mnl_attr_put_u8(reply, ETHTOOL_A_PAUSE_RX, 1);
	mnl_attr_put_u8(reply, ETHTOOL_A_PAUSE_TX, 0);
	assert_int_equal(kind_pause.observe(&kernel, NULL, &scope, &state, &error), 0);
	assert_int_equal(fake_command(&fake), ETHTOOL_MSG_PAUSE_GET);
	assert_read(false, true, false);

	buffer_free(&kernel.reply);
	state.n = 0;
	fake_open(&fake, &kernel, &arena, false);
	fake.get[1] = fake.get[3] = 1;
	assert_int_equal(kind_pause.observe(&kernel, NULL, &scope, &state, &error), 0);
	assert_read(true, false, true);
}

static void a_device_without_it_has_nothing(void **unused)
{
	struct scope scope = {.link = &eth0};
	struct fake_expansion e;
	struct error error;

	fake.answer = EOPNOTSUPP;
	assert_int_equal(kind_pause.observe(&kernel, NULL, &scope, &state, &error), 0);
	assert_int_equal(state.n, 0);
	e = fake_expand(&arena, &kind_pause, &eth0, &state, "rx", "on");
	assert_int_equal(e.result, 0);
	assert_int_equal(e.settings.n, 0);
	assert_int_equal(e.skips.n, 1);
	assert_string_equal(e.skips.v[0].reason, "the device does not support pause");
}

static void autoneg_goes_off_first_and_comes_on_last(void **unused)
{
	const struct address autoneg = {.kind = &kind_pause, .target = whole, .key = "autoneg"};
	const struct address rx = {.kind = &kind_pause, .target = whole, .key = "rx"};
	const struct value on = value_bool(true), off = value_bool(false);
	int values = kind_pause.rank(&rx, &off, &on);

	assert_int_equal(kind_pause.rank(&rx, &on, &off), values);
	assert_true(kind_pause.rank(&autoneg, &on, &off) < values);
	assert_true(kind_pause.rank(&autoneg, &off, &on) > values);
}

static void put_all(bool autoneg, bool rx, bool tx)
{
	fake_put(&state, &kind_pause, &whole, "autoneg", value_bool(autoneg));
	fake_put(&state, &kind_pause, &whole, "rx", value_bool(rx));
	fake_put(&state, &kind_pause, &whole, "tx", value_bool(tx));
}

static void what_is_negotiated_is_not_known_before(void **unused)
{
	struct change change = change_of("autoneg", false, true);

	put_all(true, true, false);
	kind_pause.project(NULL, &change, &state);
	assert_int_equal(in_model("rx")->value.type, VALUE_NONE);
	assert_true(in_model("rx")->follows && in_model("tx")->follows);

	/* it is offered as it is set */
	eth0.driver = "tg3";
	put_all(true, true, false);
	kind_pause.project(NULL, &change, &state);
	assert_true(in_model("rx")->value.number);
}

static void a_reset_negotiates_behind_values_by_hand(void **unused)
{
	put_all(false, true, false);
	pause_forget(&state, &eth0);
	assert_int_equal(in_model("rx")->value.type, VALUE_NONE);
	assert_int_equal(in_model("autoneg")->value.type, VALUE_BOOL);
	assert_false(in_model("rx")->follows);

	/* nobody set these */
	put_all(true, true, true);
	pause_forget(&state, &eth0);
	assert_true(in_model("rx")->value.number);

	/* a link that is down does not come up */
	eth0.up = false;
	put_all(false, true, false);
	pause_forget(&state, &eth0);
	assert_true(in_model("rx")->value.number);
}

static void what_is_negotiated_is_not_compared(void **unused)
{
	const struct address rx = {.kind = &kind_pause, .target = whole, .key = "rx"};

	put_all(true, true, true);
	assert_true(is_moot(&state, &rx));
	eth0.driver = "tg3";
	assert_false(is_moot(&state, &rx));
	eth0.driver = "igb";
	put_all(false, true, true);
	assert_false(is_moot(&state, &rx));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(parameters_are_sent_as_attributes),
		TEST(the_structure_keeps_what_is_not_changed),
		TEST(all_three_are_read),
		TEST(a_device_without_it_has_nothing),
		TEST(autoneg_goes_off_first_and_comes_on_last),
		TEST(what_is_negotiated_is_not_known_before),
		TEST(a_reset_negotiates_behind_values_by_hand),
		TEST(what_is_negotiated_is_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
