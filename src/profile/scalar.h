/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single values of a YAML file: texts, switches, numbers. A text means the same with and without
 * quotes; where other YAML readers would take the unquoted one for something else, it is refused.
 */
#ifndef NETTUNE_PROFILE_SCALAR_H
#define NETTUNE_PROFILE_SCALAR_H

#include "profile/reader.h"

#include <stdint.h>

/* What other readers may take this for: "an octal number". NULL: all agree. */
const char *number_trap(const char *text);
const char *text_trap(const char *text); /* also "on", "null", "0x10", "2024-01-01" */
/* What to write instead of a number in a trap, or NULL. In the arena. */
const char *number_hint(struct arena *arena, const char *text);

/* on, off, true, false, yes, no in any case. */
bool parse_bool(const char *text, bool *ret);

/*
 * All below report a mistake, naming it `what`, and return false.
 * scalar_check: a single value that is neither missing nor null.
 */
bool scalar_check(const struct reader *reader, const struct node *node, const char *what);
bool scalar_text(
	const struct reader *reader, const struct node *node, const char *what, const char **ret);
/* One text or a sequence of them, NULL-ended. */
bool scalar_texts(const struct reader *reader, const struct node *node, const char *what,
	const char *const **ret);
bool scalar_bool(const struct reader *reader, const struct node *node, const char *what, bool *ret);
/* The text with all white space folded into single blanks: what people wrote for people. */
bool scalar_prose(
	const struct reader *reader, const struct node *node, const char *what, const char **ret);

#endif
