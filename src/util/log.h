/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Talk on stderr. Only src/cmd/ and main speak; everything below may at most log_debug().
 */
#ifndef NETTUNE_UTIL_LOG_H
#define NETTUNE_UTIL_LOG_H

#include "util/macros.h"

enum log_level { LOG_LEVEL_QUIET, LOG_LEVEL_NORMAL, LOG_LEVEL_VERBOSE, LOG_LEVEL_DEBUG };

void log_set_level(enum log_level level); /* -q, default, -v, -vv */
enum log_level log_get_level(void);
void log_error(const char *format, ...) PRINTF_LIKE(1, 2);   /* always, "nettune: " before it */
void log_info(const char *format, ...) PRINTF_LIKE(1, 2);    /* not with -q */
void log_verbose(const char *format, ...) PRINTF_LIKE(1, 2); /* from -v on */
void log_debug(const char *format, ...) PRINTF_LIKE(1, 2);   /* from -vv on */

#endif
