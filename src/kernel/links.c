/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links by rtnetlink (rtnetlink(7), include/uapi/linux/if_link.h). libnl-route builds and parses
 * the messages, without its socket and cache; what it does not know is read beside it.
 */
#include "kernel/kernel.h"

#include "kernel/link_service.h"
#include "kernel/netlink.h"
#include "util/macros.h"

#include <errno.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/object.h>
#include <netlink/route/link.h>
#include <stdio.h>
#include <string.h>

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(word, *words) != 0)
		words++;
	return *words;
}

/* Kinds whose IFLA_LINK is the device that carries them. Of a veth it is the peer, of a tunnel the
 * device that its packets happen to leave by. */
static bool has_lower(const char *kind)
{
	static const char *const kinds[] = {"dsa", "ipoib", "ipvlan", "ipvtap", "macsec", "macvlan",
		"macvtap", "rmnet", "vlan", NULL};

	return kind && is_one_of(kind, kinds);
}

/* A link with a kind was made by software, but for these, which may be both. */
static bool may_be_hardware(const char *kind)
{
	static const char *const kinds[] = {"can", "dsa", "ipoib", "wlan", "wwan", NULL};

	return !kind || is_one_of(kind, kinds);
}

static const char *link_type(struct kernel *kernel, const char *name, struct rtnl_link *object)
{
	const char *kind = rtnl_link_get_type(object);
	char path[128];

	if (rtnl_link_get_arptype(object) == ARPHRD_LOOPBACK)
		return "loopback";
	snprintf(path, sizeof(path), "class/net/%s/device", name);
	if (may_be_hardware(kind) && file_exists(kernel, DIR_SYS, path))
		return "physical";
	return kind ? arena_strdup(kernel->arena, kind) : "virtual";
}

static void copy_mac(uint8_t ret[6], const void *address, size_t length)
{
	memset(ret, 0, 6);
	if (length == 6)
		memcpy(ret, address, 6);
}

/* The generic hook lies above the driver, which does not know of it. */
static void read_xdp(const struct nlattr *nest, struct link *link)
{
	const struct nlattr *attr;

	nl_for_each(attr, mnl_attr_get_payload(nest), nl_nest_end(nest)) {
		switch (mnl_attr_get_type(attr)) {
		case IFLA_XDP_ATTACHED:
			if (mnl_attr_validate(attr, MNL_TYPE_U8) >= 0)
				link->xdp = mnl_attr_get_u8(attr) != XDP_ATTACHED_NONE &&
					    mnl_attr_get_u8(attr) != XDP_ATTACHED_SKB;
			break;
		case IFLA_XDP_DRV_PROG_ID:
		case IFLA_XDP_HW_PROG_ID:
			link->xdp_program = nl_u32(attr);
			break;
		default:
			break;
		}
	}
}

/* What libnl-route leaves out. */
static void read_attributes(const struct nlmsghdr *message, struct link *link)
{
	const void *end = mnl_nlmsg_get_payload_tail(message);
	const struct nlattr *attr;

	link->mtu_min = link->mtu_max = 0;
	link->xdp = false;
	link->xdp_program = 0;
	link_service_start(link);
	nl_for_each(attr, mnl_nlmsg_get_payload_offset(message, sizeof(struct ifinfomsg)), end) {
		switch (mnl_attr_get_type(attr)) {
		case IFLA_MIN_MTU:
			link->mtu_min = nl_u32(attr);
			break;
		case IFLA_MAX_MTU:
			link->mtu_max = nl_u32(attr);
			break;
		case IFLA_PERM_ADDRESS:
			copy_mac(link->perm_mac, mnl_attr_get_payload(attr),
				mnl_attr_get_payload_len(attr));
			break;
		case IFLA_XDP:
			read_xdp(attr, link);
			break;
		case IFLA_LINKINFO:
			link_service_read(attr, link);
			break;
		default:
			break;
		}
	}
}

static void read_object(struct rtnl_link *object, struct link *link)
{
	struct nl_addr *address = rtnl_link_get_addr(object);
	unsigned flags = rtnl_link_get_flags(object);
	int32_t netnsid;

	copy_mac(link->mac, address ? nl_addr_get_binary_addr(address) : NULL,
		address ? nl_addr_get_len(address) : 0);
	link->mtu = rtnl_link_get_mtu(object);
	link->master = rtnl_link_get_master(object);
	link->lower = 0;
	if (has_lower(rtnl_link_get_type(object)) &&
		rtnl_link_get_link_netnsid(object, &netnsid) < 0)
		link->lower = rtnl_link_get_link(object);
	link->up = flags & IFF_UP;
	link->carrier = flags & IFF_LOWER_UP;
}

static void take_object(struct nl_object *object, void *data)
{
	struct rtnl_link **ret = data;

	if (*ret)
		return;
	nl_object_get(object);
	*ret = (struct rtnl_link *)object;
}

static struct rtnl_link *parse(const struct nlmsghdr *message)
{
	struct nl_msg *copy = nlmsg_convert((struct nlmsghdr *)message);
	struct rtnl_link *object = NULL;

	if (!copy)
		return NULL;
	nlmsg_set_proto(copy, NETLINK_ROUTE);
	if (nl_msg_parse(copy, take_object, &object) < 0 && object) {
		rtnl_link_put(object);
		object = NULL;
	}
	nlmsg_free(copy);
	return object;
}

static void cleanup_object(struct rtnl_link **object)
{
	if (*object)
		rtnl_link_put(*object);
}

/* Links of a dump: those of the host that are still there, and new ones. */
struct dump {
	struct kernel *kernel;
	const struct host *known;
	struct link *only; /* a refresh: this one, NULL = all */
	struct link **v;
	size_t n, cap;
};

