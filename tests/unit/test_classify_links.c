/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a rollback makes of settings that can't be seen, or that the kernel itself has moved.
 */
#include "unit/kind_fixture.h"

struct case_of {
	struct fixture *f;
	struct state before, left, live;
	struct plan plan;
};

static struct case_of new_case(struct fixture *f)
{
	struct case_of c = {.f = f};

	c.before.arena = c.left.arena = c.live.arena = &f->arena;
	plan_init(&c.plan, &f->arena);
	return c;
}

static void put(struct state *state, const struct address *at, struct value value)
{
	const struct observed o = {.at = *at, .value = value, .support = SUPPORT_SETTABLE};

	assert_int_equal(state_put(state, &o), 0);
}

static struct classified judge_case(const struct case_of *c)
{
	struct classification ret = {.arena = &c->f->arena};

	assert_int_equal(classify(&c->before, &c->left, &c->live, &c->plan, false, &ret), 0);
	assert_int_equal(ret.n, 1);
	return ret.v[0];
}

/* A vector that was left with CPU 1, and is not there now. */
static struct classified vanished_vector(struct fixture *f, bool up)
{
	struct link *link = fixture_link(f, "eth0", "physical");
	const struct address at = {.kind = &kind_irq_affinity,
		.target = {.link = link, .part = PART_RX},
		.key = "cpus"};
	struct case_of c = new_case(f);

	link->up = up;
	put(&c.before, &at, ranges(f, "0"));
	put(&c.left, &at, ranges(f, "1"));
	return judge_case(&c);
}

static void test_vector_waits_for_its_link(void **state)
{
	struct classified c = vanished_vector(*state, false);

	assert_int_equal(c.class, CLASS_RESTORE);
	assert_string_equal(c.target.text, "0");
}

/* With a channel, by whomever: that is a setting of its own. */
static void test_vector_waits_for_its_channel(void **state)
{
	struct classified c = vanished_vector(*state, true);

	assert_int_equal(c.class, CLASS_RESTORE);
	assert_string_equal(c.target.text, "0");
}

static struct classified moved_mtu(struct fixture *f, uint64_t live)
{
	struct link *link = fixture_link(f, "eth0", "physical");
	const struct address at = {
		.kind = &kind_sysctl, .target.link = link, .key = "net.ipv6.conf.{interface}.mtu"};
	struct case_of c = new_case(f);

	link->mtu = 4000;
	put(&c.before, &at, value_number(&f->arena, 1400));
	put(&c.left, &at, value_number(&f->arena, 1400));
	put(&c.live, &at, value_number(&f->arena, live));
	return judge_case(&c);
}

/* The link came up again. */
static void test_mtu_that_the_kernel_gave(void **state)
{
	struct classified c = moved_mtu(*state, 4000);

	assert_int_equal(c.class, CLASS_RESTORE);
	assert_int_equal(c.target.number, 1400);
}

static void test_mtu_that_others_gave(void **state)
{
	struct classified c = moved_mtu(*state, 1500);

	assert_int_equal(c.class, CLASS_CONFLICT);
	assert_int_equal(c.target.number, 1500);
}

static struct classified moved_table(struct fixture *f, const char *before, const char *live)
{
	struct link *link = fixture_link(f, "eth0", "physical");
	const struct address at = {.kind = &kind_rss, .target.link = link, .key = "indir"};
	struct case_of c = new_case(f);

	put(&c.before, &at, value_words(&f->arena, before));
	put(&c.left, &at, value_words(&f->arena, "0 0 0 0"));
	put(&c.live, &at, value_words(&f->arena, live));
	return judge_case(&c);
}

static void test_table_that_was_spread_anew(void **state)
{
	assert_int_equal(moved_table(*state, "0 1 2 3", "0 0 1 1").class, CLASS_RESTORE);
}

static void test_table_that_others_set(void **state)
{
	assert_int_equal(moved_table(*state, "0 1 2 3", "1 1 1 0").class, CLASS_CONFLICT);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_vector_waits_for_its_link),
		TEST(test_vector_waits_for_its_channel),
		TEST(test_mtu_that_the_kernel_gave),
		TEST(test_mtu_that_others_gave),
		TEST(test_table_that_was_spread_anew),
		TEST(test_table_that_others_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
