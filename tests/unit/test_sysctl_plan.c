/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sysctls in a plan: values compared, keys that are missing and why, what a change moves, what the
 * kernel makes of a value, order and snapshot scope.
 */
#include "kinds/sysctl.h"

#include "engine/execute.h"
#include "unit/kind_fixture.h"

static const char *canonical(struct fixture *f, const char *key)
{
	return kind_sysctl.canonical(&f->arena, key, &f->error);
}

static struct observed *put_text(struct fixture *f, const char *key, const char *text)
{
	return fixture_put(f, &kind_sysctl, NULL, key, sysctl_value_read(&f->arena, key, text));
}

static struct wish *wish_text(struct fixture *f, const char *key, const char *text)
{
	return wish_new(f, &kind_sysctl, key, literal(f, text));
}

static void test_values_compare_with_what_the_kernel_shows(void **state)
{
	static const struct {
		const char *key, *live, *wanted;
	} v[] = {
		{"net.ipv4.tcp_rmem", "4096\t131072\t6291456", "4096  131072 6291456"},
		{"net.ipv4.tcp_rmem", "4096\t131072\t6291456", "4KiB 128KiB 6MiB"},
		{"net.ipv4.tcp_timestamps", "1", "0x1"},
		{"net.core.rmem_max", "65536", "64KiB"},
		{"net.ipv4.ip_local_reserved_ports", "3000-3002,8080-8090",
			"8080-8090,3000,3001,3002"},
		{"net.ipv4.ip_local_reserved_ports", "", "none"},
		{"net.ipv4.ip_local_reserved_ports", "65535", "65535"},
		{"net.core.rps_default_mask", "3", "0-1"},
		{"net.core.rps_default_mask", "00000003", "0x3"},
		{"net.core.rps_default_mask", "0", "none"},
		{"net.ipv4.tcp_congestion_control", "cubic", "cubic"},
		{"net.ipv4.tcp_adv_win_scale", "-2", "-2"},
		{"net.ipv4.ping_group_range", "1\t0", "1 0"},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct observed *live = put_text(f, v[i].key, v[i].live);

		if (expand_wish(f, wish_text(f, v[i].key, v[i].wanted), NULL) < 0)
			fail_msg("%s", f->error.msg);
		assert_int_equal(f->settings.n, 1);
		if (!value_equal(&f->settings.v[0].value, &live->value))
			fail_msg(
				"%s: %s is not %s", v[i].key, setting_text(f, 0), live->value.text);
	}
}

/* B17 */
static void test_interface_names_with_dots(void **state)
{
	static const char *const spellings[] = {"net.ipv4.conf.mac/5.rp_filter",
		"net/ipv4/conf/mac.5/rp_filter", "net.ipv4.conf.mac.5.rp_filter"};
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "mac.5", "macvlan");

	fixture_put(f, &kind_sysctl, link, "net.ipv4.conf.{interface}.rp_filter",
		value_number(&f->arena, 0));
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		const char *key = canonical(f, spellings[i]);

		assert_int_equal(expand_wish(f, wish_text(f, key, "1"), NULL), 0);
		assert_int_equal(f->settings.n, 1);
		assert_ptr_equal(f->settings.v[0].at.target.link, link);
		assert_string_equal(address_text(&f->arena, &f->settings.v[0].at),
			"sysctl/net.ipv4.conf.mac/5.rp_filter");
	}
	assert_int_equal(
		expand_wish(f, wish_text(f, "net.ipv4.conf.mac.6.rp_filter", "1"), NULL), -ENOENT);
	assert_error(f, "write mac/6");
	assert_int_equal(f->error.kind, ERROR_MISSING);
	assert_int_equal(
		expand_wish(f, wish_text(f, "net.ipv4.conf.mac/6.rp_filter", "1"), NULL), -ENOENT);
	assert_error(f, "no interface mac.6");
	assert_null(strstr(f->error.msg, "write"));
}

