/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The executor against a made-up kind: verdicts come from reading back, never from the answer.
 */
#include "engine/await.h"

#include "unit/fake.h"

#include <linux/if_link.h>
#include <signal.h>

static struct execution run_it(struct fake *f)
{
	struct executor ex = {.run = &f->run, .plan = &f->plan};

	fake_plan(f);
	if (execute(&ex, &f->error) < 0)
		fail_msg("%s", f->error.msg);
	return ex.result;
}

static void test_writes_what_differs(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {.key = "b", .text = "2"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_wish(&f, "b", "2");
	r = run_it(&f);
	assert_int_equal(r.failed, 0);
	assert_true(r.wrote);
	assert_string_equal(cells[0].text, "5");
	assert_int_equal(cells[1].writes, 0);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_EXACT);
	assert_int_equal(f.plan.unchanged.n, 1);
	fake_teardown(&f);
}

static void test_nothing_to_do(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "1");
	r = run_it(&f);
	assert_false(r.wrote);
	assert_int_equal(fake_total_writes, 0);
	assert_int_equal(f.plan.n, 0);
	fake_teardown(&f);
}

/* Between plan and write somebody else set the value: it is not written a second time. */
static void test_equal_value_is_not_written(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	struct executor ex = {.run = &f.run, .plan = &f.plan};

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_plan(&f);
	cells[0].text = "5";
	assert_int_equal(execute(&ex, &f.error), 0);
	assert_int_equal(cells[0].writes, 0);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_EXACT);
	fake_teardown(&f);
}

static void test_refused(void **state)
{
	struct cell cells[] = {
		{.key = "a", .text = "1", .refuse = EBUSY}, {.key = "host.b", .text = "1"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_wish(&f, "host.b", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 1);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_REFUSED);
	assert_int_equal(fake_change(&f, "a")->err, EBUSY);
	assert_non_null(strstr(r.error.msg, "eth0/fake.a = 5"));
	assert_non_null(strstr(r.error.msg, strerror(EBUSY)));
	/* and nothing after it is touched */
	assert_int_equal(cells[1].writes, 0);
	fake_teardown(&f);
}

static void test_said_yes_did_nothing(void **state)
{
	struct cell cells[] = {{.key = "host.a", .text = "1", .ignore = true}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "host.a", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 1);
	assert_int_equal(fake_change(&f, "host.a")->verdict, VERDICT_IGNORED);
	fake_teardown(&f);
}

static void test_said_no_did_it(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .refuse = EIO, .lies = true}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 0);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_EXACT);
	fake_teardown(&f);
}

static void test_clamped_without_a_rule_is_refused(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .clamp = "4"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 1);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_REFUSED);
	assert_string_equal(fake_change(&f, "a")->observed.text, "4");
	fake_teardown(&f);
}

