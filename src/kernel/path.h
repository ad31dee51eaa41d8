/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening paths that came from outside without leaving the directory they belong to.
 */
#ifndef NETTUNE_KERNEL_PATH_H
#define NETTUNE_KERNEL_PATH_H

#include "kernel/kernel.h"

/*
 * Opens `path` below one of the directories: /proc without any symlink, /sys with those that stay
 * beneath it (O_NOFOLLOW: not a last one). O_CLOEXEC is implied. A descriptor, or -errno; -ELOOP
 * or -EXDEV for a path that leads away.
 */
int path_open(struct kernel *kernel, enum kernel_dir dir, const char *path, int flags);
/* Whether openat2() can be used (Linux 5.6; some container sandboxes refuse it). */
bool path_probe(int dir_fd);

#endif
