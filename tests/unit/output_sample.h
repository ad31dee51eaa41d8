/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host with two ports and eight queues, and a plan for it, for the tests of what is printed.
 */
#ifndef NETTUNE_TESTS_OUTPUT_SAMPLE_H
#define NETTUNE_TESTS_OUTPUT_SAMPLE_H

#include "format/output.h"

#include <string.h>

#define ANY_KEY                                     \
	(const struct field[])                      \
	{                                           \
		{.name = "*", .flags = FIELD_OPEN}, \
		{                                   \
			0                           \
		}                                   \
	}

static const struct kind sample_sysctl = {
	.name = "sysctl", .phase = PHASE_HOST_LATE, .fields = ANY_KEY};
static const struct kind sample_channels = {
	.name = "channels", .phase = PHASE_CHANNELS, .fields = ANY_KEY};
static const struct kind sample_mtu = {.name = "mtu", .phase = PHASE_MTU, .fields = ANY_KEY};
static const struct kind sample_rings = {.name = "rings", .phase = PHASE_RINGS, .fields = ANY_KEY};
static const struct kind sample_offloads = {
	.name = "offloads", .phase = PHASE_OFFLOADS, .fields = ANY_KEY};
static const struct kind sample_coalesce = {
	.name = "coalesce", .phase = PHASE_COALESCE, .fields = ANY_KEY};
static const struct kind sample_irq = {
	.name = "irq-affinity", .phase = PHASE_IRQ, .fields = ANY_KEY};
static const struct kind sample_rps = {.name = "rps", .phase = PHASE_RPS, .fields = ANY_KEY};
static const struct kind sample_xps = {.name = "xps", .phase = PHASE_XPS, .fields = ANY_KEY};

static struct link sample_eth0 = {
	.ifindex = 2, .name = "eth0", .type = "physical", .driver = "igb", .node = 0};
static struct link sample_eth1 = {
	.ifindex = 3, .name = "eth1", .type = "physical", .driver = "igb", .node = 0};

static const struct host sample_host = {
	.name = "lab1",
	.kernel = "6.12.48",
	.boot_id = "0b1dfd9f-8a26-4b52-9a64-7f0a3a3d9c11",
};

static const struct journal_profile sample_profile = {
	.name = "dc-10ge",
	.path = "/usr/share/nettune/profiles/dc-10ge.yaml",
	.sha256 = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
	.version = 1,
};

static const struct report sample_report = {
	.time = "2026-08-30T03:14:15Z",
	.host = &sample_host,
	.version = "0.1.0",
	.profiles = &sample_profile,
	.nprofiles = 1,
};

static struct address sample_at(const struct kind *kind, const struct link *link, enum part part,
	unsigned index, const char *key)
{
	return (struct address){
		.kind = kind,
		.target = {.link = link, .part = part, .index = (uint16_t)index},
		.key = key,
	};
}

/* Numbers are numbers, "on" and "off" are switches, "=0-3" is a set; NULL: none. */
static struct value sample_value(struct arena *arena, const char *text)
{
	if (!text)
		return value_none();
	if (*text == '=')
		return value_of_text(arena, VALUE_RANGES, text + 1);
	if (strcmp(text, "on") == 0 || strcmp(text, "off") == 0)
		return value_bool(text[1] == 'n');
	return value_words(arena, text);
}

static void sample_step(struct plan *plan, size_t first)
{
	if (first == plan->n || arena_grow(plan->arena, &plan->steps, &plan->steps_cap,
					plan->nsteps, sizeof(*plan->steps)) < 0)
		return;
	plan->steps[plan->nsteps++] = (struct step){
		.first = (uint32_t)first, .n = (uint32_t)(plan->n - first)};
}

static struct change *sample_change(
	struct plan *plan, struct address at, const char *before, const char *wanted)
{
	struct change *change;

	if (arena_grow(plan->arena, &plan->v, &plan->cap, plan->n, sizeof(*plan->v)) < 0)
		return NULL;
	change = &plan->v[plan->n++];
	*change = (struct change){
		.at = at,
		.before = sample_value(plan->arena, before),
		.wanted = sample_value(plan->arena, wanted),
		.after = sample_value(plan->arena, wanted),
		.origin = ORIGIN_PROFILE,
	};
	return change;
}

static void sample_sysctl_change(
	struct plan *plan, const char *key, const char *before, const char *wanted)
{
	size_t first = plan->n;

	sample_change(plan, sample_at(&sample_sysctl, NULL, PART_WHOLE, 0, key), before, wanted);
	sample_step(plan, first);
}

