/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading the command line with getopt_long(3), driven by one table. Abbreviated long options are
 * refused: the next version's option would give them another meaning. Options of later versions
 * are refused by name, since a safety option that is taken and does nothing is worse than none.
 */
#include "cmd/options.h"

#include "kinds/registry.h"
#include "util/numbers.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#define STATE_DIR "/var/lib/nettune"
#define LATER     (OPTION_MAX + 1) /* getopt's value for options of later versions */

/* In the order of help. */
const struct option_row option_rows[OPTION_MAX] = {
	[OPTION_INTERFACE] = {"interface", 'i', "NAME", "only this interface (repeatable)"},
	[OPTION_ONLY] = {"only", 0, "KIND,...", "only these kinds of settings"},
	[OPTION_DETAILED_EXITCODE] = {"detailed-exitcode", 0, NULL,
		"exit with 2 if there are changes or deferred settings"},
	[OPTION_DRY_RUN] = {"dry-run", 0, NULL, "stop before the first write"},
	[OPTION_TO] = {"to", 0, "ID", "back to the state right after transaction ID"},
	[OPTION_ALL] = {"all", 0, NULL, "back to before the first transaction"},
	[OPTION_FORCE] = {"force", 0, NULL, "restore also what others changed since"},
	[OPTION_CARRIER_TIMEOUT] = {"carrier-timeout", 0, "TIME",
		"wait so long for a link (10s), for a port (40s)"},
	[OPTION_LOCK_TIMEOUT] = {"lock-timeout", 0, "TIME",
		"wait so long for another run of nettune (10s)"},
	[OPTION_JSON] = {"json", 0, NULL, "one JSON document on stdout"},
	[OPTION_COLOR] = {"color", 0, "WHEN", "auto, always or never"},
	[OPTION_QUIET] = {"quiet", 'q', NULL, "less talk on stderr"},
	[OPTION_VERBOSE] = {"verbose", 'v', NULL, "more of it; -vv: what is read and written"},
	[OPTION_NETNS] = {"netns", 0, "NAME", "work in this network namespace"},
	[OPTION_STATE_DIR] = {"state-dir", 0, "DIR", "journal directory (/var/lib/nettune)"},
	[OPTION_PROFILE_DIR] = {"profile-dir", 0, "DIR", "look for profiles here first"},
	[OPTION_ROOT] = {"root", 0, "DIR", "read a recorded host below DIR"},
	[OPTION_HELP] = {"help", 'h', NULL, "help, also of one command"},
	[OPTION_VERSION] = {"version", 'V', NULL, "print the version"},
};

/* Known words that this version refuses. */
static const char *const later_options[] = {
	"allow-interrupts",
	"auto-confirm",
	"confirm",
	"expect",
	"from",
	"keep",
	"keep-going",
	"no-confirm",
	"probe",
	"set",
};

#define LONG_MAX_OPTIONS (OPTION_MAX + ARRAY_SIZE(later_options))

#define USAGE_ERROR(error, ...) error_set((error), ERROR_USAGE, EINVAL, __VA_ARGS__)

/* What getopt_long() wants: a table of names, and "+:" with the letters. */
static void make_tables(struct option *longs, char *letters)
{
	*letters++ = '+';
	*letters++ = ':';
	for (int i = 0; i < OPTION_MAX; i++) {
		const struct option_row *row = &option_rows[i];

		*longs++ = (struct option){.name = row->name,
			.has_arg = row->argument ? required_argument : no_argument,
			.val = i};
		if (row->letter)
			*letters++ = row->letter;
		if (row->letter && row->argument)
			*letters++ = ':';
	}
	for (size_t i = 0; i < ARRAY_SIZE(later_options); i++)
		*longs++ = (struct option){
			.name = later_options[i], .has_arg = optional_argument, .val = LATER};
	*longs = (struct option){0};
	*letters = '\0';
}

static int option_of_letter(int letter)
{
	for (int i = 0; i < OPTION_MAX; i++)
		if (option_rows[i].letter && option_rows[i].letter == letter)
			return i;
	return letter;
}

static int unknown_option(const char *name, struct error *error)
{
	const char *words[OPTION_MAX + 1] = {0};
	const char *near;

	for (int i = 0; i < OPTION_MAX; i++)
		words[i] = option_rows[i].name;
	near = nearest_word(name, words);
	if (near)
		return USAGE_ERROR(error, "unknown option --%s; did you mean --%s?", name, near);
	return USAGE_ERROR(error, "unknown option --%s; see nettune --help", name);
}

