/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What commands print. The tables are compared as a whole, since their looks are the point; the
 * documents by their members here, and against schemas/ by tests/lib/schema.sh, for which this
 * program writes one of each kind into the directory $NETTUNE_SAMPLES.
 */
#include "format/json.h"
#include "output_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The last two write text to stderr. */
#define TEXT_OUTPUTS (ARRAY_SIZE(sample_outputs) - 2)

struct fixture {
	struct arena arena;
	struct output output; /* where out is set anew by each capture() */
	char *text;
	size_t length;
};

static int setup(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){0};
	arena_init(&fixture.arena);
	fixture.output = (struct output){.utf8 = true, .width = 80, .arena = &fixture.arena};
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	free(f->text);
	arena_done(&f->arena);
	return 0;
}

static const char *capture(struct fixture *f, int (*write)(const struct output *output))
{
	free(f->text);
	f->text = NULL;
	f->output.out = open_memstream(&f->text, &f->length);
	assert_non_null(f->output.out);
	assert_int_equal(0, write(&f->output));
	fclose(f->output.out);
	return f->text;
}

static const char *capture_sample(struct fixture *f, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(sample_outputs); i++) {
		if (strcmp(sample_outputs[i].name, name) == 0)
			return capture(f, sample_outputs[i].write);
	}
	fail_msg("no sample %s", name);
	return NULL;
}

static json_t *document(struct fixture *f, const char *name)
{
	json_error_t error;
	json_t *root;

	f->output.json = true;
	root = json_loads(capture_sample(f, name), JSON_REJECT_DUPLICATES, &error);
	if (!root)
		fail_msg("%s: %s", name, error.text);
	return root;
}

static const char plan_100[] =
	"Plan for lab1, dc-10ge (version 1)\n"
	"\n"
	"eth0, eth1 (2 links), igb\n"
	"!! channels.combined                    4        → 8\n"
	"!! mtu                                  1500     → 9000\n"
	"!! rings.rx                             256      → 4096\n"
	"!! rings.tx                             256      → 1008                   asked for 1001\n"
	"   offloads.tx-tcp-segmentation         off      → on\n"
	"   offloads.tx-tcp6-segmentation        off      → on\n"
	"   coalesce.rx-usecs                    3        → 50\n"
	"   rxtx-0-3/irq-affinity.cpus           0-15     → 0-3 one each\n"
	"   rxtx-4-7/irq-affinity.cpus           (absent) → 4-7 one each\n"
	"   tx-0-3/xps.cpus                               = 0-3  written again after "
	"channels.combined\n"
	"   rx-0-3/rps.cpus                      0-3      → (none)\n"
	"   rx-4-7/rps.cpus                      (absent) → (none)\n"
	"   rx-0-3/rps.flows                     0        → 4096\n"
	"   rx-4-7/rps.flows                     (absent) → 4096\n"
	"   net.ipv4.conf.{interface}.rp_filter  1        → 2\n"
	"\n"
	"host\n"
	"   net.core.netdev_max_backlog          1000     → 250000\n"
	"   net.core.rmem_max                    212992   → 134217728 (128 MiB)\n"
	"   net.ipv4.tcp_rmem                    4096 131072 6291456 → 4096 262144 134217728\n"
	"   net.ipv4.tcp_congestion_control      cubic    → bbr\n"
	"\n"
	"eth0, eth1 (2 links): go with their queues or vectors\n"
	"   rx-0/irq-affinity.cpus\n"
	"\n"
	"eth0, eth1 (2 links): come with new queues or vectors\n"
	"   tx-4-7/xps.cpus\n"
	"\n"
	"eth0, eth1 (2 links): skipped\n"
	"   rings.rx-jumbo                  max     igb has no such ring\n"
	"\n"
	"host: skipped\n"
	"   net.netfilter.nf_conntrack_max  262144\n"
	"                                   no such key on this kernel; the module nf_conntrack is "
	"not loaded\n"
	"\n"
	"76 changes, 2 already as wished, 3 skipped.\n"
	"!! interrupts the link: eth0, eth1 (2 links), 6 steps\n"
	"To apply: nettune apply dc-10ge\n";

