/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other programs that set what nettune sets: found by the names of processes (/proc/PID/comm).
 */
#include "kernel/kernel.h"

#include "util/numbers.h"

#include <stdio.h>
#include <string.h>

static bool is_named(struct kernel *kernel, uint32_t process, const char *name)
{
	char path[32], comm[32];

	snprintf(path, sizeof(path), "%u/comm", process);
	return file_read(kernel, DIR_PROC, path, comm, sizeof(comm)) > 0 && strcmp(comm, name) == 0;
}

static uint32_t find_process(struct kernel *kernel, const char *name)
{
	const char *const *names;
	uint64_t process;
	size_t n;

	if (file_list(kernel, DIR_PROC, ".", &names, &n) < 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (number_parse(names[i], &process) == 0 && process <= UINT32_MAX &&
			is_named(kernel, (uint32_t)process, name))
			return (uint32_t)process;
	}
	return 0;
}

uint32_t kernel_irqbalance(struct kernel *kernel)
{
	if (!kernel->has_looked_for_irqbalance)
		kernel->irqbalance = find_process(kernel, "irqbalance");
	kernel->has_looked_for_irqbalance = true;
	return kernel->irqbalance;
}
