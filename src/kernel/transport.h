/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam below the encoders: one request, all its reply messages; one ethtool ioctl. Real,
 * replay (--root), record and fault implement it, so that tests see real bytes.
 */
#ifndef NETTUNE_KERNEL_TRANSPORT_H
#define NETTUNE_KERNEL_TRANSPORT_H

#include "util/arena.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nlmsghdr;

struct buffer {
	uint8_t *data;
	size_t length, size;
};
int buffer_append(struct buffer *buffer, const void *data, size_t length); /* 0 or -ENOMEM */
/* A netlink message, padded so that the next one is aligned. */
int buffer_append_message(struct buffer *buffer, const struct nlmsghdr *message);
/* The whole message at *at, which is moved behind it; NULL at the end. Start with *at = 0. */
const struct nlmsghdr *buffer_next(const struct buffer *buffer, size_t *at);
void buffer_clear(struct buffer *buffer); /* keeps the memory */
void buffer_free(struct buffer *buffer);

struct transport {
	/* Sends one netlink message on `protocol` (NETLINK_ROUTE, NETLINK_GENERIC), collects until its
	 * ACK, error or NLMSG_DONE, all of them included, into reply. 0; -errno only if the socket
	 * fails (an error of the kernel is a message of the reply). */
	int (*exchange)(struct transport *transport, int protocol, const void *request,
		size_t length, struct buffer *reply);
	/* SIOCETHTOOL on ifname; data is in and out. The ioctl's return value, or -errno. */
	int (*ioctl)(struct transport *transport, const char *ifname, void *data, size_t length);
	/* A file is about to be written; -errno to refuse it, 1 to pretend success. NULL = go on. */
	int (*file_write)(struct transport *transport, const char *path, const char *text);
	void (*free)(struct transport *transport);
};

int transport_real_new(struct transport **ret, struct error *error);
/*
 * The files route, genl and ioctl in a directory, made by record or by hand. Text: "> HEX" a
 * request (sequence number and port id zeroed; ioctl: "> IFNAME HEX"), then its replies, one
 * message a line "< HEX" (ioctl: "< RETURN HEX"); "#" starts a comment line. A request that stands
 * there several times gets its answers in that order, the last one for ever. What is not there gets
 * -EOPNOTSUPP as an error message of the kernel (where the whole file is missing, dumps are
 * empty). Everything that would write is refused with -EROFS. dir_fd -1: no files at all; it stays
 * the caller's.
 */
int transport_replay_new(int dir_fd, struct transport **ret, struct error *error);
/* Passes on to `inner` (which it then owns) and appends to the files in dir. */
int transport_record_new(
	const char *dir, struct transport *inner, struct transport **ret, struct error *error);
/*
 * For tests: "N:ERRNO[:once|on]" fails the N-th writing operation (SET messages, writing ioctls,
 * file writes count from 1; "on": and all later ones), "N:ignored" says yes and does nothing,
 * "N:kill" and "N:stop" raise SIGKILL or SIGSTOP before it. Several with commas between them. Owns inner. -EOPNOTSUPP in
 * builds without faults.
 */
int transport_fault_new(
	const char *plan, struct transport *inner, struct transport **ret, struct error *error);

/* Shared by the implementations: does this change the kernel; an ACK or error message of it. */
bool netlink_is_write(int protocol, const void *request, size_t length);
bool ioctl_is_write(const void *data, size_t length);
int buffer_append_error(struct buffer *buffer, const struct nlmsghdr *request, int err);

#endif