static void plan_on_a_wide_terminal(void **state)
{
	struct fixture *f = *state;

	f->output.width = 100;
	assert_string_equal(plan_100, capture(f, sample_output_plan));
}

static const char plan_80_start[] =
	"Plan for lab1, dc-10ge (version 1)\n"
	"\n"
	"eth0, eth1 (2 links), igb\n"
	"!! channels.combined                4        → 8\n"
	"!! mtu                              1500     → 9000\n"
	"!! rings.rx                         256      → 4096\n"
	"!! rings.tx                         256      → 1008  asked for 1001\n"
	"   offloads.tx-tcp-segmentation     off      → on\n"
	"   offloads.tx-tcp6-segmentation    off      → on\n"
	"   coalesce.rx-usecs                3        → 50\n"
	"   rxtx-0-3/irq-affinity.cpus       0-15     → 0-3 one each\n"
	"   rxtx-4-7/irq-affinity.cpus       (absent) → 4-7 one each\n"
	"   tx-0-3/xps.cpus                           = 0-3\n"
	"                                    written again after channels.combined\n"
	"   rx-0-3/rps.cpus                  0-3      → (none)\n"
	"   rx-4-7/rps.cpus                  (absent) → (none)\n"
	"   rx-0-3/rps.flows                 0        → 4096\n"
	"   rx-4-7/rps.flows                 (absent) → 4096\n"
	"   net.ipv4.conf.{interface}.rp_filter  1        → 2\n"
	"\n"
	"host\n"
	"   net.core.netdev_max_backlog      1000     → 250000\n"
	"   net.core.rmem_max                212992   → 134217728 (128 MiB)\n"
	"   net.ipv4.tcp_rmem                4096 131072 6291456 → 4096 262144 134217728\n"
	"   net.ipv4.tcp_congestion_control  cubic    → bbr\n"
	"\n";

static void plan_on_a_narrow_terminal(void **state)
{
	struct fixture *f = *state;
	const char *text = capture(f, sample_output_plan);

	assert_true(f->length > sizeof(plan_80_start));
	f->text[sizeof(plan_80_start) - 1] = '\0';
	assert_string_equal(plan_80_start, text);
}

static void plan_in_a_file_has_a_line_for_each_row(void **state)
{
	struct fixture *f = *state;
	const char *text;

	f->output.width = 0;
	text = capture(f, sample_output_plan);
	assert_non_null(strstr(text, "262144  no such key on this kernel; the module nf_conntrack "
				     "is not loaded\n"));
	assert_non_null(
		strstr(text, "= 0-3                    written again after channels.combi"));
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static void verbose_plan_has_every_change_in_order(void **state)
{
	struct fixture *f = *state;
	const char *text, *last;

	f->output.verbose = true;
	text = last = capture(f, sample_output_plan);
	assert_int_equal(68, count(text, " → "));
	assert_int_equal(8, count(text, " = 0-3"));
	assert_null(strstr(text, "one each"));
	assert_non_null(strstr(text, "   net.ipv4.conf.eth1.rp_filter "));
	assert_non_null(strstr(text, "eth1: already as wished\n   offloads.rx-gro  on\n"));
	for (unsigned i = 0; i < 8; i++) {
		const char *row = arena_printf(&f->arena, "   rxtx-%u/irq-affinity.cpus ", i);

		assert_int_equal(2, count(text, row));
		assert_ptr_not_equal(NULL, strstr(last, row));
		last = strstr(last, row);
	}
}

static void quiet_plan_is_its_summary(void **state)
{
	struct fixture *f = *state;

	f->output.quiet = true;
	assert_string_equal("76 changes, 2 already as wished, 3 skipped.\n"
			    "!! interrupts the link: eth0, eth1 (2 links), 6 steps\n",
		capture(f, sample_output_plan));
}

static void empty_plan_says_so(void **state)
{
	struct fixture *f = *state;

	assert_string_equal("Plan for lab1, dc-10ge (version 1)\n\n"
			    "Nothing to do, 2 already as wished.\n",
		capture(f, sample_output_plan_empty));
	assert_string_equal("Plan for lab1, dc-10ge (version 1)\n\n"
			    "eth0: as wished, as nearly as it goes\n"
			    "   rings.tx  1008  asked for 1001, rounded\n\n"
			    "Nothing to do, 2 already as wished.\n",
		capture(f, sample_output_plan_adjusted));
}

static void lines_fit_the_terminal(void **state)
{
	static const unsigned widths[] = {76, 80, 100, 132};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		f->output.width = widths[i];
		for (size_t j = 0; j < TEXT_OUTPUTS; j++) {
			char *text = (char *)capture(f, sample_outputs[j].write), *rest;

			for (char *line = strtok_r(text, "\n", &rest); line;
				line = strtok_r(NULL, "\n", &rest)) {
				size_t width = 0;

				for (const char *p = line; *p; p++)
					width += ((unsigned char)*p & 0xc0) != 0x80;
				/* the end of a run is one sentence, and history is a table */
				if (width > widths[i] && !strstr(line, "--force") &&
					!strstr(line, "/usr/") && !strstr(line, SAMPLE_ID) &&
					!strstr(line, "WHEN"))
					fail_msg("%s at %u: %s", sample_outputs[j].name, widths[i],
						line);
			}
		}
	}
}

