/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a command line to the command that runs, to help, or to a usage error.
 */
#include "cmd/program.h"

#include "cmd/session.h"
#include "util/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

void program_prepare(void)
{
	int fd;

	/* A journal that got descriptor 1 would take the output, too. */
	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
	signal(SIGPIPE, SIG_IGN);
}

static int print_result(int r)
{
	if (r < 0 && r != -EPIPE)
		log_error("stdout: %s", strerror(-r));
	return r < 0 ? STATUS_FAILED : STATUS_DONE;
}

/* "nettune help apply" is "nettune apply --help". */
static void resolve_help(struct command_line *line)
{
	if (!line->command || strcmp(line->command, "help") != 0)
		return;
	line->given |= OPTION(HELP);
	line->command = line->noperands ? line->operands[0] : NULL;
}

/* -1: neither help nor version was asked for, or for a command that does not exist. */
static int print_help(const struct command_line *line)
{
	const struct command *command = line->command ? command_find(line->command) : NULL;

	if (line_has(line, OPTION(HELP)) && (command || !line->command))
		return print_result(help_print(command));
	if (line_has(line, OPTION(VERSION)) && !line_has(line, OPTION(HELP)))
		return print_result(version_print());
	return -1;
}

static int run_line(int argc, char *const *argv, struct arena *arena)
{
	const struct command *command = NULL;
	struct command_line line;
	struct session session;
	struct error error = {0};
	int r = options_parse(argc, argv, arena, &line, &error);
	int status = -1;

	if (r == 0) {
		resolve_help(&line);
		status = print_help(&line);
	}
	if (r == 0 && status < 0)
		r = command_of_line(&line, &command, &error);
	if (status >= 0)
		return status;
	session_init(&session, command, &line, arena);
	status = r < 0 ? session_fail(&session, &error) : command->run(&session);
	session_done(&session);
	return status;
}

int program_run(int argc, char *const *argv)
{
	struct arena arena;
	int status;

	arena_init(&arena);
	status = run_line(argc, argv, &arena);
	arena_done(&arena);
	return status;
}
