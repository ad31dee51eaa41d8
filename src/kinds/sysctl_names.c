/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the sysctls below net/, for "did you mean" and to tell a host-wide key that another
 * network namespace does not show from one that the kernel lacks. Of Linux 6.18, alphabetical but
 * that a single place stands before the pattern of its neighbours. A key that is not here can be
 * set all the same.
 */
#include "kinds/sysctl_keys.h"

static const char *const bridge[] = {"bridge-nf-call-arptables", "bridge-nf-call-ip6tables",
	"bridge-nf-call-iptables", "bridge-nf-filter-pppoe-tagged", "bridge-nf-filter-vlan-tagged",
	"bridge-nf-pass-vlan-input-dev", NULL};

static const char *const core[] = {"optmem_max", "rps_default_mask", "somaxconn",
	"tstamp_allow_data", "txrehash", "xfrm_acq_expires", "xfrm_aevent_etime",
	"xfrm_aevent_rseqth", "xfrm_larval_drop", NULL};

static const char *const core_host[] = {"bpf_jit_enable", "bpf_jit_harden", "bpf_jit_kallsyms",
	"bpf_jit_limit", "busy_poll", "busy_read", "default_qdisc", "dev_weight",
	"dev_weight_rx_bias", "dev_weight_tx_bias", "devconf_inherit_init_net",
	"fb_tunnels_only_for_init_net", "flow_limit_cpu_bitmap", "flow_limit_table_len",
	"gro_normal_batch", "high_order_alloc_disable", "max_skb_frags", "mem_pcpu_rsv",
	"message_burst", "message_cost", "netdev_budget", "netdev_budget_usecs",
	"netdev_max_backlog", "netdev_rss_key", "netdev_tstamp_prequeue",
	"netdev_unregister_timeout_secs", "rmem_default", "rmem_max", "rps_sock_flow_entries",
	"skb_defer_max", "warnings", "wmem_default", "wmem_max", NULL};

static const char *const ipv4[] = {"fib_multipath_hash_fields", "fib_multipath_hash_policy",
	"fib_multipath_hash_seed", "fib_multipath_use_neigh", "fib_notify_on_flag_change",
	"fwmark_reflect", "icmp_echo_enable_probe", "icmp_echo_ignore_all",
	"icmp_echo_ignore_broadcasts", "icmp_errors_use_inbound_ifaddr",
	"icmp_ignore_bogus_error_responses", "icmp_msgs_burst", "icmp_msgs_per_sec",
	"icmp_ratelimit", "icmp_ratemask", "igmp_link_local_mcast_reports", "igmp_max_memberships",
	"igmp_max_msf", "igmp_qrv", "ip_autobind_reuse", "ip_default_ttl", "ip_dynaddr",
	"ip_early_demux", "ip_forward", "ip_forward_update_priority", "ip_forward_use_pmtu",
	"ip_local_port_range", "ip_local_reserved_ports", "ip_no_pmtu_disc", "ip_nonlocal_bind",
	"ip_unprivileged_port_start", "ipfrag_high_thresh", "ipfrag_low_thresh", "ipfrag_max_dist",
	"ipfrag_time", "nexthop_compat_mode", "ping_group_range", "raw_l3mdev_accept",
	"tcp_abort_on_overflow", "tcp_adv_win_scale", "tcp_app_win", "tcp_autocorking",
	"tcp_available_congestion_control", "tcp_backlog_ack_defer", "tcp_base_mss",
	"tcp_challenge_ack_limit", "tcp_child_ehash_entries", "tcp_comp_sack_delay_ns",
	"tcp_comp_sack_nr", "tcp_comp_sack_slack_ns", "tcp_congestion_control", "tcp_dsack",
	"tcp_early_demux", "tcp_early_retrans", "tcp_ecn", "tcp_ecn_fallback", "tcp_ecn_option",
	"tcp_ecn_option_beacon", "tcp_ehash_entries", "tcp_fack", "tcp_fastopen",
	"tcp_fastopen_blackhole_timeout_sec", "tcp_fastopen_key", "tcp_fin_timeout", "tcp_frto",
	"tcp_fwmark_accept", "tcp_invalid_ratelimit", "tcp_keepalive_intvl", "tcp_keepalive_probes",
	"tcp_keepalive_time", "tcp_l3mdev_accept", "tcp_limit_output_bytes", "tcp_max_reordering",
	"tcp_max_syn_backlog", "tcp_max_tw_buckets", "tcp_migrate_req", "tcp_min_rtt_wlen",
	"tcp_min_snd_mss", "tcp_min_tso_segs", "tcp_moderate_rcvbuf", "tcp_mtu_probe_floor",
	"tcp_mtu_probing", "tcp_no_metrics_save", "tcp_no_ssthresh_metrics_save",
	"tcp_notsent_lowat", "tcp_orphan_retries", "tcp_pacing_ca_ratio", "tcp_pacing_ss_ratio",
	"tcp_pingpong_thresh", "tcp_plb_cong_thresh", "tcp_plb_enabled",
	"tcp_plb_idle_rehash_rounds", "tcp_plb_rehash_rounds", "tcp_plb_suspend_rto_sec",
	"tcp_probe_interval", "tcp_probe_threshold", "tcp_recovery", "tcp_reflect_tos",
	"tcp_reordering", "tcp_retrans_collapse", "tcp_retries1", "tcp_retries2", "tcp_rfc1337",
	"tcp_rmem", "tcp_rto_max_ms", "tcp_rto_min_us", "tcp_sack", "tcp_shrink_window",
	"tcp_slow_start_after_idle", "tcp_stdurg", "tcp_syn_linear_timeouts", "tcp_syn_retries",
	"tcp_synack_retries", "tcp_syncookies", "tcp_thin_linear_timeouts", "tcp_timestamps",
	"tcp_tso_rtt_log", "tcp_tso_win_divisor", "tcp_tw_reuse", "tcp_tw_reuse_delay",
	"tcp_window_scaling", "tcp_wmem", "tcp_workaround_signed_windows", "udp_child_hash_entries",
	"udp_early_demux", "udp_hash_entries", "udp_l3mdev_accept", "udp_rmem_min", "udp_wmem_min",
	"xfrm4_gc_thresh", NULL};

