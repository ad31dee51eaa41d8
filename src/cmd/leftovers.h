/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Telling of settings that a putting-back could not put back, of those that an apply moved beside its
 * plan, and of links that did not come back.
 */
#ifndef NETTUNE_CMD_LEFTOVERS_H
#define NETTUNE_CMD_LEFTOVERS_H

#include "cmd/session.h"
#include "engine/transaction.h"

/* One warning each, naming the setting, its value and the one it should have. */
void warn_leftovers(struct session *session, const struct leftovers *leftovers);
/* Likewise, with the value it had. */
void warn_moved(struct session *session, const struct leftovers *moved);
/* One warning for each link that was reset on the way back and does not do again what it did. */
void warn_late(struct session *session);

#endif
