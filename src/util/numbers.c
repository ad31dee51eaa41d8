/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers, quantities with units, and the nearest word to a mistyped one. Suffixes are exact: what
 * is close to one (k, MB, mbit) means different things to different tools and is refused.
 */
#include "util/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

enum sort { SORT_COUNT, SORT_BYTES, SORT_RATE, SORT_TIME };

/* Grouped by sort, ascending. Times are in microseconds. */
static const struct suffix {
	const char *name;
	enum sort sort;
	uint64_t factor;
} suffixes[] = {
	{.name = "B", .sort = SORT_BYTES, .factor = 1},
	{.name = "KiB", .sort = SORT_BYTES, .factor = UINT64_C(1) << 10},
	{.name = "MiB", .sort = SORT_BYTES, .factor = UINT64_C(1) << 20},
	{.name = "GiB", .sort = SORT_BYTES, .factor = UINT64_C(1) << 30},
	{.name = "TiB", .sort = SORT_BYTES, .factor = UINT64_C(1) << 40},
	{.name = "bit", .sort = SORT_RATE, .factor = 1},
	{.name = "Kbit", .sort = SORT_RATE, .factor = 1000},
	{.name = "Mbit", .sort = SORT_RATE, .factor = 1000000},
	{.name = "Gbit", .sort = SORT_RATE, .factor = 1000000000},
	{.name = "Tbit", .sort = SORT_RATE, .factor = 1000000000000},
	{.name = "us", .sort = SORT_TIME, .factor = 1},
	{.name = "ms", .sort = SORT_TIME, .factor = 1000},
	{.name = "s", .sort = SORT_TIME, .factor = 1000000},
};

static const struct {
	enum sort sort;
	uint64_t base; /* factor of a number without suffix */
} units[] = {
	[UNIT_NONE] = {.sort = SORT_COUNT, .base = 1},
	[UNIT_BYTES] = {.sort = SORT_BYTES, .base = 1},
	[UNIT_RATE] = {.sort = SORT_RATE, .base = 1},
	[UNIT_USECS] = {.sort = SORT_TIME, .base = 1},
	[UNIT_SECONDS] = {.sort = SORT_TIME, .base = 1000000},
};

/* The digits at the start of text, *ret_end behind them. */
static int digits_parse(const char *text, const char **ret_end, uint64_t *ret)
{
	uint64_t number = 0;
	bool over = false;
	const char *p;

	for (p = text; *p >= '0' && *p <= '9'; p++) {
		over |= __builtin_mul_overflow(number, 10, &number);
		over |= __builtin_add_overflow(number, (uint64_t)(*p - '0'), &number);
	}
	if (p == text || (*text == '0' && p > text + 1))
		return -EINVAL;
	*ret_end = p;
	*ret = number;
	return over ? -ERANGE : 0;
}

int number_parse(const char *text, uint64_t *ret)
{
	const char *end = text;
	uint64_t number;
	int r = digits_parse(text, &end, &number);

	if (r == -EINVAL || *end)
		return -EINVAL;
	if (r == 0)
		*ret = number;
	return r;
}

static const struct suffix *suffix_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		if (strcmp(suffixes[i].name, name) == 0)
			return &suffixes[i];
	}
	return NULL;
}

/* number * factor / base, where one of factor and base divides the other. */
static int scale(uint64_t number, uint64_t factor, uint64_t base, uint64_t *ret)
{
	if (factor >= base)
		return __builtin_mul_overflow(number, factor / base, ret) ? -ERANGE : 0;
	if (number % (base / factor))
		return -EDOM;
	*ret = number / (base / factor);
	return 0;
}

int quantity_parse(const char *text, enum unit unit, uint64_t *ret)
{
	const struct suffix *suffix;
	const char *end = text;
	uint64_t number;
	int r = digits_parse(text, &end, &number);

	if (r == -EINVAL)
		return r;
	if (!*end) {
		if (r == 0)
			*ret = number;
		return r;
	}
	suffix = suffix_find(end);
	if (!suffix)
		return -EINVAL;
	if (suffix->sort != units[unit].sort)
		return -EDOM;
	if (r == 0)
		r = scale(number, suffix->factor, units[unit].base, &number);
	if (r == 0)
		*ret = number;
	return r;
}

const char *bytes_format(struct arena *arena, uint64_t bytes)
{
	const struct suffix *best = NULL;

	for (size_t i = 0; bytes && i < ARRAY_SIZE(suffixes); i++) {
		if (suffixes[i].sort == SORT_BYTES && bytes % suffixes[i].factor == 0)
			best = &suffixes[i];
	}
	if (!best || best->factor == 1)
		return arena_printf(arena, "%" PRIu64, bytes);
	return arena_printf(
		arena, "%" PRIu64 " (%" PRIu64 " %s)", bytes, bytes / best->factor, best->name);
}

#define WORD_MAX 48

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Damerau-Levenshtein with neighbours swapped at most once; case does not count. */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t rows[3][WORD_MAX + 1]; /* i - 2, i - 1 and i, each modulo 3 */

	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			bool same = same_letter(a[i - 1], b[j - 1]);

			row[j] = MIN(above[j], row[j - 1]) + 1;
			row[j] = MIN(row[j], above[j - 1] + (same ? 0 : 1));
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
				same_letter(a[i - 2], b[j - 1]))
				row[j] = MIN(row[j], before[j - 2] + 1);
		}
	}
	return rows[na % 3][nb];
}

const char *nearest_word(const char *word, const char *const *words)
{
	size_t length = strlen(word), best = MAX((size_t)1, length / 3) + 1;
	const char *nearest = NULL;

	if (length < 2 || length > WORD_MAX)
		return NULL;
	for (; *words; words++) {
		size_t n = strlen(*words), distance;

		if (n > WORD_MAX)
			continue;
		distance = edit_distance(word, length, *words, n);
		if (distance < best) {
			best = distance;
			nearest = *words;
		}
	}
	return nearest;
}