static int update(struct dump *dump, struct link *link, struct rtnl_link *object,
	const struct nlmsghdr *message)
{
	const char *name = rtnl_link_get_name(object);

	if (!link->name || strcmp(link->name, name) != 0)
		link->name = arena_strdup(dump->kernel->arena, name);
	if (!link->type)
		link->type = link_type(dump->kernel, name, object);
	read_object(object, link);
	read_attributes(message, link);
	return arena_failed(dump->kernel->arena) ? -ENOMEM : 0;
}

static int read_link(const struct nlmsghdr *message, void *data)
{
	struct rtnl_link *object CLEANUP(cleanup_object) = NULL;
	struct dump *dump = data;
	struct arena *arena = dump->kernel->arena;
	struct link *link = dump->only;
	int ifindex;

	if (message->nlmsg_type != RTM_NEWLINK)
		return 0;
	object = parse(message);
	if (!object || !rtnl_link_get_name(object))
		return -EPROTO;
	ifindex = rtnl_link_get_ifindex(object);
	if (link)
		return ifindex == link->ifindex ? update(dump, link, object, message) : 0;
	link = host_link(dump->known, ifindex);
	if (!link) {
		link = ARENA_NEW(arena, struct link);
		if (!link)
			return -ENOMEM;
		*link = (struct link){.ifindex = ifindex, .node = -1};
	}
	if (arena_grow(arena, &dump->v, &dump->cap, dump->n, sizeof(struct link *)) < 0)
		return -ENOMEM;
	dump->v[dump->n++] = link;
	return update(dump, link, object, message);
}

static struct nlmsghdr *getlink(void *buf, int ifindex, uint16_t flags)
{
	struct nlmsghdr *request = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *info;

	request->nlmsg_type = RTM_GETLINK;
	request->nlmsg_flags = flags;
	info = mnl_nlmsg_put_extra_header(request, sizeof(*info));
	info->ifi_index = ifindex;
	mnl_attr_put_u32(request, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
	return request;
}

static int compare_links(const void *a, const void *b)
{
	const struct link *const *x = a, *const *y = b;

	return ((*x)->ifindex > (*y)->ifindex) - ((*x)->ifindex < (*y)->ifindex);
}

/* Those that the dump no longer has. Both lists are sorted. */
static void mark_vanished(struct host *host, const struct dump *dump)
{
	size_t k = 0;

	for (size_t i = 0; i < host->nlinks; i++) {
		while (k < dump->n && dump->v[k]->ifindex < host->links[i]->ifindex)
			k++;
		if (k == dump->n || dump->v[k] != host->links[i])
			host->links[i]->ifindex = 0;
	}
}

int kernel_links(struct kernel *kernel, struct host *host, struct error *error)
{
	struct dump dump = {.kernel = kernel, .known = host};
	_Alignas(struct nlmsghdr) uint8_t buf[128] = {0};
	int r;

	r = netlink_request(kernel, NETLINK_ROUTE, getlink(buf, 0, NLM_F_DUMP), "RTM_GETLINK",
		read_link, &dump, error);
	if (r == -EPROTO || r == -ENOMEM)
		return error_set(error, ERROR_FAILED, -r, "RTM_GETLINK: %s", strerror(-r));
	if (r < 0)
		return r;
	if (dump.n > 0)
		qsort(dump.v, dump.n, sizeof(struct link *), compare_links);
	mark_vanished(host, &dump);
	host->links = dump.v;
	host->nlinks = dump.n;
	return 0;
}

int kernel_link_refresh(struct kernel *kernel, struct link *link, struct error *error)
{
	struct dump dump = {.kernel = kernel, .only = link};
	char what[64];
	_Alignas(struct nlmsghdr) uint8_t buf[128] = {0};
	int r;

	snprintf(what, sizeof(what), "RTM_GETLINK %s", link->name);
	if (link->ifindex <= 0)
		return error_set(error, ERROR_MISSING, ENODEV, "%s: it has vanished", what);
	r = netlink_request(kernel, NETLINK_ROUTE, getlink(buf, link->ifindex, 0), what, read_link,
		&dump, error);
	if (r == -EPROTO || r == -ENOMEM)
		return error_set(error, ERROR_FAILED, -r, "%s: %s", what, strerror(-r));
	return r;
}

static void cleanup_message(struct nl_msg **message)
{
	nlmsg_free(*message);
}

int kernel_link_set_mtu(
	struct kernel *kernel, const struct link *link, uint32_t mtu, struct error *error)
{
	struct rtnl_link *object CLEANUP(cleanup_object) = rtnl_link_alloc();
	struct rtnl_link *change CLEANUP(cleanup_object) = rtnl_link_alloc();
	struct nl_msg *message CLEANUP(cleanup_message) = NULL;
	char what[64];

	snprintf(what, sizeof(what), "RTM_NEWLINK %s mtu %u", link->name, mtu);
	if (!object || !change)
		return error_set(error, ERROR_FAILED, ENOMEM, "%s: out of memory", what);
	/* The kernel takes attributes one by one and leaves those before a bad one set: so no other
	 * attribute, and the index says which link. */
	rtnl_link_set_ifindex(object, link->ifindex);
	rtnl_link_set_mtu(change, mtu);
	if (rtnl_link_build_change_request(object, change, 0, &message) < 0)
		return error_set(error, ERROR_FAILED, ENOMEM, "%s: out of memory", what);
	return netlink_request(kernel, NETLINK_ROUTE, nlmsg_hdr(message), what, NULL, NULL, error);
}
