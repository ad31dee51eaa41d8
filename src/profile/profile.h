/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile file (nettune-profile(5)) bound to wishes through the kinds' field tables.
 * Knows no kernel.
 */
#ifndef NETTUNE_PROFILE_PROFILE_H
#define NETTUNE_PROFILE_PROFILE_H

#include "core/kind.h"
#include "core/setting.h"
#include "util/error.h"

enum compare_op {
	COMPARE_NONE,
	COMPARE_EQ,
	COMPARE_NE,
	COMPARE_LT,
	COMPARE_LE,
	COMPARE_GT,
	COMPARE_GE
};

struct comparison {
	enum compare_op op;
	uint64_t number;  /* bit/s */
	const char *text; /* as written, for messages */
};

/* All that is given must hold. */
struct match {
	const char *const *names; /* globs; NULL-ended; NULL = not given (also below) */
	const char *const *drivers;
	const char *const *macs;
	const char *const *buses;
	const char *const *kinds;
	struct comparison speed, max_speed;
	int up;          /* 1, 0, -1 = not given */
	bool exact_name; /* a name without glob characters stands in names */
	struct pos pos;
};

struct rule {
	struct match match;
	struct wish *wishes;
	size_t nwishes;
	bool members; /* also for the ports of the bonds, teams and bridges that match */
	bool optional;
	struct pos pos;
	const char *profile; /* name */
};

struct profile {
	const char *name, *description; /* description may be NULL */
	unsigned version;
	const char *path;   /* as opened */
	const char *source; /* the whole text */
	size_t source_length;
	struct wish *wishes; /* of the host (sysctl:) */
	size_t nwishes;
	struct rule *rules;
	size_t nrules;
};

struct profiles { /* merged from left to right: later wishes win */
	struct profile **v;
	size_t n;
};

struct profile_options {
	const struct kind *const *kinds;
	const char *const *allow_sysctl; /* NULL-ended keys outside net.*, from nettune.yaml */
	const char *version;             /* of nettune, for `requires` */
};

/*
 * Parses a text. All mistakes of the text go to diags with position, source line and hint; returns
 * 0 and *ret, -EINVAL if there was an error, -ENOMEM. Limits: 1 MiB, depth 16, no aliases.
 */
int profile_parse(const struct profile_options *options, const char *path, const char *text,
	size_t length, struct arena *arena, struct diags *diags, struct profile **ret);

/* Match result for one link. */
enum match_result { MATCH_NO, MATCH_YES, MATCH_NEED_FACTS, MATCH_UNDECIDED /* speed unknown */ };
/*
 * Decides from the facts that are known so far; MATCH_NEED_FACTS puts what is missing into
 * *ret_need (enum link_fact). For MATCH_NO and MATCH_UNDECIDED *ret_reason says why
 * ("link-speed is 1Gbit, wanted >= 10Gbit"); near: everything before it held or only one thing
 * was against it. In the arena.
 */
enum match_result match_link(const struct match *match, const struct link *link,
	struct arena *arena, unsigned *ret_need, const char **ret_reason, bool *ret_near);

/* /etc/nettune/nettune.yaml */
struct config {
	const char *path;
	const char *const *profiles;     /* NULL-ended */
	const char *const *allow_sysctl; /* NULL-ended */
	bool at_boot;
};
int config_parse(const char *path, const char *text, size_t length, struct arena *arena,
	struct diags *diags, struct config *ret);

#endif
