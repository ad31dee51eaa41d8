/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Telling of settings that a putting-back could not put back, and of those that an apply moved
 * beside its plan.
 */
#ifndef NETTUNE_CMD_LEFTOVERS_H
#define NETTUNE_CMD_LEFTOVERS_H

#include "cmd/session.h"
#include "engine/transaction.h"

/* One warning each, naming the setting, its value and the one it should have. */
void warn_leftovers(struct session *session, const struct leftovers *leftovers);
/* Likewise, with the value it had. */
void warn_moved(struct session *session, const struct leftovers *moved);

#endif
