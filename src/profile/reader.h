/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What reading one YAML file carries along: where its texts live and where its mistakes go. All
 * mistakes of a file are collected; nothing stops at the first.
 */
#ifndef NETTUNE_PROFILE_READER_H
#define NETTUNE_PROFILE_READER_H

#include "profile/node.h"
#include "util/arena.h"
#include "util/error.h"

struct reader {
	struct arena *arena;
	struct diags *diags;
	size_t first; /* index in diags of the first finding about this file */
};

struct reader reader_make(struct arena *arena, struct diags *diags);
/* A mistake at this place; hint: what to do instead, or NULL. */
void reader_error(const struct reader *reader, const struct pos *pos, const char *id,
	const char *hint, const char *format, ...) PRINTF_LIKE(5, 6);
void reader_warning(const struct reader *reader, const struct pos *pos, const char *id,
	const char *hint, const char *format, ...) PRINTF_LIKE(5, 6);
/* What a kind has found. */
void reader_refused(const struct reader *reader, const struct pos *pos, const char *id,
	const struct error *error);
/* A key that does not belong into the mapping called `where`; `words` do. */
void reader_unknown_key(const struct reader *reader, const struct node *entry, const char *where,
	const char *const *words);
/* A word of the format that this version knows and does not have. */
void reader_not_supported(const struct reader *reader, const struct pos *pos, const char *what);
/* The same setting a second time. */
void reader_duplicate(const struct reader *reader, const struct pos *pos, const struct pos *first,
	const char *key);
/* So many findings that no more are taken: no need to read on. */
bool reader_is_full(const struct reader *reader);
/* Puts the findings into the order of the file. 0, -EINVAL if one is an error, -ENOMEM. */
int reader_finish(const struct reader *reader);

int pos_compare(const struct pos *a, const struct pos *b);

#endif
