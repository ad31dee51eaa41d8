/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are found by the name of a link are written only while the name is that link's.
 */
#include "unit/kind_fixture.h"

#define FILE_OF_ETH0 "sys/class/net/eth0/queues/rx-0/rps_cpus"

/* What nettune knows of the link, beside what the kernel says of it. */
static struct link known_link(struct fixture *f)
{
	tree_open(f);
	tree_file(f, FILE_OF_ETH0, "1\n", 0644);
	return *fixture_link(f, "eth0", "physical");
}

static int write_two(struct fixture *f, struct link *link)
{
	return file_write_of_link(
		&f->kernel, link, DIR_SYS, "class/net/eth0/queues/rx-0/rps_cpus", "2");
}

static void test_same(void **state)
{
	struct fixture *f = *state;
	struct link link = known_link(f);

	assert_int_equal(write_two(f, &link), 0);
	assert_string_equal(tree_read(f, FILE_OF_ETH0), "2\n");
}

static void test_renamed(void **state)
{
	struct fixture *f = *state;
	struct link link = known_link(f);

	f->links[0].name = "lan0";
	fixture_link(f, "eth0", "physical");
	assert_int_equal(write_two(f, &link), -ESTALE);
	assert_string_equal(link.name, "lan0");
	assert_string_equal(tree_read(f, FILE_OF_ETH0), "1\n");
}

static void test_gone(void **state)
{
	struct fixture *f = *state;
	struct link link = known_link(f);

	f->links[0].ifindex = 7;
	assert_int_equal(write_two(f, &link), -ENODEV);
	assert_string_equal(tree_read(f, FILE_OF_ETH0), "1\n");
}

/* A kind that finds the file by the name takes the new one. */
static void test_kind_goes_on_under_the_new_name(void **state)
{
	struct fixture *f = *state;
	struct link link = known_link(f);
	struct change change = {
		.at = {.kind = &kind_rps,
			.target = {.link = &link, .part = PART_RX},
			.key = "cpus"},
	};
	struct change *list[] = {&change};

	change.wanted = ranges(f, "1");
	tree_file(f, "sys/class/net/lan0/queues/rx-0/rps_cpus", "1\n", 0644);
	f->links[0].name = "lan0";
	assert_int_equal(kind_rps.write(&f->kernel, &f->host, list, 1, &f->error), 0);
	assert_string_equal(tree_read(f, FILE_OF_ETH0), "1\n");
	assert_string_equal(tree_read(f, "sys/class/net/lan0/queues/rx-0/rps_cpus"), "2\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_same, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_renamed, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_gone, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_kind_goes_on_under_the_new_name, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
