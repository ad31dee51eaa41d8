/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One value in all its spellings, with and without quotes: what it becomes, or why not.
 */
#include "test_profile.h"

struct spelling {
	const char *text;  /* behind the colon */
	const char *value; /* what it becomes: text of the expression; NULL: refused */
	const char *says;  /* part of message or hint */
};

static void check_spelling(const char *format, const struct spelling *s)
{
	struct parsed parsed;
	char text[512];
	const struct diag *diag;

	snprintf(text, sizeof(text), RULE("    %s%s\n"), format, s->text);
	parse_text(&parsed, text);
	if (parsed.result != (s->value ? 0 : -EINVAL)) {
		print_message("%s%s\n", format, s->text);
		print_findings(&parsed.diags);
	}
	assert_int_equal(parsed.result, s->value ? 0 : -EINVAL);
	if (s->value) {
		const struct expr *expr = parsed.profile->rules[0].wishes[0].value;

		assert_string_equal(expr_text(&parsed.arena, expr), s->value);
		parsed_done(&parsed);
		return;
	}
	assert_int_equal(parsed.diags.n, 1);
	diag = &parsed.diags.v[0];
	if (!strstr(diag->text, s->says) && !(diag->hint && strstr(diag->hint, s->says)))
		fail_msg("%s%s: no \"%s\" in: %s [%s]", format, s->text, s->says, diag->text,
			diag->hint ? diag->hint : "");
	assert_int_equal(diag->pos.line, 4);
	assert_non_null(diag->pos.source);
	parsed_done(&parsed);
}

#define CHECK_ALL(format, ...)                                  \
	do {                                                    \
		const struct spelling all[] = {__VA_ARGS__};    \
                                                                \
		for (size_t at = 0; at < ARRAY_SIZE(all); at++) \
			check_spelling(format, &all[at]);       \
	} while (0)

static void test_sizes(void **state)
{
	CHECK_ALL("size: ", {"9000", "9000", NULL}, {"\"9000\"", "9000", NULL},
		{"'64KiB'", "65536", NULL}, {"0", "0", NULL}, {"1MiB", "1048576", NULL},
		{"10Gbit", NULL, "has another unit"}, {"5us", NULL, "has another unit"},
		{"64kb", NULL, "must be a number of bytes"}, {"-1", NULL, "not \"-1\""},
		{"+30", NULL, "not \"+30\""}, {"0x10", NULL, "not \"0x10\""},
		{"18446744073709551616", NULL, "64 bits"}, {"9 000", NULL, "must be"},
		{"on", NULL, "must be"}, {"~", NULL, "no value"}, {"null", NULL, "no value"},
		{"", NULL, "no value"}, {"\"\"", NULL, "no value"}, {"\" \"", NULL, "no value"},
		{"[1]", NULL, "not a list"}, {"{a: 1}", NULL, "without \"value\""},
		{"max", NULL, "must be"}, {"kepe", NULL, "did you mean keep?"});
}

/* What YAML 1.1 and 1.2 read differently is refused with and without quotes. */
static void test_traps(void **state)
{
	CHECK_ALL("size: ", {"010", NULL, "octal"}, {"\"010\"", NULL, "octal"},
		{"010", NULL, "leading zeros: 10"}, {"0o17", NULL, "octal"},
		{"1_000", NULL, "separators"}, {"'1_000'", NULL, "separators"},
		{"1e6", NULL, "floating point"}, {"1.5", NULL, "floating point"},
		{"1.5e+3", NULL, "floating point"}, {".5", NULL, "floating point"},
		{"1:30", NULL, "base 60"}, {"\"1:30\"", NULL, "base 60"},
		{"190:20:30", NULL, "base 60"});
}

static void test_counts(void **state)
{
	CHECK_ALL("rings: {rx: ", {"4096}", "4096", NULL}, {"max}", "max", NULL},
		{"\"max\"}", "max", NULL}, {"Max}", NULL, "did you mean max?"},
		{"64KiB}", NULL, "has another unit"}, {"all}", NULL, "must be a number or max"},
		{"{value: }}", NULL, "no value"},
		{"{value: 1, whi: x}}", NULL, "did you mean why?"},
		{"{valeu: 1}}", NULL, "without \"value\""},
		{"{value: {value: 1}}}", NULL, "not a mapping"});
}

