/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One report of each command with the sample plan, for the tests of what is printed.
 */
#ifndef NETTUNE_TESTS_OUTPUT_REPORTS_H
#define NETTUNE_TESTS_OUTPUT_REPORTS_H

#include "output_sample.h"

#include <errno.h>

#define SAMPLE_ID "20260830T031415Z-7f3a"

static int sample_output_plan(const struct output *output)
{
	struct plan plan;

	sample_plan(&plan, output->arena);
	return output_plan(output, &sample_report, &plan, "nettune apply dc-10ge");
}

static int sample_output_plan_empty(const struct output *output)
{
	struct plan plan;

	sample_plan(&plan, output->arena);
	plan.n = plan.nsteps = plan.fresh.n = plan.lost.n = plan.skipped.n = 0;
	return output_plan(output, &sample_report, &plan, NULL);
}

/* One is exactly as wished, one as the driver makes it. */
static int sample_output_plan_adjusted(const struct output *output)
{
	struct plan plan;

	plan_init(&plan, output->arena);
	settings_add(&plan.unchanged,
		&(struct setting){.at = sample_at(&sample_rings, &sample_eth0, PART_WHOLE, 0, "rx"),
			.value = sample_value(output->arena, "512")});
	settings_add(&plan.unchanged,
		&(struct setting){.at = sample_at(&sample_rings, &sample_eth0, PART_WHOLE, 0, "tx"),
			.value = sample_value(output->arena, "1001"),
			.got = sample_value(output->arena, "1008"),
			.verdict = VERDICT_ROUNDED});
	return output_plan(output, &sample_report, &plan, NULL);
}

/* Names and values as somebody may have made them to fool whoever reads the plan. */
static int sample_output_plan_hostile(const struct output *output)
{
	static struct link link = {.ifindex = 9, .name = "e\x1b[2J\xff\xe2\x80\xae\\0"};
	static const struct wish wish = {.why = "because\r\x1b]0;x\x07"};
	struct report report = sample_report;
	struct diags diags = {.arena = output->arena};
	struct plan plan;
	struct diag *diag;

	plan_init(&plan, output->arena);
	sample_change(&plan, sample_at(&sample_rings, &link, PART_WHOLE, 0, "rx\n"), "a\x9b", "b")
		->wish = &wish;
	sample_step(&plan, 0);
	diag = diags_add(&diags, SEVERITY_WARNING, ERROR_FAILED, "hostile", (struct pos){0},
		"names %s", link.name);
	diag->interface = link.name;
	report.diags = &diags;
	return output_plan(output, &report, &plan, NULL);
}

/* The first changes came true, one was refused, the others were not tried. */
static void sample_refuse(struct plan *plan)
{
	for (size_t i = 0; i < 3; i++) {
		plan->v[i].observed = plan->v[i].after;
		plan->v[i].verdict = i == 1 ? VERDICT_EXACT : VERDICT_ROUNDED;
	}
	plan->v[3].observed = plan->v[3].before;
	plan->v[3].verdict = VERDICT_REFUSED;
	plan->v[3].err = EINVAL;
	plan->v[3].error = "Invalid argument: requested ring size exceeds maximum (512)";
}

static void sample_take(struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		struct change *change = &plan->v[i];
		bool as_wanted = value_equal(&change->after, &change->wanted);

		change->observed = change->after;
		change->verdict = as_wanted ? VERDICT_EXACT : VERDICT_ROUNDED;
	}
}

static int sample_output_apply(const struct output *output)
{
	struct plan plan;

	sample_plan(&plan, output->arena);
	sample_take(&plan);
	return output_apply(
		output, &sample_report, &plan, SAMPLE_ID, true, "applied", NULL, "nettune verify");
}

/* Some verdicts that are no failure of a device's setting. */
static int sample_output_apply_unobtained(const struct output *output)
{
	struct plan plan;

	sample_plan(&plan, output->arena);
	sample_take(&plan);
	plan.v[4].verdict = VERDICT_HELD;
	plan.v[4].error = "needs tx-scatter-gather";
	plan.v[6].verdict = VERDICT_IGNORED;
	plan.v[6].observed = plan.v[6].before;
	for (size_t i = 7; i < 15; i++) {
		plan.v[i].verdict = VERDICT_MANAGED;
		plan.v[i].observed = sample_value(output->arena, "=0-15");
		plan.v[i].err = EPERM;
	}
	return output_apply(
		output, &sample_report, &plan, SAMPLE_ID, true, "applied", NULL, "nettune verify");
}

