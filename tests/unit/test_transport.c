/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The transports that stand before or instead of the kernel: record, replay, fault.
 */
#include "unit/fake_transport.h"

#include "kernel/netlink.h"
#include "unit/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

struct fixture {
	struct arena arena;
	struct kernel kernel;
	struct fake fake;
	struct error error;
	char dir[64];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	fake_open(&f->fake, &f->kernel, &f->arena);
	strcpy(f->dir, "/tmp/nettune-test-XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	static const char *const names[] = {"route", "genl", "ioctl"};
	struct fixture *f = *state;
	char path[128];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", f->dir, names[i]);
		unlink(path);
	}
	rmdir(f->dir);
	fake_close(&f->kernel, &f->arena);
	free(f);
	return 0;
}

static void put_file(const struct fixture *f, const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", f->dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int replay_open(struct fixture *f, struct transport **ret)
{
	int fd = open(f->dir, O_PATH | O_DIRECTORY), r;

	r = transport_replay_new(fd, ret, &f->error);
	close(fd);
	return r;
}

static const struct nlmsghdr *request_of(uint8_t *buf, uint8_t command, uint32_t seq)
{
	struct nlmsghdr *request = fake_genl(buf, command);

	request->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	request->nlmsg_seq = seq;
	return request;
}

static int ask(struct transport *transport, uint8_t command, uint32_t seq, struct buffer *reply)
{
	uint8_t buf[64];
	const struct nlmsghdr *request = request_of(buf, command, seq);

	return transport->exchange(transport, NETLINK_GENERIC, request, request->nlmsg_len, reply);
}

static int error_of(const struct buffer *reply)
{
	const struct nlmsghdr *message = (const void *)reply->data;
	const struct nlmsgerr *payload = mnl_nlmsg_get_payload(message);

	assert_int_equal(message->nlmsg_type, NLMSG_ERROR);
	return payload->error;
}

/* What was recorded is what is replayed. */
static void test_round_trip(void **state)
{
	struct fixture *f = *state;
	struct ethtool_ringparam rings = {.cmd = ETHTOOL_GRINGPARAM, .rx_pending = 512};
	const struct ethtool_ringparam wanted = rings;
	struct buffer reply = {0}, again = {0};
	struct transport *record, *replay;
	struct buffer *answer = fake_answer(&f->fake);
	uint8_t buf[64];

	buffer_append_message(answer, fake_genl(buf, 16));
	fake_ack(answer);
	fake_ioctl_answer(&f->fake, 7, &wanted, sizeof(wanted));
	assert_int_equal(transport_record_new(f->dir, f->kernel.transport, &record, &f->error), 0);
	assert_int_equal(ask(record, 15, 99, &reply), 0);
	rings = (struct ethtool_ringparam){.cmd = ETHTOOL_GRINGPARAM};
	assert_int_equal(record->ioctl(record, "eth0", &rings, sizeof(rings)), 7);
	record->free(record);

	assert_int_equal(replay_open(f, &replay), 0);
	assert_int_equal(ask(replay, 15, 12345, &again), 0);
	assert_int_equal(again.length, reply.length);
	assert_memory_equal(again.data, reply.data, reply.length);
	rings = (struct ethtool_ringparam){.cmd = ETHTOOL_GRINGPARAM};
	assert_int_equal(replay->ioctl(replay, "eth1", &rings, sizeof(rings)), -EOPNOTSUPP);
	assert_int_equal(replay->ioctl(replay, "eth0", &rings, sizeof(rings)), 7);
	assert_memory_equal(&rings, &wanted, sizeof(rings));
	replay->free(replay);
	buffer_free(&reply);
	buffer_free(&again);
}

/* RINGS_GET of family 21 with ACK, and two different acknowledgements, by hand. */
#define REQUEST "> 14000000 1500 0500 00000000 00000000 0f000000\n"
#define ANSWER_1 \
	"< 24000000 0200 0001 00000000 00000000 f3ffffff 14000000150005000000000000000000\n"
#define ANSWER_2 \
	"< 24000000 0200 0001 00000000 00000000 fbffffff 14000000150005000000000000000000\n"

static void test_answers_in_order(void **state)
{
	struct fixture *f = *state;
	struct buffer reply = {0};
	struct transport *replay;

	put_file(f, "genl", "# rings of nothing\n" REQUEST ANSWER_1 "\n" REQUEST ANSWER_2);
	assert_int_equal(replay_open(f, &replay), 0);
	assert_int_equal(ask(replay, 15, 1, &reply), 0);
	assert_int_equal(error_of(&reply), -EACCES);
	for (uint32_t i = 2; i < 5; i++) {
		assert_int_equal(ask(replay, 15, i, &reply), 0);
		assert_int_equal(error_of(&reply), -EIO);
	}
	assert_int_equal(ask(replay, 17, 5, &reply), 0); /* CHANNELS_GET: not there */
	assert_int_equal(error_of(&reply), -EOPNOTSUPP);
	replay->free(replay);
	buffer_free(&reply);
}

static void test_replay_never_writes(void **state)
{
	struct fixture *f = *state;
	struct ethtool_ringparam rings = {.cmd = ETHTOOL_SRINGPARAM};
	struct buffer reply = {0};
	struct transport *replay;

	put_file(f, "ioctl", "> eth0 11000000\n< 0 11000000\n");
	assert_int_equal(replay_open(f, &replay), 0);
	assert_int_equal(ask(replay, 16, 1, &reply), -EROFS);
	assert_int_equal(replay->ioctl(replay, "eth0", &rings, sizeof(rings)), -EROFS);
	replay->free(replay);
	buffer_free(&reply);
}

static int dump_links(struct transport *transport, struct buffer *reply)
{
	uint8_t buf[64];
	struct nlmsghdr *request = mnl_nlmsg_put_header(buf);

	request->nlmsg_type = RTM_GETLINK;
	request->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	mnl_nlmsg_put_extra_header(request, sizeof(struct ifinfomsg));
	return transport->exchange(transport, NETLINK_ROUTE, request, request->nlmsg_len, reply);
}

/* No file: a machine without links. A file without this dump: a mistake, which shows. */
static void test_missing_files(void **state)
{
	struct fixture *f = *state;
	struct buffer reply = {0};
	struct transport *replay;

	assert_int_equal(transport_replay_new(-1, &replay, &f->error), 0);
	assert_int_equal(dump_links(replay, &reply), 0);
	assert_int_equal(reply.length, 0);
	assert_int_equal(ask(replay, 15, 1, &reply), 0);
	assert_int_equal(error_of(&reply), -EOPNOTSUPP);
	replay->free(replay);
	put_file(f, "route", "# nothing\n");
	assert_int_equal(replay_open(f, &replay), 0);
	assert_int_equal(dump_links(replay, &reply), 0);
	assert_int_equal(error_of(&reply), -EOPNOTSUPP);
	replay->free(replay);
	buffer_free(&reply);
}

static void test_bad_recordings(void **state)
{
	static const struct {
		const char *file, *text;
		unsigned line;
	} bad[] = {
		{"genl", "\n" REQUEST "< 2400\n", 3},
		{"genl", REQUEST "< zz\n", 2},
		{"genl", REQUEST "< 240\n", 2},
		{"genl", REQUEST "<\n", 2},
		{"genl", ANSWER_1, 1},
		{"genl", "hello\n", 1},
		{"ioctl", "> eth0 11\n< 11\n< x 11\n", 3},
		{"ioctl", ">\n", 1},
	};
	struct fixture *f = *state;
	struct transport *replay;
	char wanted[64];

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		put_file(f, bad[i].file, bad[i].text);
		assert_int_equal(replay_open(f, &replay), -EINVAL);
		assert_int_equal(f->error.kind, ERROR_DATA);
		snprintf(wanted, sizeof(wanted), "netlink/%s:%u: ", bad[i].file, bad[i].line);
		assert_memory_equal(f->error.msg, wanted, strlen(wanted));
		put_file(f, bad[i].file, "");
	}
}

