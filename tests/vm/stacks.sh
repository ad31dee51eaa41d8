# SPDX-License-Identifier: GPL-2.0-or-later
# MTU over stacks of devices: VLAN over bond over igb, VLAN and macvlan on e1000e, a bridge with igb
# and veth. Whatever moves along is shown before, recorded, and put back.
# Wants NETTUNE_VM_NICS="igb igb e1000e vmxnet3".
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

A=$(nic igb 0) B=$(nic igb 1) E=$(nic e1000e)

quiet_ip() {
	ip "$@" || fail "ip $*"
}

mtu() {
	cat "/sys/class/net/$1/mtu"
}

# has_mtu MTU LINK...
has_mtu() {
	local wanted=$1 link
	shift
	for link in "$@"; do
		[ "$(mtu "$link")" = "$wanted" ] || fail "$link has MTU $(mtu "$link"), wanted $wanted"
	done
}

# mtus NAME MTU...: a profile with one rule for each link, in this order
mtus() {
	local name=$1
	shift
	{
		printf 'name: %s\ninterfaces:\n' "$name"
		while [ $# -gt 1 ]; do
			printf '  - match: {name: %s}\n    mtu: %s\n' "$1" "$2"
			shift 2
		done
	} | profile "$name"
}

# IPv6's own MTU of each link, another one each.
odd_ipv6_mtus() {
	local link i=0
	for link in "$@"; do
		put "/proc/sys/net/ipv6/conf/$link/mtu" $((1290 + 10 * i++))
	done
}

# The order in which a plan writes these links: plan_order PROFILE LINK...
plan_order() {
	local file=$1 got
	shift
	nettune_exits 0 plan --json "$file"
	got=$(sed -n '/"changes": \[/,/^  \]/s/.*"id": "\([^/]*\)\/mtu".*/\1/p' "$WORK/stdout" |
		grep -xF "$(printf '%s\n' "$@")" | paste -sd' ')
	[ "$got" = "$*" ] || fail "order of the MTUs: $got, wanted $*"
}

# moves_along PROFILE LINK...: the plan says so, as a step of its own (ports of a bond) or not
moves_along() {
	local file=$1 link
	shift
	nettune_exits 0 plan --json "$file"
	for link in "$@"; do
		grep -q "\"id\": \"$link/mtu\"" "$WORK/stdout" ||
			fail "the plan does not say that $link moves along"
	done
}

# there PROFILE: applied, verified, and nothing to do again
there() {
	nettune_exits 0 apply "$1"
	nettune_exits 0 verify "$1"
	nettune_exits 0 verify
	nettune_exits 0 apply --json "$1"
	stdout_has '"changed": ?false'
}

back() {
	nettune_exits 0 rollback
	wait_carrier "$A" "$B" "$E"
	dump after
	same_dump before after
}

# --- VLAN over bond over two igb

make_bond() {
	quiet_ip link set "$A" down
	quiet_ip link set "$B" down
	# loaded by a first bond, the module makes one of its own
	modprobe bonding max_bonds=0
	quiet_ip link add bond0 type bond mode active-backup miimon 50
	quiet_ip link set "$A" master bond0
	quiet_ip link set "$B" master bond0
	link_up bond0
	quiet_ip link add link bond0 name bond0.100 type vlan id 100
	# A VLAN has no LRO, and forbids it below; Linux 5.10 shows that when the bond's features are computed next.
	ethtool -K bond0 tso off >/dev/null
	ethtool -K bond0 tso on >/dev/null
	link_up bond0.100 "$A" "$B"
	odd_ipv6_mtus bond0 bond0.100
}

raise_bond() {
	local file
	file=$(mtus raise bond0.100 9000 bond0 9000)
	forget_all
	dump before
	plan_order "$file" bond0 bond0.100
	moves_along "$file" "$A" "$B"
	there "$file"
	has_mtu 9000 "$A" "$B" bond0 bond0.100
	dump applied
	carried "/ipv6/conf/bond0/mtu:" "/ipv6/conf/bond0.100/mtu:"
	back
}

lower_bond() {
	local file
	quiet_ip link set bond0 mtu 9000
	quiet_ip link set bond0.100 mtu 8000
	wait_carrier "$A" "$B" bond0
	odd_ipv6_mtus bond0 bond0.100
	file=$(mtus lower bond0 1600 bond0.100 1500)
	forget_all
	dump before
	plan_order "$file" bond0.100 bond0
	there "$file"
	has_mtu 1600 "$A" "$B" bond0
	has_mtu 1500 bond0.100
	back
	has_mtu 8000 bond0.100
}

# Nobody names the VLAN: it is pulled down with the bond, and comes up again by the rollback.
lower_only_bond() {
	local file
	file=$(mtus only bond0 2000)
	forget_all
	dump before
	moves_along "$file" "$A" "$B" bond0.100
	there "$file"
	has_mtu 2000 "$A" "$B" bond0 bond0.100
	back
	has_mtu 8000 bond0.100
}

# At several moments of an apply and of a rollback.
crash_bond() {
	local file ms
	file=$(mtus crash bond0 1600 bond0.100 1500)
	dump before
	for ms in 60 200 400 700 1300; do
		forget_all
		start_and_kill $ms apply "$file"
		[ -z "$(ls /var/lib/nettune/journal/*.jsonl 2>/dev/null)" ] || nettune_exits 0 rollback
		wait_carrier "$A" "$B" bond0
		dump after
		same_dump before after "killed after $ms ms"
	done
	for ms in 200 500 1000; do
		forget_all
		nettune_exits 0 apply "$file"
		start_and_kill $ms rollback
		nettune_exits 0 rollback
		wait_carrier "$A" "$B" bond0
		dump after
		same_dump before after "rollback killed after $ms ms"
	done
}

above_its_parent() {
	local file
	file=$(mtus above bond0.100 9100)
	dump before
	nettune_exits 65 apply "$file"
	grep -q "bond0 below it has 9000" "$WORK/stderr" || fail "$(cat "$WORK/stderr")"
	dump after
	same_dump before after
}

# What is set on the bond or the VLAN is not set on what is below.
named_device_only() {
	local file
	file=$(profile named <<-END
		name: named
		interfaces:
		  - match: {name: bond0}
		    offloads: {tso: off}
		  - match: {name: bond0.100}
		    offloads: {gro: off}
	END
	)
	forget_all
	dump before
	there "$file"
	dump applied
	dump_has applied "ethtool -k bond0: tcp-segmentation-offload: off" \
		"ethtool -k bond0.100: generic-receive-offload: off" \
		"ethtool -k $A: tcp-segmentation-offload: on" "ethtool -k $A: generic-receive-offload: on"
	back
}

unmake_bond() {
	quiet_ip link delete bond0.100
	quiet_ip link delete bond0
	quiet_ip link set "$A" mtu 1500
	quiet_ip link set "$B" mtu 1500
	link_up "$A" "$B"
}

# --- VLAN and macvlan on one parent

make_tower() {
	quiet_ip link add link "$E" name "$E.5" type vlan id 5
	quiet_ip link add link "$E" name mac0 type macvlan mode bridge
	quiet_ip link add link "$E.5" name mac1 type macvlan mode bridge
	link_up "$E.5" mac0 mac1
	odd_ipv6_mtus "$E" "$E.5" mac0 mac1
}

raise_tower() {
	local file
	file=$(mtus tower mac1 3000 mac0 4000 "$E.5" 3000 "$E" 4000)
	forget_all
	dump before
	nettune_exits 0 plan "$file"
	there "$file"
	has_mtu 4000 "$E" mac0
	has_mtu 3000 "$E.5" mac1
	back
}

# The parent alone: everything above falls, down to the macvlan on the VLAN.
lower_tower() {
	local file
	quiet_ip link set "$E" mtu 4000
	quiet_ip link set "$E.5" mtu 3900
	quiet_ip link set mac1 mtu 3800
	quiet_ip link set mac0 mtu 2000
	wait_carrier "$E"
	odd_ipv6_mtus "$E" "$E.5" mac0 mac1
	file=$(mtus fall "$E" 1700)
	forget_all
	dump before
	moves_along "$file" "$E.5" mac0 mac1
	there "$file"
	has_mtu 1700 "$E" "$E.5" mac0 mac1
	back
	has_mtu 2000 mac0
	has_mtu 3800 mac1
}

macvlan_above_parent() {
	local file
	file=$(mtus above mac0 4001)
	nettune_exits 65 apply "$file"
	grep -q "$E below it has 4000" "$WORK/stderr" || fail "$(cat "$WORK/stderr")"
}

unmake_tower() {
	quiet_ip link delete mac1
	quiet_ip link delete mac0
	quiet_ip link delete "$E.5"
	quiet_ip link set "$E" mtu 1500
	link_up "$E"
}

# --- a bridge

make_bridge() {
	quiet_ip link add veth0 type veth peer name veth1
	quiet_ip link add br0 type bridge
	quiet_ip link set "$A" master br0
	quiet_ip link set veth0 master br0
	link_up br0 veth0 veth1
	odd_ipv6_mtus br0 veth1
}

# Follows the smallest of its ports, and goes on after the rollback.
bridge_follows() {
	local file
	file=$(mtus ports "$A" 9000 veth0 8000)
	forget_all
	dump before
	moves_along "$file" br0
	there "$file"
	has_mtu 8000 br0
	back
	quiet_ip link set veth0 mtu 1450
	has_mtu 1450 br0
	quiet_ip link set veth0 mtu 1500
	has_mtu 1500 br0
}

bridge_follows_after_a_crash() {
	local file ms
	file=$(mtus ports "$A" 9000 veth0 8000)
	for ms in 150 400 800 1500; do
		forget_all
		odd_ipv6_mtus br0 veth1
		dump before
		start_and_kill $ms apply "$file"
		[ -z "$(ls /var/lib/nettune/journal/*.jsonl 2>/dev/null)" ] || nettune_exits 0 rollback
		wait_carrier "$A"
		dump after
		same_dump before after "killed after $ms ms"
		quiet_ip link set veth0 mtu 1450
		has_mtu 1450 br0
		quiet_ip link set veth0 mtu 1500
	done
}

# One that was set by hand keeps its MTU, and does not begin to follow.
bridge_of_its_own_mind() {
	local file
	quiet_ip link set br0 mtu 1400
	odd_ipv6_mtus br0 veth1
	file=$(mtus ports "$A" 9000 veth0 8000)
	forget_all
	dump before
	there "$file"
	has_mtu 1400 br0
	back
	has_mtu 1400 br0
	quiet_ip link set veth0 mtu 1350
	has_mtu 1400 br0
	quiet_ip link set veth0 mtu 1500
	has_mtu 1400 br0
}

# Ports fall below what the bridge was set to: the kernel lets it be.
bridge_set_and_ports_lowered() {
	local file
	file=$(mtus lower "$A" 1300 veth0 1300)
	forget_all
	dump before
	there "$file"
	back
}

unmake_bridge() {
	quiet_ip link delete br0
	quiet_ip link delete veth0
}

run_case "links come up" link_up "$A" "$B" "$E"
run_case "VLAN over bond over igb" make_bond
run_case "raised from below, whatever the order in the profile" raise_bond
run_case "lowered from above" lower_bond
run_case "the VLAN falls with the bond, and comes back" lower_only_bond
run_case "killed in the middle" crash_bond
run_case "not above the bond" above_its_parent
run_case "offloads of the named device only" named_device_only
run_case "no bond any more" unmake_bond
run_case "VLAN, macvlan, macvlan on VLAN" make_tower
run_case "a tower is raised" raise_tower
run_case "a tower falls with its parent, and comes back" lower_tower
run_case "a macvlan not above its parent" macvlan_above_parent
run_case "no tower any more" unmake_tower
run_case "bridge with igb and veth" make_bridge
run_case "a bridge follows, also after the rollback" bridge_follows
run_case "a bridge follows after a crash" bridge_follows_after_a_crash
run_case "a bridge that was set keeps its MTU" bridge_of_its_own_mind
run_case "a bridge that was set, with lower ports" bridge_set_and_ports_lowered
run_case "no bridge any more" unmake_bridge
finish
