/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transport for tests: keeps what was sent and gives the answers that a test has queued, one an
 * exchange; and small builders of kernel messages.
 */
#ifndef NETTUNE_TESTS_FAKE_TRANSPORT_H
#define NETTUNE_TESTS_FAKE_TRANSPORT_H

#include "kernel/kernel.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>

#define FAKE_MAX    16
#define FAKE_FAMILY 21 /* of ethtool */

struct fake_ioctl {
	int result;
	uint8_t data[4096];
	size_t length; /* of the answer that is copied out */
};

struct fake {
	struct transport transport;
	struct buffer answers[FAKE_MAX]; /* messages of one exchange each */
	int failures[FAKE_MAX];          /* or the socket fails with this */
	size_t nanswers, nsent;
	struct buffer sent[FAKE_MAX];
	struct fake_ioctl ioctls[FAKE_MAX];
	size_t nioctls, nioctls_sent;
	struct buffer ioctls_sent[FAKE_MAX];
	char ifname[32];
};

static int fake_exchange(struct transport *transport, int protocol UNUSED, const void *request,
	size_t length, struct buffer *reply)
{
	struct fake *fake = (struct fake *)transport;
	size_t i = fake->nsent++;

	buffer_clear(reply);
	buffer_clear(&fake->sent[i % FAKE_MAX]);
	buffer_append(&fake->sent[i % FAKE_MAX], request, length);
	if (fake->nanswers == 0)
		return buffer_append_error(reply, request, -EOPNOTSUPP);
	i = MIN(i, fake->nanswers - 1);
	if (fake->failures[i])
		return fake->failures[i];
	return buffer_append(reply, fake->answers[i].data, fake->answers[i].length);
}

static int fake_ioctl(struct transport *transport, const char *ifname, void *data, size_t length)
{
	struct fake *fake = (struct fake *)transport;
	size_t i = fake->nioctls_sent++;

	buffer_clear(&fake->ioctls_sent[i % FAKE_MAX]);
	buffer_append(&fake->ioctls_sent[i % FAKE_MAX], data, length);
	strncpy(fake->ifname, ifname, sizeof(fake->ifname) - 1);
	if (i >= fake->nioctls)
		return -EOPNOTSUPP;
	memcpy(data, fake->ioctls[i].data, MIN(length, fake->ioctls[i].length));
	return fake->ioctls[i].result;
}

static void fake_free(struct transport *transport)
{
	struct fake *fake = (struct fake *)transport;

	for (size_t i = 0; i < FAKE_MAX; i++) {
		buffer_free(&fake->answers[i]);
		buffer_free(&fake->sent[i]);
		buffer_free(&fake->ioctls_sent[i]);
	}
}

/* A kernel with all ethtool commands behind the fake. kernel_close() frees what it holds. */
static UNUSED void fake_open(struct fake *fake, struct kernel *kernel, struct arena *arena)
{
	*fake = (struct fake){
		.transport =
			{
				.exchange = fake_exchange,
				.ioctl = fake_ioctl,
				.free = fake_free,
			},
	};
	arena_init(arena);
	*kernel = (struct kernel){
		.dirs = {-1, -1, -1},
		.dir_names = {"/proc", "/sys", "/proc/sys"},
		.transport = &fake->transport,
		.ethtool_family = FAKE_FAMILY,
		.ethtool_ops = {~0ULL},
		.arena = arena,
	};
}

static UNUSED void fake_close(struct kernel *kernel, struct arena *arena)
{
	kernel_close(kernel);
	arena_done(arena);
}

/* The exchange that answers the next request; messages are then appended to it. */
static UNUSED struct buffer *fake_answer(struct fake *fake)
{
	return &fake->answers[fake->nanswers++];
}

static UNUSED void fake_failure(struct fake *fake, int failure)
{
	fake->failures[fake->nanswers++] = failure;
}

static UNUSED void fake_ack(struct buffer *answer)
{
	struct nlmsghdr request = {.nlmsg_len = sizeof(request)};

	buffer_append_error(answer, &request, 0);
}

static UNUSED void fake_done(struct buffer *answer, int err, uint16_t flags)
{
	uint8_t buf[64];
	struct nlmsghdr *message = mnl_nlmsg_put_header(buf);

	message->nlmsg_type = NLMSG_DONE;
	message->nlmsg_flags = flags;
	memcpy(mnl_nlmsg_put_extra_header(message, sizeof(err)), &err, sizeof(err));
	buffer_append_message(answer, message);
}

/* The start of an answer of the ethtool family in buf. */
static UNUSED struct nlmsghdr *fake_genl(void *buf, uint8_t command)
{
	struct nlmsghdr *message = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl = mnl_nlmsg_put_extra_header(message, sizeof(*genl));

	message->nlmsg_type = FAKE_FAMILY;
	genl->cmd = command;
	return message;
}

static UNUSED void fake_ioctl_answer(struct fake *fake, int result, const void *data, size_t length)
{
	struct fake_ioctl *answer = &fake->ioctls[fake->nioctls++];

	answer->result = result;
	answer->length = length;
	if (length > 0)
		memcpy(answer->data, data, length);
}

#endif
