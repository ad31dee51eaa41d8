/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the text behind a key to an expression, as the field's type, unit and words allow. What
 * depends on the device ("max", "local") stays a word; limits are a matter of planning.
 */
#include "profile/binder.h"
#include "profile/scalar.h"
#include "profile/words.h"

#include "util/numbers.h"

#include <errno.h>
#include <string.h>

#define WORDS_MAX      32   /* that one field allows */
#define LENGTH_MAX     4095 /* of what one write() brings below /proc/sys: a page, less its end */
#define SET_CHARACTERS "0123456789abcdefABCDEFxX,-:/ "

static const struct expr *new_expr(
	const struct binder *b, const struct node *node, const struct expr *model)
{
	struct expr *expr = ARENA_NEW(b->reader.arena, struct expr);

	if (!expr)
		return NULL;
	*expr = *model;
	expr->pos = node->pos;
	return expr;
}

static const struct expr *new_word(
	const struct binder *b, const struct node *node, const char *word)
{
	return new_expr(b, node, &(struct expr){.op = EXPR_WORD, .name = word});
}

static const struct expr *new_literal(
	const struct binder *b, const struct node *node, struct value value)
{
	return new_expr(b, node, &(struct expr){.op = EXPR_LITERAL, .value = value});
}

static const char *type_text(const struct field *field)
{
	switch (field->type) {
	case VALUE_NUMBER:
		switch (field->unit) {
		case UNIT_BYTES:
			return "a number of bytes (65536, 64KiB)";
		case UNIT_RATE:
			return "a rate (10Gbit)";
		case UNIT_USECS:
			return "a time in microseconds (50, 50us)";
		case UNIT_SECONDS:
			return "a time in seconds (30, 30s)";
		case UNIT_NONE:
			break;
		}
		return "a number";
	case VALUE_BOOL:
		return "on or off (true, false, yes, no)";
	case VALUE_RANGES:
		return "a list (0-3,8)";
	default:
		return field->words ? NULL : "a word";
	}
}

/* All that the field takes, for messages. */
static const char *wanted_text(struct arena *arena, const struct field *field)
{
	const char *type = type_text(field), *items[WORDS_MAX + 4] = {};
	size_t n = 0;

	if (type)
		items[n++] = type;
	if (field->type == VALUE_RANGES)
		items[n++] = "a mask (0xff)";
	for (size_t i = 0; field->words && field->words[i] && i < WORDS_MAX; i++)
		items[n++] = field->words[i];
	if (field->flags & FIELD_HAS_MAX)
		items[n++] = "max";
	return join_words(arena, items);
}

/* The nearest of the field's words. */
static const char *word_hint(struct arena *arena, const struct field *field, const char *text)
{
	const char *items[WORDS_MAX + 5] = {"keep"}, *nearest;
	size_t n = 1;

	if (field->flags & FIELD_HAS_MAX)
		items[n++] = "max";
	if (field->type == VALUE_BOOL) {
		items[n++] = "on";
		items[n++] = "off";
	}
	for (size_t i = 0; field->words && field->words[i] && i < WORDS_MAX; i++)
		items[n++] = field->words[i];
	nearest = nearest_word(text, items);
	return nearest ? arena_printf(arena, "did you mean %s?", nearest) : NULL;
}

static const struct expr *refuse(const struct binder *b, const struct field *field,
	const char *name, const struct node *node)
{
	struct arena *arena = b->reader.arena;
	const char *trap = number_trap(node->text);

	if (trap && field->type != VALUE_BOOL)
		reader_error(&b->reader, &node->pos, "ambiguous-value",
			number_hint(arena, node->text), "%s: %s may be taken for %s", name,
			node->text, trap);
	else
		reader_error(&b->reader, &node->pos, "bad-value",
			word_hint(arena, field, node->text), "%s must be %s, not \"%s\"", name,
			wanted_text(arena, field), node->text);
	return NULL;
}

static const struct expr *bind_number(const struct binder *b, const struct field *field,
	const char *name, const struct node *node)
{
	uint64_t number;
	int r = quantity_parse(node->text, field->unit, &number);

	if (r == -EINVAL)
		return refuse(b, field, name, node);
	if (r == -EDOM)
		reader_error(&b->reader, &node->pos, "bad-value", NULL,
			"%s must be %s; \"%s\" has another unit, or is no whole number of it", name,
			wanted_text(b->reader.arena, field), node->text);
	else if (r < 0)
		reader_error(&b->reader, &node->pos, "bad-value", NULL,
			"%s: %s has more than 64 bits", name, node->text);
	return r < 0 ? NULL : new_literal(b, node, value_number(b->reader.arena, number));
}

