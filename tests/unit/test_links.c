/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links: what is made of the kernel's messages, what goes out, facts from files; then the same on
 * the running kernel, in a network namespace of this test.
 */
#include "unit/fake_transport.h"

#include "kernel/ethtool.h"
#include "unit/own_netns.h"
#include "unit/test.h"

#include <fcntl.h>
#include <linux/ethtool_netlink.h>
#include <linux/if_arp.h>
#include <stdio.h>
#include <sys/wait.h>

#define MACHINE TEST_DIR "/fixtures/unit/machine"

struct fixture {
	struct arena arena;
	struct kernel kernel;
	struct fake fake;
	struct error error;
	struct host host;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	fake_open(&f->fake, &f->kernel, &f->arena);
	f->kernel.dirs[DIR_SYS] = open(MACHINE "/sys", O_PATH | O_DIRECTORY | O_CLOEXEC);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	fake_close(&f->kernel, &f->arena);
	free(f);
	return 0;
}

/* A message about a link; more attributes may follow. */
static struct nlmsghdr *link_message(void *buf, int ifindex, const char *name, unsigned flags)
{
	struct nlmsghdr *message = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *info = mnl_nlmsg_put_extra_header(message, sizeof(*info));

	message->nlmsg_type = RTM_NEWLINK;
	message->nlmsg_flags = NLM_F_MULTI;
	info->ifi_index = ifindex;
	info->ifi_type = ARPHRD_ETHER;
	info->ifi_flags = flags;
	mnl_attr_put_strz(message, IFLA_IFNAME, name);
	mnl_attr_put_u32(message, IFLA_MTU, 1500);
	return message;
}

static void put_kind(struct nlmsghdr *message, const char *kind)
{
	struct nlattr *nest = mnl_attr_nest_start(message, IFLA_LINKINFO);

	mnl_attr_put_strz(message, IFLA_INFO_KIND, kind);
	mnl_attr_nest_end(message, nest);
}

static void add(struct buffer *answer, int ifindex, const char *name, const char *kind, int lower,
	int netnsid)
{
	uint8_t buf[512] = {0};
	struct nlmsghdr *message = link_message(buf, ifindex, name, IFF_UP);

	if (kind)
		put_kind(message, kind);
	if (lower)
		mnl_attr_put_u32(message, IFLA_LINK, (uint32_t)lower);
	if (netnsid >= 0)
		mnl_attr_put_u32(message, IFLA_LINK_NETNSID, (uint32_t)netnsid);
	buffer_append_message(answer, message);
}

static void read_links(struct fixture *f)
{
	int r = kernel_links(&f->kernel, &f->host, &f->error);

	if (r < 0)
		fail_msg("%s", f->error.msg);
}

static const struct link *by_name(const struct fixture *f, const char *name)
{
	const struct link *link = host_link_by_name(&f->host, name);

	assert_non_null(link);
	return link;
}

