/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building ethtool netlink requests and reading their common parts; inside src/kernel/ only.
 */
#ifndef NETTUNE_KERNEL_ETHNL_H
#define NETTUNE_KERNEL_ETHNL_H

#include "kernel/ethtool.h"
#include "kernel/netlink.h"

/* Room for the headers of any request. */
#define ETHNL_HEADER_SIZE 256

/*
 * Puts headers into buf, which is zeroed: libmnl leaves gaps between attributes as they are, and
 * recordings are compared byte by byte. link NULL: a request about no device. flags:
 * ETHTOOL_FLAG_*.
 */
struct nlmsghdr *ethnl_start(
	struct kernel *kernel, void *buf, uint8_t command, const struct link *link, uint32_t flags);
/* netlink_request() that knows the names of commands. */
int ethnl_send(struct kernel *kernel, struct nlmsghdr *request, const struct link *link,
	netlink_cb *cb, void *data, struct error *error);

/* A compact bitset (ETHTOOL_A_BITSET_*): words in host order. No mask: a plain list. */
struct bitset {
	const uint32_t *value, *mask;
	uint32_t size; /* bits; 0 where the attribute is absent or no compact bitset */
};
void bitset_read(const struct nlattr *nest, struct bitset *ret);
static inline bool bitset_has(const uint32_t *words, uint32_t size, size_t bit)
{
	return words && bit < size && (words[bit / 32] >> (bit % 32) & 1);
}

/* A SET of bits by their names, in one message: `attr` is the bitset's. */
int ethnl_set_bits(struct kernel *kernel, uint8_t command, uint16_t attr, const struct link *link,
	const struct bit_change *v, size_t n, struct error *error);

/* The names of a device's bits, by number; "" for one without. */
struct names {
	struct arena *arena;
	const char **v;
	size_t n;
};
/* -ENOMEM, -EPROTO for more than there can be. */
int names_alloc(struct names *names, uint32_t n);
/* Those of ETH_SS_*, by ETHTOOL_GSTRINGS. */
int names_by_ioctl(struct kernel *kernel, const struct link *link, uint32_t set,
	struct names *names, struct error *error);

/* The first attribute of this type in a nest, or NULL. */
const struct nlattr *nest_find(const struct nlattr *nest, uint16_t type);

#endif
