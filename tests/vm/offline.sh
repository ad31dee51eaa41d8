# SPDX-License-Identifier: GPL-2.0-or-later
# CPUs that go offline while a profile is in force: what was set stays in sync, what a CPU alone served the kernel moves
# away, and a rollback restores what can still be.
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

ETH=$(nic igb)
QUEUES=/sys/class/net/$ETH/queues

irq_list() {
	local irq
	irq=$(vectors "$ETH" | awk -v action="$ETH-$1" '$2 == action { print $1 }')
	echo "/proc/irq/$irq/smp_affinity_list"
}

irq_is() {
	[ "$(cat "$(irq_list "$1")")" = "$2" ] || fail "$ETH-$1: $(cat "$(irq_list "$1")"), expected $2"
}

rps_is() {
	[ "$(cat "$QUEUES/rx-$1/rps_cpus")" = "$2" ] || fail "rx-$1 rps_cpus: $(cat "$QUEUES/rx-$1/rps_cpus"), expected $2"
}

online() {
	put "/sys/devices/system/cpu/cpu3/online" "$1"
}

sets() {
	profile sets <<-END
		name: sets
		version: 1
		interfaces:
		  - match: {name: $ETH}
		    rps: {queues: {$1}}
		    irq-affinity: {queues: {$2}}
	END
}

begin() {
	forget_all
	dump before
}

back() {
	nettune_exits 0 rollback
	online 1
	dump after
	same_dump before after
}

# The kernel keeps both masks as they are, with the CPU that is offline.
stays_in_sync() {
	begin
	nettune_exits 0 apply "$(sets '0: "1-3"' '0: "1-3"')"
	online 0
	rps_is 0 e
	irq_is rx-0 1-3
	nettune_exits 0 verify "$WORK/sets.yaml"
	nettune_exits 0 apply --json "$WORK/sets.yaml"
	stdout_has '"changed": ?false'
	back
}

# A mask that is written while the CPU is offline lacks it in the one file, and has it in the other.
reduced() {
	begin
	online 0
	nettune_exits 0 apply --json "$(sets '0: "1-3"' '0: "1-3"')"
	stdout_has '"verdict": ?"reduced"'
	rps_is 0 6
	irq_is rx-0 1-3
	online 1
	nettune_exits 0 plan --json "$WORK/sets.yaml"
	stdout_has '"changed": ?true'
	back
}

# A new mask is in force from the next interrupt on; up to Linux 6.12 igb raises one on each vector every two seconds.
wait_effective() {
	local i
	for ((i = 0; i < 100; i++)); do
		[ "$(cat "$(dirname "$(irq_list "$1")")/effective_affinity_list")" = "$2" ] && return
		sleep 0.1
	done
	echo "# no interrupt has moved $ETH-$1 to CPU $2"
}

# What only the CPU served is on all others then, or where it was in force before; nobody else has changed it.
moved_by_the_kernel() {
	put "$(irq_list rx-0)" 0-1
	begin
	nettune_exits 0 apply "$(sets '0: "3"' '0: "3"')"
	wait_effective rx-0 3
	online 0
	[ "$(cat "$(irq_list rx-0)")" != 3 ] || fail "rx-0 is on a CPU that is offline"
	nettune_exits 0 rollback --json
	stdout_has '"outcome": ?"rolled-back"'
	irq_is rx-0 0-1
	online 1
	dump after
	same_dump before after
}

# One that has not been in force yet gives way to the one before.
taken_back_by_the_kernel() {
	put "$(irq_list rx-0)" 0,2
	begin
	nettune_exits 0 apply "$(sets '0: "3"' '0: "3"')"
	online 0
	nettune_exits 0 rollback --json
	stdout_has '"outcome": ?"rolled-back"'
	irq_is rx-0 0,2
	online 1
	dump after
	same_dump before after
}

# What has been only on the CPU can't be there again.
before_is_offline() {
	put "$QUEUES/rx-1/rps_cpus" 8
	put "$(irq_list rx-1)" 3
	begin
	nettune_exits 0 apply "$(sets '1: "1"' '1: "1"')"
	online 0
	nettune_exits 0 rollback --json
	stdout_has '"verdict": ?"reduced"'
	rps_is 1 0
	irq_is rx-1 0-2
	nettune_exits 0 status
	online 1
	put "$QUEUES/rx-1/rps_cpus" 8
	put "$(irq_list rx-1)" 3
	dump after
	same_dump before after
}

run_case "link comes up" link_up "$ETH"
run_case "a CPU goes offline after apply: in sync, and back" stays_in_sync
run_case "a CPU is offline at apply: reduced, and back" reduced
run_case "what the kernel moved from a CPU comes back" moved_by_the_kernel
run_case "what the kernel took back comes back" taken_back_by_the_kernel
run_case "what was on a CPU that is offline now goes to the others" before_is_offline
finish
