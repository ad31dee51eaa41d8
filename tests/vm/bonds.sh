#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Bonds of real drivers with a partner: two igb in bond0 here, two in bond1 of another network namespace, each pair on
# a hub of its own. Needs NETTUNE_VM_NICS="igb@1 igb@1 igb@2 igb@2 vmxnet3 vmxnet3".
. "$(dirname "$0")/guest.sh"

P0=$(nic igb 0) Q0=$(nic igb 1) P1=$(nic igb 2) Q1=$(nic igb 3)

peer() {
	ip netns exec peer "$@"
}

# make_bond BOND "PORT..." OPTION...
make_bond() {
	local bond=$1 port ports=$2
	shift 2
	ip link add "$bond" type bond "$@" || fail "no $bond"
	for port in $ports; do
		ip link set "$port" down
		ip link set "$port" master "$bond" || fail "$port does not join $bond"
	done
	ip link set "$bond" up
}

# Both ends with the same options.
make_bonds() {
	ip link del bond0 2>/dev/null
	peer ip link del bond1 2>/dev/null
	make_bond bond0 "$P0 $P1" "$@"
	export -f make_bond fail
	peer bash -c 'make_bond "$@"' bash bond1 "$Q0 $Q1" "$@"
	wait_ports "$P0" "$P1"
}

# serves PORT: its bond can use it.
serves() {
	local carrier mii actor=48 partner=48 dir=/sys/class/net/$1
	read -r carrier <"$dir/carrier" && read -r mii <"$dir/bonding_slave/mii_status"
	if [ -n "$LACP" ]; then
		read -r actor <"$dir/bonding_slave/ad_actor_oper_port_state"
		read -r partner <"$dir/bonding_slave/ad_partner_oper_port_state"
	fi
	[ "$carrier" = 1 ] && [ "$mii" = up ] && ((actor & partner & 48)) && (((actor & partner & 48) == 48))
}

wait_ports() {
	wait_each serves 300 "not in service:" "$@"
}

flaps() {
	cat "/sys/class/net/$1/carrier_changes"
}

# Notes which ports are without service, again and again, until the file "watch" is gone.
watch() {
	local state last=
	while [ -e "$WORK/watch" ]; do
		state=
		serves "$P0" || state+="$P0 "
		serves "$P1" || state+="$P1 "
		[ "$(cat /sys/class/net/bond0/carrier)" = 1 ] || state+=bond0
		[ "$state" = "$last" ] || echo "out: $state"
		last=$state
	done >"$WORK/watched"
}

start_watch() {
	touch "$WORK/watch"
	watch &
	WATCH=$!
	FLAPS="$(flaps "$P0") $(flaps "$P1") $(flaps bond0)"
}

# Each port was out, never both, and the bond not at all.
end_watch() {
	local before0 before1 before
	rm "$WORK/watch"
	wait $WATCH
	serves "$P0" || fail "$P0 is not in service at the end"
	serves "$P1" || fail "$P1 is not in service at the end"
	if grep -q "$P0.*$P1\|bond0" "$WORK/watched"; then
		fail "out at the same time:"$'\n'"$(cat "$WORK/watched")"
	fi
	read -r before0 before1 before <<<"$FLAPS"
	[ "$(flaps "$P0")" -gt "$before0" ] || fail "$P0 kept its carrier"
	[ "$(flaps "$P1")" -gt "$before1" ] || fail "$P1 kept its carrier"
	[ "$(flaps bond0)" = "$before" ] || fail "bond0 lost its carrier"
}

# one_by_one NAME RULE-LINE...: there and back, one port at a time.
one_by_one() {
	local name=$1
	shift
	PROFILE=$({
		printf 'name: %s\ninterfaces:\n  - match: {name: bond0}\n' "$name"
		printf '    %s\n' "$@"
	} | profile "$name")
	forget_all
	run_case "$MODE, $name: apply, one port at a time" one_apply
	run_case "$MODE, $name: the second apply changes nothing" one_again
	run_case "$MODE, $name: rollback, one port at a time" one_back
}

one_apply() {
	dump before
	start_watch
	nettune_exits 0 apply "$PROFILE"
	end_watch
	nettune_exits 0 verify "$PROFILE"
	dump applied
}

one_again() {
	local before
	before=$(flaps "$P0")
	nettune_exits 0 apply --json "$PROFILE"
	stdout_has '"changed": ?false'
	[ "$(flaps "$P0")" = "$before" ] || fail "$P0 was reset"
}

