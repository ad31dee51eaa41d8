/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding, reading and parsing the profiles of a command.
 */
#ifndef NETTUNE_CMD_LOAD_H
#define NETTUNE_CMD_LOAD_H

#include "cmd/session.h"

/*
 * /etc/nettune/nettune.yaml into session->config, if it is there. A mistake in it is a finding;
 * where the command does not need it, one that can't be read is only warned of.
 */
int load_config(struct session *session, bool needed, struct error *error);
/* The profiles that the command line names, else those of nettune.yaml, into session->profiles
 * and session->report. All mistakes of all files are findings. */
int load_profiles(struct session *session, struct error *error);
/* One profile file, found, read and parsed; mistakes go to diags. */
int load_profile(
	struct session *session, const char *word, struct diags *diags, struct profile **ret);
int load_profile_file(struct session *session, const char *path, bool is_explicit,
	struct diags *diags, struct profile **ret);

#endif
