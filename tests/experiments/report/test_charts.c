/* Which charts a page has, and that they are readable: none has fewer than three places on its
 * axis, a quick study has at most ten, nothing is cut off at the edges of a PNG, and letters are
 * large enough on a telephone. */
#include "experiments/common/results.h"
#include "experiments/definition/definition.h"
#include "experiments/samples/journal.h"
#include "harness/image/image.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/maker.h"
#include "tests/support/expect_part.h"
#include "tests/support/unit_test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 9, SAMPLES = 6 };

/* ---- made-up studies ------------------------------------------------------------------------- */

static void write_point(struct maker *m, struct record r, double seconds)
{
    struct failure f = {0};
    for (int round = 0; round < LAUNCHES; round++, m->runs++)
        for (int sample = 0; sample < SAMPLES; sample++) {
            snprintf(r.experiment, sizeof r.experiment, "%s", m->experiment);
            snprintf(r.run_id, sizeof r.run_id, "run-%d", m->runs);
            snprintf(r.stop_reason, sizeof r.stop_reason, "%s",
                     sample + 1 < SAMPLES ? "" : "samples");
            r.round = round;
            r.sample = sample;
            r.warmup = 0;
            r.total_s = r.compute_s = seconds * (1.0 + 0.002 * ((round + sample) % 3));
            assert_int_equal(record_append(m->writer, &r, &f), STATUS_OK);
        }
}

/* Writes only the experiment window_count: literal at `sizes` sizes, the first 512, each twice the
 * one before. */
static void make_sizes(const char *name, int sizes)
{
    char place[200];
    snprintf(place, sizeof place, "%s/%s", folder, name);
    assert_int_equal(run("mkdir -p %s", place), 0);
    struct maker m = {.folder = place};
    maker_begin(&m, "window_count");
    for (int i = 0; i < sizes; i++) {
        struct record r = maker_blank("serial", "literal");
        r.rows = r.cols = 512 << i;
        write_point(&m, r, 1e-3 * pow(4.0, i));
    }
    maker_end(&m);
}

static char *report(const char *name, const char *language)
{
    char page[100];
    assert_int_equal(
        run("cd %s && %s/bin/study report --charts svg --lang %s --results %s > out 2> "
            "err",
            folder, MAXPOOL_BINARY_DIR, language, name),
        0);
    snprintf(page, sizeof page, "%s/report.md", name);
    return read_file(page);
}

/* ---- places ---------------------------------------------------------------------------------- */

static void two_places_are_a_sentence_and_a_table(NO_STATE)
{
    need_program("gnuplot");
    make_sizes("few", 2);
    char *page = report("few", "en");
    expect_part(page, "4 times as many windows");
    expect_part(page, "maxpool\\_serial | literal | 1024 |");
    free(page);
    page = read_pages("few");
    expect_part(page, "fewer than three values along its axis");
    assert_false(is_there("few/charts/window_count.svg"));
    free(page);
    free(report("few", "es"));
    page = read_pages("few");
    expect_part(page, "menos de tres valores en su eje");
    free(page);
    assert_int_equal(run("rm %s/few/window_count.csv", folder), 0);
    make_sizes("few", 3);
    free(report("few", "en"));
    assert_true(is_there("few/charts/window_count.svg"));
}

static void one_row_is_not_the_best(NO_STATE)
{
    char place[200];
    snprintf(place, sizeof place, "%s/one", folder);
    assert_int_equal(run("mkdir %s", place), 0);
    struct maker m = {.folder = place};
    maker_begin(&m, "methods");
    write_point(&m, maker_blank("serial", "literal"), 1e-3);
    maker_end(&m);
    char *page = report("one", "en");
    expect_part(page, "maxpool\\_serial | literal | 1024 |");
    assert_null(strstr(page, "the best"));
    free(page);
    page = report("one", "es");
    assert_null(strstr(page, "el mejor"));
    free(page);
}

