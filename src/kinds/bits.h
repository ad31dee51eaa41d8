/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing kinds whose settings are the bits of one word of the device: features, private flags.
 */
#ifndef NETTUNE_KINDS_BITS_H
#define NETTUNE_KINDS_BITS_H

#include "core/kind.h"
#include "kernel/ethtool.h"

typedef int bits_set(struct kernel *kernel, const struct link *link, const struct bit_change *v,
	size_t n, struct error *error);
/* All changes of a step by one call of set(); 0, or -errno and *error. */
int bits_write(struct kernel *kernel, struct change *const *v, size_t n, bits_set *set,
	struct error *error);

#endif
