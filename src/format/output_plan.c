/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What plan and apply --dry-run print: every write, old and new, in order, and what is not done.
 */
#include "format/report.h"

static int plan_json(
	const struct output *output, const struct report *report, const struct plan *plan)
{
	json_t *object = report_document(output, report, "plan");

	object = json_with(object, "plan_id", text_to_json(plan_id(plan, output->arena)));
	object = json_with(object, "changed", json_boolean(plan->n > 0));
	return json_print(output->out, json_with_plan(object, output, plan, false));
}

/* What comes and goes with queues and vectors; values only with -v. */
static void print_moved(
	const struct output *output, const struct settings *settings, const char *title)
{
	struct rows rows = {.arena = output->arena};

	if (output->verbose) {
		report_settings(output, settings, title);
		return;
	}
	for (size_t i = 0; i < settings->n; i++)
		rows_add(&rows, &(struct row){.at = settings->v[i].at});
	rows_print_brief(output, &rows, title);
}

static void print_summary(const struct output *output, const struct plan *plan)
{
	if (plan->n)
		print_tone(output, TONE_STRONG,
			count_text(output->arena, plan->n, "change", "changes"));
	else
		print_tone(output, TONE_GOOD, "Nothing to do");
	fprintf(output->out, "%s.\n", report_rest(output, plan, ", "));
	report_interruptions(output, plan);
}

int output_plan(const struct output *output, const struct report *report, const struct plan *plan,
	const char *next)
{
	if (output->json)
		return plan_json(output, report, plan);
	if (!output->quiet) {
		report_title(output, "Plan for", report);
		report_changes(output, plan);
		report_settings(output, &plan->follows, "moves along");
		print_moved(output, &plan->lost, "go with their queues or vectors");
		print_moved(output, &plan->fresh, "come with new queues or vectors");
		report_skipped(output, &plan->skipped);
		report_unchanged(output, &plan->unchanged, output->verbose);
	}
	print_summary(output, plan);
	report_next(output, "To apply", next);
	return report_end(output);
}
