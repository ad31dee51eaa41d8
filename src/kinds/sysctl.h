/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the sysctl kind: spelling of keys and values, checks without a host, planning.
 */
#ifndef NETTUNE_KINDS_SYSCTL_H
#define NETTUNE_KINDS_SYSCTL_H

#include "core/kind.h"
#include "kinds/sysctl_keys.h"

#define SYSCTL_INTERFACE    "{interface}"
#define SYSCTL_CONGESTION   "net.ipv4.tcp_congestion_control"
#define SYSCTL_ALLOWED      "net.ipv4.tcp_allowed_congestion_control"
#define SYSCTL_AVAILABLE    "net.ipv4.tcp_available_congestion_control"
#define SYSCTL_QDISC        "net.core.default_qdisc"
#define SYSCTL_LINK_MTU     "net.ipv6.conf." SYSCTL_INTERFACE ".mtu"
#define SYSCTL_AVAILABLE_IS "tcp_available_congestion_control is " /* how a note tells the list */

/* sysctl_name.c: keys are dotted, a dot inside a component is a slash. */

const char *sysctl_canonical(struct arena *arena, const char *key, struct error *error);
/* Where a key belongs: to a link that it names, or to the host. */
struct sysctl_place {
	struct link *link;
	const char *key;
	const char *missing; /* the interface that the key names and the host lacks; or NULL */
};
struct sysctl_place sysctl_place(const struct host *host, struct arena *arena, const char *key);
/* Below /proc/sys; link: stands in for {interface}. In the arena. */
const char *sysctl_path(struct arena *arena, const struct link *link, const char *key);
/* A name of the kernel's tree as a component of a key. */
const char *sysctl_component(struct arena *arena, const char *name);

/* sysctl_value.c */

/* The value of a profile's expression for this key; -EINVAL and *error. */
int sysctl_value(struct arena *arena, const char *key, const struct expr *expr, struct value *ret,
	struct error *error) MUST_CHECK;
/* The value behind what /proc/sys shows, and what is written there for a value. */
struct value sysctl_value_read(struct arena *arena, const char *key, const char *text);
const char *sysctl_value_written(struct arena *arena, const char *key, const struct value *value);
/* Is `word` one of the words of a value? */
bool sysctl_has_word(const char *words, const char *word);

/* sysctl_check.c: struct kind's functions for binding. */

int sysctl_check(const struct wish *wish, const char *const *allow, struct error *error);
int sysctl_check_all(const struct wish *v, size_t n, size_t *ret_at, struct error *error);

/* sysctl_plan.c: struct kind's functions for planning. */

int sysctl_expand(const struct expansion *expansion, struct error *error);
void sysctl_project(const struct host *host, const struct change *change, struct state *model);
struct value sysctl_predict(const struct host *host, const struct setting *setting,
	const struct state *model, struct arena *arena);
enum verdict sysctl_judge(const struct change *change, const struct observed *live);
int sysctl_rank(const struct address *at, const struct value *from, const struct value *to);
enum phase sysctl_key_phase(const char *key);

/* sysctl_remark.c */

/* The algorithms that the kernel has now, from the note of an observed tcp_congestion_control; or NULL. */
const char *sysctl_available(const struct observed *congestion);
struct remark sysctl_remark(const struct host *host, const struct setting *setting, bool changes,
	const struct state *live, struct arena *arena);

#endif
