/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transmit packet steering: observed and put back; devices with one queue have none.
 */
#include "engine/execute.h"
#include "unit/kind_fixture.h"

static void test_observe_files(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");

	tree_open(f);
	tree_file(f, "sys/class/net/eth0/queues/tx-0/xps_cpus", "1\n", 0644);
	tree_file(f, "sys/class/net/eth0/queues/tx-0/xps_rxqs", "0\n", 0644);
	tree_file(f, "sys/class/net/eth0/queues/tx-1/xps_cpus", "a\n", 0644);
	tree_file(f, "sys/class/net/eth0/queues/rx-0/rps_cpus", "1\n", 0644);
	assert_int_equal(observe_kind(f, &kind_xps, link, NULL), 0);
	assert_int_equal(f->model.n, 3);
	assert_string_equal(f->model.v[0].at.key, "cpus");
	assert_string_equal(f->model.v[0].value.text, "0");
	assert_string_equal(f->model.v[1].at.key, "rxqs");
	assert_string_equal(f->model.v[1].value.text, "");
	assert_string_equal(f->model.v[2].value.text, "1,3");
	assert_int_equal(write_value(f, &f->model.v[2], ranges(f, "0-3")), 0);
	assert_string_equal(tree_read(f, "sys/class/net/eth0/queues/tx-1/xps_cpus"), "f\n");
}

static void test_offline_cpus_are_dropped(void **state)
{
	struct fixture *f = *state;
	struct setting setting = {.at = {.kind = &kind_xps, .key = "cpus"}};
	struct change change = {.at = setting.at};
	struct observed live = {0};

	fixture_cpus(f, 8);
	cpuset_remove(&f->host.online, 3);
	cpuset_add(&f->host.isolated, 4);
	setting.value = change.wanted = ranges(f, "2-4");
	change.before = ranges(f, "7");
	change.after = kind_xps.predict(&f->host, &setting, &f->model, &f->arena);
	assert_string_equal(change.after.text, "2,4");
	live.value = ranges(f, "2,4");
	assert_int_equal(judge(&change, &live), VERDICT_REDUCED);
	setting.at.key = "rxqs";
	change.after = kind_xps.predict(&f->host, &setting, &f->model, &f->arena);
	assert_string_equal(change.after.text, "2-4");
}

static void test_no_word_of_profiles(void **state)
{
	for (const struct field *field = kind_xps.fields; field->name; field++)
		assert_true(field->flags & FIELD_NO_PROFILE);
}

/* The real kernel, in a network namespace of its own. */
static void test_kernel(void **state)
{
	struct fixture *f = *state;
	struct link *link, *single;
	struct observed *o;

	netns_enter(f, 2);
	link = netns_link(f, "veth0");
	single = netns_link(f, "veth1");
	assert_int_equal(observe_kind(f, &kind_xps, single, NULL), 0);
	assert_null(state_get(&f->model, &kind_xps, single, PART_TX, 0, "cpus"));
	assert_int_equal(observe_kind(f, &kind_xps, link, NULL), 0);
	o = state_get(&f->model, &kind_xps, link, PART_TX, 1, "cpus");
	assert_non_null(o);
	assert_non_null(state_get(&f->model, &kind_xps, link, PART_TX, 1, "rxqs"));
	if (write_value(f, o, ranges(f, "0")) == -EPERM)
		skip(); /* root of a container */
	assert_int_equal(observe_kind(f, &kind_xps, link, NULL), 0);
	o = state_get(&f->model, &kind_xps, link, PART_TX, 1, "cpus");
	assert_string_equal(o->value.text, "0");
	assert_int_equal(write_value(f, o, ranges(f, "")), 0);
	o = state_get(&f->model, &kind_xps, link, PART_TX, 0, "rxqs");
	assert_int_equal(write_value(f, o, ranges(f, "0-1")), 0);
	assert_int_equal(observe_kind(f, &kind_xps, link, NULL), 0);
	o = state_get(&f->model, &kind_xps, link, PART_TX, 1, "cpus");
	assert_string_equal(o->value.text, "");
	o = state_get(&f->model, &kind_xps, link, PART_TX, 0, "rxqs");
	assert_string_equal(o->value.text, "0-1");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_observe_files),
		TEST(test_offline_cpus_are_dropped),
		TEST(test_no_word_of_profiles),
		TEST(test_kernel),
	};

	return cmocka_run_group_tests_name("xps", tests, NULL, NULL);
}
