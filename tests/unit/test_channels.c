/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Channels: combined or separate, what vanishes, appears and is wiped with them, the RSS table in
 * the way; and a veth of the real kernel.
 */
#include "unit/ethtool_fake.h"

#include <linux/ethtool_netlink.h>

static struct link eth0 = {.ifindex = 7, .name = "eth0", .driver = "veth"};
static const struct target whole = {.link = &eth0};

static struct arena arena;
static struct state model;
static struct ethtool_fake fake;
static struct kernel kernel;

static int setup(void **unused)
{
	arena_init(&arena);
	model = (struct state){.arena = &arena};
	fake_open(&fake, &kernel, &arena, true);
	eth0.driver = "veth";
	return 0;
}

static int teardown(void **unused)
{
	buffer_free(&kernel.reply);
	arena_done(&arena);
	return 0;
}

static struct change change_of(const char *key, uint64_t before, uint64_t after)
{
	return (struct change){
		.at = {.kind = &kind_channels, .target = whole, .key = key},
		.before = value_number(&arena, before),
		.wanted = value_number(&arena, after),
		.after = value_number(&arena, after),
	};
}

/* What include/uapi/linux/ethtool_netlink.h and struct ethtool_channels say. */
static const struct {
	const char *key;
	uint16_t attr, attr_max;
	unsigned word, word_max;
} wires[] = {
	{"rx", 6, 2, 5, 1},
	{"tx", 7, 3, 6, 2},
	{"other", 8, 4, 7, 3},
	{"combined", 9, 5, 8, 4},
};

static void every_count_is_sent_as_its_attribute(void **unused)
{
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		struct change change = change_of(wires[i].key, 1, 2);
		struct change *const v[] = {&change};

		fake_open(&fake, &kernel, &arena, true);
		assert_int_equal(kind_channels.write(&kernel, NULL, v, 1, NULL), 0);
		assert_int_equal(fake_command(&fake), ETHTOOL_MSG_CHANNELS_SET);
		assert_int_equal(fake_attr_count(&fake), 2);
		assert_int_equal(mnl_attr_get_u32(fake_attr(&fake, wires[i].attr)), 2);
		buffer_free(&kernel.reply);

		fake_open(&fake, &kernel, &arena, false);
		assert_int_equal(kind_channels.write(&kernel, NULL, v, 1, NULL), 0);
		for (unsigned word = 1; word < 9; word++)
			assert_int_equal(fake.set[word], word == wires[i].word ? 2 : 0);
	}
}

static void every_count_is_read(void **unused)
{
	struct nlmsghdr *reply = fake_reply(&fake);
	struct scope scope = {.link = &eth0};

	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		mnl_attr_put_u32(reply, wires[i].attr, 10 + (uint32_t)i);
		mnl_attr_put_u32(reply, wires[i].attr_max, 100 + (uint32_t)i);
	}
	assert_int_equal(kind_channels.observe(&kernel, NULL, &scope, &model, NULL), 0);
	assert_int_equal(model.n, ARRAY_SIZE(wires));
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		const struct observed *o = state_get(
			&model, &kind_channels, &eth0, PART_WHOLE, 0, wires[i].key);

		assert_int_equal(o->value.number, 10 + i);
		assert_int_equal(o->max, 100 + i);
	}
}

/* Linux 6.12: asked to change them, vmxnet3 has no such call. */
static void some_only_show_their_channels(void **unused)
{
	struct nlmsghdr *reply = fake_reply(&fake);
	struct scope scope = {.link = &eth0};

	eth0.driver = "vmxnet3";
	mnl_attr_put_u32(reply, wires[3].attr, 4);
	mnl_attr_put_u32(reply, wires[3].attr_max, 4);
	assert_int_equal(kind_channels.observe(&kernel, NULL, &scope, &model, NULL), 0);
	assert_int_equal(model.n, 1);
	assert_int_equal(model.v[0].support, SUPPORT_FIXED);
	assert_non_null(model.v[0].note);
}

static void have(const char *key, uint64_t number, uint64_t max)
{
	fake_put_number(&model, &kind_channels, &eth0, key, number, max);
}

static struct fake_expansion expand(const char *key, const char *text)
{
	return fake_expand(&arena, &kind_channels, &eth0, &model, key, text);
}

static void assert_setting(const struct setting *setting, const char *key, const char *text)
{
	assert_string_equal(setting->at.key, key);
	assert_string_equal(setting->value.text, text);
}

