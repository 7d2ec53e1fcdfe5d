/* If one file is foreign, empty, cut off or absent, one chart cannot be drawn, or one experiment
 * cannot be read, then one line reports it and everything else is written. */
#include "tests/experiments/support/made_results.h"

#include "experiments/ceilings/ceilings_file.h"
#include "experiments/commands/commands.h"
#include "experiments/common/lock.h"
#include "experiments/common/results.h"
#include "tests/support/unit_test.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char reference[] = MAXPOOL_SOURCE_DIR "/results/reference/amd-epyc-zen4-2-cores";

/* The case: made-up samples of two experiments, real ones of simulated clusters, and the other
 * files of a results folder. */
static void begin_case(void)
{
    assert_int_equal(run("cd %s && rm -rf case && mkdir case && cp threads.csv serial_growth.csv "
                         "case && cd %s && cp environment.json %s/case && for name in scale "
                         "ceilings calibration.samples threads.points; do gzip -dc $name.csv.gz > "
                         "%s/case/$name.csv || exit 1; done",
                         folder, reference, folder, folder),
                     0);
}

/* Returns the exit status of a command on the case; its output is in case.out and case.err. */
static int study(const char *before, const char *command)
{
    return run("%s %s/bin/study %s --results %s/case > %s/case.out 2> %s/case.err", before,
               MAXPOOL_BINARY_DIR, command, folder, folder, folder);
}

static bool holds(const char *file, const char *text)
{
    return run("grep -qF -- '%s' %s/%s", text, folder, file) == 0;
}

static void expect(const char *file, const char *text)
{
    if (!holds(file, text))
        fail_msg("%s lacks '%s'", file, text);
}

/* ---- files ---------------------------------------------------------------------------------- */

static const struct damage {
    const char *file, *contents; /* NULL: removed */
    int status;
    const char *reported; /* NULL: no report is required */
} damages[] = {
    {"ceilings.csv", NULL, 0, NULL},
    {"ceilings.csv", "", 0, NULL},
    {"ceilings.csv", "level,bytes,wor", 0, NULL},
    {"ceilings.csv", "colour,weight\nred,1\n", 2,
     "ceilings.csv: its header has none of our columns"},
    {"environment.json", NULL, 0, NULL},
    {"environment.json", "", 0, NULL},
    {"environment.json", "{\"time_utc\": \"2026-01-01T00:", 2,
     "environment.json: is no JSON object"},
    {"environment.json", "[1, 2]\n", 2, "environment.json: is no JSON object"},
    {"threads.points.csv", NULL, 0, NULL},
    {"threads.points.csv", "", 0, NULL},
    {"threads.points.csv", "experiment,rou", 0, NULL},
    {"threads.points.csv", "colour,weight\nred,1\n", 2, "threads.points.csv: its header"},
    {"calibration.samples.csv", NULL, 0, NULL},
    {"calibration.samples.csv", "", 0, NULL},
    {"calibration.samples.csv", "colour,weight\nred,1\n", 2, "calibration.samples.csv: its header"},
    {"scale.csv", NULL, 0, NULL},
    {"scale.csv", "", 0, "scale.csv: holds no samples yet"},
    {"scale.csv", "program,operator,spa", 0, "scale.csv: holds no samples yet"},
    {"scale.csv", "colour,weight\nred,1\n", 2, "scale.csv: its header has none of our columns"},
    {"stranger.csv", "colour,weight\nred,1\n", 2,
     "stranger.csv: its header has none of our columns"},
    {"stranger.csv",
     "\x7f"
     "ELF\n\n",
     2, "stranger.csv: its header has none of our columns"},
    {"my data.csv", "colour,weight\nred,1\n", 2, "my data.csv: this cannot be the name"},
};

