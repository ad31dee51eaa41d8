/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folding of queues: what 72 of them have in common is said once. Only what reads the same is
 * folded, so that nothing is shown that is not so; what is left out at all is marked.
 */
#include "core/kind.h"
#include "format/rows.h"
#include "util/numbers.h"

#include <string.h>

#define LISTED 4 /* so many different values are spelt out */
#define ELIDED 3 /* of more, so many before the ellipsis, and the last one */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

void rows_add(struct rows *rows, const struct row *row)
{
	if (arena_grow(rows->arena, &rows->v, &rows->cap, rows->n, sizeof(*rows->v)) < 0)
		return;
	rows->v[rows->n++] = *row;
}

static bool is_host_kind(const struct kind *kind)
{
	return kind->phase == PHASE_HOST_EARLY || kind->phase == PHASE_HOST_LATE;
}

/* The address without its link, and without the kind of a sysctl, whose key says it all. */
static const char *label_of(struct arena *arena, const struct address *at)
{
	const char *text = address_text(arena, at), *slash = strchr(text, '/');

	if (!at->target.link && !is_host_kind(at->kind))
		return strcmp(at->kind->name, at->key) == 0
			       ? at->key
			       : arena_printf(arena, "%s.%s", at->kind->name, at->key);
	return slash ? slash + 1 : text;
}

/* Rows of queues of one link that can share a line. */
struct bucket {
	const struct row **v; /* by index */
	size_t n;
};

bool row_shares_line(const struct row *a, const struct row *b)
{
	return a->at.kind == b->at.kind && a->at.target.part == b->at.target.part &&
	       strcmp(a->at.key, b->at.key) == 0 && same_text(a->sign, b->sign) &&
	       same_text(a->note, b->note) && same_text(a->why, b->why) &&
	       a->interrupts == b->interrupts && a->tone == b->tone && !a->old == !b->old &&
	       !a->new == !b->new;
}

static const char *column(const struct row *row, bool new)
{
	return new ? row->new : row->old;
}

static bool is_constant(const struct bucket *bucket, bool new)
{
	for (size_t i = 1; i < bucket->n; i++) {
		if (!same_text(column(bucket->v[i], new), column(bucket->v[0], new)))
			return false;
	}
	return true;
}

/* "0-7 in turn": the i-th queue has the i-th number of a set, wrapping. NULL if it is not so. */
static const char *sequence_text(struct arena *arena, const struct bucket *bucket, bool new)
{
	uint64_t *numbers = ARENA_ARRAY(arena, bucket->n, uint64_t);
	struct cpuset set;
	unsigned count;

	if (!numbers)
		return NULL;
	cpuset_clear(&set);
	for (size_t i = 0; i < bucket->n; i++) {
		if (number_parse(column(bucket->v[i], new), &numbers[i]) < 0 ||
			numbers[i] >= CPUSET_MAX)
			return NULL;
		cpuset_add(&set, (unsigned)numbers[i]);
	}
	count = cpuset_count(&set);
	for (size_t i = 0; i < bucket->n; i++) {
		if ((uint64_t)cpuset_nth(&set, (unsigned)(i % count)) != numbers[i])
			return NULL;
	}
	return arena_printf(arena, "%s %s", cpuset_format_list(arena, &set),
		count == bucket->n ? "one each" : "in turn");
}

/* All values, or the first and the last. Values with commas or blanks get a semicolon between. */
static const char *list_text(
	const struct output *output, const struct bucket *bucket, bool new, bool *ret_elided)
{
	struct arena *arena = output->arena;
	const size_t shown = bucket->n > LISTED ? ELIDED : bucket->n;
	const char *text = column(bucket->v[0], new), *between = ", ";

	for (size_t i = 0; i < bucket->n; i++) {
		if (strpbrk(column(bucket->v[i], new), ", "))
			between = "; ";
	}
	for (size_t i = 1; i < shown; i++)
		text = arena_printf(arena, "%s%s%s", text, between, column(bucket->v[i], new));
	if (shown == bucket->n)
		return text;
	*ret_elided = true;
	return arena_printf(arena, "%s %s %s", text, sign_ellipsis(output),
		column(bucket->v[bucket->n - 1], new));
}

static size_t count_different(const struct bucket *bucket, bool new)
{
	size_t n = 0;

	for (size_t i = 0; i < bucket->n; i++) {
		size_t j = 0;

		while (j < i && !same_text(column(bucket->v[i], new), column(bucket->v[j], new)))
			j++;
		n += j == i;
	}
	return n;
}

/* One text for the values of the bucket if there is a short and exact one, else NULL. */
static const char *exact_text(const struct output *output, const struct bucket *bucket, bool new)
{
	const char *text;
	bool elided;

	if (is_constant(bucket, new))
		return column(bucket->v[0], new);
	text = bucket->n > 2 ? sequence_text(output->arena, bucket, new) : NULL;
	if (text || bucket->n > LISTED || count_different(bucket, new) < bucket->n)
		return text;
	text = list_text(output, bucket, new, &elided);
	return strchr(text, ';') ? NULL : text;
}

/* "rx-0-7/rps.cpus" */
static const char *bucket_label(struct arena *arena, const struct bucket *bucket)
{
	const struct address *at = &bucket->v[0]->at;
	const char *label = label_of(arena, at), *slash = strchr(label, '/');
	struct cpuset set;

	if (bucket->n == 1 || !slash)
		return label;
	cpuset_clear(&set);
	for (size_t i = 0; i < bucket->n; i++)
		cpuset_add(&set, bucket->v[i]->at.target.index);
	return arena_printf(arena, "%.*s-%s%s", (int)strcspn(label, "-"), label,
		cpuset_format_list(arena, &set), slash);
}

