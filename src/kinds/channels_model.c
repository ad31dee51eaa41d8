/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model after a change of channels. The core frees the maps of vanished queues and makes those
 * of new ones (net/core/net-sysfs.c); drivers re-create vectors, rewrite masks and spread the RSS
 * table, each as the driver table says.
 */
#include "kinds/channels_model.h"

#include "kinds/coalesce.h"
#include "kinds/expansion.h"
#include "kinds/pause.h"
#include "kinds/registry.h"
#include "kinds/rss.h"

#include <string.h>

enum { KEYS_MAX = 4 /* settings of one queue in any kind */ };

static unsigned count_of(const struct state *model, const struct link *link, const char *key)
{
	const struct observed *o = state_get(model, &kind_channels, link, PART_WHOLE, 0, key);

	return o && o->value.type == VALUE_NUMBER ? (unsigned)o->value.number : 0;
}

struct queues queues_of_model(const struct state *model, const struct link *link)
{
	unsigned combined = count_of(model, link, "combined");

	return (struct queues){
		.rx = count_of(model, link, "rx") + combined,
		.tx = count_of(model, link, "tx") + combined,
		.combined = combined,
	};
}

/* Settings of one queue or vector as a pattern for those of another. */
struct pattern {
	struct observed v[KEYS_MAX];
	size_t n;
};

/* The settings of the first queue or vector of this part. */
static struct pattern pattern_find(
	const struct state *model, const struct kind *kind, const struct link *link, enum part part)
{
	size_t first, n = state_range(model, kind, link, &first);
	struct pattern pattern = {.n = 0};

	for (size_t i = first; i < first + n && pattern.n < KEYS_MAX; i++) {
		const struct observed *o = &model->v[i];

		if (o->at.target.part != part)
			continue;
		if (pattern.n && o->at.target.index != pattern.v[0].at.target.index)
			break;
		pattern.v[pattern.n++] = *o;
	}
	return pattern;
}

/* Sets up a new queue or vector, unless there is one already. */
static void pattern_put(const struct pattern *pattern, enum part part, unsigned index,
	struct value (*fresh)(const struct state *model, const struct observed *at),
	struct state *model)
{
	for (size_t i = 0; i < pattern->n; i++) {
		struct observed o = pattern->v[i];

		o.at.target.part = part;
		o.at.target.index = (uint16_t)index;
		o.handle = 0;
		o.follows = false;
		if (state_find(model, &o.at))
			continue;
		o.value = fresh(model, &o);
		/* Out of memory is remembered by the arena. */
		if (state_put(model, &o) < 0)
			return;
	}
}

/* Vanished queues lose their settings, new ones get them. */
static void resize_queues(struct state *model, const struct kind *kind, const struct target *queue,
	unsigned count, struct value (*fresh)(const struct state *model, const struct observed *at))
{
	struct pattern pattern = pattern_find(model, kind, queue->link, queue->part);
	size_t first, n = state_range(model, kind, queue->link, &first);

	for (size_t i = first + n; i-- > first;) {
		struct address at = model->v[i].at;

		if (at.target.part == queue->part && at.target.index >= count)
			state_remove(model, &at);
	}
	for (unsigned index = 0; index < count; index++)
		pattern_put(&pattern, queue->part, index, fresh, model);
}

static struct value unknown(const struct state *model, const struct observed *at)
{
	return value_none();
}

static struct value no_queues(const struct state *model, const struct observed *at)
{
	struct cpuset none;

	cpuset_clear(&none);
	return value_ranges(model->arena, &none);
}

/* New receive queues start with net.core.rps_default_mask (Linux 6.3) and without flows. */
static struct value rps_default(const struct state *model, const struct observed *at)
{
	const struct observed *mask = state_get(
		model, &kind_sysctl, NULL, PART_WHOLE, 0, "net.core.rps_default_mask");
	struct cpuset cpus;

	if (strcmp(at->at.key, "flows") == 0)
		return value_number(model->arena, 0);
	if (!mask || mask->value.type == VALUE_NONE)
		return no_queues(model, at);
	if (mask->value.type == VALUE_RANGES)
		return mask->value;
	return cpuset_parse_mask(mask->value.text, &cpus) == 0 ? value_ranges(model->arena, &cpus)
							       : value_none();
}

/* Drivers map CPUs; no driver maps receive queues. */
static struct value xps_by_driver(const struct state *model, const struct observed *at)
{
	return strcmp(at->at.key, "cpus") == 0 ? unknown(model, at) : no_queues(model, at);
}

static void project_xps(
	struct state *model, const struct link *link, const struct driver *driver, unsigned queues)
{
	const struct target queue = {.link = link, .part = PART_TX};
	bool rewrites = driver->flags & DRIVER_CHANNELS_XPS;
	size_t first, n;

	resize_queues(model, &kind_xps, &queue, queues,
		rewrites || !driver_is_known(driver) ? xps_by_driver : no_queues);
	n = state_range(model, &kind_xps, link, &first);
	for (size_t i = first; i < first + n && rewrites; i++) {
		if (strcmp(model->v[i].at.key, "cpus") == 0)
			model->v[i].value = value_none();
	}
}

static bool is_data_part(enum part part)
{
	return part == PART_RX || part == PART_TX || part == PART_RXTX;
}

