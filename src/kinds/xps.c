/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transmit packet steering: queues/tx-N/xps_cpus and xps_rxqs in sysfs
 * (Documentation/networking/scaling.rst). Not a word of profiles: observed and put back, since
 * drivers rewrite these maps when the channels change. Devices with one queue have none.
 */
#include "kinds/queues.h"
#include "kinds/registry.h"

#include <errno.h>
#include <string.h>

static const struct field fields[] = {
	{
		.name = "cpus",
		.doc = "CPUs that send through a transmit queue",
		.type = VALUE_RANGES,
		.flags = FIELD_NO_PROFILE,
	},
	{
		.name = "rxqs",
		.doc = "Receive queues whose flows are answered through a transmit queue",
		.type = VALUE_RANGES,
		.flags = FIELD_NO_PROFILE,
	},
	{},
};

static const struct queue_file files[] = {
	{.key = "cpus", .name = "xps_cpus", .type = VALUE_RANGES},
	{.key = "rxqs", .name = "xps_rxqs", .type = VALUE_RANGES},
	{},
};

/* Only offline CPUs are dropped: isolation does not count for sending. */
static struct value predict(const struct host *host, const struct setting *setting,
	const struct state *model, struct arena *arena)
{
	struct cpuset set;

	if (strcmp(setting->at.key, "cpus") != 0 || value_cpuset(&setting->value, &set) < 0)
		return setting->value;
	cpuset_and(&set, &host->online);
	return value_ranges(arena, &set);
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	int r = queues_observe(kernel, &kind_xps, PART_TX, files, scope, ret);

	if (r < 0)
		return error_set(error, ERROR_FAILED, -r, "%s: its queues: %s", scope->link->name,
			strerror(-r));
	return 0;
}

static int write_step(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	return queues_write(kernel, files, v, n, error);
}

const struct kind kind_xps = {
	.name = "xps",
	.doc = "Transmit packet steering: CPUs and receive queues of each transmit queue",
	.phase = PHASE_XPS,
	.fields = fields,
	.predict = predict,
	.judge = cpus_judge,
	.observe = observe,
	.write = write_step,
};
