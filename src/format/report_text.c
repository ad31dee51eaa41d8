/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common parts of the reports for people.
 */
#include "core/kind.h"
#include "format/report.h"

#include "util/numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t plan_interruptions(const struct plan *plan, enum interrupts interrupts)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->nsteps; i++) {
		const struct step *step = &plan->steps[i];
		bool found = false;

		for (uint32_t j = 0; j < step->n; j++)
			found |= plan->v[step->first + j].interrupts >= interrupts;
		n += found;
	}
	return n;
}

void report_title(const struct output *output, const char *what, const struct report *report)
{
	struct arena *arena = output->arena;
	const char *text = arena_printf(arena, "%s %s", what,
		report->host ? text_escape(arena, report->host->name) : "this host");

	for (size_t i = 0; i < report->nprofiles; i++) {
		const struct journal_profile *profile = &report->profiles[i];

		text = arena_printf(arena, "%s%s %s (version %u)", text, i ? " +" : ",",
			text_escape(arena, profile->name), profile->version);
	}
	print_tone(output, TONE_STRONG, text);
	fputs("\n\n", output->out);
}

/* The sysctls of net.core and net.ipv4 whose number is a size in memory. */
static bool is_in_bytes(const struct address *at)
{
	static const char *const keys[] = {"net.core.optmem_max", "net.core.rmem_default",
		"net.core.rmem_max", "net.core.wmem_default", "net.core.wmem_max",
		"net.ipv4.ipfrag_high_thresh", "net.ipv4.ipfrag_low_thresh",
		"net.ipv4.tcp_limit_output_bytes", "net.ipv4.tcp_notsent_lowat",
		"net.ipv4.udp_rmem_min", "net.ipv4.udp_wmem_min"};
	const struct field *field = kind_field(at->kind, at->key);

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(at->key, keys[i]) == 0)
			return true;
	}
	return field && field->unit == UNIT_BYTES;
}

enum { LONG_VECTOR = 8 /* words; longer ones are shown in turns or runs */ };

static size_t count_words(const char *text)
{
	size_t n = *text != '\0';

	for (; *text; text++)
		n += *text == ' ';
	return n;
}

/* The number at *text, which is moved behind it; false for other words. */
static bool next_number(const char **text, unsigned *ret)
{
	char *end;
	unsigned long number = strtoul(*text, &end, 10);

	if (end == *text || (*end && *end != ' ') || number >= CPUSET_MAX)
		return false;
	*text = *end ? end + 1 : end;
	*ret = (unsigned)number;
	return true;
}

/* "0 1 2 0 1 2" as "0-2 in turn"; NULL if it is not so. */
static const char *turns_text(struct arena *arena, const char *text)
{
	struct cpuset set;
	unsigned number, count, i = 0;

	cpuset_clear(&set);
	for (const char *p = text; *p;) {
		if (!next_number(&p, &number))
			return NULL;
		cpuset_add(&set, number);
	}
	count = cpuset_count(&set);
	for (const char *p = text; count > 1 && *p && next_number(&p, &number); i++) {
		if ((unsigned)cpuset_nth(&set, i % count) != number)
			return NULL;
	}
	return count > 1 ? arena_printf(arena, "%s in turn", cpuset_format_list(arena, &set))
			 : NULL;
}

/* "0 0 0 1 1" as "0 x3, 1 x2": an RSS table has 128 entries and more. */
static const char *runs_text(struct arena *arena, const char *text)
{
	const char *runs = "";

	while (*text) {
		size_t length = strcspn(text, " "), n = 0;
		const char *word = text;

		while (strncmp(text, word, length) == 0 && (text[length] == ' ' || !text[length])) {
			n++;
			text += length;
			if (!*text)
				break;
			text++;
		}
		runs = arena_printf(
			arena, "%s%s%.*s x%zu", runs, *runs ? ", " : "", (int)length, word, n);
	}
	return runs;
}

const char *report_plain(const struct output *output, const struct value *value)
{
	if (value->type == VALUE_WORDS && count_words(value->text) > LONG_VECTOR) {
		const char *turns = turns_text(output->arena, value->text);

		return turns ? turns : runs_text(output->arena, value->text);
	}
	return value->type == VALUE_NONE ? "(absent)" : value_text(value);
}

const char *report_value(
	const struct output *output, const struct address *at, const struct value *value)
{
	if (value->type == VALUE_NUMBER && value->number >= 1024 && is_in_bytes(at))
		return bytes_format(output->arena, value->number);
	return report_plain(output, value);
}

