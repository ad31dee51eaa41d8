#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Device settings on veth, macvlan, bridge and tap, as they were reported to go wrong in public.
. "$(dirname "$0")/../lib/netns.sh"

# rule LINK LINE...: a profile with one rule for one link
rule() {
	{
		printf 'name: lab\ninterfaces:\n  - match: {name: %s}\n' "$1"
		shift
		printf '    %s\n' "$@"
	} >"$WORK/p.yaml"
	chmod 644 "$WORK/p.yaml"
}

feature() {
	ethtool -k "$1" | awk -v f="$2:" '$1 == f {print $2}'
}

roundtrip() {
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	expect 0 nettune verify "$WORK/p.yaml"
	expect 0 nettune plan "$WORK/p.yaml" --json
	json .changed false
	expect 0 nettune rollback
	dump after
	same_dump before after
}

test_channels_of_two_sorts() {
	veth
	rule veth0 'channels: {combined: 1}'
	expect 0 nettune plan "$WORK/p.yaml"
	contains "combined"
	contains "rx max 4, tx max 4"
	rule veth0 'channels: {queues: 3}'
	roundtrip
	rule veth0 'channels: {rx: 2, tx: 3}'
	roundtrip
}

test_above_the_maximum() {
	veth
	rule veth0 'channels: {rx: 9}'
	expect 65 nettune plan "$WORK/p.yaml"
	contains 9
	contains "maximum"
	contains 4
	contains "p.yaml:4:"
}

test_queue_settings_over_a_channel_change() {
	veth
	for q in 0 1 2 3; do
		echo 3 >/sys/class/net/veth0/queues/rx-$q/rps_cpus
		echo 512 >/sys/class/net/veth0/queues/rx-$q/rps_flow_cnt
		echo 2 >/sys/class/net/veth0/queues/tx-$q/xps_cpus
	done
	rule veth0 'channels: {queues: 2}'
	expect 0 nettune plan "$WORK/p.yaml"
	contains rx-2
	roundtrip
	rule veth0 'channels: {queues: 2}' 'rps: {cpus: "1", flows: 1000}'
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	[ "$(cat /sys/class/net/veth0/queues/rx-1/rps_flow_cnt)" = 1024 ]
	expect 0 nettune plan "$WORK/p.yaml" --json
	json .changed false
	expect 0 nettune rollback
	dump after
	same_dump before after
}

test_new_queues_get_what_the_profile_says() {
	veth
	ethtool -L veth0 rx 1 tx 1
	rule veth0 'channels: {queues: 4}' 'rps: {cpus: all}'
	roundtrip
	expect 0 nettune apply "$WORK/p.yaml"
	ethtool -L veth0 rx 1
	ethtool -L veth0 rx 2
	expect 2 nettune verify "$WORK/p.yaml"
}

# What is no more there can't be put back, and is not in between either.
test_queues_that_others_took_away() {
	veth
	echo 1 | tee /sys/class/net/veth0/queues/rx-*/rps_cpus >/dev/null
	rule veth0 'channels: {queues: 2}'
	expect 0 nettune apply "$WORK/p.yaml"
	ethtool -L veth0 rx 3
	expect 5 nettune rollback
	contains "channels.rx"
	contains "is not there"
	expect 0 nettune status
	contains "Nothing of nettune is in force"
	expect 0 nettune rollback
	contains "already undone"
}

# It had no carrier before: nobody waits for one after.
test_link_without_carrier() {
	veth
	ip link set veth1 down
	rule veth0 'mtu: 4000'
	roundtrip
}

test_dependent_offloads_come_back() {
	veth
	rule veth0 'offloads: {sg: off}'
	roundtrip
	rule veth0 'offloads: {tso: off, gso: off, gro: on}'
	roundtrip
}

# What loses or gets what it needs is in the plan, as it comes to pass.
test_plan_tells_which_offloads_move_along() {
	local bit state way
	veth
	for way in off on; do
		rule veth0 "offloads: {tx-scatter-gather: $way}"
		expect 0 nettune plan "$WORK/p.yaml" --json
		json '.follows | map(.value) | unique' "[\"$way\"]"
		state=$(jq -r '.follows[].key' <<<"$OUT")
		grep -qx tx-tcp-segmentation <<<"$state" || fail "tx-tcp-segmentation does not follow"
		expect 0 nettune apply "$WORK/p.yaml"
		for bit in $state; do
			bit=${bit/tx-generic-segmentation/generic-segmentation-offload}
			[ "$(feature veth0 "$bit")" = $way ] || fail "$bit is not $way"
		done
	done
}

test_contradicting_offloads() {
	veth
	rule veth0 'offloads: {sg: off, tso: on}'
	expect 65 nettune plan "$WORK/p.yaml"
	contains tso
	contains sg
}

test_fixed_offload() {
	veth
	rule veth0 'offloads: {lro: off}'
	expect 0 nettune plan "$WORK/p.yaml" --json
	json .changed false
	rule veth0 'offloads: {lro: on}'
	expect 0 nettune plan "$WORK/p.yaml"
	contains rx-lro
	contains "fixed"
	rule veth0 'offloads: {lro: on}' 'on-unsupported: fail'
	expect 69 nettune apply "$WORK/p.yaml"
}

