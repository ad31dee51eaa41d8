/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names and directory of the journal files, shared by writing (store.c) and reading (store_load.c).
 */
#ifndef NETTUNE_ENGINE_STORE_FILES_H
#define NETTUNE_ENGINE_STORE_FILES_H

#include "util/arena.h"
#include "util/error.h"

#define ID_SIZE   24 /* "20261130T221403Z-3fa9c1" */
#define ID_SUFFIX ".jsonl"

bool store_is_id(const char *text);
const char *store_path(struct arena *arena, const char *state_dir, const char *id);
/* The journal directory; with `create` it and STATE_DIR are made. Descriptor or -errno. */
int store_open_dir(const char *state_dir, bool create, struct error *error);
/* A journal file that is a regular file. Descriptor or -errno; -ENOENT is ERROR_DATA. */
int store_open_file(int dir, const char *id, int flags, struct error *error);

/* IDs of the journal files, ascending. malloc'ed, not in an arena: for one call. */
struct name_list {
	char (*v)[ID_SIZE];
	size_t n, cap;
};
int store_list(int dir, struct name_list *ret);
void name_list_done(struct name_list *names);

#endif
