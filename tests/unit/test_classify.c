/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a rollback makes of sets of CPUs when some went offline since: what the kernel took away
 * itself is nobody's change.
 */
#include "unit/kind_fixture.h"

static void put(struct fixture *f, struct state *state, const struct address *at, const char *list)
{
	*state = (struct state){.arena = &f->arena};
	if (list)
		assert_int_equal(state_put(state, &(struct observed){.at = *at,
							  .value = ranges(f, list),
							  .support = SUPPORT_SETTABLE}),
			0);
}

/* On four CPUs of which the last is offline; nettune left "3" where "0-1" was. */
static const struct classified *classify_live(
	struct fixture *f, const struct kind *kind, enum part part, const char *list, bool host)
{
	static struct classification all;
	const struct plan plan = {0};
	struct address at = {.kind = kind, .key = "cpus"};
	struct state before, left, live;

	fixture_cpus(f, 4);
	cpuset_remove(&f->host.online, 3);
	at.target = (struct target){.link = fixture_link(f, "eth0", "physical"), .part = part};
	put(f, &before, &at, "0-1");
	put(f, &left, &at, "3");
	put(f, &live, &at, list);
	all = (struct classification){.arena = &f->arena, .host = host ? &f->host : NULL};
	assert_int_equal(classify(&before, &left, &live, &plan, false, &all), 0);
	assert_int_equal(all.n, 1);
	return &all.v[0];
}

static void test_the_kernel_moved_it(void **state)
{
	const struct classified *c;

	c = classify_live(*state, &kind_irq_affinity, PART_RX, "0-2", true);
	assert_int_equal(c->class, CLASS_RESTORE);
	assert_string_equal(c->target.text, "0-1");
	c = classify_live(*state, &kind_irq_affinity, PART_RX, "0-3", true);
	assert_int_equal(c->class, CLASS_RESTORE);
	c = classify_live(*state, &kind_rps, PART_RX, "", true);
	assert_int_equal(c->class, CLASS_RESTORE);
	assert_string_equal(c->target.text, "0-1");
}

static void test_somebody_else_did(void **state)
{
	const struct classified *c;

	c = classify_live(*state, &kind_irq_affinity, PART_RX, "0", true);
	assert_int_equal(c->class, CLASS_CONFLICT);
	assert_string_equal(c->target.text, "0");
	c = classify_live(*state, &kind_irq_affinity, PART_RX, "0-2", false);
	assert_int_equal(c->class, CLASS_CONFLICT);
}

static void test_it_is_as_it_was(void **state)
{
	const struct classified *c;

	c = classify_live(*state, &kind_irq_affinity, PART_RX, "0-1", true);
	assert_int_equal(c->class, CLASS_STAYS);
	c = classify_live(*state, &kind_irq_affinity, PART_RX, "3", true);
	assert_int_equal(c->class, CLASS_RESTORE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_the_kernel_moved_it),
		TEST(test_somebody_else_did),
		TEST(test_it_is_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
