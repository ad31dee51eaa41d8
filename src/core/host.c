/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking things up among the facts about the machine.
 */
#include "core/host.h"

#include "util/macros.h"

#include <string.h>

struct link *host_link(const struct host *host, int ifindex)
{
	size_t low = 0, high = host->nlinks;

	if (ifindex <= 0)
		return NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (host->links[middle]->ifindex < ifindex)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < host->nlinks && host->links[low]->ifindex == ifindex)
		return host->links[low];
	return NULL;
}

struct link *host_link_by_name(const struct host *host, const char *name)
{
	for (size_t i = 0; i < host->nlinks; i++) {
		if (strcmp(host->links[i]->name, name) == 0)
			return host->links[i];
	}
	return NULL;
}

bool link_takes_ports(const struct link *link)
{
	static const char *const types[] = {"bond", "bridge", "team"};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (link->type && strcmp(link->type, types[i]) == 0)
			return true;
	}
	return false;
}

struct link *host_port_of(const struct host *host, const struct link *link)
{
	struct link *master = host_link(host, link->master);

	return master && link_takes_ports(master) ? master : NULL;
}

void host_local_cpus(const struct host *host, const struct link *link, struct cpuset *ret)
{
	struct cpuset local;

	*ret = host->online;
	cpuset_subtract(ret, &host->isolated);
	if (cpuset_is_empty(ret)) /* nothing is left to prefer over the isolated ones */
		*ret = host->online;
	if (!link || link->node < 0 || (size_t)link->node >= host->nnodes)
		return;
	local = host->node_cpus[link->node];
	cpuset_and(&local, ret);
	if (!cpuset_is_empty(&local))
		*ret = local;
}
