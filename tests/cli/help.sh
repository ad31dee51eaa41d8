#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Help and version: on stdout only, narrow, the same by every way, and the manual knows it all.
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash"

COMMANDS="list show check plan apply verify rollback history status forget"

narrow() {
	awk -v name="$1" 'length > 80 { print "# too wide in " name ": " $0; bad = 1 } END { exit bad }' \
		"$WORK/out" >&2 || exit 1
}

test_overview() {
	expect 0 "$NETTUNE" --help
	empty "$ERR"
	narrow overview
	for command in $COMMANDS; do
		has "$OUT" "
  $command"
	done
	cp "$WORK/out" "$WORK/long"
	for way in "-h" "help" "--help --json" "-vh"; do
		# shellcheck disable=SC2086
		expect 0 "$NETTUNE" $way
		cmp -s "$WORK/out" "$WORK/long" || fail "nettune $way is not nettune --help"
	done
}

test_each_command() {
	for command in $COMMANDS; do
		expect 0 "$NETTUNE" "$command" --help
		empty "$ERR"
		narrow "$command"
		has "$OUT" "Usage: nettune $command"
		cp "$WORK/out" "$WORK/long"
		expect 0 "$NETTUNE" help "$command"
		cmp -s "$WORK/out" "$WORK/long" || fail "help $command is not $command --help"
		expect 0 "$NETTUNE" -h "$command" whatever
		cmp -s "$WORK/out" "$WORK/long" || fail "-h $command is not $command --help"
	done
}

test_help_of_nothing() {
	expect 64 "$NETTUNE" help aply
	empty "$OUT"
	has "$ERR" 'did you mean "apply"'
}

test_help_shows_only_what_a_command_takes() {
	expect 0 "$NETTUNE" help rollback
	has "$OUT" "--force"
	case $OUT in *--interface* | *--root*) fail "$OUT" ;; esac
	expect 0 "$NETTUNE" help plan
	has "$OUT" "--root DIR"
	case $OUT in *--dry-run*) fail "$OUT" ;; esac
}

test_version() {
	expect 0 "$NETTUNE" --version
	empty "$ERR"
	[[ $OUT =~ ^nettune\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "$OUT"
	version=$OUT
	expect 0 "$NETTUNE" -V
	[ "$OUT" = "$version" ] || fail "$OUT"
	expect 0 "$NETTUNE" plan --version
	[ "$OUT" = "$version" ] || fail "$OUT"
}

test_a_lost_reader_is_a_failure() {
	[ -c /dev/full ] || exit 77
	"$NETTUNE" --help >/dev/full 2>"$WORK/err" && fail "exit 0"
	has "$(cat "$WORK/err")" "No space left"
	"$NETTUNE" list >/dev/full 2>"$WORK/err"
	[ $? = 1 ] || fail "list: not 1"
	{ "$NETTUNE" --help; echo $? >"$WORK/status"; } 2>"$WORK/err" | true
	[ "$(cat "$WORK/status")" -le 1 ] || fail "$(cat "$WORK/status")"
}

test_closed_descriptors_are_no_journal() {
	local got=0

	"$NETTUNE" --version <&- >&- 2>&- || got=$?
	[ $got -le 1 ] || fail "exit $got"
}

# Every command and option of the help is in the manual, and the other way round.
test_manual() {
	manual=$HERE/../packaging/man/nettune.8
	[ -f "$manual" ] || exit 77
	for command in $COMMANDS; do
		grep -q "^\.It Cm $command" "$manual" || fail "$command is not in the manual"
		expect 0 "$NETTUNE" help "$command"
		cat "$WORK/out" >>"$WORK/all"
	done
	grep -o -e '--[a-z-]*' "$WORK/all" | sort -u >"$WORK/helped"
	grep -o '^\.It.*Fl -[a-z-]*' "$manual" | sed 's/.*Fl -/--/' | sort -u >"$WORK/manual"
	diff "$WORK/helped" "$WORK/manual" >"$WORK/diff" || fail "$(cat "$WORK/diff")"
	sed -n '/^\.Sh CAVEATS/,$p' "$manual" | sed -n 's/^\.Fl -\([a-z-]*\).*/\1/p' \
		>"$WORK/later"
	[ -s "$WORK/later" ] || fail "no options of later versions in the manual"
	while read -r option; do
		expect 64 "$NETTUNE" apply x "--$option"
		has "$ERR" "--$option is not supported by this version"
	done <"$WORK/later"
}

run_tests
