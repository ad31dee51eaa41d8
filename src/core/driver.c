/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of drivers, read from drivers/net of Linux 6.1 and 6.12 and, for igb, e1000e, vmxnet3,
 * virtio_net and veth, measured. Where versions differ, a row says the worse: drivers that give a
 * hint of affinity applied it at each restart of their queues before Linux 5.17, some still do.
 */
#include "core/driver.h"

#include "util/macros.h"

#include <stddef.h>
#include <string.h>

/* A device that stops and starts as a whole for each of these, as far as it has them. */
#define RESTARTS_LINK                                                                \
	[PHASE_PRIVATE_FLAGS] = INTERRUPTS_LINK, [PHASE_CHANNELS] = INTERRUPTS_LINK, \
	[PHASE_MTU] = INTERRUPTS_LINK, [PHASE_RINGS] = INTERRUPTS_LINK,              \
	[PHASE_PAUSE] = INTERRUPTS_LINK
/* The family of e1000. On copper autoneg that goes off, and values without it, interrupt nothing. */
#define PAUSE_BY_FAMILY (DRIVER_PAUSE_NEGOTIATED | DRIVER_RESET_PAUSE)
#define HINTED          (DRIVER_CHANNELS_IRQS | DRIVER_RESET_IRQS)

static const char *const bnxt_offloads[] = {"rx-gro-hw", "rx-lro", "rx-ntuple-filter", NULL};
/* tx-vlan-hw-insert only ever goes along with rx-vlan-hw-parse. */
static const char *const e1000e_offloads[] = {
	"rx-all", "rx-checksum", "rx-fcs", "rx-hashing", "rx-vlan-hw-parse", NULL};
static const char *const i40e_offloads[] = {
	"hw-tc-offload", "loopback", "rx-hashing", "rx-ntuple-filter", NULL};
static const char *const ice_offloads[] = {"loopback", "rx-fcs", NULL};
static const char *const igb_offloads[] = {"rx-all", "rx-ntuple-filter", NULL};
static const char *const ixgbe_offloads[] = {
	"hw-tc-offload", "rx-all", "rx-lro", "rx-ntuple-filter", NULL};
static const char *const loopback_offloads[] = {"loopback", NULL};
static const char *const lro_offloads[] = {"rx-lro", NULL};

