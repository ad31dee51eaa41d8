/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules against links. Facts beyond the link dump are read only for links that the cheap ones leave
 * undecided. With -i the question is whether each named interface is in some rule; without, whether
 * each rule has some interface.
 */
#include "cmd/desired.h"

#include <errno.h>
#include <string.h>

#define NEAR_MISSES 5 /* named in one message */

struct matcher {
	struct run *run;
	const struct profiles *profiles;
	enum severity severity;
	struct matching *ret;
	struct diags *diags;
	struct error *error;
};

/* What became of one rule, or of one interface. */
struct misses {
	size_t matched;   /* or undecided */
	const char *near; /* "eth0: link-speed is 1Gbit, wanted >= 10Gbit; eth1: ..." */
	size_t nnear;
};

static bool has_word(const char *const *words, const char *word)
{
	for (; words && *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

static bool is_wanted_kind(const struct run *run, const struct wish *wish)
{
	return !run->options->only || has_word(run->options->only, wish->kind->name);
}

static bool has_wanted_kind(const struct run *run, const struct rule *rule)
{
	for (size_t i = 0; i < rule->nwishes; i++)
		if (is_wanted_kind(run, &rule->wishes[i]))
			return true;
	return false;
}

static bool is_wanted_link(const struct run *run, const struct link *link)
{
	if (!link->ifindex)
		return false;
	return !run->options->interfaces || has_word(run->options->interfaces, link->name);
}

/* "net.ipv4.conf.eth0/5.rp_filter" names the interface "eth0.5". */
static bool key_names_link(const char *key, const char *name)
{
	static const char *const tables[] = {
		"net.ipv4.conf.", "net.ipv4.neigh.", "net.ipv6.conf.", "net.ipv6.neigh."};

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		const char *p = key + strlen(tables[i]), *n = name;

		if (strncmp(key, tables[i], strlen(tables[i])) != 0)
			continue;
		while (*n && (*p == *n || (*n == '.' && *p == '/'))) {
			p++;
			n++;
		}
		return *n == '\0' && *p == '.';
	}
	return false;
}

/* Settings of the host are out of reach of -i, but for sysctls that name the interface. */
static bool is_wanted_host_wish(const struct run *run, const struct wish *wish)
{
	const char *const *name = run->options->interfaces;

	if (!is_wanted_kind(run, wish))
		return false;
	if (!name)
		return true;
	for (; *name; name++)
		if (key_names_link(wish->key, *name))
			return true;
	return false;
}

static int out_of_memory(struct matcher *m)
{
	return error_no_memory(m->error);
}

static int add_host_wishes(struct matcher *m)
{
	for (size_t i = 0; i < m->profiles->n; i++) {
		const struct profile *profile = m->profiles->v[i];

		for (size_t j = 0; j < profile->nwishes; j++)
			if (is_wanted_host_wish(m->run, &profile->wishes[j]) &&
				desired_add(&m->run->desired, NULL, &profile->wishes[j]) < 0)
				return out_of_memory(m);
	}
	return 0;
}

static int decide(struct matcher *m, const struct rule *rule, struct link *link,
	enum match_result *ret, const char **ret_reason, bool *ret_near)
{
	for (;;) {
		unsigned need = 0;
		int r;

		*ret_reason = NULL;
		*ret_near = false;
		*ret = match_link(&rule->match, link, m->run->arena, &need, ret_reason, ret_near);
		if (*ret != MATCH_NEED_FACTS)
			return 0;
		r = kernel_link_facts(&m->run->kernel, link, need, m->error);
		if (r < 0)
			return r;
	}
}

static int add_wishes(struct matcher *m, const struct rule *rule, struct link *link)
{
	for (size_t i = 0; i < rule->nwishes; i++)
		if (is_wanted_kind(m->run, &rule->wishes[i]) &&
			desired_add(&m->run->desired, link, &rule->wishes[i]) < 0)
			return out_of_memory(m);
	return 0;
}

static int add_deferred(
	struct matcher *m, const struct rule *rule, struct link *link, const char *reason)
{
	struct diag *diag = diags_add(m->diags, SEVERITY_WARNING, ERROR_FAILED, "deferred",
		rule->pos, "%s: whether this rule applies can't be told now (%s)", link->name,
		reason ? reason : "speed unknown");

	if (diag)
		diag->interface = link->name;
	for (size_t i = 0; i < rule->nwishes; i++) {
		const struct wish *wish = &rule->wishes[i];
		const struct skip skip = {
			.at = {.kind = wish->kind, .target.link = link, .key = wish->key},
			.wanted = expr_text(m->run->arena, wish->value),
			.verdict = VERDICT_DEFERRED,
			.reason = reason,
			.wish = wish,
		};

		if (is_wanted_kind(m->run, wish) && skips_add(&m->ret->deferred, &skip) < 0)
			return out_of_memory(m);
	}
	return 0;
}

static void add_miss(struct matcher *m, struct misses *misses, const char *who, const char *reason)
{
	if (misses->nnear++ < NEAR_MISSES)
		misses->near = arena_printf(m->run->arena, "%s%s%s: %s",
			misses->near ? misses->near : "", misses->near ? "; " : "", who, reason);
}

static int match_one(
	struct matcher *m, const struct rule *rule, struct link *link, struct misses *misses)
{
	enum match_result result;
	const char *reason;
	bool near;
	int r = decide(m, rule, link, &result, &reason, &near);

	if (r < 0)
		return r;
	switch (result) {
	case MATCH_YES:
		misses->matched++;
		return add_wishes(m, rule, link);
	case MATCH_UNDECIDED:
		misses->matched++;
		return add_deferred(m, rule, link, reason);
	default:
		if (near && reason)
			add_miss(m, misses, link->name, reason);
		return 0;
	}
}

static const char *near_text(struct matcher *m, const struct misses *misses)
{
	if (misses->nnear > NEAR_MISSES)
		return arena_printf(m->run->arena, "%s; and %zu more", misses->near,
			misses->nnear - NEAR_MISSES);
	return misses->near;
}

static void report(struct matcher *m, struct pos pos, const char *what, const char *near,
	const char *interface)
{
	const char *more = near ? arena_printf(m->run->arena, " (%s)", near) : "";
	struct diag *diag = diags_add(
		m->diags, m->severity, ERROR_MISSING, "unmatched", pos, "%s%s", what, more);

	if (diag)
		diag->interface = interface;
}

static int report_rule(struct matcher *m, const struct rule *rule, const struct misses *misses)
{
	const char *near = near_text(m, misses);
	struct matching *ret = m->ret;

	if (arena_grow(m->run->arena, &ret->v, &ret->cap, ret->n, sizeof(*ret->v)) < 0)
		return out_of_memory(m);
	ret->v[ret->n++] = (struct unmatched){.rule = rule, .reason = near};
	report(m, rule->pos, "no interface of this host matches the rule", near, NULL);
	return 0;
}

/* In the order of the profiles, each rule over all links. */
static int match_rule(struct matcher *m, const struct rule *rule)
{
	const struct host *host = &m->run->host;
	struct misses misses = {0};

	for (size_t i = 0; i < host->nlinks; i++) {
		struct link *link = host->links[i];
		int r = is_wanted_link(m->run, link) ? match_one(m, rule, link, &misses) : 0;

		if (r < 0)
			return r;
	}
	if (misses.matched || rule->optional || m->run->options->interfaces)
		return 0;
	return report_rule(m, rule, &misses);
}

/* Does any wish hold for the link that -i names, or may it once its speed is known? */
static bool is_named(const struct matcher *m, const struct link *link)
{
	const struct desired *desired = &m->run->desired;
	const struct skips *deferred = &m->ret->deferred;

	for (size_t i = 0; i < desired->n; i++)
		if (desired->v[i].link == link ||
			(!desired->v[i].link &&
				key_names_link(desired->v[i].wish->key, link->name)))
			return true;
	for (size_t i = 0; i < deferred->n; i++)
		if (deferred->v[i].at.target.link == link)
			return true;
	return false;
}

/* Why the rules left it out, for those that came near. */
static int explain(struct matcher *m, struct link *link, struct misses *misses)
{
	for (size_t i = 0; i < m->profiles->n; i++) {
		const struct profile *profile = m->profiles->v[i];

		for (size_t j = 0; j < profile->nrules; j++) {
			const struct rule *rule = &profile->rules[j];
			enum match_result result;
			const char *reason;
			bool near;
			int r = decide(m, rule, link, &result, &reason, &near);

			if (r < 0)
				return r;
			if (result == MATCH_NO && near && reason)
				add_miss(m, misses,
					arena_printf(m->run->arena, "rule in line %u of %s",
						rule->pos.line, profile->name),
					reason);
		}
	}
	return 0;
}

static int check_named_links(struct matcher *m)
{
	const char *const *name = m->run->options->interfaces;

	for (; name && *name; name++) {
		struct link *link = host_link_by_name(&m->run->host, *name);
		struct misses misses = {0};
		int r;

		if (!link || is_named(m, link))
			continue;
		r = explain(m, link, &misses);
		if (r < 0)
			return r;
		report(m, (struct pos){0},
			arena_printf(m->run->arena, "%s: nothing that was asked for applies to it",
				*name),
			near_text(m, &misses), link->name);
	}
	return 0;
}

int desired_fill(struct run *run, const struct profiles *profiles, enum severity unmatched,
	struct matching *ret, struct diags *diags, struct error *error)
{
	struct matcher m = {
		.run = run,
		.profiles = profiles,
		.severity = unmatched,
		.ret = ret,
		.diags = diags,
		.error = error,
	};
	int r;

	*ret = (struct matching){.deferred.arena = run->arena};
	r = add_host_wishes(&m);
	for (size_t i = 0; i < profiles->n && r == 0; i++) {
		const struct profile *profile = profiles->v[i];

		for (size_t j = 0; j < profile->nrules && r == 0; j++)
			if (has_wanted_kind(run, &profile->rules[j]))
				r = match_rule(&m, &profile->rules[j]);
	}
	return r < 0 ? r : check_named_links(&m);
}
