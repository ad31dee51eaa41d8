/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading journals: each link of a journal is the live link if it is the same device by ifindex and
 * driver (and bus address and permanent MAC), else a stand-in that is gone; a name alone says
 * nothing. And where a transaction stands, from what its journal records.
 */
#include "engine/store.h"
#include "engine/store_files.h"
#include "util/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOURNAL_MAX (64U << 20) /* 2,000 links with all their queues are some 20 MiB */

/* A device that is gone, as several journals may know it. */
struct stand_in {
	struct journal_link known;
	struct link *link;
};

struct loader {
	struct run *run;
	struct journal *journal; /* being read: its header stands before its links */
	struct stand_in *v;
	size_t n, cap;
};

static bool text_equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool mac_is_set(const uint8_t *mac)
{
	static const uint8_t none[6];

	return memcmp(mac, none, sizeof(none)) != 0;
}

static bool is_same_device(const struct journal_link *known, const struct link *live)
{
	if (!text_equal(known->driver, live->driver))
		return false;
	if (known->bus && live->bus && strcmp(known->bus, live->bus) != 0)
		return false;
	return !mac_is_set(known->perm_mac) || !mac_is_set(live->perm_mac) ||
	       memcmp(known->perm_mac, live->perm_mac, sizeof(known->perm_mac)) == 0;
}

static struct link *find_live(struct run *run, const struct journal_link *known)
{
	struct link *live = known->ifindex > 0 ? host_link(&run->host, known->ifindex) : NULL;

	if (!live)
		return NULL;
	if (kernel_link_facts(&run->kernel, live, LINK_DRIVER | LINK_BUS, NULL) < 0)
		return NULL;
	if (!is_same_device(known, live))
		return NULL;
	if (strcmp(known->name, live->name) != 0)
		log_debug("link %d of the journal, %s, is called %s now", known->ifindex,
			known->name, live->name);
	return live;
}

static bool is_same_stand_in(const struct journal_link *a, const struct journal_link *b)
{
	return a->ifindex == b->ifindex && strcmp(a->name, b->name) == 0 &&
	       text_equal(a->driver, b->driver) && text_equal(a->bus, b->bus) &&
	       memcmp(a->perm_mac, b->perm_mac, sizeof(a->perm_mac)) == 0;
}

static struct link *make_stand_in(struct loader *loader, const struct journal_link *known)
{
	struct arena *arena = loader->run->arena;
	struct link *link;

	for (size_t i = 0; i < loader->n; i++)
		if (is_same_stand_in(&loader->v[i].known, known))
			return loader->v[i].link;
	link = ARENA_NEW(arena, struct link);
	if (!link || arena_grow(arena, &loader->v, &loader->cap, loader->n, sizeof(*loader->v)) < 0)
		return NULL;
	*link = (struct link){
		.name = known->name,
		.type = "virtual",
		.driver = known->driver,
		.bus = known->bus,
		.node = -1,
		.known = LINK_DRIVER | LINK_BUS | LINK_SPEED | LINK_MAX_SPEED | LINK_NODE,
	};
	memcpy(link->perm_mac, known->perm_mac, sizeof(link->perm_mac));
	loader->v[loader->n++] = (struct stand_in){.known = *known, .link = link};
	return link;
}

static bool is_here_and_now(const struct journal *journal, const struct host *host)
{
	return journal->header.netns == host->netns &&
	       text_equal(journal->header.boot_id, host->boot_id);
}

static const struct link *identify(const struct journal_link *known, const void *data)
{
	/* The reader's data is const for it, not for us. */
	struct loader *loader = *(struct loader *const *)data;
	struct link *live = NULL;

	if (is_here_and_now(loader->journal, &loader->run->host))
		live = find_live(loader->run, known);
	return live ? live : make_stand_in(loader, known);
}

