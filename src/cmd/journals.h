/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journals of the state directory as history, status and verify see them.
 */
#ifndef NETTUNE_CMD_JOURNALS_H
#define NETTUNE_CMD_JOURNALS_H

#include "cmd/session.h"

struct journals {
	struct journal **v; /* newest first */
	size_t n;
	bool busy; /* another run is at work: what is unfinished is running */
};

int journals_load(struct session *session, struct journals *ret, struct error *error);
/* The newest that is unfinished, and not just running; or NULL. */
const struct journal *journals_unfinished(
	const struct session *session, const struct journals *journals);
bool journal_is_in_force(const struct session *session, const struct journal *journal);
bool journal_is_open(const struct session *session, const struct journal *journal);
struct transaction_line journal_line(const struct session *session, const struct journals *journals,
	const struct journal *journal);

/* -i and --only reach this setting. */
bool is_asked_for(const struct session *session, const struct address *at);
/* Live state against what the transactions in force have left, newest first, and what they put off,
 * as far as -i and --only reach. */
int journals_drift(struct session *session, const struct journals *journals,
	struct differences *ret, struct error *error);
/* Why live is not as a profile wants it: drifted, profile-changed or never-applied. */
const char *journals_cause(const struct session *session, const struct journals *journals,
	const struct change *change);

/* One more difference; v grows in the arena. */
int differences_add(struct differences *differences, size_t *cap, struct arena *arena,
	const struct difference *difference);
/* One more that is in sync as another value than was wanted. */
int adjusted_add(struct differences *differences, size_t *cap, struct arena *arena,
	const struct difference *adjusted);

#endif
