/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU lists and masks: the examples of lib/bitmap.c and of fault reports, and random sets against
 * a second, simple-minded implementation of the two spellings.
 */
#include "util/cpuset.h"

#include "unit/test.h"
#include "util/macros.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const unsigned machines[] = {2, 4, 31, 32, 33, 63, 64, 65, 72, 256};

static uint32_t random_seed;

static uint32_t random_next(void)
{
	random_seed ^= random_seed << 13;
	random_seed ^= random_seed >> 17;
	random_seed ^= random_seed << 5;
	return random_seed;
}

static int setup(void **state)
{
	static struct arena arena;

	arena_init(&arena);
	*state = &arena;
	random_seed = 20240229;
	return 0;
}

static int teardown(void **state)
{
	assert_false(arena_failed(*state));
	arena_done(*state);
	return 0;
}

/* Members with a probability of density / 8. */
static void random_set(struct cpuset *set, unsigned cpus, unsigned density)
{
	cpuset_clear(set);
	for (unsigned i = 0; i < cpus; i++) {
		if (random_next() % 8 < density)
			cpuset_add(set, i);
	}
}

/* As the kernel prints a mask of `cpus` bits (%*pb): padded, a comma every 32 bits. */
static void reference_mask(const struct cpuset *set, unsigned cpus, char *text, size_t size)
{
	unsigned digits = (cpus + 3) / 4;
	size_t n = 0;

	for (unsigned i = digits; i-- > 0;) {
		unsigned digit = 0;

		for (unsigned bit = 0; bit < 4; bit++)
			digit |= (unsigned)cpuset_has(set, 4 * i + bit) << bit;
		n += (size_t)snprintf(text + n, size - n, i && i % 8 == 0 ? "%x," : "%x", digit);
	}
}

/* Every member for itself, which the kernel takes as well. */
static void reference_list(const struct cpuset *set, unsigned cpus, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < cpus; i++) {
		if (cpuset_has(set, i))
			n += (size_t)snprintf(text + n, size - n, n ? ",%u" : "%u", i);
	}
}

static void check_set(struct arena *arena, const struct cpuset *set, unsigned cpus)
{
	char mask[CPUSET_MAX], padded[CPUSET_MAX + 32], list[5 * CPUSET_MAX];
	struct cpuset parsed;
	const char *text;

	reference_list(set, cpus, list, sizeof(list));
	assert_int_equal(cpuset_parse_list(list, &parsed), 0);
	assert_true(cpuset_equal(&parsed, set));
	text = cpuset_format_list(arena, set);
	assert_int_equal(cpuset_parse_list(text, &parsed), 0);
	assert_true(cpuset_equal(&parsed, set));

	reference_mask(set, cpus, mask, sizeof(mask));
	assert_int_equal(cpuset_parse_mask(mask, &parsed), 0);
	assert_true(cpuset_equal(&parsed, set));
	snprintf(padded, sizeof(padded), "00000000,00000000,%s\n", mask);
	assert_int_equal(cpuset_parse_mask(padded, &parsed), 0);
	assert_true(cpuset_equal(&parsed, set));

	text = cpuset_format_mask(arena, set);
	assert_true(strlen(text) <= strlen(mask));
	assert_true(text[0] != '0' || strcmp(text, "0") == 0);
	/* The reference without the zeros and commas in front is the canonical one. */
	assert_string_equal(text, cpuset_is_empty(set) ? "0" : mask + strspn(mask, "0,"));
	assert_int_equal(cpuset_parse_mask(text, &parsed), 0);
	assert_true(cpuset_equal(&parsed, set));
}

static void random_sets_survive_both_spellings(void **state)
{
	struct cpuset set;

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		for (unsigned round = 0; round < 180; round++) {
			random_set(&set, machines[i], round % 9);
			check_set(*state, &set, machines[i]);
		}
	}
}

static void each_single_cpu_survives(void **state)
{
	struct cpuset set;

	for (unsigned cpu = 0; cpu < 256; cpu++) {
		cpuset_clear(&set);
		cpuset_add(&set, cpu);
		check_set(*state, &set, 256);
		assert_int_equal(cpuset_last(&set), cpu);
		assert_int_equal(cpuset_nth(&set, 0), cpu);
		assert_int_equal(cpuset_nth(&set, 1), -1);
	}
	cpuset_clear(&set);
	for (unsigned cpu = 0; cpu < CPUSET_MAX; cpu++)
		cpuset_add(&set, cpu);
	assert_string_equal(cpuset_format_list(*state, &set), "0-8191");
	/* The longest list there is. */
	for (unsigned cpu = 2; cpu < CPUSET_MAX; cpu += 3)
		cpuset_remove(&set, cpu);
	check_set(*state, &set, CPUSET_MAX);
}

