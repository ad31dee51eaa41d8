# Helpers for test scripts that run in the guest; sourced first: . "$(dirname "$0")/guest.sh"
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
set -uo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
WORK=$(mktemp -d)
ETHTOOL_READS=$(sed -n 's/^\([0-9a-f][0-9a-f]\) .*/\1/p' "$HERE/../lib/ethtool-reads" | tr '\n' '|')
ETHTOOL_READS=${ETHTOOL_READS%|}
[ -n "$ETHTOOL_READS" ] || echo "not ok - no table of reading commands"
CASE_FAILED=0 FAILURES=0 FINISHED=
trap at_exit EXIT

at_exit() {
	rm -rf "$WORK"
	[ -z "$FINISHED" ] || return
	echo "not ok - ended before its last case"
	exit 1
}

# --- results

# A case runs in this shell; what it returns does not count, only failures noted with fail.
run_case() {
	local description=$1
	shift
	CASE_FAILED=0
	"$@"
	if [ $CASE_FAILED -eq 0 ]; then
		echo "ok - $description"
	else
		echo "not ok - $description"
		FAILURES=$((FAILURES + 1))
	fi
}

fail() {
	CASE_FAILED=1
	printf '%s\n' "$*" | sed 's/^/# /'
}

finish() {
	FINISHED=yes
	[ $FAILURES -eq 0 ]
	exit
}

# --- links

# nic DRIVER [N]: name of the N-th link (from 0) of a driver.
nic() {
	local link
	for link in /sys/class/net/*; do
		[ "$(basename "$(readlink -f "$link/device/driver")")" = "$1" ] && echo "${link##*/}"
	done | sed -n "$((${2:-0} + 1))p"
}

# Its operational state follows up to a second later, and is in the dump.
is_running() {
	local carrier='' state=''
	read -r carrier 2>/dev/null <"/sys/class/net/$1/carrier"
	read -r state 2>/dev/null <"/sys/class/net/$1/operstate"
	[ "$carrier" = 1 ] && [[ $state != *down ]]
}

# wait_each TEST TENTHS COMPLAINT LINK...: until TEST holds for each, at most so many tenths of a second
wait_each() {
	local test=$1 tenths=$2 complaint=$3 link i
	shift 3
	for link in "$@"; do
		for ((i = 0; i < tenths; i++)); do
			"$test" "$link" && continue 2
			sleep 0.1
		done
		fail "$complaint $link"
	done
}

wait_carrier() {
	wait_each is_running 100 "no carrier on" "$@"
}

link_up() {
	local link
	for link in "$@"; do
		ip link set "$link" up || fail "ip link set $link up"
	done
	wait_carrier "$@"
}

# vectors LINK: "IRQ ACTION" of each vector.
vectors() {
	local irq action dir=/sys/class/net/$1/device/msi_irqs
	[ -d "$dir" ] || dir=/sys/class/net/$1/device/../msi_irqs
	for irq in "$dir"/*; do
		irq=${irq##*/} action=
		read -r action <"/sys/kernel/irq/$irq/actions"
		echo "$irq $action"
	done
}

put() {
	echo "$2" >"$1" || fail "cannot write $2 to $1"
}

# Gives every vector of a link a mask that no driver would choose, each another one.
odd_irq_masks() {
	local link=$1 irq action i=0 masks=(2 c 5 8 6 9 3 d 4 e a)
	while read -r irq action; do
		[ -n "$action" ] || continue
		put "/proc/irq/$irq/smp_affinity" "${masks[i++ % ${#masks[@]}]}"
	done < <(vectors "$link" | sort -k2)
}

# RPS masks, flow counts and XPS masks, each queue another one.
odd_queues() {
	local dir=/sys/class/net/$1/queues masks=(6 9 3 c 5 a 7 e) i
	for ((i = 0; i < 8; i++)); do
		if [ -d "$dir/rx-$i" ]; then
			put "$dir/rx-$i/rps_cpus" "${masks[i]}"
			put "$dir/rx-$i/rps_flow_cnt" $((256 << i % 3))
		fi
		# a device with one queue has the file, but no map
		if cat "$dir/tx-$i/xps_cpus" >/dev/null 2>&1; then
			put "$dir/tx-$i/xps_cpus" "${masks[7 - i]}"
		fi
	done
}

# --- state

