/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places in a YAML file, and libyaml's errors in words that help. Most of them come from a value
 * that begins with a character which YAML keeps for itself, as in "name: *" or "speed: >= 1Gbit".
 */
#include "profile/yaml_loader.h"

#include <errno.h>
#include <string.h>

#define INDICATORS "*&!|>%@`"
#define SHOWN_MAX  500 /* longer lines are not shown beside a mistake */

/* Length of the line break at p: what YAML 1.1 takes for one (section 5.4). */
static size_t break_length(const char *p, const char *end)
{
	size_t left = (size_t)(end - p);

	if (*p == '\r')
		return left > 1 && p[1] == '\n' ? 2 : 1;
	if (*p == '\n')
		return 1;
	if (left > 1 && memcmp(p, "\xc2\x85", 2) == 0)
		return 2;
	if (left > 2 && (memcmp(p, "\xe2\x80\xa8", 3) == 0 || memcmp(p, "\xe2\x80\xa9", 3) == 0))
		return 3;
	return 0;
}

/* The end of the line that begins at p; *ret_next is where the next one begins. */
static const char *line_end(const char *p, const char *end, const char **ret_next)
{
	size_t n = 0;

	while (p < end && (n = break_length(p, end)) == 0)
		p++;
	*ret_next = p + n;
	return p;
}

int loader_lines(struct loader *l, const char *text, size_t length)
{
	const char *end, *next;
	size_t cap = 0;

	l->text = arena_alloc(l->reader->arena, length + 1);
	if (!l->text)
		return -ENOMEM;
	memcpy(l->text, text, length);
	l->length = length;
	end = l->text + length;
	for (const char *p = l->text; p < end; p = next) {
		const char *stop = line_end(p, end, &next);

		if (arena_grow(l->reader->arena, &l->lines, &cap, l->nlines, sizeof(*l->lines)) < 0)
			return -ENOMEM;
		l->lines[l->nlines++] = (struct line){
			.text = arena_strndup(l->reader->arena, p, (size_t)(stop - p)),
			.start = (size_t)(p - l->text),
			.length = (size_t)(stop - p),
		};
	}
	return 0;
}

static const char *line_text(const struct loader *l, size_t line)
{
	return line < l->nlines ? l->lines[line].text : "";
}

static const char *line_shown(const struct loader *l, size_t line)
{
	return line < l->nlines && l->lines[line].length > SHOWN_MAX ? NULL : line_text(l, line);
}

struct pos loader_pos(const struct loader *l, const yaml_mark_t *mark)
{
	return (struct pos){
		.file = l->file,
		.line = (unsigned)mark->line + 1,
		.column = (unsigned)mark->column + 1,
		.source = line_shown(l, mark->line),
	};
}

static bool continues_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The text from the mark to the end of its line. Columns count characters, not bytes. */
static const char *text_at(const struct loader *l, const yaml_mark_t *mark)
{
	const char *p = line_text(l, mark->line);

	for (size_t column = mark->column; *p && column; column--) {
		do
			p++;
		while (continues_character(*p));
	}
	return p;
}

const char *loader_quote(const struct loader *l, const yaml_mark_t *mark)
{
	const char *text = text_at(l, mark), *comment = strstr(text, " #");
	size_t length = strcspn(text, ",]}");
	char quote;

	if (comment && (size_t)(comment - text) < length)
		length = (size_t)(comment - text);
	while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
		length--;
	quote = memchr(text, '"', length) ? '\'' : '"';
	return arena_printf(
		l->reader->arena, "quote this value: %c%.*s%c", quote, (int)length, text, quote);
}

bool loader_is_patched(const struct loader *l, const yaml_mark_t *mark)
{
	for (unsigned i = 0; i < l->npatched; i++) {
		if (l->patched[i].line == mark->line && l->patched[i].column == mark->column)
			return true;
	}
	return false;
}

/* Where the value begins that can't stand unquoted, if that is why the parser stopped. */
static const yaml_mark_t *unquoted_value(const struct loader *l)
{
	const yaml_parser_t *p = &l->parser;
	const yaml_mark_t *mark = p->context ? &p->context_mark : &p->problem_mark;
	char c;

	if (strstr(p->problem, "cannot start any token"))
		mark = &p->problem_mark;
	c = *text_at(l, mark);
	return c && strchr(INDICATORS, c) && !loader_is_patched(l, mark) ? mark : NULL;
}

/* What libyaml's reader refuses has an offset in bytes only. */
static void report_bytes(const struct loader *l)
{
	const char *stop = l->text + MIN(l->parser.problem_offset, l->length);
	const char *end = l->text + l->length, *start = l->text, *next;
	struct pos pos = {.file = l->file, .line = 1, .column = 1};

	for (; line_end(start, end, &next) < stop && next < end; start = next)
		pos.line++;
	for (; start < stop; start++)
		pos.column += !continues_character(*start);
	pos.source = line_shown(l, pos.line - 1);
	reader_error(l->reader, &pos, "yaml-syntax", NULL, "%s", l->parser.problem);
}

static void report_syntax(const struct loader *l)
{
	const yaml_parser_t *p = &l->parser;
	struct pos pos = loader_pos(l, &p->problem_mark);
	const char *hint = NULL;

	if (*text_at(l, &p->problem_mark) == '\t')
		hint = "YAML is indented with blanks, not with tabs";
	else if (strstr(p->problem, "mapping values are not allowed"))
		hint = "quote a value that has \": \" in it, or mend the indentation";
	if (p->context && p->context_mark.line != p->problem_mark.line)
		reader_error(l->reader, &pos, "yaml-syntax", hint,
			"this is not YAML: %s, %s (from line %zu on)", p->problem, p->context,
			p->context_mark.line + 1);
	else
		reader_error(
			l->reader, &pos, "yaml-syntax", hint, "this is not YAML: %s", p->problem);
}

static void report_unquoted(const struct loader *l, const yaml_mark_t *mark)
{
	struct pos pos = loader_pos(l, mark);

	reader_error(l->reader, &pos, "yaml-syntax", loader_quote(l, mark),
		"a value that begins with \"%c\" must be quoted", *text_at(l, mark));
}

/* A letter in its place makes it a value like any other; no place in the file moves. */
static void patch(struct loader *l, const yaml_mark_t *mark)
{
	const struct line *line = &l->lines[mark->line];

	l->text[line->start + (size_t)(text_at(l, mark) - line->text)] = 'x';
	l->patched[l->npatched++] = *mark;
}

int loader_failed(struct loader *l, size_t from)
{
	const yaml_mark_t *mark;

	if (l->parser.error == YAML_MEMORY_ERROR)
		return -ENOMEM;
	if (l->parser.error == YAML_READER_ERROR) {
		report_bytes(l);
		return -EINVAL;
	}
	mark = unquoted_value(l);
	if (!mark) {
		report_syntax(l);
		return -EINVAL;
	}
	l->reader->diags->n = from; /* will be found again */
	report_unquoted(l, mark);
	if (l->npatched == LOADER_PATCHES)
		return -EINVAL;
	patch(l, mark);
	return -EAGAIN;
}
