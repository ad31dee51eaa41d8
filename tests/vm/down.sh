# SPDX-License-Identifier: GPL-2.0-or-later
# Links that are down: what can be set is set, the rest is put off, named, and set when they are up; a
# rollback waits for them. Speeds that are not known yet, modules that come late.
# Wants NETTUNE_VM_NICS="igb igb e1000e vmxnet3 virtio:4".
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

# The second igb has never been up.
A=$(nic igb 0) B=$(nic igb 1) E=$(nic e1000e) X=$(nic vmxnet3) P=$(nic virtio_net)

lab() {
	profile lab <<-END
		name: lab
		version: 1
		sysctl:
		  net.ipv4.tcp_fin_timeout: 20
		interfaces:
		  - match: {name: $1}
		    mtu: 4000
		    channels: {combined: 2}
		    rings: {rx: 512}
		    offloads: {tso: off}
		    coalesce: {rx-usecs: 50}
		    irq-affinity: {spread: all}
		    rps: {cpus: "0-1"}
	END
}

# ids NAME: of the array NAME in the last document
ids() {
	sed -n "/^  \"$1\": \[\$/,/^  \]/s/^      \"id\": \"\(.*\)\",\$/\1/p" "$WORK/stdout" | sort | paste -sd' '
}

has_ids() {
	local got
	got=$(ids "$1")
	[ "$got" = "$2" ] || fail "$1 are $got, wanted $2"
}

# Of the dump, what a driver keeps of a link that is down.
kept() {
	grep -E "^ethtool -[glkc] $B:" "$WORK/$1"
	sed -n "s/^\(link .*: $B:\) .* \(mtu [0-9]*\) .*/\1 \2/p" "$WORK/$1"
}

never_up() {
	local file
	file=$(lab "$B")
	forget_all
	put /proc/sys/net/ipv4/tcp_fin_timeout 60
	[ "$(cat "/sys/class/net/$B/flags")" = 0x1002 ] || fail "$B is up"
	dump start
	kept start >"$WORK/before"
	nettune_exits 0 plan "$file"
	says "deferred"
	says "interface is down"
	nettune_exits 2 plan --detailed-exitcode --json "$file"
	has_ids skipped "$B/irq-affinity.cpus $B/rps.cpus"
	nettune_exits 0 apply --json "$file"
	has_ids skipped "$B/irq-affinity.cpus $B/rps.cpus"
	stdout_has '"verdict": "deferred"'
	dump applied
	dump_has applied "ethtool -l $B: Combined: 2" "ethtool -g $B: RX: 512" "ethtool -c $B: rx-usecs: 50" \
		"ethtool -k $B: tcp-segmentation-offload: off"
}

tells_what_is_deferred() {
	local file
	file=$(lab "$B")
	nettune_exits 2 verify --json "$file"
	has_ids differences "$B/irq-affinity.cpus $B/rps.cpus"
	stdout_has '"cause": "deferred"'
	nettune_exits 2 verify --json
	has_ids differences "$B/irq-affinity.cpus $B/rps.cpus"
	nettune_exits 2 status
	says "2 deferred"
	says "interface is down"
	nettune_exits 2 status --json
	has_ids deferred "$B/irq-affinity.cpus $B/rps.cpus"
	has_ids drifted ""
	nettune_exits 0 apply --json "$file"
	stdout_has '"changed": ?false'
	nettune_exits 2 status
}

comes_up() {
	local file
	file=$(lab "$B")
	link_up "$B"
	nettune_exits 2 status
	says "can be set now"
	nettune_exits 2 verify --json "$file"
	nettune_exits 0 apply --json "$file"
	[ -z "$(ids changes | tr ' ' '\n' | grep -vE "^$B/[rt]x-[01]/(irq-affinity|rps).cpus$")" ] ||
		fail "set again: $(ids changes)"
	dump applied
	dump_has applied "irq $B $B-rx-0: 1" "irq $B $B-tx-1: 2" "/sys/class/net/$B/queues/rx-1/rps_cpus:3"
	nettune_exits 0 verify "$file"
	nettune_exits 0 verify
	nettune_exits 0 status
	nettune_exits 0 apply --json "$file"
	stdout_has '"changed": ?false'
}

and_back() {
	nettune_exits 0 rollback --all
	ip link set "$B" down
	dump after
	kept after >"$WORK/after.kept"
	same_dump before after.kept
}

