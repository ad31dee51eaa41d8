/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receive side scaling: which queue a flow goes to (Documentation/networking/scaling.rst). Read by
 * ETHTOOL_MSG_RSS_GET where the kernel has it, written by ioctl.
 */
#include "kernel/ethtool.h"

#include "kernel/ethnl.h"
#include "util/macros.h"

#include <errno.h>
#include <string.h>

/* Linux 6.2, which is newer than the headers that this is built with. */
enum {
	MSG_RSS_GET = 38, /* ETHTOOL_MSG_RSS_GET */
	RSS_HFUNC = 3,    /* ETHTOOL_A_RSS_*: u32 */
	RSS_INDIR = 4,    /* u32 words */
	RSS_HKEY = 5,     /* bytes */
	RSS_MAX = 6
};

#define ENTRIES_MAX 65536 /* more is no answer of a kernel */

static int set_table(struct kernel *kernel, struct rss *rss, const void *data, size_t n)
{
	rss->nindir = n;
	rss->indir = ARENA_ARRAY(kernel->arena, n, uint32_t);
	if (!rss->indir)
		return -ENOMEM;
	if (n > 0)
		memcpy(rss->indir, data, n * sizeof(uint32_t));
	return 0;
}

static int set_key(struct kernel *kernel, struct rss *rss, const void *data, size_t n)
{
	rss->nkey = n;
	rss->key = ARENA_ARRAY(kernel->arena, n, uint8_t);
	if (!rss->key)
		return -ENOMEM;
	if (n > 0)
		memcpy(rss->key, data, n);
	return 0;
}

static int get_by_netlink(
	struct kernel *kernel, const struct link *link, struct rss *ret, struct error *error)
{
	const struct nlattr *tb[RSS_MAX], *indir, *key;
	int r = ethnl_get(kernel, MSG_RSS_GET, link, 0, tb, ARRAY_SIZE(tb), error);

	if (r < 0)
		return r;
	indir = tb[RSS_INDIR];
	key = tb[RSS_HKEY];
	ret->hfunc = nl_u32(tb[RSS_HFUNC]);
	if (indir && set_table(kernel, ret, mnl_attr_get_payload(indir),
			     mnl_attr_get_payload_len(indir) / sizeof(uint32_t)) < 0)
		return error_no_memory(error);
	if (key &&
		set_key(kernel, ret, mnl_attr_get_payload(key), mnl_attr_get_payload_len(key)) < 0)
		return error_no_memory(error);
	return 0;
}

/* Sizes, hash function and transformation; the table and the key follow in a second call. */
static int get_sizes(struct kernel *kernel, const struct link *link, struct ethtool_rxfh *ret,
	struct error *error)
{
	int r;

	*ret = (struct ethtool_rxfh){.cmd = ETHTOOL_GRSSH};
	r = ethtool_ioctl(kernel, link, ret, sizeof(*ret), error);
	if (r >= 0 && (ret->indir_size > ENTRIES_MAX || ret->key_size > ENTRIES_MAX))
		return error_set(error, ERROR_FAILED, EPROTO, "ETHTOOL_GRSSH %s: %u entries",
			link->name, MAX(ret->indir_size, ret->key_size));
	return MIN(r, 0);
}

/* A structure with room for table and key; free(). */
static struct ethtool_rxfh *rxfh_alloc(
	uint32_t command, size_t nindir, size_t nkey, size_t *ret_size)
{
	struct ethtool_rxfh *request;

	*ret_size = sizeof(*request) + nindir * sizeof(uint32_t) + nkey;
	request = calloc(1, *ret_size);
	if (request)
		request->cmd = command;
	return request;
}

static int get_by_grssh(
	struct kernel *kernel, const struct link *link, struct rss *ret, struct error *error)
{
	struct ethtool_rxfh *request CLEANUP_FREE = NULL;
	struct ethtool_rxfh sizes;
	size_t size;
	int r = get_sizes(kernel, link, &sizes, error);

	if (r < 0)
		return r;
	request = rxfh_alloc(ETHTOOL_GRSSH, sizes.indir_size, sizes.key_size, &size);
	if (!request)
		return error_no_memory(error);
	request->indir_size = sizes.indir_size;
	request->key_size = sizes.key_size;
	r = ethtool_ioctl(kernel, link, request, size, error);
	if (r < 0)
		return r;
	ret->hfunc = request->hfunc;
	if (set_table(kernel, ret, request->rss_config, sizes.indir_size) < 0 ||
		set_key(kernel, ret, request->rss_config + sizes.indir_size, sizes.key_size) < 0)
		return error_no_memory(error);
	return 0;
}

