/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of wishes, and device parameters by table: netlink attributes, the ioctl's structure,
 * what is absent, what is refused. With a kind made up of rings' and coalescing's ways.
 */
#include "kinds/ethparam.h"

#define FIXTURE_DRIVER NULL
#include "unit/ethtool_fixture.h"

#include <linux/ethtool_netlink.h>
#include <linux/sockios.h>

static const char *const mode_words[] = {"auto", "slow", "fast", NULL};

static const struct field fields[] = {
	{
		.name = "size",
		.type = VALUE_NUMBER,
		.unit = UNIT_BYTES,
		.flags = FIELD_HAS_MAX,
		.wire = {.attr = 6, .attr_max = 2, .offset = 20, .offset_max = 4, .width = 4},
	},
	{
		.name = "delay",
		.type = VALUE_NUMBER,
		.unit = UNIT_USECS,
		.wire = {.attr = 7, .offset = 24, .width = 4},
	},
	{.name = "switch", .type = VALUE_BOOL, .wire = {.attr = 8, .offset = 28, .width = 1}},
	{.name = "mode", .type = VALUE_WORD, .words = mode_words, .wire = {.attr = 9, .width = 1}},
	{
		.name = "version",
		.type = VALUE_NUMBER,
		.flags = FIELD_READ_ONLY,
		.wire = {.attr = 10, .offset = 32, .width = 4},
	},
	{.name = "set", .type = VALUE_RANGES},
	{.name = "vector", .type = VALUE_WORDS},
	{.name = "name", .type = VALUE_WORD},
	{.name = "pause", .type = VALUE_NUMBER, .unit = UNIT_SECONDS},
	{},
};

static int expand(const struct expansion *expansion, struct error *error)
{
	return ethparam_expand(expansion, error);
}

static const struct kind made_up = {.name = "made-up", .fields = fields, .expand = expand};

static const struct ethparam param = {
	.kind = &made_up,
	.get = ETHTOOL_MSG_RINGS_GET,
	.set = ETHTOOL_MSG_RINGS_SET,
	.ioctl_get = ETHTOOL_GRINGPARAM,
	.ioctl_set = ETHTOOL_SRINGPARAM,
	.ioctl_size = sizeof(struct ethtool_ringparam),
};

static const struct observed *get(const char *key)
{
	return state_get(&state, &made_up, &eth0, PART_WHOLE, 0, key);
}

static void put(const char *key, struct value value, uint64_t max, enum support support)
{
	struct observed *o = fake_put(&state, &made_up, &whole, key, value);

	o->max = max;
	o->support = support;
}

static void values_are_read_as_their_field(void **unused)
{
	static const struct {
		const char *key, *text;
		enum value_type type;
		const char *want;
	} rows[] = {
		{"size", "4096", VALUE_NUMBER, "4096"},
		{"size", "4KiB", VALUE_NUMBER, "4096"},
		{"size", "max", VALUE_NUMBER, "8192"},
		{"delay", "50", VALUE_NUMBER, "50"},
		{"delay", "2ms", VALUE_NUMBER, "2000"},
		{"pause", "2s", VALUE_NUMBER, "2"},
		{"switch", "on", VALUE_BOOL, "on"},
		{"switch", "True", VALUE_BOOL, "on"},
		{"switch", "YES", VALUE_BOOL, "on"},
		{"switch", "off", VALUE_BOOL, "off"},
		{"switch", "false", VALUE_BOOL, "off"},
		{"switch", "no", VALUE_BOOL, "off"},
		{"mode", "fast", VALUE_WORD, "fast"},
		{"set", "3,0-1", VALUE_RANGES, "0-1,3"},
		{"set", "0xb", VALUE_RANGES, "0-1,3"},
		{"set", "0x1,00000000", VALUE_RANGES, "32"},
		{"set", "", VALUE_RANGES, ""},
		{"vector", "1  2\t3", VALUE_WORDS, "1 2 3"},
		{"name", "cubic", VALUE_WORD, "cubic"},
	};
	const struct observed live = {
		.at = {.kind = &made_up, .target = whole, .key = "size"},
		.max = 8192,
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct expansion expansion = {
			.wish = fake_wish(&arena, &made_up, rows[i].key, rows[i].text),
			.link = &eth0,
			.arena = &arena,
		};
		const struct field *field = kind_field(&made_up, rows[i].key);
		bool limited = strcmp(rows[i].key, "size") == 0;
		struct value value;
		struct error error = {0};

		if (wish_value(&expansion, field, limited ? &live : NULL, &value, &error) < 0)
			fail_msg("%s = %s: %s", rows[i].key, rows[i].text, error.msg);
		assert_int_equal(value.type, rows[i].type);
		assert_string_equal(value.text, rows[i].want);
	}
}

