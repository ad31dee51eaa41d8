/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From libyaml's events to a tree of nodes. Only the event interface is used: libyaml's own
 * document tree would resolve aliases, drop duplicates and lose the places of keys. What is not
 * part of the format is reported here and left out of the tree, so that reading goes on.
 */
#include "profile/yaml_loader.h"

#include <errno.h>
#include <string.h>

static struct frame *top(struct loader *l)
{
	return l->depth ? &l->stack[l->depth - 1] : NULL;
}

static bool expects_key(struct loader *l)
{
	struct frame *frame = top(l);

	return frame && frame->node->type == NODE_MAPPING && !frame->has_key;
}

/* Puts the node where it belongs. An entry whose key was refused is read and forgotten. */
static void attach(struct loader *l, struct node *node)
{
	struct frame *frame = top(l);

	if (!frame) {
		l->root = node;
		return;
	}
	if (frame->node->type == NODE_MAPPING) {
		frame->has_key = false;
		if (!frame->key)
			return;
		node->key = frame->key;
		node->key_pos = frame->key_pos;
	}
	*frame->tail = node;
	frame->tail = &node->next;
	frame->node->n++;
}

static struct node *add_node(struct loader *l, enum node_type type, const yaml_mark_t *mark)
{
	struct node *node = ARENA_NEW(l->reader->arena, struct node);

	if (!node)
		return NULL;
	node->type = type;
	node->pos = loader_pos(l, mark);
	attach(l, node);
	return node;
}

static void set_key(struct loader *l, const char *key, const yaml_mark_t *mark)
{
	struct frame *frame = top(l);

	frame->has_key = true;
	frame->key = key;
	frame->key_pos = loader_pos(l, mark);
}

/* Tabs and newlines are part of texts; other controls would reach terminals and /proc. */
static bool has_control(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < ' ' && c != '\t' && c != '\n') || c == 0x7f)
			return true;
		if (c == 0xc2 && i + 1 < length && (unsigned char)text[i + 1] < 0xa0)
			return true;
	}
	return false;
}

/* True, and reported, if a node has an anchor or a tag. */
static bool has_properties(struct loader *l, const yaml_event_t *event, const yaml_char_t *anchor,
	const yaml_char_t *tag)
{
	struct pos pos = loader_pos(l, &event->start_mark);

	if (!anchor && !tag)
		return false;
	reader_error(l->reader, &pos, "yaml-feature", loader_quote(l, &event->start_mark),
		anchor ? "anchors (&) are not part of profiles"
		       : "tags (!) are not part of profiles");
	return true;
}

static int take_key(struct loader *l, const yaml_event_t *event)
{
	const char *key = (const char *)event->data.scalar.value;
	struct pos pos = loader_pos(l, &event->start_mark);
	bool bad = has_properties(l, event, event->data.scalar.anchor, event->data.scalar.tag);

	if (!bad && !*key) {
		reader_error(l->reader, &pos, "bad-key", NULL, "a key is empty");
		bad = true;
	} else if (!bad && strcmp(key, "<<") == 0) {
		reader_error(l->reader, &pos, "yaml-feature", NULL,
			"merge keys (<<) are not part of profiles");
		bad = true;
	} else if (!bad && (has_control(key, event->data.scalar.length) || strpbrk(key, "\t\n"))) {
		reader_error(l->reader, &pos, "bad-key", NULL, "a key has control characters");
		bad = true;
	}
	bad |= loader_is_patched(l, &event->start_mark);
	set_key(l, bad ? NULL : arena_strdup(l->reader->arena, key), &event->start_mark);
	return 0;
}

static int take_scalar(struct loader *l, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	bool bad;
	struct node *node;

	if (expects_key(l))
		return take_key(l, event);
	bad = has_properties(l, event, event->data.scalar.anchor, event->data.scalar.tag);
	if (!bad && has_control(text, event->data.scalar.length)) {
		struct pos pos = loader_pos(l, &event->start_mark);

		reader_error(
			l->reader, &pos, "bad-value", NULL, "the value has control characters");
		bad = true;
	}
	bad |= loader_is_patched(l, &event->start_mark);
	node = add_node(l, bad ? NODE_BAD : NODE_SCALAR, &event->start_mark);
	if (!node)
		return -ENOMEM;
	node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	node->text = arena_strdup(l->reader->arena, text);
	return 0;
}

/* "*eth" is an alias to YAML, and a glob to whoever wrote it. */
static int take_alias(struct loader *l, const yaml_event_t *event)
{
	struct pos pos = loader_pos(l, &event->start_mark);

	reader_error(l->reader, &pos, "yaml-feature", loader_quote(l, &event->start_mark),
		"aliases (*) are not part of profiles");
	if (expects_key(l)) {
		set_key(l, NULL, &event->start_mark);
		return 0;
	}
	return add_node(l, NODE_BAD, &event->start_mark) ? 0 : -ENOMEM;
}

