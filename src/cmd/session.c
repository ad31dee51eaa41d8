/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all commands do first and last: settings for output, the way to the kernel, privileges, the
 * lock, reports of failure.
 */
#include "cmd/session.h"

#include "kinds/registry.h"
#include "util/clock.h"
#include "util/log.h"
#include "util/numbers.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool wants_color(enum color color)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
	       !(term && strcmp(term, "dumb") == 0);
}

/* Of the user's locale, without taking it over: what we read and write is ASCII. */
static bool is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;

	if (locale)
		freelocale(locale);
	return utf8;
}

static unsigned terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
		return 0;
	return size.ws_col;
}

static void set_log_level(const struct command_line *line)
{
	if (line_has(line, OPTION(QUIET)))
		log_set_level(LOG_LEVEL_QUIET);
	else if (line->verbose > 1)
		log_set_level(LOG_LEVEL_DEBUG);
	else if (line->verbose)
		log_set_level(LOG_LEVEL_VERBOSE);
}

void session_init(struct session *session, const struct command *command,
	const struct command_line *line, struct arena *arena)
{
	const bool json = line_has(line, OPTION(JSON));

	set_log_level(line);
	*session = (struct session){
		.command = command,
		.line = line,
		.arena = arena,
		.diags.arena = arena,
		.output = {.out = stdout,
			.json = json,
			.color = !json && wants_color(line->color),
			.utf8 = is_utf8(),
			.verbose = line->verbose > 0,
			.quiet = line_has(line, OPTION(QUIET)),
			.width = terminal_width(),
			.arena = arena},
		.report = {.time = clock_text(arena),
			.version = NETTUNE_VERSION,
			.dry_run = line_has(line, OPTION(DRY_RUN))},
		.search = {.profile_dir = line->profile_dir, .root = line->root},
		.lock = LOCK_NONE,
	};
	session->report.diags = &session->diags;
}

void session_done(struct session *session)
{
	lock_release(&session->lock);
	if (session->is_open)
		run_close(&session->run);
}

static int unknown_interface(
	const struct host *host, const char *name, struct arena *arena, struct error *error)
{
	const char **names = ARENA_ARRAY(arena, host->nlinks + 1, const char *);
	const char *near = NULL;

	for (size_t i = 0; names && i < host->nlinks; i++)
		names[i] = host->links[i]->name;
	if (names)
		near = nearest_word(name, names);
	if (near)
		return error_set(error, ERROR_MISSING, ENODEV,
			"there is no interface %s; did you mean %s?", name, near);
	return error_set(error, ERROR_MISSING, ENODEV, "there is no interface %s", name);
}

static int check_interfaces(const struct session *session, struct error *error)
{
	const char *const *name = session->line->options.interfaces;
	const struct host *host = &session->run.host;

	for (; name && *name; name++)
		if (!host_link_by_name(host, *name))
			return unknown_interface(host, *name, session->arena, error);
	return 0;
}

static const char *fault_plan(void)
{
#ifdef NETTUNE_FAULTS
	return getenv("NETTUNE_FAULT");
#else
	return NULL;
#endif
}

int session_open(struct session *session, enum privilege privilege, struct error *error)
{
	const char *ethtool = getenv("NETTUNE_ETHTOOL");
	const struct kernel_options options = {
		.root = session->line->root,
		.netns = session->line->netns,
		.record = getenv("NETTUNE_RECORD"),
		.fault = fault_plan(),
		.ethtool = ethtool && strcmp(ethtool, "ioctl") == 0 ? ETHTOOL_IOCTL : ETHTOOL_AUTO,
	};
	int r = run_open(
		&session->run, &options, &session->line->options, kinds, session->arena, error);

	if (r < 0)
		return r;
	session->is_open = true;
	session->report.host = &session->run.host;
	r = privileges_keep(privilege, error);
	return r < 0 ? r : check_interfaces(session, error);
}

int session_lock(struct session *session, bool host, struct error *error)
{
	int r = lock_take(&session->lock, NULL, session->run.host.netns, host,
		session->line->options.lock_timeout_ms, error);

	return r < 0 ? r : kernel_links(&session->run.kernel, &session->run.host, error);
}

bool session_is_busy(const struct session *session)
{
	return !session->line->root && lock_is_held(NULL, session->run.host.netns);
}

int session_fail(struct session *session, const struct error *error)
{
	const bool has_findings = diags_have_errors(&session->diags);
	const struct ending ending = {.diags = &session->diags, .error = error};
	const enum exit_status status = exit_status(&ending);

	output_error(&session->output, &session->report, (int)status, has_findings ? NULL : error,
		&session->diags);
	return (int)status;
}

void session_warn(const struct session *session)
{
	if (!session->output.json && !session->output.quiet)
		output_diags(stderr, session->output.color, &session->diags);
}

int session_end(const struct session *session, int written, enum exit_status status)
{
	if (written == 0 && fflush(session->output.out) != 0)
		written = -errno;
	if (written == 0)
		return (int)status;
	if (written != -EPIPE)
		log_error("stdout: %s", strerror(-written));
	/* What a writer has done is more than its report. */
	return session->command->writes && !line_has(session->line, OPTION(DRY_RUN))
		       ? (int)status
		       : STATUS_FAILED;
}

static const char *add_words(
	struct arena *arena, const char *text, const char *option, const char *const *words)
{
	for (; words && *words; words++)
		text = arena_printf(arena, "%s%s %s", text, option, shell_quote(arena, *words));
	return text;
}

static const char *add_value(
	struct arena *arena, const char *text, const char *option, const char *value)
{
	const char *const words[] = {value, NULL};

	return add_words(arena, text, option, words);
}

const char *session_next(const struct session *session, const char *command, bool words)
{
	const struct command_line *line = session->line;
	struct arena *arena = session->arena;
	const char *text = arena_printf(arena, "nettune %s", command);

	if (words) {
		for (size_t i = 0; i < line->noperands; i++)
			text = add_value(arena, text, "", line->operands[i]);
		text = add_words(arena, text, " -i", line->options.interfaces);
		text = add_words(arena, text, " --only", line->options.only);
		text = add_value(arena, text, " --profile-dir", line->profile_dir);
	}
	text = add_value(arena, text, " --netns", line->netns);
	if (line_has(line, OPTION(STATE_DIR)))
		text = add_value(arena, text, " --state-dir", line->options.state_dir);
	return text;
}
