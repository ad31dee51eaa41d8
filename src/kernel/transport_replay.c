/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transport that answers from recordings: for --root and for tests. The format is described in
 * transport.h; requests are compared byte by byte.
 */
#include "kernel/recording.h"

#include "util/macros.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <string.h>

struct replay {
	struct transport transport;
	struct recording recordings[RECORDING_MAX];
};

/* The answers to one request come in order; the last one stays. */
static struct exchange *find(
	const struct recording *recording, const char *ifname, const struct buffer *request)
{
	struct exchange *last = NULL;

	for (struct exchange *e = recording->first; e; e = e->next) {
		if (e->request.length != request->length ||
			memcmp(e->request.data, request->data, request->length) != 0 ||
			strcmp(e->ifname, ifname) != 0)
			continue;
		last = e;
		if (!e->used)
			break;
	}
	if (last)
		last->used = true;
	return last;
}

static int replay_exchange(struct transport *transport, int protocol, const void *request,
	size_t length, struct buffer *reply)
{
	struct replay *replay = (struct replay *)transport;
	const struct recording *recording =
		&replay->recordings[protocol == NETLINK_ROUTE ? RECORDING_ROUTE : RECORDING_GENL];
	struct nlmsghdr header = *(const struct nlmsghdr *)request;
	struct buffer wanted CLEANUP(buffer_free) = {0};
	struct exchange *found;

	buffer_clear(reply);
	if (netlink_is_write(protocol, request, length))
		return -EROFS;
	header.nlmsg_seq = 0;
	header.nlmsg_pid = 0;
	if (buffer_append(&wanted, &header, sizeof(header)) < 0 ||
		buffer_append(
			&wanted, (const struct nlmsghdr *)request + 1, length - sizeof(header)) < 0)
		return -ENOMEM;
	found = find(recording, "", &wanted);
	if (found)
		return buffer_append(reply, found->reply.data, found->reply.length);
	if (!recording->present && (header.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP)
		return 0;
	return buffer_append_error(reply, request, -EOPNOTSUPP);
}

static int replay_ioctl(struct transport *transport, const char *ifname, void *data, size_t length)
{
	struct replay *replay = (struct replay *)transport;
	struct buffer wanted = {.data = data, .length = length};
	struct exchange *found;

	if (ioctl_is_write(data, length))
		return -EROFS;
	found = find(&replay->recordings[RECORDING_IOCTL], ifname, &wanted);
	if (!found)
		return -EOPNOTSUPP;
	if (found->reply.data)
		memcpy(data, found->reply.data, MIN(length, found->reply.length));
	return found->result;
}

static void replay_free(struct transport *transport)
{
	struct replay *replay = (struct replay *)transport;

	for (size_t i = 0; i < RECORDING_MAX; i++)
		recording_free(&replay->recordings[i]);
	free(replay);
}

int transport_replay_new(int dir_fd, struct transport **ret, struct error *error)
{
	struct replay *replay = calloc(1, sizeof(*replay));
	int r = 0;

	if (!replay)
		return error_no_memory(error);
	replay->transport = (struct transport){
		.exchange = replay_exchange,
		.ioctl = replay_ioctl,
		.free = replay_free,
	};
	for (size_t i = 0; i < RECORDING_MAX && dir_fd >= 0 && r == 0; i++)
		r = recording_read(&replay->recordings[i], (enum recording_kind)i, dir_fd, error);
	if (r < 0) {
		replay_free(&replay->transport);
		return r;
	}
	*ret = &replay->transport;
	return 0;
}
