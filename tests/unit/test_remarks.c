/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What there is to know beside a plan: XDP programs, irqbalance, qdiscs of interfaces that are
 * there, algorithms that need a module; and that each is told once.
 */
#include "core/plan.h"

#include "kinds/sysctl.h"
#include "unit/kind_fixture.h"

struct planned {
	struct plan plan;
	struct diags diags;
};

static void planned_init(struct fixture *f, struct planned *planned)
{
	plan_init(&planned->plan, &f->arena);
	planned->diags = (struct diags){.arena = &f->arena};
}

static void plan_change(struct fixture *f, struct planned *planned, const struct observed *entry,
	const char *wanted)
{
	struct plan *plan = &planned->plan;

	assert_int_equal(arena_grow(&f->arena, &plan->v, &plan->cap, plan->n, sizeof(*plan->v)), 0);
	plan->v[plan->n++] = (struct change){
		.at = entry->at,
		.before = entry->value,
		.wanted = value_words(&f->arena, wanted),
		.wish = wish_new(f, entry->at.kind, entry->at.key, literal(f, wanted)),
	};
}

static void plan_unchanged(struct fixture *f, struct planned *planned, const struct observed *entry)
{
	const struct setting setting = {
		.at = entry->at,
		.value = entry->value,
		.wish = wish_new(f, entry->at.kind, entry->at.key, literal(f, entry->value.text)),
	};

	assert_int_equal(settings_add(&planned->plan.unchanged, &setting), 0);
}

static const struct diags *remarks(struct fixture *f, struct planned *planned)
{
	const struct plan_input input = {.host = &f->host, .kinds = kinds, .live = &f->model};

	planned->diags.n = 0;
	assert_int_equal(plan_remarks(&input, &planned->plan, &planned->diags), 0);
	return &planned->diags;
}

static struct observed *put_text(struct fixture *f, const char *key, const char *text)
{
	return fixture_put(f, &kind_sysctl, NULL, key, sysctl_value_read(&f->arena, key, text));
}

static void test_xdp_program_may_be_in_the_way(void **state)
{
	struct fixture *f = *state;
	struct link *eth0 = fixture_link(f, "eth0", "physical");
	struct observed *channels = fixture_put(
		f, &kind_channels, eth0, "combined", value_number(&f->arena, 2));
	struct observed *mtu = fixture_put(
		f, &kind_mtu, eth0, "mtu", value_number(&f->arena, 1500));
	const struct diags *found;
	struct planned planned;

	planned_init(f, &planned);
	channels = state_find(&f->model, &channels->at);
	plan_change(f, &planned, channels, "4");
	plan_change(f, &planned, mtu, "9000");
	assert_int_equal(remarks(f, &planned)->n, 0);
	eth0->xdp = true;
	eth0->xdp_program = 17;
	found = remarks(f, &planned);
	assert_int_equal(found->n, 1);
	assert_string_equal(found->v[0].text, "eth0/channels.combined, eth0/mtu: may be refused, "
					      "XDP program 17 is attached");
	assert_string_equal(found->v[0].id, "xdp");
	assert_string_equal(found->v[0].interface, "eth0");
	assert_string_equal(found->v[0].key, "eth0/channels.combined");
	planned_init(f, &planned);
	plan_unchanged(f, &planned, mtu);
	plan_change(f, &planned, mtu, "1400");
	assert_int_equal(remarks(f, &planned)->n, 0);
}

static void test_default_qdisc_is_not_that_of_interfaces(void **state)
{
	struct fixture *f = *state;
	struct observed *entry = put_text(f, "net.core.default_qdisc", "fq");
	struct link *a = fixture_link(f, "eth0", "physical");
	struct link *b = fixture_link(f, "eth1", "physical");
	struct link *c = fixture_link(f, "eth2", "physical");
	struct link *d = fixture_link(f, "eth3", "physical");
	const struct diags *found;
	struct planned planned;

	fixture_link(f, "lo", "loopback");
	planned_init(f, &planned);
	plan_unchanged(f, &planned, entry);
	assert_int_equal(remarks(f, &planned)->n, 0);
	a->qdisc = c->qdisc = "fq_codel";
	b->qdisc = "pfifo_fast";
	d->qdisc = "fq";
	found = remarks(f, &planned);
	assert_int_equal(found->n, 1);
	assert_string_equal(found->v[0].text,
		"sysctl/net.core.default_qdisc: existing interfaces keep their qdisc (fq_codel: "
		"eth0, eth2; pfifo_fast: eth1)");
	planned_init(f, &planned);
	plan_change(f, &planned, entry, "pfifo_fast");
	assert_contains(remarks(f, &planned)->v[0].text, "(fq_codel: eth0, eth2; fq: eth3)");
}

