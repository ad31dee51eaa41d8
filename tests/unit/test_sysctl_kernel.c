/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading and writing sysctls: on files in place of /proc/sys, and on the kernel.
 */
#include "kinds/sysctl.h"

#include "unit/kind_fixture.h"

static struct observed *put_text(struct fixture *f, const char *key, const char *text)
{
	return fixture_put(f, &kind_sysctl, NULL, key, sysctl_value_read(&f->arena, key, text));
}

static struct wish *wish_text(struct fixture *f, const char *key, const char *text)
{
	return wish_new(f, &kind_sysctl, key, literal(f, text));
}

static struct observed *put_link(
	struct fixture *f, const struct link *link, const char *key, uint64_t number)
{
	return fixture_put(f, &kind_sysctl, link, key, value_number(&f->arena, number));
}

static struct observed *observed_of(struct fixture *f, const struct link *link, const char *key)
{
	return state_get(&f->model, &kind_sysctl, link, PART_WHOLE, 0, key);
}

static int observe_sysctl(struct fixture *f, struct link *link, const char *key)
{
	return observe_kind(f, &kind_sysctl, link, key);
}

static void test_observe_files(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "mac.5", "macvlan");
	struct observed *o;

	tree_open(f);
	tree_file(f, "proc/sys/net/core/netdev_max_backlog", "1000\n", 0644);
	tree_file(f, "proc/sys/net/core/somaxconn", "4096\n", 0644);
	tree_file(f, "proc/sys/net/ipv4/tcp_rmem", "4096\t131072\t6291456\n", 0644);
	tree_file(f, "proc/sys/net/ipv4/read_only", "1\n", 0444);
	tree_file(f, "proc/sys/net/ipv4/conf/mac.5/rp_filter", "2\n", 0644);

	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.tcp_rmem"), 0);
	o = observed_of(f, NULL, "net.ipv4.tcp_rmem");
	assert_string_equal(o->value.text, "4096 131072 6291456");
	assert_int_equal(o->support, SUPPORT_SETTABLE);
	assert_int_equal(f->model.n, 1);

	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.read_only"), 0);
	o = observed_of(f, NULL, "net.ipv4.read_only");
	assert_int_equal(o->support, SUPPORT_READ_ONLY);
	assert_contains(o->note, "read-only");

	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.absent"), 0);
	assert_int_equal(observe_sysctl(f, NULL, "net.core"), 0);
	assert_int_equal(observe_sysctl(f, NULL, NULL), 0);
	assert_int_equal(f->model.n, 0);

	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.conf.mac/5.rp_filter"), 0);
	assert_int_equal(f->model.n, 1);
	o = observed_of(f, link, "net.ipv4.conf.{interface}.rp_filter");
	assert_int_equal(o->value.number, 2);
	assert_int_equal(observe_sysctl(f, link, "net.ipv4.conf.{interface}.rp_filter"), 0);
	assert_non_null(observed_of(f, link, "net.ipv4.conf.{interface}.rp_filter"));
	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.conf.gone.rp_filter"), 0);
	assert_int_equal(f->model.n, 0);
	link->ifindex = 0;
	assert_int_equal(observe_sysctl(f, link, "net.ipv4.conf.{interface}.rp_filter"), 0);
	assert_int_equal(f->model.n, 0);
}

static void test_observe_tells_the_namespace(void **state)
{
	struct fixture *f = *state;

	tree_open(f);
	tree_file(f, "proc/sys/net/core/rmem_max", "212992\n", 0444);
	assert_int_equal(observe_sysctl(f, NULL, "net.core.rmem_max"), 0);
	assert_string_equal(observed_of(f, NULL, "net.core.rmem_max")->note,
		"not settable in this network namespace (host-wide key)");
}

static void test_observe_patterns(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");

	tree_open(f);
	for (size_t i = 0; i < 4; i++) {
		static const char *const names[] = {"all", "default", "eth0", "unknown0"};

		tree_file(f,
			arena_printf(&f->arena, "proc/sys/net/ipv4/conf/%s/forwarding", names[i]),
			"0\n", 0644);
	}
	tree_file(f, "proc/sys/net/ipv4/ip_forward", "0\n", 0644);
	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.conf.*.forwarding"), 0);
	assert_non_null(observed_of(f, NULL, "net.ipv4.conf.default.forwarding"));
	assert_non_null(observed_of(f, NULL, "net.ipv4.ip_forward"));
	assert_int_equal(f->model.n, 2);
	assert_int_equal(observe_sysctl(f, link, "net.ipv4.conf.{interface}.*"), 0);
	assert_non_null(observed_of(f, link, "net.ipv4.conf.{interface}.forwarding"));
	assert_int_equal(f->model.n, 1);
	assert_int_equal(observe_sysctl(f, NULL, "net.ipv5.*.forwarding"), 0);
	assert_int_equal(f->model.n, 0);
}