static void queues_are_what_the_device_has(void **unused)
{
	struct fake_expansion ret;

	have("rx", 2, 4);
	have("tx", 2, 8);
	ret = expand("queues", "1");
	assert_int_equal(ret.settings.n, 2);
	assert_setting(&ret.settings.v[0], "rx", "1");
	assert_setting(&ret.settings.v[1], "tx", "1");
	ret = expand("queues", "max");
	assert_setting(&ret.settings.v[0], "rx", "4");
	assert_setting(&ret.settings.v[1], "tx", "8");

	model.n = 0;
	have("combined", 4, 8);
	have("other", 1, 1);
	ret = expand("queues", "max");
	assert_int_equal(ret.settings.n, 1);
	assert_setting(&ret.settings.v[0], "combined", "8");
	ret = expand("queues", "9");
	assert_int_equal(ret.result, -EINVAL);
	assert_string_equal(ret.error.msg, "eth0/channels.combined = 9: the device's maximum is 8");
}

static void separate_channels_make_room_for_combined_ones(void **unused)
{
	struct fake_expansion ret;

	have("combined", 0, 8);
	have("rx", 4, 8);
	have("tx", 0, 8);
	ret = expand("queues", "2");
	assert_int_equal(ret.settings.n, 2);
	assert_setting(&ret.settings.v[0], "combined", "2");
	assert_setting(&ret.settings.v[1], "rx", "0");
}

static void what_the_device_lacks_is_named(void **unused)
{
	struct fake_expansion ret;

	have("rx", 2, 2);
	have("tx", 2, 2);
	ret = expand("combined", "1");
	assert_int_equal(ret.result, 0);
	assert_int_equal(ret.settings.n, 0);
	assert_int_equal(ret.skips.v[0].verdict, VERDICT_UNSUPPORTED);
	assert_string_equal(
		ret.skips.v[0].reason, "the device has no combined channels (rx max 2, tx max 2)");
	model.n = 0;
	ret = expand("queues", "1");
	assert_string_equal(ret.skips.v[0].reason, "the device does not support channels");
	assert_string_equal(address_text(&arena, &ret.skips.v[0].at), "eth0/channels.queues");
	have("combined", 2, 2);
	ret = expand("rx", "1");
	assert_string_equal(
		ret.skips.v[0].reason, "the device has no rx channels (combined max 2)");
}

static void no_queue_at_all_is_refused(void **unused)
{
	have("combined", 2, 2);
	assert_int_equal(expand("combined", "0").result, -EINVAL);
	assert_int_equal(expand("queues", "0").result, -EINVAL);
	/* separate ones may take over */
	have("rx", 0, 2);
	have("tx", 0, 2);
	assert_int_equal(expand("combined", "0").result, 0);
	assert_int_equal(expand("rx", "0").result, 0);
	model.n = 0;
	have("rx", 1, 2);
	have("tx", 1, 2);
	assert_int_equal(expand("tx", "0").result, -EINVAL);
	assert_non_null(strstr(expand("rx", "0").error.msg, "eth0/channels.rx = 0: "));
}

static struct value cpus(const char *list)
{
	struct cpuset set;

	assert_int_equal(cpuset_parse_list(list, &set), 0);
	return value_ranges(&arena, &set);
}

static void put_queue(
	const struct kind *kind, enum part part, unsigned index, const char *key, const char *list)
{
	const struct target target = {.link = &eth0, .part = part, .index = (uint16_t)index};

	fake_put(&model, kind, &target, key, cpus(list));
}

static const struct observed *find(
	const struct kind *kind, enum part part, unsigned index, const char *key)
{
	return state_get(&model, kind, &eth0, part, index, key);
}

static void assert_value(
	const struct kind *kind, enum part part, unsigned index, const char *key, const char *text)
{
	const struct observed *o = find(kind, part, index, key);

	if (!o)
		fail_msg("%s %d-%u %s is not there", kind->name, part, index, key);
	else if (text)
		assert_string_equal(value_text(&o->value), text);
	else
		assert_int_equal(o->value.type, VALUE_NONE);
}

