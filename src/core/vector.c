/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an interrupt serves, told from the name that its driver gave to the handler (request_irq() in
 * drivers/net; shown in /sys/kernel/irq/N/actions). Names are read from their end, because they may
 * begin with the name that the interface had when it was last opened, which may be anything.
 */
#include "core/driver.h"

#include "util/macros.h"
#include "util/numbers.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define INDEX_MAX 65535

/* Behind the interface or the device, before "-N" or ".N". The longer of two that match is first. */
static const struct {
	const char *word;
	enum vector_role role;
} suffixes[] = {
	{.word = "Tx-Rx", .role = VECTOR_RXTX}, /* ena */
	{.word = "TxRx", .role = VECTOR_RXTX},  /* igb, ixgbe, i40e, iavf, ice, bnxt_en, idpf */
	{.word = "txrx", .role = VECTOR_RXTX},  /* tg3 */
	{.word = "rxtx", .role = VECTOR_RXTX},  /* vmxnet3, nfp */
	{.word = "fp", .role = VECTOR_RXTX},    /* bnx2x, qede */
	{.word = "Rx", .role = VECTOR_RX},      /* idpf */
	{.word = "Tx", .role = VECTOR_TX},
	{.word = "rx", .role = VECTOR_RX},
	{.word = "tx", .role = VECTOR_TX},
	{.word = "input", .role = VECTOR_RX}, /* virtio_net */
	{.word = "output", .role = VECTOR_TX},
};

/* Whole beginnings of names "PREFIXn@BUS": completion vectors, of both directions. */
static const char *const device_prefixes[] = {"gve-ntfy-blk", "mana_q", "mlx4-", "mlx5_comp"};

static bool index_parse(const char *digits, size_t n, unsigned *ret)
{
	char text[8] = "";
	uint64_t index;

	if (n >= sizeof(text))
		return false;
	memcpy(text, digits, n);
	if (number_parse(text, &index) < 0 || index > INDEX_MAX)
		return false;
	*ret = (unsigned)index;
	return true;
}

/* "mlx5_comp3@pci:0000:01:00.0" */
static bool parse_device_name(const char *action, unsigned *ret_index)
{
	for (size_t i = 0; i < ARRAY_SIZE(device_prefixes); i++) {
		size_t length = strlen(device_prefixes[i]), n;

		if (strncmp(action, device_prefixes[i], length) != 0)
			continue;
		n = strcspn(action + length, "@");
		return action[length + n] == '@' && index_parse(action + length, n, ret_index);
	}
	return false;
}

/* Is `word` what stands before `end`, behind a separator or at the start of the part? */
static bool ends_in_word(const char *part, const char *end, const char *word, bool whole)
{
	size_t length = strlen(word), available = (size_t)(end - part);

	if (available < length || memcmp(end - length, word, length) != 0)
		return false;
	return whole ? available == length
		     : available > length && end[-(ptrdiff_t)length - 1] == '-';
}

/*
 * A colon is part of a bus address, which goes on with a digit, or stands before a word of the
 * driver: "i40e-0000:18:00.0:fdir-TxRx-0" is no data vector, "eth0:rx-0" (stmmac) is one.
 */
static const char *last_part(const char *action)
{
	const char *colon = strrchr(action, ':');

	return colon && !isdigit((unsigned char)colon[1]) ? colon + 1 : action;
}

enum vector_role vector_parse(const char *action, unsigned *ret_index)
{
	const char *part = last_part(action), *digits = action + strlen(action), *end = digits;
	unsigned index;

	*ret_index = 0;
	if (parse_device_name(action, ret_index))
		return VECTOR_RXTX;
	while (digits > part && isdigit((unsigned char)digits[-1]))
		digits--;
	if (digits == part || !strchr("-.", digits[-1]))
		return VECTOR_OTHER;
	if (!index_parse(digits, (size_t)(end - digits), &index))
		return VECTOR_OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		if (!ends_in_word(part, digits - 1, suffixes[i].word, part != action))
			continue;
		*ret_index = index;
		return suffixes[i].role;
	}
	return VECTOR_OTHER;
}
