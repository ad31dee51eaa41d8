/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of expressions, for messages and listings. They are evaluated by the kinds.
 */
#include "core/expr.h"

#include <string.h>

bool expr_is_word(const struct expr *expr, const char *name)
{
	return expr && expr->op == EXPR_WORD && strcmp(expr->name, name) == 0;
}

static const char *list_text(struct arena *arena, const struct expr *expr)
{
	const char **texts = ARENA_ARRAY(arena, expr->nargs, const char *);
	size_t length = 1, n = 0;
	char *text;

	if (!texts)
		return "";
	for (size_t i = 0; i < expr->nargs; i++) {
		texts[i] = expr_text(arena, expr->arg[i]);
		length += strlen(texts[i]) + 1;
	}
	text = arena_alloc(arena, length);
	if (!text)
		return "";
	for (size_t i = 0; i < expr->nargs; i++) {
		size_t size = strlen(texts[i]);

		if (i)
			text[n++] = ' ';
		memcpy(text + n, texts[i], size);
		n += size;
	}
	return text;
}

const char *expr_text(struct arena *arena, const struct expr *expr)
{
	switch (expr->op) {
	case EXPR_LITERAL:
		return expr->value.text ? expr->value.text : "";
	case EXPR_WORD:
		return expr->name;
	case EXPR_LIST:
		return list_text(arena, expr);
	}
	return "";
}
