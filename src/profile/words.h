/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NULL-ended lists of words, in messages.
 */
#ifndef NETTUNE_PROFILE_WORDS_H
#define NETTUNE_PROFILE_WORDS_H

#include "util/arena.h"

#include <stdbool.h>

/* "did you mean rx?", "one of rx or tx" where the list is short, or NULL. In the arena. */
const char *suggest(struct arena *arena, const char *word, const char *const *words);
/* "a", "a or b", "a, b or c" of a NULL-ended list. In the arena. */
const char *join_words(struct arena *arena, const char *const *words);
bool is_one_of(const char *word, const char *const *words);

#endif