# What was put off is as wished already when the link comes up: nothing to apply, nothing to tell.
settles_by_itself() {
	local file
	forget_all
	file=$(profile rps <<-END
		name: rps
		interfaces:
		  - match: {name: $B}
		    mtu: 4000
		    rps: {cpus: "1"}
	END
	)
	nettune_exits 0 apply "$file"
	nettune_exits 2 status
	link_up "$B"
	nettune_exits 2 status
	for queue in "/sys/class/net/$B/queues"/rx-*; do
		put "$queue/rps_cpus" 2
	done
	nettune_exits 0 status
	nettune_exits 0 verify
	nettune_exits 0 rollback
	for queue in "/sys/class/net/$B/queues"/rx-*; do
		put "$queue/rps_cpus" 0
	done
	ip link set "$B" down
}

# Down, but up before: masks, queues, everything odd. There and back without it ever coming up, and
# nothing is lost when it does.
odd_and_down() {
	link_up "$B"
	odd_irq_masks "$B"
	odd_queues "$B"
	ethtool -G "$B" rx 320 tx 304
	ethtool -C "$B" rx-usecs 33
	wait_carrier "$B"
	dump up
	ip link set "$B" down
	dump before
}

while_down() {
	local file
	file=$(lab "$B")
	forget_all
	nettune_exits 0 apply --json "$file"
	has_ids skipped "$B/channels.combined $B/irq-affinity.cpus $B/rps.cpus"
	stdout_has "the CPUs chosen for its interrupts would be lost"
	nettune_exits 2 verify "$file"
	nettune_exits 2 status --json
	has_ids deferred "$B/channels.combined $B/irq-affinity.cpus $B/rps.cpus"
	nettune_exits 0 rollback
	dump after
	same_dump before after
	link_up "$B"
	dump up_again
	same_dump up up_again "after it came up"
	ip link set "$B" down
}

# Nobody has chosen CPUs for its interrupts: then a change of channels loses none.
while_down_with_default_masks() {
	local file irq action
	link_up "$B"
	while read -r irq action; do
		put "/proc/irq/$irq/smp_affinity" f
	done < <(vectors "$B")
	dump up
	ip link set "$B" down
	file=$(lab "$B")
	forget_all
	nettune_exits 0 apply --json "$file"
	has_ids skipped "$B/irq-affinity.cpus $B/rps.cpus"
	dump applied
	dump_has applied "ethtool -l $B: Combined: 2"
	nettune_exits 0 rollback
	link_up "$B"
	dump up_again
	same_dump up up_again "after it came up"
	ip link set "$B" down
}

# Set while it was down, rolled back when it is up.
down_then_up() {
	local file
	link_up "$B"
	dump before
	ip link set "$B" down
	file=$(lab "$B")
	forget_all
	nettune_exits 0 apply "$file"
	link_up "$B"
	nettune_exits 0 apply "$file"
	nettune_exits 0 status
	nettune_exits 0 rollback --all
	wait_carrier "$B"
	dump after
	same_dump before after
	ip link set "$B" down
}

# Applied while it was up; down at the rollback.
down_at_rollback() {
	local file
	file=$(lab "$B")
	link_up "$B"
	odd_irq_masks "$B"
	odd_queues "$B"
	forget_all
	dump before
	nettune_exits 0 apply "$file"
	ip link set "$B" down
	nettune_exits 2 status
	says "deferred: interface is down"
	nettune_exits 4 rollback
	says "bring $B up and run nettune rollback again"
	dump halfway
	dump_has halfway "ethtool -l $B: Combined: 4" "/proc/sys/net/ipv4/tcp_fin_timeout:60"
	nettune_exits 4 status
	says "bring $B up"
	says "rollback"
	nettune_exits 4 apply "$file"
	says "rollback"
	nettune_exits 4 rollback
	link_up "$B"
	nettune_exits 0 rollback
	dump after
	same_dump before after
	nettune_exits 0 status
	says "Nothing of nettune is in force"
}

# The same with vmxnet3 (whose vectors lose their names), e1000e, and virtio (whose keep them).
down_at_rollback_of() {
	local link=$1 file
	link_up "$link"
	odd_irq_masks "$link"
	[ "$link" = "$E" ] || odd_queues "$link"
	forget_all
	file=$(profile other <<-END
		name: other
		interfaces:
		  - match: {name: $link}
		    mtu: 4000
		    rings: {rx: max}
		    irq-affinity: {spread: all}
		    rps: {cpus: all}
	END
	)
	dump before
	nettune_exits 0 apply "$file"
	wait_carrier "$link"
	ip link set "$link" down
	nettune rollback >"$WORK/stdout" 2>&1
	case $? in
	0) ;;
	4) says "bring $link up and run nettune rollback again" ;;
	*) fail "$(cat "$WORK/stdout")" ;;
	esac
	link_up "$link"
	nettune_exits 0 rollback
	dump after
	same_dump before after
}

