#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# list and check, and what a bad or missing profile does to the others.
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash"

good() {
	profile "$1" <<-END
		name: $1
		version: 1
		description: the profile $1
		sysctl:
		  net.ipv4.tcp_fin_timeout: 30
	END
}

bad() {
	profile "$1" <<-END
		name: $1
		version: 1
		sysctl:
		  net.ipv4.tcp_fin_timeout:
		interfaces:
		  - match: {name: eth0}
		    ringz: {rx: 512}
	END
}

test_list() {
	good one
	good two
	bad broken
	expect 0 nettune list
	has "$OUT" "the profile one"
	has "$OUT" "two"
	has "$OUT" "broken"
	mkdir -p "$WORK/root/etc/nettune/profiles"
	cp "$WORK/profiles/one.yaml" "$WORK/root/etc/nettune/profiles"
	need jq
	expect 0 nettune list --root "$WORK/root" --json
	json .format '"nettune-list/1"'
}

test_check() {
	good one
	bad broken
	expect 0 nettune check "$WORK/profiles/one.yaml"
	expect 0 nettune check one
	expect 65 nettune check "$WORK/profiles/one.yaml" "$WORK/profiles/broken.yaml"
	has "$ERR" "broken.yaml:4:"
	has "$ERR" "broken.yaml:7:"
	has "$ERR" "ringz"
	has "$ERR" "rings"
}

test_check_tells_all_mistakes_in_json() {
	need jq
	bad broken
	expect 65 nettune check broken --json
	json '[.format, .exit]' '["nettune-error/1",65]'
	json '[.error.locations[] | .line]' '[4,7]'
	json '.error.locations | all(.file | endswith("broken.yaml"))' true
	json '.error.locations | all(.column > 0)' true
}

test_check_of_a_missing_file() {
	expect 65 nettune check "$WORK/none.yaml"
	has "$ERR" "none.yaml"
	good datacenter
	expect 65 nettune check datacentre
	has "$ERR" "datacenter"
}

test_plan_of_a_bad_profile() {
	bad broken
	for command in plan show verify "apply --dry-run"; do
		# shellcheck disable=SC2086
		expect 65 nettune $command broken
		empty "$OUT"
		has "$ERR" "broken.yaml:7:"
	done
}

test_all_profiles_are_read_before_failing() {
	bad one
	bad two
	expect 65 nettune plan one none two
	has "$ERR" "one.yaml:7:"
	has "$ERR" "two.yaml:7:"
	has "$ERR" "none"
}

test_an_unsafe_profile_is_not_read_as_root() {
	[ "$(id -u)" = 0 ] || exit 77
	good open
	chmod 666 "$WORK/profiles/open.yaml"
	expect 77 nettune check open
	has "$ERR" "open.yaml"
}

test_defaults_of_the_host() {
	good one
	mkdir -p "$WORK/root/etc/nettune/profiles" "$WORK/root/proc" "$WORK/root/sys"
	cp "$WORK/profiles/one.yaml" "$WORK/root/etc/nettune/profiles"
	echo "profiles: [one, none]" >"$WORK/root/etc/nettune/nettune.yaml"
	expect 65 "$NETTUNE" plan --root "$WORK/root"
	has "$ERR" "taking those of $WORK/root/etc/nettune/nettune.yaml: one none"
}

test_colour() {
	bad broken
	expect 65 nettune check broken --color=always
	has "$ERR" $'\e['
	expect 65 nettune check broken
	case $ERR in *$'\e['*) fail "colour without a terminal" ;; esac
}

run_tests
