/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune rollback: undoes the newest transaction, or several, by the journal.
 */
#include "cmd/leftovers.h"
#include "engine/transaction.h"
#include "util/log.h"

#include <errno.h>

static int make_request(
	const struct command_line *line, struct rollback_request *ret, struct error *error)
{
	const bool has_to = line_has(line, OPTION(TO)), has_all = line_has(line, OPTION(ALL));

	if ((line->noperands > 0) + has_to + has_all > 1)
		return error_set(error, ERROR_USAGE, EINVAL,
			"an ID, --to and --all say different things: give one of them");
	*ret = (struct rollback_request){
		.id = line->noperands ? line->operands[0] : NULL,
		.to = line->to,
		.all = has_all,
		.force = line_has(line, OPTION(FORCE)),
		.dry_run = line_has(line, OPTION(DRY_RUN)),
	};
	return 0;
}

static int prepare(struct session *session, struct rollback_request *ret, struct error *error)
{
	int r = make_request(session->line, ret, error);

	if (r == 0 && !ret->dry_run)
		r = privileges_check_writer(error);
	if (r == 0)
		r = session_open(session, ret->dry_run ? PRIVILEGE_READ : PRIVILEGE_WRITE, error);
	/* which settings the journal holds is not known yet: both locks */
	if (r == 0 && !ret->dry_run)
		r = session_lock(session, true, error);
	return r;
}

static const char *next_command(const struct session *session, const struct rollback_result *result)
{
	if (line_has(session->line, OPTION(DRY_RUN)))
		return NULL;
	if (result->result.outcome == OUTCOME_INCOMPLETE)
		return session_next(session, "rollback", false);
	return result->ids && *result->ids ? session_next(session, "status", false) : NULL;
}

static void say_ids(const struct session *session, const struct rollback_result *result)
{
	const char *text = "";
	size_t n = 0;

	for (; result->ids && result->ids[n]; n++)
		text = arena_printf(session->arena, "%s %s", text, result->ids[n]);
	if (n > 1)
		log_info("%zu transactions:%s", n, text);
	if (result->note)
		log_info("%s", result->note);
}

static int run_rollback_command(struct session *session)
{
	struct rollback_request request;
	struct rollback_result result;
	struct error error = {0};
	struct ending ending;
	int r = prepare(session, &request, &error);

	if (r == 0)
		r = transaction_rollback(&session->run, &request, &result, &session->diags, &error);
	if (r < 0)
		return session_fail(session, &error);
	warn_leftovers(session, &result.result.leftovers);
	warn_late(session);
	session->report.dry_run = request.dry_run;
	say_ids(session, &result);
	ending = (struct ending){.outcome = result.result.outcome};
	session_warn(session);
	r = output_rollback(&session->output, &session->report, &result.plan, &result.classified,
		result.result.id, result.result.changed, outcome_name(result.result.outcome),
		result.result.error.err ? &result.result.error : NULL,
		next_command(session, &result));
	return session_end(session, r, exit_status(&ending));
}

const struct command command_rollback = {
	.name = "rollback",
	.operands = "[ID]",
	.summary = "undo the newest transaction, or those that are named",
	.details = "What others changed since is left alone (exit 5) unless --force is given.",
	.max_operands = 1,
	.options = OPTION(TO) | OPTION(ALL) | OPTION(FORCE) | OPTION(DRY_RUN) |
		   OPTION(CARRIER_TIMEOUT),
	.writes = true,
	.run = run_rollback_command,
};