static void test_all_and_default_are_no_interfaces(void **state)
{
	struct fixture *f = *state;

	put_text(f, "net.ipv4.conf.all.rp_filter", "0");
	put_text(f, "net.ipv6.neigh.default.gc_thresh1", "128");
	assert_int_equal(expand_wish(f, wish_text(f, "net.ipv4.conf.all.rp_filter", "1"), NULL), 0);
	assert_null(f->settings.v[0].at.target.link);
	assert_int_equal(
		expand_wish(f, wish_text(f, "net.ipv6.neigh.default.gc_thresh1", "1"), NULL), 0);
}

static void test_a_refused_key_stays_refused_behind_a_dot(void **state)
{
	struct fixture *f = *state;

	fixture_link(f, "mac.5", "macvlan");
	assert_int_equal(
		expand_wish(f, wish_text(f, "net.ipv6.conf.mac.5.disable_ipv6", "1"), NULL),
		-EINVAL);
	assert_int_equal(f->error.kind, ERROR_DATA);
}

static void test_why_a_key_is_missing(void **state)
{
	static const struct {
		const char *key, *reason;
	} v[] = {
		{"net.ipv4.tcp_tw_recycle", "removed in Linux 4.12"},
		{"net.ipv4.tcp_tcp_tw_reuse", "did you mean net.ipv4.tcp_tw_reuse?"},
		{"net.netfilter.nf_conntrack_max", "module nf_conntrack is not loaded"},
		{"net.bridge.bridge-nf-call-iptables", "module br_netfilter is not loaded"},
		{"net.core.netdev_max_backlog",
			"not settable in this network namespace (host-wide key)"},
		{"net.core.rmem_max", "not settable in this network namespace (host-wide key)"},
		{"net.ipv4.tcp_mem", "not settable in this network namespace (host-wide key)"},
		{"net.ipv4.neigh.default.gc_thresh3",
			"not settable in this network namespace (host-wide key)"},
		{"net.ipv6.neigh.default.locktime",
			"not settable in this network namespace (host-wide key)"},
		{"net.ipv4.tcp_early_retrans", "no such key on this kernel"},
		{"net.nowhere.nothing", "no such key on this kernel"},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct wish *wish = wish_text(f, v[i].key, "1");

		if (strcmp(v[i].key, "net.ipv4.tcp_mem") == 0)
			wish->value = literal(f, "1 2 3");
		assert_int_equal(expand_wish(f, wish, NULL), -ENOENT);
		assert_int_equal(f->error.kind, ERROR_MISSING);
		assert_error(f, v[i].reason);
		wish->optional = true;
		assert_int_equal(expand_wish(f, wish, NULL), 0);
		assert_int_equal(f->settings.n, 0);
		assert_int_equal(f->skipped.n, 1);
		assert_int_equal(f->skipped.v[0].verdict, VERDICT_UNSUPPORTED);
		assert_contains(f->skipped.v[0].reason, v[i].reason);
	}
}

static void test_read_only_matters_only_for_a_change(void **state)
{
	struct fixture *f = *state;
	struct observed *live = put_text(f, "net.core.rmem_max", "212992");

	live->support = SUPPORT_READ_ONLY;
	live->note = "not settable in this network namespace (host-wide key)";
	assert_int_equal(expand_wish(f, wish_text(f, "net.core.rmem_max", "212992"), NULL), 0);
	assert_int_equal(f->settings.n, 1);
	assert_int_equal(
		expand_wish(f, wish_text(f, "net.core.rmem_max", "8388608"), NULL), -EACCES);
	assert_error(f, "sysctl/net.core.rmem_max: not settable in this network namespace");
	assert_int_equal(f->error.kind, ERROR_MISSING);
}

