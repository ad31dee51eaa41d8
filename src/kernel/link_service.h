/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a link does for those above it, from the message that describes it (include/uapi/linux/
 * if_link.h). Inside of src/kernel/ only; waiting for it is in kernel.h.
 */
#ifndef NETTUNE_KERNEL_LINK_SERVICE_H
#define NETTUNE_KERNEL_LINK_SERVICE_H

#include "core/host.h"

#include <libmnl/libmnl.h>

/* Forgets what an earlier message said; link->up, carrier and master are of this one. */
void link_service_start(struct link *link);
/* IFLA_LINKINFO: what a bond or a bridge says of its port. */
void link_service_read(const struct nlattr *linkinfo, struct link *link);

#endif
