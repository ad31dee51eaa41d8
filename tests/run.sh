#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs what the tests need (Debian 12 or 13), builds with both compilers, and runs everything:
# unit, command line, network namespaces (as root), and virtual machines with real NIC drivers, of the
# kernels in NETTUNE_TEST_KERNELS: "6.12" unless given, "all", or some of "5.10 6.1 6.12 newest"; with
# NETTUNE_TEST_THOROUGH=ON also the pairs of script and kernel that CI has no time for.
# Can be run again. The last line is "N passed, N failed, N skipped".
set -euo pipefail
cd "$(dirname "$0")/.."
BUILD=${NETTUNE_TEST_BUILD:-build-test}
KERNELS=${NETTUNE_TEST_KERNELS:-6.12}
[ "$KERNELS" != all ] || KERNELS="5.10 6.1 6.12 newest"

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

install_packages() {
	as_root apt-get update -q
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
		cmake gcc clang libclang-rt-dev libc6-dev make pkg-config libyaml-dev libmnl-dev \
		libnl-route-3-dev libcap-dev libjansson-dev nettle-dev libcmocka-dev clang-format \
		git jq strace ethtool iproute2 util-linux libcap2-bin python3 python3-jsonschema \
		mandoc kmod busybox-static cpio gzip xz-utils dpkg-dev
}

build() {
	cmake -S . -B "$BUILD/release" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
	cmake --build "$BUILD/release" --parallel "$(nproc)"
	cmake -S . -B "$BUILD/debug" -DCMAKE_BUILD_TYPE=Debug \
		-DNETTUNE_VM_PROGRAM="$PWD/$BUILD/release/nettune" -DNETTUNE_VM_KERNELS="$KERNELS" \
		-DNETTUNE_VM_THOROUGH="${NETTUNE_TEST_THOROUGH:-OFF}"
	cmake --build "$BUILD/debug" --parallel "$(nproc)"
	# clang only looks for what it warns of
	CC=clang cmake -S . -B "$BUILD/clang" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
	cmake --build "$BUILD/clang" --parallel "$(nproc)"
}

# What ctest counted, as one plain line, after the reasons that skipped tests gave.
summary() {
	local log=$1 passed failed skipped
	passed=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed ' "$log" || true)
	failed=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .*(Failed|Timeout|Exception|Not Run)' \
		"$log" || true)
	skipped=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .*\*\*\*Skipped' "$log" || true)
	grep -h '^skipped: ' "$BUILD/debug/Testing/Temporary/LastTest.log" || true
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# Of the machines, what must be downloaded: a kernel that cannot be had is a failure here, before any test.
fetch_machines() {
	# shellcheck disable=SC2086
	as_root env NETTUNE_VM_CACHE="${NETTUNE_VM_CACHE:-}" tests/vm/fetch.sh $KERNELS
}

install_packages
fetch_machines &
fetching=$!
trap wait EXIT # also where the build fails
build
wait $fetching
log=$BUILD/ctest.log
status=0
# One more than processors, since machines also wait for their links.
as_root ctest --test-dir "$BUILD/debug" --output-on-failure --no-tests=error --parallel "$(($(nproc) + 1))" \
	2>&1 | tee "$log" || status=$?
summary "$log"
exit $status
