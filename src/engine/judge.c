/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verdicts: what a reading says of a change. An acknowledged write counts for nothing here.
 */
#include "engine/execute.h"

#include <errno.h>

/* Up to Linux 6.1 only the refusal of the write tells (kernel/irq/proc.c). */
static bool is_managed(const struct change *change, const struct observed *live)
{
	return live->support == SUPPORT_MANAGED ||
	       (change->at.kind->phase == PHASE_IRQ && change->err == EPERM);
}

enum verdict judge(const struct change *change, const struct observed *live)
{
	const struct kind *kind = change->at.kind;
	enum verdict verdict = VERDICT_REFUSED;

	if (!live)
		return VERDICT_GONE;
	if (value_equal(&live->value, &change->wanted)) {
		bool held = live->active.type != VALUE_NONE &&
			    !value_equal(&live->active, &change->wanted);

		return held ? VERDICT_HELD : VERDICT_EXACT;
	}
	if (change->err == EOPNOTSUPP)
		return VERDICT_UNSUPPORTED;
	if (change->err && is_managed(change, live))
		return VERDICT_MANAGED;
	if (change->err)
		return VERDICT_REFUSED;
	if (kind->judge)
		verdict = kind->judge(change, live);
	else if (value_equal(&live->value, &change->before))
		verdict = VERDICT_IGNORED;
	/* what was predicted is within the rule, whatever the kind says of other values */
	if (!verdict_is_good(verdict) && value_equal(&live->value, &change->after))
		verdict = VERDICT_ROUNDED;
	return verdict;
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
