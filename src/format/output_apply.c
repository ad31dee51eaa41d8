/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What apply and rollback print: what was done, what it came to, and where the host stands now.
 */
#include "format/report.h"

#include <string.h>

/* The last word on a run, for people. */
struct ending {
	const char *outcome;
	enum tone tone;
	const char *lead, *text;
};

static const struct ending apply_endings[] = {
	{.outcome = "unchanged", .tone = TONE_GOOD, .lead = "Nothing to do", .text = "."},
	{.outcome = "applied", .tone = TONE_GOOD, .lead = "Applied", .text = " and verified."},
	{.outcome = "applied-but",
		.tone = TONE_WARNING,
		.lead = "Applied",
		.text = " and verified, but for what is not as wished."},
	{.outcome = "partial",
		.tone = TONE_WARNING,
		.lead = "Applied in part",
		.text = ": not all is as wished."},
	{.outcome = "pending-confirmation",
		.tone = TONE_WARNING,
		.lead = "Applied",
		.text = ", waiting for nettune confirm."},
	{.outcome = "failed", .tone = TONE_BAD, .lead = "Failed", .text = ". Nothing was changed."},
	{.outcome = "put-back",
		.tone = TONE_BAD,
		.lead = "Failed",
		.text = ". Everything that had been changed was put back and verified."},
	{.outcome = "incomplete",
		.tone = TONE_BAD,
		.lead = "Failed halfway",
		.text = ": the host is in between."},
};

static const struct ending rollback_endings[] = {
	{.outcome = "unchanged", .tone = TONE_GOOD, .lead = "Nothing to put back", .text = "."},
	{.outcome = "dry-run", .tone = TONE_PLAIN, .lead = "Nothing was changed", .text = "."},
	{.outcome = "rolled-back",
		.tone = TONE_GOOD,
		.lead = "Rolled back",
		.text = " and verified."},
	{.outcome = "conflicts",
		.tone = TONE_WARNING,
		.lead = "Rolled back",
		.text = ", but for what others have changed since (--force overwrites it)."},
	{.outcome = "incomplete",
		.tone = TONE_BAD,
		.lead = "Not rolled back completely",
		.text = ": the host is in between."},
};

static void print_ending(
	const struct output *output, const struct ending *endings, size_t n, const char *outcome)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(endings[i].outcome, outcome) != 0)
			continue;
		print_tone(output, endings[i].tone, endings[i].lead);
		fprintf(output->out, "%s\n", endings[i].text);
		return;
	}
	fprintf(output->out, "Outcome: %s\n", outcome);
}

/* The table has it already. */
static bool is_of_a_change(
	const struct output *output, const struct error *error, const struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		const char *at = address_text(output->arena, &plan->v[i].at);

		if (!change_is_good(&plan->v[i]) && strncmp(error->msg, at, strlen(at)) == 0)
			return true;
	}
	return false;
}

static void print_error(
	const struct output *output, const struct error *error, const struct plan *plan)
{
	if (!error || !*error->msg || is_of_a_change(output, error, plan))
		return;
	print_tone(output, TONE_BAD, "error");
	fprintf(output->out, ": %s\n", text_escape(output->arena, error->msg));
}

static size_t count_verdicts(const struct plan *plan, enum verdict verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n; i++)
		n += plan->v[i].verdict == verdict;
	return n;
}

/* "76 changes: 70 exact, 2 rounded, 4 not tried; 3 already as wished, 1 skipped." */
static void print_counts(const struct output *output, const struct plan *plan)
{
	struct arena *arena = output->arena;
	const size_t untried = count_verdicts(plan, VERDICT_NONE);
	const char *text = count_text(arena, plan->n, "change", "changes"), *between = ":";

	if (!plan->n)
		return;
	for (enum verdict verdict = VERDICT_EXACT; verdict < VERDICT_MAX; verdict++) {
		size_t n = count_verdicts(plan, verdict);

		if (!n)
			continue;
		text = arena_printf(arena, "%s%s %zu %s", text, between, n, verdict_name(verdict));
		between = ",";
	}
	if (untried && untried < plan->n)
		text = arena_printf(arena, "%s, %zu not tried", text, untried);
	text = arena_printf(arena, "%s%s.", text, report_rest(output, plan, "; "));
	print_wrapped(output, 0, 0, text);
	fputc('\n', output->out);
}

static size_t count_bad(const struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n; i++)
		n += !change_is_good(&plan->v[i]);
	return n;
}

static int apply_json(const struct output *output, const struct report *report,
	const struct plan *plan, const char *transaction, bool changed, const char *outcome,
	const struct error *error)
{
	json_t *object = report_document(output, report, "apply");

	object = json_with(object, "transaction", text_to_json(transaction));
	object = json_with(object, "plan_id", text_to_json(plan_id(plan, output->arena)));
	object = json_with(object, "changed", json_boolean(changed));
	object = json_with(object, "outcome", text_to_json(outcome));
	object = json_with(object, "error", error_to_json(error));
	return json_print(output->out, json_with_plan(object, output, plan, true));
}

/* The table of changes tells what is in force now: not after a failure. */
static bool is_in_force(const char *outcome)
{
	return strcmp(outcome, "failed") != 0 && strcmp(outcome, "put-back") != 0 &&
	       strcmp(outcome, "incomplete") != 0;
}

