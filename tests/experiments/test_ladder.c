/* The ladder: rungs and speedups over the rung before, the tables, the README section generated
 * from them, and points of one instruction set. */
#include "tests/experiments/support/made_results.h"

#include "experiments/common/results.h"
#include "experiments/plan/plan.h"
#include "experiments/report/page/ladder.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

/* In the made-up results fused takes a quarter of literal's time, and staged does not occur. */
static void a_rung_stands_on_the_one_before(NO_STATE)
{
    struct inventory in;
    struct experiment e;
    struct failure f = {0};
    char name[] = "ladder", *names[] = {name};
    size_t fused = 0;
    assert_int_equal(inventory_open(&in, folder, names, 1, &f), STATUS_OK);
    assert_int_equal(experiment_open(&e, &in, 0, &f), STATUS_OK);
    for (size_t i = 0; i < e.analysis.point_count; i++) {
        const struct point *p = &e.analysis.points[i];
        const struct speedup *before = &p->speedup[BASELINE_RUNG];
        if (strcmp(p->samples->identity.method, "literal") == 0) {
            assert_int_equal(before->point, -1);
            continue;
        }
        const struct record *other = &e.analysis.points[before->point].samples->identity;
        assert_string_equal(other->method, "literal");
        assert_int_equal(other->kernel, p->samples->identity.kernel);
        assert_int_equal(other->stride, p->samples->identity.stride);
        assert_true(fabs(before->value[METRIC_COMPUTE] - 4.0) < 0.2);
        fused++;
    }
    assert_int_equal(fused, 8);
    experiment_close(&e);
    inventory_close(&in);
}

static void tables_have_time_gain_and_share(NO_STATE)
{
    const char *bin = MAXPOOL_BINARY_DIR;
    assert_int_equal(
        run("%s/bin/study report --part ladder --results %s > %s/table", bin, folder, folder), 0);
    char *text = read_file("table");
    expect_text(text, "windows apart (s = k): time per window");
    expect_text(text, "| method | k = 2, n = 1024 | k = 4, n = 1024 |");
    expect_text(text, "| literal | 32 ns |");
    expect_text(text, "| fused | 8.0 ns, ×4.0 |");
    assert_null(strstr(text, "%"));      /* no ceilings: no shares */
    assert_null(strstr(text, "staged")); /* not measured: no row */
    free(text);
    /* Memory moves 10^9 bytes a second: the 20 bytes of a window take 20 ns; literal takes 32. */
    assert_int_equal(
        run("printf '%s\\n' level,workers,bandwidth_bytes_per_s,what,isa,operations_per_s "
            "memory,1,1e9,read,, ,1,,multiply_add,x86-64,1e12 ,1,,maximum,x86-64,1e12 "
            ",1,,product,x86-64,1e12 > %s/ceilings.csv",
            "%s", folder),
        0);
    assert_int_equal(run("%s/bin/study report --part ladder --format html --lang es --results %s "
                         "> %s/table",
                         bin, folder, folder),
                     0);
    text = read_file("table");
    expect_text(text, "<td>literal</td><td>32 ns, 62,1 [");
    expect_text(text, "ventanas traslapadas (s = 1)");
    free(text);
    assert_int_equal(run("rm %s/ceilings.csv", folder), 0);
    assert_int_equal(run("%s/bin/study report --part roof --results %s 2> /dev/null", bin, folder),
                     2);
    assert_int_equal(run("%s/bin/study report --part ladder --format pdf --results %s 2> /dev/null",
                         bin, folder),
                     2);
}

/* A changed digit in the page is noticed, and so are missing markers. */
static void the_page_says_what_the_samples_say(NO_STATE)
{
    const char *source = MAXPOOL_SOURCE_DIR, *bin = MAXPOOL_BINARY_DIR;
    assert_int_equal(run("%s/scripts/ladder_table.sh --check %s", source, bin), 0);
    assert_int_equal(
        run("sed '/ladder from/,/ladder: end/s/^| literal | [0-9]/&1/' %s/docs/ladder.md > "
            "%s/typed.md",
            source, folder),
        0);
    assert_int_equal(run("%s/scripts/ladder_table.sh --check %s %s/typed.md > /dev/null 2>&1",
                         source, bin, folder),
                     1);
    assert_int_equal(run("%s/scripts/ladder_table.sh %s %s/typed.md && cmp %s/docs/ladder.md "
                         "%s/typed.md",
                         source, bin, folder, source, folder),
                     0);
    assert_int_equal(run("grep -v 'ladder: end' %s/docs/ladder.md > %s/typed.md && "
                         "%s/scripts/ladder_table.sh --check %s %s/typed.md 2> /dev/null",
                         source, folder, source, bin, folder),
                     2);
}

/* ---- instruction sets ----------------------------------------------------------------------- */

static void plan_of(struct plan *plan, const char *text, struct failure *f)
{
    char path[256];
    struct definition d;
    snprintf(path, sizeof path, "%s/sets.ini", folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "[experiment]\ntitle = t\nquestion = q\n[points]\n%s", text);
    fclose(file);
    *plan =
        (struct plan){.settings = {.bin = MAXPOOL_BINARY_DIR "/bin", .launcher = "", .cores = 2}};
    assert_int_equal(definition_read(&d, path, SCALE_QUICK, 2, f), STATUS_OK);
    assert_int_equal(plan_add(plan, &d, f), STATUS_OK);
}

