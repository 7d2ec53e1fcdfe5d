/* maxpool_mpi and matmul_mpi as a user meets them under mpirun: ranks fail together with one
 * message, one rank speaks, and the map does not depend on how many there are. */
#include "tests/run_program.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A folder of this test's own, made by main. */
static char folder[] = "/tmp/maxpool-test-XXXXXX";

/* Runs a command line with MPIRUN standing for the launcher, DATA for the images, DIR for the
 * folder. */
static struct outcome run(const char *input, const char *command)
{
    char line[4096];
    snprintf(line, sizeof line, "MPIRUN='%s'; DATA=%s; DIR=%s; %s", MAXPOOL_MPIEXEC,
             MAXPOOL_SOURCE_DIR "/tests/data", folder, command);
    return run_program(line, input);
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        found++;
    return found;
}

struct refusal {
    const char *command;
    int status;
    const char *message;
};

/* Every rank leaves with the status, and one line of stderr is ours: the launcher adds its own. */
static void check_refusal(const struct refusal *row)
{
    struct outcome o = run(NULL, row->command);
    const int ours = count(o.err, "maxpool_mpi: ") + count(o.err, "matmul_mpi: ");
    if (o.status != row->status || ours != 1 || !strstr(o.err, row->message))
        fail_msg("%s\n  status %d, %d messages, expected %d and: %s\n%s", row->command, o.status,
                 ours, row->status, row->message, o.err);
    outcome_free(&o);
}

static void ranks_fail_together(void **state)
{
    (void)state;
    static const struct refusal rows[] = {
        {"$MPIRUN 3 ./maxpool_mpi --method turbo", 2, "there is no 'turbo' in maxpool_mpi"},
        {"$MPIRUN 3 ./maxpool_mpi --frobnicate", 2, "unknown or ambiguous option"},
        {"$MPIRUN 3 ./maxpool_mpi -i missing.png", 2, "missing.png"},
        {"$MPIRUN 2 ./maxpool_mpi --distribute generate -i $DATA/brain_axial.png", 2,
         "--distribute generate is for random images"},
        {"$MPIRUN 3 ./maxpool_mpi -n 4 -k 5", 2, "does not fit the image"},
        {"$MPIRUN 1 ./maxpool_mpi -n 64 : -np 2 ./maxpool_mpi -n 65", 2,
         "the ranks were given different options"},
        {"$MPIRUN 1 ./maxpool_mpi -n 64 : -np 1 ./maxpool_mpi -n 64 --wrong", 2,
         "unknown or ambiguous option '--wrong'"},
        {"$MPIRUN 3 ./maxpool_mpi -n 8000000", 4, "are needed"},
        {"$MPIRUN 3 ./maxpool_mpi -n 64 --record /dev/full", 5, "/dev/full"},
        {"$MPIRUN 3 ./maxpool_mpi -n 64 -o missing/map.npy", 5, "missing/map.npy"},
        {"$MPIRUN 3 ./matmul_mpi -n 64 -k 2", 2, "--kernel-size does not apply here"},
        {"./maxpool_mpi -i missing.png", 2, "missing.png"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)

        check_refusal(&rows[i]);
}

/* One rank may take less memory than its band needs. Sanitizers need more address space. */
static void one_rank_without_memory_ends_all(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip();
#else
    const struct refusal row = {"$MPIRUN 1 ./maxpool_mpi -n 16384 --samples 1 : -np 1 sh -c "
                                "'ulimit -v 600000; exec ./maxpool_mpi -n 16384 --samples 1'",
                                4, "no memory for image, map and scratch"};
    check_refusal(&row);
#endif
}

static void check_success(const char *command)
{
    struct outcome o = run(NULL, command);
    if (o.status != 0)
        fail_msg("%s\n  status %d\n%s", command, o.status, o.err);
    outcome_free(&o);
}

/* Byte for byte the file that the serial program writes. */
static void maps_do_not_depend_on_the_ranks(void **state)
{
    (void)state;
    static const char *const options[] = {
        "maxpool -R 53 -C 71 --planes 2 -k 5 -s 2 -p 1 --filter random",
        "maxpool -i $DATA/brain_axial.png -k 3 -s 1 -p 1 --filter random",
        "maxpool -R 53 -C 71 -k 7 -s 1 --distribute scatter",
        "matmul -R 37 -C 113 --method blocked --filter random",
        "matmul -R 37 -C 113 --method naive --filter random --distribute scatter",
    };
    char command[1024];
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *rest = strchr(options[i], ' ');
        const int operator_length = (int)(rest - options[i]);
        const char *distribute = strstr(rest, " --distribute");
        const int serial_length = (int)(distribute ? distribute - rest : (long)strlen(rest));
        snprintf(command, sizeof command, "./%.*s_serial%.*s --samples 1 -o $DIR/serial.npy",
                 operator_length, options[i], serial_length, rest);
        check_success(command);
        for (int ranks = 1; ranks <= 16; ranks = ranks * 2 + 1) {
            snprintf(command, sizeof command,
                     "$MPIRUN %d ./%.*s_mpi%s --samples 1 -o $DIR/mpi.npy && cmp $DIR/serial.npy "
                     "$DIR/mpi.npy",
                     ranks, operator_length, options[i], rest);
            check_success(command);
        }
    }
}

