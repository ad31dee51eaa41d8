/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ethtool by generic netlink (Documentation/networking/ethtool-netlink.rst) and by SIOCETHTOOL
 * (include/uapi/linux/ethtool.h). Kinds encode and decode through these.
 */
#ifndef NETTUNE_KERNEL_ETHTOOL_H
#define NETTUNE_KERNEL_ETHTOOL_H

#include "core/host.h"
#include "kernel/kernel.h"

#include <libmnl/libmnl.h>
#include <linux/ethtool.h>

/* The kernel has this netlink command (CTRL_ATTR_OPS), and netlink is not switched off. */
bool ethnl_has(const struct kernel *kernel, uint8_t command);

/*
 * One GET for one link (header with index and name, `flags` = ETHTOOL_FLAG_*). tb[0 .. ntb) is
 * filled with the attributes of the reply, NULL = absent; attributes from ntb on are skipped. They
 * point into kernel->reply: good until the next exchange. -errno; the kernel's text in *error.
 */
int ethnl_get(struct kernel *kernel, uint8_t command, const struct link *link, uint32_t flags,
	const struct nlattr **tb, size_t ntb, struct error *error);

/* One attribute of a SET: u8 (width 1) or u32 (width 4). */
struct ethnl_attr {
	uint16_t type;
	uint8_t width;
	uint32_t number;
};
int ethnl_set(struct kernel *kernel, uint8_t command, const struct link *link,
	const struct ethnl_attr *v, size_t n, struct error *error);

/* Features. Bits by the kernel's own names; sets are arrays of bool by bit. */
struct features {
	size_t n;
	const char *const *names;                      /* [n]; the kernel's arena */
	bool *changeable, *wanted, *active, *nochange; /* [n] */
};
int ethtool_features_get(
	struct kernel *kernel, const struct link *link, struct features *ret, struct error *error);
struct bit_change {
	const char *name;
	bool on;
};
/* All bits in one message. An accepted but unobtained bit is no error here: read back. */
int ethtool_features_set(struct kernel *kernel, const struct link *link, const struct bit_change *v,
	size_t n, struct error *error);

/* Private flags: switches that the driver names. n 0: it has none. */
struct private_flags {
	size_t n;
	const char *const *names; /* [n]; the kernel's arena */
	bool *on;                 /* [n] */
};
int ethtool_private_flags_get(struct kernel *kernel, const struct link *link,
	struct private_flags *ret, struct error *error);
/* All in one message; -EOPNOTSUPP for a name that the driver does not have. */
int ethtool_private_flags_set(struct kernel *kernel, const struct link *link,
	const struct bit_change *v, size_t n, struct error *error);

/* RSS: netlink GET where there is one and it tells all, ioctl GRSSH / SRSSH else. */
struct rss {
	uint32_t *indir; /* [nindir]; 0 entries = not told */
	size_t nindir;
	uint8_t *key; /* [nkey] */
	size_t nkey;
	uint32_t hfunc; /* bit of ETH_RSS_HASH_*, 0 = not told */
	uint32_t rings; /* receive rings that the table may name */
};
int ethtool_rss_get(
	struct kernel *kernel, const struct link *link, struct rss *ret, struct error *error);
/* nindir 0 = leave the table; is_default = spread it anew. nkey 0 = leave the key. */
int ethtool_rss_set(struct kernel *kernel, const struct link *link, const struct rss *rss,
	bool is_default, struct error *error);

/* Coalescing of one queue (ETHTOOL_PERQUEUE, ioctl only). -EOPNOTSUPP where the driver has none. */
int ethtool_coalesce_get_queue(struct kernel *kernel, const struct link *link, unsigned queue,
	struct ethtool_coalesce *ret, struct error *error);
int ethtool_coalesce_set_queue(struct kernel *kernel, const struct link *link, unsigned queue,
	const struct ethtool_coalesce *coalesce, struct error *error);

/* SIOCETHTOOL with a structure that starts with its command. Return value of the ioctl, or -errno
 * with "ETHTOOL_SRINGPARAM: Invalid argument" in *error. */
int ethtool_ioctl(struct kernel *kernel, const struct link *link, void *data, size_t length,
	struct error *error);
/* Driver name and bus address by ETHTOOL_GDRVINFO; "" where there is none. */
int ethtool_driver_info(struct kernel *kernel, const struct link *link, const char **ret_driver,
	const char **ret_bus);

#endif
