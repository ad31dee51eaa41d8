/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mistakes in profiles: each with its place, a stable word, and what to do about it; all of a file
 * at once.
 */
#include "test_profile.h"

struct finding {
	unsigned line, column;
	const char *id;
	const char *text; /* part of it; NULL = any */
	const char *hint; /* part of it; NULL = any */
};

#define FINDINGS_MAX 12

struct mistake {
	const char *profile;
	struct finding findings[FINDINGS_MAX];
};

static void check_finding(const struct diag *diag, const struct finding *wanted)
{
	assert_int_equal(diag->severity, SEVERITY_ERROR);
	assert_string_equal(diag->id, wanted->id);
	assert_int_equal(diag->pos.line, wanted->line);
	assert_int_equal(diag->pos.column, wanted->column);
	assert_string_equal(diag->pos.file, "test.yaml");
	if (wanted->text && !strstr(diag->text, wanted->text))
		fail_msg("no \"%s\" in: %s", wanted->text, diag->text);
	if (wanted->hint && (!diag->hint || !strstr(diag->hint, wanted->hint)))
		fail_msg("no \"%s\" in hint: %s", wanted->hint, diag->hint ? diag->hint : "-");
}

static size_t count_findings(const struct mistake *mistake)
{
	size_t n = 0;

	while (n < FINDINGS_MAX && mistake->findings[n].id)
		n++;
	return n;
}

static void check_mistake(const struct mistake *mistake)
{
	size_t n = count_findings(mistake);
	struct parsed parsed;

	parse_text(&parsed, mistake->profile);
	if (parsed.result != -EINVAL || parsed.diags.n != n) {
		print_message("--- in:\n%s--- found:\n", mistake->profile);
		print_findings(&parsed.diags);
	}
	assert_int_equal(parsed.result, -EINVAL);
	assert_null(parsed.profile);
	assert_int_equal(parsed.diags.n, n);
	for (size_t i = 0; i < n; i++)
		check_finding(&parsed.diags.v[i], &mistake->findings[i]);
	parsed_done(&parsed);
}

#define CHECK_ALL(...)                                             \
	do {                                                       \
		static const struct mistake all[] = {__VA_ARGS__}; \
                                                                   \
		for (size_t at = 0; at < ARRAY_SIZE(all); at++)    \
			check_mistake(&all[at]);                   \
	} while (0)

/* What libyaml would only call a syntax error, or worse, take for something else. */
static void test_values_that_must_be_quoted(void **state)
{
	CHECK_ALL({"name: t\nx-a:\n  name: *\n",
			  {{3, 9, "yaml-syntax", "begins with \"*\"", "quote this value: \"*\""}}},
		{"x-a: {name: *, up: on, u: @}\nname: on\n",
			{{1, 13, "yaml-syntax", "begins with \"*\"", "quote this value: \"*\""},
				{1, 27, "yaml-syntax", "begins with \"@\"", NULL},
				{2, 7, "ambiguous-value", NULL, NULL}}},
		{"name: t\nx-a: [eth*, *.5]\n",
			{{2, 13, "yaml-syntax", "begins with \"*\"", "quote this value: \"*.5\""}}},
		{"name: t\nx-a: *eth # comment\n",
			{{2, 6, "yaml-feature", "aliases", "quote this value: \"*eth\""}}},
		{"name: t\nx-a: >= 10Gbit # comment\n",
			{{2, 6, "yaml-syntax", "begins with \">\"",
				"quote this value: \">= 10Gbit\""}}},
		{"name: t\nx-a: {a: >= 10Gbit}\n", {{2, 10, "yaml-syntax", "begins with \">\"",
							   "quote this value: \">= 10Gbit\""}}},
		{"name: t\nx-a: !eth0\n",
			{{2, 6, "yaml-feature", "tags", "quote this value: \"!eth0\""}}},
		{"name: t\nx-a: != 10Gbit\n", {{2, 6, "yaml-feature", "tags", "\"!= 10Gbit\""}}},
		{"name: t\nx-a: %h\n", {{2, 6, "yaml-syntax", "begins with \"%\"", "\"%h\""}}},
		{"name: t\nx-a: @home\n",
			{{2, 6, "yaml-syntax", "begins with \"@\"", "\"@home\""}}},
		{"name: t\nx-a: `id`\n", {{2, 6, "yaml-syntax", "begins with \"`\"", "\"`id`\""}}},
		{"name: t\nx-a: &\n", {{2, 6, "yaml-syntax", "begins with \"&\"", NULL}}},
		{"name: t\nx-\xc3\xa4: @\xc3\xb6\n",
			{{2, 6, "yaml-syntax", NULL, "quote this value: \"@\xc3\xb6\""}}}, );
}

