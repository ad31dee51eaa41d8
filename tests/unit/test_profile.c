/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Good profiles: what becomes of each key, and of each way to write a setting.
 */
#include "test_profile.h"

static const struct wish *host_wish(const struct profile *profile, size_t i)
{
	assert_true(i < profile->nwishes);
	return &profile->wishes[i];
}

static const struct wish *rule_wish(const struct profile *profile, size_t i)
{
	assert_true(profile->nrules > 0 && i < profile->rules[0].nwishes);
	return &profile->rules[0].wishes[i];
}

static void test_top_level(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(&parsed,
		"# a comment\n"
		"name: dc-10ge\n"
		"version: 7\n"
		"description: >\n  two lines\n  of  text\n"
		"requires: \">= 0.1\"\n"
		"extends: []\n"
		"parameters: {}\n"
		"x-owner: [{a: 010}, ~]\n"
		"sys:\n  net.a: 1\n");

	assert_string_equal(profile->name, "dc-10ge");
	assert_int_equal(profile->version, 7);
	assert_string_equal(profile->description, "two lines of text");
	assert_string_equal(profile->path, "test.yaml");
	assert_memory_equal(profile->source, "# a comment\n", 12);
	assert_int_equal(profile->source_length, strlen(profile->source));
	assert_int_equal(profile->nwishes, 1);
	assert_int_equal(profile->nrules, 0);
	parsed_done(&parsed);
}

static void test_defaults(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(&parsed, HOST("  net.a: 1\n"));

	assert_int_equal(profile->version, 1);
	assert_null(profile->description);
	assert_false(host_wish(profile, 0)->optional);
	assert_false(host_wish(profile, 0)->fail_unsupported);
	assert_null(host_wish(profile, 0)->why);
	assert_null(host_wish(profile, 0)->queues);
	assert_string_equal(host_wish(profile, 0)->profile, "t");
	parsed_done(&parsed);
}

static void test_places(void **state)
{
	struct parsed parsed;
	const struct wish *wish = host_wish(
		parse_good(&parsed, "name: t\nsys:\n  net.a:   42\n"), 0);

	assert_int_equal(wish->pos.line, 3);
	assert_int_equal(wish->pos.column, 3);
	assert_string_equal(wish->pos.file, "test.yaml");
	assert_string_equal(wish->pos.source, "  net.a:   42");
	assert_int_equal(wish->value->pos.line, 3);
	assert_int_equal(wish->value->pos.column, 12);
	parsed_done(&parsed);
}

static void test_long_form(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(&parsed,
		"name: t\n"
		"sys:\n"
		"  net.a: {value: 0, optional: true, why: \"for  a\\nreason\"}\n"
		"interfaces:\n"
		"  - match: {kind: physical}\n"
		"    rings: {rx: {value: max, on-unsupported: fail, why: more}}\n"
		"    size: {value: 64KiB, why: scalar}\n");

	assert_true(host_wish(profile, 0)->optional);
	assert_string_equal(host_wish(profile, 0)->why, "for a reason");
	assert_string_equal(host_wish(profile, 0)->value->value.text, "0");
	assert_true(expr_is_word(rule_wish(profile, 0)->value, "max"));
	assert_true(rule_wish(profile, 0)->fail_unsupported);
	assert_string_equal(rule_wish(profile, 0)->why, "more");
	assert_string_equal(rule_wish(profile, 1)->key, "size");
	assert_int_equal(rule_wish(profile, 1)->value->value.number, 65536);
	assert_string_equal(rule_wish(profile, 1)->why, "scalar");
	parsed_done(&parsed);
}

