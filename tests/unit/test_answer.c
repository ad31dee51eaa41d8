/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers of drivers: whose they are, what a plan makes of them, what a plan that was applied has
 * taught, and the file that keeps them.
 */
#include "core/answer.h"
#include "engine/answers.h"
#include "format/answers.h"
#include "kinds/registry.h"
#include "unit/test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct arena arena;
static struct host host;
static struct link tap, *links[] = {&tap};
static struct state live;
static struct answers answers;
static struct desired desired;
static struct plan plan;
static struct diags diags;
static struct wish wishes[8];
static size_t nwishes;

static int setup(void **unused)
{
	arena_init(&arena);
	tap = (struct link){
		.ifindex = 3, .name = "tap0", .type = "tun", .driver = "tun", .up = true};
	host = (struct host){.kernel = "6.12.95", .links = links, .nlinks = 1};
	live = (struct state){.arena = &arena};
	answers = (struct answers){.arena = &arena};
	desired = (struct desired){.arena = &arena};
	diags = (struct diags){.arena = &arena};
	nwishes = 0;
	return 0;
}

static int teardown(void **unused)
{
	arena_done(&arena);
	return 0;
}

static struct address address(const char *key)
{
	return (struct address){.kind = &kind_coalesce, .target.link = &tap, .key = key};
}

static void is(const char *key, struct value value)
{
	const struct observed o = {.at = address(key), .value = value, .support = SUPPORT_SETTABLE};

	assert_int_equal(state_put(&live, &o), 0);
}

static struct value number(uint64_t n)
{
	return value_number(&arena, n);
}

static struct wish *want(const char *key, const char *text)
{
	struct expr *expr = ARENA_NEW(&arena, struct expr);
	struct wish *wish = &wishes[nwishes++];

	assert_non_null(expr);
	*expr = (struct expr){.op = EXPR_LITERAL, .value = value_words(&arena, text)};
	*wish = (struct wish){.kind = &kind_coalesce, .key = key, .value = expr};
	assert_int_equal(desired_add(&desired, &(struct pair){.link = &tap, .wish = wish}), 0);
	return wish;
}

static void know(const char *key, struct value asked, struct value got, enum verdict verdict,
	const char *modes)
{
	const struct address at = address(key);
	struct answer answer = answer_question(&arena, &host, &at, &asked, modes);

	answer.got = got;
	answer.verdict = verdict;
	assert_int_equal(answers_put(&answers, &answer), 0);
}

static void make_plan(void)
{
	const struct plan_input input = {
		.host = &host,
		.kinds = kinds,
		.live = &live,
		.desired = &desired,
		.answers = &answers,
	};

	plan_init(&plan, &arena);
	diags.n = 0;
	assert_int_equal(plan_build(&input, &plan, &diags), 0);
}

static void an_answer_is_of_one_question(void **unused)
{
	const struct address frames = address("rx-frames"), usecs = address("rx-usecs");
	const struct value asked = number(1000), other = number(1001);
	struct answer question = answer_question(&arena, &host, &frames, &asked, "");
	struct host newer = host;
	struct link igb = tap, twin;

	know("rx-frames", asked, number(64), VERDICT_CLAMPED, "");
	assert_non_null(answers_find(&answers, &question));
	assert_string_equal(answers_find(&answers, &question)->got.text, "64");
	question = answer_question(&arena, &host, &usecs, &asked, "");
	assert_null(answers_find(&answers, &question));
	question = answer_question(&arena, &host, &frames, &other, "");
	assert_null(answers_find(&answers, &question));
	question = answer_question(&arena, &host, &frames, &asked, "adaptive-rx=on");
	assert_null(answers_find(&answers, &question));
	newer.kernel = "6.13.0";
	question = answer_question(&arena, &newer, &frames, &asked, "");
	assert_null(answers_find(&answers, &question));
	igb.driver = "igb";
	question = answer_question(&arena, &host,
		&(struct address){.kind = &kind_coalesce, .target.link = &igb, .key = "rx-frames"},
		&asked, "");
	assert_null(answers_find(&answers, &question));
	twin = tap;
	twin.name = "tap1";
	question = answer_question(&arena, &host,
		&(struct address){.kind = &kind_coalesce, .target.link = &twin, .key = "rx-frames"},
		&asked, "");
	assert_null(answers_find(&answers, &question));
}

