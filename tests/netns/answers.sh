#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a driver makes of a value is remembered: the second apply has nothing to do, and plan, apply,
# verify and status say the same of it. tun takes 1000 frames for 64, and only by what it did.
. "$(dirname "$0")/../lib/netns.sh"

ANSWERS=state/answers

tap() {
	ip tuntap add mode tap name tap0
	ip link set tap0 up
	rule 'coalesce: {rx-frames: 1000}'
}

# rule LINE...: a profile with one rule for tap0
rule() {
	{
		printf 'name: lab\ninterfaces:\n  - match: {name: tap0}\n'
		printf '    %s\n' "$@"
	} >"$WORK/p.yaml"
	chmod 644 "$WORK/p.yaml"
}

frames() {
	ethtool -c tap0 | awk '$1 == "rx-frames:" {print $2}'
}

applied() {
	expect 0 nettune apply "$WORK/p.yaml" --json
	json .outcome '"applied"'
}

nothing_to_do() {
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '[.changed, .warnings]' '[false,[]]'
	cp "$WORK/$ANSWERS" "$WORK/kept"
	expect 0 nettune apply "$WORK/p.yaml" --json
	json '[.changed, .transaction]' '[false,null]'
	cmp "$WORK/kept" "$WORK/$ANSWERS"
	expect 0 nettune verify "$WORK/p.yaml"
	expect 0 nettune verify
	expect 0 nettune status
}

test_clamped() {
	tap
	dump before
	applied
	json '.changes[0] | [.wanted, .after, .observed, .verdict]' '["1000","1000","64","clamped"]'
	[ "$(frames)" = 64 ]
	nothing_to_do
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.unchanged[0] | [.value, .observed, .verdict]' '["1000","64","clamped"]'
	expect 0 nettune plan "$WORK/p.yaml"
	contains "64"
	contains "asked for 1000, clamped"
	expect 0 nettune verify "$WORK/p.yaml" --json
	json '.adjusted[0] | [.wanted, .observed, .verdict]' '["1000","64","clamped"]'
	json '[.summary.exact, .summary.clamped]' '[0,1]'
	expect 0 nettune verify --json
	json '.adjusted[0] | [.wanted, .observed, .verdict]' '["1000","64","clamped"]'
	json '[.summary.exact, .summary.clamped]' '[0,1]'
	expect 0 nettune rollback
	dump after
	same_dump before after
}

# Known by now: the plan tells what it comes to, and drift is drift.
test_predicted_from_an_answer() {
	tap
	applied
	ethtool -C tap0 rx-frames 7
	expect 2 nettune verify "$WORK/p.yaml"
	expect 2 nettune verify
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.changes[0] | [.before, .wanted, .after]' '["7","1000","64"]'
	applied
	json '.changes[0] | [.observed, .verdict]' '["64","clamped"]'
	nothing_to_do
}

# A value that was there already as the driver makes it is no drift for the journal either.
test_adjusted_before_it_was_applied() {
	tap
	applied
	expect 0 nettune rollback
	ethtool -C tap0 rx-frames 64
	rule 'coalesce: {rx-frames: 1000}' 'mtu: 1400'
	applied
	json '.changes | map(.id)' '["tap0/mtu"]'
	expect 0 nettune verify --json
	json '.adjusted[0] | [.wanted, .observed, .verdict]' '["1000","64","clamped"]'
	expect 0 nettune status
}

# Another device, another value, another kernel: asked again. Here another name of a software link.
test_whose_answer_it_is() {
	tap
	applied
	expect 0 nettune rollback
	ip link set tap0 down
	ip link set tap0 name tap1
	ip tuntap add mode tap name tap0
	ip link set tap0 up
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.changes[0] | [.wanted, .after]' '["1000","64"]'
	sed -i 's/"kernel":"[^"]*"/"kernel":"2.6.32"/' "$WORK/$ANSWERS"
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.changes[0] | [.wanted, .after]' '["1000","1000"]'
	rule 'coalesce: {rx-frames: 1001}'
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.changes[0] | [.wanted, .after]' '["1001","1001"]'
}

# Said yes, did nothing. The second write is that of the mtu.
ignored() {
	tap
	rule 'coalesce: {rx-frames: 32}' 'mtu: 1400'
}

test_ignored() {
	ignored
	dump before
	NETTUNE_FAULT=2:ignored applied
	json '.changes | map([.id, .verdict])' \
		'[["tap0/mtu","exact"],["tap0/coalesce.rx-frames","ignored"]]'
	nothing_to_do
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.skipped | map([.id, .wanted, .verdict])' '[["tap0/coalesce.rx-frames","32","ignored"]]'
	expect 0 nettune plan "$WORK/p.yaml"
	contains "tun takes it without effect (stays 0), as seen on Linux $(uname -r)"
	expect 0 nettune verify "$WORK/p.yaml" --json
	json '[.in_sync, .summary.exact, .summary.ignored]' '[true,1,1]'
	json '.warnings | map(.id)' '["ignored"]'
	expect 0 nettune verify --json
	json '[.in_sync, .summary.exact, .summary.ignored]' '[true,1,1]'
	json '.warnings | map(.id)' '["ignored"]'
	expect 0 nettune verify
	contains "1 setting is as wished, 1 ignored"
	rule 'coalesce: {rx-frames: 32}' 'on-unsupported: fail'
	expect 69 nettune apply "$WORK/p.yaml"
	contains "takes it without effect"
	expect 0 nettune rollback
	dump after
	same_dump before after
}

