/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /sys/class/net shows the network namespace in which that sysfs was mounted, not the reader's. A
 * program that entered a namespace would so tune the host's eth0 through the host's /sys. Hence a
 * sysfs of the own namespace (fsopen(2), fsmount(2)), attached nowhere and gone with its
 * descriptor; where that is not allowed, the mounted one if it shows the links that rtnetlink does.
 */
#include "kernel/sysfs.h"

#include "util/macros.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#define TRIES 3 /* links may come and go between the two lists */

/* A descriptor of the mount, or -errno. */
static int mount_detached(void)
{
	int context CLEANUP_CLOSE = (int)syscall(SYS_fsopen, "sysfs", FSOPEN_CLOEXEC);
	long fd;

	if (context < 0 || syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
		return -errno;
	fd = syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC,
		MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* Index and MAC address: two namespaces like to have an eth0 each. */
static bool shows_link(struct kernel *kernel, const struct link *link)
{
	const uint8_t *mac = link->mac;
	char path[128], text[32], wanted[32];
	int64_t ifindex;

	snprintf(path, sizeof(path), "class/net/%s/ifindex", link->name);
	if (file_read_number(kernel, DIR_SYS, path, &ifindex) < 0 || ifindex != link->ifindex)
		return false;
	snprintf(path, sizeof(path), "class/net/%s/address", link->name);
	if (file_read(kernel, DIR_SYS, path, text, sizeof(text)) != 17)
		return true; /* not an Ethernet address */
	snprintf(wanted, sizeof(wanted), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
		mac[3], mac[4], mac[5]);
	return strcmp(text, wanted) == 0;
}

static size_t count_links(struct kernel *kernel)
{
	const char *const *names;
	char path[512];
	size_t n, count = 0;

	if (file_list(kernel, DIR_SYS, "class/net", &names, &n) < 0)
		return 0;
	for (size_t i = 0; i < n; i++) { /* files as bonding_masters are no links */
		snprintf(path, sizeof(path), "class/net/%s/ifindex", names[i]);
		count += file_exists(kernel, DIR_SYS, path);
	}
	return count;
}

/* 1 = the mounted /sys shows the same links as rtnetlink, 0 = others, -errno. */
static int is_own(struct kernel *kernel, struct error *error)
{
	for (int i = 0; i < TRIES; i++) {
		struct host host = {0};
		bool same;
		int r = kernel_links(kernel, &host, error);

		if (r < 0)
			return r;
		same = count_links(kernel) == host.nlinks;
		for (size_t k = 0; k < host.nlinks && same; k++)
			same = shows_link(kernel, host.links[k]);
		if (same)
			return 1;
	}
	return 0;
}

int sysfs_open(struct kernel *kernel, struct error *error)
{
	int fd = mount_detached(), r;
	struct statfs fs;

	/* Root of a user namespace may mount only in a mount namespace that belongs to it. */
	if (fd == -EPERM && unshare(CLONE_NEWNS) == 0)
		fd = mount_detached();
	kernel->dirs[DIR_SYS] = fd;
	if (fd >= 0)
		return 0;
	kernel->dirs[DIR_SYS] = open("/sys", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (kernel->dirs[DIR_SYS] < 0 || fstatfs(kernel->dirs[DIR_SYS], &fs) < 0)
		return error_set(error, ERROR_MISSING, errno, "/sys: %s", strerror(errno));
	if (fs.f_type != SYSFS_MAGIC)
		return error_set(error, ERROR_MISSING, ENOENT, "/sys is not mounted");
	r = is_own(kernel, error);
	if (r == 0)
		return error_set(error, ERROR_MISSING, ENOENT,
			"/sys shows the interfaces of another network namespace, and one of this "
			"namespace can't be mounted: %s",
			strerror(-fd));
	return MIN(r, 0);
}