/* Hexadecimal letters, or a group with leading zeros: a mask that lacks its 0x. */
static bool looks_like_mask(const char *text)
{
	if (!*text || text[strspn(text, "0123456789abcdefABCDEF,")])
		return false;
	if (strpbrk(text, "abcdefABCDEF"))
		return true;
	for (const char *group = text; group; group = strchr(group, ',')) {
		group += *group == ',';
		if (group[0] == '0' && group[1] >= '0' && group[1] <= '9')
			return true;
	}
	return false;
}

static bool refuse_mask(const struct binder *b, const char *name, const struct node *node)
{
	struct arena *arena = b->reader.arena;
	const char *hint = arena_printf(arena, "write \"0x%s\" for the mask", node->text);
	struct cpuset set;

	if (cpuset_parse_mask(node->text, &set) == 0 && !cpuset_is_empty(&set))
		hint = arena_printf(arena, "%s, or \"%s\" for the same as a list", hint,
			cpuset_format_list(arena, &set));
	reader_error(&b->reader, &node->pos, "ambiguous-value", hint,
		"%s: \"%s\" looks like a mask, and a mask begins with 0x", name, node->text);
	return false;
}

static bool add_numbers(
	const struct binder *b, const char *name, const struct node *node, struct cpuset *ret)
{
	bool is_mask;
	struct cpuset part;
	int r;

	if (!scalar_check(&b->reader, node, name))
		return false;
	if (looks_like_mask(node->text))
		return refuse_mask(b, name, node);
	is_mask = node->text[0] == '0' && (node->text[1] == 'x' || node->text[1] == 'X');
	r = is_mask ? cpuset_parse_mask(node->text, &part) : cpuset_parse_list(node->text, &part);
	if (r == -ERANGE)
		reader_error(&b->reader, &node->pos, "bad-value",
			is_mask ? NULL : "a mask begins with 0x", "%s: \"%s\" has numbers above %d",
			name, node->text, CPUSET_MAX - 1);
	else if (r < 0)
		reader_error(&b->reader, &node->pos, "bad-value", NULL,
			"%s must be a list (0-3,8) or a mask (0xff), not \"%s\"", name, node->text);
	if (r < 0)
		return false;
	cpuset_or(ret, &part);
	return true;
}

/* What a scalar or a sequence holds in lists and 0x masks. */
static bool bind_set(
	const struct binder *b, const char *name, const struct node *node, struct cpuset *ret)
{
	bool good = true;

	cpuset_clear(ret);
	if (node->type != NODE_SEQUENCE)
		return add_numbers(b, name, node, ret);
	if (!node->first)
		reader_error(
			&b->reader, &node->pos, "empty-value", NULL, "%s is an empty list", name);
	for (const struct node *item = node->first; item; item = item->next)
		good &= add_numbers(b, name, item, ret);
	return good && node->first;
}

static const struct expr *bind_ranges(const struct binder *b, const struct field *field,
	const char *name, const struct node *node)
{
	bool has_none = is_one_of("none", field->words);
	struct cpuset set;

	if (node->type == NODE_SCALAR && node->text[strspn(node->text, SET_CHARACTERS)])
		return refuse(b, field, name, node);
	if (!bind_set(b, name, node, &set))
		return NULL;
	if (has_none && node->text && strcmp(node->text, "0") == 0)
		reader_warning(&b->reader, &node->pos, "ambiguous-value",
			"write none to switch it off", "%s: 0 is CPU 0", name);
	if (!cpuset_is_empty(&set))
		return new_literal(b, node, value_ranges(b->reader.arena, &set));
	if (has_none)
		return new_word(b, node, "none");
	reader_error(&b->reader, &node->pos, "empty-value", NULL, "%s: \"%s\" is the empty set",
		name, node->text);
	return NULL;
}

static const struct expr *bind_switch(const struct binder *b, const struct field *field,
	const char *name, const struct node *node)
{
	bool on;

	if (!parse_bool(node->text, &on))
		return refuse(b, field, name, node);
	return new_literal(b, node, value_bool(on));
}

/* A word of the field; "yes" also where the field's word is "on". */
static const struct expr *bind_word(const struct binder *b, const struct field *field,
	const char *name, const struct node *node)
{
	const char *word;
	bool on;

	if (!field->words && !strpbrk(node->text, " \t\n"))
		return new_literal(b, node, value_word(b->reader.arena, node->text));
	if (!parse_bool(node->text, &on))
		return refuse(b, field, name, node);
	word = on ? "on" : "off";
	if (!is_one_of(word, field->words))
		return refuse(b, field, name, node);
	return new_word(b, node, word);
}