static void test_attributes(void **state)
{
	static const uint8_t mac[6] = {2, 0, 0, 0, 0, 1}, perm[6] = {2, 0, 0, 0, 0, 2};
	struct fixture *f = *state;
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[512] = {0};
	struct nlmsghdr *message = link_message(buf, 2, "eth0", IFF_UP | IFF_LOWER_UP);
	struct nlattr *nest;
	const struct link *link;
	const struct nlmsghdr *sent;

	mnl_attr_put(message, IFLA_ADDRESS, sizeof(mac), mac);
	mnl_attr_put(message, IFLA_PERM_ADDRESS, sizeof(perm), perm);
	mnl_attr_put_u32(message, IFLA_MIN_MTU, 68);
	mnl_attr_put_u32(message, IFLA_MAX_MTU, 9216);
	mnl_attr_put_u32(message, IFLA_MASTER, 9);
	nest = mnl_attr_nest_start(message, IFLA_XDP);
	mnl_attr_put_u8(message, IFLA_XDP_ATTACHED, XDP_ATTACHED_DRV);
	mnl_attr_put_u32(message, IFLA_XDP_PROG_ID, 17);
	mnl_attr_put_u32(message, IFLA_XDP_DRV_PROG_ID, 17);
	mnl_attr_nest_end(message, nest);
	mnl_attr_put_u32(message, 0x3ffe, 1); /* of a later kernel */
	buffer_append_message(answer, message);
	fake_done(answer, 0, NLM_F_MULTI);
	read_links(f);
	assert_int_equal(f->host.nlinks, 1);
	link = by_name(f, "eth0");
	assert_int_equal(link->ifindex, 2);
	assert_string_equal(link->type, "physical");
	assert_memory_equal(link->mac, mac, 6);
	assert_memory_equal(link->perm_mac, perm, 6);
	assert_int_equal(link->mtu, 1500);
	assert_int_equal(link->mtu_min, 68);
	assert_int_equal(link->mtu_max, 9216);
	assert_int_equal(link->master, 9);
	assert_int_equal(link->lower, 0);
	assert_int_equal(link->node, -1);
	assert_true(link->up);
	assert_true(link->carrier);
	assert_true(link->xdp);
	assert_int_equal(link->xdp_program, 17);
	assert_int_equal(link->known, 0);
	/* The dump asks for no statistics. */
	sent = (const void *)f->fake.sent[0].data;
	assert_int_equal(sent->nlmsg_type, RTM_GETLINK);
	assert_int_equal(sent->nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
	assert_int_equal(sent->nlmsg_len, 16 + sizeof(struct ifinfomsg) + 8);
	assert_int_equal(((const uint32_t *)(const void *)sent)[9], RTEXT_FILTER_SKIP_STATS);
}

/* Above the driver, and none of its business. */
static void test_generic_xdp(void **state)
{
	struct fixture *f = *state;
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[512] = {0};
	struct nlmsghdr *message = link_message(buf, 2, "eth0", IFF_UP);
	struct nlattr *nest = mnl_attr_nest_start(message, IFLA_XDP);

	mnl_attr_put_u8(message, IFLA_XDP_ATTACHED, XDP_ATTACHED_SKB);
	mnl_attr_put_u32(message, IFLA_XDP_PROG_ID, 17);
	mnl_attr_put_u32(message, IFLA_XDP_SKB_PROG_ID, 17);
	mnl_attr_nest_end(message, nest);
	buffer_append_message(answer, message);
	fake_done(answer, 0, NLM_F_MULTI);
	read_links(f);
	assert_false(by_name(f, "eth0")->xdp);
	assert_int_equal(by_name(f, "eth0")->xdp_program, 0);
}

static void test_types(void **state)
{
	struct fixture *f = *state;
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[512] = {0};
	struct nlmsghdr *message = link_message(buf, 1, "lo", IFF_UP);
	static const char *const wanted[] = {
		"loopback", "physical", "virtual", "bond", "physical", "netdevsim"};

	((struct ifinfomsg *)mnl_nlmsg_get_payload(message))->ifi_type = ARPHRD_LOOPBACK;
	buffer_append_message(answer, message);
	add(answer, 2, "eth0", NULL, 0, -1);
	add(answer, 3, "none", NULL, 0, -1);
	add(answer, 4, "eth1", "bond", 0, -1); /* whatever /sys says to the name */
	add(answer, 5, "eth2", "ipoib", 0, -1);
	add(answer, 6, "eth3", "netdevsim", 0, -1);
	fake_done(answer, 0, NLM_F_MULTI);
	read_links(f);
	assert_int_equal(f->host.nlinks, ARRAY_SIZE(wanted));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		assert_string_equal(f->host.links[i]->type, wanted[i]);
}

static void test_lower(void **state)
{
	struct fixture *f = *state;
	struct buffer *answer = fake_answer(&f->fake);

	add(answer, 2, "veth0", "veth", 3, -1); /* the peer */
	add(answer, 3, "veth1", "veth", 2, -1);
	add(answer, 4, "vlan0", "vlan", 2, -1);
	add(answer, 5, "mac0", "macvlan", 2, 0); /* of a link in another namespace */
	add(answer, 6, "mac1", "macvtap", 3, -1);
	add(answer, 7, "gre0", "gre", 2, -1);
	add(answer, 8, "eth0", NULL, 2, -1);
	fake_done(answer, 0, NLM_F_MULTI);
	read_links(f);
	assert_int_equal(by_name(f, "veth0")->lower, 0);
	assert_int_equal(by_name(f, "veth1")->lower, 0);
	assert_int_equal(by_name(f, "vlan0")->lower, 2);
	assert_int_equal(by_name(f, "mac0")->lower, 0);
	assert_int_equal(by_name(f, "mac1")->lower, 3);
	assert_int_equal(by_name(f, "gre0")->lower, 0);
	assert_int_equal(by_name(f, "eth0")->lower, 0);
}

/* Pointers into an earlier list stay good; what has gone has index 0 and is not listed. */
static void test_again(void **state)
{
	struct fixture *f = *state;
	struct buffer *answer = fake_answer(&f->fake);
	struct link *stays, *goes;

	add(answer, 5, "eth5", NULL, 0, -1);
	add(answer, 3, "eth3", NULL, 0, -1); /* sorted by index whatever the order */
	add(answer, 4, "eth4", NULL, 0, -1);
	fake_done(answer, 0, NLM_F_MULTI);
	answer = fake_answer(&f->fake);
	add(answer, 5, "renamed", NULL, 0, -1);
	add(answer, 4, "eth4", NULL, 0, -1);
	add(answer, 9, "eth3", NULL, 0, -1); /* the name again, another link */
	fake_done(answer, 0, NLM_F_MULTI);
	read_links(f);
	assert_int_equal(f->host.nlinks, 3);
	assert_int_equal(f->host.links[0]->ifindex, 3);
	stays = host_link(&f->host, 5);
	goes = host_link(&f->host, 3);
	stays->driver = "igb";
	stays->known = LINK_DRIVER;
	read_links(f);
	assert_int_equal(f->host.nlinks, 3);
	assert_ptr_equal(host_link(&f->host, 5), stays);
	assert_string_equal(stays->name, "renamed");
	assert_string_equal(stays->driver, "igb");
	assert_int_equal(stays->known, LINK_DRIVER);
	assert_int_equal(goes->ifindex, 0);
	assert_string_equal(goes->name, "eth3");
	assert_int_equal(host_link_by_name(&f->host, "eth3")->ifindex, 9);
}

static void test_no_links(void **state)
{
	struct fixture *f = *state;

	fake_done(fake_answer(&f->fake), 0, NLM_F_MULTI);
	read_links(f);
	assert_int_equal(f->host.nlinks, 0);
}

static void test_garbage(void **state)
{
	struct fixture *f = *state;
	struct buffer *answer = fake_answer(&f->fake);
	struct nlmsghdr message = {.nlmsg_len = sizeof(message), .nlmsg_type = RTM_NEWLINK};

	buffer_append_message(answer, &message); /* no header of a link */
	fake_done(answer, 0, NLM_F_MULTI);
	assert_int_equal(kernel_links(&f->kernel, &f->host, &f->error), -EPROTO);
	assert_string_equal(f->error.msg, "RTM_GETLINK: Protocol error");
}

static void test_refresh(void **state)
{
	struct fixture *f = *state;
	struct link link = {.ifindex = 2, .name = "eth0", .type = "physical", .node = 1};
	struct buffer *answer = fake_answer(&f->fake);
	struct nlmsghdr request = {.nlmsg_len = sizeof(request)};
	const struct nlmsghdr *sent;
	uint8_t buf[512] = {0};

	buffer_append_message(answer, link_message(buf, 2, "eth7", IFF_UP | IFF_LOWER_UP));
	fake_ack(answer);
	buffer_append_error(fake_answer(&f->fake), &request, -ENODEV);
	assert_int_equal(kernel_link_refresh(&f->kernel, &link, &f->error), 0);
	assert_string_equal(link.name, "eth7");
	assert_true(link.carrier);
	assert_int_equal(link.mtu, 1500);
	assert_int_equal(link.node, 1);
	sent = (const void *)f->fake.sent[0].data;
	assert_int_equal(sent->nlmsg_flags, NLM_F_REQUEST | NLM_F_ACK);
	assert_int_equal(((const struct ifinfomsg *)mnl_nlmsg_get_payload(sent))->ifi_index, 2);
	assert_int_equal(kernel_link_refresh(&f->kernel, &link, &f->error), -ENODEV);
	assert_int_equal(f->error.kind, ERROR_MISSING);
	link.ifindex = 0;
	assert_int_equal(kernel_link_refresh(&f->kernel, &link, &f->error), -ENODEV);
	assert_int_equal(f->fake.nsent, 2);
}

/* Nothing but the MTU: the kernel would take what else stands there, too. */
static void test_set_mtu(void **state)
{
	struct fixture *f = *state;
	const struct link link = {.ifindex = 258, .name = "eth0", .mtu = 1500};
	struct {
		struct nlmsghdr header;
		struct ifinfomsg info;
		uint16_t length, type;
		uint32_t mtu;
	} wanted = {
		.header =
			{
				.nlmsg_len = sizeof(wanted),
				.nlmsg_type = RTM_NEWLINK,
				.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
				.nlmsg_seq = 1,
			},
		.info = {.ifi_index = 258},
		.length = 8,
		.type = IFLA_MTU,
		.mtu = 9000,
	};

	fake_ack(fake_answer(&f->fake));
	assert_int_equal(kernel_link_set_mtu(&f->kernel, &link, 9000, &f->error), 0);
	assert_int_equal(f->fake.sent[0].length, sizeof(wanted));
	assert_memory_equal(f->fake.sent[0].data, &wanted, sizeof(wanted));
}

static void put_port(struct nlmsghdr *message, const char *kind, uint16_t types[], int values[])
{
	struct nlattr *info = mnl_attr_nest_start(message, IFLA_LINKINFO), *data;

	mnl_attr_put_strz(message, IFLA_INFO_SLAVE_KIND, kind);
	data = mnl_attr_nest_start(message, IFLA_INFO_SLAVE_DATA);
	for (size_t i = 0; types[i]; i++) {
		if (types[i] == IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE)
			mnl_attr_put_u16(message, types[i], (uint16_t)values[i]);
		else
			mnl_attr_put_u8(message, types[i], (uint8_t)values[i]);
	}
	mnl_attr_nest_end(message, data);
	mnl_attr_nest_end(message, info);
}

/* One link as it is told of, up and with a master. */
static struct link read_port(
	struct fixture *f, unsigned flags, const char *kind, uint16_t *types, int *values)
{
	struct link link = {.ifindex = 2, .name = "eth0", .type = "physical"};
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[512] = {0};
	struct nlmsghdr *message = link_message(buf, 2, "eth0", flags);

	mnl_attr_put_u32(message, IFLA_MASTER, 9);
	if (kind)
		put_port(message, kind, types, values);
	buffer_append_message(answer, message);
	fake_ack(answer);
	assert_int_equal(kernel_link_refresh(&f->kernel, &link, &f->error), 0);
	return link;
}

#define FLAGS_UP (IFF_UP | IFF_LOWER_UP)

static void test_bond_port(void **state)
{
	uint16_t types[] = {IFLA_BOND_SLAVE_STATE, IFLA_BOND_SLAVE_MII_STATUS,
		IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE,
		IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE, 0};
	const struct {
		unsigned flags;
		int values[4];
		unsigned service;
		bool idle;
	} cases[] = {
		{FLAGS_UP, {0, 0, 0x3d, 0x3f}, 15, false}, {FLAGS_UP, {0, 0, 0x3d, 0x0f}, 7, true},
		{FLAGS_UP, {0, 0, 0x1d, 0x3f}, 11, true}, /* collecting alone is not enough */
		{FLAGS_UP, {1, 0, 0x3d, 0x3f}, 15, true}, /* a backup serves, and is idle */
		{FLAGS_UP, {0, 1, 0x3d, 0x3f}, 13, true},
		{IFF_UP, {0, 0, 0x3d, 0x3f}, 0, true}, /* what is said of it is stale */
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int values[4];
		struct link link;

		memcpy(values, cases[i].values, sizeof(values));
		link = read_port(f, cases[i].flags, "bond", types, values);
		assert_int_equal(link.service, cases[i].service);
		assert_int_equal(link.idle, cases[i].idle);
	}
}

static void test_other_ports(void **state)
{
	uint16_t bridge[] = {IFLA_BRPORT_STATE, 0}, bond[] = {IFLA_BOND_SLAVE_MII_STATUS, 0};
	struct fixture *f = *state;

	for (int i = 0; i < 5; i++) {
		struct link link = read_port(f, FLAGS_UP, "bridge", bridge, &i);
		bool forwards = i == 3; /* BR_STATE_FORWARDING */

		assert_int_equal(link.service,
			forwards ? SERVICE_CARRIER | SERVICE_BRIDGE : SERVICE_CARRIER);
		assert_int_equal(link.idle, !forwards);
	}
	/* not in 802.3ad */
	assert_int_equal(read_port(f, FLAGS_UP, "bond", bond, (int[]){0}).service, 3);
	/* of a master that tells nothing */
	assert_int_equal(read_port(f, FLAGS_UP, NULL, NULL, NULL).service, 1);
	assert_false(read_port(f, FLAGS_UP, NULL, NULL, NULL).idle);
	/* one that the kernel describes otherwise */
	assert_int_equal(read_port(f, FLAGS_UP, "vrf", bond, (int[]){0}).service, 1);
}

static void test_wait_carrier(void **state)
{
	const struct wait patient = {
		.service = SERVICE_CARRIER, .carrier_ms = 5000, .service_ms = 5000};
	const struct wait hasty = {
		.service = SERVICE_CARRIER, .carrier_ms = 60, .service_ms = 5000};
	struct fixture *f = *state;
	struct link link = {.ifindex = 2, .name = "eth0", .type = "physical"};
	struct buffer *answer;
	uint8_t buf[512] = {0};

	for (int i = 0; i < 3; i++) { /* down, down, up */
		answer = fake_answer(&f->fake);
		buffer_append_message(
			answer, link_message(buf, 2, "eth0", IFF_UP | (i == 2 ? IFF_LOWER_UP : 0)));
		fake_ack(answer);
	}
	assert_int_equal(kernel_wait_service(&f->kernel, &link, &patient), 0);
	assert_int_equal(f->fake.nsent, 3);
	f->fake.nsent = 0;
	f->fake.nanswers = 1;
	assert_int_equal(kernel_wait_service(&f->kernel, &link, &hasty), -ETIMEDOUT);
	assert_int_equal(wait_limit(&link, &hasty), 60);
	link.ifindex = 0;
	assert_int_equal(kernel_wait_service(&f->kernel, &link, &patient), -ENODEV);
}

static bool is_over(void)
{
	return true;
}

/* It has carrier, and its bond does not take it: the longer time counts. */
static void test_wait_port(void **state)
{
	uint16_t types[] = {IFLA_BOND_SLAVE_MII_STATUS, 0};
	struct wait wait = {
		.service = SERVICE_CARRIER | SERVICE_BOND, .carrier_ms = 1, .service_ms = 100};
	struct fixture *f = *state;
	struct link link = read_port(f, FLAGS_UP, "bond", types, (int[]){2});

	assert_int_equal(kernel_wait_service(&f->kernel, &link, &wait), -ETIMEDOUT);
	assert_int_equal(wait_limit(&link, &wait), 100);
	wait.is_over = is_over;
	assert_int_equal(kernel_wait_service(&f->kernel, &link, &wait), -EINTR);
	f->fake.nsent = 0;
	f->fake.nanswers = 0;
	link = read_port(f, FLAGS_UP, "bond", types, (int[]){0});
	wait.is_over = NULL;
	f->fake.nsent = 0;
	/* one good reading may be stale */
	assert_int_equal(kernel_wait_service(&f->kernel, &link, &wait), 0);
	assert_true(f->fake.nsent > 1);
}

/* Modes as the kernel lists them: all that are supported, VALUE for those advertised. */
static void answer_modes(struct fixture *f, uint32_t speed, const char *const *modes)
{
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[1024] = {0};
	struct nlmsghdr *message = fake_genl(buf, ETHTOOL_MSG_LINKMODES_GET_REPLY);
	struct nlattr *ours = mnl_attr_nest_start(message, ETHTOOL_A_LINKMODES_OURS), *bits, *bit;

	mnl_attr_put_u32(message, ETHTOOL_A_BITSET_SIZE, 102);
	bits = mnl_attr_nest_start(message, ETHTOOL_A_BITSET_BITS);
	for (; *modes; modes++) {
		bit = mnl_attr_nest_start(message, ETHTOOL_A_BITSET_BITS_BIT);
		mnl_attr_put_u32(message, ETHTOOL_A_BITSET_BIT_INDEX, 1);
		mnl_attr_put_strz(message, ETHTOOL_A_BITSET_BIT_NAME, *modes);
		mnl_attr_nest_end(message, bit);
	}
	mnl_attr_nest_end(message, bits);
	mnl_attr_nest_end(message, ours);
	mnl_attr_put_u32(message, ETHTOOL_A_LINKMODES_SPEED, speed);
	buffer_append_message(answer, message);
	fake_ack(answer);
}

#define ALL (LINK_DRIVER | LINK_BUS | LINK_SPEED | LINK_MAX_SPEED | LINK_NODE)

static struct link facts_of(struct fixture *f, const char *name, bool up, unsigned facts)
{
	struct link link = {.ifindex = 2, .name = name, .type = "physical", .up = up, .node = -1};

	assert_int_equal(kernel_link_facts(&f->kernel, &link, facts, &f->error), 0);
	return link;
}

static void test_facts(void **state)
{
	static const char *const modes[] = {"1000baseT/Full", "Autoneg", "FIBRE", "10000baseR_FEC",
		"2500baseX/Full", "base", NULL};
	struct fixture *f = *state;
	struct link link;

	answer_modes(f, 1000, modes);
	link = facts_of(f, "eth0", true, ALL);
	assert_string_equal(link.driver, "igb");
	assert_string_equal(link.bus, "0000:41:00.0");
	assert_int_equal(link.node, 1);
	assert_true(link.speed == 1000000000);
	assert_true(link.max_speed == 10000000000);
	assert_int_equal(link.known, ALL);
	assert_int_equal(kernel_link_facts(&f->kernel, &link, ALL, &f->error), 0);
	assert_int_equal(f->fake.nsent, 1); /* never asked twice */
}

/* What is not asked for is not read. */
static void test_facts_lazy(void **state)
{
	struct fixture *f = *state;
	struct link link = facts_of(f, "eth0", true, LINK_BUS);

	assert_null(link.driver);
	assert_string_equal(link.bus, "0000:41:00.0");
	assert_int_equal(link.known, LINK_BUS);
	assert_int_equal(f->fake.nsent + f->fake.nioctls_sent, 0);
}

static void test_facts_unknown(void **state)
{
	static const char *const none[] = {NULL}, *const gigabit[] = {"1000baseT/Full", NULL};
	struct fixture *f = *state;
	struct link link;

	answer_modes(f, 0xffffffff, gigabit);
	link = facts_of(f, "eth2", true, ALL);
	assert_string_equal(link.driver, "e1000e");
	assert_int_equal(link.node, -1);
	assert_true(link.speed == 0); /* neither netlink nor /sys knows */
	assert_true(link.max_speed == 1000000000);
	answer_modes(f, 1000, gigabit);
	link = facts_of(f, "eth0", false, ALL); /* down: what it had is not what it has */
	assert_true(link.speed == 0);
	assert_true(link.max_speed == 1000000000);
	answer_modes(f, 25000, none); /* a virtual function */
	link = facts_of(f, "eth1", true, ALL);
	assert_string_equal(link.driver, "virtio_net");
	assert_string_equal(link.bus, "virtio1");
	assert_true(link.max_speed == 25000000000);
	f->fake.nanswers = 0; /* EOPNOTSUPP */
	link = facts_of(f, "veth0", true, ALL);
	assert_null(link.driver);
	assert_null(link.bus);
	assert_true(link.speed == 0);
	link = facts_of(f, "eth0", true, ALL);
	assert_true(link.speed == 1000000000); /* from /sys */
}

static void test_facts_of_virtual_link(void **state)
{
	struct fixture *f = *state;
	const struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO, .driver = "veth"};
	struct link link;

	fake_ioctl_answer(&f->fake, 0, &info, sizeof(info));
	link = facts_of(f, "veth0", true, LINK_DRIVER);
	assert_string_equal(link.driver, "veth");
}

