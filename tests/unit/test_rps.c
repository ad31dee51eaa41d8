/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receive packet steering: words and sets of profiles, what the kernel drops and rounds, masks of
 * large machines, and the real kernel on a veth.
 */
#include "engine/execute.h"
#include "unit/kind_fixture.h"

/* A link with `n` receive queues in the model. */
static struct link *link_with_queues(struct fixture *f, unsigned n)
{
	struct link *link = fixture_link(f, "eth0", "physical");

	for (unsigned i = 0; i < n; i++) {
		fixture_put_part(f, &kind_rps, link, PART_RX, i, "cpus", ranges(f, ""));
		fixture_put_part(
			f, &kind_rps, link, PART_RX, i, "flows", value_number(&f->arena, 0));
	}
	return link;
}

static int expand_text(
	struct fixture *f, const struct link *link, const char *queues, const char *text)
{
	struct wish *wish = wish_new(f, &kind_rps, "cpus", literal(f, text));

	wish->queues = queues;
	return expand_wish(f, wish, link);
}

static int expand_word(struct fixture *f, const struct link *link, const char *name)
{
	return expand_wish(f, wish_new(f, &kind_rps, "cpus", word(f, name)), link);
}

static void test_every_queue_gets_the_set(void **state)
{
	struct fixture *f = *state;
	struct link *link;

	fixture_cpus(f, 8);
	link = link_with_queues(f, 3);
	assert_int_equal(expand_text(f, link, NULL, "2-7"), 0);
	assert_int_equal(f->settings.n, 3);
	for (unsigned i = 0; i < 3; i++) {
		assert_string_equal(setting_text(f, i), "2-7");
		assert_int_equal(f->settings.v[i].at.target.index, i);
		assert_string_equal(f->settings.v[i].at.key, "cpus");
	}
	assert_int_equal(expand_text(f, link, NULL, "0xfc"), 0);
	assert_string_equal(setting_text(f, 0), "2-7");
}

static void test_words(void **state)
{
	struct fixture *f = *state;
	struct cpuset nodes[2] = {0};
	struct link *link;

	fixture_cpus(f, 8);
	cpuset_add(&f->host.isolated, 6);
	for (unsigned i = 0; i < 8; i++)
		cpuset_add(&nodes[i / 4], i);
	f->host.node_cpus = nodes;
	f->host.nnodes = 2;
	link = link_with_queues(f, 1);
	link->node = 1;
	assert_int_equal(expand_word(f, link, "none"), 0);
	assert_string_equal(setting_text(f, 0), "");
	assert_int_equal(expand_word(f, link, "all"), 0);
	assert_string_equal(setting_text(f, 0), "0-5,7");
	assert_int_equal(expand_word(f, link, "local"), 0);
	assert_string_equal(setting_text(f, 0), "4-5,7");
	link->node = -1;
	assert_int_equal(expand_word(f, link, "local"), 0);
	assert_string_equal(setting_text(f, 0), "0-5,7");
}

static void test_sets_that_can_not_be(void **state)
{
	struct fixture *f = *state;
	struct link *link = link_with_queues(f, 2);

	assert_int_equal(expand_text(f, link, NULL, "0xff"), -EINVAL);
	assert_error(f, "eth0/rps.cpus");
	assert_error(f, "CPUs 2-7 do not exist (online: 0-1)");
	assert_int_equal(expand_text(f, link, NULL, "2"), -EINVAL);
	assert_error(f, "CPU 2 does not exist");
	assert_int_equal(expand_text(f, link, NULL, ""), -EINVAL);
	assert_int_equal(expand_text(f, link, NULL, "0x0"), -EINVAL);
	assert_error(f, "no CPU");
	assert_int_equal(expand_text(f, link, NULL, "ff"), -EINVAL);
	assert_error(f, "0xff");
	cpuset_add(&f->host.isolated, 1);
	assert_int_equal(expand_text(f, link, NULL, "1"), -EINVAL);
	assert_error(f, "offline or isolated");
	assert_int_equal(expand_text(f, link, NULL, "0-1"), 0);
}

static void test_single_queues(void **state)
{
	struct fixture *f = *state;
	struct link *link = link_with_queues(f, 4);

	assert_int_equal(expand_text(f, link, "1,3", "1"), 0);
	assert_int_equal(f->settings.n, 2);
	assert_int_equal(f->settings.v[0].at.target.index, 1);
	assert_int_equal(f->settings.v[1].at.target.index, 3);
	assert_int_equal(f->skipped.n, 0);
	assert_int_equal(expand_text(f, link, "2-7", "1"), 0);
	assert_int_equal(f->settings.n, 2);
	assert_int_equal(f->skipped.n, 1);
	assert_int_equal(f->skipped.v[0].verdict, VERDICT_UNSUPPORTED);
	assert_string_equal(f->skipped.v[0].reason, "queues 4-7 do not exist (eth0 has 0-3)");
	assert_int_equal(expand_text(f, link, "x", "1"), -EINVAL);
}

