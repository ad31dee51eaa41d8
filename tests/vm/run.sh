#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Boot one VM, run test scripts in it, print their results as TAP.
# Usage: [NETTUNE=path] run.sh TEST.sh...      exit 0 only if every test passed
set -euo pipefail
. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/machine.sh"

KERNEL=${NETTUNE_VM_KERNEL:-6.12}
MACHINE=${NETTUNE_VM_MACHINE:-pc}
TIMEOUT=${NETTUNE_VM_TIMEOUT:-600}
# With a thread for each CPU, QEMU 10.0 now and then aborts in iotlb_to_section or loses the timer of
# a CPU, and is no faster.
ACCEL=${NETTUNE_VM_ACCEL:-tcg,thread=single}
NETTUNE=${NETTUNE:-$VM_DIR/../../build/nettune}
PROFILES=${NETTUNE_PROFILES:-$VM_DIR/../../profiles}

# $WORK/share is what the guest sees: the tests, and an overlay for its root directory.
fill_share() {
	local share=$WORK/share test
	mkdir -p "$share/tests/vm" "$share/tests/lib" "$share/overlay/bin" "$share/overlay/usr/share/nettune"
	cp "$VM_DIR"/../lib/*.sh "$VM_DIR/../lib/ethtool-reads" "$share/tests/lib/"
	cp "$VM_DIR"/*.sh "$share/tests/vm/"
	for test in "$@"; do
		[ -r "$test" ] || die "no test script $test"
		cp "$test" "$share/tests/vm/"
	done
	if [ -d "$PROFILES" ]; then
		cp -r "$PROFILES" "$share/overlay/usr/share/nettune/profiles"
	fi
	build_tools "$share/overlay/bin"
	[ "$NETTUNE" = none ] || copy_nettune "$share/overlay"
}

# What no package offers: small C programs beside the tests.
build_tools() {
	local tool
	for tool in "$VM_DIR"/*.c; do
		"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -O2 -static -o "$1/$(basename "$tool" .c)" "$tool"
	done
}

copy_nettune() {
	local overlay=$1 library
	[ -x "$NETTUNE" ] || die "no program at $NETTUNE: build it, or set NETTUNE"
	cp "$NETTUNE" "$overlay/bin/nettune"
	# A static program has none, which ldd calls an error.
	{ ldd "$NETTUNE" 2>/dev/null || true; } | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | while read -r library; do
		install -D "$(readlink -f "$library")" "$overlay$library"
	done
}

# "igb e1000e virtio:4" -> -netdev and -device options; the taps live in QEMU's own network namespace. All on the
# same hub ("igb@1 igb@1") hear each other.
nic_options() {
	local nic i=0 queues addr
	for nic in $NICS; do
		addr=$(nic_address $i)
		case $nic in
		virtio-blk)
			echo -blockdev "null-co,node-name=n$i,read-zeroes=on"
			echo -device "virtio-blk-pci,drive=n$i,addr=$addr"
			;;
		*@*)
			echo -netdev "hubport,id=n$i,hubid=${nic#*@}"
			echo -device "${nic%@*},netdev=n$i,addr=$addr"
			;;
		virtio:*)
			queues=${nic#*:}
			echo -netdev "tap,id=n$i,ifname=vmtap$i,script=no,downscript=no,queues=$queues"
			echo -device "virtio-net-pci,netdev=n$i,mq=on,vectors=$((2 * queues + 2)),addr=$addr"
			;;
		*)
			echo -netdev "user,id=n$i,restrict=on"
			echo -device "$nic,netdev=n$i,addr=$addr"
			;;
		esac
		i=$((i + 1))
	done
}

guest_modules() {
	local nic
	for nic in $NICS; do
		echo "${nic%%[:@]*}"
	done | sed 's/^virtio$/virtio_net/; s/^virtio-blk$/virtio_blk/' | awk '!seen[$0]++' | paste -sd,
}

boot() {
	local tests=$1 initramfs=$2 options image
	image=$(kernel_image "$KERNEL" "$(kernel_release "$KERNEL")")
	read -ra options < <({ machine_options; nic_options; } | paste -sd' ')
	find_qemu
	# In the background, since bash would not see a signal before the end of a foreground command.
	timeout -k 5 "$TIMEOUT" unshare -n -- "${QEMU[@]}" -accel "$ACCEL" -cpu max \
		-nodefaults -no-user-config -display none -no-reboot -kernel "$image" -initrd "$initramfs" \
		-append "console=ttyS0 quiet panic=-1 oops=panic vm.modules=$(guest_modules) vm.tests=$tests $APPEND" \
		-serial "file:$WORK/console" -serial "file:$WORK/out" \
		-fsdev "local,id=f0,path=$WORK/share,security_model=none,readonly=on" \
		-device virtio-9p-pci,fsdev=f0,mount_tag=share "${options[@]}" 2>"$WORK/qemu" </dev/null &
	VM=$!
	wait $VM || say "QEMU ended with status $? (124: time-out of $TIMEOUT s)"
	times >"$WORK/times"
}

clean_up() {
	[ -z "$VM" ] || kill "$VM" 2>/dev/null || true
	rm -rf "$WORK"
}

main() {
	local test names=() status=0 initramfs begin=$SECONDS
	[ $# -gt 0 ] || die "which test scripts?"
	[ "$(id -u)" = 0 ] || die "must be root (network namespace for QEMU)"
	need awk timeout unshare ldd
	set_machine
	"$VM_DIR/fetch.sh" "$KERNEL"
	initramfs=$("$VM_DIR/initramfs.sh" "$KERNEL")

	VM='' WORK=$(mktemp -d)
	trap clean_up EXIT
	trap 'exit 1' HUP INT PIPE TERM
	touch "$WORK/out" "$WORK/console" "$WORK/qemu"
	fill_share "$@"
	for test in "$@"; do
		names+=("$(basename "$test")")
	done
	boot "$(IFS=,; echo "${names[*]}")" "$initramfs"
	tr -d '\r' <"$WORK/out" | awk -v expected=$# -f "$VM_DIR/tap.awk" || status=1
	# The first figure depends on what else the host does, the second hardly.
	echo "# wall time $((SECONDS - begin)) s, of processors $(tail -n 1 "$WORK/times"), kernel $(kernel_release "$KERNEL")"
	if [ $status -ne 0 ]; then
		sed 's/^/# qemu: /' "$WORK/qemu"
		tr -d '\r' <"$WORK/console" | tail -n 40 | sed 's/^/# console: /'
	fi
	return $status
}

main "$@"
