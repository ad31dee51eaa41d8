#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Sysctls of a network namespace, as they were reported to go wrong in public.
. "$(dirname "$0")/../lib/netns.sh"

# sysctls LINE...: a profile with these settings
sysctls() {
	{
		echo "name: lab"
		echo "sysctl:"
		printf '  %s\n' "$@"
	} >"$WORK/p.yaml"
	chmod 644 "$WORK/p.yaml"
}

value() {
	tr '\t' ' ' <"/proc/sys/$1"
}

is() {
	[ "$(value "$1")" = "$2" ] || fail "$1 is $(value "$1"), wanted $2"
}

in_sync() {
	expect 0 nettune plan "$WORK/p.yaml" --json
	json .changed false
}

test_blanks_and_tabs_are_equal() {
	echo "4096 131072 6291456" >/proc/sys/net/ipv4/tcp_rmem
	sysctls 'net.ipv4.tcp_rmem: "4096  131072 6291456"'
	in_sync
	sysctls 'net.ipv4.tcp_rmem: "4096 131072 6291457"'
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.changes | map(.id)' '["sysctl/net.ipv4.tcp_rmem"]'
}

test_port_lists_are_sets() {
	dump before
	sysctls 'net.ipv4.ip_local_reserved_ports: "8080-8090,3000,3001,3002"'
	expect 0 nettune apply "$WORK/p.yaml"
	is net/ipv4/ip_local_reserved_ports 3000-3002,8080-8090
	in_sync
	expect 0 nettune rollback
	dump after
	same_dump before after
	sysctls 'net.ipv4.ip_local_reserved_ports: "5000 5001"'
	expect 65 nettune plan "$WORK/p.yaml"
	contains comma
}

test_interface_name_with_a_dot() {
	veth
	ip link add link veth0 name mac.5 type macvlan
	sysctls 'net.ipv4.conf.mac/5.rp_filter: 1' 'net/ipv4/conf/mac.5/log_martians: 1'
	expect 0 nettune apply "$WORK/p.yaml"
	is net/ipv4/conf/mac.5/rp_filter 1
	is net/ipv4/conf/mac.5/log_martians 1
}

# The kernel refuses a high threshold below the low one, so neither order works for both ways.
test_order_is_found() {
	dump before
	sysctls 'net.ipv4.ipfrag_high_thresh: 262144' 'net.ipv4.ipfrag_low_thresh: 196608'
	expect 0 nettune apply "$WORK/p.yaml"
	is net/ipv4/ipfrag_high_thresh 262144
	is net/ipv4/ipfrag_low_thresh 196608
	expect 0 nettune rollback
	dump after
	same_dump before after
}

test_forwarding_and_what_follows_it() {
	veth
	echo 0 >/proc/sys/net/ipv4/ip_forward
	echo 1 >/proc/sys/net/ipv4/conf/all/accept_redirects
	echo 1 >/proc/sys/net/ipv4/conf/veth0/forwarding
	dump before
	sysctls 'net.ipv4.ip_forward: 1'
	expect 0 nettune apply "$WORK/p.yaml"
	is net/ipv4/conf/veth1/forwarding 1
	expect 0 nettune rollback
	dump after
	same_dump before after
	sysctls 'net.ipv4.conf.veth0.forwarding: 0' 'net.ipv4.ip_forward: 1'
	expect 0 nettune apply "$WORK/p.yaml"
	is net/ipv4/ip_forward 1
	is net/ipv4/conf/veth0/forwarding 0
	expect 0 nettune rollback
	dump after
	same_dump before after
}

# Two wishes, of which one brings the other along: it is a change all the same.
test_wish_that_another_one_brings() {
	veth
	echo 0 >/proc/sys/net/ipv4/ip_forward
	dump before
	sysctls 'net.ipv4.ip_forward: 1' 'net.ipv4.conf.veth0.forwarding: 1'
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.changes | map([.key, .before, .wanted])' \
		'[["net.ipv4.ip_forward","0","1"],["net.ipv4.conf.veth0.forwarding","0","1"]]'
	json '.unchanged | length' 0
	expect 0 nettune apply "$WORK/p.yaml" --json
	json '.changes | map(.verdict)' '["exact","exact"]'
	in_sync
	expect 0 nettune verify
	expect 0 nettune rollback
	dump after
	same_dump before after
}

