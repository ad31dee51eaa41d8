/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain tables for history, status and list.
 */
#include "format/table.h"

#include "format/rows.h"
#include "format/text.h"

#define GAP 2

void table_add(struct table *table, const char *text)
{
	struct arena *arena = table->output->arena;

	if (arena_grow(arena, &table->cells, &table->cap, table->n, sizeof(*table->cells)) == 0)
		table->cells[table->n++] = text && *text ? text_escape(arena, text) : "-";
}

static size_t column_width(const struct table *table, size_t column)
{
	size_t width = 0;

	for (size_t i = column; i < table->n; i += table->ncolumns)
		width = MAX(width, text_width(table->cells[i]));
	return width;
}

void table_print(const struct table *table, size_t indent)
{
	const struct output *output = table->output;
	size_t at = 0;

	for (size_t i = 0; table->n > table->ncolumns && i < table->n; i++) {
		const size_t column = i % table->ncolumns;
		const char *cell = table->cells[i];

		if (column == 0)
			fprintf(output->out, "%*s", (int)(at = indent), "");
		if (column + 1 == table->ncolumns) {
			print_wrapped(output, at, at, cell);
			fputc('\n', output->out);
			continue;
		}
		fprintf(output->out, "%s%*s", cell,
			(int)(column_width(table, column) + GAP - text_width(cell)), "");
		at += column_width(table, column) + GAP;
	}
}
