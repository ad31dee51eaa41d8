/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files below /proc, /proc/sys and /sys: one value a file, read and written whole
 * (Documentation/filesystems/{proc,sysfs}.rst, Documentation/admin-guide/sysctl/index.rst).
 */
#include "kernel/kernel.h"

#include "kernel/path.h"
#include "util/log.h"
#include "util/macros.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define TEXT_MAX (1024UL * 1024)

/*
 * Reads to the end of the file. A sysctl gives a value only to the first read(), cut to its size:
 * so a buffer that became full is too small, whatever the next read() says.
 */
static ssize_t read_whole(int fd, char *buf, size_t size)
{
	size_t length = 0;
	ssize_t n;

	do {
		n = read(fd, buf + length, size - 1 - length);
		if (n < 0 && errno != EINTR)
			return -errno;
		length += n > 0 ? (size_t)n : 0;
		if (length == size - 1)
			return -EOVERFLOW;
	} while (n != 0);
	if (length > 0 && buf[length - 1] == '\n')
		length--;
	buf[length] = '\0';
	return (ssize_t)length;
}

ssize_t file_read(
	struct kernel *kernel, enum kernel_dir dir, const char *path, char *buf, size_t size)
{
	int fd CLEANUP_CLOSE = path_open(kernel, dir, path, O_RDONLY);

	return fd < 0 ? fd : read_whole(fd, buf, size);
}

int file_read_text(struct kernel *kernel, enum kernel_dir dir, const char *path, const char **ret)
{
	char small[4096], *large CLEANUP_FREE = NULL;
	ssize_t n = file_read(kernel, dir, path, small, sizeof(small));

	for (size_t size = 65536; n == -EOVERFLOW && size <= TEXT_MAX; size *= 16) {
		free(large);
		large = malloc(size);
		if (!large)
			return -ENOMEM;
		n = file_read(kernel, dir, path, large, size);
	}
	if (n < 0)
		return (int)n;
	*ret = arena_strndup(kernel->arena, large ? large : small, (size_t)n);
	return arena_failed(kernel->arena) ? -ENOMEM : 0;
}

int file_read_number(struct kernel *kernel, enum kernel_dir dir, const char *path, int64_t *ret)
{
	char buf[32], *end;
	ssize_t n = file_read(kernel, dir, path, buf, sizeof(buf));
	long long number;

	if (n < 0)
		return n == -EOVERFLOW ? -EINVAL : (int)n;
	errno = 0;
	number = strtoll(buf, &end, 10);
	if (end == buf || *end || errno)
		return -EINVAL;
	*ret = number;
	return 0;
}