static void test_flows(void **state)
{
	struct fixture *f = *state;
	struct link *link = link_with_queues(f, 2);
	struct wish *wish = wish_new(f, &kind_rps, "flows", literal(f, "1000"));

	assert_int_equal(expand_wish(f, wish, link), 0);
	assert_int_equal(f->settings.n, 2);
	assert_string_equal(f->settings.v[0].at.key, "flows");
	assert_int_equal(f->settings.v[0].value.number, 1000);
	wish->value = literal(f, "many");
	assert_int_equal(expand_wish(f, wish, link), -EINVAL);
}

static void test_links_without_queues(void **state)
{
	struct fixture *f = *state;
	struct link *link = link_with_queues(f, 2), *other = fixture_link(f, "br0", "bridge");

	assert_int_equal(expand_text(f, other, NULL, "0-1"), 0);
	assert_int_equal(f->settings.n, 0);
	assert_int_equal(f->skipped.v[0].verdict, VERDICT_UNSUPPORTED);
	link->up = false;
	assert_int_equal(expand_text(f, link, NULL, "0-1"), 0);
	assert_int_equal(f->settings.n, 0);
	assert_int_equal(f->skipped.v[0].verdict, VERDICT_DEFERRED);
	assert_contains(f->skipped.v[0].reason, "interface is down");
	/* a mistake is one also while the link is down */
	assert_int_equal(expand_text(f, link, NULL, "7"), -EINVAL);
}

static struct change predicted(struct fixture *f, const char *key, struct value wanted)
{
	struct setting setting = {.at = {.kind = &kind_rps, .key = key}, .value = wanted};

	return (struct change){
		.at = setting.at,
		.before = value_number(&f->arena, 7777),
		.wanted = wanted,
		.after = kind_rps.predict(&f->host, &setting, &f->model, &f->arena),
	};
}

static void test_what_the_kernel_makes_of_it(void **state)
{
	static const uint64_t flows[][2] = {
		{0, 0}, {1, 1}, {5, 8}, {1000, 1024}, {4096, 4096}, {4097, 8192}};
	struct fixture *f = *state;
	struct change change;
	struct observed live = {0};

	for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
		change = predicted(f, "flows", value_number(&f->arena, flows[i][0]));
		assert_int_equal(change.after.number, flows[i][1]);
	}
	live.value = change.after;
	assert_int_equal(judge(&change, &live), VERDICT_ROUNDED);
	fixture_cpus(f, 8);
	cpuset_remove(&f->host.online, 3);
	cpuset_add(&f->host.isolated, 5);
	change = predicted(f, "cpus", ranges(f, "2-5"));
	assert_string_equal(change.after.text, "2,4");
	live.value = ranges(f, "2,4");
	assert_int_equal(judge(&change, &live), VERDICT_REDUCED);
	live.value = ranges(f, "2");
	assert_int_equal(judge(&change, &live), VERDICT_REFUSED);
	live.value = change.before;
	assert_int_equal(judge(&change, &live), VERDICT_IGNORED);
}

/* B65, B66 */
static void test_masks_of_large_machines(void **state)
{
	static const char *const texts[][2] = {
		{"00000000,00000000,00000000", ""},
		{"0000000c,f000c00f", "0-3,14-15,28-31,34-35"},
		{"00,0000000C,F000C00F", "0-3,14-15,28-31,34-35"},
		{"c,f000c00f", "0-3,14-15,28-31,34-35"},
		{"80,00000000,00000000", "71"},
	};
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");
	struct observed *o;

	tree_open(f);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		tree_file(f, "sys/class/net/eth0/queues/rx-0/rps_cpus",
			arena_printf(&f->arena, "%s\n", texts[i][0]), 0644);
		assert_int_equal(observe_kind(f, &kind_rps, link, NULL), 0);
		assert_int_equal(f->model.n, 1);
		assert_string_equal(f->model.v[0].value.text, texts[i][1]);
	}
	tree_file(f, "sys/class/net/eth0/queues/rx-0/rps_cpus", "", 0644);
	o = &f->model.v[0];
	assert_int_equal(write_value(f, o, ranges(f, "0,35,64")), 0);
	assert_string_equal(
		tree_read(f, "sys/class/net/eth0/queues/rx-0/rps_cpus"), "1,00000008,00000001");
}