/* Plan with one row a vector. */
static int print_vectors(const struct output *output, unsigned n, const char *(*old)(unsigned i),
	const char *(*new)(unsigned i))
{
	struct plan plan;

	plan_init(&plan, output->arena);
	for (unsigned i = 0; i < n; i++)
		sample_change(&plan, sample_at(&sample_irq, &sample_eth0, PART_RXTX, i, "cpus"),
			arena_strdup(output->arena, old(i)), arena_strdup(output->arena, new (i)));
	sample_step(&plan, 0);
	return output_plan(output, &sample_report, &plan, NULL);
}

static const char *numbered(unsigned number)
{
	static char text[16];

	snprintf(text, sizeof(text), "=%u", number);
	return text;
}

static const char *all_cpus(unsigned i)
{
	(void)i;
	return "=0-71";
}

static const char *two_cpus(unsigned i)
{
	return i % 2 ? "=4,6" : "=5,7";
}

static const char *same_number(unsigned i)
{
	return numbered(i);
}

static const char *in_turn(unsigned i)
{
	return numbered(8 + i % 4);
}

static const char *scattered(unsigned i)
{
	return numbered((i * 29 + 5) % 72);
}

static const char *scattered_pair(unsigned i)
{
	static char text[16];

	snprintf(text, sizeof(text), "=%u,%u", i % 5, 9 + i * 5);
	return text;
}

static int print_spread(const struct output *output)
{
	return print_vectors(output, 72, all_cpus, same_number);
}

static int print_in_turn(const struct output *output)
{
	return print_vectors(output, 72, scattered, in_turn);
}

static int print_two_values(const struct output *output)
{
	return print_vectors(output, 8, two_cpus, all_cpus);
}

static int print_few(const struct output *output)
{
	return print_vectors(output, 4, scattered, same_number);
}

static int print_pairs(const struct output *output)
{
	return print_vectors(output, 8, scattered_pair, all_cpus);
}

static void seventy_vectors_are_a_line(void **state)
{
	struct fixture *f = *state;

	assert_non_null(strstr(capture(f, print_spread),
		"\n   rxtx-0-71/irq-affinity.cpus  0-71 → 0-71 one each\n"));
	assert_non_null(strstr(capture(f, print_in_turn),
		"\n   rxtx-0-71/irq-affinity.cpus  5, 34, 63 … 48 → 8-11 in turn\n"));
	assert_non_null(strstr(f->text, "   (…: -v lists every value)\n"));
	assert_non_null(strstr(capture(f, print_few),
		"\n   rxtx-0-3/irq-affinity.cpus  5, 34, 63, 20 → 0-3 one each\n"));
	assert_null(strstr(f->text, "-v lists"));
	assert_non_null(strstr(capture(f, print_pairs),
		"\n   rxtx-0-7/irq-affinity.cpus  0,9; 1,14; 2,19 … 2,44 → 0-71\n"));
}

static void few_values_have_a_line_each(void **state)
{
	struct fixture *f = *state;
	const char *text = capture(f, print_two_values);

	assert_non_null(strstr(text, "\n   rxtx-0,2,4,6/irq-affinity.cpus  5,7 → 0-71\n"
				     "   rxtx-1,3,5,7/irq-affinity.cpus  4,6 → 0-71\n"));
}