/* The change that made it necessary, without the name of the link if it is the same one. */
static const char *cause_text(const struct change *change)
{
	const struct link *link = change->at.target.link;
	size_t length = link ? strlen(link->name) : 0;

	if (length && strncmp(change->cause, link->name, length) == 0 &&
		change->cause[length] == '/')
		return change->cause + length + 1;
	return change->cause;
}

/* The value that it has or is going to have. */
static const struct value *change_result(const struct change *change)
{
	if (change->observed.type != VALUE_NONE)
		return &change->observed;
	return change->after.type != VALUE_NONE ? &change->after : &change->wanted;
}

static const char *change_note(const struct output *output, const struct change *change)
{
	struct arena *arena = output->arena;

	if (change->cause)
		return arena_printf(arena, "written again after %s", cause_text(change));
	if (change->origin == ORIGIN_CARRIED)
		return "written again, an earlier step resets it";
	if (change->origin == ORIGIN_UNBLOCK)
		return "to let the next step through";
	if (value_equal(change_result(change), &change->wanted))
		return NULL;
	if (change->verdict == VERDICT_NONE)
		return arena_printf(arena, "asked for %s", value_text(&change->wanted));
	return arena_printf(arena, "asked for %s, %s", value_text(&change->wanted),
		change->moot ? "not in force" : verdict_name(change->verdict));
}

struct row report_change(const struct output *output, const struct change *change)
{
	const struct value *after = change_result(change);
	struct row row = {
		.at = change->at,
		.old = report_plain(output, &change->before),
		.sign = sign_arrow(output),
		.new = report_value(output, &change->at, after),
		.note = change_note(output, change),
		.why = output->verbose && change->wish ? change->wish->why : NULL,
		.interrupts = change->verdict == VERDICT_NONE ? change->interrupts
							      : INTERRUPTS_NONE,
		.tone = TONE_STRONG,
	};

	if ((change->origin == ORIGIN_CARRIED || change->cause) &&
		value_equal(&change->before, after)) {
		row.old = "";
		row.sign = "=";
	}
	return row;
}

bool change_is_good(const struct change *change)
{
	if (change->moot || change->verdict == VERDICT_NONE)
		return true;
	/* what is put back must read as before, not nearly so */
	if (change->origin == ORIGIN_RESTORE)
		return change->verdict == VERDICT_EXACT || change->verdict == VERDICT_REDUCED;
	return verdict_is_good(change->verdict);
}

static bool is_failure(enum verdict verdict)
{
	return verdict == VERDICT_REFUSED || verdict == VERDICT_GONE || verdict == VERDICT_DRIFTED;
}

static struct row failed_change(const struct output *output, const struct change *change)
{
	/* a setting that is held reads as wanted */
	const bool differs = !value_equal(&change->observed, &change->wanted);
	const char *verdict = verdict_name(change->verdict);
	const char *error = change->error ? change->error
			    : change->err ? strerror(change->err)
					  : NULL;

	return (struct row){
		.at = change->at,
		.old = differs ? report_plain(output, &change->observed) : "",
		.sign = differs ? " wanted" : "=",
		.new = report_value(output, &change->at, &change->wanted),
		.note = error ? arena_printf(output->arena, "%s: %s", verdict, error) : verdict,
		.tone = is_failure(change->verdict) ? TONE_BAD : TONE_WARNING,
	};
}

void report_failed(const struct output *output, const struct plan *plan, const char *title)
{
	struct rows rows = {.arena = output->arena};

	for (size_t i = 0; i < plan->n; i++) {
		struct row row = failed_change(output, &plan->v[i]);

		if (!change_is_good(&plan->v[i]))
			rows_add(&rows, &row);
	}
	rows_print(output, &rows, title);
}

void report_changes(const struct output *output, const struct plan *plan)
{
	struct rows rows = {.arena = output->arena};

	for (size_t i = 0; i < plan->n; i++) {
		struct row row = report_change(output, &plan->v[i]);

		if (change_is_good(&plan->v[i]))
			rows_add(&rows, &row);
	}
	rows_print(output, &rows, NULL);
}

/* What can't be had here, or what can't be had yet. */
static void print_skips(
	const struct output *output, const struct skips *skips, bool deferred, const char *title)
{
	struct rows rows = {.arena = output->arena};

	for (size_t i = 0; i < skips->n; i++) {
		const struct skip *skip = &skips->v[i];
		const bool told = skip->reason && skip->reason[0];
		struct row row = {
			.at = skip->at,
			.new = skip->wanted ? skip->wanted : "",
			.note = told ? skip->reason : verdict_name(skip->verdict),
		};

		if (deferred == (skip->verdict == VERDICT_DEFERRED))
			rows_add(&rows, &row);
	}
	rows_print(output, &rows, title);
}

