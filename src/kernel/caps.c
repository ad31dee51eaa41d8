/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Giving up privileges (capabilities(7), libcap): reading needs none, writing needs CAP_NET_ADMIN,
 * and files of root need root's uid or CAP_DAC_OVERRIDE.
 */
#include "kernel/kernel.h"

#include "util/macros.h"

#include <errno.h>
#include <string.h>
#include <sys/capability.h>

static void cleanup_cap(cap_t *caps)
{
	if (*caps)
		cap_free(*caps);
}

static bool is_kept(enum privilege privilege, cap_value_t value)
{
	if (privilege != PRIVILEGE_WRITE)
		return false;
	return value == CAP_NET_ADMIN || (value == CAP_DAC_OVERRIDE && geteuid() != 0);
}

static bool is_effective(cap_t caps, cap_value_t value)
{
	cap_flag_value_t flag;

	return cap_get_flag(caps, value, CAP_EFFECTIVE, &flag) == 0 && flag == CAP_SET;
}

/* What no program that this one could start may get again. */
static int cut_bounding_set(enum privilege privilege)
{
	for (cap_value_t value = 0; value < cap_max_bits(); value++) {
		if (is_kept(privilege, value) || cap_get_bound(value) <= 0)
			continue;
		if (cap_drop_bound(value) < 0)
			return -errno;
	}
	return 0;
}

/* Of the capabilities that are held, those to keep. */
static int reduce(cap_t now, enum privilege privilege)
{
	cap_t kept CLEANUP(cleanup_cap) = cap_init();

	if (!kept)
		return -errno;
	for (cap_value_t value = 0; value < cap_max_bits(); value++) {
		cap_flag_value_t permitted;

		if (!is_kept(privilege, value) ||
			cap_get_flag(now, value, CAP_PERMITTED, &permitted) < 0 ||
			permitted != CAP_SET)
			continue;
		if (cap_set_flag(kept, CAP_PERMITTED, 1, &value, CAP_SET) < 0 ||
			cap_set_flag(kept, CAP_EFFECTIVE, 1, &value, CAP_SET) < 0)
			return -errno;
	}
	return cap_set_proc(kept) < 0 ? -errno : 0;
}

int privileges_keep(enum privilege privilege, struct error *error)
{
	cap_t now CLEANUP(cleanup_cap) = cap_get_proc();
	int r = now ? 0 : -errno;

	if (r == 0 && is_effective(now, CAP_SETPCAP))
		r = cut_bounding_set(privilege);
	if (r == 0 && cap_reset_ambient() < 0 && errno != EINVAL) /* before Linux 4.3: none */
		r = -errno;
	if (r == 0)
		r = reduce(now, privilege);
	if (r < 0)
		return error_set(error, kernel_error_kind(-r), -r, "can't give up capabilities: %s",
			strerror(-r));
	return 0;
}

int privileges_check_writer(struct error *error)
{
	cap_t now CLEANUP(cleanup_cap) = cap_get_proc();

	if (!now)
		return error_set(error, ERROR_FAILED, errno, "capabilities: %s", strerror(errno));
	if (is_effective(now, CAP_NET_ADMIN))
		return 0;
	return error_set(error, ERROR_PERMISSION, EPERM,
		"changing network settings needs root, or CAP_NET_ADMIN and CAP_DAC_OVERRIDE");
}
