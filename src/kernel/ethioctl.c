/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ethtool by SIOCETHTOOL (include/uapi/linux/ethtool.h): for kernels before 5.6, and for what
 * netlink does not have: driver information, coalescing of one queue, setting RSS.
 */
#include "kernel/ethtool.h"

#include "util/log.h"
#include "util/macros.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NAME(command)             \
	{                         \
		command, #command \
	}

static const struct {
	uint32_t command;
	const char *name;
} command_names[] = {NAME(ETHTOOL_GCHANNELS), NAME(ETHTOOL_SCHANNELS), NAME(ETHTOOL_GCOALESCE),
	NAME(ETHTOOL_SCOALESCE), NAME(ETHTOOL_GDRVINFO), NAME(ETHTOOL_GFEATURES),
	NAME(ETHTOOL_SFEATURES), NAME(ETHTOOL_GLINKSETTINGS), NAME(ETHTOOL_GPAUSEPARAM),
	NAME(ETHTOOL_GPFLAGS), NAME(ETHTOOL_SPFLAGS), NAME(ETHTOOL_SPAUSEPARAM),
	NAME(ETHTOOL_GRINGPARAM), NAME(ETHTOOL_SRINGPARAM), NAME(ETHTOOL_GRSSH),
	NAME(ETHTOOL_SRSSH), NAME(ETHTOOL_GRXFHINDIR), NAME(ETHTOOL_SRXFHINDIR),
	NAME(ETHTOOL_GRXRINGS), NAME(ETHTOOL_GSSET_INFO), NAME(ETHTOOL_GSTRINGS),
	NAME(ETHTOOL_PERQUEUE)};

static void print_name(char *ret, size_t size, uint32_t command)
{
	for (size_t i = 0; i < ARRAY_SIZE(command_names); i++) {
		if (command_names[i].command == command) {
			snprintf(ret, size, "%s", command_names[i].name);
			return;
		}
	}
	snprintf(ret, size, "ethtool command %#x", command);
}

int ethtool_ioctl(struct kernel *kernel, const struct link *link, void *data, size_t length,
	struct error *error)
{
	char name[40];
	uint32_t command;
	int r;

	memcpy(&command, data, sizeof(command));
	print_name(name, sizeof(name), command);
	r = kernel->transport->ioctl(kernel->transport, link->name, data, length);
	log_debug("%s %s: %d", name, link->name, r);
	if (r < 0)
		return error_set(error, kernel_error_kind(-r), -r, "%s %s: %s", name, link->name,
			strerror(-r));
	return r;
}

int ethtool_driver_info(struct kernel *kernel, const struct link *link, const char **ret_driver,
	const char **ret_bus)
{
	struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};
	int r = ethtool_ioctl(kernel, link, &info, sizeof(info), NULL);

	if (r < 0)
		info = (struct ethtool_drvinfo){0};
	*ret_driver = arena_strndup(
		kernel->arena, info.driver, strnlen(info.driver, sizeof(info.driver)));
	*ret_bus = arena_strndup(
		kernel->arena, info.bus_info, strnlen(info.bus_info, sizeof(info.bus_info)));
	return MIN(r, 0);
}

/* One queue of ETHTOOL_PERQUEUE: the header is followed by the structure of each queue asked for. */
struct queue_coalesce {
	uint32_t cmd, sub_command;
	uint32_t queue_mask[(MAX_NUM_QUEUE + 31) / 32];
	struct ethtool_coalesce coalesce;
};
_Static_assert(
	offsetof(struct queue_coalesce, coalesce) == offsetof(struct ethtool_per_queue_op, data),
	"ETHTOOL_PERQUEUE layout");

static int queue_ioctl(struct kernel *kernel, const struct link *link, unsigned queue,
	struct queue_coalesce *request, struct error *error)
{
	int r;

	if (queue >= MAX_NUM_QUEUE)
		return error_set(error, ERROR_FAILED, ERANGE,
			"%s: coalescing of queue %u: the kernel takes %d queues at most",
			link->name, queue, MAX_NUM_QUEUE);
	request->cmd = ETHTOOL_PERQUEUE;
	request->coalesce.cmd = request->sub_command;
	request->queue_mask[queue / 32] = 1U << (queue % 32);
	r = ethtool_ioctl(kernel, link, request, sizeof(*request), error);
	if (r < 0 && error)
		error_prefix(error, "queue %u", queue);
	return MIN(r, 0);
}

int ethtool_coalesce_get_queue(struct kernel *kernel, const struct link *link, unsigned queue,
	struct ethtool_coalesce *ret, struct error *error)
{
	struct queue_coalesce request = {.sub_command = ETHTOOL_GCOALESCE};
	int r = queue_ioctl(kernel, link, queue, &request, error);

	if (r == 0)
		*ret = request.coalesce;
	return r;
}

int ethtool_coalesce_set_queue(struct kernel *kernel, const struct link *link, unsigned queue,
	const struct ethtool_coalesce *coalesce, struct error *error)
{
	struct queue_coalesce request = {
		.sub_command = ETHTOOL_SCOALESCE,
		.coalesce = *coalesce,
	};

	return queue_ioctl(kernel, link, queue, &request, error);
}
