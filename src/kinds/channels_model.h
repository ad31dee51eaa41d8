/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What else is different after a change of channels: queues and vectors with their settings,
 * coalescing, the RSS table. Pure.
 */
#ifndef NETTUNE_KINDS_CHANNELS_MODEL_H
#define NETTUNE_KINDS_CHANNELS_MODEL_H

#include "core/kind.h"

/* Queues of a link. A combined channel has one of each. */
struct queues {
	unsigned rx, tx, combined;
};
/* By the channel counts of the model. */
struct queues queues_of_model(const struct state *model, const struct link *link);

/* struct kind, project: of kind channels. */
void channels_project(const struct host *host, const struct change *change, struct state *model);

#endif
