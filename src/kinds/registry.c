/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds in the order of their phases. The order of this table is the order of `nettune show`
 * and of the manual; execution goes by phase.
 */
#include "kinds/registry.h"

#include <stddef.h>

const struct kind *const kinds[] = {
	&kind_sysctl,
	&kind_channels,
	&kind_mtu,
	&kind_rings,
	&kind_offloads,
	&kind_coalesce,
	&kind_rss,
	&kind_irq_affinity,
	&kind_xps,
	&kind_rps,
	NULL,
};
