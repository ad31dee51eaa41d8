/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Offloads: names and groups, contradictions, fixed bits, what holds a bit; and a veth of the real
 * kernel, where scatter-gather takes segmentation with it.
 */
#include "kinds/offload_names.h"
#include "kinds/offload_rules.h"

#include "unit/ethtool_fake.h"

static struct link eth0 = {.ifindex = 7, .name = "eth0", .driver = "igb"};

static struct arena arena;
static struct state state;
static struct kernel kernel;

static int setup(void **unused)
{
	arena_init(&arena);
	state = (struct state){.arena = &arena};
	eth0.driver = "igb";
	return 0;
}

static int teardown(void **unused)
{
	arena_done(&arena);
	return 0;
}

static void names_have_one_spelling(void **unused)
{
	static const struct {
		const char *key, *want;
	} rows[] = {
		{"lro", "rx-lro"},
		{"large-receive-offload", "rx-lro"},
		{"rx-lro", "rx-lro"},
		{"gro", "rx-gro"},
		{"generic-receive-offload", "rx-gro"},
		{"gso", "tx-generic-segmentation"},
		{"rx", "rx-checksum"},
		{"rx-checksumming", "rx-checksum"},
		{"tx", "tx"},
		{"tx-checksumming", "tx"},
		{"tso", "tso"},
		{"tcp-segmentation-offload", "tso"},
		{"sg", "sg"},
		{"scatter-gather", "sg"},
		{"tx-scatter-gather", "tx-scatter-gather"},
		{"rxvlan", "rx-vlan-hw-parse"},
		{"txvlan", "tx-vlan-hw-insert"},
		{"ntuple", "rx-ntuple-filter"},
		{"rxhash", "rx-hashing"},
		{"ufo", "tx-udp-fragmentation"},
		{"rx-gro-hw", "rx-gro-hw"},
		{"tx-udp_tnl-segmentation", "tx-udp_tnl-segmentation"},
		{"rx-brand-new-offload", "rx-brand-new-offload"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error error;
		const char *got = kind_offloads.canonical(&arena, rows[i].key, &error);

		if (!got)
			fail_msg("%s: %s", rows[i].key, error.msg);
		assert_string_equal(got, rows[i].want);
	}
}

static void wrong_names_are_refused_with_the_nearest(void **unused)
{
	static const struct {
		const char *key, *want;
	} rows[] = {
		{"gro-hw", "offloads.gro-hw: no such feature, did you mean rx-gro-hw?"},
		{"tx-tcp-segmentatoin", "did you mean tx-tcp-segmentation?"},
		{"tos", "did you mean tso?"},
		{"generic-recieve-offload", "did you mean generic-receive-offload?"},
		{"RX-LRO", "no such feature"},
		{"adaptive-rx", "no such feature"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error error;

		assert_null(kind_offloads.canonical(&arena, rows[i].key, &error));
		if (!strstr(error.msg, rows[i].want))
			fail_msg("no \"%s\" in \"%s\"", rows[i].want, error.msg);
	}
}

static void every_word_has_a_field(void **unused)
{
	static const char *const words[] = {"rx", "tx", "sg", "tso", "ufo", "gso", "gro", "lro",
		"rxvlan", "txvlan", "ntuple", "rxhash"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const struct field *field = kind_field(&kind_offloads, words[i]);

		assert_string_equal(field->name, words[i]);
		assert_true(field->flags & FIELD_PROFILE_ONLY);
		assert_int_equal(field->type, VALUE_BOOL);
	}
	assert_true(kind_field(&kind_offloads, "tx-gso-list")->flags & FIELD_OPEN);
}

static int check(const char *const *text, size_t *ret_at, struct error *error)
{
	struct wish wishes[8];
	size_t n = 0;

	for (; text[0]; text += 2) {
		const char *key = kind_offloads.canonical(&arena, text[0], error);

		wishes[n++] = *fake_wish(&arena, &kind_offloads, key, text[1]);
	}
	return kind_offloads.check_all(wishes, n, ret_at, error);
}

static void contradictions_are_refused(void **unused)
{
	static const struct {
		const char *wishes[9];
		size_t at;
		const char *want;
	} rows[] = {
		{{"sg", "off", "tso", "on"}, 1,
			"offloads.tso: on contradicts offloads.sg: off, since tx-tcp-segmentation "
			"needs tx-scatter-gather"},
		{{"tso", "on", "sg", "off"}, 0, "needs tx-scatter-gather"},
		{{"tx-tcp6-segmentation", "on", "tx-scatter-gather", "off"}, 0, "needs"},
		{{"gso", "on", "sg", "off"}, 0, "tx-generic-segmentation"},
		{{"tso", "yes", "tx", "no"}, 0, "offloads.tx: off"},
		{{"tx-udp-segmentation", "on", "tx", "off"}, 0, "needs tx-checksum"},
		{{"lro", "on", "rx-gro-hw", "on"}, 0, "can't be on together with rx-gro-hw"},
		{{"rx-fcs", "on", "lro", "on"}, 1, "can't be on together with rx-fcs"},
		{{"rx-gro-hw", "on", "rx", "off"}, 0, "needs rx-checksum"},
		{{"tls-hw-rx-offload", "on", "rx", "off"}, 0, "needs rx-checksum"},
		{{"tx-tcp-segmentation", "off", "tso", "on"}, 1,
			"offloads.tso covers tx-tcp-segmentation, which has another value before"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error error = {0};
		size_t at = 99;

		assert_int_equal(check(rows[i].wishes, &at, &error), -EINVAL);
		assert_int_equal(at, rows[i].at);
		assert_int_equal(error.kind, ERROR_DATA);
		if (!strstr(error.msg, rows[i].want))
			fail_msg("no \"%s\" in \"%s\"", rows[i].want, error.msg);
	}
}

static void what_goes_together_passes(void **unused)
{
	static const char *const rows[][9] = {
		{"gro", "on", "gso", "on", "tso", "on", "sg", "on"},
		{"sg", "off", "tso", "off", "gso", "off"},
		{"tx", "on"},
		{"tso", "on", "tx-tcp-mangleid-segmentation", "off"},
		{"tso", "on", "tx-tcp-segmentation", "off"},
		{"lro", "on", "rx-gro-hw", "off"},
		{"tx-checksum-ipv4", "off", "tx-checksum-ip-generic", "on", "tso", "on"},
		{"sg", "off", "tso", "keep"},
		{"rx-brand-new-offload", "on"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error error = {0};
		size_t at;

		if (check(rows[i], &at, &error) < 0)
			fail_msg("%zu: %s", i, error.msg);
	}
}

static struct observed *put(const char *bit, bool wanted, bool active, enum support support)
{
	const struct target whole = {.link = &eth0};
	struct observed *o = fake_put(&state, &kind_offloads, &whole, bit, value_bool(wanted));

	o->active = value_bool(active);
	o->support = support;
	return o;
}

static const struct observed *find(const struct link *link, const char *bit)
{
	return state_get(&state, &kind_offloads, link, PART_WHOLE, 0, bit);
}

static struct fake_expansion expand(const char *key, const char *text)
{
	return fake_expand(&arena, &kind_offloads, &eth0, &state, key, text);
}

static void a_group_is_its_changeable_bits(void **unused)
{
	struct fake_expansion ret;

	put("tx-tcp-segmentation", true, true, SUPPORT_SETTABLE);
	put("tx-tcp6-segmentation", true, true, SUPPORT_SETTABLE);
	put("tx-tcp-ecn-segmentation", false, false, SUPPORT_FIXED);
	put("tx-tcp-brandnew-segmentation", false, false, SUPPORT_SETTABLE);
	put("tx-udp-segmentation", true, true, SUPPORT_SETTABLE);
	ret = expand("tso", "off");
	assert_int_equal(ret.result, 0);
	assert_int_equal(ret.skips.n, 0);
	assert_int_equal(ret.settings.n, 3);
	assert_string_equal(ret.settings.v[0].at.key, "tx-tcp-brandnew-segmentation");
	assert_string_equal(ret.settings.v[1].at.key, "tx-tcp-segmentation");
	assert_string_equal(ret.settings.v[2].at.key, "tx-tcp6-segmentation");
	assert_string_equal(ret.settings.v[2].value.text, "off");
	assert_non_null(ret.settings.v[0].wish);
}

static void fixed_bits_are_as_wished_or_unsupported(void **unused)
{
	struct fake_expansion ret;

	put("rx-lro", false, false, SUPPORT_FIXED);
	put("tx-checksum-ipv4", false, false, SUPPORT_FIXED);
	put("tx-checksum-ip-generic", true, true, SUPPORT_FIXED);
	ret = expand("rx-lro", "off");
	assert_int_equal(ret.settings.n, 1);
	assert_int_equal(ret.skips.n, 0);
	ret = expand("rx-lro", "on");
	assert_int_equal(ret.settings.n, 0);
	assert_int_equal(ret.skips.v[0].verdict, VERDICT_UNSUPPORTED);
	assert_string_equal(ret.skips.v[0].reason, "fixed off");
	/* a group shows on if one of its bits is */
	ret = expand("tx", "on");
	assert_int_equal(ret.settings.n, 1);
	assert_string_equal(ret.settings.v[0].at.key, "tx-checksum-ip-generic");
	ret = expand("tx", "off");
	assert_int_equal(ret.settings.n, 0);
	assert_string_equal(ret.skips.v[0].reason, "fixed on");
}

static void names_that_the_kernel_lacks_are_told(void **unused)
{
	struct fake_expansion ret;

	ret = expand("rx-lro", "off");
	assert_string_equal(ret.skips.v[0].reason, "the device does not tell its features");
	put("rx-gro", true, true, SUPPORT_SETTABLE);
	ret = expand("ufo", "on");
	assert_int_equal(ret.result, 0);
	assert_int_equal(ret.skips.v[0].verdict, VERDICT_UNSUPPORTED);
	assert_string_equal(ret.skips.v[0].reason, "this kernel has no feature ufo");
	ret = expand("rx-gro-list", "on");
	assert_string_equal(ret.skips.v[0].reason, "this kernel has no feature rx-gro-list");
	ret = expand("rx-groh", "on");
	assert_int_equal(ret.result, -EINVAL);
	assert_string_equal(ret.error.msg,
		"eth0/offloads.rx-groh: this kernel has no such feature, did you mean rx-gro?");
}

static struct change change_of(const struct link *link, const char *bit, bool on)
{
	return (struct change){
		.at = {.kind = &kind_offloads, .target = {.link = link}, .key = bit},
		.wanted = value_bool(on),
		.after = value_bool(on),
	};
}

/* As the planner: the value first, then what follows from it. */
static void step(const char *bit, bool on)
{
	struct change change = change_of(&eth0, bit, on);
	struct observed *o = state_find(&state, &change.at);

	o->value = o->active = change.after;
	kind_offloads.project(NULL, &change, &state);
}

static void dependent_bits_go_off_and_come_back(void **unused)
{
	put("tx-checksum-ip-generic", true, true, SUPPORT_SETTABLE);
	put("tx-generic-segmentation", true, true, SUPPORT_SETTABLE);
	put("tx-scatter-gather", true, true, SUPPORT_SETTABLE);
	put("tx-tcp-mangleid-segmentation", true, true, SUPPORT_SETTABLE);
	put("tx-tcp-segmentation", true, true, SUPPORT_SETTABLE);
	put("tx-tcp6-segmentation", false, false, SUPPORT_SETTABLE);
	put("rx-gro", true, true, SUPPORT_SETTABLE);
	step("tx-scatter-gather", false);
	assert_string_equal(find(&eth0, "tx-tcp-segmentation")->active.text, "off");
	assert_string_equal(find(&eth0, "tx-tcp-segmentation")->value.text, "on");
	assert_string_equal(find(&eth0, "tx-tcp-segmentation")->note, "needs tx-scatter-gather");
	assert_string_equal(find(&eth0, "tx-generic-segmentation")->active.text, "off");
	assert_string_equal(find(&eth0, "tx-tcp-mangleid-segmentation")->active.text, "off");
	assert_string_equal(find(&eth0, "rx-gro")->active.text, "on");
	step("tx-scatter-gather", true);
	assert_string_equal(find(&eth0, "tx-tcp-segmentation")->active.text, "on");
	assert_string_equal(find(&eth0, "tx-tcp-mangleid-segmentation")->active.text, "on");
	assert_string_equal(find(&eth0, "tx-tcp6-segmentation")->active.text, "off");
	step("tx-checksum-ip-generic", false);
	assert_string_equal(find(&eth0, "tx-tcp-segmentation")->active.text, "off");
	assert_string_equal(find(&eth0, "tx-generic-segmentation")->active.text, "on");
	step("tx-checksum-ip-generic", true);
	assert_string_equal(find(&eth0, "tx-tcp-mangleid-segmentation")->active.text, "on");
}

static void one_excludes_the_other(void **unused)
{
	put("rx-checksum", true, true, SUPPORT_SETTABLE);
	put("rx-lro", true, true, SUPPORT_SETTABLE);
	put("rx-gro-hw", false, false, SUPPORT_SETTABLE);
	step("rx-gro-hw", true);
	assert_string_equal(find(&eth0, "rx-lro")->active.text, "off");
	assert_string_equal(find(&eth0, "rx-lro")->note, "excluded by rx-gro-hw");
	step("rx-gro-hw", false);
	assert_string_equal(find(&eth0, "rx-lro")->active.text, "on");
}

/* Linux 6.12: igb has one switch for VLAN tags, vmxnet3 no LRO without checksums. */
static void some_rules_are_a_drivers_own(void **unused)
{
	put("rx-checksum", true, true, SUPPORT_SETTABLE);
	put("rx-lro", true, true, SUPPORT_SETTABLE);
	put("rx-vlan-hw-parse", true, true, SUPPORT_SETTABLE);
	put("tx-vlan-hw-insert", true, true, SUPPORT_SETTABLE);
	eth0.driver = "igb";
	step("rx-vlan-hw-parse", false);
	step("rx-checksum", false);
	assert_string_equal(find(&eth0, "tx-vlan-hw-insert")->active.text, "off");
	assert_string_equal(find(&eth0, "tx-vlan-hw-insert")->value.text, "on");
	assert_string_equal(find(&eth0, "rx-lro")->active.text, "on");
	step("rx-vlan-hw-parse", true);
	assert_string_equal(find(&eth0, "tx-vlan-hw-insert")->active.text, "on");
	eth0.driver = "vmxnet3";
	step("rx-vlan-hw-parse", false);
	step("rx-checksum", false);
	assert_string_equal(find(&eth0, "tx-vlan-hw-insert")->active.text, "on");
	assert_string_equal(find(&eth0, "rx-lro")->note, "needs rx-checksum");
}

static void resets_are_known_by_driver_and_feature(void **unused)
{
	struct change change = change_of(&eth0, "rx-checksum", false);
	const struct target vector = {.link = &eth0, .part = PART_RXTX};
	struct observed *cpus;

	eth0.driver = "e1000e";
	assert_int_equal(kind_offloads.interrupts(&eth0, &change), INTERRUPTS_LINK);
	eth0.driver = "igb";
	assert_int_equal(kind_offloads.interrupts(&eth0, &change), INTERRUPTS_NONE);
	eth0.driver = "acme";
	assert_int_equal(kind_offloads.interrupts(&eth0, &change), INTERRUPTS_LINK);
	change.at.key = "rx-gro";
	assert_int_equal(kind_offloads.interrupts(&eth0, &change), INTERRUPTS_NONE);

	put("rx-ntuple-filter", false, false, SUPPORT_SETTABLE);
	put("rx-gro", false, false, SUPPORT_SETTABLE);
	eth0.driver = "bnxt_en";
	fake_put(&state, &kind_irq_affinity, &vector, "cpus", value_word(&arena, "3"));
	step("rx-gro", true);
	cpus = state_get(&state, &kind_irq_affinity, &eth0, PART_RXTX, 0, "cpus");
	assert_int_equal(cpus->value.type, VALUE_WORD);
	step("rx-ntuple-filter", true);
	assert_int_equal(cpus->value.type, VALUE_NONE);
}

static void observe(struct link *link)
{
	struct scope scope = {.link = link};
	struct error error;

	state.n = 0;
	if (kind_offloads.observe(&kernel, NULL, &scope, &state, &error) < 0)
		fail_msg("%s", error.msg);
}

static void write_bits(const struct link *link, const char *const *bits, size_t n, bool on)
{
	struct change changes[8], *v[8];
	struct error error;

	for (size_t i = 0; i < n; i++) {
		changes[i] = change_of(link, bits[i], on);
		v[i] = &changes[i];
	}
	if (kind_offloads.write(&kernel, NULL, v, n, &error) < 0)
		fail_msg("%s", error.msg);
}

static void veth_loses_segmentation_with_scatter_gather(void)
{
	static const char *const sg[] = {"tx-scatter-gather", "tx-scatter-gather-fraglist"};
	static const char *const tso[] = {"tx-tcp-segmentation"};
	struct link veth;

	real_veth(&kernel, "veth0", "veth1", 1, &veth);
	observe(&veth);
	assert_int_equal(find(&veth, "rx-lro")->support, SUPPORT_FIXED);
	assert_string_equal(find(&veth, "rx-lro")->note, "fixed off");
	assert_int_equal(find(&veth, "tx-scatter-gather")->support, SUPPORT_SETTABLE);
	assert_string_equal(find(&veth, "tx-tcp-segmentation")->active.text, "on");
	assert_null(find(&veth, "tx-tcp-segmentation")->note);

	write_bits(&veth, sg, 2, false);
	observe(&veth);
	assert_string_equal(find(&veth, "tx-scatter-gather")->value.text, "off");
	assert_string_equal(find(&veth, "tx-tcp-segmentation")->value.text, "on");
	assert_string_equal(find(&veth, "tx-tcp-segmentation")->active.text, "off");
	assert_string_equal(find(&veth, "tx-tcp-segmentation")->note, "needs tx-scatter-gather");
	assert_string_equal(find(&veth, "tx-generic-segmentation")->active.text, "off");

	/* accepted, and kept off */
	write_bits(&veth, tso, 1, false);
	write_bits(&veth, tso, 1, true);
	observe(&veth);
	assert_string_equal(find(&veth, "tx-tcp-segmentation")->value.text, "on");
	assert_string_equal(find(&veth, "tx-tcp-segmentation")->active.text, "off");

	write_bits(&veth, sg, 2, true);
	observe(&veth);
	assert_string_equal(find(&veth, "tx-tcp-segmentation")->active.text, "on");
}

static void a_veth_by_netlink(void **unused)
{
	real_namespace(&kernel, &arena);
	veth_loses_segmentation_with_scatter_gather();
	real_close(&kernel);
}

static void a_veth_by_ioctl(void **unused)
{
	real_namespace(&kernel, &arena);
	kernel.ethtool_family = 0;
	veth_loses_segmentation_with_scatter_gather();
	real_close(&kernel);
}

/* A rule that came late (Linux 6.11). */
static bool is_new_rule(const char *bit)
{
	return strcmp(bit, "tx-udp-segmentation") == 0;
}

/* The rules of the table against those of the running kernel, bit by bit. */
static void the_rules_are_the_kernels(void **unused)
{
	struct link veth;
	struct state before = {.arena = &arena};

	real_namespace(&kernel, &arena);
	real_veth(&kernel, "veth0", "veth1", 1, &veth);
	eth0 = veth;
	observe(&eth0);
	assert_int_equal(state_copy(&before, &state), 0);
	for (size_t i = 0; i < before.n; i++) {
		const struct observed *bit = &before.v[i];
		const char *const key[] = {bit->at.key};
		struct state predicted;

		if (bit->support != SUPPORT_SETTABLE || !bit->active.number)
			continue;
		step(key[0], false);
		predicted = state;
		state = (struct state){.arena = &arena};
		write_bits(&eth0, key, 1, false);
		observe(&eth0);
		for (size_t j = 0; j < state.n; j++)
			if (!value_equal(&state.v[j].active, &predicted.v[j].active) &&
				!is_new_rule(state.v[j].at.key))
				fail_msg("%s off makes %s %s", key[0], state.v[j].at.key,
					state.v[j].active.text);
		write_bits(&eth0, key, 1, true);
		observe(&eth0);
	}
	real_close(&kernel);
	eth0 = (struct link){.ifindex = 7, .name = "eth0", .driver = "igb"};
}

/* Every feature of the running kernel is a name that check would accept. */
static void the_kernels_names_are_accepted(void **unused)
{
	struct link veth;
	struct error error;

	real_namespace(&kernel, &arena);
	real_veth(&kernel, "veth0", "veth1", 1, &veth);
	observe(&veth);
	assert_true(state.n > 40);
	for (size_t i = 0; i < state.n; i++) {
		const char *name = kind_offloads.canonical(&arena, state.v[i].at.key, &error);

		if (!name)
			fail_msg("%s", error.msg);
		assert_string_equal(name, state.v[i].at.key);
	}
	real_close(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_have_one_spelling, setup, teardown),
		cmocka_unit_test_setup_teardown(
			wrong_names_are_refused_with_the_nearest, setup, teardown),
		cmocka_unit_test_setup_teardown(every_word_has_a_field, setup, teardown),
		cmocka_unit_test_setup_teardown(contradictions_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(what_goes_together_passes, setup, teardown),
		cmocka_unit_test_setup_teardown(a_group_is_its_changeable_bits, setup, teardown),
		cmocka_unit_test_setup_teardown(
			fixed_bits_are_as_wished_or_unsupported, setup, teardown),
		cmocka_unit_test_setup_teardown(
			names_that_the_kernel_lacks_are_told, setup, teardown),
		cmocka_unit_test_setup_teardown(
			dependent_bits_go_off_and_come_back, setup, teardown),
		cmocka_unit_test_setup_teardown(one_excludes_the_other, setup, teardown),
		cmocka_unit_test_setup_teardown(some_rules_are_a_drivers_own, setup, teardown),
		cmocka_unit_test_setup_teardown(
			resets_are_known_by_driver_and_feature, setup, teardown),
		cmocka_unit_test_setup_teardown(a_veth_by_netlink, setup, teardown),
		cmocka_unit_test_setup_teardown(a_veth_by_ioctl, setup, teardown),
		cmocka_unit_test_setup_teardown(the_rules_are_the_kernels, setup, teardown),
		cmocka_unit_test_setup_teardown(the_kernels_names_are_accepted, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
