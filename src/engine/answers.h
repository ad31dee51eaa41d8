/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * STATE_DIR/answers: what drivers made of values (core/answer.h). Nothing depends on it: without
 * the file everything is asked again. So what goes wrong with it is a warning.
 */
#ifndef NETTUNE_ENGINE_ANSWERS_H
#define NETTUNE_ENGINE_ANSWERS_H

#include "engine/run.h"

#define ANSWERS_FILE "answers"
#define ANSWERS_MOST 4096 /* the oldest are forgotten */

/* Into run->answers; none if there is no file, or none that can be trusted and read. */
void answers_load(struct run *run, struct diags *diags);
/* Adds what this plan, which was applied, has taught, to the file. Below the writer lock. */
void answers_save(struct run *run, const struct plan *plan, struct diags *diags);

#endif
