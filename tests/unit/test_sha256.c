/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hashes: the known answers of FIPS 180-4, and what makes one plan another.
 */
#include "output_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void known_answers(void **state)
{
	static const char long_text[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	struct arena arena;

	arena_init(&arena);
	assert_string_equal("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		sha256_hex(NULL, 0, &arena));
	assert_string_equal("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		sha256_hex("abc", 3, &arena));
	assert_string_equal("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
		sha256_hex(long_text, strlen(long_text), &arena));
	arena_done(&arena);
}

static void plan_is_known_by_its_changes(void **state)
{
	struct arena arena;
	struct plan plan, other;
	const char *id;

	arena_init(&arena);
	sample_plan(&plan, &arena);
	id = plan_id(&plan, &arena);
	assert_int_equal(64, strlen(id));

	/* what is not a change, or comes only with its execution, does not count */
	sample_plan(&other, &arena);
	other.unchanged.n = other.skipped.n = 0;
	other.v[0].observed = other.v[0].wanted;
	other.v[0].verdict = VERDICT_EXACT;
	assert_string_equal(id, plan_id(&other, &arena));

	other.v[0].wanted = value_number(&arena, 7);
	assert_string_not_equal(id, plan_id(&other, &arena));
	sample_plan(&other, &arena);
	other.v[0].before = value_none();
	assert_string_not_equal(id, plan_id(&other, &arena));
	sample_plan(&other, &arena);
	other.v[0].origin = ORIGIN_CARRIED;
	assert_string_not_equal(id, plan_id(&other, &arena));
	sample_plan(&other, &arena);
	other.v[0].at.target.link = &sample_eth1;
	assert_string_not_equal(id, plan_id(&other, &arena));
	sample_plan(&other, &arena);
	other.n--;
	assert_string_not_equal(id, plan_id(&other, &arena));
	arena_done(&arena);
}

/* The order of execution is part of what will happen. */
static void order_makes_another_plan(void **state)
{
	struct arena arena;
	struct plan plan;
	struct change first;
	const char *id;

	arena_init(&arena);
	sample_plan(&plan, &arena);
	id = plan_id(&plan, &arena);
	first = plan.v[0];
	plan.v[0] = plan.v[1];
	plan.v[1] = first;
	assert_string_not_equal(id, plan_id(&plan, &arena));
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answers),
		cmocka_unit_test(plan_is_known_by_its_changes),
		cmocka_unit_test(order_makes_another_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