/* Ascending names: those of /sys/bus/.../drivers, of links without device ethtool's. */
static const struct driver drivers[] = {
	{.name = "802.1Q VLAN Support", .rings = {.how = ROUND_EXACT}},
	{
		.name = "bnxt_en",
		.rings = {.how = ROUND_EXACT},
		.interrupts = {RESTARTS_LINK, [PHASE_COALESCE] = INTERRUPTS_LINK,
			[PHASE_RSS] = INTERRUPTS_LINK},
		.flags = HINTED | DRIVER_CHANNELS_XPS,
		.resetting_offloads = bnxt_offloads,
	},
	{
		.name = "bonding", /* hands MTU and LRO down to its ports, which may reset */
		.rings = {.how = ROUND_EXACT},
		.interrupts = {[PHASE_MTU] = INTERRUPTS_LINK},
		.resetting_offloads = lro_offloads,
	},
	{
		.name = "bridge", /* hands LRO down */
		.rings = {.how = ROUND_EXACT},
		.resetting_offloads = lro_offloads,
	},
	{.name = "dummy", .rings = {.how = ROUND_EXACT}},
	{
		.name = "e1000e", /* its private flag, s0ix-enabled, resets nothing */
		.rings = {.how = ROUND_UP_MULTIPLE, .multiple = 8, .floor = 64},
		.interrupts = {[PHASE_MTU] = INTERRUPTS_LINK,
			[PHASE_RINGS] = INTERRUPTS_LINK,
			[PHASE_PAUSE] = INTERRUPTS_LINK},
		.flags = PAUSE_BY_FAMILY,
		.vectors = VECTORS_SEPARATE,
		.resetting_offloads = e1000e_offloads,
	},
	{
		.name = "ena",
		.rings = {.how = ROUND_DOWN_POWER, .floor = 256},
		.interrupts = {[PHASE_CHANNELS] = INTERRUPTS_LINK, [PHASE_RINGS] = INTERRUPTS_LINK},
		.flags = HINTED | DRIVER_CHANNELS_RSS,
		.vectors = VECTORS_PAIRED,
	},
	{
		.name = "gve",
		.rings = {.how = ROUND_EXACT},
		.interrupts = {RESTARTS_LINK},
		.flags = HINTED,
		.resetting_offloads = lro_offloads,
	},
	{
		.name = "hv_netvsc", /* VMBus channels, no interrupts of its own */
		.rings = {.how = ROUND_EXACT, .floor = 10},
		.interrupts = {RESTARTS_LINK, [PHASE_RSS] = INTERRUPTS_QUEUE},
		.flags = DRIVER_CHANNELS_RSS,
	},
	{
		.name = "i40e", /* channels: PF reset and rebuild */
		.rings = {.how = ROUND_UP_MULTIPLE, .multiple = 32},
		.interrupts = {RESTARTS_LINK},
		.flags = HINTED | DRIVER_CHANNELS_XPS | DRIVER_CHANNELS_COALESCE |
			 DRIVER_CHANNELS_RSS | DRIVER_CHANNELS_CAPPED,
		.vectors = VECTORS_PAIRED,
		.resetting_offloads = i40e_offloads,
	},
	{
		.name = "iavf",
		.rings = {.how = ROUND_UP_MULTIPLE, .multiple = 32},
		.interrupts = {RESTARTS_LINK, [PHASE_OFFLOADS] = INTERRUPTS_QUEUE},
		.flags = HINTED | DRIVER_CHANNELS_XPS | DRIVER_CHANNELS_COALESCE |
			 DRIVER_CHANNELS_RSS,
		.vectors = VECTORS_PAIRED,
	},
	{
		.name = "ice", /* keeps coalescing and a user's RSS table over a rebuild */
		.rings = {.how = ROUND_UP_MULTIPLE, .multiple = 32},
		.interrupts = {RESTARTS_LINK},
		.flags = HINTED | DRIVER_CHANNELS_XPS,
		.resetting_offloads = ice_offloads,
	},
	{
		.name = "igb",
		.rings = {.how = ROUND_UP_MULTIPLE, .multiple = 8, .floor = 64},
		.interrupts = {RESTARTS_LINK},
		.flags = DRIVER_CHANNELS_IRQS | DRIVER_CHANNELS_RSS | DRIVER_PAIRED_COALESCE |
			 PAUSE_BY_FAMILY,
		.vectors = VECTORS_SEPARATE_TO_HALF,
		.resetting_offloads = igb_offloads,
	},
	{
		.name = "igc",
		.rings = {.how = ROUND_UP_MULTIPLE, .multiple = 8, .floor = 64},
		.interrupts = {RESTARTS_LINK},
		.flags = DRIVER_CHANNELS_IRQS | DRIVER_CHANNELS_RSS | PAUSE_BY_FAMILY,
		.vectors = VECTORS_SEPARATE_TO_HALF,
		.resetting_offloads = igb_offloads,
	},
	{
		.name = "ixgbe", /* usecs around the limit of RSC reset the device */
		.rings = {.how = ROUND_UP_MULTIPLE, .multiple = 8, .floor = 64},
		.interrupts = {RESTARTS_LINK, [PHASE_COALESCE] = INTERRUPTS_LINK},
		.flags = HINTED | DRIVER_CHANNELS_XPS | DRIVER_PAIRED_COALESCE |
			 DRIVER_PAUSE_NEGOTIATED,
		.vectors = VECTORS_PAIRED,
		.resetting_offloads = ixgbe_offloads,
	},
	{.name = "macvlan", .rings = {.how = ROUND_EXACT}},
	{
		.name = "mlx4_core", /* in /sys; ethtool says mlx4_en */
		.rings = {.how = ROUND_UP_POWER, .floor = 64},
		.interrupts = {RESTARTS_LINK, [PHASE_OFFLOADS] = INTERRUPTS_LINK},
		.flags = HINTED | DRIVER_CHANNELS_XPS,
	},
	{
		.name = "mlx4_en",
		.rings = {.how = ROUND_UP_POWER, .floor = 64},
		.interrupts = {RESTARTS_LINK, [PHASE_OFFLOADS] = INTERRUPTS_LINK},
		.flags = HINTED | DRIVER_CHANNELS_XPS,
	},
	{
		.name = "mlx5_core", /* opens new channels, then changes over; the port stays up */
		.rings = {.how = ROUND_UP_POWER},
		.interrupts = {[PHASE_PRIVATE_FLAGS] = INTERRUPTS_LINK,
			[PHASE_CHANNELS] = INTERRUPTS_QUEUE,
			[PHASE_MTU] = INTERRUPTS_QUEUE,
			[PHASE_RINGS] = INTERRUPTS_QUEUE,
			[PHASE_OFFLOADS] = INTERRUPTS_QUEUE,
			[PHASE_COALESCE] = INTERRUPTS_QUEUE,
			[PHASE_PAUSE] = INTERRUPTS_LINK},
		.flags = DRIVER_CHANNELS_IRQS | DRIVER_CHANNELS_XPS | DRIVER_ADAPTIVE_COALESCE,
	},
	{
		.name = "team", /* as bonding */
		.rings = {.how = ROUND_EXACT},
		.interrupts = {[PHASE_MTU] = INTERRUPTS_LINK},
		.resetting_offloads = lro_offloads,
	},
	{
		.name = "tg3",
		.rings = {.how = ROUND_EXACT},
		.interrupts = {RESTARTS_LINK},
		.flags = DRIVER_CHANNELS_IRQS,
		.resetting_offloads = loopback_offloads,
	},
	{.name = "tun", .rings = {.how = ROUND_EXACT}},
	{
		.name = "veth", /* both ends lose their carrier */
		.rings = {.how = ROUND_EXACT},
		.interrupts = {[PHASE_CHANNELS] = INTERRUPTS_LINK},
	},
	{
		.name = "virtio_net", /* wants powers of two, and refuses what is none */
		.rings = {.how = ROUND_EXACT},
		.interrupts =
			{[PHASE_CHANNELS] = INTERRUPTS_QUEUE, [PHASE_RINGS] = INTERRUPTS_QUEUE},
		.flags = DRIVER_CHANNELS_IRQS | DRIVER_CHANNELS_XPS,
		.vectors = VECTORS_FIXED,
	},
	{
		.name = "vmxnet3",
		.rings = {.how = ROUND_UP_MULTIPLE, .multiple = 32},
		.interrupts = {RESTARTS_LINK},
		.flags = DRIVER_CHANNELS_FIXED | DRIVER_RESET_RSS | DRIVER_RINGS_BY_MTU,
		.vectors = VECTORS_PAIRED,
	},
	{.name = "vxlan", .rings = {.how = ROUND_EXACT}},
};

