/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MTU: limits, what hangs on a change in a stack of devices, and the real kernel on a veth.
 */
#include "kinds/sysctl.h"

#include "unit/kind_fixture.h"

static struct observed *put_mtu(struct fixture *f, struct link *link, uint32_t mtu)
{
	struct observed *o;

	link->mtu = mtu;
	o = fixture_put(f, &kind_mtu, link, "mtu", value_number(&f->arena, mtu));
	o->min = link->mtu_min;
	o->max = link->mtu_max;
	return o;
}

static void put_ipv6(struct fixture *f, const struct link *link, uint64_t mtu)
{
	fixture_put(f, &kind_sysctl, link, SYSCTL_LINK_MTU, value_number(&f->arena, mtu));
}

static int expand_mtu(struct fixture *f, const struct link *link, const char *text)
{
	return expand_wish(f, wish_new(f, &kind_mtu, "mtu", literal(f, text)), link);
}

static struct observed *mtu_in_model(struct fixture *f, const struct link *link)
{
	struct observed *o = state_get(&f->model, &kind_mtu, link, PART_WHOLE, 0, "mtu");

	assert_non_null(o);
	return o;
}

/* B60 */
static void test_limits(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");

	put_mtu(f, link, 1500);
	assert_int_equal(expand_mtu(f, link, "9000"), 0);
	assert_string_equal(setting_text(f, 0), "9000");
	assert_int_equal(expand_mtu(f, link, "9216"), 0);
	assert_int_equal(expand_mtu(f, link, "9217"), -EINVAL);
	assert_error(f, "eth0/mtu = 9217: eth0 takes 68 to 9216");
	assert_int_equal(expand_mtu(f, link, "67"), -EINVAL);
	assert_error(f, "68 to 9216");
	assert_int_equal(expand_mtu(f, link, "68"), 0);
	assert_int_equal(expand_mtu(f, link, "9KiB"), 0);
	assert_string_equal(setting_text(f, 0), "9216");
	assert_int_equal(expand_mtu(f, link, "1s"), -EINVAL);
	assert_int_equal(expand_wish(f, wish_new(f, &kind_mtu, "mtu", word(f, "max")), link), 0);
	assert_string_equal(setting_text(f, 0), "9216");
}

static void test_a_device_that_tells_no_maximum(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "dummy0", "dummy");

	link->mtu_max = 0;
	put_mtu(f, link, 1500);
	assert_int_equal(expand_mtu(f, link, "100000"), 0);
	assert_int_equal(expand_mtu(f, link, "60"), -EINVAL);
	assert_int_equal(expand_mtu(f, link, "4294967296"), -EINVAL);
	assert_int_equal(
		expand_wish(f, wish_new(f, &kind_mtu, "mtu", word(f, "max")), link), -EINVAL);
}

/* B61 */
static void test_not_above_the_device_below(void **state)
{
	static const char *const types[] = {"vlan", "macvlan", "macvtap"};
	struct fixture *f = *state;
	struct link *lower = fixture_link(f, "eth0", "physical");
	struct link *upper = fixture_link(f, "eth0.5", "vlan");
	struct observed *o;

	upper->lower = lower->ifindex;
	put_mtu(f, upper, 1500);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		upper->type = types[i];
		assert_int_equal(expand_mtu(f, upper, "9000"), -EINVAL);
		assert_error(f, "eth0 below it has 1500");
	}
	/* the model has what is planned for the lower */
	o = put_mtu(f, lower, 1500);
	o->value = value_number(&f->arena, 9000);
	assert_int_equal(expand_mtu(f, upper, "9000"), 0);
	upper->type = "veth";
	o->value = value_number(&f->arena, 1500);
	assert_int_equal(expand_mtu(f, upper, "9000"), 0);
}

/* B63 */
static void test_ipv6_needs_1280(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "veth0", "veth");
	struct link *upper = fixture_link(f, "mac.5", "macvlan");

	upper->lower = link->ifindex;
	put_mtu(f, link, 1500);
	assert_int_equal(expand_mtu(f, link, "1279"), 0);
	put_ipv6(f, link, 1500);
	assert_int_equal(expand_mtu(f, link, "1279"), -EINVAL);
	assert_error(f, "IPv6 on veth0 would be removed");
	assert_int_equal(expand_mtu(f, link, "1280"), 0);
	state_remove_kind(&f->model, &kind_sysctl, link);
	put_ipv6(f, upper, 1500);
	assert_int_equal(expand_mtu(f, link, "1200"), -EINVAL);
	assert_error(f, "IPv6 on mac.5 would be removed");
}

