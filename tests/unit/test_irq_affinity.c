/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupt affinity: vectors by what they serve, spreading over CPUs, vectors that the kernel
 * keeps to itself, links whose vectors are not known.
 */
#include "unit/kind_fixture.h"

static void put_vector(struct fixture *f, const struct link *link, enum part part, unsigned index)
{
	fixture_put_part(f, &kind_irq_affinity, link, part, index, "cpus", ranges(f, "0-1"));
}

/* Separate vectors of `n` queues, and one more. */
static struct link *link_with_vectors(struct fixture *f, unsigned n)
{
	struct link *link = fixture_link(f, "eth0", "physical");

	for (unsigned i = 0; i < n; i++) {
		put_vector(f, link, PART_RX, i);
		put_vector(f, link, PART_TX, i);
	}
	put_vector(f, link, PART_OTHER, 0);
	return link;
}

static int spread(struct fixture *f, const struct link *link, const struct expr *value)
{
	return expand_wish(f, wish_new(f, &kind_irq_affinity, "spread", value), link);
}

static const char *cpus_of(struct fixture *f, enum part part, unsigned index)
{
	for (size_t i = 0; i < f->settings.n; i++) {
		const struct setting *s = &f->settings.v[i];

		if (s->at.target.part == part && s->at.target.index == index)
			return s->value.text;
	}
	return "none";
}

static void test_spread_in_turn(void **state)
{
	struct fixture *f = *state;
	struct link *link;

	fixture_cpus(f, 8);
	link = link_with_vectors(f, 6);
	assert_int_equal(spread(f, link, literal(f, "2,5-7")), 0);
	assert_int_equal(f->settings.n, 12);
	assert_string_equal(cpus_of(f, PART_RX, 0), "2");
	assert_string_equal(cpus_of(f, PART_TX, 0), "2");
	assert_string_equal(cpus_of(f, PART_RX, 1), "5");
	assert_string_equal(cpus_of(f, PART_RX, 3), "7");
	assert_string_equal(cpus_of(f, PART_RX, 4), "2");
	assert_string_equal(cpus_of(f, PART_TX, 5), "5");
	assert_string_equal(cpus_of(f, PART_OTHER, 0), "none");
	assert_string_equal(f->settings.v[0].at.key, "cpus");
}

static void test_spread_leaves_out_offline_and_isolated_cpus(void **state)
{
	struct fixture *f = *state;
	struct link *link;

	fixture_cpus(f, 4);
	cpuset_remove(&f->host.online, 0);
	cpuset_add(&f->host.isolated, 2);
	link = link_with_vectors(f, 3);
	assert_int_equal(spread(f, link, word(f, "all")), 0);
	assert_string_equal(cpus_of(f, PART_RX, 0), "1");
	assert_string_equal(cpus_of(f, PART_RX, 1), "3");
	assert_string_equal(cpus_of(f, PART_RX, 2), "1");
	assert_int_equal(spread(f, link, literal(f, "0-2")), 0);
	assert_string_equal(cpus_of(f, PART_RX, 1), "1");
	assert_int_equal(spread(f, link, literal(f, "0,2")), -EINVAL);
	assert_error(f, "offline or isolated");
	assert_int_equal(spread(f, link, literal(f, "2-9")), -EINVAL);
	assert_error(f, "eth0/irq-affinity.spread");
	assert_error(f, "CPUs 4-9 do not exist (online: 1-3)");
}

static void test_spread_local(void **state)
{
	struct fixture *f = *state;
	struct cpuset nodes[2] = {0};
	struct link *link;

	fixture_cpus(f, 8);
	for (unsigned i = 0; i < 8; i++)
		cpuset_add(&nodes[i / 4], i);
	f->host.node_cpus = nodes;
	f->host.nnodes = 2;
	link = link_with_vectors(f, 2);
	link->node = 1;
	assert_int_equal(spread(f, link, word(f, "local")), 0);
	assert_string_equal(cpus_of(f, PART_RX, 0), "4");
	assert_string_equal(cpus_of(f, PART_TX, 1), "5");
	link->node = -1;
	assert_int_equal(spread(f, link, word(f, "local")), 0);
	assert_string_equal(cpus_of(f, PART_RX, 0), "0");
}

