/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans: changes grouped into steps in execution order. Built from wishes or from the targets
 * of a rollback by the same plan_build(); the executor can't tell them apart.
 */
#ifndef NETTUNE_CORE_PLAN_H
#define NETTUNE_CORE_PLAN_H

#include "core/driver.h"
#include "core/setting.h"
#include "core/verdict.h"
#include "util/error.h"

enum origin { ORIGIN_PROFILE, ORIGIN_CARRIED, ORIGIN_RESTORE, ORIGIN_UNBLOCK };
const char *origin_name(enum origin origin); /* "profile", "carried", "restore", "unblock" */

struct change {
	struct address at;
	struct value before;     /* live when planned; NONE: not there yet */
	struct value wanted;     /* what is written */
	struct value after;      /* the read-back to expect */
	struct value observed;   /* filled by execution */
	const struct wish *wish; /* NULL: carried or put back */
	enum origin origin;
	const char *cause; /* set already, and written again: the address of the change that would
			      wipe it; or NULL */
	struct value was;  /* read just before its first write; NONE: not written (yet) */
	const char *modes; /* of its kind on this link when it was written, as in core/answer.h */
	uint32_t handle;   /* fresh IRQ number while executing */
	enum interrupts interrupts;
	uint8_t round; /* 0 planned, 1-3 repair */
	bool moot;     /* a mode keeps it from being in force: not compared */
	enum verdict verdict;
	int err;           /* positive errno of a refused write */
	const char *error; /* its text, or what holds it; or NULL */
};

/* Where a reading has moved from: before the first write, or if there was none, as planned. */
static inline const struct value *change_origin(const struct change *change)
{
	return change->was.type != VALUE_NONE ? &change->was : &change->before;
}

/* The value moved as was wanted, and stopped on the way. */
static inline bool change_is_halfway(const struct change *change, const struct value *live)
{
	const struct value *from = change_origin(change), *to = &change->wanted;

	if (from->type != VALUE_NUMBER || to->type != VALUE_NUMBER || live->type != VALUE_NUMBER)
		return false;
	return (from->number < live->number && live->number < to->number) ||
	       (from->number > live->number && live->number > to->number);
}

/* changes[first .. first + n): same link and kind, one write(), one journal pair. */
struct step {
	uint32_t first, n;
};

struct skip {
	struct address at;
	const char *wanted;
	enum verdict verdict; /* UNSUPPORTED, MANAGED, IGNORED, HELD, DEFERRED, GONE, NONE (keep) */
	const char *reason;
	const struct wish *wish;
};

struct skips {
	struct skip *v;
	size_t n, cap;
	struct arena *arena;
};
int skips_add(struct skips *skips, const struct skip *skip);

struct plan {
	struct change *v;
	size_t n, cap;
	struct step *steps;
	size_t nsteps, steps_cap;
	struct settings unchanged; /* wished, and so already, or as the driver makes it */
	struct skips skipped;
	struct settings lost; /* settings that vanish with their queue or vector, with the value */
	struct settings
		follows; /* moved by the kernel along with a change (NONE: not known where to) */
	struct settings fresh; /* settings that appear, with the value to expect (NONE: unknown) */
	struct state end;      /* all that is to be expected after it (NONE: unknown) */
	struct arena *arena;
};

struct answers; /* core/answer.h */

struct plan_input {
	const struct host *host;
	const struct kind *const *kinds;
	const struct state *live;      /* all that has been observed */
	const struct desired *desired; /* wishes, or NULL */
	const struct settings *goals;  /* a rollback's targets (NONE: nothing to do), or NULL */
	const struct answers *answers; /* what is remembered of drivers, for wishes; or NULL */
};

void plan_init(struct plan *plan, struct arena *arena);
/* Values that are wrong on this host become errors in diags; 0 unless out of memory. */
int plan_build(const struct plan_input *input, struct plan *ret, struct diags *diags);

/* Findings about what is wished in a finished plan, each once for all settings that it is true of. */
int plan_remarks(const struct plan_input *input, const struct plan *plan, struct diags *diags);

/* One scope to observe, so that nothing that the plan may move is missing in `live`. */
struct want {
	const struct kind *kind;
	struct link *link; /* NULL: host */
	const char *keys;  /* key or pattern as in struct effect; NULL: all of the kind */
};
struct wants {
	struct want *v;
	size_t n, cap;
	struct arena *arena;
};
/* The snapshot scope of a plan, transitively; each want once. */
int plan_scope(const struct plan *plan, const struct host *host, const struct kind *const *kinds,
	struct wants *ret);
/* Each want once; one that is covered already is not added again. */
int wants_add(
	struct wants *wants, const struct kind *kind, const struct link *link, const char *keys);
/* The scope holds this address. */
bool wants_cover(const struct wants *wants, const struct address *at);
/* Lower before upper where the lower MTU rises, upper first where it falls; ties: ports that carry
 * nothing now, then by name. mtus: the planned ones. */
void plan_sort_links(const struct settings *mtus, struct link **v, size_t n);
/* The setting is not in force since the mode that its field names is on; never compared then. */
bool is_moot(const struct state *state, const struct address *at);
/* Does `key` match `pattern` ("net.ipv4.conf.*.forwarding": * is one component)? */
bool key_matches(const char *pattern, const char *key);

enum interrupts plan_interrupts(const struct plan *plan);

/* Classification for a rollback. */
enum class {
	CLASS_RESTORE,  /* as nettune left it: goes to before */
	CLASS_STAYS,    /* as before already */
	CLASS_CONFLICT, /* changed by others since */
	CLASS_FOREIGN, /* of an unfinished transaction: neither before nor nettune's; goes to before */
	CLASS_GONE,    /* with its link */
	CLASS_KEPT,    /* not in the snapshot, set by others, and in the way of own steps */
	CLASS_MAX
};
struct classified {
	struct address at;
	struct value before, left, live, target;
	enum class class;
	bool named; /* by the profile */
};
struct classification {
	struct classified *v;
	size_t n, cap;
	struct arena *arena;
	const struct host *host; /* what is_reduced() is asked with; NULL: nothing is */
};
/*
 * left NULL = unfinished transaction: everything goes to before. Entries whose target is NONE
 * need nothing. force: conflicts go to before, too.
 */
int classify(const struct state *before, const struct state *left, const struct state *live,
	const struct plan *plan, bool force, struct classification *ret);

#endif
