/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One failure is a struct error, filled by whoever finds it and only on failure; functions return
 * 0 or a negative errno beside it. Many findings at once (a profile, a plan) are struct diags.
 */
#ifndef NETTUNE_UTIL_ERROR_H
#define NETTUNE_UTIL_ERROR_H

#include "util/arena.h"
#include "util/macros.h"

#include <stdbool.h>
#include <stddef.h>

/* What a failure means for the user; src/cmd/ maps it to an exit status. */
enum error_kind {
	ERROR_FAILED,     /* 1 */
	ERROR_USAGE,      /* 64 */
	ERROR_DATA,       /* 65 bad profile or journal */
	ERROR_MISSING,    /* 69 no such interface, key or kernel feature */
	ERROR_LOCKED,     /* 75 */
	ERROR_PERMISSION, /* 77 */
	ERROR_UNFINISHED, /* 4 a transaction is unfinished */
	ERROR_KIND_MAX
};

struct error {
	enum error_kind kind;
	int err;       /* positive errno, 0 if none */
	char msg[504]; /* object, wanted, got, the kernel's own text; no newline */
};

/* Fills *error (NULL is allowed) and returns -err, or -EINVAL where err is 0. */
int error_set(struct error *error, enum error_kind kind, int err, const char *format, ...)
	PRINTF_LIKE(4, 5);
/* ERROR_FAILED, "out of memory". Returns -ENOMEM. */
int error_no_memory(struct error *error);
/* Puts "prefix: " before the message that is there already. Returns as error_set() did. */
int error_prefix(struct error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/* A place in a file. Line and column count from 1; line 0 = not from a file. */
struct pos {
	const char *file;
	unsigned line, column;
	const char *source; /* the line's text, for the caret; NULL = not known */
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

struct diag {
	enum severity severity;
	enum error_kind kind; /* of errors */
	const char *id;       /* stable word, as "unknown-key" */
	struct pos pos;
	const char *text;
	const char *hint;      /* the nearest right word, what to type; or NULL */
	const char *interface; /* or NULL */
	const char *key;       /* address of the setting, or NULL */
};

struct diags {
	struct diag *v;
	size_t n, cap;
	struct arena *arena;
};

/* Appends a finding; text and hint are copied. Returns the new entry for the optional fields, or
 * NULL when out of memory (the arena remembers). */
struct diag *diags_add(struct diags *diags, enum severity severity, enum error_kind kind,
	const char *id, struct pos pos, const char *format, ...) PRINTF_LIKE(6, 7);
/* Findings from `first` on in the order of their places; those of one place as they came. */
void diags_sort(struct diags *diags, size_t first);
bool diags_have_errors(const struct diags *diags);
/* The first finding of severity error, or NULL. */
const struct diag *diags_first_error(const struct diags *diags);

#endif
