# SPDX-License-Identifier: GPL-2.0-or-later
# Sysctls of the initial network namespace, and what sysctls have to do with modules: as they were
# reported to go wrong in public.
# shellcheck shell=bash disable=SC2317
. "$(dirname "$0")/guest.sh"

all_up() {
	local link
	for link in /sys/class/net/*; do
		link_up "${link##*/}"
	done
}

# sysctls LINE...: sets $PROFILE
sysctls() {
	PROFILE=$(
		{
			printf 'name: lab\nsysctl:\n'
			printf '  %s\n' "$@"
		} | profile lab
	)
}

is() {
	local got
	got=$(tr '\t' ' ' <"/proc/sys/$1")
	[ "$got" = "$2" ] || fail "$1 is $got, wanted $2"
}

modules() {
	cut -d' ' -f1 /proc/modules | sort | tr '\n' ' '
}

# Of a case only the sysctls, for the sake of time; the whole state is compared in the end.
keep_sysctls() {
	grep -r "" /proc/sys/net 2>/dev/null |
		grep -v -e /tcp_available_congestion_control: -e /nf_conntrack_count: | sort >"$WORK/$1"
}

there_and_back() {
	forget_all
	keep_sysctls before
	nettune_exits 0 apply "$PROFILE"
	nettune_exits 0 verify "$PROFILE"
	nettune_exits 0 plan --json "$PROFILE"
	stdout_has '"changed": ?false'
	nettune_exits 0 rollback
	keep_sysctls after
	same_dump before after
}

# refused KEY VALUE: by the kernel, and then it is as before.
refused() {
	local before path=${1//.//}
	before=$(cat "/proc/sys/$path")
	sysctls "$1: $2" "net.ipv4.tcp_dsack: 0"
	forget_all
	keep_sysctls before
	nettune_exits 3 apply "$PROFILE"
	says "$1"
	says "wanted $2"
	says "refused: Invalid argument"
	[ "$(cat "/proc/sys/$path")" = "$before" ] || fail "$1 is not as before"
	keep_sysctls after
	same_dump before after
}

rounded_flow_entries() {
	echo 4096 >/proc/sys/net/core/rps_sock_flow_entries
	sysctls 'net.core.rps_sock_flow_entries: 1000'
	nettune_exits 0 plan "$PROFILE"
	says "1024"
	says "asked for 1000"
	nettune_exits 0 apply "$PROFILE"
	says "asked for 1000, rounded"
	is net/core/rps_sock_flow_entries 1024
	nettune_exits 0 rollback
	is net/core/rps_sock_flow_entries 4096
	there_and_back
	echo 0 >/proc/sys/net/core/rps_sock_flow_entries
}

rounded_buckets() {
	echo 8192 >/proc/sys/net/netfilter/nf_conntrack_buckets
	sysctls 'net.netfilter.nf_conntrack_buckets: 10000'
	nettune_exits 0 apply "$PROFILE"
	says "asked for 10000, rounded"
	is net/netfilter/nf_conntrack_buckets 10240
	nettune_exits 0 rollback
	is net/netfilter/nf_conntrack_buckets 8192
	there_and_back
	echo 4096 >/proc/sys/net/netfilter/nf_conntrack_buckets
}

# In jiffies, so that another number comes back, and copied to every interface.
rounded_time() {
	sysctls 'net.ipv4.neigh.default.base_reachable_time_ms: 30003'
	forget_all
	nettune_exits 0 apply "$PROFILE"
	says "asked for 30003, rounded"
	is net/ipv4/neigh/default/base_reachable_time_ms 30004
	nettune_exits 0 rollback
	is net/ipv4/neigh/default/base_reachable_time_ms 30000
	there_and_back
}

time_in_two_units() {
	echo 30004 >/proc/sys/net/ipv4/neigh/default/base_reachable_time_ms
	sysctls 'net.ipv4.neigh.default.base_reachable_time_ms: 40000'
	there_and_back
	sysctls 'net.ipv4.neigh.default.base_reachable_time: 50'
	there_and_back
	echo 30000 >/proc/sys/net/ipv4/neigh/default/base_reachable_time_ms
}

# Linux 5.10 takes any dev_weight, and times shorter than a jiffy.
refused_numbers() {
	refused net.core.flow_limit_table_len 5000
	refused net.core.rmem_max 2048
	case $(uname -r) in
	5.*) ;;
	*)
		refused net.core.dev_weight 0
		refused net.core.netdev_budget_usecs 5000
		;;
	esac
}

