#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Links that are renamed, exchanged, moved, deleted and made anew: settings belong to the device, not
# to its name. Cases in the middle of a run need a build with fault plans (Debug).
. "$(dirname "$0")/../lib/netns.sh"

# A setting of the host, one by netlink, one by ethtool, queue files and a sysctl of the link itself.
profile() {
	cat >"$WORK/p.yaml" <<-'END'
		name: lab
		sysctl:
		  net.ipv4.tcp_fin_timeout: 20
		  net.ipv4.conf.veth0.rp_filter: 2
		interfaces:
		  - match: {name: veth0}
		    mtu: 1400
		    offloads: {sg: off}
		    rps: {cpus: "0x1"}
		END
	chmod 644 "$WORK/p.yaml"
}

odd_start() {
	veth
	echo 0 >/proc/sys/net/ipv4/conf/veth0/rp_filter
	profile
}

applied() {
	odd_start
	expect 0 nettune apply "$WORK/p.yaml"
}

# rename OLD NEW
rename() {
	ip link set "$1" down
	ip link set "$1" name "$2"
	ip link set "$2" up
}

mtu() {
	cat "/sys/class/net/$1/mtu"
}

# state LINK: what the profile sets of it
state() {
	mtu "$1"
	cat "/proc/sys/net/ipv4/conf/$1/rp_filter" "/sys/class/net/$1/queues/rx-0/rps_cpus"
	ethtool -k "$1" | grep -E '^scatter-gather'
}

# stops_at N COMMAND...: runs it in the background until it is about to do its N-th write
stops_at() {
	local i at=$1
	shift
	NETTUNE_FAULT=$at:stop "$NETTUNE" --state-dir "$WORK/state" "$@" >"$WORK/out" 2>&1 &
	PID=$!
	for ((i = 0; i < 500; i++)); do
		[ "$(awk '{print $3}' /proc/$PID/stat)" != T ] || return 0
		kill -0 $PID 2>/dev/null || break
		sleep 0.02
	done
	fail "it did not stop at write $at: $(cat "$WORK/out")"
}

# goes_on STATUS: lets it run to its end; its output is in $OUT
goes_on() {
	local got=0
	kill -CONT $PID
	wait $PID || got=$?
	OUT=$(cat "$WORK/out")
	[ "$got" = "$1" ] || fail "exit $got, wanted $1: $OUT"
}

test_renamed() {
	odd_start
	state veth0 >"$WORK/before"
	expect 0 nettune apply "$WORK/p.yaml"
	rename veth0 lan0
	expect 0 nettune status
	contains "veth0 is called lan0 now"
	expect 0 nettune verify
	contains "veth0 is called lan0 now"
	expect 0 nettune rollback
	contains "veth0 is called lan0 now"
	contains "lan0"
	state lan0 >"$WORK/after"
	same_dump before after
}

test_renamed_json() {
	applied
	rename veth0 lan0
	expect 0 nettune rollback --json
	json '.warnings | map([.id, .interface])' '[["renamed","lan0"]]'
	json '[.changes[] | select(.kind == "mtu") | .id]' '["lan0/mtu"]'
}

test_names_swapped() {
	odd_start
	echo 1 >/proc/sys/net/ipv4/conf/veth1/rp_filter
	state veth0 >"$WORK/before"
	state veth1 >"$WORK/other"
	expect 0 nettune apply "$WORK/p.yaml"
	rename veth0 x
	rename veth1 veth0
	rename x veth1
	state veth0 >"$WORK/after"
	same_dump other after
	expect 0 nettune status
	expect 0 nettune rollback
	state veth1 >"$WORK/after"
	same_dump before after
	state veth0 >"$WORK/after"
	same_dump other after
}

# A new link under the old name is another one: named as gone, never touched.
test_another_under_the_name() {
	applied
	ip link delete veth0
	veth
	state veth0 >"$WORK/before"
	expect 2 nettune status
	contains "veth0: gone"
	contains "mtu"
	contains "another interface is called veth0 now"
	expect 2 nettune verify --json
	json '[.differences[] | .verdict] | unique' '["gone"]'
	json '.summary.gone' 8
	expect 0 nettune rollback
	contains "veth0"
	contains "another interface is called veth0 now"
	[ "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)" = 60 ]
	state veth0 >"$WORK/after"
	same_dump before after
	expect 0 nettune status
	contains "Nothing of nettune is in force"
}

test_deleted() {
	applied
	ip link delete veth0
	expect 2 nettune status
	contains "veth0: gone"
	contains "mtu"
	contains "gone"
	lacks "another interface"
	expect 0 nettune rollback --json
	json .outcome '"rolled-back"'
	json '[.conflicts[] | select(.class == "gone") | .id] | index("veth0/mtu") != null' true
	[ "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)" = 60 ]
}

# The index goes along where it is free in the other namespace, and back.
test_moved_away_and_back() {
	applied
	ip netns add "nt$$"
	ip link set veth0 netns "nt$$"
	expect 2 nettune status
	contains "gone"
	ip -n "nt$$" link set veth0 netns $$
	ip netns delete "nt$$"
	ip link set veth0 up
	nettune status >"$WORK/out" 2>&1 || true
	grep -q gone "$WORK/out" && fail "it is back: $(cat "$WORK/out")"
	expect 0 nettune rollback
	[ "$(mtu veth0)" = 1500 ]
	[ "$(cat /sys/class/net/veth0/queues/rx-0/rps_cpus)" = 0 ]
}

