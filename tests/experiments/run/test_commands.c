/* What the commands of `study` print about themselves: options have an effect, and columns are
 * aligned. */
#include "tests/experiments/support/made_results.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns all that a command prints; the caller frees it. */
static char *output_of(const char *command)
{
    assert_int_equal(
        run("cd %s && %s/bin/study %s > reported 2> err", folder, MAXPOOL_BINARY_DIR, command), 0);
    return read_file("reported");
}

static void help_has_the_options_of_its_command(NO_STATE)
{
    static const struct {
        const char *command, *has, *lacks;
    } rows[] = {
        {"predict --help", "--definitions", "--thesis"},
        {"predict --help", "--bin", "--launcher"},
        {"predict --help", "--results", "--all"},
        {"duet --help", "--definitions", "--thesis"},
        {"duet --help", "--quick", "--launcher"},
        {"duet --help", "--all", "--platform"},
        {"run --help", "--launcher", "--shell"},
        {"plan --help", "--thesis", "--budget"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *reported = output_of(rows[i].command);
        if (!strstr(reported, rows[i].has) || strstr(reported, rows[i].lacks))
            fail_msg("%s: expected %s and no %s in\n%s", rows[i].command, rows[i].has,
                     rows[i].lacks, reported);
        free(reported);
    }
}

/* Where the time is over at once, one size of one curve is measured, and nothing is begun after it.
 */
static void a_limit_of_time_holds_within_one_measurement(NO_STATE)
{
    char *reported = output_of("roofline --max-seconds 0.000001 --results over");
    char *rows = read_file("over/ceilings.csv");
    size_t lines = 0;
    for (const char *at = rows; *at; at++)
        lines += *at == '\n';
    assert_non_null(strstr(reported, "after 0 of 13 measurements"));
    assert_int_equal(lines, 2); /* its header, too */
    free(rows);
    free(reported);
}

/* An empty variable of a script would otherwise be the root folder, and a long path would be cut.
 */
static void folders_without_a_usable_name_are_refused(NO_STATE)
{
    static const char *const places[] = {"''", "$(printf './%.0s' $(seq 2000))place"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_int_equal(run("cd %s && %s/bin/study env --results \"$(echo %s)\" 2> err", folder,
                             MAXPOOL_BINARY_DIR, places[i]),
                         2);
        char *err = read_file("err");
        assert_non_null(strstr(err, "has no name, or one of more than 3840 bytes"));
        free(err);
    }
    assert_int_equal(run("cd %s && test ! -e environment.json", folder), 0);
}

/* The study alone prints its help as the error that it is: on standard error, with status 2. */
static void the_study_alone_shows_its_help(NO_STATE)
{
    assert_int_equal(run("cd %s && %s/bin/study > reported 2> err", folder, MAXPOOL_BINARY_DIR), 2);
    assert_int_equal(run("cd %s && test ! -s reported", folder), 0);
    char *err = read_file("err");
    assert_non_null(strstr(err, "The commands that most people need:\n  speedup "));
    assert_non_null(strstr(err, "\nstudy: a command is missing\n"));
    free(err);
}

/* --lang stands before the command, or is an option of it; an unknown language is refused. */
static void the_study_speaks_spanish(NO_STATE)
{
    static const struct {
        const char *before, *command;
        int status;
        const char *expected;
    } rows[] = {
        {"", "--lang es --help", 0, "Uso: study "},
        {"LC_ALL=es_MX.UTF-8 ", "--help", 0, "Uso: study "},
        {"LC_ALL=es_MX.UTF-8 ", "run --help", 0, "Uso: study run NAME"},
        {"LC_ALL=es_MX.UTF-8 ", "run --help --lang en", 0, "Usage: study run NAME"},
        {"", "run --help --lang=es", 0, "Uso: study run NAME"},
        {"LC_ALL=fr_FR.UTF-8 ", "run --help", 0, "Usage: study run NAME"},
        {"", "amdahl --fraction 0.5 --workers 2 --lang es", 0, "1,33333"},
        {"LC_ALL=es_MX.UTF-8 ", "amdahl --fraction 0.5 --workers 2", 0, "cota"},
        {"LC_ALL=C LANG=es_MX.UTF-8 ", "amdahl --fraction 0.5 --workers 2", 0, "bound"},
        {"LC_ALL=es_MX.UTF-8 ", "calibrate threads", 0, "no hay nada que calibrar"},
        {"LC_ALL=es_MX.UTF-8 ", "amdahl --fraction 0,5", 2, "escriba un punto: 0.5"},
        {"", "--lang fr list", 2, "language must be en or es, not 'fr'"},
        {"", "list --lang fr", 2, "language must be en or es, not 'fr'"},
        {"", "report --lang fr", 2, "language must be en or es, not 'fr'"},
        {"", "--lang", 2, "option '--lang' needs a value: en|es"},
        {"", "plot threads --size 8,5x6cm", 2, "not '8,5x6cm'; write a point: 8.5x6cm"},
        {"", "run threads --budget 1,5h", 2, "not '1,5h'; write a point: 1.5h"},
    };
    if (run("cd %s && %s/bin/study --lang es --help > reported 2> err", folder,
            MAXPOOL_BINARY_DIR) == 3)
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int status = run("cd %s && %s %s/bin/study %s > reported 2> err", folder,
                               rows[i].before, MAXPOOL_BINARY_DIR, rows[i].command);
        char *text = read_file(status ? "err" : "reported");
        if (status != rows[i].status || !strstr(text, rows[i].expected))
            fail_msg("%s%s: status %d, %s", rows[i].before, rows[i].command, status, text);
        free(text);
    }
}

