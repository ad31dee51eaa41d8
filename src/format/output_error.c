/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is printed when a command fails before it has anything else to say, and findings with the
 * line of the file they are about.
 */
#include "format/report.h"
#include "format/text.h"

#include <errno.h>
#include <string.h>

#define SOURCE_INDENT "    "
#define SOURCE_BEFORE 60 /* columns of a long line before the caret */
#define SOURCE_WIDTH  76

static const char *kind_name(enum error_kind kind)
{
	static const char *const names[ERROR_KIND_MAX] = {
		[ERROR_FAILED] = "failed",
		[ERROR_USAGE] = "usage",
		[ERROR_DATA] = "bad-data",
		[ERROR_MISSING] = "missing",
		[ERROR_LOCKED] = "locked",
		[ERROR_PERMISSION] = "no-permission",
		[ERROR_UNFINISHED] = "unfinished",
	};

	return names[kind];
}

static json_t *location_json(const struct diag *diag)
{
	const struct pos *pos = &diag->pos;
	const bool placed = pos->line > 0;
	json_t *object = json_with(json_object(), "file", text_to_json(placed ? pos->file : NULL));

	object = json_with(object, "line", placed ? json_integer(pos->line) : json_null());
	object = json_with(object, "column", placed ? json_integer(pos->column) : json_null());
	object = json_with(object, "message", text_to_json(diag->text));
	return json_with(object, "hint", text_to_json(diag->hint));
}

static json_t *locations_json(const struct diags *diags)
{
	json_t *array = json_array();

	for (size_t i = 0; diags && i < diags->n; i++) {
		if (diags->v[i].severity == SEVERITY_ERROR)
			array = json_append(array, location_json(&diags->v[i]));
	}
	return array;
}

static int error_json(const struct output *output, const struct report *report, int exit_status,
	const struct error *error, const struct diags *diags)
{
	const struct diag *first = diags ? diags_first_error(diags) : NULL;
	json_t *object = report_document(output, report, "error");
	json_t *what = json_object();

	if (error) {
		what = json_with(what, "id", text_to_json(kind_name(error->kind)));
		what = json_with(what, "message", text_to_json(error->msg));
	} else {
		what = json_with(what, "id", text_to_json(first ? first->id : "failed"));
		what = json_with(what, "message", text_to_json(first ? first->text : "failed"));
	}
	what = json_with(what, "locations", locations_json(diags));
	object = json_with(object, "exit", json_integer(exit_status));
	return json_print(output->out, json_with(object, "error", what));
}

int output_error(const struct output *output, const struct report *report, int exit_status,
	const struct error *error, const struct diags *diags)
{
	if (output->json)
		return error_json(output, report, exit_status, error, diags);
	if (diags)
		output_diags(stderr, output->color, diags);
	if (error)
		fprintf(stderr, "nettune: %s\n", text_escape(output->arena, error->msg));
	return ferror(stderr) ? -EIO : 0;
}

/* One character, or a mark for one that must not reach a terminal. Returns its length. */
static size_t print_character(FILE *stream, const char *text)
{
	uint32_t code;
	size_t length = utf8_decode(text, &code);

	if (length && (utf8_is_harmless(code) || code == '\t'))
		fwrite(text, 1, length, stream);
	else
		fputc('?', stream);
	return length ? length : 1;
}

/* The line, or the part of a long one around the column, and a caret below the column. */
static void print_source(FILE *stream, const char *source, unsigned column)
{
	const unsigned first = column > SOURCE_BEFORE ? column - SOURCE_BEFORE : 1;
	const char *p = source;
	uint32_t code;

	for (unsigned at = 1; *p && at < first; at++)
		p += MAX(utf8_decode(p, &code), (size_t)1);
	source = p;
	fputs(SOURCE_INDENT, stream);
	for (unsigned n = 0; *p && *p != '\n' && n < SOURCE_WIDTH; n++)
		p += print_character(stream, p);
	fputs("\n" SOURCE_INDENT, stream);
	p = source;
	for (unsigned at = first; *p && at < column; at++) {
		fputc(*p == '\t' ? '\t' : ' ', stream);
		p += MAX(utf8_decode(p, &code), (size_t)1);
	}
	fputs("^\n", stream);
}

static const char *severity_text(enum severity severity, bool color)
{
	switch (severity) {
	case SEVERITY_ERROR:
		return color ? "\x1b[1;31merror\x1b[0m" : "error";
	case SEVERITY_WARNING:
		return color ? "\x1b[33mwarning\x1b[0m" : "warning";
	case SEVERITY_NOTE:
		break;
	}
	return "note";
}

static void print_diag(FILE *stream, bool color, struct arena *arena, const struct diag *diag)
{
	if (diag->pos.line)
		fprintf(stream, "%s:%u:%u: ", text_escape(arena, diag->pos.file), diag->pos.line,
			diag->pos.column);
	else
		fputs("nettune: ", stream);
	fprintf(stream, "%s: %s\n", severity_text(diag->severity, color),
		text_escape(arena, diag->text));
	if (diag->pos.line && diag->pos.source)
		print_source(stream, diag->pos.source, diag->pos.column);
	if (diag->hint)
		fprintf(stream, "    hint: %s\n", text_escape(arena, diag->hint));
}

void output_diags(FILE *stream, bool color, const struct diags *diags)
{
	struct arena arena; /* the findings' own may be what ran out */

	arena_init(&arena);
	for (size_t i = 0; i < diags->n; i++)
		print_diag(stream, color, &arena, &diags->v[i]);
	arena_done(&arena);
}
