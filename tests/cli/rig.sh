#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rig of tests/vm, without a machine: what it makes of a guest that panics, hangs, ends early or says nothing.
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash"

# judge STATUS SCRIPTS: what a guest wrote (stdin) must end so; the TAP is left in $WORK/tap.
judge() {
	local status=0
	awk -v expected="$2" -f "$HERE/vm/tap.awk" >"$WORK/tap" || status=$?
	[ $status = "$1" ] || fail "exit $status, expected $1: $(cat "$WORK/tap")"
}

tap_has() {
	grep -qxF -- "$1" "$WORK/tap" || fail "no '$1' in: $(cat "$WORK/tap")"
}

test_all_passed() {
	judge 0 2 <<-END
		# begin one.sh
		ok - first
		what a command says
		ok - second
		# end one.sh 0
		# begin two.sh
		ok - third
		# end two.sh 0
		EXIT-STATUS 0 12.34
	END
	tap_has "ok 2 - one.sh: second"
	tap_has "ok 3 - two.sh: third"
	tap_has "# what a command says"
	tap_has "1..3"
}

test_a_failed_case() {
	judge 1 1 <<-END
		# begin one.sh
		ok - first
		not ok - second
		# end one.sh 1
		EXIT-STATUS 1 12.34
	END
	tap_has "not ok 2 - one.sh: second"
	tap_has "1..2"
}

# A panic and a time-out look the same: the machine stops talking.
test_no_word_after_a_panic() {
	judge 1 2 <<-END
		# begin one.sh
		ok - first
		# end one.sh 0
		# begin two.sh
		ok - second
	END
	tap_has "not ok 3 - only 1 of 2 test scripts came to an end (last: two.sh)"
	tap_has "not ok 4 - no exit status from the guest: panic, hang or time-out"
}

test_panic_after_the_last_script() {
	judge 1 1 <<-END
		# begin one.sh
		ok - first
		# end one.sh 0
	END
	tap_has "not ok 2 - no exit status from the guest: panic, hang or time-out"
}

test_script_that_ends_early() {
	judge 1 1 <<-END
		# begin one.sh
		ok - first
		# end one.sh 3
		EXIT-STATUS 1 12.34
	END
	tap_has "not ok 2 - one.sh: ended with status 3"
}

test_script_without_a_result() {
	judge 1 2 <<-END
		# begin one.sh
		# end one.sh 0
		# begin two.sh
		ok - first
		# end two.sh 0
		EXIT-STATUS 0 12.34
	END
	tap_has "not ok 1 - one.sh: no result"
}

test_no_word_at_all() {
	judge 1 1 </dev/null
	tap_has "not ok 1 - only 0 of 1 test scripts came to an end (last: )"
}

# Half a line: the machine died while it was writing.
test_torn_line() {
	judge 1 1 < <(printf '# begin one.sh\nok - first\n# end one.sh 0\nEXIT-STA')
	tap_has "not ok 2 - no exit status from the guest: panic, hang or time-out"
}

# The guest's helpers: a script that ends before its last case says so itself.
test_helpers_notice_an_early_end() {
	local status=0
	printf '. "%s/vm/guest.sh"\nrun_case "first" true\n%s\nfinish\n' "$HERE" "exit 0" >"$WORK/early.sh"
	bash "$WORK/early.sh" >"$WORK/out" || status=$?
	grep -qxF "ok - first" "$WORK/out" && grep -qxF "not ok - ended before its last case" "$WORK/out" ||
		fail "$(cat "$WORK/out")"
	[ $status != 0 ] || fail "exit 0"
}

test_kernels_that_cannot_be_had() {
	local status=0
	[ "$(id -u)" = 0 ] || { echo "# not root" >&2; exit 77; }
	NETTUNE=none NETTUNE_VM_CACHE=$WORK/cache NETTUNE_VM_KERNEL=2.6 "$HERE/vm/run.sh" "$HERE/vm/selftest.sh" \
		>"$WORK/out" 2>&1 || status=$?
	[ $status = 1 ] || fail "exit $status: $(cat "$WORK/out")"
	grep -q "no suite known for kernel 2.6" "$WORK/out" || fail "$(cat "$WORK/out")"
}

run_tests
