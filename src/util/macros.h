/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attributes and small macros used everywhere.
 */
#ifndef NETTUNE_UTIL_MACROS_H
#define NETTUNE_UTIL_MACROS_H

#include <stdlib.h>
#include <unistd.h>

#define ARRAY_SIZE(a)     (sizeof(a) / sizeof((a)[0]))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#define UNUSED            __attribute__((unused))
#define MUST_CHECK        __attribute__((warn_unused_result))
#define CLEANUP(f)        __attribute__((cleanup(f)))
#define MIN(a, b)         ((a) < (b) ? (a) : (b))
#define MAX(a, b)         ((a) > (b) ? (a) : (b))

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

#define CLEANUP_CLOSE CLEANUP(cleanup_close)
#define CLEANUP_FREE  CLEANUP(cleanup_free)

#endif
