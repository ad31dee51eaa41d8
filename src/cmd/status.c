/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune status: what is in force, what is unfinished or running, what has drifted, and the command
 * to go on with.
 */
#include "cmd/journals.h"

#include <errno.h>
#include <string.h>

struct status {
	struct session *session;
	struct journals journals;
	struct status_report report;
};

static int add_lines(struct status *s, struct error *error)
{
	struct arena *arena = s->session->arena;
	struct transactions *in_force = &s->report.in_force, *open = &s->report.open;

	in_force->v = ARENA_ARRAY(arena, s->journals.n + 1, struct transaction_line);
	open->v = ARENA_ARRAY(arena, s->journals.n + 1, struct transaction_line);
	if (!in_force->v || !open->v)
		return error_no_memory(error);
	for (size_t i = 0; i < s->journals.n; i++) {
		const struct journal *journal = s->journals.v[i];
		const struct transaction_line line = journal_line(
			s->session, &s->journals, journal);

		if (journal_is_open(s->session, journal))
			open->v[open->n++] = line;
		else if (journal_is_in_force(s->session, journal))
			in_force->v[in_force->n++] = line;
	}
	return 0;
}

/* The word that loads this profile again: its name where that finds the same file. */
static const char *profile_word(
	const struct session *session, const struct journal_profile *profile)
{
	struct error ignored;
	const char *path;
	bool is_explicit;

	if (search_profile(&session->search, profile->name, session->arena, &path, &is_explicit,
		    &ignored) == 0 &&
		strcmp(path, profile->path) == 0)
		return profile->name;
	return profile->path;
}

/* "plan" with the profiles of the newest transaction in force. */
static const char *plan_again(const struct status *s)
{
	const char *command = "plan";

	for (size_t i = 0; i < s->journals.n; i++) {
		const struct journal *journal = s->journals.v[i];

		if (!journal_is_in_force(s->session, journal))
			continue;
		for (size_t j = 0; j < journal->nprofiles; j++)
			command = arena_printf(s->session->arena, "%s %s", command,
				shell_quote(s->session->arena,
					profile_word(s->session, &journal->profiles[j])));
		break;
	}
	return session_next(s->session, command, false);
}

static const char *next_command(const struct status *s)
{
	if (journals_unfinished(s->session, &s->journals))
		return session_next(s->session, "rollback", false);
	if (s->report.open.n)
		return session_next(s->session, "status", false); /* running: look again */
	if (s->report.drift.n)
		return plan_again(s);
	if (s->report.in_force.n)
		return session_next(s->session, "rollback", false);
	return "nettune list";
}

/* A rollback that came to no end waits for links that are down. */
static void say_what_is_awaited(struct status *s)
{
	const struct journal *journal = journals_unfinished(s->session, &s->journals);
	const char *outcome = journal && journal->nrollbacks
				      ? journal->rollbacks[journal->nrollbacks - 1].outcome
				      : NULL;

	for (size_t i = 0; outcome && i < journal->nlinks; i++) {
		const struct link *link = journal->links[i].link;
		struct diag *diag;

		if (!link || !link->ifindex || link->up)
			continue;
		diag = diags_add(&s->session->diags, SEVERITY_WARNING, ERROR_FAILED, "link-down",
			(struct pos){0},
			"%s is down, and what it had can't be put back before it is up",
			link->name);
		if (!diag)
			continue;
		diag->interface = link->name;
		diag->hint = arena_printf(s->session->arena,
			"bring %s up and run nettune rollback again", link->name);
	}
}

static int run_status_command(struct session *session)
{
	struct status s = {.session = session};
	struct error error = {0};
	struct ending ending;
	int r;

	if (session_open(session, PRIVILEGE_READ, &error) < 0 ||
		journals_load(session, &s.journals, &error) < 0 || add_lines(&s, &error) < 0 ||
		journals_drift(session, &s.journals, &s.report.drift, &error) < 0)
		return session_fail(session, &error);
	say_what_is_awaited(&s);
	s.report.next = next_command(&s);
	ending = (struct ending){
		.outcome = journals_unfinished(session, &s.journals) ? OUTCOME_INCOMPLETE
								     : OUTCOME_UNCHANGED,
		.is_different = s.report.drift.n > 0,
	};
	session_warn(session);
	if (*session->run.damaged && ending.outcome == OUTCOME_UNCHANGED) {
		error_set(&error, ERROR_DATA, EINVAL, "a journal can't be read");
		ending.error = &error;
	}
	r = output_status(&session->output, &session->report, &s.report);
	return session_end(session, r, exit_status(&ending));
}

const struct command command_status = {
	.name = "status",
	.operands = "",
	.summary = "what is in force, unfinished or drifted",
	.details = "The last line is the command to go on with.\n"
		   "Exit status 2 if something has drifted or is deferred, 4 if a transaction\n"
		   "is unfinished, 65 if a journal can't be read.",
	.options = OPTION(ROOT),
	.run = run_status_command,
};
