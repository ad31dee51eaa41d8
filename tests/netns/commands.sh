#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Options and sequences of commands: filters, several profiles, rollback by ID, --to and --all,
# journals that are damaged, places without room, output that nobody takes.
. "$(dirname "$0")/../lib/netns.sh"

# profile NAME LINE...
profile() {
	{
		printf 'name: %s\n' "$1"
		printf '%s\n' "${@:2}"
	} >"$WORK/$1.yaml"
	chmod 644 "$WORK/$1.yaml"
}

value() {
	cat "/proc/sys/net/ipv4/$1"
}

is() {
	[ "$1" = "$2" ] || fail "is $1, wanted $2"
}

start() {
	veth
	profile a 'sysctl: {net.ipv4.tcp_fin_timeout: 21, net.ipv4.tcp_syn_retries: 4}' \
		'interfaces:' '  - match: {name: veth0}' '    mtu: 4000' '    rps: all'
	profile b 'sysctl: {net.ipv4.tcp_fin_timeout: 22}' \
		'interfaces:' '  - match: {name: veth0}' '    mtu: 5000' \
		'    channels: {queues: 2}' '  - match: {name: veth1}' '    offloads: {gro: on}'
	dump before
}

newest() {
	find "$WORK/state/journal" -name '*.jsonl' | sort | tail -1
}

as_before() {
	dump after
	same_dump before after
}

# A link that has only settings which are as wished already is in the journal, too.
test_link_without_changes() {
	veth
	profile p 'sysctl: {net.ipv4.tcp_fin_timeout: 21}' \
		'interfaces:' '  - match: {name: veth1}' '    offloads: {lro: off, tx-gre-segmentation: on}' \
		'    rps: none'
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	is "$(value tcp_fin_timeout)" 21
	expect 0 nettune verify
	expect 0 nettune rollback
	as_before
	ip link set veth1 down
	profile p 'sysctl: {net.ipv4.tcp_fin_timeout: 21}' \
		'interfaces:' '  - match: {name: veth1}' '    rings: {rx: 512}' '    rps: all'
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	expect 0 nettune rollback
	as_before
}

# New receive queues start with a mask that is not nettune's.
test_default_mask_of_new_queues() {
	veth
	echo 1 >/proc/sys/net/core/rps_default_mask
	for q in 0 1 2 3; do
		echo 0 >/sys/class/net/veth0/queues/rx-$q/rps_cpus
	done
	profile p 'interfaces:' '  - match: {name: veth0}' '    channels: {queues: 2}'
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	expect 0 nettune rollback
	as_before
	ethtool -L veth0 rx 1
	profile p 'interfaces:' '  - match: {name: veth0}' '    channels: {queues: 3}' '    rps: none'
	expect 0 nettune apply "$WORK/p.yaml"
	is "$(cat /sys/class/net/veth0/queues/rx-2/rps_cpus)" 0
	expect 0 nettune verify "$WORK/p.yaml"
}

# What one wish would move away from what another one asks for is no "as wished already".
test_profile_that_contradicts_itself() {
	veth
	ip link add link veth0 name mac.5 type macvlan
	profile p 'interfaces:' '  - match: {name: mac.5}' '    mtu: 1500' \
		'  - match: {name: veth0}' '    mtu: 1400'
	dump before
	expect 65 nettune apply "$WORK/p.yaml"
	contains "p.yaml:4:"
	contains mac.5/mtu
	contains 1400
	as_before
}

# The clock of the kernel is coarser than the unit of these keys.
test_times_that_are_rounded() {
	veth
	profile p 'sysctl:' '  net.ipv4.neigh.veth0.locktime: 5' '  net.ipv6.neigh.veth0.retrans_time: 33' \
		'  net.ipv6.conf.veth0.mldv1_unsolicited_report_interval: 1001' \
		'  net.ipv6.icmp.ratelimit: 33'
	dump before
	expect 0 nettune apply "$WORK/p.yaml"
	expect 0 nettune plan "$WORK/p.yaml" --json
	json .changed false
	expect 0 nettune verify "$WORK/p.yaml"
	expect 0 nettune rollback
	as_before
}

test_filters() {
	start
	expect 0 nettune plan "$WORK/a.yaml" --only mtu --json
	json '[.changes[].id]' '["veth0/mtu"]'
	expect 0 nettune plan "$WORK/a.yaml" "$WORK/b.yaml" -i veth1 --json
	json '[.changes[] | select(.interface == "veth0")]' '[]'
	expect 64 nettune plan "$WORK/a.yaml" --only mtus
	expect 69 nettune plan "$WORK/a.yaml" -i veth9
	expect 0 nettune apply "$WORK/a.yaml" --only mtu,sysctl
	is "$(cat /sys/class/net/veth0/queues/rx-0/rps_cpus)" 0
	expect 0 nettune verify
	expect 0 nettune rollback
	as_before
}

# The later profile wins, setting by setting.
test_two_profiles() {
	start
	expect 0 nettune apply "$WORK/a.yaml" "$WORK/b.yaml"
	is "$(value tcp_fin_timeout)" 22
	is "$(value tcp_syn_retries)" 4
	is "$(cat /sys/class/net/veth0/mtu)" 5000
	expect 0 nettune verify
	expect 0 nettune verify "$WORK/a.yaml" "$WORK/b.yaml"
	expect 2 nettune verify "$WORK/b.yaml" "$WORK/a.yaml"
	expect 0 nettune rollback
	as_before
}

