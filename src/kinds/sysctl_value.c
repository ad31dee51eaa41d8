/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of sysctls: from a profile, from /proc/sys, and back. What the kernel would take for
 * something else is refused here (leading zeros are octal to it, a unit ends a number, a vector may
 * be too short); limits are left to the kernel, since they move from version to version.
 */
#include "kinds/sysctl.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LIST_MAX = 65536 /* ports; the longest bitmap that a sysctl shows as a list */ };

/* One value on its way from the profile. */
struct reading {
	struct arena *arena;
	const char *key;
	const struct sysctl_key *row;
	const char *text; /* as written */
	struct error *error;
};

static int refuse(const struct reading *r, const char *format, ...) PRINTF_LIKE(2, 3);

static int refuse(const struct reading *r, const char *format, ...)
{
	va_list args;
	const char *complaint;

	va_start(args, format);
	complaint = arena_vprintf(r->arena, format, args);
	va_end(args);
	return error_set(r->error, ERROR_DATA, EINVAL, "sysctl/%s = %s: %s", r->key,
		*r->text ? r->text : "\"\"", complaint);
}

/* The next word at *p, which moves behind it; NULL at the end. */
static const char *next_word(struct arena *arena, const char **p)
{
	const char *word = *p + strspn(*p, " \t\n");
	size_t length = strcspn(word, " \t\n");

	*p = word + length;
	return length ? arena_strndup(arena, word, length) : NULL;
}

bool sysctl_has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *p = words; (p = strstr(p, word)); p += length) {
		if ((p == words || p[-1] == ' ') && (p[length] == ' ' || !p[length]))
			return true;
	}
	return false;
}

static bool is_hex(const char *word)
{
	return word[0] == '0' && (word[1] == 'x' || word[1] == 'X') && word[2] &&
	       word[2 + strspn(word + 2, "0123456789abcdefABCDEF")] == '\0';
}

static int hex_word(const struct reading *r, const char *word, const char **ret)
{
	errno = 0;

	unsigned long long number = strtoull(word + 2, NULL, 16);

	if (errno)
		return refuse(r, "%s is too large", word);
	*ret = arena_printf(r->arena, "%llu", number);
	return 0;
}

static bool is_switch_word(const char *word)
{
	static const char *const words[] = {"on", "off", "true", "false", "yes", "no"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcasecmp(word, words[i]) == 0)
			return true;
	}
	return false;
}

/* One word as the kernel shall get it: numbers plain decimal, sizes in bytes. */
static int canonical_word(const struct reading *r, const char *word, const char **ret)
{
	const char *digits = word + (*word == '-');
	uint64_t number;
	int error;

	*ret = word;
	if (is_switch_word(word))
		return refuse(r, "sysctl booleans are 0 or 1");
	if (digits[0] == '0' && isdigit((unsigned char)digits[1]))
		return refuse(r,
			"a number with leading zeros is ambiguous: the kernel reads it as octal");
	if (is_hex(word))
		return hex_word(r, word, ret);
	error = digits > word ? number_parse(digits, &number)
			      : quantity_parse(digits, UNIT_BYTES, &number);
	if (error == -EDOM)
		return refuse(r,
			"write a plain number in the key's own unit; only sizes have a unit, as "
			"64KiB");
	if (error == -ERANGE)
		return refuse(r, "%s is too large", word);
	if (error < 0 && r->row->format == SYSCTL_NUMBERS)
		return refuse(r, "%s is no decimal number", word);
	if (error == 0 && digits == word)
		*ret = arena_printf(r->arena, "%" PRIu64, number);
	return 0;
}

static bool is_number_above(const char *a, const char *b)
{
	uint64_t left, right;

	return number_parse(a, &left) == 0 && number_parse(b, &right) == 0 && left > right;
}

static const char *count_text(const struct sysctl_key *row)
{
	switch (row->count) {
	case 1:
		return "one number is wanted";
	case 2:
		return "two numbers are wanted, with a blank between";
	default:
		return "three numbers are wanted, with blanks between";
	}
}

static int words_value(const struct reading *r, struct value *ret)
{
	const char *p = r->text, *last = NULL, *text = "", *word;
	unsigned n = 0;

	if (r->row->format == SYSCTL_NUMBERS && strchr(r->text, ','))
		return refuse(r, "%s", count_text(r->row));
	while ((word = next_word(r->arena, &p))) {
		if (canonical_word(r, word, &word) < 0)
			return -EINVAL;
		if (last && (r->row->traits & SYSCTL_ASCENDING) && is_number_above(last, word))
			return refuse(r, "the numbers must not fall (%s is above %s)", last, word);
		text = n++ ? arena_printf(r->arena, "%s %s", text, word) : word;
		last = word;
	}
	if (n == 0)
		return refuse(r, "the value is empty");
	if (r->row->format == SYSCTL_NUMBERS && n != r->row->count)
		return refuse(r, "%s", count_text(r->row));
	*ret = value_words(r->arena, text);
	return 0;
}

struct list {
	uint64_t bits[LIST_MAX / 64];
};

static bool list_has(const struct list *list, unsigned number)
{
	return number < LIST_MAX && list->bits[number / 64] >> number % 64 & 1;
}

/* Digits at *p, which moves behind them. */
static int list_number(const char **p, uint32_t *ret)
{
	uint32_t number = 0;

	if (!isdigit((unsigned char)**p))
		return -EINVAL;
	for (; isdigit((unsigned char)**p); ++*p) {
		number = number * 10 + (uint32_t)(**p - '0');
		if (number >= LIST_MAX)
			return -ERANGE;
	}
	*ret = number;
	return 0;
}

