/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Talk on stderr: which level says what, and that nothing reaches a terminal unescaped.
 */
#include "util/log.h"

#include "unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static char spoken[20000];

/* Says one of each; what came out on stderr is in `spoken`. */
static void speak(enum log_level level, const char *text)
{
	int saved = dup(STDERR_FILENO), fds[2];
	ssize_t n;

	assert_true(saved >= 0);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(dup2(fds[1], STDERR_FILENO), STDERR_FILENO);
	log_set_level(level);
	errno = ENOENT;
	log_error("error %s", text);
	log_info("info");
	log_verbose("verbose");
	log_debug("debug");
	assert_int_equal(errno, ENOENT);
	assert_int_equal(dup2(saved, STDERR_FILENO), STDERR_FILENO);
	close(saved);
	close(fds[1]);
	n = read(fds[0], spoken, sizeof(spoken) - 1);
	close(fds[0]);
	assert_true(n >= 0);
	spoken[n] = '\0';
	log_set_level(LOG_LEVEL_NORMAL);
}

static void levels(void **state)
{
	assert_int_equal(log_get_level(), LOG_LEVEL_NORMAL);
	speak(LOG_LEVEL_QUIET, "1");
	assert_string_equal(spoken, "nettune: error 1\n");
	speak(LOG_LEVEL_NORMAL, "1");
	assert_string_equal(spoken, "nettune: error 1\ninfo\n");
	speak(LOG_LEVEL_VERBOSE, "1");
	assert_string_equal(spoken, "nettune: error 1\ninfo\nverbose\n");
	speak(LOG_LEVEL_DEBUG, "1");
	assert_string_equal(spoken, "nettune: error 1\ninfo\nverbose\ndebug\n");
}

static void controls_are_shown(void **state)
{
	speak(LOG_LEVEL_QUIET, "a\x1b[2Jb\r\tc\n\xc3\xa4 \xc2\x9b d\x7f");
	assert_string_equal(
		spoken, "nettune: error a\\x1b[2Jb\\x0d\tc\n\xc3\xa4 \xc2\\x9b d\\x7f\n");
}

static void long_texts_are_cut(void **state)
{
	char text[5000];

	memset(text, '\a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	speak(LOG_LEVEL_QUIET, text);
	assert_string_equal(spoken + strlen(spoken) - 5, "\\x07\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels),
		cmocka_unit_test(controls_are_shown),
		cmocka_unit_test(long_texts_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