test_names_of_offloads() {
	local name
	veth
	for name in gro rx-gro generic-receive-offload; do
		rule veth0 "offloads: {$name: on}"
		roundtrip
	done
	rule veth0 'offloads: {gro-hw: off}'
	expect 65 nettune check "$WORK/p.yaml"
	contains rx-gro-hw
	rule veth0 'offloads: {gro: on, rx-gro: on}'
	dump before
	nettune plan "$WORK/p.yaml" >/dev/null 2>&1 || true
	dump after
	same_dump before after
}

test_no_ring_parameters() {
	veth
	rule veth0 'rings: {rx: 1024}' 'mtu: 1400'
	expect 0 nettune apply "$WORK/p.yaml"
	contains rings.rx
	contains "does not support rings"
	[ "$(cat /sys/class/net/veth0/mtu)" = 1400 ]
	rule veth0 'rings: {rx: 1024}' 'mtu: 1300' 'on-unsupported: fail'
	expect 69 nettune apply "$WORK/p.yaml"
	[ "$(cat /sys/class/net/veth0/mtu)" = 1400 ]
}

test_mtu_limits() {
	veth
	rule veth0 'mtu: 67'
	expect 65 nettune plan "$WORK/p.yaml"
	contains 68
	contains 65535
	rule veth0 'mtu: 9000'
	roundtrip
}

# A program on one end lowers the largest MTU of the other.
test_xdp_program() {
	local before
	veth
	cc -o "$WORK/xdp" "$HERE/vm/xdp.c"
	"$WORK/xdp" veth0 || { echo "# no XDP programs here" >&2 && return; }
	before=$(ip -d link show veth0 | grep -o 'prog/xdp id [0-9]*')
	[ -n "$before" ] || fail "no XDP program on veth0"
	rule veth0 'mtu: 9000' 'channels: {queues: 2}'
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.warnings | map([.id, .interface, .key])' '[["xdp","veth0","veth0/channels.rx"]]'
	expect 0 nettune plan "$WORK/p.yaml"
	contains "may be refused, XDP program ${before##* } is attached"
	dump before
	expect 3 nettune apply "$WORK/p.yaml"
	contains "is attached"
	dump after
	same_dump before after
	rule veth0 'mtu: 9000'
	roundtrip
	rule veth1 'mtu: 9000'
	expect 65 nettune plan "$WORK/p.yaml"
	contains "veth1/mtu = 9000"
	[ "$(ip -d link show veth0 | grep -o 'prog/xdp id [0-9]*')" = "$before" ] || fail "another program"
}

test_mtu_below_what_ipv6_needs() {
	veth
	echo 2 >/proc/sys/net/ipv6/conf/veth0/accept_ra
	rule veth0 'mtu: 1200'
	expect 65 nettune apply "$WORK/p.yaml"
	contains IPv6
	[ "$(cat /sys/class/net/veth0/mtu)" = 1500 ]
	[ "$(cat /proc/sys/net/ipv6/conf/veth0/accept_ra)" = 2 ]
}

test_macvlan_above() {
	veth
	ip link add link veth0 name mac0 type macvlan
	ip link set mac0 up
	cat >"$WORK/p.yaml" <<-'END'
		name: lab
		interfaces:
		  - match: {name: mac0}
		    mtu: 9000
		  - match: {name: veth0}
		    mtu: 9000
	END
	roundtrip
	rule mac0 'mtu: 9000'
	expect 65 nettune plan "$WORK/p.yaml"
	contains veth0
	ip link set veth0 mtu 9000
	ip link set mac0 mtu 9000
	rule veth0 'mtu: 1500'
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	[ "$(cat /sys/class/net/mac0/mtu)" = 1500 ]
	expect 0 nettune rollback
	dump after
	same_dump before after
}

# A bridge that follows its ports goes on following after the rollback.
test_bridge_follows() {
	veth
	ip link add br0 type bridge
	ip link set veth0 master br0
	ip link set br0 up
	ready br0
	rule veth0 'mtu: 9000'
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	[ "$(cat /sys/class/net/br0/mtu)" = 9000 ]
	expect 0 nettune rollback
	dump after
	same_dump before after
	ip link set veth0 mtu 4000
	[ "$(cat /sys/class/net/br0/mtu)" = 4000 ]
}

# What no file shows and nothing takes back is said before.
test_bridge_that_is_set() {
	veth
	ip link add br0 type bridge
	ip link set br0 up
	rule br0 'mtu: 1400'
	expect 0 nettune plan "$WORK/p.yaml"
	contains "follows its ports no more"
	roundtrip
	ip link set br0 mtu 1400
	expect 0 nettune plan "$WORK/p.yaml"
	lacks "follows its ports no more"
}

test_ipv6_mtu_of_its_own() {
	veth
	echo 1400 >/proc/sys/net/ipv6/conf/veth0/mtu
	rule veth0 'mtu: 9000'
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	[ "$(cat /proc/sys/net/ipv6/conf/veth0/mtu)" = 1400 ]
	expect 0 nettune rollback
	dump after
	same_dump before after
}

