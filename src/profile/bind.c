/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile file: its top-level keys and its rules. Which settings there are is up to the kinds;
 * which links a rule is for is read in criteria.c.
 */
#include "profile/binder.h"
#include "profile/scalar.h"
#include "profile/words.h"

#include "util/numbers.h"

#include <errno.h>
#include <string.h>

#define NAME_MAX_LENGTH 64
#define WORDS_MAX       64 /* keys shown as near ones */

static const char *const file_words[] = {"name", "version", "description", "requires",
	"on-unsupported", "extends", "parameters", "interfaces", NULL};
static const char *const rule_words[] = {"match", "members", "optional", "on-unsupported", NULL};

static bool has_profile_words(const struct kind *kind)
{
	for (const struct field *field = kind->fields; field->name; field++) {
		if (!(field->flags & (FIELD_READ_ONLY | FIELD_NO_PROFILE)))
			return true;
	}
	return false;
}

/* The fixed words and the kinds that may stand beside them. */
static const char *const *with_kinds(
	const struct binder *b, const char *const *fixed, bool host_kinds)
{
	const char **words = ARENA_ARRAY(b->reader.arena, WORDS_MAX + 1, const char *);
	size_t n = 0;

	if (!words)
		return fixed;
	while (*fixed && n < WORDS_MAX)
		words[n++] = *fixed++;
	for (const struct kind *const *kind = b->options->kinds; *kind && n < WORDS_MAX; kind++) {
		if (is_host_kind(*kind) == host_kinds && has_profile_words(*kind))
			words[n++] = (*kind)->name;
	}
	return words;
}

/* major.minor.patch as one number; missing parts are 0. */
static bool version_parse(const char *text, uint64_t *ret)
{
	uint64_t version = 0;

	for (unsigned i = 0; i < 3; i++) {
		unsigned long part = 0;

		if (*text >= '0' && *text <= '9') {
			char *end;

			part = strtoul(text, &end, 10);
			text = end;
			if (*text == '.')
				text++;
		} else if (i == 0) {
			return false;
		}
		if (part > 0xffff)
			return false;
		version = version << 16 | part;
	}
	*ret = version;
	return !*text || *text == '-' || *text == '+';
}

/* requires: ">= 1.2". False if this is an older nettune, and all else would be beside the point. */
static bool bind_requires(const struct binder *b, const struct node *root)
{
	const struct node *node = node_get(root, "requires");
	uint64_t needed, own;
	const char *text;

	if (!node || !scalar_text(&b->reader, node, "requires", &text))
		return true;
	if (strncmp(text, ">=", 2) == 0 &&
		version_parse(text + 2 + strspn(text + 2, " "), &needed)) {
		text += 2 + strspn(text + 2, " ");
		if (!b->options->version || !version_parse(b->options->version, &own) ||
			own >= needed)
			return true;
		reader_error(&b->reader, &node->pos, "needs-newer", NULL,
			"needs nettune %s, this is %s", text, b->options->version);
		return false;
	}
	reader_error(&b->reader, &node->pos, "bad-value", "as in requires: \">= 1.2\"",
		"requires must be >= and a version, not \"%s\"", text);
	return true;
}

static bool is_sane_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789._-";
	size_t length = strlen(name);

	return length <= NAME_MAX_LENGTH && strspn(name, others) == length &&
	       (strchr(letters, name[0]) || (name[0] >= '0' && name[0] <= '9'));
}

static void bind_name(const struct binder *b, const struct node *root, struct profile *profile)
{
	const struct node *node = node_get(root, "name");

	profile->name = "";
	if (!node) {
		reader_error(&b->reader, &root->pos, "missing-key", "as in name: my-profile",
			"the profile has no name");
		return;
	}
	if (!scalar_text(&b->reader, node, "name", &profile->name) || is_sane_name(profile->name))
		return;
	reader_error(&b->reader, &node->pos, "bad-value", NULL,
		"name must be letters, digits, dots, dashes and underscores, at most %d, "
		"and begin with a letter or digit",
		NAME_MAX_LENGTH);
}

