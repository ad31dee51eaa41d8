/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kind: a family of settings with one kernel interface behind it. One table of fields (the
 * vocabulary: profile, schema, manual, wire), its side effects as data, and functions. Pure ones
 * work on data; observe and write are the kernel. A NULL function means the default in brackets.
 */
#ifndef NETTUNE_CORE_KIND_H
#define NETTUNE_CORE_KIND_H

#include "core/driver.h"
#include "core/plan.h"
#include "core/setting.h"
#include "util/error.h"
#include "util/numbers.h"

struct kernel; /* opaque here */

enum field_flag {
	FIELD_HAS_MAX = 1 << 0,      /* the word "max" */
	FIELD_READ_ONLY = 1 << 1,    /* observed and shown, never wished */
	FIELD_PROFILE_ONLY = 1 << 2, /* a word of profiles that expands to other fields */
	FIELD_OPEN = 1 << 3,         /* the name stands for any key (sysctl, offloads) */
	FIELD_SCALAR = 1 << 4,    /* what a bare value after the kind's name means ("mtu: 9000") */
	FIELD_QUEUE_MAP = 1 << 5, /* profile: a mapping of queue index lists to values of `of` */
	FIELD_MODE = 1 << 6,      /* a mode bit; what it means for the order is rank()'s business */
	FIELD_NO_PROFILE = 1 << 7 /* observed, journaled, restored; not (yet) a profile word */
};

struct field {
	const char *name;         /* NULL ends the table */
	const char *doc;          /* one line, for the manual */
	const char *moot;         /* not compared while this key is on ... */
	unsigned moot_with;       /* ... with drivers of this flag, which drop it then; 0: all */
	const char *of;           /* of FIELD_QUEUE_MAP: the field it stands for */
	const char *const *words; /* words that are allowed as value, NULL-ended; NULL = none */
	enum value_type type;
	enum unit unit;
	unsigned flags;                      /* enum field_flag */
	struct {                             /* only kinds/ethparam.c reads it */
		uint16_t attr, attr_max;     /* netlink attributes, 0 = none */
		uint16_t offset, offset_max; /* in the ioctl's structure, in bytes, 0 = none */
		uint8_t width;               /* of the netlink attribute: 1 (u8) or 4 (u32) */
	} wire;
};

enum reach { REACH_END, REACH_SELF, REACH_UPPERS, REACH_LOWERS, REACH_LINKS, REACH_HOST };

/*
 * Writing `key` (NULL: any key of the kind; "*" stands for one component) may move `keys` (NULL:
 * all) of `kind` on those links; "$1" in keys is what the first "*" of key stood for. The snapshot
 * holds planned keys, these, and what a sysctl of these may move in turn; carried is what project()
 * changes of them. A link's sysctls are "net.ipv4.conf.{interface}.forwarding" with REACH_SELF,
 * _UPPERS, _LOWERS or _LINKS; the host's have REACH_HOST.
 */
struct effect {
	const char *key, *kind, *keys;
	enum reach on; /* REACH_END ends the table */
};

/* The effect's keys for this cause, with "$1" replaced; NULL: all. */
const char *effect_keys(const struct effect *effect, const char *cause, struct arena *arena);

/* What observe shall read: all of this kind on the link, or only these keys. */
struct scope {
	struct link *link;       /* NULL: host */
	const char *const *keys; /* as in addresses; NULL: all of this kind */
	size_t nkeys;
};

/* What expansion knows. */
struct expansion {
	const struct wish *wish;
	const struct link *link; /* NULL: host */
	const struct host *host;
	const struct state *model;
	struct arena *arena;
	struct settings *ret;  /* the settings go here */
	struct skips *skipped; /* what can't be had goes here: unsupported, deferred ... */
};

/* What there is to know beside a value: why it may be refused, what it does not do. */
struct remark {
	const char *id;   /* stable word, as "xdp" */
	const char *text; /* without the address; NULL = nothing */
	enum severity severity;
};

struct kind {
	const char *name, *doc;
	enum phase phase;
	bool single;  /* each change is a step of its own (sysctl) */
	bool settles; /* what it reads is decided when the link comes up: awaited around a step */
	const struct field *fields;   /* {}-ended */
	const struct effect *effects; /* {}-ended, NULL = none */