static int print_three_links(const struct output *output)
{
	static struct link links[3];
	struct plan plan;

	plan_init(&plan, output->arena);
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		links[i] = (struct link){
			.ifindex = (int)i + 2,
			.name = arena_printf(output->arena, "eth%zu", i),
			.driver = i ? "igb" : "ixgbe",
		};
		sample_change(&plan, sample_at(&sample_mtu, &links[i], PART_WHOLE, 0, "mtu"),
			"1500", "9000");
		sample_change(&plan, sample_at(&sample_rings, &links[i], PART_WHOLE, 0, "rx"),
			i == 1 ? "512" : "256", "4096");
		sample_change(
			&plan, sample_at(&sample_rings, &links[i], PART_WHOLE, 0, "tx"), "8", "16");
		sample_step(&plan, 3 * i);
	}
	return output_plan(output, &sample_report, &plan, NULL);
}

static void links_share_what_they_have_in_common(void **state)
{
	static const char expected[] = "eth0, eth1, eth2 (3 links)\n"
				       "   mtu       1500 → 9000\n"
				       "   rings.tx  8    → 16\n"
				       "\n"
				       "eth0, eth2 (2 links), also\n"
				       "   rings.rx  256  → 4096\n"
				       "\n"
				       "eth1, also\n"
				       "   rings.rx  512  → 4096\n"
				       "\n"
				       "9 changes";
	struct fixture *f = *state;

	assert_non_null(strstr(capture(f, print_three_links), expected));
}

static int print_many_links(const struct output *output)
{
	struct link *links = ARENA_ARRAY(output->arena, 2000, struct link);
	struct plan plan;

	plan_init(&plan, output->arena);
	for (unsigned i = 0; i < 2000; i++) {
		links[i] = (struct link){
			.ifindex = (int)i + 2, .name = arena_printf(output->arena, "veth%u", i)};
		sample_change(&plan, sample_at(&sample_mtu, &links[i], PART_WHOLE, 0, "mtu"),
			"1500", i % 2 ? "9000" : arena_printf(output->arena, "%u", i));
		sample_step(&plan, plan.n - 1);
	}
	return output_plan(output, &sample_report, &plan, NULL);
}

static void thousands_of_links_are_printed_soon(void **state)
{
	struct fixture *f = *state;
	const char *text = capture(f, print_many_links);

	assert_non_null(strstr(text, "veth1, veth3, veth5 … veth1999 (1000 links)\n"
				     "   mtu  1500 → 9000\n"));
	assert_non_null(strstr(text, "\nveth1998\n"));
}

static void failure_names_setting_wanted_got_and_reason(void **state)
{
	static const char expected[] =
		"eth0: failed\n"
		"   rings.tx  256  wanted 1001\n"
		"             refused: Invalid argument: requested ring size exceeds maximum\n"
		"             (512)\n"
		"\n"
		"76 changes: 1 exact, 2 rounded, 1 refused, 72 not tried; 2 already as wished, 3\n"
		"skipped.\n"
		"Failed. Everything that had been changed was put back and verified.\n";
	struct fixture *f = *state;

	assert_non_null(strstr(capture(f, sample_output_apply_refused), expected));
	assert_null(strstr(f->text, "error:"));
	assert_null(strstr(f->text, "channels.combined"));
	f->output.quiet = true;
	assert_non_null(strstr(capture(f, sample_output_apply_refused), "refused: Invalid"));
}

static void failure_before_the_first_write_has_its_error(void **state)
{
	static const char expected[] = "error: /var/lib/nettune/journal: No space left on device\n"
				       "76 changes; 2 already as wished, 3 skipped.\n"
				       "Failed. Nothing was changed.\n";
	struct fixture *f = *state;

	assert_non_null(strstr(capture(f, sample_output_apply_early), expected));
}

static void success_has_observed_values_and_the_way_back(void **state)
{
	static const char end[] =
		"76 changes: 74 exact, 2 rounded; 2 already as wished, 3 skipped.\n"
		"Applied and verified.\n"
		"Transaction " SAMPLE_ID "; nettune rollback undoes it.\n"
		"Next: nettune verify\n";
	struct fixture *f = *state;
	const char *text = capture(f, sample_output_apply);

	assert_non_null(strstr(text, "\n   rings.tx                         256      → 1008  asked "
				     "for 1001, rounded\n"));
	assert_string_equal(end, strstr(text, "76 changes"));
}

