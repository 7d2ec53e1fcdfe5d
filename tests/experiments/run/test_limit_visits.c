/* The machine's limits are visited again in the rounds of a study of fake point programs: the file
 * of ceilings has more visits and the best of all of them, and nothing else of it changes. */
#include "experiments/ceilings/ceilings_file.h"
#include "harness/machine/machine.h"
#include "kernels/isa.h"
#include "tests/experiments/run/study_drill.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    "[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = 3\nlaunches = 3\n"         \
    "[points]\nprograms = maxpool_serial\nmethod = steady\nsize = 128\n"

/* 128 x 128 floats and their map are 80 KiB: the rows of 32 KiB are those in question. LOW rates
 * are lower than those of any machine, HIGH ones higher. */
static const double LOW = 1e3, HIGH = 1e18;
static const struct {
    const char *what, *stores;
    double working_set, workers, rate; /* bytes; bytes or operations per second */
    bool peak, other_host, visited;
} made[] = {{"read", "", 65536, 1, HIGH, false, true, false}, /* another machine */
            {"read", "", 32768, 1, LOW, false, false, true},
            {"pool", "ordinary", 32000, 1, HIGH, false, false, true},
            {"pool", "streaming", 32000, 1, LOW, false, false, false}, /* slower stores */
            {"copy", "ordinary", 32768, 1, LOW, false, false, true},
            {"read", "", 16384, 1, LOW, false, false, false},   /* a smaller size */
            {"read", "", 1 << 30, 1, LOW, false, false, false}, /* larger than the point */
            {"read", "", 32768, 2, LOW, false, false, false},   /* more workers */
            {"multiply_add", "", NAN, 1, LOW, true, false, true}};
enum { MADE = sizeof made / sizeof *made, VISITS_BEFORE = 13 };

static char path[128];

static struct ceiling row_of(size_t i, const char *host)
{
    struct ceiling c = ceiling_blank();
    const double rate = made[i].rate;
    const struct rate all = {rate, rate, rate, rate, rate};
    snprintf(c.what, sizeof c.what, "%s", made[i].what);
    snprintf(c.stores, sizeof c.stores, "%s", made[i].stores);
    snprintf(c.level, sizeof c.level, "%s", made[i].peak ? "" : "memory");
    snprintf(c.isa, sizeof c.isa, "%s", isa_name(isa_best()));
    snprintf(c.host, sizeof c.host, "%s", made[i].other_host ? "another" : host);
    c.working_set = made[i].working_set;
    c.workers = made[i].workers;
    c.visits = VISITS_BEFORE;
    *(made[i].peak ? &c.operations : &c.bandwidth) = all;
    return c;
}

static void make_ceilings(void)
{
    static struct machine machine;
    struct ceilings c = {0};
    struct failure f = {0};
    machine_describe(&machine);
    for (size_t i = 0; i < MADE; i++) {
        const struct ceiling row = row_of(i, machine.host);
        assert_int_equal(ceilings_add(&c, &row, &f), STATUS_OK);
    }
    snprintf(path, sizeof path, "%s/results/ceilings.csv", drill_folder);
    assert_int_equal(ceilings_write(&c, path, &f), STATUS_OK);
    ceilings_release(&c);
}

/* A study that ends, with the made ceilings or without them. */
static void begin(bool with_ceilings)
{
    char command[256];
    drill_define(HEAD);
    snprintf(command, sizeof command, "mkdir -p %s/results", drill_folder);
    assert_int_equal(system(command), 0); // NOLINT(cert-env33-c)
    if (with_ceilings)
        make_ceilings();
}

static void study_runs(const char *arguments)
{
    if (drill_study("run", arguments) != 0)
        fail_msg("%s", drill_output);
}

static size_t read_text(char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    const size_t length = file ? fread(text, 1, size - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    return length;
}

/* Returns the visits that were added to a row, whose rate is what it was and whose highest rate is
 * the best of all. */
static double visits_added(const struct ceiling *row, size_t i)
{
    const struct rate *rate = made[i].peak ? &row->operations : &row->bandwidth;
    const double added = row->visits - VISITS_BEFORE;
    assert_true(rate->value == made[i].rate && rate->lower == made[i].rate);
    assert_int_equal(rate->highest > 1e6, added > 0.0 || made[i].rate > 1e6);
    if (made[i].rate == HIGH)
        assert_true(rate->highest == HIGH);
    if (!made[i].visited && added > 0.0)
        fail_msg("row %zu was visited %g times", i, added);
    return added;
}

static void test_rounds_visit_the_limits(NO_STATE)
{
    struct ceilings c;
    struct failure f = {0};
    double added = 0.0;
    begin(true);
    study_runs("drill");
    assert_int_equal(ceilings_read(&c, path, &f), STATUS_OK);
    assert_int_equal(c.count, MADE);
    for (size_t i = 0; i < MADE; i++)
        added += visits_added(&c.rows[i], i);
    assert_true(added >= 1.0);        /* the first round has at least one */
    assert_true(added <= 3.0 * MADE); /* a row has at most one in a round */
    ceilings_release(&c);
}

/* A study that measures nothing leaves the file as it is. */
static void test_a_complete_study_visits_nothing(NO_STATE)
{
    static char before[16384], after[16384];
    begin(true);
    study_runs("drill");
    assert_true(read_text(before, sizeof before) > 0);
    study_runs("drill");
    read_text(after, sizeof after);
    assert_string_equal(before, after);
    drill_study("run", "drill --seed 36 --budget 0.000001");
    read_text(after, sizeof after);
    assert_string_equal(before, after);
}

/* Without a file of ceilings there is none afterwards, and one that is none does not matter. */
static void test_no_ceilings_no_visits(NO_STATE)
{
    char text[64];
    begin(false);
    snprintf(path, sizeof path, "%s/results/ceilings.csv", drill_folder);
    study_runs("drill");
    assert_null(fopen(path, "r"));
    begin(false);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("colour,weight\nred,1\n", file);
    fclose(file);
    study_runs("drill");
    read_text(text, sizeof text);
    assert_string_equal(text, "colour,weight\nred,1\n");
}

#define DRILL(function) cmocka_unit_test_setup_teardown(function, drill_setup, drill_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DRILL(test_rounds_visit_the_limits),
        DRILL(test_a_complete_study_visits_nothing),
        DRILL(test_no_ceilings_no_visits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
