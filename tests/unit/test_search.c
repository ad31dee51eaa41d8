/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Search path, shadowing, and who may have written a profile. Works below a directory of its own;
 * what needs root to be tried is skipped for others.
 */
#include "test.h"

#include "profile/search.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct place {
	char top[64];
	struct arena arena;
	struct search search;
};

static int setup(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	if (!place)
		return -1;
	strcpy(place->top, "/tmp/nettune-search-XXXXXX");
	if (!mkdtemp(place->top))
		return -1;
	chmod(place->top, 0755);
	unsetenv("SUDO_UID");
	arena_init(&place->arena);
	place->search.root = place->top;
	*state = place;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static int teardown(void **state)
{
	struct place *place = *state;

	unsetenv("SUDO_UID");
	nftw(place->top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	arena_done(&place->arena);
	free(place);
	return 0;
}

/* Creates the directories on the way, too. */
static const char *put(struct place *place, const char *path, const char *text)
{
	char *full = arena_printf(&place->arena, "%s/%s", place->top, path);
	FILE *file;

	for (char *p = full + strlen(place->top) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0755);
		*p = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	chmod(full, 0644);
	return full;
}

static void test_order(void **state)
{
	struct place *place = *state;
	const char *system = put(place, "usr/share/nettune/profiles/a.yaml", "");
	const char *local = put(place, "usr/local/share/nettune/profiles/a.yaml", "");
	const char *etc, *own, *path;
	bool is_explicit;
	struct error error;

	assert_int_equal(
		search_profile(&place->search, "a", &place->arena, &path, &is_explicit, &error), 0);
	assert_string_equal(path, local);
	etc = put(place, "etc/nettune/profiles/a.yaml", "");
	assert_int_equal(
		search_profile(&place->search, "a", &place->arena, &path, &is_explicit, &error), 0);
	assert_string_equal(path, etc);
	own = put(place, "own/a.yaml", "");
	place->search.profile_dir = arena_printf(&place->arena, "%s/own", place->top);
	assert_int_equal(
		search_profile(&place->search, "a", &place->arena, &path, &is_explicit, &error), 0);
	assert_string_equal(path, own);
	assert_true(is_explicit);
	assert_string_not_equal(path, system);
}

static void test_paths(void **state)
{
	static const char *const words[] = {"./a", "/srv/x", "a.yaml", "dir/a.yaml"};
	struct place *place = *state;
	const char *path;
	bool is_explicit;
	struct error error;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		is_explicit = false;
		assert_int_equal(search_profile(&place->search, words[i], &place->arena, &path,
					 &is_explicit, &error),
			0);
		assert_string_equal(path, words[i]);
		assert_true(is_explicit);
	}
}

static void test_not_found(void **state)
{
	struct place *place = *state;
	struct error error = {};
	const char *path;
	bool is_explicit;

	put(place, "etc/nettune/profiles/dc-10ge.yaml", "");
	assert_int_equal(search_profile(&place->search, "dc-10g", &place->arena, &path,
				 &is_explicit, &error),
		-ENOENT);
	assert_int_equal(error.kind, ERROR_DATA);
	assert_non_null(strstr(error.msg, "no profile dc-10g in"));
	assert_non_null(strstr(error.msg, "/etc/nettune/profiles,"));
	assert_non_null(strstr(error.msg, "/usr/share/nettune/profiles"));
	assert_non_null(strstr(error.msg, "did you mean dc-10ge?"));
	assert_int_equal(
		search_profile(&place->search, "", &place->arena, &path, &is_explicit, &error),
		-EINVAL);
	assert_int_equal(error.kind, ERROR_USAGE);
}

static void test_list(void **state)
{
	struct place *place = *state;
	struct found *found = NULL;
	struct error error;
	size_t n = 0;

	put(place, "usr/share/nettune/profiles/a.yaml", "");
	put(place, "usr/share/nettune/profiles/c.yaml", "");
	put(place, "usr/local/share/nettune/profiles/a.yaml", "");
	put(place, "etc/nettune/profiles/b.yaml", "");
	put(place, "etc/nettune/profiles/a.yaml", "");
	put(place, "etc/nettune/profiles/notes.txt", "");
	put(place, "etc/nettune/profiles/.hidden.yaml", "");
	assert_int_equal(search_list(&place->search, &place->arena, &found, &n, &error), 0);
	assert_int_equal(n, 5);
	assert_string_equal(found[0].name, "a");
	assert_null(found[0].shadowed_by);
	assert_non_null(strstr(found[0].path, "/etc/"));
	assert_string_equal(found[1].name, "a");
	assert_string_equal(found[1].shadowed_by, found[0].path);
	assert_string_equal(found[2].shadowed_by, found[0].path);
	assert_string_equal(found[3].name, "b");
	assert_string_equal(found[4].name, "c");
	assert_null(found[4].shadowed_by);
}

static void test_list_of_nothing(void **state)
{
	struct place *place = *state;
	struct found *found = NULL;
	struct error error;
	size_t n = 1;

	assert_int_equal(search_list(&place->search, &place->arena, &found, &n, &error), 0);
	assert_int_equal(n, 0);
}

static int read_file(struct place *place, const char *path, bool is_explicit, struct error *error)
{
	size_t length = 0;
	char *text = NULL;
	int r;

	*error = (struct error){};
	r = search_read(path, is_explicit, &place->arena, &text, &length, error);
	if (r == 0)
		assert_int_equal(length, strlen(text));
	return r;
}

static void test_read(void **state)
{
	struct place *place = *state;
	const char *path = put(place, "a.yaml", "name: a\n");
	struct error error;
	size_t length;
	char *text;

	assert_int_equal(search_read(path, true, &place->arena, &text, &length, &error), 0);
	assert_string_equal(text, "name: a\n");
	assert_int_equal(length, 8);
	path = put(place, "empty.yaml", "");
	assert_int_equal(search_read(path, true, &place->arena, &text, &length, &error), 0);
	assert_int_equal(length, 0);
}

static void test_what_is_no_file(void **state)
{
	struct place *place = *state;
	const char *target = put(place, "a.yaml", "name: a\n");
	const char *path = arena_printf(&place->arena, "%s/link.yaml", place->top);
	struct error error;

	assert_int_equal(read_file(place, place->top, true, &error), -EINVAL);
	assert_non_null(strstr(error.msg, "not a regular file"));
	assert_int_equal(symlink(target, path), 0);
	assert_int_equal(read_file(place, path, true, &error), -ELOOP);
	assert_non_null(strstr(error.msg, "symbolic link"));
	path = arena_printf(&place->arena, "%s/fifo.yaml", place->top);
	assert_int_equal(mkfifo(path, 0644), 0);
	assert_int_equal(read_file(place, path, true, &error), -EINVAL);
	path = arena_printf(&place->arena, "%s/none.yaml", place->top);
	assert_int_equal(read_file(place, path, true, &error), -ENOENT);
	assert_int_equal(error.kind, ERROR_DATA);
	assert_non_null(strstr(error.msg, "none.yaml"));
	assert_int_equal(read_file(place, path, false, &error), -ENOENT);
}

static void test_size(void **state)
{
	struct place *place = *state;
	const char *path = put(place, "a.yaml", "");
	struct error error;

	assert_int_equal(truncate(path, 1024 * 1024 + 1), 0);
	assert_int_equal(read_file(place, path, true, &error), -EFBIG);
}

static void test_owners(void **state)
{
	struct place *place = *state;
	const char *path = put(place, "a.yaml", "name: a\n");
	struct error error;

	if (geteuid() != 0)
		skip();
	assert_int_equal(read_file(place, path, false, &error), 0);
	assert_int_equal(chown(path, 1000, 0), 0);
	assert_int_equal(read_file(place, path, true, &error), -EPERM);
	assert_int_equal(error.kind, ERROR_PERMISSION);
	assert_non_null(strstr(error.msg, "belongs to uid 1000"));
	setenv("SUDO_UID", "1000", 1);
	assert_int_equal(read_file(place, path, true, &error), 0);
	assert_int_equal(read_file(place, path, false, &error), -EPERM);
	setenv("SUDO_UID", "1001", 1);
	assert_int_equal(read_file(place, path, true, &error), -EPERM);
	setenv("SUDO_UID", "1000x", 1);
	assert_int_equal(read_file(place, path, true, &error), -EPERM);
}

static void test_writers(void **state)
{
	struct place *place = *state;
	const char *path = put(place, "a.yaml", "name: a\n");
	struct error error;

	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(path, 0664), 0);
	assert_int_equal(read_file(place, path, true, &error), -EPERM);
	assert_non_null(strstr(error.msg, "mode 0664"));
	assert_int_equal(chmod(path, 0646), 0);
	assert_int_equal(read_file(place, path, true, &error), -EPERM);
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(read_file(place, path, true, &error), 0);
}