static void a_list_is_the_union_of_its_members(void **unused)
{
	const struct expr first = {.op = EXPR_WORD, .name = "0-1"};
	const struct expr second = {.op = EXPR_WORD, .name = "0x8"};
	const struct expr *const members[] = {&first, &second};
	const struct expr list = {.op = EXPR_LIST, .arg = members, .nargs = 2};
	struct wish wish = {.kind = &made_up, .key = "set", .value = &list};
	struct expansion expansion = {.wish = &wish, .link = &eth0, .arena = &arena};
	struct value value;
	struct error error;

	assert_int_equal(
		wish_value(&expansion, kind_field(&made_up, "set"), NULL, &value, &error), 0);
	assert_string_equal(value.text, "0-1,3");
}

static void wrong_values_are_refused_with_what_was_wanted(void **unused)
{
	static const struct {
		const char *key, *text, *want;
	} rows[] = {
		{"size", "16384", "eth0/made-up.size = 16384: the device's maximum is 8192"},
		{"size", "lots", "eth0/made-up.size = lots: wanted a number of bytes"},
		{"size", "10us", "eth0/made-up.size = 10us: wanted a number of bytes"},
		{"size", "99999999999999999999", "too large"},
		{"delay", "max", "eth0/made-up.delay = max: wanted a time"},
		{"switch", "1", "eth0/made-up.switch = 1: wanted on or off"},
		{"switch", "enabled", "true, false, yes, no"},
		{"mode", "on", "eth0/made-up.mode = on: wanted one of auto, slow, fast"},
		{"set", "3-1", "eth0/made-up.set = 3-1: wanted a list"},
		{"set", "99999", "99999 has numbers above"},
	};

	put("size", value_number(&arena, 512), 8192, SUPPORT_SETTABLE);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct expansion expansion = {
			.wish = fake_wish(&arena, &made_up, rows[i].key, rows[i].text),
			.link = &eth0,
			.arena = &arena,
		};
		const struct field *field = kind_field(&made_up, rows[i].key);
		struct value value;
		struct error error = {0};

		assert_int_equal(
			wish_value(&expansion, field, get(rows[i].key), &value, &error), -EINVAL);
		assert_int_equal(error.kind, ERROR_DATA);
		if (!strstr(error.msg, rows[i].want))
			fail_msg("no \"%s\" in \"%s\"", rows[i].want, error.msg);
	}
}

static void max_needs_a_maximum(void **unused)
{
	struct fake_expansion ret;

	put("size", value_number(&arena, 512), 0, SUPPORT_SETTABLE);
	ret = fake_expand(&arena, &made_up, &eth0, &state, "size", "max");
	assert_int_equal(ret.result, -EINVAL);
	assert_string_equal(ret.error.msg, "eth0/made-up.size = max: the device tells no maximum");
}

static void a_minimum_holds(void **unused)
{
	struct fake_expansion ret;

	fake_put(&state, &made_up, &whole, "delay", value_number(&arena, 512))->min = 10;
	ret = fake_expand(&arena, &made_up, &eth0, &state, "delay", "9");
	assert_int_equal(ret.result, -EINVAL);
	assert_string_equal(ret.error.msg, "eth0/made-up.delay = 9: the device's minimum is 10");
}

