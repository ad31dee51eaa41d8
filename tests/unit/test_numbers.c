/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers and quantities, strictly; and the words that people meant.
 */
#include "util/numbers.h"

#include "unit/test.h"
#include "util/macros.h"

#include <errno.h>
#include <inttypes.h>

static void numbers_are_plain_decimals(void **state)
{
	static const char *const bad[] = {"", " ", "-1", "+1", " 1", "1 ", "1\n", "01", "00",
		"0x10", "1e3", "1.5", "1_000", "1,000", "a", "1a", "18446744073709551616x"};
	uint64_t number = 7;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(number_parse(bad[i], &number), -EINVAL);
	assert_int_equal(number_parse("18446744073709551616", &number), -ERANGE);
	assert_int_equal(number_parse("99999999999999999999999999", &number), -ERANGE);
	assert_int_equal(number, 7);
	assert_int_equal(number_parse("0", &number), 0);
	assert_int_equal(number, 0);
	assert_int_equal(number_parse("18446744073709551615", &number), 0);
	assert_true(number == UINT64_MAX);
}

static void quantities_in_their_base_unit(void **state)
{
	static const struct {
		const char *text;
		enum unit unit;
		uint64_t number;
	} cases[] = {
		{"4096", UNIT_NONE, 4096},
		{"64KiB", UNIT_BYTES, 65536},
		{"16MiB", UNIT_BYTES, 16777216},
		{"1GiB", UNIT_BYTES, 1073741824},
		{"1TiB", UNIT_BYTES, UINT64_C(1) << 40},
		{"9000B", UNIT_BYTES, 9000},
		{"9000", UNIT_BYTES, 9000},
		{"10Gbit", UNIT_RATE, UINT64_C(10000000000)},
		{"100Mbit", UNIT_RATE, 100000000},
		{"64Kbit", UNIT_RATE, 64000},
		{"1Tbit", UNIT_RATE, UINT64_C(1000000000000)},
		{"5bit", UNIT_RATE, 5},
		{"500us", UNIT_USECS, 500},
		{"2ms", UNIT_USECS, 2000},
		{"1s", UNIT_USECS, 1000000},
		{"50", UNIT_USECS, 50},
		{"0ms", UNIT_USECS, 0},
		{"60", UNIT_SECONDS, 60},
		{"60s", UNIT_SECONDS, 60},
		{"2000ms", UNIT_SECONDS, 2},
		{"3000000us", UNIT_SECONDS, 3},
		{"18446744073709551615s", UNIT_SECONDS, UINT64_MAX},
		{"16777215TiB", UNIT_BYTES, UINT64_C(16777215) << 40},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t number = 1;

		assert_int_equal(quantity_parse(cases[i].text, cases[i].unit, &number), 0);
		assert_true(number == cases[i].number);
	}
}

