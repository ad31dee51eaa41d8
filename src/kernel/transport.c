/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the transports share: the reply buffer, error messages in the kernel's form
 * (Documentation/userspace-api/netlink/intro.rst), and which requests write.
 */
#include "kernel/transport.h"

#include "util/macros.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>

enum {
	MSG_RSS_GET = 38 /* ETHTOOL_MSG_RSS_GET, Linux 6.2 */
};

int buffer_append(struct buffer *buffer, const void *data, size_t length)
{
	if (length > buffer->size - buffer->length) {
		size_t size = MAX(buffer->length + length, 2 * buffer->size);
		uint8_t *bigger = realloc(buffer->data, MAX(size, 4096));

		if (!bigger)
			return -ENOMEM;
		buffer->data = bigger;
		buffer->size = MAX(size, 4096);
	}
	if (length > 0)
		memcpy(buffer->data + buffer->length, data, length);
	buffer->length += length;
	return 0;
}

int buffer_append_message(struct buffer *buffer, const struct nlmsghdr *message)
{
	static const uint8_t zero[NLMSG_ALIGNTO];
	int r;

	r = buffer_append(buffer, message, message->nlmsg_len);
	if (r < 0)
		return r;
	return buffer_append(buffer, zero, NLMSG_ALIGN(message->nlmsg_len) - message->nlmsg_len);
}

const struct nlmsghdr *buffer_next(const struct buffer *buffer, size_t *at)
{
	size_t left = buffer->length - MIN(*at, buffer->length);
	const struct nlmsghdr *message;

	if (left < sizeof(*message))
		return NULL;
	message = (const void *)(buffer->data + *at);
	if (message->nlmsg_len < sizeof(*message) || message->nlmsg_len > left)
		return NULL;
	*at += NLMSG_ALIGN((size_t)message->nlmsg_len);
	return message;
}

void buffer_clear(struct buffer *buffer)
{
	buffer->length = 0;
}

void buffer_free(struct buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct buffer){0};
}

int buffer_append_error(struct buffer *buffer, const struct nlmsghdr *request, int err)
{
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
	} message = {
		.header =
			{
				.nlmsg_len = sizeof(message),
				.nlmsg_type = NLMSG_ERROR,
				.nlmsg_flags = NLM_F_CAPPED,
				.nlmsg_seq = request->nlmsg_seq,
			},
		.error = {.error = err, .msg = *request},
	};

	return buffer_append(buffer, &message, sizeof(message));
}

/* Whatever is not known to be a reading command counts as a write. */
static bool ethtool_command_is_write(uint8_t command)
{
	switch (command) {
	case ETHTOOL_MSG_STRSET_GET:
	case ETHTOOL_MSG_LINKINFO_GET:
	case ETHTOOL_MSG_LINKMODES_GET:
	case ETHTOOL_MSG_LINKSTATE_GET:
	case ETHTOOL_MSG_FEATURES_GET:
	case ETHTOOL_MSG_PRIVFLAGS_GET:
	case ETHTOOL_MSG_RINGS_GET:
	case ETHTOOL_MSG_CHANNELS_GET:
	case ETHTOOL_MSG_COALESCE_GET:
	case ETHTOOL_MSG_PAUSE_GET:
	case MSG_RSS_GET:
		return false;
	default:
		return true;
	}
}

bool netlink_is_write(int protocol, const void *request, size_t length)
{
	const struct nlmsghdr *header = request;
	const struct genlmsghdr *genl;

	if (length < NLMSG_HDRLEN)
		return false;
	if (protocol == NETLINK_ROUTE) /* four messages an object: NEW, DEL, GET, SET */
		return (header->nlmsg_type & 3) != (RTM_GETLINK & 3);
	if (header->nlmsg_type == GENL_ID_CTRL || length < NLMSG_HDRLEN + GENL_HDRLEN)
		return false;
	genl = NLMSG_DATA(header);
	return ethtool_command_is_write(genl->cmd);
}

static bool ioctl_command_is_write(uint32_t command)
{
	static const uint32_t reading[] = {ETHTOOL_GCHANNELS, ETHTOOL_GCOALESCE, ETHTOOL_GDRVINFO,
		ETHTOOL_GFEATURES, ETHTOOL_GLINK, ETHTOOL_GLINKSETTINGS, ETHTOOL_GPAUSEPARAM,
		ETHTOOL_GPFLAGS, ETHTOOL_GRINGPARAM, ETHTOOL_GRSSH, ETHTOOL_GRXFHINDIR,
		ETHTOOL_GRXRINGS, ETHTOOL_GSSET_INFO, ETHTOOL_GSTRINGS};

	for (size_t i = 0; i < ARRAY_SIZE(reading); i++)
		if (command == reading[i])
			return false;
	return true;
}

bool ioctl_is_write(const void *data, size_t length)
{
	uint32_t command[2] = {0};

	memcpy(command, data, MIN(length, sizeof(command)));
	return ioctl_command_is_write(command[0] == ETHTOOL_PERQUEUE ? command[1] : command[0]);
}