/* B29 */
static void test_congestion_control_of_a_namespace(void **state)
{
	struct fixture *f = *state;
	struct observed *live = put_text(f, SYSCTL_CONGESTION, "bbr"), *allowed;

	live->note = SYSCTL_AVAILABLE_IS "reno cubic bbr";
	/* the first namespace: the kernel may load the module */
	allowed = put_text(f, SYSCTL_ALLOWED, "reno bbr");
	assert_int_equal(expand_wish(f, wish_text(f, SYSCTL_CONGESTION, "htcp"), NULL), 0);
	allowed->support = SUPPORT_READ_ONLY;
	assert_int_equal(expand_wish(f, wish_text(f, SYSCTL_CONGESTION, "reno"), NULL), 0);
	assert_int_equal(expand_wish(f, wish_text(f, SYSCTL_CONGESTION, "htcp"), NULL), -EPERM);
	assert_error(f, "htcp is not in tcp_available_congestion_control (reno cubic bbr); needs "
			"module tcp_htcp");
	assert_int_equal(expand_wish(f, wish_text(f, SYSCTL_CONGESTION, "cubic"), NULL), -EPERM);
	assert_error(f, "cubic is not in tcp_allowed_congestion_control (reno bbr)");
	/* what the namespace was made with stays right */
	put_text(f, SYSCTL_ALLOWED, "reno")->support = SUPPORT_READ_ONLY;
	assert_int_equal(expand_wish(f, wish_text(f, SYSCTL_CONGESTION, "bbr"), NULL), 0);
}

/* B68 */
static void test_masks_name_cpus_that_exist(void **state)
{
	struct fixture *f = *state;

	put_text(f, "net.core.rps_default_mask", "0");
	assert_int_equal(
		expand_wish(f, wish_text(f, "net.core.rps_default_mask", "0xff"), NULL), -EINVAL);
	assert_error(f, "CPUs 2-7 do not exist (online: 0-1)");
	assert_int_equal(
		expand_wish(
			f, wish_text(f, "net.core.rps_default_mask", "0x00000000,00000003"), NULL),
		0);
	assert_string_equal(setting_text(f, 0), "0-1");
	cpuset_add(&f->host.isolated, 1);
	assert_int_equal(
		expand_wish(f, wish_text(f, "net.core.rps_default_mask", "0x2"), NULL), -EINVAL);
	assert_error(f, "isolated");
}

static struct observed *put_link(
	struct fixture *f, const struct link *link, const char *key, uint64_t number)
{
	return fixture_put(f, &kind_sysctl, link, key, value_number(&f->arena, number));
}

static uint64_t number_of(struct fixture *f, const struct link *link, const char *key)
{
	struct observed *o = state_get(&f->model, &kind_sysctl, link, PART_WHOLE, 0, key);

	assert_non_null(o);
	assert_int_equal(o->value.type, VALUE_NUMBER);
	return o->value.number;
}

/* B26 */
static void test_forwarding_moves_what_hangs_on_it(void **state)
{
	static const char forwarding[] = "net.ipv4.conf.{interface}.forwarding";
	static const char redirects[] = "net.ipv4.conf.all.accept_redirects";
	struct fixture *f = *state;
	struct link *a = fixture_link(f, "veth0", "veth"), *b = fixture_link(f, "veth1", "veth");
	struct observed *lro;

	put_link(f, NULL, "net.ipv4.ip_forward", 0);
	put_link(f, NULL, "net.ipv4.conf.default.forwarding", 0);
	put_link(f, NULL, redirects, 1);
	put_link(f, NULL, "net.ipv6.conf.all.forwarding", 0);
	put_link(f, a, forwarding, 0);
	put_link(f, b, forwarding, 1);
	fixture_put(f, &kind_offloads, a, "rx-lro", value_bool(true));
	project_change(f,
		state_get(&f->model, &kind_sysctl, NULL, PART_WHOLE, 0, "net.ipv4.ip_forward"),
		value_number(&f->arena, 1));
	assert_int_equal(number_of(f, a, forwarding), 1);
	assert_int_equal(number_of(f, b, forwarding), 1);
	assert_int_equal(number_of(f, NULL, "net.ipv4.conf.default.forwarding"), 1);
	assert_int_equal(number_of(f, NULL, redirects), 0);
	assert_int_equal(number_of(f, NULL, "net.ipv6.conf.all.forwarding"), 0);
	assert_true(state_get(&f->model, &kind_sysctl, a, PART_WHOLE, 0, forwarding)->follows);
	assert_false(state_get(&f->model, &kind_sysctl, b, PART_WHOLE, 0, forwarding)->follows);
	lro = state_get(&f->model, &kind_offloads, a, PART_WHOLE, 0, "rx-lro");
	assert_string_equal(lro->value.text, "off");
	assert_true(lro->follows);

	project_change(f,
		state_get(&f->model, &kind_sysctl, NULL, PART_WHOLE, 0, "net.ipv4.ip_forward"),
		value_number(&f->arena, 0));
	assert_int_equal(number_of(f, b, forwarding), 0);
	assert_int_equal(number_of(f, NULL, redirects), 1);
	assert_string_equal(lro->value.text, "off");
}

