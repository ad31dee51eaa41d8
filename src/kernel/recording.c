/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the text form of recorded exchanges, which transport.h describes.
 */
#include "kernel/recording.h"

#include "util/macros.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>

static const char *const file_names[RECORDING_MAX] = {
	[RECORDING_ROUTE] = "route",
	[RECORDING_GENL] = "genl",
	[RECORDING_IOCTL] = "ioctl",
};

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c | 0x20) : NULL;

	return at ? (int)(at - digits) : -EINVAL;
}

/* Appends the bytes; blanks between them are allowed, for those who write recordings by hand. */
static int append_hex(struct buffer *buffer, const char *text)
{
	while (*text) {
		int high, low;
		uint8_t byte;

		if (*text == ' ' || *text == '\n' || *text == '\r') {
			text++;
			continue;
		}
		high = hex_digit(text[0]);
		low = high < 0 ? high : hex_digit(text[1]);
		if (low < 0)
			return -EINVAL;
		byte = (uint8_t)(high << 4 | low);
		if (buffer_append(buffer, &byte, 1) < 0)
			return -ENOMEM;
		text += 2;
	}
	return 0;
}

static int read_request(
	enum recording_kind kind, const char *text, struct exchange ***tail, struct exchange **ret)
{
	struct exchange *exchange = calloc(1, sizeof(*exchange));
	int skip = 0;

	if (!exchange)
		return -ENOMEM;
	*ret = **tail = exchange;
	*tail = &exchange->next;
	if (kind == RECORDING_IOCTL && sscanf(text, " %31s%n", exchange->ifname, &skip) != 1)
		return -EINVAL;
	return append_hex(&exchange->request, text + skip);
}

static int read_reply(enum recording_kind kind, const char *text, struct exchange *exchange)
{
	size_t start = exchange->reply.length;
	const struct nlmsghdr *message;
	int skip = 0, r;

	if (kind == RECORDING_IOCTL && sscanf(text, " %d%n", &exchange->result, &skip) != 1)
		return -EINVAL;
	r = append_hex(&exchange->reply, text + skip);
	if (r < 0 || kind == RECORDING_IOCTL)
		return r;
	/* Messages are walked by their lengths: a line whose length lies would hide the next. */
	if (exchange->reply.length - start < sizeof(*message))
		return -EINVAL;
	message = (const void *)(exchange->reply.data + start);
	return NLMSG_ALIGN(message->nlmsg_len) == exchange->reply.length - start ? 0 : -EINVAL;
}

static int read_lines(
	struct recording *recording, enum recording_kind kind, FILE *file, unsigned *ret_line)
{
	struct exchange **tail = &recording->first, *current = NULL;
	char *line CLEANUP_FREE = NULL;
	size_t size = 0;
	int r = 0;

	while (r == 0 && getline(&line, &size, file) >= 0) {
		++*ret_line;
		if (line[0] == '>')
			r = read_request(kind, line + 1, &tail, &current);
		else if (line[0] == '<' && current)
			r = read_reply(kind, line + 1, current);
		else if (line[0] != '#' && line[0] != '\n')
			r = -EINVAL;
	}
	return r;
}

int recording_read(
	struct recording *recording, enum recording_kind kind, int dir_fd, struct error *error)
{
	const char *name = file_names[kind];
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC), r;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	unsigned line = 0;

	if (!file && errno == ENOENT)
		return 0;
	if (!file)
		return error_set(error, ERROR_DATA, errno, "netlink/%s: %s", name, strerror(errno));
	recording->present = true;
	r = read_lines(recording, kind, file, &line);
	fclose(file);
	if (r < 0)
		return error_set(error, ERROR_DATA, -r, "netlink/%s:%u: not a recording: %s", name,
			line, strerror(-r));
	return 0;
}

void recording_free(struct recording *recording)
{
	struct exchange *next;

	for (struct exchange *e = recording->first; e; e = next) {
		next = e->next;
		buffer_free(&e->request);
		buffer_free(&e->reply);
		free(e);
	}
	*recording = (struct recording){0};
}
