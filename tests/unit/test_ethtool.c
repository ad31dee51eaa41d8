/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ethtool: what bytes go out, what is made of answers (also of answers of kernels to come), by
 * netlink and by ioctl.
 */
#include "kernel/ethtool.h"

#include "unit/fake_transport.h"
#include "unit/test.h"

#include <linux/ethtool_netlink.h>

struct fixture {
	struct arena arena;
	struct kernel kernel;
	struct fake fake;
	struct error error;
	struct link link;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	fake_open(&f->fake, &f->kernel, &f->arena);
	f->link = (struct link){.ifindex = 7, .name = "eth0", .type = "physical"};
	*state = f;
	return 0;
}

static int setup_ioctl(void **state)
{
	int r = setup(state);
	struct fixture *f = *state;

	f->kernel.ethtool_family = 0;
	memset(f->kernel.ethtool_ops, 0, sizeof(f->kernel.ethtool_ops));
	return r;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	fake_close(&f->kernel, &f->arena);
	free(f);
	return 0;
}

/* The header of every request about eth0: index 7 and the name. */
static struct nlmsghdr *expected(void *buf, uint8_t command, uint32_t flags)
{
	struct nlmsghdr *message = fake_genl(buf, command);
	struct genlmsghdr *genl = mnl_nlmsg_get_payload(message);
	struct nlattr *header = mnl_attr_nest_start(message, 1);

	genl->version = 1;
	message->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	mnl_attr_put_u32(message, ETHTOOL_A_HEADER_DEV_INDEX, 7);
	mnl_attr_put_strz(message, ETHTOOL_A_HEADER_DEV_NAME, "eth0");
	if (flags)
		mnl_attr_put_u32(message, ETHTOOL_A_HEADER_FLAGS, flags);
	mnl_attr_nest_end(message, header);
	return message;
}

static void assert_sent(const struct fixture *f, size_t i, struct nlmsghdr *wanted)
{
	wanted->nlmsg_seq = (uint32_t)i + 1;
	assert_int_equal(f->fake.sent[i].length, wanted->nlmsg_len);
	assert_memory_equal(f->fake.sent[i].data, wanted, wanted->nlmsg_len);
}

static void test_has(void **state)
{
	struct fixture *f = *state;

	f->kernel.ethtool_ops[0] = 1ULL << 15;
	f->kernel.ethtool_ops[3] = 1;
	assert_true(ethnl_has(&f->kernel, 15));
	assert_false(ethnl_has(&f->kernel, 16));
	assert_true(ethnl_has(&f->kernel, 192));
	assert_false(ethnl_has(&f->kernel, 255));
	f->kernel.ethtool_family = 0;
	assert_false(ethnl_has(&f->kernel, 15));
}

/* An answer with attributes that this program does not know, before and after those it knows. */
static void test_get_skips_unknown(void **state)
{
	struct fixture *f = *state;
	const struct nlattr *tb[ETHTOOL_A_RINGS_TX + 1];
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[256] = {0}, wanted[256] = {0};
	struct nlmsghdr *message = fake_genl(buf, ETHTOOL_MSG_RINGS_GET_REPLY);

	mnl_attr_put_u32(message, 0x7f, 1);
	mnl_attr_put_u32(message, ETHTOOL_A_RINGS_RX, 512);
	mnl_attr_put_u32(message, ETHTOOL_A_RINGS_TX + 1, 2);
	mnl_attr_put(message, 0x3fff, 0, NULL);
	buffer_append_message(answer, message);
	fake_ack(answer);
	assert_int_equal(ethnl_get(&f->kernel, ETHTOOL_MSG_RINGS_GET, &f->link, 0, tb,
				 ARRAY_SIZE(tb), &f->error),
		0);
	assert_non_null(tb[ETHTOOL_A_RINGS_RX]);
	assert_int_equal(mnl_attr_get_u32(tb[ETHTOOL_A_RINGS_RX]), 512);
	assert_null(tb[ETHTOOL_A_RINGS_TX]);
	assert_null(tb[ETHTOOL_A_RINGS_RX_MAX]);
	assert_sent(f, 0, expected(wanted, ETHTOOL_MSG_RINGS_GET, 0));
}

