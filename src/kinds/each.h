/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing the changes of a step one by one, each with an answer of its own.
 */
#ifndef NETTUNE_KINDS_EACH_H
#define NETTUNE_KINDS_EACH_H

#include "core/kind.h"

typedef int change_write(
	struct kernel *kernel, const struct change *change, const void *data, struct error *error);
/* Each with one(), also after a failure, which is noted at its change. Returns the first one. */
int each_write(struct kernel *kernel, struct change *const *v, size_t n, change_write *one,
	const void *data, struct error *error);

#endif
