/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune forget: a line in the journal that takes the transaction out of rollback, verify and
 * status. The host stays as it is.
 */
#include "cmd/session.h"
#include "util/clock.h"

#include <errno.h>
#include <string.h>

static int append_line(struct session *session, const char *id, struct error *error)
{
	struct store store;
	int r = store_open_append(
		&store, session->line->options.state_dir, id, session->arena, error);

	if (r < 0)
		return r;
	r = store_append(&store, journal_forget_line(clock_text(session->arena)), error);
	if (r == 0)
		r = store_commit(&store, 0, error);
	store_close(&store);
	return r;
}

static int forget(struct session *session, const char *id, bool *ret_already, struct error *error)
{
	struct journal *journal;
	int r = privileges_check_writer(error);

	if (r == 0)
		r = session_open(session, PRIVILEGE_WRITE, error);
	if (r == 0)
		r = session_lock(session, false, error);
	if (r == 0)
		r = store_load(&session->run, id, &journal, error);
	if (r < 0)
		return r;
	if (journal->header.netns != session->run.host.netns &&
		strcmp(journal->header.boot_id, session->run.host.boot_id) == 0)
		return error_set(error, ERROR_FAILED, EINVAL,
			"transaction %s is of another network namespace; name that with --netns",
			id);
	*ret_already = journal->forgotten;
	return journal->forgotten ? 0 : append_line(session, id, error);
}

static int run_forget_command(struct session *session)
{
	const char *id = session->line->operands[0];
	const struct ending ending = {0};
	struct error error = {0};
	bool already = false;
	const char *text;
	int r;

	if (forget(session, id, &already, &error) < 0)
		return session_fail(session, &error);
	text = arena_printf(session->arena,
		already ? "transaction %s was forgotten before"
			: "transaction %s is forgotten; its settings stay as they are",
		id);
	session_warn(session);
	r = output_done(&session->output, &session->report, "forget", id,
		already ? "unchanged" : "forgotten", text);
	return session_end(session, r, exit_status(&ending));
}

const struct command command_forget = {
	.name = "forget",
	.operands = "ID",
	.summary = "stop tracking a transaction; changes nothing",
	.details = "It can't be rolled back afterwards.",
	.min_operands = 1,
	.max_operands = 1,
	.writes = true,
	.run = run_forget_command,
};
