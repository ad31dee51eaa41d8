/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of small numbers and their two kernel spellings. The grammar of lists is the one of
 * bitmap_parselist(), without its words and its blanks inside; masks are more liberal than
 * bitmap_parse(), which wants a comma every eight digits and refuses words beyond nr_cpu_ids.
 */
#include "util/cpuset.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORD_BITS  64
#define WORDS      (CPUSET_MAX / WORD_BITS)
#define GROUP_BITS 32
#define GROUPS     (CPUSET_MAX / GROUP_BITS)

void cpuset_clear(struct cpuset *set)
{
	memset(set, 0, sizeof(*set));
}

void cpuset_add(struct cpuset *set, unsigned number)
{
	set->bits[number / WORD_BITS] |= UINT64_C(1) << number % WORD_BITS;
}

void cpuset_remove(struct cpuset *set, unsigned number)
{
	set->bits[number / WORD_BITS] &= ~(UINT64_C(1) << number % WORD_BITS);
}

bool cpuset_has(const struct cpuset *set, unsigned number)
{
	return number < CPUSET_MAX && set->bits[number / WORD_BITS] >> number % WORD_BITS & 1;
}

bool cpuset_is_empty(const struct cpuset *set)
{
	for (size_t i = 0; i < WORDS; i++) {
		if (set->bits[i])
			return false;
	}
	return true;
}

bool cpuset_equal(const struct cpuset *a, const struct cpuset *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

bool cpuset_is_subset(const struct cpuset *inner, const struct cpuset *outer)
{
	for (size_t i = 0; i < WORDS; i++) {
		if (inner->bits[i] & ~outer->bits[i])
			return false;
	}
	return true;
}

void cpuset_and(struct cpuset *set, const struct cpuset *other)
{
	for (size_t i = 0; i < WORDS; i++)
		set->bits[i] &= other->bits[i];
}

void cpuset_or(struct cpuset *set, const struct cpuset *other)
{
	for (size_t i = 0; i < WORDS; i++)
		set->bits[i] |= other->bits[i];
}

void cpuset_subtract(struct cpuset *set, const struct cpuset *other)
{
	for (size_t i = 0; i < WORDS; i++)
		set->bits[i] &= ~other->bits[i];
}

unsigned cpuset_count(const struct cpuset *set)
{
	unsigned count = 0;

	for (size_t i = 0; i < WORDS; i++)
		count += (unsigned)__builtin_popcountll(set->bits[i]);
	return count;
}

unsigned cpuset_last(const struct cpuset *set)
{
	for (unsigned i = WORDS; i-- > 0;) {
		if (set->bits[i])
			return i * WORD_BITS + 63 - (unsigned)__builtin_clzll(set->bits[i]);
	}
	return 0;
}

int cpuset_nth(const struct cpuset *set, unsigned n)
{
	for (unsigned i = 0; i < WORDS; i++) {
		uint64_t word = set->bits[i];
		unsigned count = (unsigned)__builtin_popcountll(word);

		if (n >= count) {
			n -= count;
			continue;
		}
		for (; n > 0; n--)
			word &= word - 1;
		return (int)(i * WORD_BITS + (unsigned)__builtin_ctzll(word));
	}
	return -1;
}

/* Without the blanks and the newline around it. */
static const char *strip(const char *text, size_t *ret_length)
{
	size_t n;

	while (isspace((unsigned char)*text))
		text++;
	for (n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]);)
		n--;
	*ret_length = n;
	return text;
}

/* "first-last:used/group": of each `group` numbers the first `used`. */
struct region {
	uint32_t first, last, used, group;
};

/* Digits without leading zeros; too large ones become UINT32_MAX, which no check lets pass. */
static bool eat_number(const char **p, const char *end, uint32_t *ret)
{
	const char *start = *p;
	uint64_t number = 0;

	for (; *p < end && **p >= '0' && **p <= '9'; ++*p)
		number = MIN(number * 10 + (uint64_t)(**p - '0'), (uint64_t)UINT32_MAX);
	*ret = (uint32_t)number;
	return *p > start && (*start != '0' || *p == start + 1);
}

static bool eat_char(const char **p, const char *end, char c)
{
	if (*p == end || **p != c)
		return false;
	++*p;
	return true;
}

