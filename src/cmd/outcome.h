/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exit statuses: the only place that knows the numbers.
 */
#ifndef NETTUNE_CMD_OUTCOME_H
#define NETTUNE_CMD_OUTCOME_H

#include "engine/transaction.h"
#include "util/error.h"

enum exit_status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,
	STATUS_DIFFERENT = 2,
	STATUS_PUT_BACK = 3,
	STATUS_IN_BETWEEN = 4,
	STATUS_CONFLICTS = 5,
	STATUS_USAGE = 64,
	STATUS_DATA = 65,
	STATUS_MISSING = 69,
	STATUS_LOCKED = 75,
	STATUS_PERMISSION = 77,
};

/* How a command ended, as far as its exit status goes. What does not apply is left out. */
struct ending {
	const struct diags *diags; /* the kind of the first error counts */
	const struct error *error; /* a failure before the first write; err 0: none */
	enum outcome outcome;      /* OUTCOME_UNCHANGED where nothing was written */
	bool is_different;         /* and the command tells so by its status */
};
enum exit_status exit_status(const struct ending *ending);

#endif
