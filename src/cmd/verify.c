/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune verify: live against profiles, that is the plan turned into differences; or, without
 * profiles, live against what the transactions in force have left.
 */
#include "cmd/journals.h"
#include "cmd/load.h"
#include "cmd/planning.h"
#include "util/log.h"

#include <errno.h>

struct verification {
	struct session *session;
	struct planning planning;
	struct journals journals;
	bool has_journals;
	struct differences found;
	size_t cap, adjusted_cap;
};

static int add(struct verification *v, const struct difference *difference)
{
	return differences_add(&v->found, &v->cap, v->session->arena, difference);
}

static int add_changes(struct verification *v)
{
	const struct plan *plan = &v->planning.plan;

	for (size_t i = 0; i < plan->n; i++) {
		const struct change *c = &plan->v[i];
		const struct difference difference = {
			.at = c->at,
			.wanted = c->wanted,
			.observed = c->before,
			.verdict = VERDICT_DRIFTED,
			.cause = v->has_journals ? journals_cause(v->session, &v->journals, c)
						 : NULL,
		};

		/* what apply would only carry is no difference */
		if (c->origin == ORIGIN_PROFILE && add(v, &difference) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_adjusted(struct verification *v)
{
	const struct settings *unchanged = &v->planning.plan.unchanged;

	v->found.in_sync = unchanged->n;
	for (size_t i = 0; i < unchanged->n; i++) {
		const struct setting *s = &unchanged->v[i];
		const struct difference adjusted = {
			.at = s->at,
			.wanted = s->value,
			.observed = s->got,
			.verdict = s->verdict,
		};

		if (s->got.type != VALUE_NONE &&
			adjusted_add(&v->found, &v->adjusted_cap, v->session->arena, &adjusted) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_deferred(struct verification *v, const struct skip *skip)
{
	struct arena *arena = v->session->arena;
	const struct observed *live = state_find(&v->session->run.live, &skip->at);
	const struct difference difference = {
		.at = skip->at,
		.wanted = value_words(arena, skip->wanted ? skip->wanted : ""),
		.observed = live ? live->value : value_none(),
		.verdict = VERDICT_DEFERRED,
		.cause = "deferred",
		.reason = skip->reason,
	};

	return add(v, &difference);
}

/* Wishes of rules without any interface: there is no address but kind and key. */
static int add_unmatched(struct verification *v)
{
	struct arena *arena = v->session->arena;
	const struct matching *matching = &v->planning.matching;

	for (size_t i = 0; i < matching->n; i++) {
		const struct unmatched *u = &matching->v[i];

		for (size_t j = 0; j < u->rule->nwishes; j++) {
			const struct wish *wish = &u->rule->wishes[j];
			const struct difference difference = {
				.at = {.kind = wish->kind, .key = wish->key},
				.wanted = value_words(arena, expr_text(arena, wish->value)),
				.verdict = VERDICT_DEFERRED,
				.cause = "unmatched",
				.reason = u->reason ? u->reason : "no interface matches the rule",
			};

			if (add(v, &difference) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

/* What this host can't have is no difference; the summary counts it, and -v tells. */
static void note_skip(struct verification *v, const struct skip *skip)
{
	const char *key = address_text(v->session->arena, &skip->at);
	struct diag *diag = diags_add(&v->session->diags, SEVERITY_NOTE, ERROR_FAILED,
		verdict_name(skip->verdict), skip->wish ? skip->wish->pos : (struct pos){0},
		"%s: %s", key,
		skip->reason && *skip->reason ? skip->reason : verdict_name(skip->verdict));

	if (diag) {
		diag->key = key;
		diag->interface = skip->at.target.link ? skip->at.target.link->name : NULL;
	}
}

static int add_skips(struct verification *v)
{
	const struct skips *skips = v->found.skipped;
	const struct output *output = &v->session->output;
	const bool is_told = output->json || output->verbose;

	for (size_t i = 0; skips && i < skips->n; i++) {
		const struct skip *skip = &skips->v[i];

		if (skip->verdict == VERDICT_DEFERRED && add_deferred(v, skip) < 0)
			return -ENOMEM;
		if (is_told && skip->verdict != VERDICT_DEFERRED && skip->verdict != VERDICT_NONE)
			note_skip(v, skip);
	}
	return 0;
}

/* An ordinary user can't read the journal: the causes stay open then, not the differences. */
static int load_journals(struct verification *v, struct error *error)
{
	int r = journals_load(v->session, &v->journals, error);

	v->has_journals = r == 0;
	if (r < 0 && error->kind == ERROR_PERMISSION) {
		log_verbose("the journal can't be read: %s", error->msg);
		return 0;
	}
	return r;
}

static int verify_profiles(struct verification *v, struct error *error)
{
	struct session *session = v->session;
	int r = load_profiles(session, error);

	if (r == 0)
		r = session_open(session, PRIVILEGE_READ, error);
	if (r == 0)
		r = planning_make(session, SEVERITY_WARNING, &v->planning, error);
	if (r == 0)
		r = load_journals(v, error);
	if (r < 0)
		return r;
	v->found.skipped = &v->planning.plan.skipped;
	if (add_changes(v) < 0 || add_adjusted(v) < 0 || add_skips(v) < 0 || add_unmatched(v) < 0)
		return error_no_memory(error);
	return 0;
}

/* What the report is about: the profiles of the newest transaction in force. */
static void name_profiles(struct session *session, const struct journals *journals)
{
	for (size_t i = 0; i < journals->n; i++) {
		if (!journal_is_in_force(session, journals->v[i]))
			continue;
		session->report.profiles = journals->v[i]->profiles;
		session->report.nprofiles = journals->v[i]->nprofiles;
		return;
	}
}

static int verify_journal(struct verification *v, struct error *error)
{
	struct session *session = v->session;
	const struct journal *unfinished;
	int r = session_open(session, PRIVILEGE_READ, error);

	if (r == 0)
		r = journals_load(session, &v->journals, error);
	if (r < 0)
		return r;
	unfinished = journals_unfinished(session, &v->journals);
	if (unfinished)
		return error_set(error, ERROR_UNFINISHED, EBUSY,
			"transaction %s is unfinished, the host is in between; put it back: %s",
			unfinished->header.id, session_next(session, "rollback", false));
	if (v->journals.busy)
		log_info("another run of nettune is changing this network namespace");
	name_profiles(session, &v->journals);
	r = journals_drift(session, &v->journals, &v->found, error);
	if (r < 0)
		return r;
	if (!v->found.n && !v->found.in_sync && !v->found.skipped->n)
		log_info("no transaction is in force; name a profile to compare with");
	return add_skips(v) < 0 ? error_no_memory(error) : 0;
}

static int run_verify_command(struct session *session)
{
	struct verification v = {.session = session};
	struct error error = {0};
	struct ending ending;
	int r = session->line->noperands ? verify_profiles(&v, &error) : verify_journal(&v, &error);

	if (r < 0)
		return session_fail(session, &error);
	ending = (struct ending){.is_different = v.found.n > 0};
	session_warn(session);
	r = output_verify(&session->output, &session->report, &v.found);
	return session_end(session, r, exit_status(&ending));
}

const struct command command_verify = {
	.name = "verify",
	.operands = "[PROFILE...]",
	.summary = "live state against profiles, or against the journal",
	.details = "Exit status 2 if there are differences or deferred settings.\n"
		   "Without PROFILE: against what the transactions in force have left.",
	.max_operands = OPERANDS_MANY,
	.options = OPTION(INTERFACE) | OPTION(ONLY) | OPTION(ROOT),
	.run = run_verify_command,
};
