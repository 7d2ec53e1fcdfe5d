/* A class: thirty folders of results on one page, and which results do not belong in one folder. */
#include "tests/experiments/support/made_results.h"
#include "tests/support/expect_part.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_class(NO_STATE)
{
    if (!mkdtemp(folder) ||
        run("%s/tests/experiments/support/make_machines.sh %s", MAXPOOL_SOURCE_DIR, folder) != 0)
        return -1;
    return run("cd %s && for i in $(seq -w 1 30); do printf ' --results m%%s' $i; done > all && "
               "%s/bin/study report $(cat all) > out 2> err",
               folder, MAXPOOL_BINARY_DIR);
}

static void every_machine_is_named_and_none_twice(NO_STATE)
{
    char *page = read_file("m01/machines.html");
    char *data = read_file("m01/analysis/machines-ideas.points.csv");
    for (int i = 3; i <= 30; i++) {
        char name[32];
        snprintf(name, sizeof name, "Processor %02d", i);
        expect_part(page, name);
        expect_part(data, name);
    }
    expect_part(page, "AMD EPYC (m01)");
    expect_part(page, "AMD EPYC (m02)");
    expect_part(data, "AMD EPYC (m02)");
    free(page);
    free(data);
}

/* Folders whose paths begin alike, and end alike, are two machines. */
static void long_folders_are_distinguished(NO_STATE)
{
    char place[151];
    memset(place, 'p', sizeof place - 1);
    place[sizeof place - 1] = '\0';
    assert_int_equal(
        run("cd %s && p=%s && for i in 1 2; do mkdir -p $p/$i && cp -r m0$i $p/$i/m; done && "
            "%s/bin/study report --charts none --results $p/1/m --results $p/2/m > out2 && awk -F, "
            "'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { names[$at[\"machine\"]] } "
            "END { exit length(names) != 2 }' $p/1/m/analysis/machines-ideas.points.csv",
            folder, place, MAXPOOL_BINARY_DIR),
        0);
}

/* In each panel times increase from row to row; INVALID ones come last and are marked as such. */
static void rows_are_sorted(NO_STATE)
{
    assert_int_equal(
        run("cd %s && awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { p = "
            "$at[\"panel\"]; if ($at[\"place\"] != ++n[p]) bad = 1; if ($at[\"status\"] == "
            "\"INVALID\") { invalid++; if (n[p] != 30) bad = 1; next } if ($at[\"total_s\"] + 0 < "
            "last[p] + 0) bad = 1; last[p] = $at[\"total_s\"] } END { for (p in n) { panels++; if "
            "(n[p] != 30) bad = 1 } exit bad || panels != 4 || invalid != 1 }' "
            "m01/analysis/machines-ideas.points.csv",
            folder),
        0);
    char *page = read_file("m01/machines.html");
    expect_part(page, "(INVALID)");
    assert_null(strstr(page, "not measured there"));
    free(page);
}

static void a_copy_is_reported(NO_STATE)
{
    char *err = read_file("err"), *page = read_file("m01/machines.html");
    expect_part(err, "m29 and m30 contain the same launches");
    expect_part(page, "m29 and m30 contain the same ");
    assert_null(strstr(err, "m28 and"));
    free(err);
    free(page);
}

/* Every panel names every machine, however many there are. */
static void the_chart_names_them_all(NO_STATE)
{
    need_program("gnuplot");
    char *svg = read_file("m01/charts/machines-ideas-machines.svg");
    for (int i = 4; i <= 30; i++) {
        char name[32];
        size_t count = 0;
        snprintf(name, sizeof name, ">Processor %02d<", i);
        for (const char *at = svg; (at = strstr(at, name)); at += strlen(name))
            count++;
        if (count != 4)
            fail_msg("'%s' stands there %zu times, not in each of 4 panels", name, count);
    }
    free(svg);
}

/* The machines differ only in speed, so the fastest method's portability is 1. The method that is
 * wrong on one machine has 0, and that machine is named. The cascade contains every machine. */
static void methods_are_portable_or_not(NO_STATE)
{
    char *page = read_file("m01/machines.html");
    const char *section = strstr(page, "id=\"portability\"");
    assert_non_null(section);
    expect_part(section, "fused is the most portable of 4 methods on 30 machines");
    expect_part(section, "<td>simd</td><td>0</td><td>0</td><td>Processor 03</td>");
    assert_int_equal(run("cd %s && awk -F, 'NR > 1 && $2 == 2 { n[$3]++; last[$3] = $5 } END { if "
                         "(last[\"simd\"] != 0 || "
                         "last[\"fused\"] < 0.25) exit 1; for (m in n) if (n[m] != 30) exit 1 }' "
                         "m01/analysis/portability.cascade.csv",
                         folder),
                     0);
    free(page);
}

/* Two machines without a common method: nothing is ranked. */
static void methods_of_one_machine_each_are_not_ranked(NO_STATE)
{
    assert_int_equal(
        run("cd %s && for pair in m06:fused m07:simd; do r=${pair%%:*}; mkdir -p apart/$r && cp "
            "$r/environment.json apart/$r && awk -F, -v method=${pair#*:} 'NR == 1 { for (i = 1; i "
            "<= NF; i++) at[$i] = i } NR == 1 || $at[\"method\"] == method' $r/methods.csv > "
            "apart/$r/methods.csv || exit 1; done && %s/bin/study report --charts none --results "
            "apart/m06 --results apart/m07 > out",
            folder, MAXPOOL_BINARY_DIR),
        0);
    char *page = read_file("apart/m06/machines.html");
    assert_null(strstr(page, "most portable"));
    free(page);
}

/* The same points on two hosts mean two machines; parts of one plan on two hosts form one set. */
static void several_machines_do_not_go_into_one_folder(NO_STATE)
{
    assert_int_equal(
        run("cd %s && %s/bin/study import m04 m05 --results one 2> err; test $? = 2 && "
            "grep -q \"'pc05' measured what 'pc04' has measured\" err && grep -q "
            "'study report --results A --results B' err && test ! -e one/samples.csv",
            folder, MAXPOOL_BINARY_DIR),
        0);
    assert_int_equal(
        run("cd %s && %s/bin/study import m04 --results two > out && cp two/samples.csv "
            "before && %s/bin/study import m05 --results two 2> err; test $? = 2 && "
            "cmp two/samples.csv before && %s/bin/study import m04 --results two > out",
            folder, MAXPOOL_BINARY_DIR, MAXPOOL_BINARY_DIR, MAXPOOL_BINARY_DIR),
        0);
    assert_int_equal(run("cd %s && mkdir parts && awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) "
                         "at[$i] = i } NR == "
                         "1 || $at[\"round\"] %% 2 == 0' m04/methods.csv > parts/a.csv && awk -F, "
                         "'NR == 1 { for "
                         "(i = 1; i <= NF; i++) at[$i] = i } NR == 1 || $at[\"round\"] %% 2 == 1' "
                         "m05/methods.csv "
                         "> parts/b.csv && %s/bin/study import parts --results three > out",
                         folder, MAXPOOL_BINARY_DIR),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_machine_is_named_and_none_twice),
        cmocka_unit_test(long_folders_are_distinguished),
        cmocka_unit_test(rows_are_sorted),
        cmocka_unit_test(a_copy_is_reported),
        cmocka_unit_test(the_chart_names_them_all),
        cmocka_unit_test(methods_are_portable_or_not),
        cmocka_unit_test(methods_of_one_machine_each_are_not_ranked),
        cmocka_unit_test(several_machines_do_not_go_into_one_folder),
    };
    return tests_end(cmocka_run_group_tests(tests, make_class, remove_folder));
}