static const char *const ipv4_host[] = {"fib_sync_mem", "inet_peer_maxttl", "inet_peer_minttl",
	"inet_peer_threshold", "ipfrag_secret_interval", "tcp_allowed_congestion_control",
	"tcp_available_ulp", "tcp_low_latency", "tcp_max_orphans", "tcp_mem", "udp_mem", NULL};

static const char *const ipv4_conf[] = {"accept_local", "accept_redirects", "accept_source_route",
	"arp_accept", "arp_announce", "arp_evict_nocarrier", "arp_filter", "arp_ignore",
	"arp_notify", "bc_forwarding", "bootp_relay", "disable_policy", "disable_xfrm",
	"drop_gratuitous_arp", "drop_unicast_in_l2_multicast", "force_igmp_version", "forwarding",
	"igmpv2_unsolicited_report_interval", "igmpv3_unsolicited_report_interval",
	"ignore_routes_with_linkdown", "log_martians", "mc_forwarding", "medium_id",
	"promote_secondaries", "proxy_arp", "proxy_arp_pvlan", "route_localnet", "rp_filter",
	"secure_redirects", "send_redirects", "shared_media", "src_valid_mark", "tag", NULL};

static const char *const ipv4_neigh[] = {"anycast_delay", "app_solicit", "base_reachable_time",
	"base_reachable_time_ms", "delay_first_probe_time", "gc_stale_time",
	"interval_probe_time_ms", "locktime", "mcast_resolicit", "mcast_solicit", "proxy_delay",
	"proxy_qlen", "retrans_time", "retrans_time_ms", "ucast_solicit", "unres_qlen",
	"unres_qlen_bytes", NULL};

static const char *const ipv4_neigh_tables[] = {
	"gc_interval", "gc_thresh1", "gc_thresh2", "gc_thresh3", NULL};

static const char *const ipv4_route[] = {"min_adv_mss", "min_pmtu", "mtu_expires", NULL};

static const char *const ipv4_route_host[] = {"error_burst", "error_cost", "gc_elasticity",
	"gc_interval", "gc_min_interval", "gc_min_interval_ms", "gc_thresh", "gc_timeout",
	"max_size", "redirect_load", "redirect_number", "redirect_silence", NULL};

