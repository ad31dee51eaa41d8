/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Offloads, that is, features of network devices: ETHTOOL_MSG_FEATURES_GET and _SET
 * (net/ethtool/features.c), else ETHTOOL_GFEATURES. A feature has two bits: what is wanted, which
 * is set and put back, and what is active, which is what the core and the driver make of it.
 */
#include "kernel/ethtool.h"
#include "kinds/bits.h"
#include "kinds/expansion.h"
#include "kinds/lro.h"
#include "kinds/offload_names.h"
#include "kinds/offload_rules.h"
#include "kinds/registry.h"

#include <errno.h>
#include <string.h>

#define ALIAS_FIELD(short_name, long_name, pattern, line) \
	{                                                 \
		.name = short_name,                       \
		.doc = line,                              \
		.type = VALUE_BOOL,                       \
		.flags = FIELD_PROFILE_ONLY,              \
	},

static const struct field fields[] = {
	OFFLOAD_ALIASES(ALIAS_FIELD){
		.name = "FEATURE",
		.doc = "one feature by its name in the kernel, as tx-udp-segmentation",
		.type = VALUE_BOOL,
		.flags = FIELD_OPEN,
	},
	{},
};

static const struct effect effects[] = {
	{.kind = "offloads", .on = REACH_SELF},
	{.key = "rx-lro", .kind = "offloads", .keys = "rx-lro", .on = REACH_LOWERS},
	{.kind = "irq-affinity", .on = REACH_SELF},
	{.kind = "pause", .on = REACH_SELF},
	{.kind = "rss", .on = REACH_SELF},
	{},
};

