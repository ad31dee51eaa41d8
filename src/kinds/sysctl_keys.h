/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known about single sysctl keys: format, aliases, what a profile can't set, what comes from
 * a module, what is gone. Data only; a key that is not here is read and written as words.
 * Documentation/networking/ip-sysctl.rst and admin-guide/sysctl/net.rst of the kernel.
 */
#ifndef NETTUNE_KINDS_SYSCTL_KEYS_H
#define NETTUNE_KINDS_SYSCTL_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sysctl_format {
	SYSCTL_TEXT,    /* words as they are */
	SYSCTL_NUMBERS, /* `count` numbers, blanks between */
	SYSCTL_LIST,    /* a list of numbers with commas ("5000-5005,8080"), "" = none */
	SYSCTL_MASK     /* a CPU mask in hexadecimal words */
};

enum sysctl_trait {
	SYSCTL_ASCENDING = 1 << 0,     /* no number may be above the next one */
	SYSCTL_ROUND_POWER = 1 << 1,   /* the kernel rounds up to a power of two */
	SYSCTL_ROUND_BUCKETS = 1 << 2, /* ... to a page full of list heads */
	SYSCTL_ROUND_JIFFIES = 1 << 3, /* milliseconds kept as jiffies */
	SYSCTL_DROP_ISOLATED = 1 << 4, /* a mask without the isolated CPUs */
	SYSCTL_ROUND_TICKS = 1 << 5    /* hundredths of a second kept as jiffies */
};

struct sysctl_key {
	const char *pattern; /* canonical key; "*" = any one component */
	enum sysctl_format format;
	uint8_t count;       /* of NUMBERS */
	unsigned traits;     /* enum sysctl_trait */
	const char *refused; /* why a profile can't set it; NULL = it can */
	const char *removed; /* the version of Linux that no longer has it; "" = not known which */
	const char *instead; /* the key that is meant, of one that is gone or never was; or NULL */
};

/* Never NULL: the row of the key; one number for other known names; words for unknown ones. */
const struct sysctl_key *sysctl_key_find(const char *key);
/* The one name of a setting that has two; `key` itself for all others. */
const char *sysctl_key_alias(const char *key);
/* The last component of the other key that is the same value in another unit, or NULL. */
const char *sysctl_key_twin(const char *key);
/* The module that makes the key, or NULL. */
const char *sysctl_key_module(const char *key);
/* Some kernel has a key of this name. */
bool sysctl_key_is_known(const char *key);
/* Only the first network namespace has it, or may write it. */
bool sysctl_key_is_host_wide(const char *key);
/* The last component of the nearest known key in the same place, or NULL. */
const char *sysctl_key_nearest(const char *key);

/* Pairs of keys where the kernel demands low <= high[0]; NULL-ended. */
struct sysctl_order {
	const char *low, *high;
};
extern const struct sysctl_order sysctl_orders[];

/* One place in the tree and the names in it. */
struct sysctl_names {
	const char *parent; /* may have a "*"; NULL ends the table */
	bool host_wide;     /* absent or read-only but in the first network namespace */
	const char *const *names;
};
extern const struct sysctl_names sysctl_names[];

#endif
