/* The speedup figure: f, bound and curves of made-up samples with a known law, with one, two and
 * more worker counts; its sentence, its chart in both languages, and `study speedup` itself. */
#include "experiments/analysis/fits/round_fits.h"
#include "experiments/analysis/selections/workers/workers.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/analysis/speedup/serial_fraction.h"
#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/analysis/speedup/topology_marks.h"
#include "experiments/common/text/distinct.h"
#include "experiments/plan/speedup_definition.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/maker.h"
#include "tests/experiments/support/spanish.h"
#include "tests/experiments/support/synthetic.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef MAXPOOL_HAVE_HWLOC
#include <hwloc.h>
#endif

static const double parallel_share = 0.95, product_share = 0.56; /* of make_speedup_results */

static int make_folder(NO_STATE)
{
    return make_results_by("make_speedup_results") ||
           run("echo '{\"machine\": {\"allowed_cores\": 4}}' > %s/environment.json", folder);
}

struct opened {
    struct experiment *e;
    struct speedup_figure figure;
};

static void open_figure(struct opened *o, const char *experiment, bool weak)
{
    struct failure f = {0};
    o->e = open_one(experiment);
    assert_int_equal(speedup_figure_make(&o->figure, &o->e->analysis, &o->e->forecasts,
                                         o->e->request.machine, weak, &f),
                     STATUS_OK);
}

static void close_figure(struct opened *o)
{
    speedup_figure_release(&o->figure);
    close_one(o->e);
}

static bool holds(struct interval i, double truth)
{
    return i.lower <= truth && truth <= i.upper;
}

/* ---- laws ------------------------------------------------------------------------------------ */

/* The figures that the tesina prints for f = 0.61, with truncated digits. */
TEST(the_tesina_is_known)
{
    const struct speedup_figure strong = {.weak = false, .base = 1.0};
    assert_true(fabs(speedup_by_law(&strong, tesina_fraction(), 640) - 2.5578) < 1e-4);
    assert_true(fabs(speedup_by_law(&strong, tesina_fraction(), 2496) - 2.5624) < 1e-4);
    assert_true(fabs(speedup_by_law(&strong, tesina_fraction(), 2560) - 2.5625) < 1e-4);
    const struct speedup_figure weak = {.weak = true, .base = 1.0};
    assert_true(fabs(speedup_by_law(&weak, 0.95, 4) - (0.05 + 0.95 * 4)) < 1e-12);
}

/* With three counts within the cores, f and its bound are recovered; beyond the cores nothing is
 * fitted. */
TEST(three_counts_are_fitted)
{
    struct opened o;
    open_figure(&o, "speedup", false);
    const struct law_line *fitted = &o.figure.laws[LAW_FITTED],
                          *product = &o.figure.laws[LAW_PRODUCT];
    assert_int_equal(o.figure.counts, 3);
    assert_int_equal(o.figure.count, 10);
    assert_true(o.figure.cores == 4.0 && o.figure.reach == 8.0);
    assert_true(fitted->drawn && fabs(fitted->share - parallel_share) < 0.02);
    assert_true(holds(fitted->interval, fitted->share));
    assert_true(fabs(fitted->bound - 1.0 / (1.0 - fitted->share)) < 1e-9);
    assert_true(holds(fitted->bound_interval, fitted->bound));
    assert_true(fabs(product->share - product_share) < 1e-6);
    assert_true(fabs(product->bound - 1.0 / 0.44) < 1e-6);
    const struct record *fitted_to =
        &o.e->analysis.points[o.figure.fitted->points[0]].samples->identity;
    assert_string_equal(fitted_to->method, "staged");
    for (size_t i = 0; i < o.figure.count; i++) {
        const struct speedup_mark *mark = &o.figure.marks[i];
        assert_int_equal(mark->beyond, mark->workers > 4.0);
        assert_int_equal(speedup_mark_counts(mark), !mark->beyond);
        assert_true(mark->speedup < 3.7); /* 3.478 by the law, with four workers and more */
    }
    const struct speedup_mark *leading = speedup_figure_leading(&o.figure);
    assert_true(leading->workers == 4.0 && strcmp(leading->record->method, "staged") == 0);
    assert_true(speedup_exceeds_product(&o.figure, leading));
    close_figure(&o);
}

