/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which queueing disciplines links have, by one dump (RTM_GETQDISC, rtnetlink(7)).
 */
#include "kernel/kernel.h"

#include "kernel/netlink.h"

#include <linux/rtnetlink.h>
#include <string.h>

struct qdiscs {
	struct kernel *kernel;
	const struct host *host;
};

/* Those that only hand packets on to others, and those that no packet waits in. */
static bool is_of_no_interest(const char *name)
{
	static const char *const names[] = {"clsact", "ingress", "mq", "noqueue"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static int read_qdisc(const struct nlmsghdr *message, void *data)
{
	const void *end = mnl_nlmsg_get_payload_tail(message);
	const struct tcmsg *tc = mnl_nlmsg_get_payload(message);
	const struct qdiscs *qdiscs = data;
	const struct nlattr *attr;
	struct link *link;

	if (message->nlmsg_type != RTM_NEWQDISC || mnl_nlmsg_get_payload_len(message) < sizeof(*tc))
		return 0;
	link = host_link(qdiscs->host, tc->tcm_ifindex);
	if (!link || link->qdisc)
		return 0;
	nl_for_each(attr, mnl_nlmsg_get_payload_offset(message, sizeof(*tc)), end) {
		if (mnl_attr_get_type(attr) != TCA_KIND ||
			mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) < 0 ||
			is_of_no_interest(mnl_attr_get_str(attr)))
			continue;
		link->qdisc = arena_strdup(qdiscs->kernel->arena, mnl_attr_get_str(attr));
	}
	return 0;
}

int kernel_qdiscs(struct kernel *kernel, const struct host *host, struct error *error)
{
	_Alignas(struct nlmsghdr) uint8_t buf[64] = {0};
	struct nlmsghdr *request = mnl_nlmsg_put_header(buf);
	struct qdiscs qdiscs = {.kernel = kernel, .host = host};

	for (size_t i = 0; i < host->nlinks; i++)
		host->links[i]->qdisc = NULL;
	request->nlmsg_type = RTM_GETQDISC;
	request->nlmsg_flags = NLM_F_DUMP;
	mnl_nlmsg_put_extra_header(request, sizeof(struct tcmsg));
	return netlink_request(
		kernel, NETLINK_ROUTE, request, "RTM_GETQDISC", read_qdisc, &qdiscs, error);
}
