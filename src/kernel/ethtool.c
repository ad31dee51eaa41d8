/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ethtool family of generic netlink, one device a request
 * (Documentation/networking/ethtool-netlink.rst).
 */
#include "kernel/ethtool.h"

#include "kernel/ethnl.h"
#include "util/macros.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <string.h>

/* "RINGS_SET" of ETHTOOL_MSG_RINGS_SET. */
static const char *command_name(uint8_t command)
{
	static const char *const names[] = {
		[ETHTOOL_MSG_STRSET_GET] = "STRSET_GET",
		[ETHTOOL_MSG_LINKMODES_GET] = "LINKMODES_GET",
		[ETHTOOL_MSG_FEATURES_GET] = "FEATURES_GET",
		[ETHTOOL_MSG_FEATURES_SET] = "FEATURES_SET",
		[ETHTOOL_MSG_PRIVFLAGS_GET] = "PRIVFLAGS_GET",
		[ETHTOOL_MSG_PRIVFLAGS_SET] = "PRIVFLAGS_SET",
		[ETHTOOL_MSG_RINGS_GET] = "RINGS_GET",
		[ETHTOOL_MSG_RINGS_SET] = "RINGS_SET",
		[ETHTOOL_MSG_CHANNELS_GET] = "CHANNELS_GET",
		[ETHTOOL_MSG_CHANNELS_SET] = "CHANNELS_SET",
		[ETHTOOL_MSG_COALESCE_GET] = "COALESCE_GET",
		[ETHTOOL_MSG_COALESCE_SET] = "COALESCE_SET",
		[ETHTOOL_MSG_PAUSE_GET] = "PAUSE_GET",
		[ETHTOOL_MSG_PAUSE_SET] = "PAUSE_SET",
		[38] = "RSS_GET", /* Linux 6.2 */
	};

	return command < ARRAY_SIZE(names) && names[command] ? names[command] : NULL;
}

bool ethnl_has(const struct kernel *kernel, uint8_t command)
{
	return kernel->ethtool_family && kernel->ethtool_ops[command / 64] >> (command % 64) & 1;
}

struct nlmsghdr *ethnl_start(
	struct kernel *kernel, void *buf, uint8_t command, const struct link *link, uint32_t flags)
{
	struct nlmsghdr *request = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;
	struct nlattr *header;

	request->nlmsg_type = kernel->ethtool_family;
	genl = mnl_nlmsg_put_extra_header(request, sizeof(*genl));
	genl->cmd = command;
	genl->version = ETHTOOL_GENL_VERSION;
	/* The header is attribute 1 of every message. Index and name together: a link that was
	 * renamed or replaced since is ENODEV, not another link. */
	header = mnl_attr_nest_start(request, ETHTOOL_A_RINGS_HEADER);
	if (link) {
		mnl_attr_put_u32(request, ETHTOOL_A_HEADER_DEV_INDEX, (uint32_t)link->ifindex);
		mnl_attr_put_strz(request, ETHTOOL_A_HEADER_DEV_NAME, link->name);
	}
	if (flags)
		mnl_attr_put_u32(request, ETHTOOL_A_HEADER_FLAGS, flags);
	mnl_attr_nest_end(request, header);
	return request;
}

int ethnl_send(struct kernel *kernel, struct nlmsghdr *request, const struct link *link,
	netlink_cb *cb, void *data, struct error *error)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(request);
	const char *name = command_name(genl->cmd);
	char what[128], number[16];

	snprintf(number, sizeof(number), "%u", genl->cmd);
	snprintf(what, sizeof(what), "ETHTOOL_MSG_%s%s%s", name ? name : number, link ? " " : "",
		link ? link->name : "");
	if (!kernel->ethtool_family)
		return error_set(error, ERROR_MISSING, EOPNOTSUPP,
			"%s: this kernel has no ethtool netlink", what);
	return netlink_request(kernel, NETLINK_GENERIC, request, what, cb, data, error);
}

struct table {
	const struct nlattr **v;
	size_t n;
	bool filled;
};

/* Attributes of later kernels are passed over. */
static int fill_table(const struct nlmsghdr *message, void *data)
{
	const void *end = mnl_nlmsg_get_payload_tail(message);
	struct table *table = data;
	const struct nlattr *attr;

	table->filled = true;
	nl_for_each(attr, mnl_nlmsg_get_payload_offset(message, GENL_HDRLEN), end) {
		if (mnl_attr_get_type(attr) < table->n)
			table->v[mnl_attr_get_type(attr)] = attr;
	}
	return 0;
}

int ethnl_get(struct kernel *kernel, uint8_t command, const struct link *link, uint32_t flags,
	const struct nlattr **tb, size_t ntb, struct error *error)
{
	_Alignas(struct nlmsghdr) uint8_t buf[ETHNL_HEADER_SIZE] = {0};
	struct nlmsghdr *request = ethnl_start(kernel, buf, command, link, flags);
	struct table table = {tb, ntb, false};
	int r;

	memset(tb, 0, ntb * sizeof(*tb));
	r = ethnl_send(kernel, request, link, fill_table, &table, error);
	if (r == 0 && !table.filled)
		return error_set(error, ERROR_FAILED, EPROTO, "%s: no answer to command %u",
			link ? link->name : "ethtool", command);
	return r;
}

int ethnl_set(struct kernel *kernel, uint8_t command, const struct link *link,
	const struct ethnl_attr *v, size_t n, struct error *error)
{
	_Alignas(struct nlmsghdr) uint8_t buf[2048] = {0};
	struct nlmsghdr *request = ethnl_start(kernel, buf, command, link, 0);
	bool fits = true;

	for (size_t i = 0; i < n; i++)
		fits = fits && (v[i].width == 1 ? mnl_attr_put_u8_check(request, sizeof(buf),
							  v[i].type, (uint8_t)v[i].number)
						: mnl_attr_put_u32_check(request, sizeof(buf),
							  v[i].type, v[i].number));
	if (!fits)
		return error_set(error, ERROR_FAILED, EMSGSIZE,
			"%s: %zu attributes are too many for one message", link->name, n);
	return ethnl_send(kernel, request, link, NULL, NULL, error);
}

const struct nlattr *nest_find(const struct nlattr *nest, uint16_t type)
{
	const struct nlattr *attr;

	nl_for_each(attr, mnl_attr_get_payload(nest), nl_nest_end(nest))
		if (mnl_attr_get_type(attr) == type)
			return attr;
	return NULL;
}

static const uint32_t *words(const struct nlattr *attr, size_t bits)
{
	if (!attr || mnl_attr_get_payload_len(attr) < (bits + 31) / 32 * sizeof(uint32_t))
		return NULL;
	return mnl_attr_get_payload(attr);
}

void bitset_read(const struct nlattr *nest, struct bitset *ret)
{
	*ret = (struct bitset){0};
	if (!nest)
		return;
	ret->size = nl_u32(nest_find(nest, ETHTOOL_A_BITSET_SIZE));
	ret->value = words(nest_find(nest, ETHTOOL_A_BITSET_VALUE), ret->size);
	ret->mask = words(nest_find(nest, ETHTOOL_A_BITSET_MASK), ret->size);
}
