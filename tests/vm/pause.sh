# SPDX-License-Identifier: GPL-2.0-or-later
# Flow control: igb and e1000e negotiate it each time the link comes up. What is asked of rx and tx meanwhile has no
# effect and is not tried; values by hand are kept through resets; and a rollback brings them back, also one that died
# while the link was down, when the driver still shows what it will not come up with.
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

# pause AUTONEG RX TX: by hand, on a link that has carrier.
pause_start() {
	ip link set "$ETH" mtu 1500
	ethtool -G "$ETH" rx 256 >/dev/null 2>&1
	wait_carrier "$ETH"
	ethtool -A "$ETH" autoneg "$1" rx "$2" tx "$3" >/dev/null 2>&1
	wait_carrier "$ETH"
	dump start
	has_pause start "$@"
}

has_pause() {
	dump_has "$1" "ethtool -a $ETH: Autonegotiate: $2" "ethtool -a $ETH: RX: $3" "ethtool -a $ETH: TX: $4"
}

flaps() {
	cat "/sys/class/net/$ETH/carrier_changes"
}

# pause_profile NAME SETTINGS...: of the link, a line each.
pause_profile() {
	local name=$1
	shift
	{
		printf 'name: %s\nversion: 1\ninterfaces:\n  - match: {name: %s}\n' "$name" "$ETH"
		printf '    %s\n' "$@"
	} | profile "$name"
}

not_there() {
	local file
	file=$(pause_profile none "pause: {autoneg: on, rx: on}")
	nettune_exits 0 plan "$file"
	says "the device does not support pause"
	nettune_exits 0 apply "$file"
	file=$(pause_profile none-fail "on-unsupported: fail" "pause: {rx: on}")
	nettune_exits 69 plan "$file"
}

autoneg_on() {
	has_pause applied on on on
}

rx_off_tx_on() {
	has_pause applied off off on
	[ "$(flaps)" = "$FLAPS" ] || fail "the link was reset"
}

rx_on_by_hand() {
	has_pause applied off on off
}

# The values by hand are not named, and outlast the resets.
rings_set() {
	dump_has applied "ethtool -g $ETH: RX: 512"
	has_pause applied off off on
}

ignored() {
	local file before
	file=$(pause_profile ignored "pause: {rx: off, tx: on}")
	before=$(flaps)
	forget_all
	dump before
	nettune_exits 0 plan --json "$file"
	stdout_has '"changed": ?false'
	nettune_exits 0 plan "$file"
	says "ignores it while autoneg is on"
	nettune_exits 0 apply "$file"
	nettune_exits 0 verify "$file"
	file=$(pause_profile ignored-fail "on-unsupported: fail" "pause: {rx: off}")
	nettune_exits 69 plan "$file"
	nettune_exits 69 apply "$file"
	says "ignores it while autoneg is on"
	dump after
	same_dump before after
	[ "$(flaps)" = "$before" ] || fail "the link was reset"
}

# A link that the killed run has reset is on its way up when the rollback goes on.
killed_back() {
	local percent=$1 killed
	forget_all
	nettune_exits 0 apply "$PROFILE"
	if start_and_kill $((APPLY_MS * percent / 100)) rollback; then
		DIED=$((DIED + 1))
	fi
	killed=$(cat "/sys/class/net/$ETH/carrier")
	nettune_exits 0 rollback
	wait_carrier "$ETH"
	sleep 0.3 # nothing moves any more
	dump after
	same_dump before after "killed at $percent %, carrier $killed"
}

some_died() {
	[ "$DIED" -gt 1 ] || fail "only $DIED kills hit a rollback (an apply takes $APPLY_MS ms)"
}

killed_rollbacks() {
	local percent
	DIED=0
	dump before
	for percent in 5 15 25 40; do
		run_case "$1: rollback killed at $percent % and continued" killed_back "$percent"
	done
	run_case "$1: kills hit rollbacks" some_died
}

refused_later() {
	local file
	file=$(pause_profile refused "mtu: 4000" "coalesce: {rx-usecs: 9}")
	forget_all
	dump before
	nettune_exits 3 apply "$file"
	wait_carrier "$ETH"
	sleep 0.3
	dump after
	same_dump before after
}

on_driver() {
	ETH=$(nic "$1")
	run_case "$1: link comes up" link_up "$ETH"
	run_case "$1: values by hand" pause_start off on off
	round_trip "$1, autoneg on" "$ETH" "$(pause_profile autoneg "pause: {autoneg: on, rx: on, tx: on}")" autoneg_on
	FLAPS=$(flaps)
	round_trip "$1, rx off, tx on" "$ETH" "$(pause_profile values "pause: {rx: off, tx: on}")" rx_off_tx_on
	run_case "$1: negotiated" pause_start on on on
	run_case "$1: rx and tx are ignored while negotiated, and not tried" ignored
	round_trip "$1, by hand" "$ETH" \
		"$(pause_profile hand "mtu: 4000" "pause: {autoneg: off, tx: off}")" rx_on_by_hand
	crash_trip "$1, by hand" "$ETH" "$PROFILE"
	run_case "$1: tx alone by hand" pause_start off off on
	round_trip "$1, resets" "$ETH" "$(pause_profile resets "mtu: 4000" "rings: {rx: 512}")" rings_set
	run_case "$1: put back after a refusal behind a reset" refused_later
	run_case "$1: all off by hand" pause_start off off off
	round_trip "$1, all" "$ETH" \
		"$(pause_profile all "mtu: 4000" "rings: {rx: 512}" "pause: {autoneg: on}")" autoneg_on
	killed_rollbacks "$1, all"
}

for driver in vmxnet3 virtio_net; do
	ETH=$(nic $driver)
	run_case "$driver has no flow control" not_there
done
on_driver igb
on_driver e1000e
finish
