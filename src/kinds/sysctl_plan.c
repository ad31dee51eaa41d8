/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sysctls in a plan: where a key belongs on this host, why one can't be had, which keys move
 * others, what the kernel makes of a value, and the order (Documentation/networking/ip-sysctl.rst;
 * net/ipv4/devinet.c, net/ipv6/addrconf.c, net/core/neighbour.c).
 */
#include "kinds/sysctl.h"

#include "kinds/expansion.h"
#include "kinds/lro.h"
#include "kinds/queues.h"
#include "kinds/registry.h"

#include <errno.h>
#include <string.h>

enum { LIST_HEAD = 8 /* bytes, of a hash table */ };

static const char *leaf_of(const char *key)
{
	const char *dot = strrchr(key, '.');

	return dot ? dot + 1 : key;
}

/* The setting can't be had: a skip if it is optional, else an error before anything is written. */
static int unavailable(const struct expansion *expansion, const struct address *at, int err,
	const char *reason, struct error *error)
{
	if (expansion->wish->optional)
		return expansion_skip(expansion, at, VERDICT_UNSUPPORTED, "%s", reason);
	return error_set(
		error, ERROR_MISSING, err, "%s: %s", address_text(expansion->arena, at), reason);
}

static const char *missing_interface(struct arena *arena, const char *key, const char *name)
{
	char *spelt = arena_strdup(arena, name);

	for (char *p = spelt; *p; p++) {
		if (*p == '.')
			*p = '/';
	}
	if (strstr(key, spelt))
		return arena_printf(arena, "there is no interface %s", name);
	return arena_printf(arena,
		"there is no interface %s (a dot in a name is written as a "
		"slash: write %s)",
		name, spelt);
}

static const char *missing_key(struct arena *arena, const char *key)
{
	const struct sysctl_key *row = sysctl_key_find(key);
	const char *module = sysctl_key_module(key), *nearest;

	if (row->removed && row->instead)
		return arena_printf(arena, "removed from the kernel; today it is %s", row->instead);
	if (row->removed)
		return arena_printf(arena, "removed %s%s",
			*row->removed ? "in Linux " : "from the kernel", row->removed);
	if (sysctl_key_is_known(key) && module)
		return arena_printf(arena, "no such key: module %s is not loaded", module);
	if (sysctl_key_is_host_wide(key))
		return "not settable in this network namespace (host-wide key)";
	if (sysctl_key_is_known(key))
		return "no such key on this kernel";
	nearest = sysctl_key_nearest(key);
	if (nearest)
		return arena_printf(arena, "unknown key, did you mean %.*s%s?",
			(int)(leaf_of(key) - key), key, nearest);
	if (module)
		return arena_printf(arena, "no such key; module %s may not be loaded", module);
	return "no such key on this kernel";
}

/*
 * In a network namespace of its own the kernel takes only algorithms that the administrator of the
 * host allows. Elsewhere it may load the module at the write: only that can tell.
 */
static const char *forbidden_algorithm(
	const struct expansion *expansion, const struct observed *live, const struct value *value)
{
	const struct observed *allowed = state_get(
		expansion->model, &kind_sysctl, NULL, PART_WHOLE, 0, SYSCTL_ALLOWED);
	const char *available = sysctl_available(live);

	if (strcmp(live->at.key, SYSCTL_CONGESTION) != 0 || value_equal(&live->value, value) ||
		!allowed || allowed->support == SUPPORT_SETTABLE || !allowed->value.text ||
		sysctl_has_word(allowed->value.text, value->text))
		return NULL;
	if (available && !sysctl_has_word(available, value->text))
		return arena_printf(expansion->arena,
			"%s is not in tcp_available_congestion_control (%s); needs module tcp_%s, "
			"and a place in tcp_allowed_congestion_control (%s), which only the "
			"initial network namespace can change",
			value->text, available, value->text, allowed->value.text);
	return arena_printf(expansion->arena,
		"%s is not in tcp_allowed_congestion_control (%s), which only the initial network "
		"namespace can change",
		value->text, allowed->value.text);
}

