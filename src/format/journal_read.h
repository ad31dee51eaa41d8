/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the two halves of the journal's reader: the records, and what plans and states in them
 * are made of.
 */
#ifndef NETTUNE_FORMAT_JOURNAL_READ_H
#define NETTUNE_FORMAT_JOURNAL_READ_H

#include "format/journal.h"
#include "format/json.h"

struct parser {
	const struct journal_reader *reader;
	struct journal *journal;
	struct arena *arena;
	struct error *error;
	unsigned seen; /* bits of enum record_type */
};

/* Fills the parser's error; returns -EINVAL. */
int parse_failed(const struct parser *p, const char *format, ...) PRINTF_LIKE(2, 3);
/* Like json_unpack() with all members required or marked optional, and none left over. */
int parse_members(const struct parser *p, json_t *object, const char *format, ...);
int parse_elements(const struct parser *p, json_t *array, size_t *ret);
/* A string; NULL stays NULL. */
int parse_text(const struct parser *p, const char *encoded, const char **ret);

/* A copy of an array with room for one more: of few elements. NULL: no memory. */
void *parse_grown(const struct parser *p, const void *v, size_t n, size_t size);

/* journal_head.c */
int parse_header(struct parser *p, json_t *record);
int parse_links(struct parser *p, json_t *record);
int parse_profile(struct parser *p, json_t *record);

/* journal_parts.c */
int parse_plan(const struct parser *p, json_t *record, struct plan *ret);
int parse_change(const struct parser *p, json_t *object, struct change *ret);
int parse_state(const struct parser *p, json_t *array, struct state *ret);
int parse_classification(const struct parser *p, json_t *array, struct classification *ret);
/* The results in a DONE record: for changes v[0 .. n). */
int parse_results(const struct parser *p, json_t *array, struct change *v, size_t n);

#endif
