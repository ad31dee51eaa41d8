/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only way to the kernel: three directories, two exchanges, one hook. Everything that kinds
 * and engine need of the kernel is declared in src/kernel/, everything they get is plain data.
 */
#ifndef NETTUNE_KERNEL_KERNEL_H
#define NETTUNE_KERNEL_KERNEL_H

#include "core/host.h"
#include "kernel/transport.h"
#include "util/arena.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

enum kernel_dir { DIR_PROC, DIR_SYS, DIR_SYSCTL /* /proc/sys */, DIR_MAX };

enum ethtool_path { ETHTOOL_AUTO, ETHTOOL_IOCTL /* NETTUNE_ETHTOOL=ioctl */ };

struct kernel {
	int dirs[DIR_MAX];
	const char *dir_names[DIR_MAX]; /* for messages: "/proc", "/sys", "/proc/sys" */
	bool below_root;                /* --root: recordings, nothing may be written */
	bool has_openat2;               /* else paths are checked component by component */
	struct transport *transport;
	uint32_t seq;
	uint16_t ethtool_family;          /* 0 = no ethtool netlink */
	uint64_t ethtool_ops[4];          /* commands that the kernel has, by number (bit set) */
	struct buffer reply;              /* of the last exchange */
	const char *const *feature_names; /* ETH_SS_FEATURES, by bit; read once */
	size_t nfeatures;
	bool has_looked_for_irqbalance;
	uint32_t irqbalance; /* the number of its process, 0 = none */
	struct arena *arena;
};

struct kernel_options {
	const char *root;   /* --root, NULL = the real thing */
	const char *netns;  /* --netns NAME, NULL = stay */
	const char *record; /* directory for recordings, NULL = none (NETTUNE_RECORD) */
	const char *fault;  /* fault plan, NULL = none (NETTUNE_FAULT, test builds only) */
	enum ethtool_path ethtool;
};

/*
 * Enters the namespace, opens the directories (a /sys of the own network namespace, ERROR_MISSING
 * if it can't be had: see sysfs.c) and the transport, and learns the ethtool family.
 */
int kernel_open(struct kernel *kernel, const struct kernel_options *options, struct arena *arena,
	struct error *error);
void kernel_close(struct kernel *kernel);
/* What an errno of the kernel means: permission, missing, else failed. For error_set(). */
enum error_kind kernel_error_kind(int err);

/* files.c: paths are relative to the directory; openat2 without symlinks below /proc, beneath
 * /sys; EAGAIN retried. */

/* Bytes read (one trailing newline cut, NUL-ended), or -errno; -EOVERFLOW if it does not fit. */
ssize_t file_read(
	struct kernel *kernel, enum kernel_dir dir, const char *path, char *buf, size_t size);
/* The text in the kernel's arena, any length up to 1 MiB. 0 or -errno. */
int file_read_text(struct kernel *kernel, enum kernel_dir dir, const char *path, const char **ret);
/* A number in decimal; -EINVAL if it is none. */
int file_read_number(struct kernel *kernel, enum kernel_dir dir, const char *path, int64_t *ret);
/* One fresh open, one write() (lists longer than a page: page by page, as the kernel takes them);
 * "" is written as "\n"; a short write is -EIO. 0 or -errno. */
int file_write(struct kernel *kernel, enum kernel_dir dir, const char *path, const char *text);
/* The same for a path with the link's name in it: opened first, and written only if the name still
 * is this link's then. -ESTALE: it has another name now (in *link); -ENODEV: it is gone. */
int file_write_of_link(struct kernel *kernel, struct link *link, enum kernel_dir dir,
	const char *path, const char *text);
/* 0 if the mode lets its owner write; -EACCES if not, -EROFS on a read-only mount; -errno. Opens
 * nothing (O_PATH). */