static int check_cpus(const struct expansion *expansion, const struct address *at,
	const struct value *value, struct error *error)
{
	const char *missing;
	struct cpuset set, usable;

	if (sysctl_key_find(at->key)->format != SYSCTL_MASK || value_cpuset(value, &set) < 0)
		return 0;
	missing = cpus_missing(expansion->host, &set, expansion->arena);
	cpus_usable(expansion->host, &usable);
	if (!missing && !cpuset_is_empty(&set) &&
		cpuset_is_subset(&set, &expansion->host->isolated))
		missing = "all of these CPUs are isolated";
	if (!missing)
		return 0;
	return error_set(error, ERROR_DATA, EINVAL, "%s = %s: %s",
		address_text(expansion->arena, at), value_text(value), missing);
}

int sysctl_expand(const struct expansion *expansion, struct error *error)
{
	struct arena *arena = expansion->arena;
	const struct wish *wish = expansion->wish;
	struct sysctl_place place = sysctl_place(expansion->host, arena, wish->key);
	struct address at = {.kind = &kind_sysctl, .target.link = place.link, .key = place.key};
	const struct observed *live = state_find(expansion->model, &at);
	const char *refused = sysctl_key_find(at.key)->refused, *forbidden;
	struct value value;

	if (refused)
		return error_set(error, ERROR_DATA, EINVAL, "%s can't be set by a profile: %s",
			address_text(arena, &at), refused);
	if (sysctl_value(arena, place.key, wish->value, &value, error) < 0)
		return -EINVAL;
	if (place.missing)
		return unavailable(expansion, &at, ENOENT,
			missing_interface(arena, wish->key, place.missing), error);
	if (!live)
		return unavailable(expansion, &at, ENOENT, missing_key(arena, at.key), error);
	if (check_cpus(expansion, &at, &value, error) < 0)
		return -EINVAL;
	if (live->support != SUPPORT_SETTABLE && !value_equal(&live->value, &value))
		return unavailable(
			expansion, &at, EACCES, live->note ? live->note : "read-only", error);
	forbidden = forbidden_algorithm(expansion, live, &value);
	if (forbidden)
		return unavailable(expansion, &at, EPERM, forbidden, error);
	return expansion_add(expansion, &at, &value);
}

/* Entries of the model that moved with a change on purpose. value NULL: where to is not known. */
static void follow(struct state *model, const struct kind *kind, const char *pattern,
	const struct address *cause, const struct value *value)
{
	for (size_t i = 0; i < model->n; i++) {
		struct observed *o = &model->v[i];

		if (o->at.kind != kind || !key_matches(pattern, o->at.key) ||
			address_equal(&o->at, cause) || (value && value_equal(&o->value, value)))
			continue;
		o->value = value ? *value : value_none();
		o->follows = true;
	}
}

/* Large receive offload is switched off, and no longer wanted, where packets are forwarded. */
static void switch_lro_off(const struct host *host, struct state *model)
{
	for (size_t i = 0; i < host->nlinks; i++)
		lro_switch_off(host, host->links[i], model);
}

static void project_forwarding(
	const struct host *host, const struct change *change, struct state *model)
{
	const char *key = change->at.key;
	bool on = change->after.type == VALUE_NUMBER && change->after.number != 0;

	if (strcmp(key, "net.ipv4.ip_forward") == 0) {
		const struct value redirects = value_number(model->arena, !on);

		follow(model, &kind_sysctl, "net.ipv4.conf.*.forwarding", &change->at,
			&change->after);
		follow(model, &kind_sysctl, "net.ipv4.conf.all.accept_redirects", &change->at,
			&redirects);
	}
	if (on && (strcmp(key, "net.ipv4.ip_forward") == 0 ||
			  strcmp(key, "net.ipv6.conf.all.forwarding") == 0))
		switch_lro_off(host, model);
	else if (on && change->at.target.link && strcmp(leaf_of(key), "forwarding") == 0)
		lro_switch_off(host, change->at.target.link, model);
}

/* Those of net.ipv6.conf.all that are copied to `default` and to every interface. */
static bool is_copied_from_all(const char *key)
{
	static const char *const leaves[] = {
		"addr_gen_mode", "disable_ipv6", "forwarding", "ignore_routes_with_linkdown"};

	for (size_t i = 0; i < ARRAY_SIZE(leaves); i++) {
		if (key_matches("net.ipv6.conf.all.*", key) && strcmp(leaf_of(key), leaves[i]) == 0)
			return true;
	}
	return false;
}

