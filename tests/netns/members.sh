#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Links that stand on others: rules that reach the ports of a bridge, what is said of those that do not, and ports
# that are awaited until their bridge forwards again. (Bonds: tests/vm/bonds.sh, since few kernels that run tests have
# the module.)
. "$(dirname "$0")/../lib/netns.sh"

# profile LINE...: a profile with these rules
profile() {
	printf 'name: lab\ninterfaces:\n' >"$WORK/p.yaml"
	printf '%s\n' "$@" >>"$WORK/p.yaml"
	chmod 644 "$WORK/p.yaml"
}

# Two veths, eth0 and eth1, are ports of br0; their other ends are peer0 and peer1.
bridge() {
	local i
	ip link add br0 type bridge "$@"
	for i in 0 1; do
		ip link add eth$i numrxqueues 4 numtxqueues 4 type veth peer name peer$i numrxqueues 4 numtxqueues 4
		ip link set eth$i master br0
		ip link set eth$i up
		ip link set peer$i up
	done
	ip link set br0 up
	ready peer0 peer1 br0
	wait_state eth0 forwarding
	wait_state eth1 forwarding
}

state() {
	ip -d -j link show "$1" | jq -r '.[0].linkinfo.info_slave_data.state'
}

wait_state() {
	local i
	for ((i = 0; i < 500; i++)); do
		[ "$(state "$1")" = "$2" ] && return
		sleep 0.02
	done
	fail "$1 is $(state "$1"), not $2"
}

feature() {
	ethtool -k "$1" | awk -v f="$2:" '$1 == f {print $2}'
}

test_a_bridge_alone() {
	bridge
	profile '  - match: {name: br0}' '    offloads: {tso: off}'
	expect 0 nettune plan "$WORK/p.yaml"
	contains "br0: the offloads settings act on br0 itself, not on eth0, eth1 below it"
	contains "members: true"
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '[.warnings[] | [.id, .interface]]' '[["layer","br0"]]'
	json '[.changes[].interface] | unique' '["br0"]'
	expect 0 nettune apply "$WORK/p.yaml"
	[ "$(feature eth0 tcp-segmentation-offload)" = on ]
}

test_members() {
	bridge
	profile '  - match: {kind: bridge}' '    members: true' '    offloads: {tso: off}'
	expect 0 nettune plan "$WORK/p.yaml" --json
	json .warnings '[]'
	json '[.changes[].interface] | unique' '["br0","eth0","eth1"]'
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	[ "$(feature eth0 tcp-segmentation-offload)" = off ]
	[ "$(feature eth1 tcp-segmentation-offload)" = off ]
	[ "$(feature peer0 tcp-segmentation-offload)" = on ]
	expect 0 nettune verify "$WORK/p.yaml"
	expect 0 nettune plan "$WORK/p.yaml" --json
	json .changed false
	expect 0 nettune rollback
	dump after
	same_dump before after
}

test_only_named_interfaces() {
	bridge
	profile '  - match: {kind: bridge}' '    members: true' '    offloads: {tso: off}'
	expect 0 nettune plan "$WORK/p.yaml" -i eth1 --json
	json '[.changes[].interface] | unique' '["eth1"]'
	expect 0 nettune plan "$WORK/p.yaml" -i br0
	contains "br0: -i leaves out its ports: eth0 eth1"
	contains "not on eth0, eth1 below it"
	expect 0 nettune plan "$WORK/p.yaml" -i br0 --json
	json '[.changes[].interface] | unique' '["br0"]'
}

test_no_ports() {
	ip link add br0 type bridge
	profile '  - match: {kind: bridge}' '    members: true' '    offloads: {tso: off}'
	expect 0 nettune plan "$WORK/p.yaml"
	contains "br0: has no ports that the rule could reach"
	expect 0 nettune apply "$WORK/p.yaml"
}

test_what_stands_on_a_link_is_no_member() {
	bridge
	ip link add link peer0 name peer0.5 type macvlan
	profile '  - match: {name: peer0.5}' '    members: true' '    offloads: {gro: off}'
	expect 0 nettune plan "$WORK/p.yaml"
	contains "peer0.5: the offloads settings act on peer0.5 itself, not on peer0 below it"
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '[.changes[].interface] | unique' '["peer0.5"]'
}

test_the_later_rule_wins() {
	bridge
	profile '  - match: {kind: bridge}' '    members: true' '    offloads: {tso: off}' \
		'  - match: {name: eth0}' '    offloads: {tso: on}'
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '[.changes[].interface] | unique' '["br0","eth1"]'
	json .warnings '[]'
	profile '  - match: {name: eth0}' '    offloads: {tso: on, gso: off}' \
		'  - match: {kind: bridge}' '    members: true' '    offloads: {tso: off}'
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '[.changes[] | select(.key == "tx-tcp-segmentation") | .interface]' '["eth0","eth1","br0"]'
	json '[.changes[] | select(.key == "tx-generic-segmentation") | .interface]' '["eth0"]'
	json '[.warnings[] | select(.key == "eth0/offloads.tx-tcp-segmentation") | .id]' '["port-override"]'
	json '[.warnings[] | select(.interface != "eth0")]' '[]'
	expect 0 nettune plan "$WORK/p.yaml"
	contains "eth0/offloads.tx-tcp-segmentation = off, as for br0 above it: takes the place of on in line 4 of lab"
}

# What only ports can have does not fail for want of it on the bridge.
test_unsupported_above() {
	bridge
	profile '  - match: {kind: bridge}' '    members: true' '    on-unsupported: fail' '    channels: {rx: 2}'
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '[.changes[].interface]' '["eth0","eth1"]'
	json '[.skipped[].interface]' '["br0"]'
	profile '  - match: {kind: bridge}' '    members: true' '    on-unsupported: fail' '    rings: {rx: 512}'
	expect 69 nettune plan "$WORK/p.yaml"
	contains "eth0/rings.rx = 512"
}

# The bridge may block a port whose carrier came back, for two times its forward delay.
test_port_is_awaited() {
	bridge stp_state 1 forward_delay 200
	profile '  - match: {kind: bridge}' '    members: true' '    channels: {rx: 2}'
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	[ "$(state eth0)" = forwarding ]
	[ "$(state eth1)" = forwarding ]
	expect 0 nettune rollback
	[ "$(state eth0)" = forwarding ]
	[ "$(state eth1)" = forwarding ]
	lacks "forwarding"
	dump after
	same_dump before after
}

main "$@"