/* Every long option must be spelt out: getopt_long() has no switch for that. */
static int check_names(const struct option *longs, int argc, char *const *argv, struct error *error)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const struct option *row = longs;
		size_t length;
		char name[40];

		if (strncmp(argv[i], "--", 2) != 0)
			continue;
		length = strcspn(argv[i] + 2, "=");
		while (row->name && (strlen(row->name) != length ||
					    strncmp(row->name, argv[i] + 2, length) != 0))
			row++;
		if (!row->name) {
			length = MIN(length, sizeof(name) - 1);
			memcpy(name, argv[i] + 2, length);
			name[length] = '\0';
			return unknown_option(name, error);
		}
		if (row->val == LATER)
			return USAGE_ERROR(
				error, "--%s is not supported by this version", row->name);
	}
	return 0;
}

int time_parse(const char *text, unsigned *ret_ms)
{
	static const struct {
		const char *suffix;
		unsigned ms;
	} units[] = {{"", 1000}, {"s", 1000}, {"ms", 1}, {"m", 60000}};
	size_t digits = strspn(text, "0123456789");
	char number[12];
	uint64_t n;

	if (digits == 0)
		return -EINVAL;
	if (digits >= sizeof(number))
		return -ERANGE;
	memcpy(number, text, digits);
	number[digits] = '\0';
	if (number_parse(number, &n) < 0)
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(text + digits, units[i].suffix) != 0)
			continue;
		if (n > INT32_MAX / units[i].ms)
			return -ERANGE;
		*ret_ms = (unsigned)n * units[i].ms;
		return 0;
	}
	return -EINVAL;
}

static int set_time(const char *option, const char *text, unsigned *ret_ms, struct error *error)
{
	int r = time_parse(text, ret_ms);

	if (r == -ERANGE)
		return USAGE_ERROR(error, "--%s: %s is too long", option, text);
	if (r < 0)
		return USAGE_ERROR(
			error, "--%s: \"%s\" is no time; write 10s, 500ms or 2m", option, text);
	return 0;
}

static int set_color(const char *text, enum color *ret, struct error *error)
{
	static const char *const words[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(text, words[i]) == 0) {
			*ret = (enum color)i;
			return 0;
		}
	}
	return USAGE_ERROR(error, "--color: \"%s\" is none of auto, always, never", text);
}

/* Growing NULL-ended lists of words. */
struct words {
	const char **v;
	size_t n, cap;
};

static int add_word(struct words *words, const char *word, struct arena *arena)
{
	const size_t used = words->v ? words->n + 1 : 0;

	if (arena_grow(arena, &words->v, &words->cap, used, sizeof(*words->v)) < 0)
		return -ENOMEM;
	words->v[words->n++] = word;
	words->v[words->n] = NULL;
	return 0;
}

static int unknown_kind(const char *name, struct arena *arena, struct error *error)
{
	const char *all = "";

	for (size_t i = 0; kinds[i]; i++)
		all = arena_printf(arena, "%s%s%s", all, i ? ", " : "", kinds[i]->name);
	return USAGE_ERROR(error, "--only: there is no kind \"%s\"; there are %s", name, all);
}

static int add_kinds(
	struct words *words, const char *text, struct arena *arena, struct error *error)
{
	while (*text) {
		size_t length = strcspn(text, ",");
		char *name = arena_strndup(arena, text, length);

		if (!kind_find(kinds, name))
			return unknown_kind(name, arena, error);
		if (add_word(words, name, arena) < 0)
			return -ENOMEM;
		text += length + (text[length] == ',');
	}
	return words->n ? 0 : USAGE_ERROR(error, "--only needs a kind");
}

struct parser {
	struct command_line *line;
	struct arena *arena;
	struct words interfaces, only, operands;
};

/* Given, it counts for ports, too. */
static int set_carrier_timeout(const char *argument, struct options *options, struct error *error)
{
	int r = set_time("carrier-timeout", argument, &options->carrier_timeout_ms, error);

	options->service_timeout_ms = options->carrier_timeout_ms;
	return r;
}

static int take_option(struct parser *parser, int id, const char *argument, struct error *error)
{
	struct command_line *line = parser->line;

	line->given |= UINT64_C(1) << id;
	switch (id) {
	case OPTION_INTERFACE:
		return add_word(&parser->interfaces, argument, parser->arena);
	case OPTION_ONLY:
		return add_kinds(&parser->only, argument, parser->arena, error);
	case OPTION_TO:
		line->to = argument;
		return 0;
	case OPTION_CARRIER_TIMEOUT:
		return set_carrier_timeout(argument, &line->options, error);
	case OPTION_LOCK_TIMEOUT:
		return set_time("lock-timeout", argument, &line->options.lock_timeout_ms, error);
	case OPTION_COLOR:
		return set_color(argument, &line->color, error);
	case OPTION_VERBOSE:
		line->verbose++;
		return 0;
	case OPTION_NETNS:
		line->netns = argument;
		return 0;
	case OPTION_STATE_DIR:
		line->options.state_dir = argument;
		return 0;
	case OPTION_PROFILE_DIR:
		line->profile_dir = argument;
		return 0;
	case OPTION_ROOT:
		line->root = argument;
		return 0;
	default:
		return 0; /* a switch: the bit is all */
	}
}

