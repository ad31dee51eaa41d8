/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The largest packet of an interface: IFLA_MTU by rtnetlink. Changes reach over stacks: VLANs and
 * macvlans fall with the device below (net/8021q/vlan.c, drivers/net/macvlan.c), a bond sets its
 * members, a bridge follows its smallest port until its own MTU is set; below 1280 bytes IPv6
 * leaves the interface (net/ipv6/addrconf.c).
 */
#include "kernel/kernel.h"
#include "kinds/expansion.h"
#include "kinds/registry.h"
#include "kinds/sysctl.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { IPV6_MTU_MIN = 1280 };

static const struct field fields[] = {
	{
		.name = "mtu",
		.doc = "Largest packet in bytes, without the link-layer header",
		.type = VALUE_NUMBER,
		.unit = UNIT_BYTES,
		.flags = FIELD_SCALAR | FIELD_HAS_MAX,
	},
	{},
};

static const struct effect effects[] = {
	{.kind = "mtu", .keys = "mtu", .on = REACH_UPPERS},
	{.kind = "mtu", .keys = "mtu", .on = REACH_LOWERS},
	{.kind = "sysctl", .keys = SYSCTL_LINK_MTU, .on = REACH_SELF},
	{.kind = "sysctl", .keys = SYSCTL_LINK_MTU, .on = REACH_UPPERS},
	{.kind = "sysctl", .keys = SYSCTL_LINK_MTU, .on = REACH_LOWERS},
	{.kind = "rings", .on = REACH_SELF},
	{.kind = "rings", .on = REACH_LOWERS},
	{.kind = "irq-affinity", .on = REACH_SELF},
	{.kind = "irq-affinity", .on = REACH_LOWERS},
	{.kind = "pause", .on = REACH_SELF},
	{.kind = "pause", .on = REACH_LOWERS},
	{.kind = "rss", .on = REACH_SELF},
	{.kind = "rss", .on = REACH_LOWERS},
	{},
};

/* How a device of this type is tied to the one below it. */
enum tie {
	TIE_NONE,
	TIE_FALLS, /* it can't have more, and is lowered with it */
	TIE_SAME,  /* it always has the same */
	TIE_LESS   /* it has some bytes less */
};

static enum tie tie_of(const struct link *link)
{
	static const struct {
		const char *type;
		enum tie tie;
	} ties[] = {
		{.type = "ipvlan", .tie = TIE_SAME},
		{.type = "ipvtap", .tie = TIE_SAME},
		{.type = "macsec", .tie = TIE_LESS},
		{.type = "macvlan", .tie = TIE_FALLS},
		{.type = "macvtap", .tie = TIE_FALLS},
		{.type = "vlan", .tie = TIE_FALLS},
	};

	for (size_t i = 0; link->lower && i < ARRAY_SIZE(ties); i++) {
		if (strcmp(ties[i].type, link->type) == 0)
			return ties[i].tie;
	}
	return TIE_NONE;
}

static bool sets_its_ports(const struct link *link)
{
	return strcmp(link->type, "bond") == 0 || strcmp(link->type, "team") == 0;
}

/* What a change of one link's MTU makes of another's. */
enum fate {
	FATE_STAYS,
	FATE_SAME,   /* gets the same MTU */
	FATE_UNKNOWN /* may move */
};

static enum fate fate_of(const struct state *model, const struct link *moved, enum fate fate,
	uint64_t mtu, const struct link *other)
{
	enum tie tie = other->lower == moved->ifindex ? tie_of(other) : TIE_NONE;

	if (tie == TIE_SAME)
		return fate;
	if (tie == TIE_FALLS && (fate == FATE_UNKNOWN || model_mtu(model, other) > mtu))
		return fate;
	if (tie == TIE_LESS && (fate == FATE_UNKNOWN || model_mtu(model, other) >= mtu))
		return FATE_UNKNOWN;
	if (sets_its_ports(moved) && other->master == moved->ifindex)
		return fate;
	if (other->ifindex == moved->master && strcmp(other->type, "bridge") == 0)
		return FATE_UNKNOWN;
	return FATE_STAYS;
}