static void sample_link_device(struct plan *plan, const struct link *link)
{
	static const struct {
		const struct kind *kind;
		const char *key, *before, *wanted;
		enum interrupts interrupts;
		bool step; /* the first of a step */
	} rows[] = {
		{&sample_channels, "combined", "4", "8", INTERRUPTS_LINK, true},
		{&sample_mtu, "mtu", "1500", "9000", INTERRUPTS_LINK, true},
		{&sample_rings, "rx", "256", "4096", INTERRUPTS_LINK, true},
		{&sample_rings, "tx", "256", "1001", INTERRUPTS_LINK, false},
		{&sample_offloads, "tx-tcp-segmentation", "off", "on", INTERRUPTS_NONE, true},
		{&sample_offloads, "tx-tcp6-segmentation", "off", "on", INTERRUPTS_NONE, false},
		{&sample_coalesce, "rx-usecs", "3", "50", INTERRUPTS_NONE, true},
	};
	size_t first = plan->n;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct change *change;

		if (rows[i].step) {
			sample_step(plan, first);
			first = plan->n;
		}
		change = sample_change(plan,
			sample_at(rows[i].kind, link, PART_WHOLE, 0, rows[i].key), rows[i].before,
			rows[i].wanted);
		change->interrupts = rows[i].interrupts;
		if (strcmp(rows[i].wanted, "1001") == 0)
			change->after = value_number(plan->arena, 1008);
	}
	sample_step(plan, first);
}

static void sample_link_queues(struct plan *plan, const struct link *link)
{
	struct arena *arena = plan->arena;
	size_t first = plan->n;

	for (unsigned i = 0; i < 8; i++)
		sample_change(plan, sample_at(&sample_irq, link, PART_RXTX, i, "cpus"),
			i < 4 ? "=0-15" : NULL, arena_printf(arena, "=%u", i));
	sample_step(plan, first);
	first = plan->n;
	for (unsigned i = 0; i < 4; i++) {
		struct change *change = sample_change(
			plan, sample_at(&sample_xps, link, PART_TX, i, "cpus"), "=0-3", "=0-3");

		change->origin = ORIGIN_CARRIED;
		change->cause = arena_printf(arena, "%s/channels.combined", link->name);
	}
	sample_step(plan, first);
	first = plan->n;
	for (unsigned i = 0; i < 8; i++) {
		sample_change(plan, sample_at(&sample_rps, link, PART_RX, i, "cpus"),
			i < 4 ? "=0-3" : NULL, "=");
		sample_change(plan, sample_at(&sample_rps, link, PART_RX, i, "flows"),
			i < 4 ? "0" : NULL, "4096");
	}
	sample_step(plan, first);
}

static void sample_rest(struct plan *plan)
{
	struct arena *arena = plan->arena;
	const struct link *const links[] = {&sample_eth0, &sample_eth1};

	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		const struct link *link = links[i];

		for (unsigned j = 4; j < 8; j++) {
			struct setting fresh = {
				.at = sample_at(&sample_xps, link, PART_TX, j, "cpus")};

			settings_add(&plan->fresh, &fresh);
		}
		settings_add(&plan->lost,
			&(struct setting){.at = sample_at(&sample_irq, link, PART_RX, 0, "cpus"),
				.value = sample_value(arena, "=0-15")});
		settings_add(&plan->unchanged,
			&(struct setting){
				.at = sample_at(&sample_offloads, link, PART_WHOLE, 0, "rx-gro"),
				.value = value_bool(true)});
		skips_add(&plan->skipped, &(struct skip){.at = sample_at(&sample_rings, link,
								 PART_WHOLE, 0, "rx-jumbo"),
						  .wanted = "max",
						  .verdict = VERDICT_UNSUPPORTED,
						  .reason = "igb has no such ring"});
	}
	skips_add(&plan->skipped,
		&(struct skip){.at = sample_at(&sample_sysctl, NULL, PART_WHOLE, 0,
				       "net.netfilter.nf_conntrack_max"),
			.wanted = "262144",
			.verdict = VERDICT_UNSUPPORTED,
			.reason = "no such key on this kernel; the module nf_conntrack is not "
				  "loaded"});
}

static void sample_plan(struct plan *plan, struct arena *arena)
{
	const struct link *const links[] = {&sample_eth0, &sample_eth1};

	plan_init(plan, arena);
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		sample_link_device(plan, links[i]);
		sample_link_queues(plan, links[i]);
		sample_change(plan,
			sample_at(&sample_sysctl, links[i], PART_WHOLE, 0,
				"net.ipv4.conf.{interface}.rp_filter"),
			"1", "2");
		sample_step(plan, plan->n - 1);
	}
	sample_sysctl_change(plan, "net.core.netdev_max_backlog", "1000", "250000");
	sample_sysctl_change(plan, "net.core.rmem_max", "212992", "134217728");
	sample_sysctl_change(
		plan, "net.ipv4.tcp_rmem", "4096 131072 6291456", "4096 262144 134217728");
	sample_sysctl_change(plan, "net.ipv4.tcp_congestion_control", "cubic", "bbr");
	sample_rest(plan);
}

#endif
