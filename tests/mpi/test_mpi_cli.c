/* maxpool_mpi and matmul_mpi as a user runs them under mpirun: ranks fail together with one
 * message, only one rank prints, and the map does not depend on the number of ranks. */
#include "tests/support/command.h"
#include "tests/support/unit_test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Runs a command that must end with status 0. */
static struct outcome succeed(const char *input, const char *command)
{
    struct outcome o = command_fed(input, command);
    if (o.status != 0)
        fail_msg("%s\n  status %d\n%s", command, o.status, o.err);
    return o;
}

static void check_success(const char *command)
{
    succeed(NULL, command);
}

/* Counts our messages in the launcher's output, except the one about too few cores for this
 * test. */
static int count_ours(const char *text)
{
    return count_of(text, "maxpool_mpi: ") + count_of(text, "matmul_mpi: ") +
           count_of(text, "wrong_mpi: ") -
           count_of(text, "the total time includes waiting for a core");
}

/* Copies the value of a column in the last row of CSV text. */
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

struct refusal {
    const char *command;
    int status;
    const char *message;
};

/* Every rank ends with the status, and one line of stderr is ours; the launcher adds its own. */
static void check_refusal(const struct refusal *row)
{
    struct outcome o = command_fed(NULL, row->command);
    const int ours = count_ours(o.err);
    if (o.status != row->status || ours != 1 || !strstr(o.err, row->message))
        fail_msg("%s\n  status %d, %d messages, expected %d and: %s\n%s", row->command, o.status,
                 ours, row->status, row->message, o.err);
}

