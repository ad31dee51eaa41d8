/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Apply, put-back and rollback of a made-up kind, with a real journal in a directory of the test's.
 */
#include "engine/store.h"
#include "unit/fake.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static char state_dir[64];

static void setup(struct fake *f, struct cell *cells)
{
	fake_setup(f, cells);
	f->options.state_dir = state_dir;
}

/* A further command on the same cells: the memory of the one before is gone. */
static void next_command(struct fake *f, struct cell *cells)
{
	unsigned die_after = fake_die_after;

	fake_teardown(f);
	setup(f, cells);
	fake_die_after = die_after;
}

static struct transaction_result apply(struct fake *f)
{
	struct transaction_result result;

	fake_plan(f);
	if (transaction_apply(&f->run, &f->plan, NULL, 0, &result, &f->error) < 0)
		fail_msg("%s", f->error.msg);
	return result;
}

static struct rollback_result roll_back(struct fake *f, struct rollback_request request)
{
	struct rollback_result result;

	if (transaction_rollback(&f->run, &request, &result, &f->diags, &f->error) < 0)
		fail_msg("%s", f->error.msg);
	return result;
}

static void test_there_and_back(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {.key = "b", .text = "2"},
		{.key = "host.c", .text = "3"}, {0}};
	struct fake f;

	setup(&f, cells);
	fake_wish(&f, "a", "10");
	fake_wish(&f, "host.c", "30");
	assert_int_equal(apply(&f).outcome, OUTCOME_APPLIED);
	assert_string_equal(cells[0].text, "10");
	assert_string_equal(cells[2].text, "30");
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_ROLLED_BACK);
	assert_string_equal(cells[0].text, "1");
	assert_string_equal(cells[1].text, "2");
	assert_string_equal(cells[2].text, "3");
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_UNCHANGED);
	fake_teardown(&f);
}

static void test_nothing_leaves_no_journal(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	struct transaction_result result;

	setup(&f, cells);
	fake_wish(&f, "a", "1");
	result = apply(&f);
	assert_int_equal(result.outcome, OUTCOME_UNCHANGED);
	assert_null(result.id);
	assert_false(result.changed);
	fake_teardown(&f);
}

/* What a step moved beside its own settings is told, and goes back, too. */
static void test_side_effect_goes_back(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .resets = "b", .resets_text = "0"},
		{.key = "b", .text = "2"}, {0}};
	struct transaction_result result;
	struct fake f;

	setup(&f, cells);
	fake_wish(&f, "a", "10");
	result = apply(&f);
	assert_int_equal(result.outcome, OUTCOME_APPLIED);
	assert_string_equal(cells[1].text, "0");
	assert_int_equal(result.moved.n, 1);
	assert_string_equal(result.moved.v[0].at.key, "b");
	assert_string_equal(value_text(&result.moved.v[0].wanted), "2");
	assert_string_equal(value_text(&result.moved.v[0].live), "0");
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_ROLLED_BACK);
	assert_string_equal(cells[0].text, "1");
	assert_string_equal(cells[1].text, "2");
	fake_teardown(&f);
}

/* What stands as before, and is moved by the rollback's own step, is put right in the same run. */
static void test_own_step_moves_what_stood(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"},
		{.key = "b", .text = "2", .resets = "a", .resets_text = "0"}, {0}};
	struct fake f;

	setup(&f, cells);
	fake_wish(&f, "b", "20");
	assert_int_equal(apply(&f).outcome, OUTCOME_APPLIED);
	cells[0].text = "1";
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_ROLLED_BACK);
	assert_string_equal(cells[0].text, "1");
	assert_string_equal(cells[1].text, "2");
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_UNCHANGED);
	fake_teardown(&f);
}

