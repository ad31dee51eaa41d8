/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transport for tests that lets chosen writing operations fail, do nothing, kill the process, or
 * stop it until SIGCONT before they are done (NETTUNE_FAULT). Only in builds with NETTUNE_FAULTS.
 */
#include "kernel/transport.h"

#include "util/macros.h"

#include <errno.h>

#ifdef NETTUNE_FAULTS

#include <limits.h>
#include <linux/netlink.h>
#include <signal.h>
#include <string.h>

enum fault_action { FAULT_NONE, FAULT_ERRNO, FAULT_IGNORED, FAULT_KILL, FAULT_STOP };

struct fault {
	unsigned at;
	bool on; /* all operations from this one on */
	enum fault_action action;
	int err;
};

struct faulty {
	struct transport transport;
	struct transport *inner;
	unsigned count; /* writing operations so far */
	struct fault *plan;
	size_t n;
};

static const struct {
	const char *name;
	int err;
} errnos[] = {{"EACCES", EACCES}, {"EAGAIN", EAGAIN}, {"EBUSY", EBUSY}, {"EEXIST", EEXIST},
	{"EINTR", EINTR}, {"EINVAL", EINVAL}, {"EIO", EIO}, {"ENETDOWN", ENETDOWN},
	{"ENOBUFS", ENOBUFS}, {"ENODEV", ENODEV}, {"ENOENT", ENOENT}, {"ENOMEM", ENOMEM},
	{"ENOSPC", ENOSPC}, {"EOPNOTSUPP", EOPNOTSUPP}, {"EOVERFLOW", EOVERFLOW}, {"EPERM", EPERM},
	{"ERANGE", ERANGE}, {"EROFS", EROFS}, {"ETIMEDOUT", ETIMEDOUT}};

/* "N:WORD[:once|on]", changed in place. */
static int fault_parse(char *text, struct fault *ret)
{
	char *end, *word, *how;
	unsigned long at = strtoul(text, &end, 10);

	if (end == text || *end != ':' || at == 0 || at > UINT_MAX)
		return -EINVAL;
	word = end + 1;
	how = strchr(word, ':');
	if (how)
		*how++ = '\0';
	if (how && strcmp(how, "once") != 0 && strcmp(how, "on") != 0)
		return -EINVAL;
	*ret = (struct fault){.at = (unsigned)at, .on = how && strcmp(how, "on") == 0};
	if (strcmp(word, "ignored") == 0)
		ret->action = FAULT_IGNORED;
	else if (strcmp(word, "kill") == 0)
		ret->action = FAULT_KILL;
	else if (strcmp(word, "stop") == 0)
		ret->action = FAULT_STOP;
	for (size_t i = 0; i < ARRAY_SIZE(errnos); i++)
		if (strcmp(word, errnos[i].name) == 0)
			ret->err = errnos[i].err;
	if (ret->err)
		ret->action = FAULT_ERRNO;
	return ret->action == FAULT_NONE ? -EINVAL : 0;
}

/* Counts one writing operation: 0 = do it, 1 = pretend it, -errno = fail it. */
static int operation(struct faulty *faulty)
{
	faulty->count++;
	for (size_t i = 0; i < faulty->n; i++) {
		const struct fault *fault = &faulty->plan[i];

		if (faulty->count < fault->at || (faulty->count > fault->at && !fault->on))
			continue;
		if (fault->action == FAULT_KILL)
			raise(SIGKILL);
		if (fault->action == FAULT_STOP)
			raise(SIGSTOP);
		return fault->action == FAULT_IGNORED ? 1 : -fault->err;
	}
	return 0;
}

static int fault_exchange(struct transport *transport, int protocol, const void *request,
	size_t length, struct buffer *reply)
{
	struct faulty *faulty = (struct faulty *)transport;
	int r = netlink_is_write(protocol, request, length) ? operation(faulty) : 0;

	if (r == 0)
		return faulty->inner->exchange(faulty->inner, protocol, request, length, reply);
	buffer_clear(reply);
	return buffer_append_error(reply, request, MIN(r, 0));
}

static int fault_ioctl(struct transport *transport, const char *ifname, void *data, size_t length)
{
	struct faulty *faulty = (struct faulty *)transport;
	int r = ioctl_is_write(data, length) ? operation(faulty) : 0;

	return r == 0 ? faulty->inner->ioctl(faulty->inner, ifname, data, length) : MIN(r, 0);
}

static int fault_file_write(struct transport *transport, const char *path, const char *text)
{
	struct faulty *faulty = (struct faulty *)transport;
	int r = operation(faulty);

	if (r != 0 || !faulty->inner->file_write)
		return r;
	return faulty->inner->file_write(faulty->inner, path, text);
}

static void fault_free(struct transport *transport)
{
	struct faulty *faulty = (struct faulty *)transport;

	faulty->inner->free(faulty->inner);
	free(faulty->plan);
	free(faulty);
}

static int plan_parse(struct faulty *faulty, const char *plan)
{
	char *copy CLEANUP_FREE = strdup(plan);
	char *rest = copy, *item;
	int r = copy ? 0 : -ENOMEM;

	while (r == 0 && (item = strsep(&rest, ","))) {
		struct fault *v = reallocarray(faulty->plan, faulty->n + 1, sizeof(*v));

		if (!v)
			return -ENOMEM;
		faulty->plan = v;
		r = fault_parse(item, &v[faulty->n++]);
	}
	return r;
}

int transport_fault_new(
	const char *plan, struct transport *inner, struct transport **ret, struct error *error)
{
	struct faulty *faulty = calloc(1, sizeof(*faulty));
	int r;

	if (!faulty) {
		inner->free(inner);
		return error_no_memory(error);
	}
	faulty->inner = inner;
	faulty->transport = (struct transport){
		.exchange = fault_exchange,
		.ioctl = fault_ioctl,
		.file_write = fault_file_write,
		.free = fault_free,
	};
	r = plan_parse(faulty, plan);
	if (r < 0) {
		fault_free(&faulty->transport);
		return error_set(error, ERROR_USAGE, -r,
			"fault plan \"%s\": wanted N:ERRNO[:once|on], N:ignored, N:kill or N:stop",
			plan);
	}
	*ret = &faulty->transport;
	return 0;
}

#else

int transport_fault_new(
	const char *plan, struct transport *inner, struct transport **ret, struct error *error)
{
	inner->free(inner);
	return error_set(error, ERROR_USAGE, EOPNOTSUPP,
		"fault plan \"%s\": this build has no fault plans (NETTUNE_FAULTS)", plan);
}

#endif
