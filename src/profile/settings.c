/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of one kind in one rule (or of the host): what stands below "rings:" or "sysctl:",
 * bound through the kind's table of fields to wishes.
 */
#include "profile/binder.h"
#include "profile/scalar.h"
#include "profile/words.h"

#include <string.h>

#define FIELDS_MAX 64 /* names shown as near ones */

/* What a line of the profile names. */
struct slot {
	const struct kind *kind;
	const struct field *field;
	const char *key, *queues;
	const char *word; /* the key as written, for messages */
	struct pos pos;
};

/* What it wants, and on which terms. */
struct terms {
	const struct node *value;
	const char *why;
	bool optional, fail_unsupported;
};

/* "rings.rx", "mtu", "net.core.somaxconn". */
static const char *slot_name(const struct binder *b, const struct slot *slot)
{
	if (is_host_kind(slot->kind) || strcmp(slot->kind->name, slot->word) == 0)
		return slot->word;
	return arena_printf(b->reader.arena, "%s.%s", slot->kind->name, slot->word);
}

bool bind_on_unsupported(const struct binder *b, const struct node *mapping, bool inherited)
{
	static const char *const words[] = {"skip", "fail", NULL};
	const struct node *node = node_get(mapping, "on-unsupported");
	const char *text;

	if (!node || !scalar_text(&b->reader, node, "on-unsupported", &text))
		return inherited;
	if (!is_one_of(text, words))
		reader_error(&b->reader, &node->pos, "bad-value",
			suggest(b->reader.arena, text, words),
			"on-unsupported must be skip or fail, not \"%s\"", text);
	return strcmp(text, "fail") == 0;
}

/* {value: ..., why: ...} instead of the value alone. */
static bool is_long_form(const struct node *node)
{
	return node->type == NODE_MAPPING && node_get(node, "value");
}

/* Reads the long form; a short one leaves the terms as they are. */
static void read_terms(const struct binder *b, const struct slot *slot, const struct node *node,
	struct terms *terms)
{
	static const char *const words[] = {"value", "optional", "why", "on-unsupported", NULL};
	const char *name = slot_name(b, slot);

	terms->value = node;
	if (!is_long_form(node))
		return;
	for (const struct node *entry = node->first; entry; entry = entry->next) {
		if (strcmp(entry->key, "when") == 0)
			reader_not_supported(&b->reader, &entry->key_pos, "when");
		else if (strcmp(entry->key, "value") == 0)
			terms->value = entry;
		else if (strcmp(entry->key, "optional") == 0)
			scalar_bool(&b->reader, entry, "optional", &terms->optional);
		else if (strcmp(entry->key, "why") == 0)
			scalar_prose(&b->reader, entry, "why", &terms->why);
		else if (strcmp(entry->key, "on-unsupported") != 0)
			reader_unknown_key(&b->reader, entry, name, words);
		else if (is_host_kind(slot->kind))
			reader_error(&b->reader, &entry->key_pos, "bad-key", "optional: true",
				"on-unsupported is for settings of devices");
	}
	terms->fail_unsupported = bind_on_unsupported(b, node, terms->fail_unsupported);
}

static void add_wish(const struct binder *b, const struct slot *slot, const struct terms *terms,
	struct wish_list *list)
{
	const struct expr *value = bind_value(b, slot->field, slot_name(b, slot), terms->value);
	struct wish wish = {
		.kind = slot->kind,
		.key = slot->key,
		.queues = slot->queues,
		.value = value,
		.why = terms->why,
		.optional = terms->optional,
		.fail_unsupported = terms->fail_unsupported,
		.pos = slot->pos,
		.profile = b->profile,
	};
	struct error error;

	if (!value)
		return;
	if (slot->kind->check && slot->kind->check(&wish, b->options->allow_sysctl, &error) < 0)
		reader_refused(&b->reader, &slot->pos, "bad-value", &error);
	if (arena_grow(b->reader.arena, &list->v, &list->cap, list->n, sizeof(*list->v)) == 0)
		list->v[list->n++] = wish;
}

static void bind_setting(const struct binder *b, const struct slot *slot, const struct node *node,
	const struct terms *inherited, struct wish_list *list)
{
	struct terms terms = *inherited;

	read_terms(b, slot, node, &terms);
	if (terms.value->type == NODE_MAPPING && terms.value == node)
		reader_error(&b->reader, &node->pos, "bad-value",
			"write the value itself, or {value: ..., why: ...}",
			"%s has a mapping without \"value\"", slot_name(b, slot));
	else
		add_wish(b, slot, &terms, list);
}

