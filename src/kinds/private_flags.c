/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private flags: switches of one driver, by the names that it gives them. What they do is known to
 * the driver alone; many rebuild the device, so they come before everything else.
 */
#include "kernel/ethtool.h"
#include "kinds/bits.h"
#include "kinds/expansion.h"
#include "kinds/registry.h"

#include <errno.h>
#include <string.h>

static const struct field fields[] = {
	{
		.name = "FLAG",
		.doc = "one flag by the driver's name for it, as legacy-rx",
		.type = VALUE_BOOL,
		.flags = FIELD_OPEN,
	},
	{},
};

static const struct effect effects[] = {
	{.kind = "private-flags", .on = REACH_SELF},
	{.kind = "channels", .on = REACH_SELF},
	{.kind = "rings", .on = REACH_SELF},
	{.kind = "offloads", .on = REACH_SELF},
	{.kind = "coalesce", .on = REACH_SELF},
	{.kind = "pause", .on = REACH_SELF},
	{.kind = "rss", .on = REACH_SELF},
	{.kind = "irq-affinity", .on = REACH_SELF},
	{.kind = "xps", .on = REACH_SELF},
	{.kind = "rps", .on = REACH_SELF},
	{},
};

static const char *canonical(struct arena *arena, const char *key, struct error *error)
{
	if (*key && strlen(key) < ETH_GSTRING_LEN)
		return arena_strdup(arena, key);
	error_set(error, ERROR_DATA, EINVAL, "private-flags.%s: a flag has 1 to %d characters", key,
		ETH_GSTRING_LEN - 1);
	return NULL;
}

/* Another driver has other flags, so one that is missing is no mistake. */
static int skip_absent(const struct expansion *expansion, const struct address *at)
{
	size_t first;

	if (state_range(expansion->model, &kind_private_flags, expansion->link, &first))
		return expansion_skip(expansion, at, VERDICT_UNSUPPORTED,
			"the driver has no flag %s", expansion->wish->key);
	return expansion_skip(
		expansion, at, VERDICT_UNSUPPORTED, "the driver has no private flags");
}

static int expand(const struct expansion *expansion, struct error *error)
{
	struct address at = expansion_address(expansion, expansion->wish->key);
	const struct observed *live = state_find(expansion->model, &at);
	struct value value;
	int r;

	if (!live)
		return skip_absent(expansion, &at);
	r = wish_value(expansion, &fields[0], live, &value, error);
	return r < 0 ? r : expansion_add(expansion, &at, &value);
}

static void project(const struct host *host, const struct change *change, struct state *model)
{
	model_reset(model, change->at.target.link);
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	struct private_flags flags;
	int r = ethtool_private_flags_get(kernel, scope->link, &flags, error);

	if (r < 0)
		return r == -EOPNOTSUPP ? 0 : r;
	for (size_t i = 0; i < flags.n; i++) {
		const struct observed o = {
			.at = {.kind = &kind_private_flags,
				.target = {.link = scope->link},
				.key = flags.names[i]},
			.value = value_bool(flags.on[i]),
			.support = SUPPORT_SETTABLE,
		};

		if (*flags.names[i] && state_put(ret, &o) < 0)
			return error_no_memory(error);
	}
	return 0;
}

static int write_flags(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	return bits_write(kernel, v, n, ethtool_private_flags_set, error);
}

const struct kind kind_private_flags = {
	.name = "private-flags",
	.doc = "Private flags of the driver of a network device",
	.phase = PHASE_PRIVATE_FLAGS,
	.fields = fields,
	.effects = effects,
	.canonical = canonical,
	.expand = expand,
	.project = project,
	.observe = observe,
	.write = write_flags,
};
