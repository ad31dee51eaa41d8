/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts of the device behind a link: the set from device/msi_irqs, never by name, since names
 * may be those of another link (Documentation/ABI/testing/sysfs-bus-pci, sysfs-kernel-irq).
 */
#include "kernel/kernel.h"

#include "util/macros.h"
#include "util/numbers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MSIX_INDEX 0x7ff /* MSI-X has 2048 vectors; above are bus and device, before Linux 6.2 */

static int list_irqs(
	struct kernel *kernel, const struct link *link, const char *const **ret, size_t *ret_n)
{
	char path[128];

	link_device_path(kernel, link, "msi_irqs", path, sizeof(path));
	return file_list(kernel, DIR_SYS, path, ret, ret_n);
}

/* The name of the first handler from "eth0-TxRx-0, other"; NULL for "". */
static const char *first_name(struct arena *arena, const char *names, size_t length)
{
	const char *comma = memchr(names, ',', length);

	length = comma ? (size_t)(comma - names) : length;
	return length > 0 ? arena_strndup(arena, names, length) : NULL;
}

static bool is_trigger(const char *word, size_t length)
{
	static const char *const ends[] = {"-edge", "-fasteoi", "Edge", "Level"};

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t n = strlen(ends[i]);

		if (length >= n && memcmp(word + length - n, ends[i], n) == 0)
			return true;
	}
	return false;
}

/*
 * The last column of "  36:  0  7  PCI-MSI 49153-edge  eth0-TxRx-0", after two blanks. Lines without
 * handlers end with the trigger, as "49153-edge".
 */
static const char *name_of_line(struct arena *arena, const char *line, size_t length)
{
	const char *end = line + length, *start;

	while (end > line && end[-1] == ' ')
		end--;
	for (start = end; start - line >= 2; start--)
		if (start[-1] == ' ' && start[-2] == ' ')
			break;
	if (is_trigger(start, (size_t)(end - start)))
		return NULL;
	return first_name(arena, start, (size_t)(end - start));
}

static const char *name_from_interrupts(struct kernel *kernel, uint32_t number, const char **text)
{
	const char *line, *end;

	if (!*text && file_read_text(kernel, DIR_PROC, "interrupts", text) < 0)
		*text = "";
	for (line = *text; *line; line = *end ? end + 1 : end) {
		char *colon;

		end = line + strcspn(line, "\n");
		if (strtoul(line, &colon, 10) == number && *colon == ':' && colon < end)
			return name_of_line(kernel->arena, line, (size_t)(end - line));
	}
	return NULL;
}

/* `text`: of /proc/interrupts, read at the first need of it. */
static void read_irq(struct kernel *kernel, uint32_t number, struct irq *ret, const char **text)
{
	char path[64], names[4096];
	int64_t hwirq;
	ssize_t n;

	*ret = (struct irq){.number = number};
	snprintf(path, sizeof(path), "kernel/irq/%u/hwirq", number);
	if (file_read_number(kernel, DIR_SYS, path, &hwirq) == 0)
		ret->hwirq = (unsigned)hwirq & MSIX_INDEX;
	snprintf(path, sizeof(path), "kernel/irq/%u/actions", number);
	n = file_read(kernel, DIR_SYS, path, names, sizeof(names));
	if (n >= 0)
		ret->action = first_name(kernel->arena, names, (size_t)n);
	else
		ret->action = name_from_interrupts(kernel, number, text);
}

static int compare_irqs(const void *a, const void *b)
{
	const struct irq *x = a, *y = b;

	if (x->hwirq != y->hwirq)
		return (x->hwirq > y->hwirq) - (x->hwirq < y->hwirq);
	return (x->number > y->number) - (x->number < y->number);
}

static int read_mask(struct kernel *kernel, const char *path, struct cpuset *ret)
{
	const char *text;
	int r = file_read_text(kernel, DIR_PROC, path, &text);

	return r < 0 ? r : cpuset_parse_mask(text, ret);
}

/* irq_setup_affinity() in kernel/irq/manage.c: the default mask, of the device's node if it can be. */
static int read_default(
	struct kernel *kernel, const struct host *host, const struct link *link, struct cpuset *ret)
{
	struct cpuset of_node;
	int r = read_mask(kernel, "irq/default_smp_affinity", ret);

	if (r < 0 || link->node < 0 || (size_t)link->node >= host->nnodes)
		return r;
	of_node = *ret;
	cpuset_and(&of_node, &host->node_cpus[link->node]);
	if (!cpuset_is_empty(&of_node))
		*ret = of_node;
	return 0;
}

/* -ENOENT: it never had a handler. */
static int is_chosen(struct kernel *kernel, uint32_t irq, const struct cpuset *usual, bool *ret)
{
	struct cpuset mask;
	char path[64];
	int r;

	snprintf(path, sizeof(path), "irq/%u/smp_affinity", irq);
	r = read_mask(kernel, path, &mask);
	if (r == 0)
		*ret = !cpuset_equal(&mask, usual);
	return r;
}

int kernel_link_is_masked(
	struct kernel *kernel, const struct host *host, const struct link *link, bool *ret)
{
	struct cpuset usual;
	struct irq *irqs;
	size_t n;
	int r = kernel_link_irqs(kernel, link, &irqs, &n);

	*ret = false;
	if (r < 0 || n == 0)
		return r;
	r = read_default(kernel, host, link, &usual);
	for (size_t i = 0; i < n && r == 0 && !*ret; i++) {
		if (irqs[i].action)
			continue;
		r = is_chosen(kernel, irqs[i].number, &usual, ret);
		r = r == -ENOENT ? 0 : r;
	}
	return r == -ENOENT ? 0 : r;
}

int kernel_link_irqs(
	struct kernel *kernel, const struct link *link, struct irq **ret, size_t *ret_n)
{
	const char *const *names = NULL;
	const char *text = NULL;
	size_t n = 0, count = 0;
	uint64_t number;
	struct irq *irqs;
	int r = list_irqs(kernel, link, &names, &n);

	*ret = NULL;
	*ret_n = 0;
	if (r == -ENOENT || r == -ENOTDIR || (r == 0 && n == 0))
		return 0;
	if (r < 0)
		return r;
	irqs = ARENA_ARRAY(kernel->arena, n, struct irq);
	if (!irqs)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (number_parse(names[i], &number) == 0 && number <= UINT32_MAX)
			read_irq(kernel, (uint32_t)number, &irqs[count++], &text);
	qsort(irqs, count, sizeof(*irqs), compare_irqs);
	*ret = irqs;
	*ret_n = count;
	return arena_failed(kernel->arena) ? -ENOMEM : 0;
}