static void put_queues(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct target rx = {.link = &eth0, .part = PART_RX, .index = (uint16_t)i};

		put_queue(&kind_rps, PART_RX, i, "cpus", "1");
		fake_put(&model, &kind_rps, &rx, "flows", value_number(&arena, 4096));
		put_queue(&kind_xps, PART_TX, i, "cpus", "2");
		put_queue(&kind_xps, PART_TX, i, "rxqs", "");
	}
}

static void step(const char *key, uint64_t before, uint64_t after)
{
	struct change change = change_of(key, before, after);

	state_find(&model, &change.at)->value = change.after;
	kind_channels.project(NULL, &change, &model);
}

static void vanished_queues_lose_their_settings(void **unused)
{
	have("rx", 4, 4);
	have("tx", 4, 4);
	put_queues(4);
	step("rx", 4, 2);
	assert_value(&kind_rps, PART_RX, 1, "cpus", "1");
	assert_null(find(&kind_rps, PART_RX, 2, "cpus"));
	assert_null(find(&kind_rps, PART_RX, 3, "flows"));
	assert_value(&kind_xps, PART_TX, 3, "cpus", "2");
	step("tx", 4, 1);
	assert_value(&kind_xps, PART_TX, 0, "rxqs", "(none)");
	assert_null(find(&kind_xps, PART_TX, 1, "cpus"));
	/* twice is as once */
	step("tx", 4, 1);
	assert_value(&kind_rps, PART_RX, 1, "flows", "4096");
	assert_int_equal(model.n, 2 + 4 + 2);
}

static void new_queues_start_with_defaults(void **unused)
{
	const struct target host = {0};

	have("rx", 1, 4);
	have("tx", 1, 4);
	put_queues(1);
	step("rx", 1, 2);
	step("tx", 1, 2);
	assert_value(&kind_rps, PART_RX, 0, "cpus", "1");
	assert_value(&kind_rps, PART_RX, 1, "cpus", "(none)");
	assert_value(&kind_rps, PART_RX, 1, "flows", "0");
	assert_value(&kind_xps, PART_TX, 1, "cpus", "(none)");

	fake_put(&model, &kind_sysctl, &host, "net.core.rps_default_mask", value_word(&arena, "c"));
	step("rx", 2, 3);
	assert_value(&kind_rps, PART_RX, 1, "cpus", "(none)");
	assert_value(&kind_rps, PART_RX, 2, "cpus", "2-3");
}

static void kinds_that_were_not_observed_stay_so(void **unused)
{
	have("combined", 2, 4);
	eth0.driver = "igb";
	step("combined", 2, 4);
	assert_int_equal(model.n, 1);
}

static void drivers_may_rewrite_transmit_maps(void **unused)
{
	have("combined", 2, 4);
	put_queues(2);
	eth0.driver = "virtio_net";
	step("combined", 2, 3);
	assert_value(&kind_xps, PART_TX, 0, "cpus", NULL);
	assert_value(&kind_xps, PART_TX, 2, "cpus", NULL);
	assert_value(&kind_rps, PART_RX, 0, "cpus", "1");
}

static void put_vectors(unsigned n, bool paired)
{
	put_queue(&kind_irq_affinity, PART_OTHER, 0, "cpus", "0");
	for (unsigned i = 0; i < n; i++) {
		if (paired) {
			put_queue(&kind_irq_affinity, PART_RXTX, i, "cpus", "1");
			continue;
		}
		put_queue(&kind_irq_affinity, PART_RX, i, "cpus", "1");
		put_queue(&kind_irq_affinity, PART_TX, i, "cpus", "1");
	}
}

static void igb_pairs_its_vectors_above_half(void **unused)
{
	size_t first;

	eth0.driver = "igb";
	have("combined", 4, 8);
	put_vectors(4, false);
	step("combined", 4, 2);
	assert_int_equal(state_range(&model, &kind_irq_affinity, &eth0, &first), 5);
	assert_value(&kind_irq_affinity, PART_RX, 1, "cpus", NULL);
	assert_value(&kind_irq_affinity, PART_TX, 1, "cpus", NULL);
	assert_value(&kind_irq_affinity, PART_OTHER, 0, "cpus", NULL);
	step("combined", 2, 5);
	assert_int_equal(state_range(&model, &kind_irq_affinity, &eth0, &first), 6);
	assert_value(&kind_irq_affinity, PART_RXTX, 4, "cpus", NULL);
	assert_value(&kind_irq_affinity, PART_OTHER, 0, "cpus", NULL);
	assert_null(find(&kind_irq_affinity, PART_RX, 0, "cpus"));
	step("combined", 5, 3);
	assert_int_equal(state_range(&model, &kind_irq_affinity, &eth0, &first), 7);
	assert_value(&kind_irq_affinity, PART_TX, 2, "cpus", NULL);
}

