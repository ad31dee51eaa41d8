/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands: one row and one file each. Help and the check of options come from these rows.
 */
#ifndef NETTUNE_CMD_COMMAND_H
#define NETTUNE_CMD_COMMAND_H

#include "cmd/options.h"
#include "util/error.h"

#define OPERANDS_MANY 0xffffU

struct session;

struct command {
	const char *name;
	const char *operands; /* "[PROFILE...]", "ID", "" */
	const char *summary;  /* one line of nettune --help */
	const char *details;  /* for nettune help COMMAND: lines of at most 78 columns */
	unsigned min_operands, max_operands;
	uint64_t options; /* OPTION() bits that it takes beside OPTIONS_COMMON */
	bool writes;      /* changes the host or the journal: done, even if its report gets lost */
	int (*run)(struct session *session); /* the exit status */
};

extern const struct command command_apply, command_check, command_forget, command_history,
	command_list, command_plan, command_rollback, command_show, command_status, command_verify;

extern const struct command *const commands[]; /* in the order of the manual, NULL-ended */

const struct command *command_find(const char *name); /* or NULL */
/* Finds the command of a line, checks options and operands against its row. ERROR_USAGE. */
int command_of_line(
	const struct command_line *line, const struct command **ret, struct error *error);

/* help.c: command NULL = the overview. 0 or -errno of stdout. */
int help_print(const struct command *command);
int version_print(void);

#endif
