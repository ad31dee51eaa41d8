/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of receive side scaling: which receive queue each bucket of the hash goes to
 * (Documentation/networking/scaling.rst). As a value: queue numbers with a blank between.
 */
#ifndef NETTUNE_KINDS_RSS_H
#define NETTUNE_KINDS_RSS_H

#include "core/setting.h"

#include <stddef.h>
#include <stdint.h>

struct rss_table {
	uint32_t *v;
	size_t n;
};

/* -EINVAL if the value is no table (not known, the word "default", empty), -ENOMEM. */
int rss_table_parse(
	struct arena *arena, const struct value *value, struct rss_table *ret) MUST_CHECK;
struct value rss_table_value(struct arena *arena, const struct rss_table *table);
uint32_t rss_table_last(const struct rss_table *table); /* largest queue number in it */
/* As drivers spread over so many queues when nobody says otherwise: in turn, or in equal blocks. */
bool rss_table_is_default(const struct rss_table *table, uint32_t queues);
/* What becomes of a default table over `before` queues when they are `after`. */
void rss_table_respread(struct rss_table *table, uint32_t before, uint32_t after);
/* The driver sets its own up anew: from here on, what a user set is not known. */
void rss_forget(struct state *model, const struct link *link);

#endif