static void test_times(void **state)
{
	CHECK_ALL("rings: {rx-usecs: ", {"50}", "50", NULL}, {"50us}", "50", NULL},
		{"2ms}", "2000", NULL}, {"1s}", "1000000", NULL}, {"50ns}", NULL, "microseconds"},
		{"1KiB}", NULL, "another unit"});
}

static void test_words(void **state)
{
	CHECK_ALL("rings: {split: ", {"auto}", "auto", NULL}, {"on}", "on", NULL},
		{"Yes}", "on", NULL}, {"false}", "off", NULL},
		{"aoto}", NULL, "did you mean auto?"}, {"maybe}", NULL, "must be auto, off or on"});
	CHECK_ALL("rings: {scheduler: ", {"fq}", "fq", NULL}, {"two words}", NULL, "a word"});
}

static void test_switches(void **state)
{
	/* B15: any case, quoted or not */
	CHECK_ALL("features: {tso: ", {"on}", "on", NULL}, {"\"off\"}", "off", NULL},
		{"no}", "off", NULL}, {"False}", "off", NULL}, {"\"True\"}", "on", NULL},
		{"YES}", "on", NULL}, {"1}", NULL, "on or off (true, false, yes, no)"},
		{"\"True \"}", NULL, "on or off"}, {"enabled}", NULL, "on or off"},
		{"onn}", NULL, "did you mean on?"}, {"[on]}", NULL, "not a list"},
		{"~}", NULL, "no value"});
}

static void test_unset_and_formulas_are_to_come(void **state)
{
	CHECK_ALL("size: ", {"unset", NULL, "not supported by this version of nettune"},
		{"\"= mtu\"", NULL, "not supported by this version of nettune"},
		{"= 2 * bdp", NULL, "not supported by this version of nettune"});
	CHECK_ALL("features: {a: ", {"unset}", NULL, "not supported"});
	CHECK_ALL("steer: ", {"\"= all\"", NULL, "not supported"});
}

static void test_cpu_sets(void **state)
{
	CHECK_ALL("steer: ", {"3", "3", NULL}, {"\"3\"", "3", NULL}, {"0-3,8", "0-3,8", NULL},
		{"\"8,0-3,2\"", "0-3,8", NULL}, {"0-9:1/2", "0,2,4,6,8", NULL},
		{"[0, 2-3, \"0x100\"]", "0,2-3,8", NULL}, {"none", "none", NULL},
		{"local", "local", NULL}, {"0x0", "none", NULL}, {"1000", "1000", NULL},
		{"\"\"", NULL, "no value"}, {"[]", NULL, "empty list"},
		{"3-1", NULL, "a list (0-3,8) or a mask (0xff)"}, {"0-", NULL, "a list"},
		{"9000", NULL, "numbers above 8191"}, {"lokal", NULL, "did you mean local?"},
		{"al", NULL, "did you mean all?"}, {"[0, x]", NULL, "a list"},
		{"{0: 1}", NULL, "in steer"});
}

/* B65, B66, B68: masks have 0x in profiles, and one meaning however many zeros lead. */
static void test_masks(void **state)
{
	CHECK_ALL("steer: ", {"0xff", "0-7", NULL}, {"\"0xFC\"", "2-7", NULL},
		{"0xff,ffffffff", "0-39", NULL}, {"0xffc0000", "18-27", NULL},
		{"\"0x1,00000008,00000001\"", "0,35,64", NULL},
		{"\"0x00000000,0000000c,f000c00f\"", "0-3,14-15,28-31,34-35", NULL},
		{"\"0xC,F000C00F\"", "0-3,14-15,28-31,34-35", NULL},
		{"ff", NULL, "\"0xff\" for the mask, or \"0-7\" for the same as a list"},
		{"\"00000003,00000000\"", NULL,
			"\"0x00000003,00000000\" for the mask, or \"32-33\""},
		{"\"f,fffc0000\"", NULL, "\"0xf,fffc0000\" for the mask, or \"18-35\""},
		{"00000003", NULL, "\"0x00000003\" for the mask, or \"0-1\""},
		{"010", NULL, "looks like a mask"}, {"1e6", NULL, "looks like a mask"},
		{"0xfg", NULL, "mask"}, {"0x", NULL, "mask"});
}

