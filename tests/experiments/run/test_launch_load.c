/* What other programs do to the word of a point: it follows from its own launches. Samples are made
 * up: two cores, nine launches of ten samples, those of a disturbed launch take twice as long. */
#include "experiments/analysis/analysis.h"
#include "experiments/analysis/trust/launch_load.h"
#include "harness/machine/other_load.h"
#include "tests/experiments/support/maker.h"
#include "tests/experiments/support/trust_files.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAUNCHES = 9, SAMPLES = 10, CORES = 2 };

/* A launch that could use so many hardware threads, of which others kept so many busy (NaN: not
 * recorded). Only its last row says so: the rows before have a reading of its beginning, or none.
 */
static void put_launch(struct record_writer *w, const struct record *point, int64_t round,
                       double median, double others, double hardware_threads)
{
    struct record r = *point;
    r.round = round;
    snprintf(r.run_id, sizeof r.run_id, "%.9s-%lld-%lld", r.space, (long long)r.rows,
             (long long)round);
    for (int i = 0; i < SAMPLES; i++) {
        r.compute_s = r.total_s = median * (1.0 + 0.001 * (2.0 * i / (SAMPLES - 1) - 1.0));
        r.launch_others_cores = i == SAMPLES - 1 ? others : i == 4 ? 0.9 * others : NAN;
        r.launch_hardware_threads = hardware_threads;
        maker_append(w, &r, i, SAMPLES);
    }
}

/* A point of so many threads; the first `disturbed` of its launches ran beside others. */
static void put_point(struct record_writer *w, int64_t rows, int64_t threads, int disturbed,
                      double others)
{
    struct record r = maker_blank("omp", "fused");
    r.rows = r.cols = rows;
    r.threads = threads;
    strcpy(r.time_utc, "2026-01-01T00:30:00Z");
    for (int i = 0; i < LAUNCHES; i++) {
        const double median = 1e-5 * (double)rows * (1.0 + 0.002 * (4 * i % LAUNCHES));
        put_launch(w, &r, i, i < disturbed ? 2.0 * median : median, i < disturbed ? others : 0.05,
                   NAN);
    }
}

static struct machine_facts two_cores(void)
{
    return (struct machine_facts){
        .known = true, .cores = CORES, .quota_cores = NAN, .load = NAN, .clock_resolution_s = 1e-9};
}

static struct analysis analyse_one(int64_t threads, int disturbed, double others)
{
    const struct machine_facts machine = two_cores();
    struct record_writer *w = begin_samples();
    put_point(w, 1024, threads, disturbed, others);
    return analyse(w, &machine, NULL);
}

static int make_files_and_journal(NO_STATE)
{
    const int status = make_files(state);
    const struct record point = maker_blank("omp", "fused");
    if (status == 0)
        make_journal(&point, "quick", ""); /* all points are of this scale */
    return status;
}

/* ---- one launch ------------------------------------------------------------------------------ */

