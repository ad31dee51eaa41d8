# The machines that run.sh can boot ($MACHINE), as QEMU options; sourced, never run.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034

# Sets CPUS, RAM, NICS and APPEND, as far as the environment does not say.
set_machine() {
	local cpus=4 ram=512 nics="igb igb e1000e vmxnet3" append=
	case $MACHINE in
	pc) ;;
	numa72)
		# Without a given loops_per_jiffy each CPU calibrates its own under emulation, which takes seconds and fails.
		cpus=72 ram=2048 nics="igb igb"
		append="lpj=5000000 tsc=reliable nowatchdog rcupdate.rcu_cpu_stall_suppress=1"
		;;
	*) die "no machine $MACHINE: pc or numa72" ;;
	esac
	CPUS=${NETTUNE_VM_CPUS:-$cpus} RAM=${NETTUNE_VM_RAM:-$ram} NICS=${NETTUNE_VM_NICS:-$nics}
	APPEND="$append ${NETTUNE_VM_APPEND:-}"
}

machine_options() {
	case $MACHINE in
	pc) echo -smp "$CPUS" -m "$RAM" ;;
	numa72) numa_options ;;
	esac
}

# Two nodes of the same size. Each has a PCI bridge, and there a port for each of its NICs, which take turns.
numa_options() {
	local half=$((CPUS / 2)) node i=0 nic
	echo -machine q35 -smp "$CPUS,sockets=2,cores=$half,threads=1" -m "$RAM"
	for node in 0 1; do
		echo -object "memory-backend-ram,id=m$node,size=$((RAM / 2))M"
		echo -numa "node,nodeid=$node,cpus=$((half * node))-$((half * node + half - 1)),memdev=m$node"
		echo -device "pxb-pcie,id=p$node,bus=pcie.0,bus_nr=$((40 + 40 * node)),numa_node=$node"
	done
	for nic in $NICS; do
		echo -device "pcie-root-port,id=r$i,bus=p$((i % 2)),chassis=$((i + 1))"
		i=$((i + 1))
	done
}

# Where the N-th NIC is put, as the value of its property addr. On a pc every second slot, since an igb's virtual
# functions claim the two slots 16 above its own.
nic_address() {
	case $MACHINE in
	pc) printf '%x\n' $((4 + 2 * $1)) ;;
	numa72) echo "0,bus=r$1" ;;
	esac
}
