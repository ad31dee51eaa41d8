/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals between the first write and the outcome: ignored, noted, and as before afterwards.
 */
#include "engine/execute.h"

#include <signal.h>

#include "unit/test.h"

static int hangups;

static void count_hangup(int number)
{
	hangups++;
}

static void test_ignores_and_notes(void **state)
{
	signal(SIGHUP, count_hangup);
	signals_hold();
	assert_false(signals_pending());
	raise(SIGHUP);
	raise(SIGPIPE);
	raise(SIGTSTP);
	raise(SIGTTIN);
	raise(SIGTTOU);
	raise(SIGXFSZ);
	assert_int_equal(hangups, 0);
	assert_false(signals_pending());
	raise(SIGTERM);
	assert_true(signals_pending());
	signals_release();
	raise(SIGHUP);
	assert_int_equal(hangups, 1);
}

static void test_begins_anew(void **state)
{
	signals_hold();
	assert_false(signals_pending());
	raise(SIGINT);
	assert_true(signals_pending());
	signals_hold(); /* by a putting-back inside: nothing is lost */
	assert_true(signals_pending());
	signals_release();
	signals_release();
}

static void test_an_ignored_interrupt_stays_ignored(void **state)
{
	struct sigaction now;

	signal(SIGINT, SIG_IGN);
	signals_hold();
	raise(SIGINT);
	assert_false(signals_pending());
	signals_release();
	assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
	assert_ptr_equal(now.sa_handler, SIG_IGN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ignores_and_notes),
		cmocka_unit_test(test_begins_anew),
		cmocka_unit_test(test_an_ignored_interrupt_stays_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