static void bind_version(const struct binder *b, const struct node *root, struct profile *profile)
{
	const struct node *node = node_get(root, "version");
	uint64_t number;

	profile->version = 1;
	if (!node || !scalar_check(&b->reader, node, "version"))
		return;
	if (number_parse(node->text, &number) == 0 && number > 0 && number <= UINT32_MAX)
		profile->version = (unsigned)number;
	else
		reader_error(&b->reader, &node->pos, "bad-value",
			number_hint(b->reader.arena, node->text),
			"version must be a whole number from 1 on, not \"%s\"", node->text);
}

/* Words of later versions: harmless while they say nothing. */
static void refuse_unless_empty(const struct binder *b, const struct node *root, const char *key)
{
	const struct node *node = node_get(root, key);

	if (node && (node->type == NODE_SCALAR || node->type == NODE_BAD || node->first))
		reader_not_supported(&b->reader, &node->key_pos, key);
}

static void check_file_keys(const struct binder *b, const struct node *root)
{
	const char *const *words = with_kinds(b, file_words, true);

	for (const struct node *entry = root->first; entry; entry = entry->next) {
		const struct kind *kind = kind_find(b->options->kinds, entry->key);

		if (is_one_of(entry->key, words) || strncmp(entry->key, "x-", 2) == 0)
			continue;
		if (kind)
			reader_error(&b->reader, &entry->key_pos, "unknown-key",
				"it belongs into a rule below interfaces:",
				"\"%s\" is a setting of interfaces", entry->key);
		else
			reader_unknown_key(&b->reader, entry, "a profile", words);
	}
}

/* One key of a rule. */
static void bind_rule_entry(const struct binder *b, const struct node *entry, bool fail_unsupported,
	struct wish_list *list)
{
	const struct kind *kind = kind_find(b->options->kinds, entry->key);

	if (is_one_of(entry->key, rule_words))
		return;
	if (strcmp(entry->key, "when") == 0)
		reader_not_supported(&b->reader, &entry->key_pos, "when");
	else if (!kind)
		reader_unknown_key(&b->reader, entry, "a rule", with_kinds(b, rule_words, false));
	else if (is_host_kind(kind))
		reader_not_supported(&b->reader, &entry->key_pos,
			arena_printf(b->reader.arena, "%s in a rule", kind->name));
	else if (!has_profile_words(kind))
		reader_not_supported(&b->reader, &entry->key_pos,
			arena_printf(b->reader.arena, "%s in profiles", kind->name));
	else
		bind_kind(b, kind, entry, fail_unsupported, list);
}

static void bind_flag(const struct binder *b, const struct node *rule, const char *key, bool *ret)
{
	const struct node *node = node_get(rule, key);

	if (node)
		scalar_bool(&b->reader, node, key, ret);
}

static void bind_rule(
	const struct binder *b, const struct node *node, bool fail_unsupported, struct rule *ret)
{
	const struct node *match;
	struct wish_list list = {};
	size_t nfindings = b->reader.diags->n;

	*ret = (struct rule){.pos = node->pos, .profile = b->profile};
	if (node->type != NODE_MAPPING) {
		if (node->type != NODE_BAD)
			reader_error(&b->reader, &node->pos, "bad-value",
				"as in - match: {kind: physical}", "a rule must be a mapping");
		return;
	}
	fail_unsupported = bind_on_unsupported(b, node, fail_unsupported);
	bind_flag(b, node, "members", &ret->members);
	bind_flag(b, node, "optional", &ret->optional);
	match = node_get(node, "match");
	if (match)
		bind_match(b, match, &ret->match);
	else
		reader_error(&b->reader, &node->pos, "missing-key", "as in match: {kind: physical}",
			"the rule has no match");
	for (const struct node *entry = node->first; entry; entry = entry->next)
		bind_rule_entry(b, entry, fail_unsupported, &list);
	if (!list.n && b->reader.diags->n == nfindings)
		reader_error(&b->reader, &node->pos, "no-settings", NULL, "the rule sets nothing");
	ret->wishes = list.v;
	ret->nwishes = list.n;
}

