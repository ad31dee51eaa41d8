/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of the links that a transaction changed: some have another name now, some are gone,
 * and their names may have passed to links that are none of its business.
 */
#include "engine/identity.h"

#include <string.h>

static bool changes_link(const struct plan *plan, const struct link *link)
{
	for (size_t i = 0; i < plan->n; i++) {
		if (plan->v[i].at.target.link == link)
			return true;
	}
	for (size_t i = 0; i < plan->unchanged.n; i++) {
		if (plan->unchanged.v[i].at.target.link == link)
			return true;
	}
	return false;
}

static const char *text_of_gone(const struct run *run, const char *known_as)
{
	if (host_link_by_name(&run->host, known_as))
		return arena_printf(run->arena,
			"%s is gone; another interface is called %s now, and is left alone",
			known_as, known_as);
	return arena_printf(run->arena, "%s is gone", known_as);
}

static bool is_noted(const struct diags *diags, const char *id, const char *text)
{
	for (size_t i = 0; i < diags->n; i++) {
		if (strcmp(diags->v[i].id, id) == 0 && strcmp(diags->v[i].text, text) == 0)
			return true;
	}
	return false;
}

static void note(struct diags *diags, enum severity severity, const char *id,
	const struct link *link, const char *text)
{
	struct diag *diag = is_noted(diags, id, text) ? NULL
						      : diags_add(diags, severity, ERROR_FAILED, id,
								(struct pos){0}, "%s", text);

	if (diag)
		diag->interface = link->name;
}

void identity_note(const struct run *run, const struct journal *journal, struct diags *diags)
{
	struct arena *arena = run->arena;

	for (size_t i = 0; i < journal->nlinks; i++) {
		const struct journal_link *known = &journal->links[i];
		const struct link *link = known->link;

		if (!link || !changes_link(&journal->plan, link))
			continue;
		if (!link->ifindex)
			note(diags, SEVERITY_WARNING, "gone", link, text_of_gone(run, known->name));
		else if (strcmp(known->name, link->name) != 0)
			note(diags, SEVERITY_NOTE, "renamed", link,
				arena_printf(
					arena, "%s is called %s now", known->name, link->name));
	}
}
