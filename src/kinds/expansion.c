/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wishes to values: the text of a profile read as the type of its field, checked against the limits
 * that the device tells. The loader has checked the form; what it let pass and is wrong all the
 * same is a clean error here.
 */
#include "kinds/expansion.h"

#include "kinds/pause.h"
#include "kinds/registry.h"
#include "kinds/rss.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

int text_bool(const char *text)
{
	static const char *const spellings[] = {"off", "on", "false", "true", "no", "yes"};

	for (size_t i = 0; text && i < ARRAY_SIZE(spellings); i++)
		if (strcasecmp(text, spellings[i]) == 0)
			return i % 2;
	return -1;
}

struct address expansion_address(const struct expansion *expansion, const char *key)
{
	return (struct address){
		.kind = expansion->wish->kind,
		.target = {.link = expansion->link, .part = PART_WHOLE},
		.key = key,
	};
}

int expansion_add(
	const struct expansion *expansion, const struct address *at, const struct value *value)
{
	return settings_add(expansion->ret,
		&(struct setting){.at = *at, .value = *value, .wish = expansion->wish});
}

int expansion_skip(const struct expansion *expansion, const struct address *at,
	enum verdict verdict, const char *format, ...)
{
	struct skip skip = {
		.at = *at,
		.wanted = expr_text(expansion->arena, expansion->wish->value),
		.verdict = verdict,
		.wish = expansion->wish,
	};
	va_list args;

	va_start(args, format);
	skip.reason = arena_vprintf(expansion->arena, format, args);
	va_end(args);
	return skips_add(expansion->skipped, &skip);
}

struct remark xdp_remark(const struct setting *setting, bool changes, struct arena *arena)
{
	const struct link *link = setting->at.target.link;
	struct remark remark = {.id = "xdp", .severity = SEVERITY_WARNING};

	if (!changes || !link || !link->xdp)
		return remark;
	remark.text = "may be refused, an XDP program is attached";
	if (link->xdp_program)
		remark.text = arena_printf(
			arena, "may be refused, XDP program %u is attached", link->xdp_program);
	return remark;
}

void model_forget(struct state *model, const struct kind *kind, const struct link *link)
{
	size_t first, n = state_range(model, kind, link, &first);

	for (size_t i = first; i < first + n; i++) {
		model->v[i].value = value_none();
		model->v[i].active = value_none();
	}
}

void model_reset(struct state *model, const struct link *link)
{
	const struct driver *driver = driver_find(link->driver);

	if (driver->flags & DRIVER_RESET_IRQS)
		model_forget(model, &kind_irq_affinity, link);
	if (driver->flags & DRIVER_RESET_RSS)
		rss_forget(model, link);
	pause_forget(model, link);
}

uint64_t model_mtu(const struct state *model, const struct link *link)
{
	const struct observed *o = state_get(model, &kind_mtu, link, PART_WHOLE, 0, "mtu");

	return o && o->value.type == VALUE_NUMBER ? o->value.number : link->mtu;
}

/* "eth0/rings.rx = 8192: " goes before every complaint. */
static int refuse(const struct expansion *expansion, const struct observed *live,
	struct error *error, const char *format, ...) PRINTF_LIKE(4, 5);

static int refuse(const struct expansion *expansion, const struct observed *live,
	struct error *error, const char *format, ...)
{
	struct address at = live ? live->at : expansion_address(expansion, expansion->wish->key);
	va_list args;
	const char *complaint;

	va_start(args, format);
	complaint = arena_vprintf(expansion->arena, format, args);
	va_end(args);
	return error_set(error, ERROR_DATA, EINVAL, "%s = %s: %s",
		address_text(expansion->arena, &at),
		expr_text(expansion->arena, expansion->wish->value), complaint);
}

static const char *words_text(struct arena *arena, const char *const *words)
{
	const char *text = "";

	for (size_t i = 0; words[i]; i++)
		text = i ? arena_printf(arena, "%s, %s", text, words[i]) : words[i];
	return text;
}

