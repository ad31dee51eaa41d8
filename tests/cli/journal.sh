#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the journal is good for on the command line: verify, status, history, forget, and a run that
# died. Each test in a network namespace of its own, where nettune changes sysctls and a veth.
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash"

if [ "${1:-}" != --inside ]; then
	[ "$(id -u)" = 0 ] || {
		echo "1..0 # SKIP needs root"
		exit 0
	}
	exec unshare --net --mount --propagation private bash "$0" --inside
fi
mount -t sysfs sysfs /sys || exit 1
mkdir -p /run/nettune && mount -t tmpfs -o mode=0700 tmpfs /run/nettune || exit 1
need jq

FIN=/proc/sys/net/ipv4/tcp_fin_timeout
SACK=/proc/sys/net/ipv4/tcp_sack

# tcp NAME FIN_TIMEOUT [SACK]
tcp() {
	echo 60 >$FIN
	echo 1 >$SACK
	write_tcp "$@"
}

write_tcp() {
	{
		echo "name: $1"
		echo "version: 1"
		echo "sysctl:"
		echo "  net.ipv4.tcp_fin_timeout: $2"
		[ -z "${3:-}" ] || echo "  net.ipv4.tcp_sack: $3"
	} | profile "$1"
}

is() {
	[ "$(cat "$1")" = "$2" ] || fail "$1 is $(cat "$1"), wanted $2"
}

# Release builds have no fault plan.
need_faults() {
	grep -qa NETTUNE_FAULT "$NETTUNE" || exit 77
}

last_line() {
	tail -n 1 <<<"$OUT"
}

id_of_newest() {
	expect 0 nettune history --json
	ID=$(jq -r '.transactions[0].id' <<<"$OUT")
}

test_apply_verify_rollback() {
	tcp a 17
	expect 0 nettune apply a
	is $FIN 17
	expect 0 nettune verify
	expect 0 nettune verify a
	expect 0 nettune status
	has "$(last_line)" "nettune rollback --state-dir $WORK/state"
	expect 0 nettune apply a
	expect 0 nettune history --json
	json '[.transactions[] | [.state, .outcome, .profile, .changes]]' '[["in-force","applied","a",1]]'
	expect 0 nettune rollback
	is $FIN 60
	expect 0 nettune rollback
	has "$OUT$ERR" "already undone"
	expect 0 nettune history --json
	json '[.transactions[] | .state]' '["undone"]'
	expect 0 nettune status
	has "$(last_line)" "nettune list"
}

test_drift() {
	tcp a 17
	expect 0 nettune apply a
	echo 33 >$FIN
	expect 2 nettune verify --json
	json '[.in_sync, (.differences[] | .id, .wanted, .observed, .verdict, .cause)]' \
		'[false,"sysctl/net.ipv4.tcp_fin_timeout","17","33","drifted","drifted"]'
	expect 2 nettune status
	has "$(last_line)" "nettune plan a"
	expect 2 nettune verify a --json
	json '[.differences[] | .cause]' '["drifted"]'
	expect 5 nettune rollback
	is $FIN 33
}

test_causes() {
	tcp a 17
	expect 2 nettune verify a --json
	json '[.differences[] | .cause]' '["never-applied"]'
	expect 0 nettune apply a
	write_tcp a 18 0
	expect 2 nettune verify a --json
	json '[.differences[] | [.key, .cause]] | sort' \
		'[["net.ipv4.tcp_fin_timeout","profile-changed"],["net.ipv4.tcp_sack","never-applied"]]'
	profile rule <<-END
		name: rule
		version: 1
		interfaces:
		  - match: {name: eth77}
		    mtu: 9000
	END
	expect 2 nettune verify rule --json
	json '[.differences[] | [.kind, .wanted, .observed, .cause]]' '[["mtu","9000",null,"unmatched"]]'
	expect 0 nettune rollback
}

# A value that was right already is part of what was applied.
test_drift_of_what_was_right_already() {
	tcp a 17 1
	expect 0 nettune apply a
	echo 0 >$SACK
	expect 2 nettune verify --json
	json '[.differences[] | .key]' '["net.ipv4.tcp_sack"]'
	expect 0 nettune verify --only mtu
	echo 1 >$SACK
	expect 0 nettune verify
	expect 0 nettune rollback
}

test_the_newest_transaction_decides() {
	tcp a 17
	expect 0 nettune apply a
	write_tcp b 18
	expect 0 nettune apply b
	expect 0 nettune verify
	expect 2 nettune verify a --json
	json '[.differences[] | .cause]' '["profile-changed"]'
	expect 0 nettune rollback
	is $FIN 17
	expect 0 nettune verify
	expect 0 nettune rollback --all
	is $FIN 60
}

