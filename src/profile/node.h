/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of a YAML file, each node with its place. Only what profiles may use: one document of
 * mappings, sequences and scalars; no tags, anchors, aliases or merge keys.
 */
#ifndef NETTUNE_PROFILE_NODE_H
#define NETTUNE_PROFILE_NODE_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

#define PROFILE_SIZE_MAX ((size_t)1024 * 1024)

enum node_type {
	NODE_BAD, /* complained about already: to be passed over in silence */
	NODE_SCALAR,
	NODE_SEQUENCE,
	NODE_MAPPING
};

struct node {
	enum node_type type;
	bool quoted;      /* a scalar in quotes or as a block: what other readers take for text */
	const char *text; /* of a scalar */
	const char *key;  /* of an entry of a mapping, else NULL; no two entries have the same */
	struct pos key_pos, pos;
	struct node *first, *next; /* first child, next sibling */
	size_t n;                  /* children */
};

struct reader;

/*
 * Parses a text. 0 and *ret (NULL if there is nothing in the file; mistakes that do not stop the
 * parser have been reported), -EINVAL if it can't be parsed to its end (reported), -ENOMEM.
 */
int yaml_load(const struct reader *reader, const char *file, const char *text, size_t length,
	struct node **ret);

/* The entry of a mapping, or NULL. */
const struct node *node_get(const struct node *mapping, const char *key);

#endif
