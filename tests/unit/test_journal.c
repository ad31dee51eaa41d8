/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal's lines: what is written comes back, for any string and however the file was cut;
 * what is damaged or newer is refused with its line.
 */
#include "format/journal.h"
#include "format/json.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct kind sysctl = {
	.name = "sysctl",
	.phase = PHASE_HOST_LATE,
	.fields = (const struct field[]){{.name = "*", .flags = FIELD_OPEN}, {0}},
};
static const struct kind rings = {
	.name = "rings",
	.phase = PHASE_RINGS,
	.fields = (const struct field[]){{.name = "rx"}, {.name = "tx"}, {0}},
};
static const struct kind rps = {
	.name = "rps",
	.phase = PHASE_RPS,
	.fields = (const struct field[]){{.name = "cpus"}, {.name = "flows"}, {0}},
};
static const struct kind *const kinds[] = {&rings, &rps, &sysctl, NULL};

static struct link eth0 = {
	.ifindex = 2,
	.name = "eth0",
	.type = "physical",
	.driver = "igb",
	.bus = "0000:00:03.0",
	.perm_mac = {0x52, 0x54, 0, 0x12, 0x34, 0xfe},
};
/* The kernel refuses only "/", ":" and blanks in a name. */
static struct link odd = {.ifindex = 3, .name = "a\x1b[31m\xff\\x41\xc3\xa9", .type = "dummy"};

static const struct journal_link links[] = {
	{
		.ifindex = 2,
		.name = "eth0",
		.driver = "igb",
		.bus = "0000:00:03.0",
		.perm_mac = {0x52, 0x54, 0, 0x12, 0x34, 0xfe},
		.link = &eth0,
	},
	{.ifindex = 3, .name = "a\x1b[31m\xff\\x41\xc3\xa9", .link = &odd},
};

struct fixture {
	struct arena arena;
	struct plan plan;
	struct state before;
};

static struct address at(const struct kind *kind, const struct link *link, enum part part,
	unsigned index, const char *key)
{
	return (struct address){
		.kind = kind,
		.target = {.link = link, .part = part, .index = (uint16_t)index},
		.key = key,
	};
}

static const struct link *identify(const struct journal_link *link, const void *data)
{
	const bool *all_gone = data;

	if (all_gone && *all_gone)
		return NULL;
	return link->ifindex == 2 ? &eth0 : link->ifindex == 3 ? &odd : NULL;
}

static int parse_bytes(struct fixture *f, const char *text, size_t length, struct journal *ret,
	struct error *error)
{
	const struct journal_reader reader = {
		.kinds = kinds, .identify = identify, .arena = &f->arena};

	return journal_parse(&reader, text, length, ret, error);
}

static int parse(struct fixture *f, const char *text, struct journal *ret, struct error *error)
{
	return parse_bytes(f, text, strlen(text), ret, error);
}

static void make_plan(struct fixture *f)
{
	struct arena *arena = &f->arena;
	static struct change changes[4];
	static struct step steps[] = {
		{.first = 0, .n = 1}, {.first = 1, .n = 1}, {.first = 2, .n = 2}};

	changes[0] = (struct change){
		.at = at(&sysctl, NULL, PART_WHOLE, 0, "net.ipv4.tcp_rmem"),
		.before = value_words(arena, "4096 131072 6291456"),
		.wanted = value_words(arena, "4096 262144 134217728"),
		.after = value_words(arena, "4096 262144 134217728"),
		.origin = ORIGIN_PROFILE,
	};
	changes[1] = (struct change){
		.at = at(&rings, &eth0, PART_WHOLE, 0, "rx"),
		.before = value_number(arena, 512),
		.wanted = value_number(arena, 513),
		.after = value_number(arena, 520),
		.origin = ORIGIN_PROFILE,
		.interrupts = INTERRUPTS_LINK,
	};
	changes[2] = (struct change){
		.at = at(&rps, &odd, PART_RX, 65535, "cpus"),
		.wanted = value_of_text(arena, VALUE_RANGES, ""),
		.after = value_of_text(arena, VALUE_RANGES, ""),
		.origin = ORIGIN_CARRIED,
		.cause = "a\xff/rings.rx",
		.interrupts = INTERRUPTS_QUEUE,
	};
	changes[3] = changes[2];
	changes[3].at.key = "flows";
	changes[3].wanted = changes[3].after = value_number(arena, UINT64_MAX);
	plan_init(&f->plan, arena);
	f->plan.v = changes;
	f->plan.n = 4;
	f->plan.steps = steps;
	f->plan.nsteps = 3;
	settings_add(
		&f->plan.unchanged, &(struct setting){.at = at(&rings, &eth0, PART_WHOLE, 0, "tx"),
					    .value = value_number(arena, 256)});
	settings_add(
		&f->plan.unchanged, &(struct setting){.at = at(&rings, &eth0, PART_WHOLE, 0, "rx"),
					    .value = value_number(arena, 1001),
					    .got = value_number(arena, 1008),
					    .verdict = VERDICT_ROUNDED});
	settings_add(&f->plan.lost, &(struct setting){.at = at(&rps, &eth0, PART_RX, 4, "cpus"),
					    .value = value_of_text(arena, VALUE_RANGES, "0-3,8")});
	settings_add(&f->plan.fresh, &(struct setting){.at = at(&rps, &eth0, PART_RX, 1, "cpus")});
	skips_add(&f->plan.skipped, &(struct skip){.at = at(&rings, &odd, PART_WHOLE, 0, "rx"),
					    .wanted = "max",
					    .verdict = VERDICT_UNSUPPORTED,
					    .reason = "no rings\n\x80"});
}