/* The same value in another unit moves along. */
static void forget_twin(struct state *model, const struct address *at)
{
	const char *key = at->key, *twin = sysctl_key_twin(key);
	struct observed *o;

	if (!twin)
		return;
	o = state_get(model, &kind_sysctl, at->target.link, PART_WHOLE, 0,
		arena_printf(model->arena, "%.*s%s", (int)(leaf_of(key) - key), key, twin));
	if (o) {
		o->value = value_none();
		o->follows = true;
	}
}

/*
 * A change of `default` is copied to the interfaces where nobody has set the key, which no file
 * shows: the value of those that had the old default is not known any more.
 */
static void project_default(const struct change *change, struct state *model)
{
	const char *tail = strstr(change->at.key, ".default.");
	const char *pattern = arena_printf(model->arena, "%.*s." SYSCTL_INTERFACE ".%s",
		(int)(tail - change->at.key), change->at.key, leaf_of(change->at.key));

	for (size_t i = 0; i < model->n; i++) {
		struct observed *o = &model->v[i];

		if (o->at.kind != &kind_sysctl || strcmp(o->at.key, pattern) != 0 ||
			!value_equal(&o->value, &change->before))
			continue;
		o->value = value_none();
		o->follows = true;
		forget_twin(model, &o->at);
	}
}

static bool is_copied_from_default(const char *key)
{
	return (key_matches("net.ipv4.conf.default.*", key) &&
		       strcmp(leaf_of(key), "forwarding") != 0) ||
	       key_matches("net.*.neigh.default.*", key);
}

/* The host's choice of an algorithm allows it to everybody. */
static void project_congestion(const struct change *change, struct state *model)
{
	struct observed *allowed = state_get(
		model, &kind_sysctl, NULL, PART_WHOLE, 0, SYSCTL_ALLOWED);

	if (!allowed || !allowed->value.text || !change->after.text ||
		sysctl_has_word(allowed->value.text, change->after.text))
		return;
	allowed->value = value_words(model->arena,
		arena_printf(model->arena, "%s %s", allowed->value.text, change->after.text));
	allowed->follows = true;
}

void sysctl_project(const struct host *host, const struct change *change, struct state *model)
{
	const char *key = change->at.key;

	project_forwarding(host, change, model);
	if (is_copied_from_all(key))
		follow(model, &kind_sysctl,
			arena_printf(model->arena, "net.ipv6.conf.*.%s", leaf_of(key)), &change->at,
			&change->after);
	if (is_copied_from_default(key))
		project_default(change, model);
	if (strcmp(key, SYSCTL_CONGESTION) == 0)
		project_congestion(change, model);
	forget_twin(model, &change->at);
}

/* Milliseconds that are kept in jiffies, as they are shown again. */
static bool is_kept_as(uint64_t wanted, uint64_t live)
{
	static const unsigned clocks[] = {100, 250, 300}; /* HZ; at 1000 nothing is rounded */

	for (size_t i = 0; i < ARRAY_SIZE(clocks) && wanted <= UINT32_MAX; i++) {
		uint64_t jiffies = (wanted * clocks[i] + 999) / 1000;
		uint64_t shown = jiffies * 1000 / clocks[i];

		if (live == shown || (live == shown + 1 && jiffies * 1000 % clocks[i]))
			return true;
	}
	return false;
}

/* Can it be what a kernel shows of a time that was written? */
static bool is_rounded_time(unsigned traits, uint64_t wanted, uint64_t live)
{
	/* a jiffy is never longer than a hundredth of a second */
	if ((traits & SYSCTL_ROUND_TICKS) && wanted && live == wanted - 1)
		return true;
	return (traits & SYSCTL_ROUND_JIFFIES) && is_kept_as(wanted, live);
}

