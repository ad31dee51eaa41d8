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
	struct value wanted;         /* as asked for */
	struct value value;          /* as apply left it */
	struct value active;         /* offloads */
	const struct change *change; /* NULL: it was so already */
	enum verdict verdict;        /* of `value`: what it is of the one wanted */
};

struct drift {
	struct session *session;
	struct expectation *v;
	size_t n, cap;
	struct state seen;
	struct differences *ret;
	size_t ret_cap, adjusted_cap;
	struct skips *skipped; /* of ret: not as wished, but as left */
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

static int expect(
	struct drift *drift, const struct journal *journal, const struct expectation *expectation)
{
	const struct address *at = &expectation->at;
	const struct observed *left = state_find(&journal->left, at);
	const struct observed seen = {.at = *at};
	struct expectation *e;

	if (!is_asked_for(drift->session, at) || state_find(&drift->seen, at))
		return 0;
	if (arena_grow(drift->session->arena, &drift->v, &drift->cap, drift->n, sizeof(*drift->v)) <
		0)
		return -ENOMEM;
	e = &drift->v[drift->n++];
	*e = *expectation;
	if (left) {
		e->value = left->value;
		e->active = left->active;
	}
	return state_put(&drift->seen, &seen);
}

static int expect_journal(struct drift *drift, const struct journal *journal)
{
	const struct plan *plan = &journal->plan;

	for (size_t i = 0; i < plan->n; i++) {
		const struct change *c = &plan->v[i];

		if (expect(drift, journal,
			    &(struct expectation){
				    .at = c->at,
				    .wanted = c->wanted,
				    .value = c->after,
				    .change = c,
				    .verdict = c->verdict,
			    }) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < plan->unchanged.n; i++) {
		const struct setting *s = &plan->unchanged.v[i];

		if (expect(drift, journal,
			    &(struct expectation){
				    .at = s->at,
				    .wanted = s->value,
				    .value = s->got.type == VALUE_NONE ? s->value : s->got,
				    .verdict = s->verdict,
			    }) < 0)
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

/* A link that is down has no interrupts, and need not have all its queues. */
static bool is_put_off(const struct address *at)
{
	const struct link *link = at->target.link;

	return link && link->ifindex && !link->up && at->target.part != PART_WHOLE;
}

/* What a value that is as it was left is of the one wanted. The journal has the verdict of the step:
 * a later one may have moved the value within the rule. */
static enum verdict compare_left(const struct expectation *e, const struct observed *live)
{
	if (value_equal(&live->value, &e->wanted)) {
		bool held = e->active.type != VALUE_NONE && live->active.type != VALUE_NONE &&
			    !value_equal(&live->active, &e->wanted);

		return held ? VERDICT_HELD : VERDICT_EXACT;
	}
	if (e->verdict != VERDICT_NONE && e->verdict != VERDICT_EXACT)
		return e->verdict;
	return e->change ? judge(e->change, live) : VERDICT_ROUNDED;
}

/* What live is of the value wanted; DRIFTED if it is not as it was left, nor as the rule allows. */
static enum verdict compare(const struct expectation *e, const struct observed *live)
{
	enum verdict verdict;

	if (value_equal(&e->value, &live->value))
		return compare_left(e, live);
	/* as wanted after all, or a CPU of the mask has gone offline; that the driver could have
	 * made this of the value says nothing now */
	verdict = e->change ? judge(e->change, live) : VERDICT_DRIFTED;
	return verdict == VERDICT_EXACT || verdict == VERDICT_REDUCED ? verdict : VERDICT_DRIFTED;
}

/* Why it is not there any more, or what the reading says of it. */
static const char *gone_or_note(const struct address *at, const struct observed *live)
{
	const struct link *link = at->target.link;

	if (live)
		return live->note;
	if (is_put_off(at))
		return "interface is down";
	return link && !link->ifindex ? "the interface is gone" : "it is not there any more";
}

static int add_difference(struct drift *drift, const struct expectation *e,
	const struct observed *live, enum verdict verdict)
{
	const struct difference difference = {
		.at = e->at,
		.wanted = e->value,
		.observed = live ? live->value : value_none(),
		.verdict = verdict,
		.cause = verdict == VERDICT_DEFERRED ? "deferred" : "drifted",
		.reason = gone_or_note(&e->at, live),
	};

	return differences_add(drift->ret, &drift->ret_cap, drift->session->arena, &difference);
}

/* Why it is not as wished. */
static const char *reason_of(const struct drift *drift, const struct expectation *e,
	const struct observed *live, enum verdict verdict)
{
	struct arena *arena = drift->session->arena;
	struct answer answer = answer_question(
		arena, &drift->session->run.host, &e->at, &e->wanted, NULL);

	answer.got = live->value;
	answer.verdict = verdict;
	return answer_is_worth(verdict) ? answer_reason(arena, &answer) : live->note;
}

/* As apply left it: as wished, as nearly as it goes, or not as wished, which was told then. */
static int add_as_left(struct drift *drift, const struct expectation *e,
	const struct observed *live, enum verdict verdict)
{
	const struct difference adjusted = {
		.at = e->at,
		.wanted = e->wanted,
		.observed = live->value,
		.verdict = verdict,
	};

	if (!verdict_is_good(verdict))
		return skips_add(
			drift->skipped, &(struct skip){
						.at = e->at,
						.wanted = value_text(&e->wanted),
						.verdict = verdict,
						.reason = reason_of(drift, e, live, verdict),
					});
	drift->ret->in_sync++;
	if (verdict == VERDICT_EXACT || (e->change && e->change->origin != ORIGIN_PROFILE))
		return 0;
	return adjusted_add(drift->ret, &drift->adjusted_cap, drift->session->arena, &adjusted);
}

/* Or better. What something keeps from being in force since then, is not. */
static bool is_as_left(
	const struct expectation *e, const struct observed *live, enum verdict verdict)
{
	return verdict_is_good(verdict) ||
	       (value_equal(&e->value, &live->value) &&
		       (verdict != VERDICT_HELD || value_equal(&e->active, &live->active)));
}

/* A vector may be served otherwise than was planned: the worst of the two decides. */
static int compare_one(struct drift *drift, const struct expectation *e)
{
	struct observed *live[SERVING_MAX];
	size_t n = state_serving(&drift->session->run.live, &e->at, live);
	enum verdict verdict;
	size_t i = 0;

	if (!n)
		return add_difference(
			drift, e, NULL, is_put_off(&e->at) ? VERDICT_DEFERRED : VERDICT_GONE);
	verdict = compare(e, live[0]);
	while (i + 1 < n && is_as_left(e, live[i], verdict))
		verdict = compare(e, live[++i]);
	return is_as_left(e, live[i], verdict) ? add_as_left(drift, e, live[i], verdict)
					       : add_difference(drift, e, live[i], verdict);
}

static int compare_all(struct drift *drift)
{
	const struct state *state = &drift->session->run.live;

	for (size_t i = 0; i < drift->n; i++) {
		const struct expectation *e = &drift->v[i];

		if (e->value.type == VALUE_NONE || is_moot(state, &e->at))
			continue;
		if (compare_one(drift, e) < 0)
			return -ENOMEM;
	}
	return 0;
}

int journals_drift(struct session *session, const struct journals *journals,
	struct differences *ret, struct error *error)
{
	struct drift drift = {
		.session = session,
		.seen.arena = session->arena,
		.ret = ret,
		.skipped = ARENA_NEW(session->arena, struct skips),
	};
	int r;

	*ret = (struct differences){.skipped = drift.skipped};
	if (!drift.skipped)
		return error_no_memory(error);
	drift.skipped->arena = session->arena;
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
