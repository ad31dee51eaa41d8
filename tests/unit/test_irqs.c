/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts of a link, and the facts about a machine, from the files of a made-up one: 72 CPUs,
 * NUMA nodes 0 and 2, an igb, an e1000e, an ixgbe, two virtio NICs, a USB one.
 */
#include "kernel/kernel.h"

#include "unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>

struct fixture {
	struct arena arena;
	struct kernel kernel;
	struct error error;
};

static int setup(void **state)
{
	const struct kernel_options options = {.root = TEST_DIR "/fixtures/unit/machine"};
	struct fixture *f = calloc(1, sizeof(*f));

	arena_init(&f->arena);
	*state = f;
	return kernel_open(&f->kernel, &options, &f->arena, &f->error);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	kernel_close(&f->kernel);
	arena_done(&f->arena);
	free(f);
	return 0;
}

struct expected {
	uint32_t number;
	unsigned hwirq;
	const char *action; /* NULL = none */
};

static void assert_irqs(
	struct fixture *f, const char *name, const struct expected *expected, size_t n)
{
	const struct link link = {.ifindex = 2, .name = name};
	struct irq *irqs;
	size_t count;

	assert_int_equal(kernel_link_irqs(&f->kernel, &link, &irqs, &count), 0);
	assert_int_equal(count, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(irqs[i].number, expected[i].number);
		assert_int_equal(irqs[i].hwirq, expected[i].hwirq);
		if (expected[i].action)
			assert_string_equal(irqs[i].action, expected[i].action);
		else
			assert_null(irqs[i].action);
	}
}

/* In the order of the vectors, whatever their numbers; the first of two handlers. */
static void test_pci(void **state)
{
	static const struct expected expected[] = {
		{36, 0, "eth0"}, {101, 1, "eth0-rx-0"}, {38, 2, "eth0-rx-1"}, {37, 3, "eth0-tx-0"}};

	assert_irqs(*state, "eth0", expected, ARRAY_SIZE(expected));
}

/* The PCI device above has them. eth1 gets none of eth10. */
static void test_virtio(void **state)
{
	static const struct expected eth1[] = {
		{24, 0, "virtio1-config"}, {25, 1, "virtio1-input.0"}, {26, 2, "virtio1-output.0"}};
	static const struct expected eth10[] = {
		{27, 0, "virtio2-config"}, {28, 1, "virtio2-input.0"}, {29, 2, "virtio2-output.0"}};

	assert_irqs(*state, "eth1", eth1, ARRAY_SIZE(eth1));
	assert_irqs(*state, "eth10", eth10, ARRAY_SIZE(eth10));
}

/* A link that is down: numbers, but no handlers. Before Linux 6.2: more in hwirq than the index. */
static void test_down(void **state)
{
	static const struct expected expected[] = {{61, 0, NULL}, {62, 1, NULL}, {60, 2, NULL}};

	assert_irqs(*state, "eth2", expected, ARRAY_SIZE(expected));
}

static void test_proc_interrupts(void **state)
{
	static const struct expected expected[] = {
		{7, 0, NULL}, {70, 0, "eth3-TxRx-0"}, {71, 0, "eth3-TxRx-1"}, {72, 0, "eth3"}};

	assert_irqs(*state, "eth3", expected, ARRAY_SIZE(expected));
}

/* No device; a USB device, whose controller has interrupts that are not the link's; nothing. */
static void test_none(void **state)
{
	assert_irqs(*state, "veth0", NULL, 0);
	assert_irqs(*state, "usb0", NULL, 0);
	assert_irqs(*state, "gone", NULL, 0);
}

static void test_host(void **state)
{
	struct fixture *f = *state;
	struct host host;

	assert_int_equal(kernel_host(&f->kernel, &host, &f->error), 0);
	assert_string_equal(host.name, "web1");
	assert_string_equal(host.kernel, "6.12.95-amd64");
	assert_string_equal(host.boot_id, "b5c999b9-af24-4fa9-b8f9-b45111650ec6");
	assert_int_equal(host.netns, 1);
	assert_true(host.ram == 16384000ULL * 1024);
	assert_int_equal(host.nr_cpu_ids, 72);
	assert_string_equal(cpuset_format_list(&f->arena, &host.online), "0-70");
	assert_string_equal(cpuset_format_list(&f->arena, &host.isolated), "4-6");
	assert_int_equal(host.nnodes, 3);
	assert_string_equal(cpuset_format_list(&f->arena, &host.node_cpus[0]), "0-35");
	assert_string_equal(cpuset_format_list(&f->arena, &host.node_cpus[1]), "");
	assert_string_equal(cpuset_format_list(&f->arena, &host.node_cpus[2]), "36-71");
	assert_int_equal(host.nlinks, 0);
}

/* Another kernel of the recording's: no nodes, "(null)" for nohz_full. */
static void test_small_host(void **state)
{
	const struct kernel_options options = {.root = TEST_DIR "/fixtures/unit/veth"};
	struct fixture *f = *state;
	struct kernel kernel;
	struct host host;

	assert_int_equal(kernel_open(&kernel, &options, &f->arena, &f->error), 0);
	assert_int_equal(kernel_host(&kernel, &host, &f->error), 0);
	assert_string_equal(host.name, "recorded");
	assert_string_equal(host.boot_id, "");
	assert_int_equal(host.nr_cpu_ids, 2);
	assert_int_equal(host.nnodes, 0);
	assert_true(cpuset_is_empty(&host.isolated));
	kernel_close(&kernel);
}

static void test_no_cpus(void **state)
{
	const struct kernel_options options = {.root = TEST_DIR "/fixtures/unit/veth/netlink"};
	struct fixture *f = *state;
	struct kernel kernel;
	struct host host;

	assert_int_equal(kernel_open(&kernel, &options, &f->arena, &f->error), 0);
	assert_int_equal(kernel_host(&kernel, &host, &f->error), -ENOENT);
	assert_int_equal(f->error.kind, ERROR_MISSING);
	kernel_close(&kernel);
}

static uint64_t namespace_of(struct fixture *f)
{
	const struct kernel_options options = {0};
	struct kernel kernel;
	struct host host = {0};

	if (kernel_open(&kernel, &options, &f->arena, &f->error) < 0)
		return 0;
	kernel_host(&kernel, &host, &f->error);
	kernel_close(&kernel);
	return host.netns;
}

/* This kernel: two namespaces are two, one is one. */
static void test_namespace(void **state)
{
	struct fixture *f = *state;
	uint64_t here = namespace_of(f);
	int status;
	pid_t pid;

	if (!here)
		skip();
	assert_true(namespace_of(f) == here);
	pid = fork();
	if (pid == 0) {
		uint64_t there;

		if (unshare(CLONE_NEWNET) < 0)
			_exit(77);
		there = namespace_of(f);
		_exit(there == 0 || there == here);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_pci),
		TEST(test_virtio),
		TEST(test_down),
		TEST(test_proc_interrupts),
		TEST(test_none),
		TEST(test_host),
		TEST(test_small_host),
		TEST(test_no_cpus),
		TEST(test_namespace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
