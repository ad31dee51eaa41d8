/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune plan: what apply would do. Needs no privileges.
 */
#include "cmd/load.h"
#include "cmd/planning.h"

static int run_plan_command(struct session *session)
{
	struct planning planning;
	struct error error = {0};

	if (load_profiles(session, &error) < 0 ||
		session_open(session, PRIVILEGE_READ, &error) < 0 ||
		planning_make(session, SEVERITY_WARNING, &planning, &error) < 0)
		return session_fail(session, &error);
	warn_unfinished(session);
	return planning_report(session, &planning);
}

const struct command command_plan = {
	.name = "plan",
	.operands = "[PROFILE...]",
	.summary = "what apply would do",
	.details =
		"Shows every write in its order, old and new value, and what interrupts traffic.\n"
		"Without PROFILE: those of /etc/nettune/nettune.yaml.",
	.max_operands = OPERANDS_MANY,
	.options = OPTION(INTERFACE) | OPTION(ONLY) | OPTION(ROOT) | OPTION(DETAILED_EXITCODE),
	.run = run_plan_command,
};
