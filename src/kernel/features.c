/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Device features (offloads): sets of bits that are known by the kernel's own names, since their
 * numbers change from release to release (Documentation/networking/netdev-features.rst).
 */
#include "kernel/ethtool.h"

#include "kernel/ethnl.h"
#include "util/macros.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <string.h>

static void read_string(const struct nlattr *string, struct names *names)
{
	const struct nlattr *value = nest_find(string, ETHTOOL_A_STRING_VALUE);
	uint32_t index = nl_u32(nest_find(string, ETHTOOL_A_STRING_INDEX));

	if (value && index < names->n && mnl_attr_validate(value, MNL_TYPE_NUL_STRING) >= 0)
		names->v[index] = arena_strdup(names->arena, mnl_attr_get_str(value));
}

/* STRSET_GET asked for one set, so the first one is it. */
static int read_strset(const struct nlmsghdr *message, void *data)
{
	const void *end = mnl_nlmsg_get_payload_tail(message);
	struct names *names = data;
	const struct nlattr *attr, *set, *strings;
	int r;

	nl_for_each(attr, mnl_nlmsg_get_payload_offset(message, GENL_HDRLEN), end) {
		if (mnl_attr_get_type(attr) != ETHTOOL_A_STRSET_STRINGSETS)
			continue;
		set = nest_find(attr, ETHTOOL_A_STRINGSETS_STRINGSET);
		strings = set ? nest_find(set, ETHTOOL_A_STRINGSET_STRINGS) : NULL;
		if (!strings)
			return -EPROTO;
		r = names_alloc(names, nl_u32(nest_find(set, ETHTOOL_A_STRINGSET_COUNT)));
		if (r < 0)
			return r;
		nl_for_each(set, mnl_attr_get_payload(strings), nl_nest_end(strings))
			read_string(set, names);
	}
	return 0;
}

static int names_by_netlink(struct kernel *kernel, struct names *names, struct error *error)
{
	_Alignas(struct nlmsghdr) uint8_t buf[ETHNL_HEADER_SIZE] = {0};
	struct nlmsghdr *request = ethnl_start(kernel, buf, ETHTOOL_MSG_STRSET_GET, NULL, 0);
	struct nlattr *sets = mnl_attr_nest_start(request, ETHTOOL_A_STRSET_STRINGSETS);
	struct nlattr *set = mnl_attr_nest_start(request, ETHTOOL_A_STRINGSETS_STRINGSET);

	mnl_attr_put_u32(request, ETHTOOL_A_STRINGSET_ID, ETH_SS_FEATURES);
	mnl_attr_nest_end(request, set);
	mnl_attr_nest_end(request, sets);
	return ethnl_send(kernel, request, NULL, read_strset, names, error);
}

static int learn_names(struct kernel *kernel, const struct link *link, struct error *error)
{
	struct names names = {.arena = kernel->arena};
	int r;

	if (kernel->feature_names)
		return 0;
	r = ethnl_has(kernel, ETHTOOL_MSG_FEATURES_GET)
		    ? names_by_netlink(kernel, &names, error)
		    : names_by_ioctl(kernel, link, ETH_SS_FEATURES, &names, error);
	if (r == -ENOMEM || r == -EPROTO)
		return error_set(error, ERROR_FAILED, -r, "%s: names of features: %s", link->name,
			strerror(-r));
	if (r < 0)
		return r;
	kernel->feature_names = names.v;
	kernel->nfeatures = names.n;
	return 0;
}

static int features_alloc(struct kernel *kernel, struct features *ret, struct error *error)
{
	size_t n = kernel->nfeatures;
	bool *bits = ARENA_ARRAY(kernel->arena, 4 * n, bool);

	if (!bits)
		return error_no_memory(error);
	*ret = (struct features){
		.n = n,
		.names = kernel->feature_names,
		.changeable = bits,
		.wanted = bits + n,
		.active = bits + 2 * n,
		.nochange = bits + 3 * n,
	};
	return 0;
}

static int get_by_netlink(
	struct kernel *kernel, const struct link *link, struct features *ret, struct error *error)
{
	const struct nlattr *tb[ETHTOOL_A_FEATURES_NOCHANGE + 1];
	struct bitset hw, wanted, active, nochange;
	int r = ethnl_get(kernel, ETHTOOL_MSG_FEATURES_GET, link, ETHTOOL_FLAG_COMPACT_BITSETS, tb,
		ARRAY_SIZE(tb), error);