static void test_observe_congestion_control(void **state)
{
	struct fixture *f = *state;

	tree_open(f);
	tree_file(f, "proc/sys/net/ipv4/tcp_congestion_control", "cubic\n", 0644);
	tree_file(f, "proc/sys/net/ipv4/tcp_allowed_congestion_control", "reno\n", 0444);
	tree_file(f, "proc/sys/net/ipv4/tcp_available_congestion_control", "reno cubic\n", 0444);
	assert_int_equal(observe_sysctl(f, NULL, SYSCTL_CONGESTION), 0);
	assert_int_equal(observed_of(f, NULL, SYSCTL_ALLOWED)->support, SUPPORT_READ_ONLY);
	assert_null(observed_of(f, NULL, SYSCTL_AVAILABLE));
	assert_int_equal(expand_wish(f, wish_text(f, SYSCTL_CONGESTION, "htcp"), NULL), -EPERM);
	assert_error(f, "htcp is not in tcp_available_congestion_control (reno cubic); needs "
			"module tcp_htcp");
}

static void test_write_files(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "mac.5", "macvlan");
	struct observed *o;

	tree_open(f);
	tree_file(f, "proc/sys/net/ipv4/ip_local_reserved_ports", "1\n", 0644);
	tree_file(f, "proc/sys/net/core/rps_default_mask", "00\n", 0644);
	tree_file(f, "proc/sys/net/ipv4/conf/mac.5/rp_filter", "2", 0644);

	o = put_text(f, "net.ipv4.ip_local_reserved_ports", "1");
	assert_int_equal(write_value(f, o, ranges(f, "")), 0);
	assert_string_equal(tree_read(f, "proc/sys/net/ipv4/ip_local_reserved_ports"), "\n\n");
	o = put_text(f, "net.core.rps_default_mask", "0");
	assert_int_equal(write_value(f, o, ranges(f, "0,35,64")), 0);
	assert_string_equal(
		tree_read(f, "proc/sys/net/core/rps_default_mask"), "1,00000008,00000001");
	o = put_link(f, link, "net.ipv4.conf.{interface}.rp_filter", 2);
	assert_int_equal(write_value(f, o, value_number(&f->arena, 1)), 0);
	assert_string_equal(tree_read(f, "proc/sys/net/ipv4/conf/mac.5/rp_filter"), "1");
	o = put_text(f, "net.ipv4.gone", "1");
	assert_int_equal(write_value(f, o, value_number(&f->arena, 1)), -ENOENT);
	assert_int_equal(write_value(f, o, value_none()), -EINVAL);
}

/* The real kernel, in a network namespace of its own. */
static void test_kernel(void **state)
{
	struct fixture *f = *state;
	struct link *link;
	struct observed *o;

	netns_enter(f, 1);
	link = netns_link(f, "veth0");
	assert_int_equal(observe_sysctl(f, NULL, "net.core.rmem_max"), 0);
	if (f->model.n) /* from Linux 6.12 on; absent before */
		assert_int_equal(
			observed_of(f, NULL, "net.core.rmem_max")->support, SUPPORT_READ_ONLY);
	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.tcp_rmem"), 0);
	o = observed_of(f, NULL, "net.ipv4.tcp_rmem");
	assert_int_equal(write_value(f, o, value_words(&f->arena, "4096 100000 5000000")), 0);
	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.tcp_rmem"), 0);
	assert_string_equal(
		observed_of(f, NULL, "net.ipv4.tcp_rmem")->value.text, "4096 100000 5000000");

	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.ip_local_reserved_ports"), 0);
	o = observed_of(f, NULL, "net.ipv4.ip_local_reserved_ports");
	assert_int_equal(write_value(f, o, ranges(f, "3000-3002,7000")), 0);
	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.ip_local_reserved_ports"), 0);
	o = observed_of(f, NULL, "net.ipv4.ip_local_reserved_ports");
	assert_string_equal(o->value.text, "3000-3002,7000");
	assert_int_equal(write_value(f, o, ranges(f, "")), 0);
	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.ip_local_reserved_ports"), 0);
	assert_string_equal(f->model.v[0].value.text, "");

	assert_int_equal(observe_sysctl(f, NULL, "net.ipv4.conf.veth0.rp_filter"), 0);
	o = observed_of(f, link, "net.ipv4.conf.{interface}.rp_filter");
	assert_int_equal(write_value(f, o, value_number(&f->arena, 2)), 0);
	assert_int_equal(observe_sysctl(f, link, "net.ipv4.conf.{interface}.rp_filter"), 0);
	assert_int_equal(f->model.v[0].value.number, 2);
	assert_int_equal(write_value(f, &f->model.v[0], value_words(&f->arena, "many")), -EINVAL);
	assert_string_equal(f->error.msg, "Invalid argument");

	assert_int_equal(observe_sysctl(f, NULL, SYSCTL_CONGESTION), 0);
	o = observed_of(f, NULL, SYSCTL_CONGESTION);
	assert_true(write_value(f, o, value_words(&f->arena, "nosuch")) < 0);
	assert_error(f, "tcp_");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_observe_files),
		TEST(test_observe_tells_the_namespace),
		TEST(test_observe_patterns),
		TEST(test_observe_congestion_control),
		TEST(test_write_files),
		TEST(test_kernel),
	};

	return cmocka_run_group_tests_name("sysctl_kernel", tests, NULL, NULL);
}
