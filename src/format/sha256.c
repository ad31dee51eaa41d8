/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SHA-256 (FIPS 180-4, by libnettle) of profiles, and of a plan in its canonical form, by which a
 * later run can tell that it is about to do the same.
 */
#include "core/kind.h"
#include "format/output.h"

#include <nettle/sha2.h>
#include <string.h>

static const char *finish(struct sha256_ctx *context, struct arena *arena)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t digest[SHA256_DIGEST_SIZE];
	char hex[2 * SHA256_DIGEST_SIZE];

	sha256_digest(context, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++) {
		hex[2 * i] = digits[digest[i] >> 4];
		hex[2 * i + 1] = digits[digest[i] & 0xf];
	}
	return arena_strndup(arena, hex, sizeof(hex));
}

const char *sha256_hex(const void *data, size_t length, struct arena *arena)
{
	struct sha256_ctx context;

	sha256_init(&context);
	if (length)
		sha256_update(&context, length, data);
	return finish(&context, arena);
}

/* With its end, so that no two lists of words give the same bytes. */
static void update(struct sha256_ctx *context, const char *text, char end)
{
	sha256_update(context, strlen(text), (const uint8_t *)text);
	sha256_update(context, 1, (const uint8_t *)&end);
}

static void update_value(struct sha256_ctx *context, const struct value *value)
{
	update(context, value_type_name(value->type), ' ');
	update(context, value->text ? value->text : "", '\t');
}

const char *plan_id(const struct plan *plan, struct arena *arena)
{
	struct sha256_ctx context;

	sha256_init(&context);
	for (size_t i = 0; i < plan->n; i++) {
		const struct change *change = &plan->v[i];

		update(&context, address_text(arena, &change->at), '\t');
		update_value(&context, &change->before);
		update_value(&context, &change->wanted);
		update(&context, origin_name(change->origin), '\n');
	}
	return finish(&context, arena);
}
