/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program as main() sees it.
 */
#ifndef NETTUNE_CMD_PROGRAM_H
#define NETTUNE_CMD_PROGRAM_H

/* Makes the process safe to work in: descriptors 0 to 2 are open, a lost reader is an error. */
void program_prepare(void);
/* Reads the command line, runs the command, reports; the exit status. */
int program_run(int argc, char *const *argv);

#endif
