/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking up kinds and the rows of their tables.
 */
#include "core/kind.h"

#include <string.h>

const struct field *kind_field(const struct kind *kind, const char *name)
{
	const struct field *open = NULL;

	for (const struct field *field = kind->fields; field && field->name; field++) {
		if (field->flags & FIELD_OPEN)
			open = field;
		else if (strcmp(field->name, name) == 0)
			return field;
	}
	return open;
}

const struct kind *kind_find(const struct kind *const *kinds, const char *name)
{
	for (; *kinds; kinds++) {
		if (strcmp((*kinds)->name, name) == 0)
			return *kinds;
	}
	return NULL;
}
