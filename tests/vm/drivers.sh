# SPDX-License-Identifier: GPL-2.0-or-later
# The shipped profiles on igb, e1000e, vmxnet3 and virtio-net: applied, verified, applied again with
# nothing to do, and rolled back to the exact state.
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

all_up() {
	local link
	for link in /sys/class/net/*; do
		link_up "${link##*/}"
	done
}

there() {
	nettune apply "$1" --json >"$WORK/out" || fail "apply: $(cat "$WORK/out")"
	grep -q '"outcome": "applied"' "$WORK/out" || fail "$(cat "$WORK/out")"
	nettune verify "$1" >"$WORK/out" 2>&1 || fail "verify: $(cat "$WORK/out")"
	nettune apply "$1" --json >"$WORK/out" || fail "again: $(cat "$WORK/out")"
	grep -q '"changed": false' "$WORK/out" || fail "again: $(cat "$WORK/out")"
}

and_back() {
	nettune rollback >"$WORK/out" 2>&1 || fail "rollback: $(cat "$WORK/out")"
	dump after
	same_dump before after
}

run_case "links come up" all_up
dump before
for profile in dc-10ge short-conn-gateway cross-dc-lfn; do
	run_case "$profile: there" there $profile
	run_case "$profile: and back" and_back
done

stacked() {
	there dc-10ge
	there short-conn-gateway
	nettune rollback --all >"$WORK/out" 2>&1 || fail "rollback: $(cat "$WORK/out")"
	dump after
	same_dump before after
}

run_case "two profiles, one rollback of all" stacked
finish
