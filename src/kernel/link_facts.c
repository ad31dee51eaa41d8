/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the device behind a link is: driver, bus address, NUMA node (Documentation/ABI/testing/
 * sysfs-class-net), present and greatest speed (ETHTOOL_MSG_LINKMODES_GET, ETHTOOL_GLINKSETTINGS).
 */
#include "kernel/ethtool.h"

#include "kernel/ethnl.h"
#include "util/macros.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <stdio.h>
#include <string.h>

#define MBIT 1000000ULL

static void link_path(char *ret, size_t size, const struct link *link, const char *name)
{
	snprintf(ret, size, "class/net/%s/%s", link->name, name);
}

/* The driver of the device; without one, what the link calls its driver ("veth", "bonding"). */
static void read_driver(struct kernel *kernel, struct link *link)
{
	const char *driver, *bus;
	char path[128];

	link_path(path, sizeof(path), link, "device/driver");
	link->driver = NULL;
	if (file_link_name(kernel, DIR_SYS, path, &link->driver) == 0)
		return;
	if (ethtool_driver_info(kernel, link, &driver, &bus) == 0 && driver[0])
		link->driver = driver;
}

static bool is_virtio(struct kernel *kernel, const struct link *link)
{
	const char *subsystem;
	char path[128];

	link_path(path, sizeof(path), link, "device/subsystem");
	return file_link_name(kernel, DIR_SYS, path, &subsystem) == 0 &&
	       strcmp(subsystem, "virtio") == 0;
}

void link_device_path(
	struct kernel *kernel, const struct link *link, const char *name, char *ret, size_t size)
{
	snprintf(ret, size, "class/net/%s/device/%s%s", link->name,
		is_virtio(kernel, link) ? "../" : "", name);
}

/* The address from the uevent file of the PCI device above; NULL for virtio on another bus. */
static const char *pci_slot(struct kernel *kernel, const struct link *link)
{
	static const char name[] = "PCI_SLOT_NAME=";
	const char *text, *slot;
	char path[128];

	link_device_path(kernel, link, "uevent", path, sizeof(path));
	if (file_read_text(kernel, DIR_SYS, path, &text) < 0)
		return NULL;
	slot = strstr(text, name);
	if (!slot)
		return NULL;
	slot += strlen(name);
	return arena_strndup(kernel->arena, slot, strcspn(slot, "\n"));
}

static void read_bus(struct kernel *kernel, struct link *link)
{
	char path[128];

	link->bus = is_virtio(kernel, link) ? pci_slot(kernel, link) : NULL;
	if (link->bus)
		return;
	link_path(path, sizeof(path), link, "device");
	file_link_name(kernel, DIR_SYS, path, &link->bus);
}

static void read_node(struct kernel *kernel, struct link *link)
{
	char path[128];
	int64_t node;

	link_device_path(kernel, link, "numa_node", path, sizeof(path));
	link->node = -1;
	if (file_read_number(kernel, DIR_SYS, path, &node) == 0 && node >= 0 && node <= INT32_MAX)
		link->node = (int)node;
}

/* "10000baseT/Full" is 10 Gbit/s; "Autoneg", "FIBRE" and the like are no speeds. */
static uint64_t mode_speed(const char *name)
{
	char *end;
	unsigned long number = strtoul(name, &end, 10);

	return end > name && strncmp(end, "base", 4) == 0 ? number * MBIT : 0;
}

static void set_speed(struct link *link, uint32_t mbits)
{
	/* SPEED_UNKNOWN is -1; a link that is down shows the last speed or none. */
	link->speed = link->up && mbits <= INT32_MAX ? mbits * MBIT : 0;
}

/* A bitset that is not compact lists the modes that are supported, whether advertised or not. */
static void read_modes(const struct nlattr *ours, struct link *link)
{
	const struct nlattr *bits = ours ? nest_find(ours, ETHTOOL_A_BITSET_BITS) : NULL, *bit;

	if (!bits)
		return;
	nl_for_each(bit, mnl_attr_get_payload(bits), nl_nest_end(bits)) {
		const struct nlattr *name = nest_find(bit, ETHTOOL_A_BITSET_BIT_NAME);

		if (!name || mnl_attr_validate(name, MNL_TYPE_NUL_STRING) < 0)
			continue;
		link->max_speed = MAX(link->max_speed, mode_speed(mnl_attr_get_str(name)));
	}
}

