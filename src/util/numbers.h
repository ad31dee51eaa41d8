/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers and quantities as people and profiles write them.
 */
#ifndef NETTUNE_UTIL_NUMBERS_H
#define NETTUNE_UTIL_NUMBERS_H

#include "util/arena.h"

#include <stdint.h>

enum unit {
	UNIT_NONE,  /* a count */
	UNIT_BYTES, /* KiB, MiB, GiB; also B */
	UNIT_RATE,  /* bit/s: Mbit, Gbit, Kbit, bit */
	UNIT_USECS, /* us, ms, s; base unit microseconds */
	UNIT_SECONDS
};

/*
 * Plain decimal without sign, blanks, leading zero. -EINVAL not a number, -ERANGE over 64 bit.
 * *ret is untouched on failure.
 */
int number_parse(const char *text, uint64_t *ret) MUST_CHECK;
/*
 * A number with the suffix of `unit`, or without suffix in the base unit of `unit`
 * ("64KiB" = 65536, "10Gbit" = 10^10, "2ms" = 2000). -EINVAL, -ERANGE (over 64 bit), -EDOM (a unit
 * of another sort: bytes where a time is wanted, or a time that is no whole base unit).
 */
int quantity_parse(const char *text, enum unit unit, uint64_t *ret) MUST_CHECK;
/* "134217728 (128 MiB)"; just the number where no larger unit divides it. In the arena. */
const char *bytes_format(struct arena *arena, uint64_t bytes);
/* Nearest word of the NULL-ended list within edit distance (a third of its length), or NULL. */
const char *nearest_word(const char *word, const char *const *words);

#endif
