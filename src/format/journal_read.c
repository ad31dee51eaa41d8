/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal, read: line by line, each record by its row of a table. Every line is whole or the
 * last one; a process that died while it wrote leaves a last line without its newline, and whatever
 * that line was about to announce has not begun.
 */
#include "format/journal_read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int parse_failed(const struct parser *p, const char *format, ...)
{
	char text[sizeof(p->error->msg)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	error_set(p->error, ERROR_DATA, EINVAL, "%s", text);
	return -EINVAL;
}

/* jansson has no text for running out of memory in the middle of a value. */
static int json_failed(const struct parser *p, const json_error_t *error)
{
	return parse_failed(p, "%s", *error->text ? error->text : "out of memory");
}

int parse_members(const struct parser *p, json_t *object, const char *format, ...)
{
	json_error_t error;
	va_list args;
	int r;

	va_start(args, format);
	r = json_vunpack_ex(object, &error, JSON_STRICT, format, args);
	va_end(args);
	return r < 0 ? json_failed(p, &error) : 0;
}

int parse_elements(const struct parser *p, json_t *array, size_t *ret)
{
	*ret = json_array_size(array);
	return json_is_array(array) ? 0 : parse_failed(p, "Expected array");
}

/* Room for one more in an array of the journal, whose capacity is not kept: few elements. */
void *parse_grown(const struct parser *p, const void *v, size_t n, size_t size)
{
	char *copy = arena_alloc(p->arena, (n + 1) * size);

	if (copy && n)
		memcpy(copy, v, n * size);
	return copy;
}

static int parse_plan_record(struct parser *p, json_t *record)
{
	struct journal *journal = p->journal;
	json_t *plan;
	int r;

	if (parse_members(p, record, "{s:o}", "plan", &plan) < 0)
		return -EINVAL;
	r = parse_plan(p, plan, &journal->plan);
	if (r < 0)
		return r;
	journal->begun = ARENA_ARRAY(p->arena, journal->plan.nsteps + 1, bool);
	return journal->begun ? 0 : -ENOMEM;
}

static int parse_state_record(struct parser *p, json_t *record)
{
	json_t *settings;

	if (parse_members(p, record, "{s:o}", "settings", &settings) < 0)
		return -EINVAL;
	return parse_state(p, settings, &p->journal->before);
}

static int parse_left_record(struct parser *p, json_t *record)
{
	json_t *settings;
	int r;

	if (parse_members(p, record, "{s:o}", "settings", &settings) < 0)
		return -EINVAL;
	r = parse_state(p, settings, &p->journal->left);
	p->journal->has_left = r == 0;
	return r;
}

/* The rollback that the records belong to now, or NULL: the transaction itself. */
static struct journal_rollback *rollback_of(const struct parser *p)
{
	struct journal *journal = p->journal;

	return journal->nrollbacks ? &journal->rollbacks[journal->nrollbacks - 1] : NULL;
}

static int parse_step_number(const struct parser *p, json_int_t step, json_int_t round)
{
	struct journal_rollback *rollback = rollback_of(p);
	size_t n = rollback ? rollback->plan.nsteps : p->journal->plan.nsteps;

	if (step < 0 || step >= (json_int_t)n)
		return parse_failed(p, "there is no step %" JSON_INTEGER_FORMAT, step);
	if (round < 0 || round > UINT8_MAX)
		return parse_failed(p, "there is no round %" JSON_INTEGER_FORMAT, round);
	return 0;
}

static int parse_step_record(struct parser *p, json_t *record)
{
	struct journal_rollback *rollback = rollback_of(p);
	json_int_t step, round;

	if (parse_members(p, record, "{s:I s:I}", "step", &step, "round", &round) < 0 ||
		parse_step_number(p, step, round) < 0)
		return -EINVAL;
	if (rollback) {
		rollback->begun = MAX(rollback->begun, (size_t)step + 1);
	} else {
		p->journal->begun[step] = true;
		p->journal->any_begun = true;
	}
	return 0;
}

static int parse_extra_record(struct parser *p, json_t *record)
{
	struct journal_rollback *rollback = rollback_of(p);
	struct change change;
	json_t *object;

	if (parse_members(p, record, "{s:o}", "change", &object) < 0 ||
		parse_change(p, object, &change) < 0)
		return -EINVAL;
	if (!rollback)
		p->journal->any_begun = true;
	return settings_add(rollback ? &rollback->extra : &p->journal->begun_extra,
		&(struct setting){.at = change.at, .value = change.wanted});
}

static int parse_done_record(struct parser *p, json_t *record)
{
	struct journal_rollback *rollback = rollback_of(p);
	struct plan *plan = rollback ? &rollback->plan : &p->journal->plan;
	json_int_t step, round, err;
	json_t *changes;

	if (parse_members(p, record, "{s:I s:I s:I s:o}", "step", &step, "round", &round, "errno",
		    &err, "changes", &changes) < 0 ||
		parse_step_number(p, step, round) < 0)
		return -EINVAL;
	return parse_results(p, changes, &plan->v[plan->steps[step].first], plan->steps[step].n);
}

static int parse_outcome_record(struct parser *p, json_t *record)
{
	struct journal_rollback *rollback = rollback_of(p);
	const char *encoded[2], *outcome, *time;

	if (parse_members(p, record, "{s:s s:s}", "outcome", &encoded[0], "time", &encoded[1]) <
			0 ||
		parse_text(p, encoded[0], &outcome) < 0 || parse_text(p, encoded[1], &time) < 0)
		return -EINVAL;
	if (rollback) {
		rollback->outcome = outcome;
		rollback->outcome_time = time;
	}
	if (!rollback || rollback->put_back) {
		p->journal->outcome = outcome;
		p->journal->outcome_time = time;
	}
	return 0;
}

static int parse_rollback_record(struct parser *p, json_t *record)
{
	struct journal *journal = p->journal;
	struct journal_rollback *all = parse_grown(
		p, journal->rollbacks, journal->nrollbacks, sizeof(*all));
	struct journal_rollback *rollback = all ? &all[journal->nrollbacks] : NULL;
	const char *time, *user = NULL, *command = NULL;
	json_t *classified, *plan;
	int force, put_back, r;

	if (!rollback)
		return -ENOMEM;
	rollback->extra.arena = p->arena;
	if (parse_members(p, record, "{s:s s?s s?s s:b s:b s:o s:o}", "time", &time, "user", &user,
		    "command", &command, "force", &force, "put_back", &put_back, "classified",
		    &classified, "plan", &plan) < 0 ||
		parse_text(p, time, &rollback->time) < 0 ||
		parse_text(p, user, &rollback->user) < 0 ||
		parse_text(p, command, &rollback->command) < 0)
		return -EINVAL;
	rollback->force = force;
	rollback->put_back = put_back;
	r = parse_classification(p, classified, &rollback->classified);
	if (r == 0)
		r = parse_plan(p, plan, &rollback->plan);
	journal->rollbacks = all;
	journal->nrollbacks++;
	return r;
}

static int parse_forget_record(struct parser *p, json_t *record)
{
	const char *time;

	p->journal->forgotten = true;
	return parse_members(p, record, "{s:s}", "time", &time);
}

#define BIT(type) (1u << (type))
#define BEGUN     (BIT(RECORD_LINKS) | BIT(RECORD_PLAN) | BIT(RECORD_STATE))

static const struct {
	const char *name;
	int (*parse)(struct parser *p, json_t *record);
	unsigned needs; /* bits of the records that stand before it */
	bool once;
} records[] = {
	[RECORD_HEADER] = {.name = "header", .parse = parse_header, .once = true},
	[RECORD_LINKS] = {.name = "links", .parse = parse_links},
	[RECORD_PROFILE] = {.name = "profile", .parse = parse_profile},
	[RECORD_PLAN] = {.name = "plan",
		.parse = parse_plan_record,
		.needs = BIT(RECORD_LINKS),
		.once = true},
	[RECORD_STATE] = {.name = "state",
		.parse = parse_state_record,
		.needs = BIT(RECORD_LINKS),
		.once = true},
	[RECORD_STEP] = {.name = "step", .parse = parse_step_record, .needs = BEGUN},
	[RECORD_EXTRA] = {.name = "extra", .parse = parse_extra_record, .needs = BEGUN},
	[RECORD_DONE] = {.name = "done", .parse = parse_done_record, .needs = BEGUN},
	[RECORD_LEFT] = {.name = "left", .parse = parse_left_record, .needs = BEGUN},
	[RECORD_OUTCOME] = {.name = "outcome", .parse = parse_outcome_record, .needs = BEGUN},
	[RECORD_ROLLBACK] = {.name = "rollback", .parse = parse_rollback_record, .needs = BEGUN},
	[RECORD_FORGET] = {.name = "forget", .parse = parse_forget_record},
};
_Static_assert(ARRAY_SIZE(records) == RECORD_MAX, "a row for each record");

static int parse_place(const struct parser *p, enum record_type type)
{
	if ((type == RECORD_HEADER) != (p->seen == 0))
		return parse_failed(p, "%s", p->seen ? "a second header" : "no header");
	if (records[type].once && p->seen & BIT(type))
		return parse_failed(p, "a second %s record", records[type].name);
	if (records[type].needs & ~p->seen)
		return parse_failed(p, "a %s record out of place", records[type].name);
	return 0;
}

static int parse_record(struct parser *p, json_t *record)
{
	const char *name = json_string_value(json_object_get(record, "record"));
	enum record_type type = RECORD_HEADER;
	int r;

	if (!name)
		return parse_failed(p, "no record of a journal");
	while (type < RECORD_MAX && strcmp(records[type].name, name) != 0)
		type++;
	if (p->seen == 0 && type != RECORD_HEADER)
		return parse_failed(p, "no journal of nettune (" JOURNAL_FORMAT ")");
	if (type == RECORD_MAX)
		return parse_failed(p, "unknown record \"%s\"", name);
	r = parse_place(p, type);
	if (r < 0)
		return r;
	p->seen |= BIT(type);
	json_object_del(record, "record"); /* the others are then all the members there are */
	return records[type].parse(p, record);
}

static int parse_line(struct parser *p, const char *line, size_t length)
{
	json_error_t error;
	json_t *record CLEANUP_JSON = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);

	if (!record)
		return json_failed(p, &error);
	return parse_record(p, record);
}