static void speeds_by_netlink(struct kernel *kernel, struct link *link)
{
	const struct nlattr *tb[ETHTOOL_A_LINKMODES_SPEED + 1];

	if (ethnl_get(kernel, ETHTOOL_MSG_LINKMODES_GET, link, 0, tb, ARRAY_SIZE(tb), NULL) < 0)
		return;
	if (tb[ETHTOOL_A_LINKMODES_SPEED])
		set_speed(link, nl_u32(tb[ETHTOOL_A_LINKMODES_SPEED]));
	read_modes(tb[ETHTOOL_A_LINKMODES_OURS], link);
}

/* The ioctl knows modes by number only. Ranges of ETHTOOL_LINK_MODE_*_BIT, in their order. */
static const struct {
	uint8_t first, last;
	uint32_t mbits;
} modes[] = {
	{ETHTOOL_LINK_MODE_10baseT_Half_BIT, ETHTOOL_LINK_MODE_10baseT_Full_BIT, 10},
	{ETHTOOL_LINK_MODE_100baseT_Half_BIT, ETHTOOL_LINK_MODE_100baseT_Full_BIT, 100},
	{ETHTOOL_LINK_MODE_1000baseT_Half_BIT, ETHTOOL_LINK_MODE_1000baseT_Full_BIT, 1000},
	{ETHTOOL_LINK_MODE_10000baseT_Full_BIT, ETHTOOL_LINK_MODE_10000baseT_Full_BIT, 10000},
	{ETHTOOL_LINK_MODE_2500baseX_Full_BIT, ETHTOOL_LINK_MODE_2500baseX_Full_BIT, 2500},
	{ETHTOOL_LINK_MODE_1000baseKX_Full_BIT, ETHTOOL_LINK_MODE_1000baseKX_Full_BIT, 1000},
	{ETHTOOL_LINK_MODE_10000baseKX4_Full_BIT, ETHTOOL_LINK_MODE_10000baseR_FEC_BIT, 10000},
	{ETHTOOL_LINK_MODE_20000baseMLD2_Full_BIT, ETHTOOL_LINK_MODE_20000baseKR2_Full_BIT, 20000},
	{ETHTOOL_LINK_MODE_40000baseKR4_Full_BIT, ETHTOOL_LINK_MODE_40000baseLR4_Full_BIT, 40000},
	{ETHTOOL_LINK_MODE_56000baseKR4_Full_BIT, ETHTOOL_LINK_MODE_56000baseLR4_Full_BIT, 56000},
	{ETHTOOL_LINK_MODE_25000baseCR_Full_BIT, ETHTOOL_LINK_MODE_25000baseSR_Full_BIT, 25000},
	{ETHTOOL_LINK_MODE_50000baseCR2_Full_BIT, ETHTOOL_LINK_MODE_50000baseKR2_Full_BIT, 50000},
	{ETHTOOL_LINK_MODE_100000baseKR4_Full_BIT, ETHTOOL_LINK_MODE_100000baseLR4_ER4_Full_BIT,
		100000},
	{ETHTOOL_LINK_MODE_50000baseSR2_Full_BIT, ETHTOOL_LINK_MODE_50000baseSR2_Full_BIT, 50000},
	{ETHTOOL_LINK_MODE_1000baseX_Full_BIT, ETHTOOL_LINK_MODE_1000baseX_Full_BIT, 1000},
	{ETHTOOL_LINK_MODE_10000baseCR_Full_BIT, ETHTOOL_LINK_MODE_10000baseER_Full_BIT, 10000},
	{ETHTOOL_LINK_MODE_2500baseT_Full_BIT, ETHTOOL_LINK_MODE_2500baseT_Full_BIT, 2500},
	{ETHTOOL_LINK_MODE_5000baseT_Full_BIT, ETHTOOL_LINK_MODE_5000baseT_Full_BIT, 5000},
	{ETHTOOL_LINK_MODE_50000baseKR_Full_BIT, ETHTOOL_LINK_MODE_50000baseDR_Full_BIT, 50000},
	{ETHTOOL_LINK_MODE_100000baseKR2_Full_BIT, ETHTOOL_LINK_MODE_100000baseDR2_Full_BIT,
		100000},
	{ETHTOOL_LINK_MODE_200000baseKR4_Full_BIT, ETHTOOL_LINK_MODE_200000baseCR4_Full_BIT,
		200000},
	{ETHTOOL_LINK_MODE_100baseT1_Full_BIT, ETHTOOL_LINK_MODE_100baseT1_Full_BIT, 100},
	{ETHTOOL_LINK_MODE_1000baseT1_Full_BIT, ETHTOOL_LINK_MODE_1000baseT1_Full_BIT, 1000},
	{ETHTOOL_LINK_MODE_400000baseKR8_Full_BIT, ETHTOOL_LINK_MODE_400000baseCR8_Full_BIT,
		400000},
	{ETHTOOL_LINK_MODE_100000baseKR_Full_BIT, ETHTOOL_LINK_MODE_100000baseDR_Full_BIT, 100000},
	{ETHTOOL_LINK_MODE_200000baseKR2_Full_BIT, ETHTOOL_LINK_MODE_200000baseCR2_Full_BIT,
		200000},
	{ETHTOOL_LINK_MODE_400000baseKR4_Full_BIT, ETHTOOL_LINK_MODE_400000baseCR4_Full_BIT,
		400000},
	{ETHTOOL_LINK_MODE_100baseFX_Half_BIT, ETHTOOL_LINK_MODE_100baseFX_Full_BIT, 100},
	{ETHTOOL_LINK_MODE_10baseT1L_Full_BIT, ETHTOOL_LINK_MODE_10baseT1L_Full_BIT, 10},
};

