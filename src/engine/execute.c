/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Execution: before each write a reading (equal values are not written) and a journal line, after
 * it a reading back; sysctls that are refused for their order are tried again; links are awaited;
 * in the end everything is read once more, and what a later step moved is written again.
 */
#include "engine/execute.h"

#include "core/answer.h"
#include "engine/await.h"
#include "engine/writing.h"

#include <errno.h>
#include <string.h>

enum { REPAIR_ROUNDS = 3 };

static void note_failure(struct executor *ex, const struct error *error)
{
	if (!ex->result.failed++)
		ex->result.error = *error;
}

/*
 * The link must be back before the next is touched, and before what it comes up with is read. One
 * that stays away is waited for once. On the way back it stops nothing.
 */
static void leave_link(struct executor *ex, const struct link *link)
{
	struct error error;

	if (link && link == ex->away)
		return;
	if (await_link(ex->run, link, ex->keep_going, &error) == 0)
		return;
	ex->away = link;
	if (ex->keep_going)
		return;
	ex->result.not_back++;
	note_failure(ex, &error);
}

/* What became of the settings of a step whose kind reads them by name. */
static int update_keys(struct executor *ex, const struct step *step, const struct state *fresh)
{
	struct state *live = &ex->run->live;

	for (uint32_t i = 0; i < step->n; i++) {
		const struct address *at = &ex->plan->v[step->first + i].at;

		if (!state_find(fresh, at))
			state_remove(live, at);
	}
	for (size_t i = 0; i < fresh->n; i++) {
		if (state_put(live, &fresh->v[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Reads the settings of one step anew into run->live. */
static int refresh_step(struct executor *ex, const struct step *step, struct error *error)
{
	struct run *run = ex->run;
	const struct change *first = &ex->plan->v[step->first];
	const struct kind *kind = first->at.kind;
	struct link *link = (struct link *)first->at.target.link;
	struct state fresh = {.arena = run->arena};
	const char **keys = ARENA_ARRAY(run->arena, step->n, const char *);
	int r;

	if (!keys)
		return error_no_memory(error);
	if (kind->settles)
		leave_link(ex, link);
	for (uint32_t i = 0; i < step->n; i++)
		keys[i] = first[i].at.key;
	r = run_observe_one(run, kind, link, kind->single ? keys : NULL, kind->single ? step->n : 0,
		&fresh, error);
	if (r < 0)
		return r;
	r = kind->single ? update_keys(ex, step, &fresh)
			 : state_update(&run->live, kind, link, &fresh);
	return r < 0 ? error_no_memory(error) : 0;
}

static int append(struct executor *ex, char *line, struct error *error)
{
	int r = ex->store ? store_append(ex->store, line, error) : 0;

	if (!ex->store)
		free(line);
	return ex->keep_going ? 0 : r;
}

/* A setting that stands in the way is written as a journaled step of its own. */
static bool unblock(struct executor *ex, const struct change *v, size_t n, int err)
{
	struct run *run = ex->run;
	const struct kind *kind = v->at.kind;
	struct setting setting;
	struct change change, *list[] = {&change};
	struct error error;
	const struct observed *live;

	if (!kind->unblock || !kind->unblock(v, n, err, &run->live, run->arena, &setting))
		return false;
	live = state_find(&run->live, &setting.at);
	change = (struct change){
		.at = setting.at,
		.before = live ? live->value : value_none(),
		.wanted = setting.value,
		.after = setting.value,
		.origin = ORIGIN_UNBLOCK,
	};
	if (append(ex, journal_extra_line(&change, ex->links, ex->nlinks), &error) < 0)
		return false;
	ex->result.wrote = true;
	return changes_write(run, list, 1) == 0;
}

static int journal_step(
	struct executor *ex, const struct step *step, unsigned round, struct error *error)
{
	uint32_t index = (uint32_t)(step - ex->plan->steps);

	return append(ex, journal_step_line(index, round), error);
}

static int journal_done(
	struct executor *ex, const struct step *step, unsigned round, int err, struct error *error)
{
	uint32_t index = (uint32_t)(step - ex->plan->steps);

	return append(ex, journal_done_line(ex->plan, index, round, err), error);
}

static int send_step(struct executor *ex, const struct step *step, const struct writing *writing)
{
	int answer = writing_send(ex->run, writing);

	ex->result.wrote = true;
	if (answer < 0 && unblock(ex, &ex->plan->v[step->first], step->n, -answer))
		answer = writing_send(ex->run, writing);
	return answer;
}

/* What else was set when the driver gave its answer. */
static void note_modes(struct executor *ex, const struct writing *writing)
{
	struct run *run = ex->run;

	for (size_t i = 0; i < writing->n; i++) {
		struct change *change = writing->of[i];

		if (change->wish)
			change->modes = answer_modes(run->arena, &run->live, &change->at, NULL);
	}
}

/*
 * One step: 1 if something was written, 0 if there was nothing to write, -errno and *error if the
 * journal or the reading failed. What the kernel thinks of it is in the changes.
 */
static int run_step(
	struct executor *ex, const struct step *step, unsigned round, struct error *error)
{
	struct writing writing;
	int r = refresh_step(ex, step, error), answer;

	if (r < 0)
		return r;
	if (writing_select(ex->run, ex->plan, step, &writing) < 0)
		return error_no_memory(error);
	if (!writing.n) {
		step_judge(ex->run, ex->plan, step);
		return 0;
	}
	for (size_t i = 0; i < writing.n; i++)
		writing.of[i]->round = (uint8_t)round;
	r = journal_step(ex, step, round, error);
	if (r < 0)
		return r;
	answer = send_step(ex, step, &writing);
	r = refresh_step(ex, step, error);
	if (r < 0)
		return r;
	note_modes(ex, &writing);
	step_judge(ex->run, ex->plan, step);
	r = journal_done(ex, step, round, answer < 0 ? -answer : 0, error);
	return r < 0 ? r : 1;
}

static void describe_failure(struct executor *ex, const struct change *change, struct error *error)
{
	struct arena *arena = ex->run->arena;
	const char *at = address_text(arena, &change->at);

	if (change->error)
		error_set(error, ERROR_FAILED, change->err, "%s = %s: %s (%s)", at,
			value_text(&change->wanted), change->error, verdict_name(change->verdict));
	else
		error_set(error, ERROR_FAILED, EIO, "%s = %s: reads back %s (%s)", at,
			value_text(&change->wanted), value_text(&change->observed),
			verdict_name(change->verdict));
}

static bool step_is_acceptable(const struct executor *ex, const struct step *step)
{
	for (uint32_t i = 0; i < step->n; i++) {
		if (!change_is_acceptable(&ex->plan->v[step->first + i]))
			return false;
	}
	return true;
}

/* Counts what failed in this step. */
static void note_step(struct executor *ex, const struct step *step)
{
	for (uint32_t i = 0; i < step->n; i++) {
		const struct change *change = &ex->plan->v[step->first + i];
		struct error error;

		if (change_is_acceptable(change))
			continue;
		describe_failure(ex, change, &error);
		note_failure(ex, &error);
	}
}

static bool must_stop(struct executor *ex)
{
	if (!ex->keep_going && signals_pending())
		ex->result.stopped = true;
	return ex->result.stopped || (ex->result.failed && !ex->keep_going);
}

/* A vector write that was refused may have stored its first numbers. */
static int put_right(
	struct executor *ex, const struct step *step, struct value before, struct error *error)
{
	struct change *change = &ex->plan->v[step->first];
	struct change back = *change, *list[] = {&back};
	int err = change->err, r;
	const char *text = change->error;

	if (value_equal(&change->observed, &before) || before.type == VALUE_NONE)
		return 0;
	back.wanted = before;
	changes_write(ex->run, list, 1);
	change->err = err;
	change->error = text;
	r = refresh_step(ex, step, error);
	if (r == 0)
		step_judge(ex->run, ex->plan, step);
	return r;
}

/* Tries one setting that is a step of its own; true: it may be tried again after the others. */
static int try_single(
	struct executor *ex, const struct step *step, bool *ret_again, struct error *error)
{
	struct change *change = &ex->plan->v[step->first];
	const struct observed *live;
	struct value before;
	int r = refresh_step(ex, step, error);

	*ret_again = false;
	if (r < 0)
		return r;
	live = state_find(&ex->run->live, &change->at);
	before = live ? live->value : value_none();
	r = run_step(ex, step, 0, error);
	if (r < 0 || step_is_acceptable(ex, step))
		return r;
	*ret_again = change->err == EINVAL;
	return put_right(ex, step, before, error);
}

/*
 * Settings that are steps of their own, from `first` on: what is refused with EINVAL is set aside
 * and tried after the others, until a pass makes no progress (ipfrag_high_thresh before its low
 * partner, port ranges). -errno and *error as of run_step().
 */
static int run_singles(struct executor *ex, size_t first, size_t n, struct error *error)
{
	const struct step **again = ARENA_ARRAY(ex->run->arena, n, const struct step *);
	size_t pending = n;

	if (!again)
		return error_no_memory(error);
	for (size_t i = 0; i < n; i++)
		again[i] = &ex->plan->steps[first + i];
	for (bool progress = true; pending && progress;) {
		size_t left = 0;

		for (size_t i = 0; i < pending && !must_stop(ex); i++) {
			bool retry;
			int r = try_single(ex, again[i], &retry, error);

			if (r < 0)
				return r;
			if (retry)
				again[left++] = again[i];
			else
				note_step(ex, again[i]);
		}
		if (must_stop(ex))
			return 0;
		progress = left < pending;
		pending = left;
	}
	for (size_t i = 0; i < pending; i++)
		note_step(ex, again[i]);
	return 0;
}

/* How many steps from `first` on are of the same kind that writes setting by setting. */
static size_t count_singles(const struct plan *plan, size_t first)
{
	const struct kind *kind = plan->v[plan->steps[first].first].at.kind;
	size_t n = 0;

	while (kind->single && first + n < plan->nsteps &&
		plan->v[plan->steps[first + n].first].at.kind == kind)
		n++;
	return n;
}

static struct link *link_of_step(const struct plan *plan, size_t step)
{
	const struct change *change = &plan->v[plan->steps[step].first];

	return change->at.kind->single ? NULL : (struct link *)change->at.target.link;
}

/* Is step `next` of another link, or none? */
static bool is_end_of_link(const struct plan *plan, size_t next, const struct link *link)
{
	return next >= plan->nsteps || link_of_step(plan, next) != link;
}

static int run_all(struct executor *ex, struct error *error)
{
	const struct plan *plan = ex->plan;
	bool touched = false;

	for (size_t i = 0; i < plan->nsteps && !must_stop(ex);) {
		size_t singles = count_singles(plan, i);
		struct link *link = link_of_step(plan, i);
		int r;

		if (singles) {
			r = run_singles(ex, i, singles, error);
			i += singles;
		} else {
			r = run_step(ex, &plan->steps[i], 0, error);
			if (r >= 0)
				note_step(ex, &plan->steps[i]);
			i++;
		}
		if (r < 0 && !ex->keep_going)
			return r;
		if (r < 0)
			note_failure(ex, error);
		touched |= link && r > 0;
		if (touched && is_end_of_link(plan, i, link)) {
			leave_link(ex, link);
			touched = false;
		}
	}
	return 0;
}

static int judge_all(struct executor *ex, struct error *error)
{
	int r = run_refresh(ex->run, error);

	for (size_t i = 0; r == 0 && i < ex->plan->nsteps; i++)
		step_judge(ex->run, ex->plan, &ex->plan->steps[i]);
	return r;
}

/* A setting that the kernel refused is not asked twice. */
static int repair_step(struct executor *ex, size_t i, unsigned round, struct error *error)
{
	const struct step *step = &ex->plan->steps[i];

	if (step_is_acceptable(ex, step) || ex->plan->v[step->first].err)
		return 0;
	return run_step(ex, step, round, error);
}

/* Writes again what a later step moved. */
static int repair(struct executor *ex, unsigned round, bool *ret_more, struct error *error)
{
	bool touched = false;

	*ret_more = false;
	for (size_t i = 0; i < ex->plan->nsteps && !must_stop(ex); i++) {
		const struct link *link = link_of_step(ex->plan, i);
		int r = repair_step(ex, i, round, error);

		if (r < 0 && !ex->keep_going)
			return r;
		*ret_more |= r > 0;
		touched |= link && r > 0;
		if (touched && is_end_of_link(ex->plan, i + 1, link)) {
			leave_link(ex, link);
			touched = false;
		}
	}
	return 0;
}

int execute(struct executor *ex, struct error *error)
{
	bool more = true;
	int r;

	ex->result = (struct execution){0};
	if (await_note(ex->run) < 0)
		return error_no_memory(error);
	r = run_all(ex, error);
	if (r < 0 || must_stop(ex))
		return r;
	r = judge_all(ex, error);
	for (unsigned round = 1; r == 0 && more && round <= REPAIR_ROUNDS; round++) {
		r = repair(ex, round, &more, error);
		if (r == 0 && more)
			r = judge_all(ex, error);
	}
	if (r < 0)
		return r;
	ex->result.failed = ex->result.not_back;
	for (size_t i = 0; i < ex->plan->nsteps; i++)
		note_step(ex, &ex->plan->steps[i]);
	return 0;
}
