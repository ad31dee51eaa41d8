/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common parts of the JSON documents; their schemas are in schemas/.
 */
#include "core/kind.h"
#include "format/report.h"

#include <string.h>

json_t *json_number(size_t number)
{
	return json_integer((json_int_t)number);
}

json_t *value_to_json(const struct value *value)
{
	return text_to_json(value->type == VALUE_NONE ? NULL : value->text);
}

json_t *error_to_json(const struct error *error)
{
	json_t *object;

	if (!error)
		return json_null();
	object = json_with(
		json_object(), "errno", error->err ? json_integer(error->err) : json_null());
	return json_with(object, "message", text_to_json(error->msg));
}

static json_t *host_json(const struct host *host)
{
	json_t *object;

	if (!host)
		return json_null();
	object = json_with(json_object(), "name", text_to_json(host->name));
	object = json_with(object, "kernel", text_to_json(host->kernel));
	return json_with(object, "boot_id", text_to_json(host->boot_id));
}

static json_t *profile_json(const struct journal_profile *profile)
{
	json_t *object = json_with(json_object(), "name", text_to_json(profile->name));

	object = json_with(object, "version", json_integer(profile->version));
	object = json_with(object, "sha256", text_to_json(profile->sha256));
	object = json_with(object, "parameters", json_object());
	return json_with(object, "source", text_to_json(profile->path));
}

/* One profile is "profile"; of several that were merged each, the last one wins. */
static json_t *with_profiles(json_t *object, const struct report *report)
{
	json_t *array;

	if (!report->nprofiles)
		return object;
	object = json_with(
		object, "profile", profile_json(&report->profiles[report->nprofiles - 1]));
	if (report->nprofiles == 1)
		return object;
	array = json_array();
	for (size_t i = 0; i < report->nprofiles; i++)
		array = json_append(array, profile_json(&report->profiles[i]));
	return json_with(object, "merged_profiles", array);
}

/* With its place in a file, which has no member of its own. */
static json_t *message_json(const struct output *output, const struct diag *diag)
{
	if (!diag->pos.line)
		return text_to_json(diag->text);
	return text_to_json(arena_printf(output->arena, "%s:%u:%u: %s", diag->pos.file,
		diag->pos.line, diag->pos.column, diag->text));
}

static json_t *warnings_json(const struct output *output, const struct diags *diags)
{
	json_t *array = json_array();

	for (size_t i = 0; diags && i < diags->n; i++) {
		const struct diag *diag = &diags->v[i];
		json_t *object;

		if (diag->severity == SEVERITY_ERROR)
			continue;
		object = json_with(json_object(), "id", text_to_json(diag->id));
		object = json_with(object, "message", message_json(output, diag));
		object = json_with(object, "interface", text_to_json(diag->interface));
		array = json_append(array, json_with(object, "key", text_to_json(diag->key)));
	}
	return array;
}

json_t *report_document(const struct output *output, const struct report *report, const char *name)
{
	json_t *object = json_with(json_object(), "format",
		text_to_json(arena_printf(output->arena, "nettune-%s/1", name)));

	object = json_with(object, "time", text_to_json(report->time));
	object = json_with(object, "host", host_json(report->host));
	object = json_with(object, "nettune", text_to_json(report->version));
	object = with_profiles(object, report);
	return json_with(object, "warnings", warnings_json(output, report->diags));
}

json_t *address_to_json(const struct output *output, const struct address *at)
{
	const char *id = address_text(output->arena, at);
	const char *part = target_part_text(output->arena, &at->target);
	const struct link *link = at->target.link;
	json_t *object = json_with(json_object(), "id", text_to_json(id));

	object = json_with(object, "kind", text_to_json(at->kind->name));
	object = json_with(object, "interface", text_to_json(link ? link->name : NULL));
	object = json_with(object, "queue", text_to_json(*part ? part : NULL));
	/* the key of a link's sysctl has the name of the link in it, as the id does */
	if (strstr(at->key, "{interface}") && strchr(id, '/'))
		return json_with(object, "key", text_to_json(strchr(id, '/') + 1));
	return json_with(object, "key", text_to_json(at->key));
}

