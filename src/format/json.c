/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings of any bytes in JSON, objects that are built without looking at each step, and
 * documents (RFC 8259). Output is ASCII, so that no name in it can play with a terminal.
 */
#include "format/json.h"

#include "format/text.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define ENCODED_MAX 4 /* characters for one byte */

/* Room: ENCODED_MAX * strlen(text) + 1. */
static void encode(const char *text, char *to)
{
	while (*text) {
		uint32_t code;
		size_t length = utf8_decode(text, &code);

		if (length == 0) {
			to += snprintf(to, ENCODED_MAX + 1, "\\x%02x", (unsigned char)*text++);
			continue;
		}
		if (*text == '\\')
			*to++ = '\\';
		memcpy(to, text, length);
		to += length;
		text += length;
	}
	*to = '\0';
}

json_t *text_to_json(const char *text)
{
	char *encoded CLEANUP_FREE = NULL;
	json_t *plain;

	if (!text)
		return json_null();
	if (!strchr(text, '\\')) {
		plain = json_string(text); /* refuses what is not UTF-8 */
		if (plain)
			return plain;
	}
	encoded = malloc(strlen(text) * ENCODED_MAX + 1);
	if (!encoded)
		return NULL;
	encode(text, encoded);
	return json_string(encoded);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte behind the backslash at *from, which moves behind the escape; -1 if there is none. */
static int decode_escape(const char **from)
{
	const char *p = *from + 1;
	int high, low;

	if (*p == '\\') {
		*from = p + 1;
		return '\\';
	}
	if (*p != 'x')
		return -1;
	high = hex_digit(p[1]);
	low = high < 0 ? -1 : hex_digit(p[2]);
	if (low < 0)
		return -1;
	*from = p + 3;
	return high << 4 | low;
}

int text_of_json(struct arena *arena, const char *encoded, const char **ret)
{
	char *text = arena_strdup(arena, encoded), *to = text;
	const char *from = encoded;

	*ret = text;
	if (!*text || !strchr(text, '\\'))
		return 0;
	while (*from) {
		int byte = (unsigned char)*from;

		if (byte == '\\') {
			byte = decode_escape(&from);
			if (byte <= 0)
				return -EINVAL;
		} else {
			from++;
		}
		*to++ = (char)byte;
	}
	*to = '\0';
	return 0;
}

json_t *json_with(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *json_append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) == 0)
		return array;
	json_decref(array);
	return NULL;
}

char *json_to_line(json_t *value)
{
	char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
	size_t length = text ? strlen(text) : 0;
	char *line = text ? realloc(text, length + 2) : NULL;

	json_decref(value);
	if (!line) {
		free(text);
		return NULL;
	}
	memcpy(line + length, "\n", 2);
	return line;
}

int json_print(FILE *stream, json_t *document)
{
	int r = 0;

	if (!document)
		return -ENOMEM;
	errno = 0;
	if (json_dumpf(document, stream, JSON_INDENT(2) | JSON_ENSURE_ASCII) < 0 ||
		fputc('\n', stream) == EOF || fflush(stream) == EOF)
		r = errno ? -errno : -EIO;
	json_decref(document);
	return r;
}