/* Titles begin in the same column, however long the names are. */
static void titles_are_in_one_column(NO_STATE)
{
    size_t column = 0, names = 0;
    char *reported = output_of("list window_count conv_hyperparameters");
    for (char *line = strtok(reported, "\n"); line; line = strtok(NULL, "\n")) {
        if (line[0] == ' ')
            continue;
        const size_t name = strcspn(line, " "), at = name + strspn(line + name, " ");
        assert_true(names++ == 0 || at == column);
        assert_true(at > name + 1);
        column = at;
    }
    assert_int_equal(names, 2);
    free(reported);
}

/* The message on an unknown part of --thesis lists the parts and the experiments. */
static void parts_of_the_thesis_are_named(NO_STATE)
{
    assert_int_equal(run("cd %s && %s/bin/study run --thesis moon > reported 2> err", folder,
                         MAXPOOL_BINARY_DIR),
                     2);
    char *err = read_file("err");
    if (!strstr(err, "'moon' is no part of --thesis, which are tesina, solar, devices, faces; no "
                     "experiment 'moon' in ") ||
        !strstr(err, "there are: devices_batch"))
        fail_msg("%s", err);
    free(err);
}

static void a_folder_that_does_not_exist_is_named(NO_STATE)
{
    assert_int_equal(run("cd %s && %s/bin/study run --definitions nowhere quick > reported 2> err",
                         folder, MAXPOOL_BINARY_DIR),
                     2);
    char *err = read_file("err");
    if (!strstr(err, "there is no folder nowhere") || strstr(err, "there are:"))
        fail_msg("%s", err);
    free(err);
}

/* On a terminal each visit is shown, with no more seconds than --max-seconds allows. */
static void roofline_reports_its_visits(NO_STATE)
{
    int minutes = 0, seconds = 0, steps = 0;
    need_program("script");
    assert_int_equal(run("cd %s && script -qec '%s/bin/study roofline --results limits --seconds "
                         "0.001 --max-seconds 3 --visits 2' /dev/null > reported 2>&1 < /dev/null",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    char *reported = read_file("reported");
    const char *first = strstr(reported, "about ");
    assert_non_null(first);
    assert_int_equal(sscanf(first, "about %d:%d left", &minutes, &seconds), 2);
    assert_true(minutes == 0 && seconds <= 3);
    const char *none = strstr(reported, " 0/");
    assert_non_null(none); /* a step is a curve, so that the progress moves within a visit */
    assert_int_equal(sscanf(none, " 0/%d", &steps), 1);
    assert_true(steps > 2);
    assert_true(strstr(reported, "visit 2 of 2") ||
                strstr(reported, "The time was over after 1 of 2") ||
                strstr(reported, "The time was over after 0 of 2"));
    free(reported);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_has_the_options_of_its_command),
        cmocka_unit_test(a_limit_of_time_holds_within_one_measurement),
        cmocka_unit_test(folders_without_a_usable_name_are_refused),
        cmocka_unit_test(the_study_alone_shows_its_help),
        cmocka_unit_test(the_study_speaks_spanish),
        cmocka_unit_test(titles_are_in_one_column),
        cmocka_unit_test(parts_of_the_thesis_are_named),
        cmocka_unit_test(a_folder_that_does_not_exist_is_named),
        cmocka_unit_test(roofline_reports_its_visits),
    };
    return tests_end(cmocka_run_group_tests(tests, make_empty_folder, remove_folder));
}