static void test_what_writes(void **state UNUSED)
{
	static const struct {
		uint8_t command;
		bool writes;
	} commands[] = {{1, false}, {4, false}, {5, true}, {11, false}, {12, true}, {13, false},
		{14, true}, {15, false}, {16, true}, {17, false}, {18, true}, {19, false},
		{20, true}, {21, false}, {22, true}, {38, false}, {48, true}, {200, true}};
	static const struct {
		uint16_t type;
		bool writes;
	} types[] = {{RTM_GETLINK, false}, {RTM_NEWLINK, true}, {RTM_SETLINK, true},
		{RTM_DELLINK, true}, {RTM_GETQDISC, false}, {RTM_NEWQDISC, true},
		{RTM_GETROUTE, false}};
	uint32_t per_queue[2] = {ETHTOOL_PERQUEUE, ETHTOOL_GCOALESCE};
	uint8_t buf[64];
	struct nlmsghdr *message;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		message = fake_genl(buf, commands[i].command);
		assert_int_equal(netlink_is_write(NETLINK_GENERIC, message, message->nlmsg_len),
			commands[i].writes);
	}
	message = fake_genl(buf, CTRL_CMD_GETFAMILY);
	message->nlmsg_type = GENL_ID_CTRL;
	assert_false(netlink_is_write(NETLINK_GENERIC, message, message->nlmsg_len));
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		message->nlmsg_type = types[i].type;
		assert_int_equal(netlink_is_write(NETLINK_ROUTE, message, message->nlmsg_len),
			types[i].writes);
	}
	assert_false(ioctl_is_write(per_queue, sizeof(per_queue)));
	per_queue[1] = ETHTOOL_SCOALESCE;
	assert_true(ioctl_is_write(per_queue, sizeof(per_queue)));
}

