/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recorded exchanges in memory, for transport_replay.c.
 */
#ifndef NETTUNE_KERNEL_RECORDING_H
#define NETTUNE_KERNEL_RECORDING_H

#include "kernel/transport.h"

enum recording_kind { RECORDING_ROUTE, RECORDING_GENL, RECORDING_IOCTL, RECORDING_MAX };

/* One ">" line with its "<" lines. */
struct exchange {
	char ifname[32]; /* ioctl; else "" */
	struct buffer request, reply;
	int result; /* ioctl */
	bool used;  /* has answered once */
	struct exchange *next;
};

struct recording {
	struct exchange *first;
	bool present; /* the file exists */
};

/* A missing file is an empty recording. */
int recording_read(
	struct recording *recording, enum recording_kind kind, int dir_fd, struct error *error);
void recording_free(struct recording *recording);

#endif
