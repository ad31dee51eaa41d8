#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Print the whole state of this network namespace as text, one setting a line where possible, in an order that
# does not depend on IRQ numbers: two dumps are equal exactly if nothing that a rollback must restore differs.
# Needs root, ethtool and ip; runs under busybox and dash.
#
# Left out on purpose: tcp_available_congestion_control (follows loaded modules), IRQ numbers, effective_affinity,
# counters and timers, neighbour entries. Files that cannot be read (actions, unset secrets) print nothing.

export LC_ALL=C

# /sys shows the links of the namespace in which it was mounted, which need not be this one. Where it is this one,
# a second sysfs on the same place is refused: hence the tmpfs between.
if [ -z "${DUMP_OWN_SYS:-}" ]; then
	export DUMP_OWN_SYS=1
	# shellcheck disable=SC2016
	exec unshare -m sh -c 'mount -t tmpfs tmpfs /sys && mount -t sysfs sysfs /sys && exec sh "$0"' "$0"
fi

# busybox's shell prefers its own ip, which knows too little, unless a path is given.
for IP in /usr/sbin/ip /sbin/ip /usr/bin/ip /bin/ip ""; do
	[ -x "$IP" ] && break
done
if [ -z "$IP" ] || ! command -v ethtool >/dev/null; then
	echo "dump.sh: needs ip and ethtool" >&2
	exit 1
fi

sysctls() {
	grep -r "" /proc/sys/net 2>/dev/null |
		grep -v -e '/tcp_available_congestion_control:' -e '/nf_conntrack_count:' | sort
}

# Few processes, since each takes longer than its work where a processor is emulated.
links() {
	"$IP" -o link show | sed 's/^[0-9]*: *\([^:@]*\)[:@].*/\1/' | sort
}

link_attributes() {
	"$IP" -d -o link show | sed -e 's/^/link /' -e 's/[[:blank:]]\{1,\}/ /g' -e 's/\(_timer *\)[0-9.]*/\1/g' \
		-e 's/link_failure_count [0-9]*//'
}

# The loopback device has features and nothing else.
ethtool_options() {
	case $1 in
	lo) echo -k ;;
	*) echo -g -l -c -k -a -x --show-priv-flags ;;
	esac
}

# ethtool's versions differ in the blanks and tabs between name and value.
ethtool_settings() {
	for link in "$@"; do
		for option in $(ethtool_options "$link"); do
			echo "@ethtool $option $link"
			ethtool "$option" "$link" 2>&1
		done
		[ "$link" = lo ] && continue
		echo "@ethtool per-queue $link"
		ethtool --per-queue "$link" --show-coalesce 2>&1
	done | awk '/^@ethtool / { head = substr($0, 2); next } { line = head ": " $0; gsub(/[ \t]+/, " ", line); print line }'
}

link_files() {
	grep "" /sys/class/net/*/queues/rx-*/rps_cpus /sys/class/net/*/queues/rx-*/rps_flow_cnt \
		/sys/class/net/*/queues/tx-*/xps_cpus /sys/class/net/*/queues/tx-*/xps_rxqs \
		/sys/class/net/*/gro_flush_timeout /sys/class/net/*/napi_defer_hard_irqs \
		/sys/class/net/*/threaded 2>/dev/null | sort
}

# virtio's vectors belong to the PCI device, one level above the one that the link names.
vector_directory() {
	device=/sys/class/net/$1/device
	if [ -d "$device/msi_irqs" ]; then
		echo "$device/msi_irqs"
	elif grep -q '^virtio:' "$device/modalias" 2>/dev/null; then
		echo "$device/../msi_irqs"
	fi
}

# Named by the action; a vector without one (link down) by its place in the device's table.
vector_masks() {
	directory=$(vector_directory "$1")
	[ -n "$directory" ] || return 0
	for path in "$directory"/*; do
		irq=${path##*/}
		action='' mask=''
		read -r action 2>/dev/null <"/sys/kernel/irq/$irq/actions"
		[ -n "$action" ] || { read -r action <"/sys/kernel/irq/$irq/hwirq" && action="vector $action"; } 2>/dev/null
		read -r mask 2>/dev/null <"/proc/irq/$irq/smp_affinity" || mask=none
		echo "irq $1 $action: $mask"
	done | sort
}

names=$(links)
sysctls
link_attributes
# shellcheck disable=SC2086
ethtool_settings $names
for link in $names; do
	vector_masks "$link"
done
link_files
