/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal directory and the names in it. A name that is no ID of ours is never opened: IDs come
 * from the command line, too.
 */
#include "engine/store_files.h"

#include "engine/private_dir.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool store_is_id(const char *text)
{
	static const char shape[] = "dddddddd:Tdddddd:Z-xxxxxx";
	const char *p = text;

	for (const char *s = shape; *s; s++) {
		if (*s == ':')
			continue;
		if (*s == 'd'       ? !isdigit((unsigned char)*p)
			: *s == 'x' ? !strchr("0123456789abcdef", *p) || !*p
				    : *p != *s)
			return false;
		p++;
	}
	return *p == '\0';
}

const char *store_path(struct arena *arena, const char *state_dir, const char *id)
{
	return arena_printf(arena, "%s/journal/%s" ID_SUFFIX, state_dir, id);
}

int store_open_dir(const char *state_dir, bool create, struct error *error)
{
	/* what drivers made of values is for everybody's plans, the journal for root only */
	int CLEANUP_CLOSE state = private_dir_open(
		AT_FDCWD, state_dir, state_dir, create ? 0755 : 0, error);
	char *CLEANUP_FREE shown = NULL;

	if (state < 0)
		return state;
	if (asprintf(&shown, "%s/journal", state_dir) < 0) {
		shown = NULL;
		return error_set(error, ERROR_FAILED, ENOMEM, "%s: out of memory", state_dir);
	}
	return private_dir_open(state, "journal", shown, create ? 0700 : 0, error);
}

int store_open_file(int dir, const char *id, int flags, struct error *error)
{
	char name[ID_SIZE + sizeof(ID_SUFFIX)];
	struct stat st;
	int CLEANUP_CLOSE fd = -1;
	int r;

	if (!store_is_id(id))
		return error_set(error, ERROR_DATA, ENOENT,
			"\"%s\" is no transaction ID; nettune history lists them", id);
	snprintf(name, sizeof(name), "%s" ID_SUFFIX, id);
	fd = openat(dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return error_set(error, ERROR_DATA, ENOENT,
			"there is no transaction %s; nettune history lists them", id);
	if (fd < 0)
		return error_set(error, errno == EACCES ? ERROR_PERMISSION : ERROR_DATA, errno,
			"journal %s: %s", name, strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return error_set(error, ERROR_DATA, EINVAL, "journal %s: is no regular file", name);
	r = fd;
	fd = -1;
	return r;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int add_name(struct name_list *names, const char *file)
{
	size_t length = strlen(file), suffix = strlen(ID_SUFFIX);
	char id[ID_SIZE];

	if (length != ID_SIZE - 1 + suffix || strcmp(file + ID_SIZE - 1, ID_SUFFIX) != 0)
		return 0;
	memcpy(id, file, ID_SIZE - 1);
	id[ID_SIZE - 1] = '\0';
	if (!store_is_id(id))
		return 0;
	if (names->n == names->cap) {
		size_t cap = names->cap ? 2 * names->cap : 16;
		void *v = reallocarray(names->v, cap, sizeof(names->v[0]));

		if (!v)
			return -ENOMEM;
		names->v = v;
		names->cap = cap;
	}
	memcpy(names->v[names->n++], id, ID_SIZE);
	return 0;
}

int store_list(int dir, struct name_list *ret)
{
	/* A descriptor of its own: reading moves the position that a dup() would share. */
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int r = 0;

	if (!stream) {
		r = -errno;
		if (fd >= 0)
			close(fd);
		return r;
	}
	errno = 0;
	while (r == 0 && (entry = readdir(stream)))
		r = add_name(ret, entry->d_name);
	if (r == 0 && errno)
		r = -errno;
	closedir(stream);
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(ret->v[0]), compare_names);
	return r;
}

void name_list_done(struct name_list *names)
{
	free(names->v);
	*names = (struct name_list){0};
}
