/* A user's walk through all experiments: `study report` with all rows, with three and with none,
 * with measured ceilings and without. */
#include "tests/experiments/support/made_results.h"

#include "experiments/common/results.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char reference[] = MAXPOOL_SOURCE_DIR "/results/reference/amd-epyc-zen4-2-cores";

/* The first `rows` samples of every definition: real ones from the committed study if it has the
 * experiment, else from another experiment. */
static void make_study(size_t rows)
{
    struct texts names;
    struct failure f = {0};
    assert_int_equal(run("rm -rf %s/walk && mkdir %s/walk", folder, folder), 0);
    assert_int_equal(definition_names(&names, definitions_folder(), &f), STATUS_OK);
    assert_true(names.count >= 22);
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.items[i];
        assert_int_equal(run("cd %s && own=%s; test -e $own.csv.gz || own=threads; "
                             "gzip -dc $own.csv.gz | head -n %zu > %s/walk/%s.csv",
                             reference, name, rows + 1, folder, name),
                         0);
    }
    texts_release(&names);
    assert_int_equal(
        run("cd %s && cp environment.json calibration.samples.csv.gz %s/walk", reference, folder),
        0);
}

/* Makes a report of these samples: it does not fail, and no drawing is incomplete. */
static void report(size_t rows, const char *ceilings)
{
    if (run("%s/bin/study report --charts svg --results %s/walk > %s/out 2> %s/err",
            MAXPOOL_BINARY_DIR, folder, folder, folder) != 0) {
        run("cat %s/err", folder);
        fail_msg("report of %zu rows %s ceilings failed", rows, ceilings);
    }
    assert_int_equal(run("for svg in %s/walk/charts/*.svg; do test ! -e $svg || "
                         "tail -c 20 $svg | grep -q '</svg>' || exit 1; done",
                         folder),
                     0);
    assert_int_equal(run("test -z \"$(find %s/walk -size 0 -o -name '*.tmp')\"", folder), 0);
    assert_int_equal(run("grep -q '</html>' %s/walk/report.html", folder), 0);
    assert_int_equal(run("grep -q 'not read' %s/err", folder), 1);
}

static void walk(size_t rows)
{
    make_study(rows);
    report(rows, "without");
    assert_int_equal(run("cp %s/ceilings.csv.gz %s/walk", reference, folder), 0);
    report(rows, "with");
}

static void every_row(NO_STATE)
{
    walk(1000000);
    /* five findings in words, how far to trust them, what was not drawn, where to read on */
    assert_int_equal(run("test $(grep -vc '^Not drawn: ' %s/out) -eq 7", folder), 0);
    assert_int_equal(run("sed -n 6p %s/out | grep -q '^Points: .* PRECISE'", folder), 0);
    assert_int_equal(run("tail -n 1 %s/out | grep -q '/walk/report.html$'", folder), 0);
    need_program("gnuplot");
    assert_int_equal(run("test -e %s/walk/charts/roofline.svg", folder), 0);
}

static void three_rows(NO_STATE)
{
    walk(3);
}

static void a_header_alone(NO_STATE)
{
    walk(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        cmocka_unit_test(three_rows),
        cmocka_unit_test(a_header_alone),
    };
    return tests_end(cmocka_run_group_tests(tests, make_empty_folder, remove_folder));
}