static void make_state(struct fixture *f)
{
	struct arena *arena = &f->arena;

	f->before.arena = arena;
	state_put(&f->before, &(struct observed){.at = at(&sysctl, &eth0, PART_WHOLE, 0,
							 "net.ipv4.conf.{interface}.rp_filter"),
				      .value = value_number(arena, 2),
				      .support = SUPPORT_SETTABLE});
	state_put(&f->before, &(struct observed){.at = at(&sysctl, NULL, PART_WHOLE, 0, "net.a"),
				      .value = value_words(arena, "a\\b \xfe\x01"),
				      .support = SUPPORT_READ_ONLY});
	state_put(&f->before, &(struct observed){.at = at(&rings, &odd, PART_WHOLE, 0, "rx"),
				      .value = value_bool(true),
				      .active = value_bool(false),
				      .support = SUPPORT_SETTABLE});
	state_put(&f->before, &(struct observed){.at = at(&rps, &eth0, PART_OTHER, 1, "cpus"),
				      .support = SUPPORT_MANAGED});
}

static int setup(void **state)
{
	static struct fixture fixture;

	arena_init(&fixture.arena);
	make_plan(&fixture);
	fixture.before = (struct state){0};
	make_state(&fixture);
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	arena_done(&f->arena);
	return 0;
}

/* Appends a malloc'ed line. */
static const char *add(struct fixture *f, const char *text, char *line)
{
	const char *joined;

	assert_non_null(line);
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	joined = arena_printf(&f->arena, "%s%s", text, line);
	free(line);
	return joined;
}

static const struct journal_header header = {
	.id = "20260830T031415Z-7f3a",
	.boot_id = "9f7a",
	.version = "0.1.0",
	.user = "root",
	.command = "nettune apply 'd\xe9j\xe0 vu'",
	.time = "2026-08-30T03:14:15Z",
	.host = "lab1",
	.netns = UINT64_MAX,
};

static const char *begin(struct fixture *f)
{
	static const struct journal_profile profile = {
		.name = "dc-10ge",
		.path = "/etc/nettune/profiles/dc-10ge.yaml",
		.source = "name: dc-10ge\n# 100 % \\ \"\xc3\xa9\" \xff\n\tx: \x7f\n",
		.sha256 = "00ff",
		.version = 3,
	};
	const char *text = add(f, "", journal_header_line(&header));

	text = add(f, text, journal_links_line(links, ARRAY_SIZE(links)));
	text = add(f, text, journal_profile_line(&profile));
	text = add(f, text, journal_plan_line(&f->plan, links, ARRAY_SIZE(links)));
	return add(f, text, journal_state_line(RECORD_STATE, &f->before, links, ARRAY_SIZE(links)));
}

static struct journal_rollback make_rollback(struct fixture *f)
{
	static struct classified classified[2];
	struct journal_rollback rollback = {
		.time = "2026-08-30T04:00:00Z",
		.user = "root",
		.command = "nettune rollback",
		.force = true,
		.classified = {.v = classified, .n = 2},
		.plan = f->plan,
	};

