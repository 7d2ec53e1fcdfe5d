/* What a user asks of study for a page of their own: definitions, charts and tables. */
#include "tests/made_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int make_folder(void **state)
{
    (void)state;
    return make_results_by("make_results");
}

/* Exit status of a command of study on the folder; what it printed is in `out` and `err`. */
static int study(const char *command)
{
    return run("cd %s && %s/bin/study %s --results . > out 2> err", folder, MAXPOOL_BINARY_DIR,
               command);
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

static void expect_status(const char *command, int status)
{
    const int got = study(command);
    if (got != status) {
        char *err = read_file("err");
        fail_msg("study %s: status %d, not %d: %s", command, got, status, err);
    }
}

/* The column of a file of the folder, without its name, goes to `column`. */
static void take_column(const char *file, const char *name)
{
    assert_int_equal(run("awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == \"%s\") c = i } "
                         "NR > 1 { print $c }' %s/%s > %s/column",
                         name, folder, file, folder),
                     0);
}

/* ---- definitions of the user's own ----------------------------------------------------------- */

static void definitions_of_ones_own_are_used(void **state)
{
    (void)state;
    assert_int_equal(run("mkdir %s/mine && printf '[experiment]\\ntitle = My threads\\nquestion = "
                         "Mine?\\nbaseline = fused\\ncharts = methods\\n\\n[points]\\nprograms = "
                         "maxpool_omp\\nmethod = fused\\nsize = 64\\nkernel = 2\\nstride = 2\\n"
                         "threads = 1\\n' > %s/mine/threads.ini",
                         folder, folder),
                     0);
    expect_status("list threads --definitions mine", 0);
    expect("out", "My threads");
    expect_status("analyze threads --definitions mine", 0);
    take_column("analysis/threads.points.csv", "named_baseline");
    expect("column", "serial fused");
    expect_status("analyze threads", 0);
    take_column("analysis/threads.points.csv", "named_baseline");
    expect("column", "serial literal");
    assert_false(holds("column", "serial fused"));
    expect_status("report threads --charts none --definitions mine", 0);
    expect("report.html", "My threads");
    expect_status("check threads --definitions mine", 1);
    expect_status("analyze --definitions nowhere", 2);
    expect("err", "--definitions nowhere: cannot be read");
}

static void a_chart_of_ones_own_definition_is_drawn(void **state)
{
    (void)state;
    need_program("gnuplot");
    expect_status("plot threads --charts svg --definitions mine", 0);
    expect("out", "charts/threads-methods.svg");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_of_ones_own_are_used),
        cmocka_unit_test(a_chart_of_ones_own_definition_is_drawn),
    };
    return tests_end(cmocka_run_group_tests(tests, make_folder, remove_folder));
}