static void igb_has_one_time_for_paired_vectors(void **unused)
{
	struct observed *tx;

	eth0.driver = "igb";
	have("combined", 3, 8);
	put_vectors(3, false);
	fake_put(&model, &kind_coalesce, &whole, "tx-usecs", value_number(&arena, 44));
	step("combined", 3, 4);
	tx = state_get(&model, &kind_coalesce, &eth0, PART_WHOLE, 0, "tx-usecs");
	assert_int_equal(tx->value.number, 44);
	assert_false(tx->follows);
	step("combined", 4, 6);
	assert_int_equal(tx->value.number, 0);
	assert_int_equal(tx->support, SUPPORT_FIXED);
	assert_true(tx->follows);
	step("combined", 6, 2);
	assert_int_equal(tx->value.type, VALUE_NONE);
	assert_int_equal(tx->support, SUPPORT_SETTABLE);
	assert_true(tx->follows);
}

static void virtio_keeps_the_vectors_it_was_made_with(void **unused)
{
	size_t first;

	eth0.driver = "virtio_net";
	have("combined", 4, 4);
	put_vectors(4, false);
	step("combined", 4, 2);
	assert_int_equal(state_range(&model, &kind_irq_affinity, &eth0, &first), 9);
	assert_value(&kind_irq_affinity, PART_RX, 0, "cpus", NULL);
	assert_value(&kind_irq_affinity, PART_RX, 3, "cpus", NULL);
}

static void unknown_drivers_go_on_as_they_are(void **unused)
{
	size_t first;

	eth0.driver = "acme";
	have("combined", 4, 8);
	put_vectors(4, true);
	put_queues(4);
	fake_put(&model, &kind_coalesce, &whole, "rx-usecs", value_number(&arena, 50));
	step("combined", 4, 8);
	assert_int_equal(state_range(&model, &kind_irq_affinity, &eth0, &first), 9);
	assert_value(&kind_irq_affinity, PART_RXTX, 7, "cpus", NULL);
	assert_value(&kind_xps, PART_TX, 7, "cpus", NULL);
	assert_value(&kind_coalesce, PART_WHOLE, 0, "rx-usecs", NULL);
	assert_value(&kind_rps, PART_RX, 3, "cpus", "1");
}

static void vectors_of_one_direction_are_counted_too(void **unused)
{
	eth0.driver = "ice";
	have("combined", 2, 8);
	have("rx", 0, 8);
	have("tx", 0, 8);
	put_vectors(2, true);
	step("rx", 0, 2);
	assert_value(&kind_irq_affinity, PART_RXTX, 1, "cpus", NULL);
	assert_value(&kind_irq_affinity, PART_RX, 2, "cpus", NULL);
	assert_value(&kind_irq_affinity, PART_RX, 3, "cpus", NULL);
	assert_null(find(&kind_irq_affinity, PART_TX, 2, "cpus"));
}

static struct observed *put_table(const char *text)
{
	return fake_put(&model, &kind_rss, &whole, "indir", value_words(&arena, text));
}

static void a_table_of_nobody_follows_the_queues(void **unused)
{
	struct observed *indir;

	have("combined", 2, 8);
	eth0.driver = "mlx5_core";
	put_table("0 1 0 1 0 1 0 1");
	step("combined", 2, 4);
	indir = state_get(&model, &kind_rss, &eth0, PART_WHOLE, 0, "indir");
	assert_true(indir->follows);
	assert_string_equal(indir->value.text, "0 1 2 3 0 1 2 3");

	/* in blocks, as igb spreads */
	model.n = 0;
	have("combined", 4, 8);
	eth0.driver = "igb";
	put_table("0 0 1 1 2 2 3 3");
	step("combined", 4, 2);
	indir = state_get(&model, &kind_rss, &eth0, PART_WHOLE, 0, "indir");
	assert_true(indir->follows);
	assert_string_equal(indir->value.text, "0 0 0 0 1 1 1 1");
}