static void operations_agree_with_their_definition(void **state)
{
	struct cpuset a, b, both, either, less;
	unsigned count = 0;

	random_set(&a, 256, 3);
	random_set(&b, 256, 5);
	both = either = less = a;
	cpuset_and(&both, &b);
	cpuset_or(&either, &b);
	cpuset_subtract(&less, &b);
	for (unsigned i = 0; i < 256; i++) {
		bool in_a = cpuset_has(&a, i), in_b = cpuset_has(&b, i);

		assert_int_equal(cpuset_has(&both, i), in_a && in_b);
		assert_int_equal(cpuset_has(&either, i), in_a || in_b);
		assert_int_equal(cpuset_has(&less, i), in_a && !in_b);
		if (in_a)
			assert_int_equal(cpuset_nth(&a, count++), i);
	}
	assert_int_equal(cpuset_count(&a), count);
	assert_int_equal(cpuset_nth(&a, count), -1);
	assert_true(cpuset_is_subset(&both, &a) && cpuset_is_subset(&a, &either));
	assert_false(cpuset_is_subset(&either, &a));
	cpuset_subtract(&a, &a);
	assert_true(cpuset_is_empty(&a));
	assert_int_equal(cpuset_last(&a), 0);
	assert_false(cpuset_has(&a, CPUSET_MAX));
}

static void lists_are_read_as_the_kernel_reads_them(void **state)
{
	static const struct {
		const char *text, *canonical;
	} cases[] = {
		{"", ""},
		{" \n", ""},
		{"0", "0"},
		{" 0-3,8\n", "0-3,8"},
		{"8,0-3", "0-3,8"},
		{"3,2,1,0", "0-3"},
		{"0-3,2-5", "0-5"},
		{"7-7", "7"},
		{"0,1", "0-1"},
		{"0-9:1/2", "0,2,4,6,8"},
		{"0-9:2/4", "0-1,4-5,8-9"},
		{"2-9:1/3", "2,5,8"},
		{"0-9:3/3", "0-9"},
		{"0-9:0/2", ""},
		{"0-2:1/4294967294", "0"},
		{"8191", "8191"},
	};
	struct cpuset set;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(cpuset_parse_list(cases[i].text, &set), 0);
		assert_string_equal(cpuset_format_list(*state, &set), cases[i].canonical);
	}
}

static void bad_lists_are_refused(void **state)
{
	static const struct {
		const char *text;
		int r;
	} cases[] = {
		{"3-1", -EINVAL},
		{"1-0", -EINVAL},
		{"99999-9", -EINVAL},
		{",", -EINVAL},
		{"1,", -EINVAL},
		{",1", -EINVAL},
		{"1,,2", -EINVAL},
		{"1 2", -EINVAL},
		{"1, 2", -EINVAL},
		{"1-", -EINVAL},
		{"-1", -EINVAL},
		{"1--2", -EINVAL},
		{"+1", -EINVAL},
		{"0x3", -EINVAL},
		{"ff", -EINVAL},
		{"01", -EINVAL},
		{"all", -EINVAL},
		{"5:1/2", -EINVAL},
		{"0-9:1", -EINVAL},
		{"0-9:1/", -EINVAL},
		{"0-9:/2", -EINVAL},
		{"0-9:1/0", -EINVAL},
		{"0-9:3/2", -EINVAL},
		{"0-9:1/2x", -EINVAL},
		{"8192", -ERANGE},
		{"0-8192", -ERANGE},
		{"4294967296", -ERANGE},
		{"18446744073709551616", -ERANGE},
		{"8192,x", -EINVAL},
	};
	struct cpuset set = {}, before;

	cpuset_add(&set, 5);
	before = set;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(cpuset_parse_list(cases[i].text, &set), cases[i].r);
		assert_true(cpuset_equal(&set, &before));
	}
}

static void masks_over_32_cpus(void **state)
{
	struct cpuset set;

	assert_int_equal(cpuset_parse_list("0,35,64", &set), 0);
	assert_string_equal(cpuset_format_mask(*state, &set), "1,00000008,00000001");
	assert_int_equal(cpuset_parse_mask("ffffc0000", &set), 0);
	assert_string_equal(cpuset_format_mask(*state, &set), "f,fffc0000");
	assert_string_equal(cpuset_format_list(*state, &set), "18-35");
	assert_int_equal(cpuset_parse_list("71", &set), 0);
	assert_string_equal(cpuset_format_mask(*state, &set), "80,00000000,00000000");
	assert_int_equal(cpuset_parse_mask("1,0", &set), 0);
	assert_string_equal(cpuset_format_list(*state, &set), "32");
}

