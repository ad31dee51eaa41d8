# SPDX-License-Identifier: GPL-2.0-or-later
# Odd starting values: what no driver and no administrator would choose, so that nothing is right by chance.
# shellcheck shell=bash

driver_of() {
	basename "$(readlink -f "/sys/class/net/$1/device/driver")"
}

# What the link has all of; what one driver lacks is refused, and shows in the check of its values.
odd_values() {
	ethtool -X "$1" default
	ethtool -K "$1" rxhash off gro on tso on
	ethtool -K "$1" tx-tcp-mangleid-segmentation on
	case $(driver_of "$1") in
	igb)
		ethtool -L "$1" combined 3
		ethtool -G "$1" rx 320 tx 304
		ethtool -C "$1" rx-usecs 33 tx-usecs 44
		ethtool -X "$1" weight 1 2 3
		;;
	e1000e)
		ethtool -G "$1" rx 320 tx 304
		ethtool -C "$1" rx-usecs 33
		;;
	vmxnet3)
		ethtool -G "$1" rx 320 rx-jumbo 480 tx 352
		ethtool -X "$1" weight 1 2 3 4
		;;
	virtio_net)
		ethtool -L "$1" combined 3
		ethtool -G "$1" rx 128 tx 64
		ethtool -K "$1" tx-udp-segmentation off # on from the start in Linux 7
		;;
	esac
} >/dev/null 2>&1

# The masks and counts come last, since the others may wipe them.
odd_link() {
	ip link set "$1" mtu 1600 || fail "cannot set the MTU of $1"
	odd_values "$1"
	wait_carrier "$1"
	odd_irq_masks "$1"
	odd_queues "$1"
	put "/proc/sys/net/ipv6/conf/$1/mtu" 1400
}
