/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xdp LINK: attaches an XDP program that passes everything, in the driver (not the generic hook).
 * Two instructions, loaded by bpf(2) and attached with RTM_SETLINK, since the guest has no compiler.
 * The link holds the program; "ip link set LINK xdp off" detaches it.
 */
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int load(void)
{
	static const struct bpf_insn pass[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = XDP_PASS},
		{.code = BPF_JMP | BPF_EXIT},
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_XDP,
		.insns = (uintptr_t)pass,
		.insn_cnt = sizeof(pass) / sizeof(pass[0]),
		.license = (uintptr_t) "GPL",
	};

	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static int attach(unsigned ifindex, int program)
{
	struct {
		struct nlmsghdr head;
		struct ifinfomsg info;
		struct nlattr xdp, fd_head;
		int fd;
		struct nlattr flags_head;
		__u32 flags;
	} request = {
		.head = {.nlmsg_len = sizeof(request),
			.nlmsg_type = RTM_SETLINK,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
		.info = {.ifi_family = AF_UNSPEC, .ifi_index = (int)ifindex},
		.xdp = {.nla_len = sizeof(request) - NLMSG_LENGTH(sizeof(request.info)),
			.nla_type = IFLA_XDP | NLA_F_NESTED},
		.fd_head = {.nla_len = 8, .nla_type = IFLA_XDP_FD},
		.fd = program,
		.flags_head = {.nla_len = 8, .nla_type = IFLA_XDP_FLAGS},
		.flags = XDP_FLAGS_DRV_MODE,
	};
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char more[4096];
	} reply;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	if (fd < 0 || send(fd, &request, sizeof(request), 0) < 0 ||
		recv(fd, &reply, sizeof(reply), 0) < (ssize_t)NLMSG_LENGTH(sizeof(reply.error)))
		return -1;
	if (reply.error.error)
		fprintf(stderr, "xdp: %s\n", strerror(-reply.error.error));
	return reply.error.error;
}

int main(int argc, char **argv)
{
	unsigned ifindex = argc == 2 ? if_nametoindex(argv[1]) : 0;
	int program;

	if (!ifindex) {
		fputs("usage: xdp LINK\n", stderr);
		return 64;
	}
	program = load();
	if (program < 0) {
		perror("xdp: load");
		return 1;
	}
	return attach(ifindex, program) != 0;
}
