/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of drivers, against what was measured with igb, e1000e, vmxnet3, virtio_net and veth;
 * and the names of interrupt handlers.
 */
#include "core/driver.h"

#include "unit/test.h"
#include "util/macros.h"

#include <string.h>

static const char *const known[] = {"802.1Q VLAN Support", "bnxt_en", "bonding", "bridge", "dummy",
	"e1000e", "ena", "gve", "hv_netvsc", "i40e", "iavf", "ice", "igb", "igc", "ixgbe",
	"macvlan", "mlx4_core", "mlx4_en", "mlx5_core", "team", "tg3", "tun", "veth", "virtio_net",
	"vmxnet3", "vxlan"};

static void every_row_is_found_and_sound(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const struct driver *driver = driver_find(known[i]);

		assert_string_equal(driver->name, known[i]);
		assert_true(driver_is_known(driver));
		assert_int_equal(
			driver->rings.how == ROUND_UP_MULTIPLE, driver->rings.multiple > 1);
		/* masks of queues and vectors, and host settings, never interrupt */
		assert_int_equal(driver->interrupts[PHASE_IRQ], INTERRUPTS_NONE);
		assert_int_equal(driver->interrupts[PHASE_XPS], INTERRUPTS_NONE);
		assert_int_equal(driver->interrupts[PHASE_RPS], INTERRUPTS_NONE);
		assert_int_equal(driver->interrupts[PHASE_HOST_EARLY], INTERRUPTS_NONE);
		assert_int_equal(driver->interrupts[PHASE_HOST_LATE], INTERRUPTS_NONE);
	}
}

static void unknown_drivers_get_the_cautious_default(void **state)
{
	const struct driver *driver = driver_find("acme9000");

	assert_ptr_equal(driver, driver_find(NULL));
	assert_ptr_equal(driver, driver_find(""));
	assert_ptr_equal(driver, driver_find("igbx"));
	assert_false(driver_is_known(driver));
	assert_int_equal(driver->interrupts[PHASE_CHANNELS], INTERRUPTS_LINK);
	assert_int_equal(driver->interrupts[PHASE_MTU], INTERRUPTS_LINK);
	assert_int_equal(driver->interrupts[PHASE_RINGS], INTERRUPTS_LINK);
	assert_int_equal(driver->interrupts[PHASE_OFFLOADS], INTERRUPTS_LINK);
	assert_int_equal(driver->interrupts[PHASE_COALESCE], INTERRUPTS_LINK);
	assert_int_equal(driver->interrupts[PHASE_PAUSE], INTERRUPTS_LINK);
	assert_int_equal(driver->interrupts[PHASE_RPS], INTERRUPTS_NONE);
	assert_true(driver->flags & DRIVER_CHANNELS_IRQS);
	assert_true(driver->flags & DRIVER_RESET_IRQS);
	assert_int_equal(driver_round(&driver->rings, 1001, 4096), 1001);
	assert_int_equal(driver_round(&driver->rings, 5000, 4096), 5000);
}

static bool resets(const struct driver *driver, const char *feature)
{
	const char *const *name = driver->resetting_offloads;

	for (; name && *name; name++) {
		if (strcmp(*name, feature) == 0)
			return true;
	}
	return false;
}