/* The indexes that the key of an entry names. */
static bool queue_key(const struct binder *b, const struct node *entry, struct cpuset *ret)
{
	if (cpuset_parse_list(entry->key, ret) == 0 && !cpuset_is_empty(ret))
		return true;
	reader_error(&b->reader, &entry->key_pos, "bad-key", "as in {0: \"2\", \"2-7\": \"4-7\"}",
		"\"%s\" is no list of queue numbers", entry->key);
	return false;
}

/* Notes the place of each queue that is named here; the place where one was named before, or NULL. */
static const struct pos *claim_queues(
	const struct cpuset *set, const struct pos *pos, const struct pos **owners)
{
	unsigned last = cpuset_last(set);

	for (unsigned i = 0; i <= last; i++) {
		if (!cpuset_has(set, i))
			continue;
		if (owners[i])
			return owners[i];
		owners[i] = pos;
	}
	return NULL;
}

static void bind_queue(const struct binder *b, const struct slot *map, const struct node *entry,
	const struct terms *terms, const struct pos **owners, struct wish_list *list)
{
	struct slot slot = {
		.kind = map->kind,
		.key = map->field->of,
		.word = map->field->of,
		.pos = entry->key_pos,
	};
	const struct pos *first;
	struct cpuset set;

	if (!queue_key(b, entry, &set))
		return;
	first = claim_queues(&set, &entry->key_pos, owners);
	slot.field = kind_field(map->kind, slot.key);
	slot.queues = cpuset_format_list(b->reader.arena, &set);
	if (first)
		reader_duplicate(&b->reader, &slot.pos, first, entry->key);
	else if (slot.field)
		bind_setting(b, &slot, entry, terms, list);
}

/* queues: {0: "2", "2-7": "4-7"} */
static void bind_queues(const struct binder *b, const struct slot *map, const struct node *node,
	const struct terms *inherited, struct wish_list *list)
{
	const struct pos **owners = ARENA_ARRAY(b->reader.arena, CPUSET_MAX, const struct pos *);
	struct terms terms = *inherited;

	if (!owners)
		return;
	read_terms(b, map, node, &terms);
	if (terms.value->type == NODE_BAD)
		return;
	if (terms.value->type != NODE_MAPPING || !terms.value->first) {
		reader_error(&b->reader, &terms.value->pos, "bad-value",
			"as in {0: \"2\", \"2-7\": \"4-7\"}", "%s needs a mapping of queue numbers",
			slot_name(b, map));
		return;
	}
	for (const struct node *entry = terms.value->first; entry; entry = entry->next)
		bind_queue(b, map, entry, &terms, owners, list);
}

/* The names that a profile may use below the kind. */
static const char *const *profile_words(const struct binder *b, const struct kind *kind)
{
	const char **words = ARENA_ARRAY(b->reader.arena, FIELDS_MAX + 1, const char *);
	size_t n = 0;

	if (!words)
		return NULL;
	for (const struct field *field = kind->fields; field->name && n < FIELDS_MAX; field++) {
		if (!(field->flags & (FIELD_READ_ONLY | FIELD_NO_PROFILE | FIELD_OPEN)))
			words[n++] = field->name;
	}
	return words;
}

/* The field and the key that an entry names; false after a mistake. */
static bool find_slot(
	const struct binder *b, const struct kind *kind, const struct node *entry, struct slot *ret)
{
	const char *const *words;
	struct error error;

	*ret = (struct slot){
		.kind = kind, .key = entry->key, .word = entry->key, .pos = entry->key_pos};
	if (kind->canonical)
		ret->key = kind->canonical(b->reader.arena, entry->key, &error);
	ret->field = ret->key ? kind_field(kind, ret->key) : NULL;
	if (ret->field && !(ret->field->flags & (FIELD_READ_ONLY | FIELD_NO_PROFILE)))
		return true;
	words = profile_words(b, kind);
	if (!words)
		return false;
	if (!ret->key)
		reader_refused(&b->reader, &entry->key_pos, "bad-key", &error);
	else if (!ret->field)
		reader_unknown_key(&b->reader, entry, kind->name, words);
	else
		reader_error(&b->reader, &entry->key_pos, "not-supported", NULL,
			"%s can't be set by a profile", slot_name(b, ret));
	return false;
}

