/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RSS: tables as text, what a table of nobody looks like, and the bytes of reading and writing.
 */
#include "kinds/rss.h"

#include "engine/execute.h"
#define FIXTURE_DRIVER "mlx5_core"
#include "unit/ethtool_fixture.h"

enum { MSG_RSS_GET = 38, ATTR_HFUNC = 3, ATTR_INDIR = 4, ATTR_KEY = 5 };

static struct rss_table table_of(const char *text)
{
	struct value value = {.type = VALUE_WORDS, .text = text};
	struct rss_table table;

	assert_int_equal(rss_table_parse(&arena, &value, &table), 0);
	return table;
}

static void tables_are_read_and_written(void **unused)
{
	struct rss_table table = table_of("0 1 22 4294967 0");
	struct rss_table widest = {.v = (uint32_t[]){UINT32_MAX, 0, UINT32_MAX}, .n = 3};
	struct value value = rss_table_value(&arena, &table);

	assert_int_equal(table.n, 5);
	assert_int_equal(rss_table_last(&table), 4294967);
	assert_int_equal(value.type, VALUE_WORDS);
	assert_string_equal(value.text, "0 1 22 4294967 0");
	assert_string_equal(rss_table_value(&arena, &widest).text, "4294967295 0 4294967295");
}

static void what_is_no_table_is_refused(void **unused)
{
	static const char *const texts[] = {
		"", " ", "a", "0  1", "0,1", "1 x", "-1", "12345678901 0"};
	const struct value none = value_none(), word = value_word(&arena, "default");
	struct rss_table table;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct value value = {.type = VALUE_WORDS, .text = texts[i]};

		assert_int_equal(rss_table_parse(&arena, &value, &table), -EINVAL);
	}
	assert_int_equal(rss_table_parse(&arena, &none, &table), -EINVAL);
	assert_int_equal(rss_table_parse(&arena, &word, &table), -EINVAL);
}

static void default_tables_are_known(void **unused)
{
	struct rss_table in_turn = table_of("0 1 2 0 1 2 0 1"),
			 blocks = table_of("0 0 0 1 1 1 2 2");
	struct rss_table zeros = table_of("0 0 0 0"), user = table_of("0 0 1 1 0 0 1 1");

	assert_true(rss_table_is_default(&in_turn, 3));
	assert_false(rss_table_is_default(&in_turn, 4));
	assert_true(rss_table_is_default(&blocks, 3));
	assert_false(rss_table_is_default(&blocks, 2));
	assert_true(rss_table_is_default(&zeros, 1));
	assert_false(rss_table_is_default(&zeros, 2));
	assert_false(rss_table_is_default(&zeros, 0));
	assert_false(rss_table_is_default(&user, 2));
}

/* After rss_forget(): true if what `text` says will be put back by its driver itself. */
static bool is_forgotten(const char *text, uint64_t last)
{
	struct observed *indir;

	state.n = 0;
	fake_put(&state, &kind_rss, &whole, "indir", value_words(&arena, text));
	fake_put(&state, &kind_rss, &whole, "key", value_word(&arena, "6d:5a"));
	indir = state_get(&state, &kind_rss, &eth0, PART_WHOLE, 0, "indir");
	indir->max = last;
	rss_forget(&state, &eth0);
	assert_int_equal(
		state_get(&state, &kind_rss, &eth0, PART_WHOLE, 0, "key")->value.type, VALUE_NONE);
	return indir->value.type == VALUE_NONE;
}

static void a_driver_that_spreads_anew_loses_a_users_table(void **unused)
{
	assert_false(is_forgotten("0 1 2 3 0 1 2 3", 3));
	assert_true(is_forgotten("0 1 0 1 0 1 0 1", 3));
	assert_true(is_forgotten("0 0 1 1 2 2 3 3", 3));
	assert_true(is_forgotten("0 0 0 1", 1));
	/* how many queues there are was not told */
	assert_false(is_forgotten("0 1 0 1", 0));
	assert_false(is_forgotten("0 0 0 0", 0));
}

