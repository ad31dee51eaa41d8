/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings: the bytes of each parameter, the sizes that drivers make of a wish, and what is taken for
 * such a size where the driver is not known.
 */
#include "engine/execute.h"
#include "unit/ethtool_fixture.h"

#include <linux/ethtool_netlink.h>

/* What include/uapi/linux/ethtool_netlink.h says; words: place in struct ethtool_ringparam. */
static const struct {
	const char *key;
	uint16_t attr, attr_max;
	uint8_t width;
	unsigned word;
} wires[] = {
	{"rx", 6, 2, 4, 5},
	{"rx-mini", 7, 3, 4, 6},
	{"rx-jumbo", 8, 4, 4, 7},
	{"tx", 9, 5, 4, 8},
	{"rx-buf-len", 10, 0, 4, 0},
	{"tcp-data-split", 11, 0, 1, 0},
	{"cqe-size", 12, 0, 4, 0},
	{"tx-push", 13, 0, 1, 0},
	{"rx-push", 14, 0, 1, 0},
	{"tx-push-buf-len", 15, 16, 4, 0},
};

static struct value value_for(const struct field *field)
{
	if (field->type == VALUE_BOOL)
		return value_bool(true);
	return field->words ? value_word(&arena, field->words[2]) : value_number(&arena, 2);
}

static void every_parameter_is_sent_as_its_attribute(void **unused)
{
	size_t n = 0;

	for (const struct field *f = kind_rings.fields; f->name; f++)
		n++;
	assert_int_equal(n, ARRAY_SIZE(wires));
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		const struct field *field = kind_field(&kind_rings, wires[i].key);
		struct change change = {
			.at = {.kind = &kind_rings, .target = whole, .key = wires[i].key}};
		struct change *const v[] = {&change};
		const struct nlattr *attr;

		assert_non_null(field);
		change.wanted = value_for(field);
		assert_int_equal(kind_rings.write(&kernel, NULL, v, 1, NULL), 0);
		assert_int_equal(fake_command(&fake), ETHTOOL_MSG_RINGS_SET);
		assert_int_equal(fake_attr_count(&fake), 2);
		attr = fake_attr(&fake, wires[i].attr);
		assert_non_null(attr);
		assert_int_equal(mnl_attr_get_payload_len(attr), wires[i].width);
		assert_int_equal(*(const uint8_t *)mnl_attr_get_payload(attr),
			field->type == VALUE_BOOL ? 1 : 2);
	}
}

static int observe(struct state *ret)
{
	struct scope scope = {.link = &eth0};

	return kind_rings.observe(&kernel, NULL, &scope, ret, NULL);
}

static void every_attribute_is_read(void **unused)
{
	struct nlmsghdr *reply = fake_reply(&fake);

	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		if (wires[i].width == 1)
			mnl_attr_put_u8(reply, wires[i].attr, 1);
		else
			mnl_attr_put_u32(reply, wires[i].attr, 100 + (uint32_t)i);
		if (wires[i].attr_max)
			mnl_attr_put_u32(reply, wires[i].attr_max, 1000 + (uint32_t)i);
	}
	assert_int_equal(observe(&state), 0);
	assert_int_equal(state.n, ARRAY_SIZE(wires));
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		const struct observed *o = state_get(
			&state, &kind_rings, &eth0, PART_WHOLE, 0, wires[i].key);

		assert_non_null(o);
		assert_int_equal(o->max, wires[i].attr_max ? 1000 + i : 0);
		if (wires[i].width == 4)
			assert_int_equal(o->value.number, 100 + i);
	}
	assert_string_equal(
		state_get(&state, &kind_rings, &eth0, PART_WHOLE, 0, "tcp-data-split")->value.text,
		"off");
}

static void sizes_have_their_place_in_the_structure(void **unused)
{
	fake_open(&fake, &kernel, &arena, false);
	for (uint32_t i = 1; i < 9; i++)
		fake.get[i] = 10 * i;
	assert_int_equal(observe(&state), 0);
	assert_int_equal(state.n, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct observed *o = state_get(
			&state, &kind_rings, &eth0, PART_WHOLE, 0, wires[i].key);

		assert_int_equal(o->value.number, 10 * wires[i].word);
		assert_int_equal(o->max, 10 * (wires[i].word - 4));
	}
}

