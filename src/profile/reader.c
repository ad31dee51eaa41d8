/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings about a file: how they are worded where several places report the same sort of mistake,
 * and their order.
 */
#include "profile/reader.h"

#include "profile/words.h"

#include <errno.h>
#include <string.h>

#define FINDINGS_MAX 1000 /* in one file */

struct reader reader_make(struct arena *arena, struct diags *diags)
{
	return (struct reader){.arena = arena, .diags = diags, .first = diags->n};
}

bool reader_is_full(const struct reader *reader)
{
	return reader->diags->n - reader->first > FINDINGS_MAX;
}

static struct diag *report(const struct reader *reader, enum severity severity,
	const struct pos *pos, const char *id, const char *hint, const char *text)
{
	size_t n = reader->diags->n - reader->first;
	struct diag *diag;

	if (reader_is_full(reader))
		return NULL;
	if (n == FINDINGS_MAX) {
		severity = SEVERITY_ERROR;
		id = "too-many";
		text = "there are more mistakes than are shown";
		hint = NULL;
	}
	diag = diags_add(reader->diags, severity, ERROR_DATA, id, *pos, "%s", text);
	if (diag && hint)
		diag->hint = arena_strdup(reader->diags->arena, hint);
	return diag;
}

void reader_error(const struct reader *reader, const struct pos *pos, const char *id,
	const char *hint, const char *format, ...)
{
	va_list args;
	const char *text;

	va_start(args, format);
	text = arena_vprintf(reader->arena, format, args);
	va_end(args);
	report(reader, SEVERITY_ERROR, pos, id, hint, text);
}

void reader_warning(const struct reader *reader, const struct pos *pos, const char *id,
	const char *hint, const char *format, ...)
{
	va_list args;
	const char *text;

	va_start(args, format);
	text = arena_vprintf(reader->arena, format, args);
	va_end(args);
	report(reader, SEVERITY_WARNING, pos, id, hint, text);
}

void reader_refused(const struct reader *reader, const struct pos *pos, const char *id,
	const struct error *error)
{
	struct diag *diag = report(reader, SEVERITY_ERROR, pos, id, NULL, error->msg);

	if (diag)
		diag->kind = error->kind;
}

void reader_unknown_key(const struct reader *reader, const struct node *entry, const char *where,
	const char *const *words)
{
	const char *hint = suggest(reader->arena, entry->key, words);

	/* "{cpus: 0,2}" is a mapping of cpus and 2. */
	if (entry->key[strspn(entry->key, "0123456789-")] == '\0')
		hint = "quote a list that has commas: \"0,2\"";
	reader_error(reader, &entry->key_pos, "unknown-key", hint, "unknown key \"%s\" in %s",
		entry->key, where);
}

void reader_not_supported(const struct reader *reader, const struct pos *pos, const char *what)
{
	reader_error(reader, pos, "not-supported", NULL,
		"%s is not supported by this version of nettune", what);
}

void reader_duplicate(const struct reader *reader, const struct pos *pos, const struct pos *first,
	const char *key)
{
	reader_error(reader, pos, "duplicate-key", NULL,
		"\"%s\" is given twice; first on line %u, column %u", key, first->line,
		first->column);
}

int pos_compare(const struct pos *a, const struct pos *b)
{
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->column > b->column) - (a->column < b->column);
}

/* Equal places need an order, too: qsort() is not stable. */
static int compare_diags(const void *a, const void *b)
{
	const struct diag *x = a, *y = b;
	int r = pos_compare(&x->pos, &y->pos);

	if (r == 0)
		r = strcmp(x->id, y->id);
	return r ? r : strcmp(x->text, y->text);
}

int reader_finish(const struct reader *reader)
{
	struct diags *diags = reader->diags;
	size_t n = diags->n - reader->first;

	if (arena_failed(reader->arena) || arena_failed(diags->arena))
		return -ENOMEM;
	if (n > 1)
		qsort(diags->v + reader->first, n, sizeof(*diags->v), compare_diags);
	for (size_t i = reader->first; i < diags->n; i++) {
		if (diags->v[i].severity == SEVERITY_ERROR)
			return -EINVAL;
	}
	return 0;
}
