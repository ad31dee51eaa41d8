/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files with the real kinds: the shipped profiles, tests/profiles/good and bad, and the manual. A
 * bad file begins with what is wanted, a line for each finding: "# wants LINE:COLUMN ID".
 */
#include "test.h"

#include "kinds/registry.h"
#include "profile/profile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct loaded {
	struct arena arena;
	struct diags diags;
	char *text;
	size_t length;
	struct profile *profile;
	int result;
};

static void read_whole(struct loaded *ret, const char *path)
{
	FILE *file = fopen(path, "r");

	if (!file)
		fail_msg("%s: %s", path, strerror(errno));
	ret->text = calloc(1, 1 << 20);
	assert_non_null(ret->text);
	ret->length = fread(ret->text, 1, (1 << 20) - 1, file);
	fclose(file);
}

static void load(struct loaded *ret, const char *path)
{
	const struct profile_options options = {.kinds = kinds, .version = "0.1.0"};

	*ret = (struct loaded){};
	arena_init(&ret->arena);
	ret->diags.arena = &ret->arena;
	read_whole(ret, path);
	ret->result = profile_parse(
		&options, path, ret->text, ret->length, &ret->arena, &ret->diags, &ret->profile);
}

static void unload(struct loaded *loaded)
{
	free(loaded->text);
	arena_done(&loaded->arena);
}

static void print_findings(const char *path, const struct diags *diags)
{
	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *d = &diags->v[i];

		print_message("%s:%u:%u: %s: %s [%s]\n", path, d->pos.line, d->pos.column, d->id,
			d->text, d->hint ? d->hint : "");
	}
}

/* Calls check() for each file below the directory; there must be some. */
static void for_each(const char *directory, void (*check)(const char *path))
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	char path[512];
	unsigned n = 0;

	if (!dir)
		fail_msg("%s: %s", directory, strerror(errno));
	while ((entry = readdir(dir))) {
		if (!strstr(entry->d_name, ".yaml"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		check(path);
		n++;
	}
	closedir(dir);
	assert_true(n > 0);
}

static void check_good(const char *path)
{
	struct loaded loaded;

	load(&loaded, path);
	if (loaded.result || loaded.diags.n)
		print_findings(path, &loaded.diags);
	assert_int_equal(loaded.result, 0);
	assert_int_equal(loaded.diags.n, 0);
	unload(&loaded);
}

/* The next "# wants" line; NULL after the last one. */
static const char *next_wanted(const char *p, unsigned *ret_line, unsigned *ret_column, char id[32])
{
	int length = 0;

	if (sscanf(p, "# wants %u:%u %31s%n", ret_line, ret_column, id, &length) < 3)
		return NULL;
	p += length;
	return *p == '\n' ? p + 1 : NULL;
}

static void check_bad(const char *path)
{
	struct loaded loaded;
	unsigned line, column;
	const char *p;
	char id[32];
	size_t n = 0;

	load(&loaded, path);
	for (p = loaded.text; (p = next_wanted(p, &line, &column, id)); n++) {
		const struct diag *d = n < loaded.diags.n ? &loaded.diags.v[n] : NULL;

		if (!d || d->pos.line != line || d->pos.column != column ||
			strcmp(d->id, id) != 0) {
			print_findings(path, &loaded.diags);
			fail_msg("%s: wanted %u:%u %s", path, line, column, id);
		}
		assert_string_equal(d->pos.file, path);
		assert_non_null(d->pos.source);
	}
	if (loaded.diags.n != n || loaded.result != -EINVAL)
		print_findings(path, &loaded.diags);
	assert_true(n > 0);
	assert_int_equal(loaded.diags.n, n);
	assert_int_equal(loaded.result, -EINVAL);
	unload(&loaded);
}

static void test_good_files(void **state)
{
	for_each(TEST_DIR "/profiles/good", check_good);
}

static void test_bad_files(void **state)
{
	for_each(TEST_DIR "/profiles/bad", check_bad);
}

/* Every value of a shipped profile says why; "keep" needs no reason. */
static void check_reasons(const char *path, const struct wish *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!expr_is_word(v[i].value, "keep") && !v[i].why)
			fail_msg("%s:%u: %s has no why", path, v[i].pos.line, v[i].key);
	}
}

static void check_shipped(const char *path)
{
	struct loaded loaded;
	const char *base = strrchr(path, '/') + 1;

	check_good(path);
	load(&loaded, path);
	assert_int_equal(strncmp(base, loaded.profile->name, strlen(loaded.profile->name)), 0);
	assert_string_equal(base + strlen(loaded.profile->name), ".yaml");
	assert_non_null(loaded.profile->description);
	check_reasons(path, loaded.profile->wishes, loaded.profile->nwishes);
	for (size_t i = 0; i < loaded.profile->nrules; i++) {
		const struct rule *rule = &loaded.profile->rules[i];

		check_reasons(path, rule->wishes, rule->nwishes);
		assert_true(rule->optional); /* a host without such a NIC can plan, too */
	}
	unload(&loaded);
}

static void test_shipped_profiles(void **state)
{
	for_each(SOURCE_DIR "/profiles", check_shipped);
}

/* A field is in the manual as ".It Cm NAME", below ".Ss KIND". */
static void check_manual(const char *manual, const struct kind *kind, const struct field *field)
{
	char heading[64], item[64];
	const char *section, *end, *found;

	snprintf(heading, sizeof(heading), ".Ss %s\n", kind->name);
	snprintf(item, sizeof(item), ".It Cm %s\n", field->name);
	section = strstr(manual, heading);
	if (!section)
		fail_msg("the manual lacks %s", heading);
	end = strstr(section + 1, "\n.Ss ");
	found = strstr(section, item);
	if (!found || (end && found > end))
		fail_msg("the manual lacks %s.%s", kind->name, field->name);
}

static void test_manual_has_all_fields(void **state)
{
	const unsigned hidden = FIELD_READ_ONLY | FIELD_NO_PROFILE | FIELD_OPEN;
	struct loaded loaded = {};

	read_whole(&loaded, SOURCE_DIR "/packaging/man/nettune-profile.5");
	for (const struct kind *const *kind = kinds; *kind; kind++) {
		for (const struct field *field = (*kind)->fields; field->name; field++) {
			if (!(field->flags & hidden))
				check_manual(loaded.text, *kind, field);
		}
	}
	free(loaded.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_files),
		cmocka_unit_test(test_bad_files),
		cmocka_unit_test(test_shipped_profiles),
		cmocka_unit_test(test_manual_has_all_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
