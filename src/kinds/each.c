/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing the changes of a step one by one: files, and parameters of which the kernel does not say
 * which one it refused.
 */
#include "kinds/each.h"

#include "kernel/kernel.h"

int each_write(struct kernel *kernel, struct change *const *v, size_t n, change_write *one,
	const void *data, struct error *error)
{
	int first = 0;

	for (size_t i = 0; i < n; i++) {
		struct error failure;
		int r = one(kernel, v[i], data, &failure);

		if (r >= 0)
			continue;
		v[i]->err = -r;
		v[i]->error = arena_strdup(kernel->arena, failure.msg);
		if (!first && error)
			*error = failure;
		first = first ? first : r;
	}
	return first;
}