static void test_observe_files(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");
	struct observed *o;

	tree_open(f);
	assert_int_equal(observe_kind(f, &kind_rps, link, NULL), 0);
	assert_int_equal(f->model.n, 0);
	for (unsigned i = 0; i < 12; i++) {
		tree_file(f, arena_printf(&f->arena, "sys/class/net/eth0/queues/rx-%u/rps_cpus", i),
			"3\n", i == 5 ? 0444 : 0644);
		tree_file(f,
			arena_printf(&f->arena, "sys/class/net/eth0/queues/rx-%u/rps_flow_cnt", i),
			"4096\n", 0644);
	}
	tree_file(f, "sys/class/net/eth0/queues/tx-0/xps_cpus", "1\n", 0644);
	tree_file(f, "sys/class/net/eth0/queues/rx-/rps_cpus", "1\n", 0644);
	assert_int_equal(observe_kind(f, &kind_rps, link, NULL), 0);
	assert_int_equal(f->model.n, 24);
	o = state_get(&f->model, &kind_rps, link, PART_RX, 11, "cpus");
	assert_string_equal(o->value.text, "0-1");
	assert_int_equal(o->support, SUPPORT_SETTABLE);
	o = state_get(&f->model, &kind_rps, link, PART_RX, 5, "cpus");
	assert_int_equal(o->support, SUPPORT_READ_ONLY);
	o = state_get(&f->model, &kind_rps, link, PART_RX, 3, "flows");
	assert_int_equal(o->value.number, 4096);
	assert_int_equal(observe_kind(f, &kind_rps, link, "flows"), 0);
	assert_int_equal(f->model.n, 12);
}

static void test_a_failed_write_names_the_file_and_stops_nothing(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");
	struct change a = {.at = {.kind = &kind_rps,
				   .target = {.link = link, .part = PART_RX, .index = 7},
				   .key = "cpus"},
		.wanted = ranges(f, "1")};
	struct change b = a, *const v[] = {&a, &b};

	tree_open(f);
	tree_file(f, "sys/class/net/eth0/queues/rx-1/rps_cpus", "", 0644);
	b.at.target.index = 1;
	assert_int_equal(kind_rps.write(&f->kernel, &f->host, v, 2, &f->error), -ENOENT);
	assert_error(f, "rx-7/rps_cpus: No such file");
	assert_string_equal(tree_read(f, "sys/class/net/eth0/queues/rx-1/rps_cpus"), "2");
}

/* The real kernel, in a network namespace of its own. */
static void test_kernel(void **state)
{
	struct fixture *f = *state;
	struct link *link;
	struct observed *o;

	netns_enter(f, 2);
	link = netns_link(f, "veth0");
	assert_int_equal(observe_kind(f, &kind_rps, link, NULL), 0);
	assert_int_equal(f->model.n, 4);
	assert_string_equal(f->model.v[0].value.text, "");
	assert_int_equal(expand_word(f, link, "all"), 0);
	assert_int_equal(f->settings.n, 2);
	o = state_get(&f->model, &kind_rps, link, PART_RX, 1, "cpus");
	if (write_value(f, o, f->settings.v[1].value) == -EPERM)
		skip(); /* root of a container */
	assert_int_equal(observe_kind(f, &kind_rps, link, NULL), 0);
	o = state_get(&f->model, &kind_rps, link, PART_RX, 1, "cpus");
	assert_true(value_equal(&o->value, &f->settings.v[1].value));
	assert_int_equal(write_value(f, o, ranges(f, "")), 0);
	o = state_get(&f->model, &kind_rps, link, PART_RX, 0, "flows");
	assert_int_equal(write_value(f, o, value_number(&f->arena, 1000)), 0);
	assert_int_equal(observe_kind(f, &kind_rps, link, NULL), 0);
	assert_int_equal(
		state_get(&f->model, &kind_rps, link, PART_RX, 0, "flows")->value.number, 1024);
	o = state_get(&f->model, &kind_rps, link, PART_RX, 1, "cpus");
	assert_string_equal(o->value.text, "");
	assert_int_equal(write_value(f, o, ranges(f, "8000")), -EOVERFLOW);
	assert_error(f, "rx-1/rps_cpus");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_every_queue_gets_the_set),
		TEST(test_words),
		TEST(test_sets_that_can_not_be),
		TEST(test_single_queues),
		TEST(test_flows),
		TEST(test_links_without_queues),
		TEST(test_what_the_kernel_makes_of_it),
		TEST(test_masks_of_large_machines),
		TEST(test_observe_files),
		TEST(test_a_failed_write_names_the_file_and_stops_nothing),
		TEST(test_kernel),
	};

	return cmocka_run_group_tests_name("rps", tests, NULL, NULL);
}
