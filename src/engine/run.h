/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every command carries, and the data flow in the order of the calls: run_open; the command
 * matches rules and links into run->desired; run_plan; transaction_apply or output.
 */
#ifndef NETTUNE_ENGINE_RUN_H
#define NETTUNE_ENGINE_RUN_H

#include "core/answer.h"
#include "core/kind.h"
#include "core/plan.h"
#include "kernel/kernel.h"

struct options {
	const char *const *interfaces; /* -i, NULL-ended, NULL = all */
	const char *const *only;       /* --only, kind names, NULL-ended, NULL = all */
	const char *state_dir;         /* /var/lib/nettune */
	unsigned lock_timeout_ms;
	unsigned carrier_timeout_ms, service_timeout_ms; /* of a link that was reset; see await.h */
	const char *command;                             /* the command line, for the journal */
	const char *version;
};

/* A link that did something for others when the run began. */
struct serving {
	struct link *link;
	unsigned service; /* enum service bits */
	const char *late; /* what it did not do again in time while going back; or NULL */
};

struct run {
	struct kernel kernel;
	struct host host;
	const struct kind *const *kinds;
	const struct options *options;
	struct state live; /* all observed so far */
	struct desired desired;
	struct wants observed;   /* scopes that are in live */
	struct answers answers;  /* what is remembered of drivers, if a command has loaded it */
	struct serving *serving; /* NULL: not noted yet */
	size_t nserving;
	/* Set by store_load_all: the newest journal that can't be read, unless it is known to be of
	 * another boot or namespace. "" = none. */
	const char *damaged;
	struct arena *arena;
};

int run_open(struct run *run, const struct kernel_options *kernel_options,
	const struct options *options, const struct kind *const *kinds, struct arena *arena,
	struct error *error);
void run_close(struct run *run);

/* Reads those of the scopes into run->live that were not read yet. */
int run_observe(struct run *run, const struct wants *wants, struct error *error);
/* One kind of one link (keys NULL: all), read now into *ret. A vanished link has nothing. */
int run_observe_one(struct run *run, const struct kind *kind, struct link *link,
	const char *const *keys, size_t nkeys, struct state *ret, struct error *error);
/* Observes what the wishes name, plans, observes the plan's snapshot scope, plans again until the
 * scope is complete. -EINVAL: errors in diags. */
int run_plan(struct run *run, struct plan *ret, struct diags *diags, struct error *error);
/* Every scope in run->observed read anew, from one fresh link dump. */
int run_refresh(struct run *run, struct error *error);

/* Who typed the command: sudo's user where there is one. For records only. */
const char *run_user_name(void);

#endif
