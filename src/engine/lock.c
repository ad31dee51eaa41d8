/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writer locks: one file a network namespace, one for the host, in /run/nettune. Open file
 * description locks (fcntl(2), F_OFD_SETLK): the kernel drops them with the last descriptor, so a
 * killed holder leaves nothing behind, and F_OFD_GETLK can look without touching. The holder's pid
 * inside is only for messages.
 */
#include "engine/private_dir.h"
#include "engine/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define POLL_MS 50

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void netns_name(uint64_t netns, char *ret, size_t size)
{
	snprintf(ret, size, "netns-%" PRIu64 ".lock", netns);
}

/* "pid 4711", or "another process" where the holder has not written it yet. */
static void describe_holder(int fd, char *ret, size_t size)
{
	char text[16];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	size_t digits;

	text[MAX(n, 0)] = '\0';
	digits = strspn(text, "0123456789");
	text[digits] = '\0';
	if (digits)
		snprintf(ret, size, "pid %s", text);
	else
		snprintf(ret, size, "another process");
}

static void write_pid(int fd)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%d\n", getpid());
	ssize_t UNUSED r;

	/* Only for messages: a full /run must not stop a rollback. */
	r = ftruncate(fd, 0);
	r = pwrite(fd, text, (size_t)n, 0);
}

static int wait_for(int fd, const char *what, unsigned timeout_ms, struct error *error)
{
	const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
	const uint64_t end = now_ms() + timeout_ms;
	struct flock wanted = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char holder[32];

	while (fcntl(fd, F_OFD_SETLK, &wanted) < 0) {
		if (errno != EAGAIN && errno != EACCES && errno != EINTR)
			return error_set(error, ERROR_FAILED, errno, "lock of %s: %s", what,
				strerror(errno));
		if (now_ms() >= end) {
			describe_holder(fd, holder, sizeof(holder));
			return error_set(error, ERROR_LOCKED, EBUSY,
				"another run of nettune changes %s (%s); waited %g s", what, holder,
				timeout_ms / 1000.0);
		}
		nanosleep(&pause, NULL);
	}
	write_pid(fd);
	return 0;
}

static int take_file(
	int dir, const char *name, const char *what, unsigned timeout_ms, struct error *error)
{
	int CLEANUP_CLOSE fd = -1;
	int r;

	fd = openat(dir, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_set(
			error, ERROR_PERMISSION, errno, "lock file %s: %s", name, strerror(errno));
	r = wait_for(fd, what, timeout_ms, error);
	if (r < 0)
		return r;
	r = fd;
	fd = -1;
	return r;
}

int lock_take(struct lock *lock, const char *dir, uint64_t netns, bool host, unsigned timeout_ms,
	struct error *error)
{
	int CLEANUP_CLOSE fd = -1;
	char name[48];

	*lock = LOCK_NONE;
	dir = dir ? dir : LOCK_DIR;
	fd = private_dir_open(AT_FDCWD, dir, dir, 0700, error);
	if (fd < 0) {
		/* Whatever the reason: without a place for locks nothing may be written. */
		if (error)
			error->kind = ERROR_PERMISSION;
		return fd;
	}
	netns_name(netns, name, sizeof(name));
	lock->netns_fd = take_file(fd, name, "this network namespace", timeout_ms, error);
	if (lock->netns_fd < 0)
		return lock->netns_fd;
	if (!host)
		return 0;
	lock->host_fd = take_file(fd, "host.lock", "host-wide settings", timeout_ms, error);
	if (lock->host_fd < 0) {
		int r = lock->host_fd;

		lock_release(lock);
		return r;
	}
	return 0;
}

static void release_file(int *fd)
{
	int UNUSED r;

	if (*fd < 0)
		return;
	/* An empty file names nobody; what a killed holder left, the next one overwrites. */
	r = ftruncate(*fd, 0);
	close(*fd);
	*fd = -1;
}

void lock_release(struct lock *lock)
{
	release_file(&lock->host_fd);
	release_file(&lock->netns_fd);
}

bool lock_is_held(const char *dir, uint64_t netns)
{
	struct flock asked = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int CLEANUP_CLOSE dir_fd = -1;
	int CLEANUP_CLOSE fd = -1;
	char name[48];

	dir_fd = open(dir ? dir : LOCK_DIR, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		return false;
	netns_name(netns, name, sizeof(name));
	fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	return fd >= 0 && fcntl(fd, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
}
