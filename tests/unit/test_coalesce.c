/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Coalescing: the bytes of each parameter, the order of modes and values, and what a tap of the
 * real kernel does to values without a word.
 */
#include "engine/execute.h"
#include "unit/ethtool_fixture.h"

#include <linux/ethtool_netlink.h>

/*
 * What include/uapi/linux/ethtool_netlink.h says; word: place in struct ethtool_coalesce, 0 = not in
 * it.
 */
static const struct {
	const char *key;
	uint16_t attr;
	uint8_t width;
	unsigned word;
} wires[] = {
	{"rx-usecs", 2, 4, 1},
	{"rx-frames", 3, 4, 2},
	{"rx-usecs-irq", 4, 4, 3},
	{"rx-frames-irq", 5, 4, 4},
	{"tx-usecs", 6, 4, 5},
	{"tx-frames", 7, 4, 6},
	{"tx-usecs-irq", 8, 4, 7},
	{"tx-frames-irq", 9, 4, 8},
	{"stats-block-usecs", 10, 4, 9},
	{"adaptive-rx", 11, 1, 10},
	{"adaptive-tx", 12, 1, 11},
	{"pkt-rate-low", 13, 4, 12},
	{"rx-usecs-low", 14, 4, 13},
	{"rx-frames-low", 15, 4, 14},
	{"tx-usecs-low", 16, 4, 15},
	{"tx-frames-low", 17, 4, 16},
	{"pkt-rate-high", 18, 4, 17},
	{"rx-usecs-high", 19, 4, 18},
	{"rx-frames-high", 20, 4, 19},
	{"tx-usecs-high", 21, 4, 20},
	{"tx-frames-high", 22, 4, 21},
	{"sample-interval", 23, 4, 22},
	{"cqe-mode-tx", 24, 1, 0},
	{"cqe-mode-rx", 25, 1, 0},
	{"tx-aggr-max-bytes", 26, 4, 0},
	{"tx-aggr-max-frames", 27, 4, 0},
	{"tx-aggr-time-usecs", 28, 4, 0},
};

static struct change change_of(const char *key, uint64_t number)
{
	bool is_switch = kind_field(&kind_coalesce, key)->type == VALUE_BOOL;

	return (struct change){
		.at = {.kind = &kind_coalesce, .target = whole, .key = key},
		.wanted = is_switch ? value_bool(number) : value_number(&arena, number),
	};
}

static void every_parameter_is_sent_as_its_attribute(void **unused)
{
	size_t n = 0;

	for (const struct field *f = kind_coalesce.fields; f->name; f++)
		n++;
	assert_int_equal(n, ARRAY_SIZE(wires));
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		struct change change = change_of(wires[i].key, 77);
		struct change *const v[] = {&change};
		const struct nlattr *attr;

		assert_int_equal(kind_coalesce.write(&kernel, NULL, v, 1, NULL), 0);
		assert_int_equal(fake_command(&fake), ETHTOOL_MSG_COALESCE_SET);
		assert_int_equal(fake_attr_count(&fake), 2);
		attr = fake_attr(&fake, wires[i].attr);
		assert_non_null(attr);
		assert_int_equal(mnl_attr_get_payload_len(attr), wires[i].width);
		assert_int_equal(
			*(const uint8_t *)mnl_attr_get_payload(attr), wires[i].width == 1 ? 1 : 77);
	}
}

static void every_parameter_has_its_place_in_the_structure(void **unused)
{
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		struct change change = change_of(wires[i].key, 1);
		struct change *const v[] = {&change};
		int r;

		fake_open(&fake, &kernel, &arena, false);
		r = kind_coalesce.write(&kernel, NULL, v, 1, NULL);
		assert_int_equal(r, wires[i].word ? 0 : -EOPNOTSUPP);
		for (unsigned word = 1; word < 23 && wires[i].word; word++)
			assert_int_equal(fake.set[word], word == wires[i].word);
	}
}

static int observe(const struct link *link)
{
	static struct link copy; /* the state refers to it */
	struct scope scope = {.link = &copy};
	struct error error;

	copy = *link;
	return kind_coalesce.observe(&kernel, NULL, &scope, &state, &error);
}

static const struct observed *get(const struct link *link, const char *key)
{
	return state_get(&state, &kind_coalesce, link, PART_WHOLE, 0, key);
}