# What was ignored once is asked again when the value is another one.
test_ignored_is_asked_again() {
	ignored
	NETTUNE_FAULT=2:ignored applied
	ethtool -C tap0 rx-frames 5
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.changes[0] | [.before, .wanted, .after]' '["5","32","32"]'
	applied
	[ "$(frames)" = 32 ]
	nothing_to_do
}

# A refusal as not supported is learned by ioctl, which does not tell 0 from unsupported.
test_unsupported_by_ioctl() {
	export NETTUNE_ETHTOOL=ioctl
	tap
	rule 'coalesce: {rx-usecs: 32, rx-frames: 16}' 'mtu: 1400'
	dump before
	applied
	json '.changes | map([.key, .verdict])' \
		'[["mtu","exact"],["rx-usecs","unsupported"],["rx-frames","exact"]]'
	[ "$(frames)" = 16 ]
	nothing_to_do
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.skipped | map([.key, .verdict])' '[["rx-usecs","unsupported"]]'
	rule 'coalesce: {rx-usecs: 32, rx-frames: 16}' 'on-unsupported: fail'
	expect 69 nettune apply "$WORK/p.yaml"
	contains "does not support it"
	expect 0 nettune rollback
	dump after
	same_dump before after
}

# What was put back has taught nothing.
test_nothing_is_learned_from_a_failure() {
	tap
	rule 'coalesce: {rx-frames: 1000}' 'rps: {cpus: "0x1"}' 'on-unsupported: fail'
	expect 3 env NETTUNE_FAULT=2:EIO "$NETTUNE" --state-dir "$WORK/state" apply "$WORK/p.yaml"
	[ ! -e "$WORK/$ANSWERS" ]
	rule 'mtu: 1400'
	applied
	[ ! -e "$WORK/$ANSWERS" ]
}

# A file that is none counts as empty, is told of, and is replaced.
test_damaged() {
	local text
	tap
	applied
	for text in 'not json' '{"format":"nettune-answers/9"}' ''; do
		printf '%s\n' "$text" >"$WORK/$ANSWERS"
		ethtool -C tap0 rx-frames 7
		expect 0 nettune plan "$WORK/p.yaml" --json
		json '.warnings | map(.id)' '["answers-unread"]'
		json '.changes[0].after' '"1000"'
		contains "$WORK/$ANSWERS: line 1: "
		applied
		nothing_to_do
	done
	sed -i '2s/"asked":/"asked":7,"x":/' "$WORK/$ANSWERS"
	expect 0 nettune plan "$WORK/p.yaml"
	contains "$WORK/$ANSWERS: line 2: is no answer"
	: >"$WORK/$ANSWERS"
	expect 0 nettune plan "$WORK/p.yaml"
	contains "$WORK/$ANSWERS: line 1: "
}

# Whoever else may write to it could make nettune leave settings out.
test_foreign_file() {
	tap
	applied
	chmod 666 "$WORK/$ANSWERS"
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.warnings | map(.id)' '["answers-unread"]'
	contains "others can write to it"
	chmod 644 "$WORK/$ANSWERS"
	chown 65534 "$WORK/$ANSWERS"
	expect 0 nettune plan "$WORK/p.yaml" --json
	contains "belongs to uid 65534"
	rm "$WORK/$ANSWERS"
	ln -s kept "$WORK/$ANSWERS"
	expect 0 nettune plan "$WORK/p.yaml" --json
	json '.warnings | map(.id)' '["answers-unread"]'
}

# An apply that can't remember has applied all the same.
test_unsaved() {
	tap
	mkdir -p "$WORK/state"
	chmod 755 "$WORK/state"
	mkdir "$WORK/$ANSWERS.new"
	applied
	json '.warnings | map(.id)' '["answers-unsaved"]'
	[ "$(frames)" = 64 ]
	rmdir "$WORK/$ANSWERS.new"
	applied
	json .warnings '[]'
	[ "$(stat -c %a "$WORK/$ANSWERS")" = 644 ]
}

# plan of an ordinary user knows what apply knows; the journal stays closed to him.
test_ordinary_user() {
	(
		umask 077
		tap
		applied
	)
	[ "$(stat -c %a "$WORK/state" "$WORK/state/journal" "$WORK/$ANSWERS")" = $'755\n700\n644' ]
	chmod 755 "$WORK"
	expect 0 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$NETTUNE" --state-dir "$WORK/state" plan "$WORK/p.yaml" --json
	json '[.changed, .unchanged[0].observed, .warnings]' '[false,"64",[]]'
	chmod 700 "$WORK/state"
	expect 0 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$NETTUNE" --state-dir "$WORK/state" plan "$WORK/p.yaml" --json
	json '.warnings | map(.id)' '["answers-unread"]'
}

main "$@"
