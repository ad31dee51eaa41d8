/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The match of a rule as it stands in the file. What is in it is evaluated by match.c.
 */
#include "profile/binder.h"
#include "profile/scalar.h"
#include "profile/words.h"

#include "util/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* link->type of what kernels of these days can make; others are let pass with a warning. */
static const char *const known_kinds[] = {"physical", "loopback", "virtual", "bareudp", "batadv",
	"bond", "bridge", "can", "dsa", "dummy", "erspan", "geneve", "gre", "gretap", "gtp", "hsr",
	"ifb", "ip6erspan", "ip6gre", "ip6gretap", "ip6tnl", "ipip", "ipoib", "ipvlan", "ipvtap",
	"macsec", "macvlan", "macvtap", "netdevsim", "netkit", "nlmon", "openvswitch", "ovpn",
	"rmnet", "sit", "team", "tun", "vcan", "veth", "vlan", "vrf", "vti", "vti6", "vxcan",
	"vxlan", "wireguard", "wwan", "xfrm", NULL};

static void bind_names(const struct binder *b, const struct node *node, struct match *ret)
{
	if (!scalar_texts(&b->reader, node, "name", &ret->names))
		return;
	for (const char *const *name = ret->names; *name; name++)
		ret->exact_name |= strpbrk(*name, "*?[") == NULL;
}

static void bind_drivers(const struct binder *b, const struct node *node, struct match *ret)
{
	scalar_texts(&b->reader, node, "driver", &ret->drivers);
}

/* aa:bb:cc:dd:ee:ff, also in capitals and with dashes. */
static const char *mac_canonical(struct arena *arena, const char *text)
{
	char mac[] = "00:00:00:00:00:00";

	if (strlen(text) != sizeof(mac) - 1)
		return NULL;
	for (size_t i = 0; i < sizeof(mac) - 1; i++) {
		if (i % 3 == 2 ? text[i] != text[2] : !isxdigit((unsigned char)text[i]))
			return NULL;
		if (i % 3 != 2)
			mac[i] = (char)tolower((unsigned char)text[i]);
	}
	return text[2] == ':' || text[2] == '-' ? arena_strdup(arena, mac) : NULL;
}

/* What scalar_texts() has read, node by node. */
static const struct node *first_item(const struct node *node)
{
	return node->type == NODE_SEQUENCE ? node->first : node;
}

static size_t count_items(const struct node *node)
{
	return node->type == NODE_SEQUENCE ? node->n : 1;
}

static void bind_macs(const struct binder *b, const struct node *node, struct match *ret)
{
	const char **macs = ARENA_ARRAY(b->reader.arena, count_items(node) + 1, const char *);
	const struct node *item = first_item(node);

	if (!macs || !scalar_texts(&b->reader, node, "mac", &ret->macs))
		return;
	for (size_t i = 0; ret->macs[i]; i++, item = item->next) {
		macs[i] = mac_canonical(b->reader.arena, ret->macs[i]);
		if (!macs[i])
			reader_error(&b->reader, &item->pos, "bad-value",
				"as in mac: \"52:54:00:12:34:56\"", "\"%s\" is no MAC address",
				ret->macs[i]);
	}
	ret->macs = macs;
}

/* "03:00.0" as lspci shows it, without the PCI domain. */
static bool is_short_pci(const char *text)
{
	unsigned bus, device, function;
	int length = 0;

	return strlen(text) == 7 && text[2] == ':' && text[5] == '.' &&
	       sscanf(text, "%2x:%2x.%1x%n", &bus, &device, &function, &length) == 3 && length == 7;
}

static void bind_buses(const struct binder *b, const struct node *node, struct match *ret)
{
	const char **buses = ARENA_ARRAY(b->reader.arena, count_items(node) + 1, const char *);

	if (!buses || !scalar_texts(&b->reader, node, "bus", &ret->buses))
		return;
	for (size_t i = 0; ret->buses[i]; i++)
		buses[i] = is_short_pci(ret->buses[i])
				   ? arena_printf(b->reader.arena, "0000:%s", ret->buses[i])
				   : ret->buses[i];
	ret->buses = buses;
}

