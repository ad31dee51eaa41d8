# Shared by fetch.sh, initramfs.sh and run.sh; sourced, never run.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034

VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CACHE=${NETTUNE_VM_CACHE:-/var/cache/nettune-vm}

say() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
	say "$*"
	exit 1
}

need() {
	local tool missing=()
	for tool in "$@"; do
		command -v "$tool" >/dev/null || missing+=("$tool")
	done
	[ ${#missing[@]} -eq 0 ] || die "missing on this host: ${missing[*]} (packages: see README.md)"
}

host_suite() {
	# shellcheck source=/dev/null
	(. /etc/os-release && echo "${VERSION_CODENAME:-}")
}

# Which suite of this host's own mirror has kernel $1, as seen from a host of suite $2. The newest kernel that is
# built for a stable Debian is in the backports of the newest one; by codename, since mirrors are late with aliases.
kernel_suite() {
	case $1:$2 in
	5.10:*) echo bullseye ;;
	6.1:*) echo bookworm ;;
	6.12:bookworm) echo bookworm-backports ;;
	6.12:*) echo trixie ;;
	newest:*) echo trixie-backports ;;
	*) die "no suite known for kernel $1: add it to kernel_suite in host.sh" ;;
	esac
}

# igb came with QEMU 8, which plain bookworm does not have.
qemu_suite() {
	case $1 in
	bookworm) echo bookworm-backports ;;
	*) echo "$1" ;;
	esac
}

kernel_root() {
	echo "$CACHE/kernel-$1"
}

kernel_release() {
	cat "$(kernel_root "$1")/.complete"
}

# Packages have it in /boot, and from 7.0 on beside the modules.
kernel_image() {
	local image root release
	root=$(kernel_root "$1")
	release=$2
	for image in "$root/boot/vmlinuz-$release" "$root/usr/lib/modules/$release/vmlinuz"; do
		[ ! -r "$image" ] || break
	done
	echo "$image"
}

host_qemu_has_igb() {
	command -v qemu-system-x86_64 >/dev/null && qemu-system-x86_64 -device help 2>/dev/null | grep -q '"igb"'
}

# Sets QEMU, the command with its data paths; the unpacked one needs the libraries unpacked beside it.
find_qemu() {
	local root=$CACHE/qemu
	if [ -n "${NETTUNE_VM_QEMU:-}" ]; then
		QEMU=("$NETTUNE_VM_QEMU")
	elif [ -e "$root/.complete" ]; then
		QEMU=(env "LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu:$root/lib/x86_64-linux-gnu"
			"$root/usr/bin/qemu-system-x86_64"
			-L "$root/usr/share/qemu" -L "$root/usr/share/seabios"
			-L "$root/usr/lib/ipxe/qemu" -L /usr/share/qemu -L /usr/share/seabios -L /usr/lib/ipxe/qemu)
	else
		QEMU=(qemu-system-x86_64)
	fi
}
