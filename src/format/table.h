/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain tables: rows of cells in columns as wide as their widest cell.
 */
#ifndef NETTUNE_FORMAT_TABLE_H
#define NETTUNE_FORMAT_TABLE_H

#include "format/output.h"

struct table {
	const struct output *output;
	size_t ncolumns;
	const char **cells; /* row by row, harmless; the first row is the heading */
	size_t n, cap;
};

/* Escapes; NULL becomes "-". */
void table_add(struct table *table, const char *text);
/* Each row starts with `indent` blanks; the last column is wrapped. Nothing without rows. */
void table_print(const struct table *table, size_t indent);

#endif