/* Reading goes on behind such a value, but not for ever. */
static void test_many_values_that_must_be_quoted(void **state)
{
	struct parsed parsed;
	char text[256] = "name: t\nx-a: [";

	for (unsigned i = 0; i < 30; i++)
		strcat(text, "@a,");
	strcat(text, "]\n");
	parse_text(&parsed, text);
	assert_int_equal(parsed.result, -EINVAL);
	assert_int_equal(parsed.diags.n, 21);
	assert_int_equal(parsed.diags.v[20].pos.column, 7 + 3 * 20);
	parsed_done(&parsed);
}

static void test_yaml_that_profiles_do_without(void **state)
{
	CHECK_ALL({"name: t\nx-a: &b 1\n", {{2, 6, "yaml-feature", "anchors", NULL}}},
		{"name: t\nx-a: !!str 1\n", {{2, 6, "yaml-feature", "tags", NULL}}},
		{"name: t\nx-a: !set {a: 1}\n", {{2, 6, "yaml-feature", "tags", NULL}}},
		{"name: t\nx-a: &b [1]\n", {{2, 6, "yaml-feature", "anchors", NULL}}},
		{"name: t\nx-a:\n  <<: {a: 1}\n", {{3, 3, "yaml-feature", "merge keys", NULL}}},
		{"name: t\nx-a: {*b : 1}\n", {{2, 7, "yaml-feature", "aliases", NULL}}},
		{"name: t\n---\nname: u\n", {{2, 1, "yaml-feature", "second document", NULL}}},
		{"name: t\n? [a]\n: b\n", {{2, 3, "bad-key", "a key must be one word", NULL}}},
		{"name: t\nx-a: {\"\": 1}\n", {{2, 7, "bad-key", "empty", NULL}}},
		{"name: t\nx-a: {\"a\\tb\": 1}\n", {{2, 7, "bad-key", "control", NULL}}},
		{"name: t\ndescription: \"a\\eb\"\n", {{2, 14, "bad-value", "control", NULL}}}, );
}

static void test_broken_yaml(void **state)
{
	CHECK_ALL({"name: t\nsys:\n\tnet.a: 1\n",
			  {{3, 1, "yaml-syntax", NULL, "blanks, not with tabs"}}},
		{"name: t\ndescription: foo: bar\n",
			{{2, 17, "yaml-syntax", "mapping values", "quote a value"}}},
		{"name: t\nx-a: [1, 2\n", {{3, 1, "yaml-syntax", "from line 2 on", NULL}}},
		{"name: t\nx-a: \"abc\n", {{3, 1, "yaml-syntax", "end of stream", NULL}}},
		{"name: t\nx-a: \"\xff\"\n", {{2, 7, "yaml-syntax", "UTF-8", NULL}}},
		{"name: t\nx-a: \x01\n", {{2, 6, "yaml-syntax", "control characters", NULL}}}, );
}

