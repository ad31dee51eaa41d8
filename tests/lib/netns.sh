# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Sourced by the scripts in tests/netns. Every function test_* of the script runs in a network and
# mount namespace of its own, with a /sys of that namespace and a /run/nettune of its own, and is
# one TAP line. NETTUNE names the program.
set -euo pipefail

: "${NETTUNE:?path of the nettune to test}"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
DUMP=$HERE/lib/dump.sh

fail() {
	echo "# $*" >&2
	return 1
}

# expect STATUS COMMAND...: runs it; its output is in $OUT, also after a failure.
expect() {
	local want=$1 got=0
	shift
	OUT=$("$@" 2>&1) || got=$?
	if [ "$got" != "$want" ]; then
		printf '# %s\n' "exit $got, wanted $want: $*" "${OUT//$'\n'/$'\n# '}" >&2
		return 1
	fi
}

nettune() {
	"$NETTUNE" --state-dir "$WORK/state" "$@"
}

# contains TEXT: in $OUT
contains() {
	case $OUT in
	*"$1"*) ;;
	*) printf '# %s\n' "no \"$1\" in:" "${OUT//$'\n'/$'\n# '}" >&2; return 1 ;;
	esac
}

lacks() {
	case $OUT in
	*"$1"*) printf '# %s\n' "\"$1\" in:" "${OUT//$'\n'/$'\n# '}" >&2; return 1 ;;
	esac
}

# json FILTER WANT: jq over $OUT
json() {
	local got
	got=$(jq -c "$1" <<<"$OUT") || fail "no JSON: $OUT" || return 1
	[ "$got" = "$2" ] || fail "$1 is $got, wanted $2 in: $OUT"
}

dump() {
	sh "$DUMP" >"$WORK/$1"
}

same_dump() {
	diff -u "$WORK/$1" "$WORK/$2" >"$WORK/diff" || { sed 's/^/# /' "$WORK/diff" >&2; return 1; }
}

# The first carrier makes IPv6 set the link up, and its MTU with it (addrconf_notify): not later.
ready() {
	local i link
	for link in "$@"; do
		for ((i = 0; i < 500; i++)); do
			[ -z "$(ip -6 -o address show dev "$link" scope link)" ] || continue 2
			sleep 0.01
		done
		fail "$link has no IPv6 address"
	done
}

veth() {
	ip link add veth0 numrxqueues 4 numtxqueues 4 type veth peer name veth1 numrxqueues 4 \
		numtxqueues 4
	ip link set veth0 up
	ip link set veth1 up
	ready veth0 veth1
}

run_one() {
	WORK=$(mktemp -d)
	trap 'rm -rf "$WORK"' EXIT
	mount -t sysfs sysfs /sys
	mkdir -p /run/nettune
	mount -t tmpfs -o mode=0700 tmpfs /run/nettune
	ip link set lo up
	"$1"
}

run_tests() {
	local name n=0 failed=0 names
	names=$(declare -F | awk '$3 ~ /^test_/ {print $3}')
	echo "1..$(wc -w <<<"$names")"
	for name in $names; do
		n=$((n + 1))
		if unshare --net --mount --propagation private bash "$0" --one "$name"; then
			echo "ok $n - $name"
		else
			echo "not ok $n - $name"
			failed=1
		fi
	done
	return $failed
}

main() {
	if [ "${1:-}" = --one ]; then
		run_one "$2"
	else
		run_tests
	fi
}
