# SPDX-License-Identifier: GPL-2.0-or-later
# Settings belong to the device: renamed and exchanged links, a driver that is loaded anew, a NIC that
# comes between apply and rollback.
# Wants NETTUNE_VM_NICS="igb igb e1000e vmxnet3".
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

A=$(nic igb 0) B=$(nic igb 1)
BUS_A=$(basename "$(readlink -f "/sys/class/net/$A/device")")
BUS_B=$(basename "$(readlink -f "/sys/class/net/$B/device")")

# unbind and bind BUS: the driver lets go of the device, and takes it again
unbind() {
	put /sys/bus/pci/drivers/igb/unbind "$1"
}

bind() {
	put /sys/bus/pci/drivers/igb/bind "$1"
}

lab() {
	profile lab <<-END
		name: lab
		version: 1
		sysctl:
		  net.ipv4.tcp_fin_timeout: 20
		  net.ipv4.ip_forward: 1
		  net.ipv4.conf.default.rp_filter: 2
		  net.ipv4.conf.all.log_martians: 1
		interfaces:
		  - match: {name: $A}
		    mtu: 4000
		    channels: {combined: 2}
		    rings: {rx: 512}
		    offloads: {tso: off}
		    coalesce: {rx-usecs: 50}
		    irq-affinity: {spread: all}
		    rps: {cpus: "0-1"}
	END
}

odd_link() {
	link_up "$1"
	odd_irq_masks "$1"
	odd_queues "$1"
	put "/proc/sys/net/ipv6/conf/$1/mtu" 1400
}

start() {
	forget_all
	put /proc/sys/net/ipv4/ip_forward 0
	put /proc/sys/net/ipv4/conf/default/rp_filter 0
	put /proc/sys/net/ipv4/conf/all/log_martians 0
	put /proc/sys/net/ipv4/tcp_fin_timeout 60
	odd_link "$A"
	odd_link "$B"
	dump before
}

rename() {
	ip link set "$1" down
	ip link set "$1" name "$2"
	link_up "$2"
}

# renamed SED DUMP NEW: a dump with other names, in the order of these
renamed() {
	sed -E "$1" "$WORK/$2" | sort >"$WORK/$3"
}

# only LINK DUMP NEW: the lines of one link
only() {
	grep -w -- "$1" "$WORK/$2" >"$WORK/$3"
}

settings_follow_the_name() {
	local file
	file=$(lab)
	start
	nettune_exits 0 apply "$file"
	rename "$A" lan0
	# IPv6's MTU is what the link has, each time it comes up
	nettune_exits 2 status
	says "1 drifted"
	says "net.ipv6.conf.lan0.mtu"
	says "$A is called lan0 now"
	nettune_exits 0 rollback
	says "$A is called lan0 now"
	dump after
	renamed "" before before.sorted
	renamed "s/\\blan0\\b/$A/g" after after.sorted
	same_dump before.sorted after.sorted
	rename lan0 "$A"
}

names_are_swapped() {
	local file
	file=$(lab)
	start
	nettune_exits 0 apply "$file"
	dump applied
	rename "$A" x
	rename "$B" "$A"
	rename x "$B"
	nettune_exits 2 status
	says "1 drifted"
	put "/proc/sys/net/ipv6/conf/$A/mtu" 1400
	nettune_exits 0 rollback
	dump after
	renamed "" before before.sorted
	renamed "s/\\b$A\\b/@/g; s/\\b$B\\b/$A/g; s/@/$B/g" after after.sorted
	same_dump before.sorted after.sorted
	rename "$A" x
	rename "$B" "$A"
	rename x "$B"
}

# The same device, the same name, and still another interface: nothing of it is touched.
driver_is_loaded_anew() {
	local file
	file=$(lab)
	start
	nettune_exits 0 apply "$file"
	unbind "$BUS_A"
	nettune_exits 2 status
	says "$A is gone"
	bind "$BUS_A"
	odd_link "$A"
	nettune_exits 2 status
	says "another interface is called $A now"
	nettune_exits 2 verify --json
	stdout_has '"verdict": "gone"'
	dump new
	only "$A" new new.link
	nettune_exits 0 rollback
	says "another interface is called $A now"
	dump after
	only "$A" after after.link
	same_dump new.link after.link
	[ "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)" = 60 ] || fail "the rest was not put back"
	[ "$(cat /proc/sys/net/ipv4/ip_forward)" = 0 ] || fail "ip_forward was not put back"
	nettune_exits 0 status
	# what is new is as the profile finds it: everything is set once more
	nettune_exits 0 apply "$file"
	nettune_exits 0 verify "$file"
	nettune_exits 0 rollback
	dump after
	only "$A" after after.link
	same_dump new.link after.link
}

# Unfinished, and its device is gone: the rest goes back.
driver_goes_after_a_crash() {
	local file
	file=$(lab)
	start
	start_and_kill 700 apply "$file" || fail "apply was done already"
	unbind "$BUS_A"
	nettune_exits 4 status
	nettune_exits 4 apply "$file"
	nettune_exits 0 rollback
	[ "$(cat /proc/sys/net/ipv4/ip_forward)" = 0 ] || fail "ip_forward was not put back"
	nettune_exits 0 status
	bind "$BUS_A"
	link_up "$A"
}

# A NIC that comes between apply and rollback keeps what it was born with, and what it was given.
newcomer_is_left_alone() {
	local file
	file=$(lab)
	unbind "$BUS_B"
	forget_all
	odd_link "$A"
	dump before
	nettune_exits 0 apply "$file"
	bind "$BUS_B"
	odd_link "$B"
	put "/proc/sys/net/ipv4/conf/$B/rp_filter" 1
	dump new
	only "$B" new new.link
	nettune_exits 0 status
	nettune_exits 0 rollback
	wait_carrier "$A"
	dump after
	only "$B" after after.link
	same_dump new.link after.link
	grep -vw -- "$B" "$WORK/after" >"$WORK/after.rest"
	same_dump before after.rest
}

run_case "links come up" link_up "$A" "$B"
run_case "settings follow a renamed link" settings_follow_the_name
run_case "two links swap names" names_are_swapped
run_case "a driver that was loaded anew" driver_is_loaded_anew
run_case "a device that goes after a crash" driver_goes_after_a_crash
run_case "a NIC that comes between apply and rollback" newcomer_is_left_alone
finish
