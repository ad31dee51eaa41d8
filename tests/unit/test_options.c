/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line: words and options in any order, what is refused and why, times, quoting.
 */
#include "cmd/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "unit/test.h"

static struct arena arena;
static struct command_line line;
static struct error error;

static int setup(void **state)
{
	arena_init(&arena);
	error = (struct error){0};
	return 0;
}

static int teardown(void **state)
{
	arena_done(&arena);
	return 0;
}

#define PARSE(...) parse((const char *[]){"nettune", __VA_ARGS__, NULL})

static int parse(const char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	return options_parse(argc, (char *const *)argv, &arena, &line, &error);
}

/* Parses, then holds the line against the row of its command. */
static int accept(const char **argv)
{
	const struct command *command;
	int r = parse(argv);

	return r < 0 ? r : command_of_line(&line, &command, &error);
}

#define ACCEPT(...) accept((const char *[]){"nettune", __VA_ARGS__, NULL})

static void assert_usage(int r, const char *text)
{
	assert_int_equal(r, -EINVAL);
	assert_int_equal(error.kind, ERROR_USAGE);
	if (!strstr(error.msg, text))
		fail_msg("\"%s\" is not in \"%s\"", text, error.msg);
}

static void test_words_and_options_mix(void **state)
{
	assert_int_equal(PARSE("--json", "plan", "-i", "eth0", "dc-10ge", "-ieth1", "local"), 0);
	assert_string_equal(line.command, "plan");
	assert_int_equal(line.noperands, 2);
	assert_string_equal(line.operands[0], "dc-10ge");
	assert_string_equal(line.operands[1], "local");
	assert_string_equal(line.options.interfaces[0], "eth0");
	assert_string_equal(line.options.interfaces[1], "eth1");
	assert_null(line.options.interfaces[2]);
	assert_true(line_has(&line, OPTION(JSON)));
	assert_false(line_has(&line, OPTION(QUIET)));
}

static void test_posixly_correct_changes_nothing(void **state)
{
	setenv("POSIXLY_CORRECT", "1", 1);
	assert_int_equal(PARSE("plan", "dc-10ge", "--json"), 0);
	unsetenv("POSIXLY_CORRECT");
	assert_int_equal(line.noperands, 1);
	assert_true(line_has(&line, OPTION(JSON)));
}

static void test_double_dash_ends_options(void **state)
{
	assert_int_equal(PARSE("plan", "--", "--json", "--", "-i"), 0);
	assert_int_equal(line.noperands, 3);
	assert_string_equal(line.operands[0], "--json");
	assert_string_equal(line.operands[1], "--");
	assert_string_equal(line.operands[2], "-i");
	assert_false(line_has(&line, OPTION(JSON)));
}

static void test_double_dash_as_an_argument_ends_nothing(void **state)
{
	assert_int_equal(PARSE("plan", "-i", "--", "x", "-q"), 0);
	assert_string_equal(line.options.interfaces[0], "--");
	assert_int_equal(line.noperands, 1);
	assert_true(line_has(&line, OPTION(QUIET)));
}

static void test_letters_cluster(void **state)
{
	assert_int_equal(PARSE("status", "-vvq"), 0);
	assert_int_equal(line.verbose, 2);
	assert_true(line_has(&line, OPTION(QUIET)));
}

static void test_defaults(void **state)
{
	assert_int_equal(PARSE("status"), 0);
	assert_string_equal(line.options.state_dir, "/var/lib/nettune");
	assert_int_equal(line.options.lock_timeout_ms, 10000);
	assert_int_equal(line.options.carrier_timeout_ms, 10000);
	assert_int_equal(line.options.service_timeout_ms, 40000);
	assert_null(line.options.interfaces);
	assert_null(line.options.only);
	assert_string_equal(line.options.command, "nettune status");
	assert_int_equal(line.color, COLOR_AUTO);
}

static void test_a_recorded_host_has_its_own_state(void **state)
{
	assert_int_equal(PARSE("status", "--root", "/rec"), 0);
	assert_string_equal(line.options.state_dir, "/rec/var/lib/nettune");
	assert_int_equal(PARSE("status", "--root", "/rec", "--state-dir", "/s"), 0);
	assert_string_equal(line.options.state_dir, "/s");
}