static const char *const ipv6[] = {"anycast_src_echo_reply", "auto_flowlabels", "bindv6only",
	"fib_multipath_hash_fields", "fib_multipath_hash_policy", "fib_notify_on_flag_change",
	"flowlabel_consistency", "flowlabel_reflect", "flowlabel_state_ranges", "fwmark_reflect",
	"idgen_delay", "idgen_retries", "ioam6_id", "ioam6_id_wide", "ip6frag_high_thresh",
	"ip6frag_low_thresh", "ip6frag_time", "ip_nonlocal_bind", "max_dst_opts_length",
	"max_dst_opts_number", "max_hbh_length", "max_hbh_opts_number", "seg6_flowlabel",
	"xfrm6_gc_thresh", NULL};

static const char *const ipv6_host[] = {"ip6frag_secret_interval", "mld_max_msf", "mld_qrv", NULL};

static const char *const ipv6_conf[] = {"accept_dad", "accept_ra", "accept_ra_defrtr",
	"accept_ra_from_local", "accept_ra_min_hop_limit", "accept_ra_min_lft", "accept_ra_mtu",
	"accept_ra_pinfo", "accept_ra_rt_info_max_plen", "accept_ra_rt_info_min_plen",
	"accept_ra_rtr_pref", "accept_redirects", "accept_source_route", "accept_untracked_na",
	"addr_gen_mode", "autoconf", "dad_transmits", "disable_ipv6", "disable_policy",
	"drop_unicast_in_l2_multicast", "drop_unsolicited_na", "enhanced_dad", "force_forwarding",
	"force_mld_version", "force_tllao", "forwarding", "hop_limit",
	"ignore_routes_with_linkdown", "ioam6_enabled", "ioam6_id", "ioam6_id_wide",
	"keep_addr_on_down", "max_addresses", "max_desync_factor", "mc_forwarding",
	"mldv1_unsolicited_report_interval", "mldv2_unsolicited_report_interval", "mtu",
	"ndisc_evict_nocarrier", "ndisc_notify", "ndisc_tclass", "optimistic_dad", "proxy_ndp",
	"ra_defrtr_metric", "ra_honor_pio_life", "ra_honor_pio_pflag", "regen_max_retry",
	"regen_min_advance", "router_probe_interval", "router_solicitation_delay",
	"router_solicitation_interval", "router_solicitation_max_interval", "router_solicitations",
	"rpl_seg_enabled", "seg6_enabled", "seg6_require_hmac", "stable_secret",
	"suppress_frag_ndisc", "temp_prefered_lft", "temp_valid_lft", "use_oif_addrs_only",
	"use_optimistic", "use_tempaddr", NULL};

static const char *const ipv6_icmp[] = {"echo_ignore_all", "echo_ignore_anycast",
	"echo_ignore_multicast", "error_anycast_as_unicast", "ratelimit", "ratemask", NULL};

static const char *const ipv6_neigh[] = {"anycast_delay", "app_solicit", "base_reachable_time",
	"base_reachable_time_ms", "delay_first_probe_time", "gc_stale_time",
	"interval_probe_time_ms", "locktime", "mcast_resolicit", "mcast_solicit", "proxy_delay",
	"proxy_qlen", "retrans_time", "retrans_time_ms", "ucast_solicit", "unres_qlen",
	"unres_qlen_bytes", NULL};

static const char *const ipv6_neigh_tables[] = {
	"gc_interval", "gc_thresh1", "gc_thresh2", "gc_thresh3", NULL};

static const char *const ipv6_route[] = {"gc_elasticity", "gc_interval", "gc_min_interval",
	"gc_min_interval_ms", "gc_thresh", "gc_timeout", "max_size", "min_adv_mss", "mtu_expires",
	"skip_notify_on_dev_down", NULL};

static const char *const mptcp[] = {"add_addr_timeout", "allow_join_initial_addr_port",
	"available_path_managers", "available_schedulers", "blackhole_timeout", "checksum_enabled",
	"close_timeout", "enabled", "path_manager", "pm_type", "scheduler", "stale_loss_cnt",
	"syn_retrans_before_tcp_fallback", NULL};

