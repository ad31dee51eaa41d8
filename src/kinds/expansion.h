/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every kind needs while a plan is made: the value of a wish on this device, and a place for
 * what can't be had. Pure: works on the model, asks no kernel.
 */
#ifndef NETTUNE_KINDS_EXPANSION_H
#define NETTUNE_KINDS_EXPANSION_H

#include "core/kind.h"

/*
 * The value of a wish for a field: a number in the field's unit, on/off, a list or 0x mask, a word
 * of field->words, "max" where the field has one. live NULL: no limits known. -EINVAL and *error
 * with what was wanted.
 */
int wish_value(const struct expansion *expansion, const struct field *field,
	const struct observed *live, struct value *ret, struct error *error) MUST_CHECK;
/* 1 for on, true, yes, 0 for off, false, no, in any case; -1 for anything else, and NULL. */
int text_bool(const char *text);
/* The address of a setting of the wish's kind on the link (or host) itself. */
struct address expansion_address(const struct expansion *expansion, const char *key);
/* Adds the setting. Returns 0, or -ENOMEM. */
int expansion_add(
	const struct expansion *expansion, const struct address *at, const struct value *value);
/* Adds a skip for the wish. Returns 0, or -ENOMEM. */
int expansion_skip(const struct expansion *expansion, const struct address *at,
	enum verdict verdict, const char *format, ...) PRINTF_LIKE(4, 5);
/* Where the driver runs an XDP program, it may refuse what that has no room for. */
struct remark xdp_remark(const struct setting *setting, bool changes, struct arena *arena);
/* From here on, the values of this kind on this link are not known. */
void model_forget(struct state *model, const struct kind *kind, const struct link *link);
/* The device stops and starts as a whole, and its driver does not keep all that was set. */
void model_reset(struct state *model, const struct link *link);
/* In the model; as the facts say if it was never observed. 0: not known. */
uint64_t model_mtu(const struct state *model, const struct link *link);

#endif