/* The rows of a method show its own law: the product's share of staged, fits to the counts of
 * others, and none where there are too few. */
TEST(each_series_has_its_own_law)
{
    struct opened o;
    struct failure f = {0};
    size_t laws = 0;
    open_figure(&o, "own_laws", false);
    assert_int_equal(speedup_figure_own_laws(&o.figure, &o.e->analysis, &f), STATUS_OK);
    assert_int_equal(o.figure.count, 14);
    for (size_t i = 0; i < o.figure.count; i++) {
        const struct speedup_mark *mark = &o.figure.marks[i];
        const char *method = mark->record->method;
        const double share = mark->record->parallel[0]        ? 0.4
                             : strcmp(method, "staged") == 0  ? product_share
                             : strcmp(method, "literal") == 0 ? 0.5
                                                              : parallel_share;
        assert_int_equal(mark->law.drawn, strcmp(method, "simd") != 0);
        laws += mark->law.drawn;
        if (mark->law.drawn && !(fabs(mark->law.share - share) < 0.02))
            fail_msg("%s: f = %g, not %g", method, mark->law.share, share);
    }
    assert_int_equal(laws, 12);
    close_figure(&o);
}

TEST(a_serial_fraction_lies_between_0_and_1)
{
    static const struct {
        double share;
        struct interval ends;
        const char *said;
    } cases[] = {
        {0.12, {0.10, 0.14}, "serial fraction 10.0 to 14.0 %"},
        {0.10, {-0.41, 0.82}, "a serial fraction of at most 82 %"},
        {0.90, {0.37, 2.50}, "a serial fraction of at least 37 %"},
        {0.50, {-0.41, 1.82}, "these times do not decide the serial fraction"},
        {-0.20, {-0.41, -0.02}, "no serial fraction, for the speedup exceeds their number"},
        {1.40, {1.10, 2.02}, "no serial fraction, for so many are slower"},
        {0.12, {(double)NAN, (double)NAN}, "serial fraction 12 %"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200], wanted[200];
        snprintf(wanted, sizeof wanted, "Karp-Flatt at 2 workers: %s", cases[i].said);
        serial_fraction_say(&language_english, 2.0, cases[i].share, cases[i].ends, text,
                            sizeof text);
        assert_string_equal(text, wanted);
    }
    char text[200];
    serial_fraction_say(spanish(), 2.0, 0.5, (struct interval){-0.41, 1.82}, text, sizeof text);
    assert_string_equal(
        text, "Karp-Flatt con 2 trabajadores: estos tiempos no deciden la fracción serial");
}

TEST(two_counts_are_not_fitted)
{
    struct opened o;
    open_figure(&o, "two", false);
    assert_int_equal(o.figure.counts, 2);
    assert_false(o.figure.laws[LAW_FITTED].drawn);
    assert_null(o.figure.fitted);
    assert_true(o.figure.laws[LAW_PRODUCT].drawn && o.figure.laws[LAW_TESINA].drawn);
    const struct speedup_mark *mark = speedup_figure_leading(&o.figure);
    const double truth = amdahl_speedup(parallel_share, 2.0);
    assert_true(mark->workers == 2.0 && fabs(mark->speedup / truth - 1.0) < 0.05);
    close_figure(&o);
}

TEST(one_count_has_laws_alone)
{
    struct opened o;
    open_figure(&o, "one", false);
    assert_int_equal(o.figure.counts, 1);
    assert_int_equal(o.figure.count, 2);
    assert_null(speedup_figure_leading(&o.figure));
    assert_true(o.figure.laws[LAW_PRODUCT].drawn && !o.figure.laws[LAW_FITTED].drawn);
    assert_true(o.figure.marks[0].speedup == 1.0);
    close_figure(&o);
}

