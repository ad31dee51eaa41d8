/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One socket layer for rtnetlink and generic netlink, above the transport: builds requests with
 * libmnl, reads ACKs and extended acks in one place, takes dumps again when they were interrupted.
 */
#ifndef NETTUNE_KERNEL_NETLINK_H
#define NETTUNE_KERNEL_NETLINK_H

#include "kernel/kernel.h"

#include <libmnl/libmnl.h>

typedef int netlink_cb(const struct nlmsghdr *message, void *data);

/*
 * Sends the message (sequence number and NLM_F_REQUEST are set here) and calls cb for each reply
 * message that is no ACK, error or DONE. Replies stay in kernel->reply. Returns 0, cb's negative
 * return value, or -errno of the kernel with its extended ack (text, offending attribute) in
 * *error. `what` names the request in messages ("ETHTOOL_MSG_RINGS_SET eth0").
 */
int netlink_request(struct kernel *kernel, int protocol, struct nlmsghdr *request, const char *what,
	netlink_cb *cb, void *data, struct error *error);
/*
 * All attributes between two places, checked: of a message from mnl_nlmsg_get_payload_offset() to
 * mnl_nlmsg_get_payload_tail(), of a nest from mnl_attr_get_payload() to nl_nest_end().
 */
#define nl_for_each(attr, start, end)                     \
	for ((attr) = nl_attr_at((start), (end)); (attr); \
		(attr) = nl_attr_at(mnl_attr_next(attr), (end)))
static inline const struct nlattr *nl_attr_at(const void *at, const void *end)
{
	return mnl_attr_ok(at, (int)((const char *)end - (const char *)at)) ? at : NULL;
}
static inline const void *nl_nest_end(const struct nlattr *nest)
{
	return (const char *)nest + nest->nla_len;
}
/* The number of a u32 attribute; 0 for one of another length, and for NULL. */
uint32_t nl_u32(const struct nlattr *attr);

/* Learns family id and commands of "ethtool"; absent is no error. */
int netlink_find_ethtool(struct kernel *kernel, struct error *error);

#endif