static bool eat_region(const char **p, const char *end, struct region *ret)
{
	if (!eat_number(p, end, &ret->first))
		return false;
	ret->last = ret->first;
	ret->used = ret->group = 1;
	if (!eat_char(p, end, '-'))
		return true;
	if (!eat_number(p, end, &ret->last))
		return false;
	if (!eat_char(p, end, ':'))
		return true;
	return eat_number(p, end, &ret->used) && eat_char(p, end, '/') &&
	       eat_number(p, end, &ret->group);
}

static int region_check(const struct region *region)
{
	if (region->first > region->last || region->group == 0 || region->used > region->group)
		return -EINVAL;
	return region->last >= CPUSET_MAX ? -ERANGE : 0;
}

static void region_add(struct cpuset *set, const struct region *region)
{
	for (uint32_t i = region->first; i <= region->last; i++) {
		if ((i - region->first) % region->group < region->used)
			cpuset_add(set, i);
	}
}

int cpuset_parse_list(const char *text, struct cpuset *ret)
{
	struct cpuset set = {};
	struct region region;
	const char *p, *end;
	size_t length;
	bool over = false;

	p = strip(text, &length);
	end = p + length;
	while (p < end) {
		int r;

		if (!eat_region(&p, end, &region))
			return -EINVAL;
		r = region_check(&region);
		if (r == -EINVAL)
			return r;
		if (r == 0)
			region_add(&set, &region);
		over |= r == -ERANGE;
		if (p < end && (!eat_char(&p, end, ',') || p == end))
			return -EINVAL;
	}
	if (over)
		return -ERANGE;
	*ret = set;
	return 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* One group of hex digits, whose last digit stands for the bits from `base` on. */
static int group_parse(const char *digits, size_t n, size_t base, struct cpuset *set)
{
	int r = n ? 0 : -EINVAL;

	for (size_t i = 0; i < n; i++) {
		int digit = hex_digit(digits[n - 1 - i]);
		size_t bit = base + 4 * i;

		if (digit < 0)
			return -EINVAL;
		if (digit && bit >= CPUSET_MAX)
			r = -ERANGE;
		else if (digit)
			set->bits[bit / WORD_BITS] |= (uint64_t)digit << bit % WORD_BITS;
	}
	return r;
}

int cpuset_parse_mask(const char *text, struct cpuset *ret)
{
	struct cpuset set = {};
	size_t length, base = 0;
	bool over = false;
	const char *start = strip(text, &length), *end = start + length;
	bool grouped = memchr(start, ',', length);

	if (length > 2 && start[0] == '0' && (start[1] == 'x' || start[1] == 'X'))
		start += 2;
	for (;;) {
		const char *comma = memrchr(start, ',', (size_t)(end - start));
		const char *digits = comma ? comma + 1 : start;
		size_t n = (size_t)(end - digits);
		int r;

		if (grouped && n > GROUP_BITS / 4)
			return -EINVAL;
		r = group_parse(digits, n, base, &set);
		if (r == -EINVAL)
			return r;
		over |= r == -ERANGE;
		if (!comma)
			break;
		end = comma;
		base += GROUP_BITS;
	}
	if (over)
		return -ERANGE;
	*ret = set;
	return 0;
}

/* The end of the run of members that starts at `first`. */
static unsigned run_end(const struct cpuset *set, unsigned first)
{
	while (cpuset_has(set, first + 1))
		first++;
	return first;
}

const char *cpuset_format_list(struct arena *arena, const struct cpuset *set)
{
	char text[CPUSET_MAX * 4]; /* at worst pairs: "8189-8190," for three numbers */
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < CPUSET_MAX; i++) {
		unsigned last;

		if (!cpuset_has(set, i))
			continue;
		last = run_end(set, i);
		n += (size_t)snprintf(text + n, sizeof(text) - n, n ? ",%u" : "%u", i);
		if (last > i)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "-%u", last);
		i = last;
	}
	return arena_strdup(arena, text);
}

const char *cpuset_format_mask(struct arena *arena, const struct cpuset *set)
{
	char text[GROUPS * 9 + 1];
	size_t n = 0;

	for (unsigned i = cpuset_last(set) / GROUP_BITS + 1; i-- > 0;) {
		uint32_t group = (uint32_t)(set->bits[i / 2] >> i % 2 * GROUP_BITS);

		n += (size_t)snprintf(
			text + n, sizeof(text) - n, n ? ",%08" PRIx32 : "%" PRIx32, group);
	}
	return arena_strdup(arena, text);
}
