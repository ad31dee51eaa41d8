/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sysctl kind without a host: spelling of keys and values, what a profile may not ask for.
 */
#include "kinds/sysctl.h"

#include "unit/kind_fixture.h"

static const char *canonical(struct fixture *f, const char *key)
{
	return kind_sysctl.canonical(&f->arena, key, &f->error);
}

static void test_keys_have_one_spelling(void **state)
{
	static const char *const pairs[][2] = {
		{"net.core.somaxconn", "net.core.somaxconn"},
		{"net/core/somaxconn", "net.core.somaxconn"},
		{"net.ipv4.conf.mac/5.rp_filter", "net.ipv4.conf.mac/5.rp_filter"},
		{"net/ipv4/conf/mac.5/rp_filter", "net.ipv4.conf.mac/5.rp_filter"},
		{"net.ipv4.conf.all.forwarding", "net.ipv4.ip_forward"},
		{"net/ipv4/conf/all/forwarding", "net.ipv4.ip_forward"},
		{"net.ipv6.conf.all.forwarding", "net.ipv6.conf.all.forwarding"},
		{"net.nf_conntrack_max", "net.netfilter.nf_conntrack_max"},
		{"net.ipv4.conf.eth0:1.rp_filter", "net.ipv4.conf.eth0:1.rp_filter"},
		{"net.bridge.bridge-nf-call-iptables", "net.bridge.bridge-nf-call-iptables"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		assert_string_equal(canonical(*state, pairs[i][0]), pairs[i][1]);
}

static void test_what_is_no_key(void **state)
{
	static const char *const keys[] = {"", "somaxconn", "net.", ".net.core", "net..core",
		"net.ipv4.conf./.rp_filter", "net.ipv4.conf.//.rp_filter", "net/../kernel",
		"net/./core", "/proc/sys/net", "net.core.somaxconn ", "net.ipv4.conf.*.rp_filter",
		"-net.core.somaxconn", "net.ipv4.conf.{interface}.rp_filter", "net.core.a\"b",
		"net.core.a\tb", "net.core.a=1"};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct fixture *f = *state;

		f->error = (struct error){0};
		if (canonical(f, keys[i]))
			fail_msg("\"%s\" is taken for a key", keys[i]);
		assert_int_equal(f->error.kind, ERROR_DATA);
		assert_true(f->error.msg[0]);
	}
}

static int check(struct fixture *f, const char *key, const char *text)
{
	struct wish *wish = wish_new(f, &kind_sysctl, key, literal(f, text));

	f->error = (struct error){0};
	return kind_sysctl.check(wish, NULL, &f->error);
}

/* Expected: a piece of the complaint; NULL = no complaint. */
struct checked {
	const char *key, *text, *complaint;
};

static void run_checks(struct fixture *f, const struct checked *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int r = check(f, v[i].key, v[i].text);

		if (!v[i].complaint && r < 0)
			fail_msg("%s = %s: %s", v[i].key, v[i].text, f->error.msg);
		if (v[i].complaint && r == 0)
			fail_msg("%s = %s is taken", v[i].key, v[i].text);
		if (v[i].complaint)
			assert_error(f, v[i].complaint);
	}
}

static void test_keys_that_a_profile_can_not_set(void **state)
{
	static const struct checked v[] = {
		{"net.core.somaxconn", "1024", NULL},
		{"net.ipv4.route.flush", "1", "action"},
		{"net.ipv6.route.flush", "1", "action"},
		{"net.ipv4.something.flush", "1", "action"},
		{"net.ipv6.conf.all.disable_ipv6", "1", "put back"},
		{"net.ipv6.conf.eth0.disable_ipv6", "0", "put back"},
		{"net.ipv6.conf.eth0.stable_secret", "::1", "unset"},
		{"net.ipv4.tcp_fastopen_key", "1-2-3-4", "masked"},
		{"net.ipv4.tcp_available_congestion_control", "bbr", "never lets it be written"},
		{"net.ipv4.conf.all.mc_forwarding", "1", "never lets it be written"},
		{"net.ipv4.tcp_max_somaxconn", "1024", "did you mean net.core.somaxconn?"},
		{"net.ipv4.tcp_tw_recycle", "1", "removed in Linux 4.12"},
		{"net.ipv4.ip_conntrack_max", "1", "net.netfilter.nf_conntrack_max"},
		{"net.ipv4.tcp_nodelay", "1", "socket"},
		{"vm.swappiness", "1", "below net"},
		{"kernel.pid_max", "1", "below net"},
		{"network.core", "1", "below net"},
	};

	run_checks(*state, v, ARRAY_SIZE(v));
}