/* "3000-3002,8080"; blanks only around it. */
static int list_parse(const char *text, struct list *list)
{
	const char *p = text + strspn(text, " \t\n");
	size_t n = strlen(p);

	memset(list, 0, sizeof(*list));
	while (n > 0 && isspace((unsigned char)p[n - 1]))
		n--;
	for (const char *end = p + n; p < end;) {
		uint32_t first, last;
		int r = list_number(&p, &first);

		last = first;
		if (r == 0 && *p == '-') {
			p++;
			r = list_number(&p, &last);
		}
		if (r < 0 || last < first)
			return r < 0 ? r : -EINVAL;
		for (uint32_t i = first; i <= last; i++)
			list->bits[i / 64] |= UINT64_C(1) << i % 64;
		if (p < end && (*p++ != ',' || p == end))
			return -EINVAL;
	}
	return 0;
}

static struct value list_value_of(struct arena *arena, const struct list *list)
{
	enum { RUN_LENGTH = sizeof("65534-65535,") };
	size_t nruns = 0, n = 0;
	char *text;

	for (unsigned i = 0; i < LIST_MAX; i++)
		nruns += list_has(list, i) && !list_has(list, i + 1);
	text = arena_alloc(arena, nruns * RUN_LENGTH + 1);
	for (unsigned i = 0; text && i < LIST_MAX; i++) {
		unsigned first = i;

		if (!list_has(list, i))
			continue;
		while (list_has(list, i + 1))
			i++;
		n += (size_t)snprintf(text + n, RUN_LENGTH, n ? ",%u" : "%u", first);
		if (i > first)
			n += (size_t)snprintf(text + n, RUN_LENGTH, "-%u", i);
	}
	return (struct value){.type = VALUE_RANGES, .text = text ? text : ""};
}

static int list_value(const struct reading *r, struct value *ret)
{
	struct list list;
	int error = list_parse(strcmp(r->text, "none") == 0 ? "" : r->text, &list);

	if (error == -ERANGE)
		return refuse(r, "a number above %d", LIST_MAX - 1);
	if (error < 0)
		return refuse(r, "wanted numbers and ranges with a comma between, as "
				 "5000-5005,8080");
	*ret = list_value_of(r->arena, &list);
	return 0;
}

/*
 * The kernel's own spelling of a mask is hexadecimal without 0x, nettune's CPU sets are lists: what
 * could be either is refused.
 */
static int mask_value(const struct reading *r, struct value *ret)
{
	struct cpuset set;
	int error;

	cpuset_clear(&set);
	if (strncasecmp(r->text, "0x", 2) == 0)
		error = cpuset_parse_mask(r->text, &set);
	else if (strcmp(r->text, "none") == 0)
		error = 0;
	else if (strpbrk(r->text, "-,") && cpuset_parse_list(r->text, &set) != -EINVAL)
		error = cpuset_parse_list(r->text, &set);
	else if (*r->text && cpuset_parse_mask(r->text, &set) == 0 && cpuset_is_empty(&set))
		return refuse(r, "write none for no CPU, or 0x1 for CPU 0");
	else if (*r->text && cpuset_parse_mask(r->text, &set) == 0)
		return refuse(r, "write 0x%s for the mask, or the CPUs as a list (%s)", r->text,
			cpuset_format_list(r->arena, &set));
	else
		error = -EINVAL;
	if (error < 0)
		return refuse(r, "wanted CPUs as a list (0-3,8), a mask (0xf), or none");
	*ret = value_ranges(r->arena, &set);
	return 0;
}

/* A YAML list joined the way that the key's format wants. */
static const char *joined(struct arena *arena, const struct expr *expr, const char *separator)
{
	const char *text = "";

	if (expr->op != EXPR_LIST)
		return expr_text(arena, expr);
	for (size_t i = 0; i < expr->nargs; i++)
		text = arena_printf(
			arena, "%s%s%s", text, i ? separator : "", expr_text(arena, expr->arg[i]));
	return text;
}

int sysctl_value(struct arena *arena, const char *key, const struct expr *expr, struct value *ret,
	struct error *error)
{
	const struct sysctl_key *row = sysctl_key_find(key);
	bool has_commas = row->format == SYSCTL_LIST || row->format == SYSCTL_MASK;
	struct reading r = {
		.arena = arena,
		.key = key,
		.row = row,
		.text = joined(arena, expr, has_commas ? "," : " "),
		.error = error,
	};

	if (strpbrk(r.text, "\"'"))
		return refuse(&r, "the quotes would be part of the value");
	for (const char *p = r.text; *p; p++) {
		if (iscntrl((unsigned char)*p) && !isspace((unsigned char)*p))
			return refuse(&r, "control characters");
	}
	switch (row->format) {
	case SYSCTL_LIST:
		return list_value(&r, ret);
	case SYSCTL_MASK:
		return mask_value(&r, ret);
	case SYSCTL_TEXT:
	case SYSCTL_NUMBERS:
		break;
	}
	return words_value(&r, ret);
}

struct value sysctl_value_read(struct arena *arena, const char *key, const char *text)
{
	enum sysctl_format format = sysctl_key_find(key)->format;
	struct cpuset set;
	struct list list;

	if (format == SYSCTL_LIST && list_parse(text, &list) == 0)
		return list_value_of(arena, &list);
	if (format == SYSCTL_MASK && cpuset_parse_mask(text, &set) == 0)
		return value_ranges(arena, &set);
	return value_words(arena, text);
}

const char *sysctl_value_written(struct arena *arena, const char *key, const struct value *value)
{
	struct cpuset set;

	if (sysctl_key_find(key)->format == SYSCTL_MASK && value_cpuset(value, &set) == 0)
		return cpuset_format_mask(arena, &set);
	return value->text ? value->text : "";
}