static const struct observed *get(const char *key)
{
	return state_get(&state, &kind_rss, &eth0, PART_WHOLE, 0, key);
}

static int observe(struct error *error)
{
	struct scope scope = {.link = &eth0};

	state.n = 0;
	return kind_rss.observe(&kernel, NULL, &scope, &state, error);
}

static void netlink_is_read(void **unused)
{
	static const uint32_t table[] = {0, 1, 2, 3, 0, 1, 2, 3};
	static const uint8_t key[] = {0x6d, 0x5a, 0x00, 0xff};
	struct nlmsghdr *reply = fake_reply(&fake);
	struct error error;

	mnl_attr_put_u32(reply, ATTR_HFUNC, 1);
	mnl_attr_put(reply, ATTR_INDIR, sizeof(table), table);
	mnl_attr_put(reply, ATTR_KEY, sizeof(key), key);
	assert_int_equal(observe(&error), 0);
	assert_int_equal(fake_command(&fake), MSG_RSS_GET);
	assert_string_equal(get("indir")->value.text, "0 1 2 3 0 1 2 3");
	assert_int_equal(get("indir")->value.type, VALUE_WORDS);
	assert_string_equal(get("key")->value.text, "6d:5a:00:ff");
	assert_string_equal(get("hfunc")->value.text, "toeplitz");
	assert_int_equal(get("hfunc")->support, SUPPORT_SETTABLE);
}

static void parts_that_are_not_told_are_not_there(void **unused)
{
	struct nlmsghdr *reply = fake_reply(&fake);
	struct error error;

	mnl_attr_put_u32(reply, ATTR_HFUNC, 1U << 9);
	assert_int_equal(observe(&error), 0);
	assert_int_equal(state.n, 0);
	fake.answer = EOPNOTSUPP;
	assert_int_equal(observe(&error), 0);
	fake.answer = ENODEV;
	assert_int_equal(observe(&error), -ENODEV);
}

static int write_value(const char *key, struct value wanted, struct error *error)
{
	struct change change = {
		.at = {.kind = &kind_rss, .target = whole, .key = key},
		.wanted = wanted,
	};
	struct change *const v[] = {&change};

	return kind_rss.write(&kernel, NULL, v, 1, error);
}

static void writing_is_one_ioctl(void **unused)
{
	struct ethtool_rxfh head;
	struct error error;

	assert_int_equal(write_value("indir", value_words(&arena, "3 2 1 0"), &error), 0);
	memcpy(&head, fake.set, sizeof(head));
	assert_int_equal(head.cmd, ETHTOOL_SRSSH);
	assert_int_equal(head.indir_size, 4);
	assert_int_equal(head.key_size, 0);
	assert_int_equal(head.hfunc, 0);
	assert_int_equal(fake.set[sizeof(head) / 4], 3);
	assert_int_equal(fake.set[sizeof(head) / 4 + 3], 0);
}

static void default_spreads_anew(void **unused)
{
	struct ethtool_rxfh head;
	struct error error;

	assert_int_equal(write_value("indir", value_word(&arena, "default"), &error), 0);
	memcpy(&head, fake.set, sizeof(head));
	assert_int_equal(head.indir_size, 0);
}

static void key_and_function_leave_the_table(void **unused)
{
	struct ethtool_rxfh head;
	const uint8_t *key = (const uint8_t *)fake.set + sizeof(head);
	struct error error;

	assert_int_equal(write_value("key", value_word(&arena, "6d:5a:00:ff"), &error), 0);
	memcpy(&head, fake.set, sizeof(head));
	assert_int_equal(head.indir_size, ETH_RXFH_INDIR_NO_CHANGE);
	assert_int_equal(head.key_size, 4);
	assert_memory_equal(key, "\x6d\x5a\x00\xff", 4);
	assert_int_equal(write_value("hfunc", value_word(&arena, "xor"), &error), 0);
	memcpy(&head, fake.set, sizeof(head));
	assert_int_equal(head.hfunc, 2); /* ETH_RSS_HASH_XOR */
	assert_int_equal(head.indir_size, ETH_RXFH_INDIR_NO_CHANGE);
}

