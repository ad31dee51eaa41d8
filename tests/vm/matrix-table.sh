#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The table of README.md, from the cells that matrix.sh expects on every kernel, by netlink and by ioctl.
# Usage: matrix-table.sh            prints it
#        matrix-table.sh --update   puts it into README.md
#        matrix-table.sh --check    exit 1 if README.md has another one
set -euo pipefail
cd "$(dirname "$0")"

KERNELS=(newest 6.12 6.1 5.10)
BEGIN='<!-- made by matrix-table.sh --update -->' END='<!-- end of the table -->'

all_cells() {
	local kernel way
	for kernel in "${KERNELS[@]}"; do
		for way in netlink ioctl; do
			LIST_CELLS=1 KERNEL=$kernel NETTUNE_ETHTOOL=$way bash matrix.sh
		done
	done
}

# What most variants say comes first, the others in brackets, named by kernel, way, or both.
table() {
	all_cells | awk -v kernels="${#KERNELS[@]}" '
		function words(verdict, value, interrupts, text) {
			text = verdict
			if (verdict ~ /rounded|clamped|limit|^exact[+]/) text = text " " value
			if (interrupts == "link" || interrupts == "queue") text = text ", " interrupts
			return text
		}
		function named(variants, list, n, i, ways, seen, count) {
			n = split(variants, list, ",")
			for (i = 1; i <= n; i++) {
				split(list[i], part, "/")
				ways[part[2]] = ways[part[2]] (ways[part[2]] ? ", " : "") part[1]
				if (!seen[part[1]]++) count++
			}
			if (ways["netlink"] == ways["ioctl"]) return ways["netlink"]
			if (!ways["netlink"]) return count == kernels ? "ioctl" : "ioctl " ways["ioctl"]
			if (!ways["ioctl"]) return count == kernels ? "netlink" : "netlink " ways["netlink"]
			return "netlink " ways["netlink"] "; ioctl " ways["ioctl"]
		}
		function entry(key, n, i, text, first, rest) {
			n = texts[key]
			for (i = 2; i <= n; i++) {
				text = said[key, i]
				rest = rest (rest ? "; " : "") named(by[key, text]) ": " text
			}
			first = said[key, 1]
			return n ? first (rest ? " (" rest ")" : "") : ""
		}
		{
			key = $6 SUBSEP $5
			text = words($7, $8, $9)
			if (!($6 in row)) {
				row[$6] = ++rows
				kind = $6
				sub(/[.=].*/, "", kind)
				if (!(kind in members)) kinds[++nkinds] = kind
				members[kind] = members[kind] " " $6
			}
			if (!((key, text) in by)) said[key, ++texts[key]] = text
			by[key, text] = by[key, text] (by[key, text] ? "," : "") $3 "/" $4
		}
		END {
			print "| | igb | e1000e | vmxnet3 | virtio-net |"
			print "|---|---|---|---|---|"
			split("igb e1000e vmxnet3 virtio_net", driver, " ")
			for (i = 1; i <= nkinds; i++) all = all members[kinds[i]]
			split(all, name, " ")
			for (i = 1; i <= rows; i++) {
				line = "| `" name[i] "`"
				for (j = 1; j <= 4; j++) line = line " | " entry(name[i] SUBSEP driver[j])
				print line " |"
			}
		}'
}

readme_with_table() {
	sed "/^$BEGIN\$/q" README.md
	table
	sed -n "/^$END\$/,\$p" README.md
}

case ${1:-} in
--update)
	readme_with_table >README.new
	mv README.new README.md
	;;
--check) readme_with_table | diff README.md - ;;
*) table ;;
esac
