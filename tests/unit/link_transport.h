/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transport that answers RTM_GETLINK for the links of an array, and nothing else.
 */
#ifndef NETTUNE_TESTS_LINK_TRANSPORT_H
#define NETTUNE_TESTS_LINK_TRANSPORT_H

#include "core/host.h"
#include "kernel/transport.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

/* What the kernel calls each link now: by index, so that a test can rename and remove. */
struct link_transport {
	struct transport transport;
	const struct link *const *links;
	const size_t *nlinks;
};

static int link_transport_exchange(struct transport *transport, int protocol, const void *request,
	size_t length, struct buffer *reply)
{
	const struct link_transport *known = (const struct link_transport *)transport;
	const struct nlmsghdr *req = request;
	const struct ifinfomsg *wanted = mnl_nlmsg_get_payload(req);
	_Alignas(struct nlmsghdr) char buf[512] = {0};
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *info = mnl_nlmsg_put_extra_header(h, sizeof(*info));

	buffer_clear(reply);
	for (size_t i = 0; req->nlmsg_type == RTM_GETLINK && i < *known->nlinks; i++) {
		const struct link *link = known->links[i];

		if (link->ifindex != wanted->ifi_index)
			continue;
		h->nlmsg_type = RTM_NEWLINK;
		h->nlmsg_seq = req->nlmsg_seq;
		info->ifi_index = link->ifindex;
		info->ifi_flags = link->up ? IFF_UP | IFF_LOWER_UP : 0;
		mnl_attr_put_strz(h, IFLA_IFNAME, link->name);
		mnl_attr_put_u32(h, IFLA_MTU, link->mtu);
		mnl_attr_put_u32(h, IFLA_MIN_MTU, link->mtu_min);
		mnl_attr_put_u32(h, IFLA_MAX_MTU, link->mtu_max);
		if (buffer_append(reply, buf, h->nlmsg_len) < 0)
			return -ENOMEM;
		return buffer_append_error(reply, req, 0);
	}
	return buffer_append_error(reply, req, -ENODEV);
}

static int link_transport_ioctl(
	struct transport *transport, const char *ifname, void *data, size_t length)
{
	return -EOPNOTSUPP;
}

static void link_transport_free(struct transport *transport)
{
}

static inline void link_transport_init(
	struct link_transport *ret, const struct link *const *links, const size_t *nlinks)
{
	*ret = (struct link_transport){
		.transport =
			{
				.exchange = link_transport_exchange,
				.ioctl = link_transport_ioctl,
				.free = link_transport_free,
			},
		.links = links,
		.nlinks = nlinks,
	};
}

#endif
