/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receive side scaling: indirection table, hash key and hash function of a device, by
 * ETHTOOL_MSG_RSS_GET and ETHTOOL_SRSSH. Not (yet) a word of profiles: observed because channel
 * changes move the table, carried and put back.
 */
#include "kinds/rss.h"

#include "kernel/ethtool.h"
#include "kinds/registry.h"

#include <errno.h>
#include <string.h>

enum { KEY_MAX = 256 /* bytes; the largest in the kernel has 52 */ };

static const char default_word[] = "default";

/* By bit of ETH_RSS_HASH_*. */
static const char *const hash_words[] = {"toeplitz", "xor", "crc32", NULL};
static const char *const indir_words[] = {default_word, NULL};

static const struct field fields[] = {
	{
		.name = "indir",
		.doc = "receive queue of each bucket of the hash; default spreads anew",
		.type = VALUE_WORDS,
		.words = indir_words,
		.flags = FIELD_NO_PROFILE,
	},
	{
		.name = "key",
		.doc = "key of the hash function, in hexadecimal",
		.type = VALUE_WORD,
		.flags = FIELD_NO_PROFILE,
	},
	{
		.name = "hfunc",
		.doc = "hash function",
		.type = VALUE_WORD,
		.words = hash_words,
		.flags = FIELD_NO_PROFILE,
	},
	{},
};

int rss_table_parse(struct arena *arena, const struct value *value, struct rss_table *ret)
{
	const char *p = value->text;
	size_t most = p ? strlen(p) / 2 + 1 : 0;
	uint32_t *v;
	size_t n = 0;

	if (value->type != VALUE_WORDS && value->type != VALUE_NUMBER)
		return -EINVAL;
	v = ARENA_ARRAY(arena, most, uint32_t);
	if (!v)
		return -ENOMEM;
	while (*p) {
		uint64_t number = 0;
		size_t digits = strspn(p, "0123456789");

		if (digits == 0 || digits > 9)
			return -EINVAL;
		for (; digits; digits--)
			number = number * 10 + (uint64_t)(*p++ - '0');
		if (*p && *p++ != ' ')
			return -EINVAL;
		v[n++] = (uint32_t)number;
	}
	*ret = (struct rss_table){.v = v, .n = n};
	return n ? 0 : -EINVAL;
}

struct value rss_table_value(struct arena *arena, const struct rss_table *table)
{
	enum { WIDEST = sizeof("4294967295") };
	char *text = arena_alloc(arena, table->n * WIDEST + 1), *end = text;

	if (!text)
		return (struct value){.type = VALUE_WORDS, .text = ""};
	for (size_t i = 0; i < table->n; i++) {
		char digits[WIDEST];
		size_t n = sizeof(digits);
		uint32_t number = table->v[i];

		do
			digits[--n] = (char)('0' + number % 10);
		while (number /= 10);
		if (i)
			*end++ = ' ';
		memcpy(end, digits + n, sizeof(digits) - n);
		end += sizeof(digits) - n;
	}
	return (struct value){.type = VALUE_WORDS, .text = text};
}

uint32_t rss_table_last(const struct rss_table *table)
{
	uint32_t last = 0;

	for (size_t i = 0; i < table->n; i++)
		last = MAX(last, table->v[i]);
	return last;
}

static uint32_t default_queue(const struct rss_table *table, size_t i, uint32_t queues, bool blocks)
{
	return (uint32_t)(blocks ? i * queues / table->n : i % queues);
}

static bool is_spread(const struct rss_table *table, uint32_t queues, bool blocks)
{
	for (size_t i = 0; queues && i < table->n; i++)
		if (table->v[i] != default_queue(table, i, queues, blocks))
			return false;
	return queues > 0;
}

bool rss_table_is_default(const struct rss_table *table, uint32_t queues)
{
	return is_spread(table, queues, false) || is_spread(table, queues, true);
}

void rss_table_respread(struct rss_table *table, uint32_t before, uint32_t after)
{
	bool blocks = !is_spread(table, before, false);

	for (size_t i = 0; after && i < table->n; i++)
		table->v[i] = default_queue(table, i, after, blocks);
}

/* As ethtool_rxfh_indir_default() of the kernel spreads; blocks are then a user's. */
static bool is_own(const struct state *model, const struct observed *indir)
{
	struct rss_table table;

	return rss_table_parse(model->arena, &indir->value, &table) == 0 &&
	       is_spread(&table, (uint32_t)MAX(indir->max, rss_table_last(&table)) + 1, false);
}

void rss_forget(struct state *model, const struct link *link)
{
	struct observed *indir = state_get(model, &kind_rss, link, PART_WHOLE, 0, "indir");
	struct observed *key = state_get(model, &kind_rss, link, PART_WHOLE, 0, "key");

	if (indir && !is_own(model, indir))
		indir->value = value_none();
	if (key)
		key->value = value_none();
}

/* Spread over the queues that it names. */
static bool is_spread_value(const struct value *value)
{
	struct arena arena;
	struct rss_table table;
	bool is_default;

	arena_init(&arena);
	is_default = rss_table_parse(&arena, value, &table) == 0 &&
		     rss_table_is_default(&table, rss_table_last(&table) + 1);
	arena_done(&arena);
	return is_default;
}

/* A device spreads its table anew when it comes up with another number of queues. */
static bool is_reset(const struct address *at, const struct value *before, const struct value *live)
{
	return strcmp(at->key, "indir") == 0 && is_spread_value(before) && is_spread_value(live);
}

static bool is_default_word(const struct value *value)
{
	return value->type == VALUE_WORD && strcmp(value->text, default_word) == 0;
}

