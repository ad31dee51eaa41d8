# The rig itself: drivers are there, odd values take, two dumps of an untouched guest are equal.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

drivers_present() {
	local driver
	for driver in igb e1000e vmxnet3; do
		[ -n "$(nic "$driver")" ] || fail "no $driver"
	done
}

dumps_equal() {
	local begin=$EPOCHREALTIME
	dump one
	echo "# a dump took $(((${EPOCHREALTIME/./} - ${begin/./}) / 1000)) ms, $(wc -l <"$WORK/one") lines"
	[ "$(grep -c '^link ' "$WORK/one")" -gt 1 ] || fail "no links in the dump"
	sleep 3
	dump two
	same_dump one two
}

all_up() {
	local link
	for link in /sys/class/net/*; do
		link_up "${link##*/}"
	done
}

run_case "drivers are there" drivers_present
run_case "links come up" all_up
run_case "two dumps of an untouched guest are equal" dumps_equal
finish
