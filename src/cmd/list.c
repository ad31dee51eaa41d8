/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune list: the profiles on the search path, also those that are shadowed or broken.
 */
#include "cmd/load.h"

#include <errno.h>

static struct list_line read_line(struct session *session, const struct found *found)
{
	struct list_line line = {
		.name = found->name,
		.path = found->path,
		.shadowed_by = found->shadowed_by,
	};
	struct diags diags = {.arena = session->arena};
	struct profile *profile;
	const struct diag *first;

	if (load_profile_file(session, found->path, found->is_explicit, &diags, &profile) == 0) {
		line.description = profile->description;
		line.version = profile->version;
	}
	first = diags_first_error(&diags);
	line.problem = first ? first->text : NULL;
	return line;
}

static int run_list_command(struct session *session)
{
	const struct ending ending = {0};
	struct error error = {0};
	struct list_line *v;
	struct found *found;
	size_t n;
	int r;

	if (load_config(session, false, &error) < 0 ||
		search_list(&session->search, session->arena, &found, &n, &error) < 0)
		return session_fail(session, &error);
	v = ARENA_ARRAY(session->arena, n + 1, struct list_line);
	for (size_t i = 0; v && i < n; i++)
		v[i] = read_line(session, &found[i]);
	if (!v || arena_failed(session->arena)) {
		error_no_memory(&error);
		return session_fail(session, &error);
	}
	session_warn(session);
	r = output_list(&session->output, &session->report, v, n);
	return session_end(session, r, exit_status(&ending));
}

const struct command command_list = {
	.name = "list",
	.operands = "",
	.summary = "profiles that can be found",
	.details = "Looks into --profile-dir, /etc/nettune/profiles,\n"
		   "/usr/local/share/nettune/profiles and /usr/share/nettune/profiles.",
	.options = OPTION(ROOT),
	.run = run_list_command,
};