/* The value of a column in the last row of CSV text. */
static void column(const char *csv, const char *name, char *value, size_t size)
{
    const char *row = csv + strlen(csv) - 1;
    while (row > csv && row[-1] != '\n')
        row--;
    for (const char *head = csv; *head && *head != '\n';) {
        const size_t length = strcspn(head, ",\n"), width = strcspn(row, ",\n");
        if (length == strlen(name) && strncmp(head, name, length) == 0) {
            snprintf(value, size, "%.*s", (int)width, row);
            return;
        }
        head += length + 1;
        row += width + 1;
    }
    fail_msg("no column %s", name);
}

static void expect_column(const char *csv, const char *name, const char *expected)
{
    char value[256];
    column(csv, name, value, sizeof value);
    assert_string_equal(value, expected);
}

static void one_rank_records(void **state)
{
    (void)state;
    struct outcome o = run(NULL, "$MPIRUN 3 ./maxpool_mpi -n 64 -k 3 -s 1 --samples 4 "
                                 "--relative-ci 0 --format csv");
    assert_int_equal(o.status, 0);
    assert_int_equal(count(o.out, "\n"), 1 + 1 + 4); /* header, warm-up, samples */
    expect_column(o.out, "ranks", "3");
    expect_column(o.out, "threads", "1");
    expect_column(o.out, "nodes", "1");
    expect_column(o.out, "launch", "mpirun");
    expect_column(o.out, "distribution", "generate");
    expect_column(o.out, "verified", "exact");
    expect_column(o.out, "stop_reason", "samples");
    outcome_free(&o);
}

/* One row per execution and rank; phases of the record are maxima over them. */
static void raw_times_of_every_rank(void **state)
{
    (void)state;
    struct outcome o = run(NULL, "$MPIRUN 3 ./maxpool_mpi -n 64 --samples 4 --relative-ci 0 "
                                 "--warmup 2 --per-rank $DIR/raw.csv >/dev/null && "
                                 "wc -l < $DIR/raw.csv && head -n 1 $DIR/raw.csv");
    assert_int_equal(o.status, 0);
    assert_int_equal(atoi(o.out), 1 + (2 + 4) * 3);
    assert_non_null(strstr(o.out, "execution,rank,host,cpus,distribute_s,compute_s"));
    outcome_free(&o);
    const struct refusal row = {"$MPIRUN 2 ./maxpool_mpi -n 64 --per-rank $DIR/none/raw.csv", 5,
                                "raw.csv"};
    check_refusal(&row);
}