static void a_device_is_known_by_what_lasts(void **unused)
{
	struct link nic = {.name = "eth0",
		.type = "physical",
		.bus = "0000:00:03.0",
		.mac = {2, 0, 0, 0, 0, 1},
		.perm_mac = {2, 0, 0, 0, 0, 2}};

	assert_string_equal(answer_device(&arena, &nic), "0000:00:03.0");
	nic.bus = NULL;
	assert_string_equal(answer_device(&arena, &nic), "02:00:00:00:00:02");
	memset(nic.perm_mac, 0, sizeof(nic.perm_mac));
	assert_string_equal(answer_device(&arena, &nic), "02:00:00:00:00:01");
	assert_string_equal(answer_device(&arena, &tap), "tun:tap0");
	assert_string_equal(answer_device(&arena, NULL), "");
}

static void the_newest_answer_counts(void **unused)
{
	const struct address frames = address("rx-frames");
	const struct value asked = number(1000);
	const struct answer question = answer_question(&arena, &host, &frames, &asked, "");

	know("rx-frames", asked, number(64), VERDICT_CLAMPED, "");
	know("rx-usecs", asked, number(9), VERDICT_CLAMPED, "");
	know("rx-frames", asked, number(32), VERDICT_CLAMPED, "");
	assert_int_equal(answers.n, 2);
	assert_string_equal(answers_find(&answers, &question)->got.text, "32");
	assert_ptr_equal(answers_find(&answers, &question), &answers.v[1]);
}

static void rounded_and_live_is_unchanged(void **unused)
{
	is("rx-frames", number(64));
	want("rx-frames", "1000");
	make_plan();
	assert_int_equal(plan.n, 1);
	know("rx-frames", number(1000), number(64), VERDICT_CLAMPED, "");
	make_plan();
	assert_int_equal(plan.n, 0);
	assert_int_equal(plan.unchanged.n, 1);
	assert_string_equal(plan.unchanged.v[0].value.text, "1000");
	assert_string_equal(plan.unchanged.v[0].got.text, "64");
	assert_int_equal(plan.unchanged.v[0].verdict, VERDICT_CLAMPED);
}

static void rounded_and_not_live_is_predicted(void **unused)
{
	is("rx-frames", number(7));
	want("rx-frames", "1000");
	know("rx-frames", number(1000), number(64), VERDICT_CLAMPED, "");
	make_plan();
	assert_int_equal(plan.n, 1);
	assert_string_equal(plan.v[0].wanted.text, "1000");
	assert_string_equal(plan.v[0].after.text, "64");
}

static void exactly_so_needs_no_answer(void **unused)
{
	is("rx-frames", number(1000));
	want("rx-frames", "1000");
	know("rx-frames", number(1000), number(64), VERDICT_CLAMPED, "");
	make_plan();
	assert_int_equal(plan.n, 0);
	assert_int_equal(plan.unchanged.v[0].got.type, VALUE_NONE);
}

static void ignored_is_skipped_with_its_reason(void **unused)
{
	is("rx-frames", number(1));
	want("rx-frames", "16");
	know("rx-frames", number(16), number(1), VERDICT_IGNORED, "");
	make_plan();
	assert_int_equal(plan.n, 0);
	assert_int_equal(plan.skipped.n, 1);
	assert_int_equal(plan.skipped.v[0].verdict, VERDICT_IGNORED);
	assert_string_equal(plan.skipped.v[0].wanted, "16");
	assert_string_equal(plan.skipped.v[0].reason,
		"tun takes it without effect (stays 1), as seen on Linux 6.12.95");
}

