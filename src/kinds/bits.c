/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bits of a device, by name: the changes of one step go over in one message.
 */
#include "kinds/bits.h"

#include <errno.h>

enum { CHANGES_MAX = 192 /* bits of one device; Linux 6.18 has 64 features */ };

int bits_write(struct kernel *kernel, struct change *const *v, size_t n, bits_set *set,
	struct error *error)
{
	struct bit_change changes[CHANGES_MAX] = {{0}};
	const struct address *at = &v[0]->at;
	int r;

	if (n > CHANGES_MAX)
		return error_set(error, ERROR_FAILED, E2BIG, "%zu changes in one step", n);
	for (size_t i = 0; i < n; i++)
		changes[i] = (struct bit_change){
			.name = v[i]->at.key,
			.on = v[i]->wanted.number,
		};
	r = set(kernel, at->target.link, changes, n, error);
	if (r < 0 && error)
		error_prefix(error, "%s/%s.%s = %s%s", at->target.link->name, at->kind->name,
			at->key, value_text(&v[0]->wanted), n > 1 ? " and more" : "");
	return r;
}
