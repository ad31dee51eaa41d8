/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values in their canonical text: what is compared, journaled and shown. The text of sysctls
 * follows proc_dointvec() and friends (kernel/sysctl.c), which read numbers in base 0.
 */
#include "core/value.h"

#include "util/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char *const type_names[] = {
	[VALUE_NONE] = "none",
	[VALUE_NUMBER] = "number",
	[VALUE_BOOL] = "bool",
	[VALUE_WORD] = "word",
	[VALUE_WORDS] = "words",
	[VALUE_RANGES] = "ranges",
};
_Static_assert(ARRAY_SIZE(type_names) == VALUE_TYPE_MAX, "a name for each type");

struct value value_none(void)
{
	return (struct value){.type = VALUE_NONE};
}

struct value value_number(struct arena *arena, uint64_t number)
{
	return (struct value){
		.type = VALUE_NUMBER,
		.number = number,
		.text = arena_printf(arena, "%" PRIu64, number),
	};
}

struct value value_bool(bool on)
{
	return (struct value){.type = VALUE_BOOL, .number = on, .text = on ? "on" : "off"};
}

struct value value_word(struct arena *arena, const char *word)
{
	return (struct value){.type = VALUE_WORD, .text = arena_strdup(arena, word)};
}

struct value value_ranges(struct arena *arena, const struct cpuset *set)
{
	return (struct value){.type = VALUE_RANGES, .text = cpuset_format_list(arena, set)};
}

/* The next word at *p, which moves behind it; 0 at the end. */
static size_t next_word(const char **p, const char **ret_word)
{
	while (isspace((unsigned char)**p))
		++*p;
	*ret_word = *p;
	while (**p && !isspace((unsigned char)**p))
		++*p;
	return (size_t)(*p - *ret_word);
}

/* A hexadecimal or octal number as the kernel reads one in a vector. */
static bool is_based_number(const char *word, size_t length, uint64_t *ret)
{
	bool hex = length > 2 && (word[1] == 'x' || word[1] == 'X');
	char *end;

	if (length < 2 || word[0] != '0' || !isxdigit((unsigned char)word[hex ? 2 : 1]))
		return false;
	errno = 0;
	*ret = strtoull(word, &end, hex ? 16 : 8);
	return end == word + length && errno == 0;
}

static struct value single_word(struct arena *arena, const char *word, size_t length)
{
	char *text = arena_strndup(arena, word, length);
	uint64_t number;

	if (number_parse(text, &number) == 0)
		return (struct value){.type = VALUE_NUMBER, .number = number, .text = text};
	return (struct value){.type = VALUE_WORD, .text = text};
}

/* In plain decimal, where it is a number. Returns the length. */
static size_t append_word(char *text, const char *word, size_t length)
{
	uint64_t number;
	char digits[24];
	size_t n = sizeof(digits);

	if (!is_based_number(word, length, &number)) {
		memcpy(text, word, length);
		return length;
	}
	do
		digits[--n] = (char)('0' + number % 10);
	while (number /= 10);
	memcpy(text, digits + n, sizeof(digits) - n);
	return sizeof(digits) - n;
}

struct value value_words(struct arena *arena, const char *text)
{
	const char *p = text, *word, *first;
	size_t length = next_word(&p, &first), n = 0;
	char *folded;

	if (length && !next_word(&p, &word))
		return single_word(arena, first, length);
	/* 0xffffffffffffffff has two digits more in decimal: twice the room is enough for any. */
	folded = arena_alloc(arena, 2 * strlen(text) + 1);
	if (!folded)
		return (struct value){.type = VALUE_WORDS, .text = ""};
	for (p = text; (length = next_word(&p, &word));) {
		if (n)
			folded[n++] = ' ';
		n += append_word(folded + n, word, length);
	}
	return (struct value){.type = VALUE_WORDS, .text = folded};
}

bool value_equal(const struct value *a, const struct value *b)
{
	if (a->type != b->type)
		return false;
	return a->type == VALUE_NONE || strcmp(a->text, b->text) == 0;
}

int value_cpuset(const struct value *value, struct cpuset *ret)
{
	if (value->type != VALUE_RANGES)
		return -EINVAL;
	return cpuset_parse_list(value->text, ret);
}

const char *value_text(const struct value *value)
{
	if (value->type == VALUE_NONE)
		return "-";
	return *value->text ? value->text : "(none)";
}

static struct value bool_of_text(const char *text)
{
	if (strcmp(text, "on") == 0 || strcmp(text, "off") == 0)
		return value_bool(text[1] == 'n');
	return value_none();
}

struct value value_of_text(struct arena *arena, enum value_type type, const char *text)
{
	uint64_t number;

	if (!text || type == VALUE_NONE)
		return value_none();
	switch (type) {
	case VALUE_NUMBER:
		if (number_parse(text, &number) < 0)
			return value_none();
		return value_number(arena, number);
	case VALUE_BOOL:
		return bool_of_text(text);
	default:
		return (struct value){.type = type, .text = arena_strdup(arena, text)};
	}
}

const char *value_type_name(enum value_type type)
{
	return type_names[type];
}

enum value_type value_type_of_name(const char *name)
{
	for (unsigned i = 0; i < VALUE_TYPE_MAX; i++) {
		if (strcmp(type_names[i], name) == 0)
			return (enum value_type)i;
	}
	return VALUE_TYPE_MAX;
}
