/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A /sys of the own network namespace.
 */
#ifndef NETTUNE_KERNEL_SYSFS_H
#define NETTUNE_KERNEL_SYSFS_H

#include "kernel/kernel.h"

/*
 * Sets kernel->dirs[DIR_SYS]; needs the transport. ERROR_MISSING if the mounted /sys is of another
 * network namespace and no other one can be had.
 */
int sysfs_open(struct kernel *kernel, struct error *error);

#endif
