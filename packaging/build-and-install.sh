#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs what the build needs (Debian 12 or 13), builds, installs below /usr/local, and shows the
# plan of a profile on this machine. Can be run again.
set -euo pipefail
cd "$(dirname "$0")/.."

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

as_root apt-get update -q
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
	cmake gcc libc6-dev make pkg-config libyaml-dev libmnl-dev libnl-route-3-dev libcap-dev \
	libjansson-dev nettle-dev
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr/local \
	-DBUILD_TESTING=OFF
cmake --build build --parallel "$(nproc)"
as_root cmake --install build
/usr/local/bin/nettune plan dc-10ge