static void only_the_named_rings_are_sent(void **unused)
{
	struct change rx = {
		.at = {.kind = &kind_rings, .target = whole, .key = "rx"},
		.wanted = value_number(&arena, 1024),
	};
	struct change *const v[] = {&rx};

	assert_int_equal(kind_rings.write(&kernel, NULL, v, 1, NULL), 0);
	assert_null(fake_attr(&fake, 7));
	assert_null(fake_attr(&fake, 8));
	assert_null(fake_attr(&fake, 9));
}

/* Of tx-push no reading tells whether a device has it: the refusal is its own, not the size's. */
static void each_has_its_own_answer(void **unused)
{
	struct change rx = {
		.at = {.kind = &kind_rings, .target = whole, .key = "rx"},
		.wanted = value_number(&arena, 1024),
	};
	struct change push = {
		.at = {.kind = &kind_rings, .target = whole, .key = "tx-push"},
		.wanted = value_bool(true),
	};
	struct change *const v[] = {&rx, &push};
	struct error error;

	fake.answer = EOPNOTSUPP;
	fake.because_of = ETHTOOL_A_RINGS_TX_PUSH;
	assert_int_equal(kind_rings.write(&kernel, NULL, v, 2, &error), -EOPNOTSUPP);
	assert_int_equal(fake.requests, 3);
	assert_int_equal(rx.err, 0);
	assert_null(rx.error);
	assert_int_equal(push.err, EOPNOTSUPP);
	assert_non_null(strstr(push.error, "eth0/rings: tx-push = on"));
	assert_string_equal(error.msg, push.error);
}

/* Sizes have a maximum where they are supported, and go together or not at all. */
static void sizes_are_refused_together(void **unused)
{
	struct change rx = {
		.at = {.kind = &kind_rings, .target = whole, .key = "rx"},
		.wanted = value_number(&arena, 1024),
	};
	struct change tx = rx;
	struct change *const v[] = {&rx, &tx};
	struct error error;

	tx.at.key = "tx";
	fake.answer = EOPNOTSUPP;
	assert_int_equal(kind_rings.write(&kernel, NULL, v, 2, &error), -EOPNOTSUPP);
	assert_int_equal(fake.requests, 1);
	assert_int_equal(rx.err + tx.err, 0); /* noted by whoever asked */
}

static void above_the_maximum_is_refused_while_planning(void **unused)
{
	struct fake_expansion ret;

	fake_put_number(&state, &kind_rings, &eth0, "rx", 256, 4096);
	ret = fake_expand(&arena, &kind_rings, &eth0, &state, "rx", "8192");
	assert_int_equal(ret.result, -EINVAL);
	assert_string_equal(ret.error.msg, "eth0/rings.rx = 8192: the device's maximum is 4096");
	ret = fake_expand(&arena, &kind_rings, &eth0, &state, "rx", "max");
	assert_int_equal(ret.result, 0);
	assert_string_equal(ret.settings.v[0].value.text, "4096");
}

static void no_descriptors_of_an_absent_ring_are_as_wished(void **unused)
{
	struct fake_expansion ret;

	fake_put_number(&state, &kind_rings, &eth0, "rx", 256, 4096);
	ret = fake_expand(&arena, &kind_rings, &eth0, &state, "rx-jumbo", "0");
	assert_int_equal(ret.result, 0);
	assert_int_equal(ret.settings.n, 0);
	assert_int_equal(ret.skips.v[0].verdict, VERDICT_NONE);
	ret = fake_expand(&arena, &kind_rings, &eth0, &state, "rx-jumbo", "10");
	assert_int_equal(ret.skips.v[0].verdict, VERDICT_UNSUPPORTED);
	ret = fake_expand(&arena, &kind_rings, &eth0, &state, "rx-push", "off");
	assert_int_equal(ret.skips.v[0].verdict, VERDICT_UNSUPPORTED);
}

