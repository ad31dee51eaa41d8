# SPDX-License-Identifier: GPL-2.0-or-later
# Private flags: set, carried around and put back on igb, refused by the e1000e of this machine, absent elsewhere; by
# netlink and by ioctl.
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

# flags_profile NAME SETTINGS...: of the link, a line each.
flags_profile() {
	local name=$1
	shift
	{
		printf 'name: %s\nversion: 1\ninterfaces:\n  - match: {name: %s}\n' "$name" "$ETH"
		printf '    %s\n' "$@"
	} | profile "$name"
}

not_there() {
	local file
	file=$(flags_profile none "private-flags: {legacy-rx: on}")
	nettune_exits 0 plan "$file"
	says "the driver has no private flags"
	file=$(flags_profile none-fail "on-unsupported: fail" "private-flags: {legacy-rx: on}")
	nettune_exits 69 plan "$file"
}

odd_start() {
	ethtool -G "$ETH" rx 320 >/dev/null 2>&1
	ethtool -C "$ETH" rx-usecs 33 >/dev/null 2>&1
	ethtool -A "$ETH" autoneg off rx on tx off >/dev/null 2>&1
	wait_carrier "$ETH"
	odd_irq_masks "$ETH"
	odd_queues "$ETH"
}

legacy_on() {
	dump_has applied "ethtool --show-priv-flags $ETH: legacy-rx: on" "ethtool -g $ETH: RX: 320" \
		"ethtool -c $ETH: rx-usecs: 33" "ethtool -a $ETH: RX: on" "ethtool -a $ETH: TX: off"
	carried "^irq $ETH " "/$ETH/queues/.x-[0-3]/.ps_cpus"
	others_untouched "$ETH"
}

# The emulated device is older than the flag.
refused() {
	local file
	file=$(flags_profile s0ix "private-flags: {s0ix-enabled: on}" "mtu: 4000")
	forget_all
	dump before
	nettune_exits 3 apply "$file"
	says "s0ix-enabled"
	wait_carrier "$ETH"
	dump after
	same_dump before after
}

everywhere() {
	ETH=$(nic igb)
	run_case "igb$1: link comes up" link_up "$ETH"
	run_case "igb$1: odd starting values" odd_start
	round_trip "igb$1" "$ETH" "$(flags_profile legacy "private-flags: {legacy-rx: on}")" legacy_on
	ETH=$(nic e1000e)
	run_case "e1000e$1: link comes up" link_up "$ETH"
	run_case "e1000e$1: a refused flag changes nothing" refused
	ETH=$(nic vmxnet3)
	run_case "vmxnet3$1 has no private flags" not_there
}

everywhere ""
ETH=$(nic igb)
crash_trip igb "$ETH" "$(flags_profile legacy "mtu: 4000" "private-flags: {legacy-rx: on}")"
export NETTUNE_ETHTOOL=ioctl
everywhere " by ioctl"
finish