static void expansion_makes_a_setting_or_a_skip(void **unused)
{
	struct fake_expansion ret;

	put("size", value_number(&arena, 512), 8192, SUPPORT_SETTABLE);
	put("version", value_number(&arena, 3), 0, SUPPORT_READ_ONLY);
	ret = fake_expand(&arena, &made_up, &eth0, &state, "size", "max");
	assert_int_equal(ret.result, 0);
	assert_int_equal(ret.settings.n, 1);
	assert_string_equal(ret.settings.v[0].value.text, "8192");
	assert_string_equal(address_text(&arena, &ret.settings.v[0].at), "eth0/made-up.size");

	ret = fake_expand(&arena, &made_up, &eth0, &state, "delay", "50");
	assert_int_equal(ret.result, 0);
	assert_int_equal(ret.settings.n, 0);
	assert_int_equal(ret.skips.n, 1);
	assert_int_equal(ret.skips.v[0].verdict, VERDICT_UNSUPPORTED);
	assert_string_equal(ret.skips.v[0].reason, "the device does not support delay");
	assert_string_equal(ret.skips.v[0].wanted, "50");

	/* what can't be set but is as wished is no skip */
	ret = fake_expand(&arena, &made_up, &eth0, &state, "version", "3");
	assert_int_equal(ret.settings.n, 1);
	ret = fake_expand(&arena, &made_up, &eth0, &state, "version", "4");
	assert_int_equal(ret.settings.n, 0);
	assert_string_equal(ret.skips.v[0].reason, "version is 3 and read-only");
}

static void a_device_without_any_says_so(void **unused)
{
	struct fake_expansion ret = fake_expand(&arena, &made_up, &eth0, &state, "size", "512");

	assert_int_equal(ret.result, 0);
	assert_int_equal(ret.skips.n, 1);
	assert_string_equal(ret.skips.v[0].reason, "the device does not support made-up");
}

static void more_than_32_bits_are_refused(void **unused)
{
	struct fake_expansion ret;

	put("delay", value_number(&arena, 5), 0, SUPPORT_SETTABLE);
	ret = fake_expand(&arena, &made_up, &eth0, &state, "delay", "4294967296");
	assert_int_equal(ret.result, -EINVAL);
	assert_string_equal(ret.error.msg, "eth0/made-up.delay = 4294967296: does not fit 32 bits");
}

static int observe(void)
{
	static struct link link; /* the state refers to it */
	struct scope scope = {.link = &link};
	struct error error = {0};

	link = eth0;
	state.n = 0;
	return ethparam_observe(&param, &kernel, &scope, &state, &error);
}

static void attributes_become_observations(void **unused)
{
	struct nlmsghdr *reply = fake_reply(&fake);

	mnl_attr_put_u32(reply, 2, 4096);
	mnl_attr_put_u32(reply, 6, 256);
	mnl_attr_put_u8(reply, 8, 1);
	mnl_attr_put_u8(reply, 9, 2);
	mnl_attr_put_u32(reply, 10, 3);
	mnl_attr_put_u32(reply, 0x7f, 1); /* of a later kernel */
	assert_int_equal(observe(), 0);
	assert_int_equal(fake_command(&fake), ETHTOOL_MSG_RINGS_GET);
	assert_int_equal(state.n, 4);
	assert_string_equal(get("size")->value.text, "256");
	assert_int_equal(get("size")->max, 4096);
	assert_int_equal(get("size")->support, SUPPORT_SETTABLE);
	assert_null(get("delay"));
	assert_string_equal(get("switch")->value.text, "on");
	assert_string_equal(get("mode")->value.text, "fast");
	assert_int_equal(get("version")->support, SUPPORT_READ_ONLY);
	assert_null(get("size")->note);
}

