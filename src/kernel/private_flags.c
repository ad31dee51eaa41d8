/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private flags of a driver: ETHTOOL_MSG_PRIVFLAGS_GET and _SET (net/ethtool/privflags.c), else
 * ETHTOOL_GPFLAGS. Their names differ from driver to driver, so they come with each answer.
 */
#include "kernel/ethtool.h"

#include "kernel/ethnl.h"
#include "util/macros.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <string.h>

enum { FLAGS_MAX = 32 /* bits of struct ethtool_value, and of the core's own word */ };

static int flags_alloc(struct kernel *kernel, const struct names *names, struct private_flags *ret)
{
	ret->on = ARENA_ARRAY(kernel->arena, names->n + 1, bool);
	if (!ret->on)
		return -ENOMEM;
	ret->names = names->v;
	ret->n = MIN(names->n, (size_t)FLAGS_MAX);
	return 0;
}

/* One BIT of a verbose bitset. */
static void read_bit(struct kernel *kernel, const struct nlattr *bit, struct names *names, bool *on)
{
	const struct nlattr *index = nest_find(bit, ETHTOOL_A_BITSET_BIT_INDEX);
	const struct nlattr *name = nest_find(bit, ETHTOOL_A_BITSET_BIT_NAME);
	uint32_t i = nl_u32(index);

	if (!index || !name || i >= names->n || mnl_attr_validate(name, MNL_TYPE_NUL_STRING) < 0)
		return;
	names->v[i] = arena_strdup(kernel->arena, mnl_attr_get_str(name));
	on[i] = nest_find(bit, ETHTOOL_A_BITSET_BIT_VALUE);
}

static int get_by_netlink(struct kernel *kernel, const struct link *link, struct private_flags *ret,
	struct error *error)
{
	const struct nlattr *tb[ETHTOOL_A_PRIVFLAGS_FLAGS + 1], *flags, *bits, *bit;
	struct names names = {.arena = kernel->arena};
	int r = ethnl_get(kernel, ETHTOOL_MSG_PRIVFLAGS_GET, link, 0, tb, ARRAY_SIZE(tb), error);

	if (r < 0)
		return r;
	flags = tb[ETHTOOL_A_PRIVFLAGS_FLAGS];
	bits = flags ? nest_find(flags, ETHTOOL_A_BITSET_BITS) : NULL;
	if (!bits)
		return 0;
	r = names_alloc(&names, nl_u32(nest_find(flags, ETHTOOL_A_BITSET_SIZE)));
	if (r == 0)
		r = flags_alloc(kernel, &names, ret);
	if (r < 0)
		return error_set(
			error, ERROR_FAILED, -r, "%s: private flags: %s", link->name, strerror(-r));
	nl_for_each(bit, mnl_attr_get_payload(bits), nl_nest_end(bits))
		read_bit(kernel, bit, &names, ret->on);
	return 0;
}

static int flags_word(struct kernel *kernel, const struct link *link, uint32_t command,
	uint32_t *word, struct error *error)
{
	struct ethtool_value value = {.cmd = command, .data = *word};
	int r = ethtool_ioctl(kernel, link, &value, sizeof(value), error);

	*word = value.data;
	return MIN(r, 0);
}

static int get_by_ioctl(struct kernel *kernel, const struct link *link, struct private_flags *ret,
	struct error *error)
{
	struct names names = {.arena = kernel->arena};
	uint32_t word = 0;
	int r = names_by_ioctl(kernel, link, ETH_SS_PRIV_FLAGS, &names, error);

	if (r == 0 && names.n)
		r = flags_alloc(kernel, &names, ret);
	if (r == -ENOMEM || r == -EPROTO)
		return error_set(
			error, ERROR_FAILED, -r, "%s: private flags: %s", link->name, strerror(-r));
	if (r == 0 && ret->n)
		r = flags_word(kernel, link, ETHTOOL_GPFLAGS, &word, error);
	for (size_t i = 0; r == 0 && i < ret->n; i++)
		ret->on[i] = word >> i & 1;
	return r;
}

int ethtool_private_flags_get(struct kernel *kernel, const struct link *link,
	struct private_flags *ret, struct error *error)
{
	*ret = (struct private_flags){0};
	return ethnl_has(kernel, ETHTOOL_MSG_PRIVFLAGS_GET)
		       ? get_by_netlink(kernel, link, ret, error)
		       : get_by_ioctl(kernel, link, ret, error);
}

static int find_flag(const struct private_flags *flags, const char *name, uint32_t *ret_bit)
{
	for (size_t i = 0; i < flags->n; i++) {
		if (strcmp(flags->names[i], name) == 0) {
			*ret_bit = UINT32_C(1) << i;
			return 0;
		}
	}
	return -EOPNOTSUPP;
}

/* The word is set as a whole: what is not named stays as it is now. */
static int set_by_ioctl(struct kernel *kernel, const struct link *link, const struct bit_change *v,
	size_t n, struct error *error)
{
	struct private_flags flags = {0};
	uint32_t word = 0, bit;
	int r = get_by_ioctl(kernel, link, &flags, error);

	if (r < 0)
		return r;
	for (size_t i = 0; i < flags.n; i++)
		word |= (uint32_t)flags.on[i] << i;
	for (size_t i = 0; i < n; i++) {
		if (find_flag(&flags, v[i].name, &bit) < 0)
			return error_set(error, ERROR_MISSING, EOPNOTSUPP,
				"%s: the driver has no private flag %s", link->name, v[i].name);
		word = v[i].on ? word | bit : word & ~bit;
	}
	return flags_word(kernel, link, ETHTOOL_SPFLAGS, &word, error);
}

int ethtool_private_flags_set(struct kernel *kernel, const struct link *link,
	const struct bit_change *v, size_t n, struct error *error)
{
	if (!ethnl_has(kernel, ETHTOOL_MSG_PRIVFLAGS_SET))
		return set_by_ioctl(kernel, link, v, n, error);
	return ethnl_set_bits(
		kernel, ETHTOOL_MSG_PRIVFLAGS_SET, ETHTOOL_A_PRIVFLAGS_FLAGS, link, v, n, error);
}