struct folder {
	const struct output *output;
	struct arena *arena;
	struct blocks *blocks;
	struct line *lines; /* of the block at work */
	size_t nlines, cap;
};

static void add_line(
	struct folder *f, const struct bucket *bucket, const char *old, const char *new)
{
	if (arena_grow(f->arena, &f->lines, &f->cap, f->nlines, sizeof(*f->lines)) < 0)
		return;
	f->lines[f->nlines++] = (struct line){
		.label = bucket_label(f->arena, bucket),
		.row = bucket->v[0],
		.old = old,
		.new = new,
	};
}

/* Moves the rows that have the value of the first one to *ret. */
static void split_bucket(struct bucket *from, bool new, struct bucket *ret)
{
	const char *value = column(from->v[0], new);
	size_t n = 0;

	ret->n = 0;
	for (size_t i = 0; i < from->n; i++) {
		if (same_text(column(from->v[i], new), value))
			ret->v[ret->n++] = from->v[i];
		else
			from->v[n++] = from->v[i];
	}
	from->n = n;
}

static void fold_bucket(struct folder *f, struct bucket *bucket);

/* A line for each of the few values of one column. */
static void fold_parts(struct folder *f, struct bucket *bucket, bool new)
{
	while (bucket->n) {
		struct bucket equal = {.v = ARENA_ARRAY(f->arena, bucket->n, const struct row *)};

		if (!equal.v)
			return;
		split_bucket(bucket, new, &equal);
		fold_bucket(f, &equal);
	}
}

static bool has_parts(const struct bucket *bucket, bool new)
{
	size_t n = count_different(bucket, new);

	return n > 1 && n <= LISTED && (n < bucket->n || bucket->n <= LISTED);
}

/* One line if it can say all; else by the values of a column that has few; else the ends. */
static void fold_bucket(struct folder *f, struct bucket *bucket)
{
	const char *old = exact_text(f->output, bucket, false);
	const char *new = exact_text(f->output, bucket, true);
	const bool vague_old = !old && bucket->v[0]->old, vague_new = !new && bucket->v[0]->new;

	if (vague_old && has_parts(bucket, false)) {
		fold_parts(f, bucket, false);
		return;
	}
	if (vague_new && has_parts(bucket, true)) {
		fold_parts(f, bucket, true);
		return;
	}
	if (vague_old)
		old = list_text(f->output, bucket, false, &f->blocks->elided);
	if (vague_new)
		new = list_text(f->output, bucket, true, &f->blocks->elided);
	add_line(f, bucket, old, new);
}

static void insert_by_index(struct bucket *bucket, const struct row *row)
{
	size_t i = bucket->n++;

	for (; i && bucket->v[i - 1]->at.target.index > row->at.target.index; i--)
		bucket->v[i] = bucket->v[i - 1];
	bucket->v[i] = row;
}

static bool can_fold(const struct folder *f, const struct row *row)
{
	return !f->output->verbose && row->at.target.part != PART_WHOLE &&
	       row->at.target.index < CPUSET_MAX;
}

/* The lines of rows v[0 .. n), all of one link. */
static void fold_rows(struct folder *f, const struct row *v, size_t n)
{
	bool *taken = ARENA_ARRAY(f->arena, n, bool);
	struct bucket bucket = {.v = ARENA_ARRAY(f->arena, n, const struct row *)};

	f->lines = NULL;
	f->nlines = f->cap = 0;
	for (size_t i = 0; taken && bucket.v && i < n; i++) {
		bucket.n = 0;
		if (taken[i])
			continue;
		insert_by_index(&bucket, &v[i]);
		for (size_t j = i + 1; can_fold(f, &v[i]) && j < n; j++) {
			if (taken[j] || !can_fold(f, &v[j]) || !row_shares_line(&v[i], &v[j]))
				continue;
			insert_by_index(&bucket, &v[j]);
			taken[j] = true;
		}
		fold_bucket(f, &bucket);
	}
}

/* Below one heading: the same link, the host, or no interface. */
static bool same_place(const struct address *a, const struct address *b)
{
	return a->target.link == b->target.link &&
	       (a->target.link || is_host_kind(a->kind) == is_host_kind(b->kind));
}

static size_t run_length(const struct row *v, size_t n)
{
	size_t length = 1;

	while (length < n && same_place(&v[length].at, &v[0].at))
		length++;
	return length;
}

static struct block make_block(struct folder *f, const struct row *v, size_t n)
{
	const struct link **links = ARENA_ARRAY(f->arena, 1, const struct link *);

	fold_rows(f, v, n);
	if (links)
		links[0] = v[0].at.target.link;
	return (struct block){
		.links = links,
		.nlinks = links && links[0] ? 1 : 0,
		.host = !v[0].at.target.link && is_host_kind(v[0].at.kind),
		.lines = f->lines,
		.nlines = f->nlines,
	};
}

void rows_fold(const struct output *output, const struct rows *rows, struct blocks *ret)
{
	struct folder folder = {.output = output, .arena = rows->arena, .blocks = ret};
	struct block *pending = ARENA_ARRAY(rows->arena, rows->n + 1, struct block);
	size_t n = 0;

	*ret = (struct blocks){.arena = rows->arena};
	for (size_t i = 0, length; pending && i < rows->n; i += length) {
		struct block block;

		length = run_length(&rows->v[i], rows->n - i);
		block = make_block(&folder, &rows->v[i], length);
		if (block.nlinks && !output->verbose) {
			pending[n++] = block;
			continue;
		}
		blocks_add_links(ret, pending, n);
		n = 0;
		blocks_add(ret, &block);
	}
	blocks_add_links(ret, pending, n);
}