	classified[0] = (struct classified){
		.at = at(&rings, &eth0, PART_WHOLE, 0, "rx"),
		.before = value_number(&f->arena, 512),
		.left = value_number(&f->arena, 520),
		.live = value_number(&f->arena, 1024),
		.target = value_number(&f->arena, 1024),
		.class = CLASS_CONFLICT,
		.named = true,
	};
	classified[1] = (struct classified){
		.at = at(&rps, &odd, PART_RX, 0, "cpus"),
		.left = value_of_text(&f->arena, VALUE_RANGES, "1"),
		.class = CLASS_GONE,
	};
	return rollback;
}

/* A whole life: apply with a refused step and an unblocking one, rollback. */
static const char *life(struct fixture *f)
{
	struct journal_rollback rollback = make_rollback(f);
	const char *text = begin(f);
	struct change extra = f->plan.v[1];

	text = add(f, text, journal_step_line(0, 0));
	f->plan.v[0].observed = value_words(&f->arena, "4096 262144 134217728");
	f->plan.v[0].verdict = VERDICT_EXACT;
	text = add(f, text, journal_done_line(&f->plan, 0, 0, 0));
	text = add(f, text, journal_step_line(1, 0));
	extra.origin = ORIGIN_UNBLOCK;
	text = add(f, text, journal_extra_line(&extra, links, ARRAY_SIZE(links)));
	f->plan.v[1].verdict = VERDICT_REFUSED;
	f->plan.v[1].err = EINVAL;
	f->plan.v[1].error = "requested ring size\x07 exceeds maximum \xff";
	text = add(f, text, journal_done_line(&f->plan, 1, 3, EINVAL));
	text = add(f, text, journal_state_line(RECORD_LEFT, &f->before, links, ARRAY_SIZE(links)));
	text = add(f, text, journal_outcome_line("applied", "2026-08-30T03:14:16Z"));
	text = add(f, text, journal_rollback_line(&rollback, links, ARRAY_SIZE(links)));
	text = add(f, text, journal_step_line(1, 0));
	text = add(f, text, journal_extra_line(&extra, links, ARRAY_SIZE(links)));
	text = add(f, text, journal_done_line(&f->plan, 1, 0, 0));
	text = add(f, text, journal_outcome_line("rolled-back", "2026-08-30T04:00:01Z"));
	return add(f, text, journal_forget_line("2026-08-30T05:00:00Z"));
}

static struct journal parsed(struct fixture *f, const char *text)
{
	struct journal journal;
	struct error error = {0};

	if (parse(f, text, &journal, &error) < 0)
		fail_msg("%s", error.msg);
	return journal;
}

/* What the reader made of the records gives the same lines again. */
static void records_come_back_as_they_were(void **state)
{
	struct fixture *f = *state;
	struct journal journal = parsed(f, begin(f));
	const char *again = add(f, "", journal_header_line(&journal.header));

	again = add(f, again, journal_links_line(journal.links, journal.nlinks));
	again = add(f, again, journal_profile_line(&journal.profiles[0]));
	again = add(f, again, journal_plan_line(&journal.plan, journal.links, journal.nlinks));
	again = add(f, again,
		journal_state_line(RECORD_STATE, &journal.before, journal.links, journal.nlinks));
	assert_string_equal(begin(f), again);
	assert_int_equal(1, journal.nprofiles);
	assert_false(journal.torn);
	assert_int_equal(strlen(again), journal.length);
}

static void header_and_links_have_their_fields(void **state)
{
	struct fixture *f = *state;
	struct journal journal = parsed(f, begin(f));

	assert_string_equal(header.id, journal.header.id);
	assert_string_equal(header.command, journal.header.command);
	assert_true(journal.header.netns == UINT64_MAX);
	assert_int_equal(2, journal.nlinks);
	assert_ptr_equal(&eth0, journal.links[0].link);
	assert_string_equal("0000:00:03.0", journal.links[0].bus);
	assert_memory_equal(eth0.perm_mac, journal.links[0].perm_mac, 6);
	assert_ptr_equal(&odd, journal.links[1].link);
	assert_string_equal(odd.name, journal.links[1].name);
	assert_null(journal.links[1].driver);
}

