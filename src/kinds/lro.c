/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Large receive offload in a stack of links: netdev_sync_lower_features() and dev_disable_lro() in
 * net/core/dev.c take the wish for it from every device below.
 */
#include "kinds/lro.h"

#include "kinds/registry.h"

static void switch_off(const struct link *link, struct state *model)
{
	struct observed *o = state_get(model, &kind_offloads, link, PART_WHOLE, 0, "rx-lro");

	if (!o || !o->value.number)
		return;
	o->value = o->active = value_bool(false);
	o->follows = true;
}

static void switch_off_below(
	const struct host *host, const struct link *link, size_t depth, struct state *model)
{
	for (size_t i = 0; depth && i < host->nlinks; i++) {
		const struct link *below = host->links[i];

		if (below->master != link->ifindex && link->lower != below->ifindex)
			continue;
		switch_off(below, model);
		switch_off_below(host, below, depth - 1, model);
	}
}

void lro_switch_off(const struct host *host, const struct link *link, struct state *model)
{
	enum { DEPTH = 8 /* MAX_NEST_DEV of the kernel */ };

	switch_off(link, model);
	switch_off_below(host, link, DEPTH, model);
}