/* Methods whose times differ by three powers of ten: the axis of times has numbers. */
static void times_far_apart_have_an_axis(NO_STATE)
{
    static const char *const methods[] = {"tiles", "winograd", "literal"};
    char place[200];
    need_program("gnuplot");
    snprintf(place, sizeof place, "%s/far", folder);
    assert_int_equal(run("mkdir %s", place), 0);
    struct maker m = {.folder = place};
    maker_begin(&m, "conv_gradients");
    for (int i = 0; i < 3; i++) {
        struct record r = maker_blank("serial", methods[i]);
        r.error_ulps_rms = 2.0 + i;
        write_point(&m, r, 2e-5 * pow(40.0, i));
    }
    maker_end(&m);
    free(report("far", "en"));
    char *svg = read_file("far/charts/conv_gradients-errors.svg");
    expect_part(svg, ">100 µs<");
    expect_part(svg, ">10 ms<");
    free(svg);
}

/* Returns the number of values of an integer column at quick scale, in a definition of the suite,
 * among points that one processor computes. */
static size_t values_at_quick(const char *name, size_t column)
{
    int64_t seen[64];
    size_t count = 0;
    struct failure f = {0};
    struct definition d;
    struct plan plan = {.settings = {MAXPOOL_BINARY_DIR "/bin", "", 2}};
    char *path;
    assert_int_equal(definition_find(&path, definitions_folder(), name, &f), STATUS_OK);
    assert_int_equal(definition_read(&d, path, SCALE_QUICK, 2, &f), STATUS_OK);
    free(path);
    assert_int_equal(plan_add(&plan, &d, &f), STATUS_OK);
    for (size_t i = 0; i < plan.count && count < 64; i++) {
        const struct record *r = &plan.points[i].point;
        bool known = strcmp(r->program, "network_omp") != 0;
        memcpy(&seen[count], (const char *)r + column, sizeof *seen);
        for (size_t j = 0; j < count; j++)
            known = known || seen[j] == seen[count];
        count += !known;
    }
    plan_release(&plan);
    return count;
}

static void networks_have_charts_at_quick(NO_STATE)
{
    assert_true(values_at_quick("devices", offsetof(struct record, rows)) >= 3);
    assert_true(values_at_quick("batch", offsetof(struct record, batch)) >= 3);
}

/* ---- thirteen charts
 * ------------------------------------------------------------------------------ */

static size_t count_charts(const char *name)
{
    char path[300];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    DIR *charts = opendir(path);
    assert_non_null(charts);
    for (struct dirent *item; (item = readdir(charts));)
        count += strstr(item->d_name, ".svg") != NULL;
    closedir(charts);
    return count;
}

/* Writes a journal that records the scale of the study. */
static void describe_scale(const char *name, const char *scale)
{
    char place[200];
    snprintf(place, sizeof place, "%s/%s", folder, name);
    FILE *stream = fopen(results_own_journal(place, "ladder").text, "wb");
    assert_non_null(stream);
    struct journal_row row = journal_blank();
    table_print_header(journal_schema(), stream);
    row.point = maker_blank("serial", "literal");
    strcpy(row.status, "done");
    snprintf(row.scale, sizeof row.scale, "%s", scale);
    table_print(journal_schema(), stream, &row);
    assert_int_equal(fclose(stream), 0);
}

