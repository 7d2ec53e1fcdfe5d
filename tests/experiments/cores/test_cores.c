/* Machine files, and the model of one kernel on many cores, compared with figures worked out by
 * hand. */
#include "experiments/analysis/cores/core_model.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/maxpool-machine-XXXXXX.ini";

static int make_file(NO_STATE)
{
    const int file = mkstemps(path, 4);
    return file < 0 ? -1 : close(file);
}

static int remove_file(NO_STATE)
{
    return unlink(path);
}

static enum status read_text(struct multicore *m, const char *text, struct failure *f)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return multicore_read(m, path, f);
}

/* All keys but `speed`. */
#define REST                                                                                       \
    "[machine]\ncores = 8\nnodes = 2\nclock = 0.5\ncore_bandwidth = 10e9\nnode_bandwidth = 20e9\n" \
    "cache_bytes = 1e6\ncache_cores = 2\ncache_bandwidth = 100e9\nline_near_s = 1e-7\n"            \
    "line_far_s = 2e-7\n"

/* Two nodes of four cores: 10 GB/s for one core, 20 GB/s for a node, 100 ns and 200 ns a line. */
static struct multicore machine(void)
{
    struct multicore m;
    struct failure f = {0};
    assert_int_equal(read_text(&m, REST "speed = 1\n", &f), STATUS_OK);
    return m;
}

/* ---- files ---------------------------------------------------------------------------------- */

TEST(files_are_read)
{
    const struct multicore m = machine();
    assert_int_equal(m.cores, 8);
    assert_int_equal(m.nodes, 2);
    assert_int_equal(m.cache_cores, 2);
    assert_true(m.clock == 0.5 && m.node_bandwidth == 20e9 && m.line_far_s == 2e-7);
    assert_string_equal(m.title, path);
}

TEST(mistakes_are_named_with_their_line)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {REST, ": the machine has no key 'speed'"},
        {"[cluster]\ncores = 8\n", ":1: a machine has the section [machine], not [cluster]"},
        {"[machine]\ncore = 8\n", ":2: a machine has no key 'core'"},
        {"[machine]\nquick.cores = 8\n", ":2: a machine has no key"},
        {"[machine]\ncores = many\n", ":2: cores: 'many' is not a whole number from 1"},
        {"[machine]\ncores = 2.5\n", ":2: cores: '2.5' is not a whole number from 1"},
        {"[machine]\ncores = 0\n", ":2: cores: '0' is not a whole number from 1"},
        {"[machine]\ncores = 65537\n", ":2: cores: '65537' is not"},
        {"[machine]\nclock = 1.01\n", ":2: clock: '1.01' is not a number above 0 and at most 1"},
        {"[machine]\nspeed = nan\n", ":2: speed: 'nan' is not a number above 0"},
        {"[machine]\nnode_bandwidth = 20 GB\n", ":2: node_bandwidth: '20 GB' is not a number"},
        {"[machine]\nline_far_s = -1\n", ":2: line_far_s: '-1' is not a number from 0"},
        {"[machine]\nspeed = 1\nspeed = 2\n", ":3: "},
        {"[machine]\nspeed\n", ":2: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct multicore m;
        struct failure f = {0};
        const enum status status = read_text(&m, rows[i].text, &f);
        if (status != STATUS_USAGE || !strstr(f.message, rows[i].message) ||
            strncmp(f.message, path, strlen(path)) != 0)
            fail_msg("%s\n  status %d and '%s', expected '%s'", rows[i].text, (int)status,
                     f.message, rows[i].message);
    }
}

TEST(nodes_divide_cores)
{
    struct multicore m;
    struct failure f = {0};
    char text[1024] = REST "speed = 1\n";
    *strstr(text, "nodes = 2") = ';'; /* a comment now */
    strcat(text, "nodes = 3\n");
    assert_int_equal(read_text(&m, text, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, ": 3 nodes do not divide 8 cores"));
}

