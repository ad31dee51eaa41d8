/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What verify prints: what is not as it should be, what it is instead, and since when.
 */
#include "format/report.h"

#include <string.h>

json_t *differences_to_json(const struct output *output, const struct differences *differences)
{
	json_t *array = json_array();

	for (size_t i = 0; i < differences->n; i++) {
		const struct difference *d = &differences->v[i];
		json_t *object = address_to_json(output, &d->at);

		object = json_with(object, "wanted", value_to_json(&d->wanted));
		object = json_with(object, "observed", value_to_json(&d->observed));
		object = json_with(object, "verdict", text_to_json(verdict_name(d->verdict)));
		object = json_with(object, "cause", text_to_json(d->cause));
		array = json_append(array, json_with(object, "reason", text_to_json(d->reason)));
	}
	return array;
}

static size_t count_verdict(const struct differences *differences, enum verdict verdict)
{
	size_t n = verdict == VERDICT_EXACT ? differences->in_sync - differences->nadjusted : 0;

	for (size_t i = 0; i < differences->n; i++)
		n += differences->v[i].verdict == verdict;
	for (size_t i = 0; i < differences->nadjusted; i++)
		n += differences->adjusted[i].verdict == verdict;
	/* a deferred one is among the differences already */
	for (size_t i = 0; differences->skipped && i < differences->skipped->n; i++)
		n += verdict != VERDICT_DEFERRED && differences->skipped->v[i].verdict == verdict;
	return n;
}

static json_t *summary_json(const struct differences *differences)
{
	json_t *object = json_object();

	for (enum verdict verdict = VERDICT_EXACT; verdict < VERDICT_MAX; verdict++)
		object = json_with(object, verdict_name(verdict),
			json_number(count_verdict(differences, verdict)));
	return object;
}

static json_t *adjusted_json(const struct output *output, const struct differences *differences)
{
	json_t *array = json_array();

	for (size_t i = 0; i < differences->nadjusted; i++) {
		const struct difference *d = &differences->adjusted[i];
		json_t *object = address_to_json(output, &d->at);

		object = json_with(object, "wanted", value_to_json(&d->wanted));
		object = json_with(object, "observed", value_to_json(&d->observed));
		array = json_append(array,
			json_with(object, "verdict", text_to_json(verdict_name(d->verdict))));
	}
	return array;
}

static int verify_json(const struct output *output, const struct report *report,
	const struct differences *differences)
{
	json_t *object = report_document(output, report, "verify");

	object = json_with(object, "in_sync", json_boolean(differences->n == 0));
	object = json_with(object, "differences", differences_to_json(output, differences));
	object = json_with(object, "adjusted", adjusted_json(output, differences));
	return json_print(output->out, json_with(object, "summary", summary_json(differences)));
}

/* "profile-changed: the reason". What is gone did not drift. */
static const char *difference_note(const struct output *output, const struct difference *d)
{
	const char *cause = d->cause ? d->cause : verdict_name(d->verdict);
	const bool has_reason = d->reason && *d->reason;

	if (d->verdict == VERDICT_GONE)
		return has_reason ? d->reason : verdict_name(d->verdict);
	return arena_printf(output->arena, "%s%s%s", cause, has_reason ? ": " : "",
		has_reason ? d->reason : "");
}

void report_differences(
	const struct output *output, const struct differences *differences, const char *title)
{
	struct rows rows = {.arena = output->arena};

	for (size_t i = 0; i < differences->n; i++) {
		const struct difference *d = &differences->v[i];

		rows_add(&rows,
			&(struct row){
				.at = d->at,
				.old = d->observed.type == VALUE_NONE ? "(absent)"
								      : value_text(&d->observed),
				.sign = " wanted",
				.new = report_value(output, &d->at, &d->wanted),
				.note = difference_note(output, d),
				.tone = d->verdict == VERDICT_DEFERRED ? TONE_WARNING : TONE_BAD,
			});
	}
	rows_print(output, &rows, title);
}

static void print_adjusted(const struct output *output, const struct differences *differences)
{
	struct rows rows = {.arena = output->arena};

	for (size_t i = 0; i < differences->nadjusted; i++) {
		const struct difference *d = &differences->adjusted[i];

		report_adjusted(output, &rows, &d->at, &d->wanted, &d->observed, d->verdict);
	}
	rows_print(output, &rows, ADJUSTED_TITLE);
}

/* ", 2 drifted, 1 unsupported" */
static void print_verdicts(const struct output *output, const struct differences *differences)
{
	for (enum verdict verdict = VERDICT_ROUNDED; verdict < VERDICT_MAX; verdict++) {
		size_t these = count_verdict(differences, verdict);

		if (these)
			fprintf(output->out, ", %zu %s", these, verdict_name(verdict));
	}
	fputs(".\n", output->out);
}

/* "2 differences: 37 of 40 settings are as wished, 2 drifted, 1 deferred." */
static void print_summary(const struct output *output, const struct differences *differences)
{
	const size_t n = differences->n + differences->in_sync;

	if (!n) {
		fputs("Nothing to compare.\n", output->out);
		return;
	}
	if (!differences->n) {
		print_tone(output, TONE_GOOD, "In sync");
		fprintf(output->out, ": %s as wished",
			count_text(output->arena, n, "setting is", "settings are"));
		print_verdicts(output, differences);
		return;
	}
	print_tone(output, TONE_BAD,
		count_text(output->arena, differences->n, "difference", "differences"));
	fprintf(output->out, ": %zu of %zu settings are as wished", differences->in_sync, n);
	print_verdicts(output, differences);
}

int output_verify(const struct output *output, const struct report *report,
	const struct differences *differences)
{
	if (output->json)
		return verify_json(output, report, differences);
	if (!output->quiet)
		report_title(output, "Verify", report);
	report_differences(output, differences, NULL);
	if (!output->quiet)
		print_adjusted(output, differences);
	print_summary(output, differences);
	return report_end(output);
}