static void every_attribute_is_read(void **unused)
{
	struct nlmsghdr *reply = fake_reply(&fake);

	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		if (wires[i].width == 1)
			mnl_attr_put_u8(reply, wires[i].attr, 1);
		else
			mnl_attr_put_u32(reply, wires[i].attr, 100 + (uint32_t)i);
	}
	mnl_attr_put_u32(reply, 0x7f, 1); /* of a later kernel */
	assert_int_equal(observe(&eth0), 0);
	assert_int_equal(state.n, ARRAY_SIZE(wires));
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++)
		assert_int_equal(
			get(&eth0, wires[i].key)->value.number, wires[i].width == 1 ? 1 : 100 + i);
}

static int rank_of(const char *key, bool on)
{
	const struct address at = {.kind = &kind_coalesce, .target = whole, .key = key};
	struct value from = value_bool(!on), to = value_bool(on);

	return kind_coalesce.rank(&at, &from, &to);
}

static void modes_go_off_before_values_and_on_after_them(void **unused)
{
	assert_true(rank_of("adaptive-rx", false) < rank_of("rx-usecs", true));
	assert_true(rank_of("adaptive-tx", false) < rank_of("tx-frames", true));
	assert_true(rank_of("rx-usecs", true) < rank_of("adaptive-rx", true));
	assert_true(rank_of("tx-frames", true) < rank_of("adaptive-tx", true));
	assert_true(rank_of("cqe-mode-rx", true) < rank_of("rx-usecs", true));
	assert_true(rank_of("cqe-mode-tx", false) < rank_of("rx-usecs", true));
	assert_int_equal(rank_of("adaptive-rx", false), rank_of("cqe-mode-rx", true));
	assert_int_equal(rank_of("rx-usecs", true), rank_of("sample-interval", true));
}

static void values_are_moot_while_their_own_mode_is_on(void **unused)
{
	static const struct {
		const char *key, *moot;
	} rows[] = {
		{"rx-usecs", "adaptive-rx"},
		{"rx-frames", "adaptive-rx"},
		{"tx-usecs", "adaptive-tx"},
		{"tx-frames", "adaptive-tx"},
	};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(kind_field(&kind_coalesce, rows[i].key)->moot, rows[i].moot);
	for (const struct field *f = kind_coalesce.fields; f->name; f++)
		n += f->moot != NULL;
	assert_int_equal(n, ARRAY_SIZE(rows));
}

static bool is_known(const char *key)
{
	return state_get(&state, &kind_coalesce, &eth0, PART_WHOLE, 0, key)->value.type !=
	       VALUE_NONE;
}

static void step(const char *driver, uint64_t on)
{
	struct change change = change_of("adaptive-rx", on);

	change.after = change.wanted;
	eth0.driver = driver;
	kind_coalesce.project(NULL, &change, &state);
	eth0.driver = "igb";
}

static void some_drivers_reset_values_when_adaptive_goes_off(void **unused)
{
	fake_put_number(&state, &kind_coalesce, &eth0, "rx-usecs", 8, 0);
	fake_put_number(&state, &kind_coalesce, &eth0, "rx-frames", 8, 0);
	fake_put_number(&state, &kind_coalesce, &eth0, "rx-usecs-irq", 8, 0);
	fake_put_number(&state, &kind_coalesce, &eth0, "tx-usecs", 8, 0);
	step("ice", 0);
	step("mlx5_core", 1);
	assert_true(is_known("rx-usecs"));
	step("mlx5_core", 0);
	assert_false(is_known("rx-usecs"));
	assert_false(is_known("rx-frames"));
	assert_true(is_known("rx-usecs-irq"));
	assert_true(is_known("tx-usecs"));
}

static enum verdict judged(uint64_t before, uint64_t wanted, uint64_t got)
{
	struct change change = change_of("rx-usecs", wanted);
	struct observed live = {.at = change.at, .value = value_number(&arena, got)};

	change.before = value_number(&arena, before);
	change.after = change.wanted;
	return judge(&change, &live);
}

