/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs of the interrupts of a device: /proc/irq/N/smp_affinity_list
 * (Documentation/core-api/irq/irq-affinity.rst). Interrupt numbers are used only between one
 * reading and the next write; what lasts is what the vector serves, told by its handler's name.
 */
#include "kinds/each.h"
#include "kinds/expansion.h"
#include "kinds/queues.h"
#include "kinds/registry.h"

#include "kernel/kernel.h"

#include <errno.h>
#include <string.h>

#define IRQBALANCE_RUNS "irqbalance is running"

static const char *const spread_words[] = {"local", "all", NULL};

static const struct field fields[] = {
	{
		.name = "cpus",
		.doc = "CPUs that may serve a vector",
		.type = VALUE_RANGES,
		.flags = FIELD_NO_PROFILE,
	},
	{
		.name = "queues",
		.doc = "CPUs of the interrupts of single queues, as {0: \"2\", \"1-3\": \"4-7\"}",
		.of = "cpus",
		.type = VALUE_RANGES,
		.flags = FIELD_PROFILE_ONLY | FIELD_QUEUE_MAP,
	},
	{
		.name = "spread",
		.doc = "Each queue's interrupts on one CPU of a set, in turn: local (of the NUMA "
		       "node of the device), all, a list or a 0x mask",
		.words = spread_words,
		.type = VALUE_RANGES,
		.flags = FIELD_PROFILE_ONLY,
	},
	{},
};

/* One CPU after the other, so that queue i gets the i-th and those beyond start again. */
static int spread_values(const struct expansion *expansion, const struct field *field,
	struct value **ret, size_t *ret_n, struct error *error)
{
	struct cpuset set, usable;
	struct value *v;
	size_t n;
	int r = cpus_wish(expansion, field, &set, error);

	if (r < 0)
		return r;
	cpus_usable(expansion->host, &usable);
	if (expansion->wish->value->op != EXPR_WORD)
		cpuset_and(&set, &usable);
	n = cpuset_count(&set);
	if (n == 0)
		return queues_refuse(expansion, error, "all of these CPUs are offline or isolated");
	v = ARENA_ARRAY(expansion->arena, n, struct value);
	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct cpuset one;

		cpuset_clear(&one);
		cpuset_add(&one, (unsigned)cpuset_nth(&set, (unsigned)i));
		v[i] = value_ranges(expansion->arena, &one);
	}
	*ret = v;
	*ret_n = n;
	return 0;
}

/* The kernel takes a set with offline CPUs, as long as one of it is online. */
static int cpus_value(const struct expansion *expansion, const struct field *field,
	struct value **ret, size_t *ret_n, struct error *error)
{
	struct cpuset set, online;
	int r = cpus_wish(expansion, field, &set, error);

	if (r < 0)
		return r;
	online = set;
	cpuset_and(&online, &expansion->host->online);
	if (cpuset_is_empty(&online))
		return queues_refuse(expansion, error, "none of these CPUs is online");
	*ret = ARENA_NEW(expansion->arena, struct value);
	if (!*ret)
		return -ENOMEM;
	**ret = value_ranges(expansion->arena, &set);
	*ret_n = 1;
	return 0;
}

static int expand(const struct expansion *expansion, struct error *error)
{
	const struct link *link = expansion->link;
	const struct field *field = queues_field(expansion);
	struct address at = expansion_address(expansion, "cpus");
	struct value *v;
	size_t n, first;
	int r;

	if (strcmp(field->name, "spread") == 0)
		r = spread_values(expansion, field, &v, &n, error);
	else
		r = cpus_value(expansion, field, &v, &n, error);
	if (r < 0)
		return r;
	if (strcmp(link->type, "physical") == 0 && !link->up)
		return expansion_skip(expansion, &at, VERDICT_DEFERRED,
			"interface is down: its interrupts are not known");
	if (!state_range(expansion->model, expansion->wish->kind, link, &first))
		return expansion_skip(expansion, &at, VERDICT_UNSUPPORTED,
			"%s has no interrupts of its own", link->name);
	return queues_add(expansion, "cpus", v, n, error);
}

/* An interrupt must be somewhere: the kernel moves one whose CPUs are all offline to the others. */
static struct value predict(const struct host *host, const struct setting *setting,
	const struct state *model, struct arena *arena)
{
	struct cpuset set;

	if (value_cpuset(&setting->value, &set) < 0)
		return setting->value;
	cpuset_and(&set, &host->online);
	if (!cpuset_is_empty(&set) || cpuset_is_empty(&host->online))
		return setting->value;
	return value_ranges(arena, &host->online);
}

static const char *affinity_path(struct arena *arena, uint32_t irq)
{
	return arena_printf(arena, "irq/%u/smp_affinity_list", irq);
}

/* Who else writes these masks. */
static const char *mover_note(struct kernel *kernel, struct arena *arena)
{
	uint32_t process = kernel_irqbalance(kernel);

	return process ? arena_printf(arena, IRQBALANCE_RUNS " (process %u)", process) : NULL;
}

