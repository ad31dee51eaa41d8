/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind the colon of a profile's setting. Evaluated by the kinds during expansion,
 * against limits and facts, never while reading the file.
 */
#ifndef NETTUNE_CORE_EXPR_H
#define NETTUNE_CORE_EXPR_H

#include "core/value.h"
#include "util/error.h"

#include <stddef.h>

enum expr_op {
	EXPR_LITERAL, /* value */
	EXPR_WORD,    /* name: max, keep, none, all, local, spread ... */
	EXPR_LIST     /* arg[]: a YAML sequence */
};

struct expr {
	enum expr_op op;
	struct pos pos;
	struct value value;
	const char *name;
	const struct expr *const *arg;
	size_t nargs;
};

/* True for the word `name`. */
bool expr_is_word(const struct expr *expr, const char *name);
/* The expression as in the profile ("max", "4096 131072 6291456"). In the arena. */
const char *expr_text(struct arena *arena, const struct expr *expr);

#endif
