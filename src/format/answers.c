/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of answers. What is empty for most of them is left out: driver and device of the host's
 * settings, part, modes.
 */
#include "format/answers.h"

#include "format/json.h"

#include <errno.h>
#include <string.h>

static json_t *with_text(json_t *object, const char *key, const char *text)
{
	return *text ? json_with(object, key, text_to_json(text)) : object;
}

static json_t *with_value(json_t *object, const char *key, const struct value *value)
{
	json_t *pair = json_append(json_array(), json_string(value_type_name(value->type)));

	return json_with(object, key, json_append(pair, text_to_json(value->text)));
}

char *answers_header_line(void)
{
	return json_to_line(json_with(json_object(), "format", json_string(ANSWERS_FORMAT)));
}

char *answer_line(const struct answer *answer)
{
	json_t *object = with_text(json_object(), "driver", answer->driver);

	object = with_text(object, "device", answer->device);
	object = with_text(object, "kernel", answer->kernel);
	object = with_text(object, "kind", answer->kind);
	object = with_text(object, "part", answer->part);
	object = with_text(object, "key", answer->key);
	object = with_text(object, "modes", answer->modes);
	object = with_value(object, "asked", &answer->asked);
	object = with_value(object, "got", &answer->got);
	return json_to_line(
		json_with(object, "verdict", json_string(verdict_name(answer->verdict))));
}

static int parse_text(struct arena *arena, const char **text)
{
	return text_of_json(arena, *text, text);
}

static int parse_value(struct arena *arena, json_t *pair, struct value *ret)
{
	const char *name, *text;
	enum value_type type;

	if (json_unpack_ex(pair, NULL, JSON_STRICT, "[s s]", &name, &text) < 0 ||
		parse_text(arena, &text) < 0)
		return -EINVAL;
	type = value_type_of_name(name);
	if (type == VALUE_TYPE_MAX || type == VALUE_NONE)
		return -EINVAL;
	*ret = value_of_text(arena, type, text);
	return ret->type == type ? 0 : -EINVAL;
}

static int parse_answer(struct arena *arena, json_t *object, struct answer *ret)
{
	const char *verdict;
	json_t *asked, *got;
	const char **const texts[] = {&ret->driver, &ret->device, &ret->kernel, &ret->kind,
		&ret->part, &ret->key, &ret->modes};

	*ret = (struct answer){.driver = "", .device = "", .part = "", .modes = ""};
	if (json_unpack_ex(object, NULL, JSON_STRICT, "{s?s s?s s:s s:s s?s s:s s?s s:o s:o s:s}",
		    "driver", &ret->driver, "device", &ret->device, "kernel", &ret->kernel, "kind",
		    &ret->kind, "part", &ret->part, "key", &ret->key, "modes", &ret->modes, "asked",
		    &asked, "got", &got, "verdict", &verdict) < 0)
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (parse_text(arena, texts[i]) < 0)
			return -EINVAL;
	ret->verdict = verdict_of_name(verdict);
	if (!answer_is_worth(ret->verdict) || parse_value(arena, asked, &ret->asked) < 0)
		return -EINVAL;
	return parse_value(arena, got, &ret->got);
}

static int parse_header(json_t *object, struct error *error)
{
	const char *format;

	if (json_unpack_ex(object, NULL, 0, "{s:s}", "format", &format) < 0)
		return error_set(error, ERROR_DATA, EINVAL, "line 1: no \"format\"");
	if (strcmp(format, ANSWERS_FORMAT) != 0)
		return error_set(error, ERROR_DATA, EINVAL,
			"line 1: format \"%.60s\", wanted \"%s\"", format, ANSWERS_FORMAT);
	return 0;
}

static int parse_line(const char *line, size_t length, unsigned number, struct answers *answers,
	struct error *error)
{
	json_error_t why;
	json_t *object CLEANUP_JSON = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
	struct answer answer;

	if (!object)
		return error_set(error, ERROR_DATA, EINVAL, "line %u: %.200s", number, why.text);
	if (number == 1)
		return parse_header(object, error);
	if (parse_answer(answers->arena, object, &answer) < 0)
		return error_set(error, ERROR_DATA, EINVAL, "line %u: is no answer", number);
	return answers_add(answers, &answer) < 0 ? error_no_memory(error) : 0;
}

int answers_parse(const char *text, size_t length, struct answers *ret, struct error *error)
{
	const char *end = text + length;
	unsigned number = 0;
	int r = 0;

	ret->n = 0;
	while (text < end && r == 0) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		number++;
		if (newline)
			r = parse_line(text, (size_t)(newline - text), number, ret, error);
		else
			r = error_set(error, ERROR_DATA, EINVAL, "line %u: is cut", number);
		text = newline ? newline + 1 : end;
	}
	if (!number)
		r = error_set(error, ERROR_DATA, EINVAL, "line 1: is empty");
	if (r < 0)
		ret->n = 0;
	return r;
}
