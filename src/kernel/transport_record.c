/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transport that passes everything on and writes down requests and replies in the text form
 * that transport_replay.c reads.
 */
#include "kernel/transport.h"

#include "util/macros.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct record {
	struct transport transport;
	struct transport *inner;
	FILE *route, *genl, *ioctl;
};

static void print_hex(FILE *file, const void *data, size_t length)
{
	const uint8_t *byte = data;

	for (size_t i = 0; i < length; i++)
		fprintf(file, "%02x", byte[i]);
	fputc('\n', file);
}

/* Sequence number and port id tell nothing, and differ from run to run. */
static void print_message(FILE *file, char mark, const struct nlmsghdr *message)
{
	struct nlmsghdr header = *message;

	header.nlmsg_seq = 0;
	header.nlmsg_pid = 0;
	fprintf(file, "%c ", mark);
	for (size_t i = 0; i < sizeof(header); i++)
		fprintf(file, "%02x", ((const uint8_t *)&header)[i]);
	print_hex(file, message + 1, message->nlmsg_len - sizeof(header));
}

static int record_exchange(struct transport *transport, int protocol, const void *request,
	size_t length, struct buffer *reply)
{
	struct record *record = (struct record *)transport;
	FILE *file = protocol == NETLINK_ROUTE ? record->route : record->genl;
	int r = record->inner->exchange(record->inner, protocol, request, length, reply);
	const struct nlmsghdr *message;
	size_t at = 0;

	if (r < 0)
		return r;
	print_message(file, '>', request);
	while ((message = buffer_next(reply, &at)))
		print_message(file, '<', message);
	fflush(file);
	return r;
}

static int record_ioctl(struct transport *transport, const char *ifname, void *data, size_t length)
{
	struct record *record = (struct record *)transport;
	int r;

	fprintf(record->ioctl, "> %s ", ifname);
	print_hex(record->ioctl, data, length);
	r = record->inner->ioctl(record->inner, ifname, data, length);
	fprintf(record->ioctl, "< %d ", r);
	print_hex(record->ioctl, data, length);
	fflush(record->ioctl);
	return r;
}

static int record_file_write(struct transport *transport, const char *path, const char *text)
{
	struct record *record = (struct record *)transport;

	return record->inner->file_write ? record->inner->file_write(record->inner, path, text) : 0;
}

static void record_free(struct transport *transport)
{
	struct record *record = (struct record *)transport;

	record->inner->free(record->inner);
	if (record->route)
		fclose(record->route);
	if (record->genl)
		fclose(record->genl);
	if (record->ioctl)
		fclose(record->ioctl);
	free(record);
}

static FILE *open_append(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "a");

	if (!file && fd >= 0)
		close(fd);
	return file;
}

int transport_record_new(
	const char *dir, struct transport *inner, struct transport **ret, struct error *error)
{
	struct record *record = calloc(1, sizeof(*record));
	int dir_fd CLEANUP_CLOSE = -1;
	int err;

	if (!record) {
		inner->free(inner);
		return error_no_memory(error);
	}
	record->inner = inner;
	record->transport = (struct transport){
		.exchange = record_exchange,
		.ioctl = record_ioctl,
		.file_write = record_file_write,
		.free = record_free,
	};
	if (mkdir(dir, 0755) == 0 || errno == EEXIST)
		dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd >= 0) {
		record->route = open_append(dir_fd, "route");
		record->genl = open_append(dir_fd, "genl");
		record->ioctl = open_append(dir_fd, "ioctl");
	}
	if (!record->route || !record->genl || !record->ioctl) {
		err = errno;
		record_free(&record->transport);
		return error_set(error, ERROR_FAILED, err, "%s: can't write recordings: %s", dir,
			strerror(err));
	}
	*ret = &record->transport;
	return 0;
}
