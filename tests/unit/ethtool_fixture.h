/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of single ethtool kinds: one link, a state or model, and a fake kernel behind them, new
 * for each test.
 */
#ifndef NETTUNE_TESTS_ETHTOOL_FIXTURE_H
#define NETTUNE_TESTS_ETHTOOL_FIXTURE_H

#include "unit/ethtool_fake.h"

#ifndef FIXTURE_DRIVER
#define FIXTURE_DRIVER "igb"
#endif

static struct link eth0;
UNUSED static const struct target whole = {.link = &eth0};

static struct arena arena;
static struct state state;
static struct ethtool_fake fake;
static struct kernel kernel;

static int setup(void **unused)
{
	arena_init(&arena);
	state = (struct state){.arena = &arena};
	fake_open(&fake, &kernel, &arena, true);
	eth0 = (struct link){.ifindex = 7, .name = "eth0", .driver = FIXTURE_DRIVER, .up = true};
	return 0;
}

static int teardown(void **unused)
{
	buffer_free(&kernel.reply);
	arena_done(&arena);
	return 0;
}

#endif
