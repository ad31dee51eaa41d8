#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Death before each write of an apply and of a rollback: status says so, apply refuses, and a
# rollback leads back. Needs a build with fault plans (Debug).
. "$(dirname "$0")/../lib/netns.sh"

profile() {
	cat >"$WORK/p.yaml" <<-'END'
		name: lab
		sysctl:
		  net.ipv4.ip_forward: 1
		  net.ipv4.ipfrag_high_thresh: 262144
		  net.ipv4.ipfrag_low_thresh: 196608
		  net.ipv4.conf.all.rp_filter: 2
		interfaces:
		  - match: {name: mac.5}
		    mtu: 1400
		  - match: {name: veth0}
		    mtu: 1400
		    channels: {rx: 2, tx: 3}
		    offloads: {tso: off}
		    rps: {cpus: "0x1", flows: 1000}
	END
	chmod 644 "$WORK/p.yaml"
}

odd_start() {
	AT=start
	trap '[ $? = 0 ] || echo "# at: $AT" >&2; rm -rf "$WORK"' EXIT
	veth
	ip link set veth0 mtu 9000
	ip link add link veth0 name mac.5 type macvlan
	ip link set mac.5 up
	ethtool -L veth0 rx 3
	echo 1 >/sys/class/net/veth0/queues/rx-2/rps_cpus
	echo 128 >/sys/class/net/veth0/queues/rx-2/rps_flow_cnt
	echo 1 >/sys/class/net/veth0/queues/tx-3/xps_cpus
	echo 2000 >/proc/sys/net/ipv6/conf/veth0/mtu
	echo 0 >/proc/sys/net/ipv4/ip_forward
	echo 1 >/proc/sys/net/ipv4/conf/mac.5/forwarding
	profile
	dump before
}

# die N COMMAND...: killed before write N; its status is in $STATUS
die() {
	AT="$*"
	STATUS=0
	# the shell's own word on it goes nowhere
	{
		NETTUNE_FAULT=$1:kill "$NETTUNE" --state-dir "$WORK/state" "${@:2}" \
			>"$WORK/out" || STATUS=$?
	} 2>/dev/null
	[ "$STATUS" = 0 ] || [ "$STATUS" = 137 ] || fail "exit $STATUS: $(cat "$WORK/out")"
}

lead_back() {
	expect 0 nettune rollback
	dump after
	same_dump before after
	expect 0 nettune status
	rm -rf "$WORK/state"
}

test_apply_dies() {
	local n

	odd_start
	for ((n = 1; ; n++)); do
		die "$n" apply "$WORK/p.yaml"
		[ "$STATUS" != 0 ] || break
		expect 4 nettune status --json
		json '.unfinished | length' 1
		expect 4 nettune apply "$WORK/p.yaml"
		contains "nettune rollback"
		expect 0 nettune plan "$WORK/p.yaml"
		lead_back
	done
	[ "$n" -gt 10 ] || fail "only $((n - 1)) writes"
}

test_rollback_dies() {
	local n

	odd_start
	for ((n = 1; ; n++)); do
		expect 0 nettune apply "$WORK/p.yaml"
		die "$n" rollback
		[ "$STATUS" != 0 ] || break
		expect 4 nettune status
		expect 4 nettune apply "$WORK/p.yaml"
		lead_back
	done
	[ "$n" -gt 10 ] || fail "only $((n - 1)) writes"
}

# What puts back a killed apply is killed itself, and again.
test_both_die() {
	local n

	odd_start
	for n in 3 6 9; do
		die "$n" apply "$WORK/p.yaml"
		die 2 rollback
		expect 4 nettune status
		die 2 rollback
		lead_back
	done
}

# A foreign change to what is half applied does not survive: the state before is what counts.
test_foreign_change_after_death() {
	odd_start
	die 6 apply "$WORK/p.yaml"
	ip link set veth0 mtu 4000
	lead_back
}

# The put-back of a failed apply dies, too.
test_put_back_dies() {
	local n

	odd_start
	for n in 7 8 9 10; do
		die "6:EIO,$n" apply "$WORK/p.yaml"
		[ "$STATUS" = 137 ] || fail "exit $STATUS"
		expect 4 nettune status
		expect 4 nettune apply "$WORK/p.yaml"
		lead_back
	done
}

main "$@"