/* More workers than cores: said once. */
static void sharing_is_told(void **state)
{
    (void)state;
    struct outcome threads = run(NULL, "./maxpool_mpi -n 64 -t 2 --samples 1");
    const bool hybrid = threads.status == 0;
    outcome_free(&threads);
    if (!hybrid)
        skip();
    struct outcome o = run(NULL, "$MPIRUN 2 --bind-to none ./maxpool_mpi -n 64 -t 64 --samples 1");
    assert_int_equal(o.status, 0);
    assert_int_equal(count(o.err, "128 workers of 2 ranks on one computer share"), 1);
    assert_non_null(strstr(o.out, "64 threads per rank"));
    outcome_free(&o);
    o = run(NULL, "$MPIRUN 2 --bind-to none taskset -c 0 ./maxpool_mpi -n 64 --samples 1 "
                  "--format csv");
    assert_int_equal(o.status, 0);
    assert_int_equal(count(o.err, "2 workers of 2 ranks on one computer share 1 core:"), 1);
    expect_column(o.out, "bind", "none");
    expect_column(o.out, "binding", "shared");
    outcome_free(&o);
}

static void without_mpirun_it_is_one_rank(void **state)
{
    (void)state;
    struct outcome o = run(NULL, "./maxpool_mpi -n 64 --samples 1 --format csv");
    assert_int_equal(o.status, 0);
    expect_column(o.out, "ranks", "1");
    expect_column(o.out, "launch", "plain");
    expect_column(o.out, "verified", "exact");
    outcome_free(&o);
}

static void more_ranks_than_rows(void **state)
{
    (void)state;
    check_success("$MPIRUN 5 ./maxpool_mpi -n 4 --samples 1");
    check_success("$MPIRUN 5 ./maxpool_mpi -n 4 --samples 1 --distribute scatter");
    check_success("$MPIRUN 3 ./matmul_mpi -n 1 --samples 1");
}

static void one_rank_speaks(void **state)
{
    (void)state;
    struct outcome o = run(NULL, "$MPIRUN 3 ./maxpool_mpi --help");
    assert_int_equal(count(o.out, "Usage: maxpool_mpi"), 1);
    assert_non_null(strstr(o.out, "--distribute generate|scatter"));
    outcome_free(&o);
    o = run(NULL, "$MPIRUN 3 ./maxpool_mpi -n 8 --print --explain");
    assert_int_equal(o.status, 0);
    assert_int_equal(count(o.out, "Feature map (4 x 4)"), 1);
    assert_non_null(strstr(o.out, "3 on 1 node"));
    outcome_free(&o);
}

/* Rank 0 asks; what was answered is every rank's. */
static void one_rank_asks(void **state)
{
    (void)state;
    struct outcome o = run("6\n5\nr\n7\n1\n3\n2\n",
                           "$MPIRUN 2 ./maxpool_mpi --interactive --samples 1 --format csv");
    assert_int_equal(o.status, 0);
    expect_column(o.out, "rows", "6");
    expect_column(o.out, "cols", "5");
    expect_column(o.out, "kernel", "3");
    expect_column(o.out, "stride", "2");
    expect_column(o.out, "distribution", "scatter");
    expect_column(o.out, "verified", "exact");
    outcome_free(&o);
}

/* A rank that is killed ends the job, and what was recorded are whole rows. */
static void a_killed_rank_ends_the_job(void **state)
{
    (void)state;
    struct outcome o =
        run(NULL, "A='-n 64 --samples 10000000 --relative-ci 0 --max-seconds 60 --record "
                  "'$DIR/killed.csv; $MPIRUN 2 ./maxpool_mpi $A : -np 1 sh -c "
                  "\"./maxpool_mpi $A & p=\\$!; sleep 2; kill -9 \\$p; wait \\$p\"");
    assert_int_not_equal(o.status, 0);
    outcome_free(&o);
    o = run(NULL, "awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { exit NR < 3 }' "
                  "$DIR/killed.csv && test -z \"$(tail -c 1 $DIR/killed.csv)\"");
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_fail_together),
        cmocka_unit_test(one_rank_without_memory_ends_all),
        cmocka_unit_test(maps_do_not_depend_on_the_ranks),
        cmocka_unit_test(one_rank_records),
        cmocka_unit_test(raw_times_of_every_rank),
        cmocka_unit_test(sharing_is_told),
        cmocka_unit_test(without_mpirun_it_is_one_rank),
        cmocka_unit_test(more_ranks_than_rows),
        cmocka_unit_test(one_rank_speaks),
        cmocka_unit_test(one_rank_asks),
        cmocka_unit_test(a_killed_rank_ends_the_job),
    };
    if (!mkdtemp(folder))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) != 0 || failed;
}
