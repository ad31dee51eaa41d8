/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking up kinds and the rows of their tables.
 */
#include "core/kind.h"

#include <string.h>

const struct field *kind_field(const struct kind *kind, const char *name)
{
	const struct field *open = NULL;

	for (const struct field *field = kind->fields; field && field->name; field++) {
		if (field->flags & FIELD_OPEN)
			open = field;
		else if (strcmp(field->name, name) == 0)
			return field;
	}
	return open;
}

const struct kind *kind_find(const struct kind *const *kinds, const char *name)
{
	for (; *kinds; kinds++) {
		if (strcmp((*kinds)->name, name) == 0)
			return *kinds;
	}
	return NULL;
}

static bool is_same_online(const struct host *host, const struct value *a, const struct value *b)
{
	struct cpuset left, right;

	if (value_cpuset(a, &left) < 0 || value_cpuset(b, &right) < 0)
		return false;
	cpuset_and(&left, &host->online);
	cpuset_and(&right, &host->online);
	return cpuset_equal(&left, &right);
}

/*
 * An interrupt that has lost all its CPUs may get the mask back that was in force before, which
 * names offline ones too: what differs only there is the same. Numbers in a set that nothing was
 * taken from need not be CPUs.
 */
bool is_reduced(const struct host *host, const struct setting *setting, const struct state *live,
	struct arena *arena)
{
	const struct kind *kind = setting->at.kind;
	const struct observed *now = state_find(live, &setting->at);
	struct value kept;

	if (!now || !kind->predict || setting->value.type != VALUE_RANGES)
		return false;
	kept = kind->predict(host, setting, live, arena);
	return value_equal(&kept, &now->value) ||
	       (!value_equal(&kept, &setting->value) && is_same_online(host, &kept, &now->value));
}

bool kind_is_handed_down(const struct kind *kind, const struct link *link)
{
	if (!link->type || strcmp(link->type, "bond") != 0)
		return false;
	for (const struct effect *e = kind->effects; e && e->on != REACH_END; e++) {
		if (e->on == REACH_LOWERS && !e->key && strcmp(e->kind, kind->name) == 0)
			return true;
	}
	return false;
}