static const char *unit_text(enum unit unit)
{
	switch (unit) {
	case UNIT_BYTES:
		return "a number of bytes, as 65536 or 64KiB";
	case UNIT_RATE:
		return "a rate, as 10Gbit";
	case UNIT_USECS:
		return "a time in whole microseconds, as 50 or 50us";
	case UNIT_SECONDS:
		return "a time in whole seconds, as 30 or 30s";
	case UNIT_NONE:
		break;
	}
	return "a decimal number";
}

static int number_value(const struct expansion *expansion, const struct field *field,
	const struct observed *live, const char *text, struct value *ret, struct error *error)
{
	uint64_t number;
	int r = quantity_parse(text, field->unit, &number);

	if (r == -ERANGE)
		return refuse(expansion, live, error, "the number is too large");
	if (r < 0)
		return refuse(expansion, live, error, "wanted %s%s", unit_text(field->unit),
			field->flags & FIELD_HAS_MAX ? ", or max" : "");
	if (live && live->max && number > live->max)
		return refuse(expansion, live, error, "the device's maximum is %llu",
			(unsigned long long)live->max);
	if (live && number < live->min)
		return refuse(expansion, live, error, "the device's minimum is %llu",
			(unsigned long long)live->min);
	*ret = value_number(expansion->arena, number);
	return 0;
}

static int bool_value(const struct expansion *expansion, const struct observed *live,
	const char *text, struct value *ret, struct error *error)
{
	int on = text_bool(text);

	if (on < 0)
		return refuse(
			expansion, live, error, "wanted on or off (also true, false, yes, no)");
	*ret = value_bool(on);
	return 0;
}

static int set_add(const struct expansion *expansion, const struct observed *live, const char *text,
	struct cpuset *set, struct error *error)
{
	struct cpuset part;
	bool is_mask = strncasecmp(text, "0x", 2) == 0;
	int r;

	r = is_mask ? cpuset_parse_mask(text, &part) : cpuset_parse_list(text, &part);
	if (r == -ERANGE)
		return refuse(expansion, live, error, "%s has numbers above %d%s", text,
			CPUSET_MAX - 1, is_mask ? "" : " (a mask is written with 0x)");
	if (r < 0)
		return refuse(expansion, live, error, "wanted a list as 0-3,8 or a mask as 0xff");
	cpuset_or(set, &part);
	return 0;
}

static int ranges_value(const struct expansion *expansion, const struct observed *live,
	const struct expr *expr, struct value *ret, struct error *error)
{
	struct cpuset set;
	int r = 0;

	cpuset_clear(&set);
	if (expr->op != EXPR_LIST)
		r = set_add(expansion, live, expr_text(expansion->arena, expr), &set, error);
	for (size_t i = 0; expr->op == EXPR_LIST && r == 0 && i < expr->nargs; i++)
		r = set_add(
			expansion, live, expr_text(expansion->arena, expr->arg[i]), &set, error);
	if (r == 0)
		*ret = value_ranges(expansion->arena, &set);
	return r;
}

static bool is_one_of(const char *text, const char *const *words)
{
	for (size_t i = 0; words && words[i]; i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}

int wish_value(const struct expansion *expansion, const struct field *field,
	const struct observed *live, struct value *ret, struct error *error)
{
	const struct expr *expr = expansion->wish->value;
	const char *text = expr_text(expansion->arena, expr);

	if (is_one_of(text, field->words)) {
		*ret = value_word(expansion->arena, text);
		return 0;
	}
	if ((field->flags & FIELD_HAS_MAX) && strcmp(text, "max") == 0) {
		if (!live || live->max == 0)
			return refuse(expansion, live, error, "the device tells no maximum");
		*ret = value_number(expansion->arena, live->max);
		return 0;
	}
	switch (field->type) {
	case VALUE_NUMBER:
		return number_value(expansion, field, live, text, ret, error);
	case VALUE_BOOL:
		return bool_value(expansion, live, text, ret, error);
	case VALUE_RANGES:
		return ranges_value(expansion, live, expr, ret, error);
	case VALUE_WORDS:
		*ret = value_words(expansion->arena, text);
		return 0;
	case VALUE_WORD:
	case VALUE_NONE:
	case VALUE_TYPE_MAX:
		break;
	}
	if (field->words)
		return refuse(expansion, live, error, "wanted one of %s",
			words_text(expansion->arena, field->words));
	*ret = value_word(expansion->arena, text);
	return 0;
}