static const char *const netfilter[] = {"nf_conntrack_acct", "nf_conntrack_checksum",
	"nf_conntrack_count", "nf_conntrack_events", "nf_conntrack_frag6_high_thresh",
	"nf_conntrack_frag6_low_thresh", "nf_conntrack_frag6_timeout",
	"nf_conntrack_generic_timeout", "nf_conntrack_gre_timeout",
	"nf_conntrack_gre_timeout_stream", "nf_conntrack_icmp_timeout",
	"nf_conntrack_icmpv6_timeout", "nf_conntrack_log_invalid",
	"nf_conntrack_sctp_timeout_closed", "nf_conntrack_sctp_timeout_cookie_echoed",
	"nf_conntrack_sctp_timeout_cookie_wait", "nf_conntrack_sctp_timeout_established",
	"nf_conntrack_sctp_timeout_heartbeat_sent", "nf_conntrack_sctp_timeout_shutdown_ack_sent",
	"nf_conntrack_sctp_timeout_shutdown_recd", "nf_conntrack_sctp_timeout_shutdown_sent",
	"nf_conntrack_tcp_be_liberal", "nf_conntrack_tcp_ignore_invalid_rst",
	"nf_conntrack_tcp_loose", "nf_conntrack_tcp_max_retrans", "nf_conntrack_tcp_timeout_close",
	"nf_conntrack_tcp_timeout_close_wait", "nf_conntrack_tcp_timeout_established",
	"nf_conntrack_tcp_timeout_fin_wait", "nf_conntrack_tcp_timeout_last_ack",
	"nf_conntrack_tcp_timeout_max_retrans", "nf_conntrack_tcp_timeout_syn_recv",
	"nf_conntrack_tcp_timeout_syn_sent", "nf_conntrack_tcp_timeout_time_wait",
	"nf_conntrack_tcp_timeout_unacknowledged", "nf_conntrack_timestamp",
	"nf_conntrack_udp_timeout", "nf_conntrack_udp_timeout_stream", "nf_hooks_lwtunnel", NULL};

static const char *const netfilter_host[] = {
	"nf_conntrack_buckets", "nf_conntrack_expect_max", "nf_conntrack_max", NULL};

static const char *const sctp[] = {"addip_enable", "association_max_retrans", "auth_enable",
	"cookie_hash_alg", "hb_interval", "max_autoclose", "max_burst", "max_init_retransmits",
	"path_max_retrans", "pf_enable", "prsctp_enable", "rcvbuf_policy", "rto_initial", "rto_max",
	"rto_min", "sack_timeout", "sctp_mem", "sctp_rmem", "sctp_wmem", "sndbuf_policy",
	"valid_cookie_life", NULL};

static const char *const unix_names[] = {"max_dgram_qlen", NULL};

const struct sysctl_names sysctl_names[] = {
	{.parent = "net.bridge", .names = bridge},
	{.parent = "net.core", .names = core},
	{.parent = "net.core", .host_wide = true, .names = core_host},
	{.parent = "net.ipv4", .names = ipv4},
	{.parent = "net.ipv4", .host_wide = true, .names = ipv4_host},
	{.parent = "net.ipv4.conf.*", .names = ipv4_conf},
	{.parent = "net.ipv4.neigh.default", .host_wide = true, .names = ipv4_neigh},
	{.parent = "net.ipv4.neigh.default", .host_wide = true, .names = ipv4_neigh_tables},
	{.parent = "net.ipv4.neigh.*", .names = ipv4_neigh},
	{.parent = "net.ipv4.route", .names = ipv4_route},
	{.parent = "net.ipv4.route", .host_wide = true, .names = ipv4_route_host},
	{.parent = "net.ipv6", .names = ipv6},
	{.parent = "net.ipv6", .host_wide = true, .names = ipv6_host},
	{.parent = "net.ipv6.conf.*", .names = ipv6_conf},
	{.parent = "net.ipv6.icmp", .names = ipv6_icmp},
	{.parent = "net.ipv6.neigh.default", .host_wide = true, .names = ipv6_neigh},
	{.parent = "net.ipv6.neigh.default", .host_wide = true, .names = ipv6_neigh_tables},
	{.parent = "net.ipv6.neigh.*", .names = ipv6_neigh},
	{.parent = "net.ipv6.route", .names = ipv6_route},
	{.parent = "net.mptcp", .names = mptcp},
	{.parent = "net.netfilter", .names = netfilter},
	{.parent = "net.netfilter", .host_wide = true, .names = netfilter_host},
	{.parent = "net.sctp", .names = sctp},
	{.parent = "net.unix", .names = unix_names},
	{.parent = NULL},
};
