/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line, read: one table of options for parsing, for checking and for help.
 */
#ifndef NETTUNE_CMD_OPTIONS_H
#define NETTUNE_CMD_OPTIONS_H

#include "engine/run.h"

#include <stdint.h>

enum option_id {
	OPTION_INTERFACE,
	OPTION_ONLY,
	OPTION_DETAILED_EXITCODE,
	OPTION_DRY_RUN,
	OPTION_TO,
	OPTION_ALL,
	OPTION_FORCE,
	OPTION_CARRIER_TIMEOUT,
	OPTION_LOCK_TIMEOUT,
	OPTION_JSON,
	OPTION_COLOR,
	OPTION_QUIET,
	OPTION_VERBOSE,
	OPTION_NETNS,
	OPTION_STATE_DIR,
	OPTION_PROFILE_DIR,
	OPTION_ROOT,
	OPTION_HELP,
	OPTION_VERSION,
	OPTION_MAX
};
#define OPTION(name) (UINT64_C(1) << OPTION_##name)
#define OPTIONS_COMMON                                                                           \
	(OPTION(LOCK_TIMEOUT) | OPTION(JSON) | OPTION(COLOR) | OPTION(QUIET) | OPTION(VERBOSE) | \
		OPTION(NETNS) | OPTION(STATE_DIR) | OPTION(PROFILE_DIR) | OPTION(HELP) |         \
		OPTION(VERSION))

struct option_row {
	const char *name;
	char letter;          /* 0 = none */
	const char *argument; /* name of its argument, NULL = it takes none */
	const char *doc;
};
extern const struct option_row option_rows[OPTION_MAX];

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct command_line {
	struct options options; /* what the engine needs of it */
	const char *command;    /* the word, NULL = none */
	const char *const *operands;
	size_t noperands;
	uint64_t given; /* OPTION() bits */
	unsigned verbose;
	enum color color;
	const char *netns, *profile_dir, *root, *to;
};

static inline bool line_has(const struct command_line *line, uint64_t option)
{
	return (line->given & option) != 0;
}

/*
 * Parses all of argv; options may stand anywhere, abbreviations are unknown words. After a mistake
 * (ERROR_USAGE) *ret still tells whether --json was given.
 */
int options_parse(int argc, char *const *argv, struct arena *arena, struct command_line *ret,
	struct error *error);
/* "10s", "500ms", "2m"; a bare number is seconds. -EINVAL, -ERANGE. */
int time_parse(const char *text, unsigned *ret_ms) MUST_CHECK;
/* `word` as a POSIX shell takes it back. In the arena. */
const char *shell_quote(struct arena *arena, const char *word);

#endif