static void test_single_queues(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");
	struct wish *wish = wish_new(f, &kind_irq_affinity, "cpus", literal(f, "0-1"));

	for (unsigned i = 0; i < 4; i++)
		put_vector(f, link, PART_RXTX, i);
	wish->queues = "1,3-5";
	assert_int_equal(expand_wish(f, wish, link), 0);
	assert_int_equal(f->settings.n, 2);
	assert_string_equal(cpus_of(f, PART_RXTX, 1), "0-1");
	assert_string_equal(cpus_of(f, PART_RXTX, 3), "0-1");
	assert_int_equal(f->skipped.n, 1);
	assert_contains(f->skipped.v[0].reason, "queues 4-5 do not exist (eth0 has 0-3)");
	wish->value = literal(f, "");
	assert_int_equal(expand_wish(f, wish, link), -EINVAL);
	wish->value = literal(f, "2");
	assert_int_equal(expand_wish(f, wish, link), -EINVAL);
	assert_error(f, "of queues 1,3-5");
	fixture_cpus(f, 4);
	cpuset_remove(&f->host.online, 3);
	wish->value = literal(f, "3");
	assert_int_equal(expand_wish(f, wish, link), -EINVAL);
	assert_error(f, "online");
	/* part of it offline: the kernel remembers the whole */
	wish->value = literal(f, "2-3");
	assert_int_equal(expand_wish(f, wish, link), 0);
	assert_string_equal(cpus_of(f, PART_RXTX, 1), "2-3");
}

static void test_links_whose_vectors_are_not_known(void **state)
{
	struct fixture *f = *state;
	struct link *down = link_with_vectors(f, 2), *veth = fixture_link(f, "veth0", "veth");

	down->up = false;
	assert_int_equal(spread(f, down, word(f, "all")), 0);
	assert_int_equal(f->settings.n, 0);
	assert_int_equal(f->skipped.v[0].verdict, VERDICT_DEFERRED);
	assert_string_equal(
		f->skipped.v[0].reason, "interface is down: its interrupts are not known");
	assert_int_equal(spread(f, veth, word(f, "all")), 0);
	assert_int_equal(f->skipped.v[0].verdict, VERDICT_UNSUPPORTED);
	veth->up = false;
	assert_int_equal(spread(f, veth, word(f, "all")), 0);
	assert_int_equal(f->skipped.v[0].verdict, VERDICT_UNSUPPORTED);
}

/* An interrupt of eth0; action NULL: none requested, mask NULL: no directory in /proc/irq. */
static void tree_irq(
	struct fixture *f, unsigned number, unsigned hwirq, const char *action, const char *mask)
{
	struct arena *a = &f->arena;

	tree_file(f, arena_printf(a, "sys/class/net/eth0/device/msi_irqs/%u", number), "msix\n",
		0444);
	tree_file(f, arena_printf(a, "sys/kernel/irq/%u/hwirq", number),
		arena_printf(a, "%u\n", hwirq), 0444);
	tree_file(f, arena_printf(a, "sys/kernel/irq/%u/actions", number),
		arena_printf(a, "%s\n", action ? action : ""), 0444);
	if (mask)
		tree_file(f, arena_printf(a, "proc/irq/%u/smp_affinity_list", number),
			arena_printf(a, "%s\n", mask), 0644);
}

static struct observed *vector(
	struct fixture *f, const struct link *link, enum part part, unsigned index)
{
	return state_get(&f->model, &kind_irq_affinity, link, part, index, "cpus");
}

static void test_vectors_are_told_by_their_names(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");
	struct observed *o;

	tree_open(f);
	tree_irq(f, 39, 0, "eth0", "0-3");
	tree_irq(f, 36, 1, "eth0-rx-0", "0");
	tree_irq(f, 37, 3, "eth0-tx-0", "1");
	tree_irq(f, 38, 2, "eth0-rx-1", "2-3,8");
	tree_irq(f, 40, 4, "eth0-TxRx-7", "5");
	tree_irq(f, 41, 5, NULL, "6");
	tree_irq(f, 42, 6, "eth0-rx-9", NULL);
	tree_irq(f, 43, 7, "eth0-ptp", "7");
	assert_int_equal(observe_kind(f, &kind_irq_affinity, link, NULL), 0);
	assert_int_equal(f->model.n, 6);
	o = vector(f, link, PART_RX, 0);
	assert_string_equal(o->value.text, "0");
	assert_int_equal(o->handle, 36);
	assert_int_equal(o->support, SUPPORT_SETTABLE);
	assert_int_equal(vector(f, link, PART_TX, 0)->handle, 37);
	assert_string_equal(vector(f, link, PART_RX, 1)->value.text, "2-3,8");
	assert_int_equal(vector(f, link, PART_RXTX, 7)->handle, 40);
	assert_int_equal(vector(f, link, PART_OTHER, 0)->handle, 39);
	assert_int_equal(vector(f, link, PART_OTHER, 1)->handle, 43);
	/* once more into the same state: the same */
	assert_int_equal(kind_irq_affinity.observe(&f->kernel, &f->host,
				 &(struct scope){.link = link}, &f->model, &f->error),
		0);
	assert_int_equal(f->model.n, 6);
}

