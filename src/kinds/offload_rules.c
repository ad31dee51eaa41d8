/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of the rules. Of what drivers add in their ndo_fix_features, only some is known; what
 * depends on tx-gso-partial is each device's own secret.
 */
#include "kinds/offload_rules.h"

#include "util/macros.h"

#include <string.h>

/* One setting of the hardware for both directions. */
static const char *const one_vlan_switch[] = {"e1000e", "igb", "igc", NULL};
static const char *const lro_by_checksum[] = {"ixgbe", "vmxnet3", NULL};

static const struct rule {
	const char *bit;
	const char *needs[3]; /* one of these */
	const char *excluded_by;
	const char *const *drivers; /* NULL: all */
} rules[] = {
	{.bit = "tx-checksum-ipv4", .excluded_by = "tx-checksum-ip-generic"},
	{.bit = "tx-checksum-ipv6", .excluded_by = "tx-checksum-ip-generic"},
	/* not tx-tcp-accecn-segmentation (Linux 6.18) */
	{.bit = "tx-tcp-segmentation", .needs = {"tx-scatter-gather"}},
	{.bit = "tx-tcp6-segmentation", .needs = {"tx-scatter-gather"}},
	{.bit = "tx-tcp-ecn-segmentation", .needs = {"tx-scatter-gather"}},
	{.bit = "tx-tcp-mangleid-segmentation", .needs = {"tx-scatter-gather"}},
	{
		.bit = "tx-tcp-segmentation",
		.needs = {"tx-checksum-ip-generic", "tx-checksum-ipv4"},
	},
	{
		.bit = "tx-tcp6-segmentation",
		.needs = {"tx-checksum-ip-generic", "tx-checksum-ipv6"},
	},
	{.bit = "tx-tcp-mangleid-segmentation", .needs = {"tx-tcp-segmentation"}},
	{
		.bit = "tx-tcp-ecn-segmentation",
		.needs = {"tx-tcp-segmentation", "tx-tcp6-segmentation"},
	},
	{
		.bit = "tx-udp-segmentation",
		.needs = {"tx-checksum-ip-generic", "tx-checksum-ipv4"},
	},
	{.bit = "tx-generic-segmentation", .needs = {"tx-scatter-gather"}},
	{
		.bit = "tls-hw-tx-offload",
		.needs = {"tx-checksum-ip-generic", "tx-checksum-ipv4"},
	},
	{.bit = "tls-hw-rx-offload", .needs = {"rx-checksum"}},
	{.bit = "rx-gro-hw", .needs = {"rx-checksum"}},
	{.bit = "rx-gro-hw", .excluded_by = "rx-fcs"},
	{.bit = "rx-lro", .excluded_by = "rx-fcs"},
	{.bit = "rx-lro", .excluded_by = "rx-gro-hw"},
	{.bit = "rx-lro", .needs = {"rx-checksum"}, .drivers = lro_by_checksum},
	{.bit = "tx-vlan-hw-insert", .needs = {"rx-vlan-hw-parse"}, .drivers = one_vlan_switch},
};

/* All that would do are off (or not there): the first of them that is. */
static const char *missing(const struct rule *rule, bit_lookup *lookup, const void *data)
{
	const char *off = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(rule->needs) && rule->needs[i]; i++) {
		enum bit_state state = lookup(data, rule->needs[i]);

		if (state != BIT_OFF)
			return NULL;
		off = off ? off : rule->needs[i];
	}
	return off;
}

static bool holds_for(const struct rule *rule, const char *driver)
{
	for (const char *const *d = rule->drivers; d && *d; d++) {
		if (driver && strcmp(*d, driver) == 0)
			return true;
	}
	return !rule->drivers;
}

const char *offload_held_by(const char *driver, const char *bit, bit_lookup *lookup,
	const void *data, bool *ret_excludes)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const char *by;

		if (strcmp(rules[i].bit, bit) != 0 || !holds_for(&rules[i], driver))
			continue;
		by = missing(&rules[i], lookup, data);
		*ret_excludes = !by;
		if (by)
			return by;
		if (rules[i].excluded_by && lookup(data, rules[i].excluded_by) == BIT_ON)
			return rules[i].excluded_by;
	}
	return NULL;
}

bool offload_depends_on(const char *bit, const char *other)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (strcmp(rules[i].bit, bit) != 0)
			continue;
		for (size_t j = 0; j < ARRAY_SIZE(rules[i].needs) && rules[i].needs[j]; j++)
			if (strcmp(rules[i].needs[j], other) == 0)
				return true;
		if (rules[i].excluded_by && strcmp(rules[i].excluded_by, other) == 0)
			return true;
	}
	return false;
}