static void inflict(const struct damage *d)
{
    char path[300];
    begin_case();
    snprintf(path, sizeof path, "%s/case/%s", folder, d->file);
    if (!d->contents) {
        assert_int_equal(remove(path), 0);
        return;
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(d->contents, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The fault is reported on standard error and, if `in_report`, in the report too. If there is
 * nothing to report, nothing is. */
static void expect_reported(const struct damage *d, bool in_report)
{
    static const char *const reports[] = {"case/report*.html", "case/report.md"};
    if (!d->reported) {
        assert_false(holds("case.err", "not read"));
        return;
    }
    expect("case.err", "not read: ");
    expect("case.err", d->reported);
    for (size_t i = 0; in_report && i < 2; i++) {
        expect(reports[i], "not read: ");
        expect(reports[i],
               i == 0 ? d->reported : "not read: "); /* Markdown escapes its characters */
    }
}

static void hold(int status, int expected, const struct damage *d, const char *command)
{
    if (status != expected)
        fail_msg("%s with %s '%.20s': status %d, not %d", command, d->file,
                 d->contents ? d->contents : "removed", status, expected);
}

/* Only a report reads the journal. */
static bool is_journal(const struct damage *d)
{
    return strcmp(d->file, "threads.points.csv") == 0;
}

static void one_bad_file_costs_its_part_alone(NO_STATE)
{
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const struct damage *d = &damages[i];
        inflict(d);
        hold(study("", "analyze"), is_journal(d) ? 0 : d->status, d, "analyze");
        expect("case.out", "serial_growth: ");
        expect("case.out", "threads: ");
        assert_true(is_there("case/analysis/threads.points.csv"));
        hold(study("", "report --charts none"), d->status, d, "report");
        expect_reported(d, true);
        expect("case/report*.html", "Serial time");
        expect("case/report*.html", "OpenMP threads");
        expect("case/report.tex", "section{Workers}");
    }
}

/* Bad samples of one experiment do not affect the charts of the others. */
static void one_bad_experiment_costs_its_charts_alone(NO_STATE)
{
    const struct damage foreign = {"serial_growth.csv", "colour,weight\nred,1\n", 2,
                                   "serial_growth.csv: its header has none of our columns"};
    need_program("gnuplot");
    inflict(&foreign);
    hold(study("", "plot --charts svg"), 2, &foreign, "plot");
    expect_reported(&foreign, false);
    expect("case.out", "charts/threads.svg");
    expect("case/charts/threads.svg", "</svg>");
    assert_false(is_there("case/charts/serial_growth.svg"));
}

/* Definitions are part of the program: if `definitions` is set, its folder replaces theirs. */
const char *__wrap_definitions_folder(void); // NOLINT(bugprone-reserved-identifier): the linker's
const char *__real_definitions_folder(void); // NOLINT(bugprone-reserved-identifier)
static char definitions[300];

const char *__wrap_definitions_folder(void) // NOLINT(bugprone-reserved-identifier)
{
    return definitions[0] ? definitions : __real_definitions_folder();
}

static void a_bad_definition_costs_its_words_alone(NO_STATE)
{
    static const char *const contents[] = {"", "[experiment]\ntitle = Thr",
                                           "\x7f"
                                           "ELF"};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        char program[] = "report", results[] = "--results", at[300], charts[] = "--charts",
             none[] = "none";
        char *argv[] = {program, results, at, charts, none, NULL};
        struct failure f = {0};
        begin_case();
        snprintf(at, sizeof at, "%s/case", folder);
        snprintf(definitions, sizeof definitions, "%s/definitions", folder);
        assert_int_equal(run("rm -rf %s && mkdir %s && printf '%%s' '%s' > %s/threads.ini",
                             definitions, definitions, contents[i], definitions),
                         0);
        assert_int_equal(command_report(5, argv, &f), STATUS_USAGE);
        definitions[0] = '\0';
        expect("case/report*.html", "not read: ");
        expect("case/report*.html", "threads.ini");
        expect("case/report*.html", "maxpool_omp fused");
        expect("case/report*.html", "serial_growth"); /* its definition is absent */
    }
}

/* ---- charts --------------------------------------------------------------------------------- */

/* Installs a gnuplot that fails in the given way at the charts of one experiment, and otherwise
 * runs the real one. */
static void make_gnuplot(const char *way)
{
    assert_int_equal(run("mkdir -p %s/bin && cat > %s/bin/gnuplot <<'END' && chmod +x "
                         "%s/bin/gnuplot\n"
                         "#!/bin/sh\n"
                         "out=$(printf %%s \"$2\" | sed \"s/.* out='\\([^']*\\)'.*/\\1/\")\n"
                         "case $2 in *analysis/serial_growth.*) %s ;; esac\n"
                         "PATH=${PATH#*:} exec gnuplot \"$@\"\n"
                         "END\n",
                         folder, folder, folder, way),
                     0);
}

static void one_bad_chart_costs_itself_alone(NO_STATE)
{
    static const char *const ways[] = {"echo the disk is on fire >&2; exit 1",
                                       "printf '<svg>' > \\\"$out\\\"; exit 0", "exit 0",
                                       "kill -9 $$"};
    char path[400];
    need_program("gnuplot");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        begin_case();
        make_gnuplot(ways[i]);
        snprintf(path, sizeof path, "PATH=%s/bin:$PATH", folder);
        assert_int_equal(study(path, "report --charts svg"), 5);
        expect("case.err", "study: serial_growth: not drawn: ");
        expect("case/report*.html", "not drawn: ");
        expect("case/report.md", "charts/threads.svg");
        expect("case/charts/threads.svg", "</svg>");
        assert_false(holds("case/report.md", "charts/serial_growth.svg"));
        assert_false(is_there("case/charts/serial_growth.svg"));
        assert_int_equal(run("test -z \"$(find %s/case -name '*.tmp')\"", folder), 0);
    }
}

