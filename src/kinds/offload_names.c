/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of feature names, up to Linux 6.18. Which of them a kernel has is learned from the kernel;
 * these serve to tell an unknown name from a misspelt one without a host.
 */
#include "kinds/offload_names.h"

#include "util/macros.h"
#include "util/numbers.h"

#include <fnmatch.h>
#include <string.h>

#define BITS                                                                                     \
	"esp-hw-offload", "esp-tx-csum-hw-offload", "fcoe-mtu", "highdma", "hsr-dup-offload",    \
		"hsr-fwd-offload", "hsr-tag-ins-offload", "hsr-tag-rm-offload", "hw-tc-offload", \
		"l2-fwd-offload", "loopback", "macsec-hw-offload", "netns-local", "rx-all",      \
		"rx-checksum", "rx-fcs", "rx-gro", "rx-gro-hw", "rx-gro-list", "rx-hashing",     \
		"rx-lro", "rx-ntuple-filter", "rx-udp-gro-forwarding",                           \
		"rx-udp_tunnel-port-offload", "rx-vlan-filter", "rx-vlan-hw-parse",              \
		"rx-vlan-stag-filter", "rx-vlan-stag-hw-parse", "tls-hw-record",                 \
		"tls-hw-rx-offload", "tls-hw-tx-offload", "tx-checksum-fcoe-crc",                \
		"tx-checksum-ip-generic", "tx-checksum-ipv4", "tx-checksum-ipv6",                \
		"tx-checksum-sctp", "tx-esp-segmentation", "tx-fcoe-segmentation",               \
		"tx-generic-segmentation", "tx-gre-csum-segmentation", "tx-gre-segmentation",    \
		"tx-gso-list", "tx-gso-partial", "tx-gso-robust", "tx-ipxip4-segmentation",      \
		"tx-ipxip6-segmentation", "tx-lockless", "tx-nocache-copy", "tx-scatter-gather", \
		"tx-scatter-gather-fraglist", "tx-sctp-segmentation",                            \
		"tx-tcp-accecn-segmentation", "tx-tcp-ecn-segmentation",                         \
		"tx-tcp-mangleid-segmentation", "tx-tcp-segmentation", "tx-tcp6-segmentation",   \
		"tx-tunnel-remcsum-segmentation", "tx-udp-fragmentation", "tx-udp-segmentation", \
		"tx-udp_tnl-csum-segmentation", "tx-udp_tnl-segmentation", "tx-vlan-hw-insert",  \
		"tx-vlan-stag-hw-insert", "vlan-challenged"

const char *const offload_bits[] = {BITS, NULL};
_Static_assert(ARRAY_SIZE(offload_bits) <= OFFLOAD_BITS_MAX, "room for all bits and the end");

#define ALIAS(name, long_name, pattern, doc) {name, long_name, pattern},
static const struct offload_alias aliases[] = {OFFLOAD_ALIASES(ALIAS)};

#define WORDS(name, long_name, pattern, doc) name, long_name,
static const char *const all_words[] = {OFFLOAD_ALIASES(WORDS) BITS, NULL};

const struct offload_alias *offload_alias_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (strcmp(aliases[i].name, name) == 0 || strcmp(aliases[i].long_name, name) == 0)
			return &aliases[i];
	return NULL;
}

bool offload_alias_has(const struct offload_alias *alias, const char *bit)
{
	return fnmatch(alias->pattern, bit, 0) == 0;
}

const char *offload_alias_bit(const struct offload_alias *alias)
{
	return strchr(alias->pattern, '*') ? NULL : alias->pattern;
}

static bool is_one_of(const char *name, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(name, *words) == 0)
			return true;
	return false;
}

bool offload_is_bit(const char *name)
{
	return is_one_of(name, offload_bits);
}

bool offload_is_software(const char *bit)
{
	static const char *const software[] = {"rx-gro", "rx-gro-list", "rx-udp-gro-forwarding",
		"tx-generic-segmentation", "tx-nocache-copy", NULL};

	return is_one_of(bit, software);
}

/* Two letters more, less or other in one place: one is the other, misspelt. */
static bool resembles(const char *name, const char *bit)
{
	size_t nname = strlen(name), nbit = strlen(bit), start = 0, end = 0;

	while (start < MIN(nname, nbit) && name[start] == bit[start])
		start++;
	while (end < MIN(nname, nbit) - start && name[nname - 1 - end] == bit[nbit - 1 - end])
		end++;
	return MAX(nname, nbit) - start - end <= 2;
}

bool offload_may_be_bit(const char *name)
{
	static const char *const prefixes[] = {"esp-", "fcoe-", "hsr-", "hw-", "l2-", "macsec-",
		"netns-", "rx-", "tls-", "tx-", "vlan-"};

	if (name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")] != '\0')
		return false;
	for (size_t i = 0; all_words[i]; i++)
		if (resembles(name, all_words[i]))
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

const char *offload_nearest(const char *name)
{
	const char *near = nearest_word(name, all_words);

	/* "gro-hw" for "rx-gro-hw" is far by letters, and yet clear. */
	for (size_t i = 0; !near && strlen(name) > 2 && all_words[i]; i++)
		if (strstr(all_words[i], name))
			near = all_words[i];
	return near;
}