static void what_did_not_take_is_told_from_success(void **state)
{
	static const char expected[] =
		"eth0: not as wished\n"
		"   offloads.tx-tcp-segmentation       =       on  held: needs tx-scatter-gather\n"
		"   coalesce.rx-usecs             3     wanted 50            ignored\n"
		"   rxtx-0-7/irq-affinity.cpus    0-15  wanted 0-7 one each\n"
		"                                 managed: Operation not permitted\n";
	struct fixture *f = *state;

	assert_non_null(strstr(capture(f, sample_output_apply_unobtained), expected));
	assert_non_null(strstr(f->text, "Applied and verified, but for what is not as wished.\n"));
}

static const char rollback_80[] =
	"Rollback of " SAMPLE_ID " on lab1, dc-10ge (version 1)\n"
	"\n"
	"eth0, eth1 (2 links), igb\n"
	"   channels.combined  8         → 4\n"
	"   rings.rx           4096      → 256\n"
	"\n"
	"host\n"
	"   net.core.rmem_max  134217728 → 212992 (208 KiB)\n"
	"\n"
	"host: changed by others since, left alone\n"
	"   net.ipv4.tcp_rmem  4096 131072 16777216\n"
	"                      nettune left 4096 262144 134217728, before it was 4096\n"
	"                      131072 6291456\n"
	"\n"
	"eth0: gone with its device\n"
	"   rx-7/rps.cpus\n"
	"\n"
	"5 changes: 5 exact.\n"
	"Rolled back, but for what others have changed since (--force overwrites it).\n"
	"Next: nettune status\n";

static void rollback_names_what_it_left_alone(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(rollback_80, capture(f, sample_output_rollback));
}

static void dry_rollback_claims_nothing(void **state)
{
	struct fixture *f = *state;
	const char *text = capture(f, sample_output_rollback_dry);

	assert_non_null(strstr(text, "Plan for a rollback of " SAMPLE_ID));
	assert_non_null(strstr(text, "5 changes.\n!! interrupts the link: eth0, eth1 (2 links), 2 "
				     "steps\nNothing was changed.\n"));
}

static const char verify_80[] =
	"Verify lab1, dc-10ge (version 1)\n"
	"\n"
	"eth0, eth1 (2 links), igb\n"
	"   rings.rx                    512           wanted 4096                 drifted\n"
	"   rxtx-0-7/irq-affinity.cpus  3, 10, 1 … 4  wanted 0-7 one each\n"
	"                               drifted: irqbalance is running\n"
	"\n"
	"no interface\n"
	"   mtu                         (absent)      wanted 9000\n"
	"                               unmatched: eth2: link-speed is not known (down)\n"
	"\n"
	"host\n"
	"   net.core.rmem_max           212992        wanted 134217728 (128 MiB)\n"
	"                               never-applied\n"
	"\n"
	"   (…: -v lists every value)\n"
	"\n"
	"20 differences: 41 of 61 settings are as wished, 1 deferred, 19 drifted.\n";

static void verify_lists_differences(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(verify_80, capture(f, sample_output_verify));
	f->output.quiet = true;
	assert_string_equal("In sync: 61 settings are as wished, 2 rounded.\n",
		capture(f, sample_output_verify_in_sync));
	f->output.quiet = false;
	assert_string_equal("Verify lab1, dc-10ge (version 1)\n\n"
			    "eth0, eth1 (2 links): as wished, as nearly as it goes\n"
			    "   rings.tx  1008  asked for 1001, rounded\n\n"
			    "In sync: 61 settings are as wished, 2 rounded.\n",
		capture(f, sample_output_verify_in_sync));
}