static void test_files_that_are_no_profile(void **state)
{
	CHECK_ALL({"", {{1, 1, "empty-value", "the file is empty", NULL}}},
		{"# only a comment\n", {{1, 1, "empty-value", "the file is empty", NULL}}},
		{"- a\n", {{1, 1, "bad-value", "must be a mapping", NULL}}},
		{"just words\n", {{1, 1, "bad-value", "must be a mapping", NULL}}},
		{"{}\n", {{1, 1, "missing-key", "no name", NULL}}}, );
}

static void test_top_level(void **state)
{
	CHECK_ALL({"nmae: t\n", {{1, 1, "missing-key", NULL, NULL},
					{1, 1, "unknown-key", "\"nmae\" in a profile",
						"did you mean name?"}}},
		{"name: t\nrings: {rx: 1}\n",
			{{2, 1, "unknown-key", "a setting of interfaces", "below interfaces"}}},
		{"name: 1.10\n", {{1, 7, "ambiguous-value", "floating", "quote it: \"1.10\""}}},
		{"name: on\n", {{1, 7, "ambiguous-value", "a truth value", NULL}}},
		{"name: 2024-01-01\n", {{1, 7, "ambiguous-value", "a date", NULL}}},
		{"name: 0x10\n", {{1, 7, "ambiguous-value", "a number", NULL}}},
		{"name: \"../x\"\n", {{1, 7, "bad-value", "letters", NULL}}},
		{"name: [t]\n", {{1, 7, "bad-value", "not a list", NULL}}},
		{"name:\nversion:\n", {{1, 6, "empty-value", "name has no value", NULL},
					      {2, 9, "empty-value", "version has no value", NULL}}},
		{"name: t\nversion: 1.2\n", {{2, 10, "bad-value", "whole number", NULL}}},
		{"name: t\nversion: 0\n", {{2, 10, "bad-value", "whole number", NULL}}},
		{"name: t\nversion: 010\n", {{2, 10, "bad-value", NULL, "leading zeros: 10"}}},
		{"name: t\nrequires: \"1.2\"\n", {{2, 11, "bad-value", NULL, "\">= 1.2\""}}},
		{"name: t\nrequires: 1.2\n", {{2, 11, "ambiguous-value", NULL, NULL}}},
		{"name: t\nrequires: \">= one\"\n", {{2, 11, "bad-value", NULL, NULL}}},
		{"name: t\non-unsupported: ignore\n", {{2, 17, "bad-value", "skip or fail", NULL}}},
		{"name: t\nextends: [u]\n",
			{{2, 1, "not-supported",
				"extends is not supported by this version of nettune", NULL}}},
		{"name: t\nparameters: {a: 1}\n", {{2, 1, "not-supported", "parameters", NULL}}},
		{"name: t\nname: u\n",
			{{2, 1, "duplicate-key",
				"\"name\" is given twice; first on line 1, column 1", NULL}}},
		{"name: t\nsys: 1\n", {{2, 6, "bad-value", "sys needs a mapping", NULL}}},
		{"name: t\nsys:\n", {{2, 5, "bad-value", "sys needs a mapping", NULL}}}, );
}

static void test_rules(void **state)
{
	CHECK_ALL({"name: t\ninterfaces: {match: {up: on}}\n",
			  {{2, 13, "bad-value", "list of rules", "dash"}}},
		{"name: t\ninterfaces:\n", {{2, 12, "empty-value", "no value", NULL}}},
		{"name: t\ninterfaces: [eth0]\n", {{2, 14, "bad-value", "a mapping", NULL}}},
		{"name: t\ninterfaces:\n  - rings: {rx: 1}\n",
			{{3, 5, "missing-key", "no match", "match: {kind: physical}"}}},
		{RULE(""), {{3, 5, "no-settings", "sets nothing", NULL}}},
		{RULE("    ringz: {rx: 1}\n"),
			{{4, 5, "unknown-key", "\"ringz\" in a rule", "did you mean rings?"}}},
		{RULE("    sys: {net.a: 1}\n"),
			{{4, 5, "not-supported", "sys in a rule is not supported", NULL}}},
		{RULE("    hidden: {table: 1}\n"), {{4, 5, "not-supported", "hidden", NULL}}},
		{RULE("    when: x\n"), {{4, 5, "not-supported", "when", NULL}}},
		{RULE("    optional: 1\n    rings: {rx: 1}\n"),
			{{4, 15, "bad-value", "on or off", NULL}}},
		{RULE("    rings: 512\n"), {{4, 12, "bad-value", "needs a mapping", NULL}}},
		{RULE("    rings: keep\n"), {{4, 12, "bad-value", "needs a mapping", NULL}}}, );
}

