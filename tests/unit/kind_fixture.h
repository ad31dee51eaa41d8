/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of single kinds: a host with links and a model as data, a tree of files in place of
 * /proc and /sys, and a network namespace with a veth pair on the real kernel.
 */
#ifndef NETTUNE_TESTS_KIND_FIXTURE_H
#define NETTUNE_TESTS_KIND_FIXTURE_H

#include "core/kind.h"
#include "kernel/kernel.h"
#include "kernel/path.h"
#include "kinds/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/veth.h>

#include "unit/link_transport.h"
#include "unit/test.h"

enum { FIXTURE_LINKS_MAX = 8 };

struct fixture {
	struct arena arena;
	struct host host;
	struct link links[FIXTURE_LINKS_MAX], *list[FIXTURE_LINKS_MAX];
	struct state model;
	struct settings settings;
	struct skips skipped;
	struct error error;
	struct kernel kernel;
	struct link_transport transport;
	char root[64];
};

/* Two CPUs, no links. */
static UNUSED int fixture_setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	arena_init(&f->arena);
	f->host.links = f->list;
	f->host.nr_cpu_ids = 2;
	cpuset_add(&f->host.online, 0);
	cpuset_add(&f->host.online, 1);
	f->model.arena = f->settings.arena = f->skipped.arena = &f->arena;
	f->kernel = (struct kernel){.dirs = {-1, -1, -1}, .arena = &f->arena};
	*state = f;
	return 0;
}

static UNUSED int fixture_remove(
	const char *path, const struct stat *st, int type, struct FTW *position)
{
	return remove(path);
}

static UNUSED int fixture_teardown(void **state)
{
	struct fixture *f = *state;

	if (f->kernel.transport) {
		kernel_close(&f->kernel);
	} else {
		for (int i = 0; i < DIR_MAX; i++)
			cleanup_close(&f->kernel.dirs[i]);
	}
	if (f->root[0])
		nftw(f->root, fixture_remove, 8, FTW_DEPTH | FTW_PHYS);
	arena_done(&f->arena);
	free(f);
	return 0;
}

/* CPUs 0 to n - 1. */
static UNUSED void fixture_cpus(struct fixture *f, unsigned n)
{
	f->host.nr_cpu_ids = n;
	cpuset_clear(&f->host.online);
	for (unsigned i = 0; i < n; i++)
		cpuset_add(&f->host.online, i);
}

static UNUSED struct link *fixture_link(struct fixture *f, const char *name, const char *type)
{
	size_t n = f->host.nlinks++;

	assert_true(n < FIXTURE_LINKS_MAX);
	f->links[n] = (struct link){
		.ifindex = (int)n + 1,
		.name = name,
		.type = type,
		.mtu = 1500,
		.mtu_min = 68,
		.mtu_max = 9216,
		.node = -1,
		.up = true,
	};
	f->list[n] = &f->links[n];
	return &f->links[n];
}

static UNUSED struct observed *fixture_put(struct fixture *f, const struct kind *kind,
	const struct link *link, const char *key, struct value value)
{
	struct observed observed = {
		.at = {.kind = kind, .target.link = link, .key = key},
		.value = value,
		.support = SUPPORT_SETTABLE,
	};

	assert_int_equal(state_put(&f->model, &observed), 0);
	return state_find(&f->model, &observed.at);
}

static UNUSED struct observed *fixture_put_part(struct fixture *f, const struct kind *kind,
	const struct link *link, enum part part, unsigned index, const char *key,
	struct value value)
{
	struct observed observed = {
		.at = {.kind = kind,
			.target = {.link = link, .part = part, .index = (uint16_t)index},
			.key = key},
		.value = value,
		.support = SUPPORT_SETTABLE,
	};

	assert_int_equal(state_put(&f->model, &observed), 0);
	return state_find(&f->model, &observed.at);
}

static UNUSED struct value ranges(struct fixture *f, const char *list)
{
	struct cpuset set;

	assert_int_equal(cpuset_parse_list(list, &set), 0);
	return value_ranges(&f->arena, &set);
}

/* An expression as the binder of profiles makes it from a plain text. */
static UNUSED struct expr *literal(struct fixture *f, const char *text)
{
	struct expr *expr = ARENA_NEW(&f->arena, struct expr);

	assert_non_null(expr);
	*expr = (struct expr){.op = EXPR_LITERAL, .value = value_words(&f->arena, text)};
	return expr;
}

static UNUSED struct expr *word(struct fixture *f, const char *name)
{
	struct expr *expr = ARENA_NEW(&f->arena, struct expr);

	assert_non_null(expr);
	*expr = (struct expr){.op = EXPR_WORD, .name = name};
	return expr;
}

static UNUSED struct wish *wish_new(
	struct fixture *f, const struct kind *kind, const char *key, const struct expr *value)
{
	struct wish *wish = ARENA_NEW(&f->arena, struct wish);

	assert_non_null(wish);
	*wish = (struct wish){.kind = kind, .key = key, .value = value};
	return wish;
}

/* Expands into fresh f->settings and f->skipped. */
static UNUSED int expand_wish(struct fixture *f, const struct wish *wish, const struct link *link)
{
	struct expansion expansion = {
		.wish = wish,
		.link = link,
		.host = &f->host,
		.model = &f->model,
		.arena = &f->arena,
		.ret = &f->settings,
		.skipped = &f->skipped,
	};

	f->settings.n = f->skipped.n = 0;
	f->error = (struct error){0};
	return wish->kind->expand(&expansion, &f->error);
}

#define assert_error(f, text) assert_contains((f)->error.msg, (text))
#define assert_contains(whole, part)                                          \
	do {                                                                  \
		if (!strstr((whole), (part)))                                 \
			fail_msg("\"%s\" is not in \"%s\"", (part), (whole)); \
	} while (0)