static void test_unknown_options_name_the_nearest(void **state)
{
	assert_usage(PARSE("plan", "--jsno"), "did you mean --json?");
	assert_usage(PARSE("plan", "--xyzzy"), "unknown option --xyzzy");
	assert_usage(PARSE("plan", "-x"), "unknown option -x");
	assert_usage(PARSE("plan", "-qx"), "unknown option -x");
}

static void test_abbreviations_are_unknown(void **state)
{
	assert_usage(PARSE("plan", "--js"), "unknown option --js");
	assert_usage(PARSE("plan", "--state=x"), "unknown option --state");
	assert_usage(PARSE("rollback", "--al"), "unknown option --al");
}

static void test_later_options_are_refused(void **state)
{
	static const char *const later[] = {"--confirm", "--confirm=60", "--no-confirm",
		"--keep-going", "--keep", "--expect", "--from=x", "--allow-interrupts=none",
		"--set=a=1", "--probe=gateway", "--auto-confirm"};

	for (size_t i = 0; i < ARRAY_SIZE(later); i++)
		assert_usage(
			PARSE("apply", "dc-10ge", later[i]), "is not supported by this version");
}

static void test_arguments_are_wanted_and_refused(void **state)
{
	assert_usage(PARSE("plan", "--netns"), "--netns needs an argument");
	assert_usage(PARSE("plan", "-i"), "-i needs an argument");
	assert_usage(PARSE("plan", "--json=yes"), "--json=yes takes no argument");
}

static void test_json_is_known_even_after_a_mistake(void **state)
{
	assert_usage(PARSE("plan", "--bogus", "--json"), "--bogus");
	assert_true(line_has(&line, OPTION(JSON)));
	assert_usage(PARSE("plan", "--bogus", "--", "--json"), "--bogus");
	assert_false(line_has(&line, OPTION(JSON)));
}

static void test_only_takes_kinds(void **state)
{
	assert_int_equal(PARSE("plan", "--only", "rings,mtu", "--only=sysctl"), 0);
	assert_string_equal(line.options.only[0], "rings");
	assert_string_equal(line.options.only[1], "mtu");
	assert_string_equal(line.options.only[2], "sysctl");
	assert_null(line.options.only[3]);
	assert_usage(PARSE("plan", "--only", "rings,ring"), "there is no kind \"ring\"");
	assert_usage(PARSE("plan", "--only", ""), "--only needs a kind");
}

static void test_color(void **state)
{
	assert_int_equal(PARSE("plan", "--color", "never"), 0);
	assert_int_equal(line.color, COLOR_NEVER);
	assert_usage(PARSE("plan", "--color=sometimes"), "auto, always, never");
}