static void history_and_status_are_tables(void **state)
{
	static const char history[] =
		"ID                     WHEN (UTC)        USER   OUTCOME   STATE       PROFILE\n"
		"20260830T031415Z-7f3a  2026-08-30 03:14  root   applied   in-force    dc-10ge\n"
		"20260829T220102Z-01bc  2026-08-29 22:01  alice  put-back  undone      test\n"
		"20260829T210000Z-ffff  2026-08-29 21:00  alice  -         unfinished  test\n";
	struct fixture *f = *state;

	assert_string_equal(history, capture(f, sample_output_history));
	assert_non_null(strstr(capture(f, sample_output_status), "1 drifted, 41 as left.\n"
								 "Next: nettune rollback\n"));
	assert_non_null(strstr(f->text, "eth0: drifted\n   rings.rx  512  wanted 4096  drifted\n"));
}

static void profiles_are_listed_and_shown(void **state)
{
	static const char list[] =
		"NAME     VERSION  DESCRIPTION\n"
		"dc-10ge  1        Hosts on 10 Gbit/s Ethernet inside one data centre (round trip\n"
		"                  of 1 ms or less)\n";
	static const char show[] = "   net.ipv4.tcp_sack        1     dc-10ge.yaml:9\n"
				   "\n"
				   "eth0, eth1 (2 links), igb\n"
				   "   rings.rx           max = 4096  now 256, dc-10ge.yaml:31\n"
				   "      a burst of 1 ms at 10 Gbit/s is 800 frames\n";
	struct fixture *f = *state;

	assert_non_null(strstr(capture(f, sample_output_list), list));
	assert_non_null(strstr(capture(f, sample_output_show), show));
	assert_string_equal(
		"dc-10ge.yaml: ok\n./a\\x1b.yaml: ok\n", capture(f, sample_output_check));
}

static void findings_show_line_and_column(void **state)
{
	static const char expected[] =
		"dc-10ge.yaml:14:5: error: coalesce has no setting \"adpative-rx\"\n"
		"        adpative-rx: on\t# \xc3\xa9?[0m\n"
		"        ^\n"
		"    hint: adaptive-rx\n"
		"nettune: warning: irqbalance is running and will move interrupts again\n"
		"dc-10ge.yaml:14:5: note: see here\n";
	struct fixture *f = *state;
	struct diags diags = {.arena = &f->arena};
	FILE *stream = open_memstream(&f->text, &f->length);

	sample_diags(&diags);
	output_diags(stream, false, &diags);
	fclose(stream);
	assert_non_null(strstr(f->text, expected));
	assert_int_equal('d', f->text[0]);
}

static void caret_stays_below_its_column(void **state)
{
	struct fixture *f = *state;
	struct diags diags = {.arena = &f->arena};
	char *line = arena_alloc(&f->arena, 4000);
	struct pos pos = {.file = "x.yaml", .line = 1, .column = 3000, .source = line};
	FILE *stream = open_memstream(&f->text, &f->length);
	const char *source, *caret;

	memset(line, '.', 3998);
	memcpy(line + 2999, "X\x80\t", 3);
	diags_add(&diags, SEVERITY_ERROR, ERROR_DATA, "x", pos, "wrong");
	pos.source = "\t\xc3\xa9\xc3\xa9!";
	pos.column = 4;
	diags_add(&diags, SEVERITY_ERROR, ERROR_DATA, "x", pos, "wrong");
	output_diags(stream, false, &diags);
	fclose(stream);
	source = strchr(f->text, '\n') + 1;
	caret = strchr(source, '\n') + 1;
	assert_in_range(strchr(source, '\n') - source, 10, 90);
	assert_int_equal('X', source[strcspn(caret, "^")]);
	assert_non_null(strstr(f->text, "    \t\xc3\xa9\xc3\xa9!\n    \t  ^\n"));
}

/* Nothing that a terminal acts on, whatever the names are. */
static void hostile_texts_do_no_harm(void **state)
{
	struct fixture *f = *state;

	for (int json = 0; json < 2; json++) {
		f->output.json = json;
		for (size_t i = 0; i < TEXT_OUTPUTS; i++) {
			const char *p = capture(f, sample_outputs[i].write);

			for (f->output.verbose = true; *p; p++)
				assert_true(*p == '\n' || (unsigned char)*p >= ' ');
			assert_null(strstr(f->text, "\xe2\x80\xae"));
			assert_null(strchr(f->text, '\xff'));
		}
	}
	f->output.json = false;
	assert_non_null(
		strstr(capture(f, sample_output_plan_hostile), "e\\x1b[2J\\xff\\u202e\\0\n"));
	assert_non_null(strstr(f->text, "because\\x0d\\x1b]0;x\\x07\n"));
}

