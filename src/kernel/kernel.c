/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening and closing the way to the kernel: the network namespace (setns(2), ip-netns(8)), the
 * three directories, the transport.
 */
#include "kernel/kernel.h"

#include "kernel/netlink.h"
#include "kernel/path.h"
#include "kernel/sysfs.h"
#include "util/macros.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>

#define NETNS_DIR "/run/netns"

enum error_kind kernel_error_kind(int err)
{
	switch (err) {
	case EPERM:
	case EACCES:
		return ERROR_PERMISSION;
	case ENODEV:
	case ENOENT:
	case EOPNOTSUPP:
		return ERROR_MISSING;
	default:
		return ERROR_FAILED;
	}
}

static int enter_netns(const char *name, struct error *error)
{
	char path[512];
	int fd CLEANUP_CLOSE = -1;

	if (!name[0] || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		snprintf(path, sizeof(path), NETNS_DIR "/%s", name) >= (int)sizeof(path))
		return error_set(error, ERROR_USAGE, EINVAL,
			"\"%s\" is not a name of a network namespace", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_set(error, kernel_error_kind(errno), errno,
			"network namespace %s: %s: %s", name, path, strerror(errno));
	if (setns(fd, CLONE_NEWNET) < 0)
		return error_set(error, kernel_error_kind(errno), errno,
			"network namespace %s: can't enter: %s", name, strerror(errno));
	return 0;
}

static int open_proc(struct kernel *kernel, struct error *error)
{
	struct statfs fs;

	kernel->dirs[DIR_PROC] = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (kernel->dirs[DIR_PROC] < 0 || fstatfs(kernel->dirs[DIR_PROC], &fs) < 0)
		return error_set(error, ERROR_MISSING, errno, "/proc: %s", strerror(errno));
	if (fs.f_type != PROC_SUPER_MAGIC)
		return error_set(error, ERROR_MISSING, ENOENT, "/proc is not mounted");
	kernel->dirs[DIR_SYSCTL] = openat(
		kernel->dirs[DIR_PROC], "sys", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (kernel->dirs[DIR_SYSCTL] < 0)
		return error_set(error, ERROR_MISSING, errno, "/proc/sys: %s", strerror(errno));
	kernel->has_openat2 = path_probe(kernel->dirs[DIR_PROC]);
	return 0;
}

/* The transport, from the inside out: what is recorded is what fault made of it. */
static int open_transport(
	struct kernel *kernel, const struct kernel_options *options, struct error *error)
{
	struct transport *transport;
	int r = transport_real_new(&transport, error);

	if (r == 0 && options->fault)
		r = transport_fault_new(options->fault, transport, &transport, error);
	if (r == 0 && options->record)
		r = transport_record_new(options->record, transport, &transport, error);
	if (r == 0)
		kernel->transport = transport;
	return r;
}

static int open_real(
	struct kernel *kernel, const struct kernel_options *options, struct error *error)
{
	int r = options->netns ? enter_netns(options->netns, error) : 0;

	if (r == 0)
		r = open_proc(kernel, error);
	if (r == 0)
		r = open_transport(kernel, options, error);
	if (r == 0)
		r = sysfs_open(kernel, error);
	return r;
}

static int open_root(struct kernel *kernel, const char *root, struct error *error)
{
	static const char *const below[DIR_MAX] = {
		[DIR_PROC] = "proc",
		[DIR_SYS] = "sys",
		[DIR_SYSCTL] = "proc/sys",
	};
	int root_fd CLEANUP_CLOSE = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int netlink_fd CLEANUP_CLOSE = -1;

	kernel->below_root = true;
	if (root_fd < 0)
		return error_set(error, ERROR_MISSING, errno, "%s: %s", root, strerror(errno));
	for (int dir = 0; dir < DIR_MAX; dir++) {
		kernel->dir_names[dir] = arena_printf(kernel->arena, "%s/%s", root, below[dir]);
		kernel->dirs[dir] = openat(root_fd, below[dir], O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (kernel->dirs[dir] < 0 && errno != ENOENT)
			return error_set(error, ERROR_MISSING, errno, "%s: %s",
				kernel->dir_names[dir], strerror(errno));
	}
	kernel->has_openat2 = path_probe(root_fd);
	netlink_fd = openat(root_fd, "netlink", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return transport_replay_new(netlink_fd, &kernel->transport, error);
}

int kernel_open(struct kernel *kernel, const struct kernel_options *options, struct arena *arena,
	struct error *error)
{
	int r;

	*kernel = (struct kernel){
		.dirs = {-1, -1, -1},
		.dir_names = {"/proc", "/sys", "/proc/sys"},
		.arena = arena,
	};
	r = options->root ? open_root(kernel, options->root, error)
			  : open_real(kernel, options, error);
	if (r == 0 && options->ethtool != ETHTOOL_IOCTL)
		r = netlink_find_ethtool(kernel, error);
	if (r < 0)
		kernel_close(kernel);
	return r;
}

void kernel_close(struct kernel *kernel)
{
	for (int dir = 0; dir < DIR_MAX; dir++)
		cleanup_close(&kernel->dirs[dir]);
	if (kernel->transport)
		kernel->transport->free(kernel->transport);
	buffer_free(&kernel->reply);
	*kernel = (struct kernel){.dirs = {-1, -1, -1}};
}
