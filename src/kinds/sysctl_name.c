/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spelling of sysctl keys: as people write them (sysctl(8), sysctl.d(5)), as nettune keeps them, and
 * as paths below /proc/sys. Some trees have a directory for each interface.
 */
#include "kinds/sysctl.h"

#include <errno.h>
#include <string.h>

enum { KEY_LENGTH_MAX = 200 };

static const char *const interface_trees[] = {
	"net.ipv4.conf.",
	"net.ipv4.neigh.",
	"net.ipv6.conf.",
	"net.ipv6.neigh.",
};

/* From dotted to slashed spelling and back. */
static void swap_separators(char *text)
{
	for (; *text; text++) {
		if (*text == '.')
			*text = '/';
		else if (*text == '/')
			*text = '.';
	}
}

static int refuse(struct error *error, const char *key, const char *why)
{
	return error_set(error, ERROR_DATA, EINVAL, "\"%s\" is no sysctl key: %s", key, why);
}

/* A component that no directory entry of /proc/sys can have. */
static bool is_bad_component(const char *component, size_t length)
{
	return length == 0 || (length <= 2 && strspn(component, "/") >= length);
}

static int check_spelling(const char *dotted, const char *key, struct error *error)
{
	if (key[0] == '-')
		return refuse(error, key, "for a key that may be missing write optional: true");
	if (strpbrk(dotted, "*?["))
		return refuse(error, key, "a key names one setting, wildcards are not known");
	for (const char *p = dotted; *p; p++) {
		if ((unsigned char)*p <= ' ' || *p == 0x7f || strchr("\"'\\{}=$", *p))
			return refuse(error, key, "it has characters that no key has");
	}
	if (!strchr(dotted, '.'))
		return refuse(error, key, "wanted something like net.core.somaxconn");
	for (const char *p = dotted;; p++) {
		size_t length = strcspn(p, ".");

		if (is_bad_component(p, length))
			return refuse(error, key, "a part between two separators is missing");
		p += length;
		if (!*p)
			return 0;
	}
}

const char *sysctl_canonical(struct arena *arena, const char *key, struct error *error)
{
	char *dotted;

	if (strlen(key) > KEY_LENGTH_MAX) {
		error_set(error, ERROR_DATA, EINVAL, "a sysctl key of %zu characters", strlen(key));
		return NULL;
	}
	dotted = arena_strdup(arena, key);
	/* The first separator tells which of both spellings it is. */
	if (key[strcspn(key, "./")] == '/')
		swap_separators(dotted);
	if (check_spelling(dotted, key, error) < 0)
		return NULL;
	return sysctl_key_alias(dotted);
}

/* The part of the key that stands for an interface; NULL if there is none. */
static const char *interface_of(const char *key, size_t *ret_length)
{
	for (size_t i = 0; i < ARRAY_SIZE(interface_trees); i++) {
		size_t n = strlen(interface_trees[i]);
		const char *name = key + n, *leaf;

		if (strncmp(key, interface_trees[i], n) != 0)
			continue;
		leaf = strrchr(name, '.');
		if (!leaf)
			return NULL;
		*ret_length = (size_t)(leaf - name);
		if (strncmp(name, "all.", 4) == 0 && *ret_length == 3)
			return NULL;
		if (strncmp(name, "default.", 8) == 0 && *ret_length == 7)
			return NULL;
		return name;
	}
	return NULL;
}

/*
 * A name with a dot that was written as it is ("net.ipv4.conf.mac.5.rp_filter") makes one component
 * too many; since the last one is always the setting, the interface can be told all the same.
 */
struct sysctl_place sysctl_place(const struct host *host, struct arena *arena, const char *key)
{
	size_t length = 0;
	const char *part = interface_of(key, &length);
	struct sysctl_place place = {.key = key};
	char *name;

	if (!part)
		return place;
	name = arena_strndup(arena, part, length);
	for (char *p = name; *p; p++) {
		if (*p == '/')
			*p = '.';
	}
	place.link = host_link_by_name(host, name);
	if (place.link)
		place.key = arena_printf(
			arena, "%.*s" SYSCTL_INTERFACE "%s", (int)(part - key), key, part + length);
	else
		place.missing = name;
	return place;
}

const char *sysctl_path(struct arena *arena, const struct link *link, const char *key)
{
	const char *interface = link ? strstr(key, SYSCTL_INTERFACE) : NULL;
	char *before, *behind;

	if (!interface) {
		before = arena_strdup(arena, key);
		swap_separators(before);
		return before;
	}
	before = arena_strndup(arena, key, (size_t)(interface - key));
	behind = arena_strdup(arena, interface + strlen(SYSCTL_INTERFACE));
	swap_separators(before);
	swap_separators(behind);
	return arena_printf(arena, "%s%s%s", before, link->name, behind);
}

const char *sysctl_component(struct arena *arena, const char *name)
{
	char *component = arena_strdup(arena, name);

	swap_separators(component);
	return component;
}
