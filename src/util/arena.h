/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One arena per run owns every string, tree and array of the data model; nothing in it is freed
 * singly. Running out of memory is sticky, as with stdio: strings become "", arrays do not grow,
 * and the caller at the end of a piece of work asks arena_failed() once.
 */
#ifndef NETTUNE_UTIL_ARENA_H
#define NETTUNE_UTIL_ARENA_H

#include "util/macros.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t total;               /* bytes handed out */
	bool failed;                /* an allocation has failed since arena_init() */
};

void arena_init(struct arena *arena);
void arena_done(struct arena *arena);

/* Zeroed, aligned for any type; NULL (and the arena marked as failed) when there is no memory. */
void *arena_alloc(struct arena *arena, size_t size) MUST_CHECK;

/* Never NULL: "" (and the arena marked as failed) when there is no memory. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);

/*
 * Makes sure that the next `size` bytes can be handed out without asking the system; what is not a
 * string counts rounded up to 16. -ENOMEM.
 */
int arena_reserve(struct arena *arena, size_t size) MUST_CHECK;

static inline bool arena_failed(const struct arena *arena)
{
	return arena->failed;
}

/*
 * Room for one more element of `size` bytes in the array *v of *cap elements, of which n are in
 * use. 0 or -ENOMEM; the array may move.
 */
int arena_grow(struct arena *arena, void *v, size_t *cap, size_t n, size_t size) MUST_CHECK;

#define ARENA_NEW(arena, type)      ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, n, type) ((type *)arena_alloc((arena), (n) * sizeof(type)))

#endif
