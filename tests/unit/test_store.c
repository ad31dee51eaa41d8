/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Journal files: safe directories, IDs in order, whole lines or none, and the links of a journal
 * found again by identity.
 */
#include "engine/store.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/test.h"

static char dir[64];
static struct arena arena;
static struct error error;
static struct diags diags;
static struct options options;
static struct run run;

static const struct field fields[] = {{.name = "rx", .type = VALUE_NUMBER, .doc = "ring"}, {0}};
static const struct kind kind = {.name = "rings", .phase = PHASE_RINGS, .fields = fields};
static const struct kind *const test_kinds[] = {&kind, NULL};

static int setup(void **state)
{
	arena_init(&arena);
	error = (struct error){0};
	diags = (struct diags){.arena = &arena};
	snprintf(dir, sizeof(dir), "/tmp/nettune-store-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	options = (struct options){.state_dir = dir};
	run = (struct run){
		.kernel.arena = &arena,
		.host = {.boot_id = "boot-1", .netns = 7},
		.kinds = test_kinds,
		.options = &options,
		.arena = &arena,
	};
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static int teardown(void **state)
{
	arena_done(&arena);
	return nftw(dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static struct link *add_link(int ifindex, const char *name, const char *driver, const char *bus)
{
	struct link *link = ARENA_NEW(&arena, struct link);
	struct link **v = ARENA_ARRAY(&arena, run.host.nlinks + 1, struct link *);

	assert_non_null(link);
	assert_non_null(v);
	*link = (struct link){
		.ifindex = ifindex, .name = name, .driver = driver, .bus = bus, .known = ~0U};
	if (run.host.nlinks)
		memcpy(v, run.host.links, run.host.nlinks * sizeof(*v));
	v[run.host.nlinks++] = link;
	run.host.links = v;
	return link;
}

static void create(struct store *store)
{
	if (store_create(store, dir, &arena, &error) < 0)
		fail_msg("%s", error.msg);
}

static void append(struct store *store, char *line)
{
	if (store_append(store, line, &error) < 0)
		fail_msg("%s", error.msg);
}

static off_t size_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

/* A journal of one applied transaction with one link. Returns its ID. */
static const char *write_journal(const char *boot_id, uint64_t netns, struct journal_link link)
{
	struct store store;
	struct plan plan;
	struct link at = {.ifindex = link.ifindex, .name = link.name};
	struct change *change = ARENA_NEW(&arena, struct change);
	struct step step = {.n = 1};

	create(&store);
	assert_non_null(change);
	link.link = &at;
	plan_init(&plan, &arena);
	*change = (struct change){
		.at = {.kind = &kind, .target.link = &at, .key = "rx"},
		.before = value_number(&arena, 256),
		.wanted = value_number(&arena, 512),
		.after = value_number(&arena, 512),
	};
	plan.v = change;
	plan.n = 1;
	plan.steps = &step;
	plan.nsteps = 1;
	append(&store, journal_header_line(&(struct journal_header){.id = store.id,
			       .boot_id = boot_id,
			       .version = "0",
			       .user = "root",
			       .command = "nettune apply",
			       .time = "2026-11-30T22:14:03Z",
			       .host = "h",
			       .netns = netns}));
	append(&store, journal_links_line(&link, 1));
	append(&store, journal_plan_line(&plan, &link, 1));
	append(&store, journal_state_line(RECORD_STATE, &(struct state){0}, &link, 1));
	append(&store, journal_step_line(0, 0));
	append(&store, journal_outcome_line("applied", "2026-11-30T22:14:04Z"));
	assert_int_equal(store_commit(&store, 4096, &error), 0);
	store_close(&store);
	return store.id;
}

static void test_creates_private_files(void **state)
{
	struct store store;
	char path[128];
	struct stat st;

	create(&store);
	assert_int_equal(fstat(store.fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	snprintf(path, sizeof(path), "%s/journal", dir);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(strlen(store.id), strlen("20261130T221403Z-3fa9c1"));
	assert_non_null(strstr(store.path, store.id));
	store_close(&store);
	assert_int_equal(store.fd, -1);
}

static void test_makes_the_state_directory(void **state)
{
	struct store store;
	char path[128];

	snprintf(path, sizeof(path), "%s/state", dir);
	assert_int_equal(store_create(&store, path, &arena, &error), 0);
	store_close(&store);
}

/* Within one second, and after the clock was put back. */
static void test_ids_ascend(void **state)
{
	struct store store;
	char path[160], last[64] = "";

	for (int i = 0; i < 5; i++) {
		create(&store);
		assert_true(strcmp(store.id, last) > 0);
		snprintf(last, sizeof(last), "%s", store.id);
		store_close(&store);
	}
	snprintf(path, sizeof(path), "%s/journal/29991231T235959Z-ffffff.jsonl", dir);
	assert_int_equal(mknod(path, S_IFREG | 0600, 0), 0);
	create(&store);
	assert_true(strncmp(store.id, "30000101T000000Z-", 17) == 0);
	store_close(&store);
}

static void test_refuses_unsafe_directories(void **state)
{
	struct store store;
	char path[128];

	assert_int_equal(chmod(dir, 0770), 0);
	assert_int_equal(store_create(&store, dir, &arena, &error), -EPERM);
	assert_int_equal(error.kind, ERROR_PERMISSION);
	assert_int_equal(chmod(dir, 0700), 0);
	snprintf(path, sizeof(path), "%s/journal", dir);
	assert_int_equal(symlink("/tmp", path), 0);
	assert_true(store_create(&store, dir, &arena, &error) < 0);
	assert_non_null(strstr(error.msg, "/journal"));
}

static void test_refuses_a_directory_of_another_user(void **state)
{
	struct store store;

	if (geteuid() != 0)
		skip();
	assert_int_equal(chown(dir, 65534, 65534), 0);
	assert_int_equal(store_create(&store, dir, &arena, &error), -EPERM);
	assert_non_null(strstr(error.msg, "uid 65534"));
	assert_int_equal(
		store_load_all(&run, &diags, &(struct journal **){0}, &(size_t){0}, &error),
		-EPERM);
}

static void test_appends_whole_lines_only(void **state)
{
	struct rlimit old, limit;
	struct store store;

	create(&store);
	append(&store, strdup("first\n"));
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = old;
	limit.rlim_cur = 10;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_true(store_append(&store, strdup("second\n"), &error) < 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(size_of(store.path), strlen("first\n"));
	append(&store, strdup("third\n"));
	assert_int_equal(size_of(store.path), strlen("first\nthird\n"));
	assert_int_equal(store_append(&store, NULL, &error), -ENOMEM);
	store_close(&store);
}

static void test_commit_reserves_without_growing(void **state)
{
	struct store store;

	create(&store);
	append(&store, strdup("first\n"));
	assert_int_equal(store_commit(&store, 1 << 16, &error), 0);
	assert_int_equal(size_of(store.path), strlen("first\n"));
	append(&store, strdup("second\n"));
	assert_int_equal(size_of(store.path), strlen("first\nsecond\n"));
	store_close(&store);
}

static void test_discard_removes_the_file(void **state)
{
	struct store store;

	create(&store);
	store_discard(&store);
	assert_int_equal(access(store.path, F_OK), -1);
	assert_int_equal(errno, ENOENT);
}

static void write_raw(const char *path, const char *text, size_t length)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, length), length);
	close(fd);
}

static void test_append_cuts_a_torn_line(void **state)
{
	static char long_line[10000];
	struct store store;
	const char *id;

	create(&store);
	id = store.id;
	append(&store, strdup("whole\n"));
	append(&store, strdup("torn"));
	store_close(&store);
	assert_int_equal(store_open_append(&store, dir, id, &arena, &error), 0);
	assert_int_equal(size_of(store.path), strlen("whole\n"));
	store_close(&store);

	memset(long_line, 'x', sizeof(long_line));
	long_line[1] = '\n';
	write_raw(store.path, long_line, sizeof(long_line));
	assert_int_equal(store_open_append(&store, dir, id, &arena, &error), 0);
	assert_int_equal(size_of(store.path), 2);
	store_close(&store);

	write_raw(store.path, "torn", 4);
	assert_int_equal(store_open_append(&store, dir, id, &arena, &error), 0);
	assert_int_equal(size_of(store.path), 0);
	store_close(&store);
}

static void test_ids_from_outside_are_checked(void **state)
{
	static const char *const bad[] = {"", "..", "../../etc/passwd", "20261130T221403Z-3fa9c",
		"20261130T221403Z-3fa9c1x", "20261130T221403Z-3FA9C1", "2026113xT221403Z-3fa9c1"};
	struct journal *journal;
	struct store store;

	create(&store);
	store_close(&store);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(store_load(&run, bad[i], &journal, &error), -ENOENT);
		assert_int_equal(error.kind, ERROR_DATA);
		assert_true(store_open_append(&store, dir, bad[i], &arena, &error) < 0);
	}
	assert_int_equal(store_load(&run, "20261130T221403Z-3fa9c1", &journal, &error), -ENOENT);
	assert_non_null(strstr(error.msg, "no transaction"));
}

static void test_a_missing_directory_is_no_journals(void **state)
{
	struct journal **v;
	size_t n = 1;

	options.state_dir = "/nonexistent";
	assert_int_equal(store_load_all(&run, &diags, &v, &n, &error), 0);
	assert_int_equal(n, 0);
	assert_int_equal(diags.n, 0);
}

static void test_loads_in_order_and_tells_of_damage(void **state)
{
	struct journal_link link = {.ifindex = 2, .name = "eth0", .driver = "igb"};
	const char *first = write_journal("boot-1", 7, link);
	const char *second = write_journal("boot-1", 7, link);
	const char *third = write_journal("boot-1", 7, link);
	struct journal **v;
	struct store store;
	size_t n;

	write_raw(arena_printf(&arena, "%s/journal/%s.jsonl", dir, second), "{]\n{}\n", 6);
	create(&store); /* its writer died before the first line: nobody needs to know */
	store_close(&store);
	assert_int_equal(store_load_all(&run, &diags, &v, &n, &error), 0);
	assert_int_equal(n, 2);
	assert_string_equal(v[0]->header.id, first);
	assert_string_equal(v[1]->header.id, third);
	assert_int_equal(diags.n, 1);
	assert_string_equal(diags.v[0].id, "journal-damaged");
	assert_non_null(strstr(diags.v[0].text, second));
}

static void test_a_renamed_file_is_damage(void **state)
{
	const char *id = write_journal("boot-1", 7, (struct journal_link){.name = "eth0"});
	const char *other = "20200101T000000Z-000000";
	struct journal *journal;

	assert_int_equal(rename(arena_printf(&arena, "%s/journal/%s.jsonl", dir, id),
				 arena_printf(&arena, "%s/journal/%s.jsonl", dir, other)),
		0);
	assert_int_equal(store_load(&run, other, &journal, &error), -EINVAL);
	assert_int_equal(error.kind, ERROR_DATA);
}

static const struct link *link_of(const char *id)
{
	struct journal *journal;

	if (store_load(&run, id, &journal, &error) < 0)
		fail_msg("%s", error.msg);
	assert_int_equal(journal->nlinks, 1);
	assert_ptr_equal(journal->plan.v[0].at.target.link, journal->links[0].link);
	return journal->links[0].link;
}

static void test_a_link_is_known_by_identity(void **state)
{
	const struct {
		struct journal_link known;
		bool is_live;
	} cases[] = {
		{{.ifindex = 2, .name = "eth0", .driver = "igb", .bus = "0000:00:03.0"}, true},
		{{.ifindex = 2, .name = "old0", .driver = "igb", .bus = "0000:00:03.0"}, true},
		{{.ifindex = 2, .name = "eth0", .driver = "igb"}, true},
		{{.ifindex = 2, .name = "eth0", .driver = "ixgbe", .bus = "0000:00:03.0"}, false},
		{{.ifindex = 2, .name = "eth0", .bus = "0000:00:03.0"}, false},
		{{.ifindex = 2, .name = "eth0", .driver = "igb", .bus = "0000:00:04.0"}, false},
		{{.ifindex = 3, .name = "eth0", .driver = "igb", .bus = "0000:00:03.0"}, false},
		{{.ifindex = 2, .name = "eth0", .driver = "igb", .perm_mac = {2, 1}}, true},
		{{.ifindex = 2, .name = "eth0", .driver = "igb", .perm_mac = {2, 2}}, false},
	};
	struct link *live = add_link(2, "eth0", "igb", "0000:00:03.0");

	live->perm_mac[0] = 2;
	live->perm_mac[1] = 1;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct link *link = link_of(write_journal("boot-1", 7, cases[i].known));

		if ((link == live) != cases[i].is_live)
			fail_msg("case %zu", i);
		if (!cases[i].is_live) {
			assert_int_equal(link->ifindex, 0);
			assert_string_equal(link->name, "eth0");
		}
	}
}

static void test_other_boots_and_namespaces_know_no_live_link(void **state)
{
	struct journal_link known = {.ifindex = 2, .name = "eth0", .driver = "igb"};
	struct link *live = add_link(2, "eth0", "igb", NULL);

	assert_ptr_equal(link_of(write_journal("boot-1", 7, known)), live);
	assert_int_equal(link_of(write_journal("boot-2", 7, known))->ifindex, 0);
	assert_int_equal(link_of(write_journal("boot-1", 8, known))->ifindex, 0);
}

static void test_equal_stand_ins_are_shared(void **state)
{
	struct journal_link gone = {.ifindex = 2, .name = "eth0", .driver = "igb"};
	struct journal_link other = {.ifindex = 3, .name = "eth0", .driver = "igb"};
	struct journal **v;
	size_t n;

	write_journal("boot-1", 7, gone);
	write_journal("boot-1", 7, gone);
	write_journal("boot-1", 7, other);
	assert_int_equal(store_load_all(&run, &diags, &v, &n, &error), 0);
	assert_int_equal(n, 3);
	assert_ptr_equal(v[0]->links[0].link, v[1]->links[0].link);
	assert_ptr_not_equal(v[0]->links[0].link, v[2]->links[0].link);
}

static void test_standing(void **state)
{
	struct journal_rollback rollback = {.outcome = "rolled-back"};
	struct journal journal = {
		.header = {.boot_id = "boot-1", .netns = 7},
		.any_begun = true,
	};
	struct host *host = &run.host;

	assert_int_equal(journal_standing(&journal, host), STANDING_UNFINISHED);
	journal.outcome = "incomplete";
	assert_int_equal(journal_standing(&journal, host), STANDING_UNFINISHED);
	journal.outcome = "applied";
	assert_int_equal(journal_standing(&journal, host), STANDING_IN_FORCE);
	journal.outcome = "put-back";
	assert_int_equal(journal_standing(&journal, host), STANDING_UNDONE);
	journal.outcome = NULL;
	journal.any_begun = false; /* died before its first write */
	assert_int_equal(journal_standing(&journal, host), STANDING_UNDONE);

	journal.outcome = "applied";
	journal.any_begun = true;
	journal.rollbacks = &rollback;
	journal.nrollbacks = 1;
	assert_int_equal(journal_standing(&journal, host), STANDING_UNDONE);
	rollback.outcome = "conflicts";
	assert_int_equal(journal_standing(&journal, host), STANDING_UNDONE);
	rollback.outcome = "incomplete";
	assert_int_equal(journal_standing(&journal, host), STANDING_OPEN);
	rollback.outcome = NULL;
	assert_int_equal(journal_standing(&journal, host), STANDING_OPEN);

	/* a put-back belongs to the apply: its death leaves that unfinished, not a rollback open */
	rollback.put_back = true;
	journal.outcome = NULL;
	assert_int_equal(journal_standing(&journal, host), STANDING_UNFINISHED);

	journal.forgotten = true;
	assert_int_equal(journal_standing(&journal, host), STANDING_FORGOTTEN);
	journal.header.boot_id = "boot-2";
	assert_int_equal(journal_standing(&journal, host), STANDING_OTHER);
	for (unsigned i = 0; i < STANDING_MAX; i++)
		assert_string_not_equal(standing_name((enum standing)i), "unknown");
}

static void test_forget_is_a_line(void **state)
{
	struct journal_link known = {.ifindex = 2, .name = "eth0", .driver = "igb"};
	const char *id = write_journal("boot-1", 7, known);
	struct journal *journal;
	struct store store;

	assert_int_equal(store_open_append(&store, dir, id, &arena, &error), 0);
	append(&store, journal_forget_line("2026-11-30T22:20:00Z"));
	assert_int_equal(store_commit(&store, 0, &error), 0);
	store_close(&store);
	if (store_load(&run, id, &journal, &error) < 0)
		fail_msg("%s", error.msg);
	assert_int_equal(journal_standing(journal, &run.host), STANDING_FORGOTTEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_creates_private_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_makes_the_state_directory, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ids_ascend, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refuses_unsafe_directories, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_refuses_a_directory_of_another_user, setup, teardown),
		cmocka_unit_test_setup_teardown(test_appends_whole_lines_only, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_commit_reserves_without_growing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_discard_removes_the_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_append_cuts_a_torn_line, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ids_from_outside_are_checked, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_a_missing_directory_is_no_journals, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_loads_in_order_and_tells_of_damage, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_renamed_file_is_damage, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_link_is_known_by_identity, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_other_boots_and_namespaces_know_no_live_link, setup, teardown),
		cmocka_unit_test_setup_teardown(test_equal_stand_ins_are_shared, setup, teardown),
		cmocka_unit_test_setup_teardown(test_standing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_forget_is_a_line, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
