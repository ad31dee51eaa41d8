/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What there is to know beside sysctls: algorithms of congestion control that need a module first,
 * and a default qdisc that no interface has (net/ipv4/tcp_cong.c, net/sched/sch_generic.c).
 */
#include "kinds/sysctl.h"

#include "kinds/registry.h"
#include "util/numbers.h"

#include <string.h>

enum { LINKS_NAMED = 6 };

const char *sysctl_available(const struct observed *congestion)
{
	const char *list = congestion->note ? strstr(congestion->note, SYSCTL_AVAILABLE_IS) : NULL;

	return list ? list + strlen(SYSCTL_AVAILABLE_IS) : NULL;
}

/* The word of the list that was meant, or NULL. */
static const char *nearest_algorithm(struct arena *arena, const char *list, const char *word)
{
	char *copy = arena_strdup(arena, list), *rest = NULL;
	const char *words[32];
	size_t n = 0;

	for (char *p = strtok_r(copy, " ", &rest); p && n < ARRAY_SIZE(words) - 1;
		p = strtok_r(NULL, " ", &rest))
		words[n++] = p;
	words[n] = NULL;
	return nearest_word(word, words);
}

static const char *congestion_text(
	const struct setting *setting, const struct observed *live, struct arena *arena)
{
	const char *list = live ? sysctl_available(live) : NULL, *word = setting->value.text, *near;

	if (!list || sysctl_has_word(list, word))
		return NULL;
	near = nearest_algorithm(arena, list, word);
	if (near)
		return arena_printf(arena,
			"%s is not in tcp_available_congestion_control (%s), did you mean %s?",
			word, list, near);
	return arena_printf(arena,
		"%s is not in tcp_available_congestion_control (%s): the kernel has to load module "
		"tcp_%s",
		word, list, word);
}

static bool has_other_qdisc(const struct link *link, const char *name)
{
	return link->qdisc && strcmp(link->qdisc, name) != 0;
}

/* Is it the first link that has its qdisc? */
static bool is_first_of_qdisc(const struct host *host, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		const char *qdisc = host->links[i]->qdisc;

		if (qdisc && strcmp(qdisc, host->links[at]->qdisc) == 0)
			return false;
	}
	return true;
}

/* "fq_codel: eth0, eth1" */
static const char *links_of_qdisc(const struct host *host, const char *qdisc, struct arena *arena)
{
	const char *text = arena_printf(arena, "%s:", qdisc);
	size_t n = 0;

	for (size_t i = 0; i < host->nlinks; i++) {
		const struct link *link = host->links[i];

		if (has_other_qdisc(link, qdisc) || !link->qdisc)
			continue;
		if (n < LINKS_NAMED)
			text = arena_printf(arena, "%s%s %s", text, n ? "," : "", link->name);
		n++;
	}
	return n > LINKS_NAMED ? arena_printf(arena, "%s and %zu more", text, n - LINKS_NAMED)
			       : text;
}

static const char *qdisc_text(
	const struct host *host, const struct setting *setting, struct arena *arena)
{
	const char *text = NULL;

	for (size_t i = 0; i < host->nlinks; i++) {
		const struct link *link = host->links[i];
		const char *links;

		if (!has_other_qdisc(link, setting->value.text) || !is_first_of_qdisc(host, i))
			continue;
		links = links_of_qdisc(host, link->qdisc, arena);
		text = text ? arena_printf(arena, "%s; %s", text, links) : links;
	}
	return text ? arena_printf(arena, "existing interfaces keep their qdisc (%s)", text) : NULL;
}

struct remark sysctl_remark(const struct host *host, const struct setting *setting, bool changes,
	const struct state *live, struct arena *arena)
{
	const char *key = setting->at.key;

	if (strcmp(key, SYSCTL_QDISC) == 0)
		return (struct remark){
			.id = "existing-qdisc", .text = qdisc_text(host, setting, arena)};
	if (strcmp(key, SYSCTL_CONGESTION) == 0 && changes)
		return (struct remark){.id = "needs-module",
			.text = congestion_text(setting, state_find(live, &setting->at), arena)};
	return (struct remark){.text = NULL};
}
