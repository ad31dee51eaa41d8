/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What resets of the device do to flow control. Pure.
 */
#ifndef NETTUNE_KINDS_PAUSE_H
#define NETTUNE_KINDS_PAUSE_H

#include "core/setting.h"

/* The link comes up anew: with some drivers, rx and tx are then what the partner agrees to. */
void pause_forget(struct state *model, const struct link *link);

#endif