int output_apply(const struct output *output, const struct report *report, const struct plan *plan,
	const char *transaction, bool changed, const char *outcome, const struct error *error,
	const char *next)
{
	const bool in_force = is_in_force(outcome);

	if (output->json)
		return apply_json(output, report, plan, transaction, changed, outcome, error);
	if (!output->quiet) {
		report_title(output, "Apply to", report);
		if (in_force || output->verbose)
			report_changes(output, plan);
		report_skipped(output, &plan->skipped);
		if (in_force)
			report_unchanged(output, &plan->unchanged, false);
	}
	report_failed(output, plan, in_force ? "not as wished" : "failed");
	print_error(output, error, plan);
	if (!output->quiet)
		print_counts(output, plan);
	if (strcmp(outcome, "applied") == 0 && count_bad(plan))
		outcome = "applied-but";
	print_ending(output, apply_endings, ARRAY_SIZE(apply_endings), outcome);
	if (transaction && changed && !output->quiet)
		fprintf(output->out, "Transaction %s; nettune rollback undoes it.\n",
			text_escape(output->arena, transaction));
	report_next(output, "Next", next);
	return report_end(output);
}

static json_t *conflicts_json(const struct output *output, const struct classification *classified)
{
	json_t *array = json_array();

	for (size_t i = 0; classified && i < classified->n; i++) {
		const struct classified *c = &classified->v[i];
		json_t *object;

		if (c->class == CLASS_RESTORE || c->class == CLASS_STAYS)
			continue;
		object = address_to_json(output, &c->at);
		object = json_with(object, "before", value_to_json(&c->before));
		object = json_with(object, "left", value_to_json(&c->left));
		object = json_with(object, "live", value_to_json(&c->live));
		object = json_with(object, "target", value_to_json(&c->target));
		object = json_with(object, "class", text_to_json(class_name(c->class)));
		array = json_append(array, json_with(object, "named", json_boolean(c->named)));
	}
	return array;
}

/* Also known by its traces: a rollback that succeeded has judged its changes. */
static bool is_dry(const struct report *report, const struct plan *plan, const char *outcome)
{
	return report->dry_run || (plan->n && strcmp(outcome, "rolled-back") == 0 &&
					  count_verdicts(plan, VERDICT_NONE) == plan->n);
}

static int rollback_json(const struct output *output, const struct report *report,
	const struct plan *plan, const struct classification *classified, const char *transaction,
	bool changed, const char *outcome, const struct error *error)
{
	json_t *object = report_document(output, report, "rollback");

	object = json_with(object, "transaction", text_to_json(transaction));
	object = json_with(object, "changed", json_boolean(changed));
	object = json_with(object, "outcome", text_to_json(outcome));
	object = json_with(object, "error", error_to_json(error));
	object = json_with(object, "dry_run", json_boolean(is_dry(report, plan, outcome)));
	object = json_with(object, "conflicts", conflicts_json(output, classified));
	return json_print(output->out, json_with_plan(object, output, plan, true));
}

static struct row conflict_row(const struct output *output, const struct classified *c)
{
	return (struct row){
		.at = c->at,
		.new = report_plain(output, &c->live),
		.note = arena_printf(output->arena, "nettune left %s, before it was %s",
			report_plain(output, &c->left), report_plain(output, &c->before)),
		.tone = TONE_WARNING,
	};
}

/* What others have changed since; `overwritten`: with --force. */
static void print_conflicts(const struct output *output, const struct classification *classified,
	enum class class, bool overwritten, const char *title)
{
	struct rows rows = {.arena = output->arena};

	for (size_t i = 0; i < classified->n; i++) {
		const struct classified *c = &classified->v[i];
		struct row row = conflict_row(output, c);

		if (c->class == class && value_equal(&c->target, &c->before) == overwritten)
			rows_add(&rows, &row);
	}
	rows_print(output, &rows, title);
}

static void print_gone(const struct output *output, const struct classification *classified)
{
	struct rows rows = {.arena = output->arena};

	for (size_t i = 0; i < classified->n; i++) {
		if (classified->v[i].class == CLASS_GONE)
			rows_add(&rows, &(struct row){.at = classified->v[i].at});
	}
	rows_print_brief(output, &rows, "gone with its device");
}

static void print_classified(const struct output *output, const struct classification *classified)
{
	print_conflicts(
		output, classified, CLASS_CONFLICT, false, "changed by others since, left alone");
	print_conflicts(
		output, classified, CLASS_CONFLICT, true, "changed by others since, overwritten");
	print_conflicts(
		output, classified, CLASS_FOREIGN, true, "neither before nor nettune's, restored");
	print_gone(output, classified);
}

int output_rollback(const struct output *output, const struct report *report,
	const struct plan *plan, const struct classification *classified, const char *transaction,
	bool changed, const char *outcome, const struct error *error, const char *next)
{
	const bool dry = is_dry(report, plan, outcome);

	if (output->json)
		return rollback_json(
			output, report, plan, classified, transaction, changed, outcome, error);
	if (!output->quiet) {
		report_title(output,
			arena_printf(output->arena, "%s%s%s on",
				dry ? "Plan for a rollback" : "Rollback", transaction ? " of " : "",
				transaction ? text_escape(output->arena, transaction) : ""),
			report);
		report_changes(output, plan);
	}
	if (classified)
		print_classified(output, classified);
	report_failed(output, plan, "not put back");
	report_skipped(output, &plan->skipped);
	print_error(output, error, plan);
	if (!output->quiet)
		print_counts(output, plan);
	if (dry)
		report_interruptions(output, plan);
	print_ending(
		output, rollback_endings, ARRAY_SIZE(rollback_endings), dry ? "dry-run" : outcome);
	report_next(output, "Next", next);
	return report_end(output);
}
