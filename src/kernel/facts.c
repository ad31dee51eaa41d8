/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about the machine, all of them from files, so that they can be recorded: proc(5),
 * Documentation/admin-guide/cputopology.rst, Documentation/ABI/stable/sysfs-devices-node.
 */
#include "kernel/kernel.h"

#include "util/macros.h"
#include "util/numbers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define CPU_DIR  "devices/system/cpu"
#define NODE_DIR "devices/system/node"

enum {
	OPTION_NETNS_COOKIE = 71 /* SO_NETNS_COOKIE, Linux 5.14 */
};

static const char *read_word(struct kernel *kernel, const char *path)
{
	const char *text;

	return file_read_text(kernel, DIR_SYSCTL, path, &text) == 0 ? text : "";
}

/* "MemTotal:       16303088 kB" */
static uint64_t read_ram(struct kernel *kernel)
{
	const char *text, *at;

	if (file_read_text(kernel, DIR_PROC, "meminfo", &text) < 0)
		return 0;
	at = strstr(text, "MemTotal:");
	return at ? 1024 * strtoull(at + strlen("MemTotal:"), NULL, 10) : 0;
}

/* The empty set also for a file that is not there, or that says "(null)" (nohz_full). */
static void read_cpus(struct kernel *kernel, const char *path, struct cpuset *ret)
{
	const char *text;

	cpuset_clear(ret);
	if (file_read_text(kernel, DIR_SYS, path, &text) == 0 && cpuset_parse_list(text, ret) < 0)
		cpuset_clear(ret);
}

static int read_processors(struct kernel *kernel, struct host *host, struct error *error)
{
	struct cpuset possible, nohz;

	read_cpus(kernel, CPU_DIR "/online", &host->online);
	read_cpus(kernel, CPU_DIR "/possible", &possible);
	read_cpus(kernel, CPU_DIR "/isolated", &host->isolated);
	read_cpus(kernel, CPU_DIR "/nohz_full", &nohz);
	cpuset_or(&host->isolated, &nohz);
	if (cpuset_is_empty(&host->online))
		return error_set(error, ERROR_MISSING, ENOENT, "%s/" CPU_DIR "/online tells no CPU",
			kernel->dir_names[DIR_SYS]);
	cpuset_or(&possible, &host->online);
	host->nr_cpu_ids = cpuset_last(&possible) + 1;
	return 0;
}

/* "node12" -> 12; -EINVAL for other names. */
static int node_number(const char *name, uint64_t *ret)
{
	if (strncmp(name, "node", 4) != 0)
		return -EINVAL;
	return number_parse(name + 4, ret);
}

/* No nodes at all on a kernel without NUMA. */
static int read_nodes(struct kernel *kernel, struct host *host)
{
	const char *const *names = NULL;
	uint64_t node, nnodes = 0;
	size_t n = 0;
	char path[128];

	file_list(kernel, DIR_SYS, NODE_DIR, &names, &n);
	for (size_t i = 0; i < n; i++)
		if (node_number(names[i], &node) == 0 && node < CPUSET_MAX)
			nnodes = MAX(nnodes, node + 1);
	host->nnodes = (size_t)nnodes;
	host->node_cpus = ARENA_ARRAY(kernel->arena, host->nnodes, struct cpuset);
	if (!host->node_cpus)
		return -ENOMEM;
	for (size_t i = 0; i < host->nnodes; i++) {
		snprintf(path, sizeof(path), NODE_DIR "/node%zu/cpulist", i);
		read_cpus(kernel, path, &host->node_cpus[i]);
	}
	return 0;
}

/* Cookies are never used twice in a boot; inode numbers are. */
static uint64_t read_netns(struct kernel *kernel)
{
	int fd CLEANUP_CLOSE = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
	uint64_t cookie = 0;
	socklen_t length = sizeof(cookie);
	struct stat st;

	if (fd >= 0 && getsockopt(fd, SOL_SOCKET, OPTION_NETNS_COOKIE, &cookie, &length) == 0 &&
		length == sizeof(cookie))
		return cookie;
	/* A link that only the kernel can follow, so not through the file functions. */
	return fstatat(kernel->dirs[DIR_PROC], "self/ns/net", &st, 0) == 0 ? st.st_ino : 0;
}

int kernel_host(struct kernel *kernel, struct host *host, struct error *error)
{
	int r;

	*host = (struct host){
		.name = read_word(kernel, "kernel/hostname"),
		.kernel = read_word(kernel, "kernel/osrelease"),
		.boot_id = read_word(kernel, "kernel/random/boot_id"),
		.netns = kernel->below_root ? 1 : read_netns(kernel),
		.ram = read_ram(kernel),
	};
	r = read_processors(kernel, host, error);
	if (r < 0)
		return r;
	if (read_nodes(kernel, host) < 0 || arena_failed(kernel->arena))
		return error_no_memory(error);
	if (!*host->boot_id && !kernel->below_root)
		return error_set(error, ERROR_MISSING, ENOENT,
			"can't tell this boot from others: no %s/kernel/random/boot_id",
			kernel->dir_names[DIR_SYSCTL]);
	if (!host->netns)
		return error_set(error, ERROR_MISSING, ENOENT,
			"can't tell the network namespace: no SO_NETNS_COOKIE, and no "
			"%s/self/ns/net",
			kernel->dir_names[DIR_PROC]);
	return 0;
}
