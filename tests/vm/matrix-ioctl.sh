# SPDX-License-Identifier: GPL-2.0-or-later
# The matrix again, by ioctl: the same verdicts and the same end.
# shellcheck shell=bash
export NETTUNE_ETHTOOL=ioctl
. "$(dirname "$0")/matrix.sh"