TEST(machines_of_the_suite_are_read)
{
    static const struct {
        const char *name;
        int64_t cores;
    } rows[] = {{"laptop_8", 8}, {"desktop_16", 16}, {"server_64", 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct multicore m;
        struct failure f = {0};
        if (multicore_read(&m, rows[i].name, &f) != STATUS_OK || m.cores != rows[i].cores)
            fail_msg("%s: %s", rows[i].name, f.message);
    }
}

/* ---- the terms ------------------------------------------------------------------------------ */

static void close_to(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

TEST(units_are_not_divided)
{
    static const struct {
        double units, workers, used, share;
    } rows[] = {{7, 7, 7, 1.0 / 7},
                {7, 4, 4, 2.0 / 7},
                {7, 8, 7, 1.0 / 7},
                {1, 8, 1, 1.0},
                {100, 8, 8, 0.13}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct core_split s = core_split_units(rows[i].units, rows[i].workers);
        close_to(s.workers, rows[i].used);
        close_to(s.share, rows[i].share);
    }
}

TEST(bandwidth_saturates)
{
    const struct multicore m = machine();
    static const double expected[] = {10e9, 20e9, 20e9, 20e9, 40e9, 40e9, 40e9, 40e9};
    for (size_t i = 0; i < 8; i++) {
        close_to(core_memory_bandwidth(&m, (double)i + 1.0, false), expected[i]);
        close_to(core_memory_bandwidth(&m, (double)i + 1.0, true), fmin(expected[i], 20e9));
    }
}

TEST(regions_cost_lines)
{
    const struct multicore m = machine();
    assert_true(core_region_s(&m, 1.0).upper == 0.0);
    close_to(core_region_s(&m, 2.0).lower, 1e-7); /* one cache */
    close_to(core_region_s(&m, 2.0).upper, 3e-7);
    close_to(core_region_s(&m, 5.0).lower, 3 * 2e-7);
    close_to(core_region_s(&m, 5.0).upper, 12 * 2e-7);
}

/* ---- predictions ---------------------------------------------------------------------------- */

/* 1 s of which 0.4 s are 4 GB at 10 GB/s. */
static struct core_work large_work(void)
{
    return (struct core_work){1.0, {NAN, NAN}, 0.4, 4e9, 0.0, 0.0};
}

TEST(one_core_takes_its_time)
{
    const struct multicore m = machine();
    const struct core_work w = large_work();
    const struct core_split s = core_split_units(8, 1);
    const struct core_time t = core_predict(&w, &s, 1.0, &m);
    close_to(t.low, 1.0);
    close_to(t.high, 1.0);
}

/* On 8 cores at half the clock: 0.25 s of computing, 4 GB at 40 GB/s. Overlapped 0.25 s; one after
 * the other 0.6 / 8 / 0.5 + 0.1 = 0.25 s; and the region. */
TEST(memory_and_computing_overlap_or_not)
{
    struct multicore m = machine();
    const struct core_work w = large_work();
    const struct core_split s = core_split_units(8, 8);
    struct core_time t = core_predict(&w, &s, 8.0, &m);
    close_to(t.terms[CORE_COMPUTE], 0.15);
    close_to(t.terms[CORE_MEMORY], 0.1);
    assert_int_equal(t.largest, CORE_COMPUTE);
    close_to(t.low, 0.25 + 3 * 2e-7);
    close_to(t.high, 0.25 + 21 * 2e-7);
    m.node_bandwidth = 5e9; /* 0.4 s of memory: overlapped 0.4 s, else 0.15 s more */
    t = core_predict(&w, &s, 8.0, &m);
    assert_int_equal(t.largest, CORE_MEMORY);
    close_to(t.low, 0.4 + 3 * 2e-7);
    close_to(t.high, 0.55 + 21 * 2e-7);
}

/* One thread touched half of the bytes: its node alone gives 2 GB at 20 GB/s; and if every worker
 * reads them, each of four caches does. */
TEST(first_touch_and_sharing)
{
    const struct multicore m = machine();
    struct core_work w = large_work();
    struct core_split s = core_split_units(8, 8);
    w.placed_bytes = 4e9;
    close_to(core_predict(&w, &s, 8.0, &m).terms[CORE_MEMORY], 0.2);
    s.shared_bytes = 4e9;
    close_to(core_predict(&w, &s, 8.0, &m).terms[CORE_MEMORY], 0.4); /* 16 GB at 40 GB/s */
    s.shares_placed = true;
    close_to(core_predict(&w, &s, 8.0, &m).terms[CORE_MEMORY], 0.8); /* at 20 GB/s */
}

/* 3.6 MB in four caches of 1 MB, each worker with its 100 GB/s; with more to keep, in memory. */
TEST(data_that_fit_stay_in_caches)
{
    const struct multicore m = machine();
    struct core_work w = {1e-3, {NAN, NAN}, 0.0, 3.6e6, 0.0, 0.0};
    const struct core_split s = core_split_units(8, 8);
    struct core_time t = core_predict(&w, &s, 8.0, &m);
    assert_true(t.in_cache);
    close_to(t.terms[CORE_MEMORY], 3.6e6 / 800e9);
    w.kept_bytes = 1e6;
    t = core_predict(&w, &s, 8.0, &m);
    assert_false(t.in_cache);
    close_to(t.terms[CORE_MEMORY], 3.6e6 / 40e9);
}

/* A slice of 16 bytes shares its line with three others. */
TEST(small_slices_share_lines)
{
    const struct multicore m = machine();
    const struct core_work w = large_work();
    struct core_split s = core_split_units(8, 8);
    assert_true(core_predict(&w, &s, 8.0, &m).terms[CORE_SHARING] == 0.0);
    s.slices = 10.0;
    s.slice_bytes = 64.0;
    assert_true(core_predict(&w, &s, 8.0, &m).terms[CORE_SHARING] == 0.0);
    s.slice_bytes = 16.0;
    close_to(core_predict(&w, &s, 8.0, &m).terms[CORE_SHARING], 80 * 2e-7);
    s.regions = 2.0;
    close_to(core_predict(&w, &s, 8.0, &m).terms[CORE_SHARING], 160 * 2e-7);
}

/* ---- comparisons ---------------------------------------------------------------------------- */

TEST(misses_name_the_smallest_change)
{
    const struct core_time t = {.low = 1.0, .high = 2.0, .terms = {0.5, 1.0, 0.25, 0.0}};
    const struct interval none = {NAN, NAN};
    double factor;
    assert_int_equal(core_compare(&t, 1.5, none), CORE_MEETS);
    assert_int_equal(core_compare(&t, 2.1, (struct interval){1.9, 2.3}), CORE_MEETS);
    assert_int_equal(core_compare(&t, 2.3, (struct interval){2.1, 2.4}), CORE_SLOWER);
    assert_int_equal(core_compare(&t, 0.9, none), CORE_FASTER);
    assert_int_equal(core_missed(&t, 1.5, none, &factor), CORE_TERMS);
    assert_int_equal(core_missed(&t, 2.5, none, &factor), CORE_MEMORY);
    close_to(factor, 1.5);
    assert_int_equal(core_missed(&t, 0.6, none, &factor), CORE_MEMORY);
    close_to(factor, 0.6);
    assert_int_equal(core_missed(&t, 0.0, none, &factor), CORE_TERMS); /* all of it is missing */
}

const struct tests_group tests_group = {make_file, remove_file};