static void test_get_cut_short(void **state)
{
	struct fixture *f = *state;
	const struct nlattr *tb[ETHTOOL_A_RINGS_TX + 1];
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[256] = {0};
	struct nlmsghdr *message = fake_genl(buf, ETHTOOL_MSG_RINGS_GET_REPLY);
	struct nlattr *last;

	mnl_attr_put_u32(message, ETHTOOL_A_RINGS_RX, 512);
	last = mnl_nlmsg_get_payload_tail(message);
	mnl_attr_put_u32(message, ETHTOOL_A_RINGS_TX, 512);
	last->nla_len = 400; /* says more than there is */
	buffer_append_message(answer, message);
	fake_ack(fake_answer(&f->fake));
	assert_int_equal(ethnl_get(&f->kernel, ETHTOOL_MSG_RINGS_GET, &f->link, 0, tb,
				 ARRAY_SIZE(tb), &f->error),
		0);
	assert_non_null(tb[ETHTOOL_A_RINGS_RX]);
	assert_null(tb[ETHTOOL_A_RINGS_TX]);
	/* An acknowledgement alone is no answer to a GET. */
	assert_int_equal(ethnl_get(&f->kernel, ETHTOOL_MSG_RINGS_GET, &f->link, 0, tb,
				 ARRAY_SIZE(tb), &f->error),
		-EPROTO);
}

/* Each attribute that is asked for is in the message, with its width. */
static void test_set_sends_all(void **state)
{
	struct fixture *f = *state;
	struct ethnl_attr attrs[30];
	size_t n = 0;
	uint8_t wanted[1024] = {0};
	struct nlmsghdr *message = expected(wanted, ETHTOOL_MSG_COALESCE_SET, 0);

	for (uint16_t type = 2; type < 30; type++) {
		uint8_t width = type % 3 == 0 ? 1 : 4;

		attrs[n++] = (struct ethnl_attr){type, width, 100u + type};
		if (width == 1)
			mnl_attr_put_u8(message, type, (uint8_t)(100u + type));
		else
			mnl_attr_put_u32(message, type, 100u + type);
	}
	fake_ack(fake_answer(&f->fake));
	assert_int_equal(
		ethnl_set(&f->kernel, ETHTOOL_MSG_COALESCE_SET, &f->link, attrs, n, &f->error), 0);
	assert_sent(f, 0, message);
}

static void test_no_family(void **state)
{
	struct fixture *f = *state;
	const struct ethnl_attr attr = {ETHTOOL_A_RINGS_RX, 4, 512};

	assert_int_equal(
		ethnl_set(&f->kernel, ETHTOOL_MSG_RINGS_SET, &f->link, &attr, 1, &f->error),
		-EOPNOTSUPP);
	assert_string_equal(
		f->error.msg, "ETHTOOL_MSG_RINGS_SET eth0: this kernel has no ethtool netlink");
	assert_int_equal(f->fake.nsent, 0);
}

/* 34 features: their numbers need a second word. */
#define NFEATURES 34

static const char *feature_name(unsigned bit)
{
	static char name[32];

	snprintf(name, sizeof(name), "feature-%u", bit);
	return name;
}

static void answer_names(struct fixture *f)
{
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[4096] = {0};
	struct nlmsghdr *message = fake_genl(buf, ETHTOOL_MSG_STRSET_GET_REPLY);
	struct nlattr *sets = mnl_attr_nest_start(message, ETHTOOL_A_STRSET_STRINGSETS);
	struct nlattr *set = mnl_attr_nest_start(message, ETHTOOL_A_STRINGSETS_STRINGSET);
	struct nlattr *strings;

	mnl_attr_put_u32(message, ETHTOOL_A_STRINGSET_ID, ETH_SS_FEATURES);
	mnl_attr_put_u32(message, ETHTOOL_A_STRINGSET_COUNT, NFEATURES);
	strings = mnl_attr_nest_start(message, ETHTOOL_A_STRINGSET_STRINGS);
	for (unsigned bit = 0; bit < NFEATURES; bit++) {
		struct nlattr *string = mnl_attr_nest_start(message, ETHTOOL_A_STRINGS_STRING);

		mnl_attr_put_u32(message, ETHTOOL_A_STRING_INDEX, bit);
		mnl_attr_put_strz(message, ETHTOOL_A_STRING_VALUE, feature_name(bit));
		mnl_attr_nest_end(message, string);
	}
	mnl_attr_nest_end(message, strings);
	mnl_attr_nest_end(message, set);
	mnl_attr_nest_end(message, sets);
	buffer_append_message(answer, message);
	fake_ack(answer);
}

