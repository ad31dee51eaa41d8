/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A network namespace for a test program, and links in it. Nothing of the host is touched: whoever
 * calls these is in the new namespace for good.
 */
#ifndef NETTUNE_TESTS_OWN_NETNS_H
#define NETTUNE_TESTS_OWN_NETNS_H

#include "util/macros.h"

#include <errno.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/macvlan.h>
#include <netlink/route/link/veth.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>

/* False where that is not allowed: the test is to be skipped. */
static UNUSED bool own_netns_enter(void)
{
	return geteuid() == 0 && unshare(CLONE_NEWNET) == 0;
}

static UNUSED int own_netns_add(struct rtnl_link *link)
{
	struct nl_sock *sock = nl_socket_alloc();
	int r = nl_connect(sock, NETLINK_ROUTE);

	if (r == 0)
		r = rtnl_link_add(sock, link, NLM_F_CREATE | NLM_F_EXCL);
	nl_socket_free(sock);
	return r;
}

static UNUSED int own_netns_up(const char *name)
{
	struct nl_sock *sock = nl_socket_alloc();
	struct rtnl_link *link = rtnl_link_alloc(), *change = rtnl_link_alloc();
	int r = nl_connect(sock, NETLINK_ROUTE);

	rtnl_link_set_ifindex(link, (int)if_nametoindex(name));
	rtnl_link_set_flags(change, IFF_UP);
	if (r == 0)
		r = rtnl_link_change(sock, link, change, 0);
	rtnl_link_put(link);
	rtnl_link_put(change);
	nl_socket_free(sock);
	return r;
}

/* A pair of veths, both up. 0 or an error of libnl. */
static UNUSED int own_netns_add_veth(const char *name, const char *peer, unsigned queues)
{
	struct rtnl_link *link = rtnl_link_veth_alloc();
	struct rtnl_link *other = rtnl_link_veth_get_peer(link);
	int r;

	rtnl_link_set_name(link, name);
	rtnl_link_set_name(other, peer);
	rtnl_link_set_num_tx_queues(link, queues);
	rtnl_link_set_num_rx_queues(link, queues);
	r = own_netns_add(link);
	if (r == 0)
		r = own_netns_up(name); /* not before there is a peer */
	if (r == 0)
		r = own_netns_up(peer);
	rtnl_link_put(other);
	rtnl_link_put(link);
	return r;
}

static UNUSED int own_netns_add_macvlan(const char *name, const char *lower)
{
	struct rtnl_link *link = rtnl_link_macvlan_alloc();
	int r;

	rtnl_link_set_name(link, name);
	rtnl_link_set_link(link, (int)if_nametoindex(lower));
	r = own_netns_add(link);
	rtnl_link_put(link);
	return r;
}

#endif
