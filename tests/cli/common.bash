# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Sourced by the scripts in tests/cli. Every function test_* runs in a subshell with a directory of
# its own ($WORK) and is one TAP line; nothing of the machine is changed.
set -uo pipefail

: "${NETTUNE:?path of the nettune to test}"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export HERE LC_ALL=C
unset NO_COLOR NETTUNE_ETHTOOL NETTUNE_RECORD NETTUNE_FAULT

fail() {
	printf '# %s\n' "$*" >&2
	exit 1
}

nettune() {
	"$NETTUNE" --state-dir "$WORK/state" --profile-dir "$WORK/profiles" "$@"
}

# expect STATUS COMMAND...: its output is in $OUT and $ERR afterwards.
expect() {
	local want=$1 got=0
	shift
	"$@" >"$WORK/out" 2>"$WORK/err" || got=$?
	OUT=$(cat "$WORK/out")
	ERR=$(cat "$WORK/err")
	[ "$got" = "$want" ] || fail "exit $got, wanted $want: $*
${OUT}
${ERR}"
}

# has TEXT WORD
has() {
	case $1 in
	*"$2"*) ;;
	*) fail "no \"$2\" in: $1" ;;
	esac
}

empty() {
	[ -z "$1" ] || fail "not empty: $1"
}

# json FILTER WANT: over $OUT, which is one document
json() {
	local got
	[ "$(jq -s length <<<"$OUT" 2>&1)" = 1 ] || fail "not one JSON document: $OUT"
	got=$(jq -c "$1" <<<"$OUT" 2>&1) || fail "$1: $got: $OUT"
	[ "$got" = "$2" ] || fail "$1 is $got, wanted $2: $OUT"
}

profile() {
	mkdir -p "$WORK/profiles"
	cat >"$WORK/profiles/$1.yaml"
}

need() {
	command -v "$1" >/dev/null || {
		echo "# no $1" >&2
		exit 77
	}
}

run_tests() {
	local names name n=0 failed=0 got
	names=$(declare -F | awk '$3 ~ /^test_/ {print $3}')
	echo "1..$(wc -w <<<"$names")"
	for name in $names; do
		n=$((n + 1))
		got=0
		(
			WORK=$(mktemp -d)
			trap 'rm -rf "$WORK"' EXIT
			chmod 755 "$WORK"
			"$name"
		) || got=$?
		case $got in
		0) echo "ok $n - $name" ;;
		77) echo "ok $n - $name # SKIP" ;;
		*)
			echo "not ok $n - $name"
			failed=1
			;;
		esac
	done
	exit $failed
}
