/* Samples packed by gzip: NAME.csv.gz replaces NAME.csv wherever study reads, and is never written
 * to. */
#include "tests/experiments/support/made_results.h"

#include "harness/records/record.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char study[] = MAXPOOL_BINARY_DIR "/bin/study";

/* Makes three folders: plain samples, the same samples packed, and one for output that may be
 * damaged. */
static int make_folders(NO_STATE)
{
    if (!mkdtemp(folder) || run("mkdir %s/plain %s/out", folder, folder) != 0)
        return -1;
    return run("%s/bin/make_results %s/plain > /dev/null && cp -r %s/plain %s/packed && "
               "gzip -n %s/packed/*.csv",
               MAXPOOL_BINARY_DIR, folder, folder, folder, folder);
}

/* Makes a folder `name` with one packed experiment. */
static void make_copy(const char *name)
{
    assert_int_equal(run("rm -rf %s/%s && mkdir %s/%s && cp %s/packed/threads.csv.gz %s/%s", folder,
                         name, folder, name, folder, folder, name),
                     0);
}

static bool count_row(const struct record *r, int64_t line, void *context)
{
    (void)r;
    (void)line;
    ++*(size_t *)context;
    return true;
}

/* Returns the status of reading `file` of the folder; *rows becomes the number of delivered
 * rows. */
static enum status read_rows(const char *file, size_t *rows, struct failure *f)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    *rows = 0;
    *f = (struct failure){0};
    return record_read(path, count_row, rows, NULL, f);
}

static void the_same_rows(NO_STATE)
{
    size_t plain, packed, named;
    struct failure f;
    assert_int_equal(read_rows("plain/threads.csv", &plain, &f), STATUS_OK);
    assert_int_equal(read_rows("packed/threads.csv", &packed, &f), STATUS_OK);
    assert_int_equal(read_rows("packed/threads.csv.gz", &named, &f), STATUS_OK);
    assert_true(plain > 100);
    assert_int_equal(packed, plain);
    assert_int_equal(named, plain);
}

static void every_command_reads_them(NO_STATE)
{
    assert_int_equal(run("cd %s && for d in plain packed; do %s analyze --points --results $d > "
                         "out/$d.txt || exit 1; done; diff out/plain.txt out/packed.txt",
                         folder, study),
                     0);
    assert_int_equal(
        run("cd %s && for d in plain packed; do %s report --charts none --label here --results $d "
            "> /dev/null 2>&1 || exit 1; done; diff plain/report.md packed/report.md",
            folder, study),
        0);
    assert_int_equal(run("cd %s && diff -r plain/analysis packed/analysis", folder), 0);
    assert_int_equal(
        run("cd %s && %s compare plain packed > out/compared 2> out/e; grep -q ' 0 only in A, "
            "0 only in B' out/compared",
            folder, study),
        0);
    assert_int_equal(run("cd %s && %s analyze threads --results packed > /dev/null", folder, study),
                     0);
}

static void they_are_imported(NO_STATE)
{
    size_t plain, home;
    struct failure f;
    /* derived data, journals, ceilings and calibration are stored in the same folder and are not
     * samples */
    assert_int_equal(run("cd %s/packed && test -e analysis/threads.points.csv && "
                         "echo what > ceilings.csv && echo what > calibration.samples.csv && "
                         "echo what | gzip > threads.points.csv.gz",
                         folder),
                     0);
    assert_int_equal(run("cd %s && %s import packed --results home > /dev/null && "
                         "test ! -e home/threads.csv && test ! -e home/threads.csv.gz",
                         folder, study),
                     0);
    assert_int_equal(read_rows("plain/threads.csv", &plain, &f), STATUS_OK);
    assert_int_equal(
        run("cd %s && %s export threads --samples --results home > out/threads.csv", folder, study),
        0);
    assert_int_equal(read_rows("out/threads.csv", &home, &f), STATUS_OK);
    assert_int_equal(home, plain);
    /* A name without samples is an error, and nothing is written. */
    assert_int_equal(run("cd %s && %s export nosuch --samples --results home > out/none 2> out/e",
                         folder, study),
                     STATUS_USAGE);
    assert_int_equal(run("cd %s && test ! -s out/none && grep -q nosuch out/e", folder), 0);
}

