/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be told about sysctls of a profile without a host: keys that must not or can't be set,
 * values that the kernel would refuse or misread, and keys of one profile that contradict each
 * other.
 */
#include "kinds/sysctl.h"

#include <errno.h>
#include <string.h>

static int check_domain(
	struct arena *arena, const char *key, const char *const *allow, struct error *error)
{
	if (strncmp(key, "net.", 4) == 0)
		return 0;
	for (; allow && *allow; allow++) {
		const char *allowed = sysctl_canonical(arena, *allow, NULL);

		if (allowed && strcmp(allowed, key) == 0)
			return 0;
	}
	return error_set(error, ERROR_DATA, EINVAL,
		"sysctl/%s: only keys below net are tuned, unless the administrator names them "
		"in allow-sysctl of /etc/nettune/nettune.yaml",
		key);
}

static int check_key(const struct wish *wish, struct error *error)
{
	const struct sysctl_key *row = sysctl_key_find(wish->key);

	if (row->refused)
		return error_set(error, ERROR_DATA, EINVAL,
			"sysctl/%s can't be set by a profile: %s", wish->key, row->refused);
	if (row->removed && !wish->optional)
		return error_set(error, ERROR_MISSING, EINVAL, "sysctl/%s was removed %s%s%s%s",
			wish->key, *row->removed ? "in Linux " : "from the kernel", row->removed,
			row->instead ? "; today it is " : "", row->instead ? row->instead : "");
	if (row->instead && !row->removed)
		return error_set(error, ERROR_MISSING, EINVAL,
			"sysctl/%s: no kernel has such a key; did you mean %s?", wish->key,
			row->instead);
	return 0;
}

int sysctl_check(const struct wish *wish, const char *const *allow, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct value value;
	int r;

	arena_init(&arena);
	r = check_domain(&arena, wish->key, allow, error);
	if (r == 0)
		r = check_key(wish, error);
	if (r == 0 && !expr_is_word(wish->value, "keep"))
		r = sysctl_value(&arena, wish->key, wish->value, &value, error);
	if (r == 0 && arena_failed(&arena))
		return error_no_memory(error);
	return r;
}

/* All wishes of one profile, with their values. */
struct wishes {
	const struct wish *v;
	size_t n;
	struct arena *arena;
};

/* The value of the last wish for this key; NONE if there is none, or none that can be compared. */
static struct value wish_of(const struct wishes *wishes, const char *key, size_t *ret_at)
{
	for (size_t i = wishes->n; i-- > 0;) {
		const struct wish *wish = &wishes->v[i];
		struct value value;

		if (strcmp(wish->key, key) != 0 || expr_is_word(wish->value, "keep"))
			continue;
		*ret_at = i;
		if (sysctl_value(wishes->arena, key, wish->value, &value, NULL) < 0)
			return value_none();
		return value;
	}
	return value_none();
}

static bool first_number(const struct value *value, uint64_t *ret)
{
	char digits[24] = "";
	size_t n = value->text ? strcspn(value->text, " ") : 0;

	if (n == 0 || n >= sizeof(digits))
		return false;
	memcpy(digits, value->text, n);
	return number_parse(digits, ret) == 0;
}

static int check_order(const struct wishes *wishes, const struct sysctl_order *order,
	size_t *ret_at, struct error *error)
{
	size_t at = 0;
	struct value low = wish_of(wishes, order->low, &at);
	struct value high = wish_of(wishes, order->high, &at);
	uint64_t a, b;

	if (!first_number(&low, &a) || !first_number(&high, &b) || a <= b)
		return 0;
	*ret_at = at;
	return error_set(error, ERROR_DATA, EINVAL,
		"sysctl/%s = %s: the kernel wants at least the value of %s, which is %s here",
		order->high, high.text, order->low, low.text);
}

static int check_twins(const struct wishes *wishes, size_t i, size_t *ret_at, struct error *error)
{
	const char *key = wishes->v[i].key, *twin = sysctl_key_twin(key);
	size_t parent = (size_t)(strrchr(key, '.') - key);
	size_t at = 0;

	if (!twin || expr_is_word(wishes->v[i].value, "keep"))
		return 0;
	twin = arena_printf(wishes->arena, "%.*s.%s", (int)parent, key, twin);
	if (wish_of(wishes, twin, &at).type == VALUE_NONE)
		return 0;
	*ret_at = MAX(i, at);
	return error_set(error, ERROR_DATA, EINVAL,
		"sysctl/%s and %s are one value in two units; name only one of them", key, twin);
}

static int check_congestion(const struct wishes *wishes, size_t *ret_at, struct error *error)
{
	size_t at = 0;
	struct value allowed = wish_of(wishes, SYSCTL_ALLOWED, &at);
	struct value used = wish_of(wishes, SYSCTL_CONGESTION, &at);

	if (!used.text || !allowed.text || sysctl_has_word(allowed.text, used.text))
		return 0;
	*ret_at = at;
	return error_set(error, ERROR_DATA, EINVAL,
		"sysctl/" SYSCTL_CONGESTION " = %s is missing in " SYSCTL_ALLOWED " = %s",
		used.text, allowed.text);
}

int sysctl_check_all(const struct wish *v, size_t n, size_t *ret_at, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	const struct wishes wishes = {.v = v, .n = n, .arena = &arena};
	int r = 0;

	arena_init(&arena);
	for (const struct sysctl_order *order = sysctl_orders; order->low && r == 0; order++)
		r = check_order(&wishes, order, ret_at, error);
	for (size_t i = 0; i < n && r == 0; i++)
		r = check_twins(&wishes, i, ret_at, error);
	if (r == 0)
		r = check_congestion(&wishes, ret_at, error);
	return r;
}
