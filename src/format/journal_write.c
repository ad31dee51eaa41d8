/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal's lines, written: each record is one JSON object in one line. What is usual is left
 * out (no link: the host; no part: the whole; no interrupts: none). Limits and IRQ numbers are
 * read anew when they are needed and never stored.
 */
#include "format/journal.h"
#include "format/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS_MAX      4    /* one, and three of repair */
#define LINE_SIZE       160  /* of a STEP line, or of a DONE line without its changes */
#define ENTRY_SIZE      80   /* of one change in a DONE line, without the texts */
#define ERROR_SIZE      1024 /* for the kernel's texts of one step */
#define OUTCOME_RESERVE 4096 /* outcome, and slack for a put-back's header */

struct links {
	const struct journal_link *v;
	size_t n;
};

static const char *const part_names[] = {
	[PART_WHOLE] = "whole",
	[PART_RX] = "rx",
	[PART_TX] = "tx",
	[PART_RXTX] = "rxtx",
	[PART_OTHER] = "other",
};
_Static_assert(ARRAY_SIZE(part_names) == PART_MAX, "a name for each part");

static const char *const class_names[] = {
	[CLASS_RESTORE] = "restore",
	[CLASS_STAYS] = "stays",
	[CLASS_CONFLICT] = "conflict",
	[CLASS_FOREIGN] = "foreign",
	[CLASS_GONE] = "gone",
	[CLASS_KEPT] = "kept",
};
_Static_assert(ARRAY_SIZE(class_names) == CLASS_MAX, "a name for each class");

const char *part_name(enum part part)
{
	return part_names[part];
}

const char *class_name(enum class class)
{
	return class_names[class];
}

static json_t *record(const char *name)
{
	return json_with(json_object(), "record", json_string(name));
}

static json_t *with_text(json_t *object, const char *key, const char *text)
{
	return json_with(object, key, text_to_json(text));
}

static json_t *with_optional(json_t *object, const char *key, const char *text)
{
	return text ? with_text(object, key, text) : object;
}

static json_t *with_number(json_t *object, const char *key, json_int_t number)
{
	return json_with(object, key, json_integer(number));
}

static json_t *value_json(const struct value *value)
{
	return json_append(json_append(json_array(), json_string(value_type_name(value->type))),
		text_to_json(value->text));
}

static json_t *with_value(json_t *object, const char *key, const struct value *value)
{
	if (value->type == VALUE_NONE)
		return object;
	return json_with(object, key, value_json(value));
}

/* NULL for a link that is not in the list, which is a mistake of the caller. */
static json_t *link_json(const struct link *link, const struct links *links)
{
	for (size_t i = 0; i < links->n; i++) {
		if (links->v[i].link == link)
			return json_integer((json_int_t)i);
	}
	return NULL;
}

static json_t *address_json(const struct address *at, const struct links *links)
{
	json_t *object = json_object();

	if (at->target.link)
		object = json_with(object, "link", link_json(at->target.link, links));
	object = json_with(object, "kind", json_string(at->kind->name));
	if (at->target.part != PART_WHOLE) {
		object = json_with(object, "part", json_string(part_name(at->target.part)));
		object = with_number(object, "index", at->target.index);
	}
	return with_text(object, "key", at->key);
}

static json_t *change_json(const struct change *change, const struct links *links)
{
	json_t *object = with_value(address_json(&change->at, links), "before", &change->before);

	object = with_value(object, "wanted", &change->wanted);
	object = with_value(object, "after", &change->after);
	object = json_with(object, "origin", json_string(origin_name(change->origin)));
	object = with_optional(object, "cause", change->cause);
	if (change->interrupts != INTERRUPTS_NONE)
		object = json_with(
			object, "interrupts", json_string(interrupts_name(change->interrupts)));
	return object;
}