static void test_settings(void **state)
{
	CHECK_ALL(
		{RULE("    rings: {rxx: 1}\n"), {{4, 13, "unknown-key", NULL, "did you mean rx?"}}},
		{RULE("    rings: {rx_usecs: 1}\n"),
			{{4, 13, "unknown-key", NULL, "did you mean rx-usecs?"}}},
		{RULE("    rings: {seen: 1}\n"), {{4, 13, "not-supported", "rings.seen", NULL}}},
		{RULE("    irq: {cpus: 1}\n"), {{4, 11, "not-supported", "irq.cpus", NULL}}},
		{RULE("    features: {tso: on, sg: off}\n"),
			{{4, 16, "contradiction", "tso needs sg", NULL}}},
		{RULE("    steer: {cpus: 1,2}\n"),
			{{4, 21, "unknown-key", "\"2\" in steer", "quote a list"}}},
		{RULE("    steer: {queues: {x: 1}}\n"),
			{{4, 22, "bad-key", "queue numbers", NULL}}},
		{RULE("    steer: {queues: all}\n"), {{4, 21, "bad-value", "a mapping", NULL}}},
		{RULE("    steer: {queues: {}}\n"), {{4, 21, "bad-value", "a mapping", NULL}}},
		{RULE("    steer: {queues: {0-3: 1, \"2\": 1}}\n"),
			{{4, 30, "duplicate-key",
				"\"2\" is given twice; first on line 4, column 22", NULL}}},
		{RULE("    size: {value: 1, when: x}\n"), {{4, 22, "not-supported", NULL, NULL}}},
		{RULE("    size: {value: 1, why: }\n"), {{4, 27, "empty-value", NULL, NULL}}},
		{HOST("  bad: 1\n"), {{3, 3, "bad-key", "bad: no such key", NULL}}},
		{HOST("  vm.a: 1\n"), {{3, 3, "bad-value", "not below net", NULL}}},
		{HOST("  net.a/b: 1\n  net/a/b: 2\n  net.a/b: 3\n"),
			{{4, 3, "duplicate-key", "first on line 3, column 3", NULL},
				{5, 3, "duplicate-key", "first on line 3, column 3", NULL}}},
		{HOST("  net.a: {value: 1, on-unsupported: fail}\n"),
			{{3, 21, "bad-key", "devices", "optional: true"}}}, );
}

static void test_match(void **state)
{
	CHECK_ALL({"name: t\ninterfaces: [{match: , size: 1}]\n",
			  {{2, 22, "bad-value", "at least one condition", NULL}}},
		{"name: t\ninterfaces: [{match: {}, size: 1}]\n",
			{{2, 22, "bad-value", NULL, NULL}}},
		{"name: t\ninterfaces: [{match: eth0, size: 1}]\n",
			{{2, 22, "bad-value", NULL, NULL}}},
		{"name: t\ninterfaces: [{match: {nam: eth0}, size: 1}]\n",
			{{2, 23, "unknown-key", "in match", "did you mean name?"}}},
		{"name: t\ninterfaces: [{match: {name: []}, size: 1}]\n",
			{{2, 29, "empty-value", "empty list", NULL}}},
		{"name: t\ninterfaces: [{match: {mac: 10:20:30:40:50:51}, size: 1}]\n",
			{{2, 28, "ambiguous-value", "base 60", "quote it: \"10:20:30:40:50:51\""}}},
		{"name: t\ninterfaces: [{match: {mac: [a, \"00:11:22:33:44\"]}, size: 1}]\n",
			{{2, 29, "bad-value", "\"a\"", NULL}, {2, 32, "bad-value", NULL, NULL}}},
		{"name: t\ninterfaces: [{match: {bus: 0000:00:03.0}, size: 1}]\n",
			{{2, 28, "ambiguous-value", "base 60", "quote it: \"0000:00:03.0\""}}},
		{"name: t\ninterfaces: [{match: {link-speed: \">= 10\"}, size: 1}]\n",
			{{2, 35, "bad-value", "its unit", "\">= 10Gbit\""}}},
		{"name: t\ninterfaces: [{match: {max-link-speed: \"=> 1Gbit\"}, size: 1}]\n",
			{{2, 39, "bad-value", "max-link-speed must be", NULL}}},
		{"name: t\ninterfaces: [{match: {up: maybe}, size: 1}]\n",
			{{2, 27, "bad-value", "on or off", NULL}}}, );
}

