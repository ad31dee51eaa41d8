/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of the planner: what plan.c (the walk), plan_goals.c (what shall be) and plan_steps.c (what
 * must be done for it) share.
 */
#ifndef NETTUNE_CORE_PLANNER_H
#define NETTUNE_CORE_PLANNER_H

#include "core/kind.h"
#include "core/plan.h"

struct planner {
	const struct plan_input *input;
	struct plan *plan;
	struct diags *diags;
	struct arena *arena;
	struct state model;
	struct settings *host_goals; /* of each kind that acts on the host: expanded once, early */
};

/* What shall be, at one place: a setting, why, and because of what. */
struct goal {
	struct setting setting;
	enum origin origin;
	const char *cause;
	int rank;
};

struct goals {
	struct goal *v;
	size_t n, cap;
};

bool planner_is_host_phase(enum phase phase);
enum phase planner_phase(const struct kind *kind, const char *key);

/* The settings that the wishes of this kind and link (or a rollback's targets) come to, in the
 * model as it is now. */
int planner_settings(struct planner *planner, const struct kind *kind, const struct link *link,
	struct settings *ret);
int planner_goals(struct planner *planner, const struct settings *settings, struct goals *ret);
/* What an own step of this run would wipe although nobody asked for that: written again. link NULL:
 * of a kind that acts on the host, all that belongs to this phase. */
int planner_carry(struct planner *planner, const struct kind *kind, const struct link *link,
	enum phase phase, struct goals *goals);

/* The first change of the same link (or of the host) that may move this setting: its address, or
 * NULL. */
const char *planner_cause(struct planner *planner, const struct address *at);

/* What a driver is known to make of a goal's value, by the modes that it will meet; or NULL. */
struct answer;
int planner_answer(struct planner *planner, const struct goal *goal, const struct goals *goals,
	const struct answer **ret);

/* An error at the place of the wish. */
void planner_report(struct planner *planner, const struct wish *wish, const struct link *link,
	const struct error *error);
/* Is `verdict` an error by on-unsupported? */
bool planner_must_fail(const struct planner *planner, const struct wish *wish,
	const struct link *link, enum verdict verdict);
/* Compares the goals with the model, and adds changes and steps for what differs. */
int planner_steps(struct planner *planner, struct goals *goals);
int planner_skip(struct planner *planner, const struct setting *setting, enum verdict verdict,
	const char *why);

#endif
