/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host that is in between: each setting is named.
 */
#include "cmd/leftovers.h"

void warn_leftovers(struct session *session, const struct leftovers *leftovers)
{
	for (size_t i = 0; i < leftovers->n; i++) {
		const struct leftover *l = &leftovers->v[i];
		const struct link *link = l->at.target.link;
		const char *key = address_text(session->arena, &l->at);
		struct diag *diag = diags_add(&session->diags, SEVERITY_WARNING, ERROR_FAILED,
			"left-over", (struct pos){0}, "%s is %s, should be %s again", key,
			value_text(&l->live), value_text(&l->wanted));

		if (!diag)
			continue;
		diag->key = key;
		diag->interface = link ? link->name : NULL;
		if (link && !link->up)
			diag->hint = arena_printf(session->arena,
				"bring %s up and run nettune rollback again", link->name);
	}
}
