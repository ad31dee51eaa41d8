/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a step is written, and to whom: what a driver made of a value stays, what does not move is
 * ignored, and vectors that are paired or parted against the prediction are reached all the same.
 */
#include "engine/writing.h"

#include "unit/fake.h"

static struct execution run_it(struct fake *f)
{
	struct executor ex = {.run = &f->run, .plan = &f->plan};

	if (execute(&ex, &f->error) < 0)
		fail_msg("%s", f->error.msg);
	return ex.result;
}

/* The last step moves b, so that the first one is run again: for b, not for a. */
static void test_an_answer_is_not_written_again(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .clamp = "4", .rule = true},
		{.key = "b", .text = "1"},
		{.key = "host.c", .text = "1", .resets = "b", .resets_text = "0"}, {0}};
	struct fake f;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_wish(&f, "b", "5");
	fake_wish(&f, "host.c", "5");
	fake_plan(&f);
	assert_int_equal(run_it(&f).failed, 0);
	assert_int_equal(cells[0].writes, 1);
	assert_int_equal(cells[1].writes, 2);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_CLAMPED);
	assert_string_equal(fake_change(&f, "a")->was.text, "1");
	fake_teardown(&f);
}

/* An answer that was moved since is not one any more. */
static void test_a_moved_answer_is_written_again(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .clamp = "4", .rule = true},
		{.key = "host.c", .text = "1", .resets = "a", .resets_text = "1"}, {0}};
	struct fake f;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_wish(&f, "host.c", "5");
	fake_plan(&f);
	assert_int_equal(run_it(&f).failed, 0);
	assert_int_equal(cells[0].writes, 2);
	assert_string_equal(cells[0].text, "4");
	fake_teardown(&f);
}

/* An own step has moved it before it was written: what counts is where it was then. */
static void test_ignored_is_measured_at_the_write(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .resets = "host.b", .resets_text = "0"},
		{.key = "host.b", .text = "1", .ignore = true}, {0}};
	struct fake f;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_wish(&f, "host.b", "5");
	fake_plan(&f);
	assert_int_equal(run_it(&f).failed, 1);
	assert_string_equal(fake_change(&f, "host.b")->observed.text, "0");
	assert_int_equal(fake_change(&f, "host.b")->verdict, VERDICT_IGNORED);
	fake_teardown(&f);
}

/* The kind's rule is not asked where nothing moved. */
static void test_ignored_whatever_the_rule(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .ignore = true, .rule = true}, {0}};
	struct fake f;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_plan(&f);
	assert_int_equal(run_it(&f).failed, 0);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_IGNORED);
	fake_teardown(&f);
}

/* --- vectors */

struct vector {
	enum part part;
	uint16_t index;
	const char *cpus; /* live */
	bool stuck;       /* takes no other mask */
	unsigned writes;
};

static struct vector *vectors;
static size_t nvectors;

extern const struct kind fake_irq;

static int observe_vectors(struct kernel *kernel, const struct host *host,
	const struct scope *scope, struct state *ret, struct error *error)
{
	for (size_t i = 0; i < nvectors; i++) {
		const struct vector *v = &vectors[i];
		const struct observed o = {
			.at = {.kind = &fake_irq,
				.target = {.link = scope->link, .part = v->part, .index = v->index},
				.key = "cpus"},
			.value = value_of_text(ret->arena, VALUE_RANGES, v->cpus),
			.support = SUPPORT_SETTABLE,
			.handle = (uint32_t)i + 1,
		};

		assert_int_equal(state_put(ret, &o), 0);
	}
	return 0;
}

static int write_vectors(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	for (size_t i = 0; i < n; i++) {
		struct vector *vector = &vectors[v[i]->handle - 1];

		assert_int_equal(vector->part, v[i]->at.target.part);
		vector->writes++;
		if (!vector->stuck)
			vector->cpus = v[i]->wanted.text;
	}
	return 0;
}

const struct kind fake_irq = {
	.name = "irq-affinity",
	.phase = PHASE_IRQ,
	.fields = fake_fields,
	.observe = observe_vectors,
	.write = write_vectors,
};

/* Carried masks of vectors as they were predicted, on a device that has those of `live`. */
static struct execution carry(
	struct fake *f, const struct vector *planned, size_t n, struct vector *live, size_t nlive)
{
	static struct cell no_cells[] = {{0}};
	static const struct kind *const irq_kinds[] = {&fake_irq, NULL};
	static struct step step;

