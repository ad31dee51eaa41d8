# SPDX-License-Identifier: GPL-2.0-or-later
# All kinds in one profile, on each driver, from odd starting values: what is named takes, what nobody named is carried,
# a rollback brings all back, also after a kill at any moment; and nothing is sent that is right already.
# shellcheck shell=bash disable=SC2317
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$HERE/guest.sh"
. "$HERE/odd.sh"
KILLS=${KILLS:-20 50 80}

# What they all take; "kinds" is what the driver has besides.
full_profile() {
	local kinds=$1
	profile "full-$ETH" <<-END
		name: full-$ETH
		version: 1
		sysctl:
		  net.core.somaxconn: 1000
		  net.ipv4.tcp_rmem: 4096 131072 8388608
		  net.ipv4.conf.$ETH.rp_filter: 2
		  net.ipv4.neigh.$ETH.gc_stale_time: 77
		interfaces:
		  - match: {name: $ETH}
		    irq-affinity: {queues: {0: "1"}}
		    rps: {cpus: "0-1", flows: 4097}
		$(sed 's/^/    /' <<<"$kinds")
	END
}

taken_by_all() {
	dump_has applied "/proc/sys/net/core/somaxconn:1000" "/proc/sys/net/ipv4/conf/$ETH/rp_filter:2" \
		"/proc/sys/net/ipv4/neigh/$ETH/gc_stale_time:77" "/sys/class/net/$ETH/queues/rx-0/rps_cpus:3" \
		"/sys/class/net/$ETH/queues/rx-0/rps_flow_cnt:8192" "ethtool -k $ETH: generic-receive-offload: off"
	grep -q "^link .*: $ETH: .* mtu 4000 " "$WORK/applied" || fail "mtu is not 4000"
	carried "/ipv6/conf/$ETH/mtu:" "^ethtool -k $ETH: tx-tcp-mangleid-segmentation" \
		"^/proc/sys/net/ipv4/conf/$ETH/forwarding"
	# the host's own keys are named above
	{
		grep -vw -e "$ETH" -e somaxconn -e tcp_rmem "$WORK/before" >"$WORK/others.before"
		grep -vw -e "$ETH" -e somaxconn -e tcp_rmem "$WORK/applied" >"$WORK/others.applied"
	}
	same_dump others.before others.applied "changed outside of $ETH"
}

igb_kinds() {
	cat <<-END
		mtu: 4000
		channels: {combined: 4}
		rings: {rx: 512, tx: 1001}
		offloads: {gro: off, rxhash: on, rxvlan: off}
		coalesce: {rx-usecs: 77}
	END
}

igb_taken() {
	taken_by_all
	dump_has applied "ethtool -l $ETH: Combined: 4" "ethtool -g $ETH: RX: 512" "ethtool -g $ETH: TX: 1008" \
		"ethtool -k $ETH: receive-hashing: on" "ethtool -k $ETH: rx-vlan-offload: off" \
		"ethtool -c $ETH: rx-usecs: 77" "irq $ETH $ETH-rx-0: 2" "irq $ETH $ETH-tx-0: 2"
	carried "^irq $ETH $ETH-[rt]x-[12]:" "^irq $ETH $ETH:" "/$ETH/queues/tx-[012]/xps_cpus" \
		"^ethtool -c $ETH: tx-usecs:" "^ethtool -x $ETH: +[0-9]+:"
}

e1000e_kinds() {
	cat <<-END
		mtu: 4000
		rings: {rx: 512, tx: 1001}
		offloads: {gro: off, rxhash: on, rxvlan: off}
		coalesce: {rx-usecs: 77}
	END
}

e1000e_taken() {
	taken_by_all
	dump_has applied "ethtool -g $ETH: RX: 512" "ethtool -g $ETH: TX: 1008" "ethtool -k $ETH: receive-hashing: on" \
		"ethtool -k $ETH: rx-vlan-offload: off" "ethtool -c $ETH: rx-usecs: 77" "irq $ETH $ETH-rx-0: 2"
	carried "^irq $ETH $ETH:"
}

vmxnet3_kinds() {
	cat <<-END
		mtu: 4000
		rings: {rx: 512, tx: 700}
		offloads: {gro: off, rxhash: on, lro: off}
	END
}

