/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queues and CPU sets. A mask may name only CPU numbers that the machine can have, and from masks of
 * receive queues the kernel drops offline and isolated CPUs silently (net/core/net-sysfs.c).
 */
#include "kinds/queues.h"

#include "kernel/kernel.h"
#include "kinds/each.h"
#include "kinds/expansion.h"

#include <errno.h>
#include <string.h>

const struct field *queues_field(const struct expansion *expansion)
{
	const struct wish *wish = expansion->wish;
	const struct field *field = kind_field(wish->kind, wish->key);

	return field->of ? kind_field(wish->kind, field->of) : field;
}

int queues_refuse(const struct expansion *expansion, struct error *error, const char *format, ...)
{
	struct address at = expansion_address(expansion, queues_field(expansion)->name);
	struct arena *arena = expansion->arena;
	const char *queues = expansion->wish->queues;
	const char *complaint;
	va_list args;

	va_start(args, format);
	complaint = arena_vprintf(arena, format, args);
	va_end(args);
	return error_set(error, ERROR_DATA, EINVAL, "%s%s%s = %s: %s", address_text(arena, &at),
		queues ? " of queues " : "", queues ? queues : "",
		expr_text(arena, expansion->wish->value), complaint);
}

void cpus_usable(const struct host *host, struct cpuset *ret)
{
	*ret = host->online;
	cpuset_subtract(ret, &host->isolated);
}

/* "CPUs 4-7 do not exist" */
static const char *not_there(struct arena *arena, const char *what, const struct cpuset *set)
{
	bool many = cpuset_count(set) > 1;

	return arena_printf(arena, "%s%s %s %s not exist", what, many ? "s" : "",
		cpuset_format_list(arena, set), many ? "do" : "does");
}

const char *cpus_missing(const struct host *host, const struct cpuset *set, struct arena *arena)
{
	unsigned end = MAX(host->nr_cpu_ids, cpuset_last(&host->online) + 1);
	struct cpuset missing = *set;

	for (unsigned i = 0; i < end && i < CPUSET_MAX; i++)
		cpuset_remove(&missing, i);
	if (cpuset_is_empty(&missing))
		return NULL;
	return arena_printf(arena, "%s (online: %s)", not_there(arena, "CPU", &missing),
		cpuset_format_list(arena, &host->online));
}

int cpus_wish(const struct expansion *expansion, const struct field *field, struct cpuset *ret,
	struct error *error)
{
	const struct link *link = expansion->link;
	const char *missing;
	struct value value;
	int r = wish_value(expansion, field, NULL, &value, error);

	if (r < 0)
		return r;
	cpuset_clear(ret);
	if (value.type == VALUE_WORD) {
		if (strcmp(value.text, "none") != 0)
			host_local_cpus(expansion->host,
				strcmp(value.text, "local") == 0 ? link : NULL, ret);
		return 0;
	}
	if (value_cpuset(&value, ret) < 0 || cpuset_is_empty(ret))
		return queues_refuse(expansion, error, "it names no CPU");
	missing = cpus_missing(expansion->host, ret, expansion->arena);
	return missing ? queues_refuse(expansion, error, "%s", missing) : 0;
}

enum verdict cpus_judge(const struct change *change, const struct observed *live)
{
	return value_equal(&live->value, &change->after) ? VERDICT_REDUCED : VERDICT_REFUSED;
}

static int skip_missing(const struct expansion *expansion, const char *key,
	const struct cpuset *missing, const struct cpuset *present)
{
	struct address at = expansion_address(expansion, key);

	return expansion_skip(expansion, &at, VERDICT_UNSUPPORTED, "%s (%s has %s)",
		not_there(expansion->arena, "queue", missing), expansion->link->name,
		cpuset_is_empty(present) ? "none" : cpuset_format_list(expansion->arena, present));
}

int queues_add(const struct expansion *expansion, const char *key, const struct value *v, size_t n,
	struct error *error)
{
	const struct wish *wish = expansion->wish;
	const struct state *model = expansion->model;
	size_t first, count = state_range(model, wish->kind, expansion->link, &first);
	struct cpuset named, present;
	int r = 0;

	cpuset_clear(&named);
	cpuset_clear(&present);
	if (wish->queues && cpuset_parse_list(wish->queues, &named) < 0)
		return queues_refuse(expansion, error, "wanted a list of queues as 0-3,8");
	for (size_t i = first; i < first + count && r == 0; i++) {
		const struct address *at = &model->v[i].at;
		unsigned index = at->target.index;

		if (at->target.part == PART_OTHER || strcmp(at->key, key) != 0 ||
			index >= CPUSET_MAX)
			continue;
		cpuset_add(&present, index);
		if (!wish->queues || cpuset_has(&named, index))
			r = expansion_add(expansion, at, &v[index % n]);
	}
	cpuset_subtract(&named, &present);
	if (r < 0 || cpuset_is_empty(&named))
		return r;
	return skip_missing(expansion, key, &named, &present);
}

