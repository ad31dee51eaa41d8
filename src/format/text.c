/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UTF-8 (RFC 3629) and what a terminal must not see: C0 and C1 controls, and the invisible
 * characters that reorder or hide what stands beside them.
 */
#include "format/text.h"

#include "format/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ESCAPE_MAX 8 /* a byte becomes \xNN, a sequence of three \uNNNN */

static size_t sequence_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

size_t utf8_decode(const char *text, uint32_t *ret_code)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	size_t length = sequence_length((unsigned char)text[0]);
	uint32_t code = (unsigned char)text[0] & masks[length];

	for (size_t i = 1; i < length; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	}
	if (!length || code < smallest[length] || code > 0x10ffff ||
		(code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return length;
}

size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

bool utf8_is_harmless(uint32_t code)
{
	if (code < 0x20 || (code >= 0x7f && code < 0xa0))
		return false;
	if (code == 0xad || code == 0x61c || code == 0xfeff || (code >= 0xfff0 && code <= 0xfffb))
		return false;
	/* zero width, line separators, bidirectional overrides and isolates */
	return !(code >= 0x200b && code <= 0x200f) && !(code >= 0x2028 && code <= 0x202e) &&
	       !(code >= 0x2060 && code <= 0x206f);
}

/* One character or stray byte; moves both ends. */
static void escape_one(const char **from, char **to)
{
	uint32_t code;
	size_t length = utf8_decode(*from, &code);

	if (length && utf8_is_harmless(code)) {
		memcpy(*to, *from, length);
		*to += length;
	} else if (length > 1) {
		*to += snprintf(*to, ESCAPE_MAX, "\\u%04" PRIx32, code);
	} else {
		*to += snprintf(*to, ESCAPE_MAX, "\\x%02x", (unsigned char)**from);
	}
	*from += length ? length : 1;
}

const char *text_escape(struct arena *arena, const char *text)
{
	char *escaped = arena_alloc(arena, strlen(text) * 4 + ESCAPE_MAX), *to = escaped;

	if (!escaped)
		return "";
	while (*text)
		escape_one(&text, &to);
	*to = '\0';
	return escaped;
}
