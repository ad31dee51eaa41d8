/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A made-up kind whose kernel is an array in memory, for tests of planner, executor and rollback.
 * A cell can refuse, clamp, ignore, reset a neighbour, store half a vector, and say no although it
 * did it. Two kinds share the cells: "fake" (one step a link) and "fakehost" (setting by setting).
 */
#ifndef NETTUNE_TESTS_FAKE_H
#define NETTUNE_TESTS_FAKE_H

#include "engine/transaction.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "unit/test.h"

struct cell {
	const char *key;
	const char *text; /* live; NULL = not there */
	int refuse;       /* errno of every write, or of every write of refuse_text */
	const char *refuse_text;
	const char *clamp;                /* whatever is written becomes this */
	bool rule;                        /* the kind's rule allows that */
	bool ignore;                      /* yes, and nothing happens */
	bool unread;                      /* it is there, and can't be read */
	bool lies;                        /* refuse, and do it */
	const char *half;                 /* what a refused write leaves behind */
	const char *needs, *needs_text;   /* EINVAL unless that cell has this text */
	const char *resets, *resets_text; /* writing moves that cell */
	bool drops;                       /* writing takes the carrier of eth0 for a while */
	const char *comes_up;             /* what it is when the carrier comes back */
	unsigned writes;
	char buffer[64]; /* what text points to once it was written */
};

static struct cell *fake_cells;
static unsigned fake_total_writes;
static unsigned fake_no_carrier; /* so many more answers say that eth0 has no carrier */
static unsigned fake_die_after;  /* the writes from this one on are refused with EIO; 0 = never */

static struct cell *fake_cell(const char *key)
{
	for (struct cell *c = fake_cells; c->key; c++)
		if (strcmp(c->key, key) == 0)
			return c;
	return NULL;
}

extern const struct kind fake_kind, fake_host_kind;

