/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and replies: what becomes of acknowledgements, extended acks, interrupted dumps.
 */
#include "unit/fake_transport.h"

#include "kernel/netlink.h"
#include "unit/test.h"

struct fixture {
	struct arena arena;
	struct kernel kernel;
	struct fake fake;
	struct error error;
	uint8_t buf[512];
	unsigned seen; /* replies that reached the callback */
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	fake_open(&f->fake, &f->kernel, &f->arena);
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

static int count(const struct nlmsghdr *message UNUSED, void *data)
{
	++*(unsigned *)data;
	return 0;
}

static int refuse(const struct nlmsghdr *message UNUSED, void *data UNUSED)
{
	return -EBADMSG;
}

/* RINGS_SET eth0 with RX and, in a made up nest, two more attributes. */
static struct nlmsghdr *rings_set(struct fixture *f)
{
	struct nlmsghdr *request = fake_genl(f->buf, 16);
	struct nlattr *header = mnl_attr_nest_start(request, 1), *inner;

	mnl_attr_put_u32(request, 1, 7);
	mnl_attr_put_strz(request, 2, "eth0");
	mnl_attr_nest_end(request, header);
	mnl_attr_put_u32(request, 6, 99999);
	header = mnl_attr_nest_start(request, 3);
	mnl_attr_put_u32(request, 1, 1);
	inner = mnl_attr_nest_start(request, 2);
	mnl_attr_put_u32(request, 5, 1);
	mnl_attr_nest_end(request, inner);
	mnl_attr_nest_end(request, header);
	return request;
}

static int send_rings(struct fixture *f)
{
	return netlink_request(&f->kernel, NETLINK_GENERIC, rings_set(f),
		"ETHTOOL_MSG_RINGS_SET eth0", count, &f->seen, &f->error);
}

/* An error message; with_request: with the whole request in it, as without NETLINK_CAP_ACK. */
static void answer_error(struct fixture *f, int err, const char *text, uint32_t offset,
	uint32_t missing, bool with_request)
{
	struct nlmsghdr *request = rings_set(f);
	uint8_t buf[1024];
	struct nlmsghdr *message = mnl_nlmsg_put_header(buf);
	struct nlmsgerr *payload;

	message->nlmsg_type = NLMSG_ERROR;
	message->nlmsg_flags = NLM_F_ACK_TLVS | (with_request ? 0 : NLM_F_CAPPED);
	payload = mnl_nlmsg_put_extra_header(message, sizeof(*payload));
	payload->error = err;
	payload->msg = *request;
	if (with_request)
		memcpy(mnl_nlmsg_put_extra_header(message, request->nlmsg_len - sizeof(*request)),
			request + 1, request->nlmsg_len - sizeof(*request));
	if (text)
		mnl_attr_put_strz(message, NLMSGERR_ATTR_MSG, text);
	if (offset)
		mnl_attr_put_u32(message, NLMSGERR_ATTR_OFFS, offset);
	if (missing)
		mnl_attr_put_u32(message, NLMSGERR_ATTR_MISS_TYPE, missing);
	buffer_append_message(fake_answer(&f->fake), message);
}

static void test_ack(void **state)
{
	struct fixture *f = *state;
	const struct nlmsghdr *sent;
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[64];

	buffer_append_message(answer, fake_genl(buf, 12));
	fake_ack(answer);
	assert_int_equal(send_rings(f), 0);
	assert_int_equal(f->seen, 1);
	sent = (const void *)f->fake.sent[0].data;
	assert_int_equal(sent->nlmsg_flags, NLM_F_REQUEST | NLM_F_ACK);
	assert_int_equal(sent->nlmsg_seq, 1);
	assert_int_equal(sent->nlmsg_len, f->fake.sent[0].length);
	assert_int_equal(send_rings(f), 0);
	sent = (const void *)f->fake.sent[1].data;
	assert_int_equal(sent->nlmsg_seq, 2);
}

static void test_extack(void **state)
{
	struct fixture *f = *state;

	/* 16 + 4 bytes of headers, 24 of the header nest: attribute 6 is at 44. */
	answer_error(f, -EINVAL, "requested ring size exceeds maximum", 44, 0, false);
	assert_int_equal(send_rings(f), -EINVAL);
	assert_string_equal(f->error.msg,
		"ETHTOOL_MSG_RINGS_SET eth0: Invalid argument: requested ring size exceeds "
		"maximum (attribute 6)");
	assert_int_equal(f->error.err, EINVAL);
	assert_int_equal(f->error.kind, ERROR_FAILED);
	assert_int_equal(f->seen, 0);
}

static void test_extack_after_request(void **state)
{
	struct fixture *f = *state;

	answer_error(f, -EINVAL, "requested ring size exceeds maximum", 44, 0, true);
	assert_int_equal(send_rings(f), -EINVAL);
	assert_string_equal(f->error.msg,
		"ETHTOOL_MSG_RINGS_SET eth0: Invalid argument: requested ring size exceeds "
		"maximum (attribute 6)");
}

static void test_extack_nested(void **state)
{
	struct fixture *f = *state;

	/* nest 3 at 52, attribute 1 in it at 56, nest 2 at 64, attribute 5 at 68 */
	answer_error(f, -EOPNOTSUPP, NULL, 68, 0, false);
	assert_int_equal(send_rings(f), -EOPNOTSUPP);
	assert_string_equal(f->error.msg,
		"ETHTOOL_MSG_RINGS_SET eth0: Operation not supported (attribute 3.2.5)");
	assert_int_equal(f->error.kind, ERROR_MISSING);
}

static void test_extack_inside_attribute(void **state)
{
	struct fixture *f = *state;

	answer_error(f, -EINVAL, "odd", 46, 0, false);
	assert_int_equal(send_rings(f), -EINVAL);
	assert_string_equal(
		f->error.msg, "ETHTOOL_MSG_RINGS_SET eth0: Invalid argument: odd (at byte 46)");
	f->fake.nsent = f->fake.nanswers = 0;
	buffer_clear(&f->fake.answers[0]);
	answer_error(f, -EINVAL, "far", 40000, 0, false);
	assert_int_equal(send_rings(f), -EINVAL);
	assert_string_equal(
		f->error.msg, "ETHTOOL_MSG_RINGS_SET eth0: Invalid argument: far (at byte 40000)");
}

static void test_missing_attribute(void **state)
{
	struct fixture *f = *state;

	answer_error(f, -EINVAL, NULL, 0, 1, false);
	assert_int_equal(send_rings(f), -EINVAL);
	assert_string_equal(f->error.msg,
		"ETHTOOL_MSG_RINGS_SET eth0: Invalid argument (attribute 1 is missing)");
}

static void test_no_text(void **state)
{
	struct fixture *f = *state;

	answer_error(f, -EINVAL, NULL, 0, 0, false);
	answer_error(f, -EPERM, NULL, 0, 0, false);
	assert_int_equal(send_rings(f), -EINVAL);
	assert_string_equal(f->error.msg,
		"ETHTOOL_MSG_RINGS_SET eth0: Invalid argument (no reason given; the kernel log "
		"may have one)");
	assert_int_equal(send_rings(f), -EPERM);
	assert_string_equal(f->error.msg, "ETHTOOL_MSG_RINGS_SET eth0: Operation not permitted");
	assert_int_equal(f->error.kind, ERROR_PERMISSION);
}

static void test_bad_messages(void **state)
{
	struct fixture *f = *state;
	struct nlmsghdr message = {.nlmsg_len = sizeof(message), .nlmsg_type = NLMSG_ERROR};

	buffer_append_message(fake_answer(&f->fake), &message);
	assert_int_equal(send_rings(f), -EPROTO);
	/* An error whose copy of the request is said to be longer than the message. */
	answer_error(f, -EINVAL, "text", 0, 0, false);
	((struct nlmsghdr *)(void *)f->fake.answers[1].data)->nlmsg_flags = NLM_F_ACK_TLVS;
	assert_int_equal(send_rings(f), -EINVAL);
}

static void test_callback_stops(void **state)
{
	struct fixture *f = *state;
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[64];

	buffer_append_message(answer, fake_genl(buf, 12));
	fake_ack(answer);
	assert_int_equal(netlink_request(&f->kernel, NETLINK_GENERIC, rings_set(f), "x", refuse,
				 NULL, &f->error),
		-EBADMSG);
}

static int send_dump(struct fixture *f)
{
	struct nlmsghdr *request = fake_genl(f->buf, 15);

	request->nlmsg_flags = NLM_F_DUMP;
	return netlink_request(
		&f->kernel, NETLINK_GENERIC, request, "dump", count, &f->seen, &f->error);
}

/* n reply messages, the last of them with the flag, and DONE. */
static void answer_dump(struct fixture *f, unsigned n, uint16_t flags)
{
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[64];

	for (unsigned i = 0; i < n; i++) {
		struct nlmsghdr *message = fake_genl(buf, 15);

		message->nlmsg_flags = NLM_F_MULTI | (i + 1 == n ? flags : 0);
		buffer_append_message(answer, message);
	}
	fake_done(answer, 0, NLM_F_MULTI);
}

static void test_dump(void **state)
{
	struct fixture *f = *state;
	const struct nlmsghdr *sent;

	answer_dump(f, 3, 0);
	assert_int_equal(send_dump(f), 0);
	assert_int_equal(f->seen, 3);
	sent = (const void *)f->fake.sent[0].data;
	assert_int_equal(sent->nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
}

static void test_dump_interrupted(void **state)
{
	struct fixture *f = *state;
	struct buffer *answer;

	answer_dump(f, 3, NLM_F_DUMP_INTR);
	answer = fake_answer(&f->fake);
	fake_done(answer, 0, NLM_F_MULTI | NLM_F_DUMP_INTR);
	fake_failure(&f->fake, -ENOBUFS);
	answer_dump(f, 2, 0);
	assert_int_equal(send_dump(f), 0);
	assert_int_equal(f->fake.nsent, 4);
	assert_int_equal(f->seen, 2); /* nothing of the broken ones */
}

static void test_dump_always_interrupted(void **state)
{
	struct fixture *f = *state;

	answer_dump(f, 3, NLM_F_DUMP_INTR);
	assert_int_equal(send_dump(f), -EINTR);
	assert_int_equal(f->fake.nsent, 5);
	assert_int_equal(f->seen, 0);
	assert_string_equal(f->error.msg, "dump: the dump was interrupted by changes 5 times");
}

static void test_dump_ends_with_error(void **state)
{
	struct fixture *f = *state;
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[64];

	buffer_append_message(answer, fake_genl(buf, 15));
	fake_done(answer, -ENODEV, NLM_F_MULTI);
	assert_int_equal(send_dump(f), -ENODEV);
	assert_string_equal(f->error.msg, "dump: No such device");
}

/* A message that changes something is never sent twice. */
static void test_no_second_write(void **state)
{
	struct fixture *f = *state;

	fake_failure(&f->fake, -ENOBUFS);
	assert_int_equal(send_rings(f), -ENOBUFS);
	assert_int_equal(f->fake.nsent, 1);
}

static void test_find_ethtool(void **state)
{
	struct fixture *f = *state;
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[512];
	struct nlmsghdr *message = fake_genl(buf, CTRL_CMD_NEWFAMILY);
	struct nlattr *ops, *op;
	static const uint32_t ids[] = {1, 15, 38, 200, 4000};

	message->nlmsg_type = GENL_ID_CTRL;
	mnl_attr_put_u16(message, CTRL_ATTR_FAMILY_ID, 29);
	ops = mnl_attr_nest_start(message, CTRL_ATTR_OPS);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		op = mnl_attr_nest_start(message, (uint16_t)(i + 1));
		mnl_attr_put_u32(message, CTRL_ATTR_OP_ID, ids[i]);
		mnl_attr_put_u32(message, CTRL_ATTR_OP_FLAGS, 0xe);
		mnl_attr_nest_end(message, op);
	}
	mnl_attr_nest_end(message, ops);
	buffer_append_message(answer, message);
	fake_ack(answer);
	assert_int_equal(netlink_find_ethtool(&f->kernel, &f->error), 0);
	assert_int_equal(f->kernel.ethtool_family, 29);
	assert_true(f->kernel.ethtool_ops[0] == (1ULL << 1 | 1ULL << 15 | 1ULL << 38));
	assert_true(f->kernel.ethtool_ops[3] == 1ULL << (200 - 192));
}

static void test_no_ethtool(void **state)
{
	struct fixture *f = *state;
	static const int absent[] = {-ENOENT, -EOPNOTSUPP};

	for (size_t i = 0; i < ARRAY_SIZE(absent); i++) {
		struct nlmsghdr request = {.nlmsg_len = sizeof(request)};

		f->kernel.ethtool_family = FAKE_FAMILY;
		buffer_append_error(fake_answer(&f->fake), &request, absent[i]);
		assert_int_equal(netlink_find_ethtool(&f->kernel, &f->error), 0);
		assert_int_equal(f->kernel.ethtool_family, 0);
		assert_true(f->kernel.ethtool_ops[0] == 0);
	}
	fake_failure(&f->fake, -EPROTONOSUPPORT);
	assert_int_equal(netlink_find_ethtool(&f->kernel, &f->error), 0);
	fake_failure(&f->fake, -ENOMEM);
	assert_int_equal(netlink_find_ethtool(&f->kernel, &f->error), -ENOMEM);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_ack),
		TEST(test_extack),
		TEST(test_extack_after_request),
		TEST(test_extack_nested),
		TEST(test_extack_inside_attribute),
		TEST(test_missing_attribute),
		TEST(test_no_text),
		TEST(test_bad_messages),
		TEST(test_callback_stops),
		TEST(test_dump),
		TEST(test_dump_interrupted),
		TEST(test_dump_always_interrupted),
		TEST(test_dump_ends_with_error),
		TEST(test_no_second_write),
		TEST(test_find_ethtool),
		TEST(test_no_ethtool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