# An interface that came after apply: what somebody set on it since is not wiped by the rollback.
test_newer_interface_keeps_its_own() {
	veth
	echo 1 >/proc/sys/net/ipv4/ip_forward
	sysctls 'net.ipv4.ip_forward: 0'
	expect 0 nettune apply "$WORK/p.yaml"
	ip link add new0 type veth peer name new1
	echo 1 >/proc/sys/net/ipv4/conf/new1/forwarding
	dump before
	expect 0 nettune rollback --json
	json .outcome '"rolled-back"'
	is net/ipv4/ip_forward 1
	is net/ipv4/conf/veth0/forwarding 1
	is net/ipv4/conf/new0/forwarding 0
	is net/ipv4/conf/new1/forwarding 1
	expect 0 nettune history
	lacks "can't be read"
	expect 0 nettune rollback
	contains "already undone"
}

test_default_and_all() {
	veth
	ip address add 192.0.2.1/24 dev veth0
	echo 2 >/proc/sys/net/ipv4/conf/veth0/rp_filter
	dump before
	sysctls 'net.ipv4.conf.default.rp_filter: 1' 'net.ipv4.conf.all.rp_filter: 1' \
		'net.ipv6.conf.all.accept_ra: 0' 'net.ipv6.conf.default.hop_limit: 66'
	expect 0 nettune apply "$WORK/p.yaml"
	is net/ipv4/conf/default/rp_filter 1
	expect 0 nettune rollback
	dump after
	same_dump before after
}

test_removed_and_misspelt_keys() {
	sysctls 'net.ipv4.tcp_fin_timeout: 20' 'net.ipv4.tcp_tw_recycle: 1' \
		'net.ipv4.tcp_max_somaxconn: 100'
	expect 69 nettune apply "$WORK/p.yaml"
	contains "4.12"
	contains net.core.somaxconn
	sysctls 'net.ipv4.tcp_fin_timeout: 20' 'net.ipv4.tcp_tcp_tw_reuse: 1'
	expect 69 nettune apply "$WORK/p.yaml"
	contains "did you mean net.ipv4.tcp_tw_reuse"
	is net/ipv4/tcp_fin_timeout 60
}

test_missing_key() {
	sysctls 'net.ipv4.tcp_fin_timeout: 20' 'net.ipv4.no_such_key_at_all: 1'
	expect 69 nettune apply "$WORK/p.yaml"
	contains no_such_key_at_all
	is net/ipv4/tcp_fin_timeout 60
	sysctls 'net.ipv4.tcp_fin_timeout: 20' \
		'net.ipv4.no_such_key_at_all: {value: 1, optional: true}'
	expect 0 nettune apply "$WORK/p.yaml"
	contains no_such_key_at_all
	is net/ipv4/tcp_fin_timeout 20
}

test_host_wide_key() {
	sysctls 'net.core.rmem_max: 8388608' 'net.ipv4.tcp_fin_timeout: 20'
	expect 69 nettune apply "$WORK/p.yaml"
	contains "network namespace"
	is net/ipv4/tcp_fin_timeout 60
	sysctls 'net.core.netdev_max_backlog: 8388608'
	expect 69 nettune apply "$WORK/p.yaml"
	contains "network namespace"
}

test_congestion_control_that_is_not_allowed_here() {
	if grep -qw cubic /proc/sys/net/ipv4/tcp_allowed_congestion_control; then
		sysctls 'net.ipv4.tcp_congestion_control: nosuch'
	else
		sysctls 'net.ipv4.tcp_congestion_control: cubic'
	fi
	sed -i '$a\  net.ipv4.tcp_fin_timeout: 20' "$WORK/p.yaml"
	expect 69 nettune apply "$WORK/p.yaml"
	contains tcp_allowed_congestion_control
	is net/ipv4/tcp_fin_timeout 60
}

