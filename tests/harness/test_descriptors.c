/* Programs that start with standard input, output or error closed: printed text never goes to a
 * file that they write, and output that nobody can read gives status 5. */
#include "tests/support/command.h"
#include "tests/support/unit_test.h"

#include <stdbool.h>
#include <string.h>

static const char *const programs[] = {
    "./maxpool_serial -n 16 --samples 1",
    "./maxpool_omp -n 16 -t 1 --samples 1",
    "./network_serial --network mlp:8 --task infer --samples 1",
    "./network_serial --network mlp:8 --task train --steps 1",
    "./faces_serial --network solar_cnn --pictures 3 --samples 1",
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* The record is a header and rows of the same number of columns, nothing else. */
static void expect_record(const char *command)
{
    struct outcome o =
        command_run("head -c 11 $DIR/r.csv; awk -F, 'NR == 1 { n = NF } NF != n || /Image/ "
                    "{ print \"line\", NR, $0 }' $DIR/r.csv; rm -f $DIR/r.csv");
    if (strcmp(o.out, "experiment,") != 0)
        fail_msg("%s: the record holds %s", command, o.out);
}

/* Runs the first `count` programs with one descriptor closed. */
static void check(int descriptor, int status, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct outcome o =
            command_run("exec %d>&-; %s --record $DIR/r.csv", descriptor, programs[i]);
        if (o.status != status)
            fail_msg("%d closed: %s: status %d: %s", descriptor, programs[i], o.status, o.err);
        expect_record(programs[i]);
    }
}

static void test_output_is_closed(NO_STATE)
{
    check(1, 5, PROGRAMS);
}

static void test_input_is_closed(NO_STATE)
{
    check(0, 0, 1);
}

static void test_errors_are_closed(NO_STATE)
{
    check(2, 0, 1);
}

static void test_all_are_closed(NO_STATE)
{
    struct outcome o =
        command_run("exec <&- >&- 2>&-; ./maxpool_serial -n 16 --samples 1 --record $DIR/r.csv");
    assert_int_equal(o.status, 5);
    expect_record("maxpool_serial");
}

/* The same holds for a map, which is written to its own descriptor. */
static void test_a_map_is_a_map(NO_STATE)
{
    command_done("(exec >&-; ./maxpool_serial -n 16 -o $DIR/a.txt); "
                 "./maxpool_serial -n 16 -o $DIR/b.txt >$DIR/said; "
                 "cmp $DIR/a.txt $DIR/b.txt");
}

#ifdef MAXPOOL_HAVE_MPI
/* A launcher leaves all descriptors open, but a script may start a rank with some closed. */
static void test_ranks(NO_STATE)
{
    struct outcome o =
        command_run("$MPIRUN 2 sh -c 'exec >&-; exec ./maxpool_mpi -n 16 --samples 1 --record "
                    "'$DIR'/r.csv'");
    assert_int_equal(o.status, 5);
    expect_record("maxpool_mpi");
}
#endif

#ifdef MAXPOOL_HAVE_STUDY
static void test_study(NO_STATE)
{
    write_file("tiny.ini", "[experiment]\ntitle = Tiny\nquestion = How long?\nsamples = 3\n"
                           "launches = 1\n[points]\nprograms = maxpool_serial\nmethod = fused\n"
                           "size = 16\n");
    struct outcome o = command_run("exec >&-; ./study run $DIR/tiny.ini --results $DIR/results");
    assert_int_equal(o.status, 5);
    o = command_run(
        "cp $DIR/results/samples.csv $DIR/r.csv; head -c 1 $DIR/results/environment.json; "
        "grep -l 'launches were there' $DIR/results/*");
    assert_string_equal(o.out, "{");
    expect_record("study run");
    o = command_run("exec >&-; ./study list");
    assert_int_equal(o.status, 5);
}

/* If neither /proc nor /sys is mounted, `study` finds the programs in its own folder, whatever the
 * current folder is. */
static void test_study_without_proc(NO_STATE)
{
#ifdef __SANITIZE_ADDRESS__
    skip(); /* the sanitizer itself reads /proc */
#endif
    write_file("here.ini", "[experiment]\ntitle = Here\nquestion = Where?\nsamples = 3\n"
                           "launches = 1\n[points]\nprograms = maxpool_serial\nmethod = fused\n"
                           "size = 16\n");
    struct outcome o = command_run(
        "unshare --mount sh -c 'mount -t tmpfs none /proc && mount -t tmpfs none /sys || exit 77; "
        "./study run '$DIR'/here.ini --results '$DIR'/a || exit; B=$PWD; cd /; "
        "$B/study run '$DIR'/here.ini --results '$DIR'/b'");
    const bool mounted = o.status != 77 && !strstr(o.err, "unshare");
    if (mounted &&
        (o.status != 0 || strstr(o.err, "no program") || !strstr(o.out, "1 done now, 0 failed")))
        fail_msg("status %d: %s%s", o.status, o.out, o.err);
    if (!mounted)
        skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_is_closed),
        cmocka_unit_test(test_input_is_closed),
        cmocka_unit_test(test_errors_are_closed),
        cmocka_unit_test(test_all_are_closed),
        cmocka_unit_test(test_a_map_is_a_map),
#ifdef MAXPOOL_HAVE_MPI
        cmocka_unit_test(test_ranks),
#endif
#ifdef MAXPOOL_HAVE_STUDY
        cmocka_unit_test(test_study),
        cmocka_unit_test(test_study_without_proc),
#endif
    };
    return cmocka_run_group_tests(tests, command_setup, command_teardown);
}
