/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What history, status and forget print.
 */
#include "format/report.h"
#include "format/table.h"

#include <string.h>

static json_t *transactions_json(const struct transactions *transactions)
{
	json_t *array = json_array();

	for (size_t i = 0; i < transactions->n; i++) {
		const struct transaction_line *t = &transactions->v[i];
		json_t *object = json_with(json_object(), "id", text_to_json(t->id));

		object = json_with(object, "time", text_to_json(t->time));
		object = json_with(object, "user", text_to_json(t->user));
		object = json_with(object, "command", text_to_json(t->command));
		object = json_with(object, "profile", text_to_json(t->profile));
		object = json_with(object, "outcome", text_to_json(t->outcome));
		object = json_with(object, "state", text_to_json(t->state));
		array = json_append(array, json_with(object, "changes", json_number(t->changes)));
	}
	return array;
}

/* "2026-08-30 03:14" of "2026-08-30T03:14:15Z"; anything else as it is. */
static const char *short_time(struct arena *arena, const char *time)
{
	if (!time || strlen(time) != 20 || time[10] != 'T')
		return time;
	return arena_printf(arena, "%.10s %.5s", time, time + 11);
}

/* Fits into 80 columns without -v. */
static void print_transactions(
	const struct output *output, const struct transactions *transactions, size_t indent)
{
	static const char *const headings[] = {
		"ID", "WHEN (UTC)", "USER", "OUTCOME", "STATE", "PROFILE", "CHANGES", "COMMAND"};
	struct table table = {.output = output, .ncolumns = output->verbose ? 8 : 6};

	for (size_t i = 0; i < table.ncolumns; i++)
		table_add(&table, headings[i]);
	for (size_t i = 0; i < transactions->n; i++) {
		const struct transaction_line *t = &transactions->v[i];

		table_add(&table, t->id);
		table_add(&table, short_time(output->arena, t->time));
		table_add(&table, t->user);
		table_add(&table, t->outcome);
		table_add(&table, t->state);
		table_add(&table, t->profile);
		if (!output->verbose)
			continue;
		table_add(&table, arena_printf(output->arena, "%zu", t->changes));
		table_add(&table, t->command);
	}
	table_print(&table, indent);
}

int output_history(const struct output *output, const struct report *report,
	const struct transactions *transactions)
{
	if (output->json)
		return json_print(
			output->out, json_with(report_document(output, report, "history"),
					     "transactions", transactions_json(transactions)));
	if (!transactions->n)
		fputs("No transactions.\n", output->out);
	print_transactions(output, transactions, 0);
	return report_end(output);
}

/* Those of the differences that have such a verdict. In the arena. */
static struct differences part(
	const struct output *output, const struct differences *all, bool (*has)(enum verdict))
{
	struct differences ret = {.v = ARENA_ARRAY(output->arena, all->n + 1, struct difference)};

	for (size_t i = 0; ret.v && i < all->n; i++) {
		if (has(all->v[i].verdict))
			ret.v[ret.n++] = all->v[i];
	}
	return ret;
}

static bool is_gone(enum verdict verdict)
{
	return verdict == VERDICT_GONE;
}

static bool is_deferred(enum verdict verdict)
{
	return verdict == VERDICT_DEFERRED;
}

static bool is_drifted(enum verdict verdict)
{
	return !is_gone(verdict) && !is_deferred(verdict);
}

static bool is_moved(enum verdict verdict)
{
	return !is_deferred(verdict);
}

static int status_json(const struct output *output, const struct report *report,
	const struct status_report *status)
{
	json_t *object = report_document(output, report, "status");
	struct differences moved, deferred;

	object = json_with(object, "in_force", transactions_json(&status->in_force));
	object = json_with(object, "unfinished", transactions_json(&status->open));
	moved = part(output, &status->drift, is_moved);
	deferred = part(output, &status->drift, is_deferred);
	object = json_with(object, "drifted", differences_to_json(output, &moved));
	object = json_with(object, "deferred", differences_to_json(output, &deferred));
	return json_print(output->out, json_with(object, "next", text_to_json(status->next)));
}

static void print_section(const struct output *output, enum tone tone, const char *title,
	const struct transactions *transactions)
{
	if (!transactions->n)
		return;
	print_tone(output, tone, title);
	fputc('\n', output->out);
	print_transactions(output, transactions, 3);
	fputc('\n', output->out);
}

/* Also what was not as wished then. */
static size_t count_as_left(const struct differences *all)
{
	return all->in_sync + (all->skipped ? all->skipped->n : 0);
}

/* "2 drifted, 6 gone, 41 as left." */
static void print_differences(const struct output *output, const struct differences *all)
{
	static const struct {
		bool (*has)(enum verdict);
		const char *word;
	} sorts[] = {{is_drifted, "drifted"}, {is_gone, "gone"}, {is_deferred, "deferred"}};
	const char *text = "";

	for (size_t i = 0; i < ARRAY_SIZE(sorts); i++) {
		const struct differences some = part(output, all, sorts[i].has);

		report_differences(output, &some, sorts[i].word);
		if (some.n)
			text = arena_printf(
				output->arena, "%s%zu %s, ", text, some.n, sorts[i].word);
	}
	if (all->n)
		fprintf(output->out, "%s%zu as left.\n", text, count_as_left(all));
}

int output_status(const struct output *output, const struct report *report,
	const struct status_report *status)
{
	if (output->json)
		return status_json(output, report, status);
	print_section(output, TONE_BAD, "Unfinished or running", &status->open);
	print_section(output, TONE_STRONG, "In force", &status->in_force);
	print_differences(output, &status->drift);
	if (!status->open.n && !status->in_force.n)
		fputs("Nothing of nettune is in force.\n", output->out);
	else if (!status->drift.n && status->in_force.n)
		fprintf(output->out, "%s as left.\n",
			count_text(output->arena, count_as_left(&status->drift), "setting is",
				"settings are"));
	report_next(output, "Next", status->next);
	return report_end(output);
}

int output_done(const struct output *output, const struct report *report, const char *format,
	const char *transaction, const char *outcome, const char *message)
{
	json_t *object;

	if (output->json) {
		object = report_document(output, report, format);
		object = json_with(object, "transaction", text_to_json(transaction));
		object = json_with(object, "outcome", text_to_json(outcome));
		return json_print(output->out, json_with(object, "message", text_to_json(message)));
	}
	if (message && !output->quiet)
		fprintf(output->out, "%s\n", text_escape(output->arena, message));
	return report_end(output);
}
