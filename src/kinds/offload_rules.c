/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of the rules. What a driver adds in its ndo_fix_features is its own secret, and so are
 * the features that depend on tx-gso-partial.
 */
#include "kinds/offload_rules.h"

#include "util/macros.h"

#include <string.h>

static const struct rule {
	const char *bit;
	const char *needs[3]; /* one of these */
	const char *excluded_by;
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

const char *offload_held_by(
	const char *bit, bit_lookup *lookup, const void *data, bool *ret_excludes)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const char *by;

		if (strcmp(rules[i].bit, bit) != 0)
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
