/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings of any bytes in JSON and on terminals.
 */
#include "format/json.h"
#include "format/output.h"
#include "format/text.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static int setup(void **state)
{
	arena_init(&arena);
	return 0;
}

static int teardown(void **state)
{
	arena_done(&arena);
	return 0;
}

static void strings_are_escaped_so_that_they_come_back(void **state)
{
	static const struct {
		const char *text, *json;
	} cases[] = {
		{"", ""},
		{"eth0", "eth0"},
		{"caf\xc3\xa9", "caf\xc3\xa9"},
		{"100 %", "100 %"},
		{"\xff", "\\xff"},
		{"\\", "\\\\"},
		{"\\xff", "\\\\xff"},
		{"a\\\xfe\\b", "a\\\\\\xfe\\\\b"},
		{"\x01\n\x7f", "\x01\n\x7f"},
		{"\xc3", "\\xc3"},                            /* cut */
		{"\xc0\x80", "\\xc0\\x80"},                   /* overlong NUL */
		{"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},          /* overlong slash */
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"},          /* surrogate */
		{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* above the last code point */
		{"\xf0\x9f\x9a\x80", "\xf0\x9f\x9a\x80"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		json_t *value = text_to_json(cases[i].text);
		const char *back;

		assert_string_equal(cases[i].json, json_string_value(value));
		assert_int_equal(0, text_of_json(&arena, json_string_value(value), &back));
		assert_string_equal(cases[i].text, back);
		json_decref(value);
	}
	assert_true(json_is_null(text_to_json(NULL)));
}

static void bad_escapes_are_refused(void **state)
{
	static const char *const cases[] = {
		"\\", "a\\", "\\x", "\\xf", "\\xfg", "\\xFF", "\\x00", "\\n", "\\u0041", "\\\\\\"};
	const char *back;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(-EINVAL, text_of_json(&arena, cases[i], &back));
}

static void building_goes_on_without_memory(void **state)
{
	json_t *object = json_with(NULL, "a", json_true());

	assert_null(object);
	object = json_with(json_with(json_object(), "a", NULL), "b", json_true());
	assert_null(object);
	assert_null(json_append(json_append(json_array(), NULL), json_integer(1)));
	assert_null(json_to_line(NULL));
}

static void terminals_see_no_controls(void **state)
{
	static const struct {
		const char *text, *escaped;
	} cases[] = {
		{"eth0 \xc3\xa9 \xe2\x86\x92", "eth0 \xc3\xa9 \xe2\x86\x92"},
		{"\x1b[31m", "\\x1b[31m"}, {"a\tb\nc\r", "a\\x09b\\x0ac\\x0d"}, {"\x7f", "\\x7f"},
		{"\xff\xc3", "\\xff\\xc3"}, {"\xc2\x9b", "\\u009b"}, /* CSI in 8 bits */
		{"\xc2\xad", "\\u00ad"},                             /* soft hyphen */
		{"\xe2\x80\x8b", "\\u200b"},                         /* zero width space */
		{"\xe2\x80\xae", "\\u202e"},                         /* right-to-left override */
		{"\xe2\x81\xa6", "\\u2066"},                         /* isolate */
		{"\xef\xbb\xbf", "\\ufeff"},                         /* byte order mark */
		{"\xe2\x80\xa6", "\xe2\x80\xa6"},                    /* ellipsis */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(cases[i].escaped, text_escape(&arena, cases[i].text));
}

static void width_counts_characters(void **state)
{
	assert_int_equal(0, text_width(""));
	assert_int_equal(4, text_width("eth0"));
	assert_int_equal(3, text_width("a\xe2\x86\x92"
				       "b"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(strings_are_escaped_so_that_they_come_back),
		TEST(bad_escapes_are_refused),
		TEST(building_goes_on_without_memory),
		TEST(terminals_see_no_controls),
		TEST(width_counts_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
