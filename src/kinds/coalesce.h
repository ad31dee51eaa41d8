/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Coalescing where one interrupt serves both directions of a channel: some drivers then have one
 * time for both, and neither show nor take that of transmission (igb_ethtool.c, ixgbe_ethtool.c).
 */
#ifndef NETTUNE_KINDS_COALESCE_H
#define NETTUNE_KINDS_COALESCE_H

#include "core/kind.h"

/* Marks tx-usecs of the link, where the state has it, as it is with paired vectors or without. */
void coalesce_set_paired(struct state *state, const struct link *link, bool paired);

#endif
