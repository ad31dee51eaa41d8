/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmocka with what it wants before it.
 */
#ifndef NETTUNE_TESTS_TEST_H
#define NETTUNE_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
