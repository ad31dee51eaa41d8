/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Table-driven get and set shared by the ethtool kinds whose parameters are numbers and switches
 * (rings, channels, coalesce): netlink attributes or the ioctl's structure.
 */
#ifndef NETTUNE_KINDS_ETHPARAM_H
#define NETTUNE_KINDS_ETHPARAM_H

#include "core/kind.h"
#include "kernel/ethtool.h"
#include "kinds/expansion.h"

struct ethparam {
	const struct kind *kind;
	uint8_t get, set;              /* ETHTOOL_MSG_*_GET, _SET */
	uint32_t ioctl_get, ioctl_set; /* ETHTOOL_G*, ETHTOOL_S* */
	uint16_t ioctl_size;           /* of the structure */
	bool whole;                    /* a device has all fields of the structure or none */
};

/*
 * How a field goes over the wire: NUMBER as it is, BOOL as 0 and 1, WORD as its place in
 * field->words.
 *
 * All fields of the reply as observations, whatever keys the scope names: one answer has them all,
 * and a value is moot or not by its neighbours. Absent attribute = no entry. The ioctl tells what
 * is there only by its maximum; of fields without one, 0 may mean either and gets a note, unless
 * the structure is whole.
 */
int ethparam_observe(const struct ethparam *param, struct kernel *kernel, const struct scope *scope,
	struct state *ret, struct error *error);
/*
 * One message with only the changed attributes (ioctl: read, modify, write). -EOPNOTSUPP also where
 * the kernel says EINVAL to a parameter that the driver does not have. The kernel takes all or
 * nothing: if some may not be supported, each is tried alone then, and gets its own answer.
 */
int ethparam_write(const struct ethparam *param, struct kernel *kernel, struct change *const *v,
	size_t n, struct error *error);
/*
 * The usual expansion of a device parameter: a literal in the field's unit, "max", on/off; above the
 * observed maximum is an error, absent or fixed goes to skipped. `key` replaces the wish's key.
 */
int ethparam_expand_key(const struct expansion *expansion, const char *key, struct error *error);
int ethparam_expand(const struct expansion *expansion, struct error *error);

#endif