/* size in bits; a larger one than the names: bits of a later kernel. */
static void put_bitset(struct nlmsghdr *message, uint16_t type, uint32_t size,
	const uint32_t value[3], const uint32_t *mask)
{
	struct nlattr *nest = mnl_attr_nest_start(message, type);
	size_t length = (size + 31) / 32 * sizeof(uint32_t);

	if (!mask)
		mnl_attr_put(message, ETHTOOL_A_BITSET_NOMASK, 0, NULL);
	mnl_attr_put_u32(message, ETHTOOL_A_BITSET_SIZE, size);
	mnl_attr_put(message, ETHTOOL_A_BITSET_VALUE, length, value);
	if (mask)
		mnl_attr_put(message, ETHTOOL_A_BITSET_MASK, length, mask);
	mnl_attr_nest_end(message, nest);
}

static void answer_features(struct fixture *f, uint32_t size)
{
	static const uint32_t hw[3] = {0x80000003, 0x2, 0xffffffff};
	static const uint32_t wanted[3] = {0x1, 0x2}, active[3] = {0x80000000, 0x1};
	static const uint32_t nochange[3] = {0x4}, all[3] = {~0u, ~0u, ~0u};
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[512] = {0};
	struct nlmsghdr *message = fake_genl(buf, ETHTOOL_MSG_FEATURES_GET_REPLY);

	put_bitset(message, ETHTOOL_A_FEATURES_HW, size, hw, all);
	put_bitset(message, ETHTOOL_A_FEATURES_WANTED, size, wanted, NULL);
	put_bitset(message, ETHTOOL_A_FEATURES_ACTIVE, size, active, NULL);
	put_bitset(message, ETHTOOL_A_FEATURES_NOCHANGE, size, nochange, NULL);
	buffer_append_message(answer, message);
	fake_ack(answer);
}

static void assert_bits(const bool *bits, uint64_t wanted)
{
	for (unsigned bit = 0; bit < NFEATURES; bit++)
		assert_int_equal(bits[bit], wanted >> bit & 1);
}

static void assert_features(const struct features *features)
{
	assert_int_equal(features->n, NFEATURES);
	assert_string_equal(features->names[0], "feature-0");
	assert_string_equal(features->names[33], "feature-33");
	assert_bits(features->changeable, 0x280000003);
	assert_bits(features->wanted, 0x200000001);
	assert_bits(features->active, 0x180000000);
	assert_bits(features->nochange, 0x4);
}

static void test_features_get(void **state)
{
	struct fixture *f = *state;
	struct features features;
	uint8_t wanted[256] = {0};

	answer_names(f);
	answer_features(f, NFEATURES);
	answer_features(f, 80);
	assert_int_equal(ethtool_features_get(&f->kernel, &f->link, &features, &f->error), 0);
	assert_features(&features);
	assert_int_equal(ethtool_features_get(&f->kernel, &f->link, &features, &f->error), 0);
	assert_features(&features);
	assert_int_equal(f->fake.nsent, 3); /* the names once */
	assert_sent(f, 1, expected(wanted, ETHTOOL_MSG_FEATURES_GET, ETHTOOL_FLAG_COMPACT_BITSETS));
}

