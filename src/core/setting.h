/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings: an address (kind, target, key) with a value; as wished, as resolved, as observed.
 */
#ifndef NETTUNE_CORE_SETTING_H
#define NETTUNE_CORE_SETTING_H

#include "core/expr.h"
#include "core/host.h"
#include "core/value.h"
#include "core/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kind;

enum part {
	PART_WHOLE, /* the link or the host itself */
	PART_RX,    /* a queue, or the vector that serves it */
	PART_TX,
	PART_RXTX,
	PART_OTHER, /* the n-th further vector */
	PART_MAX
};

struct target {
	const struct link *link; /* NULL: the host */
	enum part part;
	uint16_t index;
};

struct address {
	const struct kind *kind;
	struct target target;
	const char *
		key; /* the kind's word; a sysctl of a link has "net.ipv4.conf.{interface}.forwarding" */
};

/* Total order: host before links (by ifindex, name), then kind, part, index, key. */
int address_compare(const struct address *a, const struct address *b);
static inline bool address_equal(const struct address *a, const struct address *b)
{
	return address_compare(a, b) == 0;
}
/*
 * "sysctl/net.core.somaxconn", "eth0/rings.rx", "eth0/mtu", "eth0/rx-3/rps.cpus". A link's sysctl:
 * "sysctl/net.ipv4.conf.eth0.forwarding" (a dot in the name as a slash). In the arena.
 */
const char *address_text(struct arena *arena, const struct address *address);
/* "rx-3", "other-0", "" for PART_WHOLE. In the arena. */
const char *target_part_text(struct arena *arena, const struct target *target);

/* One line of a profile, as written; nothing resolved. */
struct wish {
	const struct kind *kind;
	const char *key;
	const char *queues; /* index list "2-7", NULL = all */
	const struct expr *value;
	const char *why;       /* or NULL */
	bool optional;         /* missing: skipped and listed */
	bool fail_unsupported; /* on-unsupported: fail */
	struct pos pos;
	const char *profile; /* name of the profile it stands in */
};

struct pair {
	struct link *link; /* NULL: the host */
	const struct wish *wish;
	const struct link *via; /* link is a port below this one, which the rule is for; or NULL */
	bool has_ports;         /* the wish holds for ports below link, too */
};

/* Which wishes hold for which links; a later pair wins over an earlier one of the same setting. */
struct desired {
	struct pair *v;
	size_t n, cap;
	struct arena *arena;
};
int desired_add(struct desired *desired, const struct pair *pair);

/* A setting with a value, as a wish or a rollback wants it. */
struct setting {
	struct address at;
	struct value value;
	const struct wish *wish; /* NULL: put back */
	/* Of a plan's unchanged: live, and what it is of the value, where that is another one. */
	struct value got;     /* NONE: exactly as wished */
	enum verdict verdict; /* ROUNDED, CLAMPED, REDUCED; NONE: exactly as wished */
};

struct settings {
	struct setting *v;
	size_t n, cap;
	struct arena *arena;
};
int settings_add(struct settings *settings, const struct setting *setting);

enum support {
	SUPPORT_NONE,      /* not there, or the device does not know it */
	SUPPORT_READ_ONLY, /* here (mode bits, namespace) */
	SUPPORT_FIXED,     /* by the device */
	SUPPORT_MANAGED,   /* by the kernel (an IRQ) */
	SUPPORT_SETTABLE,
	SUPPORT_MAX
};
const char *support_name(enum support support);
enum support support_of_name(const char *name); /* SUPPORT_MAX if unknown */

struct observed {
	struct address at;
	struct value value;  /* offloads: the wanted bit; VALUE_NONE + SETTABLE: not known */
	struct value active; /* offloads: the bit in force; else VALUE_NONE */
	enum support support;
	uint64_t min, max; /* max 0: no maximum known */
	uint32_t handle;   /* IRQ number of this reading; never stored */
	bool follows;      /* model only: moved with its cause on purpose, so it is not carried */
	const char *note;  /* why it is not settable or readable, who holds it; or NULL */
};

/* It is there, but what it is could not be read. */
static inline bool observed_is_unread(const struct observed *observed)
{
	return observed->support == SUPPORT_SETTABLE && observed->value.type == VALUE_NONE &&
	       observed->note;
}

/* Sorted by address, one per address. */
struct state {
	struct observed *v;
	size_t n, cap;
	struct arena *arena;
};
/* Replaces the entry of the same address, or inserts. 0 or -ENOMEM. */
int state_put(struct state *state, const struct observed *observed);
struct observed *state_find(const struct state *state, const struct address *at); /* or NULL */
struct observed *state_get(const struct state *state, const struct kind *kind,
	const struct link *link, enum part part, unsigned index, const char *key); /* or NULL */
/*
 * The entries that stand for this setting, and how many: its own; of a vector that its driver has
 * paired or parted otherwise than was expected, those that serve the same queue.
 */
enum { SERVING_MAX = 2 };
size_t state_serving(
	const struct state *state, const struct address *at, struct observed *ret[SERVING_MAX]);
void state_remove(struct state *state, const struct address *at);
/* Removes all entries of this kind and link. */
void state_remove_kind(struct state *state, const struct kind *kind, const struct link *link);
/* The entries of one kind and link become those of `fresh`; what stays at its address stays in its
 * place. 0 or -ENOMEM. */
int state_update(struct state *state, const struct kind *kind, const struct link *link,
	const struct state *fresh);
/* All of `more` goes into the state, also over what is there; for many entries at once. -ENOMEM. */
int state_merge(struct state *state, const struct state *more);
/* A copy of the entries (texts are shared). */
int state_copy(struct state *ret, const struct state *from);
/* The entries of one kind and link are one run: [*first, *first + return value). */
size_t state_range(
	const struct state *state, const struct kind *kind, const struct link *link, size_t *first);

#endif