one_back() {
	start_watch
	nettune_exits 0 rollback
	end_watch
	[ ! -s "$WORK/stderr" ] || fail "rollback says: $(cat "$WORK/stderr")"
	dump after
	same_dump before after
}

rings_profile() {
	profile rings <<<"{name: rings, interfaces: [{match: {name: bond0}, members: true, rings: {rx: $1}}]}"
}

# As soon as the port has lost its carrier, its partner goes down.
cut_partner() {
	while serves "$P0"; do :; done
	peer ip link set "$Q0" down
}

mend_partner() {
	peer ip link set "$Q0" up
	wait_ports "$P0" "$P1"
}

# stderr_has TEXT
stderr_has() {
	grep -qF -- "$1" "$WORK/stderr" || fail "stderr lacks \"$1\":"$'\n'"$(cat "$WORK/stderr")"
}

rx_ring() {
	ethtool -g "$1" | awk '/^Current/ { now = 1 } now && $1 == "RX:" { print $2 }'
}

does_not_come_back() {
	local flaps1
	forget_all
	dump before
	flaps1=$(flaps "$P1")
	cut_partner &
	nettune_exits 3 apply --carrier-timeout 8s --json "$(rings_profile 512)"
	wait
	tr -d '\n' <"$WORK/stdout" >"$WORK/line"
	grep -q "\"message\": \"$P0: not collecting and distributing in bond0 8000 ms after the change\"" "$WORK/line" ||
		fail "error: $(grep -o '"error".*' "$WORK/line" | tail -c 400)"
	grep -q '"id": "not-back"' "$WORK/line" || fail "no word of $P0 not being back"
	grep -q "\"id\": \"$P1/rings.rx\"[^}]*\"verdict\": null" "$WORK/line" || fail "$P1 was judged"
	[ "$(flaps "$P1")" = "$flaps1" ] || fail "$P1 was reset"
	serves "$P1" || fail "$P1 is not in service"
	nettune_exits 0 status
	mend_partner
	dump after
	same_dump before after
}

rollback_goes_on() {
	forget_all
	dump before
	nettune_exits 0 apply "$(rings_profile 512)"
	cut_partner &
	nettune_exits 0 rollback --carrier-timeout 6s
	wait
	stderr_has "$P0: not collecting and distributing in bond0 6000 ms after the change, and is not back yet"
	[ "$(rx_ring "$P0") $(rx_ring "$P1")" = "256 256" ] || fail "rings are $(rx_ring "$P0"), $(rx_ring "$P1")"
	nettune_exits 0 status
	mend_partner
	dump after
	same_dump before after
}

# The second port stays away until it has its old settings again: it is put back first, and awaited, before the first
# port goes down once more.
second_port_stays_away() {
	forget_all
	dump before
	start_watch
	{
		while serves "$P1"; do :; done
		peer ip link set "$Q1" down
		while [ "$(rx_ring "$P1")" != 512 ]; do sleep 0.1; done
		while [ "$(rx_ring "$P1")" != 256 ]; do sleep 0.1; done
		peer ip link set "$Q1" up
	} &
	nettune_exits 3 apply --carrier-timeout 15s "$(rings_profile 512)"
	end_watch
	stdout_has "$P1: not collecting and distributing in bond0 15000 ms after the change"
	grep -q "is not back yet" "$WORK/stderr" && fail "$(cat "$WORK/stderr")"
	dump after
	same_dump before after
}

# Two signals: the first ends the wait of apply, the second that of the way back, and not the way back.
signals_end_the_wait() {
	local pid status begin=$SECONDS
	forget_all
	dump before
	nettune apply --carrier-timeout 300s "$(rings_profile 512)" >"$WORK/stdout" 2>"$WORK/stderr" &
	pid=$!
	cut_partner
	sleep 3
	kill -TERM $pid
	sleep 6
	kill -TERM $pid
	wait $pid
	status=$?
	[ $status -eq 3 ] || fail "exit $status, expected 3: $(cat "$WORK/stdout" "$WORK/stderr")"
	[ $((SECONDS - begin)) -lt 250 ] || fail "the wait went on"
	grep -q "interrupted by a signal" "$WORK/stdout" "$WORK/stderr" || fail "$(cat "$WORK/stdout")"
	stderr_has "is not back yet"
	mend_partner
	dump after
	same_dump before after
}

