#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The main job on veth: plan, apply, verify, apply again, drift, rollback to the exact state.
. "$(dirname "$0")/../lib/netns.sh"

profile() {
	cat >"$WORK/p.yaml" <<-'END'
		name: lab
		version: 1
		sysctl:
		  net.core.somaxconn: 8192
		  net.ipv4.tcp_rmem: 4096 262144 16777216
		  net.ipv4.tcp_wmem: [4096, 131072, 16777216]
		  net.ipv4.tcp_fin_timeout: 20
		  net.ipv4.ip_local_port_range: 10000 60999
		  net.ipv4.conf.veth0.rp_filter: 2
		interfaces:
		  - match: {name: veth0}
		    mtu: 9000
		    channels: {queues: 2}
		    offloads: {tso: off, gro: on}
		    rps: {cpus: all, flows: 1024}
	END
	chmod 644 "$WORK/p.yaml"
}

test_there_and_back() {
	veth
	profile
	dump before
	expect 0 nettune plan "$WORK/p.yaml" --json
	[ "$(jq .summary.changes <<<"$OUT")" -ge 9 ] || fail "fewer than 9 changes: $OUT"
	expect 0 nettune apply "$WORK/p.yaml" --json
	json .changed true
	json .outcome '"applied"'
	expect 0 nettune verify "$WORK/p.yaml"
	expect 0 nettune verify
	[ "$(cat /sys/class/net/veth0/mtu)" = 9000 ]
	[ "$(cat /sys/class/net/veth0/queues/rx-1/rps_flow_cnt)" = 1024 ]
	[ ! -e /sys/class/net/veth0/queues/rx-2 ]
	expect 0 nettune rollback
	dump after
	same_dump before after
	expect 0 nettune rollback
	contains "already undone"
}

test_second_apply_writes_nothing() {
	veth
	profile
	expect 0 nettune apply "$WORK/p.yaml"
	ASAN_OPTIONS=detect_leaks=0 strace -f -o "$WORK/trace" -e trace=openat,openat2,write,sendto,sendmsg,ioctl \
		"$NETTUNE" --state-dir "$WORK/state" apply "$WORK/p.yaml" --json >"$WORK/out"
	OUT=$(cat "$WORK/out")
	json .changed false
	json .outcome '"unchanged"'
	json .transaction null
	no_writes
}

# Nothing under /proc or /sys was opened for writing, and no message sets anything.
no_writes() {
	! grep -E 'openat2?\(.*(O_WRONLY|O_RDWR)' "$WORK/trace" |
		grep -vE '\.lock"|/dev/null|\.jsonl"' | grep . >&2 || return 1
	! grep -E 'RTM_(NEW|SET)LINK, nlmsg_flags=NLM_F_REQUEST' "$WORK/trace" >&2 || return 1
}

test_dry_run_and_reading_write_nothing() {
	local command
	veth
	profile
	for command in "plan $WORK/p.yaml" "apply --dry-run $WORK/p.yaml" "show $WORK/p.yaml" \
		"verify $WORK/p.yaml" "status" "history" "list" "check $WORK/p.yaml"; do
		# shellcheck disable=SC2086
		ASAN_OPTIONS=detect_leaks=0 strace -f -o "$WORK/trace" -e trace=openat,openat2,write,sendto,sendmsg,ioctl \
			"$NETTUNE" --state-dir "$WORK/state" $command >"$WORK/out" 2>&1 || [ $? = 2 ] ||
			fail "$command: $(cat "$WORK/out")"
		no_writes || fail "$command writes"
	done
	[ ! -e "$WORK/state" ] || fail "a reading command made the state directory"
}

test_reading_as_an_ordinary_user() {
	veth
	profile
	chmod 755 "$WORK"
	expect 0 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$NETTUNE" --state-dir "$WORK/state" plan "$WORK/p.yaml"
	contains veth0
	expect 77 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$NETTUNE" --state-dir "$WORK/state" apply "$WORK/p.yaml"
	[ "$(cat /sys/class/net/veth0/mtu)" = 1500 ]
}

test_drift() {
	veth
	profile
	expect 0 nettune apply "$WORK/p.yaml"
	echo 30 >/proc/sys/net/ipv4/tcp_fin_timeout
	expect 2 nettune verify "$WORK/p.yaml"
	contains tcp_fin_timeout
	expect 2 nettune verify
	expect 2 nettune status
	contains tcp_fin_timeout
}

test_foreign_change_is_left_alone() {
	veth
	profile
	expect 0 nettune apply "$WORK/p.yaml"
	echo 33 >/proc/sys/net/ipv4/tcp_fin_timeout
	expect 5 nettune rollback
	contains tcp_fin_timeout
	[ "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)" = 33 ]
	[ "$(cat /sys/class/net/veth0/mtu)" = 1500 ]
}

# The kernel refuses the third number after it has stored the first two.
test_refused_vector_is_put_back() {
	veth
	cat >"$WORK/p.yaml" <<-'END'
		name: bad
		sysctl:
		  net.ipv4.tcp_fin_timeout: 20
		  net.ipv4.tcp_rmem: 5000 90000 2147483648
	END
	dump before
	expect 3 nettune apply "$WORK/p.yaml"
	contains net.ipv4.tcp_rmem
	contains 2147483648
	contains "Invalid argument"
	dump after
	same_dump before after
	expect 3 nettune apply "$WORK/p.yaml" --json
	json '.changes | map(select(.key == "net.ipv4.tcp_rmem").observed)' \
		"[\"$(tr '\t' ' ' </proc/sys/net/ipv4/tcp_rmem)\"]"
}

test_one_bad_setting_puts_all_back() {
	veth
	cat >"$WORK/p.yaml" <<-'END'
		name: bad
		sysctl:
		  net.ipv4.tcp_congestion_control: reno
		  net.ipv4.tcp_ecn: 7
		  net.ipv4.tcp_fin_timeout: 20
		interfaces:
		  - match: {name: veth0}
		    mtu: 4000
	END
	dump before
	expect 3 nettune apply "$WORK/p.yaml" --json
	json .outcome '"put-back"'
	json .changed false
	dump after
	same_dump before after
}

test_killed_in_the_middle() {
	local delay
	veth
	profile
	dump before
	for delay in 0 0.005 0.01 0.02 0.03 0.05 0.08; do
		"$NETTUNE" --state-dir "$WORK/state" apply "$WORK/p.yaml" >"$WORK/out" 2>&1 &
		sleep "$delay"
		kill -9 $! 2>/dev/null || true
		wait $! 2>/dev/null || true
		nettune rollback >"$WORK/out" 2>&1 || fail "rollback: $(cat "$WORK/out")"
		dump after
		same_dump before after
	done
}

main "$@"
