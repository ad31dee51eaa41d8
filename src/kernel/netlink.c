/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Netlink requests over the transport: sequence numbers, acknowledgements with their extended
 * part, dumps that were interrupted (Documentation/userspace-api/netlink/intro.rst). libmnl builds
 * and walks the messages; its own loop over replies would hide what the kernel says to an error.
 */
#include "kernel/netlink.h"

#include "util/log.h"
#include "util/macros.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <string.h>

#define DUMP_TRIES 5
#define ERRNO_MAX  4095 /* of the kernel */

/* What the kernel said to an error, beside the errno. */
struct extack {
	const char *text;
	uint32_t offset;  /* of the offending attribute in the request, 0 = not told */
	uint32_t missing; /* attribute type that should have been there, 0 = not told */
};

uint32_t nl_u32(const struct nlattr *attr)
{
	return attr && mnl_attr_validate(attr, MNL_TYPE_U32) >= 0 ? mnl_attr_get_u32(attr) : 0;
}

static void extack_attribute(const struct nlattr *attr, struct extack *ret)
{
	switch (mnl_attr_get_type(attr)) {
	case NLMSGERR_ATTR_MSG:
		if (mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) >= 0)
			ret->text = mnl_attr_get_str(attr);
		break;
	case NLMSGERR_ATTR_OFFS:
		ret->offset = nl_u32(attr);
		break;
	case NLMSGERR_ATTR_MISS_TYPE:
		ret->missing = nl_u32(attr);
		break;
	default:
		break;
	}
}

