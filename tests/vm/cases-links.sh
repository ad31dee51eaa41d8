# SPDX-License-Identifier: GPL-2.0-or-later
# Settings of devices and interrupts on real drivers, as they were reported to go wrong in public.
# Wants igb, e1000e, vmxnet3, virtio-net with 4 and with 2 queues, and virtio-blk.
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

IGB=$(nic igb) E1000E=$(nic e1000e) VMXNET3=$(nic vmxnet3)
VIRTIO=$(nic virtio_net 0) SMALL=$(nic virtio_net 1)

all_up() {
	link_up "$IGB" "$E1000E" "$VMXNET3" "$VIRTIO" "$SMALL"
}

# rule LINK LINE...: sets $PROFILE to a profile with one rule
rule() {
	PROFILE=$(
		{
			printf 'name: lab\ninterfaces:\n  - match: {name: %s}\n' "$1"
			shift
			printf '    %s\n' "$@"
		} | profile lab
	)
}

# plans STATUS TEXT...: what plan says
plans() {
	local text
	nettune_exits "$1" plan "$PROFILE"
	shift
	for text in "$@"; do
		says "$text"
	done
}

# keep NAME LINK...: the settings of these links, and the masks of all interrupts, for the sake of time; everything
# is compared in the end.
keep() {
	local name=$1 link option
	shift
	for link in "$@"; do
		ip -o link show "$link" | sed 's/^/link /'
		grep "" "/proc/sys/net/ipv6/conf/$link/mtu" /sys/class/net/"$link"/queues/*/{rps_cpus,rps_flow_cnt,xps_cpus}
		for option in -g -l -c -k -x; do
			ethtool $option "$link" 2>&1 | sed -e "s/^/$option $link: /" -e 's/[[:blank:]]\{1,\}/ /g'
		done
		masks "$link"
	done >"$WORK/$name" 2>/dev/null
}

# masks LINK: of all its interrupts
masks() {
	local irq action
	while read -r irq action; do
		echo "irq $1 $action: $(cat "/proc/irq/$irq/smp_affinity")"
	done < <(vectors "$1") | sort
}

# note LINK: how it is now
note() {
	LINK=$1
	forget_all
	keep before "$LINK"
	FLAPS=$(cat "/sys/class/net/$LINK/carrier_changes")
}

restored() {
	keep after "$LINK"
	same_dump before after
}

untouched() {
	restored
	[ "$(cat "/sys/class/net/$LINK/carrier_changes")" = "$FLAPS" ] || fail "$LINK was reset"
}

there_and_back() {
	note "$1"
	nettune_exits 0 apply "$PROFILE"
	wait_carrier "$1"
	keep applied "$1"
	nettune_exits 0 verify "$PROFILE"
	nettune_exits 0 plan --json "$PROFILE"
	stdout_has '"changed": ?false'
	nettune_exits 0 rollback
	wait_carrier "$1"
	restored
}

# refused LINK LINE TEXT...: by the kernel, after an MTU that was taken.
refused() {
	local link=$1 line=$2 text
	shift 2
	rule "$link" 'mtu: 1400' "$line"
	nettune_exits 3 apply "$PROFILE"
	[ "$(cat "/sys/class/net/$link/carrier")" = 1 ] || fail "$link has no carrier yet"
	for text in "$@"; do
		says "$text"
	done
}

# --- rings and channels

only_named_rings_are_sent() {
	rule "$VMXNET3" 'rings: {rx: 704}'
	there_and_back "$VMXNET3"
	dump_has applied "-g $VMXNET3: RX: 704"
	carried "^-g $VMXNET3: RX Jumbo: [1-9]" "^-g $VMXNET3: TX:"
}

rings_that_are_not_there() {
	rule "$IGB" 'rings: {rx-jumbo: 10}'
	plans 0 "the device does not support rx-jumbo" "Nothing to do"
	rule "$IGB" 'rings: {rx-jumbo: 10}' 'on-unsupported: fail'
	plans 69 "$IGB/rings.rx-jumbo = 10: the device does not support rx-jumbo"
	rule "$IGB" 'rings: {rx-jumbo: 0}' 'on-unsupported: fail'
	plans 0 "Nothing to do"
}

above_the_maximum() {
	note "$IGB"
	rule "$IGB" 'mtu: 9000' 'rings: {rx: 8192}'
	nettune_exits 65 apply "$PROFILE"
	says "$IGB/rings.rx = 8192: the device's maximum is 4096"
	rule "$SMALL" 'channels: {combined: 4}'
	plans 65 "$SMALL/channels.combined = 4: the device's maximum is 2"
	rule "$IGB" 'mtu: 9217'
	plans 65 "68" "9216"
	untouched
}

channels_of_one_sort() {
	rule "$IGB" 'channels: {rx: 1}'
	plans 0 "the device has no rx channels (combined max 8)" "Nothing to do"
	rule "$IGB" 'channels: {queues: 1}'
	plans 0 "channels.combined" "4 -> 1"
	rule "$IGB" 'channels: {combined: max}'
	plans 0 "4 -> 8"
	rule "$SMALL" 'channels: {combined: max}'
	plans 0 "Nothing to do"
}

channels_that_are_not_there() {
	rule "$E1000E" 'channels: {combined: 2}'
	plans 0 "the device does not support channels" "Nothing to do"
}

# Of vmxnet3, from Linux 5.16 on; before they could not even be read.
channels_that_can_only_be_read() {
	ethtool -l "$VMXNET3" >/dev/null 2>&1 || return
	note "$VMXNET3"
	rule "$VMXNET3" 'channels: {combined: 4}'
	plans 0 "Nothing to do, 1 already as wished"
	rule "$VMXNET3" 'channels: {combined: 2}'
	plans 0 "combined is 4 and fixed: the driver has no way to change its channels" "Nothing to do"
	rule "$VMXNET3" 'mtu: 1400' 'channels: {combined: 2}' 'on-unsupported: fail'
	nettune_exits 69 apply "$PROFILE"
	says "$VMXNET3/channels.combined = 2"
	untouched
}

# Interrupts, RPS and XPS of a link with odd masks over a change of its channels, alone and with masks in the
# profile, are those of the queues of the same names.
channels_move_everything() {
	local link=$1 rx=$2
	odd_irq_masks "$link"
	odd_queues "$link"
	rule "$link" 'channels: {combined: 2}'
	there_and_back "$link"
	carried "/$link/queues/rx-[01]/rps_cpus" "/$link/queues/rx-[01]/rps_flow_cnt" \
		"/$link/queues/tx-[01]/xps_cpus" "^irq $link .*$rx[01]:"
	rule "$link" 'channels: {combined: 2}' 'irq-affinity: {queues: {0: "3", 1: "2"}}' \
		'rps: {cpus: "0-1", flows: 1000}'
	there_and_back "$link"
	grep -Eq "^irq $link .*${rx}0: 8$" "$WORK/applied" || fail "queue 0 is not on CPU 3"
	grep -Eq "^irq $link .*${rx}1: 4$" "$WORK/applied" || fail "queue 1 is not on CPU 2"
	dump_has applied "/sys/class/net/$link/queues/rx-1/rps_cpus:3" \
		"/sys/class/net/$link/queues/rx-1/rps_flow_cnt:1024"
	ethtool -L "$link" combined 1
	ethtool -L "$link" combined 4
	wait_carrier "$link"
	put "/sys/class/net/$link/queues/rx-0/rps_cpus" 0
	put "/sys/class/net/$link/queues/rx-0/rps_flow_cnt" 0
}

# --- XDP

xdp_id() {
	ip -d -o link show "$1" | sed -n 's/.*prog\/xdp id \([0-9]*\).*/\1/p'
}

