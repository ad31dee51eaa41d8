/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nettune.yaml: what this machine is to have, as its administrator, cloud-init or Ansible wrote it.
 */
#include "profile/profile.h"
#include "profile/reader.h"
#include "profile/scalar.h"
#include "profile/words.h"

#include <errno.h>
#include <string.h>

static const char *const config_words[] = {
	"profiles", "parameters", "at-boot", "allow-sysctl", NULL};

/* net/ipv4/conf/eth0.5/mtu as net.ipv4.conf.eth0/5.mtu: what comes first separates. */
static const char *dotted(struct arena *arena, const char *key)
{
	const char *separator = strpbrk(key, "./");
	char *copy;

	if (!separator || *separator == '.')
		return key;
	copy = arena_strdup(arena, key);
	for (char *p = copy; *p; p++) {
		if (*p == '/' || *p == '.')
			*p = *p == '/' ? '.' : '/';
	}
	return copy;
}

static void read_allowed(const struct reader *reader, const struct node *node, struct config *ret)
{
	const char *const *texts;
	const char **keys;
	size_t n = 0;

	if (!scalar_texts(reader, node, "allow-sysctl", &texts))
		return;
	while (texts[n])
		n++;
	keys = ARENA_ARRAY(reader->arena, n + 1, const char *);
	for (size_t i = 0; keys && i < n; i++) {
		keys[i] = dotted(reader->arena, texts[i]);
		if (!strpbrk(keys[i], "*? "))
			continue;
		reader_error(reader, &node->pos, "bad-value", "as in kernel.numa_balancing",
			"allow-sysctl names single keys; \"%s\" is none", texts[i]);
	}
	ret->allow_sysctl = keys;
}

static void read_config(const struct reader *reader, const struct node *root, struct config *ret)
{
	const struct node *node;

	for (node = root->first; node; node = node->next) {
		if (!is_one_of(node->key, config_words) && strncmp(node->key, "x-", 2) != 0)
			reader_unknown_key(reader, node, "nettune.yaml", config_words);
	}
	node = node_get(root, "profiles");
	if (node)
		scalar_texts(reader, node, "profiles", &ret->profiles);
	node = node_get(root, "parameters");
	if (node && (node->type == NODE_SCALAR || node->first))
		reader_not_supported(reader, &node->key_pos, "parameters");
	node = node_get(root, "at-boot");
	if (node)
		scalar_bool(reader, node, "at-boot", &ret->at_boot);
	node = node_get(root, "allow-sysctl");
	if (node)
		read_allowed(reader, node, ret);
}

int config_parse(const char *path, const char *text, size_t length, struct arena *arena,
	struct diags *diags, struct config *ret)
{
	static const char *const none[] = {NULL};
	struct reader reader = reader_make(arena, diags);
	struct config config = {.profiles = none, .allow_sysctl = none};
	struct node *root = NULL;
	int r;

	config.path = arena_strdup(arena, path);
	r = yaml_load(&reader, config.path, text, length, &root);
	if (r == -ENOMEM)
		return r;
	if (r == 0 && root && root->type == NODE_MAPPING)
		read_config(&reader, root, &config);
	else if (r == 0 && root && root->type != NODE_BAD)
		reader_error(&reader, &root->pos, "bad-value", "as in profiles: [dc-10ge]",
			"the file must be a mapping of keys to values");
	r = reader_finish(&reader);
	if (r == 0)
		*ret = config;
	return r;
}
