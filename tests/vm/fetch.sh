#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Download and unpack (never install) what the VM tests need: kernels and a QEMU that emulates igb.
# Usage: fetch.sh [KERNEL...]     KERNEL is a series such as 6.12 (the default), or "newest"
set -euo pipefail
. "$(dirname "$0")/host.sh"

APT_DIR=$CACHE/apt

# The mirror is the one that this machine already uses, whatever it is called.
host_sources() {
	# shellcheck disable=SC2016
	apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk -v suite="$SUITE" '$3 == "main" && ($2 == suite || index($2, suite "-") == 1)' | sort -u
}

write_sources() {
	local extra uri key=/usr/share/keyrings/debian-archive-keyring options=
	for key in "$key.pgp" "$key.gpg"; do
		[ -r "$key" ] && options=" [signed-by=$key]" && break
	done
	host_sources | sed "s|^|deb$options |"
	uri=$(host_sources | awk -v suite="$SUITE" '$2 == suite { print $1; exit }')
	[ -n "$uri" ] || die "no apt source for suite '$SUITE' with component main on this machine"
	for extra in "$@"; do
		[ "$extra" = "$SUITE" ] || echo "deb$options $uri $extra main"
	done
}

# Everything private but dpkg's status: that one tells which libraries the host has already.
private_apt() {
	local tool=$1
	shift
	"$tool" -q -o Dir::Etc::SourceList="$APT_DIR/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
		-o Dir::State="$APT_DIR/state" -o Dir::State::Lists="$APT_DIR/lists" \
		-o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$APT_DIR/cache" \
		-o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Acquire::Retries=3 -o Acquire::Languages=none "$@"
}

update_lists() {
	local suites
	mapfile -t suites < <(printf '%s\n' "$@" | sort -u)
	mkdir -p "$APT_DIR"/{state,lists/partial,cache/archives/partial}
	write_sources "${suites[@]}" >"$APT_DIR/sources.list.new"
	mv "$APT_DIR/sources.list.new" "$APT_DIR/sources.list"
	say "reading package lists"
	private_apt apt-get -o APT::Update::Error-Mode=any update >"$APT_DIR/log" 2>&1 || fail_with_log "package lists"
}

fail_with_log() {
	tail -n 20 "$APT_DIR/log" >&2
	die "cannot get $1"
}

# A directory counts only with its .complete, which is written last.
fresh_dir() {
	rm -rf "$1"
	mkdir -p "$1"
}

# Releases such as 6.12.90+deb12-amd64 that suite $1 has packages of; without a number: not the meta packages.
kernel_releases() {
	private_apt apt-get indextargets --format '$(FILENAME)' 'Created-By: Packages' "Release: $1" |
		xargs -r /usr/lib/apt/apt-helper cat-file |
		sed -nE 's/^Package: linux-image-([0-9][-+~.a-z0-9]*-amd64)$/\1/p' | grep -vE -- '-(cloud|rt)-' | sort -V
}

newest_release() {
	local series=$1 suite=$2
	if [ "$series" = newest ]; then
		kernel_releases "$suite" | tail -n 1
	else
		kernel_releases "$suite" | grep -E "^${series//./\\.}\\." | tail -n 1
	fi
}

# One package at first; later linux-image only depends on those that hold the kernel, its modules and their lists.
kernel_packages() {
	private_apt apt-cache pkgnames linux- | grep -xF -e "linux-image-$1" -e "linux-base-$1" \
		-e "linux-binary-$1" -e "linux-modules-$1"
}

fetch_kernel() {
	local series=$1 root suite release packages deb
	root=$(kernel_root "$series")
	suite=$(kernel_suite "$series" "$SUITE")
	fresh_dir "$root"
	release=$(newest_release "$series" "$suite") || true
	[ -n "$release" ] || die "no package of kernel $series for amd64 in suite $suite"
	mapfile -t packages < <(kernel_packages "$release")
	say "downloading ${packages[*]}"
	(cd "$root" && private_apt apt-get download "${packages[@]}") >"$APT_DIR/log" 2>&1 ||
		fail_with_log "${packages[*]}"
	for deb in "$root"/*.deb; do
		dpkg-deb -x "$deb" "$root"
	done
	rm "$root"/*.deb
	link_modules "$root"
	[ -r "$(kernel_image "$series" "$release")" ] && [ -d "$root/lib/modules/$release/kernel" ] &&
		[ -r "$root/lib/modules/$release/modules.builtin" ] ||
		die "${packages[*]}: no kernel or no modules of $release in it"
	depmod -b "$root" "$release"
	echo "$release" >"$root/.complete"
}

# kmod looks below lib or usr/lib, depending on how it was built; the package has one of them.
link_modules() {
	if [ -d "$1/usr/lib/modules" ]; then
		[ -e "$1/lib" ] || ln -s usr/lib "$1/lib"
	else
		mkdir -p "$1/usr/lib"
		ln -s ../../lib/modules "$1/usr/lib/modules"
	fi
}

fetch_qemu() {
	local root=$CACHE/qemu suite deb
	suite=$(qemu_suite "$SUITE")
	fresh_dir "$root"
	rm -f "$APT_DIR"/cache/archives/*.deb
	say "downloading qemu-system-x86 from $suite"
	private_apt apt-get -y -t "$suite" --no-install-recommends --no-remove --reinstall --download-only install \
		qemu-system-x86 qemu-system-data qemu-system-common seabios ipxe-qemu >"$APT_DIR/log" 2>&1 ||
		fail_with_log qemu-system-x86
	for deb in "$APT_DIR"/cache/archives/*.deb; do
		# The C library is the host's: a second one beside the host's loader would crash.
		[[ ${deb##*/} == libc[0-9-]* ]] || dpkg-deb -x "$deb" "$root"
	done
	rm -f "$APT_DIR"/cache/archives/*.deb
	date -u >"$root/.complete"
	check_qemu || { rm "$root/.complete"; die "the unpacked QEMU does not run or has no igb"; }
}

check_qemu() {
	find_qemu
	"${QEMU[@]}" -device help | grep -q '"igb"'
}

missing_kernels() {
	local series
	for series in "$@"; do
		[ -e "$(kernel_root "$series")/.complete" ] || echo "$series"
	done
}

main() {
	local kernels=("$@") wanted series suites=() qemu=
	[ $# -gt 0 ] || kernels=(6.12)
	mapfile -t wanted < <(missing_kernels "${kernels[@]}")
	[ -n "${NETTUNE_VM_QEMU:-}" ] || [ -e "$CACHE/qemu/.complete" ] || host_qemu_has_igb || qemu=yes
	[ ${#wanted[@]} -gt 0 ] || [ -n "$qemu" ] || return 0

	need apt-get apt-cache dpkg-deb depmod awk
	SUITE=$(host_suite)
	[ -z "$qemu" ] || suites+=("$(qemu_suite "$SUITE")")
	for series in "${wanted[@]}"; do
		suites+=("$(kernel_suite "$series" "$SUITE")")
	done
	update_lists "${suites[@]}"
	for series in "${wanted[@]}"; do
		fetch_kernel "$series"
	done
	[ -z "$qemu" ] || fetch_qemu
}

mkdir -p "$CACHE"
exec 9>"$CACHE/.lock"
flock 9
main "$@"
