/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the records of a journal are made of, read: addresses, values, changes, plans, states.
 * Nothing is taken on trust: whoever reads a journal will write to the kernel what it says.
 */
#include "format/journal_read.h"

#include <errno.h>
#include <string.h>

/* The members of an address, for the formats of parse_members(). */
#define ADDRESS_FORMAT "s?I s:s s?s s?I s:s "
#define ADDRESS_MEMBERS(a)                                                                   \
	"link", &(a).link, "kind", &(a).kind, "part", &(a).part, "index", &(a).index, "key", \
		&(a).key

struct raw_address {
	json_int_t link, index; /* link -1: the host */
	const char *kind, *part, *key;
};
#define RAW_ADDRESS ((struct raw_address){.link = -1})

int parse_text(const struct parser *p, const char *encoded, const char **ret)
{
	*ret = NULL;
	if (encoded && text_of_json(p->arena, encoded, ret) < 0)
		return parse_failed(p, "bad escape in \"%s\"", encoded);
	return 0;
}

static int parse_part(const struct parser *p, const struct raw_address *raw, struct target *ret)
{
	enum part part = PART_WHOLE;

	while (raw->part && part < PART_MAX && strcmp(part_name(part), raw->part) != 0)
		part++;
	if (part == PART_MAX)
		return parse_failed(p, "unknown part \"%s\"", raw->part);
	if (raw->index < 0 || raw->index > UINT16_MAX)
		return parse_failed(
			p, "index %" JSON_INTEGER_FORMAT " is out of range", raw->index);
	ret->part = part;
	ret->index = (uint16_t)raw->index;
	return 0;
}

static int parse_address(const struct parser *p, const struct raw_address *raw, struct address *ret)
{
	const struct journal *journal = p->journal;

	*ret = (struct address){.kind = kind_find(p->reader->kinds, raw->kind)};
	if (!ret->kind)
		return parse_failed(p, "unknown kind \"%s\"", raw->kind);
	if (parse_part(p, raw, &ret->target) < 0 || parse_text(p, raw->key, &ret->key) < 0)
		return -EINVAL;
	if (!kind_field(ret->kind, ret->key))
		return parse_failed(p, "unknown setting \"%s.%s\"", raw->kind, raw->key);
	if (raw->link < -1 || raw->link >= (json_int_t)journal->nlinks)
		return parse_failed(p, "there is no link %" JSON_INTEGER_FORMAT, raw->link);
	if (raw->link >= 0)
		ret->target.link = journal->links[raw->link].link;
	return 0;
}

/* Absent is NONE. */
static int parse_value(const struct parser *p, json_t *array, struct value *ret)
{
	const char *name, *encoded, *text;
	enum value_type type;

	*ret = value_none();
	if (!array)
		return 0;
	if (parse_members(p, array, "[s s]", &name, &encoded) < 0 ||
		parse_text(p, encoded, &text) < 0)
		return -EINVAL;
	type = value_type_of_name(name);
	if (type == VALUE_TYPE_MAX)
		return parse_failed(p, "unknown type of value \"%s\"", name);
	*ret = value_of_text(p->arena, type, text);
	if (ret->type != type || type == VALUE_NONE)
		return parse_failed(p, "\"%s\" is no %s", text, name);
	return 0;
}

static int parse_verdict(const struct parser *p, const char *name, enum verdict *ret)
{
	*ret = name ? verdict_of_name(name) : VERDICT_NONE;
	if (*ret == VERDICT_MAX)
		return parse_failed(p, "unknown verdict \"%s\"", name);
	return 0;
}

static int parse_origin(const struct parser *p, const char *name, enum origin *ret)
{
	for (enum origin origin = ORIGIN_PROFILE; origin <= ORIGIN_UNBLOCK; origin++) {
		if (strcmp(origin_name(origin), name) == 0) {
			*ret = origin;
			return 0;
		}
	}
	return parse_failed(p, "unknown origin \"%s\"", name);
}

static int parse_interrupts(const struct parser *p, const char *name, enum interrupts *ret)
{
	*ret = INTERRUPTS_NONE;
	while (name && strcmp(interrupts_name(*ret), name) != 0) {
		if (*ret == INTERRUPTS_LINK)
			return parse_failed(p, "unknown interruption \"%s\"", name);
		++*ret;
	}
	return 0;
}

