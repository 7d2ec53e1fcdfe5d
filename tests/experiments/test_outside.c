/* Names and files from outside: folders named like commands, archives named like hosts. None of
 * them runs a command or uses the network. */
#include "tests/experiments/support/made_results.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- archives -------------------------------------------------------------------------------- */

/* At a name with a colon tar would contact the host before the colon. */
static void an_archive_named_like_a_host_is_a_file(NO_STATE)
{
    assert_int_equal(run("cd %s && tar -cf ./run-12:30.tar threads.csv && printf '#!/bin/sh\n: > "
                         "asked\nexit 1\n' > rsh && chmod +x rsh && TAR_RSH=$PWD/rsh timeout 60 "
                         "%s/bin/study import run-12:30.tar --results home > out 2> err",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    assert_int_equal(run("cd %s && test ! -e asked && test -s home/samples.csv", folder), 0);
}

/* tar prints many lines; the message reports why it failed. */
static void the_reason_of_tar_is_reported(NO_STATE)
{
    static const struct {
        const char *archive, *reason;
    } cases[] = {
        {"seq 9999 > x.tar", "This does not look like a tar archive"},
        {"tar -czPf x.tar.gz $PWD/threads.csv && truncate -s -200 x.tar.gz",
         "unexpected end of file"},
        {"tar -cf x.tar threads.csv && truncate -s 5000 x.tar", "Unexpected EOF in archive"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(run("cd %s && rm -f x.tar* && %s && %s/bin/study import x.tar* --results "
                             "home 2> err; test $? = 2",
                             folder, cases[i].archive, MAXPOOL_BINARY_DIR),
                         0);
        char *reported = read_file("err");
        if (!strstr(reported, cases[i].reason) || strstr(reported, "Removing leading") ||
            strstr(reported, "exiting now"))
            fail_msg("'%s' does not say '%s' alone", reported, cases[i].reason);
        free(reported);
    }
}

/* ---- leftovers ------------------------------------------------------------------------------ */

/* A writer that is killed between opening and renaming leaves its temporary file. */
static void leftovers_of_dead_writers_go(NO_STATE)
{
    assert_int_equal(run("cd %s && rm -rf left && mkdir -p left/analysis && cp threads.csv left && "
                         "cd left && d=$(sh -c 'echo $$') && touch -d '2 days ago' "
                         "analysis/.maxpool-$d-0.tmp && { %s/bin/study plot --results . > "
                         "/dev/null 2>&1 || :; } && test -z \"$(find . -name '*.tmp')\"",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
}

/* ---- charts ---------------------------------------------------------------------------------- */

/* gnuplot runs what follows '<' or '|', and ends a text at a quote. */
static void a_folder_named_like_a_command_is_a_folder(NO_STATE)
{
    static const char *const names[] = {"<touch ran;", "|touch ran;", "it's $(touch ran)",
                                        "100% \"q\" @out `touch ran` #"};
    need_program("gnuplot");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(run("cd %s && mkdir cage && cd cage && IFS= read -r d <<'END' && mkdir "
                             "\"$d\" && cp ../threads.csv \"$d\" && %s/bin/study plot --charts "
                             "svg --results \"$d\" > out && test -s \"$d/charts/threads.svg\"\n"
                             "%s\nEND\n",
                             folder, MAXPOOL_BINARY_DIR, names[i]),
                         0);
        assert_int_equal(run("cd %s && test ! -e cage/ran && rm -r cage", folder), 0);
    }
}

/* Names that belong to no method, with all characters that CSV and gnuplot interpret. */
static void a_foreign_method_breaks_no_chart(NO_STATE)
{
    static const char *const names[] = {"my,other", "a \"\"b\"\" c", "%s\\#NaN", "{/Symbol a}"};
    need_program("gnuplot");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(run("cd %s && rm -rf far && mkdir far && for n in threads speedup; do "
                             " m='%s' awk -F, -v OFS=, '$5 == \"fused\" { $5 = "
                             "\"\\\"\" ENVIRON[\"m\"] \"\\\"\" } 1' $n.csv > far/$n.csv; done && "
                             "%s/bin/study plot --charts svg --results far > out",
                             folder, names[i], MAXPOOL_BINARY_DIR),
                         0);
    assert_int_equal(run("cd %s && grep -q 'Symbol a' far/charts/threads.svg", folder), 0);
}

/* A time that no clock can measure is left out of the data of charts, as is everything derived from
 * it. */
static void a_time_of_nothing_stretches_no_axis(NO_STATE)
{
    assert_int_equal(run("cd %s && rm -rf far && mkdir far && awk -F, -v OFS=, 'NR == 1 { for (i = "
                         "1; i <= NF; i++) at[$i] = i } $5 == \"fused\" && $at[\"rows\"] == 4096 { "
                         "$at[\"total_s\"] = $at[\"compute_s\"] = \"1e-320\" } 1' "
                         "serial_growth.csv > far/serial_growth.csv && grep -q 1e-320 "
                         "far/serial_growth.csv && %s/bin/study analyze --quiet --results far",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    assert_int_equal(run("cd %s/far/analysis && ! grep -lE '(^|,)-?[0-9.]+e[-+]?[0-9]{3}' *.csv && "
                         "grep -q 'fused 4096' serial_growth.points.csv",
                         folder),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_named_like_a_host_is_a_file),
        cmocka_unit_test(the_reason_of_tar_is_reported),
        cmocka_unit_test(leftovers_of_dead_writers_go),
        cmocka_unit_test(a_folder_named_like_a_command_is_a_folder),
        cmocka_unit_test(a_foreign_method_breaks_no_chart),
        cmocka_unit_test(a_time_of_nothing_stretches_no_axis),
    };
    return tests_end(cmocka_run_group_tests(tests, make_results_folder, remove_folder));
}