static void ranks_fail_together(NO_STATE)
{
    static const struct refusal rows[] = {
        {"$MPIRUN 3 ./maxpool_mpi --method turbo", 2, "there is no 'turbo' in maxpool_mpi"},
        {"$MPIRUN 3 ./maxpool_mpi --frobnicate", 2, "unknown or ambiguous option"},
        {"$MPIRUN 3 ./maxpool_mpi -i missing.png", 2, "missing.png"},
        {"$MPIRUN 2 ./maxpool_mpi --distribute generate -i $DATA/brain_axial.png", 2,
         "--distribute generate is for random images"},
        {"$MPIRUN 3 ./maxpool_mpi -n 4 -k 5", 2, "does not fit the image"},
        {"$MPIRUN 3 $BY_RANK './maxpool_mpi -n 64' './maxpool_mpi -n 65'", 2,
         "the ranks were given different options"},
        {"$MPIRUN 2 $BY_RANK './maxpool_mpi -n 64' './maxpool_mpi -n 64 --wrong'", 2,
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

/* $EACH records the status with which each rank ended, since mpirun reports only one for all. */
struct departure {
    const char *command;
    int ranks, status;
    const char *message;
};

static void check_departure(const struct departure *row)
{
    char left[32];
    struct outcome o = succeed(NULL, row->command);
    snprintf(left, sizeof left, "left with %d\n", row->status);
    if (count_of(o.out, left) != row->ranks || count_of(o.out, "left with") != row->ranks ||
        count_ours(o.err) != 1 || !strstr(o.err, row->message))
        fail_msg("%s\n  expected %d times status %d, and: %s\n%s\n%s", row->command, row->ranks,
                 row->status, row->message, o.out, o.err);
}

static void every_rank_leaves_alike(NO_STATE)
{
    static const struct departure rows[] = {
        {"$MPIRUN 2 $EACH ./wrong_mpi -n 64 --samples 5", 2, 1, "row 24, column 0"},
        {"FAULT=outside $MPIRUN 2 $EACH ./wrong_mpi -n 64 --samples 5", 2, 1,
         "wrong_mpi: method literal: wrote outside its block at row 31, column 32 of the map"},
        {"$MPIRUN 2 $EACH ./maxpool_mpi -i missing.png", 2, 2, "missing.png"},
        {"$MPIRUN 3 $EACH $BY_RANK './maxpool_mpi -n 64' './maxpool_mpi -n 65'", 3, 2,
         "the ranks were given different options"},
        {"$MPIRUN 2 $EACH ./maxpool_mpi -n 64 --record /dev/full", 2, 5, "/dev/full"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_departure(&rows[i]);
}

/* One rank is limited to less memory than its band needs. Sanitizers need more address space. */
static void one_rank_without_memory_ends_all(NO_STATE)
{
#ifdef __SANITIZE_ADDRESS__
    skip();
#else
    const struct departure row = {"A='./maxpool_mpi -n 16384 --samples 1'; "
                                  "$MPIRUN 2 $EACH $BY_RANK \"$A\" \"prlimit --as=614400000 $A\"",
                                  2, 4, "no memory for image, map and scratch"};
    check_departure(&row);
#endif
}

/* The wrong sample is recorded as such, and is the last. */
static void a_wrong_result_is_recorded(NO_STATE)
{
    struct outcome o = command_fed(NULL, "$MPIRUN 2 ./wrong_mpi -n 64 --samples 5 --format csv");
    assert_int_equal(o.status, 1);
    assert_int_equal(count_of(o.out, "\n"),
                     1 + 1 + 2); /* header, warm-up, a good one, a wrong one */
    assert_int_equal(count_of(o.out, ",exact,"), 2);
    expect_column(o.out, "sample", "1");
    expect_column(o.out, "verified", "wrong");
    expect_column(o.out, "stop_reason", "wrong");
}

/* Byte for byte the file that the serial program writes. */
static void maps_do_not_depend_on_the_ranks(NO_STATE)
{
    static const char *const options[] = {
        "maxpool -R 53 -C 71 --planes 2 -k 5 -s 2 -p 1 --filter random",
        "maxpool -i $DATA/brain_axial.png -k 3 -s 1 -p 1 --filter random",
        "maxpool -R 53 -C 71 -k 7 -s 1 --distribute scatter",
        "matmul -R 37 -C 113 --method blocked --filter random",
        "matmul -R 37 -C 113 --method naive --filter random --distribute scatter",
        "matmul -R 5 -C 33 --planes 6 --method packed --filter random",
        "matmul -R 5 -C 33 --planes 6 --method packed --filter random --distribute scatter",
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

static void one_rank_records(NO_STATE)
{
    struct outcome o = succeed(NULL, "$MPIRUN 3 ./maxpool_mpi -n 64 -k 3 -s 1 --samples 4 "
                                     "--relative-ci 0 --format csv");
    assert_int_equal(count_of(o.out, "\n"), 1 + 1 + 4); /* header, warm-up, samples */
    expect_column(o.out, "ranks", "3");
    expect_column(o.out, "threads", "1");
    expect_column(o.out, "nodes", "1");
    expect_column(o.out, "launch", "mpirun");
    expect_column(o.out, "distribution", "generate");
    expect_column(o.out, "verified", "exact");
    expect_column(o.out, "stop_reason", "samples");
}

/* One row per execution and rank; phases of the record are maxima over them. */
static void raw_times_of_every_rank(NO_STATE)
{
    struct outcome o = succeed(NULL, "$MPIRUN 3 ./maxpool_mpi -n 64 --samples 4 --relative-ci 0 "
                                     "--warmup 2 --per-rank $DIR/raw.csv >/dev/null && "
                                     "wc -l < $DIR/raw.csv && head -n 1 $DIR/raw.csv");
    assert_int_equal(atoi(o.out), 1 + (2 + 4) * 3);
    assert_non_null(strstr(o.out, "execution,rank,host,cpus,distribute_s,compute_s"));
    const struct refusal row = {"$MPIRUN 2 ./maxpool_mpi -n 64 --per-rank $DIR/none/raw.csv", 5,
                                "raw.csv"};
    check_refusal(&row);
}

/* Methods are interleaved in the same order in all ranks, with the same number of repeats:
 * watch_mpi checks that. The rows and the raw times name the method. */
static void ranks_are_interleaved_together(NO_STATE)
{
    static const char *const commands[] = {
        "$MPIRUN 2 ./watch_mpi -n 64 --method literal,simd,direct,van_herk --samples 12 "
        "--relative-ci 0 --max-seconds 600 --format csv",
        "$MPIRUN 3 ./watch_mpi -n 64 --method literal,simd,direct,van_herk --samples 12 "
        "--relative-ci 0 --max-seconds 600 --distribute scatter --format csv",
        "$MPIRUN 1 ./watch_mpi -n 8 --method literal,simd,direct,van_herk --samples 12 "
        "--relative-ci 0 --max-seconds 600 --format csv"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct outcome o = succeed(NULL, commands[i]);
        assert_int_equal(count_of(o.out, "\n"), 1 + 4 * 13);
        assert_int_equal(count_of(o.out, ",van_herk,"), 13);
        assert_int_equal(count_of(o.out, ",exact,"), 4 * 13);
        assert_int_equal(count_of(o.out, ",samples,"), 4);
        assert_int_equal(count_of(o.out, ",literal+simd+direct+van_herk,"), 4 * 13);
    }
    struct outcome o =
        succeed(NULL, "$MPIRUN 2 ./maxpool_mpi -n 64 --method literal,simd --samples 3 "
                      "--per-rank $DIR/turns.csv >/dev/null && grep -c ,simd $DIR/turns.csv && "
                      "wc -l < $DIR/turns.csv");
    assert_string_equal(o.out, "8\n17\n");
}

/* Short executions are timed in batches, between two readings of the clock: a single rank needs
 * this. */
static void short_executions_are_batched(NO_STATE)
{
    struct outcome o = succeed(NULL, "./maxpool_mpi -n 8 --samples 6 --relative-ci 0 --format csv");
    char repeats[32];
    column(o.out, "repeats", repeats, sizeof repeats);
    assert_true(atoi(repeats) > 1);
    expect_column(o.out, "verified", "exact");
}

/* A method that "all" omits is reported once, and a wrong rank stops its method in all ranks. */
static void rounds_fail_together(NO_STATE)
{
    struct outcome o = succeed(NULL, "$MPIRUN 3 ./maxpool_mpi -n 64 --method all --filter random "
                                     "--samples 2 --format csv");
    assert_int_equal(count_of(o.err, "left out: --method direct takes"), 1);
    assert_int_equal(count_of(o.out, ",direct,"), 0);
    const struct refusal row = {"$MPIRUN 2 ./maxpool_mpi -n 64 --method literal,literal", 2,
                                "--method names 'literal' twice"};
    check_refusal(&row);
}

/* More workers than cores are reported once. */
static void sharing_is_reported(NO_STATE)
{
    struct outcome threads = command_fed(NULL, "./maxpool_mpi -n 64 -t 2 --samples 1");
    const bool hybrid = threads.status == 0;
    if (!hybrid)
        skip();
    struct outcome o =
        succeed(NULL, "$MPIRUN 2 --bind-to none ./maxpool_mpi -n 64 -t 64 --samples 1");
    assert_int_equal(count_of(o.err, "2 ranks of 64 threads share"), 1);
    assert_non_null(strstr(o.out, "64 threads per rank"));
    assert_non_null(strstr(o.out, "2 ranks of 64 threads share "));
    assert_non_null(strstr(o.out, "start skew: ranks begin at different times"));
    o = succeed(NULL, "$MPIRUN 2 --bind-to none taskset -c 0 ./maxpool_mpi -n 64 --samples 1 "
                      "--format csv");
    assert_int_equal(count_of(o.err, "2 ranks share 1 core:"), 1);
    expect_column(o.out, "bind", "none");
    expect_column(o.out, "binding", "shared");
}

/* Threads that OpenMP binds, threads by OMP_NUM_THREADS, and ranks whose first threads OpenMP bound
 * to one core each: the same one. */
static void threads_of_ranks_are_reported(NO_STATE)
{
    struct outcome o = command_fed(NULL, "nproc; ./maxpool_mpi -n 64 -t 2 --samples 1");
    const bool two = o.status == 0 && atoi(o.out) == 2;
    if (!two)
        skip();
    o = succeed(NULL, "OMP_NUM_THREADS=2 $MPIRUN 1 --bind-to none ./maxpool_mpi -n 64 --samples 1 "
                      "--format csv");
    expect_column(o.out, "threads", "2");
    expect_column(o.out, "binding", "none");
    o = succeed(NULL, "OMP_NUM_THREADS=2 $MPIRUN 1 --bind-to none ./maxpool_mpi -n 64 -t 1 "
                      "--samples 1 --format csv");
    expect_column(o.out, "threads", "1");
    o = succeed(NULL, "OMP_PROC_BIND=close OMP_PLACES=cores $MPIRUN 1 --bind-to none ./maxpool_mpi "
                      "-n 64 -t 2 --samples 1 --format csv");
    expect_column(o.out, "binding", "openmp");
    assert_int_equal(count_of(o.err, "share"), 0);
    o = succeed(NULL, "OMP_PROC_BIND=close OMP_PLACES=cores $MPIRUN 2 --bind-to none ./maxpool_mpi "
                      "-n 64 --samples 1 --format csv");
    expect_column(o.out, "binding", "shared");
    assert_int_equal(count_of(o.err, "2 ranks share 1 core:"), 1);
    o = succeed(NULL, "GOMP_CPU_AFFINITY=0 $MPIRUN 1 --bind-to none ./maxpool_mpi -n 64 -t 2 "
                      "--samples 1 --format csv");
    expect_column(o.out, "binding", "shared");
    assert_int_equal(count_of(o.err, "2 threads share 1 core:") +
                         count_of(o.err, "1 rank of 2 threads share 1 core:"),
                     1);
}

/* Copies started by a launcher of another MPI end with status 3; one rank beside a step of Slurm
 * that has one task, or in its batch script, runs. */
static void a_foreign_launcher_is_reported(NO_STATE)
{
    struct outcome o = command_fed(NULL, "env -u PMI_FD MV2_COMM_WORLD_SIZE=2 ./maxpool_mpi -n 64");
    assert_int_equal(o.status, 3);
    assert_int_equal(count_of(o.err, "2 copies of one rank each ran: this mpirun does not belong "
                                     "to the MPI of maxpool_mpi (ldd)"),
                     1);
    assert_string_equal(o.out, "");
    o = succeed(NULL, "SLURM_NTASKS=4 SLURM_PROCID=0 ./maxpool_mpi -n 64 --samples 1");
    o = succeed(NULL, "MV2_COMM_WORLD_SIZE=2 $MPIRUN 1 ./maxpool_mpi -n 64 --samples 1");
}

/* A study whose mpirun belongs to another MPI: the reason is in words, and one rank is measured. */
static void a_study_reports_a_foreign_launcher(NO_STATE)
{
    struct outcome o = command_fed(NULL, "test -x ./study && mkdir $DIR/foreign");
    const bool has_study = o.status == 0;
    if (!has_study)
        skip();
    write_file("foreign/mpirun",
               "#!/bin/sh\n# starts copies that know nothing of each other\n"
               "ranks=1\nwhile :; do case $1 in -n|-np) ranks=$2; shift 2 ;; --bind-to|--map-by) "
               "shift 2 ;; -*) shift ;; *) break ;; esac; done\nrank=0\n"
               "while [ $rank -lt $ranks ]; do PMI_RANK=$rank PMI_SIZE=$ranks \"$@\" & "
               "all=\"$all $!\"; rank=$((rank + 1)); done\nend=0\n"
               "for each in $all; do wait $each || end=$?; done\nexit $end\n");
    write_file("foreign/ranks.ini",
               "[experiment]\ntitle = Ranks\nquestion = How much faster?\nbaseline = fused\n"
               "section = workers\nlaunches = 1\nlauncher = mpirun\n\n[points]\n"
               "programs = maxpool_mpi\nmethod = fused\nsize = 64\nranks = 1 2\n");
    o = command_fed(NULL, "B=$PWD && cd $DIR/foreign && chmod +x mpirun && PATH=$PWD:$PATH "
                          "$B/study run ranks --definitions . --results r; "
                          "$B/study status ranks --definitions . --results r");
    assert_int_equal(count_of(o.out, "2 copies of one rank each ran: this mpirun does not belong "
                                     "to the MPI of maxpool_mpi (ldd)") > 0,
                     1);
    assert_int_equal(count_of(o.out, "no samples of this point"), 0);
    o = command_fed(NULL, "grep -c ',fused,' $DIR/foreign/r/samples.csv");
    assert_int_equal(o.status, 0);
}

/* Pages of rank 0; bands of 8 MiB are large blocks. */
static void pages_are_recorded(NO_STATE)
{
    struct outcome o = succeed(NULL, "$MPIRUN 2 ./maxpool_mpi -n 2048 --samples 1 --pages ordinary "
                                     "--format csv");
    expect_column(o.out, "pages_asked", "ordinary");
    expect_column(o.out, "pages", "ordinary");
}

static void without_mpirun_it_is_one_rank(NO_STATE)
{
    struct outcome o = succeed(NULL, "./maxpool_mpi -n 64 --samples 1 --format csv");
    expect_column(o.out, "ranks", "1");
    expect_column(o.out, "launch", "plain");
    expect_column(o.out, "verified", "exact");
}

static void more_ranks_than_rows(NO_STATE)
{
    check_success("$MPIRUN 5 ./maxpool_mpi -n 4 --samples 1");
    check_success("$MPIRUN 5 ./maxpool_mpi -n 4 --samples 1 --distribute scatter");
    check_success("$MPIRUN 3 ./matmul_mpi -n 1 --samples 1");
    check_success("$MPIRUN 5 ./copy_mpi -R 2 -C 7 --planes 2 --method all --samples 1");
    check_success("$MPIRUN 3 ./copy_mpi -n 7 --samples 1 --distribute scatter");
}

/* Rank 0 reads a colour picture and scatters its planes; with --gray their luma. */
static void photos_are_scattered(NO_STATE)
{
    static const char *const options[] = {"", " --gray"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "./maxpool_serial -i $CASES/pictures/colour.png%s --samples 1 -o $DIR/one.png && "
                 "$MPIRUN 3 ./maxpool_mpi -i $CASES/pictures/colour.png%s --samples 1 -o "
                 "$DIR/three.png && cmp $DIR/one.png $DIR/three.png",
                 options[i], options[i]);
        check_success(command);
    }
}

static void one_rank_speaks(NO_STATE)
{
    struct outcome o = command_fed(NULL, "$MPIRUN 3 ./maxpool_mpi --help");
    assert_int_equal(count_of(o.out, "Usage: maxpool_mpi"), 1);
    assert_null(strstr(o.out, "--distribute"));
    o = command_fed(NULL, "$MPIRUN 3 ./maxpool_mpi --help all");
    assert_int_equal(count_of(o.out, "--distribute generate|scatter"), 1);
    o = succeed(NULL, "$MPIRUN 3 ./maxpool_mpi -n 8 --print --explain");
    assert_int_equal(count_of(o.out, "Feature map (4 x 4)"), 1);
    assert_non_null(strstr(o.out, "3 on 1 node"));
}

/* Rank 0 asks; all ranks get the answers. */
static void one_rank_asks(NO_STATE)
{
    struct outcome o = succeed("r\n6 5\n7\n1\n3\n2\n",
                               "$MPIRUN 2 ./maxpool_mpi --interactive --samples 1 --format csv");
    /* The launcher of Open MPI 5.0.7 sends questions, which are lines without an end, to its
     * standard output too. */
    const char *csv = strstr(o.out, "experiment,");
    assert_non_null(csv);
    expect_column(csv, "rows", "6");
    expect_column(csv, "cols", "5");
    expect_column(csv, "kernel", "3");
    expect_column(csv, "stride", "2");
    expect_column(csv, "distribution", "scatter");
    expect_column(csv, "verified", "exact");
}

/* A killed rank ends the job, and the record has only whole rows, whichever rank it was. */
static void a_killed_rank_ends_the_job(NO_STATE)
{
    static const char *const jobs[] = {"$MPIRUN 2 $BY_RANK \"./maxpool_mpi $A\" \"$KILLED\"",
                                       "$MPIRUN 2 $BY_RANK \"$KILLED\" \"./maxpool_mpi $A\""};
    char command[1024];
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        snprintf(
            command, sizeof command,
            "rm -f $DIR/killed.csv; A=\"-n 64 --samples 10000000 --relative-ci 0 --max-seconds "
            "600 --record $DIR/killed.csv\"; KILLED=\"$WHEN KILL $DIR/killed.csv 4000 "
            "./maxpool_mpi "
            "$A\"; "
            "%s",
            jobs[i]);
        struct outcome o = command_fed(NULL, command);
        assert_int_not_equal(o.status, 0);
        assert_int_equal(count_ours(o.err), 0);
        check_success("awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { exit NR < 3 }' "
                      "$DIR/killed.csv && test -z \"$(tail -c 1 $DIR/killed.csv)\"");
    }
}

/* A signal to one rank ends all: each finishes its sample, long before the time is up, and the root
 * reports what was measured. */
static void a_signal_to_one_rank_ends_all(NO_STATE)
{
    static const struct {
        const char *name;
        int number, rank;
    } signals[] = {{"TERM", 15, 1}, {"TERM", 15, 0}, {"INT", 2, 2}};
    char command[1024];
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        snprintf(command, sizeof command,
                 "rm -f $DIR/reported.csv; STOPPED=%d SIGNAL=%s WHEN=$WHEN "
                 "REPORTED_BY=$DIR/reported.csv $MPIRUN "
                 "3 $EACH "
                 "$DIR/signalled ./maxpool_mpi -n 64 --samples 10000000 --relative-ci 0 "
                 "--max-seconds 600 --format csv --record $DIR/reported.csv",
                 signals[i].rank, signals[i].name);
        struct outcome o = command_fed(NULL, command);
        char left[32];
        snprintf(left, sizeof left, "left with %d\n", 128 + signals[i].number);
        if (count_of(o.out, left) != 3 || count_of(o.out, "left with") != 3 ||
            count_of(o.out, ",interrupted,") != 1)
            fail_msg("%s\n  expected 3 times '%s' and one interrupted row\n%.2000s\n%s", command,
                     left, o.out + (strlen(o.out) > 2000 ? strlen(o.out) - 2000 : 0), o.err);
        assert_int_equal(count_ours(o.err), 0);
    }
}

/* Writes a script that starts the ranks of some tests, in the test's folder. */
static bool write_script(const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", command_folder(), name);
    write_file(name, text);
    return chmod(path, 0755) == 0;
}

static int make_scripts(NO_STATE)
{
    const bool made =
        command_setup(state) == 0 &&
        write_script("each", "#!/bin/sh\n\"$@\"\necho \"left with $?\"\n") &&
        write_script("signalled",
                     "#!/bin/sh\n"
                     "test \"${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\" = $STOPPED || exec \"$@\"\n"
                     "exec $WHEN $SIGNAL $REPORTED_BY 4000 \"$@\"\n");
    return made ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_fail_together),
        cmocka_unit_test(every_rank_leaves_alike),
        cmocka_unit_test(a_wrong_result_is_recorded),
        cmocka_unit_test(one_rank_without_memory_ends_all),
        cmocka_unit_test(maps_do_not_depend_on_the_ranks),
        cmocka_unit_test(one_rank_records),
        cmocka_unit_test(raw_times_of_every_rank),
        cmocka_unit_test(ranks_are_interleaved_together),
        cmocka_unit_test(short_executions_are_batched),
        cmocka_unit_test(rounds_fail_together),
        cmocka_unit_test(sharing_is_reported),
        cmocka_unit_test(threads_of_ranks_are_reported),
        cmocka_unit_test(a_foreign_launcher_is_reported),
        cmocka_unit_test(a_study_reports_a_foreign_launcher),
        cmocka_unit_test(pages_are_recorded),
        cmocka_unit_test(without_mpirun_it_is_one_rank),
        cmocka_unit_test(more_ranks_than_rows),
        cmocka_unit_test(photos_are_scattered),
        cmocka_unit_test(one_rank_speaks),
        cmocka_unit_test(one_rank_asks),
        cmocka_unit_test(a_killed_rank_ends_the_job),
        cmocka_unit_test(a_signal_to_one_rank_ends_all),
    };
    return cmocka_run_group_tests(tests, make_scripts, command_teardown);
}
