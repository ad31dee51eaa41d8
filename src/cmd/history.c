/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune history: all transactions of the state directory, newest first.
 */
#include "cmd/journals.h"

#include <errno.h>

static int run_history_command(struct session *session)
{
	const struct ending ending = {0};
	struct transactions transactions = {0};
	struct journals journals;
	struct error error = {0};
	int r;

	if (session_open(session, PRIVILEGE_READ, &error) < 0 ||
		journals_load(session, &journals, &error) < 0)
		return session_fail(session, &error);
	transactions.v = ARENA_ARRAY(session->arena, journals.n + 1, struct transaction_line);
	for (size_t i = 0; transactions.v && i < journals.n; i++)
		transactions.v[transactions.n++] = journal_line(session, &journals, journals.v[i]);
	if (arena_failed(session->arena)) {
		error_no_memory(&error);
		return session_fail(session, &error);
	}
	session_warn(session);
	r = output_history(&session->output, &session->report, &transactions);
	return session_end(session, r, exit_status(&ending));
}

const struct command command_history = {
	.name = "history",
	.operands = "",
	.summary = "transactions, newest first",
	.details = "When, who, with which profiles, the outcome, and where it stands now.",
	.options = OPTION(ROOT),
	.run = run_history_command,
};
