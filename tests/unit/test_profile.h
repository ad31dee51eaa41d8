/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds made up for tests of the profile reader, one row for each sort of field, and a parser
 * around them.
 */
#ifndef NETTUNE_TESTS_TEST_PROFILE_H
#define NETTUNE_TESTS_TEST_PROFILE_H

#include "test.h"

#include "profile/profile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Keys of "sys" are dotted; a/b is another spelling of a.b; "bad" is none. */
static const char *sys_canonical(struct arena *arena, const char *key, struct error *error)
{
	char *copy = arena_strdup(arena, key);

	if (strcmp(key, "bad") == 0) {
		error_set(error, ERROR_DATA, EINVAL, "%s: no such key", key);
		return NULL;
	}
	for (char *p = copy; *p; p++)
		if (*p == '/')
			*p = '.';
	return copy;
}

/* Keys outside net only if allowed; 13 is no value. */
static int sys_check(const struct wish *wish, const char *const *allow, struct error *error)
{
	bool allowed = strncmp(wish->key, "net.", 4) == 0;

	for (; allow && *allow; allow++)
		allowed |= strcmp(*allow, wish->key) == 0;
	if (!allowed)
		return error_set(error, ERROR_DATA, EINVAL, "%s: not below net", wish->key);
	if (wish->value->op == EXPR_LITERAL && strcmp(wish->value->value.text, "13") == 0)
		return error_set(error, ERROR_MISSING, EINVAL, "%s: no luck", wish->key);
	return 0;
}

/* "tso" without "sg" is a contradiction. */
static int features_check_all(const struct wish *v, size_t n, size_t *ret_at, struct error *error)
{
	const struct wish *tso = NULL, *sg = NULL;

	for (size_t i = 0; i < n; i++) {
		tso = strcmp(v[i].key, "tso") == 0 ? &v[i] : tso;
		sg = strcmp(v[i].key, "sg") == 0 ? &v[i] : sg;
	}
	if (!tso || !sg || !tso->value->value.number || sg->value->value.number)
		return 0;
	*ret_at = (size_t)(tso - v);
	return error_set(error, ERROR_DATA, EINVAL, "tso needs sg");
}

static const char *features_canonical(struct arena *arena, const char *key, struct error *error)
{
	return arena_strdup(arena, key);
}

static const char *const split_words[] = {"auto", "off", "on", NULL};
static const char *const cpus_words[] = {"none", "all", "local", NULL};
static const char *const spread_words[] = {"local", "all", NULL};

static const struct field sys_fields[] = {
	{.name = "key", .type = VALUE_WORDS, .flags = FIELD_OPEN},
	{},
};
static const struct field size_fields[] = {
	{.name = "size", .type = VALUE_NUMBER, .unit = UNIT_BYTES, .flags = FIELD_SCALAR},
	{},
};
static const struct field rings_fields[] = {
	{.name = "rx", .type = VALUE_NUMBER, .flags = FIELD_HAS_MAX},
	{.name = "tx", .type = VALUE_NUMBER, .flags = FIELD_HAS_MAX},
	{.name = "rx-usecs", .type = VALUE_NUMBER, .unit = UNIT_USECS},
	{.name = "rx-push", .type = VALUE_BOOL},
	{.name = "split", .type = VALUE_WORD, .words = split_words},
	{.name = "scheduler", .type = VALUE_WORD},
	{.name = "seen", .type = VALUE_NUMBER, .flags = FIELD_READ_ONLY},
	{},
};
static const struct field features_fields[] = {
	{.name = "bit", .type = VALUE_BOOL, .flags = FIELD_OPEN},
	{},
};
static const struct field steer_fields[] = {
	{
		.name = "cpus",
		.type = VALUE_RANGES,
		.words = cpus_words,
		.flags = FIELD_SCALAR,
	},
	{.name = "queues", .flags = FIELD_QUEUE_MAP | FIELD_PROFILE_ONLY, .of = "cpus"},
	{.name = "flows", .type = VALUE_NUMBER},
	{},
};
static const struct field irq_fields[] = {
	{.name = "cpus", .type = VALUE_RANGES, .flags = FIELD_NO_PROFILE},
	{
		.name = "spread",
		.type = VALUE_RANGES,
		.words = spread_words,
		.flags = FIELD_PROFILE_ONLY,
	},
	{.name = "queues", .flags = FIELD_QUEUE_MAP | FIELD_PROFILE_ONLY, .of = "cpus"},
	{},
};
static const struct field hidden_fields[] = {
	{.name = "table", .type = VALUE_WORDS, .flags = FIELD_NO_PROFILE},
	{},
};

static const struct kind kind_sys = {
	.name = "sys",
	.phase = PHASE_HOST_LATE,
	.fields = sys_fields,
	.canonical = sys_canonical,
	.check = sys_check,
};
static const struct kind kind_size = {.name = "size", .phase = PHASE_MTU, .fields = size_fields};
static const struct kind kind_ring = {
	.name = "rings", .phase = PHASE_RINGS, .fields = rings_fields};
static const struct kind kind_features = {
	.name = "features",
	.phase = PHASE_OFFLOADS,
	.fields = features_fields,
	.canonical = features_canonical,
	.check_all = features_check_all,
};
static const struct kind kind_steer = {.name = "steer", .phase = PHASE_RPS, .fields = steer_fields};
static const struct kind kind_irq = {.name = "irq", .phase = PHASE_IRQ, .fields = irq_fields};
static const struct kind kind_hidden = {
	.name = "hidden", .phase = PHASE_RSS, .fields = hidden_fields};

static const struct kind *const fake_kinds[] = {&kind_sys, &kind_size, &kind_ring, &kind_features,
	&kind_steer, &kind_irq, &kind_hidden, NULL};

/* One text, parsed. */
struct parsed {
	struct arena arena;
	struct diags diags;
	struct profile *profile; /* NULL after a mistake */
	int result;
};

static inline void parse_with(
	struct parsed *ret, const struct profile_options *options, const char *text, size_t length)
{
	*ret = (struct parsed){};
	arena_init(&ret->arena);
	ret->diags.arena = &ret->arena;
	ret->result = profile_parse(
		options, "test.yaml", text, length, &ret->arena, &ret->diags, &ret->profile);
}

static inline void parse_text(struct parsed *ret, const char *text)
{
	static const char *const allow[] = {"kernel.numa", NULL};
	const struct profile_options options = {
		.kinds = fake_kinds, .allow_sysctl = allow, .version = "0.1.0"};

	parse_with(ret, &options, text, strlen(text));
}

static inline void parsed_done(struct parsed *parsed)
{
	arena_done(&parsed->arena);
}

/* A profile with one rule; `body` is indented by four. */
#define RULE(body) "name: t\ninterfaces:\n  - match: {kind: physical}\n" body
/* A profile with one host setting. */
#define HOST(body) "name: t\nsys:\n" body

static inline void print_findings(const struct diags *diags)
{
	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *d = &diags->v[i];

		print_message("%u:%u: %s: %s [%s]\n", d->pos.line, d->pos.column, d->id, d->text,
			d->hint ? d->hint : "");
	}
}

/* Parses what must be good. */
static inline const struct profile *parse_good(struct parsed *ret, const char *text)
{
	parse_text(ret, text);
	if (ret->result)
		print_findings(&ret->diags);
	assert_int_equal(ret->result, 0);
	assert_non_null(ret->profile);
	return ret->profile;
}

#endif