void report_skipped(const struct output *output, const struct skips *skips)
{
	print_skips(output, skips, false, "skipped");
	print_skips(output, skips, true, "deferred");
}

void report_settings(
	const struct output *output, const struct settings *settings, const char *title)
{
	struct rows rows = {.arena = output->arena};

	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *s = &settings->v[i];

		rows_add(&rows, &(struct row){
					.at = s->at,
					.new = s->value.type == VALUE_NONE
						       ? "as the kernel decides"
						       : report_value(output, &s->at, &s->value),
				});
	}
	rows_print(output, &rows, title);
}

void report_adjusted(const struct output *output, struct rows *rows, const struct address *at,
	const struct value *wanted, const struct value *live, enum verdict verdict)
{
	rows_add(rows, &(struct row){
			       .at = *at,
			       .new = report_value(output, at, live),
			       .note = arena_printf(output->arena, "asked for %s, %s",
				       report_plain(output, wanted), verdict_name(verdict)),
		       });
}

void report_unchanged(
	const struct output *output, const struct settings *unchanged, bool with_exact)
{
	struct settings exact = {.arena = output->arena};
	struct rows adjusted = {.arena = output->arena};

	for (size_t i = 0; i < unchanged->n; i++) {
		const struct setting *s = &unchanged->v[i];

		if (s->got.type != VALUE_NONE)
			report_adjusted(output, &adjusted, &s->at, &s->value, &s->got, s->verdict);
		else if (settings_add(&exact, s) < 0)
			return; /* the arena remembers it */
	}
	rows_print(output, &adjusted, ADJUSTED_TITLE);
	if (with_exact)
		report_settings(output, &exact, "already as wished");
}

static size_t count_deferred(const struct skips *skips)
{
	size_t n = 0;

	for (size_t i = 0; i < skips->n; i++)
		n += skips->v[i].verdict == VERDICT_DEFERRED;
	return n;
}

const char *report_rest(const struct output *output, const struct plan *plan, const char *between)
{
	struct arena *arena = output->arena;
	const size_t deferred = count_deferred(&plan->skipped);
	const char *text = "";

	if (plan->unchanged.n) {
		text = arena_printf(arena, "%s%zu already as wished", between, plan->unchanged.n);
		between = ", ";
	}
	if (plan->skipped.n > deferred) {
		text = arena_printf(
			arena, "%s%s%zu skipped", text, between, plan->skipped.n - deferred);
		between = ", ";
	}
	if (deferred)
		text = arena_printf(arena, "%s%s%zu deferred", text, between, deferred);
	return text;
}

void report_next(const struct output *output, const char *lead, const char *next)
{
	if (next && !output->quiet)
		fprintf(output->out, "%s: %s\n", lead, text_escape(output->arena, next));
}

/* The links that have a change of exactly this interruption. */
static size_t interrupted_links(
	const struct plan *plan, enum interrupts interrupts, const struct link **ret)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n; i++) {
		const struct link *link = plan->v[i].at.target.link;
		size_t j = 0;

		if (!link || plan->v[i].interrupts != interrupts)
			continue;
		while (j < n && ret[j] != link)
			j++;
		if (j == n)
			ret[n++] = link;
	}
	return n;
}

static void interruptions_of(const struct output *output, const struct plan *plan,
	enum interrupts interrupts, const char *mark, const char *text)
{
	const struct link **links = ARENA_ARRAY(output->arena, plan->n + 1, const struct link *);
	size_t n = links ? interrupted_links(plan, interrupts, links) : 0;
	size_t steps = plan_interruptions(plan, interrupts);

	if (interrupts < INTERRUPTS_LINK)
		steps -= plan_interruptions(plan, interrupts + 1);
	if (!n)
		return;
	print_tone(output, TONE_WARNING, mark);
	fprintf(output->out, "%*s%s: %s, %s\n", (int)(3 - strlen(mark)), "", text,
		links_text(output, links, n), count_text(output->arena, steps, "step", "steps"));
}

void report_interruptions(const struct output *output, const struct plan *plan)
{
	interruptions_of(output, plan, INTERRUPTS_LINK, "!!", "interrupts the link");
	interruptions_of(output, plan, INTERRUPTS_QUEUE, "!", "interrupts a queue");
}

int report_end(const struct output *output)
{
	/* an earlier write that failed has left its errno: nothing since then asks the system */
	if (fflush(output->out) == EOF || ferror(output->out))
		return errno ? -errno : -EIO;
	return arena_failed(output->arena) ? -ENOMEM : 0;
}