static uint64_t mode_bit_speed(unsigned bit)
{
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (bit >= modes[i].first && bit <= modes[i].last)
			return modes[i].mbits * MBIT;
	return 0;
}

/* The kernel tells the number of mask words to a first call that asks with another number. */
static void speeds_by_ioctl(struct kernel *kernel, struct link *link)
{
	const struct ethtool_link_settings ask = {.cmd = ETHTOOL_GLINKSETTINGS};
	/* Three masks of at most INT8_MAX words: supported, advertised, of the peer. */
	size_t size = sizeof(ask) + sizeof(uint32_t) * 3 * INT8_MAX;
	struct ethtool_link_settings *request CLEANUP_FREE = calloc(1, size);
	int nwords;

	if (!request)
		return;
	*request = ask;
	if (ethtool_ioctl(kernel, link, request, size, NULL) < 0)
		return;
	nwords = -request->link_mode_masks_nwords;
	if (nwords <= 0)
		return;
	*request = ask;
	request->link_mode_masks_nwords = (int8_t)nwords;
	if (ethtool_ioctl(kernel, link, request, size, NULL) < 0)
		return;
	set_speed(link, request->speed);
	for (unsigned bit = 0; bit < (unsigned)nwords * 32; bit++)
		if (request->link_mode_masks[bit / 32] >> (bit % 32) & 1)
			link->max_speed = MAX(link->max_speed, mode_bit_speed(bit));
}

static void read_speeds(struct kernel *kernel, struct link *link)
{
	char path[128];
	int64_t mbits;

	link->speed = link->max_speed = 0;
	if (ethnl_has(kernel, ETHTOOL_MSG_LINKMODES_GET))
		speeds_by_netlink(kernel, link);
	else
		speeds_by_ioctl(kernel, link);
	link_path(path, sizeof(path), link, "speed");
	if (!link->speed && link->up && file_read_number(kernel, DIR_SYS, path, &mbits) == 0 &&
		mbits > 0)
		set_speed(link, (uint32_t)MIN(mbits, INT32_MAX));
	/* Devices that list no modes have one speed (virtual functions, paravirtual NICs). */
	if (!link->max_speed)
		link->max_speed = link->speed;
}

int kernel_link_facts(struct kernel *kernel, struct link *link, unsigned facts, struct error *error)
{
	unsigned missing = facts & ~link->known;

	if (missing & LINK_DRIVER)
		read_driver(kernel, link);
	if (missing & LINK_BUS)
		read_bus(kernel, link);
	if (missing & LINK_NODE)
		read_node(kernel, link);
	if (missing & (LINK_SPEED | LINK_MAX_SPEED)) {
		read_speeds(kernel, link);
		link->known |= LINK_SPEED | LINK_MAX_SPEED;
	}
	link->known |= missing;
	if (arena_failed(kernel->arena))
		return error_no_memory(error);
	return 0;
}