/* A later step moves what an earlier one set: written again, in round 1. */
static void test_repair(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"},
		{.key = "host.b", .text = "1", .resets = "a", .resets_text = "0"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_wish(&f, "host.b", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 0);
	assert_string_equal(cells[0].text, "5");
	assert_int_equal(cells[0].writes, 2);
	assert_int_equal(fake_change(&f, "a")->round, 1);
	fake_teardown(&f);
}

/* Two settings that move each other never settle: three rounds, then a failure. */
static void test_repair_ends(void **state)
{
	struct cell cells[] = {
		{.key = "host.a", .text = "1", .resets = "host.b", .resets_text = "0"},
		{.key = "host.b", .text = "1", .resets = "host.a", .resets_text = "0"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "host.a", "5");
	fake_wish(&f, "host.b", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 1);
	assert_true(fake_total_writes <= 8);
	fake_teardown(&f);
}

/* The order that the kernel wants is found by trying again (ipfrag_high_thresh and its partner). */
static void test_order_by_trying_again(void **state)
{
	struct cell cells[] = {
		{.key = "host.high", .text = "40", .needs = "host.low", .needs_text = "10"},
		{.key = "host.low", .text = "30"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "host.high", "20");
	fake_wish(&f, "host.low", "10");
	r = run_it(&f);
	assert_int_equal(r.failed, 0);
	assert_string_equal(cells[0].text, "20");
	fake_teardown(&f);
}

/* A refused vector that stored its first numbers is put right before anything else. */
static void test_half_applied(void **state)
{
	struct cell cells[] = {{.key = "host.v",
				       .text = "1 2 3",
				       .refuse = EINVAL,
				       .refuse_text = "9 9 99",
				       .half = "9 2 3"},
		{0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "host.v", "9 9 99");
	r = run_it(&f);
	assert_int_equal(r.failed, 1);
	assert_int_equal(fake_change(&f, "host.v")->err, EINVAL);
	assert_string_equal(cells[0].text, "1 2 3");
	fake_teardown(&f);
}

/* What a value reads with the link down says nothing: the partner decides when it comes up. */
static void test_read_when_the_link_is_up(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1", .drops = true, .comes_up = "1"}, {0}};
	struct fake f;
	struct execution r;

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	r = run_it(&f);
	assert_int_equal(r.failed, 0);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_IGNORED);
	assert_int_equal(cells[0].writes, 1);
	fake_teardown(&f);
}

static void test_gone(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	struct executor ex = {.run = &f.run, .plan = &f.plan};

	fake_setup(&f, cells);
	fake_wish(&f, "a", "5");
	fake_plan(&f);
	cells[0].text = NULL;
	assert_int_equal(execute(&ex, &f.error), 0);
	assert_int_equal(ex.result.failed, 1);
	assert_int_equal(fake_change(&f, "a")->verdict, VERDICT_GONE);
	fake_teardown(&f);
}

/*
 * A kernel where eth0 is a port of bond0, and the bond takes it for down in the next `away` readings
 * after a write; asked of one link only, as the wait does.
 */
static struct {
	int away, readings;
	bool is_signal; /* SIGTERM comes while it is away */
} port;

static void put_port(struct nlmsghdr *h, bool is_up)
{
	struct nlattr *info = mnl_attr_nest_start(h, IFLA_LINKINFO), *data;

	mnl_attr_put_strz(h, IFLA_INFO_SLAVE_KIND, "bond");
	data = mnl_attr_nest_start(h, IFLA_INFO_SLAVE_DATA);
	mnl_attr_put_u8(h, IFLA_BOND_SLAVE_MII_STATUS, is_up ? 0 : 2);
	mnl_attr_nest_end(h, data);
	mnl_attr_nest_end(h, info);
}

static bool port_is_up(const struct nlmsghdr *request)
{
	if (request->nlmsg_flags & NLM_F_DUMP)
		return port.away <= 0 || !fake_total_writes;
	if (!fake_total_writes)
		return true;
	port.readings++;
	if (port.is_signal)
		raise(SIGTERM);
	return port.away-- <= 0;
}

static int port_exchange(struct transport *transport, int protocol, const void *request,
	size_t length, struct buffer *reply)
{
	const struct nlmsghdr *req = request;
	struct buffer plain = {0};
	char buf[512] = {0};
	struct nlmsghdr *h = (struct nlmsghdr *)buf;
	size_t first;
	int r = fake_exchange(transport, protocol, request, length, &plain);

	assert_int_equal(r, 0);
	first = ((const struct nlmsghdr *)plain.data)->nlmsg_len;
	memcpy(buf, plain.data, first);
	mnl_attr_put_u32(h, IFLA_MASTER, 3);
	put_port(h, port_is_up(req));
	buffer_clear(reply);
	r = buffer_append(reply, buf, h->nlmsg_len);
	if (r == 0)
		r = buffer_append(reply, plain.data + first, plain.length - first);
	buffer_free(&plain);
	return r;
}

static void setup_port(struct fake *f, struct cell *cells, int away)
{
	static struct link bond, *links[2];

	bond = (struct link){.ifindex = 3, .name = "bond0", .type = "bond"};
	fake_setup(f, cells);
	f->transport.exchange = port_exchange;
	port.away = away;
	port.readings = 0;
	port.is_signal = false;
	fake_wish(f, "a", "5");
	fake_plan(f);
	assert_int_equal(kernel_link_refresh(&f->run.kernel, f->link, &f->error), 0);
	assert_int_equal(f->link->service, SERVICE_CARRIER | SERVICE_BOND);
	links[0] = f->link;
	links[1] = &bond;
	f->run.host.links = links;
	f->run.host.nlinks = 2;
}

/* A port is awaited for longer than its carrier. */
static void test_port_comes_back(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	struct executor ex = {.run = &f.run, .plan = &f.plan};

	setup_port(&f, cells, 3);
	f.options.carrier_timeout_ms = 1;
	f.options.service_timeout_ms = 60000;
	assert_int_equal(execute(&ex, &f.error), 0);
	assert_int_equal(ex.result.failed, 0);
	assert_true(port.readings > 3);
	fake_teardown(&f);
}

static void test_port_stays_away(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	struct executor ex = {.run = &f.run, .plan = &f.plan};

	setup_port(&f, cells, 1000000);
	assert_int_equal(execute(&ex, &f.error), 0);
	assert_int_equal(ex.result.failed, 1);
	assert_int_equal(ex.result.not_back, 1);
	assert_string_equal(ex.result.error.msg, "eth0: not up in bond0 200 ms after the change");
	fake_teardown(&f);
}

/* On the way back it stops nothing, but is told unless it comes back in the end. */
static void test_port_stays_away_going_back(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};
	struct fake f;
	struct executor ex = {.run = &f.run, .plan = &f.plan, .keep_going = true};

	setup_port(&f, cells, 1000000);
	assert_int_equal(execute(&ex, &f.error), 0);
	assert_int_equal(ex.result.failed, 0);
	assert_string_equal(f.run.serving[0].late, "eth0: not up in bond0 200 ms after the change");
	assert_true(await_is_late(&f.run.serving[0]));
	port.away = 0;
	assert_int_equal(kernel_link_refresh(&f.run.kernel, f.link, &f.error), 0);
	assert_false(await_is_late(&f.run.serving[0]));
	fake_teardown(&f);
}

static void test_signals_end_the_wait(void **state)
{
	struct cell cells[] = {{.key = "a", .text = "1"}, {0}};

	for (int going_back = 0; going_back < 2; going_back++) {
		struct fake f;
		struct executor ex = {.run = &f.run, .plan = &f.plan, .keep_going = going_back};

		cells[0].text = "1";
		setup_port(&f, cells, 1000000);
		f.options.service_timeout_ms = 60000;
		port.is_signal = true;
		signals_hold();
		assert_int_equal(execute(&ex, &f.error), 0);
		assert_int_equal(ex.result.stopped, !going_back);
		assert_int_equal(ex.result.failed, 0);
		/* one look before and after the step, and one in the end */
		assert_int_equal(port.readings, 3);
		assert_int_equal(f.run.serving[0].late != NULL, going_back);
		signals_forget();
		assert_false(signals_pending());
		signals_release();
		fake_teardown(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_writes_what_differs),
		cmocka_unit_test(test_nothing_to_do),
		cmocka_unit_test(test_equal_value_is_not_written),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_said_yes_did_nothing),
		cmocka_unit_test(test_said_no_did_it),
		cmocka_unit_test(test_clamped_without_a_rule_is_refused),
		cmocka_unit_test(test_repair),
		cmocka_unit_test(test_repair_ends),
		cmocka_unit_test(test_order_by_trying_again),
		cmocka_unit_test(test_half_applied),
		cmocka_unit_test(test_read_when_the_link_is_up),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_port_comes_back),
		cmocka_unit_test(test_port_stays_away),
		cmocka_unit_test(test_port_stays_away_going_back),
		cmocka_unit_test(test_signals_end_the_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
