/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rules hold for which links: order, -i, --only, what matches nothing, what is undecided; and
 * the exit statuses.
 */
#include "cmd/desired.h"

#include "cmd/outcome.h"
#include "kinds/registry.h"

#include <string.h>

#include "unit/test.h"

static struct arena arena;
static struct diags diags;
static struct error error;
static struct options options;
static struct run run;
static struct matching matching;
static struct link fast, slow, unknown, pair;
static struct link *links[] = {&fast, &slow, &unknown, &pair};

static int setup(void **state)
{
	arena_init(&arena);
	diags = (struct diags){.arena = &arena};
	options = (struct options){0};
	fast = (struct link){.ifindex = 2, .name = "eth0", .type = "physical", .driver = "igb"};
	slow = (struct link){.ifindex = 3, .name = "eth1", .type = "physical", .driver = "igb"};
	unknown = (struct link){.ifindex = 4, .name = "eth2", .type = "physical", .driver = "ena"};
	pair = (struct link){.ifindex = 5, .name = "veth.5", .type = "veth"};
	fast.speed = fast.max_speed = 10000000000;
	slow.speed = slow.max_speed = 1000000000;
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		links[i]->known = ~0U;
		links[i]->node = -1;
	}
	run = (struct run){
		.host = {.links = links, .nlinks = ARRAY_SIZE(links)},
		.kinds = kinds,
		.options = &options,
		.desired.arena = &arena,
		.arena = &arena,
	};
	return 0;
}

static int teardown(void **state)
{
	arena_done(&arena);
	return 0;
}

static void fill(const char *text, enum severity severity)
{
	const struct profile_options how = {.kinds = kinds, .version = "0.1.0"};
	struct profile *profile;
	struct profiles profiles = {.v = &profile, .n = 1};

	if (profile_parse(&how, "p.yaml", text, strlen(text), &arena, &diags, &profile) < 0)
		fail_msg("%s", diags_first_error(&diags)->text);
	if (desired_fill(&run, &profiles, severity, &matching, &diags, &error) < 0)
		fail_msg("%s", error.msg);
}

/* "host sysctl.net.core.somaxconn; eth0 rings.rx; " */
static const char *desired_text(void)
{
	const char *text = "";

	for (size_t i = 0; i < run.desired.n; i++) {
		const struct pair *p = &run.desired.v[i];

		text = arena_printf(&arena, "%s%s%s%s %s.%s; ", text,
			p->link ? p->link->name : "host", p->via ? " via " : "",
			p->via ? p->via->name : "", p->wish->kind->name, p->wish->key);
	}
	return text;
}

#define HEAD "name: p\nversion: 1\n"

static void test_order_is_host_then_rules(void **state)
{
	fill(HEAD "interfaces:\n"
		  "  - match: {driver: igb}\n"
		  "    rings: {rx: 512}\n"
		  "  - match: {name: eth1}\n"
		  "    rings: {rx: 1024}\n"
		  "sysctl: {net.core.somaxconn: 4096}\n",
		SEVERITY_ERROR);
	assert_string_equal(desired_text(),
		"host sysctl.net.core.somaxconn; eth0 rings.rx; eth1 rings.rx; eth1 rings.rx; ");
	assert_string_equal(
		expr_text(&arena, run.desired.v[run.desired.n - 1].wish->value), "1024");
	assert_int_equal(diags.n, 0);
}

static void test_only_narrows(void **state)
{
	static const char *const only[] = {"mtu", NULL};

	options.only = only;
	fill(HEAD "sysctl: {net.core.somaxconn: 4096}\n"
		  "interfaces:\n"
		  "  - match: {name: eth0}\n"
		  "    mtu: 9000\n"
		  "    rings: {rx: 512}\n"
		  "  - match: {name: none0}\n" /* out of reach: nobody misses it */
		  "    rings: {rx: 512}\n",
		SEVERITY_ERROR);
	assert_string_equal(desired_text(), "eth0 mtu.mtu; ");
	assert_int_equal(diags.n, 0);
}

