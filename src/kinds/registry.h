/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All kinds, in the order of their phases: kind_sysctl, kind_channels ... A new kind is one file
 * and one line here. This is the order of the manual, and within one phase that of execution:
 * a kind without a column of its own in the table of drivers takes the phase of the one before.
 */
#ifndef NETTUNE_KINDS_REGISTRY_H
#define NETTUNE_KINDS_REGISTRY_H

#include "core/kind.h"

#define KINDS(X)         \
	X(sysctl)        \
	X(private_flags) \
	X(channels)      \
	X(mtu)           \
	X(rings)         \
	X(offloads)      \
	X(coalesce)      \
	X(pause)         \
	X(rss)           \
	X(irq_affinity)  \
	X(xps)           \
	X(rps)

#define DECLARE(name) extern const struct kind kind_##name;
KINDS(DECLARE)
#undef DECLARE

extern const struct kind *const kinds[]; /* NULL-ended */

#endif
