/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The changes of one step on their way to the kernel and back. A driver may pair or part its vectors
 * otherwise than was expected: rx-3 is then served by rxtx-3, or rxtx-3 by rx-3 and tx-3.
 */
#include "engine/writing.h"

#include "core/answer.h"
#include "engine/execute.h"

#include <errno.h>

/* Not again, where what the driver made of it may stay. */
static bool needs_write(const struct change *change, const struct observed *live)
{
	if (live->support != SUPPORT_SETTABLE || value_equal(&live->value, &change->wanted) ||
		value_equal(&live->value, &change->after))
		return false;
	return !verdict_is_good(change->verdict) || !change_is_acceptable(change) ||
	       !value_equal(&live->value, &change->observed);
}

static int add(struct run *run, struct writing *writing, struct change *change,
	const struct observed *live)
{
	struct change *written = change;

	if (!address_equal(&live->at, &change->at)) {
		written = ARENA_NEW(run->arena, struct change);
		if (!written)
			return -ENOMEM;
		*written = *change;
		written->at.target = live->at.target;
	}
	written->handle = live->handle;
	if (change->was.type == VALUE_NONE)
		change->was = live->value;
	writing->v[writing->n] = written;
	writing->of[writing->n++] = change;
	return 0;
}

int writing_select(
	struct run *run, const struct plan *plan, const struct step *step, struct writing *ret)
{
	const size_t most = (size_t)step->n * SERVING_MAX;

	*ret = (struct writing){
		.v = ARENA_ARRAY(run->arena, most, struct change *),
		.of = ARENA_ARRAY(run->arena, most, struct change *),
	};
	if (!ret->v || !ret->of)
		return -ENOMEM;
	for (uint32_t i = 0; i < step->n; i++) {
		struct change *change = &plan->v[step->first + i];
		struct observed *live[SERVING_MAX];
		size_t n = state_serving(&run->live, &change->at, live);

		change->err = 0;
		change->error = NULL;
		for (size_t j = 0; j < n; j++) {
			if (needs_write(change, live[j]) && add(run, ret, change, live[j]) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

int changes_write(struct run *run, struct change *const *v, size_t n)
{
	struct error error = {0};
	bool told = false;
	int r;

	for (size_t i = 0; i < n; i++) {
		v[i]->err = 0;
		v[i]->error = NULL;
	}
	r = v[0]->at.kind->write(&run->kernel, &run->host, v, n, &error);
	for (size_t i = 0; i < n; i++)
		told |= v[i]->err != 0;
	for (size_t i = 0; r < 0 && !told && i < n; i++) {
		v[i]->err = -r;
		v[i]->error = arena_strdup(run->arena, error.msg);
	}
	return r;
}

int writing_send(struct run *run, const struct writing *writing)
{
	int r = changes_write(run, writing->v, writing->n);

	for (size_t i = 0; i < writing->n; i++) {
		struct change *change = writing->of[i];

		if (change == writing->v[i] || !writing->v[i]->err)
			continue;
		change->err = writing->v[i]->err;
		change->error = writing->v[i]->error;
	}
	return r;
}

static void judge_change(struct run *run, struct change *change)
{
	struct observed *live[SERVING_MAX];
	size_t n = state_serving(&run->live, &change->at, live);
	enum verdict verdict = judge(change, n ? live[0] : NULL);
	size_t worst = 0;

	for (size_t i = 1; i < n; i++) {
		if (!verdict_is_good(verdict))
			break;
		verdict = judge(change, live[i]);
		worst = i;
	}
	change->observed = n ? live[worst]->value : value_none();
	change->verdict = verdict;
	change->moot = is_moot(&run->live, &change->at);
	if (!change->err)
		change->error = verdict == VERDICT_HELD ? live[worst]->note : NULL;
}

void step_judge(struct run *run, const struct plan *plan, const struct step *step)
{
	for (uint32_t i = 0; i < step->n; i++) {
		struct change *change = &plan->v[step->first + i];
		bool took = verdict_is_good(change->verdict);

		judge_change(run, change);
		/* not ignored, but moved since: by a late carrier, a later step */
		if (took && change->verdict == VERDICT_IGNORED)
			change->verdict = VERDICT_DRIFTED;
	}
}