# On a driver that has no queues to spare for it, there is nothing to test.
xdp_attach() {
	xdp "$1" 2>"$WORK/stderr" || return 1
	wait_carrier "$1"
	XDP=$(xdp_id "$1")
	[ -n "$XDP" ] || fail "no XDP program on $1"
}

xdp_on_virtio() {
	ethtool -L "$VIRTIO" combined 2
	if ! xdp_attach "$VIRTIO"; then
		echo "# no XDP on virtio-net here: $(cat "$WORK/stderr")"
	else
		note "$VIRTIO"
		rule "$VIRTIO" 'channels: {combined: 4}' 'mtu: 3000'
		plans 0 "$VIRTIO/channels.combined, $VIRTIO/mtu: may be refused, XDP program $XDP is attached"
		nettune_exits 3 apply "$PROFILE"
		says "refused"
		says "XDP program $XDP is attached"
		[ "$(xdp_id "$VIRTIO")" = "$XDP" ] || fail "the XDP program is another one"
		restored
	fi
	ip link set "$VIRTIO" xdp off
	ethtool -L "$VIRTIO" combined 4
}

# The channels are changed when the MTU is refused: both go back, and the carrier is awaited.
xdp_on_igb() {
	if ! xdp_attach "$IGB"; then
		echo "# no XDP on igb here: $(cat "$WORK/stderr")"
		return
	fi
	note "$IGB"
	rule "$IGB" 'channels: {combined: 2}' 'mtu: 9000'
	plans 0 "$IGB/channels.combined, $IGB/mtu: may be refused, XDP program $XDP is attached"
	nettune_exits 3 apply "$PROFILE"
	[ "$(cat "/sys/class/net/$IGB/carrier")" = 1 ] || fail "$IGB has no carrier yet"
	says "refused: RTM_NEWLINK $IGB mtu 9000: Invalid argument (no reason given; the kernel log may have one)"
	[ "$(xdp_id "$IGB")" = "$XDP" ] || fail "the XDP program is another one"
	restored
	rule "$IGB" 'channels: {combined: 2}'
	there_and_back "$IGB"
	ip link set "$IGB" xdp off
	wait_carrier "$IGB"
}

