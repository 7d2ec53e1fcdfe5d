/* What a user requests from study for their own page: definitions, charts and tables. */
#include "tests/experiments/support/made_results.h"

#include "experiments/analysis/derived/dictionary.h"
#include "experiments/analysis/layer_times.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the exit status of a study command on the folder; its output is in `out` and `err`. */
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

/* Writes the column `name` of a file of the folder, without its header, to the file `column`. */
static void take_column(const char *file, const char *name)
{
    assert_int_equal(run("awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == \"%s\") c = i } "
                         "NR > 1 { print $c }' %s/%s > %s/column",
                         name, folder, file, folder),
                     0);
}

/* ---- the user's own definitions -------------------------------------------------------------- */

static void definitions_of_ones_own_are_used(NO_STATE)
{
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
    expect("report-method.html", "My threads");
    expect_status("analyze --definitions nowhere", 2);
    expect("err", "--definitions nowhere: cannot be read");
}

static void a_chart_of_ones_own_definition_is_drawn(NO_STATE)
{
    need_program("gnuplot");
    expect_status("plot threads --charts svg --definitions mine", 0);
    expect("out", "charts/threads-methods.svg");
}

/* ---- the user's own charts ------------------------------------------------------------------- */

/* Each message names the option and the value that it refuses. */
static void wrong_options_of_plot_are_reported(NO_STATE)
{
    static const struct {
        const char *command, *reported;
    } cases[] = {
        {"plot threads --size 8", "--size must be WIDTHxHEIGHT"},
        {"plot threads --size 1x6cm", "not "},
        {"plot threads --size 8x6ft", "80x60mm"},
        {"plot threads --font 2", "--font must be 4 to 72 points, not 2"},
        {"plot threads --font x", " is not a number"},
        {"plot threads --format gif",
         "--format must be all, none, or some of svg, png, pdf and tikz"},
        {"plot threads --format svg,svg,", "as svg,pdf"},
        {"plot threads --x threads", "--y is missing"},
        {"plot threads speedup --x threads --y speedup", "name one experiment"},
        {"plot --title T", "--title is of one experiment"},
        {"plot threads --title \"\"", "--title must be one line"},
        {"plot threads --data t.csv", "--data t.csv needs --x and --y"},
        {"plot threads --x thrads --y speedup", "there are: planes,rows,cols"},
        {"plot threads --x threads --y label", "no column "},
        {"plot threads --methods nosuch", "there are: fused,literal,staged"},
        {"plot --data nowhere.csv --x a --y b", "nowhere.csv"},
        {"plot threads --lang fr", "fr"},
        {"plot threads --charts svg --size 8x6cm", "without settings"},
        {"plot threads -o figure", "needs an ending"},
        {"plot threads -o figure.svg --format pdf", "is no pdf"},
        {"plot threads serial_growth -o figure.svg", "name one experiment"},
        {"plot threads --operator matmul", "needs --x and --y"},
        {"plot threads --x threads --y speedup --operator nosuch", "there are: maxpool"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_status(cases[i].command, 2);
        expect("err", cases[i].reported);
    }
}

/* The drawing has the requested title, size and language; a method that was not requested is
 * absent. */
static void a_chart_looks_as_asked(NO_STATE)
{
    need_program("gnuplot");
    expect_status(
        "plot serial_growth --format svg --size 8x6cm --font 9 --title \"Two & a half\" --lang "
        "es --methods literal",
        0);
    expect("figures/serial_growth-8x6cm-9pt-es-literal-titleaf818dcd.svg", "Two &amp; a half");
    expect("figures/serial_growth-8x6cm-9pt-es-literal-titleaf818dcd.svg",
           "viewBox=\"0 0 302 226\"");
    expect("figures/serial_growth-8x6cm-9pt-es-literal-titleaf818dcd.svg", "filas y columnas");
    expect("figures/serial_growth-8x6cm-9pt-es-literal-titleaf818dcd.svg", "literal");
    assert_false(holds("figures/serial_growth-8x6cm-9pt-es-literal-titleaf818dcd.svg", "fused"));
    assert_int_equal(run("test -e %s/figures/serial_growth*.png", folder), 1);
    expect_status("plot threads --format svg --size 16x12cm --methods literal --title T", 0);
    expect("figures/threads-16x12cm-literal-titled10c0b43.svg", "viewBox=\"0 0 604 453\"");
    expect("figures/threads-16x12cm-literal-titled10c0b43.svg", "literal");
}

/* A chart draws the numbers of the derived file, one line per method: serial points are on none. */
static void two_columns_make_a_chart(NO_STATE)
{
    need_program("gnuplot");
    expect_status("plot threads --x threads --y speedup --format svg", 0);
    expect("out", "./figures/threads-one_total-over-threads.svg");
    expect("figures/threads-one_total-over-threads.svg", ">literal<");
    expect("figures/threads-one_total-over-threads.svg", "speedup over one worker");
    assert_false(holds("figures/threads-one_total-over-threads.svg", ">1.5<"));
    assert_false(holds("figures/threads-one_total-over-threads.svg", "one_total"));
    assert_false(holds("figures/threads-one_total-over-threads.svg", "total_s"));
    assert_int_equal(
        run("cd %s && cat > same.awk <<'END' && awk -F, -f same.awk analysis/threads.points.csv "
            "analysis/threads-one_total-over-threads.points.csv\n"
            "FNR == 1 { file++; split(\"\", at); for (i = 1; i <= NF; i++) at[$i] = i; next }\n"
            "file == 1 && $at[\"one_total\"] && $at[\"space\"] == \"omp\" { n++; "
            "want[$at[\"method\"] "
            "$at[\"threads\"]] = $at[\"one_total\"] \" \" $at[\"one_total_lower\"] }\n"
            "file == 2 { n--; if (want[$at[\"series\"] $at[\"x\"]] != $at[\"y\"] \" \" "
            "$at[\"lower\"]) bad = 1 }\n"
            "END { exit bad || n != 0 || length(want) < 5 }\nEND\n",
            folder),
        0);
}

/* A user's own file, whose series have names that TeX would interpret as commands. */
static void a_file_of_ones_own_is_drawn(NO_STATE)
{
    need_program("gnuplot");
    assert_int_equal(
        run("cd %s && printf 'series,n,t,t_lower,t_upper\\n' > mine.csv && for n in 1 2 "
            "3; do echo \"a_b 50%%,$n,$((n * n)),$n,20\"; echo \"\\\"x, y\\\",$n,5,4,6\"; "
            "done >> mine.csv",
            folder),
        0);
    expect_status("plot --data mine.csv --x n --y t --format svg", 0);
    expect("figures/mine-t-over-n.svg", "a_b 50%");
    expect("figures/mine-t-over-n.svg", "x, y");
    expect("analysis/mine-t-over-n.points.csv", ",1,a_b 50%,2,4,2,20,,,1,0,1,");
    if (run("gnuplot -e 'set terminal tikz' 2> %s/err", folder) != 0)
        return; /* gnuplot was built without Lua */
    expect_status("plot mine --data mine.csv --x n --y t --format tikz --size 8x6cm", 0);
    expect("figures/mine-t-over-n-8x6cm.tikz", "{a\\_b 50\\%}");
    expect("figures/mine-t-over-n-8x6cm.tikz", "(8.000,6.000)");
}

/* Series that have one colour in the file, such as those of one method, are drawn in different
 * colours. */
static void each_line_has_its_colour(NO_STATE)
{
    need_program("gnuplot");
    assert_int_equal(run("cd %s && printf 'method,stride,colour,n,t\n' > pale.csv && for n in 1 2; "
                         "do for s in 1 2; do echo \"m,$s,255,$n,$s\"; done; done >> pale.csv",
                         folder),
                     0);
    expect_status("plot --data pale.csv --x n --y t --format svg", 0);
    expect("analysis/pale-t-over-n.points.csv", ",1,m stride=1,1,1,1,1,,,1,0,1,");
    assert_false(holds("analysis/pale-t-over-n.points.csv", ",2,0,"));
    assert_false(holds("analysis/pale-t-over-n.points.csv", ",255,"));
}

/* Two values at the same x with nothing to distinguish them: no line is drawn through both. */
static void two_values_at_one_place_are_refused(NO_STATE)
{
    assert_int_equal(run("cd %s && printf 'series,n,t\\na,1,2\\na,1,3\\n' > twice.csv", folder), 0);
    expect_status("plot --data twice.csv --x n --y t --format svg", 2);
    expect("err", "two points have n 1 and differ in nothing that names a line");
}

/* With a gnuplot without Lua, tikz is not available, and no other terminal replaces it. */
static void tikz_needs_its_terminal(NO_STATE)
{
    assert_int_equal(run("mkdir -p %s/lame && printf '#!/bin/sh\\ncase $2 in *tikz*) exit 1;; "
                         "esac\\n' > %s/lame/gnuplot && chmod +x %s/lame/gnuplot",
                         folder, folder, folder),
                     0);
    assert_int_equal(run("cd %s && PATH=$PWD/lame:$PATH %s/bin/study plot threads --results . "
                         "--format pdf,tikz 2> err",
                         folder, MAXPOOL_BINARY_DIR),
                     3);
    expect("err", "this gnuplot has no tikz terminal");
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Reads the header of a derived file, with commas around its columns. */
static void read_header(const char *file, char *header, size_t size)
{
    char *text = read_file(file);
    snprintf(header, size, ",%.*s,", (int)strcspn(text, "\n"), text);
    free(text);
}

static bool has_column(const char *header, const char *column)
{
    char wanted[128];
    snprintf(wanted, sizeof wanted, ",%s,", column);
    return strstr(header, wanted) != NULL;
}

/* The dictionary has each column of the file, and each of its columns for this file exists
 * there. */
static void expect_dictionary(const char *kind, const char *file)
{
    char header[8192], columns[8192];
    read_header(file, header, sizeof header);
    strcpy(columns, header);
    for (char *column = strtok(columns, ","); column; column = strtok(NULL, ","))
        if (!dictionary_find(kind, column))
            fail_msg("the dictionary lacks %s of %s", column, kind);
    for (size_t i = 0; dictionary_at(i); i++)
        if (strcmp(dictionary_at(i)->file, kind) == 0 &&
            !has_column(header, dictionary_at(i)->column))
            fail_msg("the dictionary has %s of %s, which has no such column",
                     dictionary_at(i)->column, kind);
}

static void the_dictionary_has_every_derived_column(NO_STATE)
{
    static const char *const kinds[] = {"points",   "fits",  "model",  "ratios",
                                        "ceilings", "scale", "speedup"};
    expect_status("analyze threads --quiet", 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char file[64];
        snprintf(file, sizeof file, "analysis/threads.%s.csv", kinds[i]);
        expect_dictionary(kinds[i], file);
    }
    const struct layer_times no_steps = {.count = 0};
    struct failure f = {0};
    char path[300];
    snprintf(path, sizeof path, "%s/analysis/none.layers.csv", folder);
    assert_int_equal(layer_times_write(&no_steps, path, &f), STATUS_OK);
    expect_dictionary("layers", "analysis/none.layers.csv");
}

/* Every row has a unit and a meaning; after a quantity with an interval come both ends, in
 * order. */
static void the_dictionary_is_sound(NO_STATE)
{
    const struct dictionary_row *row;
    for (size_t i = 0; (row = dictionary_at(i)); i++) {
        assert_true(row->unit[0] && row->meaning[0]);
        assert_ptr_equal(dictionary_find(row->file, row->column), row); /* no row occurs twice */
        const struct dictionary_interval ends = dictionary_interval_of(row);
        if (!ends.lower)
            continue;
        assert_int_equal(ends.upper->role, ROLE_BOUND);
        assert_non_null(strstr(ends.lower->column, "lower"));
        assert_non_null(strstr(ends.upper->column, "upper"));
    }
    assert_string_equal(
        dictionary_interval_of(dictionary_find("points", "one_total")).upper->column,
        "one_total_upper");
    assert_null(dictionary_interval_of(dictionary_find("points", "setup_s")).lower);
}

/* The tidy table has the numbers of the derived file. */
static void a_tidy_table_holds_the_derived_numbers(NO_STATE)
{
    expect_status("analyze threads --quiet", 0);
    expect_status("export threads --tidy --output tidy.csv", 0);
    expect("tidy.dictionary.csv", "points,one_total,1,\"speedup of total_s over the same method");
    assert_int_equal(
        run("cd %s && cat > same.awk <<'END' && awk -F, -f same.awk analysis/threads.points.csv "
            "tidy.csv\n"
            "FNR == 1 { file++; split(\"\", at); for (i = 1; i <= NF; i++) at[$i] = i; next }\n"
            "file == 1 { key = $at[\"label\"]; n += $at[\"one_total\"] != \"\";\n"
            "  want[key] = $at[\"one_total\"] \" \" $at[\"one_total_lower\"] \" \" "
            "$at[\"one_total_upper\"] }\n"
            "file == 2 && $at[\"quantity\"] == \"one_total\" { n--; if (want[$at[\"label\"]] != "
            "$at[\"value\"] \" \" $at[\"lower\"] \" \" $at[\"upper\"]) bad = 1 }\n"
            "file == 2 && NF != length(at) { bad = 1 }\n"
            "END { exit bad || n != 0 || length(want) < 5 }\nEND\n",
            folder),
        0);
    assert_int_equal(run("cd %s && %s/bin/study export threads --results . > wide.csv && cmp "
                         "wide.csv analysis/threads.points.csv",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    expect_status("export --dictionary", 0);
    expect("out", "points,total_s,s,\"median time in all, transfers included\"");
    expect("out", "tidy,value,see unit,");
}

static void a_wrong_export_is_reported(NO_STATE)
{
    expect_status("export", 2);
    expect("err", "export: which experiment?");
    expect_status("export nosuch", 2);
    expect("err", "there are no samples of");
    expect_status("export threads --dictionary", 2);
    expect("err", "it takes no experiment");
    expect_status("export threads --tidy -o /dev/full", 5);
    expect_status("export threads --tidy -o nowhere/t.csv", 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_of_ones_own_are_used),
        cmocka_unit_test(a_chart_of_ones_own_definition_is_drawn),
        cmocka_unit_test(wrong_options_of_plot_are_reported),
        cmocka_unit_test(a_chart_looks_as_asked),
        cmocka_unit_test(two_columns_make_a_chart),
        cmocka_unit_test(a_file_of_ones_own_is_drawn),
        cmocka_unit_test(each_line_has_its_colour),
        cmocka_unit_test(two_values_at_one_place_are_refused),
        cmocka_unit_test(tikz_needs_its_terminal),
        cmocka_unit_test(the_dictionary_has_every_derived_column),
        cmocka_unit_test(the_dictionary_is_sound),
        cmocka_unit_test(a_tidy_table_holds_the_derived_numbers),
        cmocka_unit_test(a_wrong_export_is_reported),
    };
    return tests_end(cmocka_run_group_tests(tests, make_results_folder, remove_folder));
}