test_stack_of_transactions() {
	local first
	sysctls 'net.ipv4.tcp_sack: 0'
	cp "$WORK/p.yaml" "$WORK/a.yaml"
	expect 0 nettune apply "$WORK/a.yaml" --json
	first=$(jq -r .transaction <<<"$OUT")
	expect 0 nettune apply "$WORK/a.yaml"
	sysctls 'net.ipv4.tcp_sack: 0' 'net.ipv4.tcp_fin_timeout: 20'
	expect 0 nettune apply "$WORK/p.yaml"
	expect 0 nettune history --json
	json '.transactions | length' 2
	expect 1 nettune rollback "$first"
	expect 0 nettune rollback --dry-run
	is net/ipv4/tcp_fin_timeout 20
	expect 0 nettune rollback
	is net/ipv4/tcp_fin_timeout 60
	is net/ipv4/tcp_sack 0
	expect 0 nettune rollback --all
	is net/ipv4/tcp_sack 1
}

test_rollback_to() {
	local first
	sysctls 'net.ipv4.tcp_fin_timeout: 20'
	expect 0 nettune apply "$WORK/p.yaml" --json
	first=$(jq -r .transaction <<<"$OUT")
	sysctls 'net.ipv4.tcp_fin_timeout: 21'
	expect 0 nettune apply "$WORK/p.yaml"
	sysctls 'net.ipv4.tcp_fin_timeout: 22'
	expect 0 nettune apply "$WORK/p.yaml"
	expect 0 nettune rollback --to "$first"
	is net/ipv4/tcp_fin_timeout 20
	expect 0 nettune rollback "$first"
	is net/ipv4/tcp_fin_timeout 60
}

test_three_keys_the_second_refused() {
	sysctls 'net.ipv4.tcp_dsack: 0' 'net.ipv4.tcp_ecn: 7' 'net.ipv4.tcp_fin_timeout: 20'
	expect 3 nettune apply "$WORK/p.yaml" --json
	json '.changes | length' 3
	json '.changes | map(select(.key == "net.ipv4.tcp_ecn").verdict)' '["refused"]'
	is net/ipv4/tcp_dsack 1
	is net/ipv4/tcp_fin_timeout 60
}

test_conflict_and_force() {
	sysctls 'net.ipv4.tcp_fin_timeout: 20' 'net.ipv4.tcp_sack: 0'
	expect 0 nettune apply "$WORK/p.yaml"
	echo 33 >/proc/sys/net/ipv4/tcp_fin_timeout
	echo 1 >/proc/sys/net/ipv4/tcp_sack
	expect 5 nettune rollback
	is net/ipv4/tcp_fin_timeout 33
	is net/ipv4/tcp_sack 1
	expect 0 nettune apply "$WORK/p.yaml"
	echo 34 >/proc/sys/net/ipv4/tcp_fin_timeout
	expect 0 nettune rollback --force
	is net/ipv4/tcp_fin_timeout 33
}

test_forget() {
	local id
	sysctls 'net.ipv4.tcp_fin_timeout: 20'
	expect 0 nettune apply "$WORK/p.yaml" --json
	id=$(jq -r .transaction <<<"$OUT")
	expect 0 nettune forget "$id"
	expect 0 nettune rollback
	is net/ipv4/tcp_fin_timeout 20
}

test_mask_sysctl() {
	sysctls 'net.core.rps_default_mask: "0-1"'
	expect 0 nettune apply "$WORK/p.yaml"
	is net/core/rps_default_mask 3
	in_sync
	expect 0 nettune rollback
	is net/core/rps_default_mask 0
}

# A state directory that can't be written is refused before the first write.
test_state_directory_that_is_read_only() {
	sysctls 'net.ipv4.tcp_fin_timeout: 20'
	mkdir -p "$WORK/ro"
	mount -t tmpfs -o ro tmpfs "$WORK/ro"
	expect 1 "$NETTUNE" --state-dir "$WORK/ro/state" apply "$WORK/p.yaml"
	is net/ipv4/tcp_fin_timeout 60
	umount "$WORK/ro"
}

main "$@"
