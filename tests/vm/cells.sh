# SPDX-License-Identifier: GPL-2.0-or-later
# Cells of the matrix driver x setting: each is one small profile, planned, applied, verified, applied again and
# rolled back from the same odd starting values, with its verdict, the value that plan foretold and what it
# interrupted. With LIST_CELLS set, the cells are printed as they are expected, and nothing is run.
# shellcheck shell=bash

KERNEL=${KERNEL:-$(uname -r | cut -d. -f1,2)}
WAY=${NETTUNE_ETHTOOL:-netlink}

# The settings of a JSON report: section, id, after, interrupts, origin, observed, verdict; "-" for none.
settings_of() {
	awk '
		/^  "[a-z]+": \[$/ { split($0, part, "\""); section = part[2] }
		/^  \]/            { section = "" }
		section && /^      "/ {
			split($0, part, "\"")
			sub(/^ *"[^"]*": /, "")
			gsub(/^"|"?,?$/, "")
			gsub(/ /, "_")
			value[part[2]] = $0
		}
		section && /^    \}/ {
			line = section
			for (i = split("id after interrupts origin observed verdict", name, " "); i >= 1; i--)
				rest = (value[name[i]] == "" ? "-" : value[name[i]]) (i < 6 ? " " rest : "")
			print line " " rest
			delete value
		}' "$WORK/stdout"
}

# column N SECTION: the values of a column, each once, of what the profile asked for.
column() {
	awk -v n="$1" -v section="$2" '$1 == section && (section != "changes" || $5 == "profile") && !seen[$n]++ { print $n }' \
		"$WORK/settings" | paste -sd+
}

# What of the link a cell may move, with as few processes as will do; the whole matrix stands between two full dumps.
link_state() {
	local dir=/sys/class/net/$ETH option path irq action mask
	for option in g l c k x; do
		echo "option $option"
		ethtool -$option "$ETH" 2>&1
	done | awk '/^option / { option = $2; next } { line = "-" option " " $0; gsub(/[ \t]+/, " ", line); print line }'
	for path in "$dir/mtu" "$dir"/queues/rx-*/rps_{cpus,flow_cnt} "$dir"/queues/tx-*/xps_{cpus,rxqs} \
		"/proc/sys/net/ipv6/conf/$ETH/mtu"; do
		mask=
		{ read -r mask <"$path"; } 2>/dev/null
		echo "${path#"$dir/"}: $mask"
	done
	while read -r irq action; do
		[ -n "$action" ] || continue
		read -r mask <"/proc/irq/$irq/smp_affinity"
		echo "irq $action: $mask"
	done < <(vectors "$ETH") | sort
}

flaps() {
	local link
	for link in /sys/class/net/*; do
		echo "${link##*/} $(<"$link/carrier_changes")"
	done
}

# Carriers of other links stayed; that of this one went exactly if plan had said so.
check_flaps() {
	local predicted=$1 moved
	flaps >"$WORK/flaps.now"
	moved=$(grep -vxFf "$WORK/flaps" "$WORK/flaps.now" | cut -d' ' -f1 | paste -sd' ')
	case $predicted,$moved in
	link,"$ETH" | none, | queue,) ;;
	*) fail "plan foretold: $predicted; lost their carrier: ${moved:-none}" ;;
	esac
}

most_interrupting() {
	local word
	for word in link queue; do
		if grep -q "^changes [^ ]* [^ ]* $word " "$WORK/settings"; then
			echo $word
			return
		fi
	done
	echo none
}

# Nothing but lines that match $1 differs between the states "start" and "applied", and something does.
check_moved() {
	local out
	diff -U0 "$WORK/start" "$WORK/applied" | sed -n '3,${/^@/d;s/^.//;p}' >"$WORK/moved"
	[ -s "$WORK/moved" ] || fail "nothing changed"
	out=$(grep -Ev -- "^$1" "$WORK/moved")
	[ -z "$out" ] || fail "moved along:"$'\n'"$out"
}

check_state() {
	link_state >"$WORK/state"
	local out
	out=$(diff -U0 "$WORK/start" "$WORK/state") || fail "$1:"$'\n'"$out"
}

# Refused before the first write, with the limit named.
try_limit() {
	nettune_exits 65 plan --json "$PROFILE"
	stdout_has "\"message\": \".*\\b$1\\b"
	nettune_exits 65 apply --json "$PROFILE"
	stdout_has '"transaction": null|nettune-error'
	SEEN="limit $1 -"
}

# Nothing to write: as wished already, or not to be had.
try_nothing() {
	nettune_exits 0 apply --json "$PROFILE"
	stdout_has '"changed": false'
	[ -z "$(ls /var/lib/nettune/journal/*.jsonl 2>/dev/null)" ] || fail "there is a transaction"
	SEEN=$(column 7 skipped)
	SEEN="${SEEN:-in-sync} - -"
	SEEN=${SEEN/#null/in-sync}
}

apply_again() {
	flaps >"$WORK/flaps"
	nettune_exits 0 apply --json "$PROFILE"
	stdout_has '"changed": false'
	check_flaps none
}

try_changes() {
	local planned interrupts
	planned=$(column 3 changes)
	interrupts=$(most_interrupting)
	flaps >"$WORK/flaps"
	nettune_exits "$([ "$1" = refused ] && echo 3 || echo 0)" apply --json "$PROFILE"
	check_flaps "$interrupts"
	! grep '"id": "moved-along"' -A2 "$WORK/stdout" >"$WORK/lost" || fail "$(cat "$WORK/lost")"
	settings_of >"$WORK/settings"
	SEEN="$(column 7 changes) $planned $interrupts"
	! grep '^changes [^ ]* [^ ]* [^ ]* carried ' "$WORK/settings" | grep -v ' exact$' >"$WORK/lost" ||
		fail "not carried: $(cat "$WORK/lost")"
	case $1 in
	exact* | rounded | clamped | held)
		[ "$(column 6 changes)" = "$planned" ] || fail "plan foretold $planned, reads $(column 6 changes)"
		link_state >"$WORK/applied"
		check_moved "$2"
		;;
	*) check_state "changed in spite of $1" ;;
	esac
	[ "$1" != refused ] || return
	nettune_exits 0 verify "$PROFILE"
	apply_again
	nettune_exits 0 rollback
	check_state "rollback left"
}

try_cell() {
	local settings=$2 expected="$3 $4 $5" moves=${6:-nothing}
	forget_all
	PROFILE=$(profile cell <<<"{name: cell, version: 1, interfaces: [{match: {name: $ETH}, $settings}]}")
	if [ "$3" = limit ]; then
		try_limit "$4"
	else
		nettune_exits 0 plan --json "$PROFILE"
		settings_of >"$WORK/settings"
		if grep -q '^changes' "$WORK/settings"; then
			try_changes "$3" "$moves"
		else
			try_nothing
		fi
	fi
	# What the ioctl tells only when asked to write is unsupported all the same.
	[ "$3" != unsupported ] || SEEN="${SEEN%% *} - -"
	echo "# cell $KERNEL $WAY $DRIVER $1 $SEEN"
	[ "$SEEN" = "$expected" ] || fail "expected $expected, seen $SEEN"
}

# cell NAME SETTINGS VERDICT VALUE INTERRUPTS [MOVES]: VALUE is the read-back that plan foretells (of limit, the number
# that the refusal names); MOVES what lines of link_state() may change.
cell() {
	if [ -n "${LIST_CELLS:-}" ]; then
		echo "# cell $KERNEL $WAY $DRIVER $1 $3 $4 $5"
	else
		run_case "$DRIVER $1" try_cell "$@"
	fi
}
