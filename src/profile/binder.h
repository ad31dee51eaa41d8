/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of binding a profile: file (bind.c), settings of a kind (settings.c), single values
 * (values.c), match (criteria.c).
 */
#ifndef NETTUNE_PROFILE_BINDER_H
#define NETTUNE_PROFILE_BINDER_H

#include "profile/profile.h"
#include "profile/reader.h"

struct binder {
	struct reader reader;
	const struct profile_options *options;
	const char *profile; /* its name */
};

static inline bool is_host_kind(const struct kind *kind)
{
	return kind->phase == PHASE_HOST_EARLY || kind->phase == PHASE_HOST_LATE;
}

struct wish_list {
	struct wish *v;
	size_t n, cap;
};

/* The settings below a kind's name, appended to the list. */
void bind_kind(const struct binder *binder, const struct kind *kind, const struct node *node,
	bool fail_unsupported, struct wish_list *list);
/* on-unsupported of a mapping: true for fail. */
bool bind_on_unsupported(const struct binder *binder, const struct node *mapping, bool inherited);
/* The value of a field, called `name` in messages; NULL after a mistake. */
const struct expr *bind_value(const struct binder *binder, const struct field *field,
	const char *name, const struct node *node);
/* What links a rule is for. */
void bind_match(const struct binder *binder, const struct node *node, struct match *ret);

#endif