/* A table of list heads fills whole pages, of which some machines have larger ones. */
static bool is_whole_pages(uint64_t wanted, uint64_t live)
{
	static const unsigned pages[] = {4096, 16384, 65536};

	for (size_t i = 0; i < ARRAY_SIZE(pages); i++) {
		const struct rounding page = {
			.how = ROUND_UP_MULTIPLE, .multiple = pages[i] / LIST_HEAD};

		if (live == driver_round(&page, wanted, 0))
			return true;
	}
	return false;
}

struct value sysctl_predict(const struct host *host, const struct setting *setting,
	const struct state *model, struct arena *arena)
{
	static const struct rounding power = {.how = ROUND_UP_POWER};
	static const struct rounding page = {
		.how = ROUND_UP_MULTIPLE, .multiple = 4096 / LIST_HEAD};
	unsigned traits = sysctl_key_find(setting->at.key)->traits;
	const struct value *value = &setting->value;
	const struct observed *now = state_find(model, &setting->at);
	struct cpuset set;

	/* The clock of this machine is not known: what can be an answer to this value is one. What
	 * was read is kept exactly. */
	if (setting->wish && value->type == VALUE_NUMBER && now &&
		now->value.type == VALUE_NUMBER &&
		is_rounded_time(traits, value->number, now->value.number))
		return now->value;
	if (value->type == VALUE_NUMBER && (traits & SYSCTL_ROUND_POWER))
		return value_number(arena, driver_round(&power, value->number, 0));
	if (value->type == VALUE_NUMBER && (traits & SYSCTL_ROUND_BUCKETS))
		return value_number(arena, driver_round(&page, value->number, 0));
	if ((traits & SYSCTL_DROP_ISOLATED) && value_cpuset(value, &set) == 0) {
		cpuset_subtract(&set, &host->isolated);
		return value_ranges(arena, &set);
	}
	return *value;
}

/* Only keys that are known to be rounded may become another value: times that are kept in ticks or
 * jiffies, powers of two, whole pages, sets without isolated CPUs. */
enum verdict sysctl_judge(const struct change *change, const struct observed *live)
{
	unsigned traits = sysctl_key_find(change->at.key)->traits;

	if (traits & SYSCTL_DROP_ISOLATED)
		return cpus_judge(change, live);
	if (value_equal(&live->value, &change->after))
		return VERDICT_ROUNDED;
	if (change->wanted.type == VALUE_NUMBER && live->value.type == VALUE_NUMBER) {
		uint64_t wanted = change->wanted.number, got = live->value.number;

		if (is_rounded_time(traits, wanted, got) ||
			((traits & SYSCTL_ROUND_BUCKETS) && is_whole_pages(wanted, got)))
			return VERDICT_ROUNDED;
	}
	return VERDICT_REFUSED;
}

/*
 * Causes before what follows them: a key that is copied, then the defaults, `all`, and the single
 * interfaces; an algorithm before the list that must contain it.
 */
int sysctl_rank(const struct address *at, const struct value *from, const struct value *to)
{
	const char *key = at->key;

	if (strcmp(key, "net.core.rps_default_mask") == 0)
		return 0;
	if (strcmp(key, "net.ipv4.ip_forward") == 0 || is_copied_from_all(key))
		return 1;
	if (key_matches("net.*.conf.default.*", key) || key_matches("net.*.neigh.default.*", key))
		return 2;
	if (key_matches("net.*.conf.all.*", key))
		return 3;
	if (key_matches("net.*.conf.*.*", key) || key_matches("net.*.neigh.*.*", key))
		return 4;
	if (strcmp(key, SYSCTL_CONGESTION) == 0)
		return 5;
	return strcmp(key, SYSCTL_ALLOWED) == 0 ? 6 : 1;
}

/* The IPv6 MTU of an interface is not set before the MTU of the interface. */
enum phase sysctl_key_phase(const char *key)
{
	static const char *const early[] = {
		"net.*.conf.*.*",
		"net.core.rps_default_mask",
		"net.ipv4.ip_forward",
		SYSCTL_ALLOWED,
		SYSCTL_CONGESTION,
	};

	if (key_matches("net.ipv6.conf.*.mtu", key))
		return PHASE_HOST_LATE;
	for (size_t i = 0; i < ARRAY_SIZE(early); i++) {
		if (key_matches(early[i], key))
			return PHASE_HOST_EARLY;
	}
	return PHASE_HOST_LATE;
}
