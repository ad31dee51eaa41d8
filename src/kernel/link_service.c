/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a link does for those above it, and waiting for it to do that again after a reset. Bonds and
 * bridges tell of their ports (IFLA_INFO_SLAVE_DATA); what an old kernel leaves out is not waited
 * for. About a team the kernel has nothing of the kind: its teamd decides.
 */
#include "kernel/link_service.h"

#include "kernel/kernel.h"
#include "kernel/netlink.h"

#include <errno.h>
#include <linux/if_bonding.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <string.h>
#include <time.h>

#define POLL_MS 50
/* A port must serve for so long: its driver may go down a moment after the answer, and the state
 * machines of 802.3ad, which run every 100 ms, may not have missed it yet. */
#define CALM_MS 300

/* Collecting and distributing (IEEE 802.1AX, state of a port). */
#define PORT_SERVES (LACP_STATE_COLLECTING | LACP_STATE_DISTRIBUTING)

static bool is_serving(uint32_t state)
{
	return (state & PORT_SERVES) == PORT_SERVES;
}

static uint32_t number_of(const struct nlattr *attr)
{
	if (mnl_attr_validate(attr, MNL_TYPE_U8) >= 0)
		return mnl_attr_get_u8(attr);
	return mnl_attr_validate(attr, MNL_TYPE_U16) >= 0 ? mnl_attr_get_u16(attr) : nl_u32(attr);
}

/* `does`: what the link does if `holds`; else it is a port that its master does not use. */
static void note(struct link *link, enum service does, bool holds)
{
	if (holds && link->service & SERVICE_CARRIER)
		link->service |= does;
	link->idle |= !holds;
}

static void read_bond_port(const struct nlattr *attr, struct link *link)
{
	switch (mnl_attr_get_type(attr)) {
	case IFLA_BOND_SLAVE_STATE:
		link->idle |= number_of(attr) != BOND_STATE_ACTIVE;
		break;
	case IFLA_BOND_SLAVE_MII_STATUS:
		note(link, SERVICE_BOND, number_of(attr) == BOND_LINK_UP);
		break;
	case IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE:
		note(link, SERVICE_LACP, is_serving(number_of(attr)));
		break;
	case IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE:
		note(link, SERVICE_PARTNER, is_serving(number_of(attr)));
		break;
	default:
		break;
	}
}

static void read_bridge_port(const struct nlattr *attr, struct link *link)
{
	if (mnl_attr_get_type(attr) == IFLA_BRPORT_STATE)
		note(link, SERVICE_BRIDGE, number_of(attr) == BR_STATE_FORWARDING);
}

void link_service_start(struct link *link)
{
	link->service = link->up && link->carrier ? SERVICE_CARRIER : 0;
	link->idle = link->master && !link->service;
}

void link_service_read(const struct nlattr *linkinfo, struct link *link)
{
	const struct nlattr *attr, *data = NULL;
	const char *kind = "";

	nl_for_each(attr, mnl_attr_get_payload(linkinfo), nl_nest_end(linkinfo)) {
		if (mnl_attr_get_type(attr) == IFLA_INFO_SLAVE_KIND &&
			mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) >= 0)
			kind = mnl_attr_get_str(attr);
		else if (mnl_attr_get_type(attr) == IFLA_INFO_SLAVE_DATA)
			data = attr;
	}
	if (!data)
		return;
	nl_for_each(attr, mnl_attr_get_payload(data), nl_nest_end(data)) {
		if (strcmp(kind, "bond") == 0)
			read_bond_port(attr, link);
		else if (strcmp(kind, "bridge") == 0)
			read_bridge_port(attr, link);
	}
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

unsigned wait_limit(const struct link *link, const struct wait *wait)
{
	return link->service & SERVICE_CARRIER ? wait->service_ms : wait->carrier_ms;
}

int kernel_wait_service(struct kernel *kernel, struct link *link, const struct wait *wait)
{
	const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
	const int64_t start = now_ms(), calm = wait->service > SERVICE_CARRIER ? CALM_MS : 0;
	int64_t since = start;

	for (;;) {
		int r = kernel_link_refresh(kernel, link, NULL);
		bool serves = (wait->service & ~link->service) == 0;
		int64_t now = now_ms();

		if (r < 0)
			return r;
		if (!serves)
			since = now;
		if (serves && now - since >= calm)
			return 0;
		if (!serves && (kernel->below_root || now - start >= wait_limit(link, wait)))
			return -ETIMEDOUT;
		if (wait->is_over && wait->is_over())
			return -EINTR;
		nanosleep(&pause, NULL);
	}
}