static void test_uppers_fall_and_do_not_rise(void **state)
{
	struct fixture *f = *state;
	struct link *lower = fixture_link(f, "eth0", "physical");
	struct link *vlan = fixture_link(f, "eth0.5", "vlan");
	struct link *mac = fixture_link(f, "mac0", "macvlan");
	struct link *small = fixture_link(f, "eth0.6", "vlan");
	struct link *peer = fixture_link(f, "veth0", "veth");

	vlan->lower = small->lower = peer->lower = lower->ifindex;
	mac->lower = vlan->ifindex;
	put_mtu(f, lower, 9000);
	put_mtu(f, vlan, 9000);
	put_mtu(f, mac, 8000);
	put_mtu(f, small, 1400);
	put_mtu(f, peer, 9000);
	put_ipv6(f, lower, 9000);
	put_ipv6(f, vlan, 9000);
	project_change(f, mtu_in_model(f, lower), value_number(&f->arena, 1500));
	assert_int_equal(mtu_in_model(f, vlan)->value.number, 1500);
	assert_true(mtu_in_model(f, vlan)->follows);
	assert_int_equal(mtu_in_model(f, mac)->value.number, 1500);
	assert_int_equal(mtu_in_model(f, small)->value.number, 1400);
	assert_int_equal(mtu_in_model(f, peer)->value.number, 9000);
	assert_false(mtu_in_model(f, lower)->follows);
	for (struct link **link = f->list; link < f->list + 2; link++) {
		struct observed *ipv6 = state_get(
			&f->model, &kind_sysctl, *link, PART_WHOLE, 0, SYSCTL_LINK_MTU);

		assert_int_equal(ipv6->value.number, 1500);
		assert_true(ipv6->follows);
	}
	project_change(f, mtu_in_model(f, lower), value_number(&f->arena, 9000));
	assert_int_equal(mtu_in_model(f, vlan)->value.number, 1500);
}

static void test_an_ipv6_mtu_that_somebody_chose_is_carried(void **state)
{
	struct fixture *f = *state;
	struct link *link = fixture_link(f, "eth0", "physical");
	struct observed *ipv6;

	put_mtu(f, link, 1500);
	put_ipv6(f, link, 1400);
	project_change(f, mtu_in_model(f, link), value_number(&f->arena, 9000));
	ipv6 = state_get(&f->model, &kind_sysctl, link, PART_WHOLE, 0, SYSCTL_LINK_MTU);
	assert_int_equal(ipv6->value.number, 9000);
	assert_false(ipv6->follows);
	project_change(f, mtu_in_model(f, link), value_number(&f->arena, 1300));
	assert_int_equal(ipv6->value.number, 1300);
	assert_true(ipv6->follows);
}

/* B62 */
static void test_bond_and_bridge(void **state)
{
	struct fixture *f = *state;
	struct link *bond = fixture_link(f, "bond0", "bond");
	struct link *slave = fixture_link(f, "eth0", "physical");
	struct link *bridge = fixture_link(f, "br0", "bridge");
	struct link *vlan = fixture_link(f, "br0.5", "vlan");

	slave->master = bond->ifindex;
	bond->master = bridge->ifindex;
	vlan->lower = bridge->ifindex;
	for (size_t i = 0; i < f->host.nlinks; i++)
		put_mtu(f, f->list[i], 1500);
	project_change(f, mtu_in_model(f, bond), value_number(&f->arena, 9000));
	assert_int_equal(mtu_in_model(f, slave)->value.number, 9000);
	assert_int_equal(mtu_in_model(f, bridge)->value.type, VALUE_NONE);
	assert_true(mtu_in_model(f, bridge)->follows);
	assert_int_equal(mtu_in_model(f, vlan)->value.type, VALUE_NONE);
	/* a member alone does not move its bond */
	project_change(f, mtu_in_model(f, slave), value_number(&f->arena, 1500));
	assert_int_equal(mtu_in_model(f, bond)->value.number, 9000);
}

/* vmxnet3 spreads the RSS table anew; its rings read as before. */
static void test_drivers_that_move_more(void **state)
{
	struct fixture *f = *state;
	struct link *vmxnet3 = fixture_link(f, "eth0", "physical");
	struct link *igb = fixture_link(f, "eth1", "physical");
	struct observed *o;

	vmxnet3->driver = "vmxnet3";
	igb->driver = "igb";
	put_mtu(f, vmxnet3, 1500);
	put_mtu(f, igb, 1500);
	fixture_put(f, &kind_rings, vmxnet3, "rx", value_number(&f->arena, 1000));
	fixture_put(f, &kind_rss, vmxnet3, "indir", value_words(&f->arena, "0 0 1 1"));
	fixture_put(f, &kind_rss, igb, "indir", value_words(&f->arena, "0 0 0 1"));
	project_change(f, mtu_in_model(f, vmxnet3), value_number(&f->arena, 9000));
	project_change(f, mtu_in_model(f, igb), value_number(&f->arena, 9000));
	o = state_get(&f->model, &kind_rings, vmxnet3, PART_WHOLE, 0, "rx");
	assert_int_equal(o->value.number, 1000);
	o = state_get(&f->model, &kind_rss, vmxnet3, PART_WHOLE, 0, "indir");
	assert_int_equal(o->value.type, VALUE_NONE);
	assert_false(o->follows);
	o = state_get(&f->model, &kind_rss, igb, PART_WHOLE, 0, "indir");
	assert_string_equal(o->value.text, "0 0 0 1");
}