dump() {
	sh "$HERE/../lib/dump.sh" >"$WORK/$1" || fail "dump.sh failed"
}

same_dump() {
	local out
	out=$(diff -U0 "$WORK/$1" "$WORK/$2") || fail "${3:-$1 and $2 differ}"$'\n'"$out"
}

# dump_has DUMP LINE...: each of the lines is in the dump.
dump_has() {
	local name=$1 line
	shift
	for line in "$@"; do
		grep -qxF -- "$line" "$WORK/$name" || fail "dump $name lacks: $line"
	done
}

# carried REGEX...: the lines that match are the same in the dumps "before" and "applied", and there are some.
carried() {
	local regex out
	for regex in "$@"; do
		grep -Eq -- "$regex" "$WORK/before" || fail "nothing matches $regex"
		out=$(diff -U0 <(grep -E -- "$regex" "$WORK/before") <(grep -E -- "$regex" "$WORK/applied")) ||
			fail "not carried: $regex"$'\n'"$out"
	done
}

# Everything outside of link $1 is the same in the dumps "before" and "applied".
others_untouched() {
	local out
	out=$(diff -U0 <(grep -vw "$1" "$WORK/before") <(grep -vw "$1" "$WORK/applied")) ||
		fail "changed outside of $1:"$'\n'"$out"
}

# --- the program

# nettune_exits STATUS ARGUMENT...: output in $WORK/stdout and $WORK/stderr, shown when the status is another one.
nettune_exits() {
	local wanted=$1 status
	shift
	nettune "$@" >"$WORK/stdout" 2>"$WORK/stderr"
	status=$?
	[ $status -eq "$wanted" ] ||
		fail "nettune $*: exit $status, expected $wanted"$'\n'"$(tail -n 30 "$WORK/stdout" "$WORK/stderr")"
}

stdout_has() {
	grep -Eq -- "$1" "$WORK/stdout" || fail "output lacks $1:"$'\n'"$(tail -n 30 "$WORK/stdout")"
}

# says TEXT: in what the last command has printed, either way
says() {
	grep -Fq -- "$1" "$WORK/stdout" "$WORK/stderr" ||
		fail "not said: $1"$'\n'"$(cat "$WORK/stdout" "$WORK/stderr")"
}

silent_about() {
	! grep -Fq -- "$1" "$WORK/stdout" "$WORK/stderr" || fail "said: $1"
}

# profile NAME: writes stdin to a profile file, prints its path.
profile() {
	cat >"$WORK/$1.yaml"
	echo "$WORK/$1.yaml"
}

# Nothing in force and nothing in the journal, so that each case stands alone.
forget_all() {
	rm -rf /var/lib/nettune
}

# Fails if the command opened a kernel file for writing or sent a netlink message that changes something. nettune may
# see /sys through a mount without a path, so what counts is that nothing else than its own files is opened to write.
# Of ethtool's commands, what is not known to read writes (type 0x10 is the control family).
assert_writes_nothing() {
	strace -f -y -s 64 -o "$WORK/strace" -e trace=open,openat,openat2,creat,ioctl,sendto,sendmsg \
		"$@" >"$WORK/stdout" 2>"$WORK/stderr" || fail "$*: exit $?"$'\n'"$(cat "$WORK/stderr")"
	{
		grep -E 'open' "$WORK/strace" | grep -E 'O_(WRONLY|RDWR|CREAT|TRUNC)' |
			grep -vE '[<"]/(run|var/lib/nettune|dev/null|dev/tty)'
		grep -E 'SIOCS[A-Z]+|RTM_(NEW|SET|DEL)' "$WORK/strace"
		grep -E 'nlmsg_type=0x[0-9a-f]+' "$WORK/strace" |
			grep -vE 'nlmsg_type=0x10 .*"\\x03|nlmsg_type=0x[0-9a-f]*[26ae] .*"\\x00' |
			grep -vE "\"\\\\x($ETHTOOL_READS)"
	} >"$WORK/writes"
	[ ! -s "$WORK/writes" ] || fail "$* writes:"$'\n'"$(cat "$WORK/writes")"
	[ -s "$WORK/strace" ] || fail "strace saw nothing"
}

# --- whole cases

