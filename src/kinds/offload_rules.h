/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which feature needs or excludes which: the rules of netdev_fix_features() in net/core/dev.c that
 * hold for every device, and those of single drivers in their ndo_fix_features. A bit that is wanted against a rule stays wanted and is kept off.
 */
#ifndef NETTUNE_KINDS_OFFLOAD_RULES_H
#define NETTUNE_KINDS_OFFLOAD_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* What is known of a bit: on, off, or neither. */
enum bit_state { BIT_UNKNOWN, BIT_OFF, BIT_ON };
typedef enum bit_state bit_lookup(const void *data, const char *bit);

/*
 * The bit that keeps `bit` off: one that it needs and that is off (of several, all are), or one
 * that excludes it and is on. NULL if there is none; *ret_excludes tells which. driver NULL: by the
 * rules that hold for all.
 */
const char *offload_held_by(const char *driver, const char *bit, bit_lookup *lookup,
	const void *data, bool *ret_excludes);
/* Some rule lets `bit` depend on `other`. */
bool offload_depends_on(const char *bit, const char *other);

#endif