static void bind_rules(const struct binder *b, const struct node *root, bool fail_unsupported,
	struct profile *profile)
{
	const struct node *node = node_get(root, "interfaces");

	if (!node || node->type == NODE_BAD)
		return;
	if (node->type != NODE_SEQUENCE) {
		if (node->type == NODE_MAPPING || scalar_check(&b->reader, node, "interfaces"))
			reader_error(&b->reader, &node->pos, "bad-value",
				"begin each rule with a dash: - match: {...}",
				"interfaces must be a list of rules");
		return;
	}
	profile->rules = ARENA_ARRAY(b->reader.arena, node->n, struct rule);
	if (!profile->rules)
		return;
	for (const struct node *item = node->first; item; item = item->next)
		bind_rule(b, item, fail_unsupported, &profile->rules[profile->nrules++]);
}

static void bind_host(const struct binder *b, const struct node *root, struct profile *profile)
{
	struct wish_list list = {};

	for (const struct kind *const *kind = b->options->kinds; *kind; kind++) {
		const struct node *node = node_get(root, (*kind)->name);

		if (node && is_host_kind(*kind))
			bind_kind(b, *kind, node, false, &list);
	}
	profile->wishes = list.v;
	profile->nwishes = list.n;
}

static void bind_file(struct binder *b, const struct node *root, struct profile *profile)
{
	const struct node *description;
	bool fail_unsupported;

	if (!bind_requires(b, root))
		return;
	check_file_keys(b, root);
	bind_name(b, root, profile);
	b->profile = profile->name;
	bind_version(b, root, profile);
	description = node_get(root, "description");
	if (description)
		scalar_prose(&b->reader, description, "description", &profile->description);
	refuse_unless_empty(b, root, "extends");
	refuse_unless_empty(b, root, "parameters");
	fail_unsupported = bind_on_unsupported(b, root, false);
	bind_host(b, root, profile);
	bind_rules(b, root, fail_unsupported, profile);
	if (!profile->nwishes && !profile->nrules && b->reader.diags->n == b->reader.first)
		reader_warning(
			&b->reader, &root->pos, "no-settings", NULL, "the profile sets nothing");
}

static struct profile *new_profile(
	struct arena *arena, const char *path, const char *text, size_t length)
{
	struct profile *profile = ARENA_NEW(arena, struct profile);
	char *source = arena_alloc(arena, length + 1);

	if (!profile || !source)
		return NULL;
	memcpy(source, text, length);
	profile->path = arena_strdup(arena, path);
	profile->source = source;
	profile->source_length = length;
	return profile;
}

int profile_parse(const struct profile_options *options, const char *path, const char *text,
	size_t length, struct arena *arena, struct diags *diags, struct profile **ret)
{
	struct binder binder = {.reader = reader_make(arena, diags), .options = options};
	struct profile *profile = new_profile(arena, path, text, length);
	struct node *root = NULL;
	int r;

	if (!profile)
		return -ENOMEM;
	r = yaml_load(&binder.reader, profile->path, text, length, &root);
	if (r == -ENOMEM)
		return r;
	if (r == 0 && root && root->type == NODE_MAPPING)
		bind_file(&binder, root, profile);
	else if (r == 0 && !root)
		reader_error(&binder.reader,
			&(struct pos){.file = profile->path, .line = 1, .column = 1}, "empty-value",
			NULL, "the file is empty");
	else if (r == 0 && root->type != NODE_BAD)
		reader_error(&binder.reader, &root->pos, "bad-value", "as in name: my-profile",
			"a profile must be a mapping of keys to values");
	r = reader_finish(&binder.reader);
	if (r == 0)
		*ret = profile;
	return r;
}
