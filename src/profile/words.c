/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which words there are, and which one may have been meant.
 */
#include "profile/words.h"

#include "util/numbers.h"

#include <string.h>

#define SHORT_LIST 8 /* so many words are all shown where none is near */

bool is_one_of(const char *word, const char *const *words)
{
	for (; words && *words; words++) {
		if (strcmp(word, *words) == 0)
			return true;
	}
	return false;
}

static size_t count_words(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

const char *join_words(struct arena *arena, const char *const *words)
{
	size_t n = count_words(words);
	const char *text = n ? words[0] : "";

	for (size_t i = 1; i < n; i++)
		text = arena_printf(arena, "%s%s%s", text, i + 1 < n ? ", " : " or ", words[i]);
	return text;
}

/* "speed" for "link-speed". */
static const char *word_around(const char *part, const char *const *words)
{
	for (; strlen(part) > 2 && *words; words++) {
		if (strstr(*words, part))
			return *words;
	}
	return NULL;
}

const char *suggest(struct arena *arena, const char *word, const char *const *words)
{
	const char *nearest = nearest_word(word, words);

	if (!nearest)
		nearest = word_around(word, words);

	if (nearest)
		return arena_printf(arena, "did you mean %s?", nearest);
	if (!words[0] || count_words(words) > SHORT_LIST)
		return NULL;
	return arena_printf(arena, "one of %s", join_words(arena, words));
}