	if (r < 0)
		return r;
	bitset_read(tb[ETHTOOL_A_FEATURES_HW], &hw);
	bitset_read(tb[ETHTOOL_A_FEATURES_WANTED], &wanted);
	bitset_read(tb[ETHTOOL_A_FEATURES_ACTIVE], &active);
	bitset_read(tb[ETHTOOL_A_FEATURES_NOCHANGE], &nochange);
	for (size_t i = 0; i < ret->n; i++) {
		ret->changeable[i] = bitset_has(hw.value, hw.size, i);
		ret->wanted[i] = bitset_has(wanted.value, wanted.size, i);
		ret->active[i] = bitset_has(active.value, active.size, i);
		ret->nochange[i] = bitset_has(nochange.value, nochange.size, i);
	}
	return 0;
}

static int get_by_ioctl(
	struct kernel *kernel, const struct link *link, struct features *ret, struct error *error)
{
	size_t blocks = (ret->n + 31) / 32;
	size_t size = sizeof(struct ethtool_gfeatures) +
		      blocks * sizeof(struct ethtool_get_features_block);
	struct ethtool_gfeatures *request CLEANUP_FREE = calloc(1, size);
	int r;

	if (!request)
		return error_no_memory(error);
	request->cmd = ETHTOOL_GFEATURES;
	request->size = (uint32_t)blocks;
	r = ethtool_ioctl(kernel, link, request, size, error);
	if (r < 0)
		return r;
	for (size_t i = 0; i < ret->n; i++) {
		const struct ethtool_get_features_block *block = &request->features[i / 32];

		ret->changeable[i] = block->available >> (i % 32) & 1;
		ret->wanted[i] = block->requested >> (i % 32) & 1;
		ret->active[i] = block->active >> (i % 32) & 1;
		ret->nochange[i] = block->never_changed >> (i % 32) & 1;
	}
	return 0;
}

int ethtool_features_get(
	struct kernel *kernel, const struct link *link, struct features *ret, struct error *error)
{
	int r = learn_names(kernel, link, error);

	if (r == 0)
		r = features_alloc(kernel, ret, error);
	if (r < 0)
		return r;
	return ethnl_has(kernel, ETHTOOL_MSG_FEATURES_GET)
		       ? get_by_netlink(kernel, link, ret, error)
		       : get_by_ioctl(kernel, link, ret, error);
}

static int find_name(const struct kernel *kernel, const char *name, size_t *ret)
{
	for (size_t i = 0; i < kernel->nfeatures; i++) {
		if (strcmp(kernel->feature_names[i], name) == 0) {
			*ret = i;
			return 0;
		}
	}
	return -EOPNOTSUPP;
}

static int set_by_ioctl(struct kernel *kernel, const struct link *link, const struct bit_change *v,
	size_t n, struct error *error)
{
	size_t blocks = (kernel->nfeatures + 31) / 32, bit;
	size_t size = sizeof(struct ethtool_sfeatures) +
		      blocks * sizeof(struct ethtool_set_features_block);
	struct ethtool_sfeatures *request CLEANUP_FREE = calloc(1, size);
	int r;

	if (!request)
		return error_no_memory(error);
	request->cmd = ETHTOOL_SFEATURES;
	request->size = (uint32_t)blocks;
	for (size_t i = 0; i < n; i++) {
		if (find_name(kernel, v[i].name, &bit) < 0)
			return error_set(error, ERROR_MISSING, EOPNOTSUPP,
				"%s: no feature has the name %s", link->name, v[i].name);
		request->features[bit / 32].valid |= 1U << (bit % 32);
		if (v[i].on)
			request->features[bit / 32].requested |= 1U << (bit % 32);
	}
	/* Above 0 are flags: some bits are fixed, or wanted and not active. */
	r = ethtool_ioctl(kernel, link, request, size, error);
	return MIN(r, 0);
}

int ethtool_features_set(struct kernel *kernel, const struct link *link, const struct bit_change *v,
	size_t n, struct error *error)
{
	int r;

	if (ethnl_has(kernel, ETHTOOL_MSG_FEATURES_SET))
		return ethnl_set_bits(kernel, ETHTOOL_MSG_FEATURES_SET, ETHTOOL_A_FEATURES_WANTED,
			link, v, n, error);
	r = learn_names(kernel, link, error);
	return r < 0 ? r : set_by_ioctl(kernel, link, v, n, error);
}
