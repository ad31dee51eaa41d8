/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening a directory safely before files are made in it: the check is on the open descriptor, so
 * that nobody can put another directory in its place afterwards. See open(2), mkdir(2).
 */
#include "engine/private_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum error_kind kind_of_errno(int err)
{
	return err == EACCES || err == EPERM ? ERROR_PERMISSION : ERROR_FAILED;
}

static int check_owner(int fd, const char *shown, struct error *error)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set(error, ERROR_FAILED, errno, "%s: %s", shown, strerror(errno));
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return error_set(error, ERROR_PERMISSION, EPERM,
			"%s: belongs to uid %u, which is neither root nor the caller", shown,
			(unsigned)st.st_uid);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return error_set(error, ERROR_PERMISSION, EPERM,
			"%s: others can write to it (mode %04o)", shown,
			(unsigned)(st.st_mode & 07777));
	return 0;
}

int private_dir_open(int at, const char *name, const char *shown, mode_t mode, struct error *error)
{
	bool is_new = mode && mkdirat(at, name, 0700) == 0;
	int CLEANUP_CLOSE fd = -1;
	int r;

	if (mode && !is_new && errno != EEXIST)
		return error_set(error, kind_of_errno(errno), errno, "%s: cannot make it: %s",
			shown, strerror(errno));
	fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_set(error, kind_of_errno(errno), errno, "%s: %s", shown,
			errno == ENOTDIR || errno == ELOOP ? "is no directory" : strerror(errno));
	r = check_owner(fd, shown, error);
	if (r < 0)
		return r;
	if (is_new && fchmod(fd, mode) < 0)
		return error_set(error, kind_of_errno(errno), errno, "%s: cannot set its mode: %s",
			shown, strerror(errno));
	r = fd;
	fd = -1;
	return r;
}
