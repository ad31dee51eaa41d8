/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a profile that decides what root does to the network: who may have written it is asked
 * of the opened file, never of its name.
 */
#include "profile/search.h"

#include "profile/node.h"
#include "util/numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

static int failed(struct error *error, const char *path, int err)
{
	return error_set(error, err == EACCES || err == EPERM ? ERROR_PERMISSION : ERROR_DATA, err,
		"%s: %s", path, strerror(err));
}

/* The one who called sudo. */
static bool is_sudo_user(uid_t uid)
{
	const char *text = getenv("SUDO_UID");
	uint64_t number;

	return text && number_parse(text, &number) == 0 && number == uid;
}

static int check_writers(
	const char *path, const struct stat *st, bool is_explicit, struct error *error)
{
	if (st->st_uid != 0 && !(is_explicit && is_sudo_user(st->st_uid)))
		return error_set(error, ERROR_PERMISSION, EPERM,
			"%s belongs to uid %u, not to root", path, (unsigned)st->st_uid);
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return error_set(error, ERROR_PERMISSION, EPERM,
			"%s can be written by its group or by others (mode %04o)", path,
			(unsigned)(st->st_mode & 07777));
	return 0;
}

/* A directory in which others could put another file or directory of the same name. */
static int check_directory(const char *path, struct error *error)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return failed(error, path, errno);
	if (S_ISLNK(st.st_mode))
		st.st_mode &= ~(mode_t)0777; /* means nothing for a link */
	if (st.st_mode & S_ISVTX)
		st.st_mode &= ~(mode_t)(S_IWGRP | S_IWOTH);
	return check_writers(path, &st, false, error);
}

/* Every directory on the way; a relative path begins in a directory that the caller chose. */
static int check_way(const char *path, struct error *error)
{
	CLEANUP_FREE char *prefix = strdup(path);
	int r = *path == '/' ? check_directory("/", error) : 0;

	if (!prefix)
		return error_no_memory(error);
	for (char *p = prefix + strspn(prefix, "/"); r == 0 && *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		r = check_directory(prefix, error);
		*p = '/';
	}
	return r;
}

/* The way as written and, where links are on it, the way it really takes. */
static int check_ways(const char *path, struct error *error)
{
	CLEANUP_FREE char *real = realpath(path, NULL);

	if (!real)
		return failed(error, path, errno);
	if (strcmp(real, path) != 0) {
		int r = check_way(real, error);

		if (r < 0)
			return r;
	}
	return check_way(path, error);
}

/* The file itself, not one that a link points at: the link could change its mind. */
static int open_file(const char *path, int *ret_fd, struct error *error)
{
	/* Opening a FIFO must not wait for a writer. */
	int fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 && errno == ELOOP)
		return error_set(error, ERROR_DATA, ELOOP,
			"%s is a symbolic link; name the file that it points at", path);
	if (fd < 0)
		return failed(error, path, errno);
	*ret_fd = fd;
	return 0;
}

static int check_file(
	int fd, const char *path, bool is_explicit, size_t *ret_size, struct error *error)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return failed(error, path, errno);
	if (!S_ISREG(st.st_mode))
		return error_set(error, ERROR_DATA, EINVAL, "%s is not a regular file", path);
	if (st.st_size > (off_t)PROFILE_SIZE_MAX)
		return error_set(error, ERROR_DATA, EFBIG, "%s is larger than %zu KiB", path,
			PROFILE_SIZE_MAX / 1024);
	*ret_size = (size_t)st.st_size;
	return geteuid() == 0 ? check_writers(path, &st, is_explicit, error) : 0;
}

/* Up to `size` bytes; more than the file had a moment ago are not taken. */
static ssize_t read_all(int fd, char *buffer, size_t size)
{
	size_t n = 0;

	while (n < size) {
		ssize_t got = read(fd, buffer + n, size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

int search_read(const char *path, bool is_explicit, struct arena *arena, char **ret_text,
	size_t *ret_length, struct error *error)
{
	CLEANUP_CLOSE int fd = -1;
	size_t size = 0;
	ssize_t length;
	char *text;
	int r = 0;

	if (geteuid() == 0 && !is_explicit)
		r = check_ways(path, error);
	if (r == 0)
		r = open_file(path, &fd, error);
	if (r == 0)
		r = check_file(fd, path, is_explicit, &size, error);
	if (r < 0)
		return r;
	text = arena_alloc(arena, size + 1);
	if (!text)
		return error_no_memory(error);
	length = read_all(fd, text, size);
	if (length < 0)
		return failed(error, path, (int)-length);
	*ret_text = text;
	*ret_length = (size_t)length;
	return 0;
}
