/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Help from the tables of commands and options, 80 columns wide at most.
 */
#include "cmd/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define COMMAND_COLUMN 25
#define OPTION_COLUMN  27

static void print_option(FILE *out, const struct option_row *row)
{
	char left[40];
	char letter[] = {'-', row->letter, ',', '\0'};

	snprintf(left, sizeof(left), "  %-3s --%s%s%s", row->letter ? letter : "", row->name,
		row->argument ? " " : "", row->argument ? row->argument : "");
	fprintf(out, "%-*s %s\n", OPTION_COLUMN - 1, left, row->doc);
}

static void print_options(FILE *out, uint64_t options)
{
	for (unsigned i = 0; i < OPTION_MAX; i++)
		if (options & (UINT64_C(1) << i))
			print_option(out, &option_rows[i]);
}

static void print_overview(FILE *out)
{
	char left[40];

	fputs("Usage: nettune COMMAND [OPTION...] [ARGUMENT...]\n\n"
	      "Shows what a network tuning profile would change, changes it in the right\n"
	      "order, proves that it took, and can put everything back.\n\n"
	      "Commands:\n",
		out);
	for (size_t i = 0; commands[i]; i++) {
		snprintf(left, sizeof(left), "  %s %s", commands[i]->name, commands[i]->operands);
		fprintf(out, "%-*s %s\n", COMMAND_COLUMN - 1, left, commands[i]->summary);
	}
	fputs("\nOptions of all commands:\n", out);
	print_options(out, OPTIONS_COMMON);
	fputs("\n\"nettune help COMMAND\" tells more, nettune(8) everything.\n", out);
}

static void print_command(FILE *out, const struct command *command)
{
	fprintf(out, "Usage: nettune %s [OPTION...]%s%s\n\n%s.\n%s\n", command->name,
		*command->operands ? " " : "", command->operands, command->summary,
		command->details);
	if (command->options) {
		fputs("\nOptions:\n", out);
		print_options(out, command->options);
	}
	fputs("\nOptions of all commands:\n", out);
	print_options(out, OPTIONS_COMMON);
}

static int finish(FILE *out)
{
	return fflush(out) == 0 && !ferror(out) ? 0 : errno ? -errno : -EIO;
}

int help_print(const struct command *command)
{
	if (command)
		print_command(stdout, command);
	else
		print_overview(stdout);
	return finish(stdout);
}

int version_print(void)
{
	printf("nettune %s\n", NETTUNE_VERSION);
	return finish(stdout);
}