TEST(others_disturb_where_they_leave_no_core)
{
    static const struct {
        double others, workers, cores;
        bool disturbs;
    } cases[] = {
        {0.97, 2, 2, true},   {0.26, 2, 2, true},     {0.25, 2, 2, false}, /* a quarter of a core */
        {1.0, 1, 2, true},    {0.8, 1, 2, true},      {0.7, 1, 2, false},  /* 0.3 cores stay idle */
        {1.0, 32, 64, false}, {1.0, 64, 64, true},    {0.3, 64, 64, false}, /* services: 0.32 */
        {31.9, 32, 64, true}, {0.9, 200, 200, false}, {1.1, 200, 200, true}, {NAN, 2, 2, false},
        {1.0, NAN, 2, false}, {1.0, 2, NAN, false},   {0.5, 4, 2, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (load_disturbs(cases[i].others, cases[i].workers, cases[i].cores) != cases[i].disturbs)
            fail_msg("%g + %g of %g", cases[i].others, cases[i].workers, cases[i].cores);
}

/* ---- one point ------------------------------------------------------------------------------- */

static void expect(const struct analysis *a, enum trust trust, const char *code, const char *text)
{
    const struct point *p = &a->points[0];
    const struct reason *why = code ? find_reason(p, code) : NULL;
    assert_int_equal(p->trust, trust);
    assert_int_equal(p->reason_count, code != NULL);
    if (code)
        assert_non_null(why);
    if (code)
        assert_string_equal(reason_cause(why, &language_english).text, text);
}

TEST(a_quiet_point_has_no_reason)
{
    struct analysis a = analyse_one(2, 0, 0.0);
    expect(&a, TRUST_PRECISE, NULL, NULL);
    analysis_release(&a);
}

/* As with something that ran during the first third of a study: the six other launches count. */
TEST(a_few_disturbed_launches_are_left_out)
{
    for (int disturbed = 1; disturbed <= 3; disturbed++) {
        char text[REASON_TEXT];
        struct analysis a = analyse_one(2, disturbed, 0.97);
        const struct point *p = &a.points[0];
        snprintf(text, sizeof text,
                 "%d of 9 launches are left out: while they ran, other programs kept 0.97 of 2 "
                 "cores busy",
                 disturbed);
        expect(&a, TRUST_PRECISE, "load_left_out", text);
        assert_string_equal(reason_word(&p->reasons[0], &language_english), "note");
        assert_int_equal(p->seconds[METRIC_TOTAL].launches, LAUNCHES - disturbed);
        assert_int_equal(p->pooled[METRIC_TOTAL].n, (LAUNCHES - disturbed) * SAMPLES);
        assert_true(p->seconds[METRIC_TOTAL].interval.upper < 1.02 * 1024e-5);
        assert_true(p->phase[PHASE_COMPUTE] < 1.02 * 1024e-5);
        analysis_release(&a);
    }
}

/* With fewer than six others there is no interval by rank: all launches stay. */
TEST(many_disturbed_launches_are_suspect)
{
    for (int disturbed = 4; disturbed <= LAUNCHES; disturbed++) {
        char text[REASON_TEXT];
        struct analysis a = analyse_one(2, disturbed, 0.97);
        const struct reason *why = find_reason(&a.points[0], "load");
        snprintf(text, sizeof text,
                 "while %d of 9 launches ran, other programs kept 0.97 of 2 cores busy", disturbed);
        assert_int_equal(a.points[0].trust, TRUST_SUSPECT);
        assert_non_null(why);
        assert_string_equal(reason_cause(why, &language_english).text, text);
        assert_non_null(strstr(reason_remedy(why, &language_english, SOURCE_SUITE).text,
                               "study run --again suspect --results DIR"));
        assert_null(find_reason(&a.points[0], "load_left_out"));
        assert_int_equal(a.points[0].seconds[METRIC_TOTAL].launches, LAUNCHES);
        analysis_release(&a);
    }
}

/* One worker of two cores, beside a program on the other core for half of the time. */
TEST(a_program_on_an_idle_core_disturbs_nobody)
{
    struct analysis a = analyse_one(1, LAUNCHES, 0.5);
    expect(&a, TRUST_PRECISE, NULL, NULL);
    analysis_release(&a);
    a = analyse_one(1, LAUNCHES, 1.0);
    expect(&a, TRUST_SUSPECT, "load",
           "while 9 of 9 launches ran, other programs kept 1.00 of 2 cores busy");
    analysis_release(&a);
}

/* Ranks are spread over computers; a GPU has one thread that feeds it. */
/* As a rank that mpirun binds to a core: where the others share it, the idle one is of no use. */
TEST(a_launch_is_disturbed_on_the_cores_that_it_could_use)
{
    static const struct {
        double hardware_threads;
        enum trust trust;
        const char *code, *text;
    } cases[] = {
        {1, TRUST_SUSPECT, "load",
         "while 9 of 9 launches ran, other programs kept 0.40 of 1 cores busy"},
        {2, TRUST_PRECISE, NULL, NULL},
        {NAN, TRUST_PRECISE, NULL, NULL},
        {64, TRUST_PRECISE, NULL, NULL}, /* the machine has two cores */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct machine_facts machine = two_cores();
        struct record_writer *w = begin_samples();
        struct record r = maker_blank("mpi", "fused");
        r.rows = r.cols = 1024;
        r.ranks = 1;
        strcpy(r.time_utc, "2026-01-01T00:30:00Z");
        for (int j = 0; j < LAUNCHES; j++)
            put_launch(w, &r, j, 1e-2 * (1.0 + 0.002 * (4 * j % LAUNCHES)), 0.4,
                       cases[i].hardware_threads);
        struct analysis a = analyse(w, &machine, NULL);
        expect(&a, cases[i].trust, cases[i].code, cases[i].text);
        analysis_release(&a);
    }
}

TEST(workers_are_those_of_one_computer)
{
    static const struct {
        const char *space;
        int64_t ranks, nodes;
        bool disturbed;
    } cases[] = {{"mpi", 2, 2, false}, {"mpi", 2, 1, true}, {"cuda", RECORD_NO_INT, 1, false}};
    const struct machine_facts machine = two_cores();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record_writer *w = begin_samples();
        struct record r = maker_blank(cases[i].space, "fused");
        r.ranks = cases[i].ranks;
        r.nodes = cases[i].nodes;
        for (int j = 0; j < LAUNCHES; j++)
            put_launch(w, &r, j, 0.01, 0.5, NAN);
        struct analysis a = analyse(w, &machine, NULL);
        assert_int_equal(find_reason(&a.points[0], "load") != NULL, cases[i].disturbed);
        analysis_release(&a);
    }
}

/* ---- a study --------------------------------------------------------------------------------- */

/* Two hundred points that ran on a quiet machine, on which both cores were busy for the second
 * before the run. Only launches that recorded nothing, as those of earlier versions, are rated by
 * that second. */
TEST(a_second_before_the_run_decides_nothing)
{
    enum { POINTS = 200 };
    struct machine_run run = {"2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", 1.97, NAN, 0.44};
    struct machine_facts machine = two_cores();
    machine.runs = &run;
    machine.run_count = 1;
    for (int recorded = 0; recorded < 2; recorded++) {
        struct record_writer *w = begin_samples();
        for (int i = 0; i < POINTS; i++)
            put_point(w, 1024 + i, 2, recorded ? 0 : LAUNCHES, NAN);
        struct analysis a = analyse(w, &machine, NULL);
        assert_int_equal(a.trusted[TRUST_SUSPECT], recorded ? 0 : POINTS);
        assert_int_equal(a.trusted[TRUST_PRECISE], recorded ? POINTS : 0);
        if (!recorded)
            assert_string_equal(reason_cause(&a.points[7].reasons[0], &language_english).text,
                                "other load: 2 of 2 cores were busy before the run");
        analysis_release(&a);
    }
}

/* Something that ran in the first three rounds is in no interval: not in that of the noise that
 * rounds share either. */
TEST(the_first_minute_is_not_noise_of_the_rounds)
{
    enum { POINTS = 12 };
    const struct machine_facts machine = two_cores();
    for (int disturbed = 3; disturbed <= 5; disturbed += 2) {
        struct record_writer *w = begin_samples();
        for (int i = 0; i < POINTS; i++)
            put_point(w, 1024 + 64 * i, 2, disturbed, 0.97);
        struct analysis a = analyse(w, &machine, NULL);
        assert_int_equal(a.trusted[TRUST_PRECISE], disturbed == 3 ? POINTS : 0);
        assert_int_equal(a.trusted[TRUST_SUSPECT], disturbed == 3 ? 0 : POINTS);
        for (size_t i = 0; i < a.point_count && disturbed == 3; i++)
            assert_true(a.points[i].half_width < 0.05);
        analysis_release(&a);
    }
}

/* The hypervisor's share is that of the launches, where they recorded it; of their runs otherwise.
 * It is noted where the interval is wide. */
TEST(stolen_time_is_that_of_the_launches)
{
    static const struct {
        double launches, run;
        const char *percent; /* NULL: not noted */
    } cases[] = {{0.03, 0.0, "3.0"}, {0.0, 0.4, NULL}, {NAN, 0.4, "40.0"}, {NAN, NAN, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine_run run = {"2026-01-01T00:00:00Z", "", NAN, cases[i].run, NAN};
        struct machine_facts machine = two_cores();
        struct record_writer *w = begin_samples();
        struct record r = maker_blank("omp", "fused");
        machine.runs = &run;
        machine.run_count = 1;
        strcpy(r.time_utc, "2026-01-01T00:30:00Z");
        r.launch_stolen_share = cases[i].launches;
        for (int j = 0; j < LAUNCHES; j++)
            put_launch(w, &r, j, 0.01 * (1.0 + 0.05 * (4 * j % LAUNCHES)), 0.0, NAN);
        struct analysis a = analyse(w, &machine, NULL);
        const struct reason *stolen = find_reason(&a.points[0], "stolen");
        assert_int_equal(stolen != NULL, cases[i].percent != NULL);
        if (stolen)
            assert_non_null(strstr(reason_cause(stolen, &language_english).text, cases[i].percent));
        analysis_release(&a);
    }
}

const struct tests_group tests_group = {make_files_and_journal, remove_files};