static void values_that_stop_on_the_way_are_clamped(void **unused)
{
	const struct observed off = {.value = value_bool(false)};
	struct change on = change_of("adaptive-rx", 1);

	assert_int_equal(judged(0, 51, 50), VERDICT_ROUNDED);
	assert_int_equal(judged(0, 100, 104), VERDICT_ROUNDED);
	assert_int_equal(judged(50, 51, 50), VERDICT_IGNORED);
	assert_int_equal(judged(0, 1000, 64), VERDICT_CLAMPED);
	assert_int_equal(judged(1000, 1, 10), VERDICT_CLAMPED);
	assert_int_equal(judged(64, 1000, 64), VERDICT_IGNORED);
	assert_int_equal(judged(100, 0, 1), VERDICT_CLAMPED);
	assert_int_equal(judged(100, 1000, 50), VERDICT_REFUSED);
	assert_int_equal(judged(100, 1000, 5000), VERDICT_REFUSED);
	/* virtio_net says yes to adaptive-rx and does nothing */
	on.before = off.value;
	assert_int_equal(judge(&on, &off), VERDICT_IGNORED);
}

static void a_tap_clamps_without_a_word(void **unused)
{
	struct link tap;
	struct change change = change_of("rx-frames", 1000);
	struct change *const v[] = {&change};
	struct error error;
	int fd;

	real_namespace(&kernel, &arena);
	fd = real_tap("tap0", &tap);
	change.at.target.link = &tap;
	assert_int_equal(observe(&tap), 0);
	assert_non_null(get(&tap, "rx-frames"));
	assert_null(get(&tap, "rx-usecs"));
	assert_null(get(&tap, "adaptive-rx"));
	if (kind_coalesce.write(&kernel, NULL, v, 1, &error) < 0)
		fail_msg("%s", error.msg);
	assert_int_equal(observe(&tap), 0);
	assert_string_equal(get(&tap, "rx-frames")->value.text, "64");

	change = change_of("rx-usecs", 50);
	change.at.target.link = &tap;
	assert_int_equal(kind_coalesce.write(&kernel, NULL, v, 1, &error), -EOPNOTSUPP);
	assert_non_null(strstr(error.msg, "tap0/coalesce: rx-usecs = 50: "));
	assert_non_null(strstr(error.msg, "cannot modify an unsupported parameter"));
	close(fd);
	real_close(&kernel);
	fake_open(&fake, &kernel, &arena, true);
}

static void a_tap_by_ioctl_is_the_same(void **unused)
{
	struct link tap;
	struct change change = change_of("rx-frames", 1000), usecs = change_of("rx-usecs", 50);
	struct change *const v[] = {&change}, *const w[] = {&usecs, &change};
	struct error error;
	int fd;

	real_namespace(&kernel, &arena);
	kernel.ethtool_family = 0;
	fd = real_tap("tap0", &tap);
	change.at.target.link = &tap;
	assert_int_equal(kind_coalesce.write(&kernel, NULL, v, 1, &error), 0);
	assert_int_equal(observe(&tap), 0);
	assert_string_equal(get(&tap, "rx-frames")->value.text, "64");
	assert_null(get(&tap, "rx-frames")->note);
	assert_string_equal(get(&tap, "rx-usecs")->value.text, "0");
	assert_non_null(get(&tap, "rx-usecs")->note);

	/* one that is not supported does not stop the other */
	change = change_of("rx-frames", 32);
	usecs.at.target.link = change.at.target.link = &tap;
	state.n = 0;
	assert_int_equal(kind_coalesce.write(&kernel, NULL, w, 2, &error), -EOPNOTSUPP);
	assert_int_equal(observe(&tap), 0);
	assert_string_equal(get(&tap, "rx-frames")->value.text, "32");
	close(fd);
	real_close(&kernel);
	fake_open(&fake, &kernel, &arena, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			every_parameter_is_sent_as_its_attribute, setup, teardown),
		cmocka_unit_test_setup_teardown(
			every_parameter_has_its_place_in_the_structure, setup, teardown),
		cmocka_unit_test_setup_teardown(every_attribute_is_read, setup, teardown),
		cmocka_unit_test_setup_teardown(
			modes_go_off_before_values_and_on_after_them, setup, teardown),
		cmocka_unit_test_setup_teardown(
			values_are_moot_while_their_own_mode_is_on, setup, teardown),
		cmocka_unit_test_setup_teardown(
			values_that_stop_on_the_way_are_clamped, setup, teardown),
		cmocka_unit_test_setup_teardown(
			some_drivers_reset_values_when_adaptive_goes_off, setup, teardown),
		cmocka_unit_test_setup_teardown(a_tap_clamps_without_a_word, setup, teardown),
		cmocka_unit_test_setup_teardown(a_tap_by_ioctl_is_the_same, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
