#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Commands that look at a host: in a network namespace of the test's own with a /sys and a
# /run/nettune that fit, where nothing is changed either.
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

good() {
	profile good <<-END
		name: good
		version: 1
		sysctl:
		  net.ipv4.tcp_fin_timeout: ${1:-$(cat /proc/sys/net/ipv4/tcp_fin_timeout)}
	END
}

as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

test_nothing_is_there() {
	expect 0 nettune history
	expect 0 nettune status
	has "$(tail -n 1 <<<"$OUT")" "nettune list"
	expect 0 nettune verify
	expect 0 nettune rollback
	[ ! -e "$WORK/state" ] || fail "a reading command or a no-op made the state directory"
}

test_unknown_transactions() {
	(umask 077 && mkdir -p "$WORK/state/journal")
	for id in 20261130T221403Z-3fa9c1 ../../etc/passwd nonsense; do
		expect 65 nettune forget "$id"
		has "$ERR" "$id"
		expect 65 nettune rollback "$id"
		expect 65 nettune rollback --to "$id" --dry-run
	done
}

test_unsafe_state_directory() {
	mkdir "$WORK/state"
	chmod 777 "$WORK/state"
	for command in history status verify rollback; do
		expect 77 nettune $command
		has "$ERR" "others can write"
	done
}

test_a_damaged_journal_is_told_of() {
	need jq
	(umask 077 && mkdir -p "$WORK/state/journal")
	printf '{"record": \n{}\n' >"$WORK/state/journal/20261130T221403Z-3fa9c1.jsonl"
	expect 0 nettune history --json
	json '[.warnings[] | .id]' '["journal-damaged"]'
	expect 65 nettune forget 20261130T221403Z-3fa9c1
}

test_detailed_exitcode() {
	rm -f /run/nettune/*
	good
	expect 0 nettune plan good --detailed-exitcode
	expect 0 nettune apply good --dry-run --detailed-exitcode
	expect 0 nettune verify good
	good 17
	expect 0 nettune plan good
	has "$OUT" "nettune apply good"
	expect 2 nettune plan good --detailed-exitcode
	expect 0 nettune apply good --dry-run
	expect 2 nettune apply good --dry-run --detailed-exitcode
	expect 2 nettune verify good
	[ ! -e "$WORK/state" ] || fail "a dry run made the state directory"
	[ -z "$(ls -A /run/nettune)" ] || fail "a dry run took a lock"
}

test_dry_run_is_the_plan() {
	need jq
	good 17
	expect 0 nettune plan good --json
	plan=$(jq -c 'del(.time)' <<<"$OUT")
	expect 0 nettune apply good --dry-run --json
	[ "$(jq -c 'del(.time)' <<<"$OUT")" = "$plan" ] || fail "$OUT"
}

test_interfaces() {
	good
	expect 69 nettune plan good -i eth77
	has "$ERR" "no interface eth77"
	ip link add veth0 type veth peer name veth1
	expect 69 nettune plan good -i veht0
	has "$ERR" "did you mean veth0?"
	expect 0 nettune plan good -i veth0
	has "$OUT$ERR" "nothing that was asked for applies to it"
	expect 69 nettune apply good -i veth0 --dry-run
	ip link del veth0
}

test_rules_without_an_interface() {
	rule() {
		profile rules <<-END
			name: rules
			version: 1
			interfaces:
			  - match: {name: eth77}
			    mtu: 9000
			    $*
		END
	}
	rule
	expect 0 nettune plan rules
	has "$OUT$ERR" "no interface of this host matches"
	expect 69 nettune apply rules --dry-run
	has "$ERR" "rules.yaml:4:"
	expect 2 nettune verify rules
	expect 0 nettune plan rules --only sysctl --detailed-exitcode
	expect 0 nettune apply rules --only sysctl --dry-run
	rule "optional: true"
	expect 0 nettune apply rules --dry-run
	expect 0 nettune verify rules
}

test_an_ordinary_user() {
	need setpriv
	as_nobody "$NETTUNE" --version >/dev/null 2>&1 || exit 77
	good 17
	chmod -R a+rX "$WORK"
	expect 0 as_nobody "$NETTUNE" --state-dir "$WORK/state" plan "$WORK/profiles/good.yaml"
	has "$OUT" "tcp_fin_timeout"
	expect 0 as_nobody "$NETTUNE" --state-dir "$WORK/state" apply --dry-run \
		"$WORK/profiles/good.yaml"
	for command in "apply $WORK/profiles/good.yaml" rollback "forget x"; do
		# shellcheck disable=SC2086
		expect 77 as_nobody "$NETTUNE" --state-dir "$WORK/state" $command
		empty "$OUT"
	done
	need jq
	expect 77 as_nobody "$NETTUNE" --json --state-dir "$WORK/state" rollback
	json '[.format, .exit]' '["nettune-error/1",77]'
}

test_a_lock_that_is_held() {
	need flock
	need python3
	good 17
	expect 0 nettune rollback # makes the lock file of this namespace
	lock=$(echo /run/nettune/netns-*.lock)
	python3 - "$lock" "$WORK/held" <<-'END' &
		import fcntl, struct, sys, time
		f = open(sys.argv[1], "r+")
		fcntl.fcntl(f, 37, struct.pack("hhllhh", fcntl.F_WRLCK, 0, 0, 0, 0, 0))
		f.write("4711\n")
		f.flush()
		open(sys.argv[2], "w").close()
		time.sleep(60)
	END
	holder=$!
	trap 'kill $holder; rm -rf "$WORK"' EXIT
	until [ -e "$WORK/held" ]; do sleep 0.05; done
	expect 75 nettune rollback --lock-timeout 100ms
	has "$ERR" "pid 4711"
	expect 75 nettune apply good --lock-timeout 0
	expect 0 nettune plan good
}

run_tests
