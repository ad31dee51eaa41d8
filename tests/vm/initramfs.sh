#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Build the initramfs for a kernel into the cache and print its path.
# Usage: initramfs.sh [KERNEL]
set -euo pipefail
. "$(dirname "$0")/host.sh"

MODULES=(virtio_pci virtio_blk virtio_net igb e1000e vmxnet3 9pnet_virtio 9p veth bonding 8021q dummy bridge br_netfilter macvlan
	tun nf_conntrack sch_fq tcp_bbr tcp_dctcp)
PROGRAMS=(bash ethtool ip strace)

program_paths() {
	local program
	for program in "${PROGRAMS[@]}"; do
		readlink -f "$(command -v "$program")"
	done
}

# One line per file that the dynamic loader would open for the programs given.
libraries() {
	ldd "$@" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-/ { print $1 }' | sort -u
}

input_hash() {
	local programs
	mapfile -t programs < <(program_paths)
	{
		echo "$RELEASE ${MODULES[*]}"
		cat "$(command -v busybox)" "${programs[@]}" "$0" "$VM_DIR/init"
		libraries "${programs[@]}" | xargs cat
	} | sha256sum | cut -c1-16
}

copy_programs() {
	local root=$1 program path
	cp "$(command -v busybox)" "$root/bin/busybox"
	for program in $(busybox --list); do
		[ -e "$root/bin/$program" ] || ln -s busybox "$root/bin/$program"
	done
	for program in "${PROGRAMS[@]}"; do
		path=$(readlink -f "$(command -v "$program")")
		rm -f "$root/bin/$program"
		cp "$path" "$root/bin/$program"
		libraries "$path" | while read -r lib; do
			copy_to_same_path "$lib" "$root"
		done
	done
}

copy_to_same_path() {
	[ -e "$2$1" ] || install -D "$(readlink -f "$1")" "$2$1"
}

module_files() {
	local module
	for module in "${MODULES[@]}"; do
		modprobe -d "$(kernel_root "$KERNEL")" -S "$RELEASE" --show-depends "$module" ||
			die "kernel $RELEASE has no module $module"
	done | awk '$1 == "insmod" { print $2 }' | sort -u
}

# busybox hands a compressed module to the kernel as it is, which refuses it.
copy_modules() {
	local root=$1 file to kernel
	kernel=$(kernel_root "$KERNEL")
	module_files >"$WORK/modules"
	while read -r file; do
		to=$root/lib/modules/$RELEASE/${file#*/"$RELEASE"/}
		install -D -m 644 "$file" "$to"
		case $to in
		*.xz) xz -d "$to" ;;
		*.zst) zstd -q -d --rm "$to" ;;
		esac
	done <"$WORK/modules"
	cp "$kernel/lib/modules/$RELEASE"/modules.{builtin*,order} "$root/lib/modules/$RELEASE/"
	depmod -b "$root" "$RELEASE"
}

build() {
	local work=$1
	mkdir -p "$work"/{bin,dev,etc,lib,mnt,proc,run,sys,tmp,usr,var/lib}
	ln -s bin "$work/sbin"
	ln -s ../bin "$work/usr/bin"
	ln -s ../bin "$work/usr/sbin"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$work/etc/passwd"
	echo 'nobody:x:65534:65534:nobody:/:/bin/sh' >>"$work/etc/passwd"
	copy_programs "$work"
	copy_modules "$work"
	install -m 755 "$VM_DIR/init" "$work/init"
	(cd "$work" && find . -print0 | LC_ALL=C sort -z | cpio --null -o -H newc --quiet | gzip -1)
}

main() {
	local image
	need busybox "${PROGRAMS[@]}" modprobe depmod cpio xz gzip ldd sha256sum
	KERNEL=${1:-6.12}
	RELEASE=$(kernel_release "$KERNEL") || die "kernel $KERNEL is not there: run fetch.sh first"
	image=$CACHE/initramfs-$RELEASE-$(input_hash)
	if [ ! -e "$image" ]; then
		WORK=$(mktemp -d)
		trap 'rm -rf "$WORK"' EXIT
		build "$WORK/root" >"$WORK/image"
		# Not all others: another checkout may be about to boot one.
		find "$CACHE" -maxdepth 1 -name 'initramfs-*' -mtime +7 -delete
		mv "$WORK/image" "$image"
	fi
	echo "$image"
}

exec 9>"$CACHE/.lock"
flock 9
main "$@"