static void test_ten_mistakes_at_once(void **state)
{
	CHECK_ALL({"name: on\n"
		   "version: 1.5\n"
		   "descripton: typo\n"
		   "sys:\n"
		   "  net.a: 010\n"
		   "  net.b:\n"
		   "  net/c: 1\n"
		   "  net.c: 2\n"
		   "interfaces:\n"
		   "  - match: {speed: \">= 10Gbit\"}\n"
		   "    rings: {rx: 64KiB}\n"
		   "  - rings: {tx: maxx}\n"
		   "  - match: {up: yes}\n"
		   "    steer: ff\n"
		   "    features: {a: 1}\n",
		{{1, 7, "ambiguous-value", NULL, NULL}, {2, 10, "bad-value", NULL, NULL},
			{3, 1, "unknown-key", NULL, "description"},
			{5, 10, "ambiguous-value", NULL, NULL}, {6, 9, "empty-value", NULL, NULL},
			{8, 3, "duplicate-key", NULL, NULL}, {10, 13, "unknown-key", NULL, NULL},
			{11, 17, "bad-value", NULL, NULL}, {12, 5, "missing-key", NULL, NULL},
			{12, 17, "bad-value", NULL, "max"}, {14, 12, "ambiguous-value", NULL, NULL},
			{15, 19, "bad-value", NULL, NULL}}});
}

static void test_source_lines(void **state)
{
	struct parsed parsed;

	parse_text(&parsed, "name: t\n# \xc2\x85# one line more to YAML\nversion: x\n");
	assert_int_equal(parsed.diags.n, 1);
	assert_int_equal(parsed.diags.v[0].pos.line, 4);
	assert_string_equal(parsed.diags.v[0].pos.source, "version: x");
	parsed_done(&parsed);
}

static void test_an_unknown_kind_of_link_is_warned_of(void **state)
{
	struct parsed parsed;

	parse_good(&parsed, "name: t\ninterfaces: [{match: {kind: [veth, physcal]}, size: 1}]\n");
	assert_int_equal(parsed.diags.n, 1);
	assert_int_equal(parsed.diags.v[0].severity, SEVERITY_WARNING);
	assert_int_equal(parsed.diags.v[0].pos.column, 36);
	assert_string_equal(parsed.diags.v[0].hint, "did you mean physical?");
	parsed_done(&parsed);
}

/* What the kind says of a value decides the exit status. */
static void test_kind_of_an_error(void **state)
{
	struct parsed parsed;

	parse_text(&parsed, HOST("  net.a: 13\n"));
	assert_int_equal(parsed.diags.n, 1);
	assert_int_equal(parsed.diags.v[0].kind, ERROR_MISSING);
	parsed_done(&parsed);
}

