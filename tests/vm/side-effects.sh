# SPDX-License-Identifier: GPL-2.0-or-later
# What keys of the host move on links that no profile names: large receive offload (vmxnet3 has one that can be
# changed), forwarding of each link, and what `all` and `default` hand on. All of it comes back, also after a kill.
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

IGB=$(nic igb) OTHER=$(nic igb 1) LRO=$(nic vmxnet3) INTEL=$(nic e1000e)
IPV4=/proc/sys/net/ipv4 IPV6=/proc/sys/net/ipv6

all_up() {
	link_up "$IGB" "$OTHER" "$LRO" "$INTEL"
	ethtool -k "$LRO" | grep -qx 'large-receive-offload: on' || fail "$LRO starts without LRO"
}

# No two links alike.
odd_sysctls() {
	put $IPV4/conf/"$OTHER"/forwarding 1
	put $IPV4/conf/all/accept_redirects 0
	put $IPV4/conf/"$INTEL"/accept_redirects 0
	put $IPV6/conf/"$INTEL"/forwarding 1
	put $IPV4/conf/"$IGB"/rp_filter 1
	put $IPV4/conf/"$LRO"/log_martians 1
	put $IPV4/neigh/"$OTHER"/gc_stale_time 61
	put $IPV6/conf/"$LRO"/accept_ra 2
	[ "$(<$IPV4/ip_forward)" = 0 ] || fail "forwarding is on"
}

# --- there and back: $1 is the profile's text, $2 checks the dump "applied"

there_and_back() {
	forget_all
	PROFILE=$(profile side <<<"$1")
	dump before
	nettune_exits 0 apply "$PROFILE"
	wait_carrier "$IGB" "$LRO"
	dump applied
	"$2"
	nettune_exits 0 verify "$PROFILE"
	assert_writes_nothing nettune apply "$PROFILE"
	nettune_exits 0 rollback
	wait_carrier "$IGB" "$LRO"
	dump after
	same_dump before after
}

FORWARDING="
name: side
version: 1
sysctl: {net.ipv4.ip_forward: 1}
interfaces: [{match: {name: $IGB}, rings: {rx: 320}}]"

forwards() {
	dump_has applied "$IPV4/ip_forward:1" "$IPV4/conf/$INTEL/forwarding:1" "$IPV4/conf/default/forwarding:1" \
		"ethtool -g $IGB: RX: 320" "ethtool -k $LRO: large-receive-offload: off"
}

# The offload that was off stays off.
lro_was_off() {
	ethtool -K "$LRO" lro off || fail "lro off"
	there_and_back "$FORWARDING" forwards
	dump_has after "ethtool -k $LRO: large-receive-offload: off"
	ethtool -K "$LRO" lro on || fail "lro on"
}

forwards_ipv6() {
	dump_has applied "$IPV6/conf/all/forwarding:1" "$IPV6/conf/$OTHER/forwarding:1" "$IPV6/conf/default/forwarding:1" \
		"ethtool -k $LRO: large-receive-offload: off"
}

forwards_one() {
	dump_has applied "$IPV4/conf/$LRO/forwarding:1" "$IPV4/ip_forward:0" "$IPV4/conf/$INTEL/forwarding:0" \
		"ethtool -k $LRO: large-receive-offload: off"
}

# From a router with one link that does not forward to none at all.
no_router() {
	put $IPV4/ip_forward 1
	put $IPV4/conf/"$INTEL"/forwarding 0
	put $IPV4/conf/all/accept_redirects 1
	there_and_back "{name: side, version: 1, sysctl: {net.ipv4.ip_forward: 0}}" forwards_nowhere
	dump_has after "$IPV4/ip_forward:1" "$IPV4/conf/$INTEL/forwarding:0" "$IPV4/conf/$OTHER/forwarding:1" \
		"$IPV4/conf/all/accept_redirects:1"
	put $IPV4/ip_forward 0
	ethtool -K "$LRO" lro on || fail "lro on"
	odd_sysctls
}

forwards_nowhere() {
	dump_has applied "$IPV4/ip_forward:0" "$IPV4/conf/$OTHER/forwarding:0"
}

HANDED_ON="
name: side
version: 1
sysctl:
  net.ipv4.conf.default.rp_filter: 2
  net.ipv4.conf.all.rp_filter: 1
  net.ipv4.conf.default.log_martians: 1
  net.ipv4.conf.default.accept_redirects: 0
  net.ipv4.neigh.default.gc_stale_time: 77
  net.ipv4.neigh.default.base_reachable_time_ms: 20000
  net.ipv4.neigh.default.unres_qlen: 55
  net.ipv6.conf.default.accept_ra: 0
  net.ipv6.conf.all.accept_redirects: 0
  net.ipv6.conf.default.forwarding: 1
  net.ipv6.neigh.default.retrans_time_ms: 2000"

is_handed_on() {
	dump_has applied "$IPV4/conf/default/rp_filter:2" "$IPV4/conf/all/rp_filter:1" "$IPV4/neigh/default/gc_stale_time:77" \
		"$IPV6/neigh/default/retrans_time_ms:2000"
}

# Forwarding that is off already, though a link forwards: nothing is sent, so that link goes on.
equal_is_not_written() {
	forget_all
	PROFILE=$(profile equal <<<"{name: equal, version: 1, sysctl: {net.ipv4.ip_forward: 0, net.ipv6.conf.all.forwarding: 0}}")
	dump before
	assert_writes_nothing nettune apply "$PROFILE"
	dump after
	same_dump before after
	dump_has after "$IPV4/conf/$OTHER/forwarding:1"
}

run_case "links come up" all_up
run_case "odd values take" odd_sysctls
run_case "what is equal is not written" equal_is_not_written
run_case "ip_forward: LRO and forwarding of links that nobody named" there_and_back "$FORWARDING" forwards
run_case "ip_forward: LRO that was off stays off" lro_was_off
run_case "IPv6 forwarding" there_and_back \
	"{name: side, version: 1, sysctl: {net.ipv6.conf.all.forwarding: 1}}" forwards_ipv6
run_case "forwarding of one link" there_and_back \
	"{name: side, version: 1, sysctl: {net.ipv4.conf.$LRO.forwarding: 1}}" forwards_one
run_case "a router no more" no_router
run_case "what all and default hand on" there_and_back "$HANDED_ON" is_handed_on

LINK=$IGB PROFILE=$(profile side <<<"$FORWARDING")
forget_all
dump before
run_case "time for an apply" trip_apply
run_case "time for a rollback" trip_back
crash_trip "ip_forward" "$IGB" "$PROFILE"
finish
