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

static bool has_ports(const struct host *host, const struct link *link)
{
	for (size_t i = 0; link_takes_ports(link) && i < host->nlinks; i++)
		if (host->links[i]->master == link->ifindex)
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
				desired_add(&m->run->desired,
					&(struct pair){.wish = &profile->wishes[j]}) < 0)
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

/* The link as such, or as a port of `via`, which the rule is for. */
static bool is_meant(const struct matcher *m, const struct rule *rule, const struct wish *wish,
	const struct link *via)
{
	if (!is_wanted_kind(m->run, wish))
		return false;
	if (!via || rule->members)
		return true;
	return kind_is_handed_down(wish->kind, via) && is_wanted_link(m->run, via);
}

static int add_wishes(
	struct matcher *m, const struct rule *rule, struct link *link, const struct link *via)
{
	struct pair pair = {.link = link, .via = via};

	pair.has_ports = rule->members && has_ports(&m->run->host, link);
	for (size_t i = 0; i < rule->nwishes; i++) {
		pair.wish = &rule->wishes[i];
		if (is_meant(m, rule, pair.wish, via) && desired_add(&m->run->desired, &pair) < 0)
			return out_of_memory(m);
	}
	return 0;
}

static int add_deferred(struct matcher *m, const struct rule *rule, struct link *link,
	const struct link *via, const char *reason)
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

		if (is_meant(m, rule, wish, via) && skips_add(&m->ret->deferred, &skip) < 0)
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

static void add_note(struct matcher *m, const struct rule *rule, const struct link *link,
	const char *id, const char *text)
{
	struct diag *diag = diags_add(
		m->diags, SEVERITY_NOTE, ERROR_FAILED, id, rule->pos, "%s: %s", link->name, text);

	if (diag)
		diag->interface = link->name;
}

/* A bond that has no ports, and ports that -i leaves out. */
static void tell_ports(struct matcher *m, const struct rule *rule, const struct link *link)
{
	const struct host *host = &m->run->host;
	const char *left = "";

	if (!link_takes_ports(link) || !is_wanted_link(m->run, link))
		return;
	if (!has_ports(host, link))
		add_note(m, rule, link, "no-members", "has no ports that the rule could reach");
	for (size_t i = 0; i < host->nlinks; i++)
		if (host_port_of(host, host->links[i]) == link &&
			!is_wanted_link(m->run, host->links[i]))
			left = arena_printf(m->run->arena, "%s %s", left, host->links[i]->name);
	if (*left)
		add_note(m, rule, link, "members-left-out",
			arena_printf(m->run->arena, "-i leaves out its ports:%s", left));
}

/* What a rule makes of a link by itself. */
struct found {
	enum match_result result;
	const char *reason;
};

/* A bond that -i does not name still says which of the links that it names are its ports. */
static bool is_asked(const struct matcher *m, const struct rule *rule, const struct link *link)
{
	return is_wanted_link(m->run, link) || (rule->members && link_takes_ports(link));
}

static int match_all(
	struct matcher *m, const struct rule *rule, struct found *found, struct misses *misses)
{
	const struct host *host = &m->run->host;

	for (size_t i = 0; i < host->nlinks; i++) {
		struct link *link = host->links[i];
		bool near;
		int r;

		found[i].result = MATCH_NO;
		if (!is_asked(m, rule, link))
			continue;
		r = decide(m, rule, link, &found[i].result, &found[i].reason, &near);
		if (r < 0)
			return r;
		if (found[i].result != MATCH_NO)
			misses->matched++;
		else if (near && found[i].reason)
			add_miss(m, misses, link->name, found[i].reason);
	}
	return 0;
}

/* The nearest of the links that it is a port of, directly or not, with this result. */
static const struct found *find_above(const struct matcher *m, const struct found *found,
	enum match_result result, const struct link *link, const struct link **ret)
{
	const struct host *host = &m->run->host;

	for (size_t depth = 0; depth < host->nlinks; depth++) {
		size_t i = 0;

		link = host_port_of(host, link);
		while (link && host->links[i] != link)
			i++;
		if (!link || found[i].result == result) {
			*ret = link;
			return link ? &found[i] : NULL;
		}
	}
	return NULL;
}

/* What holds by itself is more than what holds for a port, and certain more than undecided. */
static int take_link(
	struct matcher *m, const struct rule *rule, const struct found *found, size_t i)
{
	struct link *link = m->run->host.links[i];
	const struct link *via;
	const struct found *above;

	if (found[i].result == MATCH_YES)
		return add_wishes(m, rule, link, NULL);
	if (find_above(m, found, MATCH_YES, link, &via))
		return add_wishes(m, rule, link, via);
	if (found[i].result == MATCH_UNDECIDED)
		return add_deferred(m, rule, link, NULL, found[i].reason);
	above = find_above(m, found, MATCH_UNDECIDED, link, &via);
	return above && rule->members ? add_deferred(m, rule, link, via, above->reason) : 0;
}

/* In the order of the profiles, each rule over all links. */
static int match_rule(struct matcher *m, const struct rule *rule)
{
	const struct host *host = &m->run->host;
	struct found *found = ARENA_ARRAY(m->run->arena, host->nlinks + 1, struct found);
	struct misses misses = {0};
	int r = found ? match_all(m, rule, found, &misses) : out_of_memory(m);

	for (size_t i = 0; r == 0 && i < host->nlinks; i++)
		if (is_wanted_link(m->run, host->links[i]))
			r = take_link(m, rule, found, i);
	for (size_t i = 0; r == 0 && rule->members && i < host->nlinks; i++)
		if (found[i].result == MATCH_YES)
			tell_ports(m, rule, host->links[i]);
	if (r < 0 || misses.matched || rule->optional || m->run->options->interfaces)
		return r;
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