/* Charts of an earlier run are not shown as this run's. */
static void old_charts_are_not_shown(NO_STATE)
{
    char path[400];
    need_program("gnuplot");
    begin_case();
    assert_int_equal(study("", "report --charts svg,pdf"), 0);
    expect("case/report.md", "charts/serial_growth.svg");
    expect("case/report.tex", "charts/serial_growth.pdf");
    assert_int_equal(
        run("cd %s/case && head -n 2 serial_growth.csv > s && mv s serial_growth.csv", folder), 0);
    assert_int_equal(study("", "report --charts svg,pdf"), 0);
    expect("case/report*.html", "not drawn: ");
    assert_false(holds("case/report.md", "charts/serial_growth.svg"));
    assert_false(is_there("case/charts/serial_growth.pdf"));
    expect("case/report.md", "charts/threads.svg");
    assert_int_equal(study("", "report --charts svg"), 0);
    assert_false(holds("case/report.tex", "includegraphics"));
    snprintf(path, sizeof path, "mkdir -p %s/empty && PATH=%s/empty", folder, folder);
    assert_int_equal(study(path, "report"), 0);
    expect("case.err", "gnuplot is missing");
    expect("case/report*.html", "gnuplot is missing");
    assert_false(holds("case/report.md", "!["));
    assert_false(holds("case/report*.html", "<figure"));
}

/* Four reports at the same time: all succeed, and no file is half written. */
static void four_at_once(NO_STATE)
{
    static const char *const commands[] = {"report --charts svg", "analyze"};
    for (size_t i = 0; i < 2; i++) {
        begin_case();
        assert_int_equal(run("for i in 1 2 3 4; do %s/bin/study %s --results %s/case > /dev/null "
                             "2>&1 & set -- \"$@\" $!; done; "
                             "for p; do wait $p || exit 1; done",
                             MAXPOOL_BINARY_DIR, commands[i], folder),
                         0);
        assert_int_equal(run("test -z \"$(find %s/case -name '*.tmp' -o -size 0)\"", folder), 0);
        assert_true(is_there("case/analysis/serial_growth.fits.csv"));
    }
    expect("case/analysis/threads.points.csv", "omp");
}