/* Where it stayed then says nothing of a value that is another one now. */
static void ignored_elsewhere_is_asked_again(void **unused)
{
	is("rx-frames", number(2));
	want("rx-frames", "16");
	know("rx-frames", number(16), number(1), VERDICT_IGNORED, "");
	make_plan();
	assert_int_equal(plan.n, 1);
	assert_string_equal(plan.v[0].after.text, "16");
}

static void what_must_not_fail_is_an_error(void **unused)
{
	static const enum verdict verdicts[] = {
		VERDICT_IGNORED, VERDICT_UNSUPPORTED, VERDICT_MANAGED};

	is("rx-frames", number(1));
	want("rx-frames", "16")->fail_unsupported = true;
	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++) {
		know("rx-frames", number(16), number(1), verdicts[i], "");
		make_plan();
		assert_int_equal(plan.n + plan.skipped.n, 0);
		assert_int_equal(diags.n, 1);
		assert_int_equal(diags.v[0].kind, ERROR_MISSING);
		assert_non_null(strstr(diags.v[0].text, "tap0/coalesce.rx-frames = 16: "));
	}
}

/* What the planner finds out is no less an error than what the kind leaves out itself. */
static void what_can_not_be_set_is_an_error_too(void **unused)
{
	static const struct expr all = {.op = EXPR_WORD, .name = "all"};
	const struct wish wish = {
		.kind = &kind_irq_affinity,
		.key = "spread",
		.value = &all,
		.fail_unsupported = true,
	};
	const struct observed managed = {
		.at = {.kind = &kind_irq_affinity,
			.target = {.link = &tap, .part = PART_RX},
			.key = "cpus"},
		.value = value_of_text(&arena, VALUE_RANGES, "0"),
		.support = SUPPORT_MANAGED,
		.note = "the kernel manages this interrupt",
	};

	cpuset_add(&host.online, 3);
	assert_int_equal(state_put(&live, &managed), 0);
	assert_int_equal(desired_add(&desired, &(struct pair){.link = &tap, .wish = &wish}), 0);
	make_plan();
	assert_int_equal(plan.n + plan.skipped.n, 0);
	assert_int_equal(diags.n, 1);
	assert_non_null(strstr(diags.v[0].text, "the kernel manages this interrupt"));
}

static void not_supported_whatever_is_live(void **unused)
{
	is("rx-frames", number(5));
	want("rx-frames", "16");
	know("rx-frames", number(16), number(0), VERDICT_UNSUPPORTED, "");
	make_plan();
	assert_int_equal(plan.n, 0);
	assert_int_equal(plan.skipped.v[0].verdict, VERDICT_UNSUPPORTED);
}

static void a_rollback_asks_nobody(void **unused)
{
	struct settings goals = {.arena = &arena};
	const struct setting goal = {.at = address("rx-frames"), .value = number(16)};
	const struct plan_input input = {
		.host = &host,
		.kinds = kinds,
		.live = &live,
		.goals = &goals,
		.answers = &answers,
	};

	is("rx-frames", number(1));
	know("rx-frames", number(16), number(1), VERDICT_IGNORED, "");
	assert_int_equal(settings_add(&goals, &goal), 0);
	plan_init(&plan, &arena);
	assert_int_equal(plan_build(&input, &plan, &diags), 0);
	assert_int_equal(plan.n, 1);
}

static void modes_are_the_other_ones(void **unused)
{
	const struct address frames = address("rx-frames"), adaptive = address("adaptive-rx");
	struct settings coming = {.arena = &arena};
	const struct setting on = {.at = address("adaptive-tx"), .value = value_bool(true)};

	is("rx-frames", number(1));
	is("adaptive-rx", value_bool(false));
	is("adaptive-tx", value_bool(false));
	assert_string_equal(
		answer_modes(&arena, &live, &frames, NULL), "adaptive-rx=off adaptive-tx=off");
	assert_string_equal(answer_modes(&arena, &live, &adaptive, NULL), "adaptive-tx=off");
	assert_int_equal(settings_add(&coming, &on), 0);
	assert_string_equal(answer_modes(&arena, &live, &adaptive, &coming), "adaptive-tx=on");
}