/* What the driver makes of "default" is its own; a table, a key or a function is exact. */
static enum verdict judge(const struct change *change, const struct observed *live)
{
	if (is_default_word(&change->wanted) && live->value.type == VALUE_WORDS)
		return VERDICT_EXACT;
	return VERDICT_REFUSED;
}

static int observe_value(struct state *ret, const struct link *link, const char *key,
	const struct value *value, uint64_t max)
{
	return state_put(
		ret, &(struct observed){
			     .at = {.kind = &kind_rss, .target = {.link = link}, .key = key},
			     .value = *value,
			     .support = SUPPORT_SETTABLE,
			     .max = max,
		     });
}

/* Some drivers fill the table when the link comes up for the first time (igb). */
static bool is_set_up(const struct link *link, const struct rss *rss, const struct rss_table *table)
{
	return table->n && (link->up || rss->rings < 2 || rss_table_last(table) > 0);
}

static int observe_indir(struct state *ret, const struct link *link, const struct rss *rss)
{
	struct rss_table table = {.v = rss->indir, .n = rss->nindir};
	struct value value;

	if (!is_set_up(link, rss, &table))
		return 0;
	value = rss_table_value(ret->arena, &table);
	return observe_value(ret, link, "indir", &value, rss->rings ? rss->rings - 1 : 0);
}

static int observe_key(struct state *ret, const struct link *link, const struct rss *rss)
{
	static const char hex[] = "0123456789abcdef";
	char text[3 * KEY_MAX + 1], *end = text;
	struct value value;

	if (!rss->nkey || rss->nkey > KEY_MAX)
		return 0;
	for (size_t i = 0; i < rss->nkey; i++) {
		*end++ = hex[rss->key[i] >> 4];
		*end++ = hex[rss->key[i] & 15];
		*end++ = ':';
	}
	end[-1] = '\0';
	value = value_word(ret->arena, text);
	return observe_value(ret, link, "key", &value, 0);
}

static int observe_hfunc(struct state *ret, const struct link *link, const struct rss *rss)
{
	for (unsigned bit = 0; hash_words[bit]; bit++) {
		if (rss->hfunc == 1U << bit) {
			struct value value = value_word(ret->arena, hash_words[bit]);

			return observe_value(ret, link, "hfunc", &value, 0);
		}
	}
	return 0;
}

static int observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	struct rss rss = {0};
	int r = ethtool_rss_get(kernel, scope->link, &rss, error);

	if (r < 0)
		return r == -EOPNOTSUPP ? 0 : r;
	if (observe_indir(ret, scope->link, &rss) < 0 || observe_key(ret, scope->link, &rss) < 0 ||
		observe_hfunc(ret, scope->link, &rss) < 0)
		return error_set(
			error, ERROR_FAILED, ENOMEM, "%s/rss: out of memory", scope->link->name);
	return 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* "6d:5a:56" */
static int key_parse(const char *text, uint8_t *key, size_t *ret_n)
{
	size_t n = 0;

	do {
		int high = hex_digit(text[0]), low = high < 0 ? -1 : hex_digit(text[1]);

		if (low < 0 || n == KEY_MAX || (text[2] && (text[2] != ':' || !text[3])))
			return -EINVAL;
		key[n++] = (uint8_t)(high << 4 | low);
		text += text[2] ? 3 : 2;
	} while (*text);
	*ret_n = n;
	return 0;
}

static uint32_t hfunc_bit(const char *word)
{
	for (unsigned bit = 0; hash_words[bit]; bit++)
		if (strcmp(hash_words[bit], word) == 0)
			return 1U << bit;
	return 0;
}

/* One change into the request; rss->key has room for KEY_MAX bytes. */
static int encode(
	struct arena *arena, const struct change *change, struct rss *rss, bool *is_default)
{
	const struct value *wanted = &change->wanted;
	struct rss_table table;
	int r;

	if (strcmp(change->at.key, "indir") == 0) {
		*is_default = is_default_word(wanted);
		if (*is_default)
			return 0;
		r = rss_table_parse(arena, wanted, &table);
		if (r == 0) {
			rss->indir = table.v;
			rss->nindir = table.n;
		}
		return r;
	}
	if (wanted->type != VALUE_WORD)
		return -EINVAL;
	if (strcmp(change->at.key, "key") == 0)
		return key_parse(wanted->text, rss->key, &rss->nkey);
	rss->hfunc = hfunc_bit(wanted->text);
	return rss->hfunc ? 0 : -EINVAL;
}

static int write_rss(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	const struct link *link = v[0]->at.target.link;
	uint8_t key[KEY_MAX];
	struct rss rss = {.key = key};
	bool is_default = false;
	int r;

	for (size_t i = 0; i < n; i++) {
		r = encode(kernel->arena, v[i], &rss, &is_default);
		if (r < 0)
			return error_set(error, ERROR_FAILED, -r, "%s/rss.%s = %.200s: %s",
				link->name, v[i]->at.key, value_text(&v[i]->wanted),
				r == -ENOMEM ? "out of memory" : "no such value");
	}
	r = ethtool_rss_set(kernel, link, &rss, is_default, error);
	/* Of a table, the beginning must do: the kernel's text has to fit behind it. */
	if (r < 0 && error)
		error_prefix(error, "%s/rss.%s = %.40s%s", link->name, v[0]->at.key,
			value_text(&v[0]->wanted),
			strlen(value_text(&v[0]->wanted)) > 40 || n > 1 ? "..." : "");
	return r;
}

const struct kind kind_rss = {
	.name = "rss",
	.doc = "Receive side scaling: how received flows are spread over the queues",
	.phase = PHASE_RSS,
	.fields = fields,
	.judge = judge,
	.is_reset = is_reset,
	.observe = observe,
	.write = write_rss,
};