static void plan_needs_no_wishes(void **state)
{
	struct fixture *f = *state;
	struct journal journal = parsed(f, begin(f));
	const struct plan *plan = &journal.plan;

	assert_int_equal(4, plan->n);
	assert_int_equal(3, plan->nsteps);
	for (size_t i = 0; i < plan->n; i++) {
		const struct change *was = &f->plan.v[i], *is = &plan->v[i];

		assert_true(address_equal(&was->at, &is->at));
		assert_true(value_equal(&was->before, &is->before));
		assert_true(value_equal(&was->wanted, &is->wanted));
		assert_true(value_equal(&was->after, &is->after));
		assert_int_equal(was->origin, is->origin);
		assert_int_equal(was->interrupts, is->interrupts);
		assert_null(is->wish);
	}
	assert_string_equal("a\xff/rings.rx", plan->v[2].cause);
	assert_null(plan->v[0].cause);
	assert_int_equal(2, plan->unchanged.n);
	assert_int_equal(VALUE_NONE, plan->unchanged.v[0].got.type);
	assert_int_equal(VERDICT_NONE, plan->unchanged.v[0].verdict);
	assert_string_equal("1008", plan->unchanged.v[1].got.text);
	assert_int_equal(VERDICT_ROUNDED, plan->unchanged.v[1].verdict);
	assert_int_equal(VERDICT_UNSUPPORTED, plan->skipped.v[0].verdict);
	assert_string_equal("no rings\n\x80", plan->skipped.v[0].reason);
	assert_string_equal("0-3,8", plan->lost.v[0].value.text);
	assert_int_equal(VALUE_NONE, plan->fresh.v[0].value.type);
	assert_false(journal.any_begun);
}

static void snapshot_has_values_support_and_active_bits(void **state)
{
	struct fixture *f = *state;
	struct journal journal = parsed(f, begin(f));

	assert_int_equal(f->before.n, journal.before.n);
	for (size_t i = 0; i < f->before.n; i++) {
		const struct observed *was = &f->before.v[i], *is = &journal.before.v[i];

		assert_true(address_equal(&was->at, &is->at));
		assert_true(value_equal(&was->value, &is->value));
		assert_true(value_equal(&was->active, &is->active));
		assert_int_equal(was->support, is->support);
	}
}

static void steps_and_results_are_read(void **state)
{
	struct fixture *f = *state;
	struct journal journal = parsed(f, life(f));

	assert_true(journal.any_begun);
	assert_true(journal.begun[0]);
	assert_true(journal.begun[1]);
	assert_false(journal.begun[2]);
	assert_int_equal(VERDICT_EXACT, journal.plan.v[0].verdict);
	assert_string_equal("4096 262144 134217728", journal.plan.v[0].observed.text);
	assert_int_equal(VERDICT_REFUSED, journal.plan.v[1].verdict);
	assert_int_equal(EINVAL, journal.plan.v[1].err);
	assert_string_equal(
		"requested ring size\x07 exceeds maximum \xff", journal.plan.v[1].error);
	assert_int_equal(1, journal.begun_extra.n);
	assert_string_equal("513", journal.begun_extra.v[0].value.text);
	assert_true(journal.has_left);
	assert_int_equal(f->before.n, journal.left.n);
	assert_string_equal("applied", journal.outcome);
	assert_string_equal("2026-08-30T03:14:16Z", journal.outcome_time);
	assert_true(journal.forgotten);
}

static void rollback_has_its_own_steps_and_outcome(void **state)
{
	struct fixture *f = *state;
	struct journal journal = parsed(f, life(f));
	const struct journal_rollback *rollback = &journal.rollbacks[0];
	const struct classified *c = &rollback->classified.v[0];

	assert_int_equal(1, journal.nrollbacks);
	assert_string_equal("rolled-back", rollback->outcome);
	assert_string_equal("nettune rollback", rollback->command);
	assert_true(rollback->force);
	assert_false(rollback->put_back);
	assert_int_equal(2, rollback->begun);
	assert_int_equal(1, rollback->extra.n);
	assert_int_equal(4, rollback->plan.n);
	assert_int_equal(2, rollback->classified.n);
	assert_int_equal(CLASS_CONFLICT, c->class);
	assert_true(c->named);
	assert_string_equal("1024", c->target.text);
	assert_string_equal("520", c->left.text);
	assert_int_equal(VALUE_NONE, rollback->classified.v[1].target.type);
	assert_int_equal(CLASS_GONE, rollback->classified.v[1].class);
}

