/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receive packet steering and flow counts of each receive queue: queues/rx-N/rps_cpus and
 * rps_flow_cnt in sysfs (Documentation/networking/scaling.rst). The kernel drops offline and
 * isolated CPUs, and rounds flow counts up to powers of two.
 */
#include "kinds/expansion.h"
#include "kinds/queues.h"
#include "kinds/registry.h"

#include <errno.h>
#include <string.h>

static const char *const cpu_words[] = {"none", "all", "local", NULL};

static const struct field fields[] = {
	{
		.name = "cpus",
		.doc = "CPUs that process what a receive queue gets: a list, a 0x mask, none, "
		       "all or local (those of the NUMA node of the device)",
		.words = cpu_words,
		.type = VALUE_RANGES,
		.flags = FIELD_SCALAR,
	},
	{
		.name = "flows",
		.doc = "Entries of each receive queue's flow table (RFS); 0 switches it off",
		.type = VALUE_NUMBER,
	},
	{
		.name = "queues",
		.doc = "CPUs of single receive queues, as {0: \"2\", \"1-3\": \"4-7\"}",
		.of = "cpus",
		.words = cpu_words,
		.type = VALUE_RANGES,
		.flags = FIELD_PROFILE_ONLY | FIELD_QUEUE_MAP,
	},
	{},
};

static const struct queue_file files[] = {
	{.key = "cpus", .name = "rps_cpus", .type = VALUE_RANGES},
	{.key = "flows", .name = "rps_flow_cnt", .type = VALUE_NUMBER},
	{},
};

/* What the kernel keeps of a set. */
static void drop_unusable(const struct host *host, struct cpuset *set)
{
	struct cpuset usable;

	cpus_usable(host, &usable);
	cpuset_and(set, &usable);
}

static int cpus_value(const struct expansion *expansion, const struct field *field,
	struct value *ret, struct error *error)
{
	struct cpuset set, kept;
	int r = cpus_wish(expansion, field, &set, error);

	if (r < 0)
		return r;
	kept = set;
	drop_unusable(expansion->host, &kept);
	if (!cpuset_is_empty(&set) && cpuset_is_empty(&kept))
		return queues_refuse(expansion, error, "all of these CPUs are offline or isolated");
	*ret = value_ranges(expansion->arena, &set);
	return 0;
}

static bool has_queues(const struct expansion *expansion)
{
	size_t first;

	return state_range(expansion->model, expansion->wish->kind, expansion->link, &first) > 0;
}

static int expand(const struct expansion *expansion, struct error *error)
{
	const struct field *field = queues_field(expansion);
	struct address at = expansion_address(expansion, field->name);
	struct value value;
	int r;

	if (field->type == VALUE_RANGES)
		r = cpus_value(expansion, field, &value, error);
	else
		r = wish_value(expansion, field, NULL, &value, error);
	if (r < 0)
		return r;
	if (!expansion->link->up)
		return expansion_skip(expansion, &at, VERDICT_DEFERRED,
			"interface is down: its queues are set up when it comes up");
	if (!has_queues(expansion))
		return expansion_skip(expansion, &at, VERDICT_UNSUPPORTED,
			"%s has no receive queues that can be set", expansion->link->name);
	return queues_add(expansion, field->name, &value, 1, error);
}

static struct value predict(const struct host *host, const struct setting *setting,
	const struct state *model, struct arena *arena)
{
	static const struct rounding flows = {.how = ROUND_UP_POWER};
	struct cpuset set;

	if (setting->value.type == VALUE_NUMBER)
		return value_number(arena, driver_round(&flows, setting->value.number, 0));
	if (value_cpuset(&setting->value, &set) < 0)
		return setting->value;
	drop_unusable(host, &set);
	return value_ranges(arena, &set);
}

/* The kernel's rules are known: a power of two above, a set without CPUs that can't be used. */
static enum verdict judge(const struct change *change, const struct observed *live)
{
	if (change->wanted.type == VALUE_NUMBER && value_equal(&live->value, &change->after))
		return VERDICT_ROUNDED;
	return cpus_judge(change, live);
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	int r = queues_observe(kernel, &kind_rps, PART_RX, files, scope, ret);

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

const struct kind kind_rps = {
	.name = "rps",
	.doc = "Receive packet steering: CPUs and flow table of each receive queue",
	.phase = PHASE_RPS,
	.fields = fields,
	.expand = expand,
	.predict = predict,
	.judge = judge,
	.observe = observe,
	.write = write_step,
};
