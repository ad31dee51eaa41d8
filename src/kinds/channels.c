/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Channels, that is, how many queues a device uses: ETHTOOL_MSG_CHANNELS_GET and _SET
 * (net/ethtool/channels.c), else ETHTOOL_GCHANNELS. Some devices have combined channels, some
 * separate ones for each direction; profiles may just say "queues".
 */
#include "kinds/channels_model.h"
#include "kinds/ethparam.h"
#include "kinds/expansion.h"
#include "kinds/registry.h"
#include "kinds/rss.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <stddef.h>
#include <string.h>

#define COUNT(attr_name, member, max_member)                                 \
	.type = VALUE_NUMBER, .flags = FIELD_HAS_MAX,                        \
	.wire = {                                                            \
		.attr = ETHTOOL_A_CHANNELS_##attr_name##_COUNT,              \
		.attr_max = ETHTOOL_A_CHANNELS_##attr_name##_MAX,            \
		.offset = offsetof(struct ethtool_channels, member),         \
		.offset_max = offsetof(struct ethtool_channels, max_member), \
		.width = 4,                                                  \
	}

static const struct field fields[] = {
	{.name = "rx", .doc = "channels that only receive", COUNT(RX, rx_count, max_rx)},
	{.name = "tx", .doc = "channels that only transmit", COUNT(TX, tx_count, max_tx)},
	{
		.name = "other",
		.doc = "channels for other interrupts, as of the link",
		COUNT(OTHER, other_count, max_other),
	},
	{
		.name = "combined",
		.doc = "channels that receive and transmit",
		COUNT(COMBINED, combined_count, max_combined),
	},
	{
		.name = "queues",
		.doc = "queues for each direction: combined, or rx and tx, whichever the device "
		       "has",
		.type = VALUE_NUMBER,
		.flags = FIELD_HAS_MAX | FIELD_PROFILE_ONLY,
	},
	{},
};

static const struct effect effects[] = {
	{.kind = "rings", .on = REACH_SELF},
	{.kind = "coalesce", .on = REACH_SELF},
	{.kind = "rss", .on = REACH_SELF},
	{.kind = "xps", .on = REACH_SELF},
	{.kind = "rps", .on = REACH_SELF},
	{.kind = "irq-affinity", .on = REACH_SELF},
	{.kind = "pause", .on = REACH_SELF},
	/* not moved, but it says what new receive queues start with */
	{.kind = "sysctl", .keys = "net.core.rps_default_mask", .on = REACH_HOST},
	{},
};

static const struct ethparam param = {
	.kind = &kind_channels,
	.get = ETHTOOL_MSG_CHANNELS_GET,
	.set = ETHTOOL_MSG_CHANNELS_SET,
	.ioctl_get = ETHTOOL_GCHANNELS,
	.ioctl_set = ETHTOOL_SCHANNELS,
	.ioctl_size = sizeof(struct ethtool_channels),
};

static const struct observed *find(const struct expansion *expansion, const char *key)
{
	return state_get(expansion->model, &kind_channels, expansion->link, PART_WHOLE, 0, key);
}

/* "rx max 2, tx max 2": what the device has instead. */
static const char *maxima_text(const struct expansion *expansion)
{
	static const char *const keys[] = {"rx", "tx", "combined"};
	const char *text = "";

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct observed *o = find(expansion, keys[i]);

		if (o)
			text = arena_printf(expansion->arena, "%s%s%s max %llu", text,
				*text ? ", " : "", keys[i], (unsigned long long)o->max);
	}
	return text;
}

/* No queue at all for a direction, on a device that has no other channels to make up for it. */
static bool leaves_none(const struct expansion *expansion, const char *key)
{
	if (strcmp(expr_text(expansion->arena, expansion->wish->value), "0") != 0)
		return false;
	if (strcmp(key, "combined") == 0)
		return !find(expansion, "rx") || !find(expansion, "tx");
	return strcmp(key, "other") != 0 && !find(expansion, "combined");
}

/* A link that is down gets new interrupts with the default CPUs, and those that it had can't be given
 * to them before it is up. */
static bool must_wait(const struct expansion *expansion, const struct setting *setting)
{
	const struct link *link = expansion->link;
	const struct observed *o = state_find(expansion->model, &setting->at);

	return !link->up && link->masked && o && !value_equal(&o->value, &setting->value) &&
	       (driver_find(link->driver)->flags & DRIVER_CHANNELS_IRQS);
}

static int expand_value(const struct expansion *expansion, const char *key, struct error *error)
{
	struct settings *settings = expansion->ret;
	struct address at = expansion_address(expansion, key);
	size_t n = settings->n;
	int r = ethparam_expand_key(expansion, key, error);

	if (r < 0 || settings->n == n || !must_wait(expansion, &settings->v[n]))
		return r;
	settings->n = n;
	return expansion_skip(expansion, &at, VERDICT_DEFERRED,
		"interface is down, and the CPUs chosen for its interrupts would be lost");
}