int file_is_settable(struct kernel *kernel, enum kernel_dir dir, const char *path);
bool file_exists(struct kernel *kernel, enum kernel_dir dir, const char *path);
/* Names in a directory (without . and ..), sorted; numbers by value. 0 or -errno. */
int file_list(struct kernel *kernel, enum kernel_dir dir, const char *path, const char *const **ret,
	size_t *ret_n);
/* Target of a symlink, last component only. 0 or -errno. */
int file_link_name(struct kernel *kernel, enum kernel_dir dir, const char *path, const char **ret);

/* facts.c */

/* All of struct host but the links. */
int kernel_host(struct kernel *kernel, struct host *host, struct error *error);
/* links.c: all links by one dump (libnl-route parses). Links of an earlier call are kept, by
 * ifindex, and updated, so that pointers stay good; the vanished get ifindex 0, and are no longer
 * in host->links. */
int kernel_links(struct kernel *kernel, struct host *host, struct error *error);
/* One link again: MTU, flags, carrier, name. -ENODEV. */
int kernel_link_refresh(struct kernel *kernel, struct link *link, struct error *error);
/* Reads those of the facts that link->known lacks. A fact that can't be had counts as read. */
int kernel_link_facts(
	struct kernel *kernel, struct link *link, unsigned facts, struct error *error);
/* RTM_NEWLINK with only IFLA_MTU. -errno, the kernel's text in *error. */
int kernel_link_set_mtu(
	struct kernel *kernel, const struct link *link, uint32_t mtu, struct error *error);
/* link_service.c: what a link shall do again (enum service bits), and how long that may take, from
 * the call on; is_over is asked between readings (NULL: never over). */
struct wait {
	unsigned service;
	unsigned carrier_ms, service_ms; /* until there is carrier; until all is there */
	bool (*is_over)(void);
};
/* 0; -ETIMEDOUT: link->service lacks something; -EINTR: is_over; -ENODEV. */
int kernel_wait_service(struct kernel *kernel, struct link *link, const struct wait *wait);
/* The one of the two times that counts for the link as it is now. */
unsigned wait_limit(const struct link *link, const struct wait *wait);

/* qdiscs.c: the qdiscs of all links, into link->qdisc. 0, or -errno: they stay NULL. */
int kernel_qdiscs(struct kernel *kernel, const struct host *host, struct error *error);

/* link_facts.c: the folder below /sys of the device on the bus: a virtio device has its interrupts,
 * its node and its address from the PCI device above. */
void link_device_path(
	struct kernel *kernel, const struct link *link, const char *name, char *ret, size_t size);

/* irqs.c */
struct irq {
	uint32_t number;
	const char *action; /* name of its first handler; NULL = none requested (link is down) */
	unsigned hwirq;     /* MSI-X index */
};
/* The IRQs of the device behind the link, ascending by hwirq (virtio: one level up). n = 0 for
 * links without device or MSI. */
int kernel_link_irqs(
	struct kernel *kernel, const struct link *link, struct irq **ret, size_t *ret_n);
/* An interrupt of the link has no handler now, as the link is down, but had one, and other CPUs than
 * those that new interrupts get. */
int kernel_link_is_masked(
	struct kernel *kernel, const struct host *host, const struct link *link, bool *ret);

/* processes.c: the number of irqbalance's process, 0 if none can be seen. Looked for once. */
uint32_t kernel_irqbalance(struct kernel *kernel);

/* caps.c: libcap. */
enum privilege {
	PRIVILEGE_READ,  /* reading commands: none */
	PRIVILEGE_WRITE, /* CAP_NET_ADMIN, and CAP_DAC_OVERRIDE where uid is not 0 */
};
/* Gives up all that the phase does not need; cuts the bounding set where that is allowed. Nothing
 * missing is an error here. */
int privileges_keep(enum privilege privilege, struct error *error);
/* 0 if CAP_NET_ADMIN is held; ERROR_PERMISSION. */
int privileges_check_writer(struct error *error);

#endif