TEST(weak_scaling_follows_gustafson)
{
    struct opened o;
    open_figure(&o, "weak_scaling", true);
    const struct law_line *fitted = &o.figure.laws[LAW_FITTED];
    assert_int_equal(o.figure.counts, 3);
    assert_true(fitted->drawn && fabs(fitted->share - parallel_share) < 0.02);
    assert_true(isnan(fitted->bound)); /* it grows without bound */
    assert_false(o.figure.laws[LAW_TESINA].drawn);
    const struct speedup_mark *mark = speedup_figure_leading(&o.figure);
    assert_true(fabs(mark->speedup / gustafson_speedup(0.05, 4.0) - 1.0) < 0.05);
    close_figure(&o);
}

/* Simulated counts are marked as such, continue beyond the cores, and do not count as measurements
 * of this machine. */
TEST(simulated_counts_are_apart)
{
    struct opened o;
    size_t simulated = 0;
    open_figure(&o, "simulated", false);
    for (size_t i = 0; i < o.figure.count; i++) {
        const struct speedup_mark *mark = &o.figure.marks[i];
        if (mark->source != SPEEDUP_SIMULATED)
            continue;
        simulated++;
        assert_false(mark->beyond || speedup_mark_counts(mark));
        assert_true(fabs(mark->speedup / amdahl_speedup(parallel_share, mark->workers) - 1.0) <
                    0.05);
    }
    assert_int_equal(simulated, 4);
    assert_true(o.figure.reach == 64.0); /* ranks are simulated that far */
    assert_int_equal(o.figure.counts, 2);
    close_figure(&o);
}

/* The product's series is the first one, and lies on its law; the sentence's subject is another. */
TEST(the_product_alone_comes_first)
{
    struct opened o;
    open_figure(&o, "product", false);
    assert_int_equal(o.figure.count, 9);
    for (size_t i = 0; i < 3; i++) {
        const struct speedup_mark *mark = &o.figure.marks[i];
        assert_string_equal(mark->record->parallel, "product");
        assert_true(fabs(mark->speedup / amdahl_speedup(product_share, mark->workers) - 1.0) <
                    0.05);
    }
    assert_true(o.figure.reach == 8.0); /* twice the four cores */
    const struct speedup_mark *mark = speedup_figure_leading(&o.figure);
    assert_non_null(mark);
    assert_string_equal(mark->record->parallel, "");
    close_figure(&o);
}

/* Whether `study speedup --method METHODS` measures the series of the product alone. */
static bool measures_product_alone(const char *methods)
{
    const struct speedup_question q = {.operator_name = "maxpool",
                                       .network = "",
                                       .methods = methods,
                                       .threads = "1,2",
                                       .ranks = "none",
                                       .simulated = "none",
                                       .size = 64};
    struct failure f = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/asked.ini", folder);
    assert_int_equal(speedup_definition_write(&q, 2, path, &f), STATUS_OK);
    char *text = read_file("asked.ini");
    const bool found = strstr(text, "parallel = product") != NULL;
    free(text);
    return found;
}

TEST(the_product_alone_belongs_to_staged)
{
    assert_true(measures_product_alone(""));
    assert_true(measures_product_alone("literal, staged"));
    assert_false(measures_product_alone("literal,fused"));
    assert_false(measures_product_alone("stage"));
}

/* The number of bars whose label begins with the text and ends with it, or in doubts. */
static size_t count_bars(const struct selection *s, const char *label)
{
    const size_t length = strlen(label);
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const char *seen = s->rows[i].label;
        count += s->rows[i].place == 1 && strncmp(seen, label, length) == 0 &&
                 (seen[length] == '\0' || strncmp(seen + length, " (", 2) == 0);
    }
    return count;
}

