/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kinds remark on wished settings, as findings: a remark that holds for many settings is
 * one finding that names the first of them.
 */
#include "core/kind.h"
#include "core/plan.h"

#include <errno.h>
#include <string.h>

enum { SUBJECTS_NAMED = 4 };

struct topic {
	struct remark remark;
	struct address first, last; /* of its subjects */
	const char *subjects;
	size_t n;
	bool same_link;
};

struct topics {
	struct topic *v;
	size_t n, cap;
	struct arena *arena;
};

static struct topic *topic_find(struct topics *topics, const struct remark *remark)
{
	for (size_t i = 0; i < topics->n; i++) {
		struct topic *topic = &topics->v[i];

		if (strcmp(topic->remark.id, remark->id) == 0 &&
			strcmp(topic->remark.text, remark->text) == 0)
			return topic;
	}
	return NULL;
}

static struct topic *topic_add(
	struct topics *topics, const struct remark *remark, const struct address *at)
{
	if (arena_grow(topics->arena, &topics->v, &topics->cap, topics->n, sizeof(*topics->v)) < 0)
		return NULL;
	topics->v[topics->n] = (struct topic){
		.remark = *remark, .first = *at, .subjects = "", .same_link = true};
	return &topics->v[topics->n++];
}

static void add_subject(struct topic *topic, const struct address *at, struct arena *arena)
{
	if (topic->n && address_equal(&topic->last, at))
		return;
	topic->same_link &= at->target.link == topic->first.target.link;
	if (topic->n < SUBJECTS_NAMED)
		topic->subjects = arena_printf(arena, "%s%s%s", topic->subjects,
			topic->n ? ", " : "", address_text(arena, at));
	topic->last = *at;
	topic->n++;
}

/* The queues of a link are one subject. */
static int note(const struct plan_input *input, const struct setting *setting, bool changes,
	struct topics *topics)
{
	const struct kind *kind = setting->at.kind;
	struct address at = {
		.kind = kind, .target.link = setting->at.target.link, .key = setting->at.key};
	struct remark remark;
	struct topic *topic;

	if (!kind->remark || !setting->wish)
		return 0;
	remark = kind->remark(input->host, setting, changes, input->live, topics->arena);
	if (!remark.text)
		return 0;
	topic = topic_find(topics, &remark);
	if (!topic)
		topic = topic_add(topics, &remark, &at);
	if (!topic)
		return -ENOMEM;
	add_subject(topic, &at, topics->arena);
	return 0;
}

static int report(const struct topic *topic, struct diags *diags, struct arena *arena)
{
	const struct link *link = topic->first.target.link;
	const char *more = "";
	struct diag *diag;

	if (topic->n > SUBJECTS_NAMED)
		more = arena_printf(arena, " and %zu more", topic->n - SUBJECTS_NAMED);
	diag = diags_add(diags, topic->remark.severity, ERROR_FAILED, topic->remark.id,
		(struct pos){0}, "%s%s: %s", topic->subjects, more, topic->remark.text);
	if (!diag)
		return -ENOMEM;
	diag->interface = link && topic->same_link ? link->name : NULL;
	diag->key = address_text(arena, &topic->first);
	return 0;
}

int plan_remarks(const struct plan_input *input, const struct plan *plan, struct diags *diags)
{
	struct topics topics = {.arena = plan->arena};

	for (size_t i = 0; i < plan->n; i++) {
		const struct change *change = &plan->v[i];
		const struct setting setting = {
			.at = change->at, .value = change->wanted, .wish = change->wish};

		if (note(input, &setting, true, &topics) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < plan->unchanged.n; i++) {
		if (note(input, &plan->unchanged.v[i], false, &topics) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < topics.n; i++) {
		if (report(&topics.v[i], diags, plan->arena) < 0)
			return -ENOMEM;
	}
	return arena_failed(plan->arena) ? -ENOMEM : 0;
}
