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

static int status_json(const struct output *output, const struct report *report,
	const struct status_report *status)
{
	json_t *object = report_document(output, report, "status");

	object = json_with(object, "in_force", transactions_json(&status->in_force));
	object = json_with(object, "unfinished", transactions_json(&status->open));
	object = json_with(object, "drifted", differences_to_json(output, &status->drift));
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

int output_status(const struct output *output, const struct report *report,
	const struct status_report *status)
{
	if (output->json)
		return status_json(output, report, status);
	print_section(output, TONE_BAD, "Unfinished or running", &status->open);
	print_section(output, TONE_STRONG, "In force", &status->in_force);
	report_differences(output, &status->drift, "drifted");
	if (!status->open.n && !status->in_force.n)
		fputs("Nothing of nettune is in force.\n", output->out);
	else if (!status->drift.n)
		fprintf(output->out, "%s as it was left.\n",
			count_text(output->arena, status->drift.in_sync, "setting is",
				"settings are"));
	else
		fprintf(output->out, "%zu drifted, %zu as left.\n", status->drift.n,
			status->drift.in_sync);
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
