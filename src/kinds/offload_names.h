/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of network device features: the kernel's own (netdev_features_strings in
 * net/ethtool/common.c), ethtool's short words and its long ones for one bit or a group of bits.
 */
#ifndef NETTUNE_KINDS_OFFLOAD_NAMES_H
#define NETTUNE_KINDS_OFFLOAD_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* short word, long word, bits (a pattern as in fnmatch(3)), the line for the manual */
#define OFFLOAD_ALIASES(X)                                                                      \
	X("rx", "rx-checksumming", "rx-checksum", "checksums of received packets")              \
	X("tx", "tx-checksumming", "tx-checksum-*", "checksums of transmitted packets")         \
	X("sg", "scatter-gather", "tx-scatter-gather*", "packets in pieces of memory")          \
	X("tso", "tcp-segmentation-offload", "tx-tcp*-segmentation", "TCP cut into segments")   \
	X("ufo", "udp-fragmentation-offload", "tx-udp-fragmentation", "UDP cut into fragments") \
	X("gso", "generic-segmentation-offload", "tx-generic-segmentation",                     \
		"segments cut late, in software")                                               \
	X("gro", "generic-receive-offload", "rx-gro", "received segments joined in software")   \
	X("lro", "large-receive-offload", "rx-lro", "received segments joined by the device")   \
	X("rxvlan", "rx-vlan-offload", "rx-vlan-hw-parse", "VLAN tags taken off by the device") \
	X("txvlan", "tx-vlan-offload", "tx-vlan-hw-insert", "VLAN tags put in by the device")   \
	X("ntuple", "ntuple-filters", "rx-ntuple-filter", "flows steered by filters")           \
	X("rxhash", "receive-hashing", "rx-hashing", "hash of each received flow")

struct offload_alias {
	const char *name, *long_name, *pattern;
};

/* By either word; NULL for other names, as those of bits. */
const struct offload_alias *offload_alias_find(const char *name);
/* The bit is what the alias means; one of the bits that it means. */
bool offload_alias_has(const struct offload_alias *alias, const char *bit);
/* The alias means one bit, and is just another name of it: that bit; else NULL. */
const char *offload_alias_bit(const struct offload_alias *alias);

/* Bits that kernels have or had, NULL-ended. */
enum { OFFLOAD_BITS_MAX = 128 };
extern const char *const offload_bits[];
bool offload_is_bit(const char *name);
/* Bits that the core does without the device. */
bool offload_is_software(const char *bit);
/* Not known here, but it may be a bit of a newer kernel. */
bool offload_may_be_bit(const char *name);
/* The nearest of all words, or NULL. */
const char *offload_nearest(const char *name);

#endif