static void spellings_of_one_mask_are_equal(void **state)
{
	static const char *const texts[] = {"c,f000c00f", "0000000c,f000c00f", "c,f000c00f\n",
		"00000000,0000000c,f000c00f", "C,F000C00F", "cf000c00f", "0xc,f000c00f",
		"0xCF000C00F", " 0Xc,f000c00f ", "0,0,0,c,f000c00f",
		"0000000000000000000000000000000cf000c00f"};
	struct cpuset set, first;

	assert_int_equal(cpuset_parse_mask(texts[0], &first), 0);
	assert_string_equal(cpuset_format_list(*state, &first), "0-3,14-15,28-31,34-35");
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(cpuset_parse_mask(texts[i], &set), 0);
		assert_true(cpuset_equal(&set, &first));
		assert_string_equal(cpuset_format_mask(*state, &set), "c,f000c00f");
	}
}

static void masks_are_written_without_leading_zeros(void **state)
{
	struct cpuset set;

	assert_int_equal(cpuset_parse_mask("00000000,00000003", &set), 0);
	assert_string_equal(cpuset_format_mask(*state, &set), "3");
	assert_int_equal(cpuset_parse_mask("ff", &set), 0);
	assert_int_equal(cpuset_last(&set), 7);
	assert_int_equal(cpuset_parse_mask("0", &set), 0);
	assert_string_equal(cpuset_format_mask(*state, &set), "0");
	assert_string_equal(cpuset_format_list(*state, &set), "");
}

static void bad_masks_are_refused(void **state)
{
	static const char *const texts[] = {"", " ", "0x", ",", "f,", ",f", "1,,0", "zz", "-1",
		"+f", "0-3", "f f", "123456789,0", "1,123456789", "0x1,0x1", "0xg", "x1"};
	struct cpuset set = {}, before;
	char huge[CPUSET_MAX / 4 + 2];

	cpuset_add(&set, 5);
	before = set;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(cpuset_parse_mask(texts[i], &set), -EINVAL);
	memset(huge, '0', sizeof(huge) - 1);
	huge[sizeof(huge) - 1] = '\0';
	huge[0] = '1'; /* bit 8192 */
	assert_int_equal(cpuset_parse_mask(huge, &set), -ERANGE);
	assert_true(cpuset_equal(&set, &before));
	huge[0] = '0';
	assert_int_equal(cpuset_parse_mask(huge, &set), 0);
	assert_true(cpuset_is_empty(&set));
}

/* Whatever is accepted survives a round trip; whatever is not leaves the result alone. */
static void random_texts_do_no_harm(void **state)
{
	static const char letters[] = "0123456789abfFx-,:/ \n";
	struct cpuset set = {}, again;

	for (unsigned round = 0; round < 20000; round++) {
		struct cpuset before = set;
		unsigned length = random_next() % 12;
		char text[16] = "";
		int r;

		for (unsigned i = 0; i < length; i++)
			text[i] = letters[random_next() % (sizeof(letters) - 1)];
		r = cpuset_parse_list(text, &set);
		assert_true(r == 0 || r == -EINVAL || r == -ERANGE);
		if (r)
			assert_true(cpuset_equal(&set, &before));
		assert_int_equal(cpuset_parse_list(cpuset_format_list(*state, &set), &again), 0);
		assert_true(cpuset_equal(&set, &again));
		r = cpuset_parse_mask(text, &set);
		assert_true(r == 0 || r == -EINVAL || r == -ERANGE);
		assert_int_equal(cpuset_parse_mask(cpuset_format_mask(*state, &set), &again), 0);
		assert_true(cpuset_equal(&set, &again));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_sets_survive_both_spellings),
		cmocka_unit_test(each_single_cpu_survives),
		cmocka_unit_test(operations_agree_with_their_definition),
		cmocka_unit_test(lists_are_read_as_the_kernel_reads_them),
		cmocka_unit_test(bad_lists_are_refused),
		cmocka_unit_test(masks_over_32_cpus),
		cmocka_unit_test(spellings_of_one_mask_are_equal),
		cmocka_unit_test(masks_are_written_without_leading_zeros),
		cmocka_unit_test(bad_masks_are_refused),
		cmocka_unit_test(random_texts_do_no_harm),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