/* Before Linux 5.6. The first call tells the number of words. */
static void test_speed_by_ioctl(void **state)
{
	struct fixture *f = *state;
	struct {
		uint32_t cmd, speed;
		uint8_t fields[7];
		int8_t nwords;
		uint32_t reserved[8];
		uint32_t masks[9];
	} answer = {.cmd = ETHTOOL_GLINKSETTINGS, .nwords = -3};
	struct link link;

	f->kernel.ethtool_ops[0] = 0;
	fake_ioctl_answer(&f->fake, 0, &answer, sizeof(answer));
	answer.nwords = 3;
	answer.speed = 10000;
	answer.masks[0] = 1 << ETHTOOL_LINK_MODE_1000baseT_Full_BIT |
			  1 << ETHTOOL_LINK_MODE_Autoneg_BIT;
	answer.masks[1] = 1 << (ETHTOOL_LINK_MODE_100000baseCR4_Full_BIT - 32) |
			  1 << (ETHTOOL_LINK_MODE_FEC_RS_BIT - 32);
	answer.masks[3] = 0xffffffff; /* advertised: no matter */
	answer.masks[4] = 0xffffffff;
	answer.masks[5] = 0xffffffff;
	fake_ioctl_answer(&f->fake, 0, &answer, sizeof(answer));
	link = facts_of(f, "eth0", true, LINK_SPEED);
	assert_true(link.speed == 10000000000);
	assert_true(link.max_speed == 100000000000);
	assert_int_equal(f->fake.ioctls_sent[1].data[15], 3);
}