static void test_a_named_interface_narrows(void **state)
{
	static const char *const interfaces[] = {"veth.5", NULL};

	options.interfaces = interfaces;
	fill(HEAD "sysctl:\n"
		  "  net.core.somaxconn: 4096\n"
		  "  net.ipv4.conf.veth/5.rp_filter: 2\n"
		  "  net.ipv4.conf.veth.rp_filter: 2\n"
		  "interfaces:\n"
		  "  - match: {driver: igb}\n" /* matches, but is not asked for */
		  "    mtu: 9000\n",
		SEVERITY_ERROR);
	assert_string_equal(desired_text(), "host sysctl.net.ipv4.conf.veth/5.rp_filter; ");
	assert_int_equal(diags.n, 0);
}

static void test_a_named_interface_that_nothing_applies_to(void **state)
{
	static const char *const interfaces[] = {"eth0", "eth1", NULL};

	options.interfaces = interfaces;
	fill(HEAD "interfaces:\n"
		  "  - match: {link-speed: \">= 10Gbit\"}\n"
		  "    mtu: 9000\n",
		SEVERITY_ERROR);
	assert_string_equal(desired_text(), "eth0 mtu.mtu; ");
	assert_int_equal(diags.n, 1);
	assert_int_equal(diags.v[0].severity, SEVERITY_ERROR);
	assert_int_equal(diags.v[0].kind, ERROR_MISSING);
	assert_string_equal(diags.v[0].interface, "eth1");
	assert_non_null(strstr(diags.v[0].text, "line 4 of p"));
	assert_non_null(strstr(diags.v[0].text, "1Gbit"));
}

static void test_a_rule_without_interface_tells_near_misses(void **state)
{
	unknown.speed = unknown.max_speed = 25000000000;
	fill(HEAD "interfaces:\n"
		  "  - match: {link-speed: \">= 100Gbit\"}\n"
		  "    mtu: 9000\n",
		SEVERITY_WARNING);
	assert_int_equal(run.desired.n, 0);
	assert_int_equal(matching.n, 1);
	assert_int_equal(diags.n, 1);
	assert_int_equal(diags.v[0].severity, SEVERITY_WARNING);
	assert_string_equal(diags.v[0].id, "unmatched");
	assert_int_equal(diags.v[0].pos.line, 4);
	assert_non_null(strstr(diags.v[0].text, "eth0: "));
	assert_non_null(strstr(diags.v[0].text, "eth2: "));
	assert_null(strstr(diags.v[0].text, "veth"));
}

static void test_an_optional_rule_may_match_nothing(void **state)
{
	fill(HEAD "interfaces:\n"
		  "  - match: {name: none0}\n"
		  "    optional: true\n"
		  "    mtu: 9000\n",
		SEVERITY_ERROR);
	assert_int_equal(matching.n, 0);
	assert_int_equal(diags.n, 0);
}

static void test_an_unknown_speed_defers(void **state)
{
	fill(HEAD "interfaces:\n"
		  "  - match: {link-speed: \">= 10Gbit\"}\n"
		  "    mtu: 9000\n"
		  "    rings: {rx: max}\n",
		SEVERITY_ERROR);
	assert_string_equal(desired_text(), "eth0 mtu.mtu; eth0 rings.rx; ");
	assert_int_equal(matching.n, 0);
	assert_int_equal(matching.deferred.n, 2);
	assert_ptr_equal(matching.deferred.v[0].at.target.link, &unknown);
	assert_int_equal(matching.deferred.v[0].verdict, VERDICT_DEFERRED);
	assert_string_equal(matching.deferred.v[1].wanted, "max");
	assert_int_equal(diags.n, 1);
	assert_string_equal(diags.v[0].id, "deferred");
	assert_string_equal(diags.v[0].interface, "eth2");
}

static void test_vanished_links_match_nothing(void **state)
{
	fast.ifindex = 0;
	fill(HEAD "interfaces:\n"
		  "  - match: {driver: igb}\n"
		  "    mtu: 9000\n",
		SEVERITY_ERROR);
	assert_string_equal(desired_text(), "eth1 mtu.mtu; ");
}

/* eth0 and eth1 are ports of bond0, which is one of br0, as veth.5 is. */
static struct link bond, bridge;
static struct link *stack[] = {&fast, &slow, &unknown, &pair, &bond, &bridge};

