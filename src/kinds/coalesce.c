/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupt coalescing: ETHTOOL_MSG_COALESCE_GET and _SET (net/ethtool/coalesce.c), else
 * ETHTOOL_GCOALESCE. All parameters up to Linux 6.12 but the moderation profiles, which are nested
 * tables (attributes 29, 30). Linux 6.1 and the ioctl hand modes and values to the driver at once,
 * and drivers then drop or refuse the values: so modes and values are separate steps.
 */
#include "kinds/coalesce.h"

#include "kernel/kernel.h"
#include "kinds/ethparam.h"
#include "kinds/registry.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <stddef.h>
#include <string.h>

/* Attributes of kernels after the oldest header that this builds with (6.3). */
enum {
	COALESCE_TX_AGGR_MAX_BYTES = 26,
	COALESCE_TX_AGGR_MAX_FRAMES = 27,
	COALESCE_TX_AGGR_TIME_USECS = 28,
};

#define WIRE(attr_name, member, bytes)                               \
	.wire = {                                                    \
		.attr = ETHTOOL_A_COALESCE_##attr_name,              \
		.offset = offsetof(struct ethtool_coalesce, member), \
		.width = (bytes),                                    \
	}
#define USECS(attr_name, member) \
	.type = VALUE_NUMBER, .unit = UNIT_USECS, WIRE(attr_name, member, 4)
#define NUMBER(attr_name, member) .type = VALUE_NUMBER, WIRE(attr_name, member, 4)
#define MODE(attr_name, member)   .type = VALUE_BOOL, .flags = FIELD_MODE, WIRE(attr_name, member, 1)