/* A mask that is shorter than its size says: nothing is read beyond it. */
static void test_features_short_bitset(void **state)
{
	struct fixture *f = *state;
	struct features features;
	struct buffer *answer;
	uint8_t buf[512] = {0};
	struct nlmsghdr *message = fake_genl(buf, ETHTOOL_MSG_FEATURES_GET_REPLY);
	struct nlattr *nest;

	answer_names(f);
	answer = fake_answer(&f->fake);
	nest = mnl_attr_nest_start(message, ETHTOOL_A_FEATURES_WANTED);
	mnl_attr_put_u32(message, ETHTOOL_A_BITSET_SIZE, NFEATURES);
	mnl_attr_put_u32(message, ETHTOOL_A_BITSET_VALUE, ~0u);
	mnl_attr_nest_end(message, nest);
	buffer_append_message(answer, message);
	fake_ack(answer);
	assert_int_equal(ethtool_features_get(&f->kernel, &f->link, &features, &f->error), 0);
	assert_bits(features.wanted, 0);
	assert_bits(features.active, 0);
}

/* One message, names, no VALUE for a bit that is to be off. */
static void test_features_set(void **state)
{
	static const struct bit_change changes[] = {
		{"tx-tcp-segmentation", true}, {"rx-gro", false}, {"tx-scatter-gather", true}};
	struct fixture *f = *state;
	uint8_t wanted[512] = {0};
	struct nlmsghdr *message = expected(wanted, ETHTOOL_MSG_FEATURES_SET, 0);
	struct nlattr *set = mnl_attr_nest_start(message, ETHTOOL_A_FEATURES_WANTED);
	struct nlattr *bits = mnl_attr_nest_start(message, ETHTOOL_A_BITSET_BITS);

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		struct nlattr *bit = mnl_attr_nest_start(message, ETHTOOL_A_BITSET_BITS_BIT);

		mnl_attr_put_strz(message, ETHTOOL_A_BITSET_BIT_NAME, changes[i].name);
		if (changes[i].on)
			mnl_attr_put(message, ETHTOOL_A_BITSET_BIT_VALUE, 0, NULL);
		mnl_attr_nest_end(message, bit);
	}
	mnl_attr_nest_end(message, bits);
	mnl_attr_nest_end(message, set);
	fake_ack(fake_answer(&f->fake));
	assert_int_equal(
		ethtool_features_set(&f->kernel, &f->link, changes, ARRAY_SIZE(changes), &f->error),
		0);
	assert_sent(f, 0, message);
}

static void answer_ioctl_names(struct fixture *f)
{
	struct {
		uint32_t cmd, reserved;
		uint64_t mask;
		uint32_t count, padding;
	} info = {ETHTOOL_GSSET_INFO, 0, 1 << ETH_SS_FEATURES, NFEATURES, 0};
	struct {
		uint32_t cmd, set, len;
		char names[NFEATURES][ETH_GSTRING_LEN];
	} strings = {ETHTOOL_GSTRINGS, ETH_SS_FEATURES, NFEATURES, {{0}}};

	for (unsigned bit = 0; bit < NFEATURES; bit++)
		strcpy(strings.names[bit], feature_name(bit));
	fake_ioctl_answer(&f->fake, 0, &info, sizeof(info));
	fake_ioctl_answer(&f->fake, 0, &strings, sizeof(strings));
}

static void test_ioctl_features_get(void **state)
{
	struct fixture *f = *state;
	static const uint32_t blocks[] = {
		ETHTOOL_GFEATURES, 2, 0x80000003, 0x1, 0x80000000, 0x4, 0x2, 0x2, 0x1, 0};
	struct features features;

	answer_ioctl_names(f);
	fake_ioctl_answer(&f->fake, 0, blocks, sizeof(blocks));
	assert_int_equal(ethtool_features_get(&f->kernel, &f->link, &features, &f->error), 0);
	assert_features(&features);
	assert_string_equal(f->fake.ifname, "eth0");
	assert_int_equal(f->fake.nsent, 0);
}