# --- undecided

speeds() {
	local file
	forget_all
	ip link set "$B" down
	file=$(profile speeds <<-END
		name: speeds
		sysctl:
		  net.ipv4.tcp_fin_timeout: 20
		interfaces:
		  - match: {driver: virtio_net, link-speed: ">= 10Gbit"}
		    mtu: 4000
		  - match: {name: $B, link-speed: ">= 1Gbit"}
		    mtu: 5000
	END
	)
	nettune_exits 0 plan "$file"
	says "link-speed is not known, wanted >= 10Gbit"
	says "link-speed is not known, wanted >= 1Gbit"
	nettune_exits 2 plan --detailed-exitcode "$file"
	nettune_exits 0 apply --json "$file"
	has_ids changes sysctl/net.ipv4.tcp_fin_timeout
	has_ids skipped "$B/mtu $P/mtu"
	nettune_exits 2 verify --json "$file"
	has_ids differences "$B/mtu $P/mtu"
	nettune_exits 2 status --json
	has_ids deferred "$B/mtu $P/mtu"
	link_up "$B"
	nettune_exits 2 status --json
	has_ids deferred "$B/mtu $P/mtu"
	nettune_exits 0 apply --json "$file"
	has_ids changes "$B/mtu"
	wait_carrier "$B"
	nettune_exits 2 status --json
	has_ids deferred "$P/mtu"
	nettune_exits 0 rollback --all
	wait_carrier "$B"
}

near_misses() {
	local file
	file=$(profile near <<-END
		name: near
		interfaces:
		  - match: {driver: igb, link-speed: ">= 10Gbit"}
		    mtu: 4000
	END
	)
	nettune_exits 0 plan "$file"
	says "$A: link-speed is 1Gbit, wanted >= 10Gbit"
	nettune_exits 69 apply "$file"
	says "$A: link-speed is 1Gbit, wanted >= 10Gbit"
	nettune_exits 2 verify --json "$file"
	stdout_has '"cause": "unmatched"'
	file=$(profile near <<-END
		name: near
		interfaces:
		  - match: {driver: igb, link-speed: ">= 10Gbit"}
		    optional: true
		    mtu: 4000
	END
	)
	nettune_exits 0 apply "$file"
	nettune_exits 0 verify "$file"
	file=$(profile near <<-END
		name: near
		interfaces:
		  - match: {driver: igb, max-link-speed: "<= 100Mbit"}
		    mtu: 4000
	END
	)
	nettune_exits 69 apply "$file"
	says "$A: max-link-speed is 1Gbit, wanted <= 100Mbit"
}

# --- late modules

conntrack() {
	profile conntrack <<-END
		name: conntrack
		sysctl:
		  net.ipv4.tcp_fin_timeout: 20
		  net.netfilter.nf_conntrack_tcp_timeout_established: {value: 3600, optional: $1}
	END
}

module_comes_late() {
	local file
	forget_all
	put /proc/sys/net/ipv4/tcp_fin_timeout 60
	file=$(conntrack false)
	nettune_exits 69 apply "$file"
	says "nf_conntrack"
	file=$(conntrack true)
	nettune_exits 0 apply "$file"
	says "skipped"
	says "nf_conntrack"
	modprobe nf_conntrack
	dump before
	nettune_exits 0 apply --json "$file"
	has_ids changes sysctl/net.netfilter.nf_conntrack_tcp_timeout_established
	nettune_exits 0 verify "$file"
	nettune_exits 0 rollback
	dump after
	same_dump before after
	nettune_exits 0 rollback --all
}

run_case "links come up" link_up "$A" "$E" "$X" "$P"
run_case "igb before its first up: what can be set is set" never_up
run_case "... and what is put off is told" tells_what_is_deferred
run_case "... when it is up, exactly the rest is set" comes_up
run_case "... and back" and_back
run_case "what was put off and is as wished is not told" settles_by_itself
run_case "odd values, then down" odd_and_down
run_case "there and back while it is down" while_down
run_case "there and back while it is down, masks by default" while_down_with_default_masks
run_case "set while it is down, rolled back when it is up" down_then_up
run_case "down at the rollback" down_at_rollback
for link in "$E" "$X" "$P"; do
	run_case "$link down at the rollback" down_at_rollback_of "$link"
done
run_case "speeds that are not known" speeds
run_case "near misses" near_misses
run_case "a module that comes late" module_comes_late
finish