/* One vector for both directions of a channel, or one for each. */
static bool will_be_paired(const struct driver *driver, const struct state *model,
	const struct link *link, const struct queues *queues)
{
	const struct observed *combined = state_get(
		model, &kind_channels, link, PART_WHOLE, 0, "combined");

	switch (driver->vectors) {
	case VECTORS_PAIRED:
		return true;
	case VECTORS_SEPARATE:
		return false;
	case VECTORS_SEPARATE_TO_HALF:
		return combined && 2 * (uint64_t)queues->combined > combined->max;
	case VECTORS_UNKNOWN:
	case VECTORS_FIXED:
		break;
	}
	return pattern_find(model, &kind_irq_affinity, link, PART_RXTX).n > 0;
}

/* Channels for one direction only have a vector of that direction in either case. */
static void resize_vectors(
	struct state *model, const struct link *link, const struct queues *queues, bool paired)
{
	unsigned both = paired ? queues->combined : 0;
	const struct {
		enum part part;
		unsigned from, to;
	} wanted[] = {
		{PART_RX, both, queues->rx},
		{PART_TX, both, queues->tx},
		{PART_RXTX, 0, both},
	};
	struct pattern pattern = {.n = 0};
	size_t first, n = state_range(model, &kind_irq_affinity, link, &first);

	for (size_t i = 0; i < ARRAY_SIZE(wanted) && !pattern.n; i++)
		pattern = pattern_find(model, &kind_irq_affinity, link, wanted[i].part);
	for (size_t i = first + n; i-- > first && pattern.n;) {
		struct address at = model->v[i].at;
		bool stays = !is_data_part(at.target.part);

		for (size_t j = 0; j < ARRAY_SIZE(wanted) && !stays; j++)
			stays = at.target.part == wanted[j].part &&
				at.target.index >= wanted[j].from && at.target.index < wanted[j].to;
		if (!stays)
			state_remove(model, &at);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		for (unsigned index = wanted[i].from; index < wanted[i].to; index++)
			pattern_put(&pattern, wanted[i].part, index, unknown, model);
	}
}

static void project_vectors(struct state *model, const struct link *link,
	const struct driver *driver, const struct queues *queues)
{
	bool paired = will_be_paired(driver, model, link, queues);

	if (driver->vectors != VECTORS_FIXED)
		resize_vectors(model, link, queues, paired);
	if (driver->flags & DRIVER_PAIRED_COALESCE)
		coalesce_set_paired(model, link, paired);
	if (driver->flags & DRIVER_CHANNELS_IRQS)
		model_forget(model, &kind_irq_affinity, link);
}

/* Receive queues before the change, as far as this change tells. */
static unsigned queues_before(const struct change *change, const struct queues *now)
{
	bool receives = strcmp(change->at.key, "rx") == 0 ||
			strcmp(change->at.key, "combined") == 0;

	if (!receives || change->before.type != VALUE_NUMBER)
		return now->rx;
	return now->rx - (unsigned)change->after.number + (unsigned)change->before.number;
}

/*
 * A table that nobody set follows the queues. A user's stays, is wiped by some drivers (and then
 * carried), or is in the way: it names a queue that goes, and is lost.
 */
static void project_table(struct state *model, const struct change *change,
	const struct driver *driver, const struct queues *queues)
{
	const struct link *link = change->at.target.link;
	struct observed *indir = state_get(model, &kind_rss, link, PART_WHOLE, 0, "indir");
	struct rss_table table;
	unsigned before = queues_before(change, queues);
	bool is_wiped = driver->flags & DRIVER_CHANNELS_RSS;

	if (!indir || rss_table_parse(model->arena, &indir->value, &table) < 0)
		return;
	if (rss_table_is_default(&table, before)) {
		if (before == queues->rx)
			return;
		rss_table_respread(&table, before, queues->rx);
		indir->value = rss_table_value(model->arena, &table);
		indir->follows = true;
		return;
	}
	/* made anew when a link that is down comes up: then is the time to put it back */
	if (rss_table_last(&table) >= queues->rx || (is_wiped && !link->up))
		indir->follows = true;
	else if (!is_wiped)
		return;
	indir->value = value_none();
}

static void project_rss(struct state *model, const struct change *change,
	const struct driver *driver, const struct queues *queues)
{
	struct observed *key;

	project_table(model, change, driver, queues);
	key = state_get(model, &kind_rss, change->at.target.link, PART_WHOLE, 0, "key");
	if (key && (driver->flags & DRIVER_CHANNELS_RSS))
		key->value = value_none();
}

void channels_project(const struct host *host, const struct change *change, struct state *model)
{
	const struct link *link = change->at.target.link;
	const struct driver *driver = driver_find(link->driver);
	const struct queues queues = queues_of_model(model, link);
	const struct target rx = {.link = link, .part = PART_RX};

	/* No counts, as of a device that has gone: they would empty the model. */
	if (!queues.rx || !queues.tx)
		return;
	resize_queues(model, &kind_rps, &rx, queues.rx, rps_default);
	project_xps(model, link, driver, queues.tx);
	project_vectors(model, link, driver, &queues);
	project_rss(model, change, driver, &queues);
	pause_forget(model, link);
	if (driver->flags & DRIVER_CHANNELS_COALESCE)
		model_forget(model, &kind_coalesce, link);
}
