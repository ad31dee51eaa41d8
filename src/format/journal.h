/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal's lines: JSON Lines both ways. Files and locks are src/engine/store.c.
 *
 * The first line is the header, with "format": "nettune-journal/1"; "record" tells what a line is.
 * Addresses carry the index of their link in the LINKS record. Strings are any bytes but NUL: a
 * backslash is written as two, a byte that is not part of valid UTF-8 as \xNN.
 */
#ifndef NETTUNE_FORMAT_JOURNAL_H
#define NETTUNE_FORMAT_JOURNAL_H

#include "core/kind.h"
#include "core/plan.h"

#define JOURNAL_FORMAT "nettune-journal/1"

enum record_type {
	RECORD_HEADER,   /* format, id, boot_id, namespace, version, user, command */
	RECORD_LINKS,    /* identity of each link that the rest names, by index; a further one adds
			    links that a rollback has to do with */
	RECORD_PROFILE,  /* name, version, sha256, source text, path; one a profile */
	RECORD_PLAN,     /* changes and steps */
	RECORD_STATE,    /* the snapshot before the first write */
	RECORD_STEP,     /* {step, round}: before a write */
	RECORD_EXTRA,    /* an unblock step, in full: before its write */
	RECORD_DONE,     /* {step, round, err, observed[]}: after it */
	RECORD_LEFT,     /* the state left */
	RECORD_OUTCOME,  /* outcome, time */
	RECORD_ROLLBACK, /* header of a rollback: time, user, command, classification, plan; the
			    STEP, EXTRA, DONE and OUTCOME records behind it are its own */
	RECORD_FORGET,
	RECORD_MAX
};

struct journal_header {
	const char *id, *boot_id, *version, *user, *command, *time; /* RFC 3339 UTC */
	const char *host;
	uint64_t netns; /* cookie or inode */
};

/* A link as the journal knows it. */
struct journal_link {
	int ifindex;
	const char *name, *driver, *bus; /* driver, bus may be NULL */
	uint8_t perm_mac[6];
	const struct link *link; /* the live one by identity, or a stand-in with ifindex 0 */
};

struct journal_profile {
	const char *name, *path, *source, *sha256;
	unsigned version;
};

struct journal_rollback {
	const char *time, *user, *command, *outcome; /* outcome NULL: it died */
	const char *outcome_time;
	bool force;
	bool put_back; /* by the failed apply itself: its outcome is also the transaction's */
	struct classification classified;
	struct plan plan;
	size_t begun;          /* steps up to the last one that began */
	struct settings extra; /* unblock steps that began */
};

/*
 * One journal file, read. The plan has the observed values, verdicts and errors of the DONE
 * records. An empty or early cut file is no error: what is missing is zero, strings of the header
 * are then "".
 */
struct journal {
	struct journal_header header;
	struct journal_link *links;
	size_t nlinks;
	struct journal_profile *profiles;
	size_t nprofiles;
	struct plan plan;
	struct state before;
	struct state left; /* n = 0 and has_left false: never written */
	bool has_left;
	bool *begun; /* [plan.nsteps] */
	bool any_begun;
	struct settings begun_extra;        /* unblock steps that began, with what they wrote */
	const char *outcome, *outcome_time; /* NULL: unfinished */
	struct journal_rollback *rollbacks; /* oldest first */
	size_t nrollbacks;
	bool forgotten;
	bool torn;     /* the last line is cut */
	size_t length; /* bytes of whole lines: where an append has to start */
};

const char *class_name(enum class class); /* "restore", "stays" ... */
const char *part_name(enum part part);    /* "whole", "rx" ... */

/*
 * Each returns one line with its newline, malloc'ed; NULL when out of memory. Every link that is
 * named must be in `links`.
 */
char *journal_header_line(const struct journal_header *header);
char *journal_links_line(const struct journal_link *v, size_t n);
char *journal_profile_line(const struct journal_profile *profile);
char *journal_plan_line(const struct plan *plan, const struct journal_link *links, size_t nlinks);
char *journal_state_line(enum record_type type, const struct state *state,
	const struct journal_link *links, size_t nlinks);
char *journal_step_line(uint32_t step, unsigned round);
char *journal_done_line(const struct plan *plan, uint32_t step, unsigned round, int err);
char *journal_outcome_line(const char *outcome, const char *time);
char *journal_rollback_line(
	const struct journal_rollback *rollback, const struct journal_link *links, size_t nlinks);
char *journal_forget_line(const char *time);
/* A step that the plan did not have (unblock): the change in full. */
char *journal_extra_line(
	const struct change *change, const struct journal_link *links, size_t nlinks);
/*
 * Room for all STEP and DONE lines of one execution of the plan with its repair rounds, and for
 * the outcome: an estimate on the safe side, for reserving.
 */
size_t journal_steps_size(const struct plan *plan);

/*
 * Reads a whole file. identify() is called for each link of the LINKS record to fill link->link
 * (NULL result: a stand-in is made). -EINVAL with line number in *error (ERROR_DATA); a torn last
 * line is no error.
 */
struct journal_reader {
	const struct kind *const *kinds;
	const struct link *(*identify)(const struct journal_link *link, const void *data);
	const void *data;
	struct arena *arena;
};
int journal_parse(const struct journal_reader *reader, const char *text, size_t length,
	struct journal *ret, struct error *error);

#endif
