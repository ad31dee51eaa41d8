/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of the links that a transaction changed.
 */
#ifndef NETTUNE_ENGINE_IDENTITY_H
#define NETTUNE_ENGINE_IDENTITY_H

#include "engine/run.h"
#include "format/journal.h"

/* Findings "renamed" and "gone", each once. */
void identity_note(const struct run *run, const struct journal *journal, struct diags *diags);

#endif
