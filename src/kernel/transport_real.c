/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The transport to the running kernel: one netlink socket a protocol and one socket for
 * SIOCETHTOOL, opened when first used, in the network namespace of that moment.
 */
#include "kernel/transport.h"

#include "util/macros.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* The kernel fills at most 32 KiB a datagram of a dump; single replies (an RSS table) may be
 * larger. */
#define RECEIVE_SIZE (128 * 1024)

struct real {
	struct transport transport;
	struct mnl_socket *route, *genl;
	int ioctl_fd;
	uint8_t *received; /* RECEIVE_SIZE */
};

static int socket_open(int protocol, struct mnl_socket **ret)
{
	static const int options[] = {NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK};
	struct mnl_socket *socket = mnl_socket_open2(protocol, SOCK_CLOEXEC);
	int on = 1, r;

	if (!socket)
		return -errno;
	if (mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) < 0) {
		r = -errno;
		mnl_socket_close(socket);
		return r;
	}
	/* Kernels without an option do not need it. */
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		mnl_socket_setsockopt(socket, options[i], &on, sizeof(on));
	*ret = socket;
	return 0;
}

/* 1 = the end of the exchange is among these messages, 0 = more to come, -errno. */
static int collect(
	const struct real *real, size_t length, uint32_t seq, unsigned portid, struct buffer *reply)
{
	const struct buffer datagram = {.data = real->received, .length = length};
	const struct nlmsghdr *message;
	size_t at = 0;
	int r;

	while ((message = buffer_next(&datagram, &at))) {
		/* Left over from an exchange that was broken off. */
		if (message->nlmsg_seq != seq || message->nlmsg_pid != portid)
			continue;
		r = buffer_append_message(reply, message);
		if (r < 0)
			return r;
		if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR)
			return 1;
	}
	return 0;
}

static int converse(struct real *real, struct mnl_socket *socket, const void *request,
	size_t length, struct buffer *reply)
{
	const struct nlmsghdr *header = request;
	ssize_t n;
	int r;

	do
		n = mnl_socket_sendto(socket, request, length);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	do {
		n = mnl_socket_recvfrom(socket, real->received, RECEIVE_SIZE);
		if (n < 0 && errno == EINTR) {
			r = 0;
			continue;
		}
		if (n < 0)
			return -errno;
		r = collect(
			real, (size_t)n, header->nlmsg_seq, mnl_socket_get_portid(socket), reply);
	} while (r == 0);
	return MIN(r, 0);
}

static int real_exchange(struct transport *transport, int protocol, const void *request,
	size_t length, struct buffer *reply)
{
	struct real *real = (struct real *)transport;
	struct mnl_socket **socket = protocol == NETLINK_ROUTE ? &real->route : &real->genl;
	int r;

	buffer_clear(reply);
	if (!*socket) {
		r = socket_open(protocol, socket);
		if (r < 0)
			return r;
	}
	r = converse(real, *socket, request, length, reply);
	if (r < 0) { /* a dump may still be under way on it: the next exchange takes a new one */
		mnl_socket_close(*socket);
		*socket = NULL;
	}
	return r;
}

static int real_ioctl(struct transport *transport, const char *ifname, void *data, size_t length)
{
	struct real *real = (struct real *)transport;
	struct ifreq request = {.ifr_data = data};
	int r;

	if (strlen(ifname) >= sizeof(request.ifr_name))
		return -ENODEV;
	memcpy(request.ifr_name, ifname, strlen(ifname) + 1);
	if (real->ioctl_fd < 0)
		real->ioctl_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (real->ioctl_fd < 0) /* a kernel or sandbox without IPv4 */
		real->ioctl_fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (real->ioctl_fd < 0)
		return -errno;
	r = ioctl(real->ioctl_fd, SIOCETHTOOL, &request);
	return r < 0 ? -errno : r;
}

static void real_free(struct transport *transport)
{
	struct real *real = (struct real *)transport;

	if (real->route)
		mnl_socket_close(real->route);
	if (real->genl)
		mnl_socket_close(real->genl);
	if (real->ioctl_fd >= 0)
		close(real->ioctl_fd);
	free(real->received);
	free(real);
}

int transport_real_new(struct transport **ret, struct error *error)
{
	struct real *real = calloc(1, sizeof(*real));

	if (real)
		real->received = malloc(RECEIVE_SIZE);
	if (!real || !real->received) {
		free(real);
		return error_no_memory(error);
	}
	real->transport = (struct transport){
		.exchange = real_exchange,
		.ioctl = real_ioctl,
		.free = real_free,
	};
	real->ioctl_fd = -1;
	*ret = &real->transport;
	return 0;
}