# round_trip NAME LINK PROFILE CHECK: from the present state through plan, apply, verify, a second apply and a
# rollback, back to the present state. CHECK looks at the dumps "before" and "applied".
round_trip() {
	local name=$1
	LINK=$2 PROFILE=$3
	forget_all
	dump before
	run_case "$name: plan lists changes and changes nothing" trip_plan
	run_case "$name: apply" trip_apply
	run_case "$name: values set and carried" "$4"
	run_case "$name: verify" nettune_exits 0 verify "$PROFILE"
	run_case "$name: the second apply changes nothing" trip_again
	run_case "$name: rollback restores everything" trip_back
}

trip_plan() {
	nettune_exits 0 plan --json "$PROFILE"
	stdout_has '"changed": ?true'
	dump planned
	same_dump before planned "plan changed something"
}

trip_apply() {
	local begin=$EPOCHREALTIME
	nettune_exits 0 apply "$PROFILE"
	APPLY_MS=$(((${EPOCHREALTIME/./} - ${begin/./}) / 1000))
	wait_carrier "$LINK"
	dump applied
}

trip_again() {
	local flaps
	flaps=$(cat "/sys/class/net/$LINK/carrier_changes")
	nettune_exits 0 apply --json "$PROFILE"
	stdout_has '"changed": ?false'
	[ "$(cat "/sys/class/net/$LINK/carrier_changes")" = "$flaps" ] || fail "the link was reset"
	dump again
	same_dump applied again
}

trip_back() {
	nettune_exits 0 rollback
	wait_carrier "$LINK"
	dump after
	same_dump before after
}

# crash_trip NAME LINK PROFILE: kills apply at several moments ($KILLS, in percent); a rollback must restore the state
# before. $APPLY_MS of an earlier round trip tells how long a whole apply takes.
crash_trip() {
	local name=$1 percent
	LINK=$2 PROFILE=$3 INTERRUPTED=0
	dump before
	for percent in ${KILLS:-15 40 65 85}; do
		run_case "$name: killed at $percent % of apply, then rollback" trip_crash "$percent"
	done
	run_case "$name: killed after the first step, then rollback" trip_crash step
	run_case "$name: kills hit unfinished applies ($INTERRUPTED)" test_interrupted
	run_case "$name: killed rollback is continued" trip_crash_back
}

sleep_ms() {
	sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))"
}

# start_and_kill MS ARGUMENT...: true if the program was still running when it was killed.
start_and_kill() {
	local pid ms=$1
	shift
	nettune "$@" >"$WORK/stdout" 2>"$WORK/stderr" &
	pid=$!
	sleep_ms "$ms"
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	[ $? -eq 137 ]
}

# True if the program was still running when its journal said that its first step is done.
kill_after_step() {
	local pid file
	nettune "$@" >"$WORK/stdout" 2>"$WORK/stderr" &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		for file in /var/lib/nettune/journal/*.jsonl; do
			if [ -e "$file" ] && [[ $(<"$file") == *'"done"'* ]]; then
				kill -9 $pid 2>/dev/null
			fi
		done
	done
	wait $pid 2>/dev/null
	[ $? -eq 137 ]
}

trip_crash() {
	local killed=
	forget_all
	if [ "$1" = step ]; then
		kill_after_step apply "$PROFILE" && killed=yes
	else
		start_and_kill $((APPLY_MS * $1 / 100)) apply "$PROFILE" && killed=yes
	fi
	dump killed
	# one that was done, and only had to end, is in force
	! grep -q '"outcome"' /var/lib/nettune/journal/*.jsonl 2>/dev/null || killed=
	if [ -n "$killed" ] && ! diff -q "$WORK/before" "$WORK/killed" >/dev/null; then
		INTERRUPTED=$((INTERRUPTED + 1))
		nettune_exits 4 status
		nettune_exits 4 apply "$PROFILE"
	fi
	[ -z "$(ls /var/lib/nettune/journal/*.jsonl 2>/dev/null)" ] || nettune_exits 0 rollback
	wait_carrier "$LINK"
	dump after
	same_dump before after
}

test_interrupted() {
	[ "$INTERRUPTED" -gt 0 ] || fail "no kill fell between the first and the last write of an apply of $APPLY_MS ms"
}

trip_crash_back() {
	forget_all
	nettune_exits 0 apply "$PROFILE"
	start_and_kill $((APPLY_MS / 2)) rollback || echo "# rollback was done before it could be killed"
	nettune_exits 0 rollback
	wait_carrier "$LINK"
	dump after
	same_dump before after
}
