/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is not as it should be, or as it was: settings, and links that did not come back.
 */
#include "cmd/leftovers.h"

#include "engine/await.h"

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

void warn_moved(struct session *session, const struct leftovers *moved)
{
	for (size_t i = 0; i < moved->n; i++) {
		const struct leftover *l = &moved->v[i];
		const struct link *link = l->at.target.link;
		const char *key = address_text(session->arena, &l->at);
		struct diag *diag = diags_add(&session->diags, SEVERITY_WARNING, ERROR_FAILED,
			"moved-along", (struct pos){0},
			"%s was %s, is %s: it moved along, though nothing in the plan said so", key,
			value_text(&l->wanted), value_text(&l->live));

		if (!diag)
			continue;
		diag->key = key;
		diag->interface = link ? link->name : NULL;
		diag->hint = "nettune rollback puts it back";
	}
}

void warn_late(struct session *session)
{
	for (size_t i = 0; i < session->run.nserving; i++) {
		const struct serving *s = &session->run.serving[i];
		struct diag *diag;

		if (!await_is_late(s))
			continue;
		diag = diags_add(&session->diags, SEVERITY_WARNING, ERROR_FAILED, "not-back",
			(struct pos){0}, "%s, and is not back yet", s->late);
		if (diag)
			diag->interface = s->link->name;
	}
}