/* In the order of the attributes. */
static const struct field fields[] = {
	{
		.name = "rx-usecs",
		.doc = "time from a received frame to the interrupt",
		.moot = "adaptive-rx",
		USECS(RX_USECS, rx_coalesce_usecs),
	},
	{
		.name = "rx-frames",
		.doc = "received frames before an interrupt",
		.moot = "adaptive-rx",
		NUMBER(RX_MAX_FRAMES, rx_max_coalesced_frames),
	},
	{
		.name = "rx-usecs-irq",
		.doc = "as rx-usecs, while an interrupt is being serviced",
		USECS(RX_USECS_IRQ, rx_coalesce_usecs_irq),
	},
	{
		.name = "rx-frames-irq",
		.doc = "as rx-frames, while an interrupt is being serviced",
		NUMBER(RX_MAX_FRAMES_IRQ, rx_max_coalesced_frames_irq),
	},
	{
		.name = "tx-usecs",
		.doc = "time from a transmitted frame to the interrupt",
		.moot = "adaptive-tx",
		USECS(TX_USECS, tx_coalesce_usecs),
	},
	{
		.name = "tx-frames",
		.doc = "transmitted frames before an interrupt",
		.moot = "adaptive-tx",
		NUMBER(TX_MAX_FRAMES, tx_max_coalesced_frames),
	},
	{
		.name = "tx-usecs-irq",
		.doc = "as tx-usecs, while an interrupt is being serviced",
		USECS(TX_USECS_IRQ, tx_coalesce_usecs_irq),
	},
	{
		.name = "tx-frames-irq",
		.doc = "as tx-frames, while an interrupt is being serviced",
		NUMBER(TX_MAX_FRAMES_IRQ, tx_max_coalesced_frames_irq),
	},
	{
		.name = "stats-block-usecs",
		.doc = "time between updates of the statistics in memory",
		USECS(STATS_BLOCK_USECS, stats_block_coalesce_usecs),
	},
	{
		.name = "adaptive-rx",
		.doc = "the driver adapts rx-usecs and rx-frames to the traffic",
		MODE(USE_ADAPTIVE_RX, use_adaptive_rx_coalesce),
	},
	{
		.name = "adaptive-tx",
		.doc = "the driver adapts tx-usecs and tx-frames to the traffic",
		MODE(USE_ADAPTIVE_TX, use_adaptive_tx_coalesce),
	},
	{
		.name = "pkt-rate-low",
		.doc = "frames a second below which the -low values hold",
		NUMBER(PKT_RATE_LOW, pkt_rate_low),
	},
	{
		.name = "rx-usecs-low",
		.doc = "as rx-usecs, at a low rate of frames",
		USECS(RX_USECS_LOW, rx_coalesce_usecs_low),
	},
	{
		.name = "rx-frames-low",
		.doc = "as rx-frames, at a low rate of frames",
		NUMBER(RX_MAX_FRAMES_LOW, rx_max_coalesced_frames_low),
	},
	{
		.name = "tx-usecs-low",
		.doc = "as tx-usecs, at a low rate of frames",
		USECS(TX_USECS_LOW, tx_coalesce_usecs_low),
	},
	{
		.name = "tx-frames-low",
		.doc = "as tx-frames, at a low rate of frames",
		NUMBER(TX_MAX_FRAMES_LOW, tx_max_coalesced_frames_low),
	},
	{
		.name = "pkt-rate-high",
		.doc = "frames a second above which the -high values hold",
		NUMBER(PKT_RATE_HIGH, pkt_rate_high),
	},
	{
		.name = "rx-usecs-high",
		.doc = "as rx-usecs, at a high rate of frames",
		USECS(RX_USECS_HIGH, rx_coalesce_usecs_high),
	},
	{
		.name = "rx-frames-high",
		.doc = "as rx-frames, at a high rate of frames",
		NUMBER(RX_MAX_FRAMES_HIGH, rx_max_coalesced_frames_high),
	},
	{
		.name = "tx-usecs-high",
		.doc = "as tx-usecs, at a high rate of frames",
		USECS(TX_USECS_HIGH, tx_coalesce_usecs_high),
	},
	{
		.name = "tx-frames-high",
		.doc = "as tx-frames, at a high rate of frames",
		NUMBER(TX_MAX_FRAMES_HIGH, tx_max_coalesced_frames_high),
	},
	{
		.name = "sample-interval",
		.doc = "seconds between two samplings of the rate of frames",
		.type = VALUE_NUMBER,
		.unit = UNIT_SECONDS,
		WIRE(RATE_SAMPLE_INTERVAL, rate_sample_interval, 4),
	},
	{
		.name = "cqe-mode-tx",
		.doc = "the time to a transmit interrupt starts anew with each completion",
		.type = VALUE_BOOL,
		.flags = FIELD_MODE,
		.wire = {.attr = ETHTOOL_A_COALESCE_USE_CQE_MODE_TX, .width = 1},
	},
	{
		.name = "cqe-mode-rx",
		.doc = "the time to a receive interrupt starts anew with each completion",
		.type = VALUE_BOOL,
		.flags = FIELD_MODE,
		.wire = {.attr = ETHTOOL_A_COALESCE_USE_CQE_MODE_RX, .width = 1},
	},
	{
		.name = "tx-aggr-max-bytes",
		.doc = "largest block of frames that are transmitted together",
		.type = VALUE_NUMBER,
		.unit = UNIT_BYTES,
		.wire = {.attr = COALESCE_TX_AGGR_MAX_BYTES, .width = 4},
	},
	{
		.name = "tx-aggr-max-frames",
		.doc = "most frames that are transmitted together",
		.type = VALUE_NUMBER,
		.wire = {.attr = COALESCE_TX_AGGR_MAX_FRAMES, .width = 4},
	},
	{
		.name = "tx-aggr-time-usecs",
		.doc = "time from the first frame until a block is transmitted",
		.type = VALUE_NUMBER,
		.unit = UNIT_USECS,
		.wire = {.attr = COALESCE_TX_AGGR_TIME_USECS, .width = 4},
	},
	{},
};

/* Drivers put values back to their defaults when a mode is turned on or off (mlx5). */
static const struct effect effects[] = {
	{.key = "adaptive-rx", .kind = "coalesce", .on = REACH_SELF},
	{.key = "adaptive-tx", .kind = "coalesce", .on = REACH_SELF},
	{.key = "cqe-mode-rx", .kind = "coalesce", .on = REACH_SELF},
	{.key = "cqe-mode-tx", .kind = "coalesce", .on = REACH_SELF},
	{},
};

