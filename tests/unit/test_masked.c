/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A link that is down keeps the masks of its interrupts, but not over a change of its channels: then
 * that change waits.
 */
#include "unit/kind_fixture.h"

/* eth0 with one interrupt without a handler; mask NULL: it never had one. */
static struct link *link_with_mask(struct fixture *f, const char *mask)
{
	struct link *link = fixture_link(f, "eth0", "physical");

	link->up = false;
	link->driver = "igb";
	tree_open(f);
	tree_file(f, "sys/class/net/eth0/device/msi_irqs/36", "msix\n", 0644);
	tree_file(f, "sys/kernel/irq/36/hwirq", "0\n", 0644);
	tree_file(f, "sys/kernel/irq/36/actions", "\n", 0644);
	tree_file(f, "proc/irq/default_smp_affinity", "f\n", 0644);
	if (mask)
		tree_file(f, "proc/irq/36/smp_affinity", mask, 0644);
	fixture_cpus(f, 4);
	return link;
}

static bool is_masked(struct fixture *f, const struct link *link)
{
	bool masked = false;

	assert_int_equal(kernel_link_is_masked(&f->kernel, &f->host, link, &masked), 0);
	return masked;
}

static void test_chosen(void **state)
{
	assert_true(is_masked(*state, link_with_mask(*state, "2\n")));
}

static void test_default(void **state)
{
	assert_false(is_masked(*state, link_with_mask(*state, "f\n")));
}

static void test_never_had_a_handler(void **state)
{
	assert_false(is_masked(*state, link_with_mask(*state, NULL)));
}

static void test_default_of_its_node(void **state)
{
	struct fixture *f = *state;
	struct link *link = link_with_mask(f, "c\n");
	struct cpuset nodes[2] = {0};

	assert_int_equal(cpuset_parse_mask("3", &nodes[0]), 0);
	assert_int_equal(cpuset_parse_mask("c", &nodes[1]), 0);
	f->host.node_cpus = nodes;
	f->host.nnodes = 2;
	link->node = 1;
	assert_false(is_masked(f, link));
	link->node = 0;
	assert_true(is_masked(f, link));
}

/* Expands "combined: N" of a link with 4 channels. */
static void expand_channels(struct fixture *f, struct link *link, const char *n)
{
	struct wish *wish = wish_new(f, &kind_channels, "combined", literal(f, n));
	struct observed *o = fixture_put(
		f, &kind_channels, link, "combined", value_number(&f->arena, 4));

	o->max = 8;
	assert_int_equal(expand_wish(f, wish, link), 0);
}

static void test_channels_wait(void **state)
{
	struct fixture *f = *state;
	struct link *link = link_with_mask(f, "2\n");

	link->masked = true;
	expand_channels(f, link, "2");
	assert_int_equal(f->settings.n, 0);
	assert_int_equal(f->skipped.n, 1);
	assert_int_equal(f->skipped.v[0].verdict, VERDICT_DEFERRED);
	expand_channels(f, link, "4");
	assert_int_equal(f->settings.n, 1);
	link->masked = false;
	expand_channels(f, link, "2");
	assert_int_equal(f->settings.n, 1);
}

/* Its vectors keep their handlers, and their names. */
static void test_driver_that_keeps_its_interrupts(void **state)
{
	struct fixture *f = *state;
	struct link *link = link_with_mask(f, "2\n");

	link->masked = true;
	link->driver = "veth";
	expand_channels(f, link, "2");
	assert_int_equal(f->settings.n, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_chosen),
		TEST(test_default),
		TEST(test_never_had_a_handler),
		TEST(test_default_of_its_node),
		TEST(test_channels_wait),
		TEST(test_driver_that_keeps_its_interrupts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