/* The fate of each link of the host, in their order; the changed link has FATE_SAME. NULL without
 * memory. */
static uint8_t *find_fates(const struct host *host, const struct state *model,
	const struct link *link, uint64_t mtu, struct arena *arena)
{
	uint8_t *fates = ARENA_ARRAY(arena, host->nlinks + 1, uint8_t);
	bool more = fates != NULL;

	for (size_t i = 0; fates && i < host->nlinks; i++)
		fates[i] = host->links[i] == link ? FATE_SAME : FATE_STAYS;
	while (more) {
		more = false;
		for (size_t i = 0; i < host->nlinks; i++) {
			for (size_t j = 0; fates[i] && j < host->nlinks; j++) {
				if (fates[j])
					continue;
				fates[j] = (uint8_t)fate_of(model, host->links[i],
					(enum fate)fates[i], mtu, host->links[j]);
				more |= fates[j] != FATE_STAYS;
			}
		}
	}
	return fates;
}

static int refuse(const struct expansion *expansion, struct error *error, const char *format, ...)
	PRINTF_LIKE(3, 4);

static int refuse(const struct expansion *expansion, struct error *error, const char *format, ...)
{
	struct address at = expansion_address(expansion, "mtu");
	const char *complaint;
	va_list args;

	va_start(args, format);
	complaint = arena_vprintf(expansion->arena, format, args);
	va_end(args);
	return error_set(error, ERROR_DATA, EINVAL, "%s = %s: %s",
		address_text(expansion->arena, &at),
		expr_text(expansion->arena, expansion->wish->value), complaint);
}

static int check_limits(const struct expansion *expansion, const struct observed *live,
	uint64_t mtu, struct error *error)
{
	const struct link *link = expansion->link;
	const struct link *lower = host_link(expansion->host, link->lower);
	uint64_t lower_mtu;

	if (live->max && (mtu < live->min || mtu > live->max))
		return refuse(expansion, error, "%s takes %" PRIu64 " to %" PRIu64, link->name,
			live->min, live->max);
	if (mtu < live->min || mtu > UINT32_MAX)
		return refuse(
			expansion, error, "%s takes %" PRIu64 " and more", link->name, live->min);
	if (!lower || tie_of(link) != TIE_FALLS)
		return 0;
	lower_mtu = model_mtu(expansion->model, lower);
	if (lower_mtu && mtu > lower_mtu)
		return refuse(expansion, error, "%s below it has %" PRIu64, lower->name, lower_mtu);
	return 0;
}

/* IPv6 would go, with its addresses, routes and settings, and raising the MTU again brings back only
 * a link-local address. */
static int check_ipv6(const struct expansion *expansion, uint64_t mtu, struct error *error)
{
	const struct host *host = expansion->host;
	const uint8_t *fates;

	if (mtu >= IPV6_MTU_MIN)
		return 0;
	fates = find_fates(host, expansion->model, expansion->link, mtu, expansion->arena);
	if (!fates)
		return error_no_memory(error);
	for (size_t i = 0; i < host->nlinks; i++) {
		if (fates[i] && state_get(expansion->model, &kind_sysctl, host->links[i],
					PART_WHOLE, 0, SYSCTL_LINK_MTU))
			return refuse(expansion, error,
				"IPv6 on %s would be removed (it needs %d bytes), and its "
				"addresses and settings can't be put back",
				host->links[i]->name, IPV6_MTU_MIN);
	}
	return 0;
}

