/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Journal files, STATE_DIR/journal/ID.jsonl: made, appended to, made durable. An ID is UTC time and
 * a random part; the time part grows from one to the next even if the clock goes back, since the
 * order of IDs is the order in which transactions are undone. See open(2), fallocate(2), fsync(2).
 */
#include "engine/store.h"

#include "engine/private_dir.h"
#include "engine/store_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ID_TIME "%Y%m%dT%H%M%SZ"

/* Seconds of the time part of an ID. */
static time_t id_seconds(const char *id)
{
	struct tm tm = {0};

	return strptime(id, ID_TIME, &tm) ? timegm(&tm) : 0;
}

/* A time that is later than the one of every ID there is. */
static int next_seconds(int dir, time_t *ret)
{
	struct name_list names = {0};
	time_t now = time(NULL);
	int r = store_list(dir, &names);

	if (r == 0 && names.n) {
		time_t last = id_seconds(names.v[names.n - 1]);

		*ret = MAX(now, last + 1);
	} else if (r == 0) {
		*ret = now;
	}
	name_list_done(&names);
	return r;
}

static int new_id(int dir, struct arena *arena, const char **ret, struct error *error)
{
	unsigned random;
	time_t seconds = 0;
	struct tm tm;
	char text[32];
	int r = next_seconds(dir, &seconds);

	if (r < 0)
		return error_set(error, ERROR_FAILED, -r, "journal: cannot list the directory: %s",
			strerror(-r));
	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return error_set(error, ERROR_FAILED, errno, "journal: no random number: %s",
			strerror(errno));
	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), ID_TIME, &tm);
	*ret = arena_printf(arena, "%s-%06x", text, random & 0xffffff);
	return 0;
}

static void store_fill(
	struct store *store, const char *state_dir, const char *id, struct arena *arena)
{
	store->id = arena_strdup(arena, id);
	store->path = store_path(arena, state_dir, id);
}

int store_create(
	struct store *store, const char *state_dir, struct arena *arena, struct error *error)
{
	int CLEANUP_CLOSE dir = -1;
	const char *id = NULL;
	int r;

	*store = (struct store){.fd = -1, .dir = -1};
	dir = store_open_dir(state_dir, true, error);
	if (dir < 0)
		return dir;
	r = new_id(dir, arena, &id, error);
	if (r < 0)
		return r;
	store_fill(store, state_dir, id, arena);
	if (arena_failed(arena))
		return error_no_memory(error);
	store->fd = openat(dir, arena_printf(arena, "%s" ID_SUFFIX, id),
		O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (store->fd < 0)
		return error_set(error, errno == EACCES ? ERROR_PERMISSION : ERROR_FAILED, errno,
			"%s: %s", store->path, strerror(errno));
	store->dir = dir;
	dir = -1;
	return 0;
}

/* A line that its writer did not finish would swallow the next one. */
static int cut_torn_line(const struct store *store, struct error *error)
{
	struct stat st;
	char last = '\n', block[4096];
	off_t end;

	if (fstat(store->fd, &st) < 0)
		return error_set(
			error, ERROR_FAILED, errno, "%s: %s", store->path, strerror(errno));
	end = st.st_size;
	if (end > 0 && pread(store->fd, &last, 1, end - 1) != 1)
		return error_set(error, ERROR_FAILED, EIO, "%s: cannot read", store->path);
	while (end > 0 && last != '\n') {
		size_t n = MIN((size_t)end, sizeof(block));
		const char *newline;

		if (pread(store->fd, block, n, end - (off_t)n) != (ssize_t)n)
			return error_set(error, ERROR_FAILED, EIO, "%s: cannot read", store->path);
		newline = memrchr(block, '\n', n);
		end = newline ? end - (off_t)n + (newline - block) + 1 : end - (off_t)n;
		last = newline ? '\n' : last;
	}
	if (end != st.st_size && ftruncate(store->fd, end) < 0)
		return error_set(error, ERROR_FAILED, errno, "%s: cannot cut a torn line: %s",
			store->path, strerror(errno));
	return 0;
}

int store_open_append(struct store *store, const char *state_dir, const char *id,
	struct arena *arena, struct error *error)
{
	int r;

	*store = (struct store){.fd = -1, .dir = -1};
	store_fill(store, state_dir, id, arena);
	store->dir = store_open_dir(state_dir, false, error);
	if (store->dir < 0)
		return store->dir;
	store->fd = store_open_file(store->dir, id, O_RDWR | O_APPEND, error);
	r = store->fd < 0 ? store->fd : cut_torn_line(store, error);
	if (r < 0)
		store_close(store);
	return r;
}

/* All of it or nothing. */
static int write_line(int fd, const char *line, size_t length)
{
	struct stat before;
	ssize_t n;
	int err;

	if (fstat(fd, &before) < 0)
		return -errno;
	do
		n = write(fd, line, length);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)length)
		return 0;
	err = n < 0 ? errno : ENOSPC;
	if (n > 0 && ftruncate(fd, before.st_size) < 0)
		err = errno;
	return -err;
}

int store_append(struct store *store, char *line, struct error *error)
{
	char *CLEANUP_FREE owned = line;
	int r;

	if (!owned)
		return error_set(error, ERROR_FAILED, ENOMEM, "%s: out of memory", store->path);
	r = write_line(store->fd, owned, strlen(owned));
	if (r < 0)
		return error_set(error, ERROR_FAILED, -r, "%s: cannot append a line: %s",
			store->path, strerror(-r));
	return 0;
}

static int reserve(int fd, size_t bytes)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (bytes == 0 || fallocate(fd, FALLOC_FL_KEEP_SIZE, st.st_size, (off_t)bytes) == 0)
		return 0;
	/* Where the file system can't reserve, the append that finds no room stops the run. */
	return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -errno;
}

int store_commit(struct store *store, size_t bytes, struct error *error)
{
	int r = reserve(store->fd, bytes);

	if (r < 0)
		return error_set(error, ERROR_FAILED, -r, "%s: cannot reserve %zu bytes: %s",
			store->path, bytes, strerror(-r));
	if (fsync(store->fd) < 0 || (fsync(store->dir) < 0 && errno != EINVAL))
		return error_set(error, ERROR_FAILED, errno, "%s: cannot make it durable: %s",
			store->path, strerror(errno));
	return 0;
}

void store_close(struct store *store)
{
	struct stat st;
	int UNUSED r;

	if (store->fd >= 0) {
		if (fstat(store->fd, &st) == 0)
			r = ftruncate(store->fd, st.st_size);
		close(store->fd);
	}
	if (store->dir >= 0)
		close(store->dir);
	store->fd = store->dir = -1;
}

void store_discard(struct store *store)
{
	const char *name = store->path ? strrchr(store->path, '/') : NULL;

	if (store->dir >= 0 && name)
		unlinkat(store->dir, name + 1, 0);
	store_close(store);
}