/* The kernel says 3: some bits are fixed, some wanted but not active. That is no failure. */
static void test_ioctl_features_set(void **state)
{
	static const struct bit_change changes[] = {
		{"feature-1", true}, {"feature-33", false}, {"feature-32", true}};
	static const uint32_t wanted[] = {ETHTOOL_SFEATURES, 2, 0x2, 0x2, 0x3, 0x1};
	static const struct bit_change unknown = {"lro", true};
	struct fixture *f = *state;

	answer_ioctl_names(f);
	fake_ioctl_answer(&f->fake, 3, wanted, sizeof(wanted));
	assert_int_equal(
		ethtool_features_set(&f->kernel, &f->link, changes, ARRAY_SIZE(changes), &f->error),
		0);
	assert_int_equal(f->fake.ioctls_sent[2].length, sizeof(wanted));
	assert_memory_equal(f->fake.ioctls_sent[2].data, wanted, sizeof(wanted));
	assert_int_equal(
		ethtool_features_set(&f->kernel, &f->link, &unknown, 1, &f->error), -EOPNOTSUPP);
	assert_string_equal(f->error.msg, "eth0: no feature has the name lro");
}

static void answer_rings(struct fixture *f, uint64_t rings)
{
	const struct ethtool_rxnfc answer = {.cmd = ETHTOOL_GRXRINGS, .data = rings};

	fake_ioctl_answer(&f->fake, 0, &answer, sizeof(answer));
}

static void test_rss_get(void **state)
{
	static const uint32_t indir[] = {0, 1, 2, 3, 0, 1, 2, 3};
	static const uint8_t key[] = {0x6d, 0x5a, 0x56};
	struct fixture *f = *state;
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[256] = {0};
	struct nlmsghdr *message = fake_genl(buf, 38);
	struct rss rss;

	mnl_attr_put_u32(message, 3, 1);
	mnl_attr_put(message, 4, sizeof(indir), indir);
	mnl_attr_put(message, 5, sizeof(key), key);
	mnl_attr_put_u32(message, 6, 0);
	buffer_append_message(answer, message);
	fake_ack(answer);
	answer_rings(f, 4);
	assert_int_equal(ethtool_rss_get(&f->kernel, &f->link, &rss, &f->error), 0);
	assert_int_equal(rss.nindir, 8);
	assert_memory_equal(rss.indir, indir, sizeof(indir));
	assert_int_equal(rss.nkey, 3);
	assert_memory_equal(rss.key, key, sizeof(key));
	assert_int_equal(rss.hfunc, 1);
	assert_int_equal(rss.rings, 4);
}

/* struct ethtool_rxfh, in which headers from Linux 6.8 on give one of the reserved bytes a name. */
struct sent_rss {
	uint32_t cmd, context, nindir, nkey;
	uint8_t hfunc, reserved8[3];
	uint32_t reserved;
	uint32_t config[2];
};

static void answer_sizes(struct fixture *f, uint32_t nindir, uint32_t nkey, uint8_t transformation)
{
	const struct sent_rss answer = {
		.cmd = ETHTOOL_GRSSH,
		.nindir = nindir,
		.nkey = nkey,
		.hfunc = 1,
		.reserved8 = {transformation},
	};

	fake_ioctl_answer(&f->fake, 0, &answer, offsetof(struct sent_rss, config));
}

static void test_ioctl_rss_get(void **state)
{
	struct fixture *f = *state;
	struct {
		struct {
			uint32_t cmd, context, nindir, nkey, hfunc, reserved;
		} head;
		uint32_t indir[2];
		uint8_t key[4];
	} answer = {{ETHTOOL_GRSSH, 0, 2, 4, 2, 0}, {3, 1}, {9, 8, 7, 6}};
	struct rss rss;

	answer_sizes(f, 2, 4, 0);
	fake_ioctl_answer(&f->fake, 0, &answer, sizeof(answer));
	answer_rings(f, 4);
	assert_int_equal(ethtool_rss_get(&f->kernel, &f->link, &rss, &f->error), 0);
	assert_int_equal(rss.nindir, 2);
	assert_memory_equal(rss.indir, answer.indir, sizeof(answer.indir));
	assert_int_equal(rss.nkey, 4);
	assert_memory_equal(rss.key, answer.key, sizeof(answer.key));
	assert_int_equal(rss.hfunc, 2);
	assert_int_equal(f->fake.ioctls_sent[1].length, sizeof(answer));
}