static void sets_that_change_nothing_are_left_out(NO_STATE)
{
    struct plan plan;
    struct failure f = {0};
    plan_of(&plan,
            "programs = matmul_serial\nmethod = packed naive no_such\nsize = 8\n"
            "isa_limit = baseline avx2 avx512 avx1024\n",
            &f);
    assert_int_equal(plan.count, 12);
    for (size_t i = 0; i < plan.count; i++) {
        const struct record *p = &plan.points[i].point;
        const char *skip = plan.points[i].skip;
        const bool wide = strcmp(p->isa_limit, "baseline") != 0;
        if (strcmp(p->isa_limit, "avx1024") == 0)
            expect_text(skip, "there is no instruction set 'avx1024'");
        else if (strcmp(p->method, "no_such") == 0)
            assert_non_null(skip);
        else if (!wide)
            assert_null(skip);
        else if (strcmp(p->method, "naive") == 0 && skip && !strstr(skip, "processor") &&
                 !strstr(skip, "this build"))
            expect_text(skip, "naive has no build for avx");
        else if (strcmp(p->method, "naive") == 0)
            assert_non_null(skip);
    }
    plan_release(&plan);
}

/* A sample records what --isa requested; points with and without a limit are different points. */
static void samples_record_their_limit(NO_STATE)
{
    const char *bin = MAXPOOL_BINARY_DIR;
    for (int i = 0; i < 2; i++)
        assert_int_equal(run("%s/bin/matmul_serial -n 40 --method packed --samples 6 "
                             "--experiment sets %s --record %s/sets.csv > /dev/null",
                             bin, i ? "--isa baseline" : "", folder),
                         0);
    assert_int_equal(
        run("%s/bin/study analyze sets --results %s > %s/reported", bin, folder, folder), 0);
    char *text = read_file("reported");
    expect_text(text, "sets: 2 points");
    expect_text(text, "isa_limit=baseline");
    free(text);
}

/* Requested pages are an axis of definitions, and make points of their own. */
static void samples_record_the_pages_asked_for(NO_STATE)
{
    const char *bin = MAXPOOL_BINARY_DIR;
    struct plan plan;
    struct failure f = {0};
    plan_of(&plan, "programs = matmul_serial\nsize = 8\npages_asked = huge ordinary\n", &f);
    assert_int_equal(plan.count, 2);
    assert_string_equal(plan.points[0].point.pages_asked, "huge");
    assert_string_equal(plan.points[1].point.pages_asked, "ordinary");
    plan_release(&plan);
    for (int i = 0; i < 2; i++)
        assert_int_equal(run("%s/bin/matmul_serial -n 40 --samples 6 --experiment sheets %s "
                             "--record %s/sheets.csv > /dev/null",
                             bin, i ? "--pages ordinary" : "", folder),
                         0);
    assert_int_equal(
        run("%s/bin/study analyze sheets --results %s > %s/reported", bin, folder, folder), 0);
    char *text = read_file("reported");
    expect_text(text, "sheets: 2 points");
    expect_text(text, "pages_asked=ordinary");
    free(text);
}

/* ---- charts --------------------------------------------------------------------------------- */

/* Draws the made-up ladder as ladder and as roofline under made-up ceilings, and the samples above
 * by instruction set. In Spanish, because a forgotten text stays English. */
static void charts_have_panels_series_and_ceilings(NO_STATE)
{
    need_program("gnuplot");
    static const struct {
        const char *file, *texts[6];
    } charts[] = {
        {"ladder",
         {"primer pelda", "literal", "fused", "ventanas separadas", "traslapadas", "(elementos)"}},
        {"ladder-ladder_roof", {"límite", "literal", "fused", "0,1"}},
        {"roofline", {"memory", "limitado por memoria", "fused", "operaciones/s", "por byte"}},
        {"roofline-roofline_share", {"conjunto de trabajo", "alcanza el"}},
    };
    assert_int_equal(
        run("cd %s && cp ladder.csv roofline.csv && cp sets.csv isa.csv && printf '%s\n' "
            "level,workers,bandwidth_bytes_per_s,what,isa,operations_per_s memory,1,1e9,read,, "
            ",1,,multiply_add,x86-64,1e12 ,1,,maximum,x86-64,1e12 ,1,,product,x86-64,1e12 > "
            "ceilings.csv",
            folder, "%s"),
        0);
    assert_int_equal(
        run("%s/bin/study plot ladder roofline isa --charts all --lang es --results %s > "
            "%s/drawn 2> %s/reported",
            MAXPOOL_BINARY_DIR, folder, folder, folder),
        0);
    char *reported = read_file("reported"); /* only the baseline set was measured */
    expect_text(reported, "no dibujado: isa: no se midió otro juego de instrucciones");
    free(reported);
    assert_int_equal(run("test -e %s/charts/isa.svg", folder), 1);
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++) {
        char name[64];
        snprintf(name, sizeof name, "charts/%s.svg", charts[i].file);
        char *svg = read_file(name);
        for (size_t j = 0; j < 6 && charts[i].texts[j]; j++)
            expect_text(svg, charts[i].texts[j]);
        free(svg);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rung_stands_on_the_one_before),
        cmocka_unit_test(tables_have_time_gain_and_share),
        cmocka_unit_test(the_page_says_what_the_samples_say),
        cmocka_unit_test(sets_that_change_nothing_are_left_out),
        cmocka_unit_test(samples_record_their_limit),
        cmocka_unit_test(samples_record_the_pages_asked_for),
        cmocka_unit_test(charts_have_panels_series_and_ceilings),
    };
    return tests_end(cmocka_run_group_tests(tests, make_results_folder, remove_folder));
}
