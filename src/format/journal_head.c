/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first records of a journal, read: who, when and where, the links, and the profiles with their
 * text.
 */
#include "format/journal_read.h"

#include "util/numbers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define FORMAT_NAME "nettune-journal/"

static int parse_format(const struct parser *p, json_t *record)
{
	const char *format = json_string_value(json_object_get(record, "format"));
	uint64_t version;

	if (format && strcmp(format, JOURNAL_FORMAT) == 0)
		return 0;
	if (format && strncmp(format, FORMAT_NAME, strlen(FORMAT_NAME)) == 0 &&
		number_parse(format + strlen(FORMAT_NAME), &version) == 0 && version > 1)
		return parse_failed(p, "%s was written by a newer nettune; this one reads %s",
			format, JOURNAL_FORMAT);
	return parse_failed(p, "no journal of nettune (%s)", JOURNAL_FORMAT);
}

int parse_header(struct parser *p, json_t *record)
{
	struct journal_header *header = &p->journal->header;
	const char **texts[] = {&header->id, &header->time, &header->host, &header->boot_id,
		&header->version, &header->user, &header->command};
	const char *v[ARRAY_SIZE(texts)], *format, *netns;

	if (parse_format(p, record) < 0 ||
		parse_members(p, record, "{s:s s:s s:s s:s s:s s:s s:s s:s s:s}", "format", &format,
			"namespace", &netns, "id", &v[0], "time", &v[1], "host", &v[2], "boot_id",
			&v[3], "version", &v[4], "user", &v[5], "command", &v[6]) < 0)
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (parse_text(p, v[i], texts[i]) < 0)
			return -EINVAL;
	}
	if (number_parse(netns, &header->netns) < 0)
		return parse_failed(p, "\"%s\" is no network namespace", netns);
	return 0;
}

/* Two hexadecimal digits a byte, colons between them. */
static bool is_mac(const char *text)
{
	return strlen(text) == 17 && strspn(text, "0123456789abcdef:") == 17;
}

static int parse_mac(const struct parser *p, const char *text, uint8_t *ret)
{
	unsigned v[6];

	if (!text)
		return 0;
	if (!is_mac(text) || sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x", &v[0], &v[1], &v[2], &v[3],
				     &v[4], &v[5]) != 6)
		return parse_failed(p, "\"%s\" is no MAC address", text);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		ret[i] = (uint8_t)v[i];
	return 0;
}

/* A link that is gone, so that its settings have an address still. */
static const struct link *stand_in(const struct parser *p, const struct journal_link *link)
{
	struct link *gone = ARENA_NEW(p->arena, struct link);

	if (!gone)
		return NULL;
	*gone = (struct link){
		.name = link->name,
		.type = "",
		.driver = link->driver,
		.bus = link->bus,
		.node = -1,
	};
	memcpy(gone->perm_mac, link->perm_mac, sizeof(gone->perm_mac));
	return gone;
}

static int parse_link(const struct parser *p, json_t *object, struct journal_link *ret)
{
	const char *name, *driver = NULL, *bus = NULL, *mac = NULL;
	json_int_t ifindex;

	if (parse_members(p, object, "{s:I s:s s?s s?s s?s}", "ifindex", &ifindex, "name", &name,
		    "driver", &driver, "bus", &bus, "mac", &mac) < 0 ||
		parse_text(p, name, &ret->name) < 0 || parse_text(p, driver, &ret->driver) < 0 ||
		parse_text(p, bus, &ret->bus) < 0 || parse_mac(p, mac, ret->perm_mac) < 0)
		return -EINVAL;
	if (ifindex < 0 || ifindex > INT32_MAX)
		return parse_failed(p, "%" JSON_INTEGER_FORMAT " is no ifindex", ifindex);
	ret->ifindex = (int)ifindex;
	if (p->reader->identify)
		ret->link = p->reader->identify(ret, p->reader->data);
	if (!ret->link)
		ret->link = stand_in(p, ret);
	return ret->link ? 0 : -ENOMEM;
}

int parse_links(struct parser *p, json_t *record)
{
	struct journal *journal = p->journal;
	struct journal_link *links;
	json_t *array;
	size_t n;

	if (parse_members(p, record, "{s:o}", "links", &array) < 0 ||
		parse_elements(p, array, &n) < 0)
		return -EINVAL;
	links = ARENA_ARRAY(p->arena, journal->nlinks + n + 1, struct journal_link);
	if (!links)
		return -ENOMEM;
	for (size_t i = 0; i < journal->nlinks; i++)
		links[i] = journal->links[i];
	journal->links = links;
	for (size_t i = 0; i < n; i++) {
		int r = parse_link(p, json_array_get(array, i), &links[journal->nlinks]);

		if (r < 0)
			return r;
		journal->nlinks++;
	}
	return 0;
}

int parse_profile(struct parser *p, json_t *record)
{
	struct journal *journal = p->journal;
	struct journal_profile *profiles = parse_grown(
		p, journal->profiles, journal->nprofiles, sizeof(*profiles));
	struct journal_profile *profile = profiles ? &profiles[journal->nprofiles] : NULL;
	const char *name, *path = NULL, *sha256, *source;
	json_int_t version;

	if (!profile)
		return -ENOMEM;
	if (parse_members(p, record, "{s:s s:I s?s s:s s:s}", "name", &name, "version", &version,
		    "path", &path, "sha256", &sha256, "source", &source) < 0 ||
		parse_text(p, name, &profile->name) < 0 ||
		parse_text(p, path, &profile->path) < 0 ||
		parse_text(p, sha256, &profile->sha256) < 0 ||
		parse_text(p, source, &profile->source) < 0)
		return -EINVAL;
	if (version < 0 || version > UINT32_MAX)
		return parse_failed(p, "%" JSON_INTEGER_FORMAT " is no version", version);
	profile->version = (unsigned)version;
	journal->profiles = profiles;
	journal->nprofiles++;
	return 0;
}