static void what_was_measured(void **state)
{
	const struct driver *igb = driver_find("igb"), *e1000e = driver_find("e1000e"),
			    *vmxnet3 = driver_find("vmxnet3"), *virtio = driver_find("virtio_net"),
			    *veth = driver_find("veth");

	assert_int_equal(igb->interrupts[PHASE_CHANNELS], INTERRUPTS_LINK);
	assert_int_equal(igb->interrupts[PHASE_RINGS], INTERRUPTS_LINK);
	assert_int_equal(igb->interrupts[PHASE_MTU], INTERRUPTS_LINK);
	assert_int_equal(igb->interrupts[PHASE_COALESCE], INTERRUPTS_NONE);
	assert_int_equal(igb->interrupts[PHASE_OFFLOADS], INTERRUPTS_NONE);
	assert_int_equal(igb->flags, DRIVER_CHANNELS_IRQS | DRIVER_CHANNELS_RSS |
					     DRIVER_PAIRED_COALESCE | DRIVER_PAUSE_NEGOTIATED |
					     DRIVER_RESET_PAUSE);
	assert_int_equal(igb->interrupts[PHASE_PAUSE], INTERRUPTS_LINK);
	assert_int_equal(igb->vectors, VECTORS_SEPARATE_TO_HALF);
	assert_false(resets(igb, "rx-hashing"));

	assert_int_equal(e1000e->interrupts[PHASE_RINGS], INTERRUPTS_LINK);
	assert_int_equal(e1000e->interrupts[PHASE_OFFLOADS], INTERRUPTS_NONE);
	assert_true(resets(e1000e, "rx-checksum") && resets(e1000e, "rx-hashing"));
	assert_true(resets(e1000e, "rx-vlan-hw-parse") && resets(e1000e, "rx-fcs"));
	assert_false(resets(e1000e, "rx-gro") || resets(e1000e, "tx-tcp-segmentation"));
	assert_false(resets(e1000e, "tx-vlan-hw-insert"));
	assert_int_equal(e1000e->flags, DRIVER_PAUSE_NEGOTIATED | DRIVER_RESET_PAUSE);

	assert_int_equal(vmxnet3->interrupts[PHASE_MTU], INTERRUPTS_LINK);
	assert_int_equal(vmxnet3->interrupts[PHASE_OFFLOADS], INTERRUPTS_NONE);
	assert_int_equal(
		vmxnet3->flags, DRIVER_CHANNELS_FIXED | DRIVER_RESET_RSS | DRIVER_RINGS_BY_MTU);

	assert_int_equal(virtio->interrupts[PHASE_MTU], INTERRUPTS_NONE);
	assert_int_equal(virtio->interrupts[PHASE_RINGS], INTERRUPTS_QUEUE);
	assert_int_equal(virtio->interrupts[PHASE_CHANNELS], INTERRUPTS_QUEUE);
	assert_int_equal(virtio->flags, DRIVER_CHANNELS_IRQS | DRIVER_CHANNELS_XPS);

	assert_int_equal(veth->interrupts[PHASE_CHANNELS], INTERRUPTS_LINK);
	assert_int_equal(veth->interrupts[PHASE_MTU], INTERRUPTS_NONE);
}

/* vmxnet3 of Linux 6.12: 288 of 96, 500 -> 576 with an MTU of 9000. */
static void rings_that_follow_the_mtu(void **state)
{
	const struct driver *vmxnet3 = driver_find("vmxnet3");
	struct rounding rounding = driver_rx_rounding(vmxnet3, 0);

	assert_int_equal(rounding.multiple, 32);
	assert_int_equal(driver_rx_rounding(vmxnet3, 3050).multiple, 32);
	assert_int_equal(driver_rx_rounding(vmxnet3, 3051).multiple, 64);
	assert_int_equal(driver_rx_rounding(vmxnet3, 7146).multiple, 64);
	assert_int_equal(driver_rx_rounding(vmxnet3, 7147).multiple, 96);
	rounding = driver_rx_rounding(vmxnet3, 9000);
	assert_int_equal(driver_round(&rounding, 500, 4096), 576);
	assert_int_equal(driver_round(&rounding, 288, 4096), 288);
	assert_int_equal(driver_round(&rounding, 4096, 4096), 4032);
	assert_int_equal(driver_rx_rounding(driver_find("igb"), 9000).multiple, 8);
}

