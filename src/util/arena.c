/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Zeroed blocks from which pieces are cut in a row. The pages of a reserved block are touched at
 * once, so that they are there before the first write to the kernel, not asked for during it.
 */
#include "util/arena.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)
#define SIZE_LIMIT ((size_t)PTRDIFF_MAX / 2)
#define PAGE       4096 /* the smallest there is */

struct arena_block {
	struct arena_block *next;
	size_t size, used;
	max_align_t data[];
};

void arena_init(struct arena *arena)
{
	*arena = (struct arena){};
}

void arena_done(struct arena *arena)
{
	struct arena_block *next;

	for (struct arena_block *block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	arena_init(arena);
}

static struct arena_block *block_new(size_t size)
{
	struct arena_block *block;

	if (size > SIZE_LIMIT)
		return NULL;
	block = calloc(1, sizeof(*block) + size);
	if (block)
		block->size = size;
	return block;
}

static size_t align_up(size_t offset, size_t align)
{
	return (offset + align - 1) & ~(align - 1);
}

static bool block_fits(const struct arena_block *block, size_t size, size_t align)
{
	size_t start;

	if (!block)
		return false;
	start = align_up(block->used, align);
	return start <= block->size && size <= block->size - start;
}

/* A block with room for `size`. Large pieces go behind the newest block, which stays in use. */
static struct arena_block *block_for(struct arena *arena, size_t size, size_t align)
{
	struct arena_block *block;

	if (block_fits(arena->blocks, size, align))
		return arena->blocks;
	block = block_new(MAX(size, BLOCK_SIZE));
	if (!block)
		return NULL;
	if (arena->blocks && size > BLOCK_SIZE / 4) {
		block->next = arena->blocks->next;
		arena->blocks->next = block;
	} else {
		block->next = arena->blocks;
		arena->blocks = block;
	}
	return block;
}

static void *take(struct arena *arena, size_t size, size_t align)
{
	struct arena_block *block = block_for(arena, size, align);
	char *piece;

	if (!block) {
		arena->failed = true;
		return NULL;
	}
	block->used = align_up(block->used, align);
	piece = (char *)block->data + block->used;
	block->used += size;
	arena->total += size;
	return piece;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	return take(arena, size, _Alignof(max_align_t));
}

static void touch_pages(struct arena_block *block)
{
	volatile char *bytes = (volatile char *)block->data;

	for (size_t i = 0; i < block->size; i += PAGE)
		bytes[i] = 0;
}

int arena_reserve(struct arena *arena, size_t size)
{
	struct arena_block *block;

	if (block_fits(arena->blocks, size, _Alignof(max_align_t)))
		return 0;
	block = block_new(MAX(size, BLOCK_SIZE));
	if (!block)
		return -ENOMEM;
	touch_pages(block);
	block->next = arena->blocks;
	arena->blocks = block;
	return 0;
}

/* What callers get instead of a string: one byte, and never written to. */
static char *empty_string(void)
{
	static char empty[1];

	empty[0] = '\0';
	return empty;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	size_t n = strnlen(text, length);
	char *copy = take(arena, n + 1, 1);

	if (!copy)
		return empty_string();
	memcpy(copy, text, n);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0) {
		arena->failed = true;
		return empty_string();
	}
	text = take(arena, (size_t)length + 1, 1);
	if (!text)
		return empty_string();
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}

int arena_grow(struct arena *arena, void *v, size_t *cap, size_t n, size_t size)
{
	size_t more = MAX((size_t)16, *cap * 2), bytes;
	void *old, *new;

	if (n < *cap)
		return 0;
	if (__builtin_mul_overflow(more, size, &bytes))
		bytes = SIZE_MAX;
	new = arena_alloc(arena, bytes);
	if (!new)
		return -ENOMEM;
	/* v is the address of a pointer of whatever type: through memcpy, not through void **. */
	memcpy(&old, v, sizeof(old));
	if (n)
		memcpy(new, old, n * size);
	memcpy(v, &new, sizeof(new));
	*cap = more;
	return 0;
}
