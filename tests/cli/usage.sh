#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage errors: exit 64, on stderr, with the nearest right word; with --json one document instead.
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash"

# refused TEXT ARGUMENT...
refused() {
	local text=$1
	shift
	expect 64 "$NETTUNE" "$@"
	empty "$OUT"
	has "$ERR" "$text"
}

test_no_command() {
	refused "name a command"
	refused "name a command" -q
}

test_unknown_commands() {
	refused 'did you mean "rollback"' rolback
	refused 'unknown command "xyzzy"' xyzzy
	refused 'unknown command "confirm"' confirm
	refused 'unknown command "confirm"' confirm 20261130T221403Z-3fa9c1
}

test_unknown_options() {
	refused "did you mean --dry-run?" apply p --dry-rum
	refused "unknown option --xyzzy" plan --xyzzy
	refused "unknown option -z" plan -z
	refused "unknown option --inter" plan --inter eth0
}

test_later_options() {
	for option in --confirm --confirm=60 --no-confirm --keep-going --expect=x --from=x \
		--allow-interrupts=none --set=rtt=2ms --keep --probe=gateway --auto-confirm; do
		refused "not supported by this version" apply p "$option"
	done
	refused "not supported by this version" apply p --confirm 60
	refused "not supported by this version" plan p --set rtt=2ms
}

test_what_a_command_does_not_take() {
	refused "does not take --dry-run" plan p --dry-run
	refused "does not take --interface" rollback -i eth0
	refused "does not take --only" history --only mtu
	refused "does not take --root" rollback --root "$WORK"
	refused "does not take --root" forget x --root "$WORK"
	refused "--root is a recorded host" apply p --root "$WORK"
	refused "use it with --dry-run" apply p --detailed-exitcode
	refused "give one of them" rollback 20261130T221403Z-3fa9c1 --all
	refused "give one of them" rollback --to 20261130T221403Z-3fa9c1 --all
}

test_operands() {
	refused "check needs FILE..." check
	refused "forget needs ID" forget
	refused "one argument too many" forget a b
	refused "one argument too many" status now
	refused "one argument too many" list now
}

test_arguments() {
	refused "--netns needs an argument" plan p --netns
	refused "no time" plan p --lock-timeout soon
	refused "too long" plan p --lock-timeout 99999999m
	refused 'there is no kind "ring"; there are' plan p --only ring
	refused "auto, always, never" plan p --color=maybe
	refused "takes no argument" plan p --quiet=yes
}

test_without_a_profile() {
	mkdir -p "$WORK/root/proc" "$WORK/root/sys"
	for command in plan show "apply --dry-run"; do
		# shellcheck disable=SC2086
		refused "name a profile" $command --root "$WORK/root"
	done
}

test_json() {
	need jq
	expect 64 "$NETTUNE" plan p --bogus --json
	json '[.format, .exit]' '["nettune-error/1",64]'
	json '.error.message | contains("--bogus")' true
	empty "$ERR"
	expect 64 "$NETTUNE" --json aply
	json '.error.message | contains("apply")' true
	expect 64 "$NETTUNE" apply p --confirm 60 --json
	json '.exit' 64
	expect 64 "$NETTUNE" --json
	json '.format' '"nettune-error/1"'
}

test_quiet_does_not_hide_errors() {
	refused "unknown option" plan -q --xyzzy
}

run_tests