static void ring_sizes(void **state)
{
	static const struct {
		const char *driver;
		uint64_t wanted, max, rounded;
	} cases[] = {
		{"igb", 1001, 4096, 1008},
		{"igb", 16, 4096, 64},
		{"igb", 0, 4096, 64},
		{"igb", 4096, 4096, 4096},
		{"igb", 4095, 4096, 4096},
		{"e1000e", 1001, 4096, 1008},
		{"vmxnet3", 1001, 4096, 1024},
		{"vmxnet3", 16, 4096, 32},
		{"i40e", 1001, 8160, 1024},
		{"i40e", 8150, 8160, 8160},
		{"mlx5_core", 1001, 8192, 1024},
		{"mlx5_core", 1024, 8192, 1024},
		{"mlx5_core", 5000, 8192, 8192},
		{"mlx5_core", 1025, 0, 2048},
		{"ena", 1001, 16384, 512},
		{"ena", 1024, 16384, 1024},
		{"ena", 100, 16384, 256},
		{"bnxt_en", 1001, 2047, 1001},
		{"tg3", 511, 511, 511},
		{"virtio_net", 128, 256, 128},
		{"hv_netvsc", 3, 18811, 10},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(driver_round(&driver_find(cases[i].driver)->rings, cases[i].wanted,
					 cases[i].max),
			cases[i].rounded);
}

static void rounding_does_not_overflow(void **state)
{
	const struct rounding multiple = {.how = ROUND_UP_MULTIPLE, .multiple = 32},
			      up = {.how = ROUND_UP_POWER}, down = {.how = ROUND_DOWN_POWER};

	assert_true(driver_round(&multiple, UINT64_MAX, 0) == UINT64_MAX);
	assert_true(driver_round(&up, UINT64_MAX, 0) == UINT64_MAX);
	assert_true(driver_round(&up, UINT64_C(1) << 63, 0) == UINT64_C(1) << 63);
	assert_true(driver_round(&down, UINT64_MAX, 0) == UINT64_C(1) << 63);
	assert_int_equal(driver_round(&up, 0, 0), 0);
	assert_int_equal(driver_round(&up, 1, 0), 1);
	assert_int_equal(driver_round(&down, 0, 0), 0);
	assert_int_equal(driver_round(&up, UINT64_MAX, 4096), 4096);
}

static void names_of_vectors(void **state)
{
	static const struct {
		const char *action;
		enum vector_role role;
		unsigned index;
	} cases[] = {
		/* igb, igc, ixgbe, e1000e */
		{"eth0-TxRx-0", VECTOR_RXTX, 0},
		{"eth0-TxRx-11", VECTOR_RXTX, 11},
		{"eth0-rx-3", VECTOR_RX, 3},
		{"eth0-tx-0", VECTOR_TX, 0},
		{"eth0", VECTOR_OTHER, 0},
		{"averylonginte-rx-0", VECTOR_RX, 0},
		/* i40e, iavf, ice */
		{"i40e-eth0-TxRx-63", VECTOR_RXTX, 63},
		{"iavf-eth0-TxRx-1", VECTOR_RXTX, 1},
		{"ice-ens1f0np0-TxRx-127", VECTOR_RXTX, 127},
		{"i40e-0000:18:00.0:misc", VECTOR_OTHER, 0},
		{"i40e-0000:18:00.0:fdir-TxRx-0", VECTOR_OTHER, 0},
		{"iavf-0000:18:02.0:mbx", VECTOR_OTHER, 0},
		{"ice-0000:18:00.0:misc", VECTOR_OTHER, 0},
		{"ice-0000:18:00.0:ll_ts", VECTOR_OTHER, 0},
		{"ice-eth0:ctrl", VECTOR_OTHER, 0},
		/* mlx5, mlx4 */
		{"mlx5_comp3@pci:0000:01:00.0", VECTOR_RXTX, 3},
		{"mlx5_comp0@pci:0000:01:00.0", VECTOR_RXTX, 0},
		{"mlx5_async0@pci:0000:01:00.0", VECTOR_OTHER, 0},
		{"mlx5_combined0@pci:0000:01:00.0", VECTOR_OTHER, 0},
		{"mlx5_comp@pci:0000:01:00.0", VECTOR_OTHER, 0},
		{"mlx5_compx@pci:0000:01:00.0", VECTOR_OTHER, 0},
		{"mlx4-2@0000:05:00.0", VECTOR_RXTX, 2},
		{"mlx4-async@pci:0000:05:00.0", VECTOR_OTHER, 0},
		/* ena, bnxt_en, tg3, vmxnet3 */
		{"eth0-Tx-Rx-7", VECTOR_RXTX, 7},
		{"ena-mgmnt@pci:0000:00:05.0", VECTOR_OTHER, 0},
		{"eth0-txrx-1", VECTOR_RXTX, 1},
		{"eth0-0", VECTOR_OTHER, 0},
		{"eth0-4", VECTOR_OTHER, 0},
		{"eth0-rxtx-2", VECTOR_RXTX, 2},
		{"eth0-event-4", VECTOR_OTHER, 0},
		/* virtio_net, gve, mana, and others of the same pattern */
		{"virtio1-input.0", VECTOR_RX, 0},
		{"virtio1-output.15", VECTOR_TX, 15},
		{"virtio1-config", VECTOR_OTHER, 0},
		{"virtio1-control", VECTOR_OTHER, 0},
		{"virtio3-virtqueues", VECTOR_OTHER, 0},
		{"virtio2-req.0", VECTOR_OTHER, 0},
		{"gve-ntfy-blk3@pci:0000:00:04.0", VECTOR_RXTX, 3},
		{"gve-mgmnt@pci:0000:00:04.0", VECTOR_OTHER, 0},
		{"mana_q1@pci:7870:00:00.0", VECTOR_RXTX, 1},
		{"mana_hwc@pci:7870:00:00.0", VECTOR_OTHER, 0},
		{"hns3-0000:bd:00.0-TxRx-5", VECTOR_RXTX, 5},
		{"eth0:rx-2", VECTOR_RX, 2},
		{"eth0:mac", VECTOR_OTHER, 0},
		{"eth0-fp-3", VECTOR_RXTX, 3},
		/* interface names that look like something else */
		{"rx-1-tx-2", VECTOR_TX, 2},
		{"rx-1-rx-12", VECTOR_RX, 12},
		{"eth0.100-TxRx-3", VECTOR_RXTX, 3},
		{"br-tx", VECTOR_OTHER, 0},
		{"rx", VECTOR_OTHER, 0},
		{"rx-3", VECTOR_OTHER, 0},
		{"lan-rxq-3", VECTOR_OTHER, 0},
		{"lan-matrx-3", VECTOR_OTHER, 0},
		{"eth10-rx-1", VECTOR_RX, 1},
		/* no numbers */
		{"", VECTOR_OTHER, 0},
		{"-", VECTOR_OTHER, 0},
		{"7", VECTOR_OTHER, 0},
		{"-7", VECTOR_OTHER, 0},
		{"eth0-rx-", VECTOR_OTHER, 0},
		{"eth0-rx-03", VECTOR_OTHER, 0},
		{"eth0-rx-65536", VECTOR_OTHER, 0},
		{"eth0-rx-99999999999", VECTOR_OTHER, 0},
		{"eth0-rx-65535", VECTOR_RX, 65535},
		{":", VECTOR_OTHER, 0},
		{"a:", VECTOR_OTHER, 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned index = 99;
		enum vector_role role = vector_parse(cases[i].action, &index);

		if (role != cases[i].role || index != cases[i].index)
			fail_msg("%s: role %d, index %u", cases[i].action, (int)role, index);
	}
}

static void names_of_interruptions(void **state)
{
	assert_string_equal(interrupts_name(INTERRUPTS_NONE), "none");
	assert_string_equal(interrupts_name(INTERRUPTS_QUEUE), "queue");
	assert_string_equal(interrupts_name(INTERRUPTS_LINK), "link");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_found_and_sound),
		cmocka_unit_test(unknown_drivers_get_the_cautious_default),
		cmocka_unit_test(what_was_measured),
		cmocka_unit_test(rings_that_follow_the_mtu),
		cmocka_unit_test(ring_sizes),
		cmocka_unit_test(rounding_does_not_overflow),
		cmocka_unit_test(names_of_vectors),
		cmocka_unit_test(names_of_interruptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