# --- coalescing and offloads

only_some_times_are_legal() {
	note "$IGB"
	refused "$IGB" 'coalesce: {rx-usecs: 4}' "coalesce.rx-usecs" "wanted 4" "Invalid argument"
	refused "$IGB" 'coalesce: {rx-usecs: 10001}' "wanted 10001" "Invalid argument"
	refused "$E1000E" 'coalesce: {rx-usecs: 5}' "wanted 5" "Invalid argument"
	restored
	rule "$IGB" 'coalesce: {rx-usecs: 10, tx-usecs: 10000}'
	there_and_back "$IGB"
	dump_has applied "-c $IGB: rx-usecs: 10" "-c $IGB: tx-usecs: 10000"
}

parameters_that_are_not_there() {
	note "$IGB"
	rule "$IGB" 'coalesce: {rx-frames: 10, adaptive-rx: on}'
	plans 0 "the device does not support rx-frames" "the device does not support adaptive-rx" \
		"Nothing to do"
	rule "$VMXNET3" 'coalesce: {rx-usecs: 10}'
	plans 0 "the device does not support coalesce"
	rule "$IGB" 'coalesce: {adpative-rx: on}'
	plans 65 "did you mean adaptive-rx?"
	untouched
}

# Not known before the driver is asked: either it says that it can't, or everything goes back.
parameters_that_virtio_refuses() {
	local line
	note "$VIRTIO"
	for line in 'rx-usecs: 10' 'tx-frames: 64' 'tx-frames: 0' 'rx-frames: 16'; do
		rule "$VIRTIO" "coalesce: {$line}"
		nettune apply "$PROFILE" >"$WORK/stdout" 2>"$WORK/stderr"
		case $?:$line in
		0:rx-usecs*) says "support" ;;
		3:tx-frames* | 3:rx-frames*) says "refused: " ;;
		0:*) says "does not support" ;; # before Linux 6.3
		*) fail "$line: $(cat "$WORK/stdout" "$WORK/stderr")" ;;
		esac
	done
	restored
}

offloads_that_depend_on_others() {
	rule "$IGB" 'offloads: {sg: off, tso: on}'
	plans 65 "tx-tcp-segmentation needs tx-scatter-gather"
	for line in 'sg: off' 'tx: off' 'rxvlan: off' 'tso: off, gro: off'; do
		rule "$IGB" "offloads: {$line}"
		there_and_back "$IGB"
	done
}

offloads_that_are_held() {
	ethtool -K "$IGB" sg off >/dev/null
	rule "$IGB" 'offloads: {tx-tcp-mangleid-segmentation: on}'
	note "$IGB"
	nettune_exits 0 apply "$PROFILE"
	says "held: needs tx-"
	nettune_exits 0 rollback
	restored
	ethtool -K "$IGB" sg on >/dev/null
}

# --- queues and interrupts

cpus_that_are_not_there() {
	rule "$IGB" 'rps: {cpus: "0xff"}'
	plans 65 "CPUs 4-7 do not exist (online: 0-3)"
	rule "$IGB" 'rps: {cpus: "0-5"}'
	plans 65 "CPUs 4-5 do not exist"
	rule "$IGB" 'irq-affinity: {queues: {0: "7"}}'
	plans 65 "CPU 7 does not exist"
	rule "$IGB" 'rps: {cpus: "f"}'
	plans 65 "a mask begins with 0x"
	rule "$IGB" 'rps: {cpus: "0x00000000,00000003"}'
	there_and_back "$IGB"
	dump_has applied "/sys/class/net/$IGB/queues/rx-0/rps_cpus:3"
}

