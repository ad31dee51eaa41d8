/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What transactions in force had to put off (a link was down, a speed unknown), told until it is
 * set: by planning the profiles that their journals hold against the host as it is now.
 */
#include "cmd/deferred.h"

#include "cmd/planning.h"
#include "kinds/registry.h"

#include <errno.h>
#include <string.h>

struct deferred {
	struct session *session;
	const struct journals *journals;
	struct differences *ret;
	size_t *cap;
	bool is_planned; /* of the journal at hand */
	struct planning planning;
};

static bool is_same_place(const struct address *a, const struct address *b)
{
	return a->kind == b->kind && a->target.link == b->target.link;
}

/* A word of the profile may stand for other keys. */
static bool is_meant(const struct skip *skip, const struct address *at, const struct wish *wish)
{
	return is_same_place(&skip->at, at) &&
	       (strcmp(skip->at.key, at->key) == 0 ||
		       (wish && strcmp(skip->at.key, wish->key) == 0));
}

static bool says_something_of(const struct plan *plan, const struct skip *skip)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->v[i].origin == ORIGIN_PROFILE && is_meant(skip, &plan->v[i].at, NULL))
			return true;
	for (size_t i = 0; i < plan->unchanged.n; i++)
		if (is_meant(skip, &plan->unchanged.v[i].at, NULL))
			return true;
	for (size_t i = 0; i < plan->skipped.n; i++)
		if (is_meant(skip, &plan->skipped.v[i].at, NULL))
			return true;
	return false;
}

/* A newer transaction in force has decided the setting. */
static bool is_superseded(const struct deferred *d, size_t journal, const struct skip *skip)
{
	for (size_t i = 0; i < journal; i++)
		if (journal_is_in_force(d->session, d->journals->v[i]) &&
			says_something_of(&d->journals->v[i]->plan, skip))
			return true;
	return false;
}

static int add(struct deferred *d, const struct address *at, const struct value *wanted,
	const char *reason)
{
	const struct observed *live = state_find(&d->session->run.live, at);
	const struct difference difference = {
		.at = *at,
		.wanted = *wanted,
		.observed = live ? live->value : value_none(),
		.verdict = VERDICT_DEFERRED,
		.cause = "deferred",
		.reason = reason,
	};

	return differences_add(d->ret, d->cap, d->session->arena, &difference);
}

static int add_skip(struct deferred *d, const struct skip *skip)
{
	const struct value wanted = value_words(
		d->session->arena, skip->wanted ? skip->wanted : "");

	return add(d, &skip->at, &wanted, skip->reason);
}

static int load_source(struct deferred *d, const struct journal_profile *source,
	struct diags *diags, struct profile **ret)
{
	struct session *session = d->session;
	const struct profile_options options = {
		.kinds = kinds,
		.allow_sysctl = session->config.allow_sysctl,
		.version = NETTUNE_VERSION,
	};

	return profile_parse(&options, source->path, source->source, strlen(source->source),
		session->arena, diags, ret);
}

/* The plan of today for the profiles of one journal. What can't be read any more is no error: then
 * what the journal says holds. */
static void plan_today(struct deferred *d, const struct journal *journal)
{
	struct session *session = d->session;
	struct diags unheard = {.arena = session->arena};
	struct profiles profiles = {
		.v = ARENA_ARRAY(session->arena, journal->nprofiles + 1, struct profile *)};
	const struct planning_request request = {
		.profiles = &profiles,
		.unmatched = SEVERITY_NOTE,
		.diags = &unheard,
	};
	struct error error;

	d->is_planned = false;
	for (size_t i = 0; profiles.v && i < journal->nprofiles; i++)
		if (load_source(d, &journal->profiles[i], &unheard, &profiles.v[profiles.n]) == 0)
			profiles.n++;
	if (profiles.v && profiles.n == journal->nprofiles)
		d->is_planned = planning_fill(session, &request, &d->planning, &error) == 0;
}

/* Still put off, or possible by now and not done. */
static int compare_today(struct deferred *d, const struct skip *skip)
{
	const struct plan *plan = &d->planning.plan;

	for (size_t i = 0; i < plan->skipped.n; i++) {
		const struct skip *now = &plan->skipped.v[i];

		if (now->verdict == VERDICT_DEFERRED && is_meant(skip, &now->at, now->wish))
			return add_skip(d, now);
	}
	for (size_t i = 0; i < plan->n; i++) {
		const struct change *c = &plan->v[i];

		if (c->wish && is_meant(skip, &c->at, c->wish) &&
			add(d, &c->at, &c->wanted, "can be set now: apply the profile again") < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_of_journal(struct deferred *d, size_t index)
{
	const struct journal *journal = d->journals->v[index];
	const struct skips *skips = &journal->plan.skipped;
	bool is_asked = false;
	int r = 0;

	for (size_t i = 0; i < skips->n && r == 0; i++) {
		const struct skip *skip = &skips->v[i];

		if (skip->verdict != VERDICT_DEFERRED || is_superseded(d, index, skip) ||
			!is_asked_for(d->session, &skip->at))
			continue;
		if (!is_asked)
			plan_today(d, journal);
		is_asked = true;
		r = d->is_planned ? compare_today(d, skip) : add_skip(d, skip);
	}
	return r;
}

int deferred_add(struct session *session, const struct journals *journals, struct differences *ret,
	size_t *cap, struct error *error)
{
	struct deferred d = {
		.session = session,
		.journals = journals,
		.ret = ret,
		.cap = cap,
	};

	for (size_t i = 0; i < journals->n; i++)
		if (journal_is_in_force(session, journals->v[i]) && add_of_journal(&d, i) < 0)
			return error_no_memory(error);
	return 0;
}