static void outcome_of_a_put_back_is_the_transactions(void **state)
{
	struct fixture *f = *state;
	struct journal_rollback rollback = make_rollback(f);
	const char *text = add(f, begin(f), journal_step_line(0, 0));
	struct journal journal;

	rollback.put_back = true;
	rollback.user = rollback.command = NULL;
	text = add(f, text, journal_rollback_line(&rollback, links, ARRAY_SIZE(links)));
	journal = parsed(f, text);
	assert_null(journal.outcome);
	assert_null(journal.rollbacks[0].outcome);
	journal = parsed(f, add(f, text, journal_outcome_line("put-back", "2026")));
	assert_string_equal("put-back", journal.outcome);
	assert_string_equal("put-back", journal.rollbacks[0].outcome);
	assert_true(journal.rollbacks[0].put_back);
}

static void links_that_are_gone_get_a_stand_in(void **state)
{
	struct fixture *f = *state;
	const bool all_gone = true;
	const struct journal_reader reader = {
		.kinds = kinds, .identify = identify, .data = &all_gone, .arena = &f->arena};
	const char *text = begin(f);
	struct journal journal;
	const struct link *link;

	assert_int_equal(0, journal_parse(&reader, text, strlen(text), &journal, NULL));
	link = journal.plan.v[1].at.target.link;
	assert_int_equal(0, link->ifindex);
	assert_string_equal("eth0", link->name);
	assert_string_equal("igb", link->driver);
	assert_ptr_equal(journal.links[0].link, link);
}

/* A process may die at any byte of what it writes. */
static void file_may_end_anywhere(void **state)
{
	struct fixture *f = *state;
	const char *text = life(f);
	size_t length = strlen(text), whole = 0;

	for (size_t cut = 0; cut <= length; cut++) {
		struct error error = {0};
		struct fixture own = *f;
		struct journal journal;

		if (cut && text[cut - 1] == '\n')
			whole = cut;
		arena_init(&own.arena);
		if (parse_bytes(&own, text, cut, &journal, &error) < 0)
			fail_msg("cut at %zu: %s", cut, error.msg);
		assert_int_equal(cut != whole || cut == 0, journal.torn);
		assert_int_equal(whole, journal.length);
		assert_non_null(journal.header.boot_id);
		arena_done(&own.arena);
	}
}

static void empty_file_is_a_torn_one(void **state)
{
	struct fixture *f = *state;
	struct journal journal;

	assert_int_equal(0, parse_bytes(f, NULL, 0, &journal, NULL));
	assert_true(journal.torn);
	assert_false(journal.any_begun);
	assert_string_equal("", journal.header.id);
	assert_int_equal(0, journal.plan.nsteps);
	/* reserved space of a file system that lost power */
	assert_int_equal(0, parse_bytes(f, "\0\0\0\0", 4, &journal, NULL));
	assert_true(journal.torn);
}

static void refused(struct fixture *f, const char *text, const char *message)
{
	struct journal journal;
	struct error error = {0};

	assert_int_equal(-EINVAL, parse(f, text, &journal, &error));
	assert_int_equal(ERROR_DATA, error.kind);
	if (!strstr(error.msg, message))
		fail_msg("\"%s\" is not in \"%s\"", message, error.msg);
}

static void damage_in_the_middle_is_an_error(void **state)
{
	struct fixture *f = *state;
	char *text = (char *)life(f);

	*strchr(strchr(text, '\n') + 1, '[') = '(';
	refused(f, text, "line 2: ");
	refused(f, "\n", "line 1: ");
	refused(f, "{}\n", "line 1: no record");
	refused(f, "{\"record\": \"links\", \"links\": []}\n", "line 1: no journal of nettune");
	refused(f, arena_printf(&f->arena, "%s%s", begin(f), "{}\n"), "line 6: no record");
}

/* The journal with `to` in place of the first `from`. */
static const char *changed(struct fixture *f, const char *text, const char *from, const char *to)
{
	const char *place = strstr(text, from);

	if (!place)
		fail_msg("no %s", from);
	return arena_printf(
		&f->arena, "%.*s%s%s", (int)(place - text), text, to, place + strlen(from));
}

