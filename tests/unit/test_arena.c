/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arena: alignment, growth, reserving, and failing in a way that callers may ignore.
 */
#include "unit/test.h"
#include "util/arena.h"

#include <errno.h>
#include <string.h>

static int setup(void **state)
{
	static struct arena arena;

	arena_init(&arena);
	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_done(*state);
	return 0;
}

static void pieces_are_zeroed_and_aligned(void **state)
{
	static const char zeros[100];
	struct arena *arena = *state;

	for (size_t size = 0; size < sizeof(zeros); size++) {
		char *piece = arena_alloc(arena, size);

		assert_non_null(piece);
		assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
		assert_memory_equal(piece, zeros, size);
		if (size)
			memset(piece, 0xff, size);
		arena_strdup(arena, "x"); /* puts the next piece off its alignment */
	}
	assert_false(arena_failed(arena));
}

static void pieces_do_not_overlap(void **state)
{
	struct arena *arena = *state;
	unsigned char *pieces[300];

	for (size_t i = 0; i < 300; i++) {
		pieces[i] = arena_alloc(arena, i * 7);
		assert_non_null(pieces[i]);
		memset(pieces[i], (int)(i & 0xff), i * 7);
	}
	for (size_t i = 0; i < 300; i++) {
		for (size_t j = 0; j < i * 7; j++)
			assert_int_equal(pieces[i][j], i & 0xff);
	}
}

static void strings_are_copied(void **state)
{
	struct arena *arena = *state;
	char text[] = "rx-usecs";
	const char *copy = arena_strdup(arena, text);

	text[0] = 'X';
	assert_string_equal(copy, "rx-usecs");
	assert_string_equal(arena_strndup(arena, "eth0/mtu", 4), "eth0");
	assert_string_equal(arena_strndup(arena, "eth0", 400), "eth0");
	assert_string_equal(arena_strndup(arena, "eth0", 0), "");
	assert_string_equal(arena_printf(arena, "%s-%d", "rx", 3), "rx-3");
	assert_int_equal(strlen(arena_printf(arena, "%100000d", 1)), 100000);
}

static void running_out_is_sticky(void **state)
{
	struct arena *arena = *state;
	void *piece = arena_alloc(arena, SIZE_MAX);

	assert_null(piece);
	assert_true(arena_failed(arena));
	assert_string_equal(arena_strdup(arena, "still works"), "still works");
	assert_true(arena_failed(arena));
	assert_int_equal(arena_reserve(arena, SIZE_MAX - 100), -ENOMEM);
}

static void arrays_grow_and_keep_their_elements(void **state)
{
	struct arena *arena = *state;
	uint32_t *v = NULL;
	size_t cap = 0;

	for (uint32_t n = 0; n < 10000; n++) {
		assert_int_equal(arena_grow(arena, &v, &cap, n, sizeof(*v)), 0);
		assert_true(n < cap);
		v[n] = n * 3;
	}
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(v[i], i * 3);
}

static void an_array_that_cannot_grow_stays(void **state)
{
	struct arena *arena = *state;
	uint32_t numbers[] = {1, 2}, *v = numbers;
	size_t cap = SIZE_MAX / 4;

	assert_int_equal(arena_grow(arena, &v, &cap, cap, sizeof(*v)), -ENOMEM);
	assert_ptr_equal(v, numbers);
	assert_int_equal(cap, SIZE_MAX / 4);
	assert_true(arena_failed(arena));
}

static void reserved_room_is_used_without_asking_again(void **state)
{
	struct arena *arena = *state;
	const size_t reserve = 1024 * 1024;
	struct arena_block *block;
	size_t used = 0;

	assert_string_equal(arena_strdup(arena, "something before"), "something before");
	assert_int_equal(arena_reserve(arena, reserve), 0);
	block = arena->blocks;
	for (size_t size = 16; used + size <= reserve; size = size < 8192 ? size * 2 : 16) {
		assert_non_null(arena_alloc(arena, size));
		used += size;
		assert_ptr_equal(arena->blocks, block);
	}
	assert_int_equal(arena_reserve(arena, 100), 0);
}

static void a_large_piece_leaves_the_block_in_use(void **state)
{
	struct arena *arena = *state;
	char *small = arena_strdup(arena, "a"), *large = arena_alloc(arena, 1024 * 1024);

	assert_non_null(large);
	memset(large, 1, 1024 * 1024);
	assert_ptr_equal(arena_strdup(arena, "b"), small + 2);
	assert_true(arena->total >= 1024 * 1024 + 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(pieces_are_zeroed_and_aligned, setup, teardown),
		cmocka_unit_test_setup_teardown(pieces_do_not_overlap, setup, teardown),
		cmocka_unit_test_setup_teardown(strings_are_copied, setup, teardown),
		cmocka_unit_test_setup_teardown(running_out_is_sticky, setup, teardown),
		cmocka_unit_test_setup_teardown(
			arrays_grow_and_keep_their_elements, setup, teardown),
		cmocka_unit_test_setup_teardown(an_array_that_cannot_grow_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(
			reserved_room_is_used_without_asking_again, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_large_piece_leaves_the_block_in_use, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