half_stored_vector() {
	local before
	before=$(tr '\t' ' ' </proc/sys/net/ipv4/tcp_rmem)
	sysctls 'net.ipv4.tcp_rmem: 5000 90000 2147483648'
	forget_all
	nettune_exits 3 apply --json "$PROFILE"
	stdout_has "\"observed\": ?\"$before\""
	is net/ipv4/tcp_rmem "$before"
}

order_is_found() {
	sysctls 'net.ipv4.ipfrag_high_thresh: 262144' 'net.ipv4.ipfrag_low_thresh: 196608'
	there_and_back
}

missing_keys_name_their_modules() {
	local before
	before=$(modules)
	sysctls 'net.netfilter.nf_conntrack_max: 100000' 'net.bridge.bridge-nf-call-iptables: 0' \
		'net.ipv4.tcp_sack: 0'
	forget_all
	nettune_exits 69 apply "$PROFILE"
	says "net.netfilter.nf_conntrack_max: no such key: module nf_conntrack is not loaded"
	says "net.bridge.bridge-nf-call-iptables: no such key: module br_netfilter is not loaded"
	is net/ipv4/tcp_sack 1
	[ "$(modules)" = "$before" ] || fail "modules were loaded: $(modules)"
}

missing_keys_may_be_optional() {
	local before
	before=$(modules)
	sysctls 'net.netfilter.nf_conntrack_max: {value: 100000, optional: true}' \
		'net.bridge.bridge-nf-call-iptables: {value: 0, optional: true}' 'net.ipv4.tcp_sack: 0'
	forget_all
	nettune_exits 0 apply "$PROFILE"
	says "2 skipped"
	is net/ipv4/tcp_sack 0
	nettune_exits 0 rollback
	[ "$(modules)" = "$before" ] || fail "modules were loaded: $(modules)"
}

# The module bridge alone does not make the keys.
keys_come_with_their_module() {
	sysctls 'net.bridge.bridge-nf-call-iptables: 0'
	modprobe bridge
	nettune_exits 69 plan "$PROFILE"
	says "module br_netfilter is not loaded"
	modprobe br_netfilter
	there_and_back
}

algorithm_whose_module_is_there() {
	local allowed
	allowed=$(cat /proc/sys/net/ipv4/tcp_allowed_congestion_control)
	sysctls 'net.ipv4.tcp_congestion_control: bbr'
	forget_all
	keep_sysctls before
	nettune_exits 0 plan "$PROFILE"
	says "bbr is not in tcp_available_congestion_control (reno cubic): the kernel has to load module tcp_bbr"
	! grep -q tcp_bbr /proc/modules || fail "plan has loaded the module"
	nettune_exits 0 apply "$PROFILE"
	is net/ipv4/tcp_congestion_control bbr
	is net/ipv4/tcp_allowed_congestion_control "$allowed bbr"
	nettune_exits 0 rollback
	is net/ipv4/tcp_congestion_control cubic
	is net/ipv4/tcp_allowed_congestion_control "$allowed"
	keep_sysctls after
	same_dump before after
}

# The algorithm allows itself, which the profile wishes as well.
algorithm_with_its_permission() {
	sysctls 'net.ipv4.tcp_congestion_control: dctcp' \
		'net.ipv4.tcp_allowed_congestion_control: reno cubic dctcp'
	nettune_exits 0 plan "$PROFILE"
	says "reno cubic -> reno cubic dctcp"
	there_and_back
}

