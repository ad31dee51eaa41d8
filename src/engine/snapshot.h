/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a journal holds of the state: the part of an observation that a plan may move, and the links
 * in it. Inside of the engine only.
 */
#ifndef NETTUNE_ENGINE_SNAPSHOT_H
#define NETTUNE_ENGINE_SNAPSHOT_H

#include "engine/run.h"
#include "format/journal.h"

/* The entries of `state` inside of the scope. */
int snapshot_take(const struct state *state, const struct wants *scope, struct state *ret);
/* Every link that the state or the plan names, once. */
int snapshot_links(const struct state *state, const struct plan *plan, struct arena *arena,
	struct journal_link **ret, size_t *ret_n);
/*
 * Makes sure before the first write that reading and writing `entries` settings, with the repair
 * rounds and a putting-back, needs no memory that is not there. ERROR_FAILED.
 */
int snapshot_reserve(struct arena *arena, size_t entries, struct error *error);
/* The scopes that hold the entries of a state. */
int snapshot_wants(const struct state *state, struct wants *ret);
/* Goals that lead back to the values of a state. */
int snapshot_goals(const struct state *state, struct settings *ret);

#endif