static void test_recorded(void **state)
{
	struct fixture *f = *state;
	const struct kernel_options options = {.root = TEST_DIR "/fixtures/unit/veth"};
	struct features features;
	struct kernel kernel;
	struct link *link;
	size_t known = 0;

	assert_int_equal(kernel_open(&kernel, &options, &f->arena, &f->error), 0);
	assert_int_equal(kernel_links(&kernel, &f->host, &f->error), 0);
	assert_int_equal(f->host.nlinks, 4);
	assert_int_equal(by_name(f, "mv0")->lower, by_name(f, "veth0")->ifindex);
	link = host_link_by_name(&f->host, "veth0");
	assert_int_equal(kernel_link_facts(&kernel, link, ALL, &f->error), 0);
	assert_string_equal(link->driver, "veth");
	assert_true(link->speed == 10000000000);
	assert_int_equal(ethtool_features_get(&kernel, link, &features, &f->error), 0);
	for (size_t i = 0; i < features.n; i++)
		if (strcmp(features.names[i], "tx-tcp-segmentation") == 0)
			known += features.changeable[i] && features.wanted[i] && features.active[i];
	assert_int_equal(known, 1);
	assert_int_equal(kernel_link_set_mtu(&kernel, link, 9000, &f->error), -EROFS);
	kernel_close(&kernel);
}

