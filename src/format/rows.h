/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of settings for people: rows are collected one a setting, then folded (queues with equal
 * or regular values into one line, links with equal lines into one block) and printed in columns.
 */
#ifndef NETTUNE_FORMAT_ROWS_H
#define NETTUNE_FORMAT_ROWS_H

#include "format/output.h"

enum tone { TONE_PLAIN, TONE_STRONG, TONE_GOOD, TONE_WARNING, TONE_BAD };

/* Texts as they are; NULL = none. "16  →  32  note" has old, the arrow, new and a note. */
struct row {
	struct address at;
	const char *old, *sign, *new, *note;
	const char *why; /* a line of its own below, never folded over */
	enum interrupts interrupts;
	enum tone tone; /* of `new` */
};

struct rows {
	struct row *v;
	size_t n, cap;
	struct arena *arena;
};
void rows_add(struct rows *rows, const struct row *row);

/* A row after folding. */
struct line {
	const char *label;     /* below the link: "rings.rx", "rx-0-7/rps.cpus" */
	const struct row *row; /* the first; its old and new are replaced by these */
	const char *old, *new;
};

/* Lines of one link, of several with equal lines, or of the host (nlinks 0). */
struct block {
	const struct link *const *links;
	size_t nlinks;
	struct line *lines;
	size_t nlines;
	bool host; /* without links: the host, not wishes that no interface matches */
	bool rest; /* what is left of a link whose other lines are in a block before */
};

struct blocks {
	struct block *v;
	size_t n, cap;
	struct arena *arena;
	bool elided; /* some values are not shown */
};
/* rows_fold.c: rows that can be in one line if they are of queues. */
bool row_shares_line(const struct row *a, const struct row *b);
/* rows_links.c: adds the blocks of n links, folded. */
void blocks_add_links(struct blocks *blocks, struct block *v, size_t n);
void blocks_add(struct blocks *blocks, const struct block *block);
/* verbose: each row is a line, each run of one link a block. */
void rows_fold(const struct output *output, const struct rows *rows, struct blocks *ret);

/* The blocks with headings; `title` stands behind each heading ("skipped"); NULL = none. */
void rows_print(const struct output *output, const struct rows *rows, const char *title);
/* Labels only, a paragraph for each block: "eth0: rx-8-31/rps.cpus, tx-8-31/xps.cpus". */
void rows_print_brief(const struct output *output, const struct rows *rows, const char *title);

/* "→" or "->", "…" or "...". */
const char *sign_arrow(const struct output *output);
const char *sign_ellipsis(const struct output *output);
/* Prints in this tone, if there is colour. The text must be harmless. */
void print_tone(const struct output *output, enum tone tone, const char *text);
/* "eth0, eth1 (2 links)", shortened where there are many. In the arena. */
const char *links_text(const struct output *output, const struct link *const *links, size_t n);
/* Words of the text in lines of the terminal's width, further lines indented. `column`: where the
 * cursor stands. */
void print_wrapped(const struct output *output, size_t column, size_t indent, const char *text);
/* "1 change", "2 changes". In the arena. */
const char *count_text(struct arena *arena, size_t n, const char *one, const char *many);

#endif