static const char *canonical(struct arena *arena, const char *key, struct error *error)
{
	const struct offload_alias *alias = offload_alias_find(key);
	const char *nearest;

	if (alias)
		return offload_alias_bit(alias) ? offload_alias_bit(alias) : alias->name;
	if (offload_is_bit(key) || offload_may_be_bit(key))
		return arena_strdup(arena, key);
	nearest = offload_nearest(key);
	error_set(error, ERROR_DATA, EINVAL, "offloads.%s: no such feature%s%s%s", key,
		nearest ? ", did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
	return NULL;
}

/* What one list of wishes says of the bits that are known by name. */
struct said {
	enum bit_state state[OFFLOAD_BITS_MAX];
	size_t by[OFFLOAD_BITS_MAX]; /* index of the wish */
};

static size_t index_of(const char *bit)
{
	size_t i = 0;

	while (offload_bits[i] && strcmp(offload_bits[i], bit) != 0)
		i++;
	return i;
}

static enum bit_state said_of(const void *data, const char *bit)
{
	const struct said *said = data;

	return said->state[index_of(bit)];
}

static bool stands_for(const char *word, const char *bit)
{
	const struct offload_alias *alias = offload_alias_find(word);

	return alias && offload_alias_has(alias, bit);
}

static bool means(const struct wish *wish, const char *bit)
{
	return strcmp(wish->key, bit) == 0 || stands_for(wish->key, bit);
}

static int wish_bool(const struct wish *wish)
{
	switch (wish->value->op) {
	case EXPR_LITERAL:
		return text_bool(wish->value->value.text);
	case EXPR_WORD:
		return text_bool(wish->value->name);
	case EXPR_LIST:
		break;
	}
	return -1;
}

/* Takes down what wish i says. A single bit may be taken out of a group, but only after it. */
static int said_add(struct said *said, const struct wish *v, size_t i, struct error *error)
{
	bool is_group = offload_alias_find(v[i].key);
	int on = wish_bool(&v[i]);

	for (size_t bit = 0; on >= 0 && offload_bits[bit]; bit++) {
		enum bit_state state = on ? BIT_ON : BIT_OFF;

		if (!means(&v[i], offload_bits[bit]))
			continue;
		if (is_group && said->state[bit] != BIT_UNKNOWN && said->state[bit] != state)
			return error_set(error, ERROR_DATA, EINVAL,
				"offloads.%s covers %s, which has another value before it; write %s"
				" after it",
				v[i].key, v[said->by[bit]].key, v[said->by[bit]].key);
		said->state[bit] = state;
		said->by[bit] = i;
	}
	return 0;
}

/* The bit that wish i turns on; of a group the one that it is named after: the shortest. */
static const char *said_on(const struct said *said, size_t i)
{
	const char *on = NULL;

	for (size_t bit = 0; offload_bits[bit]; bit++) {
		if (said->state[bit] == BIT_ON && said->by[bit] == i &&
			(!on || strlen(offload_bits[bit]) < strlen(on)))
			on = offload_bits[bit];
	}
	return on;
}

/* What wish i turns on can't come on by what the other wishes say. */
static int said_check(const struct said *said, const struct wish *v, size_t i, struct error *error)
{
	const char *on = said_on(said, i), *by;
	bool excludes = false;

	by = on ? offload_held_by(NULL, on, said_of, said, &excludes) : NULL;
	if (!by || said->by[index_of(by)] == i)
		return 0;
	return error_set(error, ERROR_DATA, EINVAL,
		"offloads.%s: on contradicts offloads.%s: %s, since %s %s %s", v[i].key,
		v[said->by[index_of(by)]].key, excludes ? "on" : "off", on,
		excludes ? "can't be on together with" : "needs", by);
}

static int check_all(const struct wish *v, size_t n, size_t *ret_at, struct error *error)
{
	struct said said = {.state = {BIT_UNKNOWN}};

	for (*ret_at = 0; *ret_at < n; ++*ret_at)
		if (said_add(&said, v, *ret_at, error) < 0)
			return -EINVAL;
	for (*ret_at = 0; *ret_at < n; ++*ret_at)
		if (said_check(&said, v, *ret_at, error) < 0)
			return -EINVAL;
	return 0;
}

/* Neither this kernel nor the table has it, or only the table. */
static int expand_unknown(const struct expansion *expansion, struct error *error)
{
	const char *key = expansion->wish->key, *nearest = offload_nearest(key);
	struct address at = expansion_address(expansion, key);
	size_t first;

	if (!state_range(expansion->model, &kind_offloads, expansion->link, &first))
		return expansion_skip(expansion, &at, VERDICT_UNSUPPORTED,
			"the device does not tell its features");
	if (offload_alias_find(key) || offload_is_bit(key))
		return expansion_skip(
			expansion, &at, VERDICT_UNSUPPORTED, "this kernel has no feature %s", key);
	return error_set(error, ERROR_DATA, EINVAL, "%s: this kernel has no such feature%s%s%s",
		address_text(expansion->arena, &at), nearest ? ", did you mean " : "",
		nearest ? nearest : "", nearest ? "?" : "");
}

/* Nothing to change, so it may be as wished all the same. */
static int expand_fixed(const struct expansion *expansion, const struct value *value)
{
	struct address at = expansion_address(expansion, expansion->wish->key);
	const struct state *model = expansion->model;
	size_t first, n = state_range(model, &kind_offloads, expansion->link, &first);
	bool on = false;

	for (size_t i = first; i < first + n; i++)
		on |= means(expansion->wish, model->v[i].at.key) && model->v[i].value.number;
	if (on != value->number)
		return expansion_skip(
			expansion, &at, VERDICT_UNSUPPORTED, "fixed %s", on ? "on" : "off");
	for (size_t i = first; i < first + n; i++) {
		const struct observed *o = &model->v[i];

		if (means(expansion->wish, o->at.key) && value_equal(&o->value, value) &&
			expansion_add(expansion, &o->at, value) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* A group means its changeable bits; if it has none, the state that it shows. */
static int expand(const struct expansion *expansion, struct error *error)
{
	const struct state *model = expansion->model;
	size_t first, n = state_range(model, &kind_offloads, expansion->link, &first);
	size_t found = 0, changeable = 0;
	struct value value;
	int r = wish_value(
		expansion, kind_field(&kind_offloads, expansion->wish->key), NULL, &value, error);

	if (r < 0)
		return r;
	for (size_t i = first; i < first + n; i++) {
		const struct observed *o = &model->v[i];

		if (!means(expansion->wish, o->at.key))
			continue;
		found++;
		if (o->support != SUPPORT_SETTABLE)
			continue;
		changeable++;
		if (expansion_add(expansion, &o->at, &value) < 0)
			return -ENOMEM;
	}
	if (!found)
		return expand_unknown(expansion, error);
	return changeable ? 0 : expand_fixed(expansion, &value);
}

/* The features of one link in a state. */
struct features_of {
	const struct state *state;
	const struct link *link;
};

static enum bit_state state_of(const void *data, const char *bit)
{
	const struct features_of *of = data;
	const struct observed *o = state_get(
		of->state, &kind_offloads, of->link, PART_WHOLE, 0, bit);

	return o && o->active.number ? BIT_ON : BIT_OFF;
}

/* Why the active bit is not what is wanted; NULL if it is. */
static const char *holder(const struct features_of *of, const struct observed *o)
{
	bool excludes;
	const char *by;

	if (o->support != SUPPORT_SETTABLE || value_equal(&o->value, &o->active))
		return NULL;
	if (o->active.number)
		return "kept on by the driver";
	by = offload_held_by(of->link->driver, o->at.key, state_of, of, &excludes);
	if (!by)
		return "kept off by the driver, or by a device above";
	return arena_printf(of->state->arena, "%s %s", excludes ? "excluded by" : "needs", by);
}

/* Bits that wait for this one come on with it. */
static void release(const struct features_of *of, const char *bit, unsigned depth)
{
	size_t first, n = state_range(of->state, &kind_offloads, of->link, &first);
	bool excludes;

	for (size_t i = first; i < first + n; i++) {
		struct observed *o = &of->state->v[i];

		if (!o->value.number || o->active.number || o->support != SUPPORT_SETTABLE ||
			!offload_depends_on(o->at.key, bit) ||
			offload_held_by(of->link->driver, o->at.key, state_of, of, &excludes))
			continue;
		o->active = value_bool(true);
		o->note = NULL;
		if (depth)
			release(of, o->at.key, depth - 1);
	}
}

/* Bits that lost what they need go off; they stay wanted. Returns how many. */
static size_t hold(const struct features_of *of)
{
	size_t first, n = state_range(of->state, &kind_offloads, of->link, &first), held = 0;
	bool excludes;

	for (size_t i = first; i < first + n; i++) {
		struct observed *o = &of->state->v[i];

		if (!o->active.number || o->support != SUPPORT_SETTABLE ||
			!offload_held_by(of->link->driver, o->at.key, state_of, of, &excludes))
			continue;
		o->active = value_bool(false);
		o->note = holder(of, o);
		held++;
	}
	return held;
}

static bool resets(const struct driver *driver, const char *feature)
{
	for (const char *const *p = driver->resetting_offloads; p && *p; p++)
		if (strcmp(*p, feature) == 0)
			return true;
	return false;
}

static enum interrupts interrupts(const struct link *link, const struct change *change)
{
	const struct driver *driver = driver_find(link->driver);

	if (resets(driver, change->at.key))
		return INTERRUPTS_LINK;
	if (offload_is_software(change->at.key))
		return INTERRUPTS_NONE;
	return (enum interrupts)driver->interrupts[PHASE_OFFLOADS];
}

static void project(const struct host *host, const struct change *change, struct state *model)
{
	enum { CHAIN_MAX = 4 /* checksums, TSO, mangled IDs */ };
	const struct link *link = change->at.target.link;
	const struct features_of of = {.state = model, .link = link};

	if (strcmp(change->at.key, "rx-lro") == 0 && !change->after.number)
		lro_switch_off(host, link, model);
	while (hold(&of))
		;
	release(&of, change->at.key, CHAIN_MAX);
	if (interrupts(link, change) == INTERRUPTS_LINK)
		model_reset(model, link);
}

static int observe_bit(
	const struct features *features, size_t i, const struct link *link, struct state *ret)
{
	bool settable = features->changeable[i] && !features->nochange[i];
	struct value active = value_bool(features->active[i]);

	return state_put(ret, &(struct observed){
				      .at = {.kind = &kind_offloads,
					      .target = {.link = link},
					      .key = features->names[i]},
				      /* The kernel keeps no wish for bits that it can't change. */
				      .value = settable ? value_bool(features->wanted[i]) : active,
				      .active = active,
				      .support = settable ? SUPPORT_SETTABLE : SUPPORT_FIXED,
				      .note = settable              ? NULL
					      : features->active[i] ? "fixed on"
								    : "fixed off",
			      });
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	const struct features_of of = {.state = ret, .link = scope->link};
	struct features features;
	size_t first, n;
	int r = ethtool_features_get(kernel, scope->link, &features, error);

	if (r < 0)
		return r == -EOPNOTSUPP ? 0 : r;
	for (size_t i = 0; r == 0 && i < features.n; i++)
		if (features.names[i] && *features.names[i])
			r = observe_bit(&features, i, scope->link, ret);
	if (r < 0)
		return error_set(error, ERROR_FAILED, ENOMEM, "%s/offloads: out of memory",
			scope->link->name);
	n = state_range(ret, &kind_offloads, scope->link, &first);
	for (size_t i = first; i < first + n; i++)
		if (!ret->v[i].note)
			ret->v[i].note = holder(&of, &ret->v[i]);
	return 0;
}

static int write_offloads(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	return bits_write(kernel, v, n, ethtool_features_set, error);
}

/* No rule to judge by: a bit is as wanted, or it is not; what holds it is told by its active bit. */
const struct kind kind_offloads = {
	.name = "offloads",
	.doc = "Offloads (features) of a network device",
	.phase = PHASE_OFFLOADS,
	.fields = fields,
	.effects = effects,
	.canonical = canonical,
	.stands_for = stands_for,
	.check_all = check_all,
	.expand = expand,
	.project = project,
	.interrupts = interrupts,
	.observe = observe,
	.write = write_offloads,
};
