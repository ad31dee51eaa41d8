/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folded rows on a terminal or in a file: columns where they fit, further lines where they don't.
 * Without a terminal a row is one line, however long, for grep.
 */
#include "format/rows.h"

#include "format/text.h"

#include <inttypes.h>
#include <string.h>

#define MARK_WIDTH  3
#define GAP         2
#define LINKS_SHOWN 6
#define OLD_MAX     12 /* a longer old value moves its arrow only */

/* Widths of the columns of a table. */
struct columns {
	size_t label, old, sign, new;
	bool has_old;
};

const char *sign_arrow(const struct output *output)
{
	return output->utf8 ? "\u2192" : "->";
}

const char *sign_ellipsis(const struct output *output)
{
	return output->utf8 ? "\u2026" : "...";
}

const char *count_text(struct arena *arena, size_t n, const char *one, const char *many)
{
	return arena_printf(arena, "%zu %s", n, n == 1 ? one : many);
}

static const char *tone_code(enum tone tone)
{
	switch (tone) {
	case TONE_STRONG:
		return "\x1b[1m";
	case TONE_GOOD:
		return "\x1b[32m";
	case TONE_WARNING:
		return "\x1b[33m";
	case TONE_BAD:
		return "\x1b[1;31m";
	case TONE_PLAIN:
		break;
	}
	return "";
}

void print_tone(const struct output *output, enum tone tone, const char *text)
{
	if (output->color && tone != TONE_PLAIN && *text)
		fprintf(output->out, "%s%s\x1b[0m", tone_code(tone), text);
	else
		fputs(text, output->out);
}

static void print_spaces(const struct output *output, size_t n)
{
	fprintf(output->out, "%*s", (int)n, "");
}

void print_wrapped(const struct output *output, size_t column, size_t indent, const char *text)
{
	const char *between = "";

	while (*text) {
		size_t length = strcspn(text, " ");
		const char *word = arena_strndup(output->arena, text, length);
		size_t width = text_width(word);

		if (*between && output->width && column + 1 + width > output->width) {
			fputc('\n', output->out);
			print_spaces(output, indent);
			column = indent;
		} else {
			fputs(between, output->out);
			column += strlen(between);
		}
		fputs(word, output->out);
		column += width;
		between = " ";
		text += length;
		text += strspn(text, " ");
	}
}

const char *links_text(const struct output *output, const struct link *const *links, size_t n)
{
	struct arena *arena = output->arena;
	const size_t shown = n > LINKS_SHOWN && !output->verbose ? LINKS_SHOWN / 2 : n;
	const char *text = "";

	for (size_t i = 0; i < shown; i++)
		text = arena_printf(
			arena, "%s%s%s", text, i ? ", " : "", text_escape(arena, links[i]->name));
	if (shown < n)
		text = arena_printf(arena, "%s %s %s", text, sign_ellipsis(output),
			text_escape(arena, links[n - 1]->name));
	return n > 1 ? arena_printf(arena, "%s (%zu links)", text, n) : text;
}

/* The driver that all of the links have, or NULL. */
static const char *common_driver(const struct block *block)
{
	const char *driver = block->links[0]->driver;

	for (size_t i = 1; driver && i < block->nlinks; i++) {
		const char *other = block->links[i]->driver;

		if (!other || strcmp(other, driver) != 0)
			return NULL;
	}
	return driver;
}

static const char *links_heading(
	const struct output *output, const struct block *block, const char *title)
{
	const char *text = links_text(output, block->links, block->nlinks);
	const char *driver = title ? NULL : common_driver(block);

	if (block->rest)
		return arena_printf(output->arena, "%s, also", text);
	if (!driver)
		return text;
	return arena_printf(output->arena, "%s, %s", text, text_escape(output->arena, driver));
}

static const char *heading(
	const struct output *output, const struct blocks *blocks, size_t at, const char *title)
{
	bool before = false, after = false;

	if (blocks->v[at].nlinks)
		return links_heading(output, &blocks->v[at], title);
	if (!blocks->v[at].host)
		return "no interface";
	for (size_t i = 0; i < blocks->n && !title; i++) {
		before |= i < at && blocks->v[i].host;
		after |= i > at && blocks->v[i].host;
	}
	return before ? "host, after the links" : after ? "host, before the links" : "host";
}

/* A folded sysctl of several links keeps the place of their names open. */
static const char *label_in(
	const struct output *output, const struct block *block, const struct line *line)
{
	const struct address *at = &line->row->at;
	const bool many = block->nlinks > 1 && strstr(at->key, "{interface}");

	return text_escape(output->arena, many ? at->key : line->label);
}

static size_t width_of(const struct output *output, const char *text)
{
	return text ? text_width(text_escape(output->arena, text)) : 0;
}

/* The widest that is not over the cap: what is wider runs over, and moves nothing else. */
static void widen(size_t *width, size_t candidate, size_t cap)
{
	if (candidate <= cap)
		*width = MAX(*width, candidate);
}

static struct columns measure(const struct output *output, const struct blocks *blocks)
{
	const size_t width = output->width ? output->width : 120;
	struct columns columns = {0};

	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *block = &blocks->v[i];

		for (size_t j = 0; j < block->nlines; j++) {
			const struct line *line = &block->lines[j];

			widen(&columns.label, text_width(label_in(output, block, line)),
				width * 2 / 5);
			widen(&columns.old, width_of(output, line->old), OLD_MAX);
			columns.has_old |= line->old != NULL;
			widen(&columns.sign, width_of(output, line->row->sign), width);
			widen(&columns.new, width_of(output, line->new), width / 4);
		}
	}
	return columns;
}

