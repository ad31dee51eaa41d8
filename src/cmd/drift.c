/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drift: what the transactions in force set, or found to be so already, against what is live. Of
 * several transactions the newest decides a setting. Expected is the state that apply left, since
 * what a driver made of a value is not a difference.
 */
#include "cmd/deferred.h"
#include "cmd/journals.h"
#include "engine/execute.h"
#include "engine/identity.h"

#include <errno.h>
#include <string.h>

struct expectation {
	struct address at;
	struct value value;
	struct value active;         /* offloads */
	const struct change *change; /* NULL: it was so already */
};

struct drift {
	struct session *session;
	struct expectation *v;
	size_t n, cap;
	struct state seen;
	struct differences *ret;
	size_t ret_cap;
};

static bool has_word(const char *const *words, const char *word)
{
	for (; *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

bool is_asked_for(const struct session *session, const struct address *at)
{
	const struct options *options = &session->line->options;
	const struct link *link = at->target.link;

	if (options->only && !has_word(options->only, at->kind->name))
		return false;
	return !options->interfaces || (link && has_word(options->interfaces, link->name));
}

static int expect(struct drift *drift, const struct journal *journal, const struct address *at,
	const struct value *value, const struct change *change)
{
	const struct observed *left = state_find(&journal->left, at);
	const struct observed seen = {.at = *at};
	struct arena *arena = drift->session->arena;

	if (!is_asked_for(drift->session, at) || state_find(&drift->seen, at))
		return 0;
	if (arena_grow(arena, &drift->v, &drift->cap, drift->n, sizeof(*drift->v)) < 0)
		return -ENOMEM;
	drift->v[drift->n++] = (struct expectation){
		.at = *at,
		.value = left ? left->value : *value,
		.active = left ? left->active : value_none(),
		.change = change,
	};
	return state_put(&drift->seen, &seen);
}

static int expect_journal(struct drift *drift, const struct journal *journal)
{
	const struct plan *plan = &journal->plan;

	for (size_t i = 0; i < plan->n; i++) {
		const struct change *c = &plan->v[i];

		if (expect(drift, journal, &c->at, &c->after, c) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < plan->unchanged.n; i++) {
		const struct setting *s = &plan->unchanged.v[i];

		if (expect(drift, journal, &s->at, &s->value, NULL) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int observe_expected(struct drift *drift, struct error *error)
{
	struct run *run = &drift->session->run;
	struct wants wants = {.arena = run->arena};

	for (size_t i = 0; i < drift->n; i++) {
		const struct address *at = &drift->v[i].at;
		const struct link *link = at->target.link;

		if (link && !link->ifindex)
			continue;
		if (wants_add(&wants, at->kind, link ? host_link(&run->host, link->ifindex) : NULL,
			    at->kind->single ? at->key : NULL) < 0)
			return error_no_memory(error);
	}
	return run_observe(run, &wants, error);
}

/* The verdict, VERDICT_EXACT if live is as it was left. */
static enum verdict compare(const struct expectation *e, const struct observed *live)
{
	if (!live)
		return VERDICT_GONE;
	if (value_equal(&e->value, &live->value)) {
		bool held = e->active.type != VALUE_NONE && live->active.type != VALUE_NONE &&
			    !value_equal(&e->active, &live->active);

		return held ? VERDICT_HELD : VERDICT_EXACT;
	}
	/* also as the kind's rule allows: a CPU of the mask may have gone offline */
	if (e->change) {
		enum verdict verdict = judge(e->change, live);

		if (verdict_is_good(verdict))
			return verdict;
	}
	return VERDICT_DRIFTED;
}

/* Why it is not there any more, or what the reading says of it. */
static const char *reason_of(const struct address *at, const struct observed *live)
{
	const struct link *link = at->target.link;

	if (live)
		return live->note;
	return link && !link->ifindex ? "the interface is gone" : "it is not there any more";
}

static int compare_all(struct drift *drift)
{
	const struct state *state = &drift->session->run.live;

	for (size_t i = 0; i < drift->n; i++) {
		const struct expectation *e = &drift->v[i];
		const struct observed *live = state_find(state, &e->at);
		const enum verdict verdict = compare(e, live);
		const struct difference difference = {
			.at = e->at,
			.wanted = e->value,
			.observed = live ? live->value : value_none(),
			.verdict = verdict,
			.cause = "drifted",
			.reason = reason_of(&e->at, live),
		};

		if (e->value.type == VALUE_NONE || is_moot(state, &e->at))
			continue;
		if (verdict_is_good(verdict))
			drift->ret->in_sync++;
		else if (differences_add(drift->ret, &drift->ret_cap, drift->session->arena,
				 &difference) < 0)
			return -ENOMEM;
	}
	return 0;
}

int journals_drift(struct session *session, const struct journals *journals,
	struct differences *ret, struct error *error)
{
	struct drift drift = {.session = session, .seen.arena = session->arena, .ret = ret};
	int r;

	*ret = (struct differences){0};
	for (size_t i = 0; i < journals->n; i++) {
		if (!journal_is_in_force(session, journals->v[i]))
			continue;
		if (expect_journal(&drift, journals->v[i]) < 0)
			return error_no_memory(error);
		identity_note(&session->run, journals->v[i], &session->diags);
	}
	r = observe_expected(&drift, error);
	if (r == 0 && compare_all(&drift) < 0)
		r = error_no_memory(error);
	return r < 0 ? r : deferred_add(session, journals, ret, &drift.ret_cap, error);
}