static void test_snapshot_scope(void **state)
{
	struct fixture *f = *state;
	struct link *lower = fixture_link(f, "eth0", "physical");
	struct link *vlan = fixture_link(f, "eth0.5", "vlan");
	struct link *bridge = fixture_link(f, "br0", "bridge");
	struct link *other = fixture_link(f, "eth1", "physical");
	struct change change = {.at = put_mtu(f, lower, 1500)->at};
	struct wants wants = {.arena = &f->arena};
	struct plan plan;

	vlan->lower = lower->ifindex;
	vlan->master = bridge->ifindex;
	plan_init(&plan, &f->arena);
	plan.v = &change;
	plan.n = 1;
	assert_int_equal(plan_scope(&plan, &f->host, kinds, &wants), 0);
	for (size_t i = 0; i < f->host.nlinks; i++) {
		struct address mtu = {.kind = &kind_mtu, .target.link = f->list[i], .key = "mtu"};
		struct address ipv6 = {
			.kind = &kind_sysctl, .target.link = f->list[i], .key = SYSCTL_LINK_MTU};

		assert_int_equal(wants_cover(&wants, &mtu), f->list[i] != other);
		assert_int_equal(wants_cover(&wants, &ipv6), f->list[i] != other);
	}
}

/* A bond resets its ports, which then lose what a reset of their own would take. */
static void test_snapshot_of_ports(void **state)
{
	static const struct kind *const moved[] = {
		&kind_rings, &kind_irq_affinity, &kind_rss, &kind_pause};
	struct fixture *f = *state;
	struct link *bond = fixture_link(f, "bond0", "bond");
	struct link *port = fixture_link(f, "eth0", "physical");
	struct link *other = fixture_link(f, "eth1", "physical");
	struct change change = {.at = put_mtu(f, bond, 1500)->at};
	struct wants wants = {.arena = &f->arena};
	struct plan plan;

	port->master = bond->ifindex;
	plan_init(&plan, &f->arena);
	plan.v = &change;
	plan.n = 1;
	assert_int_equal(plan_scope(&plan, &f->host, kinds, &wants), 0);
	for (size_t i = 0; i < ARRAY_SIZE(moved); i++) {
		struct address at = {.kind = moved[i], .target.link = port, .key = "any"};

		assert_true(wants_cover(&wants, &at));
		at.target.link = other;
		assert_false(wants_cover(&wants, &at));
	}
}

/* The real kernel, in a network namespace of its own. */
static void test_kernel(void **state)
{
	struct fixture *f = *state;
	struct link *link;
	struct observed *o;

	netns_enter(f, 1);
	link = netns_link(f, "veth0");
	assert_int_equal(observe_kind(f, &kind_mtu, link, NULL), 0);
	o = mtu_in_model(f, link);
	assert_int_equal(o->value.number, 1500);
	assert_int_equal(o->min, 68);
	assert_true(o->max >= 65535);
	assert_int_equal(write_value(f, o, value_number(&f->arena, 9000)), 0);
	assert_int_equal(observe_kind(f, &kind_mtu, link, NULL), 0);
	assert_int_equal(mtu_in_model(f, link)->value.number, 9000);
	assert_int_equal(link->mtu, 9000);
	assert_int_equal(
		write_value(f, mtu_in_model(f, link), value_number(&f->arena, 67)), -EINVAL);
	assert_error(f, "less than");
	link->ifindex = 9999;
	assert_int_equal(observe_kind(f, &kind_mtu, link, NULL), 0);
	assert_int_equal(f->model.n, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_limits),
		TEST(test_a_device_that_tells_no_maximum),
		TEST(test_not_above_the_device_below),
		TEST(test_ipv6_needs_1280),
		TEST(test_uppers_fall_and_do_not_rise),
		TEST(test_an_ipv6_mtu_that_somebody_chose_is_carried),
		TEST(test_bond_and_bridge),
		TEST(test_drivers_that_move_more),
		TEST(test_snapshot_scope),
		TEST(test_snapshot_of_ports),
		TEST(test_kernel),
	};

	return cmocka_run_group_tests_name("mtu", tests, NULL, NULL);
}