static int expand(const struct expansion *expansion, struct error *error)
{
	struct address at = expansion_address(expansion, "mtu");
	const struct observed *live = state_find(expansion->model, &at);
	bool is_max = strcmp(expr_text(expansion->arena, expansion->wish->value), "max") == 0;
	struct value value;
	int r;

	if (!live)
		return expansion_skip(
			expansion, &at, VERDICT_GONE, "%s is gone", expansion->link->name);
	r = wish_value(expansion, &fields[0], is_max ? live : NULL, &value, error);
	if (r == 0)
		r = check_limits(expansion, live, value.number, error);
	if (r == 0)
		r = check_ipv6(expansion, value.number, error);
	return r < 0 ? r : expansion_add(expansion, &at, &value);
}

/* The entry of the model goes where its cause took it; it is not to be written again. */
static void move(struct observed *observed, const struct value *value)
{
	if (!observed || value_equal(&observed->value, value))
		return;
	observed->value = *value;
	observed->follows = true;
}

/* The kernel overwrites it with each new MTU: a smaller one that somebody had chosen is lost. */
static void move_ipv6_mtu(struct observed *observed, uint64_t old, const struct value *value)
{
	bool was_chosen;

	if (!observed)
		return;
	was_chosen = observed->value.type == VALUE_NUMBER && observed->value.number < old &&
		     value->type == VALUE_NUMBER && observed->value.number < value->number;
	move(observed, value);
	if (was_chosen)
		observed->follows = false;
}

static void project(const struct host *host, const struct change *change, struct state *model)
{
	const struct link *link = change->at.target.link;
	const struct value none = value_none();
	const uint8_t *fates = find_fates(host, model, link, change->after.number, model->arena);

	for (size_t i = 0; fates && i < host->nlinks; i++) {
		const struct link *moved = host->links[i];
		const struct value *value = fates[i] == FATE_SAME ? &change->after : &none;
		uint64_t old = moved == link ? change->before.number : model_mtu(model, moved);

		if (!fates[i])
			continue;
		if (moved != link)
			move(state_get(model, &kind_mtu, moved, PART_WHOLE, 0, "mtu"), value);
		move_ipv6_mtu(state_get(model, &kind_sysctl, moved, PART_WHOLE, 0, SYSCTL_LINK_MTU),
			old, value);
	}
	model_reset(model, link);
}

/* A smaller MTU leaves an XDP program more room, not less. That a bridge was set no file shows, and
 * nothing takes back (br_change_mtu()). */
static struct remark remark(const struct host *host, const struct setting *setting, bool changes,
	const struct state *live, struct arena *arena)
{
	if (changes && strcmp(setting->at.target.link->type, "bridge") == 0)
		return (struct remark){
			.id = "bridge-stops-following",
			.text = "is from then on the bridge's own, which follows its ports no "
				"more, also not after a rollback",
			.severity = SEVERITY_WARNING,
		};
	return xdp_remark(
		setting, changes && setting->value.number > setting->at.target.link->mtu, arena);
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	struct link *link = scope->link;
	int r = link->ifindex ? kernel_link_refresh(kernel, link, error) : -ENODEV;
	struct observed observed = {
		.at = {.kind = &kind_mtu, .target.link = link, .key = "mtu"},
		.value = value_number(ret->arena, link->mtu),
		.support = SUPPORT_SETTABLE,
		.min = link->mtu_min,
		.max = link->mtu_max,
	};

	if (r < 0)
		return r == -ENODEV ? 0 : r;
	if (state_put(ret, &observed) < 0)
		return error_no_memory(error);
	return 0;
}

static int write_step(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	for (size_t i = 0; i < n; i++) {
		int r = kernel_link_set_mtu(
			kernel, v[i]->at.target.link, (uint32_t)v[i]->wanted.number, error);

		if (r < 0)
			return r;
	}
	return 0;
}

/* No rule to judge by: the kernel takes an MTU as it is, or not at all. */
const struct kind kind_mtu = {
	.name = "mtu",
	.doc = "Largest packet of an interface",
	.phase = PHASE_MTU,
	.fields = fields,
	.effects = effects,
	.expand = expand,
	.project = project,
	.remark = remark,
	.observe = observe,
	.write = write_step,
};
