# SPDX-License-Identifier: GPL-2.0-or-later
# Every kind on every driver: what each value becomes, and what it interrupts. The expectations are measured ones; the
# table in README.md is made from them.
# shellcheck shell=bash disable=SC2317
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ -n "${LIST_CELLS:-}" ] || . "$HERE/guest.sh"
. "$HERE/odd.sh"
. "$HERE/cells.sh"

# --- cells by kind; the first argument is what stands in the profile

ring() {
	cell "rings.$1=$2" "rings: {$1: $2}" "$3" "$4" "$5" "-g ${1^^}: "
}

# A channel change takes queues away or brings new ones: those whose number matches the sixth argument. All others
# stay as they are, with their vectors; so does what is not in the seventh.
channels() {
	cell "channels.$1=$2" "channels: {$1: $2}" "$3" "$4" "$5" \
		"(-l Combined: |-x RX flow |irq .*-[rt]x-${6:-none}: |queues/.x-${6:-none}/|${7:-nothing})"
}

coalesce() {
	cell "coalesce.$1=$2" "coalesce: {$1: $2}" "$3" "$4" "$5" "-c $1: "
}

offload() {
	cell "offloads.$1=$2" "offloads: {$1: $2}" "$3" "$4" "$5" "-k (${6:-none}): "
}

mtu() {
	cell "mtu=$1" "mtu: $1" "$2" "$3" "$4" "(mtu|/proc/sys/net/ipv6/conf/[^/]*/mtu): "
}

affinity() {
	cell "irq-affinity.$1" "irq-affinity: {$2}" "$3" "$4" none "irq .*: "
}

rps() {
	cell "rps.$1" "rps: {$2}" "$3" "$4" none "queues/rx-[0-9]/rps_"
}

# What all four do alike: it is the core's.
common_cells() {
	rps "cpus=1,3" 'cpus: "1,3"' exact 1,3
	rps cpus=none "cpus: none" exact -
	rps flows=4097 "flows: 4097" rounded 8192
	offload gro off exact off none generic-receive-offload
	offload gso off exact off none generic-segmentation-offload
	offload tso off exact off none '(tcp-|tx-tcp).*'
	offload sg off exact off none '(.*scatter-gather|.*segmentation.*)'
	offload ntuple on unsupported - -
	channels rx 1 unsupported - -
}

intel_rings() {
	ring rx 513 rounded 520 link
	ring rx 100 rounded 104 link
	ring rx 1000 exact 1000 link
	ring rx 8 clamped 64 link
	ring rx max exact 4096 link
	ring tx 1001 rounded 1008 link
	ring rx 4097 limit 4096 -
	ring rx 320 in-sync - -
	ring rx-jumbo 256 unsupported - -
	ring rx-jumbo 0 in-sync - -
	cell "rings.rx=64,tx=256" "rings: {rx: 64, tx: 256}" exact 64+256 link "-g [RT]X: "
}

intel_coalescing() {
	coalesce rx-usecs 77 exact 77 none
	coalesce rx-usecs 9 refused 9 none
	coalesce rx-usecs 100000 refused 100000 none
	coalesce rx-frames 16 unsupported - -
	coalesce adaptive-rx on unsupported - -
}

igb_cells() {
	intel_rings
	channels combined 2 exact 2 link '[2-9]' -x
	channels combined 4 exact 4 link '[3-9]'
	channels combined 6 exact 6 link '[3-9]' '(irq .*-([rt]x|TxRx)-.|-c tx-usecs): '
	channels queues 1 exact 1 link '[1-9]' -x
	channels combined 9 limit 8 -
	intel_coalescing
	coalesce tx-usecs 78 exact 78 none
	offload rx off exact off none rx-checksumming
	offload tx off exact off none '(tx-checksum.*|t.*segmentation.*)'
	offload rxvlan off exact off none '[rt]x-vlan-offload'
	offload txvlan off held off none tx-vlan-offload
	offload rxhash on exact on none receive-hashing
	offload lro off in-sync - -
	offload lro on unsupported - -
	offload rx-all on exact on link rx-all
	mtu 4000 exact 4000 link
	mtu 1300 exact 1300 link
	mtu 9217 limit 9216 -
	affinity spread=all "spread: all" exact 0+1+2
	affinity "queues={0:1}" 'queues: {0: "1"}' exact 1
}

e1000e_cells() {
	intel_rings
	channels combined 2 unsupported - -
	channels queues 1 unsupported - -
	intel_coalescing
	coalesce tx-usecs 78 unsupported - -
	offload rx off exact off link rx-checksumming
	offload tx off exact off none '(tx-checksum.*|t.*segmentation.*)'
	offload rxvlan off exact off link '[rt]x-vlan-offload'
	offload txvlan off held off none tx-vlan-offload
	offload rxhash on exact on link receive-hashing
	offload lro off in-sync - -
	offload lro on unsupported - -
	offload rx-all on exact on link rx-all
	mtu 4000 exact 4000 link
	mtu 1300 exact 1300 link
	mtu 9213 limit 9212 -
	affinity spread=all "spread: all" exact 0
	affinity "queues={0:1}" 'queues: {0: "1"}' exact 1
}

# Linux 5.10 does not even tell them.
vmxnet3_channels() {
	channels combined 2 unsupported - -
	channels queues 1 unsupported - -
	if [ "$KERNEL" = 5.10 ]; then
		channels combined 4 unsupported - -
		channels combined 5 unsupported - -
	else
		channels combined 4 in-sync - -
		channels combined 5 limit 4 -
	fi
}