static void test_forwarding_of_one_interface(void **state)
{
	struct fixture *f = *state;
	struct link *a = fixture_link(f, "eth0", "physical");
	struct link *b = fixture_link(f, "eth1", "physical");
	struct observed *forwarding, *lro, *other;

	put_link(f, a, "net.ipv4.conf.{interface}.forwarding", 0);
	other = fixture_put(f, &kind_offloads, b, "rx-lro", value_bool(true));
	fixture_put(f, &kind_offloads, a, "rx-lro", value_bool(true));
	forwarding = state_get(
		&f->model, &kind_sysctl, a, PART_WHOLE, 0, "net.ipv4.conf.{interface}.forwarding");
	project_change(f, forwarding, value_number(&f->arena, 1));
	lro = state_get(&f->model, &kind_offloads, a, PART_WHOLE, 0, "rx-lro");
	other = state_get(&f->model, &kind_offloads, b, PART_WHOLE, 0, "rx-lro");
	assert_string_equal(lro->value.text, "off");
	assert_string_equal(other->value.text, "on");
}

static void test_defaults_may_move_interfaces(void **state)
{
	static const char key[] = "net.ipv4.conf.{interface}.rp_filter";
	struct fixture *f = *state;
	struct link *a = fixture_link(f, "veth0", "veth"), *b = fixture_link(f, "veth1", "veth");
	struct observed *o;

	put_link(f, NULL, "net.ipv4.conf.all.rp_filter", 0);
	put_link(f, NULL, "net.ipv4.conf.default.rp_filter", 0);
	put_link(f, a, key, 0);
	put_link(f, b, key, 2);
	o = state_get(
		&f->model, &kind_sysctl, NULL, PART_WHOLE, 0, "net.ipv4.conf.default.rp_filter");
	project_change(f, o, value_number(&f->arena, 1));
	o = state_get(&f->model, &kind_sysctl, a, PART_WHOLE, 0, key);
	assert_int_equal(o->value.type, VALUE_NONE);
	assert_true(o->follows);
	assert_int_equal(number_of(f, b, key), 2);
	assert_int_equal(number_of(f, NULL, "net.ipv4.conf.all.rp_filter"), 0);
}

static void test_ipv6_all_is_copied(void **state)
{
	static const char key[] = "net.ipv6.conf.{interface}.forwarding";
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "veth0", "veth");
	struct observed *o;

	put_link(f, NULL, "net.ipv6.conf.default.forwarding", 0);
	put_link(f, NULL, "net.ipv6.conf.all.accept_ra", 1);
	put_link(f, link, key, 0);
	put_link(f, link, "net.ipv6.conf.{interface}.accept_ra", 1);
	o = put_link(f, NULL, "net.ipv6.conf.all.forwarding", 0);
	project_change(f, o, value_number(&f->arena, 1));
	assert_int_equal(number_of(f, link, key), 1);
	assert_int_equal(number_of(f, NULL, "net.ipv6.conf.default.forwarding"), 1);
	o = state_get(&f->model, &kind_sysctl, NULL, PART_WHOLE, 0, "net.ipv6.conf.all.accept_ra");
	project_change(f, o, value_number(&f->arena, 0));
	assert_int_equal(number_of(f, link, "net.ipv6.conf.{interface}.accept_ra"), 1);
}