static void stack_up(void)
{
	bond = (struct link){.ifindex = 6, .name = "bond0", .type = "bond", .known = ~0U};
	bridge = (struct link){.ifindex = 7, .name = "br0", .type = "bridge", .known = ~0U};
	fast.master = slow.master = bond.ifindex;
	bond.master = pair.master = bridge.ifindex;
	run.host = (struct host){.links = stack, .nlinks = ARRAY_SIZE(stack)};
}

#define RULE(match, more) HEAD "interfaces:\n  - match: {" match "}\n    " more "\n"

static void test_members(void **state)
{
	stack_up();
	fill(RULE("name: bond0", "rings: {rx: 512}"), SEVERITY_ERROR);
	assert_string_equal(desired_text(), "bond0 rings.rx; ");
	assert_false(run.desired.v[0].has_ports);
	run.desired.n = 0;
	fill(RULE("name: bond0", "members: true\n    rings: {rx: 512}"), SEVERITY_ERROR);
	assert_string_equal(desired_text(),
		"eth0 via bond0 rings.rx; eth1 via bond0 rings.rx; bond0 rings.rx; ");
	assert_true(run.desired.v[2].has_ports);
	run.desired.n = 0;
	fill(RULE("name: bond0", "members: false\n    rings: {rx: 512}"), SEVERITY_ERROR);
	assert_string_equal(desired_text(), "bond0 rings.rx; ");
	assert_int_equal(diags.n, 0);
}

/* A port of a port, each once, and what matches by itself as such. */
static void test_members_of_members(void **state)
{
	stack_up();
	fill(RULE("name: br0", "members: true\n    rings: {rx: 512}"), SEVERITY_ERROR);
	assert_string_equal(desired_text(),
		"eth0 via br0 rings.rx; eth1 via br0 rings.rx; veth.5 via br0 rings.rx; "
		"bond0 via br0 rings.rx; br0 rings.rx; ");
	run.desired.n = 0;
	fill(RULE("name: [br0, bond0, eth1]", "members: on\n    rings: {rx: 512}"), SEVERITY_ERROR);
	assert_string_equal(desired_text(),
		"eth0 via bond0 rings.rx; eth1 rings.rx; veth.5 via br0 rings.rx; bond0 rings.rx; "
		"br0 rings.rx; ");
	assert_int_equal(diags.n, 0);
}

/* What stands on a link is no port of it, nor a port of a vrf. */
static void test_no_members(void **state)
{
	stack_up();
	bridge.type = "vrf";
	pair.lower = fast.ifindex;
	pair.type = "vlan";
	fill(RULE("name: [br0, eth0]", "members: true\n    rings: {rx: 512}"), SEVERITY_ERROR);
	assert_string_equal(desired_text(), "eth0 rings.rx; br0 rings.rx; ");
	assert_int_equal(diags.n, 0);
	run.desired.n = 0;
	fast.master = slow.master = 0;
	fill(RULE("kind: bond", "members: true\n    rings: {rx: 512}"), SEVERITY_ERROR);
	assert_string_equal(desired_text(), "bond0 rings.rx; ");
	assert_int_equal(diags.n, 1);
	assert_string_equal(diags.v[0].id, "no-members");
	assert_string_equal(diags.v[0].interface, "bond0");
}

static void test_members_and_named_interfaces(void **state)
{
	static const char *const port[] = {"eth1", NULL}, *const top[] = {"bond0", NULL};

	stack_up();
	options.interfaces = port;
	fill(RULE("name: bond0", "members: true\n    rings: {rx: 512}"), SEVERITY_ERROR);
	assert_string_equal(desired_text(), "eth1 via bond0 rings.rx; ");
	assert_int_equal(diags.n, 0);
	run.desired.n = 0;
	options.interfaces = top;
	fill(RULE("name: bond0", "members: true\n    rings: {rx: 512}"), SEVERITY_ERROR);
	assert_string_equal(desired_text(), "bond0 rings.rx; ");
	assert_int_equal(diags.n, 1);
	assert_string_equal(diags.v[0].id, "members-left-out");
	assert_non_null(strstr(diags.v[0].text, "eth0 eth1"));
}