static uint64_t predict(const char *driver, const char *key, uint64_t wanted)
{
	struct setting setting = {
		.at = {.kind = &kind_rings, .target = whole, .key = key},
		.value = value_number(&arena, wanted),
	};

	eth0.driver = driver;
	return kind_rings.predict(NULL, &setting, &state, &arena).number;
}

static void known_drivers_are_predicted(void **unused)
{
	fake_put_number(&state, &kind_rings, &eth0, "rx", 256, 4096);
	fake_put_number(&state, &kind_rings, &eth0, "tx", 256, 4096);
	assert_int_equal(predict("igb", "rx", 513), 520);
	assert_int_equal(predict("igb", "tx", 1001), 1008);
	assert_int_equal(predict("igb", "rx", 0), 64);
	assert_int_equal(predict("igb", "rx", 1000), 1000);
	assert_int_equal(predict("vmxnet3", "rx", 1000), 1024);
	assert_int_equal(predict("mlx5_core", "rx", 1000), 1024);
	assert_int_equal(predict("ena", "rx", 1000), 512);
	assert_int_equal(predict("acme", "rx", 1001), 1001);
	/* bytes are not rounded as descriptors are */
	assert_int_equal(predict("mlx5_core", "rx-buf-len", 3000), 3000);
}

static enum verdict judged(
	const char *driver, uint64_t before, uint64_t wanted, uint64_t got, uint64_t max)
{
	const struct change change = {
		.at = {.kind = &kind_rings, .target = whole, .key = "rx"},
		.before = value_number(&arena, before),
		.wanted = value_number(&arena, wanted),
		.after = value_number(&arena, wanted),
	};
	const struct observed live = {
		.at = change.at,
		.value = value_number(&arena, got),
		.max = max,
	};

	eth0.driver = driver;
	return judge(&change, &live);
}

static void sizes_that_look_rounded_are_rounded(void **unused)
{
	assert_int_equal(judged("acme", 256, 513, 520, 4096), VERDICT_ROUNDED);
	assert_int_equal(judged("acme", 256, 513, 1024, 4096), VERDICT_ROUNDED);
	assert_int_equal(judged("acme", 256, 1000, 512, 4096), VERDICT_ROUNDED);
	assert_int_equal(judged("acme", 256, 1000, 1056, 4096), VERDICT_ROUNDED);
	/* nothing moved: whether it is rounded or ignored, nobody knows */
	assert_int_equal(judged("acme", 1024, 1001, 1024, 4096), VERDICT_IGNORED);
	assert_int_equal(judged("acme", 8192, 1000, 8192, 4096), VERDICT_IGNORED);
	/* a floor is below what it was, not anywhere above what was wanted */
	assert_int_equal(judged("acme", 256, 10, 2048, 4096), VERDICT_REFUSED);
	assert_int_equal(judged("acme", 256, 10, 128, 4096), VERDICT_CLAMPED);
	assert_int_equal(judged("acme", 256, 4097, 4096, 4096), VERDICT_CLAMPED);
	assert_int_equal(judged("igb", 256, 10, 64, 4096), VERDICT_CLAMPED);
	/* the default again, as vmxnet3 does when memory is short */
	assert_int_equal(judged("vmxnet3", 1024, 4096, 1024, 4096), VERDICT_IGNORED);
	assert_int_equal(judged("acme", 256, 4096, 1000, 4096), VERDICT_REFUSED);
	assert_int_equal(judged("acme", 256, 1001, 1003, 4096), VERDICT_REFUSED);
	assert_int_equal(judged("igb", 256, 1000, 3000, 4096), VERDICT_REFUSED);
	assert_int_equal(judged("acme", 256, 1000, 8192, 4096), VERDICT_REFUSED);
}

static void switches_are_not_rounded(void **unused)
{
	const struct change change = {
		.at = {.kind = &kind_rings, .target = whole, .key = "tx-push"},
		.before = value_bool(false),
		.wanted = value_bool(true),
		.after = value_bool(true),
	};
	const struct observed live = {.at = change.at, .value = value_bool(false)};

	assert_int_equal(judge(&change, &live), VERDICT_IGNORED);
}