static void test_other_projections(void **state)
{
	struct fixture *f = *state;
	struct observed *o;

	put_text(f, SYSCTL_ALLOWED, "reno");
	o = put_text(f, SYSCTL_CONGESTION, "reno");
	project_change(f, o, value_words(&f->arena, "bbr"));
	o = state_get(&f->model, &kind_sysctl, NULL, PART_WHOLE, 0, SYSCTL_ALLOWED);
	assert_string_equal(o->value.text, "reno bbr");
	assert_true(o->follows);

	put_text(f, "net.ipv4.neigh.default.unres_qlen_bytes", "212992");
	o = put_text(f, "net.ipv4.neigh.default.unres_qlen", "101");
	project_change(f, o, value_number(&f->arena, 3));
	o = state_get(&f->model, &kind_sysctl, NULL, PART_WHOLE, 0,
		"net.ipv4.neigh.default.unres_qlen_bytes");
	assert_int_equal(o->value.type, VALUE_NONE);
}

/* `default` is handed on to links that had its value, in both units. */
static void test_twins_of_links_move_with_default(void **state)
{
	static const char key[] = "net.ipv4.neigh.{interface}.base_reachable_time";
	static const char key_ms[] = "net.ipv4.neigh.{interface}.base_reachable_time_ms";
	struct fixture *f = *state;
	struct link *follows = fixture_link(f, "veth0", "veth");
	struct link *stays = fixture_link(f, "veth1", "veth");
	struct observed *o;

	put_link(f, follows, key, 30);
	put_link(f, follows, key_ms, 30000);
	put_link(f, stays, key, 20);
	put_link(f, stays, key_ms, 20000);
	o = put_link(f, NULL, "net.ipv4.neigh.default.base_reachable_time_ms", 30000);
	project_change(f, o, value_number(&f->arena, 10000));
	o = state_get(&f->model, &kind_sysctl, follows, PART_WHOLE, 0, key);
	assert_int_equal(o->value.type, VALUE_NONE);
	assert_true(o->follows);
	assert_int_equal(number_of(f, stays, key), 20);
	assert_int_equal(number_of(f, stays, key_ms), 20000);
}

static struct value predicted(struct fixture *f, const char *key, struct value value)
{
	static const struct wish wish;
	struct setting setting = {
		.at = {.kind = &kind_sysctl, .key = key}, .value = value, .wish = &wish};

	return kind_sysctl.predict(&f->host, &setting, &f->model, &f->arena);
}

