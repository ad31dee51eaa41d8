/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalars and their traps. Readers of YAML 1.1 and 1.2 disagree about what these are: see the tag
 * repositories of 1.1 (yaml.org/type: int, float, bool, null, timestamp) and the core schema of
 * 1.2 (section 10.3). nettune has one meaning for each, and refuses what others would misread.
 */
#include "profile/scalar.h"

#include "profile/words.h"

#include <string.h>
#include <strings.h>

#define DIGITS "0123456789"

static bool is_only(const char *text, const char *set)
{
	return *text && text[strspn(text, set)] == '\0';
}

static bool starts_with_digit(const char *text)
{
	return *text >= '0' && *text <= '9';
}

/* 1:30, 190:20:30 and 0:30.5 of YAML 1.1; an integer of this sort begins with 1 to 9. */
static bool is_base_60(const char *text)
{
	const char *p = text + strspn(text, DIGITS);
	unsigned groups = 0;

	if (p == text)
		return false;
	for (; *p == ':'; groups++) {
		size_t n = strspn(p + 1, DIGITS);

		if (n == 0 || n > 2 || (n == 2 && p[1] > '5'))
			return false;
		p += 1 + n;
	}
	if (*p == '.')
		return groups && p[1 + strspn(p + 1, DIGITS)] == '\0';
	return groups && !*p && *text != '0';
}

/* 1.5, .5, 1e6, 1.5e+6. */
static bool is_float(const char *text)
{
	size_t whole = strspn(text, DIGITS), fraction = 0;
	const char *p = text + whole;
	bool has_point = *p == '.';

	if (has_point) {
		fraction = strspn(p + 1, DIGITS);
		p += 1 + fraction;
	}
	if (whole + fraction == 0)
		return false;
	if (!*p)
		return has_point;
	if (*p != 'e' && *p != 'E')
		return false;
	p++;
	return is_only(p + (*p == '+' || *p == '-'), DIGITS);
}

const char *number_trap(const char *text)
{
	const char *body = text + (*text == '-' || *text == '+');

	if (!starts_with_digit(body) && *body != '.')
		return NULL;
	if (body[0] == '0' &&
		(is_only(body + 1, DIGITS) || (body[1] == 'o' && is_only(body + 2, DIGITS))))
		return "an octal number";
	if (strchr(body, '_') && is_only(body, DIGITS "_."))
		return "a number with separators";
	if (is_float(body))
		return "a floating point number";
	return is_base_60(body) ? "a number to base 60" : NULL;
}

static bool is_based(const char *text)
{
	if (strncasecmp(text, "0x", 2) == 0)
		return is_only(text + 2, DIGITS "abcdefABCDEF_");
	return strncasecmp(text, "0b", 2) == 0 && is_only(text + 2, "01_");
}

static bool is_date(const char *text)
{
	static const char shape[] = "dddd-dd-dd";

	for (size_t i = 0; shape[i]; i++) {
		if (shape[i] == 'd' ? !starts_with_digit(text + i) : text[i] != shape[i])
			return false;
	}
	return true;
}

static bool is_null(const char *text)
{
	return strcmp(text, "~") == 0 || strcasecmp(text, "null") == 0;
}

const char *text_trap(const char *text)
{
	static const char *const single_letters[] = {"y", "Y", "n", "N", NULL};
	bool on;

	if (is_null(text))
		return "null";
	if (parse_bool(text, &on) || is_one_of(text, single_letters))
		return "a truth value";
	if (is_based(text))
		return "a number";
	return is_date(text) ? "a date" : number_trap(text);
}

const char *number_hint(struct arena *arena, const char *text)
{
	const char *body = text + (*text == '-' || *text == '+');
	const char *plain = body + strspn(body, "0");

	if (body[0] == '0' && is_only(body + 1, DIGITS))
		return arena_printf(
			arena, "write it without leading zeros: %s", *plain ? plain : "0");
	if (number_trap(text))
		return "write it as plain decimal digits";
	return NULL;
}

bool parse_bool(const char *text, bool *ret)
{
	static const char *const spellings[] = {"off", "on", "false", "true", "no", "yes", NULL};

	for (size_t i = 0; spellings[i]; i++) {
		if (strcasecmp(text, spellings[i]) == 0) {
			*ret = i % 2;
			return true;
		}
	}
	return false;
}

static bool is_blank(const char *text)
{
	return text[strspn(text, " \t\n")] == '\0';
}

bool scalar_check(const struct reader *reader, const struct node *node, const char *what)
{
	switch (node->type) {
	case NODE_BAD:
		return false;
	case NODE_SEQUENCE:
	case NODE_MAPPING:
		reader_error(reader, &node->pos, "bad-value", NULL,
			"%s takes a single value, not a %s", what,
			node->type == NODE_MAPPING ? "mapping" : "list");
		return false;
	case NODE_SCALAR:
		break;
	}
	if (is_blank(node->text) || (!node->quoted && is_null(node->text))) {
		reader_error(reader, &node->pos, "empty-value", NULL, "%s has no value", what);
		return false;
	}
	return true;
}

bool scalar_text(
	const struct reader *reader, const struct node *node, const char *what, const char **ret)
{
	const char *trap;

	if (!scalar_check(reader, node, what))
		return false;
	trap = node->quoted ? NULL : text_trap(node->text);
	if (trap) {
		reader_error(reader, &node->pos, "ambiguous-value",
			arena_printf(reader->arena, "quote it: \"%s\"", node->text),
			"other YAML readers take %s for %s", node->text, trap);
		return false;
	}
	*ret = node->text;
	return true;
}

bool scalar_texts(const struct reader *reader, const struct node *node, const char *what,
	const char *const **ret)
{
	bool is_list = node->type == NODE_SEQUENCE;
	const struct node *item = is_list ? node->first : node;
	const char **texts = ARENA_ARRAY(reader->arena, (is_list ? node->n : 1) + 1, const char *);
	bool good = true;

	if (!texts)
		return false;
	if (!item) {
		reader_error(reader, &node->pos, "empty-value", NULL, "%s is an empty list", what);
		return false;
	}
	for (size_t i = 0; item; i++, item = is_list ? item->next : NULL)
		good &= scalar_text(reader, item, what, &texts[i]);
	*ret = texts;
	return good;
}

bool scalar_bool(const struct reader *reader, const struct node *node, const char *what, bool *ret)
{
	if (!scalar_check(reader, node, what))
		return false;
	if (parse_bool(node->text, ret))
		return true;
	reader_error(reader, &node->pos, "bad-value", NULL,
		"%s must be on or off (or true, false, yes, no), not \"%s\"", what, node->text);
	return false;
}

bool scalar_prose(
	const struct reader *reader, const struct node *node, const char *what, const char **ret)
{
	const char *text;
	char *folded;
	size_t n = 0;

	if (!scalar_text(reader, node, what, &text))
		return false;
	folded = arena_alloc(reader->arena, strlen(text) + 1);
	if (!folded)
		return false;
	for (const char *p = text; *p; p++) {
		if (!strchr(" \t\n", *p))
			folded[n++] = *p;
		else if (n && folded[n - 1] != ' ')
			folded[n++] = ' ';
	}
	if (n && folded[n - 1] == ' ')
		n--;
	folded[n] = '\0';
	*ret = folded;
	return true;
}
