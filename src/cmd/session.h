/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of one command: what it was asked, what it has opened, and how it reports.
 */
#ifndef NETTUNE_CMD_SESSION_H
#define NETTUNE_CMD_SESSION_H

#include "cmd/command.h"
#include "cmd/outcome.h"
#include "engine/run.h"
#include "engine/store.h"
#include "format/output.h"
#include "profile/profile.h"
#include "profile/search.h"

struct session {
	const struct command *command; /* NULL: the command line could not be read */
	const struct command_line *line;
	struct arena *arena;
	struct diags diags;
	struct output output;
	struct report report;
	struct search search;
	struct config config; /* zero where there is no nettune.yaml */
	struct profiles profiles;
	struct run run;
	bool is_open;
	struct lock lock;
};

void session_init(struct session *session, const struct command *command,
	const struct command_line *line, struct arena *arena);
void session_done(struct session *session);

/* Opens kernel and host, gives up the privileges that are not needed, checks the names of -i. */
int session_open(struct session *session, enum privilege privilege, struct error *error);
/* Takes the writer lock; what was read of the links before is read again. */
int session_lock(struct session *session, bool host, struct error *error);
/* Another run of nettune is at work in this namespace. */
bool session_is_busy(const struct session *session);

/* Prints the failure (diags first, else error) and returns the exit status. */
int session_fail(struct session *session, const struct error *error);
/* Warnings and notes on stderr, before the report; with --json they are part of it. */
void session_warn(const struct session *session);
/* The exit status, unless the report `written` (0 or -errno) of a reading command got lost. */
int session_end(const struct session *session, int written, enum exit_status status);
/* "nettune apply dc-10ge -i eth0": the command to go on with, in the same place, and with the
 * same profiles where `words`. In the arena. */
const char *session_next(const struct session *session, const char *command, bool words);

#endif