	fake_setup(f, no_cells);
	f->run.kinds = irq_kinds;
	vectors = live;
	nvectors = nlive;
	plan_init(&f->plan, &f->arena);
	f->plan.v = ARENA_ARRAY(&f->arena, n, struct change);
	assert_non_null(f->plan.v);
	for (size_t i = 0; i < n; i++)
		f->plan.v[i] = (struct change){
			.at = {.kind = &fake_irq,
				.target = {.link = f->link,
					.part = planned[i].part,
					.index = planned[i].index},
				.key = "cpus"},
			.before = value_of_text(&f->arena, VALUE_RANGES, planned[i].cpus),
			.wanted = value_of_text(&f->arena, VALUE_RANGES, planned[i].cpus),
			.after = value_of_text(&f->arena, VALUE_RANGES, planned[i].cpus),
			.origin = ORIGIN_CARRIED,
		};
	f->plan.n = n;
	step = (struct step){.n = (uint32_t)n};
	f->plan.steps = &step;
	f->plan.nsteps = 1;
	assert_int_equal(wants_add(&f->run.observed, &fake_irq, f->link, NULL), 0);
	return run_it(f);
}

static void test_a_parted_vector(void **state)
{
	const struct vector planned[] = {{.part = PART_RXTX, .index = 0, .cpus = "2"},
		{.part = PART_RXTX, .index = 1, .cpus = "3"}};
	struct vector live[] = {{.part = PART_RX, .index = 0, .cpus = "0-3"},
		{.part = PART_TX, .index = 0, .cpus = "0-3"},
		{.part = PART_RX, .index = 1, .cpus = "0-3"},
		{.part = PART_TX, .index = 1, .cpus = "3"}, {.part = PART_OTHER, .cpus = "0-3"}};
	struct fake f;

	assert_int_equal(carry(&f, planned, ARRAY_SIZE(planned), live, ARRAY_SIZE(live)).failed, 0);
	assert_string_equal(live[0].cpus, "2");
	assert_string_equal(live[1].cpus, "2");
	assert_string_equal(live[2].cpus, "3");
	assert_int_equal(live[3].writes, 0);
	assert_int_equal(live[4].writes, 0);
	assert_int_equal(f.plan.v[0].verdict, VERDICT_EXACT);
	fake_teardown(&f);
}

static void test_a_paired_vector(void **state)
{
	const struct vector planned[] = {{.part = PART_RX, .index = 0, .cpus = "2"},
		{.part = PART_TX, .index = 0, .cpus = "2"}};
	struct vector live[] = {{.part = PART_RXTX, .index = 0, .cpus = "0-3"}};
	struct fake f;

	assert_int_equal(carry(&f, planned, ARRAY_SIZE(planned), live, ARRAY_SIZE(live)).failed, 0);
	assert_string_equal(live[0].cpus, "2");
	assert_int_equal(f.plan.v[1].verdict, VERDICT_EXACT);
	fake_teardown(&f);
}

/* Half of it is not enough. */
static void test_one_half_does_not_take_it(void **state)
{
	const struct vector planned[] = {{.part = PART_RXTX, .index = 0, .cpus = "2"}};
	struct vector live[] = {{.part = PART_RX, .index = 0, .cpus = "0-3"},
		{.part = PART_TX, .index = 0, .cpus = "0-3", .stuck = true}};
	struct fake f;

	assert_int_equal(carry(&f, planned, ARRAY_SIZE(planned), live, ARRAY_SIZE(live)).failed, 1);
	assert_string_equal(f.plan.v[0].observed.text, "0-3");
	assert_false(verdict_is_good(f.plan.v[0].verdict));
	fake_teardown(&f);
}

static void test_no_vector_at_all(void **state)
{
	const struct vector planned[] = {{.part = PART_RXTX, .index = 0, .cpus = "2"}};
	struct vector live[] = {{.part = PART_OTHER, .cpus = "0-3"}};
	struct fake f;

	assert_int_equal(carry(&f, planned, ARRAY_SIZE(planned), live, ARRAY_SIZE(live)).failed, 1);
	assert_int_equal(f.plan.v[0].verdict, VERDICT_GONE);
	fake_teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_answer_is_not_written_again),
		cmocka_unit_test(test_a_moved_answer_is_written_again),
		cmocka_unit_test(test_ignored_is_measured_at_the_write),
		cmocka_unit_test(test_ignored_whatever_the_rule),
		cmocka_unit_test(test_a_parted_vector),
		cmocka_unit_test(test_a_paired_vector),
		cmocka_unit_test(test_one_half_does_not_take_it),
		cmocka_unit_test(test_no_vector_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
