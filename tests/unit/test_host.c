/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about the machine: links by number and name, and the CPUs near a link.
 */
#include "core/host.h"

#include "unit/test.h"
#include "util/arena.h"
#include "util/macros.h"

/* 16 CPUs: node 0 has the even ones, node 1 the odd ones, node 2 none. */
struct machine {
	struct arena arena;
	struct host host;
	struct link links[4], *pointers[4];
	struct cpuset nodes[3];
};

static void set_list(struct cpuset *set, const char *list)
{
	assert_int_equal(cpuset_parse_list(list, set), 0);
}

static int setup(void **state)
{
	static struct machine machine;
	static const int numbers[] = {1, 2, 7, 300};
	static const char *const names[] = {"lo", "eth0", "eth0.5", "eth1"};

	machine = (struct machine){};
	arena_init(&machine.arena);
	for (size_t i = 0; i < ARRAY_SIZE(machine.links); i++) {
		machine.links[i] = (struct link){
			.ifindex = numbers[i], .name = names[i], .node = (int)i - 1};
		machine.pointers[i] = &machine.links[i];
	}
	set_list(&machine.nodes[0], "0-15:1/2");
	set_list(&machine.nodes[1], "1-15:1/2");
	machine.host = (struct host){
		.nr_cpu_ids = 16,
		.node_cpus = machine.nodes,
		.nnodes = ARRAY_SIZE(machine.nodes),
		.links = machine.pointers,
		.nlinks = ARRAY_SIZE(machine.pointers),
	};
	set_list(&machine.host.online, "0-15");
	*state = &machine;
	return 0;
}

static int teardown(void **state)
{
	struct machine *machine = *state;

	arena_done(&machine->arena);
	return 0;
}

static void links_by_number_and_name(void **state)
{
	struct machine *machine = *state;
	struct host none = {};

	for (size_t i = 0; i < ARRAY_SIZE(machine->links); i++) {
		struct link *link = &machine->links[i];

		assert_ptr_equal(host_link(&machine->host, link->ifindex), link);
		assert_ptr_equal(host_link_by_name(&machine->host, link->name), link);
	}
	assert_null(host_link(&machine->host, 3));
	assert_null(host_link(&machine->host, 301));
	assert_null(host_link(&machine->host, 0));
	assert_null(host_link(&machine->host, -1));
	assert_null(host_link(&none, 1));
	assert_null(host_link_by_name(&machine->host, "eth"));
	assert_null(host_link_by_name(&machine->host, "eth10"));
}

static const char *local_cpus(struct machine *machine, const struct link *link)
{
	struct cpuset set;

	host_local_cpus(&machine->host, link, &set);
	return cpuset_format_list(&machine->arena, &set);
}

static void local_is_the_node(void **state)
{
	struct machine *machine = *state;
	struct link elsewhere = {.node = 17};

	assert_string_equal(local_cpus(machine, &machine->links[1]), "0,2,4,6,8,10,12,14");
	assert_string_equal(local_cpus(machine, &machine->links[2]), "1,3,5,7,9,11,13,15");
	/* no node, a node without CPUs, a node that is not known, no link */
	assert_string_equal(local_cpus(machine, &machine->links[0]), "0-15");
	assert_string_equal(local_cpus(machine, &machine->links[3]), "0-15");
	assert_string_equal(local_cpus(machine, &elsewhere), "0-15");
	assert_string_equal(local_cpus(machine, NULL), "0-15");
}

static void offline_and_isolated_cpus_are_left_out(void **state)
{
	struct machine *machine = *state;

	set_list(&machine->host.online, "0-7,9");
	set_list(&machine->host.isolated, "0-3");
	assert_string_equal(local_cpus(machine, &machine->links[1]), "4,6");
	assert_string_equal(local_cpus(machine, &machine->links[2]), "5,7,9");
	assert_string_equal(local_cpus(machine, &machine->links[0]), "4-7,9");
	/* the whole node is isolated: the others; everything is: what is online */
	set_list(&machine->host.isolated, "0-15:1/2");
	assert_string_equal(local_cpus(machine, &machine->links[1]), "1,3,5,7,9");
	set_list(&machine->host.isolated, "0-15");
	assert_string_equal(local_cpus(machine, &machine->links[0]), "0-7,9");
	assert_string_equal(local_cpus(machine, &machine->links[2]), "1,3,5,7,9");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(links_by_number_and_name, setup, teardown),
		cmocka_unit_test_setup_teardown(local_is_the_node, setup, teardown),
		cmocka_unit_test_setup_teardown(
			offline_and_isolated_cpus_are_left_out, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