static void attributes_of_another_size_are_no_values(void **unused)
{
	struct nlmsghdr *reply = fake_reply(&fake);

	mnl_attr_put_u8(reply, 6, 1);
	mnl_attr_put_u32(reply, 8, 1);
	mnl_attr_put_u8(reply, 9, 77); /* a mode that has no word yet */
	assert_int_equal(observe(), 0);
	assert_int_equal(state.n, 1);
	assert_int_equal(get("mode")->value.type, VALUE_NONE);
}

static void a_device_that_has_none_is_no_error(void **unused)
{
	fake.answer = EOPNOTSUPP;
	assert_int_equal(observe(), 0);
	assert_int_equal(state.n, 0);
	fake.answer = ENODEV;
	assert_int_equal(observe(), -ENODEV);
	kernel.ethtool_family = 0;
	fake.ioctl_answer = EOPNOTSUPP;
	assert_int_equal(observe(), 0);
	assert_int_equal(state.n, 0);
}

static void the_structure_becomes_observations(void **unused)
{
	fake_open(&fake, &kernel, &arena, false);
	fake.get[1] = 4096;
	fake.get[5] = 0;
	fake.get[6] = 0;
	fake.get[7] = 1;
	assert_int_equal(observe(), 0);
	assert_int_equal(fake.requests, 0);
	assert_string_equal(get("size")->value.text, "0");
	assert_null(get("size")->note); /* there is a maximum, so it is there */
	assert_string_equal(get("delay")->value.text, "0");
	assert_non_null(get("delay")->note);
	assert_string_equal(get("switch")->value.text, "on");
	assert_null(get("switch")->note);
	assert_null(get("mode"));

	fake.get[1] = 0;
	fake.get[5] = 256;
	assert_int_equal(observe(), 0);
	assert_null(get("size"));
}

static struct change change_of(const char *key, struct value wanted)
{
	return (struct change){
		.at = {.kind = &made_up, .target = whole, .key = key},
		.wanted = wanted,
	};
}

static int write_two(struct error *error)
{
	struct change size = change_of("size", value_number(&arena, 513));
	struct change mode = change_of("mode", value_word(&arena, "slow"));
	struct change *const v[] = {&size, &mode};

	return ethparam_write(&param, &kernel, v, 2, error);
}

static void only_what_changes_is_sent(void **unused)
{
	struct error error = {0};

	assert_int_equal(write_two(&error), 0);
	assert_int_equal(fake.requests, 1);
	assert_int_equal(fake_command(&fake), ETHTOOL_MSG_RINGS_SET);
	assert_int_equal(fake_attr_count(&fake), 3);
	assert_int_equal(mnl_attr_get_payload_len(fake_attr(&fake, 6)), 4);
	assert_int_equal(mnl_attr_get_u32(fake_attr(&fake, 6)), 513);
	assert_int_equal(mnl_attr_get_payload_len(fake_attr(&fake, 9)), 1);
	assert_int_equal(mnl_attr_get_u8(fake_attr(&fake, 9)), 1);
}

static void refusals_name_settings_and_reason(void **unused)
{
	struct error error = {0};

	fake.answer = EINVAL;
	fake.text = "requested ring size exceeds maximum";
	assert_int_equal(write_two(&error), -EINVAL);
	assert_int_equal(error.err, EINVAL);
	assert_non_null(strstr(error.msg, "eth0/made-up: size = 513, mode = slow: "));
	assert_non_null(strstr(error.msg, fake.text));
	assert_int_equal(write_two(NULL), -EINVAL);
}

static void an_unsupported_parameter_is_unsupported(void **unused)
{
	struct error error = {0};

	fake.answer = EINVAL;
	fake.text = "cannot modify an unsupported parameter";
	assert_int_equal(write_two(&error), -EOPNOTSUPP);
	assert_int_equal(error.err, EOPNOTSUPP);
	fake.answer = EOPNOTSUPP;
	fake.text = NULL;
	assert_int_equal(write_two(&error), -EOPNOTSUPP);
}