/* Bars of where the efficiency went: two and four threads share the product, or all. */
TEST(bars_say_what_the_workers_share)
{
    static const char *const bars[] = {"staged, product alone, 2 threads",
                                       "staged, product alone, 4 threads",
                                       "staged, 2 threads",
                                       "staged, 4 threads",
                                       "literal, 2 threads",
                                       "literal, 4 threads"};
    struct opened o;
    struct selection s = {.count = 0};
    open_figure(&o, "product", false);
    efficiency_draw(o.e, &language_english, &s);
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
        if (count_bars(&s, bars[i]) != 1)
            fail_msg("%zu bars are '%s'", count_bars(&s, bars[i]), bars[i]);
    for (size_t i = 0; i < s.count; i++) /* only the efficiency itself has an interval */
        if (!s.rows[i].role)
            assert_int_equal(isfinite(s.rows[i].ends.lower) && isfinite(s.rows[i].ends.upper),
                             s.rows[i].place == 1);
    selection_release(&s);
    close_figure(&o);
}

/* Predicts the simulated point's times for one rank (8 s) and four (2 s); the upper end of the
 * second may be absent. */
static void predict(struct opened *o, double upper)
{
    static struct forecast rows[2];
    const struct record *problem = NULL;
    struct failure f = {0};
    for (size_t i = 0; i < o->e->analysis.point_count; i++)
        if (o->e->analysis.points[i].samples->identity.platform[0])
            problem = &o->e->analysis.points[i].samples->identity;
    assert_non_null(problem);
    for (size_t i = 0; i < 2; i++)
        rows[i] =
            (struct forecast){.source = FORECAST_PREDICTED, .problem = problem, .ranks = i ? 4 : 1};
    rows[0].predicted = (struct prediction){.total_s = 8.0, .total = {7.0, 10.0}};
    rows[1].predicted = (struct prediction){.total_s = 2.0, .total = {1.8, upper}};
    const struct forecasts both = {.rows = rows, .count = 2};
    speedup_figure_release(&o->figure);
    assert_int_equal(
        speedup_figure_make(&o->figure, &o->e->analysis, &both, o->e->request.machine, false, &f),
        STATUS_OK);
}

static struct speedup_mark predicted_mark(const struct opened *o, double workers)
{
    for (size_t i = 0; i < o->figure.count; i++)
        if (o->figure.marks[i].source == SPEEDUP_PREDICTED && o->figure.marks[i].workers == workers)
            return o->figure.marks[i];
    fail_msg("no mark is predicted for %g workers", workers);
    return (struct speedup_mark){.speedup = NAN};
}

/* 8 s [7, 10] over 2 s [1.8, 2.5] gives 4; the logarithms of 8/7 and 2.5/2 below, and of 10/8 and
 * 2/1.8 above, add as squares. */
TEST(a_predicted_speedup_has_the_errors_of_both_times)
{
    struct opened o;
    open_figure(&o, "simulated", false);
    predict(&o, 2.5);
    const struct speedup_mark one = predicted_mark(&o, 1.0), four = predicted_mark(&o, 4.0);
    assert_true(one.speedup == 1.0 && isnan(one.interval.lower) && isnan(one.interval.upper));
    assert_true(fabs(four.speedup - 4.0) < 1e-12);
    assert_true(fabs(four.interval.lower - 3.0841) < 1e-4);
    assert_true(fabs(four.interval.upper - 5.1195) < 1e-4);
    predict(&o, NAN);
    assert_true(isnan(predicted_mark(&o, 4.0).interval.lower));
    close_figure(&o);
}

/* The smallest font size of a drawing, in units of which a number takes 13. */
static double least_letters(const char *name)
{
    char path[PATH_MAX], line[4000];
    double least = INFINITY;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        const char *size = strstr(line, "font-size=\"");
        if (size)
            least = fmin(least, strtod(size + strlen("font-size=\""), NULL));
    }
    fclose(file);
    return least;
}

static void name_nothing(const struct speedup_figure *figure, const struct experiment *e,
                         const struct language *l, struct selection *out)
{
    (void)figure, (void)e, (void)l, (void)out;
}