static int fake_observe_cells(
	const struct kind *kind, struct arena *arena, const struct scope *scope, struct state *ret)
{
	for (struct cell *c = fake_cells; c->key; c++) {
		bool mine = kind == &fake_host_kind ? strncmp(c->key, "host.", 5) == 0
						    : strncmp(c->key, "host.", 5) != 0;
		struct observed o = {
			.at = {.kind = kind, .target.link = scope->link, .key = c->key},
			.support = SUPPORT_SETTABLE,
		};

		for (size_t i = 0; mine && scope->keys; i++) {
			if (i == scope->nkeys) {
				mine = false;
				break;
			}
			if (strcmp(scope->keys[i], c->key) == 0)
				break;
		}
		if (!mine || !c->text)
			continue;
		o.value = c->unread ? value_none() : value_words(arena, c->text);
		o.note = c->unread ? "not readable" : NULL;
		if (state_put(ret, &o) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int fake_observe(struct kernel *kernel, const struct host *host, const struct scope *scope,
	struct state *ret, struct error *error)
{
	return fake_observe_cells(&fake_kind, ret->arena, scope, ret);
}

static int fake_observe_host(struct kernel *kernel, const struct host *host,
	const struct scope *scope, struct state *ret, struct error *error)
{
	return fake_observe_cells(&fake_host_kind, ret->arena, scope, ret);
}

static void fake_set(struct cell *c, const char *text)
{
	size_t n = strlen(text);

	assert_true(n < sizeof(c->buffer));
	memmove(c->buffer, text, n + 1);
	c->text = c->buffer;
}

static int fake_store(struct cell *c, const char *text)
{
	struct cell *needs = c->needs ? fake_cell(c->needs) : NULL;

	c->writes++;
	fake_total_writes++;
	if (fake_die_after && fake_total_writes >= fake_die_after)
		return -EIO;
	if (needs && strcmp(needs->text, c->needs_text) != 0)
		return -EINVAL;
	if (c->refuse && (!c->refuse_text || strcmp(c->refuse_text, text) == 0)) {
		if (c->lies || c->half)
			fake_set(c, c->lies ? text : c->half);
		return -c->refuse;
	}
	if (c->drops)
		fake_no_carrier = 2;
	if (c->ignore)
		return 0;
	fake_set(c, c->clamp ? c->clamp : text);
	if (c->resets)
		fake_set(fake_cell(c->resets), c->resets_text);
	return 0;
}

static int fake_write(struct kernel *kernel, const struct host *host, struct change *const *v,
	size_t n, struct error *error)
{
	for (size_t i = 0; i < n; i++) {
		int r = fake_store(fake_cell(v[i]->at.key), v[i]->wanted.text);

		if (r < 0)
			return error_set(
				error, ERROR_FAILED, -r, "%s: %s", v[i]->at.key, strerror(-r));
	}
	return 0;
}

static int fake_expand(const struct expansion *e, struct error *error)
{
	struct setting s = {
		.at = {.kind = e->wish->kind, .target.link = e->link, .key = e->wish->key},
		.value = e->wish->value->value,
		.wish = e->wish,
	};

	return settings_add(e->ret, &s);
}

static enum verdict fake_judge(const struct change *change, const struct observed *live)
{
	return fake_cell(change->at.key)->rule ? VERDICT_CLAMPED : VERDICT_REFUSED;
}

static const struct field fake_fields[] = {{.name = "*", .flags = FIELD_OPEN, .doc = "any"}, {0}};
static const struct effect fake_effects[] = {
	{.key = NULL, .kind = "fake", .keys = NULL, .on = REACH_SELF}, {0}};

const struct kind fake_kind = {
	.name = "fake",
	.phase = PHASE_RINGS,
	.settles = true,
	.fields = fake_fields,
	.effects = fake_effects,
	.expand = fake_expand,
	.judge = fake_judge,
	.observe = fake_observe,
	.write = fake_write,
};
const struct kind fake_host_kind = {
	.name = "fakehost",
	.phase = PHASE_HOST_LATE,
	.single = true,
	.fields = fake_fields,
	.expand = fake_expand,
	.judge = fake_judge,
	.observe = fake_observe_host,
	.write = fake_write,
};
static const struct kind *const fake_kinds[] = {&fake_kind, &fake_host_kind, NULL};

/* The carrier is back in the answer after the last one without it. */
static unsigned fake_carrier(void)
{
	if (!fake_no_carrier)
		return IFF_LOWER_UP;
	if (--fake_no_carrier)
		return 0;
	for (struct cell *c = fake_cells; c->key; c++) {
		if (c->comes_up)
			fake_set(c, c->comes_up);
	}
	return 0;
}

/* A kernel with one link, eth0, that is up, and has carrier but for a while. */
static int fake_exchange(struct transport *transport, int protocol, const void *request,
	size_t length, struct buffer *reply)
{
	const struct nlmsghdr *req = request;
	bool dump = req->nlmsg_flags & NLM_F_DUMP;
	char buf[512] = {0}, end[64] = {0};
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *info = mnl_nlmsg_put_extra_header(h, sizeof(*info));

	h->nlmsg_type = RTM_NEWLINK;
	h->nlmsg_seq = req->nlmsg_seq;
	h->nlmsg_flags = dump ? NLM_F_MULTI : 0;
	info->ifi_index = 2;
	info->ifi_flags = IFF_UP | fake_carrier() | IFF_RUNNING;
	mnl_attr_put_strz(h, IFLA_IFNAME, "eth0");
	mnl_attr_put_u32(h, IFLA_MTU, 1500);
	if (buffer_append(reply, buf, h->nlmsg_len) < 0)
		return -ENOMEM;
	h = mnl_nlmsg_put_header(end);
	h->nlmsg_seq = req->nlmsg_seq;
	h->nlmsg_type = dump ? NLMSG_DONE : NLMSG_ERROR;
	h->nlmsg_flags = dump ? NLM_F_MULTI : 0;
	memset(mnl_nlmsg_put_extra_header(h, sizeof(struct nlmsgerr)), 0, sizeof(struct nlmsgerr));
	return buffer_append(reply, end, h->nlmsg_len);
}

static int fake_ioctl(struct transport *transport, const char *ifname, void *data, size_t length)
{
	return -EOPNOTSUPP;
}

struct fake {
	struct arena arena;
	struct transport transport;
	struct options options;
	struct run run;
	struct plan plan;
	struct link *link;
	struct diags diags;
	struct error error;
};

static void fake_setup(struct fake *f, struct cell *cells)
{
	memset(f, 0, sizeof(*f));
	arena_init(&f->arena);
	fake_cells = cells;
	fake_total_writes = 0;
	fake_die_after = 0;
	fake_no_carrier = 0;
	f->transport = (struct transport){.exchange = fake_exchange, .ioctl = fake_ioctl};
	f->options = (struct options){.carrier_timeout_ms = 100,
		.service_timeout_ms = 200,
		.command = "test",
		.version = "0",
		.state_dir = ""};
	f->run = (struct run){
		.kernel = {.dirs = {-1, -1, -1}, .transport = &f->transport, .arena = &f->arena},
		.host = {.name = "host", .kernel = "6.12", .boot_id = "boot", .netns = 1},
		.kinds = fake_kinds,
		.options = &f->options,
		.arena = &f->arena,
		.live.arena = &f->arena,
		.desired.arena = &f->arena,
		.observed.arena = &f->arena,
	};
	f->diags.arena = &f->arena;
	assert_int_equal(kernel_links(&f->run.kernel, &f->run.host, &f->error), 0);
	assert_int_equal(f->run.host.nlinks, 1);
	f->link = f->run.host.links[0];
	f->link->known = ~0U;
}

static void fake_teardown(struct fake *f)
{
	buffer_free(&f->run.kernel.reply);
	arena_done(&f->arena);
}

static void fake_wish(struct fake *f, const char *key, const char *text)
{
	bool host = strncmp(key, "host.", 5) == 0;
	struct wish *wish = ARENA_NEW(&f->arena, struct wish);
	struct expr *expr = ARENA_NEW(&f->arena, struct expr);

	assert_non_null(wish);
	assert_non_null(expr);
	*expr = (struct expr){.op = EXPR_LITERAL, .value = value_words(&f->arena, text)};
	*wish = (struct wish){
		.kind = host ? &fake_host_kind : &fake_kind, .key = key, .value = expr};
	assert_int_equal(desired_add(&f->run.desired,
				 &(struct pair){.link = host ? NULL : f->link, .wish = wish}),
		0);
}

static void fake_plan(struct fake *f)
{
	if (run_plan(&f->run, &f->plan, &f->diags, &f->error) < 0)
		fail_msg("%s", f->error.msg);
}

UNUSED static const struct change *fake_change(struct fake *f, const char *key)
{
	for (size_t i = 0; i < f->plan.n; i++)
		if (strcmp(f->plan.v[i].at.key, key) == 0)
			return &f->plan.v[i];
	fail_msg("no change of %s", key);
	return NULL;
}

#endif