# unknown_algorithm NAME REASON
unknown_algorithm() {
	sysctls 'net.ipv4.tcp_dsack: 0' "net.ipv4.tcp_congestion_control: $1"
	forget_all
	keep_sysctls before
	nettune_exits 0 plan "$PROFILE"
	says "$1 is not in tcp_available_congestion_control (reno cubic bbr dctcp)"
	says "$2"
	nettune_exits 3 apply "$PROFILE"
	says "$1 is not in tcp_available_congestion_control (reno cubic bbr dctcp)"
	is net/ipv4/tcp_dsack 1
	keep_sysctls after
	same_dump before after
}

algorithm_without_a_module() {
	unknown_algorithm htcp "the kernel has to load module tcp_htcp"
}

algorithm_misspelt() {
	unknown_algorithm brr "did you mean bbr?"
	unknown_algorithm BBR "did you mean bbr?"
}

qdiscs() {
	ip -o link show | sed 's/^[0-9]*: \([^:]*\):.* qdisc \([^ ]*\) .*/\1 \2/'
}

default_qdisc_is_for_new_interfaces() {
	local before old
	old=$(cat /proc/sys/net/core/default_qdisc)
	before=$(qdiscs)
	sysctls 'net.core.default_qdisc: fq'
	forget_all
	nettune_exits 0 plan "$PROFILE"
	says "existing interfaces keep their qdisc ($old: "
	nettune_exits 0 apply "$PROFILE"
	says "existing interfaces keep their qdisc ($old: "
	is net/core/default_qdisc fq
	[ "$(qdiscs)" = "$before" ] || fail "qdiscs changed: $(qdiscs)"
	nettune_exits 0 plan "$PROFILE"
	says "Nothing to do"
	says "existing interfaces keep their qdisc"
	nettune_exits 0 rollback
	sysctls "net.core.default_qdisc: $old"
	nettune_exits 0 plan "$PROFILE"
	silent_about "existing interfaces"
	there_and_back
}

qdisc_without_a_module() {
	local old
	old=$(cat /proc/sys/net/core/default_qdisc)
	sysctls 'net.core.default_qdisc: nosuch' 'net.ipv4.tcp_dsack: 0'
	nettune_exits 3 apply "$PROFILE"
	says "needs module sch_nosuch"
	is net/core/default_qdisc "$old"
	is net/ipv4/tcp_dsack 1
}

note_everything() {
	modprobe nf_conntrack
	echo 4096 >/proc/sys/net/netfilter/nf_conntrack_buckets
	dump all_before
}

nothing_is_left() {
	dump all_after
	same_dump all_before all_after
}

run_case "links come up" all_up
run_case "keys of modules that are not loaded name the right module" missing_keys_name_their_modules
run_case "optional keys of modules that are not loaded are skipped" missing_keys_may_be_optional
run_case "keys come with their module" keys_come_with_their_module
run_case "the whole state is noted" note_everything
run_case "flow entries are rounded, and come back" rounded_flow_entries
run_case "conntrack buckets are rounded, and come back" rounded_buckets
run_case "times are rounded to jiffies, and come back" rounded_time
run_case "a time in two units comes back on every interface" time_in_two_units
run_case "numbers that the kernel refuses put everything back" refused_numbers
run_case "a vector that is refused half-way is whole again" half_stored_vector
run_case "keys with an order among them are set both ways" order_is_found
run_case "an algorithm whose module can be loaded" algorithm_whose_module_is_there
run_case "an algorithm and the permission to use it" algorithm_with_its_permission
run_case "an algorithm without a module" algorithm_without_a_module
run_case "a misspelt algorithm" algorithm_misspelt
run_case "a default qdisc is no claim about existing interfaces" default_qdisc_is_for_new_interfaces
run_case "a qdisc without a module" qdisc_without_a_module
run_case "nothing is left of all this" nothing_is_left
finish