/* The drawing of the experiment, with the times of a simulated line predicted for 1, 4 and 8 ranks;
 * 8 ranks are not simulated. */
static struct selection select_predicted(struct opened *o)
{
    static struct forecast rows[3];
    const struct speedup_parameters of = {false, name_nothing};
    struct selection s = {0};
    const struct record *problem = NULL;
    for (size_t i = 0; i < o->e->analysis.point_count; i++)
        if (o->e->analysis.points[i].samples->identity.platform[0])
            problem = &o->e->analysis.points[i].samples->identity;
    for (int i = 0; i < 3; i++) {
        const double s8 = i == 0 ? 8.0 : i == 1 ? 2.0 : 1.0;
        rows[i] = (struct forecast){.source = FORECAST_PREDICTED,
                                    .problem = problem,
                                    .ranks = i == 0 ? 1 : 4 * i,
                                    .predicted = {.total_s = s8, .total = {0.9 * s8, 1.2 * s8}}};
    }
    o->e->forecasts = (struct forecasts){.rows = rows, .count = 3};
    select_speedup(o->e, &of, &language_english, &s);
    o->e->forecasts = (struct forecasts){0};
    return s;
}

/* The model divides all stages, so it says nothing of ranks that share the product alone; here it
 * lacks what other points would need. */
TEST(the_product_alone_is_not_predicted)
{
    static const char *const names[] = {"simulated", "simulated_alone"};
    for (size_t i = 0; i < 2; i++) {
        struct opened o;
        struct forecasts c;
        struct failure f = {0};
        open_figure(&o, names[i], false);
        assert_int_equal(forecasts_make(&c, &o.e->analysis, folder, 4.0, &f), STATUS_OK);
        assert_int_equal(c.missing[0] != '\0', i == 0);
        forecasts_release(&c);
        close_figure(&o);
    }
}

/* A band would hide the mark: where as many workers were simulated, none is drawn. */
TEST(a_simulated_count_has_no_band)
{
    struct opened o;
    size_t banded = 0, predicted = 0;
    open_figure(&o, "simulated", false);
    struct selection s = select_predicted(&o);
    for (size_t i = 0; i < s.count; i++)
        if (strcmp(s.rows[i].label, "predicted") == 0) {
            predicted++;
            assert_true(isfinite(s.rows[i].ends.upper) == (s.rows[i].x == 8.0));
            banded += isfinite(s.rows[i].ends.upper);
        }
    assert_int_equal(predicted, 3);
    assert_int_equal(banded, 1);
    selection_release(&s);
    close_figure(&o);
}

/* Series differ in colour, also those of one method; all rows of a series have its colour. */
TEST(each_series_has_a_colour)
{
    struct opened o;
    size_t others = 0;
    open_figure(&o, "simulated", false);
    struct selection s = select_predicted(&o);
    for (size_t i = 0; i < s.count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct selection_row *a = &s.rows[i], *b = &s.rows[j];
            if (a->role || b->role || strcmp(a->label, "law") == 0 || strcmp(b->label, "law") == 0)
                continue;
            assert_true((a->colour == b->colour) == (a->place == b->place));
            others += a->place != b->place;
        }
    assert_true(others > 0);
    selection_release(&s);
    close_figure(&o);
}

/* Of many methods, three are shown: the first of the table, the one with a clock for its product,
 * and the fastest. */
TEST(few_methods_are_shown)
{
    struct opened o;
    open_figure(&o, "many", false);
    for (size_t i = 0; i < o.figure.count; i++) {
        const char *method = o.figure.marks[i].record->method;
        assert_true(strcmp(method, "literal") == 0 || strcmp(method, "staged") == 0 ||
                    o.figure.count == 6);
    }
    assert_int_equal(o.figure.count, 6);
    close_figure(&o);
}

/* ---- topology -------------------------------------------------------------------------------- */