test_a_device_that_is_gone() {
	ip link add veth0 type veth peer name veth1
	profile mtu <<-END
		name: mtu
		version: 1
		interfaces:
		  - match: {name: veth0}
		    mtu: 1400
	END
	expect 0 nettune apply mtu
	expect 0 nettune verify -i veth0
	ip link del veth0
	expect 2 nettune verify --json
	json '[.differences[] | [.interface, .verdict]]' '[["veth0","gone"]]'
	ip link add veth0 type veth peer name veth1
	expect 2 nettune verify --json
	json '[.differences[] | [.interface, .verdict]]' '[["veth0","gone"]]'
	ip link del veth0
	id_of_newest
	expect 0 nettune forget "$ID"
}

test_forget() {
	tcp a 17
	expect 0 nettune apply a
	id_of_newest
	expect 0 nettune forget "$ID" --json
	json '[.format, .transaction, .outcome]' "[\"nettune-forget/1\",\"$ID\",\"forgotten\"]"
	is $FIN 17
	expect 0 nettune forget "$ID" --json
	json .outcome '"unchanged"'
	expect 0 nettune history --json
	json '[.transactions[] | .state]' '["forgotten"]'
	expect 0 nettune rollback
	is $FIN 17
	expect 0 nettune verify
	echo 60 >$FIN
}

test_an_unfinished_transaction() {
	need_faults
	tcp a 17 0
	NETTUNE_FAULT=2:kill nettune apply a >/dev/null 2>&1
	[ -d "$WORK/state/journal" ] || fail "nothing was begun"
	for command in status verify "apply a" "apply a --dry-run"; do
		# shellcheck disable=SC2086
		expect 4 nettune $command
		has "$OUT$ERR" "nettune rollback"
	done
	expect 4 nettune status
	has "$(last_line)" "nettune rollback --state-dir"
	expect 4 nettune apply a --json
	json '[.format, .exit, .error.id]' '["nettune-error/1",4,"unfinished"]'
	expect 0 nettune plan a
	has "$OUT$ERR" "is unfinished"
	expect 0 nettune history --json
	json '[.transactions[] | .state]' '["unfinished"]'
	expect 0 nettune rollback
	is $FIN 60
	is $SACK 1
	expect 0 nettune status
	expect 0 nettune apply a
	expect 0 nettune rollback
}

test_a_refused_write_is_put_back() {
	need_faults
	tcp a 17 0
	NETTUNE_FAULT=2:EIO expect 3 nettune apply a
	[ "$(cat $FIN)$(cat $SACK)" = 601 ] || fail "not put back: $(cat $FIN) $(cat $SACK)"
	expect 0 nettune status
	expect 0 nettune history --json
	json '[.transactions[] | [.state, .outcome]]' '[["undone","put-back"]]'
}

test_a_full_state_directory() {
	tcp a 17
	mkdir "$WORK/state"
	mount -t tmpfs -o size=4k,mode=0700 tmpfs "$WORK/state" || exit 77
	trap 'umount "$WORK/state"; rm -rf "$WORK"' EXIT
	expect 1 nettune apply a
	is $FIN 60
	has "$OUT$ERR" "No space left"
	[ -z "$(ls "$WORK/state/journal")" ] || fail "a journal of nothing is left"
}

test_a_read_only_state_directory() {
	tcp a 17
	mkdir "$WORK/state"
	mount -t tmpfs -o ro,mode=0700 tmpfs "$WORK/state" || exit 77
	trap 'umount "$WORK/state"; rm -rf "$WORK"' EXIT
	expect 1 nettune apply a --json
	json '[.format, .outcome, .changed, .transaction]' '["nettune-apply/1","failed",false,null]'
	is $FIN 60
}

# What apply has done stands, whoever reads its report.
test_a_lost_reader_does_not_undo() {
	tcp a 17
	[ -c /dev/full ] || exit 77
	nettune apply a >/dev/full 2>"$WORK/err" || fail "exit $?: $(cat "$WORK/err")"
	is $FIN 17
	nettune verify >/dev/full 2>"$WORK/err"
	[ $? = 1 ] || fail "verify: not 1"
	expect 0 nettune rollback
}

test_namespaces_are_apart() {
	tcp a 17
	expect 0 nettune apply a
	id_of_newest
	export -f nettune
	export WORK NETTUNE
	unshare --net bash -c 'nettune history --json' >"$WORK/other" ||
		fail "history: $(cat "$WORK/other")"
	OUT=$(cat "$WORK/other")
	json '[.transactions[] | .state]' '["other-namespace"]'
	expect 1 unshare --net bash -c "nettune forget $ID"
	has "$ERR" "another network namespace"
	expect 0 nettune rollback
}

run_tests
