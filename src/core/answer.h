/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What drivers, and the kernel, made of values that they were asked for: remembered, so that a
 * value which is rounded, ignored or not supported is not asked for again and again. An answer
 * holds for one device on one kernel, for one value of one setting.
 */
#ifndef NETTUNE_CORE_ANSWER_H
#define NETTUNE_CORE_ANSWER_H

#include "core/plan.h"
#include "core/setting.h"

struct answer {
	const char *driver, *device; /* "" for the host's settings; device: see answer_device() */
	const char *kernel;          /* release */
	const char *kind, *part, *key;
	const char *modes; /* what else was set, as answer_modes() tells */
	struct value asked;
	struct value got;
	enum verdict verdict; /* ROUNDED, CLAMPED, IGNORED, UNSUPPORTED, MANAGED */
};

/* Oldest first. */
struct answers {
	struct answer *v;
	size_t n, cap;
	struct arena *arena;
};

/* The verdict is one that is remembered. */
bool answer_is_worth(enum verdict verdict);
/* The device itself by bus address, else by permanent or present MAC; a link without one by its
 * type and name ("tun:tap0"). */
const char *answer_device(struct arena *arena, const struct link *link);
/*
 * "autoneg=on rx=off": the kind's modes on this link, without the setting itself, since what is
 * ignored in one mode may be taken in another. `coming`: modes that go over in the same message,
 * or NULL.
 */
const char *answer_modes(struct arena *arena, const struct state *state, const struct address *at,
	const struct settings *coming);
/* Everything of an answer but what it is. */
struct answer answer_question(struct arena *arena, const struct host *host,
	const struct address *at, const struct value *asked, const char *modes);
const struct answer *answers_find(
	const struct answers *answers, const struct answer *question); /* or NULL */
/* In the place of an older answer to the same question. -ENOMEM. */
int answers_put(struct answers *answers, const struct answer *answer);
int answers_add(struct answers *answers, const struct answer *answer); /* behind the others */
/* What a plan that was applied has taught, and its prediction did not know. -ENOMEM. */
int answers_learn(struct answers *answers, const struct host *host, const struct plan *plan);
/* For a setting that is not asked for again: why. */
const char *answer_reason(struct arena *arena, const struct answer *answer);

#endif