static void test_values_that_the_kernel_would_misread(void **state)
{
	static const struct checked v[] = {
		{"net.ipv4.tcp_sack", "on", "booleans are 0 or 1"},
		{"net.ipv4.tcp_sack", "No", "booleans are 0 or 1"},
		{"net.ipv4.tcp_sack", "true", "booleans are 0 or 1"},
		{"net.ipv4.tcp_timestamps", "010", "octal"},
		{"net.ipv4.tcp_timestamps", "-01", "octal"},
		{"net.ipv4.tcp_timestamps", "0x1", NULL},
		{"net.ipv4.tcp_fin_timeout", "15s", "own unit"},
		{"net.ipv4.tcp_fin_timeout", "10Gbit", "own unit"},
		{"net.ipv4.tcp_fin_timeout", "30.5", "no decimal number"},
		{"net.ipv4.tcp_fin_timeout", "+30", "no decimal number"},
		{"net.ipv4.tcp_fin_timeout", "abc", "no decimal number"},
		{"net.ipv4.tcp_fin_timeout", "99999999999999999999999", "too large"},
		{"net.ipv4.tcp_fin_timeout", "0xffffffffffffffffff", "too large"},
		{"net.ipv4.tcp_adv_win_scale", "-2", NULL},
		{"net.core.rmem_max", "64MiB", NULL},
		{"net.core.rmem_max", "", "empty"},
		{"net.core.rmem_max", "\"1\"", "quotes"},
		{"net.core.somaxconn", "1000 2000", "one number"},
		{"net.ipv4.tcp_rmem", "4096 131072 6291456", NULL},
		{"net.ipv4.tcp_rmem", "4096 128KiB 6MiB", NULL},
		{"net.ipv4.tcp_rmem", "4096", "three numbers"},
		{"net.ipv4.tcp_rmem", "4096 131072", "three numbers"},
		{"net.ipv4.tcp_rmem", "1 2 3 4", "three numbers"},
		{"net.ipv4.tcp_rmem", "4096,131072,6291456", "blanks"},
		{"net.ipv4.tcp_rmem", "8192 4096 6291456", "8192 is above 4096"},
		{"net.ipv4.tcp_wmem", "4096 16384 100", "must not fall"},
		{"net.ipv4.udp_mem", "3 2 1", "must not fall"},
		{"net.ipv4.ip_local_port_range", "1024", "two numbers"},
		{"net.ipv4.ip_local_port_range", "65535 1024", "must not fall"},
		{"net.ipv4.ping_group_range", "1 0", NULL},
		{"net.ipv4.ip_local_reserved_ports", "5000,5001", NULL},
		{"net.ipv4.ip_local_reserved_ports", "5000 5001", "comma"},
		{"net.ipv4.ip_local_reserved_ports", "5000,5001 ,6000", "comma"},
		{"net.ipv4.ip_local_reserved_ports", "70000", "65535"},
		{"net.ipv4.ip_local_reserved_ports", "5001-5000", "ranges"},
		{"net.ipv4.ip_local_reserved_ports", "5000,", "ranges"},
		{"net.ipv4.ip_local_reserved_ports", "none", NULL},
		{"net.core.rps_default_mask", "0x3", NULL},
		{"net.core.rps_default_mask", "0-1", NULL},
		{"net.core.rps_default_mask", "none", NULL},
		{"net.core.rps_default_mask", "3", "write 0x3 for the mask"},
		{"net.core.rps_default_mask", "ff", "write 0xff for the mask"},
		{"net.core.rps_default_mask", "zz", "list"},
		{"net.ipv4.tcp_congestion_control", "bbr", NULL},
		{"net.unknown.key", "any word", NULL},
		{"net.unknown.key", "yes", "booleans"},
	};

	run_checks(*state, v, ARRAY_SIZE(v));
}