static UNUSED const char *setting_text(struct fixture *f, size_t i)
{
	assert_true(i < f->settings.n);
	return f->settings.v[i].value.text;
}

/* The model after one change of a setting. */
static UNUSED void project_change(struct fixture *f, struct observed *entry, struct value wanted)
{
	struct change change = {
		.at = entry->at,
		.before = entry->value,
		.wanted = wanted,
		.after = wanted,
	};

	entry->value = wanted;
	entry->at.kind->project(&f->host, &change, &f->model);
}

/* Files in place of the kernel's: "proc/...", "sys/...". */
static UNUSED void tree_open(struct fixture *f)
{
	static const char *const dirs[] = {"proc", "sys", "proc/sys"};
	int root;

	snprintf(f->root, sizeof(f->root), "%s/nettune-test-XXXXXX", P_tmpdir);
	assert_non_null(mkdtemp(f->root));
	root = open(f->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(root >= 0);
	for (int i = 0; i < DIR_MAX; i++) {
		assert_int_equal(mkdirat(root, dirs[i], 0755), 0);
		f->kernel.dirs[i] = openat(root, dirs[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
		assert_true(f->kernel.dirs[i] >= 0);
		f->kernel.dir_names[i] = dirs[i];
	}
	close(root);
	f->kernel.has_openat2 = path_probe(f->kernel.dirs[DIR_SYS]);
	link_transport_init(&f->transport, (const struct link *const *)f->list, &f->host.nlinks);
	f->kernel.transport = &f->transport.transport;
}

static UNUSED const char *tree_path(struct fixture *f, const char *path)
{
	return arena_printf(&f->arena, "%s/%s", f->root, path);
}

static UNUSED void tree_file(struct fixture *f, const char *path, const char *text, mode_t mode)
{
	char *full = arena_strdup(&f->arena, tree_path(f, path));
	FILE *file;

	for (char *p = full + strlen(f->root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
		*p = '/';
	}
	file = fopen(full, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(full, mode), 0);
}

static UNUSED const char *tree_read(struct fixture *f, const char *path)
{
	char buf[512];
	FILE *file = fopen(tree_path(f, path), "re");
	size_t n;

	assert_non_null(file);
	n = fread(buf, 1, sizeof(buf), file);
	fclose(file);
	return arena_strndup(&f->arena, buf, n);
}

static UNUSED int observe_kind(
	struct fixture *f, const struct kind *kind, struct link *link, const char *key)
{
	const char *const keys[] = {key};
	struct scope scope = {.link = link, .keys = key ? keys : NULL, .nkeys = key ? 1 : 0};

	f->model.n = 0;
	return kind->observe(&f->kernel, &f->host, &scope, &f->model, &f->error);
}

/* Writes one setting of the model. */
static UNUSED int write_value(struct fixture *f, const struct observed *entry, struct value wanted)
{
	struct change change = {.at = entry->at, .wanted = wanted, .handle = entry->handle};
	struct change *const v[] = {&change};

	f->error = (struct error){0};
	return entry->at.kind->write(&f->kernel, &f->host, v, 1, &f->error);
}

static UNUSED void netns_up(struct nl_sock *sock, const char *name)
{
	struct rtnl_link *link = rtnl_link_alloc(), *up = rtnl_link_alloc();

	assert_true(link && up);
	rtnl_link_set_ifindex(link, (int)if_nametoindex(name));
	rtnl_link_set_flags(up, (unsigned)rtnl_link_str2flags("up"));
	assert_int_equal(rtnl_link_change(sock, link, up, 0), 0);
	rtnl_link_put(link);
	rtnl_link_put(up);
}

static UNUSED void netns_add_veth(struct nl_sock *sock, unsigned queues)
{
	struct rtnl_link *link = rtnl_link_veth_alloc(), *peer;

	assert_non_null(link);
	peer = rtnl_link_veth_get_peer(link);
	rtnl_link_set_name(link, "veth0");
	rtnl_link_set_name(peer, "veth1");
	rtnl_link_set_num_rx_queues(link, queues);
	rtnl_link_set_num_tx_queues(link, queues);
	rtnl_link_set_num_rx_queues(peer, 1);
	rtnl_link_set_num_tx_queues(peer, 1);
	assert_int_equal(rtnl_link_add(sock, link, NLM_F_CREATE), 0);
	rtnl_link_put(peer);
	rtnl_link_veth_release(link);
}

/*
 * A network namespace of its own with veth0, of `queues` queues, and veth1, of one, both up; its
 * links are those of f->host. Skips the test where that is not allowed.
 */
static UNUSED void netns_enter(struct fixture *f, unsigned queues)
{
	static const struct kernel_options options = {0};
	struct nl_sock *sock;

	if (unshare(CLONE_NEWNET) < 0)
		skip();
	sock = nl_socket_alloc();
	assert_non_null(sock);
	assert_int_equal(nl_connect(sock, NETLINK_ROUTE), 0);
	netns_add_veth(sock, queues);
	netns_up(sock, "veth0");
	netns_up(sock, "veth1");
	nl_socket_free(sock);
	if (kernel_open(&f->kernel, &options, &f->arena, &f->error) < 0)
		fail_msg("%s", f->error.msg);
	assert_int_equal(kernel_host(&f->kernel, &f->host, &f->error), 0);
	assert_int_equal(kernel_links(&f->kernel, &f->host, &f->error), 0);
}

static UNUSED struct link *netns_link(struct fixture *f, const char *name)
{
	struct link *link = host_link_by_name(&f->host, name);

	assert_non_null(link);
	return link;
}

#endif