/* The whole file, malloc'ed. */
static int read_file(int fd, const char *id, char **ret, size_t *ret_length, struct error *error)
{
	char *CLEANUP_FREE text = NULL;
	size_t length = 0;
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return error_set(error, ERROR_DATA, errno, "journal %s: %s", id, strerror(errno));
	if (st.st_size > (off_t)JOURNAL_MAX)
		return error_set(error, ERROR_DATA, EFBIG, "journal %s: larger than %u MiB", id,
			JOURNAL_MAX >> 20);
	text = malloc((size_t)st.st_size + 1);
	if (!text)
		return error_set(error, ERROR_FAILED, ENOMEM, "journal %s: out of memory", id);
	while (length < (size_t)st.st_size) {
		n = read(fd, text + length, (size_t)st.st_size - length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(
				error, ERROR_DATA, errno, "journal %s: %s", id, strerror(errno));
		if (n == 0)
			break;
		length += (size_t)n;
	}
	text[length] = '\0';
	*ret = text;
	*ret_length = length;
	text = NULL;
	return 0;
}

static int load_one(
	struct loader *loader, int dir, const char *id, struct journal **ret, struct error *error)
{
	struct arena *arena = loader->run->arena;
	const struct loader *data = loader;
	const struct journal_reader reader = {
		.kinds = loader->run->kinds,
		.identify = identify,
		.data = &data,
		.arena = arena,
	};
	int CLEANUP_CLOSE fd = store_open_file(dir, id, O_RDONLY, error);
	char *CLEANUP_FREE text = NULL;
	size_t length = 0;
	int r;

	loader->journal = NULL;
	if (fd < 0)
		return fd;
	r = read_file(fd, id, &text, &length, error);
	if (r < 0)
		return r;
	loader->journal = ARENA_NEW(arena, struct journal);
	if (!loader->journal)
		return error_set(error, ERROR_FAILED, ENOMEM, "journal %s: out of memory", id);
	r = journal_parse(&reader, text, length, loader->journal, error);
	if (r < 0) {
		error_prefix(error, "journal %s", id);
		return r;
	}
	/* its writer died before the first line was whole, so it changed nothing */
	if (!*loader->journal->header.id)
		return error_set(error, ERROR_DATA, ENODATA, "transaction %s never began", id);
	if (!text_equal(loader->journal->header.id, id))
		return error_set(error, ERROR_DATA, EINVAL,
			"journal %s: is one of another transaction (%s)", id,
			loader->journal->header.id);
	*ret = loader->journal;
	return 0;
}

/* The header may be whole, and the damage behind it. */
static bool may_be_here_and_now(const struct loader *loader)
{
	return !loader->journal || !*loader->journal->header.boot_id ||
	       is_here_and_now(loader->journal, &loader->run->host);
}

static int load_names(struct loader *loader, int dir, const struct name_list *names,
	struct diags *diags, struct journal **v, size_t *ret_n)
{
	struct error error;

	for (size_t i = 0; i < names->n; i++) {
		int r = load_one(loader, dir, names->v[i], &v[*ret_n], &error);

		if (r == -ENOMEM)
			return r;
		if (r == 0)
			(*ret_n)++;
		if (r == 0 || r == -ENODATA)
			continue;
		diags_add(diags, SEVERITY_WARNING, ERROR_DATA, "journal-damaged", (struct pos){0},
			"%s", error.msg);
		if (may_be_here_and_now(loader))
			loader->run->damaged = arena_strdup(loader->run->arena, names->v[i]);
	}
	return 0;
}

int store_load_all(struct run *run, struct diags *diags, struct journal ***ret, size_t *ret_n,
	struct error *error)
{
	struct loader loader = {.run = run};
	struct name_list names = {0};
	int CLEANUP_CLOSE dir = store_open_dir(run->options->state_dir, false, error);
	int r;

	*ret = NULL;
	*ret_n = 0;
	run->damaged = "";
	if (dir < 0)
		return dir == -ENOENT ? 0 : dir;
	r = store_list(dir, &names);
	if (r == 0 && names.n) {
		*ret = ARENA_ARRAY(run->arena, names.n, struct journal *);
		r = *ret ? load_names(&loader, dir, &names, diags, *ret, ret_n) : -ENOMEM;
	}
	name_list_done(&names);
	if (r < 0)
		return error_set(error, ERROR_FAILED, -r, "%s/journal: %s", run->options->state_dir,
			strerror(-r));
	return 0;
}

int store_load(struct run *run, const char *id, struct journal **ret, struct error *error)
{
	struct loader loader = {.run = run};
	int CLEANUP_CLOSE dir = -1;

	dir = store_open_dir(run->options->state_dir, false, error);
	if (dir == -ENOENT)
		return error_set(error, ERROR_DATA, ENOENT,
			"there is no transaction %s: %s/journal does not exist", id,
			run->options->state_dir);
	if (dir < 0)
		return dir;
	return load_one(&loader, dir, id, ret, error);
}

enum standing journal_standing(const struct journal *journal, const struct host *host)
{
	const struct journal_rollback *last;

	if (!is_here_and_now(journal, host))
		return STANDING_OTHER;
	if (journal->forgotten)
		return STANDING_FORGOTTEN;
	last = journal->nrollbacks ? &journal->rollbacks[journal->nrollbacks - 1] : NULL;
	if (last && !last->put_back)
		return !last->outcome || strcmp(last->outcome, "incomplete") == 0 ? STANDING_OPEN
										  : STANDING_UNDONE;
	if (!journal->outcome)
		return journal->any_begun ? STANDING_UNFINISHED : STANDING_UNDONE;
	if (strcmp(journal->outcome, "incomplete") == 0)
		return STANDING_UNFINISHED;
	if (strcmp(journal->outcome, "applied") == 0 || strcmp(journal->outcome, "partial") == 0)
		return STANDING_IN_FORCE;
	return STANDING_UNDONE;
}

const char *standing_name(enum standing standing)
{
	static const char *const names[STANDING_MAX] = {
		[STANDING_OTHER] = "earlier-boot",
		[STANDING_IN_FORCE] = "in-force",
		[STANDING_UNDONE] = "undone",
		[STANDING_UNFINISHED] = "unfinished",
		[STANDING_OPEN] = "open",
		[STANDING_FORGOTTEN] = "forgotten",
	};

	return standing < STANDING_MAX ? names[standing] : "unknown";
}