static void bind_kinds(const struct binder *b, const struct node *node, struct match *ret)
{
	const struct node *item = first_item(node);

	if (!scalar_texts(&b->reader, node, "kind", &ret->kinds))
		return;
	for (; item; item = node->type == NODE_SEQUENCE ? item->next : NULL) {
		if (!is_one_of(item->text, known_kinds))
			reader_warning(&b->reader, &item->pos, "unknown-kind",
				suggest(b->reader.arena, item->text, known_kinds),
				"\"%s\" is no kind of link that nettune knows", item->text);
	}
}

/* The operator at the start of the text, which moves behind it. */
static enum compare_op eat_operator(const char **text)
{
	static const struct {
		const char *text;
		enum compare_op op;
	} operators[] = {
		/* longer ones first */
		{.text = ">=", .op = COMPARE_GE},
		{.text = "<=", .op = COMPARE_LE},
		{.text = "==", .op = COMPARE_EQ},
		{.text = "!=", .op = COMPARE_NE},
		{.text = ">", .op = COMPARE_GT},
		{.text = "<", .op = COMPARE_LT},
		{.text = "=", .op = COMPARE_EQ},
	};

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		size_t length = strlen(operators[i].text);

		if (strncmp(*text, operators[i].text, length) != 0)
			continue;
		*text += length;
		return operators[i].op;
	}
	return COMPARE_EQ;
}

static bool parse_comparison(const char *text, struct comparison *ret)
{
	const char *rate = text;

	ret->text = text;
	ret->op = eat_operator(&rate);
	rate += strspn(rate, " ");
	/* A bare number would be bits per second, and is always meant otherwise. */
	return strpbrk(rate, "b") && quantity_parse(rate, UNIT_RATE, &ret->number) == 0;
}

static void bind_comparison(const struct binder *b, const struct node *node, struct comparison *ret)
{
	const char *text;

	if (!scalar_text(&b->reader, node, node->key, &text) || parse_comparison(text, ret))
		return;
	reader_error(&b->reader, &node->pos, "bad-value", "as in \">= 10Gbit\"",
		"%s must be a rate with its unit, after >=, >, <=, <, = or !=, not \"%s\"",
		node->key, text);
}

static void bind_speed(const struct binder *b, const struct node *node, struct match *ret)
{
	bind_comparison(b, node, &ret->speed);
}

static void bind_max_speed(const struct binder *b, const struct node *node, struct match *ret)
{
	bind_comparison(b, node, &ret->max_speed);
}

static void bind_up(const struct binder *b, const struct node *node, struct match *ret)
{
	bool up;

	if (scalar_bool(&b->reader, node, "up", &up))
		ret->up = up;
}

static const struct {
	const char *key;
	void (*bind)(const struct binder *b, const struct node *node, struct match *ret);
} criteria[] = {
	{.key = "name", .bind = bind_names},
	{.key = "driver", .bind = bind_drivers},
	{.key = "mac", .bind = bind_macs},
	{.key = "bus", .bind = bind_buses},
	{.key = "kind", .bind = bind_kinds},
	{.key = "link-speed", .bind = bind_speed},
	{.key = "max-link-speed", .bind = bind_max_speed},
	{.key = "up", .bind = bind_up},
};

static void bind_criterion(const struct binder *b, const struct node *entry, struct match *ret)
{
	const char *words[ARRAY_SIZE(criteria) + 1] = {};

	for (size_t i = 0; i < ARRAY_SIZE(criteria); i++) {
		if (strcmp(entry->key, criteria[i].key) == 0) {
			criteria[i].bind(b, entry, ret);
			return;
		}
		words[i] = criteria[i].key;
	}
	reader_unknown_key(&b->reader, entry, "match", words);
}

void bind_match(const struct binder *b, const struct node *node, struct match *ret)
{
	*ret = (struct match){.up = -1, .pos = node->key_pos};
	if (node->type == NODE_BAD)
		return;
	if (node->type != NODE_MAPPING || !node->first) {
		reader_error(&b->reader, &node->pos, "bad-value", "as in match: {kind: physical}",
			"match needs a mapping with at least one condition");
		return;
	}
	for (const struct node *entry = node->first; entry; entry = entry->next)
		bind_criterion(b, entry, ret);
}