/* A number that other readers take for another one, or for none. */
static bool check_word(
	const struct binder *b, const char *name, const struct node *node, const char *word)
{
	const char *trap = number_trap(word);

	if (!trap)
		return true;
	reader_error(&b->reader, &node->pos, "ambiguous-value", number_hint(b->reader.arena, word),
		"%s: %s may be taken for %s", name, word, trap);
	return false;
}

static bool check_words(
	const struct binder *b, const char *name, const struct node *node, const char *text)
{
	char *copy = arena_strdup(b->reader.arena, text), *rest = copy, *word;
	bool good = true;

	while ((word = strsep(&rest, " \t\n")))
		good &= !*word || check_word(b, name, node, word);
	return good;
}

/* A formula, or "unset": words of the format that are still to come. */
static bool is_from_the_future(const struct binder *b, const struct node *node)
{
	if (node->type != NODE_SCALAR)
		return false;
	if (node->text[0] == '=')
		reader_not_supported(
			&b->reader, &node->pos, "a formula (a value that begins with =)");
	else if (strcmp(node->text, "unset") == 0)
		reader_not_supported(&b->reader, &node->pos, "the word \"unset\"");
	else
		return false;
	return true;
}

static const struct expr *bind_item(
	const struct binder *b, const char *name, const struct node *node)
{
	if (!scalar_check(&b->reader, node, name) || is_from_the_future(b, node) ||
		!check_words(b, name, node, node->text))
		return NULL;
	return new_literal(b, node, value_words(b->reader.arena, node->text));
}

static size_t text_length(const struct node *node)
{
	size_t length = 0;

	if (node->type == NODE_SCALAR)
		return strlen(node->text);
	for (const struct node *item = node->first; item; item = item->next)
		length += 1 + (item->type == NODE_SCALAR ? strlen(item->text) : 0);
	return length;
}

static const struct expr *bind_items(
	const struct binder *b, const char *name, const struct node *node)
{
	const struct expr **args = ARENA_ARRAY(b->reader.arena, node->n, const struct expr *);
	bool good = true;
	size_t n = 0;

	if (!args)
		return NULL;
	for (const struct node *item = node->first; item; item = item->next) {
		args[n] = bind_item(b, name, item);
		good &= args[n++] != NULL;
	}
	return good ? new_expr(b, node, &(struct expr){.op = EXPR_LIST, .arg = args, .nargs = n})
		    : NULL;
}

/* One word or number, several in a row, or a sequence of them. */
static const struct expr *bind_words(
	const struct binder *b, const char *name, const struct node *node)
{
	if (text_length(node) > LENGTH_MAX) {
		reader_error(&b->reader, &node->pos, "bad-value", NULL,
			"%s: the kernel takes at most %d characters", name, LENGTH_MAX);
		return NULL;
	}
	if (node->type != NODE_SEQUENCE)
		return bind_item(b, name, node);
	if (node->first)
		return bind_items(b, name, node);
	reader_error(&b->reader, &node->pos, "empty-value", NULL, "%s is an empty list", name);
	return NULL;
}

static bool is_word_of(const struct field *field, const char *text)
{
	return is_one_of(text, field->words) || strcmp(text, "keep") == 0 ||
	       ((field->flags & FIELD_HAS_MAX) && strcmp(text, "max") == 0);
}

const struct expr *bind_value(const struct binder *b, const struct field *field, const char *name,
	const struct node *node)
{
	bool takes_list = field->type == VALUE_WORDS || field->type == VALUE_RANGES;

	if (is_from_the_future(b, node))
		return NULL;
	if (!(takes_list && node->type == NODE_SEQUENCE) && !scalar_check(&b->reader, node, name))
		return NULL;
	if (node->type == NODE_SCALAR && is_word_of(field, node->text))
		return new_word(b, node, node->text);
	switch (field->type) {
	case VALUE_NUMBER:
		return bind_number(b, field, name, node);
	case VALUE_BOOL:
		return bind_switch(b, field, name, node);
	case VALUE_RANGES:
		return bind_ranges(b, field, name, node);
	case VALUE_WORDS:
		return bind_words(b, name, node);
	case VALUE_WORD:
	case VALUE_NONE:
	case VALUE_TYPE_MAX:
		break;
	}
	return bind_word(b, field, name, node);
}
