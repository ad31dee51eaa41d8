/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptor rings: ETHTOOL_MSG_RINGS_GET and _SET (net/ethtool/rings.c), else ETHTOOL_GRINGPARAM.
 * Drivers round sizes without a word, each by its own rule; what is known of them is in the driver
 * table, what is not is judged by what a rounded size looks like.
 */
#include "kinds/ethparam.h"
#include "kinds/registry.h"

#include <linux/ethtool_netlink.h>
#include <stddef.h>
#include <string.h>

/* Attributes of kernels after the oldest header that this builds with (6.3 and 6.4). */
enum {
	RINGS_RX_PUSH = 14,
	RINGS_TX_PUSH_BUF_LEN = 15,
	RINGS_TX_PUSH_BUF_LEN_MAX = 16,
};

/* By ETHTOOL_TCP_DATA_SPLIT_*. */
static const char *const split_words[] = {"auto", "off", "on", NULL};

#define SIZE(attr_name, member)                                                         \
	.type = VALUE_NUMBER, .flags = FIELD_HAS_MAX,                                   \
	.wire = {                                                                       \
		.attr = ETHTOOL_A_RINGS_##attr_name,                                    \
		.attr_max = ETHTOOL_A_RINGS_##attr_name##_MAX,                          \
		.offset = offsetof(struct ethtool_ringparam, member##_pending),         \
		.offset_max = offsetof(struct ethtool_ringparam, member##_max_pending), \
		.width = 4,                                                             \
	}

static const struct field fields[] = {
	{.name = "rx", .doc = "descriptors of each receive ring", SIZE(RX, rx)},
	{
		.name = "rx-mini",
		.doc = "descriptors of each ring for small received frames",
		SIZE(RX_MINI, rx_mini),
	},
	{
		.name = "rx-jumbo",
		.doc = "descriptors of each ring for large received frames",
		SIZE(RX_JUMBO, rx_jumbo),
	},
	{.name = "tx", .doc = "descriptors of each transmit ring", SIZE(TX, tx)},
	{
		.name = "rx-buf-len",
		.doc = "size of the buffers in the receive rings",
		.type = VALUE_NUMBER,
		.unit = UNIT_BYTES,
		.wire = {.attr = ETHTOOL_A_RINGS_RX_BUF_LEN, .width = 4},
	},
	{
		.name = "tcp-data-split",
		.doc = "TCP headers and payload go to separate buffers",
		.type = VALUE_WORD,
		.words = split_words,
		.wire = {.attr = ETHTOOL_A_RINGS_TCP_DATA_SPLIT, .width = 1},
	},
	{
		.name = "cqe-size",
		.doc = "size of the completion queue's entries",
		.type = VALUE_NUMBER,
		.unit = UNIT_BYTES,
		.wire = {.attr = ETHTOOL_A_RINGS_CQE_SIZE, .width = 4},
	},
	{
		.name = "tx-push",
		.doc = "descriptors to transmit are written to the device directly",
		.type = VALUE_BOOL,
		.wire = {.attr = ETHTOOL_A_RINGS_TX_PUSH, .width = 1},
	},
	{
		.name = "rx-push",
		.doc = "descriptors to receive are written to the device directly",
		.type = VALUE_BOOL,
		.wire = {.attr = RINGS_RX_PUSH, .width = 1},
	},
	{
		.name = "tx-push-buf-len",
		.doc = "bytes of a frame that are pushed together with its descriptor",
		.type = VALUE_NUMBER,
		.unit = UNIT_BYTES,
		.flags = FIELD_HAS_MAX,
		.wire =
			{
				.attr = RINGS_TX_PUSH_BUF_LEN,
				.attr_max = RINGS_TX_PUSH_BUF_LEN_MAX,
				.width = 4,
			},
	},
	{},
};

static const struct effect effects[] = {
	{.kind = "irq-affinity", .on = REACH_SELF},
	{.kind = "pause", .on = REACH_SELF},
	{.kind = "coalesce", .on = REACH_SELF},
	{.kind = "rings", .on = REACH_SELF},
	{.kind = "rss", .on = REACH_SELF},
	{},
};

static const struct ethparam param = {
	.kind = &kind_rings,
	.get = ETHTOOL_MSG_RINGS_GET,
	.set = ETHTOOL_MSG_RINGS_SET,
	.ioctl_get = ETHTOOL_GRINGPARAM,
	.ioctl_set = ETHTOOL_SRINGPARAM,
	.ioctl_size = sizeof(struct ethtool_ringparam),
};

/* A number of descriptors: what drivers round. */
static bool is_size(const char *key)
{
	const struct field *field = kind_field(&kind_rings, key);

	return field && field->wire.offset;
}

static bool is_absent(const struct expansion *expansion)
{
	return !state_get(expansion->model, &kind_rings, expansion->link, PART_WHOLE, 0,
		expansion->wish->key);
}

/* Zero descriptors of a ring that the device does not have are there already. */
static int expand(const struct expansion *expansion, struct error *error)
{
	const char *key = expansion->wish->key;
	struct address at = expansion_address(expansion, key);

	if (is_size(key) && is_absent(expansion) &&
		strcmp(expr_text(expansion->arena, expansion->wish->value), "0") == 0)
		return expansion_skip(
			expansion, &at, VERDICT_NONE, "the device has no such ring, as wished");
	return ethparam_expand(expansion, error);
}

static uint64_t round_size(
	const struct state *model, const struct address *at, uint64_t wanted, uint64_t max)
{
	const struct link *link = at->target.link;
	struct rounding rounding = driver_rx_rounding(
		driver_find(link->driver), strcmp(at->key, "rx") == 0 ? model_mtu(model, link) : 0);

	return driver_round(&rounding, wanted, max);
}

/* A receive ring of an earlier MTU is rounded to the present one with any other ring. */
static void project(const struct host *host, const struct change *change, struct state *model)
{
	const struct link *link = change->at.target.link;
	struct observed *rx = state_get(model, &kind_rings, link, PART_WHOLE, 0, "rx");
	uint64_t size;

	model_reset(model, link);
	if (!rx || rx->value.type != VALUE_NUMBER ||
		!(driver_find(link->driver)->flags & DRIVER_RINGS_BY_MTU))
		return;
	size = round_size(model, &rx->at, rx->value.number, rx->max);
	if (size == rx->value.number)
		return;
	rx->value = value_number(model->arena, size);
	rx->follows = true;
}

static struct value predict(const struct host *host, const struct setting *setting,
	const struct state *model, struct arena *arena)
{
	const struct observed *live = state_find(model, &setting->at);

	if (!is_size(setting->at.key))
		return setting->value;
	return value_number(arena,
		round_size(model, &setting->at, setting->value.number, live ? live->max : 0));
}

static bool is_power_of_two(uint64_t number)
{
	return number && (number & (number - 1)) == 0;
}

/* The power of two above or below, or the next multiple of something small. */
static bool is_rounded(uint64_t wanted, uint64_t got)
{
	uint64_t distance = got > wanted ? got - wanted : wanted - got;

	if (is_power_of_two(got) && got < 2 * wanted && wanted < 2 * got)
		return true;
	return got % 8 == 0 && distance < 256;
}

/* Of drivers that nobody knows, a size well above what was wanted, and below what it was. */
static bool is_floor(const struct change *change, const struct value *live)
{
	const struct driver *driver = driver_find(change->at.target.link->driver);
	uint64_t wanted = change->wanted.number, got = live->number;

	if (driver->rings.floor)
		return got == driver->rings.floor && wanted < got;
	return !driver_is_known(driver) && got >= 2 * wanted && change_is_halfway(change, live);
}

/*
 * A number of descriptors may become the maximum that the device tells, a floor, or what sizes are
 * rounded to. Nothing else of the kind may become another value.
 */
static enum verdict judge(const struct change *change, const struct observed *live)
{
	uint64_t wanted = change->wanted.number, got = live->value.number;

	if (!is_size(change->at.key) || live->value.type != VALUE_NUMBER ||
		(live->max && got > live->max))
		return VERDICT_REFUSED;
	if ((live->max && got == live->max && wanted > got) || is_floor(change, &live->value))
		return VERDICT_CLAMPED;
	return is_rounded(wanted, got) ? VERDICT_ROUNDED : VERDICT_REFUSED;
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	return ethparam_observe(&param, kernel, scope, ret, error);
}

static int write_rings(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	return ethparam_write(&param, kernel, v, n, error);
}

const struct kind kind_rings = {
	.name = "rings",
	.doc = "Sizes of the descriptor rings of a network device",
	.phase = PHASE_RINGS,
	.fields = fields,
	.effects = effects,
	.expand = expand,
	.project = project,
	.predict = predict,
	.judge = judge,
	.observe = observe,
	.write = write_rings,
};
