/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words for what became of a change, and for where it came from.
 */
#include "core/plan.h"

#include "util/macros.h"

#include <string.h>

static const char *const verdict_names[] = {
	[VERDICT_NONE] = "none",
	[VERDICT_EXACT] = "exact",
	[VERDICT_ROUNDED] = "rounded",
	[VERDICT_CLAMPED] = "clamped",
	[VERDICT_REDUCED] = "reduced",
	[VERDICT_IGNORED] = "ignored",
	[VERDICT_REFUSED] = "refused",
	[VERDICT_UNSUPPORTED] = "unsupported",
	[VERDICT_MANAGED] = "managed",
	[VERDICT_HELD] = "held",
	[VERDICT_DEFERRED] = "deferred",
	[VERDICT_GONE] = "gone",
	[VERDICT_DRIFTED] = "drifted",
};
_Static_assert(ARRAY_SIZE(verdict_names) == VERDICT_MAX, "a name for each verdict");

static const char *const origin_names[] = {
	[ORIGIN_PROFILE] = "profile",
	[ORIGIN_CARRIED] = "carried",
	[ORIGIN_RESTORE] = "restore",
	[ORIGIN_UNBLOCK] = "unblock",
};

const char *verdict_name(enum verdict verdict)
{
	return verdict_names[verdict];
}

enum verdict verdict_of_name(const char *name)
{
	for (unsigned i = 0; i < VERDICT_MAX; i++) {
		if (strcmp(verdict_names[i], name) == 0)
			return (enum verdict)i;
	}
	return VERDICT_MAX;
}

bool verdict_is_good(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_EXACT:
	case VERDICT_ROUNDED:
	case VERDICT_CLAMPED:
	case VERDICT_REDUCED:
		return true;
	default:
		return false;
	}
}

const char *origin_name(enum origin origin)
{
	return origin_names[origin];
}