/* Who can write a directory on the way can put another file there. */
static void test_directories_above(void **state)
{
	struct place *place = *state;
	const char *path = put(place, "x/y/a.yaml", "name: a\n");
	char *above = arena_printf(&place->arena, "%s/x", place->top);
	struct error error;

	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(above, 0777), 0);
	assert_int_equal(read_file(place, path, false, &error), -EPERM);
	assert_non_null(strstr(error.msg, "/x can be written"));
	assert_int_equal(read_file(place, path, true, &error), 0);
	assert_int_equal(chmod(above, 01777), 0); /* as /tmp: only the owner may rename */
	assert_int_equal(read_file(place, path, false, &error), 0);
	assert_int_equal(chmod(above, 0755), 0);
	assert_int_equal(chown(above, 1000, 0), 0);
	assert_int_equal(read_file(place, path, false, &error), -EPERM);
}

/* A link on the way: both ways are looked at. */
static void test_links_above(void **state)
{
	struct place *place = *state;
	const char *real = put(place, "real/a.yaml", "name: a\n");
	char *directory = arena_printf(&place->arena, "%s/real", place->top);
	char *link = arena_printf(&place->arena, "%s/link", place->top);
	const char *path = arena_printf(&place->arena, "%s/a.yaml", link);
	struct error error;

	if (geteuid() != 0)
		skip();
	assert_int_equal(symlink("real", link), 0);
	assert_int_equal(read_file(place, path, false, &error), 0);
	assert_int_equal(lchown(link, 1000, 0), 0);
	assert_int_equal(read_file(place, path, false, &error), -EPERM);
	assert_int_equal(lchown(link, 0, 0), 0);
	assert_int_equal(chmod(directory, 0777), 0);
	assert_int_equal(read_file(place, path, false, &error), -EPERM);
	assert_int_equal(read_file(place, real, false, &error), -EPERM);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_order),
		TEST(test_paths),
		TEST(test_not_found),
		TEST(test_list),
		TEST(test_list_of_nothing),
		TEST(test_read),
		TEST(test_what_is_no_file),
		TEST(test_size),
		TEST(test_owners),
		TEST(test_writers),
		TEST(test_directories_above),
		TEST(test_links_above),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