static void the_structure_is_read_changed_and_written(void **unused)
{
	struct change size = change_of("size", value_number(&arena, 513));
	struct change off = change_of("switch", value_bool(false));
	struct change mode = change_of("mode", value_word(&arena, "slow"));
	struct change *const v[] = {&size, &off};
	struct change *const w[] = {&mode};
	struct error error = {0};

	fake_open(&fake, &kernel, &arena, false);
	fake.get[1] = 4096;
	fake.get[5] = 256;
	fake.get[6] = 33;
	fake.get[7] = 1;
	assert_int_equal(ethparam_write(&param, &kernel, v, 2, &error), 0);
	assert_int_equal(fake.ioctls, 2);
	assert_int_equal(fake.set[0], ETHTOOL_SRINGPARAM);
	assert_int_equal(fake.set[1], 4096);
	assert_int_equal(fake.set[5], 513);
	assert_int_equal(fake.set[6], 33);
	assert_int_equal(fake.set[7], 0);

	assert_int_equal(ethparam_write(&param, &kernel, w, 1, &error), -EOPNOTSUPP);
	assert_non_null(strstr(error.msg, "eth0/made-up: mode = slow: "));
}

static void values_that_make_no_sense_are_not_sent(void **unused)
{
	struct change word = change_of("size", value_word(&arena, "default"));
	struct change unknown = change_of("speed", value_number(&arena, 1));
	struct change *const v[] = {&word}, *const w[] = {&unknown};
	struct error error = {0};

	assert_int_equal(ethparam_write(&param, &kernel, v, 1, &error), -EINVAL);
	assert_int_equal(ethparam_write(&param, &kernel, w, 1, &error), -EINVAL);
	assert_int_equal(fake.requests, 0);
}

static void forgotten_values_stay_settable(void **unused)
{
	put("size", value_number(&arena, 512), 8192, SUPPORT_SETTABLE);
	put("switch", value_bool(true), 0, SUPPORT_SETTABLE);
	model_forget(&state, &made_up, &eth0);
	assert_int_equal(state.n, 2);
	assert_int_equal(get("size")->value.type, VALUE_NONE);
	assert_int_equal(get("size")->support, SUPPORT_SETTABLE);
	assert_int_equal(get("size")->max, 8192);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(values_are_read_as_their_field, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_list_is_the_union_of_its_members, setup, teardown),
		cmocka_unit_test_setup_teardown(
			wrong_values_are_refused_with_what_was_wanted, setup, teardown),
		cmocka_unit_test_setup_teardown(max_needs_a_maximum, setup, teardown),
		cmocka_unit_test_setup_teardown(a_minimum_holds, setup, teardown),
		cmocka_unit_test_setup_teardown(
			expansion_makes_a_setting_or_a_skip, setup, teardown),
		cmocka_unit_test_setup_teardown(a_device_without_any_says_so, setup, teardown),
		cmocka_unit_test_setup_teardown(more_than_32_bits_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(attributes_become_observations, setup, teardown),
		cmocka_unit_test_setup_teardown(
			attributes_of_another_size_are_no_values, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_device_that_has_none_is_no_error, setup, teardown),
		cmocka_unit_test_setup_teardown(
			the_structure_becomes_observations, setup, teardown),
		cmocka_unit_test_setup_teardown(only_what_changes_is_sent, setup, teardown),
		cmocka_unit_test_setup_teardown(refusals_name_settings_and_reason, setup, teardown),
		cmocka_unit_test_setup_teardown(
			an_unsupported_parameter_is_unsupported, setup, teardown),
		cmocka_unit_test_setup_teardown(
			the_structure_is_read_changed_and_written, setup, teardown),
		cmocka_unit_test_setup_teardown(
			values_that_make_no_sense_are_not_sent, setup, teardown),
		cmocka_unit_test_setup_teardown(forgotten_values_stay_settable, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
