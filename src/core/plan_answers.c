/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is remembered of drivers, while a plan is made: an answer counts only for the modes that
 * will be set when the value would be written.
 */
#include "core/answer.h"
#include "core/planner.h"

#include <errno.h>
#include <string.h>

static const struct answer *find(struct planner *p, const struct setting *s, const char *modes)
{
	struct answer question = answer_question(
		p->arena, p->input->host, &s->at, &s->value, modes);

	return answers_find(p->input->answers, &question);
}

static bool is_mode(const struct address *at)
{
	const struct field *field = kind_field(at->kind, at->key);

	return field && (field->flags & FIELD_MODE);
}

/* The modes that go over with this goal in one message, as far as the driver takes them. */
static int coming_modes(
	struct planner *p, const struct goal *goal, const struct goals *goals, struct settings *ret)
{
	for (size_t i = 0; i < goals->n; i++) {
		const struct goal *other = &goals->v[i];
		struct setting setting = other->setting;
		const struct answer *answer;

		if (other == goal || other->rank != goal->rank || !is_mode(&setting.at))
			continue;
		answer = find(p, &setting, answer_modes(p->arena, &p->model, &setting.at, NULL));
		if (answer)
			setting.value = answer->got;
		if (settings_add(ret, &setting) < 0)
			return -ENOMEM;
	}
	return 0;
}

int planner_answer(struct planner *p, const struct goal *goal, const struct goals *goals,
	const struct answer **ret)
{
	struct settings coming = {.arena = p->arena};

	*ret = NULL;
	if (goal->origin != ORIGIN_PROFILE || !p->input->answers || !p->input->answers->n)
		return 0;
	if (coming_modes(p, goal, goals, &coming) < 0)
		return -ENOMEM;
	*ret = find(
		p, &goal->setting, answer_modes(p->arena, &p->model, &goal->setting.at, &coming));
	return 0;
}