# Killed while the second port is out, and a rollback at once: the first must not go down before the second is back.
killed_between_ports() {
	local pid
	forget_all
	dump before
	nettune apply "$(rings_profile 512)" >"$WORK/stdout" 2>"$WORK/stderr" &
	pid=$!
	while serves "$P1"; do :; done
	kill -9 $pid
	wait $pid 2>/dev/null
	[ "$(rx_ring "$P0")" = 512 ] || fail "$P0 was not changed first"
	start_watch
	nettune_exits 0 rollback
	end_watch
	dump after
	same_dump before after
}

# A port that is down has nothing to wait for.
port_is_down() {
	forget_all
	ip link set "$P1" down
	dump before
	nettune_exits 0 apply "$(rings_profile 512)"
	[ "$(rx_ring "$P1")" = 512 ] || fail "$P1 has $(rx_ring "$P1")"
	serves "$P0" || fail "$P0 is not in service"
	nettune_exits 0 rollback
	dump after
	same_dump before after
	ip link set "$P1" up
	wait_ports "$P1"
}

backup_first() {
	local active order
	read -r active </sys/class/net/bond0/bonding/active_slave
	nettune_exits 0 plan --json "$(rings_profile 512)"
	order=$(sed -n 's/.*"id": "\([^/]*\)\/rings.rx".*/\1/p' "$WORK/stdout" | head -n 2 | tail -n 1)
	[ "$order" = "$active" ] || fail "the active port $active is not the last: $(cat "$WORK/stdout")"
}

said_of_offloads() {
	forget_all
	nettune_exits 0 plan "$(profile tso <<<"{name: tso, interfaces: [{match: {name: bond0}, offloads: {tso: off}}]}")"
	stderr_has "bond0: the offloads settings act on bond0 itself, not on $P0, $P1 below it"
	nettune_exits 0 apply "$WORK/tso.yaml"
	[ "$(ethtool -k "$P0" | grep -c '^tcp-segmentation-offload: on')" = 1 ] || fail "$P0 lost tso"
	nettune_exits 0 rollback
}

# The kernel hands LRO that goes off down to the ports, and does not give it back.
lro_below() {
	local a b
	a=$(nic vmxnet3 0) b=$(nic vmxnet3 1)
	forget_all
	make_bond bond2 "$a $b" mode active-backup miimon 100
	wait_carrier bond2 "$a" "$b"
	sleep 1
	dump before
	ethtool -k "$a" | grep -q '^large-receive-offload: on' || fail "$a has no LRO to lose"
	nettune_exits 0 apply "$(profile lro <<<"{name: lro, interfaces: [{match: {name: bond2}, offloads: {lro: off}}]}")"
	wait_carrier bond2 "$a" "$b"
	ethtool -k "$a" | grep -q '^large-receive-offload: off' || fail "$a kept LRO"
	nettune_exits 0 rollback
	wait_carrier bond2 "$a" "$b"
	dump after
	same_dump before after
	ip link del bond2
}

modprobe bonding max_bonds=0
ip netns add peer
ip link set "$Q0" netns peer
ip link set "$Q1" netns peer

MODE=802.3ad LACP=yes
run_case "$MODE: a bond and its partner" make_bonds mode 802.3ad miimon 100 lacp_rate fast
run_case "$MODE: offloads of a bond are its own" said_of_offloads
one_by_one rings 'members: true' 'rings: {rx: 512}'
one_by_one everything 'members: true' 'channels: {combined: 2}' 'mtu: 4000' 'rings: {rx: 512, tx: 1024}'
one_by_one mtu 'mtu: 9000'
run_case "$MODE: a port that does not come back ends the run" does_not_come_back
run_case "$MODE: the second port does not come back" second_port_stays_away
run_case "$MODE: rollback goes on without a port, and says so" rollback_goes_on
run_case "$MODE: signals end the wait" signals_end_the_wait
run_case "$MODE: killed between ports" killed_between_ports
run_case "$MODE: a port that is down" port_is_down

MODE=active-backup LACP=
run_case "$MODE: a bond and its partner" make_bonds mode active-backup miimon 100 updelay 1000
run_case "$MODE: the active port comes last" backup_first
one_by_one rings 'members: true' 'rings: {rx: 512}'
one_by_one channels 'members: true' 'channels: {combined: 2}'
run_case "LRO of a bond" lro_below
finish