int parse_change(const struct parser *p, json_t *object, struct change *ret)
{
	struct raw_address raw = RAW_ADDRESS;
	json_t *before = NULL, *wanted = NULL, *after = NULL;
	const char *origin, *cause = NULL, *interrupts = NULL;

	*ret = (struct change){0};
	if (parse_members(p, object, "{" ADDRESS_FORMAT "s?o s?o s?o s:s s?s s?s}",
		    ADDRESS_MEMBERS(raw), "before", &before, "wanted", &wanted, "after", &after,
		    "origin", &origin, "cause", &cause, "interrupts", &interrupts) < 0 ||
		parse_address(p, &raw, &ret->at) < 0 || parse_value(p, before, &ret->before) < 0 ||
		parse_value(p, wanted, &ret->wanted) < 0 ||
		parse_value(p, after, &ret->after) < 0 ||
		parse_origin(p, origin, &ret->origin) < 0 || parse_text(p, cause, &ret->cause) < 0)
		return -EINVAL;
	return parse_interrupts(p, interrupts, &ret->interrupts);
}

static int parse_changes(const struct parser *p, json_t *array, struct plan *ret)
{
	size_t n;

	if (parse_elements(p, array, &n) < 0)
		return -EINVAL;
	ret->v = ARENA_ARRAY(p->arena, n + 1, struct change);
	if (!ret->v)
		return -ENOMEM;
	ret->n = n;
	ret->cap = n + 1;
	for (size_t i = 0; i < n; i++) {
		int r = parse_change(p, json_array_get(array, i), &ret->v[i]);

		if (r < 0)
			return r;
	}
	return 0;
}

/* Steps take the changes one after the other, none left out. */
static int parse_steps(const struct parser *p, json_t *array, struct plan *ret)
{
	size_t n, end = 0;

	if (parse_elements(p, array, &n) < 0)
		return -EINVAL;
	ret->steps = ARENA_ARRAY(p->arena, n + 1, struct step);
	if (!ret->steps)
		return -ENOMEM;
	ret->nsteps = n;
	ret->steps_cap = n + 1;
	for (size_t i = 0; i < n; i++) {
		json_int_t first, length;

		if (parse_members(p, json_array_get(array, i), "[I I]", &first, &length) < 0)
			return -EINVAL;
		if (first != (json_int_t)end || length < 1 || length > (json_int_t)(ret->n - end))
			return parse_failed(p, "step %zu does not follow the one before", i);
		ret->steps[i] = (struct step){.first = (uint32_t)first, .n = (uint32_t)length};
		end += (size_t)length;
	}
	return end == ret->n ? 0 : parse_failed(p, "changes without a step");
}