static int take_start(struct loader *l, enum node_type type, const yaml_event_t *event)
{
	struct pos pos = loader_pos(l, &event->start_mark);
	struct node *node;

	if (expects_key(l)) {
		reader_error(l->reader, &pos, "bad-key", NULL,
			"a key must be one word, not a list or a mapping");
		return -EINVAL;
	}
	if (l->depth == LOADER_DEPTH) {
		reader_error(l->reader, &pos, "too-deep", NULL, "nested more than %d levels deep",
			LOADER_DEPTH);
		return -EINVAL;
	}
	if (type == NODE_MAPPING)
		has_properties(
			l, event, event->data.mapping_start.anchor, event->data.mapping_start.tag);
	else
		has_properties(l, event, event->data.sequence_start.anchor,
			event->data.sequence_start.tag);
	node = add_node(l, type, &event->start_mark);
	if (!node)
		return -ENOMEM;
	l->stack[l->depth++] = (struct frame){.node = node, .tail = &node->first};
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a;
	const struct node *y = *(const struct node *const *)b;
	int r = strcmp(x->key, y->key);

	return r ? r : pos_compare(&x->key_pos, &y->key_pos);
}

/* Takes out entries without key. */
static void drop_entries(struct node *mapping)
{
	struct node **tail = &mapping->first;

	while (*tail) {
		if ((*tail)->key) {
			tail = &(*tail)->next;
			continue;
		}
		*tail = (*tail)->next;
		mapping->n--;
	}
}

/* Reports equal keys and keeps the first of them. */
static int check_duplicates(struct loader *l, struct node *mapping)
{
	struct node **sorted = ARENA_ARRAY(l->reader->arena, mapping->n, struct node *);
	const struct node *first;
	size_t n = 0;

	if (!sorted)
		return -ENOMEM;
	for (struct node *entry = mapping->first; entry; entry = entry->next)
		sorted[n++] = entry;
	if (n < 2)
		return 0;
	qsort(sorted, n, sizeof(*sorted), compare_entries);
	first = sorted[0];
	for (size_t i = 1; i < n; i++) {
		if (strcmp(first->key, sorted[i]->key) != 0) {
			first = sorted[i];
			continue;
		}
		reader_duplicate(l->reader, &sorted[i]->key_pos, &first->key_pos, sorted[i]->key);
		sorted[i]->key = NULL;
	}
	drop_entries(mapping);
	return 0;
}

static int take_end(struct loader *l)
{
	struct node *node = top(l)->node;

	l->depth--;
	return node->type == NODE_MAPPING ? check_duplicates(l, node) : 0;
}

static int take_document(struct loader *l, const yaml_event_t *event)
{
	struct pos pos = loader_pos(l, &event->start_mark);

	if (l->documents++ == 0)
		return 0;
	reader_error(l->reader, &pos, "yaml-feature", NULL,
		"a second document begins here; a file holds one");
	return -EINVAL;
}

static int take_event(struct loader *l, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return take_document(l, event);
	case YAML_ALIAS_EVENT:
		return take_alias(l, event);
	case YAML_SCALAR_EVENT:
		return take_scalar(l, event);
	case YAML_SEQUENCE_START_EVENT:
		return take_start(l, NODE_SEQUENCE, event);
	case YAML_MAPPING_START_EVENT:
		return take_start(l, NODE_MAPPING, event);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return take_end(l);
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		break;
	}
	return 0;
}

static int take_all(struct loader *l, size_t from)
{
	bool done = false;
	int r = 0;

	while (r == 0 && !done) {
		yaml_event_t event;

		if (!yaml_parser_parse(&l->parser, &event))
			return loader_failed(l, from);
		done = event.type == YAML_STREAM_END_EVENT;
		r = take_event(l, &event);
		yaml_event_delete(&event);
		if (reader_is_full(l->reader))
			return -EINVAL;
	}
	return r;
}

/* One pass over the text. */
static int parse(struct loader *l)
{
	int r;

	l->root = NULL;
	l->depth = l->documents = 0;
	if (!yaml_parser_initialize(&l->parser))
		return -ENOMEM;
	yaml_parser_set_encoding(&l->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&l->parser, (const unsigned char *)l->text, l->length);
	r = take_all(l, l->reader->diags->n);
	yaml_parser_delete(&l->parser);
	return r;
}

int yaml_load(const struct reader *reader, const char *file, const char *text, size_t length,
	struct node **ret)
{
	struct loader loader = {.reader = reader, .file = file};
	int r;

	if (length > PROFILE_SIZE_MAX) {
		reader_error(reader, &(struct pos){.file = file, .line = 1, .column = 1},
			"too-large", NULL, "the file is larger than %zu KiB",
			PROFILE_SIZE_MAX / 1024);
		return -EINVAL;
	}
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
		text += 3;
		length -= 3;
	}
	r = loader_lines(&loader, text, length);
	if (r < 0)
		return r;
	do
		r = parse(&loader);
	while (r == -EAGAIN);
	if (r == 0)
		*ret = loader.root;
	return r;
}

const struct node *node_get(const struct node *mapping, const char *key)
{
	for (const struct node *entry = mapping->first; entry; entry = entry->next) {
		if (strcmp(entry->key, key) == 0)
			return entry;
	}
	return NULL;
}
