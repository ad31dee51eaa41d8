/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values: canonical texts, and the way of each type through the journal.
 */
#include "core/expr.h"
#include "core/value.h"
#include "unit/test.h"
#include "util/macros.h"

#include <errno.h>

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

static void words_as_the_kernel_prints_them(void **state)
{
	static const struct {
		const char *text;
		enum value_type type;
		const char *canonical;
	} cases[] = {
		{"4096\t131072\t6291456\n", VALUE_WORDS, "4096 131072 6291456"},
		{"  4096   131072\n\n6291456  ", VALUE_WORDS, "4096 131072 6291456"},
		{"4096 0x20000 010", VALUE_WORDS, "4096 131072 8"},
		{"0xffffffffffffffff 0XA", VALUE_WORDS, "18446744073709551615 10"},
		{"0 00 08 0x 0xg", VALUE_WORDS, "0 0 08 0x 0xg"},
		{"-1 -0x10", VALUE_WORDS, "-1 -0x10"},
		{"reno cubic\n", VALUE_WORDS, "reno cubic"},
		{"", VALUE_WORDS, ""},
		{"\n", VALUE_WORDS, ""},
		{" \t\n", VALUE_WORDS, ""},
		{"128\n", VALUE_NUMBER, "128"},
		{"0\n", VALUE_NUMBER, "0"},
		{"18446744073709551615", VALUE_NUMBER, "18446744073709551615"},
		{"18446744073709551616", VALUE_WORD, "18446744073709551616"},
		{"-1\n", VALUE_WORD, "-1"},
		{"bbr\n", VALUE_WORD, "bbr"},
		{"8080-8085,9000\n", VALUE_WORD, "8080-8085,9000"},
		/* a mask, not an octal number */
		{"0010\n", VALUE_WORD, "0010"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct value value = value_words(&arena, cases[i].text);

		assert_int_equal(value.type, cases[i].type);
		assert_string_equal(value.text, cases[i].canonical);
	}
	assert_true(value_words(&arena, "128\n").number == 128);
}

static void equal_means_same_type_and_text(void **state)
{
	struct value none = value_none(), one = value_number(&arena, 1),
		     word = value_word(&arena, "1"), again = value_number(&arena, 1);

	assert_true(value_equal(&none, &none));
	assert_true(value_equal(&one, &again));
	assert_false(value_equal(&one, &word));
	assert_false(value_equal(&one, &none));
	assert_false(value_equal(&none, &one));
	again = value_number(&arena, 2);
	assert_false(value_equal(&one, &again));
}

static void texts_for_people(void **state)
{
	struct value none = value_none(), off = value_bool(false),
		     empty = value_of_text(&arena, VALUE_RANGES, "");

	assert_string_equal(value_text(&none), "-");
	assert_string_equal(value_text(&off), "off");
	assert_string_equal(value_text(&empty), "(none)");
}

static void sets_of_cpus(void **state)
{
	struct cpuset set = {}, back;
	struct value value, number = value_number(&arena, 3);

	cpuset_add(&set, 0);
	cpuset_add(&set, 1);
	cpuset_add(&set, 40);
	value = value_ranges(&arena, &set);
	assert_int_equal(value.type, VALUE_RANGES);
	assert_string_equal(value.text, "0-1,40");
	assert_int_equal(value_cpuset(&value, &back), 0);
	assert_true(cpuset_equal(&set, &back));
	assert_int_equal(value_cpuset(&number, &back), -EINVAL);
	value = value_none();
	assert_int_equal(value_cpuset(&value, &back), -EINVAL);
}

static void each_type_comes_back_from_its_text(void **state)
{
	struct cpuset set = {};
	struct value values[] = {value_none(), value_number(&arena, UINT64_MAX), value_bool(true),
		value_bool(false), value_word(&arena, "bbr"), value_words(&arena, "1 2 3"),
		value_words(&arena, ""), value_ranges(&arena, &set)};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct value back = value_of_text(&arena,
			value_type_of_name(value_type_name(values[i].type)), values[i].text);

		assert_true(value_equal(&back, &values[i]));
		assert_true(back.number == values[i].number);
	}
}

static void a_text_that_is_none_of_its_type(void **state)
{
	struct value value = value_of_text(&arena, VALUE_NUMBER, "x");

	assert_int_equal(value.type, VALUE_NONE);
	value = value_of_text(&arena, VALUE_BOOL, "yes");
	assert_int_equal(value.type, VALUE_NONE);
	value = value_of_text(&arena, VALUE_WORD, NULL);
	assert_int_equal(value.type, VALUE_NONE);
	assert_int_equal(value_type_of_name("number"), VALUE_NUMBER);
	assert_int_equal(value_type_of_name("numbers"), VALUE_TYPE_MAX);
}

static void expressions_as_written(void **state)
{
	const struct expr low = {.op = EXPR_LITERAL, .value = value_number(&arena, 4096)},
			  max = {.op = EXPR_WORD, .name = "max"}, empty = {.op = EXPR_LIST};
	const struct expr *const args[] = {&low, &low, &max};
	const struct expr list = {.op = EXPR_LIST, .arg = args, .nargs = ARRAY_SIZE(args)},
			  nothing = {.op = EXPR_LITERAL};

	assert_string_equal(expr_text(&arena, &low), "4096");
	assert_string_equal(expr_text(&arena, &max), "max");
	assert_string_equal(expr_text(&arena, &list), "4096 4096 max");
	assert_string_equal(expr_text(&arena, &empty), "");
	assert_string_equal(expr_text(&arena, &nothing), "");
	assert_true(expr_is_word(&max, "max"));
	assert_false(expr_is_word(&max, "keep"));
	assert_false(expr_is_word(&low, "4096"));
	assert_false(expr_is_word(NULL, "max"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_as_the_kernel_prints_them),
		cmocka_unit_test(equal_means_same_type_and_text),
		cmocka_unit_test(texts_for_people),
		cmocka_unit_test(sets_of_cpus),
		cmocka_unit_test(each_type_comes_back_from_its_text),
		cmocka_unit_test(a_text_that_is_none_of_its_type),
		cmocka_unit_test(expressions_as_written),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