static void test_empty_root(void **state)
{
	struct fixture *f = *state;
	struct kernel_options options = {.root = MACHINE};
	struct kernel kernel;

	assert_int_equal(kernel_open(&kernel, &options, &f->arena, &f->error), 0);
	assert_int_equal(kernel.ethtool_family, 0);
	assert_int_equal(kernel_links(&kernel, &f->host, &f->error), 0);
	assert_int_equal(f->host.nlinks, 0);
	kernel_close(&kernel);
	options.root = MACHINE "/none";
	assert_int_equal(kernel_open(&kernel, &options, &f->arena, &f->error), -ENOENT);
	assert_int_equal(f->error.kind, ERROR_MISSING);
}

static void test_namespace_names(void **state)
{
	static const char *const names[] = {"", "a/b", ".", ".."};
	struct fixture *f = *state;
	struct kernel_options options = {0};
	struct kernel kernel;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		options.netns = names[i];
		assert_int_equal(kernel_open(&kernel, &options, &f->arena, &f->error), -EINVAL);
		assert_int_equal(f->error.kind, ERROR_USAGE);
	}
	options.netns = "nettune-none";
	assert_int_equal(kernel_open(&kernel, &options, &f->arena, &f->error), -ENOENT);
	assert_int_equal(f->error.kind, ERROR_MISSING);
}

