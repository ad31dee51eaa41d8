/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of single sysctl keys, and looking things up in them.
 */
#include "kinds/sysctl_keys.h"

#include "core/plan.h"
#include "util/macros.h"
#include "util/numbers.h"

#include <string.h>

#define READ_ONLY "the kernel never lets it be written"
#define ACTION    "it is an action, not a setting: it has no value to verify or to put back"

/* Alphabetical. The first row that matches counts; no key matches two. */
static const struct sysctl_key keys[] = {
	{.pattern = "net.*.conf.*.mc_forwarding", .refused = READ_ONLY},
	{.pattern = "net.*.neigh.*.anycast_delay",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_TICKS},
	{.pattern = "net.*.neigh.*.base_reachable_time_ms",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_JIFFIES},
	{.pattern = "net.*.neigh.*.interval_probe_time_ms",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_JIFFIES},
	{.pattern = "net.*.neigh.*.locktime",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_TICKS},
	{.pattern = "net.*.neigh.*.proxy_delay",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_TICKS},
	{.pattern = "net.*.neigh.*.retrans_time",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_TICKS},
	{.pattern = "net.*.neigh.*.retrans_time_ms",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_JIFFIES},
	{.pattern = "net.*.route.gc_min_interval_ms",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_JIFFIES},
	{.pattern = "net.*.route.flush", .refused = ACTION},
	{.pattern = "net.core.default_qdisc", .format = SYSCTL_TEXT},
	{.pattern = "net.core.flow_limit_cpu_bitmap", .format = SYSCTL_MASK},
	{.pattern = "net.core.netdev_rss_key", .refused = READ_ONLY},
	{.pattern = "net.core.rps_default_mask",
		.format = SYSCTL_MASK,
		.traits = SYSCTL_DROP_ISOLATED},
	{.pattern = "net.core.rps_sock_flow_entries",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_POWER},
	{.pattern = "net.core.tcp_rmem", .instead = "net.ipv4.tcp_rmem"},
	{.pattern = "net.core.tcp_wmem", .instead = "net.ipv4.tcp_wmem"},
	{.pattern = "net.ipv4.icmp_ratelimit",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_JIFFIES},
	{.pattern = "net.ipv4.ip_conntrack_max",
		.removed = "",
		.instead = "net.netfilter.nf_conntrack_max"},
	{.pattern = "net.ipv4.ip_local_port_range",
		.format = SYSCTL_NUMBERS,
		.count = 2,
		.traits = SYSCTL_ASCENDING},
	{.pattern = "net.ipv4.ip_local_reserved_ports", .format = SYSCTL_LIST},
	{.pattern = "net.ipv4.netdev_max_backlog", .instead = "net.core.netdev_max_backlog"},
	{.pattern = "net.ipv4.netfilter.ip_conntrack_max",
		.removed = "",
		.instead = "net.netfilter.nf_conntrack_max"},
	{.pattern = "net.ipv4.ping_group_range", .format = SYSCTL_NUMBERS, .count = 2},
	{.pattern = "net.ipv4.rmem_max", .instead = "net.core.rmem_max"},
	{.pattern = "net.ipv4.somaxconn", .instead = "net.core.somaxconn"},
	{.pattern = "net.ipv4.tcp_abc", .removed = ""},
	{.pattern = "net.ipv4.tcp_allowed_congestion_control", .format = SYSCTL_TEXT},
	{.pattern = "net.ipv4.tcp_available_congestion_control", .refused = READ_ONLY},
	{.pattern = "net.ipv4.tcp_available_ulp", .refused = READ_ONLY},
	{.pattern = "net.ipv4.tcp_congestion_control", .format = SYSCTL_TEXT},
	{.pattern = "net.ipv4.tcp_cookie_size", .removed = ""},
	{.pattern = "net.ipv4.tcp_dma_copybreak", .removed = ""},
	{.pattern = "net.ipv4.tcp_ehash_entries", .refused = READ_ONLY},
	{.pattern = "net.ipv4.tcp_fastopen_key",
		.refused =
			"the kernel shows it masked, so it can be neither verified nor put back"},
	{.pattern = "net.ipv4.tcp_frto_response", .removed = ""},
	{.pattern = "net.ipv4.tcp_invalid_ratelimit",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_JIFFIES},
	{.pattern = "net.ipv4.tcp_max_somaxconn", .instead = "net.core.somaxconn"},
	{.pattern = "net.ipv4.tcp_max_ssthresh", .removed = ""},
	{.pattern = "net.ipv4.tcp_mem",
		.format = SYSCTL_NUMBERS,
		.count = 3,
		.traits = SYSCTL_ASCENDING},
	{.pattern = "net.ipv4.tcp_nodelay",
		.refused = "there is no such key: it is an option of each socket"},
	{.pattern = "net.ipv4.tcp_rmem",
		.format = SYSCTL_NUMBERS,
		.count = 3,
		.traits = SYSCTL_ASCENDING},
	{.pattern = "net.ipv4.tcp_thin_dupack", .removed = ""},
	{.pattern = "net.ipv4.tcp_tw_recycle", .removed = "4.12"},
	{.pattern = "net.ipv4.tcp_wmem",
		.format = SYSCTL_NUMBERS,
		.count = 3,
		.traits = SYSCTL_ASCENDING},
	{.pattern = "net.ipv4.udp_hash_entries", .refused = READ_ONLY},
	{.pattern = "net.ipv4.udp_mem",
		.format = SYSCTL_NUMBERS,
		.count = 3,
		.traits = SYSCTL_ASCENDING},
	{.pattern = "net.ipv4.wmem_max", .instead = "net.core.wmem_max"},
	{.pattern = "net.ipv6.conf.*.disable_ipv6",
		.refused =
			"switching IPv6 off removes addresses and routes that can't be put back"},
	{.pattern = "net.ipv6.conf.*.mldv1_unsolicited_report_interval",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_JIFFIES},
	{.pattern = "net.ipv6.conf.*.mldv2_unsolicited_report_interval",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_JIFFIES},
	{.pattern = "net.ipv6.conf.*.stable_secret",
		.refused = "it can't be read before it is set, nor unset again"},
	{.pattern = "net.ipv6.icmp.ratelimit",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_JIFFIES},
	{.pattern = "net.ipv6.icmp.ratemask", .format = SYSCTL_LIST},
	{.pattern = "net.mptcp.available_path_managers", .refused = READ_ONLY},
	{.pattern = "net.mptcp.available_schedulers", .refused = READ_ONLY},
	{.pattern = "net.mptcp.path_manager", .format = SYSCTL_TEXT},
	{.pattern = "net.mptcp.scheduler", .format = SYSCTL_TEXT},
	{.pattern = "net.netfilter.nf_conntrack_buckets",
		.format = SYSCTL_NUMBERS,
		.count = 1,
		.traits = SYSCTL_ROUND_BUCKETS},
	{.pattern = "net.netfilter.nf_conntrack_count", .refused = READ_ONLY},
	{.pattern = "net.sctp.cookie_hash_alg", .format = SYSCTL_TEXT},
	{.pattern = "net.sctp.sctp_mem",
		.format = SYSCTL_NUMBERS,
		.count = 3,
		.traits = SYSCTL_ASCENDING},
	{.pattern = "net.sctp.sctp_rmem", .format = SYSCTL_NUMBERS, .count = 3},
	{.pattern = "net.sctp.sctp_wmem", .format = SYSCTL_NUMBERS, .count = 3},
};