/* Where names tell nothing, the order of MSI-X does. */
static void test_vectors_of_one_name(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");

	tree_open(f);
	tree_irq(f, 30, 2, "mystery", "1");
	tree_irq(f, 31, 1, "mystery", "0");
	tree_irq(f, 32, 0, "eth0-rx-0", "0");
	tree_irq(f, 33, 3, "eth0-rx-0", "0");
	assert_int_equal(observe_kind(f, &kind_irq_affinity, link, NULL), 0);
	assert_int_equal(f->model.n, 4);
	assert_int_equal(vector(f, link, PART_RX, 0)->handle, 32);
	assert_int_equal(vector(f, link, PART_OTHER, 0)->handle, 31);
	assert_int_equal(vector(f, link, PART_OTHER, 1)->handle, 30);
	assert_int_equal(vector(f, link, PART_OTHER, 2)->handle, 33);
}

/* B71 */
static void test_managed_vectors(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");
	struct observed *o;

	tree_open(f);
	tree_irq(f, 36, 0, "eth0-rx-0", "0");
	assert_int_equal(chmod(tree_path(f, "proc/irq/36/smp_affinity_list"), 0444), 0);
	assert_int_equal(observe_kind(f, &kind_irq_affinity, link, NULL), 0);
	o = vector(f, link, PART_RX, 0);
	assert_int_equal(o->support, SUPPORT_MANAGED);
	assert_contains(o->note, "kernel manages");
	assert_string_equal(o->value.text, "0");
}

static int write_errno;

static int refuse_write(struct transport *transport, const char *path, const char *text)
{
	return -write_errno;
}

static void free_nothing(struct transport *transport)
{
}

static void test_write(void **state)
{
	static const int managed[] = {EIO, EPERM};
	struct transport transport = {.file_write = refuse_write, .free = free_nothing};
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");
	struct observed *o;

	tree_open(f);
	fixture_cpus(f, 4);
	cpuset_remove(&f->host.online, 3);
	tree_irq(f, 36, 0, "eth0-rx-0", "0");
	assert_int_equal(observe_kind(f, &kind_irq_affinity, link, NULL), 0);
	o = vector(f, link, PART_RX, 0);
	assert_int_equal(write_value(f, o, ranges(f, "0-3")), 0);
	assert_string_equal(tree_read(f, "proc/irq/36/smp_affinity_list"), "0-3");
	assert_int_equal(write_value(f, o, ranges(f, "3")), 0);
	assert_string_equal(tree_read(f, "proc/irq/36/smp_affinity_list"), "0-2");
	f->kernel.transport = &transport;
	for (size_t i = 0; i < ARRAY_SIZE(managed); i++) {
		write_errno = managed[i];
		assert_int_equal(write_value(f, o, ranges(f, "1")), -EPERM);
		assert_error(f, "/proc/irq/36/smp_affinity_list: the kernel manages this IRQ");
	}
	write_errno = EINVAL;
	assert_int_equal(write_value(f, o, ranges(f, "1")), -EINVAL);
	f->kernel.transport = NULL;
	o->handle = 0;
	assert_int_equal(write_value(f, o, ranges(f, "1")), -ENOENT);
	o->handle = 99;
	assert_int_equal(write_value(f, o, ranges(f, "1")), -ENOENT);
}

static void test_a_link_without_interrupts(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "veth0", "veth");

	tree_open(f);
	assert_int_equal(observe_kind(f, &kind_irq_affinity, link, NULL), 0);
	assert_int_equal(f->model.n, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_spread_in_turn),
		TEST(test_spread_leaves_out_offline_and_isolated_cpus),
		TEST(test_spread_local),
		TEST(test_single_queues),
		TEST(test_links_whose_vectors_are_not_known),
		TEST(test_vectors_are_told_by_their_names),
		TEST(test_vectors_of_one_name),
		TEST(test_managed_vectors),
		TEST(test_write),
		TEST(test_a_link_without_interrupts),
	};

	return cmocka_run_group_tests_name("irq_affinity", tests, NULL, NULL);
}