static void expect_places(const char *description, int fast, const char *wanted)
{
    struct topology_mark marks[TOPOLOGY_MARKS];
    const size_t count = topology_marks_of_text(marks, description, fast);
    char seen[400] = "";
    for (size_t i = 0; i < count; i++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%s %g", i ? ", " : "",
                 topology_place_names[marks[i].place], marks[i].workers);
    if (strcmp(seen, wanted) != 0)
        fail_msg("%s: %s instead of %s", description, seen, wanted);
}

/* Two sockets, second hardware threads, NUMA nodes, P and E cores, clusters of Arm, and a plain
 * machine. */
TEST(places_follow_the_topology)
{
#ifdef MAXPOOL_HAVE_HWLOC
    expect_places("pack:2 core:8 pu:1", 0, "one_each 2, socket 8");
    expect_places("pack:1 core:4 pu:2", 0, "cores 4, threads 8");
    expect_places("pack:2 [numa] core:4 pu:2", 0, "one_each 2, socket 4, cores 8, threads 16");
    expect_places("pack:2 numa:2 core:4 pu:1", 0, "one_each 2, node 4, socket 8, node 12");
    expect_places("pack:1 core:12 pu:1", 4, "fast 4");
    expect_places("pack:1 l2:3 core:4 pu:1", 4, "fast 4");
    expect_places("pack:1 core:8 pu:1", -2, "slow 6");                            /* big.LITTLE */
    expect_places("pack:2 [numa] [numa] core:4 pu:1", 0, "one_each 2, socket 4"); /* two memories */
    expect_places("pack:1 core:4 pu:1", 0, "");
    expect_places("nonsense", 0, "");
#else
    expect_places("pack:2 core:8 pu:1", 0, "");
#endif
}

/* ---- how often the interval of f contains the truth ------------------------------------------ */

enum { COUNTS = 4, LAUNCHES = 9, SAMPLES = 10 };

/* Simulates a study of nine rounds; true if the interval of f contains the truth. */
static bool fit_holds(double share, bool weak, gsl_rng *rng)
{
    const struct noise noise = {.launch = 0.02, .sample = 0.02, .outlier = 0.05, .trend = 0.1};
    double shares[LAUNCHES], workers[COUNTS], seconds[COUNTS], values[SAMPLES];
    for (size_t round = 0; round < LAUNCHES; round++) {
        for (size_t i = 0; i < COUNTS; i++) {
            workers[i] = exp2((double)i);
            const double truth = weak ? workers[i] / gustafson_speedup(1.0 - share, workers[i])
                                      : 1.0 / amdahl_speedup(share, workers[i]);
            synthetic_launch(values, SAMPLES, truth, round, LAUNCHES, &noise, rng);
            seconds[i] = median_of(values, SAMPLES);
        }
        shares[round] = round_share(weak, workers, seconds, COUNTS);
    }
    return holds(round_fit_of(shares, LAUNCHES).interval, share);
}

TEST(intervals_of_f_cover)
{
    static const double shares[] = {0.61, 0.8, 0.95}; /* 0.8: a serial part of a fifth */
    const int draws = long_run() ? 20000 : 2000;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 2560);
    for (size_t i = 0; i < 2 * sizeof shares / sizeof *shares; i++) {
        int covered = 0;
        for (int draw = 0; draw < draws; draw++)
            covered += fit_holds(shares[i / 2], i % 2, rng);
        print_message("f = %.2f, %s: covered in %.1f %% of %d draws\n", shares[i / 2],
                      i % 2 ? "Gustafson" : "Amdahl", 100.0 * covered / draws, draws);
        assert_in_range(covered, draws * 93 / 100, draws * 98 / 100);
    }
    gsl_rng_free(rng);
}

/* ---- words and charts ------------------------------------------------------------------------ */

