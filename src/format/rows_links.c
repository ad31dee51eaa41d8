/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folding of links: those that have at least half of their lines in common with the first one are
 * said together; what each has besides follows, folded in the same way.
 */
#include "format/rows.h"

#include <string.h>

#define CLUSTERS_MAX 64 /* comparing all with all would be felt with thousands of links */

void blocks_add(struct blocks *blocks, const struct block *block)
{
	if (arena_grow(blocks->arena, &blocks->v, &blocks->cap, blocks->n, sizeof(*blocks->v)) == 0)
		blocks->v[blocks->n++] = *block;
}

/* The label that two links can share. */
static const char *shared_label(const struct line *line)
{
	const struct address *at = &line->row->at;

	return at->target.link && strstr(at->key, "{interface}") ? at->key : line->label;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_line(const struct line *a, const struct line *b)
{
	return strcmp(shared_label(a), shared_label(b)) == 0 && same_text(a->old, b->old) &&
	       same_text(a->new, b->new) && row_shares_line(a->row, b->row);
}

static bool has_line(const struct block *block, const struct line *line)
{
	for (size_t i = 0; i < block->nlines; i++) {
		if (same_line(&block->lines[i], line))
			return true;
	}
	return false;
}

static size_t count_common(const struct block *a, const struct block *b)
{
	size_t n = 0;

	for (size_t i = 0; i < a->nlines; i++)
		n += has_line(b, &a->lines[i]);
	return n;
}

/* Lines of `from` that the other block has, or has not. */
static struct block filter(
	struct arena *arena, const struct block *from, const struct block *other, bool has)
{
	struct block block = *from;

	block.nlines = 0;
	block.lines = ARENA_ARRAY(arena, from->nlines, struct line);
	for (size_t i = 0; block.lines && i < from->nlines; i++) {
		if (has_line(other, &from->lines[i]) == has)
			block.lines[block.nlines++] = from->lines[i];
	}
	return block;
}

/* Moves the blocks that have much in common with v[0] to `alike`, and returns what that is. */
static struct block take_alike(
	struct arena *arena, struct block *v, size_t *n, struct block *alike, size_t *ret_nalike)
{
	const size_t nlines = v[0].nlines, all = *n;
	struct block common = v[0];

	*n = *ret_nalike = 0;
	for (size_t i = 0; i < all; i++) {
		size_t shared = count_common(&common, &v[i]);

		if (2 * shared < MAX(nlines, v[i].nlines)) {
			v[(*n)++] = v[i];
			continue;
		}
		if (shared < common.nlines)
			common = filter(arena, &common, &v[i], true);
		alike[(*ret_nalike)++] = v[i];
	}
	return common;
}

void blocks_add_links(struct blocks *blocks, struct block *v, size_t n)
{
	struct arena *arena = blocks->arena;

	for (size_t clusters = 0; n && clusters < CLUSTERS_MAX; clusters++) {
		struct block *alike = ARENA_ARRAY(arena, n, struct block), common;
		const struct link **links = ARENA_ARRAY(arena, n, const struct link *);
		size_t nalike, nrest = 0;

		if (!alike || !links)
			return;
		common = take_alike(arena, v, &n, alike, &nalike);
		for (size_t i = 0; i < nalike; i++) {
			struct block rest = filter(arena, &alike[i], &common, false);

			links[i] = alike[i].links[0];
			rest.rest = true;
			if (rest.nlines)
				alike[nrest++] = rest;
		}
		common.links = links;
		common.nlinks = nalike;
		blocks_add(blocks, &common);
		blocks_add_links(blocks, alike, nrest);
	}
	for (size_t i = 0; i < n; i++)
		blocks_add(blocks, &v[i]);
}