test_rollback_while_away() {
	applied
	ip netns add "nt$$"
	ip link set veth0 netns "nt$$"
	expect 0 nettune rollback
	contains "gone"
	[ "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)" = 60 ]
	ip -n "nt$$" link set veth0 netns $$
	ip netns delete "nt$$"
	[ "$(mtu veth0)" = 1400 ]
	expect 0 nettune rollback
	contains "already undone"
	[ "$(mtu veth0)" = 1400 ]
}

# A link that comes between apply and rollback keeps what it was born with.
test_newcomer() {
	veth
	cat >"$WORK/p.yaml" <<-'END'
		name: lab
		sysctl:
		  net.ipv4.ip_forward: 1
		  net.ipv4.conf.default.rp_filter: 2
		  net.ipv4.conf.all.log_martians: 1
		  net.ipv6.conf.all.forwarding: 1
		  net.ipv6.conf.default.accept_ra: 0
		interfaces:
		  - match: {name: veth0}
		    mtu: 9000
	END
	chmod 644 "$WORK/p.yaml"
	echo 0 >/proc/sys/net/ipv4/ip_forward
	expect 0 nettune apply "$WORK/p.yaml"
	ip link add new0 type veth peer name new1
	ip link set new0 up
	ip link set new1 up
	ready new0 new1
	newcomer >"$WORK/before"
	expect 0 nettune rollback
	newcomer >"$WORK/after"
	same_dump before after
	[ "$(cat /proc/sys/net/ipv4/ip_forward)" = 0 ]
}

newcomer() {
	local link
	for link in new0 new1; do
		grep -r "" /proc/sys/net/ipv[46]/conf/$link 2>/dev/null | sort || true
		ip -o link show $link
		ethtool -k $link
	done
}

# Each moment of an apply: the rest goes back, and no other link is touched.
test_deleted_in_the_middle_of_apply() {
	local at
	for at in 1 2 3 4 5 6 7 8; do
		odd_start
		dump before
		stops_at $at apply "$WORK/p.yaml"
		ip link delete veth0
		veth
		state veth0 >"$WORK/fresh"
		goes_on 3
		contains "gone"
		state veth0 >"$WORK/after"
		same_dump fresh after
		[ "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)" = 60 ]
		expect 0 nettune status
		contains "Nothing of nettune is in force"
		ip link delete veth0
		rm -rf "$WORK/state"
	done
}

test_deleted_in_the_middle_of_rollback() {
	local at
	for at in 1 2 3 4 5 6 7 8; do
		applied
		stops_at $at rollback
		ip link delete veth0
		veth
		state veth0 >"$WORK/fresh"
		goes_on 0
		state veth0 >"$WORK/after"
		same_dump fresh after
		[ "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)" = 60 ]
		ip link delete veth0
		rm -rf "$WORK/state"
	done
}

# Names move while it runs: what it has begun, it ends with the same device.
swap_names() {
	rename veth0 x
	rename veth1 veth0
	rename x veth1
}

test_swapped_in_the_middle_of_apply() {
	local at
	for at in 1 2 3 4 5 6; do
		odd_start
		state veth0 >"$WORK/before"
		state veth1 >"$WORK/other"
		stops_at $at apply "$WORK/p.yaml"
		swap_names
		kill -CONT $PID
		wait $PID || true
		state veth0 >"$WORK/after"
		same_dump other after
		nettune rollback >"$WORK/out" 2>&1 || fail "$(cat "$WORK/out")"
		state veth1 >"$WORK/after"
		same_dump before after
		state veth0 >"$WORK/after"
		same_dump other after
		ip link delete veth0
		rm -rf "$WORK/state"
	done
}

test_named_interface_comes_late() {
	profile
	expect 69 nettune apply "$WORK/p.yaml"
	sed -i '/rp_filter/d; s/mtu: 1400/optional: true\n    mtu: 1400/' "$WORK/p.yaml"
	expect 0 nettune apply "$WORK/p.yaml"
	[ "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)" = 20 ]
	veth
	expect 0 nettune apply "$WORK/p.yaml" --json
	json '.changes | map(.id) | index("veth0/mtu") != null' true
	json '.changes | map(.kind) | index("sysctl")' null
	[ "$(mtu veth0)" = 1400 ]
	expect 0 nettune rollback --all
	[ "$(mtu veth0)" = 1500 ]
	[ "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)" = 60 ]
}

test_sysctl_of_an_interface_comes_late() {
	printf 'name: lab\nsysctl:\n  net.ipv4.conf.veth0.rp_filter: 2\n' >"$WORK/p.yaml"
	expect 69 nettune apply "$WORK/p.yaml"
	contains "veth0"
	printf 'name: lab\nsysctl:\n  net.ipv4.conf.veth0.rp_filter: {value: 2, optional: true}\n' >"$WORK/p.yaml"
	expect 0 nettune apply "$WORK/p.yaml"
	contains "skipped"
	expect 0 nettune status
	odd_start
	printf 'name: lab\nsysctl:\n  net.ipv4.conf.veth0.rp_filter: {value: 2, optional: true}\n' >"$WORK/p.yaml"
	expect 0 nettune apply "$WORK/p.yaml"
	[ "$(cat /proc/sys/net/ipv4/conf/veth0/rp_filter)" = 2 ]
	expect 0 nettune rollback
	[ "$(cat /proc/sys/net/ipv4/conf/veth0/rp_filter)" = 0 ]
}

main "$@"
