# SPDX-License-Identifier: GPL-2.0-or-later
# All kinds in one profile again, by ioctl.
# shellcheck shell=bash
export NETTUNE_ETHTOOL=ioctl
KILLS="35 70"
. "$(dirname "$0")/full.sh"