static void test_algorithm_that_needs_a_module(void **state)
{
	struct fixture *f = *state;
	struct observed *entry = put_text(f, SYSCTL_CONGESTION, "cubic");
	struct planned planned;

	entry->note = SYSCTL_AVAILABLE_IS "reno cubic bbr";
	planned_init(f, &planned);
	plan_change(f, &planned, entry, "bbr");
	assert_int_equal(remarks(f, &planned)->n, 0);
	planned_init(f, &planned);
	plan_change(f, &planned, entry, "htcp");
	assert_contains(remarks(f, &planned)->v[0].text,
		"htcp is not in tcp_available_congestion_control (reno cubic bbr): the kernel has "
		"to "
		"load module tcp_htcp");
	planned_init(f, &planned);
	plan_change(f, &planned, entry, "brr");
	assert_contains(remarks(f, &planned)->v[0].text, "did you mean bbr?");
}

static void put_vectors(struct fixture *f, struct planned *planned, const struct link *link)
{
	for (unsigned i = 0; i < 3; i++) {
		struct observed *o = fixture_put_part(
			f, &kind_irq_affinity, link, PART_RXTX, i, "cpus", ranges(f, "0-1"));

		o->note = "irqbalance is running (process 640)";
		plan_change(f, planned, o, "1");
	}
}

static void test_irqbalance_is_told_once(void **state)
{
	struct fixture *f = *state;
	const struct diags *found;
	struct planned planned;

	planned_init(f, &planned);
	for (unsigned i = 0; i < 6; i++)
		put_vectors(f, &planned,
			fixture_link(f, arena_printf(&f->arena, "eth%u", i), "physical"));
	found = remarks(f, &planned);
	assert_int_equal(found->n, 1);
	assert_contains(found->v[0].text,
		"eth0/irq-affinity.cpus, eth1/irq-affinity.cpus, eth2/irq-affinity.cpus, "
		"eth3/irq-affinity.cpus and 2 more: irqbalance is running (process 640)");
	assert_int_equal(found->v[0].severity, SEVERITY_WARNING);
	assert_null(found->v[0].interface);
	/* what was only carried is nobody's wish */
	for (size_t i = 0; i < planned.plan.n; i++)
		planned.plan.v[i].wish = NULL;
	assert_int_equal(remarks(f, &planned)->n, 0);
}

static void test_irqbalance_is_found_by_its_name(void **state)
{
	struct fixture *f = *state;

	tree_open(f);
	tree_file(f, "proc/1/comm", "systemd\n", 0444);
	tree_file(f, "proc/64/comm", "irqbalance-ui\n", 0444);
	tree_file(f, "proc/irq/24/comm", "irqbalance\n", 0444);
	assert_int_equal(kernel_irqbalance(&f->kernel), 0);
	f->kernel.has_looked_for_irqbalance = false;
	tree_file(f, "proc/640/comm", "irqbalance\n", 0444);
	assert_int_equal(kernel_irqbalance(&f->kernel), 640);
}

static void test_qdiscs_of_the_kernel(void **state)
{
	struct fixture *f = *state;

	netns_enter(f, 1);
	netns_link(f, "veth0")->qdisc = "old";
	assert_int_equal(kernel_qdiscs(&f->kernel, &f->host, &f->error), 0);
	/* noqueue is none that anybody would want to know */
	assert_null(netns_link(f, "veth0")->qdisc);
	assert_null(netns_link(f, "lo")->qdisc);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_xdp_program_may_be_in_the_way),
		TEST(test_default_qdisc_is_not_that_of_interfaces),
		TEST(test_algorithm_that_needs_a_module),
		TEST(test_irqbalance_is_told_once),
		TEST(test_irqbalance_is_found_by_its_name),
		TEST(test_qdiscs_of_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
