#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Is every test script of tests/vm in a line of the table in its CMakeLists.txt? One that is in none would never run.
# Those that only set something and source another one are test scripts too. Usage: vm-table.sh [SOURCE_DIR]

cd "${1:-$(dirname "$0")/../..}/tests/vm" || exit 1
status=0
for script in $(grep -lE '(^|&& |\|\| )finish$|^\. .*/[a-z-]+\.sh"$' ./*.sh); do
	name=$(basename "$script" .sh)
	case $name in
	fetch | initramfs | run) continue ;; # of the host
	esac
	grep -qE "vm_test\($name (KERNELS|ALSO)" CMakeLists.txt && continue
	echo "tests/vm/$name.sh: no vm_test($name ...) in tests/vm/CMakeLists.txt"
	status=1
done
exit $status
