/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times for records and reports.
 */
#include "util/clock.h"

#include <time.h>

const char *clock_text(struct arena *arena)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[32];

	gmtime_r(&now, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return arena_strdup(arena, text);
}
