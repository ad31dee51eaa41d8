/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of kinds, from the list in the header.
 */
#include "kinds/registry.h"

#include <stddef.h>

#define POINTER(name) &kind_##name,

const struct kind *const kinds[] = {KINDS(POINTER) NULL};