static void nonsense_is_not_written(void **unused)
{
	static const char *const keys[] = {"6d:", "6d:5", "6g", "6d5a", "", ":6d", "6D"};
	struct error error;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		assert_int_equal(write_value("key", value_word(&arena, keys[i]), &error), -EINVAL);
	assert_int_equal(write_value("hfunc", value_word(&arena, "md5"), &error), -EINVAL);
	assert_int_equal(write_value("indir", value_word(&arena, "equal"), &error), -EINVAL);
	assert_string_equal(error.msg, "eth0/rss.indir = equal: no such value");
	assert_int_equal(fake.ioctls, 0);
}

static void a_refusal_shows_the_reason_behind_a_long_table(void **unused)
{
	static uint32_t numbers[512];
	struct rss_table table = {.v = numbers, .n = ARRAY_SIZE(numbers)};
	struct error error;

	fake.ioctl_answer = EINVAL;
	assert_int_equal(write_value("indir", rss_table_value(&arena, &table), &error), -EINVAL);
	assert_non_null(strstr(error.msg, "eth0/rss.indir = 0 0 0 "));
	assert_non_null(strstr(error.msg, "...: "));
	assert_non_null(strstr(error.msg, "Invalid argument"));
}

static void what_the_driver_makes_of_default_is_right(void **unused)
{
	struct change change = {
		.at = {.kind = &kind_rss, .target = whole, .key = "indir"},
		.before = value_words(&arena, "3 3"),
		.wanted = value_word(&arena, "default"),
	};
	struct observed live = {.at = change.at, .value = value_words(&arena, "0 1")};

	assert_int_equal(judge(&change, &live), VERDICT_EXACT);
	change.wanted = value_words(&arena, "1 1");
	assert_int_equal(judge(&change, &live), VERDICT_REFUSED);
	live.value = change.before;
	assert_int_equal(judge(&change, &live), VERDICT_IGNORED);
}

static void no_word_of_profiles(void **unused)
{
	for (const struct field *f = kind_rss.fields; f->name; f++)
		assert_true(f->flags & FIELD_NO_PROFILE);
	assert_null(kind_rss.expand);
}

static void a_veth_has_none(void **unused)
{
	struct link veth;
	struct scope scope = {.link = &veth};
	struct error error;

	real_namespace(&kernel, &arena);
	real_veth(&kernel, "veth0", "veth1", 4, &veth);
	assert_int_equal(kind_rss.observe(&kernel, NULL, &scope, &state, &error), 0);
	assert_int_equal(state.n, 0);
	real_close(&kernel);
	fake_open(&fake, &kernel, &arena, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(tables_are_read_and_written, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_no_table_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(default_tables_are_known, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_driver_that_spreads_anew_loses_a_users_table, setup, teardown),
		cmocka_unit_test_setup_teardown(netlink_is_read, setup, teardown),
		cmocka_unit_test_setup_teardown(
			parts_that_are_not_told_are_not_there, setup, teardown),
		cmocka_unit_test_setup_teardown(writing_is_one_ioctl, setup, teardown),
		cmocka_unit_test_setup_teardown(default_spreads_anew, setup, teardown),
		cmocka_unit_test_setup_teardown(key_and_function_leave_the_table, setup, teardown),
		cmocka_unit_test_setup_teardown(nonsense_is_not_written, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_refusal_shows_the_reason_behind_a_long_table, setup, teardown),
		cmocka_unit_test_setup_teardown(
			what_the_driver_makes_of_default_is_right, setup, teardown),
		cmocka_unit_test_setup_teardown(no_word_of_profiles, setup, teardown),
		cmocka_unit_test_setup_teardown(a_veth_has_none, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
