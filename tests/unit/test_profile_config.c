/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune.yaml.
 */
#include "test_profile.h"

struct read {
	struct arena arena;
	struct diags diags;
	struct config config;
	int result;
};

static void read_config(struct read *ret, const char *text)
{
	*ret = (struct read){};
	arena_init(&ret->arena);
	ret->diags.arena = &ret->arena;
	ret->result = config_parse(
		"nettune.yaml", text, strlen(text), &ret->arena, &ret->diags, &ret->config);
	if (ret->result != (ret->diags.n ? -EINVAL : 0))
		print_findings(&ret->diags);
}

static void test_all_keys(void **state)
{
	struct read read;

	read_config(&read, "profiles: [dc-10ge, /srv/own.yaml]\n"
			   "parameters: {}\n"
			   "at-boot: yes\n"
			   "allow-sysctl: [vm.swappiness, kernel/numa_balancing, fs/a.b/c]\n"
			   "x-note: ours\n");
	assert_int_equal(read.result, 0);
	assert_string_equal(read.config.path, "nettune.yaml");
	assert_string_equal(read.config.profiles[0], "dc-10ge");
	assert_string_equal(read.config.profiles[1], "/srv/own.yaml");
	assert_null(read.config.profiles[2]);
	assert_true(read.config.at_boot);
	assert_string_equal(read.config.allow_sysctl[0], "vm.swappiness");
	assert_string_equal(read.config.allow_sysctl[1], "kernel.numa_balancing");
	assert_string_equal(read.config.allow_sysctl[2], "fs.a/b.c");
	assert_null(read.config.allow_sysctl[3]);
	arena_done(&read.arena);
}

static void test_one_profile(void **state)
{
	struct read read;

	read_config(&read, "profiles: dc-10ge\n");
	assert_int_equal(read.result, 0);
	assert_string_equal(read.config.profiles[0], "dc-10ge");
	assert_null(read.config.profiles[1]);
	assert_false(read.config.at_boot);
	assert_null(read.config.allow_sysctl[0]);
	arena_done(&read.arena);
}

static void test_nothing(void **state)
{
	static const char *const texts[] = {"", "# nothing yet\n", "{}\n"};
	struct read read;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		read_config(&read, texts[i]);
		assert_int_equal(read.result, 0);
		assert_null(read.config.profiles[0]);
		arena_done(&read.arena);
	}
}

static void test_mistakes(void **state)
{
	static const struct {
		const char *text, *id, *says;
		unsigned column;
	} rows[] = {
		{"profile: dc-10ge\n", "unknown-key", "\"profile\" in nettune.yaml", 1},
		{"profiles:\n", "empty-value", "no value", 10},
		{"profiles: [on]\n", "ambiguous-value", "truth value", 12},
		{"at-boot: 1\n", "bad-value", "on or off", 10},
		{"parameters: {rtt: 2ms}\n", "not-supported", "parameters", 1},
		{"allow-sysctl: [\"kernel.*\"]\n", "bad-value", "single keys", 15},
		{"- dc-10ge\n", "bad-value", "mapping", 1},
		{"profiles: *\n", "yaml-syntax", "quoted", 11},
	};
	struct read read;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		read_config(&read, rows[i].text);
		assert_int_equal(read.result, -EINVAL);
		assert_int_equal(read.diags.n, 1);
		assert_string_equal(read.diags.v[0].id, rows[i].id);
		assert_int_equal(read.diags.v[0].pos.column, rows[i].column);
		assert_non_null(strstr(read.diags.v[0].text, rows[i].says));
		assert_null(read.config.path); /* untouched */
		arena_done(&read.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_keys),
		cmocka_unit_test(test_one_profile),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_mistakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