static int parse_settings(const struct parser *p, json_t *array, struct settings *ret)
{
	size_t n;

	if (parse_elements(p, array, &n) < 0)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		struct raw_address raw = RAW_ADDRESS;
		struct setting setting = {0};
		json_t *value = NULL, *got = NULL;
		const char *verdict = NULL;

		if (parse_members(p, json_array_get(array, i), "{" ADDRESS_FORMAT "s?o s?o s?s}",
			    ADDRESS_MEMBERS(raw), "value", &value, "got", &got, "verdict",
			    &verdict) < 0 ||
			parse_address(p, &raw, &setting.at) < 0 ||
			parse_value(p, value, &setting.value) < 0 ||
			parse_value(p, got, &setting.got) < 0 ||
			parse_verdict(p, verdict, &setting.verdict) < 0)
			return -EINVAL;
		if (settings_add(ret, &setting) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int parse_skips(const struct parser *p, json_t *array, struct skips *ret)
{
	size_t n;

	if (parse_elements(p, array, &n) < 0)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		const char *wanted = NULL, *reason = NULL, *verdict;
		struct raw_address raw = RAW_ADDRESS;
		struct skip skip = {0};

		if (parse_members(p, json_array_get(array, i), "{" ADDRESS_FORMAT "s?s s:s s?s}",
			    ADDRESS_MEMBERS(raw), "wanted", &wanted, "verdict", &verdict, "reason",
			    &reason) < 0 ||
			parse_address(p, &raw, &skip.at) < 0 ||
			parse_text(p, wanted, &skip.wanted) < 0 ||
			parse_text(p, reason, &skip.reason) < 0 ||
			parse_verdict(p, verdict, &skip.verdict) < 0)
			return -EINVAL;
		if (skips_add(ret, &skip) < 0)
			return -ENOMEM;
	}
	return 0;
}

int parse_plan(const struct parser *p, json_t *object, struct plan *ret)
{
	json_t *changes, *steps, *unchanged, *skipped, *lost, *fresh;
	int r = parse_members(p, object, "{s:o s:o s:o s:o s:o s:o}", "changes", &changes, "steps",
		&steps, "unchanged", &unchanged, "skipped", &skipped, "lost", &lost, "fresh",
		&fresh);

	plan_init(ret, p->arena);
	if (r == 0)
		r = parse_changes(p, changes, ret);
	if (r == 0)
		r = parse_steps(p, steps, ret);
	if (r == 0)
		r = parse_settings(p, unchanged, &ret->unchanged);
	if (r == 0)
		r = parse_skips(p, skipped, &ret->skipped);
	if (r == 0)
		r = parse_settings(p, lost, &ret->lost);
	return r < 0 ? r : parse_settings(p, fresh, &ret->fresh);
}

static int parse_observed(const struct parser *p, json_t *object, struct observed *ret)
{
	struct raw_address raw = RAW_ADDRESS;
	json_t *value = NULL, *active = NULL;
	const char *support = NULL;

	*ret = (struct observed){.support = SUPPORT_SETTABLE};
	if (parse_members(p, object, "{" ADDRESS_FORMAT "s?o s?o s?s}", ADDRESS_MEMBERS(raw),
		    "value", &value, "active", &active, "support", &support) < 0 ||
		parse_address(p, &raw, &ret->at) < 0 || parse_value(p, value, &ret->value) < 0 ||
		parse_value(p, active, &ret->active) < 0)
		return -EINVAL;
	if (support)
		ret->support = support_of_name(support);
	return ret->support < SUPPORT_MAX ? 0 : parse_failed(p, "unknown support \"%s\"", support);
}

int parse_state(const struct parser *p, json_t *array, struct state *ret)
{
	size_t n;

	*ret = (struct state){.arena = p->arena};
	if (parse_elements(p, array, &n) < 0)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		struct observed observed;

		if (parse_observed(p, json_array_get(array, i), &observed) < 0)
			return -EINVAL;
		if (state_put(ret, &observed) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int parse_class(const struct parser *p, const char *name, enum class *ret)
{
	for (enum class i = CLASS_RESTORE; i < CLASS_MAX; i++) {
		if (strcmp(class_name(i), name) == 0) {
			*ret = i;
			return 0;
		}
	}
	return parse_failed(p, "unknown class \"%s\"", name);
}

static int parse_classified(const struct parser *p, json_t *object, struct classified *ret)
{
	struct raw_address raw = RAW_ADDRESS;
	json_t *before = NULL, *left = NULL, *live = NULL, *target = NULL;
	const char *class;
	int named;

	if (parse_members(p, object, "{" ADDRESS_FORMAT "s?o s?o s?o s?o s:s s:b}",
		    ADDRESS_MEMBERS(raw), "before", &before, "left", &left, "live", &live, "target",
		    &target, "class", &class, "named", &named) < 0 ||
		parse_address(p, &raw, &ret->at) < 0 || parse_value(p, before, &ret->before) < 0 ||
		parse_value(p, left, &ret->left) < 0 || parse_value(p, live, &ret->live) < 0 ||
		parse_value(p, target, &ret->target) < 0)
		return -EINVAL;
	ret->named = named;
	return parse_class(p, class, &ret->class);
}

int parse_classification(const struct parser *p, json_t *array, struct classification *ret)
{
	size_t n;

	*ret = (struct classification){.arena = p->arena};
	if (parse_elements(p, array, &n) < 0)
		return -EINVAL;
	ret->v = ARENA_ARRAY(p->arena, n + 1, struct classified);
	if (!ret->v)
		return -ENOMEM;
	ret->n = n;
	ret->cap = n + 1;
	for (size_t i = 0; i < n; i++) {
		int r = parse_classified(p, json_array_get(array, i), &ret->v[i]);

		if (r < 0)
			return r;
	}
	return 0;
}

static int parse_result(const struct parser *p, json_t *object, struct change *ret)
{
	const char *verdict = NULL, *error = NULL;
	json_t *observed = NULL;
	json_int_t err = 0;

	if (parse_members(p, object, "{s?o s?s s?I s?s}", "observed", &observed, "verdict",
		    &verdict, "errno", &err, "error", &error) < 0 ||
		parse_value(p, observed, &ret->observed) < 0 ||
		parse_verdict(p, verdict, &ret->verdict) < 0)
		return -EINVAL;
	if (err < 0 || err > 4095)
		return parse_failed(p, "%" JSON_INTEGER_FORMAT " is no errno", err);
	ret->err = (int)err;
	return parse_text(p, error, &ret->error);
}

int parse_results(const struct parser *p, json_t *array, struct change *v, size_t n)
{
	size_t results;

	if (parse_elements(p, array, &results) < 0)
		return -EINVAL;
	if (results != n)
		return parse_failed(p, "%zu results of %zu changes", results, n);
	for (size_t i = 0; i < n; i++) {
		int r = parse_result(p, json_array_get(array, i), &v[i]);

		if (r < 0)
			return r;
	}
	return 0;
}