/* Ignored in one mode says nothing of another, also one that this very plan will set. */
static void a_planned_mode_counts(void **unused)
{
	is("rx-usecs-irq", number(0));
	is("adaptive-rx", value_bool(true));
	want("rx-usecs-irq", "8");
	know("rx-usecs-irq", number(8), number(0), VERDICT_IGNORED, "adaptive-rx=on");
	make_plan();
	assert_int_equal(plan.n, 0);
	want("adaptive-rx", "off");
	make_plan();
	assert_int_equal(plan.n, 2);
	assert_string_equal(plan.v[1].at.key, "rx-usecs-irq");
}

/* Both modes go over in one message, and both are ignored: so each was asked without the other. */
static void two_modes_that_are_ignored_stay_so(void **unused)
{
	is("adaptive-rx", value_bool(false));
	is("adaptive-tx", value_bool(false));
	want("adaptive-rx", "on");
	want("adaptive-tx", "on");
	know("adaptive-rx", value_bool(true), value_bool(false), VERDICT_IGNORED,
		"adaptive-tx=off");
	know("adaptive-tx", value_bool(true), value_bool(false), VERDICT_IGNORED,
		"adaptive-rx=off");
	make_plan();
	assert_int_equal(plan.n, 0);
	assert_int_equal(plan.skipped.n, 2);
	/* alone it was ignored; together with a mode that the driver takes, nobody knows */
	answers.n = 1;
	make_plan();
	assert_int_equal(plan.n, 2);
}

static struct change change_of(enum verdict verdict, uint64_t observed)
{
	static const struct wish wish;

	return (struct change){
		.at = address("rx-frames"),
		.before = number(1),
		.was = number(1),
		.wanted = number(1000),
		.after = number(1000),
		.observed = number(observed),
		.wish = &wish,
		.verdict = verdict,
	};
}

static size_t learnt(const struct change *change)
{
	struct change copy = *change;
	const struct plan one = {.v = &copy, .n = 1};

	answers.n = 0;
	assert_int_equal(answers_learn(&answers, &host, &one), 0);
	return answers.n;
}

static void only_news_is_learnt(void **unused)
{
	struct change change = change_of(VERDICT_CLAMPED, 64);

	change.modes = "adaptive-rx=off";
	assert_int_equal(learnt(&change), 1);
	assert_string_equal(answers.v[0].device, "tun:tap0");
	assert_string_equal(answers.v[0].kernel, "6.12.95");
	assert_string_equal(answers.v[0].modes, "adaptive-rx=off");
	assert_string_equal(answers.v[0].asked.text, "1000");
	assert_string_equal(answers.v[0].got.text, "64");
	assert_int_equal(answers.v[0].verdict, VERDICT_CLAMPED);
	change.after = number(64); /* as was expected */
	assert_int_equal(learnt(&change), 0);
	change = change_of(VERDICT_EXACT, 1000);
	assert_int_equal(learnt(&change), 0);
	change = change_of(VERDICT_REDUCED, 64); /* of the CPUs that are online now */
	assert_int_equal(learnt(&change), 0);
	change = change_of(VERDICT_IGNORED, 1);
	assert_int_equal(learnt(&change), 1);
	change.moot = true;
	assert_int_equal(learnt(&change), 0);
	change.moot = false;
	change.wish = NULL; /* carried */
	assert_int_equal(learnt(&change), 0);
	change = change_of(VERDICT_IGNORED, 1);
	change.was = value_none(); /* it was never written */
	assert_int_equal(learnt(&change), 0);
}

/* --- the file */

static char *file_of(const struct answer *answer)
{
	char *CLEANUP_FREE header = answers_header_line(), *CLEANUP_FREE line = answer_line(answer);
	char *text;

	assert_non_null(header);
	assert_non_null(line);
	assert_true(asprintf(&text, "%s%s", header, line) > 0);
	return text;
}