static void hints_undo_affinity(void **unused)
{
	const struct target vector = {.link = &eth0, .part = PART_RXTX};
	const struct change change = {.at = {.kind = &kind_rings, .target = whole, .key = "rx"}};
	const struct observed *cpus;

	fake_put(&state, &kind_irq_affinity, &vector, "cpus", value_word(&arena, "3"));
	cpus = &state.v[0];
	kind_rings.project(NULL, &change, &state);
	assert_int_equal(cpus->value.type, VALUE_WORD);
	eth0.driver = "ena";
	kind_rings.project(NULL, &change, &state);
	assert_int_equal(cpus->value.type, VALUE_NONE);
}

/* vmxnet3: with an MTU of 9000 a packet takes three buffers. */
static void some_round_by_the_mtu(void **unused)
{
	const struct change change = {.at = {.kind = &kind_rings, .target = whole, .key = "tx"}};
	struct observed *rx;

	fake_put_number(&state, &kind_rings, &eth0, "rx", 128, 4096);
	fake_put_number(&state, &kind_rings, &eth0, "rx-jumbo", 512, 4096);
	fake_put_number(&state, &kind_rings, &eth0, "tx", 512, 4096);
	fake_put_number(&state, &kind_mtu, &eth0, "mtu", 9000, 9000);
	assert_int_equal(predict("vmxnet3", "rx", 500), 576);
	assert_int_equal(predict("vmxnet3", "rx-jumbo", 500), 512);
	assert_int_equal(predict("vmxnet3", "tx", 700), 704);
	rx = state_get(&state, &kind_rings, &eth0, PART_WHOLE, 0, "rx");
	kind_rings.project(NULL, &change, &state);
	assert_int_equal(rx->value.number, 192);
	assert_true(rx->follows);

	state_get(&state, &kind_mtu, &eth0, PART_WHOLE, 0, "mtu")->value = value_number(
		&arena, 1500);
	assert_int_equal(predict("vmxnet3", "rx", 500), 512);
	eth0.driver = "igb";
	rx->value = value_number(&arena, 100);
	kind_rings.project(NULL, &change, &state);
	assert_int_equal(rx->value.number, 100);
}

static void a_veth_has_none(void **unused)
{
	struct link veth;
	struct scope scope = {.link = &veth};
	struct error error;

	real_namespace(&kernel, &arena);
	real_veth(&kernel, "veth0", "veth1", 1, &veth);
	assert_int_equal(kind_rings.observe(&kernel, NULL, &scope, &state, &error), 0);
	assert_int_equal(state.n, 0);
	kernel.ethtool_family = 0;
	assert_int_equal(kind_rings.observe(&kernel, NULL, &scope, &state, &error), 0);
	assert_int_equal(state.n, 0);
	real_close(&kernel);
	fake_open(&fake, &kernel, &arena, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			every_parameter_is_sent_as_its_attribute, setup, teardown),
		cmocka_unit_test_setup_teardown(every_attribute_is_read, setup, teardown),
		cmocka_unit_test_setup_teardown(
			sizes_have_their_place_in_the_structure, setup, teardown),
		cmocka_unit_test_setup_teardown(only_the_named_rings_are_sent, setup, teardown),
		cmocka_unit_test_setup_teardown(each_has_its_own_answer, setup, teardown),
		cmocka_unit_test_setup_teardown(sizes_are_refused_together, setup, teardown),
		cmocka_unit_test_setup_teardown(
			above_the_maximum_is_refused_while_planning, setup, teardown),
		cmocka_unit_test_setup_teardown(
			no_descriptors_of_an_absent_ring_are_as_wished, setup, teardown),
		cmocka_unit_test_setup_teardown(known_drivers_are_predicted, setup, teardown),
		cmocka_unit_test_setup_teardown(
			sizes_that_look_rounded_are_rounded, setup, teardown),
		cmocka_unit_test_setup_teardown(switches_are_not_rounded, setup, teardown),
		cmocka_unit_test_setup_teardown(hints_undo_affinity, setup, teardown),
		cmocka_unit_test_setup_teardown(some_round_by_the_mtu, setup, teardown),
		cmocka_unit_test_setup_teardown(a_veth_has_none, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
