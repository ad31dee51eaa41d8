/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Giving up privileges, each time in a child process.
 */
#include "kernel/kernel.h"

#include "unit/test.h"

#include <errno.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/* Exit status of a child that runs it. */
static int in_child(int (*run)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(run());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static bool has(cap_value_t value, cap_flag_t flag)
{
	cap_t caps = cap_get_proc();
	cap_flag_value_t set = CAP_CLEAR;

	cap_get_flag(caps, value, flag, &set);
	cap_free(caps);
	return set == CAP_SET;
}

/* Exactly the capabilities of the list are permitted and effective, and none is inheritable. */
static bool holds(const cap_value_t *values, size_t n)
{
	for (cap_value_t value = 0; value < cap_max_bits(); value++) {
		bool wanted = false;

		for (size_t i = 0; i < n; i++)
			wanted = wanted || values[i] == value;
		if (has(value, CAP_PERMITTED) != wanted || has(value, CAP_EFFECTIVE) != wanted ||
			has(value, CAP_INHERITABLE) || cap_get_ambient(value) > 0)
			return false;
	}
	return true;
}

static bool bounded_to(const cap_value_t *values, size_t n)
{
	for (cap_value_t value = 0; value < cap_max_bits(); value++) {
		int wanted = 0;

		for (size_t i = 0; i < n; i++)
			wanted |= values[i] == value;
		if (cap_get_bound(value) != wanted)
			return false;
	}
	return true;
}

static const cap_value_t admin[] = {CAP_NET_ADMIN};
static const cap_value_t admin_dac[] = {CAP_NET_ADMIN, CAP_DAC_OVERRIDE};

static int read_as_root(void)
{
	struct error error;

	if (privileges_keep(PRIVILEGE_READ, &error) < 0)
		return 1;
	if (!holds(NULL, 0))
		return 2;
	if (!bounded_to(NULL, 0))
		return 3;
	if (privileges_check_writer(&error) != -EPERM || error.kind != ERROR_PERMISSION)
		return 4;
	return privileges_keep(PRIVILEGE_WRITE, &error) < 0 || !holds(NULL, 0); /* no way back */
}

static int write_as_root(void)
{
	struct error error;

	if (privileges_check_writer(&error) < 0)
		return 1;
	if (privileges_keep(PRIVILEGE_WRITE, &error) < 0)
		return 2;
	if (!holds(admin, 1))
		return 3;
	if (!bounded_to(admin, 1))
		return 4;
	return privileges_check_writer(&error) < 0;
}

/* uid 65534 with the given capabilities, permitted, effective, inheritable and ambient. */
static int become(const cap_value_t *values, size_t n)
{
	cap_t caps = cap_init();

	if (prctl(PR_SET_KEEPCAPS, 1) < 0 || setuid(65534) < 0)
		return -1;
	cap_set_flag(caps, CAP_PERMITTED, (int)n, values, CAP_SET);
	cap_set_flag(caps, CAP_EFFECTIVE, (int)n, values, CAP_SET);
	cap_set_flag(caps, CAP_INHERITABLE, (int)n, values, CAP_SET);
	if (cap_set_proc(caps) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		cap_set_ambient(values[i], CAP_SET);
	return cap_free(caps);
}

static int write_as_user(void)
{
	static const cap_value_t more[] = {CAP_NET_ADMIN, CAP_DAC_OVERRIDE, CAP_NET_RAW, CAP_CHOWN};
	struct error error;

	if (become(more, 4) < 0)
		return 77;
	if (privileges_keep(PRIVILEGE_WRITE, &error) < 0)
		return 1;
	return holds(admin_dac, 2) ? 0 : 2; /* no CAP_SETPCAP: the bounding set stays */
}

static int write_as_user_with_one(void)
{
	struct error error;

	if (become(admin, 1) < 0)
		return 77;
	if (privileges_keep(PRIVILEGE_WRITE, &error) < 0)
		return 1;
	return holds(admin, 1) && privileges_check_writer(&error) == 0 ? 0 : 2;
}

static int as_ordinary_user(void)
{
	struct error error;

	if (geteuid() == 0 && setuid(65534) < 0)
		return 77;
	if (privileges_keep(PRIVILEGE_READ, &error) < 0)
		return 1;
	if (privileges_keep(PRIVILEGE_WRITE, &error) < 0)
		return 2;
	return privileges_check_writer(&error) == -EPERM ? 0 : 3;
}

static void run_as_root(int (*run)(void))
{
	int status;

	if (geteuid() != 0 || !has(CAP_SETPCAP, CAP_EFFECTIVE) ||
		!has(CAP_NET_ADMIN, CAP_EFFECTIVE))
		skip();
	status = in_child(run);
	if (status == 77)
		skip();
	assert_int_equal(status, 0);
}

static void test_read_as_root(void **state UNUSED)
{
	run_as_root(read_as_root);
}

static void test_write_as_root(void **state UNUSED)
{
	run_as_root(write_as_root);
}

static void test_write_as_user(void **state UNUSED)
{
	run_as_root(write_as_user);
	run_as_root(write_as_user_with_one);
}

static void test_ordinary_user(void **state UNUSED)
{
	assert_int_equal(in_child(as_ordinary_user), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_as_root),
		cmocka_unit_test(test_write_as_root),
		cmocka_unit_test(test_write_as_user),
		cmocka_unit_test(test_ordinary_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
