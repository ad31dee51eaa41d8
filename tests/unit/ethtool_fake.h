/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of the ethtool kinds: a transport below the encoders that keeps the request's bytes and
 * answers what it was told, wishes without a profile, and links in a network namespace of the
 * test's own.
 */
#ifndef NETTUNE_TESTS_ETHTOOL_FAKE_H
#define NETTUNE_TESTS_ETHTOOL_FAKE_H

#include "kernel/ethtool.h"
#include "kernel/netlink.h"
#include "kinds/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "unit/test.h"

enum { FAKE_FAMILY = 20, FAKE_SIZE = 8192 };

struct ethtool_fake {
	struct transport transport;
	unsigned requests; /* netlink messages so far */
	_Alignas(struct nlmsghdr) uint8_t request[FAKE_SIZE];
	_Alignas(struct nlmsghdr) uint8_t reply[FAKE_SIZE]; /* a message, length 0 = only the ACK */
	int answer;                                         /* errno of the ACK */
	const char *text;                                   /* the kernel's own, or NULL */
	uint16_t because_of; /* only requests with this attribute get that answer; 0 = all */
	unsigned ioctls;
	uint32_t get[64], set[64]; /* what a GET finds, what the last SET said */
	uint32_t set_command;
	int ioctl_answer;
};

/* The attribute of the last request, or NULL. */
static inline const struct nlattr *fake_attr(const struct ethtool_fake *fake, uint16_t type)
{
	const struct nlmsghdr *message = (const void *)fake->request;
	const struct nlattr *attr;

	nl_for_each(attr, mnl_nlmsg_get_payload_offset(message, sizeof(struct genlmsghdr)),
		mnl_nlmsg_get_payload_tail(message))
		if (mnl_attr_get_type(attr) == type)
			return attr;
	return NULL;
}

static inline void fake_ack(struct ethtool_fake *fake, struct buffer *reply)
{
	_Alignas(struct nlmsghdr) uint8_t buf[512];
	struct nlmsghdr *message = mnl_nlmsg_put_header(buf);
	struct nlmsgerr *ack = mnl_nlmsg_put_extra_header(message, sizeof(*ack));

	message->nlmsg_type = NLMSG_ERROR;
	message->nlmsg_flags = NLM_F_CAPPED | NLM_F_ACK_TLVS;
	message->nlmsg_seq = ((struct nlmsghdr *)(void *)fake->request)->nlmsg_seq;
	if (fake->because_of && !fake_attr(fake, fake->because_of)) {
		assert_int_equal(buffer_append(reply, message, message->nlmsg_len), 0);
		return;
	}
	ack->error = -fake->answer;
	if (fake->text)
		mnl_attr_put_strz(message, NLMSGERR_ATTR_MSG, fake->text);
	assert_int_equal(buffer_append(reply, message, message->nlmsg_len), 0);
}

static inline int fake_exchange(struct transport *transport, int protocol, const void *request,
	size_t length, struct buffer *reply)
{
	struct ethtool_fake *fake = (struct ethtool_fake *)transport;
	struct nlmsghdr *message = (void *)fake->reply;

	assert_true(length <= sizeof(fake->request));
	memset(fake->request, 0, sizeof(fake->request));
	memcpy(fake->request, request, length);
	fake->requests++;
	buffer_clear(reply);
	if (message->nlmsg_len && !fake->answer)
		assert_int_equal(buffer_append(reply, message, message->nlmsg_len), 0);
	fake_ack(fake, reply);
	return 0;
}

static inline int fake_ioctl(
	struct transport *transport, const char *ifname, void *data, size_t length)
{
	struct ethtool_fake *fake = (struct ethtool_fake *)transport;
	uint32_t command;

	memcpy(&command, data, sizeof(command));
	fake->ioctls++;
	if (fake->ioctl_answer)
		return -fake->ioctl_answer;
	assert_true(length <= sizeof(fake->get));
	if (command == ETHTOOL_GRXRINGS)
		return -EOPNOTSUPP;
	if (!ioctl_is_write(data, length)) {
		memcpy((uint8_t *)data + 4, fake->get + 1, length - 4);
		return 0;
	}
	memset(fake->set, 0, sizeof(fake->set));
	memcpy(fake->set, data, length);
	fake->set_command = command;
	return 0;
}

static inline void fake_open(
	struct ethtool_fake *fake, struct kernel *kernel, struct arena *arena, bool has_netlink)
{
	memset(fake, 0, sizeof(*fake));
	fake->transport.exchange = fake_exchange;
	fake->transport.ioctl = fake_ioctl;
	*kernel = (struct kernel){.transport = &fake->transport, .arena = arena};
	if (has_netlink) {
		kernel->ethtool_family = FAKE_FAMILY;
		memset(kernel->ethtool_ops, 0xff, sizeof(kernel->ethtool_ops));
	}
}

/* Starts the reply of the next request; attributes go behind it with mnl_attr_put_*(). */
static inline struct nlmsghdr *fake_reply(struct ethtool_fake *fake)
{
	struct nlmsghdr *message = mnl_nlmsg_put_header(fake->reply);
	struct genlmsghdr *genl = mnl_nlmsg_put_extra_header(message, sizeof(*genl));
	struct nlattr *header;

	message->nlmsg_type = FAKE_FAMILY;
	header = mnl_attr_nest_start(message, 1);
	mnl_attr_put_u32(message, 1, 7);
	mnl_attr_nest_end(message, header);
	return message;
}

