/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of a value that was asked for.
 */
#ifndef NETTUNE_CORE_VERDICT_H
#define NETTUNE_CORE_VERDICT_H

#include <stdbool.h>

enum verdict {
	VERDICT_NONE, /* not judged yet */
	VERDICT_EXACT,
	VERDICT_ROUNDED,
	VERDICT_CLAMPED,
	VERDICT_REDUCED,
	VERDICT_IGNORED,
	VERDICT_REFUSED,
	VERDICT_UNSUPPORTED,
	VERDICT_MANAGED,
	VERDICT_HELD,
	VERDICT_DEFERRED,
	VERDICT_GONE,
	VERDICT_DRIFTED,
	VERDICT_MAX
};
const char *verdict_name(enum verdict verdict);
enum verdict verdict_of_name(const char *name); /* VERDICT_MAX if unknown */
/* The state is as wished or as the kind's rule allows. */
bool verdict_is_good(enum verdict verdict);

#endif