static void test_ioctl_rss_table_only(void **state)
{
	static const uint32_t head[] = {ETHTOOL_GRXFHINDIR, 2},
			      all[] = {ETHTOOL_GRXFHINDIR, 2, 1, 0};
	struct fixture *f = *state;
	struct rss rss;

	fake_ioctl_answer(&f->fake, -EOPNOTSUPP, NULL, 0);
	fake_ioctl_answer(&f->fake, 0, head, sizeof(head));
	fake_ioctl_answer(&f->fake, 0, all, sizeof(all));
	answer_rings(f, 2);
	assert_int_equal(ethtool_rss_get(&f->kernel, &f->link, &rss, &f->error), 0);
	assert_int_equal(rss.nindir, 2);
	assert_int_equal(rss.indir[0], 1);
	assert_int_equal(rss.nkey, 0);
	assert_int_equal(rss.rings, 2);
	fake_ioctl_answer(&f->fake, -EOPNOTSUPP, NULL, 0);
	fake_ioctl_answer(&f->fake, -EOPNOTSUPP, NULL, 0);
	assert_int_equal(ethtool_rss_get(&f->kernel, &f->link, &rss, &f->error), -EOPNOTSUPP);
	assert_string_equal(f->error.msg, "ETHTOOL_GRXFHINDIR eth0: Operation not supported");
}

static const struct sent_rss *set_rss(struct fixture *f, const struct rss *rss, bool is_default)
{
	f->fake.nioctls = f->fake.nioctls_sent = 0;
	answer_sizes(f, 2, 4, 3);
	fake_ioctl_answer(&f->fake, 0, NULL, 0);
	assert_int_equal(ethtool_rss_set(&f->kernel, &f->link, rss, is_default, &f->error), 0);
	return (const void *)f->fake.ioctls_sent[1].data;
}

static void test_rss_set(void **state)
{
	struct fixture *f = *state;
	uint32_t indir[] = {1, 0};
	uint8_t key[] = {1, 2, 3, 4};
	const struct rss table = {.indir = indir, .nindir = 2};
	const struct rss all = {.indir = indir, .nindir = 2, .key = key, .nkey = 4, .hfunc = 2};
	const struct rss only_key = {.key = key, .nkey = 4};
	const struct sent_rss *sent = set_rss(f, &table, false);

	assert_int_equal(sent->cmd, ETHTOOL_SRSSH);
	assert_int_equal(sent->nindir, 2);
	assert_int_equal(sent->nkey, 0);
	assert_int_equal(sent->hfunc, 0);
	assert_int_equal(sent->reserved8[0], 3); /* the transformation stays */
	assert_memory_equal(sent->config, indir, sizeof(indir));
	assert_int_equal(f->fake.ioctls_sent[1].length, 24 + sizeof(indir));

	sent = set_rss(f, &table, true); /* spread anew */
	assert_int_equal(sent->nindir, 0);
	assert_int_equal(f->fake.ioctls_sent[1].length, 24);

	sent = set_rss(f, &only_key, false);
	assert_int_equal(sent->nindir, 0xffffffff);
	assert_int_equal(sent->nkey, 4);
	assert_memory_equal(sent->config, key, sizeof(key));

	sent = set_rss(f, &all, false);
	assert_int_equal(sent->hfunc, 2);
	assert_memory_equal(sent->config, indir, sizeof(indir));
	assert_memory_equal((const uint8_t *)sent->config + sizeof(indir), key, sizeof(key));
}

static void test_rss_set_table_only(void **state)
{
	static const uint32_t wanted[] = {ETHTOOL_SRXFHINDIR, 2, 1, 0};
	struct fixture *f = *state;
	uint32_t indir[] = {1, 0};
	const struct rss table = {.indir = indir, .nindir = 2};

	fake_ioctl_answer(&f->fake, -EOPNOTSUPP, NULL, 0);
	fake_ioctl_answer(&f->fake, 0, NULL, 0);
	assert_int_equal(ethtool_rss_set(&f->kernel, &f->link, &table, false, &f->error), 0);
	assert_int_equal(f->fake.ioctls_sent[1].length, sizeof(wanted));
	assert_memory_equal(f->fake.ioctls_sent[1].data, wanted, sizeof(wanted));
}

