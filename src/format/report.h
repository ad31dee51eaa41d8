/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the reports of several commands have in common, for people and as JSON.
 */
#ifndef NETTUNE_FORMAT_REPORT_H
#define NETTUNE_FORMAT_REPORT_H

#include "format/json.h"
#include "format/output.h"
#include "format/rows.h"

/* Steps that interrupt as much as this or more. */
size_t plan_interruptions(const struct plan *plan, enum interrupts interrupts);

/* report_text.c */

/* "Plan for lab1, dc-10ge (version 1)" and an empty line; `what` is harmless. */
void report_title(const struct output *output, const char *what, const struct report *report);
/* A value as it is shown: "(absent)", "(none)"; and with its size if it is a count of bytes. */
const char *report_plain(const struct output *output, const struct value *value);
const char *report_value(
	const struct output *output, const struct address *at, const struct value *value);
/* The row of a change, planned or done. */
struct row report_change(const struct output *output, const struct change *change);
/* Not yet judged, or as wished or allowed. */
bool change_is_good(const struct change *change);
/* The changes that are good, old and new; and those that are not: what is, what was wanted, why. */
void report_changes(const struct output *output, const struct plan *plan);
void report_failed(const struct output *output, const struct plan *plan, const char *title);
void report_skipped(const struct output *output, const struct skips *skips);
void report_settings(
	const struct output *output, const struct settings *settings, const char *title);
/* In sync, but not exactly: "1008  asked for 1001, rounded". */
#define ADJUSTED_TITLE "as wished, as nearly as it goes"
void report_adjusted(const struct output *output, struct rows *rows, const struct address *at,
	const struct value *wanted, const struct value *live, enum verdict verdict);
/* What is as wished without being what was asked for; and the rest of it. */
void report_unchanged(
	const struct output *output, const struct settings *unchanged, bool with_exact);
/* ", 3 already as wished, 1 skipped", with `between` at its start; "" if there are none. */
const char *report_rest(const struct output *output, const struct plan *plan, const char *between);
/* "Next: nettune apply dc-10ge", if there is a next command. */
void report_next(const struct output *output, const char *lead, const char *next);
void report_differences(
	const struct output *output, const struct differences *differences, const char *title);
/* Which links are interrupted; nothing if none is. */
void report_interruptions(const struct output *output, const struct plan *plan);
/* What all text writers return: 0, -ENOMEM, -errno of the stream. */
int report_end(const struct output *output);

/* report_json.c: NULL when out of memory, as in json.h. */

/* {"format": "nettune-NAME/1", "time" ...}: what all documents start with. */
json_t *report_document(const struct output *output, const struct report *report, const char *name);
/* An object with "id", "kind", "interface", "queue", "key". */
json_t *address_to_json(const struct output *output, const struct address *at);
json_t *value_to_json(const struct value *value); /* its text, or null */
json_t *settings_to_json(const struct output *output, const struct settings *settings);
json_t *skips_to_json(const struct output *output, const struct skips *skips);
/* `executed`: with observed, verdict and error. */
json_t *changes_to_json(const struct output *output, const struct plan *plan, bool executed);
/* The object with "changes", "unchanged", "skipped", "lost", "new", "summary". */
json_t *json_with_plan(
	json_t *object, const struct output *output, const struct plan *plan, bool executed);
/* {"errno", "message"} or null where *error is none. */
json_t *error_to_json(const struct error *error);
json_t *differences_to_json(const struct output *output, const struct differences *differences);
json_t *json_number(size_t number);

#endif