static void answers_come_back_as_they_were(void **unused)
{
	const struct value cpus = value_of_text(&arena, VALUE_RANGES, "0-3,8");
	const struct answer odd = {
		.driver = "",
		.device = "",
		.kernel = "6.1\\\xff \"x\"",
		.kind = "sysctl",
		.part = "",
		.key = "net.ipv4.conf.{interface}.x",
		.modes = "",
		.asked = number(7),
		.got = cpus,
		.verdict = VERDICT_ROUNDED,
	};
	const struct answer *read;
	struct error error;

	for (unsigned i = 0; i < 2; i++) {
		struct answer answer = odd;
		char *CLEANUP_FREE text = NULL;

		if (i) {
			answer.driver = "igb";
			answer.device = "0000:00:03.0";
			answer.part = "rx-3";
			answer.modes = "a=on b=off";
		}
		text = file_of(&answer);
		answers.n = 0;
		assert_int_equal(answers_parse(text, strlen(text), &answers, &error), 0);
		assert_int_equal(answers.n, 1);
		read = answers_find(&answers, &answer);
		assert_non_null(read);
		assert_true(value_equal(&read->got, &cpus));
		assert_int_equal(read->verdict, VERDICT_ROUNDED);
	}
}

#define HEADER  "{\"format\":\"nettune-answers/1\"}\n"
#define MEMBERS "\"kernel\":\"6\",\"kind\":\"rings\",\"key\":\"rx\""
#define VALUES  ",\"asked\":[\"number\",\"1\"],\"got\":[\"number\",\"2\"]"

static void damage_is_told_with_its_line(void **unused)
{
	static const struct {
		const char *text, *message;
	} files[] = {
		{"", "line 1: is empty"},
		{"x\n", "line 1: "},
		{"{}\n", "line 1: no \"format\""},
		{"{\"format\":\"nettune-journal/1\"}\n", "line 1: format \"nettune-journal/1\""},
		{"{\"format\":\"nettune-answers/2\"}\n", "wanted \"nettune-answers/1\""},
		{HEADER "{\n", "line 2: "},
		{HEADER "7\n", "line 2: "},
		{HEADER "[]\n", "line 2: is no answer"},
		{HEADER "{" MEMBERS VALUES ",\"verdict\":\"rounded\"}", "line 2: is cut"},
		{HEADER "{" MEMBERS VALUES ",\"verdict\":\"exact\"}\n", "line 2: is no answer"},
		{HEADER "{" MEMBERS VALUES ",\"verdict\":\"odd\"}\n", "line 2: is no answer"},
		{HEADER "{" MEMBERS VALUES ",\"verdict\":\"rounded\",\"x\":1}\n", "line 2: is no"},
		{HEADER "{" MEMBERS ",\"asked\":[\"number\",\"1\"],\"got\":[\"number\",\"x\"],"
			"\"verdict\":\"rounded\"}\n",
			"line 2: is no answer"},
		{HEADER "{" MEMBERS ",\"asked\":[\"none\",\"\"],\"got\":[\"number\",\"1\"],"
			"\"verdict\":\"rounded\"}\n",
			"line 2: is no answer"},
		{HEADER "{" MEMBERS VALUES ",\"verdict\":\"rounded\"}\nx\n", "line 3: "},
		{HEADER "{\"driver\":\"\\\\q\"," MEMBERS VALUES ",\"verdict\":\"rounded\"}\n",
			"line 2: is no answer"},
	};
	struct error error;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *text = files[i].text;

		assert_int_equal(answers_parse(text, strlen(text), &answers, &error), -EINVAL);
		assert_int_equal(answers.n, 0);
		if (!strstr(error.msg, files[i].message))
			fail_msg("%zu: %s", i, error.msg);
	}
}

static char state_dir[32];

static struct run *open_run(const struct options *options)
{
	static struct run run;

	run = (struct run){
		.options = options, .host = host, .arena = &arena, .answers.arena = &arena};
	return &run;
}