/* From here on the running kernel. */
static bool own;

static void open_real(struct fixture *f, struct kernel *kernel, enum ethtool_path path)
{
	const struct kernel_options options = {.ethtool = path};

	if (!own)
		skip();
	if (kernel_open(kernel, &options, &f->arena, &f->error) < 0)
		fail_msg("%s", f->error.msg);
	assert_int_equal(kernel_links(kernel, &f->host, &f->error), 0);
}

/* /sys of this namespace, though the mounted one shows the host's. */
static void test_own_sysfs(void **state)
{
	struct fixture *f = *state;
	struct kernel kernel;
	int64_t ifindex;

	open_real(f, &kernel, ETHTOOL_AUTO);
	assert_int_equal(file_read_number(&kernel, DIR_SYS, "class/net/nt0/ifindex", &ifindex), 0);
	assert_int_equal(ifindex, by_name(f, "nt0")->ifindex);
	assert_true(file_exists(&kernel, DIR_SYS, "class/net/nt0/queues/rx-3"));
	assert_int_equal(
		file_write(&kernel, DIR_SYS, "class/net/nt0/queues/rx-3/rps_cpus", "1"), 0);
	kernel_close(&kernel);
}

static void set_mtu(struct kernel *kernel, struct link *link, uint32_t mtu)
{
	assert_int_equal(kernel_link_set_mtu(kernel, link, mtu, NULL), 0);
	assert_int_equal(kernel_link_refresh(kernel, link, NULL), 0);
	assert_int_equal(link->mtu, mtu);
}