static void a_quick_study_has_thirteen_charts(NO_STATE)
{
    need_program("gnuplot");
    need_program("gzip");
    assert_int_equal(run("cd %s && mkdir all && cp *.csv all && for i in brain matmul_growth isa "
                         "overhead; do gzip -dc %s/results/reference/amd-epyc-zen4-2-cores/"
                         "$i.csv.gz > all/$i.csv || exit 1; done",
                         folder, MAXPOOL_SOURCE_DIR),
                     0);
    describe_scale("all", "standard");
    free(report("all", "en"));
    const size_t all = count_charts("all/charts");
    assert_true(all > 13);
    assert_true(is_there("all/charts/threads.svg"));
    describe_scale("all", "quick");
    char *page = report("all", "en");
    assert_int_equal(count_charts("all/charts"), 13);
    assert_true(is_there("all/charts/threads.svg"));
    expect_part(page, "a quick study shows 13 charts; 'study plot ");
    free(page);
    assert_int_equal(run("cd %s && %s/bin/study plot --charts svg --results all > out 2> err",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    assert_true(count_charts("all/charts") >= all);
}

/* ---- edges ----------------------------------------------------------------------------------- */

enum { MARGIN = 4 }; /* pixels */

/* Returns the darkest value within MARGIN pixels of the picture's edges; 255 if they are blank. */
static float darkest_at_edges(const char *path)
{
    struct source *s;
    struct failure f = {0};
    float darkest = 255.0F;
    assert_int_equal(source_open_file(&s, path, &f), STATUS_OK);
    const struct image_shape shape = source_shape(s);
    float *elements = malloc((size_t)(shape.rows * shape.cols) * sizeof *elements);
    assert_non_null(elements);
    for (int64_t plane = 0; plane < shape.planes; plane++) {
        const struct image_range whole = {plane, 0, shape.rows, 0, shape.cols};
        assert_int_equal(source_read(s, &whole, elements, shape.cols, NULL, &f), STATUS_OK);
        for (int64_t i = 0; i < shape.rows; i++)
            for (int64_t j = 0; j < shape.cols; j++)
                if (i < MARGIN || j < MARGIN || i >= shape.rows - MARGIN ||
                    j >= shape.cols - MARGIN)
                    darkest = fminf(darkest, elements[i * shape.cols + j]);
    }
    free(elements);
    source_close(s);
    return darkest;
}

/* Three charts that used to be cut off, and one with a long key. */
static void drawings_are_not_cut_off(NO_STATE)
{
    static const char *const charts[] = {"overhead", "hyperparameters-stride_padding",
                                         "communication", "isa"};
    need_program("gnuplot");
    assert_int_equal(
        run("mkdir %s/real && cd %s/results/reference/amd-epyc-zen4-2-cores && for e in overhead "
            "hyperparameters communication isa; do cp $e.csv.gz %s/real || exit 1; done",
            folder, MAXPOOL_SOURCE_DIR, folder),
        0);
    assert_int_equal(run("cd %s && %s/bin/study plot --charts png --results real > out 2> err",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/real/charts/%s.png", folder, charts[i]);
        const float darkest = darkest_at_edges(path);
        if (!(darkest >= 250.0F))
            fail_msg("%s is cut off: %g at its edge", charts[i], (double)darkest);
    }
}

/* ---- the image of a chart -------------------------------------------------------------------- */

/* A GPU that offloads windows is measured only up to smaller images than processors are. */
static void spaces_are_compared_where_all_were_measured(NO_STATE)
{
    need_program("gnuplot");
    char place[200];
    snprintf(place, sizeof place, "%s/spaces", folder);
    assert_int_equal(run("mkdir %s", place), 0);
    struct maker m = {.folder = place};
    maker_begin(&m, "speedup");
    for (int64_t n = 1024; n <= 4096; n *= 2) {
        struct record r = maker_blank("serial", "literal");
        r.rows = r.cols = n;
        write_point(&m, r, 1e-8 * (double)(n * n));
        r = maker_blank("omp", "literal");
        r.rows = r.cols = n;
        r.threads = 2;
        write_point(&m, r, 0.5e-8 * (double)(n * n));
        r = maker_blank("cuda", "tiled");
        r.rows = r.cols = n;
        r.ranks = r.threads = r.nodes = RECORD_NO_INT;
        r.isa[0] = '\0';
        strcpy(r.offload, "window");
        strcpy(r.filter_memory, "transferred");
        strcpy(r.device, "made-up GPU");
        if (n <= 2048)
            write_point(&m, r, 1e-6 * (double)(n * n));
    }
    maker_end(&m);
    free(report("spaces", "en"));
    char *chart = read_file("spaces/charts/speedup-spaces.svg");
    expect_part(chart, "cuda tiled window");
    expect_part(chart, "omp literal");
    free(chart);
    char *page = read_file("spaces/report.md"); /* tells two places of one method apart */
    expect_part(page,
                "Where serial literal takes one minute, literal with 2 threads takes about 30 s.");
    if (strstr(page, "Each experiment"))
        fail_msg("a heading of report.md has nothing below it");
    free(page);
}

/* ResNet-18 against the side of its image is one line per device, not one row per size. */
static void networks_are_lines_over_the_side(NO_STATE)
{
    need_program("gnuplot");
    char place[200];
    snprintf(place, sizeof place, "%s/sides", folder);
    assert_int_equal(run("mkdir %s", place), 0);
    struct maker m = {.folder = place};
    maker_begin(&m, "devices_resnet");
    for (int64_t side = 128; side <= 1024; side *= 2) {
        struct record r = maker_network("omp", "resnet18", 1, side);
        r.threads = 2;
        write_point(&m, r, 1e-7 * (double)(side * side));
        r = maker_network("cuda", "resnet18", 1, side);
        r.ranks = r.threads = r.nodes = RECORD_NO_INT;
        strcpy(r.method, "own");
        strcpy(r.device, "made-up GPU");
        write_point(&m, r, 1e-9 * (double)(side * side));
    }
    maker_end(&m);
    free(report("sides", "en"));
    char *chart = read_file("sides/charts/devices_resnet-devices_side.svg");
    expect_part(chart, "side of the image");
    expect_part(chart, "2 workers");
    expect_part(chart, "GPU own");
    free(chart);
}

/* ---- letters on a telephone ------------------------------------------------------------------ */

/* Returns the number after the first of these words that follows `at`; NaN if they do not occur. */
static double number_behind(const char *at, const char *words)
{
    const char *found = at ? strstr(at, words) : NULL;
    return found ? strtod(found + strlen(words), NULL) : (double)NAN;
}

/* Returns the size of the smallest black or axis-gray letters in a chart: names of rows, numbers of
 * axes. */
static double smallest_letters(const char *svg)
{
    double smallest = 1e9;
    for (const char *at = svg; (at = strstr(at, "font-size=\"")); at++) {
        const char *group = at;
        while (group > svg && *group != '<')
            group--;
        const char *fill = strstr(group, "fill=\"");
        if (fill && fill < at &&
            (strncmp(fill + 6, "black", 5) == 0 || strncmp(fill + 6, "rgb(68,68,68)", 13) == 0))
            smallest = fmin(smallest, number_behind(at, "font-size=\""));
    }
    return smallest;
}

/* A page 360 pixels wide shows a chart at least as wide as the style of narrow pages sets. */
static void letters_are_large_enough_on_a_telephone(NO_STATE)
{
    need_program("gnuplot");
    make_sizes("phone", 3);
    free(report("phone", "en"));
    char *page = read_pages("phone"), *svg = read_file("phone/charts/window_count.svg");
    const char *narrow = strstr(page, "(max-width:40rem)");
    const double width = 16.0 * number_behind(narrow, "figure svg{min-width:");
    const double drawn = number_behind(svg, "viewBox=\"0 0 ");
    const double size = smallest_letters(svg) * fmax(width, 360.0) / drawn;
    assert_true(width > 0.0);
    if (!(size >= 9.0))
        fail_msg("letters of %.1f pixels", size);
    free(page);
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_places_are_a_sentence_and_a_table),
        cmocka_unit_test(one_row_is_not_the_best),
        cmocka_unit_test(times_far_apart_have_an_axis),
        cmocka_unit_test(networks_have_charts_at_quick),
        cmocka_unit_test(a_quick_study_has_thirteen_charts),
        cmocka_unit_test(drawings_are_not_cut_off),
        cmocka_unit_test(spaces_are_compared_where_all_were_measured),
        cmocka_unit_test(networks_are_lines_over_the_side),
        cmocka_unit_test(letters_are_large_enough_on_a_telephone),
    };
    return tests_end(cmocka_run_group_tests(tests, make_results_folder, remove_folder));
}
