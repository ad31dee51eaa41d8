/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Device parameters by a table of fields: ethtool netlink where the kernel has the command, else
 * the structure of SIOCETHTOOL (Documentation/networking/ethtool-netlink.rst, linux/ethtool.h).
 */
#include "kinds/ethparam.h"

#include "kinds/each.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
	ATTRS_MAX = 48,   /* highest attribute number of any of the messages, + 1 */
	WORDS_MAX = 32,   /* of the largest structure: ethtool_coalesce has 23 */
	CHANGES_MAX = 32, /* fields of the largest kind */
};

/* EINVAL with this text is the kernel's word for a parameter that the driver lacks. */
static const char unsupported_text[] = "cannot modify an unsupported parameter";

static struct value value_of_wire(struct arena *arena, const struct field *field, uint32_t number)
{
	if (field->type == VALUE_BOOL)
		return value_bool(number != 0);
	if (field->type == VALUE_NUMBER)
		return value_number(arena, number);
	for (uint32_t i = 0; field->words[i]; i++)
		if (i == number)
			return value_word(arena, field->words[i]);
	return value_none();
}

static int wire_of_value(const struct field *field, const struct value *value, uint32_t *ret)
{
	if (field->type != value->type)
		return -EINVAL;
	if (field->type != VALUE_WORD) {
		if (value->number > UINT32_MAX)
			return -ERANGE;
		*ret = (uint32_t)value->number;
		return 0;
	}
	for (uint32_t i = 0; field->words[i]; i++) {
		if (strcmp(field->words[i], value->text) == 0) {
			*ret = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int observe_field(const struct ethparam *param, const struct field *field,
	const struct link *link, uint32_t number, uint32_t max, struct state *ret)
{
	return state_put(ret,
		&(struct observed){
			.at = {.kind = param->kind, .target = {.link = link}, .key = field->name},
			.value = value_of_wire(ret->arena, field, number),
			.support = field->flags & FIELD_READ_ONLY ? SUPPORT_READ_ONLY
								  : SUPPORT_SETTABLE,
			.max = max,
		});
}

/* The number in an attribute of the field's width; false if it is absent or of another size. */
static bool attr_number(const struct nlattr *const *tb, uint16_t type, uint8_t width, uint32_t *ret)
{
	const struct nlattr *attr = type ? tb[type] : NULL;

	if (!attr || mnl_attr_get_payload_len(attr) != width)
		return false;
	*ret = width == 1 ? mnl_attr_get_u8(attr) : mnl_attr_get_u32(attr);
	return true;
}

static int observe_netlink(const struct ethparam *param, struct kernel *kernel,
	const struct link *link, struct state *ret, struct error *error)
{
	const struct nlattr *tb[ATTRS_MAX] = {NULL};
	int r = ethnl_get(kernel, param->get, link, 0, tb, ARRAY_SIZE(tb), error);

	for (const struct field *f = param->kind->fields; r == 0 && f->name; f++) {
		uint32_t number, max = 0;

		if (!attr_number(tb, f->wire.attr, f->wire.width, &number))
			continue;
		attr_number(tb, f->wire.attr_max, 4, &max);
		r = observe_field(param, f, link, number, max, ret);
	}
	return r;
}

static uint32_t word_at(const uint32_t *data, uint16_t offset)
{
	return data[offset / sizeof(*data)];
}

static int observe_ioctl(const struct ethparam *param, struct kernel *kernel,
	const struct link *link, struct state *ret, struct error *error)
{
	uint32_t data[WORDS_MAX] = {param->ioctl_get};
	int r = ethtool_ioctl(kernel, link, data, param->ioctl_size, error);

	if (r > 0)
		r = 0;
	for (const struct field *f = param->kind->fields; r == 0 && f->name; f++) {
		uint32_t max = f->wire.offset_max ? word_at(data, f->wire.offset_max) : 0;
		uint32_t number = word_at(data, f->wire.offset);

		if (!f->wire.offset || (f->wire.offset_max && max == 0))
			continue;
		r = observe_field(param, f, link, number, max, ret);
		if (r == 0 && number == 0 && max == 0 && !param->whole)
			state_get(ret, param->kind, link, PART_WHOLE, 0, f->name)->note =
				"the ioctl does not tell 0 from unsupported";
	}
	return r;
}

int ethparam_observe(const struct ethparam *param, struct kernel *kernel, const struct scope *scope,
	struct state *ret, struct error *error)
{
	int r = ethnl_has(kernel, param->get)
			? observe_netlink(param, kernel, scope->link, ret, error)
			: observe_ioctl(param, kernel, scope->link, ret, error);

	if (r == -ENOMEM)
		return error_set(error, ERROR_FAILED, ENOMEM, "%s/%s: out of memory",
			scope->link->name, param->kind->name);
	return r == -EOPNOTSUPP ? 0 : r;
}

/* "eth0/rings: rx = 513, tx = 1001"; cut where it does not fit. */
static void changes_text(struct change *const *v, size_t n, char *text, size_t size)
{
	const struct address *at = &v[0]->at;
	int length = snprintf(text, size, "%s/%s:", at->target.link->name, at->kind->name);

	for (size_t i = 0; i < n && length > 0 && (size_t)length < size; i++)
		length += snprintf(text + length, size - (size_t)length, "%s %s = %s", i ? "," : "",
			v[i]->at.key, value_text(&v[i]->wanted));
}

static int write_netlink(const struct ethparam *param, struct kernel *kernel,
	struct change *const *v, size_t n, struct error *error)
{
	struct ethnl_attr attrs[CHANGES_MAX];

	for (size_t i = 0; i < n; i++) {
		const struct field *field = kind_field(param->kind, v[i]->at.key);

		attrs[i] = (struct ethnl_attr){
			.type = field->wire.attr,
			.width = field->wire.width,
		};
		if (wire_of_value(field, &v[i]->wanted, &attrs[i].number) < 0)
			return error_set(error, ERROR_DATA, EINVAL, "%s is no value for %s",
				value_text(&v[i]->wanted), field->name);
	}
	return ethnl_set(kernel, param->set, v[0]->at.target.link, attrs, n, error);
}

static int put_ioctl(const struct ethparam *param, struct kernel *kernel, struct change *const *v,
	size_t n, struct error *error)
{
	uint32_t data[WORDS_MAX] = {param->ioctl_get};
	const struct link *link = v[0]->at.target.link;
	int r = ethtool_ioctl(kernel, link, data, param->ioctl_size, error);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		const struct field *field = kind_field(param->kind, v[i]->at.key);

		if (!field->wire.offset)
			return error_set(error, ERROR_FAILED, EOPNOTSUPP,
				"the ioctl has no such parameter as %s", field->name);
		if (wire_of_value(field, &v[i]->wanted, &data[field->wire.offset / sizeof(*data)]) <
			0)
			return error_set(error, ERROR_DATA, EINVAL, "%s is no value for %s",
				value_text(&v[i]->wanted), field->name);
	}
	data[0] = param->ioctl_set;
	r = ethtool_ioctl(kernel, link, data, param->ioctl_size, error);
	return r > 0 ? 0 : r;
}

/* EINVAL with its text, and EOPNOTSUPP, are the same answer. */
static int write_message(const struct ethparam *param, struct kernel *kernel,
	struct change *const *v, size_t n, struct error *error)
{
	char text[256];
	int r = ethnl_has(kernel, param->set) ? write_netlink(param, kernel, v, n, error)
					      : put_ioctl(param, kernel, v, n, error);

	if (r >= 0)
		return 0;
	if (r == -EINVAL && strstr(error->msg, unsupported_text)) {
		error->err = EOPNOTSUPP;
		r = -EOPNOTSUPP;
	}
	changes_text(v, n, text, sizeof(text));
	error_prefix(error, "%s", text);
	return r;
}

/* Of a parameter without a maximum, a reading need not tell whether it is there: the ioctl never
 * does, and netlink shows tx-push of every device. */
static bool may_be_absent(const struct ethparam *param, struct change *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!param->whole && !kind_field(param->kind, v[i]->at.key)->wire.offset_max)
			return true;
	return false;
}

static int write_alone(
	struct kernel *kernel, const struct change *change, const void *param, struct error *error)
{
	struct change one = *change, *const v[] = {&one};

	return write_message(param, kernel, v, 1, error);
}

int ethparam_write(const struct ethparam *param, struct kernel *kernel, struct change *const *v,
	size_t n, struct error *error)
{
	struct error unheard;
	int r;

	if (!error)
		error = &unheard;
	if (n > CHANGES_MAX)
		return error_set(error, ERROR_FAILED, E2BIG, "%zu changes in one step", n);
	for (size_t i = 0; i < n; i++) {
		const struct field *field = kind_field(param->kind, v[i]->at.key);

		if (!field || !field->wire.attr)
			return error_set(error, ERROR_DATA, EINVAL, "%s has no setting %s",
				param->kind->name, v[i]->at.key);
	}
	r = write_message(param, kernel, v, n, error);
	if (r != -EOPNOTSUPP || n == 1 || !may_be_absent(param, v, n))
		return r;
	return each_write(kernel, v, n, write_alone, param, error);
}

static int skip_absent(const struct expansion *expansion, const char *key)
{
	const struct kind *kind = expansion->wish->kind;
	struct address at = expansion_address(expansion, key);
	size_t first, n = state_range(expansion->model, kind, expansion->link, &first);

	return expansion_skip(expansion, &at, VERDICT_UNSUPPORTED, "the device does not support %s",
		n ? key : kind->name);
}

int ethparam_expand_key(const struct expansion *expansion, const char *key, struct error *error)
{
	const struct kind *kind = expansion->wish->kind;
	const struct field *field = kind_field(kind, key);
	const struct observed *live = state_get(
		expansion->model, kind, expansion->link, PART_WHOLE, 0, key);
	struct address at = expansion_address(expansion, key);
	struct value value;
	int r;

	if (!live)
		return skip_absent(expansion, key);
	r = wish_value(expansion, field, live, &value, error);
	if (r < 0)
		return r;
	if (value.type == VALUE_NUMBER && value.number > UINT32_MAX)
		return error_set(error, ERROR_DATA, EINVAL, "%s = %s: does not fit 32 bits",
			address_text(expansion->arena, &at), value_text(&value));
	if (live->support != SUPPORT_SETTABLE && !value_equal(&live->value, &value))
		return expansion_skip(expansion, &at, VERDICT_UNSUPPORTED, "%s is %s and %s%s%s",
			key, value_text(&live->value), support_name(live->support),
			live->note ? ": " : "", live->note ? live->note : "");
	return expansion_add(expansion, &at, &value);
}

int ethparam_expand(const struct expansion *expansion, struct error *error)
{
	return ethparam_expand_key(expansion, expansion->wish->key, error);
}