static void test_depth(void **state)
{
	char text[128] = "name: t\nx-a: ";
	struct parsed parsed;
	size_t n = strlen(text);

	memset(text + n, '[', 15);
	memset(text + n + 15, ']', 15);
	parse_text(&parsed, text);
	assert_int_equal(parsed.result, 0);
	parsed_done(&parsed);
	memset(text + n, '[', 16);
	memset(text + n + 16, ']', 16);
	parse_text(&parsed, text);
	assert_int_equal(parsed.result, -EINVAL);
	assert_string_equal(parsed.diags.v[0].id, "too-deep");
	assert_int_equal(parsed.diags.v[0].pos.column, 21);
	parsed_done(&parsed);
}

static void test_size(void **state)
{
	const struct profile_options options = {.kinds = fake_kinds};
	size_t size = 1024 * 1024;
	char *text = malloc(size + 1);
	struct parsed parsed;

	assert_non_null(text);
	memset(text, '\n', size + 1);
	memcpy(text, "name: t", 7);
	parse_with(&parsed, &options, text, size);
	assert_int_equal(parsed.result, 0);
	parsed_done(&parsed);
	parse_with(&parsed, &options, text, size + 1);
	assert_int_equal(parsed.result, -EINVAL);
	assert_string_equal(parsed.diags.v[0].id, "too-large");
	parsed_done(&parsed);
	free(text);
}

static void test_more_mistakes_than_anybody_reads(void **state)
{
	struct parsed parsed;
	char *text = malloc(64 * 1024), *p = text;

	assert_non_null(text);
	p += sprintf(p, "name: t\nsys:\n");
	for (unsigned i = 0; i < 2000; i++)
		p += sprintf(p, "  net.a%u: 010\n", i);
	parse_text(&parsed, text);
	assert_int_equal(parsed.result, -EINVAL);
	assert_int_equal(parsed.diags.n, 1001);
	assert_string_equal(parsed.diags.v[1000].id, "too-many");
	parsed_done(&parsed);
	free(text);
}

/* The value of a sysctl must fit into one write(). */
static void test_long_values(void **state)
{
	struct parsed parsed;
	char text[8192] = HOST("  net.a: \"");
	size_t n = strlen(text);

	memset(text + n, '1', 4095);
	strcpy(text + n + 4095, "\"\n");
	parse_good(&parsed, text);
	parsed_done(&parsed);
	memset(text + n, '1', 4096);
	strcpy(text + n + 4096, "\"\n");
	parse_text(&parsed, text);
	assert_int_equal(parsed.result, -EINVAL);
	assert_non_null(strstr(parsed.diags.v[0].text, "at most 4095"));
	assert_null(parsed.diags.v[0].pos.source); /* too long to be shown */
	parsed_done(&parsed);
}

/* Findings of earlier files stay where they are. */
static void test_several_files(void **state)
{
	const struct profile_options options = {.kinds = fake_kinds};
	struct parsed parsed;
	struct profile *second = NULL;
	const char good[] = "name: t\nsys: {net.a: 1}\n";

	parse_text(&parsed, "x: 1\n");
	assert_int_equal(parsed.diags.n, 2);
	assert_int_equal(profile_parse(&options, "good.yaml", good, strlen(good), &parsed.arena,
				 &parsed.diags, &second),
		0);
	assert_non_null(second);
	assert_int_equal(parsed.diags.n, 2);
	parsed_done(&parsed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_that_must_be_quoted),
		cmocka_unit_test(test_many_values_that_must_be_quoted),
		cmocka_unit_test(test_yaml_that_profiles_do_without),
		cmocka_unit_test(test_broken_yaml),
		cmocka_unit_test(test_files_that_are_no_profile),
		cmocka_unit_test(test_top_level),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_ten_mistakes_at_once),
		cmocka_unit_test(test_source_lines),
		cmocka_unit_test(test_an_unknown_kind_of_link_is_warned_of),
		cmocka_unit_test(test_kind_of_an_error),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_more_mistakes_than_anybody_reads),
		cmocka_unit_test(test_long_values),
		cmocka_unit_test(test_several_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
