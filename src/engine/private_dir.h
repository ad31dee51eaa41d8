/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories for files that only the writer may touch: the journal's and the locks'.
 */
#ifndef NETTUNE_ENGINE_PRIVATE_DIR_H
#define NETTUNE_ENGINE_PRIVATE_DIR_H

#include "util/error.h"

#include <sys/types.h>

/*
 * Opens `name` below `at`, no symlink, and checks that it is root's or our own and that nobody else
 * can write to it. `mode`: made with it if it is not there, whatever the umask; 0 = never made.
 * `shown`: its path for messages.
 * The descriptor, or -errno (-ENOENT: not there, and not to be made).
 */
int private_dir_open(
	int at, const char *name, const char *shown, mode_t mode, struct error *error) MUST_CHECK;

#endif