static int sample_output_apply_refused(const struct output *output)
{
	const struct error error = {
		.err = EINVAL,
		.msg = "eth0/rings.tx = 1001: Invalid argument: requested ring size exceeds "
		       "maximum (512) (refused)",
	};
	struct plan plan;

	sample_plan(&plan, output->arena);
	sample_refuse(&plan);
	return output_apply(
		output, &sample_report, &plan, SAMPLE_ID, false, "put-back", &error, NULL);
}

static int sample_output_apply_early(const struct output *output)
{
	const struct error error = {
		.err = ENOSPC,
		.msg = "/var/lib/nettune/journal: No space left on device",
	};
	struct plan plan;

	sample_plan(&plan, output->arena);
	return output_apply(output, &sample_report, &plan, NULL, false, "failed", &error, NULL);
}

static void sample_restore(struct plan *plan, struct arena *arena)
{
	plan_init(plan, arena);
	for (size_t i = 0; i < 2; i++) {
		const struct link *link = i ? &sample_eth1 : &sample_eth0;

		sample_change(plan, sample_at(&sample_channels, link, PART_WHOLE, 0, "combined"),
			"8", "4")
			->interrupts = INTERRUPTS_LINK;
		sample_step(plan, plan->n - 1);
		sample_change(
			plan, sample_at(&sample_rings, link, PART_WHOLE, 0, "rx"), "4096", "256");
		sample_step(plan, plan->n - 1);
	}
	sample_sysctl_change(plan, "net.core.rmem_max", "134217728", "212992");
	for (size_t i = 0; i < plan->n; i++)
		plan->v[i].origin = ORIGIN_RESTORE;
}

static void sample_classify(struct classification *classified, struct arena *arena)
{
	static struct classified v[3];

	v[0] = (struct classified){
		.at = sample_at(&sample_sysctl, NULL, PART_WHOLE, 0, "net.ipv4.tcp_rmem"),
		.before = sample_value(arena, "4096 131072 6291456"),
		.left = sample_value(arena, "4096 262144 134217728"),
		.live = sample_value(arena, "4096 131072 16777216"),
		.target = sample_value(arena, "4096 131072 16777216"),
		.class = CLASS_CONFLICT,
		.named = true,
	};
	v[1] = (struct classified){
		.at = sample_at(&sample_sysctl, NULL, PART_WHOLE, 0, "net.core.rmem_max"),
		.class = CLASS_RESTORE,
	};
	v[2] = (struct classified){
		.at = sample_at(&sample_rps, &sample_eth0, PART_RX, 7, "cpus"),
		.left = sample_value(arena, "="),
		.class = CLASS_GONE,
	};
	*classified = (struct classification){.v = v, .n = 3, .arena = arena};
}

static int sample_output_rollback(const struct output *output)
{
	struct classification classified;
	struct plan plan;

	sample_restore(&plan, output->arena);
	sample_take(&plan);
	sample_classify(&classified, output->arena);
	return output_rollback(output, &sample_report, &plan, &classified, SAMPLE_ID, true,
		"conflicts", NULL, "nettune status");
}

static int sample_output_rollback_dry(const struct output *output)
{
	struct classification classified = {.arena = output->arena};
	struct plan plan;

	sample_restore(&plan, output->arena);
	return output_rollback(output, &sample_report, &plan, &classified, SAMPLE_ID, false,
		"rolled-back", NULL, NULL);
}

static int sample_output_rollback_incomplete(const struct output *output)
{
	const struct error error = {.err = ENETDOWN, .msg = "eth1/rings.rx = 256: link is down"};
	struct classification classified = {.arena = output->arena};
	struct plan plan;

	sample_restore(&plan, output->arena);
	sample_take(&plan);
	plan.v[3].observed = plan.v[3].before;
	plan.v[3].verdict = VERDICT_REFUSED;
	plan.v[3].err = ENETDOWN;
	return output_rollback(output, &sample_report, &plan, &classified, SAMPLE_ID, true,
		"incomplete", &error, "nettune rollback");
}

