/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding and opening profile files.
 */
#ifndef NETTUNE_PROFILE_SEARCH_H
#define NETTUNE_PROFILE_SEARCH_H

#include "util/arena.h"
#include "util/error.h"

struct search {
	const char *profile_dir; /* --profile-dir or NULL */
	const char *root;        /* --root or NULL: prefix of the fixed directories */
};

struct found {
	const char *name; /* file name without .yaml */
	const char *path;
	const char *shadowed_by; /* path of the one that wins, or NULL */
	bool is_explicit;        /* for search_read() */
};

/*
 * The file of a profile word: a path (has a slash or ends in .yaml) or a name on the search path.
 * *ret_explicit: the caller named the place (a path, --profile-dir, --root). -ENOENT with all
 * directories and the nearest name in *error (ERROR_DATA).
 */
int search_profile(const struct search *search, const char *word, struct arena *arena,
	const char **ret_path, bool *ret_explicit, struct error *error);
/* All *.yaml on the search path, sorted by name. */
int search_list(const struct search *search, struct arena *arena, struct found **ret, size_t *ret_n,
	struct error *error);
/*
 * Reads a file safely: regular, no symbolic link, at most 1 MiB; as root only if owned by root
 * (explicit paths: or by $SUDO_UID) and not writable by group or others, nor, unless explicit, any
 * directory above it. NUL-ended copy in the arena.
 */
int search_read(const char *path, bool is_explicit, struct arena *arena, char **ret_text,
	size_t *ret_length, struct error *error);

#endif
