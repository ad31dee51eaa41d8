/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about the machine and its links: filled by src/kernel/, matched by src/profile/, written
 * into the journal by src/engine/.
 */
#ifndef NETTUNE_CORE_HOST_H
#define NETTUNE_CORE_HOST_H

#include "util/cpuset.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum link_fact {
	LINK_DRIVER = 1,
	LINK_BUS = 2,
	LINK_SPEED = 4,
	LINK_MAX_SPEED = 8,
	LINK_NODE = 16
};

/* What a link that is up does for those above it. */
enum service {
	SERVICE_CARRIER = 1,
	SERVICE_BOND = 2,    /* its bond counts it as up */
	SERVICE_LACP = 4,    /* 802.3ad: it is collecting and distributing, */
	SERVICE_PARTNER = 8, /* and so is the partner */
	SERVICE_BRIDGE = 16  /* its bridge forwards */
};

struct link {
	int ifindex; /* 0 = known from the journal only, gone from the host */
	const char *name;
	const char *type; /* "physical" (a device behind it), else rtnetlink's kind: "veth", "bond",
			       "bridge", "vlan", "macvlan", "tun", "dummy"; "loopback"; "virtual" */
	const char
		*driver; /* "igb"; for links without device ethtool's name; NULL = none, not read */
	const char *bus; /* bus address "0000:00:03.0", NULL = none or not read */
	uint8_t mac[6], perm_mac[6];    /* all zero = none */
	uint32_t mtu, mtu_min, mtu_max; /* bytes; max 0 = not told */
	int master, lower; /* ifindex, 0 = none; lower 0 also if it is in another namespace */
	int node;          /* NUMA node, -1 = none or not known */
	uint64_t speed, max_speed; /* bit/s, 0 = unknown; max_speed: of the supported link modes */
	bool up;                   /* IFF_UP */
	bool carrier;              /* IFF_LOWER_UP */
	bool idle; /* a port by which its bond or bridge sends nothing now: down, backup, blocking */
	unsigned service;     /* enum service bits */
	bool xdp;             /* the driver runs an XDP program (IFLA_XDP); not the generic hook */
	uint32_t xdp_program; /* its number, 0 = not told */
	const char *qdisc;    /* name, of each transmit queue where there are several; NULL =
				      none or not read */
	bool masked; /* down, with interrupts whose CPUs somebody chose; read with its channels */
	unsigned known; /* enum link_fact bits read so far */
};

struct host {
	const char *name;   /* host name */
	const char *kernel; /* release */
	const char *boot_id;
	uint64_t netns;                 /* cookie, else inode, of the network namespace */
	uint64_t ram;                   /* bytes */
	unsigned nr_cpu_ids;            /* highest possible CPU number + 1: the width of masks */
	struct cpuset online, isolated; /* isolated: isolcpus= and nohz_full= */
	struct cpuset *node_cpus;       /* [nnodes], online or not */
	size_t nnodes;
	struct link **links; /* ascending ifindex */
	size_t nlinks;
};

struct link *host_link(const struct host *host, int ifindex);              /* NULL if none */
struct link *host_link_by_name(const struct host *host, const char *name); /* NULL if none */
/* A bond, team or bridge: its ports have it as their master. */
bool link_takes_ports(const struct link *link);
/* The bond, team or bridge that the link is a port of, or NULL. */
struct link *host_port_of(const struct host *host, const struct link *link);
/* Online, non-isolated CPUs of the link's NUMA node; of the machine if it has none or none there. */
void host_local_cpus(const struct host *host, const struct link *link, struct cpuset *ret);

#endif
