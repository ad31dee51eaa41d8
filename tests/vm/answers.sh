# SPDX-License-Identifier: GPL-2.0-or-later
# What drivers take without effect, or round by themselves, is remembered: the second apply writes
# nothing, and plan, verify and status agree on it.
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

VIRTIO=$(nic virtio_net)
IGB=$(nic igb)

all_up() {
	link_up "$VIRTIO" "$IGB"
}

# one LINK LINE...: prints the path of a profile with one rule.
one() {
	local link=$1
	shift
	{
		printf 'name: answers\nversion: 1\ninterfaces:\n  - match: {name: %s}\n' "$link"
		printf '    %s\n' "$@"
	} | profile answers
}

# The file lets open(2) write nothing else than nettune's own.
stays_quiet() {
	assert_writes_nothing nettune apply --json "$PROFILE"
	stdout_has '"changed": ?false'
	nettune_exits 0 plan --json "$PROFILE"
	stdout_has '"changed": ?false'
	nettune_exits 0 verify "$PROFILE"
	nettune_exits 0 verify
	nettune_exits 0 status
	dump again
	same_dump applied again
}

there() {
	nettune_exits 0 apply --json "$PROFILE"
	stdout_has '"outcome": ?"applied"'
	stdout_has "\"verdict\": ?\"$1\""
	dump applied
}

back() {
	nettune_exits 0 rollback
	wait_carrier "$VIRTIO" "$IGB"
	dump after
	same_dump before after
}

# Linux 6.12's virtio_net says yes to adaptive-rx, and leaves it off.
has_adaptive() {
	ethtool -c "$VIRTIO" | grep -q '^Adaptive RX: off'
}

refused_at_once() {
	local file
	file=$(one "$VIRTIO" 'coalesce: {adaptive-rx: on}' 'on-unsupported: fail')
	dump before_refusal
	nettune_exits 69 plan "$file"
	nettune_exits 69 apply "$file"
	grep -q 'takes it without effect (stays off), as seen on Linux' "$WORK/stderr" ||
		fail "no reason:"$'\n'"$(cat "$WORK/stderr")"
	dump after_refusal
	same_dump before_refusal after_refusal
}

fails_the_first_time() {
	local file
	forget_all
	file=$(one "$VIRTIO" 'coalesce: {adaptive-rx: on}' 'on-unsupported: fail')
	dump before
	nettune_exits 3 apply "$file"
	dump after
	same_dump before after
	[ ! -e /var/lib/nettune/answers ] || fail "learned from a failure"
}

tells_why() {
	nettune_exits 0 plan "$PROFILE"
	stdout_has 'virtio_net takes it without effect \(stays off\), as seen on Linux'
	nettune_exits 0 verify --json
	stdout_has '"ignored": ?1'
	nettune_exits 0 verify --json "$PROFILE"
	stdout_has '"ignored": ?1'
}

virtio_adaptive() {
	forget_all
	PROFILE=$(one "$VIRTIO" 'coalesce: {adaptive-rx: on}' 'mtu: 1400')
	dump before
	run_case "virtio adaptive-rx is ignored" there ignored
	run_case "virtio adaptive-rx is not asked for again" stays_quiet
	run_case "virtio adaptive-rx: plan and verify tell why" tells_why
	run_case "virtio adaptive-rx with on-unsupported: fail is refused at once" refused_at_once
	run_case "virtio adaptive-rx: rollback" back
	run_case "virtio adaptive-rx with on-unsupported: fail, never seen" fails_the_first_time
}

# netlink shows tx-push of every device, and says only at the write that it is not supported.
igb_tx_push() {
	forget_all
	PROFILE=$(one "$IGB" 'rings: {rx: 512, tx-push: on}')
	dump before
	run_case "igb tx-push is not supported, rx is set all the same" there unsupported
	run_case "igb rx is 512" dump_has applied "ethtool -g $IGB: RX: 512"
	run_case "igb tx-push is not asked for again" stays_quiet
	run_case "igb tx-push: rollback" back
}

# The ioctl does not tell 0 from unsupported.
igb_by_ioctl() {
	forget_all
	export NETTUNE_ETHTOOL=ioctl
	PROFILE=$(one "$IGB" 'coalesce: {rx-usecs: 77, rx-frames: 16}')
	dump before
	run_case "igb rx-frames is not supported by ioctl" there unsupported
	run_case "igb rx-usecs is 77" dump_has applied "ethtool -c $IGB: rx-usecs: 77"
	run_case "igb rx-frames is not asked for again by ioctl" stays_quiet
	run_case "igb rx-frames by ioctl: rollback" back
	unset NETTUNE_ETHTOOL
}

# A known rule needs no memory, and is told all the same.
igb_rings() {
	forget_all
	PROFILE=$(one "$IGB" 'rings: {rx: 1001}')
	dump before
	run_case "igb rounds 1001 descriptors" there rounded
	run_case "igb rings: the second apply" stays_quiet
	run_case "igb rings: told as they are" rings_told
	run_case "igb rings: rollback" back
}

rings_told() {
	nettune_exits 0 plan "$PROFILE"
	stdout_has 'rings.rx +1008 +asked for 1001, rounded'
	nettune_exits 0 verify
	stdout_has '1008 +asked for 1001, rounded'
	nettune_exits 0 verify "$PROFILE"
	stdout_has '1008 +asked for 1001, rounded'
	[ ! -e /var/lib/nettune/answers ] || fail "remembered what is known"
}

run_case "links come up" all_up
if has_adaptive; then
	virtio_adaptive
else
	echo "# this kernel's virtio_net has no adaptive-rx"
fi
igb_tx_push
igb_by_ioctl
igb_rings
finish