static void other_locales_get_ascii(void **state)
{
	struct fixture *f = *state;

	f->output.utf8 = false;
	for (size_t i = 0; i < TEXT_OUTPUTS; i++) {
		const char *p = capture(f, sample_outputs[i].write);

		for (; *p; p++)
			assert_true((unsigned char)*p < 0x80);
	}
	assert_non_null(strstr(capture(f, sample_output_plan), " 256      -> 4096\n"));
}

static void color_is_only_around_words(void **state)
{
	struct fixture *f = *state;
	const char *plain = arena_strdup(&f->arena, capture(f, sample_output_plan));
	char *to;

	f->output.color = true;
	to = (char *)capture(f, sample_output_plan);
	assert_non_null(strstr(to, "\x1b[33m!!\x1b[0m rings.rx"));
	for (const char *from = f->text; (*to = *from); from++) {
		if (*from == '\x1b')
			from += strcspn(from, "m");
		else
			to++;
	}
	assert_string_equal(plain, f->text);
}

static const char *text_at(json_t *root, const char *array, size_t index, const char *member)
{
	return json_string_value(
		json_object_get(json_array_get(json_object_get(root, array), index), member));
}

static void plan_document_has_every_change(void **state)
{
	struct fixture *f = *state;
	json_t *root = document(f, "plan");
	json_t *summary = json_object_get(root, "summary");

	assert_string_equal("nettune-plan/1", json_string_value(json_object_get(root, "format")));
	assert_true(json_is_true(json_object_get(root, "changed")));
	assert_int_equal(76, json_array_size(json_object_get(root, "changes")));
	assert_string_equal("eth0/channels.combined", text_at(root, "changes", 0, "id"));
	assert_string_equal("eth0", text_at(root, "changes", 0, "interface"));
	assert_string_equal("link", text_at(root, "changes", 0, "interrupts"));
	assert_string_equal("4", text_at(root, "changes", 0, "before"));
	assert_string_equal("1001", text_at(root, "changes", 3, "wanted"));
	assert_string_equal("1008", text_at(root, "changes", 3, "after"));
	assert_string_equal("rxtx-7", text_at(root, "changes", 14, "queue"));
	assert_null(text_at(root, "changes", 14, "before"));
	assert_string_equal("carried", text_at(root, "changes", 15, "origin"));
	assert_string_equal("eth0/channels.combined", text_at(root, "changes", 15, "cause"));
	assert_string_equal("net.ipv4.conf.eth0.rp_filter", text_at(root, "changes", 35, "key"));
	assert_string_equal(
		"sysctl/net.ipv4.conf.eth0.rp_filter", text_at(root, "changes", 35, "id"));
	assert_string_equal("max", text_at(root, "skipped", 0, "wanted"));
	assert_int_equal(6, json_integer_value(json_object_get(summary, "interruptions")));
	assert_int_equal(8, json_array_size(json_object_get(root, "new")));
	json_decref(root);
}

static void apply_document_has_verdicts_and_errors(void **state)
{
	struct fixture *f = *state;
	json_t *root = document(f, "apply-refused"), *change, *error;

	change = json_array_get(json_object_get(root, "changes"), 3);
	error = json_object_get(change, "error");
	assert_string_equal("refused", json_string_value(json_object_get(change, "verdict")));
	assert_int_equal(EINVAL, json_integer_value(json_object_get(error, "errno")));
	assert_string_equal("Invalid argument: requested ring size exceeds maximum (512)",
		json_string_value(json_object_get(error, "message")));
	assert_null(text_at(root, "changes", 4, "verdict"));
	assert_true(json_is_false(json_object_get(root, "changed")));
	assert_string_equal("put-back", json_string_value(json_object_get(root, "outcome")));
	json_decref(root);
}