/* ---- a full disk ----------------------------------------------------------------------------- */

static void a_full_disk_keeps_the_old_ceilings(NO_STATE)
{
    char path[300];
    struct ceilings ceilings;
    struct failure f = {0};
    struct rlimit before, tiny;
    begin_case();
    snprintf(path, sizeof path, "%s/case/ceilings.csv", folder);
    assert_int_equal(ceilings_read(&ceilings, path, &f), STATUS_OK);
    assert_true(ceilings.count > 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tiny = before;
    tiny.rlim_cur = 100;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tiny), 0);
    const enum status status = ceilings_write(&ceilings, path, &f);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    ceilings_release(&ceilings);
    assert_int_equal(status, STATUS_OUTPUT);
    assert_int_equal(run("gzip -dc %s/ceilings.csv.gz | cmp -s %s -", reference, path), 0);
    assert_int_equal(run("test -z \"$(find %s/case -name '*.tmp')\"", folder), 0);
}

/* A command that measures locks the folder: a second measurement at the same time would disturb its
 * times. */
static void measuring_takes_the_lock(NO_STATE)
{
    static const char *const commands[] = {"calibrate scale", "roofline", "run threads --quick"};
    struct results_lock lock;
    struct failure f = {0};
    char path[300];
    begin_case();
    snprintf(path, sizeof path, "%s/case", folder);
    assert_int_equal(results_lock(path, "this test", &lock, &f), STATUS_OK);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        assert_int_equal(study("timeout 60", commands[i]), STATUS_RESOURCE);
        expect("case.err", "this test");
    }
    results_unlock(&lock);
}

/* On a busy machine the limits take no longer than requested, and report that measurements are
 * missing. */
static void limits_end_with_their_time(NO_STATE)
{
    begin_case();
    assert_int_equal(run("rm -f %s/case/ceilings.csv*", folder), 0);
    assert_int_equal(study("", "roofline --seconds 0.1 --visits 2 --max-seconds 0.01"), 0);
    expect("case.out", "after 0 of 2 measurements of each rate");
    /* whether a size is beyond the caches depends on the machine: some have 260 MiB of them */
    assert_int_equal(run("grep -q ',read,' %s/case/ceilings.csv", folder), 0);
}

/* If no row is valid, the status says so, and the page names no time of the last measurement. */
static void nothing_but_corrupt_rows(NO_STATE)
{
    begin_case();
    assert_int_equal(run("cd %s/case && rm -f *.points.csv serial_growth.csv scale.csv && for f in "
                         "threads.csv; do sed -i '2,$s/.*/,,no row,,/' $f; done",
                         folder),
                     0);
    assert_int_equal(study("", "report --charts none"), 2);
    expect("case.err", "threads.csv:2: it has 5 fields");
    assert_false(holds("case/report.md", "Measured until ,"));
    assert_false(holds("case/report*.html", "Measured until ,"));
    expect("case/report*.html", " could be read.<");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_but_corrupt_rows),
        cmocka_unit_test(one_bad_file_costs_its_part_alone),
        cmocka_unit_test(one_bad_experiment_costs_its_charts_alone),
        cmocka_unit_test(a_bad_definition_costs_its_words_alone),
        cmocka_unit_test(one_bad_chart_costs_itself_alone),
        cmocka_unit_test(old_charts_are_not_shown),
        cmocka_unit_test(four_at_once),
        cmocka_unit_test(a_full_disk_keeps_the_old_ceilings),
        cmocka_unit_test(measuring_takes_the_lock),
        cmocka_unit_test(limits_end_with_their_time),
    };
    return tests_end(cmocka_run_group_tests(tests, make_results_folder, remove_folder));
}