static int expand_key(const struct expansion *expansion, const char *key, struct error *error)
{
	struct address at = expansion_address(expansion, key);
	const char *maxima = maxima_text(expansion);

	if (!find(expansion, key) && *maxima)
		return expansion_skip(expansion, &at, VERDICT_UNSUPPORTED,
			"the device has no %s channels (%s)", key, maxima);
	if (find(expansion, key) && leaves_none(expansion, key))
		return error_set(error, ERROR_DATA, EINVAL,
			"%s = 0: would leave no queue to receive or none to transmit (%s)",
			address_text(expansion->arena, &at), maxima);
	return expand_value(expansion, key, error);
}

/* Channels for one direction only would come on top of the combined ones. */
static int expand_none(const struct expansion *expansion, const char *key)
{
	const struct observed *o = find(expansion, key);
	struct value none = value_number(expansion->arena, 0);

	if (!o || value_equal(&o->value, &none))
		return 0;
	return expansion_add(expansion, &o->at, &none);
}

static int expand_queues(const struct expansion *expansion, struct error *error)
{
	int r = 0;

	if (find(expansion, "combined")) {
		r = expand_key(expansion, "combined", error);
		if (r == 0)
			r = expand_none(expansion, "rx");
		return r == 0 ? expand_none(expansion, "tx") : r;
	}
	if (!find(expansion, "rx") && !find(expansion, "tx"))
		return expand_key(expansion, "queues", error);
	if (find(expansion, "rx"))
		r = expand_key(expansion, "rx", error);
	if (r == 0 && find(expansion, "tx"))
		r = expand_key(expansion, "tx", error);
	return r;
}

static bool stands_for(const char *word, const char *key)
{
	return strcmp(word, "queues") == 0 && strcmp(key, "other") != 0;
}

static int expand(const struct expansion *expansion, struct error *error)
{
	const char *key = expansion->wish->key;

	return strcmp(key, "queues") == 0 ? expand_queues(expansion, error)
					  : expand_key(expansion, key, error);
}

static struct value predict(const struct host *host, const struct setting *setting,
	const struct state *model, struct arena *arena)
{
	const struct driver *driver = driver_find(setting->at.target.link->driver);
	unsigned cpus = cpuset_count(&host->online);

	if (!(driver->flags & DRIVER_CHANNELS_CAPPED) || setting->value.number <= cpus || !cpus)
		return setting->value;
	return value_number(arena, cpus);
}

/* Receive queues as they would be after the refused step. */
static uint64_t queues_wanted(const struct change *v, size_t n, const struct state *live)
{
	static const char *const keys[] = {"rx", "combined"};
	uint64_t queues = 0;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct observed *o = state_get(
			live, &kind_channels, v->at.target.link, PART_WHOLE, 0, keys[i]);
		uint64_t count = o && o->value.type == VALUE_NUMBER ? o->value.number : 0;

		for (size_t j = 0; j < n; j++)
			if (strcmp(v[j].at.key, keys[i]) == 0)
				count = v[j].wanted.number;
		queues += count;
	}
	return queues;
}

/* The kernel refuses to take away a queue that a user's RSS table names. */
static bool unblock(const struct change *v, size_t n, int err, const struct state *live,
	struct arena *arena, struct setting *ret)
{
	const struct observed *indir = state_get(
		live, &kind_rss, v->at.target.link, PART_WHOLE, 0, "indir");
	struct rss_table table;

	if (err != EINVAL || !indir || rss_table_parse(arena, &indir->value, &table) < 0 ||
		rss_table_last(&table) < queues_wanted(v, n, live))
		return false;
	*ret = (struct setting){.at = indir->at, .value = value_word(arena, "default")};
	return true;
}

static struct remark remark(const struct host *host, const struct setting *setting, bool changes,
	const struct state *live, struct arena *arena)
{
	return xdp_remark(setting, changes, arena);
}

static int observe_masks(
	struct kernel *kernel, const struct host *host, struct link *link, struct error *error)
{
	int r = link->up ? 0 : kernel_link_is_masked(kernel, host, link, &link->masked);

	if (r < 0)
		return error_set(error, ERROR_FAILED, -r, "%s: its interrupts: %s", link->name,
			strerror(-r));
	return 0;
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	int r = ethparam_observe(&param, kernel, scope, ret, error);
	size_t first, n = state_range(ret, &kind_channels, scope->link, &first);

	if (r == 0 && n)
		r = observe_masks(kernel, host, scope->link, error);
	if (r < 0 || !(driver_find(scope->link->driver)->flags & DRIVER_CHANNELS_FIXED))
		return r;
	for (size_t i = first; i < first + n; i++) {
		ret->v[i].support = SUPPORT_FIXED;
		ret->v[i].note = "the driver has no way to change its channels";
	}
	return r;
}

static int write_channels(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	return ethparam_write(&param, kernel, v, n, error);
}

/* No rule to judge by: a count that is neither as wanted nor as predicted is refused. */
const struct kind kind_channels = {
	.name = "channels",
	.doc = "Numbers of queues of a network device",
	.phase = PHASE_CHANNELS,
	.fields = fields,
	.effects = effects,
	.stands_for = stands_for,
	.expand = expand,
	.project = channels_project,
	.predict = predict,
	.unblock = unblock,
	.remark = remark,
	.observe = observe,
	.write = write_channels,
};