static void a_users_table_stays_is_carried_or_lost(void **unused)
{
	struct observed *indir;

	have("combined", 4, 8);
	eth0.driver = "mlx5_core";
	put_table("0 0 0 1 0 0 0 1");
	step("combined", 4, 2);
	indir = state_get(&model, &kind_rss, &eth0, PART_WHOLE, 0, "indir");
	assert_false(indir->follows);
	assert_string_equal(indir->value.text, "0 0 0 1 0 0 0 1");

	/* spread over fewer queues than there are: somebody's will */
	step("combined", 2, 4);
	put_table("0 1 0 1 0 1 0 1");
	step("combined", 4, 6);
	indir = state_get(&model, &kind_rss, &eth0, PART_WHOLE, 0, "indir");
	assert_string_equal(indir->value.text, "0 1 0 1 0 1 0 1");

	/* names a queue that goes */
	step("combined", 6, 4);
	put_table("3 3 3 3 0 0 0 0");
	step("combined", 4, 2);
	indir = state_get(&model, &kind_rss, &eth0, PART_WHOLE, 0, "indir");
	assert_true(indir->follows);
	assert_int_equal(indir->value.type, VALUE_NONE);

	/* ena builds its table anew: written again */
	model.n = 0;
	have("combined", 4, 8);
	eth0.driver = "ena";
	eth0.up = true;
	put_table("1 1 1 1 0 0 0 0");
	step("combined", 4, 2);
	indir = state_get(&model, &kind_rss, &eth0, PART_WHOLE, 0, "indir");
	assert_false(indir->follows);
	assert_int_equal(indir->value.type, VALUE_NONE);

	/* ... but not before the link is up */
	eth0.up = false;
	put_table("1 1 1 1 0 0 0 0");
	step("combined", 2, 4);
	indir = state_get(&model, &kind_rss, &eth0, PART_WHOLE, 0, "indir");
	assert_true(indir->follows);
	assert_int_equal(indir->value.type, VALUE_NONE);
}

static void counts_that_nobody_knows_empty_nothing(void **unused)
{
	struct change change = change_of("combined", 4, 2);

	put_queues(4);
	kind_channels.project(NULL, &change, &model);
	assert_int_equal(model.n, 16);
}

static void the_table_in_the_way_is_found(void **unused)
{
	struct change change = change_of("combined", 4, 2);
	struct setting setting;

	have("combined", 4, 8);
	assert_false(kind_channels.unblock(&change, 1, EINVAL, &model, &arena, &setting));
	put_table("0 1 2 3 0 1 2 3");
	assert_false(kind_channels.unblock(&change, 1, EBUSY, &model, &arena, &setting));
	assert_true(kind_channels.unblock(&change, 1, EINVAL, &model, &arena, &setting));
	assert_string_equal(address_text(&arena, &setting.at), "eth0/rss.indir");
	assert_int_equal(setting.value.type, VALUE_WORD);
	assert_string_equal(setting.value.text, "default");
	assert_null(setting.wish);
	put_table("0 1 1 0 0 1 1 0");
	assert_false(kind_channels.unblock(&change, 1, EINVAL, &model, &arena, &setting));
}

static void counts_above_the_cpus_are_predicted_where_known(void **unused)
{
	struct host host = {.nr_cpu_ids = 4};
	struct setting setting = {
		.at = {.kind = &kind_channels, .target = whole, .key = "combined"},
		.value = value_number(&arena, 8),
	};

	for (unsigned i = 0; i < 4; i++)
		cpuset_add(&host.online, i);
	eth0.driver = "igb";
	assert_int_equal(kind_channels.predict(&host, &setting, &model, &arena).number, 8);
	eth0.driver = "i40e";
	assert_int_equal(kind_channels.predict(&host, &setting, &model, &arena).number, 4);
	setting.value = value_number(&arena, 3);
	assert_int_equal(kind_channels.predict(&host, &setting, &model, &arena).number, 3);
}

static void all_that_a_change_may_move_is_declared(void **unused)
{
	static const char *const kinds_moved[] = {
		"rings", "coalesce", "rss", "xps", "rps", "irq-affinity", "pause"};
	const struct effect *e = kind_channels.effects;

	for (size_t i = 0; i < ARRAY_SIZE(kinds_moved); i++, e++) {
		assert_null(e->key);
		assert_null(e->keys);
		assert_string_equal(e->kind, kinds_moved[i]);
		assert_int_equal(e->on, REACH_SELF);
	}
	/* read along, for what new queues start with */
	assert_string_equal(e->keys, "net.core.rps_default_mask");
	assert_int_equal(e[1].on, REACH_END);
}

