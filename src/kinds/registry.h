/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All kinds, in the order of their phases. A new kind is one file and one line in registry.c.
 */
#ifndef NETTUNE_KINDS_REGISTRY_H
#define NETTUNE_KINDS_REGISTRY_H

#include "core/kind.h"

extern const struct kind *const kinds[]; /* NULL-ended */

extern const struct kind kind_channels, kind_coalesce, kind_irq_affinity, kind_mtu, kind_offloads,
	kind_rings, kind_rps, kind_rss, kind_sysctl, kind_xps;

#endif
