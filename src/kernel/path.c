/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * openat2(2) with its RESOLVE flags; on kernels without it the same rules checked component by
 * component (path_resolution(7)).
 */
#include "kernel/path.h"

#include "util/macros.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#define TRIES     2000 /* EAGAIN: somebody renamed or mounted something anywhere meanwhile */
#define AT_ONCE   8    /* ... and then with a pause, for whoever copies a mount namespace */
#define PAUSE_NS  1000000
#define LINKS_MAX 40 /* as the kernel's own limit */

static int openat2_call(int dir_fd, const char *path, int flags, uint64_t resolve)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned)flags | O_CLOEXEC,
		.resolve = resolve,
	};
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	long fd;

	for (int i = 0; i < TRIES; i++) {
		fd = syscall(SYS_openat2, dir_fd, path, &how, sizeof(how));
		if (fd >= 0)
			return (int)fd;
		if (errno != EAGAIN && errno != EINTR)
			break;
		if (i >= AT_ONCE)
			nanosleep(&pause, NULL);
		errno = EAGAIN;
	}
	return -errno;
}

bool path_probe(int dir_fd)
{
	int fd CLEANUP_CLOSE = openat2_call(dir_fd, ".", O_PATH | O_DIRECTORY, RESOLVE_BENEATH);

	return fd >= 0;
}

/* A path that is being resolved: what is known to be free of symlinks, and what is to come. */
struct walk {
	char done[PATH_MAX], rest[PATH_MAX];
	unsigned links;
};

static int walk_init(struct walk *walk, const char *path)
{
	*walk = (struct walk){0};
	if (path[0] == '/')
		return -EXDEV;
	if (strlen(path) >= sizeof(walk->rest))
		return -ENAMETOOLONG;
	memcpy(walk->rest, path, strlen(path) + 1);
	return 0;
}

/* Cuts the next component off walk->rest. */
static int walk_next(struct walk *walk, char name[NAME_MAX + 1])
{
	char *start = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(start, "/");
	const char *after = start + length;

	if (length > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(name, start, length);
	name[length] = '\0';
	memmove(walk->rest, after, strlen(after) + 1);
	return 0;
}

static int walk_up(struct walk *walk)
{
	char *slash = strrchr(walk->done, '/');

	if (!walk->done[0])
		return -EXDEV;
	*(slash ? slash : walk->done) = '\0';
	return 0;
}

static int walk_down(struct walk *walk, const char *name)
{
	size_t used = strlen(walk->done), length = strlen(name);

	if (used + 1 + length >= sizeof(walk->done))
		return -ENAMETOOLONG;
	if (used > 0)
		walk->done[used++] = '/';
	memcpy(walk->done + used, name, length + 1);
	return 0;
}

/* The component just walked into is a symlink: its target comes before the rest. */
static int walk_follow(struct walk *walk, const char *target)
{
	char rest[PATH_MAX];
	size_t length = strlen(target);

	if (target[0] == '/')
		return -EXDEV;
	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	if (length + strlen(walk->rest) + 1 >= sizeof(rest))
		return -ENAMETOOLONG;
	memcpy(rest, target, length);
	rest[length] = '/';
	memcpy(rest + length + 1, walk->rest, strlen(walk->rest) + 1);
	memcpy(walk->rest, rest, strlen(rest) + 1);
	return walk_up(walk);
}

static bool is_last(const struct walk *walk)
{
	return !walk->rest[strspn(walk->rest, "/")];
}

static int walk_step(int dir_fd, struct walk *walk, const char *name, bool symlinks, bool nofollow)
{
	char target[PATH_MAX];
	ssize_t n;
	int r;

	if (strcmp(name, ".") == 0)
		return 0;
	if (strcmp(name, "..") == 0)
		return walk_up(walk);
	r = walk_down(walk, name);
	if (r < 0)
		return r;
	n = readlinkat(dir_fd, walk->done, target, sizeof(target) - 1);
	if (n < 0)
		return errno == EINVAL ? 0 : -errno;
	if (nofollow && is_last(walk))
		return 0;
	if (!symlinks)
		return -ELOOP;
	target[n] = '\0';
	return walk_follow(walk, target);
}

static int open_checked(int dir_fd, const char *path, int flags, bool symlinks)
{
	char name[NAME_MAX + 1];
	struct walk walk;
	int r = walk_init(&walk, path), fd;

	while (r == 0 && !is_last(&walk)) {
		r = walk_next(&walk, name);
		if (r == 0)
			r = walk_step(dir_fd, &walk, name, symlinks, flags & O_NOFOLLOW);
	}
	if (r < 0)
		return r;
	fd = openat(dir_fd, walk.done[0] ? walk.done : ".", flags | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int path_open(struct kernel *kernel, enum kernel_dir dir, const char *path, int flags)
{
	int dir_fd = kernel->dirs[dir];
	uint64_t resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;

	if (dir_fd < 0)
		return -ENOENT;
	if (!kernel->has_openat2)
		return open_checked(dir_fd, path, flags, dir == DIR_SYS);
	if (dir != DIR_SYS)
		resolve |= RESOLVE_NO_SYMLINKS;
	return openat2_call(dir_fd, path, flags, resolve);
}
