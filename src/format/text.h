/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts of unknown origin: their UTF-8, their width, and how they are made harmless. Interface
 * names, sysctl values and the kernel's messages may hold any byte but NUL.
 */
#ifndef NETTUNE_FORMAT_TEXT_H
#define NETTUNE_FORMAT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the UTF-8 sequence at `text` and its code point; 0 if there is none (also for overlong
 * forms and surrogates). */
size_t utf8_decode(const char *text, uint32_t *ret_code);
/* A character that shows itself and moves nothing: no control, nothing invisible. */
bool utf8_is_harmless(uint32_t code);
/* Columns on a terminal, one a code point: names of links and keys are narrow. */
size_t text_width(const char *text);

#endif