/* B10 */
static void test_what_the_kernel_makes_of_values(void **state)
{
	static const struct {
		const char *key;
		uint64_t wanted, got;
	} v[] = {
		{"net.core.rps_sock_flow_entries", 0, 0},
		{"net.core.rps_sock_flow_entries", 1, 1},
		{"net.core.rps_sock_flow_entries", 1000, 1024},
		{"net.core.rps_sock_flow_entries", 65535, 65536},
		{"net.core.rps_sock_flow_entries", 65536, 65536},
		{"net.netfilter.nf_conntrack_buckets", 100, 512},
		{"net.netfilter.nf_conntrack_buckets", 10000, 10240},
		{"net.netfilter.nf_conntrack_buckets", 65537, 66048},
		{"net.core.somaxconn", 1000, 1000},
		{"net.ipv4.tcp_fin_timeout", 1000, 1000},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		assert_int_equal(
			predicted(f, v[i].key, value_number(&f->arena, v[i].wanted)).number,
			v[i].got);
	/* what may be an answer to this value is one: no change at the next run */
	put_text(f, "net.ipv4.neigh.default.retrans_time_ms", "1004");
	assert_int_equal(predicted(f, "net.ipv4.neigh.default.retrans_time_ms",
				 value_number(&f->arena, 1003))
				 .number,
		1004);
	assert_int_equal(predicted(f, "net.ipv4.neigh.default.retrans_time_ms",
				 value_number(&f->arena, 1005))
				 .number,
		1005);
	put_text(f, "net.ipv4.neigh.default.locktime", "4");
	assert_int_equal(
		predicted(f, "net.ipv4.neigh.default.locktime", value_number(&f->arena, 5)).number,
		4);
	fixture_cpus(f, 8);
	cpuset_add(&f->host.isolated, 3);
	assert_string_equal(
		predicted(f, "net.core.rps_default_mask", ranges(f, "2-4")).text, "2,4");
}

/* What was read before goes back exactly, whatever would do for a wish. */
static void test_what_is_put_back_is_not_rounded(void **state)
{
	static const char key[] = "net.ipv4.neigh.default.retrans_time_ms";
	struct fixture *f = *state;
	struct setting setting = {
		.at = {.kind = &kind_sysctl, .key = key}, .value = value_number(&f->arena, 1003)};

	put_text(f, key, "1004");
	assert_int_equal(
		kind_sysctl.predict(&f->host, &setting, &f->model, &f->arena).number, 1003);
}

static enum verdict judged(
	struct fixture *f, const char *key, uint64_t before, uint64_t wanted, uint64_t live)
{
	struct change change = {
		.at = {.kind = &kind_sysctl, .key = key},
		.before = value_number(&f->arena, before),
		.wanted = value_number(&f->arena, wanted),
		.after = predicted(f, key, value_number(&f->arena, wanted)),
	};
	struct observed observed = {.value = value_number(&f->arena, live)};

	return judge(&change, &observed);
}

static void test_rounding_is_accepted_only_by_rule(void **state)
{
	static const char reachable[] = "net.ipv4.neigh.default.base_reachable_time_ms";
	static const char buckets[] = "net.netfilter.nf_conntrack_buckets";
	struct fixture *f = *state;

	assert_int_equal(judged(f, reachable, 30000, 30003, 30004), VERDICT_ROUNDED);
	assert_int_equal(judged(f, reachable, 30000, 30003, 30010), VERDICT_ROUNDED);
	assert_int_equal(judged(f, reachable, 30000, 30003, 30005), VERDICT_REFUSED);
	assert_int_equal(judged(f, reachable, 30000, 30003, 30100), VERDICT_REFUSED);
	assert_int_equal(judged(f, reachable, 30000, 30003, 30002), VERDICT_REFUSED);
	assert_int_equal(judged(f, "net.ipv6.neigh.default.locktime", 100, 5, 4), VERDICT_ROUNDED);
	assert_int_equal(judged(f, "net.ipv6.neigh.default.locktime", 100, 5, 3), VERDICT_REFUSED);
	assert_int_equal(judged(f, buckets, 65536, 10000, 16384), VERDICT_ROUNDED);
	assert_int_equal(judged(f, buckets, 65536, 10000, 10241), VERDICT_REFUSED);
	assert_int_equal(judged(f, buckets, 65536, 10000, 10752), VERDICT_REFUSED);
	assert_int_equal(
		judged(f, "net.core.rps_sock_flow_entries", 0, 1000, 1024), VERDICT_ROUNDED);
	assert_int_equal(judged(f, "net.core.somaxconn", 4096, 1000, 1024), VERDICT_REFUSED);
	assert_int_equal(judged(f, "net.core.somaxconn", 4096, 1000, 4096), VERDICT_IGNORED);
}

/* Each key comes before those behind it, in its phase. */
static void test_order(void **state)
{
	static const char *const early[] = {"net.core.rps_default_mask", "net.ipv4.ip_forward",
		"net.ipv4.conf.default.rp_filter", "net.ipv4.conf.all.rp_filter",
		"net.ipv4.conf.{interface}.rp_filter", SYSCTL_CONGESTION, SYSCTL_ALLOWED};
	static const char *const late[] = {"net.core.somaxconn", "net.ipv4.tcp_rmem",
		"net.ipv6.conf.{interface}.mtu", "net.ipv4.neigh.default.gc_stale_time"};
	int last = -1;

	for (size_t i = 0; i < ARRAY_SIZE(early); i++) {
		struct address at = {.kind = &kind_sysctl, .key = early[i]};
		int rank = kind_sysctl.rank(&at, NULL, NULL);

		assert_int_equal(kind_sysctl.key_phase(early[i]), PHASE_HOST_EARLY);
		assert_true(rank > last);
		last = rank;
	}
	for (size_t i = 0; i < ARRAY_SIZE(late); i++)
		assert_int_equal(kind_sysctl.key_phase(late[i]), PHASE_HOST_LATE);
	assert_true(
		sysctl_rank(&(struct address){.key = "net.ipv6.conf.all.forwarding"}, NULL, NULL) <
		sysctl_rank(
			&(struct address){.key = "net.ipv6.conf.default.forwarding"}, NULL, NULL));
	assert_true(sysctl_rank(&(struct address){.key = "net.ipv4.neigh.default.locktime"}, NULL,
			    NULL) <
		    sysctl_rank(&(struct address){.key = "net.ipv4.neigh.{interface}.locktime"},
			    NULL, NULL));
}

static bool is_in_scope(struct fixture *f, const char *cause, const struct link *of,
	const struct kind *kind, const struct link *link, const char *key)
{
	struct plan plan;
	struct wants wants = {.arena = &f->arena};
	struct address at = {.kind = kind, .target.link = link, .key = key};
	struct change change = {.at = {.kind = &kind_sysctl, .target.link = of, .key = cause}};

	plan_init(&plan, &f->arena);
	plan.v = &change;
	plan.n = 1;
	assert_int_equal(plan_scope(&plan, &f->host, kinds, &wants), 0);
	return wants_cover(&wants, &at);
}

/* A VLAN on a bond forwards, and LRO goes off down to the ports; a change of the bond's own does it,
 * too. */
static void test_lro_goes_off_below(void **state)
{
	struct fixture *f = *state;
	struct link *port = fixture_link(f, "eth0", "physical");
	struct link *bond = fixture_link(f, "bond0", "bond");
	struct link *vlan = fixture_link(f, "bond0.5", "vlan");
	struct link *other = fixture_link(f, "eth1", "physical");
	struct link *links[] = {port, bond, other};
	const char forwarding[] = "net.ipv4.conf.{interface}.forwarding";
	struct observed *o;

	port->master = bond->ifindex;
	vlan->lower = bond->ifindex;
	put_link(f, vlan, forwarding, 0);
	for (int by_bond = 0; by_bond < 2; by_bond++) {
		for (size_t i = 0; i < ARRAY_SIZE(links); i++)
			fixture_put(f, &kind_offloads, links[i], "rx-lro", value_bool(true));
		o = by_bond ? state_get(&f->model, &kind_offloads, bond, PART_WHOLE, 0, "rx-lro")
			    : state_get(&f->model, &kind_sysctl, vlan, PART_WHOLE, 0, forwarding);
		project_change(f, o, by_bond ? value_bool(false) : value_number(&f->arena, 1));
		o = state_get(&f->model, &kind_offloads, port, PART_WHOLE, 0, "rx-lro");
		assert_string_equal(o->value.text, "off");
		assert_true(o->follows);
		o = state_get(&f->model, &kind_offloads, bond, PART_WHOLE, 0, "rx-lro");
		assert_string_equal(o->value.text, "off");
		o = state_get(&f->model, &kind_offloads, other, PART_WHOLE, 0, "rx-lro");
		assert_string_equal(o->value.text, "on");
	}
	/* and switched on it brings nothing back */
	o = state_get(&f->model, &kind_offloads, bond, PART_WHOLE, 0, "rx-lro");
	project_change(f, o, value_bool(true));
	o = state_get(&f->model, &kind_offloads, port, PART_WHOLE, 0, "rx-lro");
	assert_string_equal(o->value.text, "off");
	assert_true(is_in_scope(f, forwarding, vlan, &kind_offloads, port, "rx-lro"));
	assert_false(is_in_scope(f, forwarding, vlan, &kind_offloads, other, "rx-lro"));
}

static void test_snapshot_scope(void **state)
{
	static const char link_forwarding[] = "net.ipv4.conf.{interface}.forwarding";
	struct fixture *f = *state;
	struct link *a = fixture_link(f, "veth0", "veth"), *b = fixture_link(f, "veth1", "veth");
	const struct kind *s = &kind_sysctl;

	assert_true(is_in_scope(f, "net.ipv4.ip_forward", NULL, s, a, link_forwarding));
	assert_true(is_in_scope(
		f, "net.ipv4.ip_forward", NULL, s, NULL, "net.ipv4.conf.default.forwarding"));
	assert_true(is_in_scope(
		f, "net.ipv4.ip_forward", NULL, s, NULL, "net.ipv4.conf.all.accept_redirects"));
	assert_true(is_in_scope(f, "net.ipv4.ip_forward", NULL, &kind_offloads, b, "rx-lro"));
	assert_false(is_in_scope(f, "net.ipv4.ip_forward", NULL, &kind_offloads, b, "rx-gro"));
	assert_true(is_in_scope(f, link_forwarding, a, &kind_offloads, a, "rx-lro"));
	assert_false(is_in_scope(f, link_forwarding, a, &kind_offloads, b, "rx-lro"));
	assert_true(is_in_scope(f, "net.ipv4.conf.all.rp_filter", NULL, s, b,
		"net.ipv4.conf.{interface}.rp_filter"));
	assert_true(is_in_scope(f, "net.ipv4.conf.all.rp_filter", NULL, s, NULL,
		"net.ipv4.conf.default.rp_filter"));
	assert_false(is_in_scope(f, "net.ipv4.conf.all.rp_filter", NULL, s, b,
		"net.ipv4.conf.{interface}.arp_ignore"));
	assert_true(is_in_scope(f, SYSCTL_CONGESTION, NULL, s, NULL, SYSCTL_ALLOWED));
	assert_true(is_in_scope(f, "net.ipv4.neigh.{interface}.unres_qlen", a, s, a,
		"net.ipv4.neigh.{interface}.unres_qlen_bytes"));
	assert_true(is_in_scope(f, "net.ipv6.neigh.default.retrans_time_ms", NULL, s, b,
		"net.ipv6.neigh.{interface}.retrans_time"));
	assert_true(is_in_scope(f, "net.ipv4.neigh.default.unres_qlen_bytes", NULL, s, b,
		"net.ipv4.neigh.{interface}.unres_qlen"));
	assert_false(is_in_scope(f, "net.core.somaxconn", NULL, s, NULL, "net.ipv4.tcp_rmem"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_values_compare_with_what_the_kernel_shows),
		TEST(test_interface_names_with_dots),
		TEST(test_all_and_default_are_no_interfaces),
		TEST(test_a_refused_key_stays_refused_behind_a_dot),
		TEST(test_why_a_key_is_missing),
		TEST(test_read_only_matters_only_for_a_change),
		TEST(test_congestion_control_of_a_namespace),
		TEST(test_masks_name_cpus_that_exist),
		TEST(test_forwarding_moves_what_hangs_on_it),
		TEST(test_forwarding_of_one_interface),
		TEST(test_defaults_may_move_interfaces),
		TEST(test_ipv6_all_is_copied),
		TEST(test_other_projections),
		TEST(test_twins_of_links_move_with_default),
		TEST(test_what_the_kernel_makes_of_values),
		TEST(test_what_is_put_back_is_not_rounded),
		TEST(test_rounding_is_accepted_only_by_rule),
		TEST(test_order),
		TEST(test_lro_goes_off_below),
		TEST(test_snapshot_scope),
	};

	return cmocka_run_group_tests_name("sysctl_plan", tests, NULL, NULL);
}
