/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel parameters of the network below /proc/sys/net (Documentation/networking/ip-sysctl.rst,
 * admin-guide/sysctl/net.rst). A key that names an interface of the host belongs to it. Never read
 * as a whole: only keys that somebody wants, or that those may move.
 */
#include "kinds/sysctl.h"

#include "kernel/kernel.h"
#include "kinds/registry.h"
#include "util/log.h"

#include <errno.h>
#include <string.h>

static const struct field fields[] = {
	{
		.name = "key",
		.doc = "Any key below net, dotted; a dot inside a component is written as a slash",
		.type = VALUE_WORDS,
		.flags = FIELD_OPEN,
	},
	{},
};

#define MOVES(cause, moved, where)                                               \
	{                                                                        \
		.key = (cause), .kind = "sysctl", .keys = (moved), .on = (where) \
	}
#define MOVES_LRO(cause, where)                                                     \
	{                                                                           \
		.key = (cause), .kind = "offloads", .keys = "rx-lro", .on = (where) \
	}
/* Of a key that all interfaces have: the host's two, and those of the links. */
#define MOVES_TREE(cause, tree)                 \
	MOVES(cause, tree ".*.$1", REACH_HOST), \
		MOVES(cause, tree "." SYSCTL_INTERFACE ".$1", REACH_LINKS)
#define MOVES_TWIN(tree, a, b)                          \
	MOVES(tree ".*." a, tree ".$1." b, REACH_SELF), \
		MOVES(tree ".*." b, tree ".$1." a, REACH_SELF)

static const struct effect effects[] = {
	MOVES("net.ipv4.ip_forward", "net.ipv4.conf.*.forwarding", REACH_HOST),
	MOVES("net.ipv4.ip_forward", "net.ipv4.conf.{interface}.forwarding", REACH_LINKS),
	MOVES("net.ipv4.ip_forward", "net.ipv4.conf.all.accept_redirects", REACH_HOST),
	MOVES_LRO("net.ipv4.ip_forward", REACH_LINKS),
	MOVES_LRO("net.ipv6.conf.all.forwarding", REACH_LINKS),
	MOVES_LRO("net.ipv4.conf.{interface}.forwarding", REACH_SELF),
	MOVES_LRO("net.ipv4.conf.{interface}.forwarding", REACH_LOWERS),
	MOVES_LRO("net.ipv6.conf.{interface}.forwarding", REACH_SELF),
	MOVES_LRO("net.ipv6.conf.{interface}.forwarding", REACH_LOWERS),
	MOVES_TREE("net.ipv4.conf.all.*", "net.ipv4.conf"),
	MOVES_TREE("net.ipv4.conf.default.*", "net.ipv4.conf"),
	MOVES_TREE("net.ipv6.conf.all.*", "net.ipv6.conf"),
	MOVES_TREE("net.ipv6.conf.default.*", "net.ipv6.conf"),
	MOVES("net.ipv4.neigh.default.*", "net.ipv4.neigh.{interface}.$1", REACH_LINKS),
	MOVES("net.ipv6.neigh.default.*", "net.ipv6.neigh.{interface}.$1", REACH_LINKS),
	MOVES_TWIN("net.ipv4.neigh", "base_reachable_time", "base_reachable_time_ms"),
	MOVES_TWIN("net.ipv4.neigh", "retrans_time", "retrans_time_ms"),
	MOVES_TWIN("net.ipv4.neigh", "unres_qlen", "unres_qlen_bytes"),
	MOVES_TWIN("net.ipv6.neigh", "base_reachable_time", "base_reachable_time_ms"),
	MOVES_TWIN("net.ipv6.neigh", "retrans_time", "retrans_time_ms"),
	MOVES_TWIN("net.ipv6.neigh", "unres_qlen", "unres_qlen_bytes"),
	MOVES(SYSCTL_CONGESTION, SYSCTL_ALLOWED, REACH_HOST),
	{},
};

/* A key that only the first network namespace has tells which one this is. */
static const char *why_read_only(struct kernel *kernel, const char *key, int err)
{
	if (err == -EROFS)
		return "/proc/sys is mounted read-only here";
	if (strncmp(key, "net.", 4) == 0 &&
		!file_exists(kernel, DIR_SYSCTL, "net/core/netdev_max_backlog"))
		return "not settable in this network namespace (host-wide key)";
	return "read-only on this kernel";
}