static void sample_differences(struct differences *differences, struct arena *arena)
{
	static struct difference v[20];
	size_t n = 0;

	for (size_t i = 0; i < 2; i++) {
		const struct link *link = i ? &sample_eth1 : &sample_eth0;

		v[n++] = (struct difference){
			.at = sample_at(&sample_rings, link, PART_WHOLE, 0, "rx"),
			.wanted = sample_value(arena, "4096"),
			.observed = sample_value(arena, "512"),
			.verdict = VERDICT_DRIFTED,
			.cause = "drifted",
		};
		for (unsigned j = 0; j < 8; j++)
			v[n++] = (struct difference){
				.at = sample_at(&sample_irq, link, PART_RXTX, j, "cpus"),
				.wanted = sample_value(arena, arena_printf(arena, "=%u", j)),
				.observed = sample_value(
					arena, arena_printf(arena, "=%u", (7 * j + 3) % 16)),
				.verdict = VERDICT_DRIFTED,
				.cause = "drifted",
				.reason = "irqbalance is running",
			};
	}
	v[n++] = (struct difference){
		.at = {.kind = &sample_mtu, .key = "mtu"},
		.wanted = sample_value(arena, "9000"),
		.verdict = VERDICT_DEFERRED,
		.cause = "unmatched",
		.reason = "eth2: link-speed is not known (down)",
	};
	v[n++] = (struct difference){
		.at = sample_at(&sample_sysctl, NULL, PART_WHOLE, 0, "net.core.rmem_max"),
		.wanted = sample_value(arena, "134217728"),
		.observed = sample_value(arena, "212992"),
		.verdict = VERDICT_DRIFTED,
		.cause = "never-applied",
	};
	*differences = (struct differences){.v = v, .n = n, .in_sync = 41};
}

static int sample_output_verify(const struct output *output)
{
	struct differences differences;

	sample_differences(&differences, output->arena);
	return output_verify(output, &sample_report, &differences);
}

static int sample_output_verify_in_sync(const struct output *output)
{
	struct difference adjusted[2];
	const struct differences differences = {
		.in_sync = 61, .adjusted = adjusted, .nadjusted = 2};

	for (size_t i = 0; i < 2; i++)
		adjusted[i] = (struct difference){
			.at = sample_at(&sample_rings, i ? &sample_eth1 : &sample_eth0, PART_WHOLE,
				0, "tx"),
			.wanted = sample_value(output->arena, "1001"),
			.observed = sample_value(output->arena, "1008"),
			.verdict = VERDICT_ROUNDED,
		};

	return output_verify(output, &sample_report, &differences);
}

static struct transaction_line sample_lines[] = {
	{
		.id = SAMPLE_ID,
		.time = "2026-08-30T03:14:15Z",
		.user = "root",
		.command = "nettune apply dc-10ge",
		.profile = "dc-10ge",
		.outcome = "applied",
		.state = "in-force",
		.changes = 76,
	},
	{
		.id = "20260829T220102Z-01bc",
		.time = "2026-08-29T22:01:02Z",
		.user = "alice",
		.command = "nettune apply ./test.yaml",
		.profile = "test",
		.outcome = "put-back",
		.state = "undone",
		.changes = 3,
	},
	{
		.id = "20260829T210000Z-ffff",
		.time = "2026-08-29T21:00:00Z",
		.user = "alice",
		.command = "nettune apply ./test.yaml",
		.profile = "test",
		.state = "unfinished",
		.changes = 3,
	},
};

static int sample_output_history(const struct output *output)
{
	const struct transactions all = {.v = sample_lines, .n = ARRAY_SIZE(sample_lines)};

	return output_history(output, &sample_report, &all);
}

static int sample_output_status(const struct output *output)
{
	struct status_report status = {
		.in_force = {.v = sample_lines, .n = 1},
		.open = {.v = sample_lines + 2, .n = 1},
		.next = "nettune rollback",
	};

	sample_differences(&status.drift, output->arena);
	status.drift.n = 1;
	return output_status(output, &sample_report, &status);
}

static int sample_output_list(const struct output *output)
{
	static const struct list_line v[] = {
		{.name = "dc-10ge",
			.description =
				"Hosts on 10 Gbit/s Ethernet inside one data centre (round trip "
				"of 1 ms or less)",
			.path = "/usr/share/nettune/profiles/dc-10ge.yaml",
			.version = 1},
		{.name = "dc-10ge",
			.path = "/usr/local/share/nettune/profiles/dc-10ge.yaml",
			.shadowed_by = "/etc/nettune/profiles/dc-10ge.yaml",
			.version = 1},
		{.name = "wan",
			.path = "/usr/share/nettune/profiles/wan.yaml",
			.problem = "unknown key \"syctl\""},
	};
	struct report report = sample_report;

	report.host = NULL;
	report.nprofiles = 0;
	return output_list(output, &report, v, ARRAY_SIZE(v));
}

