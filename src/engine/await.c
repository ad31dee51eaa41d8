/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links that were reset, and what they did before: an ordinary link had carrier; a port was up for
 * its bond, in 802.3ad collecting and distributing as its partner was; its bridge forwarded.
 */
#include "engine/await.h"

#include "engine/execute.h"

#include <errno.h>
#include <string.h>

/* What can be told from another port. */
#define OF_BOND (SERVICE_BOND | SERVICE_LACP | SERVICE_PARTNER)

int await_note(struct run *run)
{
	const struct host *host = &run->host;

	if (run->serving)
		return 0;
	run->serving = ARENA_ARRAY(run->arena, host->nlinks + 1, struct serving);
	if (!run->serving)
		return -ENOMEM;
	for (size_t i = 0; i < host->nlinks; i++) {
		struct link *link = host->links[i];

		run->serving[run->nserving++] = (struct serving){
			.link = link, .service = link->service};
	}
	return 0;
}

static struct serving *find(const struct run *run, const struct link *link)
{
	for (size_t i = 0; i < run->nserving; i++) {
		if (run->serving[i].link == link)
			return &run->serving[i];
	}
	return NULL;
}

static struct wait wait_for(const struct run *run, unsigned service)
{
	return (struct wait){
		.service = service,
		.carrier_ms = run->options->carrier_timeout_ms,
		.service_ms = run->options->service_timeout_ms,
		.is_over = signals_pending,
	};
}

void await_expect(struct run *run, struct link *link)
{
	struct serving *serving = find(run, link);
	struct wait wait;

	if (!serving || !link->ifindex || !link->up)
		return;
	serving->service |= SERVICE_CARRIER;
	for (size_t i = 0; link->master && i < run->nserving; i++) {
		if (run->serving[i].link->master == link->master)
			serving->service |= run->serving[i].service & OF_BOND;
	}
	wait = wait_for(run, serving->service);
	kernel_wait_service(&run->kernel, link, &wait);
}

static const char *complaint(const struct run *run, const struct link *link, unsigned missing)
{
	const struct link *master = host_link(&run->host, link->master);
	const char *name = master ? master->name : "its master";

	if (missing & SERVICE_CARRIER)
		return "no carrier";
	if (missing & SERVICE_BOND)
		return arena_printf(run->arena, "not up in %s", name);
	if (missing & SERVICE_LACP)
		return arena_printf(run->arena, "not collecting and distributing in %s", name);
	if (missing & SERVICE_PARTNER)
		return arena_printf(
			run->arena, "its partner does not collect and distribute in %s", name);
	return arena_printf(run->arena, "not forwarding in %s", name);
}

static int await_one(
	struct run *run, const struct serving *serving, bool going_back, struct error *error)
{
	const struct wait wait = wait_for(run, serving->service);
	struct link *link = serving->link;
	const char *text;
	int r;

	if (!serving->service || !link->ifindex)
		return 0;
	r = kernel_wait_service(&run->kernel, link, &wait);
	if (r == 0 || (r == -EINTR && !going_back))
		return 0;
	text = complaint(run, link, serving->service & ~link->service);
	if (r == -ETIMEDOUT)
		return error_set(error, ERROR_FAILED, ETIMEDOUT, "%s: %s %u ms after the change",
			link->name, text, wait_limit(link, &wait));
	if (r == -EINTR)
		return error_set(error, ERROR_FAILED, EINTR, "%s: %s when a signal ended the wait",
			link->name, text);
	return error_set(error, ERROR_FAILED, -r, "%s: %s", link->name, strerror(-r));
}

/* A bond that gets another MTU resets its ports, and a port may be a bond. */
static bool is_part_of(const struct run *run, const struct link *link, const struct link *whole)
{
	size_t depth = 0;

	while (link && link != whole && depth++ < run->host.nlinks)
		link = host_port_of(&run->host, link);
	return link == whole;
}

int await_link(struct run *run, const struct link *link, bool going_back, struct error *error)
{
	int failed = 0;

	for (size_t i = 0; i < run->nserving; i++) {
		struct serving *serving = &run->serving[i];
		struct error late;
		int r;

		if (!is_part_of(run, serving->link, link))
			continue;
		r = await_one(run, serving, going_back, &late);
		if (r < 0 && !failed) {
			failed = r;
			*error = late;
		}
		if (r < 0 && going_back)
			serving->late = arena_strdup(run->arena, late.msg);
	}
	return failed;
}

bool await_is_late(const struct serving *serving)
{
	return serving->late && serving->link->ifindex &&
	       (serving->service & ~serving->link->service) != 0;
}
