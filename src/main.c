/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune: from argv to an exit status.
 */
#include "cmd/program.h"

int main(int argc, char **argv)
{
	program_prepare();
	return program_run(argc, argv);
}
