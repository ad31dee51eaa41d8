/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Journal files and locks: STATE_DIR/journal/ID.jsonl, locks in /run/nettune.
 */
#ifndef NETTUNE_ENGINE_STORE_H
#define NETTUNE_ENGINE_STORE_H

#include "engine/run.h"
#include "format/journal.h"

#define LOCK_DIR "/run/nettune"

struct lock {
	int netns_fd, host_fd; /* -1 = not taken */
};
#define LOCK_NONE ((struct lock){.netns_fd = -1, .host_fd = -1})
/*
 * The writer lock of this namespace, and the one for host-wide settings if `host`, as files in
 * `dir` (NULL = LOCK_DIR). Waits up to timeout_ms; ERROR_LOCKED names the holder. ERROR_PERMISSION
 * where the directory can't be made. The locks end with the process, however it ends.
 */
int lock_take(struct lock *lock, const char *dir, uint64_t netns, bool host, unsigned timeout_ms,
	struct error *error);
void lock_release(struct lock *lock);
/* Somebody else holds the writer lock of this namespace. False also where that can't be seen. */
bool lock_is_held(const char *dir, uint64_t netns);

/* An open journal file: lines are appended, failures are returned. */
struct store {
	int fd, dir;
	const char *id, *path;
};
/* Creates ID.jsonl (0600 below 0700 directories that are checked for owner and mode), not yet
 * durable. IDs ascend, whatever the clock does. */
int store_create(
	struct store *store, const char *state_dir, struct arena *arena, struct error *error);
/* For further lines of a finished or dead writer; its torn last line is cut off. */
int store_open_append(struct store *store, const char *state_dir, const char *id,
	struct arena *arena, struct error *error);
/* Takes ownership of the malloc'ed line; NULL is -ENOMEM. A short write is cut off again. */
int store_append(struct store *store, char *line, struct error *error);
/* Reserves room for `bytes` more, fsyncs file and directory. */
int store_commit(struct store *store, size_t bytes, struct error *error);
/* Gives reserved room back. */
void store_close(struct store *store);
/* Removes the file of a transaction that never wrote. */
void store_discard(struct store *store);

/* Journals of the state directory, oldest first; a missing directory is none. Unreadable files
 * become warnings in diags. */
int store_load_all(struct run *run, struct diags *diags, struct journal ***ret, size_t *ret_n,
	struct error *error);
/* ERROR_DATA for an ID that is none, that is not there, or whose file is damaged. */
int store_load(struct run *run, const char *id, struct journal **ret, struct error *error);

/* Where a transaction stands for this namespace and boot. */
enum standing {
	STANDING_OTHER, /* of another boot or namespace */
	STANDING_IN_FORCE,
	STANDING_UNDONE,     /* rolled back, put back, or nothing left */
	STANDING_UNFINISHED, /* apply died or ended incomplete */
	STANDING_OPEN,       /* a rollback died or is to be continued */
	STANDING_FORGOTTEN,
	STANDING_MAX
};
enum standing journal_standing(const struct journal *journal, const struct host *host);
const char *standing_name(enum standing standing);

#endif