static void test_real_links(void **state)
{
	struct fixture *f = *state;
	struct kernel kernel;
	struct link *link;

	open_real(f, &kernel, ETHTOOL_AUTO);
	assert_string_equal(by_name(f, "lo")->type, "loopback");
	link = host_link_by_name(&f->host, "nt0");
	assert_non_null(link);
	assert_string_equal(link->type, "veth");
	assert_int_equal(link->lower, 0);
	assert_true(link->up);
	assert_int_equal(by_name(f, "ntmac")->lower, link->ifindex);
	assert_int_equal(link->mtu_max, 65535);
	assert_int_equal(kernel_wait_service(&kernel, link,
				 &(struct wait){.service = SERVICE_CARRIER, .carrier_ms = 2000}),
		0);
	set_mtu(&kernel, link, 9000);
	assert_int_equal(kernel_link_set_mtu(&kernel, link, 70000, &f->error), -EINVAL);
	assert_string_equal(f->error.msg,
		"RTM_NEWLINK nt0 mtu 70000: Invalid argument: mtu greater than device maximum");
	set_mtu(&kernel, link, 1500);
	link->ifindex = 4711;
	assert_int_equal(kernel_link_set_mtu(&kernel, link, 1500, &f->error), -ENODEV);
	kernel_close(&kernel);
}

static size_t bit_of(const struct features *features, const char *name)
{
	for (size_t i = 0; i < features->n; i++)
		if (strcmp(features->names[i], name) == 0)
			return i;
	fail_msg("no feature %s", name);
	return 0;
}

/* Scatter-gather off takes segmentation with it, which stays wanted, and comes back with it. */
static void check_features(struct fixture *f, enum ethtool_path path)
{
	struct bit_change change = {"tx-scatter-gather", false};
	struct features features;
	struct kernel kernel;
	struct link *link;
	size_t sg, tso;

	open_real(f, &kernel, path);
	link = host_link_by_name(&f->host, "nt0");
	assert_int_equal(ethtool_features_get(&kernel, link, &features, &f->error), 0);
	sg = bit_of(&features, "tx-scatter-gather");
	tso = bit_of(&features, "tx-tcp-segmentation");
	assert_true(features.active[sg] && features.active[tso] && features.changeable[sg]);
	assert_int_equal(ethtool_features_set(&kernel, link, &change, 1, &f->error), 0);
	assert_int_equal(ethtool_features_get(&kernel, link, &features, &f->error), 0);
	assert_false(features.wanted[sg] || features.active[sg] || features.active[tso]);
	assert_true(features.wanted[tso]);
	change.on = true;
	assert_int_equal(ethtool_features_set(&kernel, link, &change, 1, &f->error), 0);
	assert_int_equal(ethtool_features_get(&kernel, link, &features, &f->error), 0);
	assert_true(features.active[sg] && features.active[tso]);
	change.name = "lro"; /* a word of the ethtool program, not of the kernel */
	assert_int_equal(ethtool_features_set(&kernel, link, &change, 1, &f->error), -EOPNOTSUPP);
	assert_int_equal(kernel.ethtool_family == 0, path == ETHTOOL_IOCTL);
	kernel_close(&kernel);
}