/* The value of tcp_available_congestion_control, as a note for whoever asks for another one. */
static const char *available_note(struct kernel *kernel, struct arena *arena)
{
	const char *path = sysctl_path(kernel->arena, NULL, SYSCTL_AVAILABLE), *text;

	if (file_read_text(kernel, DIR_SYSCTL, path, &text) < 0)
		return NULL;
	return arena_printf(arena, SYSCTL_AVAILABLE_IS "%s", value_words(arena, text).text);
}

static int observe_place(
	struct kernel *kernel, struct link *link, const char *key, struct state *ret)
{
	const char *path = sysctl_path(kernel->arena, link, key), *text;
	struct observed observed = {
		.at = {.kind = &kind_sysctl, .target.link = link, .key = key},
		.support = SUPPORT_SETTABLE,
	};
	int settable = file_is_settable(kernel, DIR_SYSCTL, path), r;

	if (settable == -ENOENT || settable == -ENOTDIR)
		return 0;
	r = file_read_text(kernel, DIR_SYSCTL, path, &text);
	if (r == -ENOENT || r == -EISDIR)
		return 0;
	if (r == -ENOMEM || r == -EAGAIN || settable == -EAGAIN)
		return r < 0 ? r : settable;
	if (settable < 0) {
		observed.support = SUPPORT_READ_ONLY;
		observed.note = why_read_only(kernel, key, settable);
	}
	if (r == 0)
		observed.value = sysctl_value_read(ret->arena, key, text);
	else
		observed.note = arena_printf(ret->arena, "not readable: %s", strerror(-r));
	if (strcmp(key, SYSCTL_CONGESTION) == 0 && !observed.note)
		observed.note = available_note(kernel, ret->arena);
	return state_put(ret, &observed);
}

/* They tell what the default is not: without them a remark is missing, nothing else. */
static int observe_qdiscs(struct kernel *kernel, const struct host *host)
{
	struct error error;
	int r = kernel_qdiscs(kernel, host, &error);

	if (r < 0)
		log_debug("qdiscs of the interfaces: %s", error.msg);
	return r == -ENOMEM ? r : 0;
}

/* A key without "*". What is written for the host may name a link. */
static int observe_key(struct kernel *kernel, const struct host *host, const struct scope *scope,
	const char *key, struct state *ret)
{
	struct sysctl_place place = {.link = scope->link, .key = key};
	int r;

	if (!scope->link)
		place = sysctl_place(host, ret->arena, key);
	if (place.missing)
		return 0;
	r = observe_place(kernel, place.link, arena_strdup(ret->arena, place.key), ret);
	if (r == 0 && strcmp(key, SYSCTL_QDISC) == 0)
		r = observe_qdiscs(kernel, host);
	/* What the administrator of the host allows decides whether an algorithm can be had. */
	if (r == 0 && strcmp(key, SYSCTL_CONGESTION) == 0)
		r = observe_place(kernel, NULL, SYSCTL_ALLOWED, ret);
	return r;
}

/* What stands before the "*" component of a pattern; NULL if it has none. */
static const char *star_of(const char *pattern)
{
	for (const char *p = pattern; (p = strchr(p, '*')); p++) {
		if ((p == pattern || p[-1] == '.') && (!p[1] || p[1] == '.'))
			return p;
	}
	return NULL;
}

/*
 * A pattern means all keys that there are. Where "*" stands for interfaces, these are the host's two
 * (all, default): keys of links are observed for each link.
 */
