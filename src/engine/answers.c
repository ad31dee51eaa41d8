/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of answers: read by everybody, written by root. It is replaced as a whole, so that no
 * reader sees half of it and a power loss leaves the old or the new one (rename(2), fsync(2)).
 */
#include "engine/answers.h"

#include "engine/private_dir.h"
#include "engine/store_files.h"
#include "format/answers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NEW_FILE         "answers.new"
#define SIZE_MAX_ANSWERS (4U << 20)
#define LOCK_TRIES       100 /* of 20 ms */

static int fail_errno(struct error *error, const char *what)
{
	return error_set(error, errno == EACCES ? ERROR_PERMISSION : ERROR_FAILED, errno, "%s: %s",
		what, strerror(errno));
}

/* Whoever may write to it could make nettune leave settings out. */
static int check_file(int fd, struct stat *st, struct error *error)
{
	if (fstat(fd, st) < 0)
		return fail_errno(error, "cannot be looked at");
	if (!S_ISREG(st->st_mode))
		return error_set(error, ERROR_DATA, EINVAL, "is no regular file");
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return error_set(error, ERROR_PERMISSION, EPERM,
			"belongs to uid %u, which is neither root nor the caller",
			(unsigned)st->st_uid);
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return error_set(error, ERROR_PERMISSION, EPERM,
			"others can write to it (mode %04o)", (unsigned)(st->st_mode & 07777));
	if (st->st_size > (off_t)SIZE_MAX_ANSWERS)
		return error_set(
			error, ERROR_DATA, EFBIG, "is larger than %u bytes", SIZE_MAX_ANSWERS);
	return 0;
}

static int read_all(int fd, size_t size, struct arena *arena, char **ret, size_t *ret_length,
	struct error *error)
{
	char *text = ARENA_ARRAY(arena, size + 1, char);

	if (!text)
		return error_no_memory(error);
	*ret_length = 0;
	while (*ret_length < size) {
		ssize_t n = read(fd, text + *ret_length, size - *ret_length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_errno(error, "cannot be read");
		if (n == 0)
			break;
		*ret_length += (size_t)n;
	}
	*ret = text;
	return 0;
}

/* -ENOENT: there is none. */
static int load(int dir, struct answers *ret, struct error *error)
{
	int CLEANUP_CLOSE fd = openat(
		dir, ANSWERS_FILE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	size_t length = 0;
	char *text = NULL;
	int r;

	if (fd < 0)
		return fail_errno(error, "cannot be opened");
	r = check_file(fd, &st, error);
	if (r == 0)
		r = read_all(fd, (size_t)st.st_size, ret->arena, &text, &length, error);
	return r < 0 ? r : answers_parse(text, length, ret, error);
}

static void warn(const struct run *run, struct diags *diags, const char *id, const char *then,
	const struct error *error)
{
	diags_add(diags, SEVERITY_WARNING, error->kind, id, (struct pos){0}, "%s/%s: %s; %s",
		run->options->state_dir, ANSWERS_FILE, error->msg, then);
}

void answers_load(struct run *run, struct diags *diags)
{
	const char *state_dir = run->options->state_dir;
	struct error error;
	int CLEANUP_CLOSE dir = private_dir_open(AT_FDCWD, state_dir, state_dir, 0, &error);
	int r = dir;

	run->answers = (struct answers){.arena = run->arena};
	if (dir >= 0)
		r = load(dir, &run->answers, &error);
	if (r < 0 && r != -ENOENT)
		warn(run, diags, "answers-unread",
			"what drivers make of values is not known, and may show as a change",
			&error);
}

/* One writer at a time, also of other namespaces: the journal's directory is open to root only. */
static int lock(const struct run *run, struct error *error)
{
	const struct timespec wait = {.tv_nsec = 20 * 1000 * 1000};
	int dir = store_open_dir(run->options->state_dir, false, error);

	for (unsigned i = 0; dir >= 0 && flock(dir, LOCK_EX | LOCK_NB) < 0; i++) {
		if (errno != EWOULDBLOCK || i == LOCK_TRIES) {
			fail_errno(error, "cannot be locked");
			close(dir);
			return -error->err;
		}
		nanosleep(&wait, NULL);
	}
	return dir;
}

static int write_line(FILE *stream, char *line)
{
	char *CLEANUP_FREE owned = line;

	if (!owned) {
		errno = ENOMEM;
		return -1;
	}
	return fputs(owned, stream) == EOF ? -1 : 0;
}

static int write_all(FILE *stream, const struct answers *answers)
{
	size_t first = answers->n > ANSWERS_MOST ? answers->n - ANSWERS_MOST : 0;

	if (write_line(stream, answers_header_line()) < 0)
		return -1;
	for (size_t i = first; i < answers->n; i++)
		if (write_line(stream, answer_line(&answers->v[i])) < 0)
			return -1;
	return fflush(stream) == EOF ? -1 : 0;
}

static int write_new(int dir, const struct answers *answers, struct error *error)
{
	int fd = openat(dir, NEW_FILE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");
	int r = 0;

	if (!stream) {
		fail_errno(error, "cannot be written");
		if (fd >= 0)
			close(fd);
		return -error->err;
	}
	if (fchmod(fd, 0644) < 0 || write_all(stream, answers) < 0 || fsync(fd) < 0)
		r = fail_errno(error, "cannot be written");
	if (fclose(stream) == EOF && r == 0)
		r = fail_errno(error, "cannot be written");
	return r;
}

static int replace(int dir, const struct answers *answers, struct error *error)
{
	int r;

	if (unlinkat(dir, NEW_FILE, 0) < 0 && errno != ENOENT)
		return fail_errno(error, "an old " NEW_FILE " can't be removed");
	r = write_new(dir, answers, error);
	if (r == 0 && renameat(dir, NEW_FILE, dir, ANSWERS_FILE) < 0)
		r = fail_errno(error, "cannot be replaced");
	if (r == 0 && fsync(dir) < 0 && errno != EINVAL)
		r = fail_errno(error, "cannot be made durable");
	return r;
}

/* Read once more, since other namespaces may have added to it. */
static int update(struct run *run, const struct answers *learnt, struct error *error)
{
	const char *state_dir = run->options->state_dir;
	int CLEANUP_CLOSE held = lock(run, error);
	int CLEANUP_CLOSE dir = -1;
	struct error unread;

	if (held < 0)
		return held;
	dir = private_dir_open(AT_FDCWD, state_dir, state_dir, 0, error);
	if (dir < 0)
		return dir;
	if (load(dir, &run->answers, &unread) < 0)
		run->answers.n = 0; /* a warning has told of it before */
	for (size_t i = 0; i < learnt->n; i++)
		if (answers_put(&run->answers, &learnt->v[i]) < 0)
			return error_no_memory(error);
	return replace(dir, &run->answers, error);
}

void answers_save(struct run *run, const struct plan *plan, struct diags *diags)
{
	struct answers learnt = {.arena = run->arena};
	struct error error;
	int r = answers_learn(&learnt, &run->host, plan);

	if (r < 0)
		error_no_memory(&error);
	else if (learnt.n)
		r = update(run, &learnt, &error);
	if (r < 0)
		warn(run, diags, "answers-unsaved",
			"what drivers made of values is forgotten, and will be asked again",
			&error);
}
