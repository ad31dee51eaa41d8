/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of yaml_load(), shared by the events (yaml.c) and the places and errors (yaml_error.c).
 */
#ifndef NETTUNE_PROFILE_YAML_LOADER_H
#define NETTUNE_PROFILE_YAML_LOADER_H

#include "profile/node.h"
#include "profile/reader.h"

#include <yaml.h>

#define LOADER_DEPTH   16
#define LOADER_PATCHES 20

/* A collection that is still open. */
struct frame {
	struct node *node, **tail;
	bool has_key;    /* of a mapping: the next node is a value */
	const char *key; /* NULL: refused */
	struct pos key_pos;
};

struct line {
	const char *text;
	size_t start, length; /* in the file */
};

struct loader {
	const struct reader *reader;
	const char *file;
	char *text; /* a copy, with each patched character replaced by a letter */
	size_t length;
	struct line *lines; /* the text as it was, split where libyaml splits it */
	size_t nlines;
	/* Where values begin that would have to be quoted: reported, and patched to read on. */
	yaml_mark_t patched[LOADER_PATCHES];
	unsigned npatched;
	yaml_parser_t parser;
	struct frame stack[LOADER_DEPTH];
	unsigned depth, documents;
	struct node *root;
};

/* Copies the text and splits it into lines. 0 or -ENOMEM. */
int loader_lines(struct loader *loader, const char *text, size_t length);
struct pos loader_pos(const struct loader *loader, const yaml_mark_t *mark);
/* Hint to put what stands at the mark into quotes. */
const char *loader_quote(const struct loader *loader, const yaml_mark_t *mark);
bool loader_is_patched(const struct loader *loader, const yaml_mark_t *mark);
/*
 * The parser has stopped: if at a value that must be quoted, reports and patches it and returns
 * -EAGAIN, to parse anew. Else reports what it is. -EINVAL, -ENOMEM. The findings of this pass are
 * those from `from` on.
 */
int loader_failed(struct loader *loader, size_t from);

#endif