static void test_on_unsupported_is_inherited(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(&parsed,
		"name: t\n"
		"on-unsupported: fail\n"
		"sys: {net.a: 1}\n"
		"interfaces:\n"
		"  - match: {kind: physical}\n"
		"    rings: {rx: 1, tx: {value: 2, on-unsupported: skip}}\n"
		"  - match: {kind: veth}\n"
		"    on-unsupported: skip\n"
		"    optional: yes\n"
		"    rings: {rx: 1}\n");

	assert_false(host_wish(profile, 0)->fail_unsupported);
	assert_true(rule_wish(profile, 0)->fail_unsupported);
	assert_false(rule_wish(profile, 1)->fail_unsupported);
	assert_false(profile->rules[0].optional);
	assert_true(profile->rules[1].optional);
	assert_false(profile->rules[1].wishes[0].fail_unsupported);
	assert_string_equal(profile->rules[1].profile, "t");
	assert_int_equal(profile->rules[1].pos.line, 7);
	parsed_done(&parsed);
}

static void test_keep(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(
		&parsed, RULE("    size: keep\n    rings: {rx-push: \"keep\"}\n"));

	assert_true(expr_is_word(rule_wish(profile, 0)->value, "keep"));
	assert_true(expr_is_word(rule_wish(profile, 1)->value, "keep"));
	parsed_done(&parsed);
}

static void test_scalar_of_a_kind_with_fields(void **state)
{
	struct parsed parsed;
	const struct wish *wish = rule_wish(parse_good(&parsed, RULE("    steer: none\n")), 0);

	assert_string_equal(wish->key, "cpus");
	assert_true(expr_is_word(wish->value, "none"));
	parsed_done(&parsed);
}

static void test_queue_map(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(
		&parsed, RULE("    steer:\n"
			      "      queues:\n"
			      "        0: 2\n"
			      "        \"3,2,4-7\": {value: 0xf0, why: far}\n"
			      "      cpus: none\n"));

	assert_int_equal(profile->rules[0].nwishes, 3);
	/* what is for all queues comes first, whatever the order of the file */
	assert_null(rule_wish(profile, 0)->queues);
	assert_string_equal(rule_wish(profile, 1)->key, "cpus");
	assert_string_equal(rule_wish(profile, 1)->queues, "0");
	assert_string_equal(rule_wish(profile, 1)->value->value.text, "2");
	assert_string_equal(rule_wish(profile, 2)->queues, "2-7");
	assert_string_equal(rule_wish(profile, 2)->value->value.text, "4-7");
	assert_string_equal(rule_wish(profile, 2)->why, "far");
	parsed_done(&parsed);
}

static void test_queue_map_in_long_form(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(
		&parsed, RULE("    irq: {queues: {value: {0: \"2\", 1: \"3\"}, why: pinned}}\n"));

	/* "cpus" itself is no word of profiles, but of the map */
	assert_string_equal(rule_wish(profile, 0)->key, "cpus");
	assert_string_equal(rule_wish(profile, 1)->why, "pinned");
	parsed_done(&parsed);
}

static void test_other_spellings_of_keys(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(
		&parsed, HOST("  net/a/b: 1\n  net.a.c: 2\n  kernel.numa: 3\n"));

	assert_string_equal(host_wish(profile, 0)->key, "net.a.b");
	assert_string_equal(host_wish(profile, 1)->key, "net.a.c");
	assert_string_equal(host_wish(profile, 2)->key, "kernel.numa");
	parsed_done(&parsed);
}

static void test_json_is_yaml(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(&parsed,
		"{\"name\": \"t\", \"version\": 2,\n"
		" \"interfaces\": [{\"match\": {\"up\": true}, \"rings\": {\"rx\": 8}}]}\n");

	assert_int_equal(profile->version, 2);
	assert_int_equal(rule_wish(profile, 0)->value->value.number, 8);
	parsed_done(&parsed);
}

static void test_byte_order_mark_and_crlf(void **state)
{
	struct parsed parsed;
	const struct wish *wish = host_wish(
		parse_good(&parsed, "\xef\xbb\xbfname: t\r\nsys:\r\n  net.a: 1\r\n"), 0);

	assert_int_equal(wish->pos.line, 3);
	assert_string_equal(wish->pos.source, "  net.a: 1");
	parsed_done(&parsed);
}

