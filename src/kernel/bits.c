/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of bits that are known by name: features and private flags have these two in common
 * (Documentation/networking/ethtool-netlink.rst, "Bit sets"; ETHTOOL_GSTRINGS).
 */
#include "kernel/ethnl.h"
#include "util/macros.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <string.h>

#define NAMES_MAX 4096 /* more is no answer of a kernel */

int names_alloc(struct names *names, uint32_t n)
{
	if (n > NAMES_MAX)
		return -EPROTO;
	names->v = ARENA_ARRAY(names->arena, n, const char *);
	if (!names->v)
		return -ENOMEM;
	names->n = n;
	for (size_t i = 0; i < n; i++)
		names->v[i] = "";
	return 0;
}

static int count_names(struct kernel *kernel, const struct link *link, uint32_t set,
	struct names *names, struct error *error)
{
	struct {
		uint32_t cmd, reserved;
		uint64_t sset_mask;
		uint32_t count, padding;
	} info = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = UINT64_C(1) << set};
	int r = ethtool_ioctl(kernel, link, &info, sizeof(info), error);

	return r < 0 ? r : names_alloc(names, info.sset_mask ? info.count : 0);
}

int names_by_ioctl(struct kernel *kernel, const struct link *link, uint32_t set,
	struct names *names, struct error *error)
{
	struct ethtool_gstrings *strings CLEANUP_FREE = NULL;
	int r = count_names(kernel, link, set, names, error);
	size_t size;

	if (r < 0)
		return r;
	size = sizeof(*strings) + names->n * ETH_GSTRING_LEN;
	strings = calloc(1, size);
	if (!strings)
		return -ENOMEM;
	strings->cmd = ETHTOOL_GSTRINGS;
	strings->string_set = set;
	strings->len = (uint32_t)names->n;
	r = ethtool_ioctl(kernel, link, strings, size, error);
	for (size_t i = 0; r >= 0 && i < names->n; i++) {
		const char *name = (const char *)strings->data + i * ETH_GSTRING_LEN;

		names->v[i] = arena_strndup(names->arena, name, strnlen(name, ETH_GSTRING_LEN));
	}
	return MIN(r, 0);
}

/* Names, not numbers; a listed bit without VALUE is one to be off. */
int ethnl_set_bits(struct kernel *kernel, uint8_t command, uint16_t attr, const struct link *link,
	const struct bit_change *v, size_t n, struct error *error)
{
	size_t size = ETHNL_HEADER_SIZE + n * (3 * MNL_ATTR_HDRLEN + ETH_GSTRING_LEN + 1);
	void *buf CLEANUP_FREE = calloc(1, size);
	struct nlattr *set, *bits, *bit;
	struct nlmsghdr *request;

	if (!buf)
		return error_no_memory(error);
	request = ethnl_start(kernel, buf, command, link, 0);
	set = mnl_attr_nest_start(request, attr);
	bits = mnl_attr_nest_start(request, ETHTOOL_A_BITSET_BITS);
	for (size_t i = 0; i < n; i++) {
		if (strlen(v[i].name) >= ETH_GSTRING_LEN)
			return error_set(error, ERROR_MISSING, EOPNOTSUPP,
				"%s: nothing has the name %s", link->name, v[i].name);
		bit = mnl_attr_nest_start(request, ETHTOOL_A_BITSET_BITS_BIT);
		mnl_attr_put_strz(request, ETHTOOL_A_BITSET_BIT_NAME, v[i].name);
		if (v[i].on)
			mnl_attr_put(request, ETHTOOL_A_BITSET_BIT_VALUE, 0, NULL);
		mnl_attr_nest_end(request, bit);
	}
	mnl_attr_nest_end(request, bits);
	mnl_attr_nest_end(request, set);
	return ethnl_send(kernel, request, link, NULL, NULL, error);
}
