/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ethernet flow control: ETHTOOL_MSG_PAUSE_GET and _SET (net/ethtool/pause.c), else
 * ETHTOOL_GPAUSEPARAM. The core hands all three to the driver as they are; what rx and tx mean
 * while autoneg is on is the driver's own business: with most they are what is offered to the
 * partner, with some (a flag in the table of drivers) what came of the negotiation.
 */
#include "kinds/pause.h"

#include "kinds/ethparam.h"
#include "kinds/registry.h"
#include "kinds/rss.h"

#include <linux/ethtool_netlink.h>
#include <stddef.h>
#include <string.h>

#define SWITCH(attr_name, member)                                                          \
	.type = VALUE_BOOL, .wire = {                                                      \
				    .attr = ETHTOOL_A_PAUSE_##attr_name,                   \
				    .offset = offsetof(struct ethtool_pauseparam, member), \
				    .width = 1,                                            \
	}

static const struct field fields[] = {
	{
		.name = "autoneg",
		.doc = "rx and tx are negotiated with the partner",
		.flags = FIELD_MODE,
		SWITCH(AUTONEG, autoneg),
	},
	{
		.name = "rx",
		.doc = "pause frames of the partner are obeyed",
		.moot = "autoneg",
		.moot_with = DRIVER_PAUSE_NEGOTIATED,
		SWITCH(RX, rx_pause),
	},
	{
		.name = "tx",
		.doc = "pause frames are sent when the receive buffer fills",
		.moot = "autoneg",
		.moot_with = DRIVER_PAUSE_NEGOTIATED,
		SWITCH(TX, tx_pause),
	},
	{},
};

/* Many drivers reset for it. */
static const struct effect effects[] = {
	{.kind = "irq-affinity", .on = REACH_SELF},
	{.kind = "coalesce", .on = REACH_SELF},
	{.kind = "rss", .on = REACH_SELF},
	{},
};

static const struct ethparam param = {
	.kind = &kind_pause,
	.get = ETHTOOL_MSG_PAUSE_GET,
	.set = ETHTOOL_MSG_PAUSE_SET,
	.ioctl_get = ETHTOOL_GPAUSEPARAM,
	.ioctl_set = ETHTOOL_SPAUSEPARAM,
	.ioctl_size = sizeof(struct ethtool_pauseparam),
	.whole = true,
};

/* autoneg goes off before the values, and comes on after them. */
static int rank(const struct address *at, const struct value *from, const struct value *to)
{
	if (!(kind_field(&kind_pause, at->key)->flags & FIELD_MODE))
		return 1;
	return to->number ? 2 : 0;
}

static struct observed *find(const struct state *model, const struct link *link, const char *key)
{
	return state_get(model, &kind_pause, link, PART_WHOLE, 0, key);
}

/* follows: it moves on purpose, and is not to be set again. */
static void forget(struct state *model, const struct link *link, bool follows)
{
	for (const struct field *f = fields; f->name; f++) {
		struct observed *o = find(model, link, f->name);

		if (!o || (f->flags & FIELD_MODE))
			continue;
		o->value = value_none();
		o->follows = follows;
	}
}

void pause_forget(struct state *model, const struct link *link)
{
	const struct observed *autoneg = find(model, link, "autoneg");

	if ((driver_find(link->driver)->flags & DRIVER_RESET_PAUSE) && link->up && autoneg &&
		!autoneg->value.number)
		forget(model, link, false);
}

/* What comes of a negotiation is seen when it is over. */
static void project(const struct host *host, const struct change *change, struct state *model)
{
	const struct link *link = change->at.target.link;
	const unsigned flags = driver_find(link->driver)->flags;

	if (flags & DRIVER_RESET_IRQS)
		model_forget(model, &kind_irq_affinity, link);
	if (flags & DRIVER_RESET_RSS)
		rss_forget(model, link);
	if ((flags & DRIVER_PAUSE_NEGOTIATED) && change->after.number &&
		strcmp(change->at.key, "autoneg") == 0)
		forget(model, link, true);
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	return ethparam_observe(&param, kernel, scope, ret, error);
}

static int write_pause(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	return ethparam_write(&param, kernel, v, n, error);
}

const struct kind kind_pause = {
	.name = "pause",
	.doc = "Ethernet flow control (pause frames) of a network device",
	.phase = PHASE_PAUSE,
	.settles = true,
	.fields = fields,
	.effects = effects,
	.expand = ethparam_expand,
	.project = project,
	.rank = rank,
	.observe = observe,
	.write = write_pause,
};
