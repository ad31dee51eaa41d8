/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From findings, errors and outcomes to the exit status of nettune(8).
 */
#include "cmd/outcome.h"

static enum exit_status status_of_kind(enum error_kind kind)
{
	static const enum exit_status statuses[ERROR_KIND_MAX] = {
		[ERROR_FAILED] = STATUS_FAILED,
		[ERROR_USAGE] = STATUS_USAGE,
		[ERROR_DATA] = STATUS_DATA,
		[ERROR_MISSING] = STATUS_MISSING,
		[ERROR_LOCKED] = STATUS_LOCKED,
		[ERROR_PERMISSION] = STATUS_PERMISSION,
		[ERROR_UNFINISHED] = STATUS_IN_BETWEEN,
	};

	return statuses[kind];
}

static enum exit_status status_of_outcome(enum outcome outcome)
{
	static const enum exit_status statuses[OUTCOME_MAX] = {
		[OUTCOME_UNCHANGED] = STATUS_DONE,
		[OUTCOME_APPLIED] = STATUS_DONE,
		[OUTCOME_FAILED] = STATUS_FAILED,
		[OUTCOME_PUT_BACK] = STATUS_PUT_BACK,
		[OUTCOME_INCOMPLETE] = STATUS_IN_BETWEEN,
		[OUTCOME_ROLLED_BACK] = STATUS_DONE,
		[OUTCOME_CONFLICTS] = STATUS_CONFLICTS,
	};

	return statuses[outcome];
}

enum exit_status exit_status(const struct ending *ending)
{
	const struct diag *first = ending->diags ? diags_first_error(ending->diags) : NULL;

	if (first)
		return status_of_kind(first->kind);
	if (ending->error && ending->error->err)
		return status_of_kind(ending->error->kind);
	if (ending->outcome != OUTCOME_UNCHANGED)
		return status_of_outcome(ending->outcome);
	return ending->is_different ? STATUS_DIFFERENT : STATUS_DONE;
}
