/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values: plain data, copied by assignment. Two values are equal if type and text are.
 */
#ifndef NETTUNE_CORE_VALUE_H
#define NETTUNE_CORE_VALUE_H

#include "util/arena.h"
#include "util/cpuset.h"

#include <stdbool.h>
#include <stdint.h>

enum value_type {
	VALUE_NONE,   /* absent, unreadable or not known */
	VALUE_NUMBER, /* decimal, in the kernel's unit */
	VALUE_BOOL,   /* "on", "off" */
	VALUE_WORD,   /* one word as the kernel has it; also numbers below 0 or above 64 bit */
	VALUE_WORDS, /* several words or numbers (a sysctl vector), one blank between; "" is possible */
	VALUE_RANGES, /* a set of CPUs, queues or ports: "0-3,8"; "" is the empty set */
	VALUE_TYPE_MAX
};

struct value {
	enum value_type type;
	uint64_t number;  /* of NUMBER and BOOL (0, 1) */
	const char *text; /* canonical; NULL only for NONE */
};

struct value value_none(void);
struct value value_number(struct arena *arena, uint64_t number);
struct value value_bool(bool on);
struct value value_word(struct arena *arena, const char *word);
/* Folds blanks, tabs and newlines; a single number becomes NUMBER, a single word WORD, numbers
 * in a vector become plain decimals (the kernel's 0x10 and 010 are 16 and 8 only on reading). */
struct value value_words(struct arena *arena, const char *text);
struct value value_ranges(struct arena *arena, const struct cpuset *set);
bool value_equal(const struct value *a, const struct value *b);
/* The set behind a RANGES value; -EINVAL for other types. */
int value_cpuset(const struct value *value, struct cpuset *ret);
/* For people and messages: text, "(none)" for the empty set, "-" for NONE. */
const char *value_text(const struct value *value);
/* A value of this type from its canonical text, as the journal has it. NULL text = NONE. */
struct value value_of_text(struct arena *arena, enum value_type type, const char *text);
const char *value_type_name(enum value_type type);    /* "number", ... */
enum value_type value_type_of_name(const char *name); /* VALUE_TYPE_MAX if unknown */

#endif
