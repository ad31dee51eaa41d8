/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers of drivers and of the kernel: who gave one, to which question, and finding it again.
 */
#include "core/answer.h"

#include "core/kind.h"

#include <errno.h>
#include <string.h>

bool answer_is_worth(enum verdict verdict)
{
	return verdict == VERDICT_ROUNDED || verdict == VERDICT_CLAMPED ||
	       verdict == VERDICT_IGNORED || verdict == VERDICT_UNSUPPORTED ||
	       verdict == VERDICT_MANAGED;
}

static const char *mac_text(struct arena *arena, const uint8_t *mac)
{
	static const uint8_t none[6];

	if (memcmp(mac, none, sizeof(none)) == 0)
		return NULL;
	return arena_printf(arena, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3],
		mac[4], mac[5]);
}

const char *answer_device(struct arena *arena, const struct link *link)
{
	const char *text;

	if (!link)
		return "";
	if (link->bus)
		return link->bus;
	if (strcmp(link->type, "physical") != 0)
		return arena_printf(arena, "%s:%s", link->type, link->name);
	text = mac_text(arena, link->perm_mac);
	if (!text)
		text = mac_text(arena, link->mac);
	return text ? text : link->name;
}

static const struct setting *find_coming(const struct settings *coming, const char *key)
{
	for (size_t i = 0; coming && i < coming->n; i++)
		if (strcmp(coming->v[i].at.key, key) == 0)
			return &coming->v[i];
	return NULL;
}

const char *answer_modes(struct arena *arena, const struct state *state, const struct address *at,
	const struct settings *coming)
{
	const char *text = "";

	for (const struct field *f = at->kind->fields; f && f->name; f++) {
		const struct observed *o;
		const struct setting *s;

		if (!(f->flags & FIELD_MODE) || strcmp(f->name, at->key) == 0)
			continue;
		o = state_get(state, at->kind, at->target.link, PART_WHOLE, 0, f->name);
		s = find_coming(coming, f->name);
		if (o)
			text = arena_printf(arena, "%s%s%s=%s", text, *text ? " " : "", f->name,
				value_text(s ? &s->value : &o->value));
	}
	return text;
}

struct answer answer_question(struct arena *arena, const struct host *host,
	const struct address *at, const struct value *asked, const char *modes)
{
	const struct link *link = at->target.link;

	return (struct answer){
		.driver = link && link->driver ? link->driver : "",
		.device = answer_device(arena, link),
		.kernel = host->kernel ? host->kernel : "",
		.kind = at->kind->name,
		.part = target_part_text(arena, &at->target),
		.key = at->key,
		.modes = modes ? modes : "",
		.asked = *asked,
	};
}

static bool is_same_question(const struct answer *a, const struct answer *b)
{
	return value_equal(&a->asked, &b->asked) && strcmp(a->key, b->key) == 0 &&
	       strcmp(a->kind, b->kind) == 0 && strcmp(a->part, b->part) == 0 &&
	       strcmp(a->device, b->device) == 0 && strcmp(a->driver, b->driver) == 0 &&
	       strcmp(a->kernel, b->kernel) == 0 && strcmp(a->modes, b->modes) == 0;
}

const struct answer *answers_find(const struct answers *answers, const struct answer *question)
{
	for (size_t i = 0; answers && i < answers->n; i++)
		if (is_same_question(&answers->v[i], question))
			return &answers->v[i];
	return NULL;
}

int answers_add(struct answers *answers, const struct answer *answer)
{
	const struct answer entry = *answer; /* it may lie in the array that moves */

	if (arena_grow(answers->arena, &answers->v, &answers->cap, answers->n,
		    sizeof(*answers->v)) < 0)
		return -ENOMEM;
	answers->v[answers->n++] = entry;
	return 0;
}

int answers_put(struct answers *answers, const struct answer *answer)
{
	const struct answer entry = *answer;
	size_t n = 0;

	for (size_t i = 0; i < answers->n; i++)
		if (!is_same_question(&answers->v[i], &entry))
			answers->v[n++] = answers->v[i];
	answers->n = n;
	return answers_add(answers, &entry);
}

/* As the plan expected it, there is nothing to remember. */
static bool is_news(const struct change *change)
{
	return change->wish && !change->moot && answer_is_worth(change->verdict) &&
	       !value_equal(&change->observed, &change->after) &&
	       change->observed.type != VALUE_NONE && change->wanted.type != VALUE_NONE &&
	       change->was.type != VALUE_NONE;
}

int answers_learn(struct answers *answers, const struct host *host, const struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		const struct change *change = &plan->v[i];
		struct answer answer;

		if (!is_news(change))
			continue;
		answer = answer_question(
			answers->arena, host, &change->at, &change->wanted, change->modes);
		answer.got = change->observed;
		answer.verdict = change->verdict;
		if (answers_put(answers, &answer) < 0)
			return -ENOMEM;
	}
	return 0;
}

const char *answer_reason(struct arena *arena, const struct answer *answer)
{
	const char *who = *answer->driver ? answer->driver : "the kernel";

	if (answer->verdict == VERDICT_UNSUPPORTED)
		return arena_printf(
			arena, "%s does not support it, as seen on Linux %s", who, answer->kernel);
	if (answer->verdict == VERDICT_MANAGED)
		return arena_printf(arena, "the kernel manages this interrupt, as seen on Linux %s",
			answer->kernel);
	return arena_printf(arena, "%s takes it without effect (stays %s), as seen on Linux %s",
		who, value_text(&answer->got), answer->kernel);
}