static const struct ethparam param = {
	.kind = &kind_coalesce,
	.get = ETHTOOL_MSG_COALESCE_GET,
	.set = ETHTOOL_MSG_COALESCE_SET,
	.ioctl_get = ETHTOOL_GCOALESCE,
	.ioctl_set = ETHTOOL_SCOALESCE,
	.ioctl_size = sizeof(struct ethtool_coalesce),
};

/* Three messages at the most: modes that go off (and CQE modes), values, modes that come on. */
static int rank(const struct address *at, const struct value *from, const struct value *to)
{
	const struct field *field = kind_field(&kind_coalesce, at->key);

	if (!field || !(field->flags & FIELD_MODE))
		return 1;
	if (strncmp(at->key, "cqe-mode-", strlen("cqe-mode-")) == 0)
		return 0;
	return to->number ? 2 : 0;
}

/* What was moot is in force again, with what the driver takes then. */
static void project(const struct host *host, const struct change *change, struct state *model)
{
	const struct link *link = change->at.target.link;

	if (!(driver_find(link->driver)->flags & DRIVER_ADAPTIVE_COALESCE) || change->after.number)
		return;
	for (const struct field *f = fields; f->name; f++) {
		struct observed *o = state_get(model, &kind_coalesce, link, PART_WHOLE, 0, f->name);

		if (o && f->moot && strcmp(f->moot, change->at.key) == 0)
			o->value = value_none();
	}
}

/* To what the device can tell apart, as 2 us (i40e) or a multiple of its resolution (ena). */
static bool is_rounded(uint64_t wanted, uint64_t got)
{
	uint64_t distance = got > wanted ? got - wanted : wanted - got;

	return wanted && got && (distance <= 1 || distance <= wanted / 8);
}

/*
 * A number may become one near by, or stop at a limit that no attribute tells: tun takes 1000 frames
 * for 64 without a word. A mode is as wanted or it is not.
 */
static enum verdict judge(const struct change *change, const struct observed *live)
{
	if (change->wanted.type != VALUE_NUMBER || live->value.type != VALUE_NUMBER)
		return VERDICT_REFUSED;
	if (is_rounded(change->wanted.number, live->value.number))
		return VERDICT_ROUNDED;
	return change_is_halfway(change, &live->value) ? VERDICT_CLAMPED : VERDICT_REFUSED;
}

void coalesce_set_paired(struct state *state, const struct link *link, bool paired)
{
	struct observed *tx = state_get(state, &kind_coalesce, link, PART_WHOLE, 0, "tx-usecs");

	if (!tx || (tx->support == SUPPORT_FIXED) == paired)
		return;
	tx->support = paired ? SUPPORT_FIXED : SUPPORT_SETTABLE;
	tx->note = paired ? "one interrupt serves both directions, after rx-usecs" : NULL;
	tx->value = paired ? value_number(state->arena, 0) : value_none();
	tx->follows = true;
}

static bool has_paired(const struct irq *irqs, size_t n)
{
	unsigned index;

	for (size_t i = 0; i < n; i++) {
		if (irqs[i].action && vector_parse(irqs[i].action, &index) == VECTOR_RXTX)
			return true;
	}
	return false;
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	struct link *link = scope->link;
	struct irq *irqs;
	size_t n = 0;
	int r = ethparam_observe(&param, kernel, scope, ret, error);

	if (r < 0 || !(driver_find(link->driver)->flags & DRIVER_PAIRED_COALESCE))
		return r;
	r = kernel_link_irqs(kernel, link, &irqs, &n);
	if (r < 0 && r != -ENODEV)
		return error_set(error, ERROR_FAILED, -r, "%s: its interrupts: %s", link->name,
			strerror(-r));
	if (n && has_paired(irqs, n))
		coalesce_set_paired(ret, link, true);
	return 0;
}

static int write_coalesce(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	return ethparam_write(&param, kernel, v, n, error);
}

const struct kind kind_coalesce = {
	.name = "coalesce",
	.doc = "Interrupt coalescing of a network device",
	.phase = PHASE_COALESCE,
	.fields = fields,
	.effects = effects,
	.expand = ethparam_expand,
	.project = project,
	.judge = judge,
	.rank = rank,
	.observe = observe,
	.write = write_coalesce,
};