empty_sets() {
	local line
	for line in 'rps: {cpus: ""}' 'rps: {cpus: []}' 'rps: {queues: {0: ""}}' \
		'irq-affinity: {queues: {0: []}}' 'irq-affinity: {queues: {0: none}}' \
		'irq-affinity: {queues: {0: "0x0"}}'; do
		rule "$IGB" "$line"
		nettune_exits 65 plan "$PROFILE"
	done
	put "/sys/class/net/$IGB/queues/rx-0/rps_cpus" 6
	rule "$IGB" 'rps: none'
	there_and_back "$IGB"
	dump_has applied "/sys/class/net/$IGB/queues/rx-0/rps_cpus:0"
	put "/sys/class/net/$IGB/queues/rx-0/rps_cpus" 0
}

# Actions and masks of all interrupts but those of the NICs' queues.
other_masks() {
	local irq action
	for irq in /proc/irq/[0-9]*; do
		action=$(cat "/sys/kernel/irq/${irq##*/}/actions")
		case $action in
		*-rx-* | *-tx-* | *-rxtx-* | *-input.* | *-output.*) ;;
		*) echo "$action $(cat "$irq/smp_affinity")" ;;
		esac
	done | sort
}

# The kernel spreads the queues of virtio-blk itself: EIO up to Linux 6.1, EPERM later. No NIC driver here has
# such interrupts, so nettune has no business with them.
managed_interrupts_are_left_alone() {
	local irq
	irq=$(grep 'req\.1$' /proc/interrupts | sed 's/:.*//; s/ //g')
	[ -n "$irq" ] || fail "virtio-blk has no interrupts"
	(echo 4 >"/proc/irq/$irq/smp_affinity") 2>/dev/null && fail "interrupt $irq is not managed"
	other_masks >"$WORK/others_before"
	grep -q 'req\.1 ' "$WORK/others_before" || fail "virtio-blk is not among the others"
	rule '"*"' 'irq-affinity: {spread: "2-3"}'
	note "$IGB"
	strace -f -y -e trace=openat,openat2 -o "$WORK/strace" nettune apply "$PROFILE" \
		>"$WORK/stdout" 2>"$WORK/stderr" || fail "$(cat "$WORK/stdout" "$WORK/stderr")"
	masks "$IGB" | grep -q -- '-rx-0: 4$' || fail "not applied: $(masks "$IGB")"
	other_masks >"$WORK/others_applied"
	same_dump others_before others_applied
	grep -E "O_(WRONLY|RDWR).*smp_affinity" "$WORK/strace" >"$WORK/opened"
	grep -q "irq/" "$WORK/opened" || fail "strace saw nothing"
	! grep "irq/$irq/" "$WORK/opened" || fail "a managed interrupt was opened"
	nettune_exits 0 rollback
	restored
}

# eth1 is the beginning of eth10, and the names of virtio's vectors hold neither.
rename() {
	ip link set "$1" down
	ip link set "$1" name "$2"
	ip link set "$2" up
}

interrupts_of_the_right_device() {
	rename "$VIRTIO" tmp0
	rename "$E1000E" e1000
	rename "$SMALL" eth10
	rename tmp0 eth1
	wait_carrier eth1 eth10 e1000
	rule eth1 'irq-affinity: {queues: {0: "3", 1: "2"}}'
	keep others_before eth10 e1000
	note eth1
	nettune_exits 0 apply "$PROFILE"
	keep applied eth1
	keep others_applied eth10 e1000
	same_dump others_before others_applied
	grep -Eq '^irq eth1 .*-input.0: 8$' "$WORK/applied" || fail "not set: $(masks eth1)"
	grep -Eq '^irq eth1 .*-output.1: 4$' "$WORK/applied" || fail "not set: $(masks eth1)"
	carried '^irq eth1 .*-config:' '^irq eth1 .*-input\.[23]:'
	nettune_exits 0 rollback
	restored
	rename eth1 tmp0
	rename e1000 "$E1000E"
	rename eth10 "$SMALL"
	rename tmp0 "$VIRTIO"
	wait_carrier "$E1000E" "$SMALL" "$VIRTIO"
}

