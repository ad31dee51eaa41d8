/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals while the kernel's state is half changed (sigaction(2)): what a lost terminal or a
 * reader that went away sends is ignored; SIGINT and SIGTERM are noted, and the executor ends after
 * the running step.
 */
#include "engine/execute.h"

#include <errno.h>
#include <signal.h>

static const int ignored[] = {SIGHUP, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU,
	/* a file size limit: the append must fail, not the process */
	SIGXFSZ};
static const int noted[] = {SIGINT, SIGTERM};

static struct sigaction saved_ignored[ARRAY_SIZE(ignored)];
static struct sigaction saved_noted[ARRAY_SIZE(noted)];
static bool held;
static volatile sig_atomic_t pending;

static void note_signal(int number)
{
	pending = 1;
}

void signals_hold(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction note = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	if (held)
		return;
	held = true;
	pending = 0;
	sigemptyset(&ignore.sa_mask);
	sigemptyset(&note.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		sigaction(ignored[i], &ignore, &saved_ignored[i]);
	for (size_t i = 0; i < ARRAY_SIZE(noted); i++) {
		sigaction(noted[i], &note, &saved_noted[i]);
		/* A shell's background job has SIGINT ignored: the terminal's Ctrl-C is not meant
		 * for it. */
		if (saved_noted[i].sa_handler == SIG_IGN)
			sigaction(noted[i], &saved_noted[i], NULL);
	}
}

void signals_release(void)
{
	if (!held)
		return;
	held = false;
	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		sigaction(ignored[i], &saved_ignored[i], NULL);
	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		sigaction(noted[i], &saved_noted[i], NULL);
}

void signals_forget(void)
{
	pending = 0;
}

bool signals_pending(void)
{
	return pending;
}