static void test_keys_that_the_administrator_allows(void **state)
{
	static const char *const allow[] = {"vm/dirty_ratio", "kernel.pid_max", NULL};
	struct fixture *f = *state;
	struct wish *wish = wish_new(f, &kind_sysctl, "kernel.pid_max", literal(f, "4194304"));

	assert_int_equal(kind_sysctl.check(wish, allow, &f->error), 0);
	wish->key = "vm.dirty_ratio";
	assert_int_equal(kind_sysctl.check(wish, allow, &f->error), 0);
	wish->key = "vm.swappiness";
	assert_int_equal(kind_sysctl.check(wish, allow, &f->error), -EINVAL);
}

static void test_keep_needs_no_value(void **state)
{
	struct fixture *f = *state;
	struct wish *wish = wish_new(f, &kind_sysctl, "net.ipv4.tcp_rmem", word(f, "keep"));

	assert_int_equal(kind_sysctl.check(wish, NULL, &f->error), 0);
	wish->key = "net.ipv4.tcp_tw_recycle";
	assert_int_equal(kind_sysctl.check(wish, NULL, &f->error), -EINVAL);
	assert_int_equal(f->error.kind, ERROR_MISSING);
	wish->optional = true;
	assert_int_equal(kind_sysctl.check(wish, NULL, &f->error), 0);
}

/* Two settings of one profile; expected: a complaint about the one at index `at`, or NULL. */
static void check_pair(struct fixture *f, const struct checked *a, const struct checked *b,
	const char *complaint, size_t at)
{
	struct wish v[] = {
		*wish_new(f, &kind_sysctl, a->key, literal(f, a->text)),
		*wish_new(f, &kind_sysctl, b->key, literal(f, b->text)),
	};
	size_t found = 99;
	int r;

	f->error = (struct error){0};
	r = kind_sysctl.check_all(v, 2, &found, &f->error);
	if (!complaint) {
		if (r < 0)
			fail_msg("%s", f->error.msg);
		return;
	}
	assert_int_equal(r, -EINVAL);
	assert_error(f, complaint);
	assert_int_equal(found, at);
}

static void test_keys_that_contradict_each_other(void **state)
{
	static const struct checked
		low = {"net.ipv4.ipfrag_low_thresh", "4194304", NULL},
		high = {"net.ipv4.ipfrag_high_thresh", "262144", NULL},
		high_enough = {"net.ipv4.ipfrag_high_thresh", "4MiB", NULL},
		start = {"net.ipv4.ip_unprivileged_port_start", "2000", NULL},
		range = {"net.ipv4.ip_local_port_range", "1024 65535", NULL},
		reachable = {"net.ipv4.neigh.eth0.base_reachable_time", "30", NULL},
		reachable_ms = {"net.ipv4.neigh.eth0.base_reachable_time_ms", "30000", NULL},
		other_ms = {"net.ipv4.neigh.eth1.base_reachable_time_ms", "30000", NULL},
		bbr = {"net.ipv4.tcp_congestion_control", "bbr", NULL},
		reno = {"net.ipv4.tcp_allowed_congestion_control", "reno cubic", NULL},
		both = {"net.ipv4.tcp_allowed_congestion_control", "reno bbr", NULL};
	struct fixture *f = *state;

	check_pair(f, &low, &high, "net.ipv4.ipfrag_low_thresh", 1);
	check_pair(f, &high, &low, "net.ipv4.ipfrag_low_thresh", 0);
	check_pair(f, &high_enough, &low, NULL, 0);
	check_pair(f, &start, &range, "2000", 1);
	check_pair(f, &reachable, &reachable_ms, "one value in two units", 1);
	check_pair(f, &reachable_ms, &reachable, "one value in two units", 1);
	check_pair(f, &reachable, &other_ms, NULL, 0);
	check_pair(f, &bbr, &reno, "bbr is missing in", 0);
	check_pair(f, &bbr, &both, NULL, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_keys_have_one_spelling),
		TEST(test_what_is_no_key),
		TEST(test_keys_that_a_profile_can_not_set),
		TEST(test_values_that_the_kernel_would_misread),
		TEST(test_keys_that_the_administrator_allows),
		TEST(test_keep_needs_no_value),
		TEST(test_keys_that_contradict_each_other),
	};

	return cmocka_run_group_tests_name("sysctl", tests, NULL, NULL);
}
