#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every write to the kernel fails once, and from there on: the exit status must tell the truth, what
# differs must be named, and a rollback must lead back. Needs a build with fault plans (Debug).
. "$(dirname "$0")/../lib/netns.sh"

profile() {
	cat >"$WORK/p.yaml" <<-'END'
		name: lab
		on-unsupported: fail
		sysctl:
		  net.ipv4.ip_forward: 1
		  net.ipv4.tcp_fin_timeout: 20
		  net.ipv4.conf.veth0.rp_filter: 2
		interfaces:
		  - match: {name: veth0}
		    mtu: 9000
		    channels: {queues: 2}
		    offloads: {sg: off}
		    rps: {cpus: "0x1", flows: 1000}
		  - match: {name: veth1}
		    mtu: 9000
		END
	chmod 644 "$WORK/p.yaml"
}

# Values that no default leads back to by itself.
odd_start() {
	AT=start
	trap '[ $? = 0 ] || echo "# at: $AT" >&2; rm -rf "$WORK"' EXIT
	veth
	echo 1 >/sys/class/net/veth0/queues/rx-3/rps_cpus
	echo 1 >/sys/class/net/veth0/queues/tx-2/xps_cpus
	echo 1400 >/proc/sys/net/ipv6/conf/veth0/mtu
	echo 0 >/proc/sys/net/ipv4/ip_forward
	echo 1 >/proc/sys/net/ipv4/conf/veth0/forwarding
	echo 0 >/proc/sys/net/ipv4/conf/veth0/rp_filter
	echo 60 >/proc/sys/net/ipv4/tcp_fin_timeout
	profile
	dump before
}

# run PLAN COMMAND...: its status is in $STATUS, its document in $OUT
run() {
	AT="$*"
	STATUS=0
	OUT=$(NETTUNE_FAULT=$1 "$NETTUNE" --state-dir "$WORK/state" --json "${@:2}" \
		2>"$WORK/err") || STATUS=$?
	jq -e . <<<"$OUT" >/dev/null || fail "no JSON: $OUT $(cat "$WORK/err")"
}

# Sets $DIFFERS, for there is no "set -e" in a function that is asked.
compare() {
	DIFFERS=false
	dump after
	diff "$WORK/before" "$WORK/after" >"$WORK/diff" || DIFFERS=true
}

# ID WANTED NOW: named among what is left over exactly if it differs
check_named() {
	local named differs=true

	named=$(jq --arg id "$1" '.warnings | any(.id == "left-over" and .key == $id)' <<<"$OUT")
	[ "$2" != "$3" ] || differs=false
	[ "$named" = "$differs" ] ||
		fail "$1: $2, then $3: named: $named: $(jq -c .warnings <<<"$OUT")"
}

check_names() {
	check_named veth0/mtu 1500 "$(cat /sys/class/net/veth0/mtu)"
	check_named veth1/mtu 1500 "$(cat /sys/class/net/veth1/mtu)"
	check_named sysctl/net.ipv4.ip_forward 0 "$(cat /proc/sys/net/ipv4/ip_forward)"
	check_named sysctl/net.ipv4.tcp_fin_timeout 60 "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)"
	check_named sysctl/net.ipv4.conf.veth0.rp_filter 0 \
		"$(cat /proc/sys/net/ipv4/conf/veth0/rp_filter)"
	check_named sysctl/net.ipv6.conf.veth0.mtu 1400 "$(cat /proc/sys/net/ipv6/conf/veth0/mtu)"
	check_named veth0/channels.rx 4 "$(find /sys/class/net/veth0/queues -name 'rx-*' | wc -l)"
	check_named veth0/rx-0/rps.cpus 0 "$(cat /sys/class/net/veth0/queues/rx-0/rps_cpus)"
}

# Whatever is left to be done: afterwards all is as before.
lead_back() {
	expect 0 nettune rollback
	if $DIFFERS; then
		dump after
		same_dump before after
	fi
	rm -rf "$WORK/state"
}

# end_of_writes N: the fault at N did not strike any more; were the others all?
end_of_writes() {
	[ "$1" -gt 8 ] || fail "exit 0 with a fault at write $1: $OUT"
}

each_write_of_apply() {
	local n

	odd_start
	for ((n = 1; ; n++)); do
		run "$n:$1" apply "$WORK/p.yaml"
		compare
		case $STATUS in
		0)
			json .outcome '"applied"'
			break
			;;
		3)
			json .outcome '"put-back"'
			json .changed false
			! $DIFFERS || fail "exit 3, but $(cat "$WORK/diff")"
			;;
		4)
			json .outcome '"incomplete"'
			$DIFFERS || fail "exit 4, and nothing differs: $OUT"
			check_names
			expect 4 nettune status
			expect 4 nettune apply "$WORK/p.yaml"
			;;
		*)
			fail "exit $STATUS: $OUT"
			;;
		esac
		lead_back
	done
	end_of_writes "$n"
}

test_apply_fails_once() {
	each_write_of_apply EIO
}

# Nothing can be put back, either.
test_apply_fails_for_good() {
	each_write_of_apply EPERM:on
}

test_apply_is_ignored() {
	each_write_of_apply ignored
}

each_write_of_rollback() {
	local n

	odd_start
	for ((n = 1; ; n++)); do
		expect 0 nettune apply "$WORK/p.yaml"
		run "$n:$1" rollback
		compare
		if $DIFFERS; then
			[ "$STATUS" = 4 ] || fail "exit $STATUS, but $(cat "$WORK/diff")"
			json .outcome '"incomplete"'
			check_names
			expect 4 nettune status
		else
			[ "$STATUS" = 0 ] || fail "exit $STATUS, and nothing differs: $OUT"
			json .outcome '"rolled-back"'
			break
		fi
		lead_back
	done
	end_of_writes "$n"
}

# What failed once is written again in the same run.
test_rollback_fails_once() {
	local n

	odd_start
	for ((n = 1; n <= 20; n++)); do
		expect 0 nettune apply "$WORK/p.yaml"
		run "$n:EIO" rollback
		[ "$STATUS" = 0 ] || fail "exit $STATUS: $OUT"
		json .outcome '"rolled-back"'
		dump after
		same_dump before after
		rm -rf "$WORK/state"
	done
}

test_rollback_fails_for_good() {
	each_write_of_rollback EBUSY:on
}

main "$@"
