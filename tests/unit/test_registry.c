/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of kinds: complete, in order, and with tables that other code can rely on.
 */
#include "kinds/registry.h"

#include "core/plan.h"
#include "util/macros.h"

#include <string.h>

#include "unit/test.h"

static const unsigned named_flags = FIELD_HAS_MAX | FIELD_SCALAR;

static void test_kinds_are_unique_and_in_the_order_of_phases(void **state)
{
	enum phase last = PHASE_HOST_EARLY;
	size_t n = 0;

	for (const struct kind *const *kind = kinds; *kind; kind++, n++) {
		assert_ptr_equal(kind_find(kinds, (*kind)->name), *kind);
		assert_true((*kind)->phase >= last);
		assert_true((*kind)->phase < PHASE_MAX);
		last = (*kind)->phase;
	}
	assert_true(n > 0);
	assert_null(kind_find(kinds, "no such kind"));
}

static void test_kinds_can_do_what_the_engine_asks(void **state)
{
	for (const struct kind *const *k = kinds; *k; k++) {
		const struct kind *kind = *k;
		bool is_wished = false;

		assert_true(kind->doc && *kind->doc);
		assert_non_null(kind->observe);
		assert_non_null(kind->write);
		assert_non_null(kind->fields);
		for (const struct field *field = kind->fields; field->name; field++)
			is_wished |= !(field->flags & FIELD_NO_PROFILE);
		if (is_wished && !kind->expand)
			fail_msg("%s has fields for profiles and no expand", kind->name);
		if (kind->key_phase)
			assert_true(
				kind->phase == PHASE_HOST_EARLY || kind->phase == PHASE_HOST_LATE);
	}
}

static void check_field(const struct kind *kind, const struct field *field)
{
	const char *name = field->name;

	if (!field->doc || !*field->doc || strchr(field->doc, '\n'))
		fail_msg("%s.%s: no line for the manual", kind->name, name);
	if (!(field->flags & FIELD_OPEN) && kind_field(kind, name) != field)
		fail_msg("%s.%s is there twice", kind->name, name);
	if (field->type == VALUE_NONE || field->type >= VALUE_TYPE_MAX)
		fail_msg("%s.%s has no type", kind->name, name);
	if ((field->flags & FIELD_NO_PROFILE) && (field->flags & named_flags))
		fail_msg("%s.%s: no word of profiles, and has one", kind->name, name);
	if ((field->flags & FIELD_QUEUE_MAP) && (!field->of || !kind_field(kind, field->of)))
		fail_msg("%s.%s is a map of what?", kind->name, name);
	if (field->of && !(field->flags & FIELD_QUEUE_MAP))
		fail_msg("%s.%s stands for another and is no map", kind->name, name);
	if (field->moot && !kind_field(kind, field->moot))
		fail_msg("%s.%s is moot by what?", kind->name, name);
}

static void test_fields(void **state)
{
	for (const struct kind *const *kind = kinds; *kind; kind++) {
		size_t scalars = 0, open = 0;

		for (const struct field *field = (*kind)->fields; field->name; field++) {
			check_field(*kind, field);
			scalars += field->flags & FIELD_SCALAR ? 1 : 0;
			open += field->flags & FIELD_OPEN ? 1 : 0;
		}
		assert_true(scalars <= 1);
		assert_true(open <= 1);
	}
}

static void test_words_of_profiles(void **state)
{
	static const struct {
		const char *kind, *field;
		unsigned flags;
	} v[] = {
		{"irq-affinity", "queues", FIELD_PROFILE_ONLY | FIELD_QUEUE_MAP},
		{"irq-affinity", "spread", FIELD_PROFILE_ONLY},
		{"mtu", "mtu", FIELD_SCALAR},
		{"rps", "cpus", FIELD_SCALAR},
		{"rps", "flows", 0},
		{"rps", "queues", FIELD_PROFILE_ONLY | FIELD_QUEUE_MAP},
		{"sysctl", "net.core.somaxconn", FIELD_OPEN},
		{"xps", "cpus", FIELD_NO_PROFILE},
		{"rss", "indir", FIELD_NO_PROFILE},
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		const struct kind *kind = kind_find(kinds, v[i].kind);
		const struct field *field = kind ? kind_field(kind, v[i].field) : NULL;

		if (!field || (field->flags & v[i].flags) != v[i].flags)
			fail_msg("%s.%s", v[i].kind, v[i].field);
	}
}

/* An effect moves a kind that there is, on a reach that fits it, and names keys that it has. */
static void check_effect(const struct kind *kind, const struct effect *effect)
{
	const struct kind *moved = effect->kind ? kind_find(kinds, effect->kind) : NULL;
	bool is_open = moved && kind_field(moved, "no such field");

	if (!moved)
		fail_msg("%s moves %s?", kind->name, effect->kind ? effect->kind : "nothing");
	if (effect->keys && !is_open && !kind_field(moved, effect->keys))
		fail_msg("%s moves %s.%s?", kind->name, effect->kind, effect->keys);
	if (effect->keys && strstr(effect->keys, "$1") &&
		(!effect->key || !strchr(effect->key, '*')))
		fail_msg("%s: nothing stands for $1 in %s", kind->name, effect->keys);
	if (effect->keys && effect->on == REACH_HOST && strstr(effect->keys, "{interface}"))
		fail_msg("%s: the host has no {interface}: %s", kind->name, effect->keys);
	if (effect->on == REACH_HOST && moved->phase != PHASE_HOST_EARLY)
		fail_msg("%s: %s does not act on the host", kind->name, effect->kind);
}

static void test_effects(void **state)
{
	for (const struct kind *const *kind = kinds; *kind; kind++) {
		const struct effect *effect = (*kind)->effects;

		for (; effect && effect->on != REACH_END; effect++)
			check_effect(*kind, effect);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds_are_unique_and_in_the_order_of_phases),
		cmocka_unit_test(test_kinds_can_do_what_the_engine_asks),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_words_of_profiles),
		cmocka_unit_test(test_effects),
	};

	return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
