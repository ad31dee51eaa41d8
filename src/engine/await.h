/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting until a link that was reset does again what it did before the run: there is carrier, and
 * a port is in service for its bond or bridge, so that the next port is not taken down too early.
 */
#ifndef NETTUNE_ENGINE_AWAIT_H
#define NETTUNE_ENGINE_AWAIT_H

#include "engine/run.h"

/* What the links do now, once for the whole run: a putting-back wants what the apply found. */
int await_note(struct run *run);
/*
 * A killed run may have left the link on its way: what other ports of the same bond do can be
 * expected of it, too. Waits for that; if it does not come, the settings that go back may help.
 */
void await_expect(struct run *run, struct link *link);
/*
 * Waits for the link and its ports after their last step. SIGINT and SIGTERM end the wait: 0, or on
 * the way back, which goes on without it, as if the time were over. -errno and *error where a link
 * did not come back.
 */
int await_link(struct run *run, const struct link *link, bool going_back, struct error *error);
/* Has it come back meanwhile? As far as the last link dump tells. */
bool await_is_late(const struct serving *serving);

#endif