/* Drivers that have only a table. */
static int get_by_grxfhindir(
	struct kernel *kernel, const struct link *link, struct rss *ret, struct error *error)
{
	struct ethtool_rxfh_indir head = {.cmd = ETHTOOL_GRXFHINDIR};
	struct ethtool_rxfh_indir *request CLEANUP_FREE = NULL;
	int r = ethtool_ioctl(kernel, link, &head, sizeof(head), error);
	size_t size;

	if (r < 0)
		return r;
	if (head.size > ENTRIES_MAX)
		return error_set(error, ERROR_FAILED, EPROTO, "ETHTOOL_GRXFHINDIR %s: %u entries",
			link->name, head.size);
	size = sizeof(head) + head.size * sizeof(uint32_t);
	request = calloc(1, size);
	if (!request)
		return error_no_memory(error);
	*request = (struct ethtool_rxfh_indir){.cmd = ETHTOOL_GRXFHINDIR, .size = head.size};
	r = ethtool_ioctl(kernel, link, request, size, error);
	if (r < 0)
		return r;
	return set_table(kernel, ret, request->ring_index, head.size) < 0 ? error_no_memory(error)
									  : 0;
}

int ethtool_rss_get(
	struct kernel *kernel, const struct link *link, struct rss *ret, struct error *error)
{
	struct ethtool_rxnfc rings = {.cmd = ETHTOOL_GRXRINGS};
	int r;

	*ret = (struct rss){0};
	if (ethnl_has(kernel, MSG_RSS_GET)) {
		r = get_by_netlink(kernel, link, ret, error);
	} else {
		r = get_by_grssh(kernel, link, ret, error);
		if (r == -EOPNOTSUPP)
			r = get_by_grxfhindir(kernel, link, ret, error);
	}
	if (r < 0)
		return r;
	if (ethtool_ioctl(kernel, link, &rings, sizeof(rings), NULL) >= 0)
		ret->rings = (uint32_t)rings.data;
	return 0;
}

static int set_by_srxfhindir(
	struct kernel *kernel, const struct link *link, const struct rss *rss, struct error *error)
{
	size_t size = sizeof(struct ethtool_rxfh_indir) + rss->nindir * sizeof(uint32_t);
	struct ethtool_rxfh_indir *request CLEANUP_FREE = calloc(1, size);
	int r;

	if (!request)
		return error_no_memory(error);
	request->cmd = ETHTOOL_SRXFHINDIR;
	request->size = (uint32_t)rss->nindir; /* 0: spread anew */
	if (rss->nindir > 0)
		memcpy(request->ring_index, rss->indir, rss->nindir * sizeof(uint32_t));
	r = ethtool_ioctl(kernel, link, request, size, error);
	return MIN(r, 0);
}

static int set_by_srssh(struct kernel *kernel, const struct link *link, const struct rss *rss,
	bool is_default, struct error *error)
{
	size_t nindir = is_default ? 0 : rss->nindir, size;
	struct ethtool_rxfh *request CLEANUP_FREE = rxfh_alloc(
		ETHTOOL_SRSSH, nindir, rss->nkey, &size);
	struct ethtool_rxfh now;
	int r;

	if (!request)
		return error_no_memory(error);
	r = get_sizes(kernel, link, &now, error);
	if (r < 0)
		return r;
	/* All that is not named below stays: from Linux 6.8 on the byte after hfunc is the input
	 * transformation, which 0 would switch off. Older kernels have only zeros there. */
	*request = now;
	request->cmd = ETHTOOL_SRSSH;
	request->indir_size = is_default || nindir > 0 ? (uint32_t)nindir
						       : ETH_RXFH_INDIR_NO_CHANGE;
	request->key_size = (uint32_t)rss->nkey;
	request->hfunc = (uint8_t)rss->hfunc;
	if (nindir > 0)
		memcpy(request->rss_config, rss->indir, nindir * sizeof(uint32_t));
	if (rss->nkey > 0)
		memcpy(request->rss_config + nindir, rss->key, rss->nkey);
	r = ethtool_ioctl(kernel, link, request, size, error);
	return MIN(r, 0);
}

int ethtool_rss_set(struct kernel *kernel, const struct link *link, const struct rss *rss,
	bool is_default, struct error *error)
{
	const struct rss table = {
		.indir = rss->indir,
		.nindir = is_default ? 0 : rss->nindir,
	};
	int r = set_by_srssh(kernel, link, rss, is_default, error);

	if (r != -EOPNOTSUPP || rss->nkey > 0 || rss->hfunc || (!is_default && rss->nindir == 0))
		return r;
	return set_by_srxfhindir(kernel, link, &table, error);
}
