# igb: channel changes re-create interrupts and queues, and everything comes back.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

ETH=$(nic igb)

# Brings the link to its odd starting values, whatever the case before has left.
odd_start() {
	ip link set "$ETH" mtu 1600
	{
		ethtool -X "$ETH" default
		ethtool -L "$ETH" combined 4
		ethtool -G "$ETH" rx 320 tx 304
		ethtool -K "$ETH" rxhash off gro on tso on
		ethtool -K "$ETH" tx-tcp-mangleid-segmentation off
		ethtool -C "$ETH" rx-usecs 33 tx-usecs 44
		ethtool -X "$ETH" weight 1 2 3 4
	} >/dev/null 2>&1
	wait_carrier "$ETH"
	odd_irq_masks "$ETH"
	odd_queues "$ETH"
	put "/proc/sys/net/ipv6/conf/$ETH/mtu" 1400
	dump start
	dump_has start "ethtool -l $ETH: Combined: 4" "ethtool -g $ETH: RX: 320" "ethtool -c $ETH: rx-usecs: 33" \
		"ethtool -c $ETH: tx-usecs: 44" "irq $ETH $ETH-rx-0: c" "irq $ETH $ETH: 2" \
		"ethtool -x $ETH: 8: 0 0 0 0 1 1 1 1" "ethtool -k $ETH: tx-tcp-mangleid-segmentation: off"
}

both_up() {
	link_up "$(nic igb 0)" "$(nic igb 1)"
}

shrink_profile() {
	profile shrink <<-END
		name: shrink
		version: 1
		interfaces:
		  - match: {name: $ETH}
		    mtu: 9000
		    channels: {combined: 2}
		    rings: {rx: 512, tx: 1024}
		    offloads: {gro: off, tso: off}
		    coalesce: {rx-usecs: 77}
		    irq-affinity: {queues: {0: "3"}}
		    rps: {cpus: "0-1"}
	END
}

after_shrink() {
	dump_has applied "ethtool -l $ETH: Combined: 2" "ethtool -g $ETH: RX: 512" "ethtool -g $ETH: TX: 1024" \
		"ethtool -k $ETH: generic-receive-offload: off" "ethtool -k $ETH: tcp-segmentation-offload: off" \
		"ethtool -c $ETH: rx-usecs: 77" "irq $ETH $ETH-rx-0: 8" "irq $ETH $ETH-tx-0: 8" \
		"/sys/class/net/$ETH/queues/rx-0/rps_cpus:3" "/sys/class/net/$ETH/queues/rx-1/rps_cpus:3"
	grep -q "^link .*: $ETH: .* mtu 9000 " "$WORK/applied" || fail "mtu is not 9000"
	carried "^irq $ETH $ETH-[rt]x-1:" "^irq $ETH $ETH:" "/$ETH/queues/tx-[01]/xps_cpus" "/$ETH/queues/rx-[01]/rps_flow_cnt" \
		"^ethtool -c $ETH: tx-usecs:" "^ethtool -k $ETH: receive-hashing" "/ipv6/conf/$ETH/mtu:"
	others_untouched "$ETH"
}

grow_profile() {
	profile grow <<-END
		name: grow
		version: 1
		interfaces:
		  - match: {name: $ETH}
		    mtu: 4000
		    channels: {combined: 8}
		    rings: {rx: max, tx: 128}
		    offloads: {gro: off, tso: off}
		    coalesce: {rx-usecs: 77}
		    irq-affinity: {spread: all}
		    rps: {cpus: "2-3", flows: 512}
	END
}

after_grow() {
	local i
	dump_has applied "ethtool -x $ETH: RX flow hash indirection table for $ETH with 8 RX ring(s):" \
		"ethtool -g $ETH: TX: 128" "ethtool -c $ETH: rx-usecs: 77"
	[ "$(grep -cxF "ethtool -g $ETH: RX: 4096" "$WORK/applied")" = 2 ] || fail "the RX ring is not at its maximum"
	for ((i = 0; i < 8; i++)); do
		dump_has applied "irq $ETH $ETH-TxRx-$i: $((1 << i % 4))" "/sys/class/net/$ETH/queues/rx-$i/rps_cpus:c" \
			"/sys/class/net/$ETH/queues/rx-$i/rps_flow_cnt:512"
	done
	carried "^irq $ETH $ETH:" "/$ETH/queues/tx-[0-3]/xps_cpus" "^ethtool -x $ETH: +[0-9]+:" \
		"^ethtool -k $ETH: receive-hashing" "/ipv6/conf/$ETH/mtu:"
	others_untouched "$ETH"
}

# igb takes 0..3 and 10..10000: the refusal comes after the MTU has been changed.
refused_coalesce() {
	local file
	file=$(profile refused <<-END
		name: refused
		version: 1
		interfaces:
		  - match: {name: $ETH}
		    mtu: 9000
		    channels: {combined: 2}
		    coalesce: {rx-usecs: 9}
	END
	)
	forget_all
	dump before
	nettune_exits 3 apply "$file"
	wait_carrier "$ETH"
	dump after
	same_dump before after
}

# igb rounds ring sizes up to a multiple of 8.
rounded_rings() {
	local file
	file=$(profile rounded <<-END
		name: rounded
		version: 1
		interfaces:
		  - match: {name: $ETH}
		    rings: {rx: 1001}
	END
	)
	forget_all
	dump before
	nettune_exits 0 apply "$file"
	wait_carrier "$ETH"
	dump applied
	dump_has applied "ethtool -g $ETH: RX: 1008"
	nettune_exits 0 plan --json "$file"
	stdout_has '"changed": ?false'
	nettune_exits 0 verify "$file"
	nettune_exits 0 rollback
	wait_carrier "$ETH"
	dump after
	same_dump before after
}

dry_run_writes_nothing() {
	forget_all
	dump before
	assert_writes_nothing nettune plan "$(shrink_profile)"
	assert_writes_nothing nettune apply --dry-run "$(shrink_profile)"
	dump after
	same_dump before after
}

run_case "links come up" both_up
run_case "odd starting values take" odd_start
run_case "plan and apply --dry-run write nothing" dry_run_writes_nothing
round_trip "4 to 2 queues" "$ETH" "$(shrink_profile)" after_shrink
run_case "odd starting values for growing" odd_start
round_trip "4 to 8 queues" "$ETH" "$(grow_profile)" after_grow
run_case "odd starting values for a refusal" odd_start
run_case "a refused coalesce value puts everything back" refused_coalesce
run_case "rounded ring size is in sync" rounded_rings
finish
