/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of answers (core/answer.h): JSON Lines both ways. The first line has "format":
 * "nettune-answers/1", each further one is an answer; values are pairs of type and text, strings as
 * in journals.
 */
#ifndef NETTUNE_FORMAT_ANSWERS_H
#define NETTUNE_FORMAT_ANSWERS_H

#include "core/answer.h"

#define ANSWERS_FORMAT "nettune-answers/1"

/* One line each with its newline, malloc'ed; NULL when out of memory. */
char *answers_header_line(void);
char *answer_line(const struct answer *answer);
/* A whole file. ERROR_DATA with "line N: " where it is none; *ret is empty then. */
int answers_parse(const char *text, size_t length, struct answers *ret, struct error *error);

#endif