interfaces_that_are_down() {
	local link
	for link in "$IGB" "$VMXNET3" "$VIRTIO"; do
		ip link set "$link" down
		rule "$link" 'irq-affinity: {spread: all}' 'rps: {cpus: "0-1"}'
		note "$link"
		nettune_exits 2 plan --detailed-exitcode "$PROFILE"
		says "interface is down"
		nettune_exits 0 apply "$PROFILE"
		nettune_exits 2 verify "$PROFILE"
		says "deferred"
		restored
		link_up "$link"
		there_and_back "$link"
	done
}

queues_that_come_anew() {
	local mask=/proc/sys/net/core/rps_default_mask
	rule "$IGB" 'rps: {cpus: "0-1"}'
	forget_all
	nettune_exits 0 apply "$PROFILE"
	ethtool -L "$IGB" combined 2
	ethtool -L "$IGB" combined 4
	wait_carrier "$IGB"
	nettune_exits 2 verify
	says "rx-2-3/rps.cpus"
	says "drifted"
	nettune_exits 0 rollback
	[ -e "$mask" ] || return # before Linux 6.2
	PROFILE=$(profile lab <<<"{name: lab, sysctl: {net.core.rps_default_mask: '0x3'}}")
	forget_all
	nettune_exits 0 apply "$PROFILE"
	[ "$(cat "$mask")" = 3 ] || fail "rps_default_mask is $(cat "$mask")"
	nettune_exits 0 rollback
	[ "$(cat "$mask")" = 0 ] || fail "rps_default_mask is $(cat "$mask")"
}

# A process of that name, which moves an interrupt as the real one does.
irqbalance_is_no_friend() {
	local pid irq
	mkfifo "$WORK/never"
	(
		printf irqbalance >/proc/self/comm
		read -r _ <"$WORK/never"
	) &
	pid=$!
	until [ "$(cat /proc/$pid/comm)" = irqbalance ]; do sleep 0.1; done
	rule "$IGB" 'irq-affinity: {queues: {0: "3"}}'
	forget_all
	plans 0 "irqbalance is running (process $pid) and may move these interrupts again"
	nettune_exits 0 apply "$PROFILE"
	irq=$(vectors "$IGB" | sed -n "s/ $IGB-rx-0$//p")
	put "/proc/irq/$irq/smp_affinity" 2
	nettune_exits 2 verify
	says "drifted: irqbalance is running (process $pid)"
	kill -0 $pid || fail "irqbalance was killed"
	put "/proc/irq/$irq/smp_affinity" 8
	nettune_exits 0 rollback
	kill $pid
	wait $pid 2>/dev/null
	plans 0
	! grep -q irqbalance "$WORK/stderr" || fail "irqbalance is gone"
}

note_everything() {
	dump all_before
}

nothing_is_left() {
	wait_carrier "$IGB" "$E1000E" "$VMXNET3" "$VIRTIO" "$SMALL"
	dump all_after
	same_dump all_before all_after
}

run_case "links come up" all_up
run_case "igb: channels move everything else, and it comes back" channels_move_everything "$IGB" "-[rt]x-"
run_case "virtio: channels move everything else, and it comes back" channels_move_everything "$VIRTIO" "put\\."
run_case "the whole state is noted" note_everything
run_case "rings: only those named are sent" only_named_rings_are_sent
run_case "rings that a device does not have" rings_that_are_not_there
run_case "above the maximum of a device: refused before anything is written" above_the_maximum
run_case "channels of the sort that a device has" channels_of_one_sort
run_case "channels that are not there" channels_that_are_not_there
run_case "channels that can only be read" channels_that_can_only_be_read
run_case "virtio: an XDP program may be in the way" xdp_on_virtio
run_case "igb: an XDP program may be in the way" xdp_on_igb
run_case "coalescing: only some times are legal" only_some_times_are_legal
run_case "coalescing: parameters that a device does not have" parameters_that_are_not_there
run_case "coalescing: what virtio refuses puts everything back" parameters_that_virtio_refuses
run_case "offloads that depend on others" offloads_that_depend_on_others
run_case "offloads that are held tell by what" offloads_that_are_held
run_case "CPUs that are not there" cpus_that_are_not_there
run_case "empty sets of CPUs" empty_sets
run_case "interrupts that the kernel manages are left alone" managed_interrupts_are_left_alone
run_case "queues that come anew are drift" queues_that_come_anew
run_case "irqbalance: told, and left alone" irqbalance_is_no_friend
run_case "interrupts are those of the right device" interrupts_of_the_right_device
run_case "interfaces that are down are deferred" interfaces_that_are_down
run_case "nothing is left of all this" nothing_is_left
finish
