# SPDX-License-Identifier: GPL-2.0-or-later
# A machine with 72 CPUs in two NUMA nodes, an igb at each, CPUs 34 and 70 isolated (machine numa72 of run.sh):
# masks of three words, local and spread, CPUs that go offline, whole round trips.
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

# The link on NUMA node $1.
node_link() {
	local node
	for node in /sys/class/net/*/device/numa_node; do
		[ "$(cat "$node")" = "$1" ] && basename "${node%/device/numa_node}"
	done
}
ETH0=$(node_link 0) ETH1=$(node_link 1)

machine_as_asked() {
	local wanted got
	wanted="0-71 34,70 0-35 36-71"
	got=$(cd /sys/devices/system && cat cpu/online cpu/isolated node/node0/cpulist node/node1/cpulist | paste -sd' ')
	[ "$got" = "$wanted" ] || fail "online, isolated, node 0, node 1: $got"
	[ "$(cat "/sys/class/net/$ETH0/device/local_cpulist")" = 0-35 ] || fail "$ETH0 is not at node 0"
	[ "$(cat "/sys/class/net/$ETH1/device/local_cpulist")" = 36-71 ] || fail "$ETH1 is not at node 1"
	link_up "$ETH0" "$ETH1"
}

# "0-2,64" -> 01,00000000,00000007
mask() {
	local part first last cpu words=(0 0 0)
	for part in ${1//,/ }; do
		first=${part%-*} last=${part#*-}
		for ((cpu = first; cpu <= last; cpu++)); do
			words[cpu / 32]=$((words[cpu / 32] | 1 << cpu % 32))
		done
	done
	printf '%02x,%08x,%08x\n' "${words[2]}" "${words[1]}" "${words[0]}"
}

# rps_is LINK QUEUE LIST
rps_is() {
	local got
	got=$(cat "/sys/class/net/$1/queues/rx-$2/rps_cpus")
	[ "$got" = "$(mask "$3")" ] || fail "$1 rx-$2 rps_cpus: $got, expected $(mask "$3")"
}

# irq_is LINK SUFFIX LIST: the vector LINK-SUFFIX.
irq_is() {
	local irq got
	irq=$(vectors "$1" | awk -v action="$1-$2" '$2 == action { print $1 }')
	got=$(cat "/proc/irq/$irq/smp_affinity_list")
	[ "$got" = "$3" ] || fail "$1-$2 (IRQ $irq): $got, expected $3"
}

on_node_1() {
	profile "$1" <<-END
		name: $1
		version: 1
		interfaces:
		  - match: {name: $ETH1}
		    $2
		    $3
	END
}

applies() {
	nettune_exits 0 apply "$1"
	nettune_exits 0 verify "$1"
	nettune_exits 0 apply --json "$1"
	stdout_has '"changed": ?false'
}

goes_back() {
	nettune_exits 0 rollback
	wait_carrier "$ETH0" "$ETH1"
	dump after
	same_dump before after
}

begin() {
	forget_all
	dump before
}

three_words() {
	begin
	applies "$(on_node_1 words 'rps: {queues: {0: "71", 1: "0x40,00000008,80000001", 2: "0-33,35-69,71"}}' \
		'irq-affinity: {queues: {0: "71", 1: "0,35,64", 2: "0x80,00000001,00000000"}}')"
	rps_is "$ETH1" 0 71
	rps_is "$ETH1" 1 0,31,35
	rps_is "$ETH1" 2 0-33,35-69,71
	irq_is "$ETH1" TxRx-0 71
	irq_is "$ETH1" TxRx-1 0,35,64
	irq_is "$ETH1" TxRx-2 32,71
	goes_back
}

# A CPU in the isolated set is dropped by the kernel: predicted, and no failure.
isolated_dropped() {
	begin
	nettune_exits 0 apply --json "$(on_node_1 isolated 'rps: {cpus: "68-71"}' '')"
	stdout_has '"verdict": ?"reduced"'
	rps_is "$ETH1" 0 68-69,71
	nettune_exits 0 plan --json "$WORK/isolated.yaml"
	stdout_has '"changed": ?false'
	nettune_exits 0 verify "$WORK/isolated.yaml"
	goes_back
}

refused_at_plan() {
	local value
	begin
	for value in '72' '0-72' '0x100,00000000,00000000' '0x1,00000000,00000000,00000000' '34,70'; do
		nettune_exits 65 plan "$(on_node_1 beyond "rps: {cpus: \"$value\"}" '')"
	done
	nettune_exits 65 apply "$(on_node_1 beyond 'irq-affinity: {spread: "70"}' '')"
	dump after
	same_dump before after
}

local_profile() {
	profile local <<-END
		name: local
		version: 1
		interfaces:
		  - match: {name: "$ETH0"}
		    rps: {cpus: local}
		    irq-affinity: {spread: local}
		  - match: {name: "$ETH1"}
		    rps: {cpus: local}
		    irq-affinity: {spread: local}
	END
}

# spread_is LINK CPU...: vector i is on the i-th of them.
spread_is() {
	local link=$1 i=0 cpu
	shift
	for cpu in "$@"; do
		irq_is "$link" TxRx-$((i++)) "$cpu"
	done
}

local_is_the_node() {
	begin
	applies "$(local_profile)"
	rps_is "$ETH0" 7 0-33,35
	rps_is "$ETH1" 0 36-69,71
	spread_is "$ETH0" 0 1 2 3 4 5 6 7
	spread_is "$ETH1" 36 37 38 39 40 41 42 43
	goes_back
}

online() {
	local cpu state=$1
	shift
	for cpu in "$@"; do
		put "/sys/devices/system/cpu/cpu$cpu/online" "$state"
	done
}

offline_left_out() {
	online 0 36 38 39 71
	begin
	applies "$(local_profile)"
	rps_is "$ETH1" 3 37,40-69
	spread_is "$ETH1" 37 40 41 42 43 44 45 46
	nettune_exits 65 plan "$(on_node_1 offline 'rps: {cpus: "36,38"}' '')"
	nettune_exits 65 plan "$(on_node_1 offline 'irq-affinity: {queues: {0: "36,38"}}' '')"
	nettune_exits 0 apply --json "$(on_node_1 partly 'rps: {cpus: "36-37"}' 'irq-affinity: {queues: {0: "36-37"}}')"
	stdout_has '"verdict": ?"reduced"'
	rps_is "$ETH1" 0 37
	nettune_exits 0 rollback --all
	dump after
	same_dump before after
	online 1 36 38 39 71
}

spread_list() {
	begin
	applies "$(on_node_1 list 'irq-affinity: {spread: "33-35,69-71"}' '')"
	spread_is "$ETH1" 33 35 69 71 33 35 69 71
	goes_back
}

odd_masks() {
	local queue=0 irq action
	while read -r irq action; do
		put "/proc/irq/$irq/smp_affinity_list" "$((queue)),$((queue + 35)),$((queue + 60))"
		queue=$(((queue + 1) % 11))
	done < <(vectors "$1" | sort -k2)
	for queue in "/sys/class/net/$1/queues"/rx-*; do
		put "$queue/rps_cpus" "$(mask "$((${queue##*-} + 1)),33,$((${queue##*-} + 62))")"
		put "$queue/rps_flow_cnt" 512
	done
	for queue in "/sys/class/net/$1/queues"/tx-*; do
		put "$queue/xps_cpus" "$(mask "$((${queue##*-})),$((${queue##*-} + 40))")"
	done
}

odd_start() {
	{
		ethtool -L "$ETH0" combined 3
		ethtool -L "$ETH1" combined 8
		ethtool -G "$ETH0" rx 320 tx 304
	} >/dev/null 2>&1
	wait_carrier "$ETH0" "$ETH1"
	odd_masks "$ETH0"
	odd_masks "$ETH1"
}

after_dc() {
	local i
	dump_has applied "ethtool -g $ETH0: RX: 4096" "ethtool -g $ETH1: RX: 4096"
	for link in "$ETH0" "$ETH1"; do
		grep -q "^ethtool -x $link: .* with 8 RX ring" "$WORK/applied" || fail "$link has not all its queues"
		for ((i = 0; i < 8; i++)); do
			rps_is "$link" $i ""
		done
	done
	spread_is "$ETH0" 0 1 2 3 4 5 6 7
	spread_is "$ETH1" 36 37 38 39 40 41 42 43
	carried "/$ETH0/queues/tx-[0-2]/xps_cpus" "/$ETH1/queues/tx-[0-7]/xps_cpus" "^irq $ETH0 $ETH0:" "^irq $ETH1 $ETH1:"
}

run_case "72 CPUs, two nodes, two of the CPUs isolated" machine_as_asked
run_case "masks of three words are written, and put back" three_words
run_case "isolated CPUs fall out of masks of receive queues as predicted" isolated_dropped
run_case "CPUs beyond the machine, and isolated ones alone, are refused at plan" refused_at_plan
run_case "local is the node without isolated CPUs" local_is_the_node
run_case "spread over a list leaves out isolated CPUs" spread_list
run_case "offline CPUs are left out" offline_left_out
run_case "odd starting values" odd_start
round_trip "dc-10ge" "$ETH0" dc-10ge after_dc
crash_trip "dc-10ge" "$ETH0" dc-10ge
finish
