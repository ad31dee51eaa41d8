/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Journals, newest first, with the words for where each transaction stands. Running and unfinished
 * are told apart by the lock: who looks unfinished while nobody holds it is dead, unless it came to
 * its end between the two looks, so the files are read once more.
 */
#include "cmd/journals.h"

#include <errno.h>
#include <string.h>

static int load_once(struct session *session, struct journals *ret, struct error *error)
{
	struct journal **v;
	size_t n;
	int r = store_load_all(&session->run, &session->diags, &v, &n, error);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n / 2; i++) {
		struct journal *first = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = first;
	}
	ret->v = v;
	ret->n = n;
	return 0;
}

bool journal_is_in_force(const struct session *session, const struct journal *journal)
{
	return journal_standing(journal, &session->run.host) == STANDING_IN_FORCE;
}

bool journal_is_open(const struct session *session, const struct journal *journal)
{
	enum standing standing = journal_standing(journal, &session->run.host);

	return standing == STANDING_UNFINISHED || standing == STANDING_OPEN;
}

const struct journal *journals_unfinished(
	const struct session *session, const struct journals *journals)
{
	for (size_t i = 0; i < journals->n && !journals->busy; i++)
		if (journal_is_open(session, journals->v[i]))
			return journals->v[i];
	return NULL;
}

int journals_load(struct session *session, struct journals *ret, struct error *error)
{
	const size_t nfindings = session->diags.n;
	int r = load_once(session, ret, error);

	if (r < 0)
		return r;
	ret->busy = session_is_busy(session);
	if (!journals_unfinished(session, ret))
		return 0;
	session->diags.n = nfindings;
	return load_once(session, ret, error);
}

static const char *profile_names(const struct session *session, const struct journal *journal)
{
	const char *names = "";

	for (size_t i = 0; i < journal->nprofiles; i++)
		names = arena_printf(
			session->arena, "%s%s%s", names, i ? ", " : "", journal->profiles[i].name);
	return names;
}

static const char *state_word(const struct session *session, const struct journals *journals,
	const struct journal *journal)
{
	const struct host *host = &session->run.host;
	enum standing standing = journal_standing(journal, host);

	if (standing == STANDING_OTHER && strcmp(journal->header.boot_id, host->boot_id) == 0)
		return "other-namespace";
	if (journals->busy && journal_is_open(session, journal))
		return "running";
	return standing_name(standing);
}

struct transaction_line journal_line(const struct session *session, const struct journals *journals,
	const struct journal *journal)
{
	return (struct transaction_line){
		.id = journal->header.id,
		.time = journal->header.time,
		.user = journal->header.user,
		.command = journal->header.command,
		.profile = profile_names(session, journal),
		.outcome = journal->outcome,
		.state = state_word(session, journals, journal),
		.changes = journal->plan.n,
	};
}

/* What a transaction said of this setting: the value wanted, or NULL. */
static const struct value *wanted_by(const struct journal *journal, const struct address *at)
{
	const struct plan *plan = &journal->plan;

	for (size_t i = 0; i < plan->n; i++)
		if (plan->v[i].origin == ORIGIN_PROFILE && address_equal(&plan->v[i].at, at))
			return &plan->v[i].wanted;
	for (size_t i = 0; i < plan->unchanged.n; i++)
		if (address_equal(&plan->unchanged.v[i].at, at))
			return &plan->unchanged.v[i].value;
	return NULL;
}

const char *journals_cause(
	const struct session *session, const struct journals *journals, const struct change *change)
{
	for (size_t i = 0; i < journals->n; i++) {
		const struct value *wanted;

		if (!journal_is_in_force(session, journals->v[i]))
			continue;
		wanted = wanted_by(journals->v[i], &change->at);
		if (wanted)
			return value_equal(wanted, &change->wanted) ? "drifted" : "profile-changed";
	}
	return "never-applied";
}

int adjusted_add(struct differences *differences, size_t *cap, struct arena *arena,
	const struct difference *adjusted)
{
	if (arena_grow(arena, &differences->adjusted, cap, differences->nadjusted,
		    sizeof(*differences->adjusted)) < 0)
		return -ENOMEM;
	differences->adjusted[differences->nadjusted++] = *adjusted;
	return 0;
}

int differences_add(struct differences *differences, size_t *cap, struct arena *arena,
	const struct difference *difference)
{
	if (arena_grow(arena, &differences->v, cap, differences->n, sizeof(*differences->v)) < 0)
		return -ENOMEM;
	differences->v[differences->n++] = *difference;
	return 0;
}
