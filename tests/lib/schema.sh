#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: schema.sh TEST_OUTPUT
#
# Lets the program of tests/unit/test_output.c write a document of each format, and checks them
# against schemas/: every schema has a document, every document conforms, and a document that does
# not is told from those. Exit status 77 (skip) without python3-jsonschema.
set -eu

lib=$(cd "$(dirname "$0")" && pwd)
schemas=$lib/../../schemas
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$python" -c 'import jsonschema' 2>/dev/null || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

NETTUNE_SAMPLES=$work "$1"
"$python" "$lib/schema.py" "$work"/*.json

for schema in "$schemas"/nettune-*.schema.json; do
	name=$(basename "$schema" .schema.json)
	case $name in nettune-common) continue ;; esac
	grep -q "\"format\": \"$name/1\"" "$work"/*.json || {
		echo "schema.sh: no sample of $name" >&2
		exit 1
	}
done

sample=$work/plan.json
for edit in '1s/{/{ "surprise": 1,/' 's/"time": "/"time": "x/' '/"nettune": /d' \
	's/"format": "\(.*\)\/1"/"format": "\1\/2"/'; do
	if sed "$edit" "$sample" | "$python" "$lib/schema.py" 2>/dev/null; then
		echo "schema.sh: $sample conforms even after $edit" >&2
		exit 1
	fi
done