/* What the tests in virtual machines take for reading is what the program takes for it. */
static void test_reading_commands_are_those_of_the_table(void **state)
{
	FILE *file = fopen(TEST_DIR "/lib/ethtool-reads", "re");
	bool reads[256] = {false};
	char line[128], name[64];
	unsigned number;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%2x %63s", &number, name) != 2)
			continue;
		assert_non_null(strstr(name, "_GET"));
		reads[number] = true;
	}
	fclose(file);
	for (unsigned i = 1; i < 256; i++) {
		uint8_t buf[64];
		const struct nlmsghdr *message = fake_genl(buf, (uint8_t)i);

		assert_int_equal(
			netlink_is_write(NETLINK_GENERIC, message, message->nlmsg_len), !reads[i]);
	}
}

/* The kernel's own numbers: no command that sets or acts, in whatever header, is a reading one. */
static void test_no_setting_command_of_the_header_reads(void **state)
{
	FILE *file = fopen("/usr/include/linux/ethtool_netlink.h", "re");
	char line[256], name[128];
	unsigned number = 0, settings = 0;

	if (!file)
		skip();
	while (fgets(line, sizeof(line), file) && !strstr(line, "ETHTOOL_MSG_KERNEL_NONE")) {
		uint8_t buf[64];
		const struct nlmsghdr *message;

		if (sscanf(line, " ETHTOOL_MSG_%127[A-Z_]", name) != 1)
			continue;
		if (strcmp(name, "USER_NONE") == 0) {
			number = 0;
			continue;
		}
		message = fake_genl(buf, (uint8_t)++number);
		if (!strstr(name, "_SET") && !strstr(name, "_ACT"))
			continue;
		settings++;
		if (!netlink_is_write(NETLINK_GENERIC, message, message->nlmsg_len))
			fail_msg("%s (%u) is no write", name, number);
	}
	fclose(file);
	if (!settings) /* they are in ethtool_netlink_generated.h since Linux 6.15 */
		skip();
}

static int fault_file(struct transport *transport)
{
	return transport->file_write(transport, "/proc/sys/x", "1");
}

static void test_fault(void **state)
{
	struct fixture *f = *state;
	uint32_t writing = ETHTOOL_SRINGPARAM, reading = ETHTOOL_GRINGPARAM;
	struct buffer reply = {0};
	struct transport *t;

	fake_ack(fake_answer(&f->fake));
	for (int i = 0; i < 4; i++)
		fake_ioctl_answer(&f->fake, 0, NULL, 0);
	assert_int_equal(transport_fault_new("2:EIO,3:EBUSY:once,5:ignored,7:EROFS:on",
				 f->kernel.transport, &t, &f->error),
		0);
	assert_int_equal(ask(t, 15, 1, &reply), 0); /* reading does not count */
	assert_int_equal(t->ioctl(t, "eth0", &reading, sizeof(reading)), 0);
	assert_int_equal(ask(t, 16, 2, &reply), 0); /* 1 */
	assert_int_equal(error_of(&reply), 0);
	assert_int_equal(ask(t, 16, 3, &reply), 0); /* 2 */
	assert_int_equal(error_of(&reply), -EIO);
	assert_int_equal(t->ioctl(t, "eth0", &writing, sizeof(writing)), -EBUSY); /* 3 */
	assert_int_equal(fault_file(t), 0);                                       /* 4 */
	assert_int_equal(fault_file(t), 1);                                       /* 5 */
	assert_int_equal(t->ioctl(t, "eth0", &writing, sizeof(writing)), 0);      /* 6 */
	for (int i = 0; i < 3; i++)
		assert_int_equal(fault_file(t), -EROFS); /* 7, 8, 9 */
	assert_int_equal(ask(t, 15, 4, &reply), 0);
	assert_int_equal(f->fake.nsent, 3);
	assert_int_equal(f->fake.nioctls_sent, 2);
	t->free(t);
	f->kernel.transport = NULL; /* freed */
	buffer_free(&reply);
}

static void test_fault_kills(void **state)
{
	struct fixture *f = *state;
	struct transport *t;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (transport_fault_new("2:kill", f->kernel.transport, &t, NULL) < 0)
			_exit(1);
		fault_file(t);
		fault_file(t);
		_exit(2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

static void test_bad_fault_plans(void **state)
{
	static const char *const plans[] = {
		"", "1", "1:", "0:EIO", "x:EIO", "1:EFOO", "1:EIO:often", "1:EIO,", "-1:EIO"};
	struct fixture *f = *state;
	struct transport *t;

	for (size_t i = 0; i < ARRAY_SIZE(plans); i++) {
		assert_int_equal(
			transport_fault_new(plans[i], f->kernel.transport, &t, &f->error), -EINVAL);
		assert_int_equal(f->error.kind, ERROR_USAGE);
	}
	f->kernel.transport = NULL;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_round_trip),
		TEST(test_answers_in_order),
		TEST(test_replay_never_writes),
		TEST(test_missing_files),
		TEST(test_bad_recordings),
		TEST(test_what_writes),
		TEST(test_reading_commands_are_those_of_the_table),
		TEST(test_no_setting_command_of_the_header_reads),
#ifdef NETTUNE_FAULTS
		TEST(test_fault),
		TEST(test_fault_kills),
		TEST(test_bad_fault_plans),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