json_t *settings_to_json(const struct output *output, const struct settings *settings)
{
	json_t *array = json_array();

	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *s = &settings->v[i];
		json_t *object = address_to_json(output, &s->at);

		array = json_append(array, json_with(object, "value", value_to_json(&s->value)));
	}
	return array;
}

/* With what is live. */
static json_t *unchanged_to_json(const struct output *output, const struct settings *settings)
{
	json_t *array = json_array();

	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *s = &settings->v[i];
		const bool exact = s->got.type == VALUE_NONE;
		const char *verdict = verdict_name(exact ? VERDICT_EXACT : s->verdict);
		json_t *object = address_to_json(output, &s->at);

		object = json_with(object, "value", value_to_json(&s->value));
		object = json_with(object, "observed", value_to_json(exact ? &s->value : &s->got));
		array = json_append(array, json_with(object, "verdict", text_to_json(verdict)));
	}
	return array;
}

json_t *skips_to_json(const struct output *output, const struct skips *skips)
{
	json_t *array = json_array();

	for (size_t i = 0; i < skips->n; i++) {
		const struct skip *skip = &skips->v[i];
		const char *verdict = verdict_name(skip->verdict);
		json_t *object = address_to_json(output, &skip->at);

		object = json_with(object, "wanted", text_to_json(skip->wanted));
		object = json_with(object, "verdict",
			text_to_json(skip->verdict == VERDICT_NONE ? NULL : verdict));
		array = json_append(array, json_with(object, "reason", text_to_json(skip->reason)));
	}
	return array;
}

/* The kernel's answer to a refused write. */
static json_t *change_error_json(const struct change *change)
{
	struct error error = {.err = change->err};

	if (!change->err && !change->error)
		return json_null();
	error_set(&error, ERROR_FAILED, change->err, "%s",
		change->error ? change->error : strerror(change->err));
	return error_to_json(&error);
}

static json_t *change_json(const struct output *output, const struct change *change, bool executed)
{
	json_t *object = address_to_json(output, &change->at);
	const char *verdict = verdict_name(change->verdict);

	object = json_with(object, "before", value_to_json(&change->before));
	object = json_with(object, "wanted", value_to_json(&change->wanted));
	object = json_with(object, "after", value_to_json(&change->after));
	object = json_with(object, "origin", text_to_json(origin_name(change->origin)));
	object = json_with(object, "cause", text_to_json(change->cause));
	object = json_with(object, "interrupts", text_to_json(interrupts_name(change->interrupts)));
	object = json_with(object, "why", text_to_json(change->wish ? change->wish->why : NULL));
	object = json_with(object, "also_set_by", json_null());
	if (!executed)
		return object;
	object = json_with(object, "observed", value_to_json(&change->observed));
	object = json_with(
		object, "verdict", text_to_json(change->verdict == VERDICT_NONE ? NULL : verdict));
	return json_with(object, "error", change_error_json(change));
}

json_t *changes_to_json(const struct output *output, const struct plan *plan, bool executed)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->n; i++)
		array = json_append(array, change_json(output, &plan->v[i], executed));
	return array;
}

static json_t *summary_json(const struct plan *plan)
{
	json_t *object = json_with(json_object(), "changes", json_number(plan->n));

	object = json_with(object, "unchanged", json_number(plan->unchanged.n));
	object = json_with(object, "skipped", json_number(plan->skipped.n));
	return json_with(
		object, "interruptions", json_number(plan_interruptions(plan, INTERRUPTS_QUEUE)));
}

json_t *json_with_plan(
	json_t *object, const struct output *output, const struct plan *plan, bool executed)
{
	object = json_with(object, "changes", changes_to_json(output, plan, executed));
	object = json_with(object, "unchanged", unchanged_to_json(output, &plan->unchanged));
	object = json_with(object, "skipped", skips_to_json(output, &plan->skipped));
	object = json_with(object, "lost", settings_to_json(output, &plan->lost));
	object = json_with(object, "follows", settings_to_json(output, &plan->follows));
	object = json_with(object, "new", settings_to_json(output, &plan->fresh));
	return json_with(object, "summary", summary_json(plan));
}