static struct plan plan_with(struct change *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		v[i] = change_of(VERDICT_CLAMPED, 64);
		v[i].wanted = v[i].after = number(1000 + i);
	}
	return (struct plan){.v = v, .n = n};
}

static void make_state_dir(void)
{
	char name[64];

	strcpy(state_dir, "/tmp/nettune-answers.XXXXXX");
	assert_non_null(mkdtemp(state_dir));
	snprintf(name, sizeof(name), "%s/journal", state_dir);
	assert_int_equal(mkdir(name, 0700), 0);
}

static void remove_state_dir(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", state_dir);
	assert_int_equal(system(command), 0);
}

static void the_oldest_are_forgotten(void **unused)
{
	enum { MANY = ANSWERS_MOST + 3 };
	struct change *v = calloc(MANY, sizeof(*v));
	const struct options options = {.state_dir = state_dir};
	struct run *run = open_run(&options);
	struct plan many, one;

	make_state_dir();
	assert_non_null(v);
	many = plan_with(v, MANY);
	answers_save(run, &many, &diags);
	assert_int_equal(diags.n, 0);
	answers_load(run, &diags);
	assert_int_equal(diags.n, 0);
	assert_int_equal(run->answers.n, ANSWERS_MOST);
	assert_string_equal(run->answers.v[0].asked.text, "1003");
	/* asked again, it is the newest */
	one = (struct plan){.v = &v[3], .n = 1};
	answers_save(run, &one, &diags);
	answers_load(run, &diags);
	assert_string_equal(run->answers.v[0].asked.text, "1004");
	assert_string_equal(run->answers.v[ANSWERS_MOST - 1].asked.text, "1003");
	free(v);
	remove_state_dir();
}

static void what_others_have_added_stays(void **unused)
{
	const struct options options = {.state_dir = state_dir};
	struct change v[2];
	struct plan both = plan_with(v, 2), first = {.v = v, .n = 1}, second = {.v = v + 1, .n = 1};
	struct run *run = open_run(&options);

	make_state_dir();
	assert_int_equal(both.n, 2);
	answers_load(run, &diags);
	answers_save(run, &first, &diags);
	run = open_run(&options); /* knows nothing of the first */
	answers_save(run, &second, &diags);
	answers_load(run, &diags);
	assert_int_equal(run->answers.n, 2);
	assert_int_equal(diags.n, 0);
	remove_state_dir();
}

static void without_a_file_nothing_is_known(void **unused)
{
	const struct options options = {.state_dir = "/nonexistent/state"};
	struct run *run = open_run(&options);
	struct change v[1];
	struct plan one = plan_with(v, 1), nothing = {.n = 0};

	answers_load(run, &diags);
	assert_int_equal(run->answers.n, 0);
	answers_save(run, &nothing, &diags);
	assert_int_equal(diags.n, 0);
	answers_save(run, &one, &diags);
	assert_int_equal(diags.n, 1);
	assert_int_equal(diags.v[0].severity, SEVERITY_WARNING);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_answer_is_of_one_question),
		TEST(a_device_is_known_by_what_lasts),
		TEST(the_newest_answer_counts),
		TEST(rounded_and_live_is_unchanged),
		TEST(rounded_and_not_live_is_predicted),
		TEST(exactly_so_needs_no_answer),
		TEST(ignored_is_skipped_with_its_reason),
		TEST(ignored_elsewhere_is_asked_again),
		TEST(what_must_not_fail_is_an_error),
		TEST(what_can_not_be_set_is_an_error_too),
		TEST(not_supported_whatever_is_live),
		TEST(a_rollback_asks_nobody),
		TEST(modes_are_the_other_ones),
		TEST(a_planned_mode_counts),
		TEST(two_modes_that_are_ignored_stay_so),
		TEST(only_news_is_learnt),
		TEST(answers_come_back_as_they_were),
		TEST(damage_is_told_with_its_line),
		TEST(the_oldest_are_forgotten),
		TEST(what_others_have_added_stays),
		TEST(without_a_file_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