static void test_real_features(void **state)
{
	check_features(*state, ETHTOOL_AUTO);
}

static void test_real_features_by_ioctl(void **state)
{
	check_features(*state, ETHTOOL_IOCTL);
}

static void test_real_channels(void **state)
{
	struct fixture *f = *state;
	const struct nlattr *tb[ETHTOOL_A_CHANNELS_COMBINED_COUNT + 1];
	struct ethnl_attr change = {ETHTOOL_A_CHANNELS_RX_COUNT, 4, 2};
	struct kernel kernel;
	struct link *link;

	open_real(f, &kernel, ETHTOOL_AUTO);
	link = host_link_by_name(&f->host, "nt0");
	if (!ethnl_has(&kernel, ETHTOOL_MSG_CHANNELS_SET)) {
		kernel_close(&kernel);
		skip();
	}
	assert_int_equal(
		ethnl_set(&kernel, ETHTOOL_MSG_CHANNELS_SET, link, &change, 1, &f->error), 0);
	assert_int_equal(ethnl_get(&kernel, ETHTOOL_MSG_CHANNELS_GET, link, 0, tb, ARRAY_SIZE(tb),
				 &f->error),
		0);
	assert_int_equal(mnl_attr_get_u32(tb[ETHTOOL_A_CHANNELS_RX_COUNT]), 2);
	assert_int_equal(mnl_attr_get_u32(tb[ETHTOOL_A_CHANNELS_RX_MAX]), 4);
	assert_null(tb[ETHTOOL_A_CHANNELS_COMBINED_MAX]);
	assert_false(file_exists(&kernel, DIR_SYS, "class/net/nt0/queues/rx-3"));
	change.number = 5;
	assert_int_equal(
		ethnl_set(&kernel, ETHTOOL_MSG_CHANNELS_SET, link, &change, 1, &f->error), -EINVAL);
	assert_string_equal(f->error.msg,
		"ETHTOOL_MSG_CHANNELS_SET nt0: Invalid argument: requested channel count exceeds "
		"maximum (attribute 6)");
	link->name = "nt1"; /* index and name of two links */
	assert_int_equal(
		ethnl_set(&kernel, ETHTOOL_MSG_CHANNELS_SET, link, &change, 1, &f->error), -ENODEV);
	kernel_close(&kernel);
}

/* An ordinary user can mount no /sys: the mounted one shows the host's links, so it is refused. */
static void test_foreign_sysfs_refused(void **state)
{
	struct fixture *f = *state;
	const struct kernel_options options = {0};
	struct kernel kernel;
	int status;
	pid_t pid;

	if (!own)
		skip();
	pid = fork();
	if (pid == 0) {
		if (setuid(65534) < 0)
			_exit(1);
		if (kernel_open(&kernel, &options, &f->arena, &f->error) == 0)
			_exit(2);
		_exit(f->error.kind == ERROR_MISSING ? 0 : 3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int enter(void **state UNUSED)
{
	own = own_netns_enter() && own_netns_add_veth("nt0", "nt1", 4) == 0 &&
	      own_netns_add_macvlan("ntmac", "nt0") == 0;
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_attributes),
		TEST(test_generic_xdp),
		TEST(test_types),
		TEST(test_lower),
		TEST(test_again),
		TEST(test_no_links),
		TEST(test_garbage),
		TEST(test_refresh),
		TEST(test_set_mtu),
		TEST(test_bond_port),
		TEST(test_other_ports),
		TEST(test_wait_carrier),
		TEST(test_wait_port),
		TEST(test_facts),
		TEST(test_facts_lazy),
		TEST(test_facts_unknown),
		TEST(test_facts_of_virtual_link),
		TEST(test_speed_by_ioctl),
		TEST(test_recorded),
		TEST(test_empty_root),
		TEST(test_namespace_names),
		TEST(test_own_sysfs),
		TEST(test_real_links),
		TEST(test_real_features),
		TEST(test_real_features_by_ioctl),
		TEST(test_real_channels),
		TEST(test_foreign_sysfs_refused),
	};

	return cmocka_run_group_tests(tests, enter, NULL);
}
