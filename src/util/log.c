/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Talk on stderr, one write a message. What is said quotes file contents and names of links and
 * keys, so bytes that a terminal would act on are shown as \xNN; newlines and tabs stay.
 */
#include "util/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static enum log_level current = LOG_LEVEL_NORMAL;

void log_set_level(enum log_level level)
{
	current = level;
}

enum log_level log_get_level(void)
{
	return current;
}

/* Controls of ASCII, and the second byte of those that UTF-8 writes as c2 80 to c2 9f. */
static bool is_control(unsigned char byte, unsigned char previous)
{
	if (previous == 0xc2 && byte >= 0x80 && byte <= 0x9f)
		return true;
	return (byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7f;
}

static void speak(const char *prefix, const char *format, va_list args) PRINTF_LIKE(2, 0);
static void speak(const char *prefix, const char *format, va_list args)
{
	char text[4096], line[4 * sizeof(text)];
	unsigned char previous = 0;
	int saved = errno;
	size_t n;

	vsnprintf(text, sizeof(text), format, args);
	n = (size_t)snprintf(line, sizeof(line), "%s", prefix);
	for (const char *p = text; *p && n < sizeof(line) - 8; p++) {
		if (is_control((unsigned char)*p, previous))
			n += (size_t)snprintf(
				line + n, sizeof(line) - n, "\\x%02x", (unsigned char)*p);
		else
			line[n++] = *p;
		previous = (unsigned char)*p;
	}
	line[n++] = '\n';
	fwrite(line, 1, n, stderr);
	errno = saved;
}

void log_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	speak("nettune: ", format, args);
	va_end(args);
}

void log_info(const char *format, ...)
{
	va_list args;

	if (current < LOG_LEVEL_NORMAL)
		return;
	va_start(args, format);
	speak("", format, args);
	va_end(args);
}

void log_verbose(const char *format, ...)
{
	va_list args;

	if (current < LOG_LEVEL_VERBOSE)
		return;
	va_start(args, format);
	speak("", format, args);
	va_end(args);
}

void log_debug(const char *format, ...)
{
	va_list args;

	if (current < LOG_LEVEL_DEBUG)
		return;
	va_start(args, format);
	speak("", format, args);
	va_end(args);
}