/* An interrupt without a mask (its directory comes with its first handler) is no setting. */
static int observe_vector(
	struct kernel *kernel, const struct irq *irq, struct observed *observed, struct state *ret)
{
	const char *path = affinity_path(kernel->arena, irq->number), *text;
	int settable = file_is_settable(kernel, DIR_PROC, path);
	int r = file_read_text(kernel, DIR_PROC, path, &text);
	struct cpuset set;

	if (settable == -ENOENT || r == -ENOENT)
		return 0;
	if (r == -ENOMEM || r == -EAGAIN || settable == -EAGAIN)
		return r < 0 ? r : settable;
	observed->handle = irq->number;
	observed->support = SUPPORT_SETTABLE;
	observed->note = mover_note(kernel, ret->arena);
	if (settable == -EACCES) {
		observed->support = SUPPORT_MANAGED;
		observed->note = "the kernel manages this interrupt";
	} else if (settable < 0) {
		observed->support = SUPPORT_READ_ONLY;
		observed->note = "/proc/irq is read-only here";
	}
	if (r < 0)
		observed->note = arena_printf(ret->arena, "not readable: %s", strerror(-r));
	else if (cpuset_parse_list(text, &set) == 0)
		observed->value = value_ranges(ret->arena, &set);
	return state_put(ret, observed);
}

/*
 * What a vector serves. One that nobody knows by its name, or whose name another has already, is
 * the next of the further vectors, in the order of MSI-X.
 */
static struct target target_of_vector(
	const struct state *state, const struct link *link, const struct irq *irq, uint16_t *others)
{
	static const enum part parts[] = {
		[VECTOR_RX] = PART_RX,
		[VECTOR_TX] = PART_TX,
		[VECTOR_RXTX] = PART_RXTX,
		[VECTOR_OTHER] = PART_OTHER,
	};
	unsigned index;
	enum vector_role role = vector_parse(irq->action, &index);

	if (role != VECTOR_OTHER && index <= UINT16_MAX &&
		!state_get(state, &kind_irq_affinity, link, parts[role], index, "cpus"))
		return (struct target){.link = link, .part = parts[role], .index = (uint16_t)index};
	return (struct target){.link = link, .part = PART_OTHER, .index = (*others)++};
}

static struct remark remark(const struct host *host, const struct setting *setting, bool changes,
	const struct state *live, struct arena *arena)
{
	const struct observed *now = state_find(live, &setting->at);
	struct remark remark = {.id = "irqbalance", .severity = SEVERITY_WARNING};

	if (now && now->note && strncmp(now->note, IRQBALANCE_RUNS, strlen(IRQBALANCE_RUNS)) == 0)
		remark.text = arena_printf(arena,
			"%s and may move these interrupts again; ban them there (--banirq), or "
			"stop it",
			now->note);
	return remark;
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	struct irq *irqs;
	uint16_t others = 0;
	size_t n;
	int r = kernel_link_irqs(kernel, scope->link, &irqs, &n);

	if (r < 0 && r != -ENODEV)
		return error_set(error, ERROR_FAILED, -r, "%s: its interrupts: %s",
			scope->link->name, strerror(-r));
	state_remove_kind(ret, &kind_irq_affinity, scope->link);
	for (size_t i = 0; r == 0 && i < n; i++) {
		struct observed observed = {.at = {.kind = &kind_irq_affinity, .key = "cpus"}};

		if (!irqs[i].action)
			continue;
		observed.at.target = target_of_vector(ret, scope->link, &irqs[i], &others);
		r = observe_vector(kernel, &irqs[i], &observed, ret);
		if (r < 0)
			return error_set(error, ERROR_FAILED, -r, "%s: interrupt %u: %s",
				scope->link->name, irqs[i].number, strerror(-r));
	}
	return 0;
}

/* EIO up to Linux 6.1, EPERM since, for interrupts whose affinity the kernel keeps to itself; EINVAL
 * for a set without a CPU that is online. */
static int write_vector(
	struct kernel *kernel, const struct change *change, const void *host, struct error *error)
{
	const char *path = affinity_path(kernel->arena, change->handle);
	const struct setting setting = {.at = change->at, .value = change->wanted};
	struct value value;
	int r;

	if (!change->handle || !change->wanted.text)
		return error_set(error, ERROR_MISSING, ENOENT, "the vector is gone");
	value = predict(host, &setting, NULL, kernel->arena);
	if (!value.text)
		return error_no_memory(error);
	r = file_write(kernel, DIR_PROC, path, value.text);
	if (r == -EIO || r == -EPERM)
		return error_set(
			error, ERROR_FAILED, EPERM, "/proc/%s: the kernel manages this IRQ", path);
	if (r < 0)
		return error_set(error, r == -EACCES ? ERROR_PERMISSION : ERROR_FAILED, -r,
			"/proc/%s: %s", path, strerror(-r));
	return 0;
}

static int write_step(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	return each_write(kernel, v, n, write_vector, host, error);
}

const struct kind kind_irq_affinity = {
	.name = "irq-affinity",
	.doc = "CPUs that serve the interrupts of each queue",
	.phase = PHASE_IRQ,
	.fields = fields,
	.expand = expand,
	.predict = predict,
	.judge = cpus_judge,
	.remark = remark,
	.observe = observe,
	.write = write_step,
};
