/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of small numbers (CPUs; also queues and ports) and their two kernel spellings: the list
 * "0-3,8" and the hexadecimal mask of 32-bit words "1,00000008,00000001"
 * (lib/bitmap-str.c; Documentation/admin-guide/kernel-parameters.rst, "cpu lists").
 */
#ifndef NETTUNE_UTIL_CPUSET_H
#define NETTUNE_UTIL_CPUSET_H

#include "util/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPUSET_MAX 8192 /* NR_CPUS of the largest distribution kernels */

struct cpuset {
	uint64_t bits[CPUSET_MAX / 64];
};

void cpuset_clear(struct cpuset *set);
void cpuset_add(struct cpuset *set, unsigned number); /* numbers >= CPUSET_MAX are a bug */
void cpuset_remove(struct cpuset *set, unsigned number);
bool cpuset_has(const struct cpuset *set, unsigned number);
bool cpuset_is_empty(const struct cpuset *set);
bool cpuset_equal(const struct cpuset *a, const struct cpuset *b);
bool cpuset_is_subset(const struct cpuset *inner, const struct cpuset *outer);
void cpuset_and(struct cpuset *set, const struct cpuset *other);
void cpuset_or(struct cpuset *set, const struct cpuset *other);
void cpuset_subtract(struct cpuset *set, const struct cpuset *other);
unsigned cpuset_count(const struct cpuset *set);
unsigned cpuset_last(const struct cpuset *set); /* largest member; 0 for the empty set */
/* The n-th member (from 0) in ascending order, -1 if there are not so many. */
int cpuset_nth(const struct cpuset *set, unsigned n);

/*
 * "0-3,8", "0-9:1/2", blanks around it; "" is the empty set. -EINVAL for anything else (as "3-1"),
 * -ERANGE for numbers from CPUSET_MAX on. *ret is untouched on failure.
 */
int cpuset_parse_list(const char *text, struct cpuset *ret) MUST_CHECK;
/*
 * Hex words with commas, most significant first, any case, any number of leading zero words; also
 * one long hex number without commas; an optional "0x". -EINVAL, -ERANGE.
 */
int cpuset_parse_mask(const char *text, struct cpuset *ret) MUST_CHECK;

/* "0-3,8", "" for the empty set. In the arena. */
const char *cpuset_format_list(struct arena *arena, const struct cpuset *set);
/*
 * The mask as the kernel takes it on a machine with nr_cpu_ids CPU numbers: no 0x, commas every
 * eight digits, no leading zeros ("0" for the empty set), never wider than nr_cpu_ids needs.
 */
const char *cpuset_format_mask(struct arena *arena, const struct cpuset *set);

#endif