/* Masks of queues and interrupts are the core's own business with every driver. */
static const struct driver cautious = {
	.interrupts = {[PHASE_PRIVATE_FLAGS... PHASE_RSS] = INTERRUPTS_LINK},
	.flags = HINTED | DRIVER_CHANNELS_XPS | DRIVER_CHANNELS_COALESCE | DRIVER_CHANNELS_RSS |
		 DRIVER_RESET_RSS | DRIVER_RESET_PAUSE | DRIVER_ADAPTIVE_COALESCE,
};

const struct driver *driver_find(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(drivers); i++) {
		if (strcmp(drivers[i].name, name) == 0)
			return &drivers[i];
	}
	return &cautious;
}

bool driver_is_known(const struct driver *driver)
{
	return driver != &cautious;
}

static uint64_t power_below(uint64_t number)
{
	return number ? UINT64_C(1) << (63 - __builtin_clzll(number)) : 0;
}

static uint64_t power_above(uint64_t number)
{
	uint64_t below = power_below(number);

	return below == number || below > UINT64_MAX / 2 ? number : below * 2;
}

static uint64_t multiple_above(uint64_t number, uint64_t multiple)
{
	uint64_t rest = number % multiple;

	return !rest || number > UINT64_MAX - multiple ? number : number + (multiple - rest);
}

/* vmxnet3: a packet takes one buffer of 3 KiB at the most, and pages for the rest of it. */
struct rounding driver_rx_rounding(const struct driver *driver, uint64_t mtu)
{
	enum { BUFFER = 3072, HEADER = 22, PAGE = 4096 };
	struct rounding rounding = driver->rings;
	uint64_t packet = mtu + HEADER;

	if ((driver->flags & DRIVER_RINGS_BY_MTU) && packet > BUFFER)
		rounding.multiple *= (uint32_t)(1 + (packet - BUFFER + PAGE - 1) / PAGE);
	return rounding;
}

/* A maximum that is no multiple can't be had. */
static uint64_t largest(const struct rounding *rounding, uint64_t max)
{
	if (rounding->how != ROUND_UP_MULTIPLE || max < rounding->multiple)
		return max;
	return max - max % rounding->multiple;
}

uint64_t driver_round(const struct rounding *rounding, uint64_t wanted, uint64_t max)
{
	uint64_t rounded = MAX(wanted, (uint64_t)rounding->floor);

	switch (rounding->how) {
	case ROUND_UNKNOWN:
		return wanted;
	case ROUND_EXACT:
		break;
	case ROUND_UP_MULTIPLE:
		rounded = multiple_above(rounded, rounding->multiple);
		break;
	case ROUND_UP_POWER:
		rounded = power_above(rounded);
		break;
	case ROUND_DOWN_POWER:
		rounded = power_below(rounded);
		break;
	}
	return max && rounded > max ? largest(rounding, max) : rounded;
}

const char *interrupts_name(enum interrupts interrupts)
{
	static const char *const names[] = {
		[INTERRUPTS_NONE] = "none",
		[INTERRUPTS_QUEUE] = "queue",
		[INTERRUPTS_LINK] = "link",
	};

	return names[interrupts];
}
