/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times for records and reports.
 */
#ifndef NETTUNE_UTIL_CLOCK_H
#define NETTUNE_UTIL_CLOCK_H

#include "util/arena.h"

/* Now, in UTC by RFC 3339: "2026-11-30T22:04:10Z". In the arena. */
const char *clock_text(struct arena *arena);

#endif
