/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known about NIC drivers: how they round, what interrupts traffic, what re-creates
 * interrupts, how vectors are named. Data only; an unknown driver gets the cautious default.
 */
#ifndef NETTUNE_CORE_DRIVER_H
#define NETTUNE_CORE_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

/* Order of execution: the phases of each link lie between the two of the host. */
enum phase {
	PHASE_HOST_EARLY, /* sysctls that shape others */
	PHASE_PRIVATE_FLAGS,
	PHASE_CHANNELS,
	PHASE_MTU,
	PHASE_RINGS,
	PHASE_OFFLOADS,
	PHASE_COALESCE,
	PHASE_PAUSE,
	PHASE_RSS,
	PHASE_IRQ,
	PHASE_XPS,
	PHASE_RPS,
	PHASE_HOST_LATE,
	PHASE_MAX
};

enum interrupts { INTERRUPTS_NONE, INTERRUPTS_QUEUE, INTERRUPTS_LINK };

enum round_how { ROUND_UNKNOWN, ROUND_EXACT, ROUND_UP_MULTIPLE, ROUND_UP_POWER, ROUND_DOWN_POWER };

struct rounding {
	enum round_how how;
	uint32_t multiple; /* of ROUND_UP_MULTIPLE */
	uint32_t floor;    /* smaller values become this; 0 = no floor */
};

/* How many vectors a driver asks for, to predict them over a channel change. */
enum vectors {
	VECTORS_UNKNOWN,          /* as now: paired stays paired */
	VECTORS_PAIRED,           /* one rxtx vector a channel */
	VECTORS_SEPARATE,         /* one rx and one tx vector a channel */
	VECTORS_SEPARATE_TO_HALF, /* separate up to half the maximum of channels, then paired */
	VECTORS_FIXED /* made for the maximum at probe; a channel change moves none (virtio) */
};

enum driver_flag {
	/* a channel change ... */
	DRIVER_CHANNELS_IRQS = 1 << 0,     /* re-creates IRQs or rewrites their masks */
	DRIVER_CHANNELS_XPS = 1 << 1,      /* rewrites XPS masks */
	DRIVER_CHANNELS_COALESCE = 1 << 2, /* puts coalescing back to the default */
	DRIVER_CHANNELS_RSS = 1 << 3,      /* spreads the RSS table anew even if a user set it */
	DRIVER_CHANNELS_CAPPED = 1 << 6,   /* gives no more than CPUs are online, without a word */
	DRIVER_CHANNELS_FIXED = 1 << 8,    /* is not possible; only the refusal tells */
	/* with one vector for both directions of a channel tx-usecs reads 0, and can't be set */
	DRIVER_PAIRED_COALESCE = 1 << 10,
	/* adaptive coalescing that goes off puts the times and frames of its direction back to
	 * the default */
	DRIVER_ADAPTIVE_COALESCE = 1 << 7,
	/* rings, MTU, offloads that reset the device ... */
	DRIVER_RESET_IRQS = 1 << 4, /* apply the driver's affinity hint again */
	DRIVER_RESET_RSS = 1 << 9,  /* spread the RSS table anew even if a user set it */
	/* what receive rings are a multiple of grows with the MTU; they are rounded anew with each
	 * change of any ring, not with the MTU */
	DRIVER_RINGS_BY_MTU = 1 << 5,
	/* with autonegotiation of pause frames on, rx and tx read what was negotiated; what is asked
	 * of them is acknowledged, resets the link, and has no effect */
	DRIVER_PAUSE_NEGOTIATED = 1 << 11,
	/* each time the link comes up they are negotiated, also with autonegotiation off */
	DRIVER_RESET_PAUSE = 1 << 12,
};

struct driver {
	const char *name; /* NULL: the cautious default */
	struct rounding rings;
	/* enum interrupts, the most that a change of the phase may do; PHASE_OFFLOADS: of the
	 * features that are not in resetting_offloads, which interrupt the link */
	uint8_t interrupts[PHASE_MAX];
	unsigned flags; /* enum driver_flag */
	enum vectors vectors;
	const char *const *resetting_offloads; /* feature names whose change resets the adapter,
						  NULL-ended; NULL = none known */
};

/* Never NULL: the row of the cautious default for NULL and unknown names. */
const struct driver *driver_find(const char *name);
/* False for the cautious default. */
bool driver_is_known(const struct driver *driver);
/* The rule for rings that take packets of this size in, 0 = of any size. */
struct rounding driver_rx_rounding(const struct driver *driver, uint64_t mtu);
/* The size that the driver makes of `wanted`; `wanted` itself if its rule is not known. */
uint64_t driver_round(const struct rounding *rounding, uint64_t wanted, uint64_t max);
const char *interrupts_name(enum interrupts interrupts); /* "none", "queue", "link" */

/* What a vector serves, from the name of its handler. */
enum vector_role { VECTOR_RX, VECTOR_TX, VECTOR_RXTX, VECTOR_OTHER };
/*
 * Role and queue index from an IRQ action name of any driver of the table in the kernel's
 * drivers/net ("eth0-TxRx-3", "mlx5_comp3@pci:0000:01:00.0", "virtio1-input.0"). VECTOR_OTHER and
 * index 0 for names that are no data vector ("eth0", "ena-mgmnt@pci:...", "i40e-...:misc").
 */
enum vector_role vector_parse(const char *action, unsigned *ret_index);

#endif
