/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the writers and readers of JSON share. A JSON string can't hold bytes that are not UTF-8:
 * such a byte becomes \xNN, and a backslash two, so that every C string comes back as it was.
 *
 * Functions that return a json_t return NULL when there is no memory; those that take one take
 * the reference, and pass a NULL on, so that only the last caller has to look.
 */
#ifndef NETTUNE_FORMAT_JSON_H
#define NETTUNE_FORMAT_JSON_H

#include "util/arena.h"
#include "util/macros.h"

#include <jansson.h>
#include <stdio.h>

json_t *text_to_json(const char *text); /* NULL becomes null */
/* The string behind it, in the arena; -EINVAL for a backslash that starts no escape. */
int text_of_json(struct arena *arena, const char *encoded, const char **ret) MUST_CHECK;

/* The object with one more member. */
json_t *json_with(json_t *object, const char *key, json_t *value) MUST_CHECK;
/* The array with one more element. */
json_t *json_append(json_t *array, json_t *value) MUST_CHECK;

/* The value in one line with its newline, malloc'ed. Releases it. */
char *json_to_line(json_t *value);
/* The value as a document of its own. Releases it. -ENOMEM for NULL, or -errno of the stream. */
int json_print(FILE *stream, json_t *document);

static inline void cleanup_json(json_t **value)
{
	json_decref(*value);
}

#define CLEANUP_JSON CLEANUP(cleanup_json)

#endif
