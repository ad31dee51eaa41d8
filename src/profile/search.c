/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where profiles are looked for: the directories, the names in them, and which of two files of one
 * name wins. See read.c for how a file is opened.
 */
#include "profile/search.h"

#include "profile/words.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define SUFFIX     ".yaml"
#define PLACES_MAX 5

#define LOCAL_PLACE  "/usr/local/share/nettune/profiles"
#define SYSTEM_PLACE "/usr/share/nettune/profiles"

struct place {
	const char *path;
	bool is_explicit; /* the caller named it */
};

/* A build with its own prefix finds its own profiles, after those of the system. */
static const char *own_place(void)
{
#ifdef NETTUNE_DATADIR
	static const char path[] = NETTUNE_DATADIR "/profiles";

	if (strcmp(path, LOCAL_PLACE) != 0 && strcmp(path, SYSTEM_PLACE) != 0)
		return path;
#endif
	return NULL;
}

static size_t list_places(
	const struct search *search, struct arena *arena, struct place ret[PLACES_MAX])
{
	const char *const fixed[] = {
		"/etc/nettune/profiles", LOCAL_PLACE, SYSTEM_PLACE, own_place()};
	size_t n = 0;

	if (search->profile_dir)
		ret[n++] = (struct place){.path = search->profile_dir, .is_explicit = true};
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++) {
		if (!fixed[i])
			continue;
		ret[n++] = (struct place){
			.path = search->root ? arena_printf(arena, "%s%s", search->root, fixed[i])
					     : fixed[i],
			.is_explicit = search->root != NULL,
		};
	}
	return n;
}

static bool has_suffix(const char *name)
{
	size_t length = strlen(name), suffix = sizeof(SUFFIX) - 1;

	return length > suffix && strcmp(name + length - suffix, SUFFIX) == 0;
}

/* 1 if the file is there, 0 if not. */
static int is_there(const char *path, struct error *error)
{
	struct stat st;

	if (lstat(path, &st) == 0)
		return 1;
	if (errno == ENOENT || errno == ENOTDIR)
		return 0;
	return error_set(error, errno == EACCES ? ERROR_PERMISSION : ERROR_FAILED, errno, "%s: %s",
		path, strerror(errno));
}

static const char *const *found_names(struct arena *arena, const struct found *found, size_t n)
{
	const char **names = ARENA_ARRAY(arena, n + 1, const char *);

	for (size_t i = 0; names && i < n; i++)
		names[i] = found[i].name;
	return names;
}

static int not_found(
	const struct search *search, const char *word, struct arena *arena, struct error *error)
{
	struct place places[PLACES_MAX];
	const char *names[PLACES_MAX + 1] = {}, *hint = NULL;
	const char *const *known;
	size_t n = list_places(search, arena, places), nfound = 0;
	struct found *found;

	for (size_t i = 0; i < n; i++)
		names[i] = places[i].path;
	if (search_list(search, arena, &found, &nfound, NULL) == 0 && nfound) {
		known = found_names(arena, found, nfound);
		hint = known ? suggest(arena, word, known) : NULL;
	}
	return error_set(error, ERROR_DATA, ENOENT, "no profile %s in %s%s%s%s", word,
		join_words(arena, names), hint ? " (" : "", hint ? hint : "", hint ? ")" : "");
}

int search_profile(const struct search *search, const char *word, struct arena *arena,
	const char **ret_path, bool *ret_explicit, struct error *error)
{
	struct place places[PLACES_MAX];
	size_t n;

	if (strchr(word, '/') || has_suffix(word)) {
		*ret_path = arena_strdup(arena, word);
		*ret_explicit = true;
		return 0;
	}
	if (!*word)
		return error_set(error, ERROR_USAGE, EINVAL, "the name of the profile is empty");
	n = list_places(search, arena, places);
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(arena, "%s/%s" SUFFIX, places[i].path, word);
		int r = is_there(path, error);

		if (r < 0)
			return r;
		if (r == 0)
			continue;
		*ret_path = path;
		*ret_explicit = places[i].is_explicit;
		return 0;
	}
	return not_found(search, word, arena, error);
}

struct found_list {
	struct found *v;
	size_t n, cap;
	struct arena *arena;
};

/* The file of this name that has been found before, or NULL. */
static const char *winner(const struct found_list *list, const char *name, size_t nbefore)
{
	for (size_t i = 0; i < nbefore; i++) {
		if (!list->v[i].shadowed_by && strcmp(list->v[i].name, name) == 0)
			return list->v[i].path;
	}
	return NULL;
}

static int add_found(
	struct found_list *list, const struct place *place, const char *file, size_t nbefore)
{
	const char *name = arena_strndup(list->arena, file, strlen(file) + 1 - sizeof(SUFFIX));

	if (arena_grow(list->arena, &list->v, &list->cap, list->n, sizeof(*list->v)) < 0)
		return -ENOMEM;
	list->v[list->n++] = (struct found){
		.name = name,
		.path = arena_printf(list->arena, "%s/%s", place->path, file),
		.shadowed_by = winner(list, name, nbefore),
		.is_explicit = place->is_explicit,
	};
	return 0;
}

static void cleanup_closedir(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

static int list_place(struct found_list *list, const struct place *place, struct error *error)
{
	CLEANUP(cleanup_closedir) DIR *directory = opendir(place->path);
	size_t nbefore = list->n;
	const struct dirent *entry;

	if (!directory && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!directory)
		return error_set(error, errno == EACCES ? ERROR_PERMISSION : ERROR_FAILED, errno,
			"%s: %s", place->path, strerror(errno));
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.' || !has_suffix(entry->d_name))
			continue;
		if (add_found(list, place, entry->d_name, nbefore) < 0)
			return error_no_memory(error);
	}
	return 0;
}

/* By name; of one name, what wins first. */
static int compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	if (r)
		return r;
	r = (x->shadowed_by != NULL) - (y->shadowed_by != NULL);
	return r ? r : strcmp(x->path, y->path);
}

int search_list(const struct search *search, struct arena *arena, struct found **ret, size_t *ret_n,
	struct error *error)
{
	struct place places[PLACES_MAX];
	struct found_list list = {.arena = arena};
	size_t n = list_places(search, arena, places);

	for (size_t i = 0; i < n; i++) {
		int r = list_place(&list, &places[i], error);

		if (r < 0)
			return r;
	}
	if (list.n)
		qsort(list.v, list.n, sizeof(*list.v), compare_found);
	*ret = list.v;
	*ret_n = list.n;
	return 0;
}
