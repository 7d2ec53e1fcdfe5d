/* Files of earlier versions lack later columns. They are read all the same and give the same
 * points; what they do not report is not available. Tested on the committed results, and on made-up
 * ones whose later columns are cut off. */
#include "experiments/analysis/numbers.h"
#include "experiments/samples/samples.h"
#include "harness/records/columns.h"
#include "harness/records/training_record.h"
#include "tests/experiments/support/made_results.h"
#include "tests/support/unit_test.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char study[] = MAXPOOL_BINARY_DIR "/bin/study";

static int make(NO_STATE)
{
    return make_results_by("make_results");
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), own = strlen(end);
    return length >= own && strcmp(text + length - own, end) == 0;
}

/* False for files that are stored with the samples and have other columns. */
static bool holds_samples(const char *path)
{
    static const char *const others[] = {".points.csv.gz", "/journal.csv.gz",  ".training.csv.gz",
                                         ".layers.csv.gz", ".timeline.csv.gz", "/ceilings.csv.gz"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ends_with(path, others[i]))
            return false;
    return true;
}

static void find_committed(glob_t *found, const char *pattern)
{
    char path[300];
    snprintf(path, sizeof path, "%s/results/reference/*/%s", MAXPOOL_SOURCE_DIR, pattern);
    assert_int_equal(glob(path, 0, NULL, found), 0);
}

/* ---- committed samples ----------------------------------------------------------------------- */

/* The conditions of samples are the columns that were added last. */
static bool lacks_conditions(const char *path)
{
    return run("gzip -dc %s | head -1 | grep -q ',involuntary_switches,cpu_mhz'", path) != 0;
}

/* Checks the fields of a file whose header lacks these columns; adds the number of such samples to
 * *seen. */
static void check_samples(const char *path, size_t *seen)
{
    struct samples s;
    struct failure f = {0};
    const bool old = lacks_conditions(path);
    if (samples_read(&s, path, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    assert_int_equal(s.report.corrupt + s.report.unknown_columns, 0);
    assert_int_equal(s.point_count > 0, s.report.rows > 0);
    assert_int_equal((int64_t)s.sample_count + s.warmups, s.report.rows);
    assert_true(!old || s.report.missing_columns >= 2);
    for (size_t i = 0; i < s.sample_count && old; i++) {
        assert_true(isnan(s.samples[i].switches) && isnan(s.samples[i].cpu_mhz));
        assert_true(s.samples[i].seconds[PHASE_TOTAL] > 0.0);
    }
    assert_string_equal(number_plain(&language_english, NAN).text, "-");
    *seen += old ? s.sample_count : 0;
    samples_release(&s);
}

TEST(committed_samples_are_read)
{
    glob_t found;
    size_t files = 0, old = 0;
    need_program("gzip");
    find_committed(&found, "*.csv.gz");
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (holds_samples(found.gl_pathv[i])) {
            check_samples(found.gl_pathv[i], &old);
            files++;
        }
    globfree(&found);
    print_message("%zu files, %zu samples without later columns\n", files, old);
    assert_true(files > 50 && old > 10000);
}

struct epochs {
    size_t rows, reported; /* epochs; those with wall seconds */
};

static bool take_epoch(const void *row, int64_t line, void *context)
{
    const struct training_record *r = row;
    struct epochs *e = context;
    (void)line;
    e->rows += strcmp(r->what, "epoch") == 0;
    e->reported += strcmp(r->what, "epoch") == 0 && !isnan(r->wall_seconds);
    return true;
}

TEST(committed_trainings_are_read)
{
    glob_t found;
    struct epochs all = {0, 0};
    find_committed(&found, "*.training.csv.gz");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct failure f = {0};
        struct record_report report;
        struct epochs e = {0, 0};
        if (table_read(found.gl_pathv[i], &training_record_schema, take_epoch, &e, &report, &f) !=
            STATUS_OK)
            fail_msg("%s", f.message);
        assert_int_equal(report.corrupt + report.unknown_columns, 0);
        assert_true(e.rows > 0 && (e.reported == 0 || e.reported == e.rows));
        all.rows += e.rows;
        all.reported += e.reported;
    }
    globfree(&found);
    assert_true(all.reported < all.rows); /* some are older than this column */
}

/* ---- columns cut off ------------------------------------------------------------------------- */

/* Keeps only the first kept[i] columns of the made-up samples: points and times stay the same, and
 * no page reports a value that is not a number. */
TEST(points_do_not_depend_on_later_columns)
{
    static const int kept[] = {61, 99, RECORD_COLUMNS - 2};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        struct samples now, before;
        struct failure f = {0};
        char path[300];
        assert_int_equal(run("cd %s && rm -rf old && mkdir old && for f in threads speedup; do cut "
                             "-d, -f1-%d $f.csv > old/$f.csv || exit 1; done",
                             folder, kept[i]),
                         0);
        snprintf(path, sizeof path, "%s/threads.csv", folder);
        assert_int_equal(samples_read(&now, path, &f), STATUS_OK);
        snprintf(path, sizeof path, "%s/old/threads.csv", folder);
        assert_int_equal(samples_read(&before, path, &f), STATUS_OK);
        assert_int_equal(before.report.missing_columns, RECORD_COLUMNS - kept[i]);
        assert_int_equal(before.point_count, now.point_count);
        assert_int_equal(before.launch_count, now.launch_count);
        assert_int_equal(before.sample_count, now.sample_count);
        assert_int_equal(before.report.rows, now.report.rows);
        samples_release(&now);
        samples_release(&before);
        assert_int_equal(run("cd %s/old && %s report --charts none --results . > out 2> err && "
                             "! grep -iw nan report.md && grep -q PRECISE report.md",
                             folder, study),
                         0);
    }
}

const struct tests_group tests_group = {make, remove_folder};

int main(void)
{
    return tests_end(tests_run());
}
