/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which wishes of the profiles hold for which links of this host.
 */
#ifndef NETTUNE_CMD_DESIRED_H
#define NETTUNE_CMD_DESIRED_H

#include "engine/run.h"
#include "profile/profile.h"

/* A rule, not optional, that no interface satisfies. */
struct unmatched {
	const struct rule *rule;
	const char *reason; /* the near misses */
};

struct matching {
	struct unmatched *v;
	size_t n, cap;
	struct skips deferred; /* wishes of rules that an unknown speed leaves undecided */
};

/*
 * Fills run->desired: host wishes first, then the rules of the profiles in their order, as far as
 * -i and --only of run->options reach. What matches nothing becomes a finding of this severity,
 * what is undecided a warning.
 */
int desired_fill(struct run *run, const struct profiles *profiles, enum severity unmatched,
	struct matching *ret, struct diags *diags, struct error *error);

#endif