static void test_times(void **state)
{
	static const struct {
		const char *text;
		int r;
		unsigned ms;
	} cases[] = {
		{"10s", 0, 10000},
		{"500ms", 0, 500},
		{"2m", 0, 120000},
		{"60", 0, 60000},
		{"0", 0, 0},
		{"", -EINVAL, 0},
		{"s", -EINVAL, 0},
		{"1h", -EINVAL, 0},
		{"1.5s", -EINVAL, 0},
		{"-1", -EINVAL, 0},
		{"10 s", -EINVAL, 0},
		{"35791m", 0, 2147460000},
		{"35792m", -ERANGE, 0},
		{"99999999999999999999", -ERANGE, 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned ms = 0;

		if (time_parse(cases[i].text, &ms) != cases[i].r || ms != cases[i].ms)
			fail_msg("%s: %u", cases[i].text, ms);
	}
	assert_int_equal(PARSE("apply", "--lock-timeout=1s", "--carrier-timeout", "250ms"), 0);
	assert_int_equal(line.options.lock_timeout_ms, 1000);
	assert_int_equal(line.options.carrier_timeout_ms, 250);
	assert_int_equal(line.options.service_timeout_ms, 250);
	assert_usage(PARSE("apply", "--lock-timeout=soon"), "\"soon\" is no time");
}

static void test_rows_decide_about_options(void **state)
{
	assert_int_equal(ACCEPT("plan", "p", "--root", "/x", "--detailed-exitcode"), 0);
	assert_int_equal(ACCEPT("apply", "p", "--dry-run", "-i", "eth0"), 0);
	assert_int_equal(ACCEPT("rollback", "--all", "--force", "--dry-run"), 0);
	assert_usage(ACCEPT("rollback", "--root", "/x"), "rollback does not take --root");
	assert_usage(ACCEPT("rollback", "-i", "eth0"), "rollback does not take --interface");
	assert_usage(ACCEPT("forget", "x", "--root", "/x"), "forget does not take --root");
	assert_usage(ACCEPT("plan", "p", "--dry-run"), "plan does not take --dry-run");
	assert_usage(ACCEPT("history", "--all"), "history does not take --all");
}

static void test_rows_decide_about_operands(void **state)
{
	assert_int_equal(ACCEPT("verify"), 0);
	assert_int_equal(ACCEPT("verify", "a", "b", "c"), 0);
	assert_usage(ACCEPT("check"), "check needs FILE...");
	assert_usage(ACCEPT("forget"), "forget needs ID");
	assert_usage(ACCEPT("forget", "a", "b"), "\"b\" is one argument too many");
	assert_usage(ACCEPT("rollback", "a", "b"), "too many");
	assert_usage(ACCEPT("status", "now"), "too many");
}

static void test_unknown_commands(void **state)
{
	assert_usage(ACCEPT("aply"), "did you mean \"apply\"?");
	assert_usage(ACCEPT("confirm"), "unknown command \"confirm\"");
	assert_usage(ACCEPT("--json"), "name a command");
}

static void test_quoting(void **state)
{
	assert_string_equal(shell_quote(&arena, "dc-10ge"), "dc-10ge");
	assert_string_equal(shell_quote(&arena, "/a b.yaml"), "'/a b.yaml'");
	assert_string_equal(shell_quote(&arena, ""), "''");
	assert_string_equal(shell_quote(&arena, "it's"), "'it'\\''s'");
	assert_int_equal(PARSE("plan", "a;b"), 0);
	assert_string_equal(line.options.command, "nettune plan 'a;b'");
}

/* Every option is documented, and its help line fits. */
static void test_tables_are_whole(void **state)
{
	for (size_t i = 0; i < OPTION_MAX; i++) {
		assert_non_null(option_rows[i].name);
		assert_in_range(strlen(option_rows[i].doc), 10, 80 - 27);
	}
	for (size_t i = 0; commands[i]; i++) {
		assert_ptr_equal(command_find(commands[i]->name), commands[i]);
		assert_in_range(strlen(commands[i]->summary), 10, 80 - 25);
		assert_non_null(commands[i]->run);
		assert_true(commands[i]->min_operands <= commands[i]->max_operands);
		assert_int_equal(commands[i]->options & OPTIONS_COMMON, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_words_and_options_mix, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_posixly_correct_changes_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_double_dash_ends_options, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_double_dash_as_an_argument_ends_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_letters_cluster, setup, teardown),
		cmocka_unit_test_setup_teardown(test_defaults, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_a_recorded_host_has_its_own_state, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_unknown_options_name_the_nearest, setup, teardown),
		cmocka_unit_test_setup_teardown(test_abbreviations_are_unknown, setup, teardown),
		cmocka_unit_test_setup_teardown(test_later_options_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_arguments_are_wanted_and_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_json_is_known_even_after_a_mistake, setup, teardown),
		cmocka_unit_test_setup_teardown(test_only_takes_kinds, setup, teardown),
		cmocka_unit_test_setup_teardown(test_color, setup, teardown),
		cmocka_unit_test_setup_teardown(test_times, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rows_decide_about_options, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rows_decide_about_operands, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unknown_commands, setup, teardown),
		cmocka_unit_test_setup_teardown(test_quoting, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tables_are_whole, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
