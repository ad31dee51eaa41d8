/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writer locks, in a directory of the test's own: waiting, the holder's pid, a killed holder.
 */
#include "engine/store.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unit/test.h"

#define NETNS 4711

static char base[64], dir[80];
static struct error error;

static int setup(void **state)
{
	error = (struct error){0};
	snprintf(base, sizeof(base), "/tmp/nettune-lock-XXXXXX");
	if (!mkdtemp(base))
		return -1;
	snprintf(dir, sizeof(dir), "%s/run", base);
	return 0;
}

static int teardown(void **state)
{
	static const char *const names[] = {"netns-4711.lock", "netns-4712.lock", "host.lock"};
	char path[160];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
	unlink(dir);
	rmdir(dir);
	return rmdir(base);
}

/* A child that holds the locks until it is told to end through the returned descriptor. */
static int start_holder(bool host, pid_t *ret)
{
	int ready[2], go[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(go), 0);
	*ret = fork();
	if (*ret == 0) {
		struct lock lock;

		close(go[1]);
		if (lock_take(&lock, dir, NETNS, host, 0, NULL) < 0)
			_exit(1);
		if (write(ready[1], "x", 1) != 1 || read(go[0], &byte, 1) != 0)
			_exit(2);
		lock_release(&lock);
		_exit(0);
	}
	close(ready[1]);
	close(go[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return go[1];
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void test_takes_and_releases(void **state)
{
	struct lock lock;
	struct stat st;

	assert_false(lock_is_held(dir, NETNS));
	assert_int_equal(lock_take(&lock, dir, NETNS, true, 0, &error), 0);
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	lock_release(&lock);
	assert_int_equal(lock.netns_fd, -1);
	assert_int_equal(lock.host_fd, -1);
	assert_false(lock_is_held(dir, NETNS));
	assert_int_equal(lock_take(&lock, dir, NETNS, true, 0, &error), 0);
	lock_release(&lock);
	lock_release(&lock);
}

static void test_names_the_holder(void **state)
{
	struct lock lock;
	pid_t pid;
	int go = start_holder(false, &pid);
	char wanted[32];
	int status;

	assert_true(lock_is_held(dir, NETNS));
	assert_int_equal(lock_take(&lock, dir, NETNS, false, 0, &error), -EBUSY);
	assert_int_equal(error.kind, ERROR_LOCKED);
	snprintf(wanted, sizeof(wanted), "pid %d", pid);
	assert_non_null(strstr(error.msg, wanted));
	close(go);
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

static void test_waits_for_its_time(void **state)
{
	struct lock lock;
	pid_t pid;
	int go = start_holder(false, &pid);
	double start = seconds_now();

	assert_int_equal(lock_take(&lock, dir, NETNS, false, 120, &error), -EBUSY);
	assert_true(seconds_now() - start >= 0.12);
	close(go);
	/* the holder ends now: whoever waits gets it */
	assert_int_equal(lock_take(&lock, dir, NETNS, false, 10000, &error), 0);
	lock_release(&lock);
	waitpid(pid, NULL, 0);
}

static void test_killed_holder_leaves_nothing(void **state)
{
	struct lock lock;
	pid_t pid;
	int go = start_holder(true, &pid);

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(go);
	assert_false(lock_is_held(dir, NETNS));
	assert_int_equal(lock_take(&lock, dir, NETNS, true, 0, &error), 0);
	lock_release(&lock);
}

static void test_namespaces_do_not_meet_but_on_the_host(void **state)
{
	struct lock lock;
	pid_t pid;
	int go = start_holder(true, &pid);

	assert_false(lock_is_held(dir, NETNS + 1));
	assert_int_equal(lock_take(&lock, dir, NETNS + 1, false, 0, &error), 0);
	lock_release(&lock);
	assert_int_equal(lock_take(&lock, dir, NETNS + 1, true, 0, &error), -EBUSY);
	assert_non_null(strstr(error.msg, "host-wide settings"));
	/* what it got before it failed is free again */
	assert_int_equal(lock.netns_fd, -1);
	close(go);
	waitpid(pid, NULL, 0);
}

static void test_refuses_a_directory_of_others(void **state)
{
	struct lock lock;

	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(chmod(dir, 0777), 0);
	assert_int_equal(lock_take(&lock, dir, NETNS, false, 0, &error), -EPERM);
	assert_int_equal(error.kind, ERROR_PERMISSION);
	assert_non_null(strstr(error.msg, "others can write"));
}

static void test_refuses_a_symlink(void **state)
{
	struct lock lock;

	assert_int_equal(symlink(base, dir), 0);
	assert_true(lock_take(&lock, dir, NETNS, false, 0, &error) < 0);
	assert_int_equal(error.kind, ERROR_PERMISSION);
}

static void test_a_directory_that_cannot_be_made(void **state)
{
	struct lock lock;
	char missing[128];

	snprintf(missing, sizeof(missing), "%s/no/run", base);
	assert_int_equal(lock_take(&lock, missing, NETNS, false, 0, &error), -ENOENT);
	assert_int_equal(error.kind, ERROR_PERMISSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_takes_and_releases, setup, teardown),
		cmocka_unit_test_setup_teardown(test_names_the_holder, setup, teardown),
		cmocka_unit_test_setup_teardown(test_waits_for_its_time, setup, teardown),
		cmocka_unit_test_setup_teardown(test_killed_holder_leaves_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_namespaces_do_not_meet_but_on_the_host, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_refuses_a_directory_of_others, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refuses_a_symlink, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_a_directory_that_cannot_be_made, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