	/* Pure, for binding a profile. canonical: the one spelling of a key, however written; NULL if
	 * it can't be a key (error says why). [key as written, must be a row of fields] */
	const char *(*canonical)(struct arena *arena, const char *key, struct error *error);
	/* Does this word of profiles stand for the key, among others? [no word does] */
	bool (*stands_for)(const char *word, const char *key);
	/* What can be told about one wish without a host; allow: keys outside the kind's usual domain
	 * that the administrator allowed, NULL-ended. -EINVAL and *error. [the field's type decides] */
	int (*check)(const struct wish *wish, const char *const *allow, struct error *error);
	/* Contradictions among all wishes of this kind in one rule (or of the host). -EINVAL, *error,
	 * *ret_at = index of the wish to point at. [none] */
	int (*check_all)(const struct wish *v, size_t n, size_t *ret_at, struct error *error);

	/* Pure, for planning. expand: -EINVAL and *error for a value that is wrong on this host (above
	 * the maximum). Needed by a kind with profile words; ethparam_expand() is the usual one. */
	int (*expand)(const struct expansion *expansion, struct error *error);
	/* What else is different after this change. Called once for each change of a step, after the
	 * model has all changes of that step. [nothing] */
	void (*project)(const struct host *host, const struct change *change, struct state *model);
	/* The read-back to expect, and the verdict if it comes. [wanted, exact] */
	struct value (*predict)(const struct host *host, const struct setting *setting,
		const struct state *model, struct arena *arena);
	/* Judges a reading that is neither as wanted nor as it was before the write, though nothing
	 * was refused: what a driver or the kernel may make of a value, by the rule that the function's
	 * comment tells. One as predicted is never worse than rounded. [refused] */
	enum verdict (*judge)(const struct change *change, const struct observed *live);
	/* Order inside one link and phase; equal ranks in one step. [0] */
	int (*rank)(const struct address *at, const struct value *from, const struct value *to);
	/* Which change interrupts what. [the driver's column for the phase: of another kind, where two
	 * share one] */
	enum interrupts (*interrupts)(const struct link *link, const struct change *change);
	/* Of a setting that is wished; changes: it is not so yet. [nothing] */
	struct remark (*remark)(const struct host *host, const struct setting *setting,
		bool changes, const struct state *live, struct arena *arena);
	/* The kernel itself gives the setting this value when its link comes up, so it is no sign of
	 * others. [no] */
	bool (*is_reset)(
		const struct address *at, const struct value *before, const struct value *live);
	/* Phase of one key, where a kind has two (sysctl). [phase] */
	enum phase (*key_phase)(const char *key);
	/* A setting in whose way the refused step may stand; *ret is written as a journaled step and
	 * the refused one tried once more. Returns false for none. [none] */
	bool (*unblock)(const struct change *v, size_t n, int err, const struct state *live,
		struct arena *arena, struct setting *ret);

	/* The kernel. Never log, never know profile or journal. observe: what the link does not have is
	 * no entry and no error; more than the scope's keys does no harm. */
	int (*observe)(struct kernel *kernel, const struct host *host, const struct scope *scope,
		struct state *ret, struct error *error);
	/* All changes of one step, same link. change->handle is fresh. -errno and *error; where only
	 * some of them failed, these have err and error, and the first of it is returned. */
	int (*write)(struct kernel *kernel, const struct host *host, struct change *const *v,
		size_t n, struct error *error);
};

/* A change of this kind on the link reaches its ports by the kernel's own doing: a bond's MTU. */
bool kind_is_handed_down(const struct kind *kind, const struct link *link);
/* The row of this name, else the FIELD_OPEN row, else NULL. */
const struct field *kind_field(const struct kind *kind, const char *name);
const struct kind *kind_find(const struct kind *const *kinds, const char *name); /* or NULL */
/* Is live what the kernel keeps of this set of CPUs, since some are offline (or isolated) today? */
bool is_reduced(const struct host *host, const struct setting *setting, const struct state *live,
	struct arena *arena);

#endif
