/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of commands, and whether a command line fits the row of its command.
 */
#include "cmd/command.h"

#include "util/numbers.h"

#include <errno.h>
#include <string.h>

const struct command *const commands[] = {
	&command_list,
	&command_show,
	&command_check,
	&command_plan,
	&command_apply,
	&command_verify,
	&command_rollback,
	&command_history,
	&command_status,
	&command_forget,
	NULL,
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name, struct error *error)
{
	const char *words[ARRAY_SIZE(commands) + 1] = {"help"};
	const char *near;

	for (size_t i = 0; commands[i]; i++)
		words[i + 1] = commands[i]->name;
	near = nearest_word(name, words);
	if (near)
		return error_set(error, ERROR_USAGE, EINVAL,
			"unknown command \"%s\"; did you mean \"%s\"?", name, near);
	return error_set(error, ERROR_USAGE, EINVAL,
		"unknown command \"%s\"; nettune --help lists them", name);
}

static int check_options(
	const struct command *command, const struct command_line *line, struct error *error)
{
	const uint64_t refused = line->given & ~(command->options | OPTIONS_COMMON);

	for (unsigned i = 0; i < OPTION_MAX; i++)
		if (refused & (UINT64_C(1) << i))
			return error_set(error, ERROR_USAGE, EINVAL,
				"nettune %s does not take --%s", command->name,
				option_rows[i].name);
	return 0;
}

static int check_operands(
	const struct command *command, const struct command_line *line, struct error *error)
{
	if (line->noperands < command->min_operands)
		return error_set(error, ERROR_USAGE, EINVAL, "nettune %s needs %s", command->name,
			command->operands);
	if (line->noperands > command->max_operands)
		return error_set(error, ERROR_USAGE, EINVAL,
			"nettune %s: \"%s\" is one argument too many", command->name,
			line->operands[command->max_operands]);
	return 0;
}

int command_of_line(
	const struct command_line *line, const struct command **ret, struct error *error)
{
	int r;

	*ret = NULL;
	if (!line->command)
		return error_set(
			error, ERROR_USAGE, EINVAL, "name a command; nettune --help lists them");
	*ret = command_find(line->command);
	if (!*ret)
		return unknown_command(line->command, error);
	if (line_has(line, OPTION(HELP)))
		return 0;
	r = check_options(*ret, line, error);
	return r < 0 ? r : check_operands(*ret, line, error);
}