static const struct {
	const char *key, *name;
} aliases[] = {
	{.key = "net.ipv4.conf.all.forwarding", .name = "net.ipv4.ip_forward"},
	{.key = "net.nf_conntrack_max", .name = "net.netfilter.nf_conntrack_max"},
};

/* Both ways; of net.ipv4.neigh and net.ipv6.neigh. */
static const struct {
	const char *a, *b;
} twins[] = {
	{.a = "base_reachable_time", .b = "base_reachable_time_ms"},
	{.a = "retrans_time", .b = "retrans_time_ms"},
	{.a = "unres_qlen", .b = "unres_qlen_bytes"},
};

/* By the beginning of the key; the longer beginning first. */
static const struct {
	const char *prefix, *module;
} modules[] = {
	{.prefix = "net.bridge.bridge-nf-", .module = "br_netfilter"},
	{.prefix = "net.dccp.", .module = "dccp"},
	{.prefix = "net.ipv4.vs.", .module = "ip_vs"},
	{.prefix = "net.mpls.", .module = "mpls_router"},
	{.prefix = "net.netfilter.nf_conntrack_frag6_", .module = "nf_defrag_ipv6"},
	{.prefix = "net.netfilter.nf_conntrack_", .module = "nf_conntrack"},
	{.prefix = "net.netfilter.nf_flowtable_", .module = "nf_flow_table"},
	{.prefix = "net.rds.", .module = "rds"},
	{.prefix = "net.sctp.", .module = "sctp"},
	{.prefix = "net.smc.", .module = "smc"},
	{.prefix = "net.tipc.", .module = "tipc"},
	{.prefix = "net.vsock.", .module = "vsock"},
};