static void a_veth_shrinks_and_grows(void **unused)
{
	struct link veth;
	struct scope scope = {.link = &veth};
	struct change rx = change_of("rx", 4, 2), tx = change_of("tx", 4, 3);
	struct change combined = change_of("combined", 0, 1);
	struct change *const v[] = {&rx, &tx}, *const w[] = {&combined};
	struct error error;
	int r;

	real_namespace(&kernel, &arena);
	real_veth(&kernel, "veth0", "veth1", 4, &veth);
	rx.at.target.link = tx.at.target.link = combined.at.target.link = &veth;
	for (unsigned round = 0; round < 2; round++) {
		rx.wanted = value_number(&arena, round ? 3 : 2);
		r = kind_channels.write(&kernel, NULL, v, 2, &error);
		if (r < 0)
			fail_msg("%s", error.msg);
		model.n = 0;
		r = kind_channels.observe(&kernel, NULL, &scope, &model, &error);
		assert_int_equal(r, 0);
		assert_int_equal(model.n, 2);
		assert_int_equal(
			state_get(&model, &kind_channels, &veth, PART_WHOLE, 0, "rx")->value.number,
			round ? 3 : 2);
		assert_int_equal(
			state_get(&model, &kind_channels, &veth, PART_WHOLE, 0, "rx")->max, 4);
		assert_int_equal(
			state_get(&model, &kind_channels, &veth, PART_WHOLE, 0, "tx")->value.number,
			3);
		assert_null(state_get(&model, &kind_channels, &veth, PART_WHOLE, 0, "combined"));
		kernel.ethtool_family = 0; /* the second round by ioctl */
	}
	assert_int_equal(netlink_find_ethtool(&kernel, &error), 0);
	assert_int_equal(kind_channels.write(&kernel, NULL, w, 1, &error), -EINVAL);
	assert_non_null(strstr(error.msg, "veth0/channels: combined = 1: "));
	assert_non_null(strstr(error.msg, "exceeds maximum"));
	real_close(&kernel);
	fake_open(&fake, &kernel, &arena, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			every_count_is_sent_as_its_attribute, setup, teardown),
		cmocka_unit_test_setup_teardown(every_count_is_read, setup, teardown),
		cmocka_unit_test_setup_teardown(some_only_show_their_channels, setup, teardown),
		cmocka_unit_test_setup_teardown(
			igb_has_one_time_for_paired_vectors, setup, teardown),
		cmocka_unit_test_setup_teardown(queues_are_what_the_device_has, setup, teardown),
		cmocka_unit_test_setup_teardown(
			separate_channels_make_room_for_combined_ones, setup, teardown),
		cmocka_unit_test_setup_teardown(what_the_device_lacks_is_named, setup, teardown),
		cmocka_unit_test_setup_teardown(no_queue_at_all_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(
			vanished_queues_lose_their_settings, setup, teardown),
		cmocka_unit_test_setup_teardown(new_queues_start_with_defaults, setup, teardown),
		cmocka_unit_test_setup_teardown(
			kinds_that_were_not_observed_stay_so, setup, teardown),
		cmocka_unit_test_setup_teardown(drivers_may_rewrite_transmit_maps, setup, teardown),
		cmocka_unit_test_setup_teardown(igb_pairs_its_vectors_above_half, setup, teardown),
		cmocka_unit_test_setup_teardown(
			virtio_keeps_the_vectors_it_was_made_with, setup, teardown),
		cmocka_unit_test_setup_teardown(unknown_drivers_go_on_as_they_are, setup, teardown),
		cmocka_unit_test_setup_teardown(
			vectors_of_one_direction_are_counted_too, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_table_of_nobody_follows_the_queues, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_users_table_stays_is_carried_or_lost, setup, teardown),
		cmocka_unit_test_setup_teardown(
			counts_that_nobody_knows_empty_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(the_table_in_the_way_is_found, setup, teardown),
		cmocka_unit_test_setup_teardown(
			counts_above_the_cpus_are_predicted_where_known, setup, teardown),
		cmocka_unit_test_setup_teardown(
			all_that_a_change_may_move_is_declared, setup, teardown),
		cmocka_unit_test_setup_teardown(a_veth_shrinks_and_grows, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
