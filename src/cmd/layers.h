/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saying on which layer of a stack of links a setting acts.
 */
#ifndef NETTUNE_CMD_LAYERS_H
#define NETTUNE_CMD_LAYERS_H

#include "engine/run.h"

/*
 * The kernel takes offloads of a bond, and the like, without a word and leaves the ports as they
 * are: one note for each such link. And a warning for a bond whose MTU resets several ports at once.
 */
int layers_note(const struct run *run, const struct plan *plan, struct diags *diags);

#endif