static ssize_t write_part(int fd, const char *text, size_t length)
{
	ssize_t n;

	do
		n = write(fd, text, length);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/*
 * One write(): what is written at an offset other than 0 is swallowed by most sysctls, so the rest
 * of a value after a short write is lost, and never tried. Lists of ports are the exception: the
 * kernel takes them page by page, and adds what comes at an offset to what was there.
 */
static int write_whole(int fd, const char *text, size_t length)
{
	bool in_pages = length >= (size_t)sysconf(_SC_PAGESIZE);
	ssize_t n;

	do {
		n = write_part(fd, text, length);
		if (n < 0)
			return (int)n;
		text += n;
		length -= (size_t)n;
	} while (in_pages && n > 0 && length > 0);
	return length == 0 ? 0 : -EIO;
}

/* Says what is written where, and asks the hook: 1 = go on, 0 = it took that upon itself, -errno. */
static int announce_write(
	struct kernel *kernel, enum kernel_dir dir, const char *path, const char *text)
{
	char *full CLEANUP_FREE = NULL;
	int r = 0;

	if (asprintf(&full, "%s/%s", kernel->dir_names[dir], path) < 0) {
		full = NULL;
		return -ENOMEM;
	}
	log_debug("write \"%s\" to %s", text, full);
	if (kernel->below_root)
		return -EROFS;
	if (kernel->transport && kernel->transport->file_write)
		r = kernel->transport->file_write(kernel->transport, full, text);
	return r > 0 ? 0 : r < 0 ? r : 1;
}

/* Zero bytes would be taken, and change nothing. */
static int write_text(int fd, const char *text)
{
	return *text ? write_whole(fd, text, strlen(text)) : write_whole(fd, "\n", 1);
}

int file_write(struct kernel *kernel, enum kernel_dir dir, const char *path, const char *text)
{
	int r = announce_write(kernel, dir, path, text);
	int fd CLEANUP_CLOSE = r == 1 ? path_open(kernel, dir, path, O_WRONLY) : -1;

	if (r != 1)
		return r;
	return fd < 0 ? fd : write_text(fd, text);
}

int file_write_of_link(struct kernel *kernel, struct link *link, enum kernel_dir dir,
	const char *path, const char *text)
{
	const char *name = link->name;
	int r = announce_write(kernel, dir, path, text), is_there;
	int fd CLEANUP_CLOSE = r == 1 ? path_open(kernel, dir, path, O_WRONLY) : -1;

	if (r != 1)
		return r;
	is_there = kernel_link_refresh(kernel, link, NULL);
	if (is_there < 0)
		return is_there;
	if (strcmp(name, link->name) != 0)
		return -ESTALE;
	return fd < 0 ? fd : write_text(fd, text);
}

int file_is_settable(struct kernel *kernel, enum kernel_dir dir, const char *path)
{
	int fd CLEANUP_CLOSE = path_open(kernel, dir, path, O_PATH);
	struct statvfs fs;
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0 || fstatvfs(fd, &fs) < 0)
		return -errno;
	if (!(st.st_mode & S_IWUSR))
		return -EACCES;
	return fs.f_flag & ST_RDONLY ? -EROFS : 0;
}

bool file_exists(struct kernel *kernel, enum kernel_dir dir, const char *path)
{
	int fd CLEANUP_CLOSE = path_open(kernel, dir, path, O_PATH);

	return fd >= 0;
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

int file_list(struct kernel *kernel, enum kernel_dir dir, const char *path, const char *const **ret,
	size_t *ret_n)
{
	int fd = path_open(kernel, dir, path, O_RDONLY | O_DIRECTORY);
	DIR *stream CLEANUP(close_dir) = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	const char **names = NULL;
	size_t n = 0, cap = 0;

	if (!stream) {
		int r = fd < 0 ? fd : -errno;

		if (fd >= 0)
			close(fd);
		return r;
	}
	while (errno = 0, (entry = readdir(stream))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (arena_grow(kernel->arena, &names, &cap, n, sizeof(*names)) < 0)
			return -ENOMEM;
		names[n++] = arena_strdup(kernel->arena, entry->d_name);
	}
	if (errno)
		return -errno;
	if (n > 0)
		qsort(names, n, sizeof(*names), compare_names);
	*ret = names;
	*ret_n = n;
	return arena_failed(kernel->arena) ? -ENOMEM : 0;
}

int file_link_name(struct kernel *kernel, enum kernel_dir dir, const char *path, const char **ret)
{
	int fd CLEANUP_CLOSE = path_open(kernel, dir, path, O_PATH | O_NOFOLLOW);
	char target[4096];
	const char *slash;
	ssize_t n;

	if (fd < 0)
		return fd;
	n = readlinkat(fd, "", target, sizeof(target) - 1);
	if (n < 0) /* ENOENT stands for "no symlink" when the path is empty */
		return errno == ENOENT ? -EINVAL : -errno;
	target[n] = '\0';
	slash = strrchr(target, '/');
	*ret = arena_strdup(kernel->arena, slash ? slash + 1 : target);
	return arena_failed(kernel->arena) ? -ENOMEM : 0;
}
