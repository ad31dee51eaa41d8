/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune apply: the plan, executed as one transaction. A dry run is the same way up to the first
 * write, without lock and without root.
 */
#include "cmd/leftovers.h"
#include "cmd/load.h"
#include "cmd/planning.h"
#include "engine/answers.h"
#include "engine/transaction.h"
#include "util/log.h"

#include <errno.h>

static bool has_host_wishes(const struct profiles *profiles)
{
	for (size_t i = 0; i < profiles->n; i++)
		if (profiles->v[i]->nwishes)
			return true;
	return false;
}

static bool is_dry(const struct session *session)
{
	return line_has(session->line, OPTION(DRY_RUN));
}

/* Nothing is built on a half-applied state. */
static int check_finished(struct session *session, struct error *error)
{
	struct journal *journal = NULL;
	int r = transaction_unfinished(&session->run, &journal, &session->diags, error);

	if (r < 0 && is_dry(session) && error->kind == ERROR_PERMISSION) {
		log_verbose("the journal can't be read: %s", error->msg);
		return 0;
	}
	if (r < 0 || !journal)
		return r;
	return error_set(error, ERROR_UNFINISHED, EBUSY,
		"transaction %s is unfinished, the host is in between; put it back first: %s",
		journal->header.id, session_next(session, "rollback", false));
}

static int prepare(struct session *session, struct planning *ret, struct error *error)
{
	const bool dry = is_dry(session);
	int r = 0;

	if (!dry && line_has(session->line, OPTION(DETAILED_EXITCODE)))
		return error_set(error, ERROR_USAGE, EINVAL,
			"--detailed-exitcode tells of a plan; use it with --dry-run");
	if (!dry && line_has(session->line, OPTION(ROOT)))
		return error_set(error, ERROR_USAGE, EINVAL,
			"--root is a recorded host, which can't be changed; use --dry-run or plan");
	if (!dry)
		r = privileges_check_writer(error);
	if (r == 0)
		r = load_profiles(session, error);
	if (r == 0)
		r = session_open(session, dry ? PRIVILEGE_READ : PRIVILEGE_WRITE, error);
	if (r == 0 && !dry)
		r = session_lock(session, has_host_wishes(&session->profiles), error);
	if (r == 0)
		r = check_finished(session, error);
	return r < 0 ? r : planning_make(session, SEVERITY_ERROR, ret, error);
}

static const char *next_command(const struct session *session, enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_APPLIED:
		return session_next(session, "verify", false);
	case OUTCOME_INCOMPLETE:
		return session_next(session, "rollback", false);
	default:
		return NULL;
	}
}

static int run_apply_command(struct session *session)
{
	struct transaction_result result;
	struct planning planning;
	struct error error = {0};
	struct ending ending;
	int r;

	if (prepare(session, &planning, &error) < 0)
		return session_fail(session, &error);
	if (is_dry(session))
		return planning_report(session, &planning);
	r = transaction_apply(&session->run, &planning.plan, session->report.profiles,
		session->report.nprofiles, &result, &error);
	if (r == 0)
		error = result.error;
	if (r == 0 && result.outcome == OUTCOME_APPLIED)
		answers_save(&session->run, &planning.plan, &session->diags);
	warn_leftovers(session, &result.leftovers);
	warn_moved(session, &result.moved);
	warn_late(session);
	/* an error before the first write decides; after it the outcome does */
	ending = (struct ending){.error = r < 0 ? &error : NULL, .outcome = result.outcome};
	session_warn(session);
	r = output_apply(&session->output, &session->report, &planning.plan, result.id,
		result.changed, outcome_name(result.outcome), error.err ? &error : NULL,
		next_command(session, result.outcome));
	return session_end(session, r, exit_status(&ending));
}

const struct command command_apply = {
	.name = "apply",
	.operands = "[PROFILE...]",
	.summary = "change what plan shows, verify it, keep a journal",
	.details = "All or nothing: if a setting is refused, everything is put back (exit 3).\n"
		   "Without PROFILE: those of /etc/nettune/nettune.yaml.",
	.max_operands = OPERANDS_MANY,
	.options = OPTION(INTERFACE) | OPTION(ONLY) | OPTION(ROOT) | OPTION(DETAILED_EXITCODE) |
		   OPTION(DRY_RUN) | OPTION(CARRIER_TIMEOUT),
	.writes = true,
	.run = run_apply_command,
};
