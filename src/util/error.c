/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filling struct error and struct diags. Messages quote file contents, names and the kernel's own
 * text, so control characters are taken out here, and a message that is cut stays valid UTF-8.
 */
#include "util/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CUT_MARK "..."

static void blank_controls(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = ' ';
	}
}

/* The text is too long for `size` bytes: ends it with a mark, never inside a UTF-8 sequence. */
static void mark_cut(char *text, size_t size)
{
	size_t end = size - sizeof(CUT_MARK);

	while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
		end--;
	memcpy(text + end, CUT_MARK, sizeof(CUT_MARK));
}

static void fill(char *text, size_t size, const char *format, va_list args) PRINTF_LIKE(3, 0);
static void fill(char *text, size_t size, const char *format, va_list args)
{
	int length = vsnprintf(text, size, format, args);

	if (length < 0)
		text[0] = '\0';
	else if ((size_t)length >= size)
		mark_cut(text, size);
	blank_controls(text);
}

int error_set(struct error *error, enum error_kind kind, int err, const char *format, ...)
{
	char text[sizeof(error->msg)]; /* the arguments may lie in error->msg */
	va_list args;

	if (error) {
		va_start(args, format);
		fill(text, sizeof(text), format, args);
		va_end(args);
		error->kind = kind;
		error->err = err;
		memcpy(error->msg, text, sizeof(text));
	}
	return err > 0 ? -err : -EINVAL;
}

int error_no_memory(struct error *error)
{
	return error_set(error, ERROR_FAILED, ENOMEM, "out of memory");
}

int error_prefix(struct error *error, const char *format, ...)
{
	char prefix[sizeof(error->msg)], text[sizeof(error->msg)];
	va_list args;

	if (!error)
		return -EINVAL;
	va_start(args, format);
	fill(prefix, sizeof(prefix), format, args);
	va_end(args);
	if ((size_t)snprintf(text, sizeof(text), "%s: %s", prefix, error->msg) >= sizeof(text))
		mark_cut(text, sizeof(text));
	memcpy(error->msg, text, sizeof(text));
	return error->err > 0 ? -error->err : -EINVAL;
}

struct diag *diags_add(struct diags *diags, enum severity severity, enum error_kind kind,
	const char *id, struct pos pos, const char *format, ...)
{
	struct diag *diag;
	va_list args;

	if (arena_grow(diags->arena, &diags->v, &diags->cap, diags->n, sizeof(*diags->v)) < 0)
		return NULL;
	diag = &diags->v[diags->n++];
	*diag = (struct diag){.severity = severity, .kind = kind, .id = id, .pos = pos};
	va_start(args, format);
	diag->text = arena_vprintf(diags->arena, format, args);
	va_end(args);
	return diag;
}

const struct diag *diags_first_error(const struct diags *diags)
{
	for (size_t i = 0; i < diags->n; i++) {
		if (diags->v[i].severity == SEVERITY_ERROR)
			return &diags->v[i];
	}
	return NULL;
}

static int compare_places(const struct pos *a, const struct pos *b)
{
	int order = strcmp(a->file ? a->file : "", b->file ? b->file : "");

	if (order)
		return order;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->column < b->column ? -1 : a->column > b->column;
}

void diags_sort(struct diags *diags, size_t first)
{
	for (size_t i = first + 1; i < diags->n; i++) {
		struct diag diag = diags->v[i];
		size_t j = i;

		for (; j > first && compare_places(&diags->v[j - 1].pos, &diag.pos) > 0; j--)
			diags->v[j] = diags->v[j - 1];
		diags->v[j] = diag;
	}
}

bool diags_have_errors(const struct diags *diags)
{
	return diags_first_error(diags) != NULL;
}