static void test_match(void **state)
{
	struct parsed parsed;
	const struct match *match;
	const struct profile *profile = parse_good(&parsed,
		"name: t\n"
		"interfaces:\n"
		"  - match:\n"
		"      name: [\"eth*\", lan0]\n"
		"      driver: mlx5_core\n"
		"      mac: 52-54-00-AB-cd-ef\n"
		"      bus: [\"03:00.0\", 0000:3b:00.1]\n"
		"      kind: physical\n"
		"      link-speed: 10Gbit\n"
		"      max-link-speed: \">= 2500Mbit\"\n"
		"      up: yes\n"
		"    rings: {rx: 1}\n");

	match = &profile->rules[0].match;
	assert_string_equal(match->names[0], "eth*");
	assert_string_equal(match->names[1], "lan0");
	assert_null(match->names[2]);
	assert_true(match->exact_name);
	assert_string_equal(match->drivers[0], "mlx5_core");
	assert_string_equal(match->macs[0], "52:54:00:ab:cd:ef");
	assert_string_equal(match->buses[0], "0000:03:00.0");
	assert_string_equal(match->buses[1], "0000:3b:00.1");
	assert_string_equal(match->kinds[0], "physical");
	assert_int_equal(match->speed.op, COMPARE_EQ);
	assert_int_equal(match->speed.number, 10000000000);
	assert_int_equal(match->max_speed.op, COMPARE_GE);
	assert_int_equal(match->max_speed.number, 2500000000);
	assert_string_equal(match->max_speed.text, ">= 2500Mbit");
	assert_int_equal(match->up, 1);
	parsed_done(&parsed);
}

static void test_match_leaves_open_what_is_not_given(void **state)
{
	struct parsed parsed;
	const struct profile *profile = parse_good(&parsed, RULE("    rings: {rx: 1}\n"));
	const struct match *match = &profile->rules[0].match;

	assert_null(match->names);
	assert_null(match->drivers);
	assert_false(match->exact_name);
	assert_int_equal(match->up, -1);
	assert_int_equal(match->speed.op, COMPARE_NONE);
	parsed_done(&parsed);
}

static void test_requires(void **state)
{
	static const char *const good[] = {">= 0.1", ">=0.1.0", ">= 0", ">= 0.0.9"};
	struct parsed parsed;
	char text[128];

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		snprintf(text, sizeof(text), "requires: \"%s\"\n%s", good[i], HOST("  net.a: 1\n"));
		parse_good(&parsed, text);
		parsed_done(&parsed);
	}
}

/* A newer profile may have words that this version takes for mistakes. */
static void test_requires_comes_first(void **state)
{
	struct parsed parsed;

	parse_text(&parsed, "nmae: t\nfuture: [1]\nrequires: \">= 1.2\"\n");
	assert_int_equal(parsed.result, -EINVAL);
	assert_int_equal(parsed.diags.n, 1);
	assert_string_equal(parsed.diags.v[0].text, "needs nettune 1.2, this is 0.1.0");
	assert_string_equal(parsed.diags.v[0].id, "needs-newer");
	assert_int_equal(parsed.diags.v[0].pos.line, 3);
	parsed_done(&parsed);
}

static void test_a_profile_without_settings_is_warned_of(void **state)
{
	struct parsed parsed;

	parse_good(&parsed, "name: t\n");
	assert_int_equal(parsed.diags.n, 1);
	assert_int_equal(parsed.diags.v[0].severity, SEVERITY_WARNING);
	parsed_done(&parsed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_top_level),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_long_form),
		cmocka_unit_test(test_on_unsupported_is_inherited),
		cmocka_unit_test(test_keep),
		cmocka_unit_test(test_scalar_of_a_kind_with_fields),
		cmocka_unit_test(test_queue_map),
		cmocka_unit_test(test_queue_map_in_long_form),
		cmocka_unit_test(test_other_spellings_of_keys),
		cmocka_unit_test(test_json_is_yaml),
		cmocka_unit_test(test_byte_order_mark_and_crlf),
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_match_leaves_open_what_is_not_given),
		cmocka_unit_test(test_requires),
		cmocka_unit_test(test_requires_comes_first),
		cmocka_unit_test(test_a_profile_without_settings_is_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
