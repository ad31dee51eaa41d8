/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Large receive offload in a stack of links, which is no matter of one link alone.
 */
#ifndef NETTUNE_KINDS_LRO_H
#define NETTUNE_KINDS_LRO_H

#include "core/host.h"
#include "core/setting.h"

/* Goes off on the link and on all below it, which do not want it any more either: switching it on
 * above does not bring it back. */
void lro_switch_off(const struct host *host, const struct link *link, struct state *model);

#endif