static inline uint8_t fake_command(const struct ethtool_fake *fake)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload((const void *)fake->request);

	return genl->cmd;
}

static inline size_t fake_attr_count(const struct ethtool_fake *fake)
{
	const struct nlmsghdr *message = (const void *)fake->request;
	const struct nlattr *attr;
	size_t n = 0;

	nl_for_each(attr, mnl_nlmsg_get_payload_offset(message, sizeof(struct genlmsghdr)),
		mnl_nlmsg_get_payload_tail(message))
		n++;
	return n;
}

/* One line of a profile, as the loader binds it. */
static inline struct wish *fake_wish(
	struct arena *arena, const struct kind *kind, const char *key, const char *text)
{
	struct wish *wish = ARENA_NEW(arena, struct wish);
	struct expr *expr = ARENA_NEW(arena, struct expr);

	assert_non_null(wish);
	assert_non_null(expr);
	*expr = (struct expr){.op = EXPR_WORD, .name = text};
	*wish = (struct wish){.kind = kind, .key = key, .value = expr};
	return wish;
}

/* What becomes of it. */
struct fake_expansion {
	struct settings settings;
	struct skips skips;
	struct error error;
	int result;
};

static inline struct fake_expansion fake_expand(struct arena *arena, const struct kind *kind,
	const struct link *link, const struct state *model, const char *key, const char *text)
{
	struct fake_expansion ret = {.settings.arena = arena, .skips.arena = arena};
	struct host host = {.nr_cpu_ids = 4};
	struct expansion expansion = {
		.wish = fake_wish(arena, kind, key, text),
		.link = link,
		.host = &host,
		.model = model,
		.arena = arena,
		.ret = &ret.settings,
		.skipped = &ret.skips,
	};

	ret.result = kind->expand(&expansion, &ret.error);
	return ret;
}

static inline struct observed *fake_put(struct state *state, const struct kind *kind,
	const struct target *target, const char *key, struct value value)
{
	struct observed o = {
		.at = {.kind = kind, .target = *target, .key = key},
		.value = value,
		.support = SUPPORT_SETTABLE,
	};

	assert_int_equal(state_put(state, &o), 0);
	return state_find(state, &o.at);
}

static inline void fake_put_number(struct state *state, const struct kind *kind,
	const struct link *link, const char *key, uint64_t number, uint64_t max)
{
	struct target target = {.link = link};

	fake_put(state, kind, &target, key, value_number(state->arena, number))->max = max;
}

/* A network namespace of this test's own; skips the test where that is not allowed. */
static inline void real_namespace(struct kernel *kernel, struct arena *arena)
{
	struct error error;

	if (unshare(CLONE_NEWNET) < 0)
		skip();
	*kernel = (struct kernel){.arena = arena};
	assert_int_equal(transport_real_new(&kernel->transport, &error), 0);
	assert_int_equal(netlink_find_ethtool(kernel, &error), 0);
}

static inline void real_close(struct kernel *kernel)
{
	kernel->transport->free(kernel->transport);
	buffer_free(&kernel->reply);
}

/* A pair of veths with so many queues: *ret is the first. */
static inline void real_veth(struct kernel *kernel, const char *name, const char *peer,
	uint32_t queues, struct link *ret)
{
	_Alignas(struct nlmsghdr) uint8_t buf[1024];
	struct nlmsghdr *message = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *info = mnl_nlmsg_put_extra_header(message, sizeof(*info));
	struct nlattr *linkinfo, *data, *other;
	struct error error;

	message->nlmsg_type = RTM_NEWLINK;
	message->nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL;
	mnl_attr_put_strz(message, IFLA_IFNAME, name);
	mnl_attr_put_u32(message, IFLA_NUM_TX_QUEUES, queues);
	mnl_attr_put_u32(message, IFLA_NUM_RX_QUEUES, queues);
	linkinfo = mnl_attr_nest_start(message, IFLA_LINKINFO);
	mnl_attr_put_strz(message, IFLA_INFO_KIND, "veth");
	data = mnl_attr_nest_start(message, IFLA_INFO_DATA);
	other = mnl_attr_nest_start(message, VETH_INFO_PEER);
	mnl_nlmsg_put_extra_header(message, sizeof(*info));
	mnl_attr_put_strz(message, IFLA_IFNAME, peer);
	mnl_attr_nest_end(message, other);
	mnl_attr_nest_end(message, data);
	mnl_attr_nest_end(message, linkinfo);
	if (netlink_request(kernel, NETLINK_ROUTE, message, "veth", NULL, NULL, &error) < 0)
		fail_msg("%s", error.msg);
	*ret = (struct link){.name = name, .type = "veth", .driver = "veth"};
	ret->ifindex = (int)if_nametoindex(name);
	assert_true(ret->ifindex > 0);
}

/* A tap; it lasts as long as the returned descriptor. */
static inline int real_tap(const char *name, struct link *ret)
{
	struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_MULTI_QUEUE};
	int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		skip();
	strncpy(request.ifr_name, name, sizeof(request.ifr_name) - 1);
	assert_true(ioctl(fd, TUNSETIFF, &request) >= 0);
	*ret = (struct link){.name = name, .type = "tun", .driver = "tun"};
	ret->ifindex = (int)if_nametoindex(name);
	assert_true(ret->ifindex > 0);
	return fd;
}

#endif