test_one_by_one() {
	local first

	start
	expect 0 nettune apply "$WORK/a.yaml" --json
	first=$(jq -r .transaction <<<"$OUT")
	dump between
	expect 0 nettune apply "$WORK/b.yaml"
	expect 1 nettune rollback "$first"
	contains "newer"
	expect 0 nettune rollback --to "$first" --dry-run
	is "$(value tcp_fin_timeout)" 22
	expect 0 nettune rollback --to "$first"
	dump after
	same_dump between after
	expect 0 nettune rollback
	contains "already undone"
	contains "$first"
	expect 0 nettune rollback "$first"
	as_before
	expect 0 nettune rollback --all
}

test_all_at_once() {
	start
	expect 0 nettune apply "$WORK/a.yaml"
	expect 0 nettune apply "$WORK/b.yaml"
	expect 0 nettune apply "$WORK/a.yaml"
	expect 0 nettune rollback --all
	as_before
	expect 64 nettune rollback --all --to 20200101T000000Z-000000
	expect 65 nettune rollback ../../etc/passwd
}

# A value that neither was there before nor is nettune's stays; --force takes it back.
test_foreign_change_in_the_older_one() {
	start
	expect 0 nettune apply "$WORK/a.yaml"
	expect 0 nettune apply "$WORK/b.yaml"
	echo 5 >/proc/sys/net/ipv4/tcp_syn_retries
	expect 5 nettune rollback --all
	is "$(value tcp_syn_retries)" 5
	is "$(value tcp_fin_timeout)" 60
	expect 0 nettune rollback --all --force
	as_before
}

test_forgotten() {
	local id

	start
	expect 0 nettune apply "$WORK/a.yaml" --json
	id=$(jq -r .transaction <<<"$OUT")
	expect 0 nettune forget "$id"
	expect 0 nettune rollback
	is "$(value tcp_fin_timeout)" 21
	expect 0 nettune status
	lacks "$id"
	expect 0 nettune forget "$id"
	expect 65 nettune forget nosuch
}

# What a journal that can't be read did is not known: nothing older is undone behind its back.
test_damaged_journal() {
	local file

	start
	expect 0 nettune apply "$WORK/a.yaml"
	expect 0 nettune apply "$WORK/b.yaml"
	file=$(newest)
	cp "$file" "$WORK/whole"
	sed -i '4s/plan/plXn/' "$file"
	expect 65 nettune rollback
	contains "$(basename "$file")"
	expect 65 nettune rollback --all
	expect 65 nettune status
	expect 0 nettune history
	is "$(value tcp_fin_timeout)" 22
	is "$(value tcp_syn_retries)" 4
	cp "$WORK/whole" "$file"
	expect 0 nettune rollback --all
	as_before
}

test_what_is_no_journal() {
	local journal=$WORK/state/journal

	start
	expect 0 nettune apply "$WORK/a.yaml"
	mkdir "$journal/20200101T000000Z-aaaaaa.jsonl"
	mkfifo "$journal/20200101T000001Z-aaaaaa.jsonl"
	ln -s /etc/passwd "$journal/20200101T000002Z-aaaaaa.jsonl"
	echo '{' >"$journal/20200101T000003Z-aaaaaa.jsonl"
	touch "$journal/20200101T000004Z-aaaaaa.jsonl" "$journal/notes"
	expect 0 nettune history
	expect 0 nettune rollback
	as_before
}

test_no_room() {
	start
	mkdir -m 700 "$WORK/state"
	mount -t tmpfs -o size=16k,mode=700 tmpfs "$WORK/state"
	expect 1 nettune apply "$WORK/a.yaml"
	contains "No space left"
	as_before
	mount -o remount,size=1m "$WORK/state"
	expect 0 nettune apply "$WORK/a.yaml"
	dd if=/dev/zero of="$WORK/state/fill" bs=1k 2>/dev/null || true
	expect 1 nettune rollback
	is "$(value tcp_fin_timeout)" 21
	rm "$WORK/state/fill"
	expect 0 nettune rollback
	as_before
	umount "$WORK/state"
}

test_output_that_nobody_takes() {
	start
	expect 1 sh -c '"$NETTUNE" plan "$1" >/dev/full' sh "$WORK/a.yaml"
	# what is applied is applied, whoever listens
	nettune apply "$WORK/a.yaml" >&- 2>&- <&-
	expect 0 nettune verify
	nettune rollback >/dev/full 2>/dev/null
	as_before
}

test_names_that_are_not_for_terminals() {
	local name
	name=$(printf 'e\033[31mx')

	ip link add name "$name" type veth peer name '*?[x]'
	ip link set "$name" up
	profile p 'interfaces:' '  - match: {kind: veth}' '    mtu: 4000' '    rps: all'
	dump before
	expect 0 nettune plan "$WORK/p.yaml"
	lacks $'\033'
	expect 0 nettune apply "$WORK/p.yaml"
	lacks $'\033'
	ip link set "$name" mtu 3000
	expect 2 nettune status
	lacks $'\033'
	ip link set "$name" mtu 4000
	expect 0 nettune plan "$WORK/p.yaml" -i "$name" --json
	json .changed false
	expect 0 nettune rollback
	lacks $'\033'
	as_before
}

main "$@"
