#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Plans for the made-up hosts of tests/fixtures, for the shipped profiles and for those beside the
# expected outputs in tests/golden/HOST. tests/golden/update.sh writes these anew: then read them.
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash"

GOLDEN=$HERE/golden
python=/usr/bin/python3 # where the packages of the distribution are
[ -x "$python" ] || python=python3

# The host below $WORK/host, and all profiles for it in $WORK/profiles.
make_host() {
	need "$python"
	"$python" -B "$HERE/fixtures/make.py" "$1" "$WORK/host" || fail "no fixture $1"
	mkdir "$WORK/profiles" "$WORK/plans"
	install -m 644 "$HERE"/../profiles/*.yaml "$GOLDEN/$1"/*.yaml "$WORK/profiles"
}

# From within, so that no path of this run is in the output.
plan() {
	(cd "$WORK/profiles" && LC_ALL=C.UTF-8 "$NETTUNE" plan --root ../host --profile-dir . \
		--state-dir ../state "$@")
}

# What it says, findings included, and an exit status that is not 0; and the same in JSON.
plan_both() {
	local text=0 json=0
	plan "$1" >"$WORK/plans/$1.txt" 2>&1 || text=$?
	plan "$1" --json >"$WORK/plans/$1.json" 2>"$WORK/err" || json=$?
	[ $text = $json ] || fail "exit $text, with --json $json"
	empty "$(cat "$WORK/err")"
	[ $text = 0 ] || echo "exit $text" >>"$WORK/plans/$1.txt"
}

check_schema() {
	local status=0
	"$python" "$HERE/lib/schema.py" "$WORK"/plans/*.json || status=$?
	case $status in
	0) ;;
	2) echo "# not checked against the schema" >&2 ;;
	*) fail "does not conform to the schema" ;;
	esac
}

compare() {
	local file got=0
	if [ -n "${GOLDEN_UPDATE:-}" ]; then
		rm -f "$GOLDEN/$1"/*.txt "$GOLDEN/$1"/*.json
		cp "$WORK"/plans/* "$GOLDEN/$1"
	fi
	for file in "$GOLDEN/$1"/*.txt "$GOLDEN/$1"/*.json; do
		[ -e "$WORK/plans/${file##*/}" ] || fail "no profile for $file"
	done
	for file in "$WORK"/plans/*; do
		diff -u "$GOLDEN/$1/${file##*/}" "$file" >&2 || got=1
	done
	[ $got = 0 ] || fail "plans differ; tests/golden/update.sh takes them over"
}

check_host() {
	local file profile
	make_host "$1"
	for file in "$WORK"/profiles/*.yaml; do
		profile=$(basename "$file" .yaml)
		plan_both "$profile"
	done
	check_schema
	"$python" -B "$GOLDEN/normal.py" "$WORK"/plans/*.json || fail "no JSON"
	compare "$1"
	[ ! -e "$WORK/state" ] || fail "a plan made the state directory"
}

for host in $("$python" -B "$HERE/fixtures/make.py" --list); do
	eval "test_plans_for_${host//-/_}() { check_host $host; }"
done

# Netlink or ioctl, the plan is the same where the ioctl tells as much.
test_ioctl_plans_the_same() {
	need jq
	make_host mlx5-72cpu
	for profile in hand carry dc-10ge; do
		plan $profile --json | jq 'del(.time)' >"$WORK/netlink"
		NETTUNE_ETHTOOL=ioctl plan $profile --json | jq 'del(.time)' >"$WORK/ioctl"
		[ -s "$WORK/netlink" ] || fail "no plan"
		diff -u "$WORK/netlink" "$WORK/ioctl" >&2 || fail "plans of $profile differ"
	done
}

# Of two thousand links only the one that a rule is about is asked for anything ...
test_other_links_are_not_asked() {
	make_host many-links
	for profile in hand dc-10ge; do
		plan $profile -vv >"$WORK/out" 2>"$WORK/err" || fail "$(cat "$WORK/err")"
		[ "$(grep -c '^ETHTOOL.* eth0: ' "$WORK/err")" -ge 5 ] || fail "$(cat "$WORK/err")"
		! grep -m 5 veth "$WORK/out" "$WORK/err" >&2 || fail "asked for others"
	done
}

# ... and looked for in /sys.
test_other_links_are_not_looked_at() {
	need strace
	make_host many-links
	(cd "$WORK/profiles" && ASAN_OPTIONS=detect_leaks=0 strace -f -o ../trace \
		-e trace=openat,openat2,readlinkat \
		"$NETTUNE" plan --root ../host --profile-dir . hand >/dev/null) || fail "strace"
	grep -q class/net/eth0 "$WORK/trace" || fail "nothing traced"
	! grep -q veth "$WORK/trace" || fail "$(grep -m 5 veth "$WORK/trace")"
}

# The masks that the plan shows as lists are those that the files have as words.
test_same_masks_in_other_words() {
	need jq
	make_host mlx5-72cpu
	echo "000000,1,00000008,00000001" >"$WORK/host/sys/class/net/eth0/queues/rx-0/rps_cpus"
	echo "01,00000008,00000001" >"$WORK/host/sys/class/net/eth0/queues/rx-1/rps_cpus"
	echo "1,8,1" >"$WORK/host/sys/class/net/eth0/queues/rx-2/rps_cpus"
	printf 'name: masks\nversion: 1\ninterfaces:\n  - match: {name: eth0}\n    rps: %s\n' \
		'{queues: {"0-2": "0x10000000800000001"}}' >"$WORK/profiles/masks.yaml"
	expect 0 plan masks --json
	json '[.changed, .summary.unchanged]' '[false,3]'
}

run_tests
