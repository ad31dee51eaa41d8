/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verdicts: what a reading says of a change. An acknowledged write counts for nothing here: a value
 * that is as it was before is ignored, one that moved elsewhere is judged by its kind's rule.
 */
#include "engine/execute.h"

#include <errno.h>

/* Up to Linux 6.1 only the refusal of the write tells (kernel/irq/proc.c). */
static bool is_managed(const struct change *change, const struct observed *live)
{
	return live->support == SUPPORT_MANAGED ||
	       (change->at.kind->phase == PHASE_IRQ && change->err == EPERM);
}

/* The kernel said no, and the value is not there. */
static enum verdict judge_refusal(const struct change *change, const struct observed *live)
{
	if (change->err == EOPNOTSUPP)
		return VERDICT_UNSUPPORTED;
	return is_managed(change, live) ? VERDICT_MANAGED : VERDICT_REFUSED;
}

/* The kernel said yes, or was not asked, and the value is another one. */
static enum verdict judge_reading(const struct change *change, const struct observed *live)
{
	const struct kind *kind = change->at.kind;
	bool predicted = value_equal(&live->value, &change->after);
	enum verdict verdict;

	if (!predicted && value_equal(&live->value, change_origin(change)))
		return VERDICT_IGNORED;
	verdict = kind->judge ? kind->judge(change, live) : VERDICT_REFUSED;
	/* what was predicted is within the rule, whatever the kind says of other values */
	return predicted && !verdict_is_good(verdict) ? VERDICT_ROUNDED : verdict;
}

enum verdict judge(const struct change *change, const struct observed *live)
{
	if (!live)
		return VERDICT_GONE;
	if (value_equal(&live->value, &change->wanted)) {
		bool held = live->active.type != VALUE_NONE &&
			    !value_equal(&live->active, &change->wanted);

		return held ? VERDICT_HELD : VERDICT_EXACT;
	}
	return change->err ? judge_refusal(change, live) : judge_reading(change, live);
}

bool change_is_acceptable(const struct change *change)
{
	enum phase phase = change->at.kind->phase;

	if (change->moot)
		return true;
	switch (change->verdict) {
	case VERDICT_EXACT:
	case VERDICT_REDUCED:
	case VERDICT_HELD:
		return !(change->verdict == VERDICT_HELD && change->wish &&
			 change->wish->fail_unsupported);
	case VERDICT_ROUNDED:
	case VERDICT_CLAMPED:
		return change->origin != ORIGIN_RESTORE;
	case VERDICT_IGNORED:
	case VERDICT_UNSUPPORTED:
	case VERDICT_MANAGED:
	case VERDICT_DEFERRED:
		/* for devices on-unsupported decides; a host setting or a carried or restored
		 * value that does not take is a failure */
		return phase != PHASE_HOST_EARLY && phase != PHASE_HOST_LATE && change->wish &&
		       !change->wish->fail_unsupported;
	default:
		return false;
	}
}