test_cpus_that_are_not_there() {
	local last
	veth
	rule veth0 'rps: {cpus: "0x1"}'
	roundtrip
	rule veth0 'rps: {cpus: "0x00000000,00000001"}'
	roundtrip
	last=$(($(getconf _NPROCESSORS_CONF) + 61))
	rule veth0 "rps: {cpus: \"0-$last\"}"
	expect 65 nettune plan "$WORK/p.yaml"
	contains "do not exist"
	rule veth0 'rps: {cpus: ""}'
	expect 65 nettune plan "$WORK/p.yaml"
	rule veth0 'rps: none'
	roundtrip
}

test_tap_coalescing() {
	ip tuntap add mode tap name tap0 multi_queue
	rule tap0 'coalesce: {rx-frames: 32}'
	roundtrip
	rule tap0 'coalesce: {rx-usecs: 32}'
	expect 0 nettune plan "$WORK/p.yaml"
	contains rx-usecs
}

test_no_interrupts() {
	veth
	rule veth0 'irq-affinity: {spread: local}' 'mtu: 1400'
	expect 0 nettune apply "$WORK/p.yaml"
	contains irq-affinity
	[ "$(cat /sys/class/net/veth0/mtu)" = 1400 ]
}

test_glob_leaves_virtual_links_alone() {
	veth
	rule '"*"' 'mtu: 1400'
	expect 69 nettune apply "$WORK/p.yaml"
	contains "no device behind"
	[ "$(cat /sys/class/net/veth0/mtu)" = 1500 ]
	sed -i 's/match: .*/match: {name: "veth*", kind: veth}/' "$WORK/p.yaml"
	roundtrip
}

test_later_rule_wins() {
	veth
	cat >"$WORK/p.yaml" <<-'END'
		name: lab
		interfaces:
		  - match: {kind: veth}
		    mtu: 1400
		    offloads: {tso: off}
		  - match: {name: veth1}
		    mtu: 1450
	END
	expect 0 nettune apply "$WORK/p.yaml"
	[ "$(cat /sys/class/net/veth0/mtu)" = 1400 ]
	[ "$(cat /sys/class/net/veth1/mtu)" = 1450 ]
	[ "$(feature veth1 tx-tcp-segmentation)" = off ]
}

# The journal names every link that the plan speaks of, also one where all was skipped.
test_link_where_all_is_skipped() {
	veth
	cat >"$WORK/p.yaml" <<-'END'
		name: lab
		interfaces:
		  - match: {name: veth0}
		    mtu: 1400
		  - match: {name: veth1}
		    rings: {rx: 512}
	END
	roundtrip
}

test_keep_takes_back() {
	veth
	cat >"$WORK/p.yaml" <<-'END'
		name: lab
		interfaces:
		  - match: {kind: veth}
		    mtu: 1400
		    rings: {rx: 512}
		  - match: {name: veth1}
		    mtu: keep
		    rings: {rx: keep}
	END
	expect 0 nettune apply "$WORK/p.yaml" --json
	json '.changes | map(.id)' '["veth0/mtu"]'
	json '.skipped | map(.id)' '["veth0/rings.rx"]'
}

test_rename_between_apply_and_rollback() {
	veth
	rule veth0 'mtu: 1400'
	expect 0 nettune apply "$WORK/p.yaml"
	ip link set veth0 down
	ip link set veth0 name other
	ip link set other up
	ip link add veth0 type veth peer name veth2
	ip link set veth0 mtu 1400
	expect 0 nettune rollback
	[ "$(cat /sys/class/net/other/mtu)" = 1500 ]
	[ "$(cat /sys/class/net/veth0/mtu)" = 1400 ]
}

test_link_is_gone_at_rollback() {
	veth
	cat >"$WORK/p.yaml" <<-'END'
		name: lab
		sysctl: {net.ipv4.tcp_fin_timeout: 20}
		interfaces:
		  - match: {name: veth0}
		    mtu: 1400
	END
	expect 0 nettune apply "$WORK/p.yaml"
	ip link delete veth0
	expect 0 nettune rollback
	contains veth0
	[ "$(cat /proc/sys/net/ipv4/tcp_fin_timeout)" = 60 ]
}

test_by_ioctl() {
	veth
	export NETTUNE_ETHTOOL=ioctl
	rule veth0 'channels: {queues: 2}' 'offloads: {sg: off}' 'rps: {cpus: all}'
	roundtrip
}

# Without a /sys of this namespace and without the right to make one, nettune refuses.
test_sys_of_another_namespace() {
	chmod 755 "$WORK"
	rule veth0 'rps: {cpus: all}'
	unshare --net bash -c 'ip link add veth0 type veth peer name veth1 && exec "$@"' - \
		"$NETTUNE" --state-dir "$WORK/state" apply "$WORK/p.yaml" || fail "exit $?"
	expect 69 unshare --net bash -c 'ip link add veth0 type veth peer name veth1 && exec "$@"' - \
		setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$NETTUNE" --state-dir "$WORK/state" plan "$WORK/p.yaml"
	[ -e /sys/class/net/lo ]
}

main "$@"