static json_t *settings_json(const struct settings *settings, const struct links *links)
{
	json_t *array = json_array();

	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *s = &settings->v[i];

		json_t *object = with_value(address_json(&s->at, links), "value", &s->value);

		object = with_value(object, "got", &s->got);
		if (s->verdict != VERDICT_NONE)
			object = json_with(
				object, "verdict", json_string(verdict_name(s->verdict)));
		array = json_append(array, object);
	}
	return array;
}

static json_t *skips_json(const struct skips *skips, const struct links *links)
{
	json_t *array = json_array();

	for (size_t i = 0; i < skips->n; i++) {
		const struct skip *skip = &skips->v[i];
		json_t *object = address_json(&skip->at, links);

		object = with_optional(object, "wanted", skip->wanted);
		object = json_with(object, "verdict", json_string(verdict_name(skip->verdict)));
		array = json_append(array, with_optional(object, "reason", skip->reason));
	}
	return array;
}

static json_t *steps_json(const struct plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->nsteps; i++) {
		const struct step *step = &plan->steps[i];
		json_t *pair = json_append(json_array(), json_integer(step->first));

		array = json_append(array, json_append(pair, json_integer(step->n)));
	}
	return array;
}

static json_t *plan_json(const struct plan *plan, const struct links *links)
{
	json_t *object = json_object(), *changes = json_array();

	for (size_t i = 0; i < plan->n; i++)
		changes = json_append(changes, change_json(&plan->v[i], links));
	object = json_with(object, "changes", changes);
	object = json_with(object, "steps", steps_json(plan));
	object = json_with(object, "unchanged", settings_json(&plan->unchanged, links));
	object = json_with(object, "skipped", skips_json(&plan->skipped, links));
	object = json_with(object, "lost", settings_json(&plan->lost, links));
	return json_with(object, "fresh", settings_json(&plan->fresh, links));
}

char *journal_header_line(const struct journal_header *header)
{
	char netns[24];
	json_t *object = with_text(record("header"), "format", JOURNAL_FORMAT);

	snprintf(netns, sizeof(netns), "%" PRIu64, header->netns); /* JSON has 53 bits */
	object = with_text(object, "id", header->id);
	object = with_text(object, "time", header->time);
	object = with_text(object, "host", header->host);
	object = with_text(object, "boot_id", header->boot_id);
	object = with_text(object, "namespace", netns);
	object = with_text(object, "version", header->version);
	object = with_text(object, "user", header->user);
	return json_to_line(with_text(object, "command", header->command));
}

static json_t *journal_link_json(const struct journal_link *link)
{
	static const uint8_t none[6];
	const uint8_t *mac = link->perm_mac;
	json_t *object = with_number(json_object(), "ifindex", link->ifindex);

	object = with_text(object, "name", link->name);
	object = with_optional(object, "driver", link->driver);
	object = with_optional(object, "bus", link->bus);
	if (memcmp(mac, none, sizeof(none)) != 0)
		object = json_with(object, "mac",
			json_sprintf("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
				mac[3], mac[4], mac[5]));
	return object;
}

char *journal_links_line(const struct journal_link *v, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		array = json_append(array, journal_link_json(&v[i]));
	return json_to_line(json_with(record("links"), "links", array));
}

char *journal_profile_line(const struct journal_profile *profile)
{
	json_t *object = with_text(record("profile"), "name", profile->name);

	object = with_number(object, "version", profile->version);
	object = with_optional(object, "path", profile->path);
	object = with_text(object, "sha256", profile->sha256);
	return json_to_line(with_text(object, "source", profile->source));
}

char *journal_plan_line(const struct plan *plan, const struct journal_link *links, size_t nlinks)
{
	const struct links all = {.v = links, .n = nlinks};

	return json_to_line(json_with(record("plan"), "plan", plan_json(plan, &all)));
}

