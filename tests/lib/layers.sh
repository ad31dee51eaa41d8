#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What no compiler checks: folders of src/ include only what is below them, libraries stay in the
# folder that owns them, some functions are not called at all, and every file names its licence.
# Prints each offence as FILE:LINE: REASON, and exits with 1 if there is one.
# Usage: layers.sh [SOURCE_DIR]

# The folders that files of folder $1 may include from.
allowed() {
	case $1 in
	util) echo "util" ;;
	core) echo "core util" ;;
	profile | format | kernel) echo "$1 core util" ;;
	kinds) echo "kinds kernel core util" ;;
	engine) echo "engine kinds format kernel core util" ;;
	cmd | main.c) echo "cmd engine profile kinds format kernel core util" ;;
	esac
}

# The folder that alone may include library header $1; nothing for those that anybody may.
owner() {
	case $1 in
	jansson.h | nettle/*) echo format ;;
	yaml.h) echo profile ;;
	libmnl/* | linux/genetlink.h | linux/netlink.h | linux/rtnetlink.h) echo kernel ;;
	netlink/* | sys/capability.h) echo kernel ;;
	esac
}

check_include() {
	folder=$1 place=$2 header=$3
	case $header in
	\"*/*\")
		target=${header#\"}
		target=${target%%/*}
		case " $(allowed "$folder") " in
		*" $target "*) ;;
		*) echo "$place: $folder may not include from $target" ;;
		esac
		;;
	\"*) echo "$place: $header is not given from src/ on" ;;
	*)
		name=${header#<}
		owner=$(owner "${name%>}")
		[ -z "$owner" ] || [ "$owner" = "$folder" ] ||
			echo "$place: only $owner may include $header"
		;;
	esac
}

check_includes() {
	grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include' src |
		sed -E 's/^([^:]*:[0-9]+):[^"<]*(["<][^">]*[">]).*/\1 \2/' |
		while read -r place header; do
			folder=${place#src/}
			folder=${folder%%[/:]*}
			check_include "$folder" "$place" "$header"
		done
}

# Unbounded or unchecked, or a way to run another program.
check_calls() {
	calls='v?sprintf|strcpy|stpcpy|strcat|strtok|gets|ato(i|l|ll|f)|system|popen'
	calls="$calls|exec(l|le|lp|v|ve|vp|vpe|veat)|fexecve|posix_spawnp?"
	grep -rnE --include='*.[ch]' "(^|[^A-Za-z0-9_])($calls)\(" src |
		sed -E 's/^([^:]*:[0-9]+):.*/\1: calls a function that is not to be used/'
}

check_licences() {
	find src tests .ci \( -name '*.[ch]' -o -name '*.sh' \) 2>/dev/null | sort |
		while read -r file; do
			head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' ||
				echo "$file:1: no SPDX-License-Identifier"
		done
}

check_all() {
	(cd "$1" && check_includes && check_calls && check_licences)
}

# A check that finds nothing in a tree full of offences is worth nothing.
check_the_checks() {
	tree=$(mktemp -d) || exit 1
	trap 'rm -rf "$tree"' EXIT
	mkdir -p "$tree/src/core" "$tree/src/kernel" "$tree/tests"
	cat >"$tree/src/core/bad.c" <<-END
		#include "core/value.h"
		#include "kernel/kernel.h"
		# include <jansson.h>
		#include "value.h"
		int f(char *p) { return sprintf(p, "x") + atoi(p); }
		int g(void) { return execl("/bin/true", "true", NULL); }
	END
	cat >"$tree/src/kernel/good.c" <<-END
		/* SPDX-License-Identifier: GPL-2.0-or-later */
		#include "core/value.h"
		#include "util/arena.h"
		#include <libmnl/libmnl.h>
		/* the system (all of it) */ int my_system(void);
		int h(char *p) { return snprintf(p, 2, "x"); }
	END
	found=$(check_all "$tree" | sed 's/:[^:]*$//')
	[ "$found" = "src/core/bad.c:2
src/core/bad.c:3
src/core/bad.c:4
src/core/bad.c:5
src/core/bad.c:6
src/core/bad.c:1" ] || {
		echo "layers.sh: does not find what it should:"
		echo "$found"
		exit 1
	}
}

check_the_checks
offences=$(check_all "${1:-$(dirname "$0")/../..}")
[ -z "$offences" ] && exit 0
echo "$offences"
exit 1