bool scope_has(const struct scope *scope, const char *key)
{
	for (size_t i = 0; scope->keys && i < scope->nkeys; i++) {
		if (key_matches(scope->keys[i], key))
			return true;
	}
	return !scope->keys;
}

/* The index in "rx-3" of a receive queue. */
static bool queue_index(const char *name, enum part part, uint16_t *ret)
{
	uint64_t index;

	if (strncmp(name, part == PART_RX ? "rx-" : "tx-", 3) != 0 ||
		number_parse(name + 3, &index) < 0 || index > UINT16_MAX)
		return false;
	*ret = (uint16_t)index;
	return true;
}

static const char *file_path(
	struct arena *arena, const struct target *queue, const struct queue_file *file)
{
	return arena_printf(arena, "class/net/%s/queues/%s/%s", queue->link->name,
		target_part_text(arena, queue), file->name);
}

static struct value value_of_file(
	struct arena *arena, const struct queue_file *file, const char *text)
{
	struct cpuset set;

	if (file->type != VALUE_RANGES)
		return value_words(arena, text);
	return cpuset_parse_mask(text, &set) == 0 ? value_ranges(arena, &set) : value_none();
}

/* A file that has no value for this device is no setting of it (XPS with a single queue). */
static bool is_absent(int err)
{
	return err == -ENOENT || err == -ENODEV || err == -EINVAL || err == -EOPNOTSUPP;
}

static int observe_file(struct kernel *kernel, const struct address *at,
	const struct queue_file *file, struct state *ret)
{
	const char *path = file_path(kernel->arena, &at->target, file), *text;
	struct observed observed = {.at = *at, .support = SUPPORT_SETTABLE};
	int settable = file_is_settable(kernel, DIR_SYS, path);
	int r = file_read_text(kernel, DIR_SYS, path, &text);

	if (is_absent(settable) || is_absent(r))
		return 0;
	/* a passing failure must not read as a setting without a value */
	if (r == -ENOMEM || r == -EAGAIN || settable == -EAGAIN)
		return r < 0 ? r : settable;
	if (settable < 0) {
		observed.support = SUPPORT_READ_ONLY;
		observed.note = "read-only here";
	}
	if (r == 0)
		observed.value = value_of_file(ret->arena, file, text);
	else
		observed.note = arena_printf(ret->arena, "not readable: %s", strerror(-r));
	return state_put(ret, &observed);
}

int queues_observe(struct kernel *kernel, const struct kind *kind, enum part part,
	const struct queue_file *files, const struct scope *scope, struct state *ret)
{
	struct address at = {.kind = kind, .target = {.link = scope->link, .part = part}};
	const char *const *names;
	size_t n;
	int r = file_list(kernel, DIR_SYS,
		arena_printf(kernel->arena, "class/net/%s/queues", scope->link->name), &names, &n);

	if (r < 0)
		return is_absent(r) ? 0 : r;
	for (size_t i = 0; i < n; i++) {
		if (!queue_index(names[i], part, &at.target.index))
			continue;
		for (const struct queue_file *file = files; file->key; file++) {
			at.key = file->key;
			r = scope_has(scope, at.key) ? observe_file(kernel, &at, file, ret) : 0;
			if (r < 0)
				return r;
		}
	}
	return 0;
}

/* Whose queue it is must not change between name and write. */
static int write_text(struct kernel *kernel, const struct target *queue,
	const struct queue_file *file, const char *text)
{
	struct link *link = (struct link *)queue->link;
	int r;

	do
		r = file_write_of_link(
			kernel, link, DIR_SYS, file_path(kernel->arena, queue, file), text);
	while (r == -ESTALE);
	return r;
}

static int write_file(
	struct kernel *kernel, const struct change *change, const void *files, struct error *error)
{
	const struct queue_file *file = files;
	const char *text = change->wanted.text;
	struct cpuset set;
	int r;

	while (file->key && strcmp(file->key, change->at.key) != 0)
		file++;
	if (!file->key || !text)
		return error_set(error, ERROR_FAILED, EINVAL, "%s is not written", change->at.key);
	if (file->type == VALUE_RANGES && value_cpuset(&change->wanted, &set) == 0)
		text = cpuset_format_mask(kernel->arena, &set);
	r = write_text(kernel, &change->at.target, file, text);
	if (r < 0)
		return error_set(error,
			r == -EPERM || r == -EACCES ? ERROR_PERMISSION : ERROR_FAILED, -r,
			"%s/%s: %s", target_part_text(kernel->arena, &change->at.target),
			file->name, strerror(-r));
	return 0;
}

int queues_write(struct kernel *kernel, const struct queue_file *files, struct change *const *v,
	size_t n, struct error *error)
{
	return each_write(kernel, v, n, write_file, files, error);
}