vmxnet3_cells() {
	ring rx 513 rounded 544 link
	ring rx 33 rounded 64 link
	ring rx 1000 rounded 1024 link
	ring rx max exact 4096 link
	ring tx 700 rounded 704 link
	cell rings.rx-jumbo=500 "rings: {rx-jumbo: 500}" rounded 512 link "-g RX Jumbo: "
	ring rx 4097 limit 4096 -
	ring rx-mini 256 unsupported - -
	cell "rings.rx=64,tx=256" "rings: {rx: 64, tx: 256}" exact 64+256 link "-g [RT]X: "
	cell "mtu=9000,rings.rx=500" "mtu: 9000, rings: {rx: 500}" exact+rounded 9000+576 link "(-g RX|mtu): "
	cell "mtu=9000,rings.tx=64" "mtu: 9000, rings: {tx: 64}" exact 9000+64 link "(-g [RT]X|mtu): "
	vmxnet3_channels
	coalesce rx-usecs 77 unsupported - -
	coalesce tx-usecs 78 unsupported - -
	coalesce rx-frames 16 unsupported - -
	coalesce adaptive-rx on unsupported - -
	offload rx off exact off none '(rx-checksumming|large-receive-offload)'
	offload tx off exact off none '(tx-checksum.*|t.*segmentation.*)'
	offload rxvlan off exact off none rx-vlan-offload
	offload txvlan off exact off none tx-vlan-offload
	offload rxhash on exact on none receive-hashing
	offload lro off exact off none large-receive-offload
	offload rx-all on unsupported - -
	mtu 4000 exact 4000 link
	mtu 1300 exact 1300 link
	mtu 9001 limit 9000 -
	affinity spread=all "spread: all" exact 0+1+2+3
	affinity "queues={0:1}" 'queues: {0: "1"}' exact 1
}

# Linux 5.10 tells them, at their maximum, and can't change them.
virtio_net_rings() {
	if [ "$KERNEL" = 5.10 ]; then
		ring rx 64 unsupported - -
		ring rx max in-sync - -
		ring tx 128 unsupported - -
		ring rx 100 unsupported - -
	else
		ring rx 64 exact 64 queue
		ring rx max exact 256 queue
		ring tx 128 exact 128 queue
		ring rx 100 refused 100 queue
		cell "rings.rx=64,tx=256" "rings: {rx: 64, tx: 256}" exact 64+256 queue "-g [RT]X: "
	fi
}

# What later kernels than 6.1 know.
virtio_net_newer_cells() {
	case $KERNEL in
	5.10 | 6.1)
		coalesce adaptive-rx on unsupported - -
		offload tx-udp-segmentation on unsupported - -
		;;
	*)
		coalesce adaptive-rx on ignored on none
		offload tx-udp-segmentation on exact on none tx-udp-segmentation
		;;
	esac
}

virtio_net_cells() {
	virtio_net_rings
	ring rx 257 limit 256 -
	ring rx-jumbo 256 unsupported - -
	channels combined 2 exact 2 queue '[2-9]'
	channels combined 4 exact 4 queue '[3-9]'
	channels queues 1 exact 1 queue '[1-9]'
	channels combined 5 limit 4 -
	coalesce rx-usecs 77 unsupported - -
	coalesce tx-usecs 78 unsupported - -
	coalesce rx-frames 16 refused 16 none
	virtio_net_newer_cells
	offload rx off unsupported - -
	offload tx off exact off none '(tx-checksum.*|t.*segmentation.*)'
	offload rxvlan off in-sync - -
	offload txvlan off in-sync - -
	offload rxhash on unsupported - -
	offload lro off in-sync - -
	offload lro on unsupported - -
	offload rx-gro-hw off exact off none rx-gro-hw
	mtu 4000 exact 4000 none
	mtu 1300 exact 1300 none
	affinity spread=all "spread: all" exact 0+1+2+3
	affinity "queues={0:1}" 'queues: {0: "1"}' exact 1
}

# --- all of them

DRIVERS=(igb e1000e vmxnet3 virtio_net)

all_odd() {
	local link
	for link in /sys/class/net/*; do
		link_up "${link##*/}"
	done
	for DRIVER in "${DRIVERS[@]}"; do
		odd_link "$(nic "$DRIVER")"
	done
	dump start_of_all
	dump_has start_of_all "ethtool -g $(nic igb): RX: 320" "ethtool -g $(nic e1000e): TX: 304" \
		"ethtool -g $(nic vmxnet3): RX Jumbo: 480" "ethtool -l $(nic virtio_net): Combined: 3"
}

all_as_before() {
	dump end_of_all
	same_dump start_of_all end_of_all
}

driver_cells() {
	if [ -z "${LIST_CELLS:-}" ]; then
		ETH=$(nic "$DRIVER")
		link_state >"$WORK/start"
	fi
	"${DRIVER}_cells"
	common_cells
}

run_matrix() {
	[ -n "${LIST_CELLS:-}" ] || run_case "odd starting values take" all_odd
	for DRIVER in "${DRIVERS[@]}"; do
		local begin=$SECONDS
		driver_cells
		[ -n "${LIST_CELLS:-}" ] || echo "# $DRIVER took $((SECONDS - begin)) s"
	done
	[ -n "${LIST_CELLS:-}" ] || run_case "all is as before" all_as_before
}

run_matrix
[ -n "${LIST_CELLS:-}" ] || finish
