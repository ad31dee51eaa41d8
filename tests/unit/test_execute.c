/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The executor against a made-up kind: verdicts come from reading back, never from the answer.
 */
#include "unit/fake.h"

static struct execution run_it(struct fake *f)
{
	struct executor ex = {.run = &f->run, .plan = &f->plan};

	fake_plan(f);
	if (execute(&ex, &f->error) < 0)
		fail_msg("%s", f->error.msg);
	return ex.result;
}

static void test_writes_what_differs(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {.key = "b", .text = "2"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_wish(&f, "b", "2");
	r = run_it(&f);
	assert_int_equal(r.failed, 0);
	assert_true(r.wrote);
	assert_string_equal(cells[0].text, "5");
	assert_int_equal(cells[1].writes, 0);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_EXACT);
	assert_int_equal(f.plan.unchanged.n, 1);
	fake_teardown(&f);
}

static void test_nothing_to_do(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "1");
	r = run_it(&f);
	assert_false(r.wrote);
	assert_int_equal(fake_total_writes, 0);
	assert_int_equal(f.plan.n, 0);
	fake_teardown(&f);
}

/* Between plan and write somebody else set the value: it is not written a second time. */
static void test_equal_value_is_not_written(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	struct executor ex = {.run = &f.run, .plan = &f.plan};

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_plan(&f);
	cells[0].text = "5";
	assert_int_equal(execute(&ex, &f.error), 0);
	assert_int_equal(cells[0].writes, 0);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_EXACT);
	fake_teardown(&f);
}

static void test_refused(void **state)
{
	struct cell cells[] = {
		{.key = "a", .text = "1", .refuse = EBUSY}, {.key = "host.b", .text = "1"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_wish(&f, "host.b", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 1);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_REFUSED);
	assert_int_equal(fake_change(&f, "a")->err, EBUSY);
	assert_non_null(strstr(r.error.msg, "eth0/fake.a = 5"));
	assert_non_null(strstr(r.error.msg, strerror(EBUSY)));
	/* and nothing after it is touched */
	assert_int_equal(cells[1].writes, 0);
	fake_teardown(&f);
}

static void test_said_yes_did_nothing(void **state)
{
	struct cell cells[] = {{.key = "host.a", .text = "1", .ignore = true}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "host.a", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 1);
	assert_int_equal(fake_change(&f, "host.a")->verdict, VERDICT_IGNORED);
	fake_teardown(&f);
}

static void test_said_no_did_it(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .refuse = EIO, .lies = true}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 0);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_EXACT);
	fake_teardown(&f);
}

static void test_clamped_without_a_rule_is_refused(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .clamp = "4"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 1);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_REFUSED);
	assert_string_equal(fake_change(&f, "a")->observed.text, "4");
	fake_teardown(&f);
}

/* A later step moves what an earlier one set: written again, in round 1. */
static void test_repair(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"},
		{.key = "host.b", .text = "1", .resets = "a", .resets_text = "0"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_wish(&f, "host.b", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 0);
	assert_string_equal(cells[0].text, "5");
	assert_int_equal(cells[0].writes, 2);
	assert_int_equal(fake_change(&f, "a")->round, 1);
	fake_teardown(&f);
}

/* Two settings that move each other never settle: three rounds, then a failure. */
static void test_repair_ends(void **state)
{
	struct cell cells[] = {
		{.key = "host.a", .text = "1", .resets = "host.b", .resets_text = "0"},
		{.key = "host.b", .text = "1", .resets = "host.a", .resets_text = "0"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "host.a", "5");
	fake_wish(&f, "host.b", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 1);
	assert_true(fake_total_writes <= 8);
	fake_teardown(&f);
}

/* The order that the kernel wants is found by trying again (ipfrag_high_thresh and its partner). */
static void test_order_by_trying_again(void **state)
{
	struct cell cells[] = {
		{.key = "host.high", .text = "40", .needs = "host.low", .needs_text = "10"},
		{.key = "host.low", .text = "30"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "host.high", "20");
	fake_wish(&f, "host.low", "10");
	r = run_it(&f);
	assert_int_equal(r.failed, 0);
	assert_string_equal(cells[0].text, "20");
	fake_teardown(&f);
}

/* A refused vector that stored its first numbers is put right before anything else. */
static void test_half_applied(void **state)
{
	struct cell cells[] = {{.key = "host.v",
				       .text = "1 2 3",
				       .refuse = EINVAL,
				       .refuse_text = "9 9 99",
				       .half = "9 2 3"},
		{0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "host.v", "9 9 99");
	r = run_it(&f);
	assert_int_equal(r.failed, 1);
	assert_int_equal(fake_change(&f, "host.v")->err, EINVAL);
	assert_string_equal(cells[0].text, "1 2 3");
	fake_teardown(&f);
}

/* What a value reads with the link down says nothing: the partner decides when it comes up. */
static void test_read_when_the_link_is_up(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .drops = true, .comes_up = "1"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 0);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_IGNORED);
	assert_int_equal(cells[0].writes, 1);
	fake_teardown(&f);
}

static void test_gone(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	struct executor ex = {.run = &f.run, .plan = &f.plan};

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_plan(&f);
	cells[0].text = NULL;
	assert_int_equal(execute(&ex, &f.error), 0);
	assert_int_equal(ex.result.failed, 1);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_GONE);
	fake_teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_writes_what_differs),
		cmocka_unit_test(test_nothing_to_do),
		cmocka_unit_test(test_equal_value_is_not_written),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_said_yes_did_nothing),
		cmocka_unit_test(test_said_no_did_it),
		cmocka_unit_test(test_clamped_without_a_rule_is_refused),
		cmocka_unit_test(test_repair),
		cmocka_unit_test(test_repair_ends),
		cmocka_unit_test(test_order_by_trying_again),
		cmocka_unit_test(test_half_applied),
		cmocka_unit_test(test_read_when_the_link_is_up),
		cmocka_unit_test(test_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