int journal_parse(const struct journal_reader *reader, const char *text, size_t length,
	struct journal *ret, struct error *error)
{
	struct error unasked;
	struct parser p = {
		.reader = reader,
		.journal = ret,
		.arena = reader->arena,
		.error = error ? error : &unasked,
	};
	const char *end, *newline;
	size_t line = 0;
	int r = 0;

	*ret = (struct journal){
		.header = {.id = "",
			.boot_id = "",
			.version = "",
			.user = "",
			.command = "",
			.time = "",
			.host = ""},
		.before.arena = p.arena,
		.left.arena = p.arena,
		.begun_extra.arena = p.arena,
	};
	plan_init(&ret->plan, p.arena);
	if (!length)
		text = "";
	end = text + length;
	for (; r == 0 && (newline = memchr(text, '\n', (size_t)(end - text))); text = newline + 1) {
		line++;
		r = parse_line(&p, text, (size_t)(newline - text));
		ret->length += (size_t)(newline + 1 - text);
	}
	ret->torn = text != end || length == 0;
	if (r == 0 && arena_failed(p.arena))
		r = -ENOMEM;
	if (r == -ENOMEM)
		return error_set(error, ERROR_FAILED, ENOMEM, "journal: out of memory");
	return r < 0 ? error_prefix(p.error, "line %zu", line) : 0;
}