/* What the host's kinds take: B01, B06. */
static void check_host(const struct spelling *s)
{
	struct parsed parsed;
	char text[512];

	snprintf(text, sizeof(text), HOST("  net.a: %s\n"), s->text);
	parse_text(&parsed, text);
	if (parsed.result != (s->value ? 0 : -EINVAL))
		print_findings(&parsed.diags);
	assert_int_equal(parsed.result, s->value ? 0 : -EINVAL);
	if (s->value) {
		assert_string_equal(
			expr_text(&parsed.arena, parsed.profile->wishes[0].value), s->value);
	} else {
		assert_int_equal(parsed.diags.n, 1);
		if (!strstr(parsed.diags.v[0].text, s->says))
			fail_msg("%s: no \"%s\" in: %s", s->text, s->says, parsed.diags.v[0].text);
	}
	parsed_done(&parsed);
}

static void test_vectors(void **state)
{
	const struct spelling all[] = {
		{"4096 131072 6291456", "4096 131072 6291456", NULL},
		{"\"4096  131072\t6291456\"", "4096 131072 6291456", NULL},
		{"[4096, 131072, 6291456]", "4096 131072 6291456", NULL},
		{"\"1\"", "1", NULL},
		{"0x1", "0x1", NULL},
		{"\"0x1\"", "0x1", NULL},
		{"-1", "-1", NULL},
		{"bbr", "bbr", NULL},
		{"8080-8090,3000", "8080-8090,3000", NULL},
		{"keep", "keep", NULL},
		{"010", NULL, "octal"},
		{"\"010\"", NULL, "octal"},
		{"4096 0131072 6291456", NULL, "octal"},
		{"[4096, 010]", NULL, "octal"},
		{"1_000", NULL, "separators"},
		{"1e6", NULL, "floating point"},
		{"1:30", NULL, "base 60"},
		{"", NULL, "no value"},
		{"null", NULL, "no value"},
		{"[]", NULL, "empty list"},
		{"[1, []]", NULL, "not a list"},
		{"[1, ~]", NULL, "no value"},
		{"[4096, \"= 2 * bdp\"]", NULL, "not supported"},
		{"\"= 2 * bdp\"", NULL, "not supported"},
		{"unset", NULL, "not supported"},
		{"13", NULL, "no luck"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		check_host(&all[i]);
}

/* A list stays a list: with what its items are joined is up to the kind. */
static void test_lists(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(&parsed, HOST("  net.a: [8080, 9000-9010]\n"));
	const struct expr *expr = profile->wishes[0].value;

	assert_int_equal(expr->op, EXPR_LIST);
	assert_int_equal(expr->nargs, 2);
	assert_string_equal(expr->arg[1]->value.text, "9000-9010");
	assert_int_equal(expr->arg[1]->pos.column, 17);
	parsed_done(&parsed);
}

/* B80: "rps: 0" is CPU 0, and may have been meant as "off". */
static void test_zero_is_a_cpu(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(&parsed, RULE("    steer: 0\n"));

	assert_string_equal(profile->rules[0].wishes[0].value->value.text, "0");
	assert_int_equal(parsed.diags.n, 1);
	assert_int_equal(parsed.diags.v[0].severity, SEVERITY_WARNING);
	assert_non_null(strstr(parsed.diags.v[0].hint, "none"));
	parsed_done(&parsed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_traps),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_switches),
		cmocka_unit_test(test_unset_and_formulas_are_to_come),
		cmocka_unit_test(test_cpu_sets),
		cmocka_unit_test(test_masks),
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_zero_is_a_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