/* Where the new values start, counted from the old ones. */
static size_t new_column(const struct columns *columns)
{
	return (columns->has_old ? columns->old + 1 : 0) + (columns->sign ? columns->sign + 1 : 0);
}

/* What stands before the new value: old and sign, padded to their columns. */
static const char *old_text(
	const struct output *output, const struct line *line, const struct columns *columns)
{
	struct arena *arena = output->arena;
	const char *old = text_escape(arena, line->old ? line->old : "");
	const char *sign = text_escape(arena, line->row->sign ? line->row->sign : "");
	size_t old_width = text_width(old), sign_width = text_width(sign);
	size_t gap = columns->old - MIN(columns->old, old_width) + columns->has_old;
	size_t rest = columns->sign - MIN(columns->sign, sign_width) + (columns->sign ? 1 : 0);

	return arena_printf(arena, "%s%*s%s%*s", old, (int)gap, "", sign, (int)rest, "");
}

static const char *mark_of(const struct line *line)
{
	switch (line->row->interrupts) {
	case INTERRUPTS_LINK:
		return "!!";
	case INTERRUPTS_QUEUE:
		return "!";
	case INTERRUPTS_NONE:
		break;
	}
	return "";
}

static size_t print_label(const struct output *output, const char *label, const char *mark)
{
	print_tone(output, TONE_WARNING, mark);
	print_spaces(output, MARK_WIDTH - strlen(mark));
	fputs(label, output->out);
	return MARK_WIDTH + text_width(label);
}

/* From where the note would stand; on a line of its own if it does not fit. */
static void print_note(
	const struct output *output, size_t at, size_t column, size_t indent, const char *note)
{
	const char *text = text_escape(output->arena, note);
	const size_t width = text_width(text);
	size_t start = MAX(at + GAP, column);

	if (output->width && start + width > output->width)
		start = at + GAP;
	if (output->width && start + width > output->width && start > indent) {
		fputc('\n', output->out);
		print_spaces(output, indent);
		print_wrapped(output, indent, indent, text);
		return;
	}
	print_spaces(output, start - at);
	print_wrapped(output, start, start, text);
}

/* Old and new value; returns where the cursor stands then. */
static size_t print_values(const struct output *output, const struct line *line,
	const struct columns *columns, size_t at, size_t indent)
{
	const char *old = old_text(output, line, columns);
	const char *new = text_escape(output->arena, line->new ? line->new : "");
	const size_t width = text_width(old) + text_width(new);
	size_t start = MAX(at + GAP, indent);

	if (!line->old && !line->new)
		return at;
	if (output->width && start + width > output->width) {
		fputc('\n', output->out);
		at = 0;
		start = 2 * MARK_WIDTH;
	}
	print_spaces(output, start - at);
	fputs(old, output->out);
	print_tone(output, line->row->tone, new);
	return start + width;
}

static void print_line(const struct output *output, const char *label, const struct line *line,
	const struct columns *columns)
{
	const size_t indent = MARK_WIDTH + columns->label + GAP;
	const size_t notes = columns->new ? indent + new_column(columns) + columns->new + GAP
					  : indent;
	size_t at = print_label(output, label, mark_of(line));

	at = print_values(output, line, columns, at, indent);
	if (line->row->note && *line->row->note)
		print_note(output, at, notes, indent, line->row->note);
	fputc('\n', output->out);
	if (line->row->why) {
		print_spaces(output, 2 * MARK_WIDTH);
		print_wrapped(output, 2 * MARK_WIDTH, 2 * MARK_WIDTH,
			text_escape(output->arena, line->row->why));
		fputc('\n', output->out);
	}
}

void rows_print(const struct output *output, const struct rows *rows, const char *title)
{
	struct blocks blocks;
	struct columns columns;

	rows_fold(output, rows, &blocks);
	columns = measure(output, &blocks);
	for (size_t i = 0; i < blocks.n; i++) {
		const struct block *block = &blocks.v[i];

		print_tone(output, TONE_STRONG, heading(output, &blocks, i, title));
		fprintf(output->out, "%s%s\n", title ? ": " : "", title ? title : "");
		for (size_t j = 0; j < block->nlines; j++)
			print_line(output, label_in(output, block, &block->lines[j]),
				&block->lines[j], &columns);
		fputc('\n', output->out);
	}
	if (blocks.elided)
		fprintf(output->out, "   (%s: -v lists every value)\n\n", sign_ellipsis(output));
}

void rows_print_brief(const struct output *output, const struct rows *rows, const char *title)
{
	struct arena *arena = output->arena;
	struct blocks blocks;

	rows_fold(output, rows, &blocks);
	for (size_t i = 0; i < blocks.n; i++) {
		const struct block *block = &blocks.v[i];
		const char *text = "";

		for (size_t j = 0; j < block->nlines; j++)
			text = arena_printf(arena, "%s%s%s", text, j ? ", " : "",
				label_in(output, block, &block->lines[j]));
		print_tone(output, TONE_STRONG, heading(output, &blocks, i, title));
		fprintf(output->out, ": %s\n", title);
		print_spaces(output, MARK_WIDTH);
		print_wrapped(output, MARK_WIDTH, MARK_WIDTH, text);
		fputs("\n\n", output->out);
	}
}
