/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failures and findings: what a message may contain, and what is returned beside it.
 */
#include "unit/test.h"
#include "util/error.h"

#include <errno.h>
#include <string.h>

static void set_returns_the_errno(void **state)
{
	struct error error;

	assert_int_equal(error_set(&error, ERROR_DATA, ENOENT, "%s: no %d", "a", 1), -ENOENT);
	assert_int_equal(error.kind, ERROR_DATA);
	assert_int_equal(error.err, ENOENT);
	assert_string_equal(error.msg, "a: no 1");
	assert_int_equal(error_set(&error, ERROR_USAGE, 0, "x"), -EINVAL);
	assert_int_equal(error.err, 0);
	assert_int_equal(error_set(NULL, ERROR_USAGE, EPERM, "x"), -EPERM);
}

static void a_prefix_goes_before(void **state)
{
	struct error error;

	error_set(&error, ERROR_FAILED, EBUSY, "kernel: busy");
	assert_int_equal(error_prefix(&error, "eth0/%s", "mtu"), -EBUSY);
	assert_string_equal(error.msg, "eth0/mtu: kernel: busy");
	error_set(&error, ERROR_FAILED, 0, "bad");
	assert_int_equal(error_prefix(&error, "%s", error.msg), -EINVAL);
	assert_string_equal(error.msg, "bad: bad");
	assert_int_equal(error_prefix(NULL, "x"), -EINVAL);
}

static void the_message_may_quote_itself(void **state)
{
	struct error error;

	error_set(&error, ERROR_FAILED, EIO, "inner");
	error_set(&error, ERROR_FAILED, EIO, "outer (%s)", error.msg);
	assert_string_equal(error.msg, "outer (inner)");
}

static void a_message_is_one_line_without_controls(void **state)
{
	struct error error;

	error_set(&error, ERROR_DATA, 0, "a\nb\tc\x1b[31md\x7f");
	assert_string_equal(error.msg, "a b c [31md ");
}

static void a_long_message_is_cut_between_characters(void **state)
{
	char text[600 * 2 + 1] = "";
	struct error error;

	for (size_t shift = 0; shift < 2; shift++) {
		size_t length;

		memset(text, 'a', shift);
		for (size_t i = 0; i < 600 - shift; i++)
			memcpy(text + shift + 2 * i, "\xc3\xa4", 3);
		error_set(&error, ERROR_DATA, 0, "%s", text);
		length = strlen(error.msg);
		assert_true(length < sizeof(error.msg) && length > sizeof(error.msg) - 4);
		assert_string_equal(error.msg + length - 3, "...");
		assert_int_equal((length - 3 - shift) % 2, 0);
		error_prefix(&error, "p");
		assert_string_equal(error.msg + strlen(error.msg) - 3, "...");
	}
}

static void findings_are_collected(void **state)
{
	struct pos pos = {.file = "a.yaml", .line = 3, .column = 7};
	struct arena arena;
	struct diags diags = {.arena = &arena};
	struct diag *diag;

	arena_init(&arena);
	diags_add(&diags, SEVERITY_WARNING, ERROR_DATA, "odd", pos, "odd %s", "value");
	assert_false(diags_have_errors(&diags));
	assert_null(diags_first_error(&diags));
	for (int i = 0; i < 100; i++) {
		diag = diags_add(&diags, SEVERITY_ERROR, ERROR_MISSING, "missing", pos, "%d", i);
		assert_non_null(diag);
	}
	assert_int_equal(diags.n, 101);
	assert_true(diags_have_errors(&diags));
	assert_string_equal(diags_first_error(&diags)->text, "0");
	assert_string_equal(diags.v[0].text, "odd value");
	assert_int_equal(diags.v[0].pos.column, 7);
	assert_null(diags.v[100].hint);
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_returns_the_errno),
		cmocka_unit_test(a_prefix_goes_before),
		cmocka_unit_test(the_message_may_quote_itself),
		cmocka_unit_test(a_message_is_one_line_without_controls),
		cmocka_unit_test(a_long_message_is_cut_between_characters),
		cmocka_unit_test(findings_are_collected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
