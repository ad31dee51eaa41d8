/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What transactions in force had to put off, and is not set yet.
 */
#ifndef NETTUNE_CMD_DEFERRED_H
#define NETTUNE_CMD_DEFERRED_H

#include "cmd/journals.h"

/* Adds them as differences of cause "deferred", as far as -i and --only reach. */
int deferred_add(struct session *session, const struct journals *journals, struct differences *ret,
	size_t *cap, struct error *error);

#endif