/* The kernel gives a bond's MTU to its ports anyway: they get it first, one by one. */
static void test_mtu_is_handed_down(void **state)
{
	static const char *const port[] = {"eth1", "veth.5", NULL};

	stack_up();
	fill(RULE("name: bond0", "mtu: 9000\n    rings: {rx: 512}"), SEVERITY_ERROR);
	assert_string_equal(desired_text(),
		"eth0 via bond0 mtu.mtu; eth1 via bond0 mtu.mtu; bond0 mtu.mtu; "
		"bond0 rings.rx; ");
	run.desired.n = 0;
	fill(RULE("name: br0", "mtu: 9000"), SEVERITY_ERROR);
	assert_string_equal(desired_text(), "br0 mtu.mtu; ");
	run.desired.n = 0;
	options.interfaces = port; /* without the bond there is nothing to hand down */
	fill(RULE("name: [bond0, veth.5]", "mtu: 9000"), SEVERITY_ERROR);
	assert_string_equal(desired_text(), "veth.5 mtu.mtu; ");
}

static void test_members_are_deferred_together(void **state)
{
	stack_up();
	fill(RULE("kind: bond, link-speed: \">= 10Gbit\"", "members: true\n    rings: {rx: 512}"),
		SEVERITY_ERROR);
	assert_int_equal(run.desired.n, 0);
	assert_int_equal(matching.deferred.n, 3);
	assert_string_equal(matching.deferred.v[0].at.target.link->name, "eth0");
	assert_string_equal(matching.deferred.v[2].at.target.link->name, "bond0");
}

static void test_exit_statuses(void **state)
{
	static const struct {
		enum error_kind kind;
		enum exit_status status;
	} kinds_of_error[] = {
		{ERROR_FAILED, STATUS_FAILED},
		{ERROR_USAGE, STATUS_USAGE},
		{ERROR_DATA, STATUS_DATA},
		{ERROR_MISSING, STATUS_MISSING},
		{ERROR_LOCKED, STATUS_LOCKED},
		{ERROR_PERMISSION, STATUS_PERMISSION},
		{ERROR_UNFINISHED, STATUS_IN_BETWEEN},
	};
	static const enum exit_status outcomes[OUTCOME_MAX] = {
		[OUTCOME_FAILED] = STATUS_FAILED,
		[OUTCOME_PUT_BACK] = STATUS_PUT_BACK,
		[OUTCOME_INCOMPLETE] = STATUS_IN_BETWEEN,
		[OUTCOME_CONFLICTS] = STATUS_CONFLICTS,
	};
	struct error failure = {.err = 5};
	struct ending ending = {.error = &failure, .diags = &diags};

	assert_int_equal(ARRAY_SIZE(kinds_of_error), ERROR_KIND_MAX);
	for (size_t i = 0; i < ARRAY_SIZE(kinds_of_error); i++) {
		failure.kind = kinds_of_error[i].kind;
		assert_int_equal(exit_status(&ending), kinds_of_error[i].status);
	}
	diags_add(&diags, SEVERITY_WARNING, ERROR_DATA, "w", (struct pos){0}, "warning");
	diags_add(&diags, SEVERITY_ERROR, ERROR_MISSING, "e", (struct pos){0}, "first");
	diags_add(&diags, SEVERITY_ERROR, ERROR_DATA, "e", (struct pos){0}, "second");
	assert_int_equal(exit_status(&ending), STATUS_MISSING);

	ending = (struct ending){0};
	assert_int_equal(exit_status(&ending), STATUS_DONE);
	ending.is_different = true;
	assert_int_equal(exit_status(&ending), STATUS_DIFFERENT);
	ending.is_different = false;
	for (unsigned i = 0; i < OUTCOME_MAX; i++) {
		ending.outcome = (enum outcome)i;
		assert_int_equal(exit_status(&ending), outcomes[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order_is_host_then_rules, setup, teardown),
		cmocka_unit_test_setup_teardown(test_only_narrows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_named_interface_narrows, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_a_named_interface_that_nothing_applies_to, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_a_rule_without_interface_tells_near_misses, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_an_optional_rule_may_match_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_an_unknown_speed_defers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_vanished_links_match_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_members, setup, teardown),
		cmocka_unit_test_setup_teardown(test_members_of_members, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_members, setup, teardown),
		cmocka_unit_test_setup_teardown(test_members_and_named_interfaces, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mtu_is_handed_down, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_members_are_deferred_together, setup, teardown),
		cmocka_unit_test_setup_teardown(test_exit_statuses, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