static void test_failure_is_put_back(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"},
		{.key = "host.b", .text = "2", .refuse = EINVAL, .refuse_text = "20"}, {0}};
	struct fake f;
	struct transaction_result result;

	setup(&f, cells);
	fake_wish(&f, "a", "10");
	fake_wish(&f, "host.b", "20");
	result = apply(&f);
	assert_int_equal(result.outcome, OUTCOME_PUT_BACK);
	assert_false(result.changed);
	assert_non_null(strstr(result.error.msg, "host.b"));
	assert_string_equal(cells[0].text, "1");
	assert_string_equal(cells[1].text, "2");
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_UNCHANGED);
	fake_teardown(&f);
}

/* From some write on nothing works any more: the host is in between, and it is said. */
static void test_incomplete_names_what_differs(void **state)
{
	struct cell cells[] = {{.key = "host.a", .text = "1"}, {.key = "host.b", .text = "2"}, {0}};
	struct fake f;
	struct transaction_result result;

	setup(&f, cells);
	fake_wish(&f, "host.a", "10");
	fake_wish(&f, "host.b", "20");
	fake_die_after = 2;
	result = apply(&f);
	assert_int_equal(result.outcome, OUTCOME_INCOMPLETE);
	assert_true(result.changed);
	assert_int_equal(result.leftovers.n, 1);
	assert_string_equal(result.leftovers.v[0].at.key, "host.a");
	assert_string_equal(result.leftovers.v[0].wanted.text, "1");
	/* and once the kernel listens again, rollback goes on */
	fake_die_after = 0;
	next_command(&f, cells);
	fake_die_after = 0;
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_ROLLED_BACK);
	assert_string_equal(cells[0].text, "1");
	fake_teardown(&f);
}

static void test_conflict_is_left_alone(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .resets = "b", .resets_text = "0"},
		{.key = "b", .text = "2"}, {.key = "host.c", .text = "3"}, {0}};
	struct fake f;

	setup(&f, cells);
	fake_wish(&f, "a", "10");
	fake_wish(&f, "host.c", "30");
	apply(&f);
	cells[0].text = "77";
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_CONFLICTS);
	assert_string_equal(cells[0].text, "77");
	assert_string_equal(cells[1].text, "2");
	assert_string_equal(cells[2].text, "3");
	fake_teardown(&f);
}

/* What can't be read before could not be put back afterwards. */
static void test_unread_is_not_changed(void **state)
{
	struct cell cells[] = {
		{.key = "a", .text = "1"}, {.key = "b", .text = "2", .unread = true}, {0}};
	struct transaction_result result;
	struct fake f;

	setup(&f, cells);
	fake_wish(&f, "a", "10");
	fake_plan(&f);
	assert_true(transaction_apply(&f.run, &f.plan, NULL, 0, &result, &f.error) < 0);
	assert_non_null(strstr(f.error.msg, "b could not be put back"));
	assert_int_equal(result.outcome, OUTCOME_FAILED);
	assert_int_equal(fake_total_writes, 0);
	fake_teardown(&f);
}

/* Nobody has changed what just can't be read: it goes back, and counts when it is seen. */
static void test_unread_is_no_conflict(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {.key = "host.c", .text = "3"}, {0}};
	struct fake f;

	setup(&f, cells);
	fake_wish(&f, "a", "10");
	fake_wish(&f, "host.c", "30");
	apply(&f);
	cells[0].unread = true;
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_INCOMPLETE);
	cells[0].unread = false;
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_ROLLED_BACK);
	assert_string_equal(cells[0].text, "1");
	assert_string_equal(cells[1].text, "3");
	fake_teardown(&f);
}

/* What was left alone the first time goes back when it is asked for with force. */
/* It ended while the link was down, and the driver still shows what it will not come up with. */
static void test_rollback_goes_on_when_the_link_is_up(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;

	setup(&f, cells);
	fake_wish(&f, "a", "10");
	assert_int_equal(apply(&f).outcome, OUTCOME_APPLIED);
	next_command(&f, cells);
	fake_die_after = 1;
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_INCOMPLETE);
	fake_die_after = 0;
	next_command(&f, cells);
	fake_set(&cells[0], "1");
	cells[0].comes_up = "7";
	f.link->carrier = false;
	fake_no_carrier = 6;
	f.options.carrier_timeout_ms = 5000;
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_ROLLED_BACK);
	assert_int_equal(fake_no_carrier, 0);
	assert_string_equal(cells[0].text, "1");
	fake_teardown(&f);
}