TEST(the_sentence_says_what_limits)
{
    struct claim c = claim_of("speedup", "speedup", &language_english);
    claim_says(&c, "With 4 threads, staged is 3.4");
    claim_says(&c, "its cause was not measured");
    claim_says(&c, "would explain it (Karp-Flatt)");
    claim_says(&c, "exceeds that law");
    claim_says(&c, "fitted to 3 worker counts: f = 0.9");
    c = claim_of("speedup", "speedup", spanish());
    claim_says(&c, "Ley de Amdahl ajustada a 3");
    c = claim_of("two", "speedup", &language_english);
    claim_says(&c, "Amdahl's bound would be 2.27");
    claim_says(&c, "there are 2");
    c = claim_of("one", "speedup", &language_english);
    claim_says(&c, "there is no speedup yet");
    claim_says(&c, "there is 1");
}

/* Sizes of 32, 128, 512 and 2048: four threads need 20 µs more than a quarter of 1, 16, 262 and
 * 4194 µs. */
TEST(the_sentence_says_from_which_size_workers_pay)
{
    struct claim c = claim_of("sizes", "speedup", &language_english);
    claim_says(&c, "take less time than one from n = 512 on. Up to n = 128 they take more.");
    c = claim_of("sizes", "speedup", spanish());
    claim_says(&c, "desde n = 512");
    c = claim_of("two", "speedup", &language_english);
    assert_null(strstr(c.answer, "Of the sizes")); /* one size alone */
}

/* True if a file of the folder contains the text. */
static bool has(const char *file, const char *text)
{
    return run("grep -qF -e '%s' %s/%s", text, folder, file) == 0;
}

static void expect_texts(const char *file, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!has(file, texts[i]))
            fail_msg("%s lacks '%s'", file, texts[i]);
}

/* Writes a definition next to the samples, as `study speedup` does. */
static void define(const char *name)
{
    assert_int_equal(run("sed 's/^charts.*/charts = speedup/' " MAXPOOL_SOURCE_DIR
                         "/experiments/definition/definitions/workers/speedup.ini > %s/%s.ini",
                         folder, name),
                     0);
}

static void plot(const char *language)
{
    assert_int_equal(
        run("%s/bin/study plot one two above speedup weak_scaling simulated --results %s "
            "--charts all --lang %s > /dev/null 2>&1",
            MAXPOOL_BINARY_DIR, folder, language),
        0);
}

TEST(charts_are_drawn_for_every_count)
{
    static const char *const one[] = {"bound 2.273", "bound 2.56", "needs three worker counts"},
                             *const two[] = {"staged, threads", "literal, threads", "Karp-Flatt"},
                             *const many[] = {"fitted to staged, threads",
                                              "pale marks",
                                              "the tesina",
                                              "efficiency",
                                              "share the other stages",
                                              "ring: SUSPECT"},
                             *const weak[] = {"Gustafson, fitted to", "s = 0.0", "scaled speedup"},
                             *const spanish[] = {"cota 2,273", "eficiencia", "hilos", "tesina"};
    need_program("gnuplot");
    define("one");
    define("two");
    define("above");
    define("simulated");
    plot("en");
    expect_texts("charts/one-speedup.svg", one, 3);
    expect_texts("charts/two-speedup.svg", two, 3);
    assert_false(has("charts/two-speedup.svg", ">16<")); /* the axis ends at twice the 4 cores */
    expect_texts("charts/speedup.svg", many, 6);
    expect_texts("charts/weak_scaling.svg", weak, 3);
    assert_true(has("charts/simulated-speedup.svg", "ethernet_10g"));
    assert_true(least_letters("charts/simulated-speedup.svg") >= 10.0);
    assert_true(has("charts/above-speedup.svg", ">6.5<")); /* the panel contains its mark */
    plot("es");
    expect_texts("charts/speedup.svg", spanish, 4);
    assert_int_equal(run("cd %s/charts && test -s speedup.pdf && test -s speedup.png", folder), 0);
}

#ifdef MAXPOOL_HAVE_HWLOC
/* Writes the topology of a machine of two sockets. */
static void export_topology(const char *path)
{
    hwloc_topology_t t;
    assert_int_equal(hwloc_topology_init(&t), 0);
    assert_int_equal(hwloc_topology_set_synthetic(t, "pack:2 core:4 pu:2"), 0);
    assert_int_equal(hwloc_topology_load(t), 0);
    assert_int_equal(hwloc_topology_export_xml(t, path, 0), 0);
    hwloc_topology_destroy(t);
}
#endif