static void a_torn_one_is_an_error_and_the_rest_is_read(NO_STATE)
{
    size_t rows;
    struct failure f;
    make_copy("torn");
    assert_int_equal(run("cd %s/torn && cp ../packed/speedup.csv.gz . && "
                         "truncate -s -200 threads.csv.gz",
                         folder),
                     0);
    assert_int_equal(read_rows("torn/threads.csv", &rows, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "threads.csv.gz: cannot be read: it is packed and cut off"));
    assert_int_equal(
        run("cd %s && %s report --charts none --results torn > out/o 2> out/e", folder, study),
        STATUS_USAGE);
    assert_int_equal(run("cd %s && grep -q 'not read: .*threads.csv.gz.*cut off' out/e && "
                         "grep -q 'as fast as serial literal' torn/report.md",
                         folder),
                     0);
}

static void a_damaged_one_is_an_error(NO_STATE)
{
    size_t rows;
    struct failure f;
    make_copy("damaged");
    assert_int_equal(run("cd %s/damaged && printf 'xxxxxxxxxxxxxxxx' | dd of=threads.csv.gz bs=1 "
                         "seek=2000 conv=notrunc 2> /dev/null",
                         folder),
                     0);
    assert_int_equal(read_rows("damaged/threads.csv", &rows, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "threads.csv.gz: cannot be read: it is packed and damaged"));
}

/* Nothing shows which of the two files has the latest measurements. */
static void both_at_once_are_an_error(NO_STATE)
{
    size_t rows;
    struct failure f;
    make_copy("both");
    assert_int_equal(run("gunzip -k %s/both/threads.csv.gz", folder), 0);
    assert_int_equal(read_rows("both/threads.csv", &rows, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "both/threads.csv: it and "));
    assert_non_null(strstr(f.message, "both/threads.csv.gz are both there"));
    assert_int_equal(rows, 0);
    assert_int_equal(run("cd %s && %s analyze --results both > out/o 2> out/e", folder, study),
                     STATUS_USAGE);
    assert_int_equal(run("test $(grep -c 'are both there' %s/out/e) -eq 1", folder), 0);
}

static void nothing_is_written_to_it(NO_STATE)
{
    char path[300];
    struct failure f = {0};
    struct record_writer *writer;
    make_copy("kept");
    assert_int_equal(run("cd %s/kept && md5sum threads.csv.gz > ../out/sum", folder), 0);
    snprintf(path, sizeof path, "%s/kept/threads.csv", folder);
    assert_int_equal(record_writer_open(&writer, path, NULL, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "threads.csv.gz: is packed"));
    assert_int_equal(run("cd %s && %s import plain/threads.csv --results kept > out/o && "
                         "grep -q '^0 samples from 1 files; 660 were there already' out/o && "
                         "test ! -e kept/threads.csv",
                         folder, study),
                     0);
    assert_int_equal(run("cd %s/kept && md5sum --status -c ../out/sum", folder), 0);
}

static void an_empty_one_holds_nothing_yet(NO_STATE)
{
    char path[300];
    assert_int_equal(run("cd %s && gzip -n < /dev/null > out/empty.csv.gz", folder), 0);
    snprintf(path, sizeof path, "%s/out/empty.csv", folder);
    assert_false(table_is_begun(path));
    snprintf(path, sizeof path, "%s/packed/threads.csv", folder);
    assert_true(table_is_begun(path));
    snprintf(path, sizeof path, "%s/packed/nowhere.csv", folder);
    assert_false(table_is_begun(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_rows),
        cmocka_unit_test(every_command_reads_them),
        cmocka_unit_test(they_are_imported),
        cmocka_unit_test(a_torn_one_is_an_error_and_the_rest_is_read),
        cmocka_unit_test(a_damaged_one_is_an_error),
        cmocka_unit_test(both_at_once_are_an_error),
        cmocka_unit_test(nothing_is_written_to_it),
        cmocka_unit_test(an_empty_one_holds_nothing_yet),
    };
    return cmocka_run_group_tests(tests, make_folders, remove_folder);
}