static void newer_journals_are_refused(void **state)
{
	struct fixture *f = *state;

	refused(f, changed(f, begin(f), "nettune-journal/1", "nettune-journal/2"),
		"line 1: nettune-journal/2 was written by a newer nettune");
	refused(f, changed(f, begin(f), "nettune-journal/1", "other/1"), "line 1: no journal");
	refused(f, changed(f, begin(f), "\"kind\":\"rings\"", "\"kind\":\"pause\""),
		"line 4: unknown kind \"pause\"");
	refused(f, changed(f, begin(f), "\"key\":\"flows\"", "\"key\":\"speed\""),
		"line 4: unknown setting \"rps.speed\"");
	refused(f, changed(f, begin(f), "\"ifindex\"", "\"color\":1,\"ifindex\""), "line 2: ");
	refused(f, changed(f, begin(f), "\"cause\"", "\"because\""), "line 4: ");
	refused(f, changed(f, begin(f), "\"record\":\"state\"", "\"record\":\"stats\""),
		"line 5: unknown record \"stats\"");
}

static void nonsense_is_refused(void **state)
{
	static const struct {
		const char *from, *to, *message;
	} cases[] = {
		{"[\"number\",\"512\"]", "[\"number\",\"x\"]", "line 4: \"x\" is no number"},
		{"[\"number\",\"512\"]", "[\"number\"]", "line 4: "},
		{"[\"number\",\"512\"]", "[\"none\",\"1\"]", "line 4: \"1\" is no none"},
		{"[\"number\",\"512\"]", "[\"float\",\"1\"]", "line 4: unknown type"},
		{"[\"number\",\"512\"]", "512", "line 4: "},
		{"\"link\":0", "\"link\":2", "line 4: there is no link 2"},
		{"\"link\":0", "\"link\":-2", "line 4: there is no link -2"},
		{"\"index\":65535", "\"index\":65536", "line 4: index 65536"},
		{"\"part\":\"rx\"", "\"part\":\"left\"", "line 4: unknown part"},
		{"\"carried\"", "\"lifted\"", "line 4: unknown origin"},
		{"\"interrupts\":\"link\"", "\"interrupts\":\"all\"", "line 4: unknown interr"},
		{"[2,2]", "[1,2]", "line 4: step 2 does not follow"},
		{"[2,2]", "[2,3]", "line 4: step 2 does not follow"},
		{"[2,2]", "[2,1]", "line 4: changes without a step"},
		{"\"steps\":[", "\"steps\":0,\"x\":[", "line 4: "},
		{"\"unsupported\"", "\"unknown\"", "line 4: unknown verdict"},
		{"\"read-only\"", "\"iffy\"", "line 5: unknown support"},
		{"52:54:00:12:34:fe", "52:54:00:12:34:f", "line 2: "},
		{"52:54:00:12:34:fe", "52:54:00:12:34:zz", "line 2: "},
		{"\\\\xff", "\\\\xfg", "bad escape"},
		{"\\\\xff", "\\\\y", "bad escape"},
		{"\\\\xff", "\\\\x00", "bad escape"},
		{"\"18446744073709551615\"", "\"-1\"", "line 1: \"-1\" is no network namespace"},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		refused(f, changed(f, begin(f), cases[i].from, cases[i].to), cases[i].message);
}

static void records_have_their_places(void **state)
{
	struct fixture *f = *state;
	const char *head = add(f, "", journal_header_line(&header));
	const char *step = add(f, "", journal_step_line(3, 0));

	refused(f, add(f, head, journal_step_line(0, 0)), "line 2: a step record out of place");
	refused(f, add(f, head, journal_header_line(&header)), "line 2: a second header");
	refused(f, add(f, head, journal_plan_line(&f->plan, links, 2)), "line 2: a plan record");
	refused(f, add(f, begin(f), journal_plan_line(&f->plan, links, 2)),
		"line 6: a second plan");
	refused(f, arena_printf(&f->arena, "%s%s", begin(f), step), "line 6: there is no step 3");
	refused(f,
		changed(f, life(f), "\"changes\":[{\"observed\"", "\"changes\":[{},{\"observed\""),
		"results of 1 changes");
	refused(f, changed(f, life(f), "\"class\":\"gone\"", "\"class\":\"here\""),
		"unknown class");
}

/* A rollback may have to do with links that came later. */
static void further_links_come_behind_the_first(void **state)
{
	struct fixture *f = *state;
	const struct link late = {.ifindex = 77, .name = "late"};
	const struct journal_link more = {.ifindex = 77, .name = "late", .link = &late};
	struct journal journal = parsed(f, add(f, life(f), journal_links_line(&more, 1)));

	assert_int_equal(ARRAY_SIZE(links) + 1, journal.nlinks);
	assert_string_equal(links[0].name, journal.links[0].name);
	assert_string_equal("late", journal.links[ARRAY_SIZE(links)].name);
}

static void lines_are_of_ascii(void **state)
{
	struct fixture *f = *state;
	const char *text = life(f);

	for (; *text; text++)
		assert_true(*text == '\n' || (*text >= ' ' && *text <= '~') || *text == 0x7f);
}

static void every_byte_comes_back(void **state)
{
	struct fixture *f = *state;
	struct journal_header all = header;
	struct journal journal;
	char bytes[256], text[3] = {0};

	for (unsigned i = 0; i < 255; i++)
		bytes[i] = (char)(i + 1);
	bytes[255] = '\0';
	all.command = bytes;
	journal = parsed(f, add(f, "", journal_header_line(&all)));
	assert_string_equal(bytes, journal.header.command);
	all.command = text;
	for (unsigned i = 0; i < 0xffff; i++) {
		struct fixture own = *f;

		text[0] = (char)(0x80 | (i & 0x7f));
		text[1] = (char)(i >> 7);
		arena_init(&own.arena);
		if (i % 61 == 0) {
			journal = parsed(&own, add(&own, "", journal_header_line(&all)));
			assert_string_equal(text, journal.header.command);
		}
		arena_done(&own.arena);
	}
}

static void unknown_links_make_no_line(void **state)
{
	struct fixture *f = *state;

	assert_null(journal_plan_line(&f->plan, links, 1));
}

static void room_for_steps_is_enough(void **state)
{
	struct fixture *f = *state;
	size_t size = 0;

	for (unsigned round = 0; round < 4; round++) {
		for (uint32_t i = 0; i < f->plan.nsteps; i++) {
			char *step = journal_step_line(i, round), *done;

			for (uint32_t j = 0; j < f->plan.steps[i].n; j++) {
				struct change *change = &f->plan.v[f->plan.steps[i].first + j];

				change->observed = change->wanted;
				change->verdict = VERDICT_UNSUPPORTED;
			}
			f->plan.v[f->plan.steps[i].first].err = EOPNOTSUPP;
			f->plan.v[f->plan.steps[i].first].error =
				"Operation not supported: the kernel said something long about it";
			done = journal_done_line(&f->plan, i, round, EOPNOTSUPP);
			size += strlen(step) + strlen(done);
			free(step);
			free(done);
		}
	}
	assert_in_range(journal_steps_size(&f->plan), size, 64 * 1024);
}

static int allocations_left;

static void *failing_malloc(size_t size)
{
	return allocations_left-- > 0 ? malloc(size) : NULL;
}

/* Every allocation of JSON fails once: no line, or the same line; no journal, or the same. */
static void memory_may_run_out(void **state)
{
	struct fixture *f = *state;
	struct journal_rollback rollback = make_rollback(f);
	const char *text = life(f);
	char *line = NULL;
	int r = -ENOMEM;

	json_set_alloc_funcs(failing_malloc, free);
	for (int n = 0; !line; n++) {
		allocations_left = n;
		line = journal_rollback_line(&rollback, links, ARRAY_SIZE(links));
	}
	assert_non_null(strstr(text, line));
	free(line);
	for (int n = 0; r < 0; n += 7) {
		struct error error = {0};
		struct journal journal;

		allocations_left = n;
		r = parse(f, text, &journal, &error);
		assert_true(r == 0 || strlen(error.msg) > strlen("line 1: "));
	}
	json_set_alloc_funcs(malloc, free);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_come_back_as_they_were),
		TEST(header_and_links_have_their_fields),
		TEST(plan_needs_no_wishes),
		TEST(snapshot_has_values_support_and_active_bits),
		TEST(steps_and_results_are_read),
		TEST(rollback_has_its_own_steps_and_outcome),
		TEST(outcome_of_a_put_back_is_the_transactions),
		TEST(links_that_are_gone_get_a_stand_in),
		TEST(file_may_end_anywhere),
		TEST(empty_file_is_a_torn_one),
		TEST(damage_in_the_middle_is_an_error),
		TEST(newer_journals_are_refused),
		TEST(nonsense_is_refused),
		TEST(records_have_their_places),
		TEST(further_links_come_behind_the_first),
		TEST(lines_are_of_ascii),
		TEST(every_byte_comes_back),
		TEST(unknown_links_make_no_line),
		TEST(room_for_steps_is_enough),
		TEST(memory_may_run_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
