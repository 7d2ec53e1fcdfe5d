/* What a program says of its threads under OpenMP's variables: their number, who bound them, and
 * whether they share cores. GOMP_CPU_AFFINITY is read by GCC's and Clang's OpenMP. */
#include "tests/support/command.h"
#include "tests/support/unit_test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One run of maxpool_omp on CPUs 0 and 1. */
struct row {
    const char *variables, *options;
    const char *binding, *threads;
    const char *warning; /* "": nothing is said */
    const char *allowed; /* hardware threads in the line of the machine */
};

#define NO_THREADS "env -u OMP_NUM_THREADS "

static const struct row rows[] = {
    {"OMP_PROC_BIND=close OMP_PLACES=cores", "-t 2", "openmp", "2", "", "2"},
    {"OMP_PROC_BIND=spread OMP_PLACES=threads", "-t 2", "openmp", "2", "", "2"},
    {"OMP_PROC_BIND=true", "-t 2", "openmp", "2", "", "2"},
    {"OMP_PLACES='{0},{1}'", "-t 2", "openmp", "2", "", "2"},
    {"GOMP_CPU_AFFINITY='0 1'", "-t 2", "openmp", "2", "", "2"},
    {"GOMP_CPU_AFFINITY=0", "-t 2", "shared", "2", "2 threads share 1 core:", "2"},
    {"OMP_PROC_BIND=close OMP_PLACES='{0}'", "-t 2", "shared", "2", "2 threads share 1 core:", "2"},
    {"OMP_PROC_BIND=close OMP_PLACES=cores", "-t 3", "shared", "3", "threads share ", "2"},
    {"OMP_PROC_BIND=close OMP_PLACES=cores", "-t 1", "openmp", "1", "", "2"},
    {"OMP_PROC_BIND=close taskset -c 1", "-t 1", "openmp", "1", "", "1"},
    {"OMP_PROC_BIND=close taskset -c 1", "-t 2", "shared", "2", "2 threads share 1 core:", "1"},
    {"OMP_PROC_BIND=false taskset -c 1", "-t 1", "inherited", "1", "", "1"},
    {"OMP_PROC_BIND=true", "-t 2 --bind core", "core", "2", "", "2"},
    {"OMP_THREAD_LIMIT=1", "", "none", "1", "", "2"},
    {"OMP_NUM_THREADS=2", "", "none", "2", "", "2"},
    {NO_THREADS, "", "none", "2", "", "2"},
    {NO_THREADS "OMP_THREAD_LIMIT=1", "", "none", "1", "", "2"},
    {NO_THREADS "OMP_PROC_BIND=true OMP_PLACES=cores", "", "openmp", "2", "", "2"},
};

/* The rows hold for a computer of two hardware threads, 0 and 1, on a core each, all of which this
 * test may use. Where hwloc is absent, each hardware thread counts as a core. */
static bool is_known_computer(void)
{
    struct outcome o = command_run("./maxpool_serial -n 8 --samples 1");
    const bool known = strstr(o.out, " 2 hardware threads (2 allowed)") &&
                       (strstr(o.out, " 2 cores,") || strstr(o.out, "not seen"));
    return known;
}

static bool is_right(const struct row *row)
{
    char cell[CELL_BYTES], allowed[32];
    struct outcome o =
        command_run("env -u OMP_THREAD_LIMIT %s ./maxpool_omp -n 64 --samples 2 --method fused %s",
                    row->variables, row->options);
    snprintf(allowed, sizeof allowed, "(%s allowed)", row->allowed);
    bool right = o.status == 0 && strstr(o.out, allowed) &&
                 (*row->warning ? strstr(o.err, row->warning) != NULL : !strstr(o.err, "share"));
    o = command_run("env -u OMP_THREAD_LIMIT %s ./maxpool_omp -n 64 --samples 2 --method fused %s "
                    "--format csv",
                    row->variables, row->options);
    command_cell(o.out, "fused", "binding", cell);
    right = right && strcmp(cell, row->binding) == 0;
    if (!right)
        print_error("binding %s; ", cell);
    command_cell(o.out, "fused", "threads", cell);
    right = right && strcmp(cell, row->threads) == 0;
    return right;
}

static void binding_is_reported(NO_STATE)
{
    int failures = 0;
    if (!is_known_computer())
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!is_right(&rows[i])) {
            print_error("wrong: %s maxpool_omp %s\n", rows[i].variables, rows[i].options);
            failures++;
        }
    assert_int_equal(failures, 0);
}

/* A computer of one core with two hardware threads, and one of two sockets, both imitated by
 * hwloc. */
static void cores_are_those_of_the_topology(NO_STATE)
{
    if (!is_known_computer())
        skip();
    struct outcome o = command_run("HWLOC_SYNTHETIC='pack:1 core:1 pu:2' ./maxpool_omp -n 64 -t 2 "
                                   "--samples 2");
    if (strstr(o.out, "built without hwloc")) {
        skip();
    }
    expect_in(o.err, "2 threads share 1 core:");
    expect_in(o.out, " 1 core, 2 hardware threads (2 allowed)");
    o = command_run("HWLOC_SYNTHETIC='pack:1 core:1 pu:2' OMP_PLACES=threads OMP_PROC_BIND=close "
                    "./maxpool_omp -n 64 -t 2 --samples 2");
    expect_in(o.err, "2 threads share 1 core:");
    o = command_run("HWLOC_SYNTHETIC='pack:2 core:1 pu:1' OMP_PLACES=cores OMP_PROC_BIND=close "
                    "./maxpool_omp -n 64 -t 2 --samples 2");
    assert_null(strstr(o.err, "share"));
    expect_in(o.out, " 2 packages, 2 cores, 2 hardware threads (2 allowed)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binding_is_reported),
        cmocka_unit_test(cores_are_those_of_the_topology),
    };
    return cmocka_run_group_tests(tests, command_setup, command_teardown);
}