vmxnet3_taken() {
	taken_by_all
	dump_has applied "ethtool -g $ETH: RX: 512" "ethtool -g $ETH: TX: 704" "ethtool -k $ETH: receive-hashing: on" \
		"ethtool -k $ETH: large-receive-offload: off" "irq $ETH $ETH-rxtx-0: 2"
	carried "^irq $ETH $ETH-rxtx-[123]:" "^irq $ETH $ETH-event-4:" "/$ETH/queues/tx-[0-3]/xps_cpus" \
		"^ethtool -x $ETH: +[0-9]+:" "^ethtool -g $ETH: RX Jumbo: 480"
}

# Before Linux 6.0 virtio-net has no call to change its rings.
virtio_rings_fixed() {
	case $(uname -r) in
	5.*) true ;;
	*) false ;;
	esac
}

virtio_net_kinds() {
	cat <<-END
		mtu: 4000
		channels: {combined: 2}
		offloads: {gro: off}
	END
	virtio_rings_fixed || echo "rings: {rx: 64, tx: 256}"
}

virtio_net_taken() {
	taken_by_all
	dump_has applied "ethtool -l $ETH: Combined: 2" "irq $ETH virtio1-input.0: 2" "irq $ETH virtio1-output.0: 2"
	virtio_rings_fixed || dump_has applied "ethtool -g $ETH: RX: 64"
	carried "^irq $ETH virtio1-(input|output).[1-3]:" "^irq $ETH virtio1-config:" "/$ETH/queues/tx-[01]/xps_cpus"
}

# --- what is sent

# The ethtool commands of a strace that set something, one a line.
sets_sent() {
	grep -E 'nlmsg_type=' "$WORK/strace" | grep -v 'nlmsg_type=0x10 ' |
		sed -nE 's/.*"\\x(0c|10|12|14|16)\\x01.*/\1/p' | sed -e s/0c/offloads/ -e s/10/rings/ -e s/12/channels/ \
		-e s/14/coalesce/ -e s/16/pause/
}

sends() {
	strace -f -s 64 -xx -o "$WORK/strace" -e trace=sendto,sendmsg nettune apply "$PROFILE" >"$WORK/stdout" 2>&1 ||
		fail "apply: exit $?"$'\n'"$(cat "$WORK/stdout")"
	wait_carrier "$ETH"
	[ "$(sets_sent | paste -sd' ')" = "$*" ] || fail "sent: $(sets_sent | paste -sd' '), expected: $*"
}

# One message for each group, the groups in their order, and only the group that differs afterwards.
messages() {
	forget_all
	sends "$@"
	assert_writes_nothing nettune apply "$PROFILE"
	ethtool -G "$ETH" rx 128 tx 128 || fail "ethtool -G"
	wait_carrier "$ETH"
	sends rings
	nettune_exits 0 rollback --all --force
	wait_carrier "$ETH"
	dump after
	same_dump before after
}

# Each group that interrupts the link is shown, so many steps; and what wipes a value that is carried.
shown() {
	nettune_exits 0 plan "$PROFILE"
	stdout_has "interrupts the link: $ETH, $1 steps"
	stdout_has "net.ipv6.conf.$ETH.mtu .* written again after mtu"
}

# --- all of it

driver_up() {
	link_up "$(nic "$1")"
	odd_link "$(nic "$1")"
	dump start
	dump_has start "/sys/class/net/$(nic "$1")/queues/rx-0/rps_cpus:6" "/proc/sys/net/ipv6/conf/$(nic "$1")/mtu:1400"
}

for DRIVER in igb e1000e vmxnet3 virtio_net; do
	ETH=$(nic $DRIVER)
	run_case "$DRIVER: odd starting values take" driver_up $DRIVER
	round_trip "$DRIVER: all kinds" "$ETH" "$(full_profile "$("${DRIVER}_kinds")")" "${DRIVER}_taken"
	if [ -z "${NETTUNE_ETHTOOL:-}" ]; then
		case $DRIVER in
		igb)
			run_case "$DRIVER: three interruptions are shown" shown 3
			run_case "$DRIVER: one message a group" messages channels rings offloads coalesce
			;;
		e1000e)
			run_case "$DRIVER: three interruptions are shown" shown 3
			run_case "$DRIVER: one message a group" messages rings offloads coalesce
			;;
		vmxnet3)
			run_case "$DRIVER: two interruptions are shown" shown 2
			run_case "$DRIVER: one message a group" messages rings offloads
			;;
		virtio_net)
			virtio_rings_fixed ||
				run_case "$DRIVER: one message a group" messages channels rings offloads
			;;
		esac
	fi
	crash_trip "$DRIVER: all kinds" "$ETH" "$PROFILE"
done
finish