/* `fixed`: bytes of the payload before the attributes. */
static void extack_parse(const struct nlmsghdr *message, size_t fixed, struct extack *ret)
{
	const struct nlattr *attr;

	if (!(message->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	nl_for_each(attr, mnl_nlmsg_get_payload_offset(message, fixed),
		mnl_nlmsg_get_payload_tail(message))
		extack_attribute(attr, ret);
}

static size_t family_header(int protocol)
{
	return protocol == NETLINK_ROUTE ? sizeof(struct ifinfomsg) : GENL_HDRLEN;
}

/*
 * The path to the attribute that starts at `offset` of the request, as "3.1.2": types from the
 * outermost nest inwards. "" if none starts there.
 */
static void attribute_path(
	int protocol, const struct nlmsghdr *request, size_t offset, char *ret, size_t size)
{
	const uint8_t *start = (const uint8_t *)request;
	const struct nlattr *attr = mnl_nlmsg_get_payload_offset(request, family_header(protocol));
	const uint8_t *end = start + request->nlmsg_len;
	size_t used = 0;

	ret[0] = '\0';
	if (offset >= request->nlmsg_len)
		return;
	while (mnl_attr_ok(attr, (int)(end - (const uint8_t *)attr))) {
		const uint8_t *at = (const uint8_t *)attr;

		if (offset >= (size_t)(at - start) + MNL_ALIGN(attr->nla_len)) {
			attr = mnl_attr_next(attr);
			continue;
		}
		used += (size_t)snprintf(
			ret + used, size - used, "%s%u", used ? "." : "", mnl_attr_get_type(attr));
		if (start + offset == at || used >= size)
			return;
		end = at + attr->nla_len;
		attr = mnl_attr_get_payload(attr);
	}
	ret[0] = '\0';
}

/* "WHAT: Invalid argument: requested ring size exceeds maximum (attribute 6)" */
static int kernel_refused(int protocol, const struct nlmsghdr *request, const char *what, int err,
	const struct extack *extack, struct error *error)
{
	char where[96] = "", path[64];

	attribute_path(protocol, request, extack->offset, path, sizeof(path));
	if (extack->missing)
		snprintf(where, sizeof(where), " (attribute %u is missing)", extack->missing);
	else if (extack->offset && path[0])
		snprintf(where, sizeof(where), " (attribute %s)", path);
	else if (extack->offset)
		snprintf(where, sizeof(where), " (at byte %u)", extack->offset);
	else if (!extack->text && err == EINVAL)
		snprintf(where, sizeof(where), " (no reason given; the kernel log may have one)");
	return error_set(error, kernel_error_kind(err), err, "%s: %s%s%s%s", what, strerror(err),
		extack->text ? ": " : "", extack->text ? extack->text : "", where);
}

/* An acknowledgement, an error, or the end of a dump, which has an errno too. */
static int read_result(int protocol, const struct nlmsghdr *request, const char *what,
	const struct nlmsghdr *message, struct error *error)
{
	const struct nlmsgerr *payload = mnl_nlmsg_get_payload(message);
	size_t length = mnl_nlmsg_get_payload_len(message), fixed = sizeof(int);
	struct extack extack = {0};
	int err;

	if (message->nlmsg_type == NLMSG_DONE && length < fixed)
		return 0;
	if (message->nlmsg_type == NLMSG_ERROR) {
		fixed = sizeof(*payload);
		if (length < fixed)
			return error_set(error, ERROR_FAILED, EPROTO,
				"%s: an error message of %zu bytes", what, length);
		if (!(message->nlmsg_flags & NLM_F_CAPPED))
			fixed += payload->msg.nlmsg_len - sizeof(payload->msg);
	}
	memcpy(&err, payload, sizeof(err));
	if (err >= 0)
		return 0;
	if (err < -ERRNO_MAX)
		return error_set(error, ERROR_FAILED, EPROTO, "%s: error %d", what, err);
	if (fixed <= length)
		extack_parse(message, fixed, &extack);
	return kernel_refused(protocol, request, what, -err, &extack, error);
}

static bool is_interrupted(const struct buffer *reply)
{
	const struct nlmsghdr *message;
	size_t at = 0;

	while ((message = buffer_next(reply, &at)))
		if (message->nlmsg_flags & NLM_F_DUMP_INTR)
			return true;
	return false;
}

/* All replies to one request, which are complete and of one piece. */
static int exchange(struct kernel *kernel, int protocol, struct nlmsghdr *request, bool dump)
{
	struct transport *transport = kernel->transport;
	int r = -EINTR;

	for (int i = 0; i < (dump ? DUMP_TRIES : 1); i++) {
		request->nlmsg_seq = ++kernel->seq;
		r = transport->exchange(
			transport, protocol, request, request->nlmsg_len, &kernel->reply);
		if (r == 0 && dump && is_interrupted(&kernel->reply))
			r = -EINTR;
		if (r != -EINTR && r != -ENOBUFS)
			break;
	}
	return r;
}

int netlink_request(struct kernel *kernel, int protocol, struct nlmsghdr *request, const char *what,
	netlink_cb *cb, void *data, struct error *error)
{
	bool dump = (request->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	const struct nlmsghdr *message;
	size_t at = 0;
	int r;

	request->nlmsg_flags |= NLM_F_REQUEST;
	if (!dump) /* a dump ends with NLMSG_DONE anyway */
		request->nlmsg_flags |= NLM_F_ACK;
	r = exchange(kernel, protocol, request, dump);
	log_debug("%s: %u bytes to the kernel, %zu bytes back", what, request->nlmsg_len,
		kernel->reply.length);
	if (r == -EINTR)
		return error_set(error, ERROR_FAILED, EINTR,
			"%s: the dump was interrupted by changes %d times", what, DUMP_TRIES);
	if (r < 0)
		return error_set(error, kernel_error_kind(-r), -r, "%s: %s", what, strerror(-r));
	while (r >= 0 && (message = buffer_next(&kernel->reply, &at))) {
		if (message->nlmsg_type == NLMSG_ERROR || message->nlmsg_type == NLMSG_DONE)
			r = read_result(protocol, request, what, message, error);
		else if (message->nlmsg_type >= NLMSG_MIN_TYPE && cb)
			r = cb(message, data);
	}
	return MIN(r, 0);
}

static void read_op(struct kernel *kernel, const struct nlattr *op)
{
	const struct nlattr *attr;

	nl_for_each(attr, mnl_attr_get_payload(op), nl_nest_end(op)) {
		uint32_t id = nl_u32(attr);

		if (mnl_attr_get_type(attr) == CTRL_ATTR_OP_ID &&
			id < 8 * sizeof(kernel->ethtool_ops))
			kernel->ethtool_ops[id / 64] |= 1ULL << (id % 64);
	}
}

static int read_family(const struct nlmsghdr *message, void *data)
{
	const void *end = mnl_nlmsg_get_payload_tail(message);
	struct kernel *kernel = data;
	const struct nlattr *attr, *op;

	nl_for_each(attr, mnl_nlmsg_get_payload_offset(message, GENL_HDRLEN), end) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID &&
			mnl_attr_validate(attr, MNL_TYPE_U16) >= 0)
			kernel->ethtool_family = mnl_attr_get_u16(attr);
		if (mnl_attr_get_type(attr) != CTRL_ATTR_OPS)
			continue;
		nl_for_each(op, mnl_attr_get_payload(attr), nl_nest_end(attr))
			read_op(kernel, op);
	}
	return 0;
}

int netlink_find_ethtool(struct kernel *kernel, struct error *error)
{
	_Alignas(struct nlmsghdr) uint8_t buf[128] = {0};
	struct nlmsghdr *request = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;
	int r;

	request->nlmsg_type = GENL_ID_CTRL;
	genl = mnl_nlmsg_put_extra_header(request, sizeof(*genl));
	genl->cmd = CTRL_CMD_GETFAMILY;
	genl->version = 1;
	mnl_attr_put_strz(request, CTRL_ATTR_FAMILY_NAME, "ethtool");
	kernel->ethtool_family = 0;
	memset(kernel->ethtool_ops, 0, sizeof(kernel->ethtool_ops));
	r = netlink_request(kernel, NETLINK_GENERIC, request, "CTRL_CMD_GETFAMILY ethtool",
		read_family, kernel, error);
	/* No such family, no generic netlink at all, or a recording without it. */
	if (r == -ENOENT || r == -EOPNOTSUPP || r == -EPROTONOSUPPORT || r == -EAFNOSUPPORT)
		return 0;
	return r;
}
