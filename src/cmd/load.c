/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles from the search path or nettune.yaml, read while the privileges to read them are still
 * there, and their digests for journal and reports.
 */
#include "cmd/load.h"

#include "kinds/registry.h"
#include "util/log.h"

#include <errno.h>
#include <string.h>

#define CONFIG_PATH "/etc/nettune/nettune.yaml"

static void add_finding(struct diags *diags, const char *id, const struct error *error)
{
	diags_add(diags, SEVERITY_ERROR, error->kind, id, (struct pos){0}, "%s", error->msg);
}

int load_config(struct session *session, bool needed, struct error *error)
{
	const char *root = session->search.root ? session->search.root : "";
	const char *path = arena_printf(session->arena, "%s" CONFIG_PATH, root);
	size_t length;
	char *text;
	int r = search_read(
		path, session->search.root != NULL, session->arena, &text, &length, error);

	if (r == -ENOENT)
		return 0;
	if (r < 0 && !needed) {
		diags_add(&session->diags, SEVERITY_WARNING, error->kind, "config-unread",
			(struct pos){0}, "%s", error->msg);
		*error = (struct error){0};
		return 0;
	}
	if (r < 0)
		return r;
	return config_parse(path, text, length, session->arena, &session->diags, &session->config);
}

int load_profile_file(struct session *session, const char *path, bool is_explicit,
	struct diags *diags, struct profile **ret)
{
	const struct profile_options options = {
		.kinds = kinds,
		.allow_sysctl = session->config.allow_sysctl,
		.version = NETTUNE_VERSION,
	};
	struct error error;
	size_t length;
	char *text;
	int r = search_read(path, is_explicit, session->arena, &text, &length, &error);

	if (r < 0) {
		add_finding(diags, "profile-unread", &error);
		return r;
	}
	return profile_parse(&options, path, text, length, session->arena, diags, ret);
}

int load_profile(
	struct session *session, const char *word, struct diags *diags, struct profile **ret)
{
	struct error error;
	const char *path;
	bool is_explicit;
	int r = search_profile(&session->search, word, session->arena, &path, &is_explicit, &error);

	if (r < 0) {
		add_finding(diags, "no-profile", &error);
		return r;
	}
	return load_profile_file(session, path, is_explicit, diags, ret);
}

static size_t count_words(const char *const *words)
{
	size_t n = 0;

	while (words && words[n])
		n++;
	return n;
}

static void say_defaults(const struct session *session, const char *const *words, size_t n)
{
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		text = arena_printf(session->arena, "%s %s", text, words[i]);
	log_info("no profile named, taking those of %s:%s", session->config.path, text);
}

/* The words to load: of the command line, else of nettune.yaml. */
static int choose_words(
	struct session *session, const char *const **ret, size_t *ret_n, struct error *error)
{
	const struct command_line *line = session->line;
	int r = load_config(session, line->noperands == 0, error);

	*ret = line->operands;
	*ret_n = line->noperands;
	if (r < 0 || *ret_n)
		return r;
	*ret = session->config.profiles;
	*ret_n = count_words(*ret);
	if (!*ret_n)
		return error_set(error, ERROR_USAGE, EINVAL,
			"name a profile (nettune list shows them), or put \"profiles: [NAME]\" "
			"into " CONFIG_PATH);
	say_defaults(session, *ret, *ret_n);
	return 0;
}

/* A journal is read from elsewhere, too. */
static const char *absolute_path(const char *path, struct arena *arena)
{
	char *CLEANUP_FREE cwd = *path == '/' ? NULL : getcwd(NULL, 0);

	return cwd ? arena_printf(arena, "%s/%s", cwd, path) : path;
}

static struct journal_profile describe(const struct profile *profile, struct arena *arena)
{
	return (struct journal_profile){
		.name = profile->name,
		.path = absolute_path(profile->path, arena),
		.source = profile->source,
		.sha256 = sha256_hex(profile->source, profile->source_length, arena),
		.version = profile->version,
	};
}

int load_profiles(struct session *session, struct error *error)
{
	struct journal_profile *described;
	const char *const *words;
	size_t n;
	int r = choose_words(session, &words, &n, error);

	if (r < 0)
		return r;
	session->profiles.v = ARENA_ARRAY(session->arena, n, struct profile *);
	described = ARENA_ARRAY(session->arena, n, struct journal_profile);
	if (!session->profiles.v || !described)
		return error_no_memory(error);
	for (size_t i = 0; i < n; i++) {
		struct profile *profile;

		/* go on after a bad one: its neighbours' mistakes are wanted, too */
		if (load_profile(session, words[i], &session->diags, &profile) < 0)
			continue;
		described[session->profiles.n] = describe(profile, session->arena);
		session->profiles.v[session->profiles.n++] = profile;
	}
	session->report.profiles = described;
	session->report.nprofiles = session->profiles.n;
	if (arena_failed(session->arena))
		return error_no_memory(error);
	return session->profiles.n < n ? -EINVAL : 0;
}