const struct sysctl_order sysctl_orders[] = {
	{.low = "net.ipv4.ip_unprivileged_port_start", .high = "net.ipv4.ip_local_port_range"},
	{.low = "net.ipv4.ipfrag_low_thresh", .high = "net.ipv4.ipfrag_high_thresh"},
	{.low = "net.ipv4.tcp_reordering", .high = "net.ipv4.tcp_max_reordering"},
	{.low = "net.ipv6.ip6frag_low_thresh", .high = "net.ipv6.ip6frag_high_thresh"},
	{
		.low = "net.netfilter.nf_conntrack_frag6_low_thresh",
		.high = "net.netfilter.nf_conntrack_frag6_high_thresh",
	},
	{.low = NULL},
};

static const char *leaf_of(const char *key)
{
	const char *dot = strrchr(key, '.');

	return dot ? dot + 1 : key;
}

/* Does the key lie directly below `parent`? */
static bool is_below(const char *parent, const char *key)
{
	const char *leaf = leaf_of(key);
	char above[128];
	size_t length = (size_t)(leaf - key);

	if (length == 0 || length > sizeof(above))
		return false;
	memcpy(above, key, length - 1);
	above[length - 1] = '\0';
	return key_matches(parent, above);
}

static const struct sysctl_names *names_find(const char *key)
{
	for (const struct sysctl_names *group = sysctl_names; group->parent; group++) {
		if (!is_below(group->parent, key))
			continue;
		for (size_t i = 0; group->names[i]; i++) {
			if (strcmp(group->names[i], leaf_of(key)) == 0)
				return group;
		}
	}
	return NULL;
}

const struct sysctl_key *sysctl_key_find(const char *key)
{
	static const struct sysctl_key number = {.format = SYSCTL_NUMBERS, .count = 1};
	static const struct sysctl_key text = {.format = SYSCTL_TEXT};
	static const struct sysctl_key action = {.refused = ACTION};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (key_matches(keys[i].pattern, key))
			return &keys[i];
	}
	if (strcmp(leaf_of(key), "flush") == 0)
		return &action;
	return names_find(key) ? &number : &text;
}

const char *sysctl_key_alias(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (strcmp(aliases[i].key, key) == 0)
			return aliases[i].name;
	}
	return key;
}

const char *sysctl_key_twin(const char *key)
{
	const char *leaf = leaf_of(key);

	if (!is_below("net.ipv4.neigh.*", key) && !is_below("net.ipv6.neigh.*", key))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(twins); i++) {
		if (strcmp(twins[i].a, leaf) == 0)
			return twins[i].b;
		if (strcmp(twins[i].b, leaf) == 0)
			return twins[i].a;
	}
	return NULL;
}

const char *sysctl_key_module(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
		if (strncmp(modules[i].prefix, key, strlen(modules[i].prefix)) == 0)
			return modules[i].module;
	}
	return NULL;
}

bool sysctl_key_is_known(const char *key)
{
	return names_find(key) != NULL;
}

bool sysctl_key_is_host_wide(const char *key)
{
	const struct sysctl_names *group = names_find(key);

	return group && group->host_wide;
}

const char *sysctl_key_nearest(const char *key)
{
	const char *words[512];
	size_t n = 0;

	for (const struct sysctl_names *group = sysctl_names; group->parent; group++) {
		if (!is_below(group->parent, key))
			continue;
		for (size_t i = 0; group->names[i] && n < ARRAY_SIZE(words) - 1; i++)
			words[n++] = group->names[i];
	}
	words[n] = NULL;
	return nearest_word(leaf_of(key), words);
}
