/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kinds of single queues and vectors share: CPU sets of wishes, the queues that a wish
 * names, and the files below /sys/class/net/LINK/queues (Documentation/networking/scaling.rst).
 */
#ifndef NETTUNE_KINDS_QUEUES_H
#define NETTUNE_KINDS_QUEUES_H

#include "core/kind.h"

/* The field of the wish: that of a queue map is the field that it stands for. */
const struct field *queues_field(const struct expansion *expansion);
/* "eth0/rps.cpus = 4-7: " before a complaint about a wish; -EINVAL. */
int queues_refuse(const struct expansion *expansion, struct error *error, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* CPUs that the kernel hands work to: online and not isolated. */
void cpus_usable(const struct host *host, struct cpuset *ret);
/* "CPU 2-7 do not exist (online: 0-1)"; NULL if the machine can have them all. In the arena. */
const char *cpus_missing(const struct host *host, const struct cpuset *set, struct arena *arena);
/*
 * The CPUs that a wish means: a set that exists here, or the word none (the empty set), all or
 * local. -EINVAL for CPUs that do not exist and for an empty set that nobody called none.
 */
int cpus_wish(const struct expansion *expansion, const struct field *field, struct cpuset *ret,
	struct error *error) MUST_CHECK;
/* Judges sets of CPUs: reduced if only those are missing that the prediction leaves out. */
enum verdict cpus_judge(const struct change *change, const struct observed *live);

/*
 * Adds a setting of `key` for each data queue or vector of the link that the wish names: v[index %
 * n]. Queues that the link does not have are one skip.
 */
int queues_add(const struct expansion *expansion, const char *key, const struct value *v, size_t n,
	struct error *error) MUST_CHECK;

/* A file of each queue, and the key that stands for it. {}-ended tables. */
struct queue_file {
	const char *key, *name;
	enum value_type type; /* RANGES: a mask */
};
int queues_observe(struct kernel *kernel, const struct kind *kind, enum part part,
	const struct queue_file *files, const struct scope *scope, struct state *ret);
/* Writes all, also after a failure; returns the first one. */
int queues_write(struct kernel *kernel, const struct queue_file *files, struct change *const *v,
	size_t n, struct error *error);

/* The scope wants this key. */
bool scope_has(const struct scope *scope, const char *key);

#endif
