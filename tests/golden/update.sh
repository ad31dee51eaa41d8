#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the expected outputs anew. Usage: NETTUNE=build/nettune tests/golden/update.sh
#
# Then read every difference: each line must be true of the host as it is described in
# tests/fixtures/hosts.py, of its drivers, and of the profile.
set -eu
: "${NETTUNE:?path of the nettune to ask}"
NETTUNE=$(realpath "$NETTUNE") GOLDEN_UPDATE=1 exec bash "$(dirname "$0")/../cli/golden.sh"