/* What a bare value after the kind's name means, or NULL. */
static const struct field *scalar_field(const struct kind *kind)
{
	for (const struct field *field = kind->fields; field->name; field++) {
		if (field->flags & FIELD_SCALAR)
			return field;
	}
	return NULL;
}

/* "mtu" has nothing below it: a mapping there can only be the long form. */
static bool has_other_fields(const struct kind *kind, const struct field *scalar)
{
	for (const struct field *field = kind->fields; field->name; field++) {
		if (field != scalar && !(field->flags & (FIELD_READ_ONLY | FIELD_NO_PROFILE)))
			return true;
	}
	return false;
}

/* Settings of single queues come after those of all queues, whatever the order of the file. */
static void bind_fields(const struct binder *b, const struct kind *kind, const struct node *node,
	const struct terms *terms, struct wish_list *list)
{
	struct slot slot;
	size_t nmaps = 0;

	for (const struct node *entry = node->first; entry; entry = entry->next) {
		if (!find_slot(b, kind, entry, &slot))
			continue;
		if (slot.field->flags & FIELD_QUEUE_MAP)
			nmaps++;
		else
			bind_setting(b, &slot, entry, terms, list);
	}
	for (const struct node *entry = node->first; entry && nmaps; entry = entry->next) {
		const struct field *field = kind_field(kind, entry->key);

		if (!field || !(field->flags & FIELD_QUEUE_MAP))
			continue;
		slot = (struct slot){.kind = kind,
			.field = field,
			.key = field->name,
			.word = field->name,
			.pos = entry->key_pos};
		bind_queues(b, &slot, entry, terms, list);
	}
}

static int compare_wishes(const void *a, const void *b)
{
	const struct wish *x = *(const struct wish *const *)a;
	const struct wish *y = *(const struct wish *const *)b;
	int r = strcmp(x->key, y->key);

	return r ? r : pos_compare(&x->pos, &y->pos);
}

/* The same setting in two spellings; equal spellings have been found by the YAML reader. */
static void check_duplicates(const struct binder *b, const struct wish *v, size_t n)
{
	const struct wish **sorted = ARENA_ARRAY(b->reader.arena, n, const struct wish *);
	const struct wish *first = NULL;
	size_t nsorted = 0;

	if (!sorted)
		return;
	for (size_t i = 0; i < n; i++) {
		if (!v[i].queues)
			sorted[nsorted++] = &v[i];
	}
	if (nsorted)
		qsort(sorted, nsorted, sizeof(const struct wish *), compare_wishes);
	for (size_t i = 0; i < nsorted; i++) {
		if (first && strcmp(first->key, sorted[i]->key) == 0)
			reader_duplicate(&b->reader, &sorted[i]->pos, &first->pos, first->key);
		else
			first = sorted[i];
	}
}

static void check_together(
	const struct binder *b, const struct kind *kind, const struct wish_list *list, size_t from)
{
	size_t at = 0, n = list->n - from;
	struct error error;

	if (!n)
		return;
	check_duplicates(b, list->v + from, n);
	if (kind->check_all && kind->check_all(list->v + from, n, &at, &error) < 0)
		reader_refused(&b->reader, &list->v[from + at].pos, "contradiction", &error);
}

void bind_kind(const struct binder *b, const struct kind *kind, const struct node *node,
	bool fail_unsupported, struct wish_list *list)
{
	const struct terms terms = {.fail_unsupported = fail_unsupported};
	struct slot slot = {.kind = kind, .field = scalar_field(kind), .pos = node->key_pos};
	size_t from = list->n;

	if (node->type == NODE_BAD)
		return;
	if (node->type == NODE_MAPPING && !is_long_form(node) &&
		has_other_fields(kind, slot.field)) {
		bind_fields(b, kind, node, &terms, list);
	} else if (slot.field) {
		slot.key = slot.word = slot.field->name;
		bind_setting(b, &slot, node, &terms, list);
	} else {
		reader_error(&b->reader, &node->pos, "bad-value", NULL,
			"%s needs a mapping of its settings", kind->name);
	}
	check_together(b, kind, list, from);
}