/* The same from a file as hwloc writes it; without the file there are none. */
TEST(places_are_drawn)
{
#ifdef MAXPOOL_HAVE_HWLOC
    static const char *const drawn[] = {">one on each socket<", ">socket<", ">cores<"};
    need_program("gnuplot");
    struct topology_mark marks[TOPOLOGY_MARKS];
    char path[300];
    snprintf(path, sizeof path, "%s/topology.xml", folder);
    export_topology(path);
    assert_int_equal(topology_marks_of_file(marks, path), 4);
    assert_true(marks[1].place == PLACE_SOCKET && marks[1].workers == 4.0);
    plot("en");
    expect_texts("charts/speedup.svg", drawn, 3);
    assert_false(has("charts/speedup.svg", "hardware threads")); /* 16, beyond the axis */
    assert_int_equal(run("rm %s/topology.xml", folder), 0);
#endif
}

/* Names that begin alike, and are longer than a label, stay different; shorter ones stay whole. */
TEST(long_names_stay_different)
{
    struct record a = maker_blank("omp", ""), b = a;
    char cut[20];
    memset(a.method, 'm', 80);
    memset(b.method, 'm', 80);
    b.method[79] = 'n';
    assert_string_not_equal(worker_method(&a, &language_english).text,
                            worker_method(&b, &language_english).text);
    strcpy(a.method, "lab:a_kernel_whose_name_has_sixty_three_letters_with_lab_before");
    assert_int_equal(strlen(a.method), 63);
    assert_string_equal(worker_method(&a, &language_english).text, a.method);
    text_distinct(cut, sizeof cut, "nineteen characters");
    assert_string_equal(cut, "nineteen characters");
    text_distinct(cut, sizeof cut, "nine char\xc3\xb1 and more"); /* is not cut within the letter */
    assert_int_equal(strlen(cut), 18);
    assert_memory_equal(cut, "nine char-", 10);
}

/* ---- study speedup --------------------------------------------------------------------------- */

#ifdef MAXPOOL_HAVE_HWLOC
static int speedup(const char *options)
{
    return run("%s/bin/study speedup --results %s/own %s > %s/reported 2>&1", MAXPOOL_BINARY_DIR,
               folder, options, folder);
}
#endif

/* Workers that are bound have a study of their own, and the marks of their order alone. */
TEST(marks_follow_the_binding)
{
#ifdef MAXPOOL_HAVE_HWLOC
    static const char *const bindings[] = {"core", "spread"};
    char path[300], options[200];
    snprintf(path, sizeof path, "%s/own/topology.xml", folder);
    for (size_t i = 0; i < 2; i++) {
        snprintf(options, sizeof options,
                 "--bind %s --threads 1,2 --ranks none -n 64 --method staged --charts none",
                 bindings[i]);
        assert_int_equal(speedup(options), 0);
        export_topology(path);
        assert_int_equal(speedup(options), 0);
        assert_true(has("reported", " 0 done now"));
        assert_int_equal(
            run("cd %s/own && grep -q '^bind = %s$' speedup_maxpool_64_%s.ini && "
                "grep -q '^speedup_maxpool_64_%s,.*,%s,' samples.csv && grep '^,place' "
                "analysis/speedup_maxpool_64_%s.speedup.csv > %s/places",
                folder, bindings[i], bindings[i], bindings[i], bindings[i], bindings[i], folder),
            0);
        assert_int_equal(has("places", "socket"), i == 0);
        assert_int_equal(has("places", "one_each"), i == 1);
        assert_true(has("places", "cores"));
    }
    assert_int_equal(run("rm %s", path), 0);
#endif
}

const struct tests_group tests_group = {make_folder, remove_folder};

int main(void)
{
    return tests_end(tests_run());
}