char *journal_state_line(enum record_type type, const struct state *state,
	const struct journal_link *links, size_t nlinks)
{
	const struct links all = {.v = links, .n = nlinks};
	json_t *array = json_array();

	for (size_t i = 0; i < state->n; i++) {
		const struct observed *o = &state->v[i];
		json_t *object = with_value(address_json(&o->at, &all), "value", &o->value);

		object = with_value(object, "active", &o->active);
		if (o->support != SUPPORT_SETTABLE)
			object = json_with(
				object, "support", json_string(support_name(o->support)));
		array = json_append(array, object);
	}
	return json_to_line(
		json_with(record(type == RECORD_LEFT ? "left" : "state"), "settings", array));
}

static json_t *step_record(const char *name, uint32_t step, unsigned round)
{
	return with_number(with_number(record(name), "step", step), "round", round);
}

char *journal_step_line(uint32_t step, unsigned round)
{
	return json_to_line(step_record("step", step, round));
}

static json_t *result_json(const struct change *change)
{
	json_t *object = with_value(json_object(), "observed", &change->observed);

	if (change->verdict != VERDICT_NONE)
		object = json_with(object, "verdict", json_string(verdict_name(change->verdict)));
	if (change->err)
		object = with_number(object, "errno", change->err);
	return with_optional(object, "error", change->error);
}

char *journal_done_line(const struct plan *plan, uint32_t step, unsigned round, int err)
{
	const struct step *s = &plan->steps[step];
	json_t *array = json_array(), *object = step_record("done", step, round);

	for (uint32_t i = s->first; i < s->first + s->n; i++)
		array = json_append(array, result_json(&plan->v[i]));
	object = with_number(object, "errno", err);
	return json_to_line(json_with(object, "changes", array));
}

char *journal_outcome_line(const char *outcome, const char *time)
{
	return json_to_line(
		with_text(with_text(record("outcome"), "outcome", outcome), "time", time));
}

char *journal_forget_line(const char *time)
{
	return json_to_line(with_text(record("forget"), "time", time));
}

char *journal_extra_line(
	const struct change *change, const struct journal_link *links, size_t nlinks)
{
	const struct links all = {.v = links, .n = nlinks};

	return json_to_line(json_with(record("extra"), "change", change_json(change, &all)));
}

static json_t *classified_json(const struct classified *c, const struct links *links)
{
	json_t *object = with_value(address_json(&c->at, links), "before", &c->before);

	object = with_value(object, "left", &c->left);
	object = with_value(object, "live", &c->live);
	object = with_value(object, "target", &c->target);
	object = json_with(object, "class", json_string(class_name(c->class)));
	return json_with(object, "named", json_boolean(c->named));
}

char *journal_rollback_line(
	const struct journal_rollback *rollback, const struct journal_link *links, size_t nlinks)
{
	const struct links all = {.v = links, .n = nlinks};
	const struct classification *classified = &rollback->classified;
	json_t *object = with_text(record("rollback"), "time", rollback->time),
	       *array = json_array();

	for (size_t i = 0; i < classified->n; i++)
		array = json_append(array, classified_json(&classified->v[i], &all));
	object = with_optional(object, "user", rollback->user);
	object = with_optional(object, "command", rollback->command);
	object = json_with(object, "force", json_boolean(rollback->force));
	object = json_with(object, "put_back", json_boolean(rollback->put_back));
	object = json_with(object, "classified", array);
	return json_to_line(json_with(object, "plan", plan_json(&rollback->plan, &all)));
}

static size_t value_length(const struct value *value)
{
	return value->text ? strlen(value->text) : 0;
}

size_t journal_steps_size(const struct plan *plan)
{
	size_t size = plan->nsteps * (2 * LINE_SIZE + ERROR_SIZE) + OUTCOME_RESERVE;

	for (size_t i = 0; i < plan->n; i++) {
		const struct change *change = &plan->v[i];
		size_t expected = MAX(value_length(&change->wanted), value_length(&change->after));

		size += ENTRY_SIZE + MAX(expected, value_length(&change->before));
	}
	return size * ROUNDS_MAX;
}