static int observe_pattern(struct kernel *kernel, const struct host *host,
	const struct scope *scope, const char *pattern, struct state *ret)
{
	struct arena *arena = kernel->arena;
	const char *star = star_of(pattern), *const * names;
	size_t length, n;
	int r;

	if (!star)
		return observe_key(kernel, host, scope, pattern, ret);
	length = (size_t)(star - pattern);
	r = file_list(kernel, DIR_SYSCTL,
		sysctl_path(arena, scope->link, arena_strndup(arena, pattern, length)), &names, &n);
	if (r < 0)
		return r == -ENOMEM || r == -EAGAIN ? r : 0;
	for (size_t i = 0; i < n; i++) {
		const char *key = arena_printf(arena, "%.*s%s%s", (int)length, pattern,
			sysctl_component(arena, names[i]), star + 1);
		struct sysctl_place place = sysctl_place(host, arena, key);

		if (!scope->link && (place.link || place.missing))
			continue;
		r = observe_pattern(kernel, host, scope, sysctl_key_alias(key), ret);
		if (r < 0)
			return r;
	}
	return 0;
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	if (scope->link && !scope->link->ifindex)
		return 0;
	for (size_t i = 0; scope->keys && i < scope->nkeys; i++) {
		int r = observe_pattern(kernel, host, scope, scope->keys[i], ret);

		if (r < 0)
			return error_set(error, ERROR_FAILED, -r, "sysctl/%s: %s", scope->keys[i],
				strerror(-r));
	}
	return 0;
}

/* What the kernel's bare errno means here. */
static const char *explain(struct kernel *kernel, const struct change *change, int err)
{
	struct arena *arena = kernel->arena;
	const char *word = change->wanted.text, *note;

	if (err == EROFS)
		return "/proc/sys is mounted read-only here";
	if (strcmp(change->at.key, SYSCTL_QDISC) == 0 && err == ENOENT)
		return arena_printf(arena, "%s: needs module sch_%s", strerror(err), word);
	if (strcmp(change->at.key, SYSCTL_CONGESTION) != 0)
		return strerror(err);
	note = available_note(kernel, arena);
	if (err == ENOENT && note)
		return arena_printf(arena,
			"%s is not in tcp_available_congestion_control (%s); needs module tcp_%s",
			word, note + strlen(SYSCTL_AVAILABLE_IS), word);
	if (err == EPERM)
		return arena_printf(arena,
			"%s: tcp_allowed_congestion_control does not have %s, and only the "
			"initial network namespace can change that",
			strerror(err), word);
	return strerror(err);
}

static int write_text(struct kernel *kernel, const struct address *at, const char *text)
{
	struct link *link = (struct link *)at->target.link;
	int r;

	if (!link)
		return file_write(
			kernel, DIR_SYSCTL, sysctl_path(kernel->arena, NULL, at->key), text);
	do
		r = file_write_of_link(
			kernel, link, DIR_SYSCTL, sysctl_path(kernel->arena, link, at->key), text);
	while (r == -ESTALE);
	return r;
}

static int write_setting(struct kernel *kernel, const struct change *change, struct error *error)
{
	const struct address *at = &change->at;
	int r = -EINVAL;

	if (change->wanted.type != VALUE_NONE)
		r = write_text(
			kernel, at, sysctl_value_written(kernel->arena, at->key, &change->wanted));
	if (r < 0)
		return error_set(error,
			r == -EPERM || r == -EACCES || r == -EROFS ? ERROR_PERMISSION
								   : ERROR_FAILED,
			-r, "%s", explain(kernel, change, -r));
	return 0;
}

static int write_step(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	for (size_t i = 0; i < n; i++) {
		int r = write_setting(kernel, v[i], error);

		if (r < 0)
			return r;
	}
	return 0;
}

/* Each time the link comes up, IPv6's MTU becomes that of the link (net/ipv6/addrconf.c). */
static bool is_reset(const struct address *at, const struct value *before, const struct value *live)
{
	const struct link *link = at->target.link;

	return link && strcmp(at->key, SYSCTL_LINK_MTU) == 0 && live->type == VALUE_NUMBER &&
	       live->number == link->mtu;
}

const struct kind kind_sysctl = {
	.name = "sysctl",
	.doc = "Kernel parameters of the network (/proc/sys/net)",
	.phase = PHASE_HOST_EARLY,
	.single = true,
	.fields = fields,
	.effects = effects,
	.canonical = sysctl_canonical,
	.check = sysctl_check,
	.check_all = sysctl_check_all,
	.expand = sysctl_expand,
	.project = sysctl_project,
	.predict = sysctl_predict,
	.judge = sysctl_judge,
	.rank = sysctl_rank,
	.remark = sysctl_remark,
	.is_reset = is_reset,
	.key_phase = sysctl_key_phase,
	.observe = observe,
	.write = write_step,
};