static void test_coalesce_of_queue(void **state)
{
	struct fixture *f = *state;
	struct ethtool_coalesce coalesce;
	struct {
		uint32_t cmd, sub_command, mask[128];
		struct ethtool_coalesce coalesce;
	} answer = {ETHTOOL_PERQUEUE, ETHTOOL_GCOALESCE, {0},
		{.cmd = ETHTOOL_GCOALESCE, .rx_coalesce_usecs = 50}},
	  sent;

	fake_ioctl_answer(&f->fake, 0, &answer, sizeof(answer));
	assert_int_equal(
		ethtool_coalesce_get_queue(&f->kernel, &f->link, 37, &coalesce, &f->error), 0);
	assert_int_equal(coalesce.rx_coalesce_usecs, 50);
	assert_int_equal(f->fake.ioctls_sent[0].length, sizeof(sent));
	memcpy(&sent, f->fake.ioctls_sent[0].data, sizeof(sent));
	assert_int_equal(sent.cmd, ETHTOOL_PERQUEUE);
	assert_int_equal(sent.sub_command, ETHTOOL_GCOALESCE);
	assert_int_equal(sent.mask[0], 0);
	assert_int_equal(sent.mask[1], 1 << 5);
	fake_ioctl_answer(&f->fake, 0, NULL, 0);
	coalesce.rx_coalesce_usecs = 8;
	assert_int_equal(
		ethtool_coalesce_set_queue(&f->kernel, &f->link, 0, &coalesce, &f->error), 0);
	memcpy(&sent, f->fake.ioctls_sent[1].data, sizeof(sent));
	assert_int_equal(sent.sub_command, ETHTOOL_SCOALESCE);
	assert_int_equal(sent.coalesce.cmd, ETHTOOL_SCOALESCE);
	assert_int_equal(sent.coalesce.rx_coalesce_usecs, 8);
	assert_int_equal(sent.mask[0], 1);
	assert_int_equal(
		ethtool_coalesce_get_queue(&f->kernel, &f->link, 4096, &coalesce, &f->error),
		-ERANGE);
	assert_int_equal(ethtool_coalesce_get_queue(&f->kernel, &f->link, 1, &coalesce, &f->error),
		-EOPNOTSUPP);
	assert_string_equal(
		f->error.msg, "queue 1: ETHTOOL_PERQUEUE eth0: Operation not supported");
}

static void test_driver_info(void **state)
{
	struct fixture *f = *state;
	struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO, .driver = "igb"};
	const char *driver, *bus;

	memset(info.bus_info, 'x', sizeof(info.bus_info)); /* no end */
	fake_ioctl_answer(&f->fake, 0, &info, sizeof(info));
	assert_int_equal(ethtool_driver_info(&f->kernel, &f->link, &driver, &bus), 0);
	assert_string_equal(driver, "igb");
	assert_int_equal(strlen(bus), sizeof(info.bus_info));
	assert_int_equal(ethtool_driver_info(&f->kernel, &f->link, &driver, &bus), -EOPNOTSUPP);
	assert_string_equal(driver, "");
	assert_string_equal(bus, "");
}

#define TEST(name)  cmocka_unit_test_setup_teardown(name, setup, teardown)
#define IOCTL(name) cmocka_unit_test_setup_teardown(name, setup_ioctl, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_has),
		TEST(test_get_skips_unknown),
		TEST(test_get_cut_short),
		TEST(test_set_sends_all),
		IOCTL(test_no_family),
		TEST(test_features_get),
		TEST(test_features_short_bitset),
		TEST(test_features_set),
		IOCTL(test_ioctl_features_get),
		IOCTL(test_ioctl_features_set),
		TEST(test_rss_get),
		IOCTL(test_ioctl_rss_get),
		IOCTL(test_ioctl_rss_table_only),
		TEST(test_rss_set),
		TEST(test_rss_set_table_only),
		TEST(test_coalesce_of_queue),
		TEST(test_driver_info),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