static int take_result(struct parser *parser, int result, char *const *argv, struct error *error)
{
	char letter[2] = {(char)optopt, '\0'};

	if (result == ':') {
		bool is_long = optopt < OPTION_MAX;

		return is_long ? USAGE_ERROR(
					 error, "--%s needs an argument", option_rows[optopt].name)
			       : USAGE_ERROR(error, "-%s needs an argument", letter);
	}
	if (result == '?' && optopt >= OPTION_MAX && strncmp(argv[optind - 1], "--", 2) != 0)
		return USAGE_ERROR(error, "unknown option -%s; see nettune --help", letter);
	if (result == '?')
		return USAGE_ERROR(error, "%s takes no argument", argv[optind - 1]);
	return take_option(parser, option_of_letter(result), optarg, error);
}

/* "+" stops at each word, so that words and options may mix, whatever POSIXLY_CORRECT says. */
static int walk(struct parser *parser, const struct option *longs, const char *letters, int argc,
	char *const *argv, struct error *error)
{
	bool only_words = false;

	optind = 0;
	opterr = 0;
	for (;;) {
		int before = optind ? optind : 1;
		int result = only_words ? -1 : getopt_long(argc, argv, letters, longs, NULL);
		int r;

		if (result != -1) {
			r = take_result(parser, result, argv, error);
		} else {
			if (!only_words && optind == before + 1)
				only_words = true; /* it took "--" */
			if (optind >= argc)
				return 0;
			r = add_word(&parser->operands, argv[optind++], parser->arena);
		}
		if (r < 0)
			return r;
	}
}

static bool is_shell_safe(const char *word)
{
	return *word && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "0123456789-_./=:,@%+")] == '\0';
}

const char *shell_quote(struct arena *arena, const char *word)
{
	const char *quoted = "'";

	if (is_shell_safe(word))
		return word;
	for (const char *p = word;;) {
		size_t length = strcspn(p, "'");

		quoted = arena_printf(arena, "%s%.*s", quoted, (int)length, p);
		if (!p[length])
			return arena_printf(arena, "%s'", quoted);
		quoted = arena_printf(arena, "%s'\\''", quoted);
		p += length + 1;
	}
}

static const char *command_text(int argc, char *const *argv, struct arena *arena)
{
	const char *text = "nettune";

	for (int i = 1; i < argc; i++)
		text = arena_printf(arena, "%s %s", text, shell_quote(arena, argv[i]));
	return text;
}

static bool asks_for_json(int argc, char *const *argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--json") == 0)
			return true;
	return false;
}

int options_parse(int argc, char *const *argv, struct arena *arena, struct command_line *ret,
	struct error *error)
{
	struct parser parser = {.line = ret, .arena = arena};
	struct option longs[LONG_MAX_OPTIONS + 1];
	char letters[2 * OPTION_MAX + 3];
	int r;

	*ret = (struct command_line){
		.options = {.state_dir = STATE_DIR,
			.lock_timeout_ms = 10000,
			.carrier_timeout_ms = 10000,
			.service_timeout_ms = 40000,
			.command = command_text(argc, argv, arena),
			.version = NETTUNE_VERSION},
		.given = asks_for_json(argc, argv) ? OPTION(JSON) : 0,
	};
	make_tables(longs, letters);
	r = check_names(longs, argc, argv, error);
	if (r == 0)
		r = walk(&parser, longs, letters, argc, argv, error);
	if (r == -ENOMEM || arena_failed(arena))
		return error_no_memory(error);
	if (r < 0)
		return r;
	if (ret->root && !line_has(ret, OPTION(STATE_DIR)))
		ret->options.state_dir = arena_printf(arena, "%s" STATE_DIR, ret->root);
	ret->options.interfaces = parser.interfaces.v;
	ret->options.only = parser.only.v;
	if (parser.operands.n) {
		ret->command = parser.operands.v[0];
		ret->operands = parser.operands.v + 1;
		ret->noperands = parser.operands.n - 1;
	}
	return 0;
}
