/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What list, show and check print: profiles, and one resolved on this host.
 */
#include "format/report.h"
#include "format/table.h"

#include <string.h>

static int list_json(const struct output *output, const struct report *report,
	const struct list_line *v, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++) {
		const struct list_line *line = &v[i];
		json_t *object = json_with(json_object(), "name", text_to_json(line->name));

		object = json_with(object, "version",
			line->problem ? json_null() : json_integer(line->version));
		object = json_with(object, "description", text_to_json(line->description));
		object = json_with(object, "path", text_to_json(line->path));
		object = json_with(object, "shadowed_by", text_to_json(line->shadowed_by));
		array = json_append(
			array, json_with(object, "problem", text_to_json(line->problem)));
	}
	return json_print(
		output->out, json_with(report_document(output, report, "list"), "profiles", array));
}

/* What there is to know about a profile in a few words. */
static const char *list_note(const struct output *output, const struct list_line *line)
{
	if (line->problem)
		return arena_printf(output->arena, "broken: %s: %s", line->path, line->problem);
	if (line->shadowed_by)
		return arena_printf(output->arena, "not used: %s is in the way of %s",
			line->shadowed_by, line->path);
	return line->description;
}

int output_list(const struct output *output, const struct report *report, const struct list_line *v,
	size_t n)
{
	static const char *const headings[] = {"NAME", "VERSION", "FILE", "DESCRIPTION"};
	struct table table = {.output = output, .ncolumns = output->verbose ? 4 : 3};

	if (output->json)
		return list_json(output, report, v, n);
	for (size_t i = 0; i < ARRAY_SIZE(headings); i++) {
		if (i != 2 || output->verbose)
			table_add(&table, headings[i]);
	}
	for (size_t i = 0; i < n; i++) {
		table_add(&table, v[i].name);
		table_add(&table,
			v[i].problem ? NULL : arena_printf(output->arena, "%u", v[i].version));
		if (output->verbose)
			table_add(&table, v[i].path);
		table_add(&table, list_note(output, &v[i]));
	}
	if (!n)
		fputs("No profiles.\n", output->out);
	table_print(&table, 0);
	return report_end(output);
}

static json_t *place_json(const struct pos *pos)
{
	json_t *object;

	if (!pos->line)
		return json_null();
	object = json_with(json_object(), "file", text_to_json(pos->file));
	object = json_with(object, "line", json_integer(pos->line));
	return json_with(object, "column", json_integer(pos->column));
}

static json_t *shown_json(const struct output *output, const struct shown *shown)
{
	static const struct pos nowhere;
	const struct wish *wish = shown->wish;
	json_t *object = address_to_json(output, &shown->at);

	object = json_with(object, "value", value_to_json(&shown->value));
	object = json_with(object, "live", value_to_json(&shown->live));
	object = json_with(object, "text", text_to_json(shown->text));
	object = json_with(object, "profile", text_to_json(wish ? wish->profile : NULL));
	object = json_with(object, "location", place_json(wish ? &wish->pos : &nowhere));
	object = json_with(object, "why", text_to_json(wish ? wish->why : NULL));
	return json_with(object, "note", text_to_json(shown->note));
}

static int show_json(const struct output *output, const struct report *report,
	const struct shown *v, size_t n, const struct skips *skipped)
{
	json_t *object = report_document(output, report, "show"), *array = json_array();

	for (size_t i = 0; i < n; i++)
		array = json_append(array, shown_json(output, &v[i]));
	object = json_with(object, "settings", array);
	return json_print(
		output->out, json_with(object, "skipped", skips_to_json(output, skipped)));
}

static const char *place_text(const struct output *output, const struct pos *pos)
{
	const char *slash = pos->file ? strrchr(pos->file, '/') : NULL;

	if (!pos->line || !pos->file)
		return "";
	return arena_printf(output->arena, "%s:%u", slash ? slash + 1 : pos->file, pos->line);
}

/* "live 512, dc-10ge.yaml:31" */
static const char *shown_note(const struct output *output, const struct shown *shown)
{
	struct arena *arena = output->arena;
	const char *place = shown->wish ? place_text(output, &shown->wish->pos) : "";
	const char *live = "";

	if (!value_equal(&shown->live, &shown->value))
		live = arena_printf(arena, "now %s", report_plain(output, &shown->live));
	if (shown->note)
		live = arena_printf(arena, "%s%s%s", live, *live ? ", " : "", shown->note);
	return arena_printf(arena, "%s%s%s", live, *live && *place ? ", " : "", place);
}

static struct row shown_row(const struct output *output, const struct shown *shown)
{
	const char *value = report_value(output, &shown->at, &shown->value);
	const bool resolved = shown->text && shown->value.text &&
			      strcmp(shown->text, shown->value.text) != 0;

	return (struct row){
		.at = shown->at,
		.old = resolved ? shown->text : "",
		.sign = resolved ? "=" : "",
		.new = value,
		.note = shown_note(output, shown),
		.why = shown->wish ? shown->wish->why : NULL,
		.tone = TONE_STRONG,
	};
}

int output_show(const struct output *output, const struct report *report, const struct shown *v,
	size_t n, const struct skips *skipped)
{
	struct rows rows = {.arena = output->arena};

	if (output->json)
		return show_json(output, report, v, n, skipped);
	for (size_t i = 0; i < n; i++) {
		struct row row = shown_row(output, &v[i]);

		rows_add(&rows, &row);
	}
	if (!output->quiet)
		report_title(output, "Settings for", report);
	rows_print(output, &rows, NULL);
	report_skipped(output, skipped);
	return report_end(output);
}

static int check_json(const struct output *output, const struct report *report,
	const char *const *files, size_t nfiles)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nfiles; i++)
		array = json_append(array, text_to_json(files[i]));
	return json_print(
		output->out, json_with(report_document(output, report, "check"), "files", array));
}

int output_check(const struct output *output, const struct report *report, const char *const *files,
	size_t nfiles)
{
	if (output->json)
		return check_json(output, report, files, nfiles);
	for (size_t i = 0; i < nfiles && !output->quiet; i++)
		fprintf(output->out, "%s: ok\n", text_escape(output->arena, files[i]));
	return report_end(output);
}
