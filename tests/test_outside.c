/* Names and files that come from outside: folders named like commands, archives named like hosts,
 * packed files that unpack to gigabytes. None runs a command, asks the network or fills a disk. */
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

/* ---- archives -------------------------------------------------------------------------------- */

/* A colon makes tar ask the host before it. */
static void an_archive_named_like_a_host_is_a_file(void **state)
{
    (void)state;
    assert_int_equal(run("cd %s && tar -cf ./run-12:30.tar threads.csv && printf '#!/bin/sh\n: > "
                         "asked\nexit 1\n' > rsh && chmod +x rsh && TAR_RSH=$PWD/rsh timeout 60 "
                         "%s/bin/study import run-12:30.tar --results home > out 2> err",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
    assert_int_equal(run("cd %s && test ! -e asked && test -s home/threads.csv", folder), 0);
}

/* tar says many things; what is told is why it failed. */
static void the_reason_of_tar_is_told(void **state)
{
    (void)state;
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
        char *told = read_file("err");
        if (!strstr(told, cases[i].reason) || strstr(told, "Removing leading") ||
            strstr(told, "exiting now"))
            fail_msg("'%s' does not say '%s' alone", told, cases[i].reason);
        free(told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_named_like_a_host_is_a_file),
        cmocka_unit_test(the_reason_of_tar_is_told),
    };
    return tests_end(cmocka_run_group_tests(tests, make_folder, remove_folder));
}
