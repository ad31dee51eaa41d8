/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune check: validates profiles, with all mistakes of all files at once. Touches no kernel.
 */
#include "cmd/load.h"

static int run_check_command(struct session *session)
{
	const struct command_line *line = session->line;
	const struct ending ending = {0};
	struct error error = {0};
	int r;

	r = load_config(session, false, &error);
	for (size_t i = 0; i < line->noperands; i++) {
		struct profile *profile;
		int bad = load_profile(session, line->operands[i], &session->diags, &profile);

		r = bad < 0 ? bad : r;
	}
	if (r < 0)
		return session_fail(session, &error);
	session_warn(session);
	r = output_check(&session->output, &session->report, line->operands, line->noperands);
	return session_end(session, r, exit_status(&ending));
}

const struct command command_check = {
	.name = "check",
	.operands = "FILE...",
	.summary = "validate profiles; touches no kernel",
	.details = "FILE is a path, or the name of a profile on the search path.",
	.min_operands = 1,
	.max_operands = OPERANDS_MANY,
	.options = OPTION(ROOT),
	.run = run_check_command,
};