static void test_force_after_conflict(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {.key = "host.c", .text = "3"}, {0}};
	struct fake f;

	setup(&f, cells);
	fake_wish(&f, "a", "10");
	apply(&f);
	cells[0].text = "77";
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_CONFLICTS);
	next_command(&f, cells);
	assert_int_equal(roll_back(&f, (struct rollback_request){.force = true}).result.outcome,
		OUTCOME_ROLLED_BACK);
	assert_string_equal(cells[0].text, "1");
	next_command(&f, cells);
	assert_int_equal(roll_back(&f, (struct rollback_request){.force = true}).result.outcome,
		OUTCOME_UNCHANGED);
	fake_teardown(&f);
}

static void test_force(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;

	setup(&f, cells);
	fake_wish(&f, "a", "10");
	apply(&f);
	cells[0].text = "77";
	next_command(&f, cells);
	assert_int_equal(roll_back(&f, (struct rollback_request){.force = true}).result.outcome,
		OUTCOME_ROLLED_BACK);
	assert_string_equal(cells[0].text, "1");
	fake_teardown(&f);
}

/* A value that went back by itself is no conflict. */
static void test_already_back(void **state)
{
	struct cell cells[] = {{.key = "host.a", .text = "1"}, {0}};
	struct fake f;

	setup(&f, cells);
	fake_wish(&f, "host.a", "10");
	apply(&f);
	cells[0].text = "1";
	next_command(&f, cells);
	assert_int_equal(
		roll_back(&f, (struct rollback_request){0}).result.outcome, OUTCOME_ROLLED_BACK);
	assert_int_equal(fake_total_writes, 0);
	fake_teardown(&f);
}

static void apply_one(struct fake *f, struct cell *cells, const char *text)
{
	next_command(f, cells);
	fake_wish(f, "a", text);
	assert_int_equal(apply(f).outcome, OUTCOME_APPLIED);
}

static void test_stack(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	const char *first;
	struct rollback_result result;

	setup(&f, cells);
	fake_wish(&f, "a", "2");
	first = strdup(apply(&f).id);
	apply_one(&f, cells, "3");
	apply_one(&f, cells, "4");
	/* a dry run of all is one plan over three, and writes nothing */
	next_command(&f, cells);
	result = roll_back(&f, (struct rollback_request){.all = true, .dry_run = true});
	assert_int_equal(result.plan.n, 3);
	assert_string_equal(result.plan.v[2].wanted.text, "1");
	assert_string_equal(cells[0].text, "4");
	next_command(&f, cells);
	roll_back(&f, (struct rollback_request){.to = first});
	assert_string_equal(cells[0].text, "2");
	next_command(&f, cells);
	roll_back(&f, (struct rollback_request){.all = true});
	assert_string_equal(cells[0].text, "1");
	free((char *)first);
	fake_teardown(&f);
}

static int make_state_dir(void **state)
{
	snprintf(state_dir, sizeof(state_dir), "/tmp/nettune-test-XXXXXX");
	return mkdtemp(state_dir) ? 0 : -1;
}

static int remove_state_dir(void **state)
{
	char path[128];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/journal", state_dir);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(path);
	return rmdir(state_dir);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_state_dir, remove_state_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_there_and_back),
		TEST(test_nothing_leaves_no_journal),
		TEST(test_side_effect_goes_back),
		TEST(test_own_step_moves_what_stood),
		TEST(test_failure_is_put_back),
		TEST(test_incomplete_names_what_differs),
		TEST(test_conflict_is_left_alone),
		TEST(test_unread_is_not_changed),
		TEST(test_unread_is_no_conflict),
		TEST(test_force),
		TEST(test_force_after_conflict),
		TEST(test_rollback_goes_on_when_the_link_is_up),
		TEST(test_already_back),
		TEST(test_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