static int sample_output_show(const struct output *output)
{
	static const struct wish rx = {
		.pos = {.file = "/etc/nettune/profiles/dc-10ge.yaml", .line = 31, .column = 13},
		.profile = "dc-10ge",
		.why = "a burst of 1 ms at 10 Gbit/s is 800 frames",
	};
	static const struct wish sack = {
		.pos = {.file = "/etc/nettune/profiles/dc-10ge.yaml", .line = 9, .column = 3},
		.profile = "dc-10ge",
	};
	struct arena *arena = output->arena;
	struct shown v[3] = {
		{.at = sample_at(&sample_sysctl, NULL, PART_WHOLE, 0, "net.ipv4.tcp_sack"),
			.value = sample_value(arena, "1"),
			.live = sample_value(arena, "1"),
			.text = "1",
			.wish = &sack},
		{.at = sample_at(&sample_rings, &sample_eth0, PART_WHOLE, 0, "rx"),
			.value = sample_value(arena, "4096"),
			.live = sample_value(arena, "256"),
			.text = "max",
			.wish = &rx},
	};
	struct skips skips = {.arena = arena};

	v[2] = v[1];
	v[2].at.target.link = &sample_eth1;
	skips_add(&skips, &(struct skip){.at = sample_at(&sample_rings, &sample_eth0, PART_WHOLE, 0,
						 "rx-jumbo"),
				  .wanted = "max",
				  .verdict = VERDICT_UNSUPPORTED,
				  .reason = "igb has no such ring"});
	return output_show(output, &sample_report, v, ARRAY_SIZE(v), &skips);
}

static int sample_output_check(const struct output *output)
{
	static const char *const files[] = {"dc-10ge.yaml", "./a\x1b.yaml"};
	struct report report = sample_report;

	report.host = NULL;
	report.nprofiles = 0;
	return output_check(output, &report, files, ARRAY_SIZE(files));
}

static int sample_output_forget(const struct output *output)
{
	return output_done(output, &sample_report, "forget", SAMPLE_ID, "forgotten",
		"transaction " SAMPLE_ID " is forgotten; its settings stay as they are");
}

static void sample_diags(struct diags *diags)
{
	const struct pos pos = {
		.file = "dc-10ge.yaml",
		.line = 14,
		.column = 5,
		.source = "    adpative-rx: on\t# \xc3\xa9\x1b[0m",
	};
	struct diag *diag = diags_add(diags, SEVERITY_ERROR, ERROR_DATA, "unknown-key", pos,
		"coalesce has no setting \"adpative-rx\"");

	diag->hint = "adaptive-rx";
	diag = diags_add(diags, SEVERITY_WARNING, ERROR_FAILED, "irqbalance", (struct pos){0},
		"irqbalance is running and will move interrupts again");
	diag->interface = "eth0";
	diag->key = "eth0/rxtx-0/irq-affinity.cpus";
	diags_add(diags, SEVERITY_NOTE, ERROR_FAILED, "note", pos, "see here");
}

static int sample_output_findings(const struct output *output)
{
	struct report report = sample_report;
	struct diags diags = {.arena = output->arena};

	sample_diags(&diags);
	report.host = NULL;
	report.diags = &diags;
	return output_error(output, &report, 65, NULL, &diags);
}

static int sample_output_error(const struct output *output)
{
	const struct error error = {
		.kind = ERROR_LOCKED, .err = EAGAIN, .msg = "locked by nettune apply (pid 42)"};

	return output_error(output, &sample_report, 75, &error, NULL);
}

static const struct {
	const char *name;
	int (*write)(const struct output *output);
} sample_outputs[] = {
	{"plan", sample_output_plan},
	{"plan-empty", sample_output_plan_empty},
	{"plan-adjusted", sample_output_plan_adjusted},
	{"plan-hostile", sample_output_plan_hostile},
	{"apply", sample_output_apply},
	{"apply-unobtained", sample_output_apply_unobtained},
	{"apply-refused", sample_output_apply_refused},
	{"apply-early", sample_output_apply_early},
	{"rollback", sample_output_rollback},
	{"rollback-dry", sample_output_rollback_dry},
	{"rollback-incomplete", sample_output_rollback_incomplete},
	{"verify", sample_output_verify},
	{"verify-in-sync", sample_output_verify_in_sync},
	{"history", sample_output_history},
	{"status", sample_output_status},
	{"list", sample_output_list},
	{"show", sample_output_show},
	{"check", sample_output_check},
	{"forget", sample_output_forget},
	{"findings", sample_output_findings},
	{"error", sample_output_error},
};

#endif
