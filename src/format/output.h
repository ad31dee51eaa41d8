/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What commands print: one report structure, two writers (text for people, JSON for programs).
 * Strings come in as they are and are made harmless here.
 */
#ifndef NETTUNE_FORMAT_OUTPUT_H
#define NETTUNE_FORMAT_OUTPUT_H

#include "core/kind.h"
#include "core/plan.h"
#include "format/journal.h"

#include <stdio.h>

struct output {
	FILE *out; /* results */
	bool json;
	bool color;
	bool utf8;           /* the locale's character set is UTF-8: arrows and ellipses */
	bool verbose, quiet; /* verbose: nothing folded, and why; quiet: failures and the summary */
	unsigned width;      /* of the terminal, 0 = not one */
	struct arena *arena;
};

/* Common to all reports. */
struct report {
	const char *time; /* RFC 3339 UTC */
	const struct host *host;
	const char *version;
	const struct journal_profile *profiles;
	size_t nprofiles;
	const struct diags *diags; /* notes and warnings become "warnings" */
	bool dry_run;              /* of output_rollback(): nothing was written */
};

struct difference {
	struct address at;
	struct value wanted, observed;
	enum verdict verdict;
	const char *cause; /* never-applied, profile-changed, drifted, deferred, unmatched */
	const char *reason;
};
struct differences {
	struct difference *v;
	size_t n;
	size_t in_sync;              /* settings that are as wished, or as nearly as it goes */
	struct difference *adjusted; /* those of them that are another value; no cause */
	size_t nadjusted;
	const struct skips *skipped; /* can't be had here: no differences, but counted; or NULL */
};

/* Line of history and status. */
struct transaction_line {
	const char *id, *time, *user, *command, *profile, *outcome;
	const char *state; /* in-force, undone, unfinished, running, forgotten, earlier-boot */
	size_t changes;
};
struct transactions {
	struct transaction_line *v;
	size_t n;
};

struct status_report {
	struct transactions in_force,
		open; /* open: unfinished, running, rollback to be continued */
	struct differences drift;
	const char *next; /* the command to go on with */
};

struct shown { /* show: one resolved setting */
	struct address at;
	struct value value, live;
	const char *text; /* as written */
	const struct wish *wish;
	const char *note; /* skipped: why; or NULL */
};

/* SHA-256 of the canonical changes, hex. In the arena. */
const char *plan_id(const struct plan *plan, struct arena *arena);
const char *sha256_hex(const void *data, size_t length, struct arena *arena);

/* `next`: the command to type, or NULL. All return 0 or -errno of the stream. */
int output_plan(const struct output *output, const struct report *report, const struct plan *plan,
	const char *next);
int output_apply(const struct output *output, const struct report *report, const struct plan *plan,
	const char *transaction, bool changed, const char *outcome, const struct error *error,
	const char *next);
int output_rollback(const struct output *output, const struct report *report,
	const struct plan *plan, const struct classification *classified, const char *transaction,
	bool changed, const char *outcome, const struct error *error, const char *next);
int output_verify(const struct output *output, const struct report *report,
	const struct differences *differences);
int output_history(const struct output *output, const struct report *report,
	const struct transactions *transactions);
int output_status(const struct output *output, const struct report *report,
	const struct status_report *status);
struct list_line {
	const char *name, *description, *path, *shadowed_by, *problem;
	unsigned version;
};
int output_list(const struct output *output, const struct report *report, const struct list_line *v,
	size_t n);
int output_show(const struct output *output, const struct report *report, const struct shown *v,
	size_t n, const struct skips *skipped);
int output_check(const struct output *output, const struct report *report, const char *const *files,
	size_t nfiles);
/* forget: {"format": "nettune-FORMAT/1", "transaction": id, "outcome", "message"}. */
int output_done(const struct output *output, const struct report *report, const char *format,
	const char *transaction, const char *outcome, const char *message);
/* A failure before there is anything else to say: nettune-error/1 on stdout with --json; else the
 * findings with source line and caret on stderr. error and diags may each be NULL. */
int output_error(const struct output *output, const struct report *report, int exit_status,
	const struct error *error, const struct diags *diags);
/* Findings for people, with position, source line, caret and hint. */
void output_diags(FILE *stream, bool color, const struct diags *diags);
/* Escapes control characters and non-UTF-8 for a terminal. In the arena. */
const char *text_escape(struct arena *arena, const char *text);

#endif