static void error_document_has_locations(void **state)
{
	struct fixture *f = *state;
	json_t *root = document(f, "findings"), *error = json_object_get(root, "error");

	assert_int_equal(65, json_integer_value(json_object_get(root, "exit")));
	assert_string_equal("unknown-key", json_string_value(json_object_get(error, "id")));
	assert_int_equal(1, json_array_size(json_object_get(error, "locations")));
	assert_string_equal("adaptive-rx", text_at(error, "locations", 0, "hint"));
	assert_int_equal(2, json_array_size(json_object_get(root, "warnings")));
	json_decref(root);
}

static void documents_hold_any_bytes(void **state)
{
	struct fixture *f = *state;
	json_t *root = document(f, "plan-hostile");
	const char *name;

	assert_int_equal(
		0, text_of_json(&f->arena, text_at(root, "changes", 0, "interface"), &name));
	assert_string_equal("e\x1b[2J\xff\xe2\x80\xae\\0", name);
	json_decref(root);
}

static void lost_output_is_an_error(void **state)
{
	struct fixture *f = *state;

	for (int json = 0; json < 2; json++) {
		f->output.json = json;
		for (size_t i = 0; i < TEXT_OUTPUTS; i++) {
			f->output.out = fopen("/dev/full", "w");
			assert_non_null(f->output.out);
			assert_int_equal(-ENOSPC, sample_outputs[i].write(&f->output));
			fclose(f->output.out);
		}
	}
}

static int allocations_left;

static void *failing_malloc(size_t size)
{
	return allocations_left-- > 0 ? malloc(size) : NULL;
}

/* Every allocation of the document fails once: no crash, no leak, no half document taken as one. */
static void document_without_memory_is_an_error(void **state)
{
	struct fixture *f = *state;
	int r = -ENOMEM;

	f->output.json = true;
	json_set_alloc_funcs(failing_malloc, free);
	for (int n = 0; r < 0; n++) {
		f->output.out = fopen("/dev/null", "w");
		assert_non_null(f->output.out);
		allocations_left = n;
		r = sample_output_rollback(&f->output);
		fclose(f->output.out);
		assert_true(r == 0 || r == -ENOMEM || r == -EIO);
	}
	json_set_alloc_funcs(malloc, free);
}

static void write_samples(const char *directory)
{
	for (size_t i = 0; i < ARRAY_SIZE(sample_outputs); i++) {
		struct arena arena;
		struct output output = {.json = true, .arena = &arena};

		arena_init(&arena);
		output.out = fopen(
			arena_printf(&arena, "%s/%s.json", directory, sample_outputs[i].name), "w");
		if (!output.out || sample_outputs[i].write(&output) < 0) {
			fprintf(stderr, "%s: not written\n", sample_outputs[i].name);
			exit(1);
		}
		fclose(output.out);
		arena_done(&arena);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(plan_on_a_wide_terminal),
		TEST(plan_on_a_narrow_terminal),
		TEST(plan_in_a_file_has_a_line_for_each_row),
		TEST(verbose_plan_has_every_change_in_order),
		TEST(quiet_plan_is_its_summary),
		TEST(empty_plan_says_so),
		TEST(lines_fit_the_terminal),
		TEST(seventy_vectors_are_a_line),
		TEST(few_values_have_a_line_each),
		TEST(links_share_what_they_have_in_common),
		TEST(thousands_of_links_are_printed_soon),
		TEST(failure_names_setting_wanted_got_and_reason),
		TEST(failure_before_the_first_write_has_its_error),
		TEST(success_has_observed_values_and_the_way_back),
		TEST(what_did_not_take_is_told_from_success),
		TEST(rollback_names_what_it_left_alone),
		TEST(dry_rollback_claims_nothing),
		TEST(verify_lists_differences),
		TEST(history_and_status_are_tables),
		TEST(profiles_are_listed_and_shown),
		TEST(findings_show_line_and_column),
		TEST(caret_stays_below_its_column),
		TEST(hostile_texts_do_no_harm),
		TEST(other_locales_get_ascii),
		TEST(color_is_only_around_words),
		TEST(plan_document_has_every_change),
		TEST(apply_document_has_verdicts_and_errors),
		TEST(error_document_has_locations),
		TEST(documents_hold_any_bytes),
		TEST(lost_output_is_an_error),
		TEST(document_without_memory_is_an_error),
	};
	const char *samples = getenv("NETTUNE_SAMPLES");

	if (samples) {
		write_samples(samples);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