static void quantities_are_strict(void **state)
{
	static const struct {
		const char *text;
		enum unit unit;
		int r;
	} cases[] = {
		{"", UNIT_BYTES, -EINVAL},
		{"KiB", UNIT_BYTES, -EINVAL},
		{"64 KiB", UNIT_BYTES, -EINVAL},
		{" 64KiB", UNIT_BYTES, -EINVAL},
		{"64KiB ", UNIT_BYTES, -EINVAL},
		{"+64KiB", UNIT_BYTES, -EINVAL},
		{"-64KiB", UNIT_BYTES, -EINVAL},
		{"1.5KiB", UNIT_BYTES, -EINVAL},
		{"064KiB", UNIT_BYTES, -EINVAL},
		{"64kib", UNIT_BYTES, -EINVAL},
		{"64KIB", UNIT_BYTES, -EINVAL},
		{"64K", UNIT_BYTES, -EINVAL},
		{"64k", UNIT_BYTES, -EINVAL},
		{"64KB", UNIT_BYTES, -EINVAL},
		{"64M", UNIT_BYTES, -EINVAL},
		{"64b", UNIT_BYTES, -EINVAL},
		{"10gbit", UNIT_RATE, -EINVAL},
		{"10G", UNIT_RATE, -EINVAL},
		{"10Gbps", UNIT_RATE, -EINVAL},
		{"10Gb", UNIT_RATE, -EINVAL},
		{"10Gbit/s", UNIT_RATE, -EINVAL},
		{"1m", UNIT_USECS, -EINVAL},
		{"1min", UNIT_USECS, -EINVAL},
		{"1h", UNIT_SECONDS, -EINVAL},
		{"1sec", UNIT_SECONDS, -EINVAL},
		{"1S", UNIT_SECONDS, -EINVAL},
		{"1ns", UNIT_USECS, -EINVAL},
		{"99999999999999999999zz", UNIT_BYTES, -EINVAL},
		{"64KiB", UNIT_USECS, -EDOM},
		{"64KiB", UNIT_NONE, -EDOM},
		{"2ms", UNIT_BYTES, -EDOM},
		{"2ms", UNIT_NONE, -EDOM},
		{"10Gbit", UNIT_BYTES, -EDOM},
		{"64KiB", UNIT_RATE, -EDOM},
		{"1500ms", UNIT_SECONDS, -EDOM},
		{"1us", UNIT_SECONDS, -EDOM},
		{"16777216TiB", UNIT_BYTES, -ERANGE},
		{"18446744073709551616", UNIT_BYTES, -ERANGE},
		{"18446744073709551616B", UNIT_BYTES, -ERANGE},
		{"18446744073709552s", UNIT_USECS, -ERANGE},
	};
	uint64_t number = 7;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(quantity_parse(cases[i].text, cases[i].unit, &number), cases[i].r);
	assert_int_equal(number, 7);
}

static void bytes_are_shown_with_the_largest_whole_unit(void **state)
{
	struct arena arena;

	arena_init(&arena);
	assert_string_equal(bytes_format(&arena, 134217728), "134217728 (128 MiB)");
	assert_string_equal(bytes_format(&arena, 1024), "1024 (1 KiB)");
	assert_string_equal(bytes_format(&arena, 1048576 + 1024), "1049600 (1025 KiB)");
	assert_string_equal(bytes_format(&arena, UINT64_C(1) << 43), "8796093022208 (8 TiB)");
	assert_string_equal(bytes_format(&arena, 1536), "1536");
	assert_string_equal(bytes_format(&arena, 1500), "1500");
	assert_string_equal(bytes_format(&arena, 0), "0");
	arena_done(&arena);
}

static void the_nearest_word(void **state)
{
	static const char *const words[] = {"rx-usecs", "rx-frames", "tx-usecs", "adaptive-rx",
		"channels", "coalesce", "gro", "gso", "tso", NULL};
	static const struct {
		const char *word, *nearest;
	} cases[] = {
		{"rx-usec", "rx-usecs"},
		{"rx_usecs", "rx-usecs"},
		{"xr-usecs", "rx-usecs"},
		{"RX-USECS", "rx-usecs"},
		{"coalescing", "coalesce"},
		{"chanels", "channels"},
		{"gor", "gro"},
		{"adaptiverx", "adaptive-rx"},
		{"rings", NULL},
		{"x", NULL},
		{"", NULL},
		{"completely-different", NULL},
		{"this-word-is-longer-than-any-word-that-anybody-would-mistype", NULL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *nearest = nearest_word(cases[i].word, words);

		if (cases[i].nearest)
			assert_string_equal(nearest, cases[i].nearest);
		else
			assert_null(nearest);
	}
	assert_null(nearest_word("gro", (const char *const[]){NULL}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_plain_decimals),
		cmocka_unit_test(quantities_in_their_base_unit),
		cmocka_unit_test(quantities_are_strict),
		cmocka_unit_test(bytes_are_shown_with_the_largest_whole_unit),
		cmocka_unit_test(the_nearest_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
