/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The changes of one step on their way to the kernel and back: which of them need a write, what the
 * kernel said to each, and what a reading says of them. Inside of the engine only.
 */
#ifndef NETTUNE_ENGINE_WRITING_H
#define NETTUNE_ENGINE_WRITING_H

#include "engine/run.h"

struct writing {
	struct change **v;  /* what is written, with fresh IRQ numbers */
	struct change **of; /* the change of the plan behind each: itself, or if its vector is
			       parted otherwise, the one of both directions */
	size_t n;
};

/* The changes of the step that differ from run->live. -ENOMEM. */
int writing_select(
	struct run *run, const struct plan *plan, const struct step *step, struct writing *ret);
/* One message; the answer is noted at each change. 0 or -errno. */
int writing_send(struct run *run, const struct writing *writing);
/* Of changes that are in no plan. */
int changes_write(struct run *run, struct change *const *v, size_t n);
/* What run->live says of the changes of the step. */
void step_judge(struct run *run, const struct plan *plan, const struct step *step);

#endif
