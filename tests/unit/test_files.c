/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading and writing files below a directory, with openat2() and with the check component by
 * component that stands in for it; and what is special about sysctls, on the real thing in an own
 * network namespace.
 */
#include "kernel/kernel.h"

#include "kernel/path.h"
#include "unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

struct fixture {
	struct arena arena;
	struct kernel kernel;
	struct transport transport;
	char dir[64];
};

static char hook_path[256], hook_text[64];
static int hook_result;

static int hook(struct transport *transport UNUSED, const char *path, const char *text)
{
	snprintf(hook_path, sizeof(hook_path), "%s", path);
	snprintf(hook_text, sizeof(hook_text), "%s", text);
	return hook_result;
}

static void put(const struct fixture *f, const char *path, const char *text, mode_t mode)
{
	int dir CLEANUP_CLOSE = open(f->dir, O_PATH | O_DIRECTORY), fd;

	unlinkat(dir, path, 0);
	fd = openat(dir, path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	fchmod(fd, mode);
	close(fd);
}

static void put_link(const struct fixture *f, const char *path, const char *target)
{
	int dir CLEANUP_CLOSE = open(f->dir, O_PATH | O_DIRECTORY);

	assert_int_equal(symlinkat(target, dir, path), 0);
}

/*
 * in/ is the directory that all paths are below, "secret" lies beside it. As in /sys, in/class/eth0
 * leads to in/devices/pci/eth0, and in/devices/pci/eth0/device up to its parent.
 */
static void make_tree(const struct fixture *f)
{
	static const char *const dirs[] = {"in", "in/class", "in/devices", "in/devices/pci",
		"in/devices/pci/eth0", "in/devices/pci/irqs"};
	int dir CLEANUP_CLOSE = open(f->dir, O_PATH | O_DIRECTORY);

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		assert_int_equal(mkdirat(dir, dirs[i], 0755), 0);
	put(f, "secret", "secret\n", 0644);
	put(f, "in/value", "4096 131072\t6291456\n", 0644);
	put(f, "in/fixed", "1\n", 0444);
	put(f, "in/devices/pci/eth0/mtu", "1500\n", 0644);
	put(f, "in/devices/pci/irqs/9", "", 0644);
	put(f, "in/devices/pci/irqs/10", "", 0644);
	put(f, "in/devices/pci/irqs/100", "", 0644);
	put_link(f, "in/class/eth0", "../devices/pci/eth0");
	put_link(f, "in/devices/pci/eth0/device", "../../pci");
	put_link(f, "in/out", "../secret");
	put_link(f, "in/absolute", "/etc/hostname");
	put_link(f, "in/loop", "loop");
	put_link(f, "in/deep", "class/eth0/device/eth0/mtu");
	put_link(f, "in/here", "./devices/../value");
}

static int setup(void **state, bool has_openat2)
{
	struct fixture *f = calloc(1, sizeof(*f));
	char path[80];

	strcpy(f->dir, "/tmp/nettune-test-XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	make_tree(f);
	arena_init(&f->arena);
	snprintf(path, sizeof(path), "%s/in", f->dir);
	f->kernel = (struct kernel){
		.dirs = {-1, -1, -1},
		.dir_names = {"/proc", "/sys", "/proc/sys"},
		.transport = &f->transport,
		.has_openat2 = has_openat2,
		.arena = &f->arena,
	};
	for (int dir = 0; dir < DIR_MAX; dir++)
		f->kernel.dirs[dir] = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*state = f;
	return 0;
}

static int setup_openat2(void **state)
{
	int fd CLEANUP_CLOSE = open("/", O_PATH | O_DIRECTORY);

	return setup(state, path_probe(fd));
}

static int setup_checked(void **state)
{
	return setup(state, false);
}

static int teardown(void **state)
{
	static const char *const files[] = {"secret", "in/value", "in/fixed",
		"in/devices/pci/eth0/mtu", "in/devices/pci/irqs/9", "in/devices/pci/irqs/10",
		"in/devices/pci/irqs/100", "in/class/eth0", "in/devices/pci/eth0/device", "in/out",
		"in/absolute", "in/loop", "in/deep", "in/here"};
	static const char *const dirs[] = {"in/devices/pci/irqs", "in/devices/pci/eth0",
		"in/devices/pci", "in/devices", "in/class", "in"};
	struct fixture *f = *state;
	int dir CLEANUP_CLOSE = open(f->dir, O_PATH | O_DIRECTORY);

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		unlinkat(dir, files[i], 0);
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		unlinkat(dir, dirs[i], AT_REMOVEDIR);
	rmdir(f->dir);
	for (int i = 0; i < DIR_MAX; i++)
		close(f->kernel.dirs[i]);
	arena_done(&f->arena);
	free(f);
	return 0;
}

static ssize_t get(struct fixture *f, enum kernel_dir dir, const char *path, char *buf)
{
	return file_read(&f->kernel, dir, path, buf, 64);
}

static void test_read(void **state)
{
	struct fixture *f = *state;
	const char *text;
	int64_t number;
	char buf[64];

	assert_int_equal(get(f, DIR_SYSCTL, "value", buf), 19);
	assert_string_equal(buf, "4096 131072\t6291456");
	assert_int_equal(get(f, DIR_SYSCTL, "none", buf), -ENOENT);
	assert_int_equal(get(f, DIR_SYSCTL, "value/x", buf), -ENOTDIR);
	assert_int_equal(get(f, DIR_SYSCTL, "class", buf), -EISDIR);
	assert_int_equal(get(f, DIR_SYSCTL, "devices/pci/irqs/9", buf), 0);
	assert_int_equal(file_read_text(&f->kernel, DIR_SYSCTL, "fixed", &text), 0);
	assert_string_equal(text, "1");
	assert_int_equal(file_read_number(&f->kernel, DIR_SYSCTL, "fixed", &number), 0);
	assert_int_equal(number, 1);
	assert_int_equal(file_read_number(&f->kernel, DIR_SYSCTL, "value", &number), -EINVAL);
	assert_int_equal(
		file_read_number(&f->kernel, DIR_SYSCTL, "devices/pci/irqs/9", &number), -EINVAL);
	put(f, "in/fixed", "-1\n", 0444);
	assert_int_equal(file_read_number(&f->kernel, DIR_SYSCTL, "fixed", &number), 0);
	assert_int_equal(number, -1);
}

/* 20 bytes: a sysctl would give 20 bytes to a reader who asks for 20 or for more alike. */
static void test_read_too_long(void **state)
{
	struct fixture *f = *state;
	char buf[64];

	assert_int_equal(file_read(&f->kernel, DIR_SYSCTL, "value", buf, 22), 19);
	assert_int_equal(file_read(&f->kernel, DIR_SYSCTL, "value", buf, 21), -EOVERFLOW);
	assert_int_equal(file_read(&f->kernel, DIR_SYSCTL, "value", buf, 10), -EOVERFLOW);
}

static void test_read_long_text(void **state)
{
	struct fixture *f = *state;
	static char long_text[200001];
	const char *text;

	memset(long_text, 'x', sizeof(long_text) - 1);
	put(f, "in/value", long_text, 0644);
	assert_int_equal(file_read_text(&f->kernel, DIR_SYSCTL, "value", &text), 0);
	assert_string_equal(text, long_text);
}

static void test_no_symlinks_below_proc(void **state)
{
	static const char *const links[] = {
		"out", "absolute", "loop", "deep", "here", "class/eth0/mtu", "class/eth0"};
	struct fixture *f = *state;
	char buf[64];

	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		assert_int_equal(get(f, DIR_SYSCTL, links[i], buf), -ELOOP);
		assert_int_equal(file_write(&f->kernel, DIR_SYSCTL, links[i], "1"), -ELOOP);
		assert_false(file_exists(&f->kernel, DIR_PROC, links[i]));
	}
	assert_int_equal(get(f, DIR_SYSCTL, "../secret", buf), -EXDEV);
	assert_int_equal(get(f, DIR_SYSCTL, "class/../../secret", buf), -EXDEV);
	assert_int_equal(get(f, DIR_SYSCTL, "/etc/hostname", buf), -EXDEV);
	assert_int_equal(get(f, DIR_SYSCTL, "class/../value", buf), 19);
}

static void test_symlinks_beneath_sys(void **state)
{
	struct fixture *f = *state;
	char buf[64];

	assert_int_equal(get(f, DIR_SYS, "class/eth0/mtu", buf), 4);
	assert_string_equal(buf, "1500");
	assert_int_equal(get(f, DIR_SYS, "class/eth0/device/eth0//mtu", buf), 4);
	assert_int_equal(get(f, DIR_SYS, "./class/eth0/../eth0/mtu", buf), 4);
	assert_int_equal(get(f, DIR_SYS, "deep", buf), 4);
	assert_int_equal(get(f, DIR_SYS, "here", buf), 19);
	assert_int_equal(get(f, DIR_SYS, "out", buf), -EXDEV);
	assert_int_equal(get(f, DIR_SYS, "absolute", buf), -EXDEV);
	assert_int_equal(get(f, DIR_SYS, "loop", buf), -ELOOP);
	assert_int_equal(get(f, DIR_SYS, "../secret", buf), -EXDEV);
	assert_int_equal(get(f, DIR_SYS, "/etc/hostname", buf), -EXDEV);
	assert_int_equal(file_write(&f->kernel, DIR_SYS, "out", "broken"), -EXDEV);
}

static void test_names(void **state)
{
	struct fixture *f = *state;
	const char *const *names, *target;
	size_t n;

	assert_int_equal(file_list(&f->kernel, DIR_SYS, "class/eth0/device/irqs", &names, &n), 0);
	assert_int_equal(n, 3);
	assert_string_equal(names[0], "9");
	assert_string_equal(names[1], "10");
	assert_string_equal(names[2], "100");
	assert_int_equal(file_list(&f->kernel, DIR_SYS, "none", &names, &n), -ENOENT);
	assert_int_equal(file_list(&f->kernel, DIR_SYS, "value", &names, &n), -ENOTDIR);
	assert_int_equal(file_link_name(&f->kernel, DIR_SYS, "class/eth0/device", &target), 0);
	assert_string_equal(target, "pci");
	assert_int_equal(file_link_name(&f->kernel, DIR_SYS, "loop", &target), 0);
	assert_string_equal(target, "loop");
	assert_int_equal(file_link_name(&f->kernel, DIR_SYS, "value", &target), -EINVAL);
	assert_int_equal(file_link_name(&f->kernel, DIR_SYS, "none", &target), -ENOENT);
}

static void test_write(void **state)
{
	struct fixture *f = *state;
	char buf[64];

	put(f, "in/value", "", 0644);
	assert_int_equal(file_write(&f->kernel, DIR_SYSCTL, "value", "8192"), 0);
	assert_int_equal(get(f, DIR_SYSCTL, "value", buf), 4);
	assert_string_equal(buf, "8192");
	assert_int_equal(file_write(&f->kernel, DIR_SYSCTL, "none", "1"), -ENOENT);
	put(f, "in/value", "", 0644);
	assert_int_equal(file_write(&f->kernel, DIR_SYSCTL, "value", ""), 0);
	assert_int_equal(file_read(&f->kernel, DIR_SYSCTL, "value", buf, 3), 0); /* "\n" */
	assert_int_equal(file_read(&f->kernel, DIR_SYSCTL, "value", buf, 2), -EOVERFLOW);
}

static void test_write_hook(void **state)
{
	struct fixture *f = *state;
	char buf[64];

	f->transport.file_write = hook;
	hook_result = -EBUSY;
	assert_int_equal(file_write(&f->kernel, DIR_SYSCTL, "value", "7"), -EBUSY);
	assert_string_equal(hook_path, "/proc/sys/value");
	assert_string_equal(hook_text, "7");
	hook_result = 1;
	assert_int_equal(file_write(&f->kernel, DIR_SYSCTL, "value", "7"), 0);
	assert_int_equal(get(f, DIR_SYSCTL, "value", buf), 19);
	hook_result = 0;
	put(f, "in/value", "", 0644);
	assert_int_equal(file_write(&f->kernel, DIR_SYSCTL, "value", "7"), 0);
	assert_int_equal(get(f, DIR_SYSCTL, "value", buf), 1);
}

static void test_write_below_root(void **state)
{
	struct fixture *f = *state;
	char buf[64];

	f->kernel.below_root = true;
	assert_int_equal(file_write(&f->kernel, DIR_SYSCTL, "value", "7"), -EROFS);
	assert_int_equal(get(f, DIR_SYSCTL, "value", buf), 19);
}

static void test_settable(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(file_is_settable(&f->kernel, DIR_SYSCTL, "value"), 0);
	assert_int_equal(file_is_settable(&f->kernel, DIR_SYSCTL, "fixed"), -EACCES);
	assert_int_equal(file_is_settable(&f->kernel, DIR_SYSCTL, "none"), -ENOENT);
	assert_int_equal(file_is_settable(&f->kernel, DIR_SYS, "class/eth0/mtu"), 0);
	put(f, "in/value", "", 0200);
	assert_int_equal(file_is_settable(&f->kernel, DIR_SYSCTL, "value"), 0);
	assert_true(file_exists(&f->kernel, DIR_SYSCTL, "value"));
	assert_false(file_exists(&f->kernel, DIR_SYSCTL, "none"));
}

/* The rest runs in a child that has a network namespace of its own. */
static void in_netns(struct fixture *f, void (*run)(struct fixture *))
{
	int status;
	pid_t pid;

	if (geteuid() != 0)
		skip();
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (unshare(CLONE_NEWNET | CLONE_NEWNS) < 0)
			_exit(77);
		close(f->kernel.dirs[DIR_SYSCTL]);
		f->kernel.dirs[DIR_SYSCTL] = open("/proc/sys", O_PATH | O_DIRECTORY);
		run(f);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int failed(const char *what, const char *got)
{
	fprintf(stderr, "%s: \"%s\"\n", what, got);
	_exit(1);
}

static void want(struct fixture *f, const char *key, const char *wanted)
{
	const char *text = "";

	file_read_text(&f->kernel, DIR_SYSCTL, key, &text);
	if (strcmp(text, wanted) != 0)
		failed(key, text);
}

static void sysctls(struct fixture *f)
{
	static const char somaxconn[] = "net/core/somaxconn";
	static const char ports[] = "net/ipv4/ip_local_reserved_ports";
	char buf[4];

	if (file_write(&f->kernel, DIR_SYSCTL, somaxconn, "1000 2000") != -EIO)
		failed("trailing junk", "accepted");
	want(f, somaxconn, "1000"); /* and half of it is there */
	if (file_write(&f->kernel, DIR_SYSCTL, somaxconn, "4000") != 0)
		failed("somaxconn", "refused");
	want(f, somaxconn, "4000");
	if (file_read(&f->kernel, DIR_SYSCTL, somaxconn, buf, sizeof(buf)) != -EOVERFLOW)
		failed("short buffer", buf);
	if (file_write(&f->kernel, DIR_SYSCTL, somaxconn, "x") != -EINVAL)
		failed("x", "accepted");
	file_write(&f->kernel, DIR_SYSCTL, ports, "100");
	file_write(&f->kernel, DIR_SYSCTL, ports, "200");
	want(f, ports, "200");
	file_write(&f->kernel, DIR_SYSCTL, ports, "");
	want(f, ports, "");
	if (file_is_settable(&f->kernel, DIR_SYSCTL, somaxconn) != 0 ||
		file_is_settable(&f->kernel, DIR_SYSCTL, "net/core/none") != -ENOENT)
		failed("settable", somaxconn);
}

/* More than the first buffer holds, of a sysctl that would cut it. */
static void long_sysctl(struct fixture *f)
{
	static const char ports[] = "net/ipv4/ip_local_reserved_ports";
	static char list[40000];
	size_t length = 0;

	for (unsigned port = 10001; port < 14001; port += 2)
		length += (size_t)snprintf(
			list + length, sizeof(list) - length, "%s%u", length ? "," : "", port);
	if (file_write(&f->kernel, DIR_SYSCTL, ports, list) != 0)
		failed("long list", "refused");
	want(f, ports, list);
}

static void read_only_mount(struct fixture *f)
{
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("/proc/sys/net", "/proc/sys/net", NULL, MS_BIND, NULL) < 0 ||
		mount(NULL, "/proc/sys/net", NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL) < 0)
		_exit(77);
	if (file_is_settable(&f->kernel, DIR_SYSCTL, "net/core/somaxconn") != -EROFS)
		failed("read-only", "settable");
	if (file_write(&f->kernel, DIR_SYSCTL, "net/core/somaxconn", "1") != -EROFS)
		failed("read-only", "written");
}

static void test_sysctls(void **state)
{
	in_netns(*state, sysctls);
}

static void test_long_sysctl(void **state)
{
	in_netns(*state, long_sysctl);
}

static void test_read_only_mount(void **state)
{
	in_netns(*state, read_only_mount);
}

#define OPENAT2(name) cmocka_unit_test_setup_teardown(name, setup_openat2, teardown)
#define CHECKED(name)                                                   \
	{                                                               \
#name " (checked)", name, setup_checked, teardown, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OPENAT2(test_read),
		OPENAT2(test_read_too_long),
		OPENAT2(test_read_long_text),
		OPENAT2(test_no_symlinks_below_proc),
		OPENAT2(test_symlinks_beneath_sys),
		OPENAT2(test_names),
		OPENAT2(test_write),
		OPENAT2(test_write_hook),
		OPENAT2(test_write_below_root),
		OPENAT2(test_settable),
		OPENAT2(test_sysctls),
		OPENAT2(test_long_sysctl),
		OPENAT2(test_read_only_mount),
		CHECKED(test_read),
		CHECKED(test_no_symlinks_below_proc),
		CHECKED(test_symlinks_beneath_sys),
		CHECKED(test_names),
		CHECKED(test_write),
		CHECKED(test_settable),
		CHECKED(test_sysctls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
