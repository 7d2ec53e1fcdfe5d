/* A point that several experiments of a folder measured has one set of launches, one time, one
 * interval and one status, whichever experiment shows it. A ratio never contradicts the two times
 * shown with it. Tested on the committed results. */
#include "experiments/common/results.h"
#include "experiments/common/text/numbering.h"
#include "experiments/report/report_data.h"
#include "experiments/samples/folder_samples.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const folders[] = {MAXPOOL_SOURCE_DIR "/results/reference/amd-epyc-zen4-2-cores",
                                      MAXPOOL_SOURCE_DIR
                                      "/results/reference/amd-epyc-zen4-2-cores-networks"};

enum { FOLDERS = sizeof folders / sizeof *folders };
static struct report_data pages[FOLDERS];

static int open_folders(NO_STATE)
{
    for (size_t i = 0; i < FOLDERS; i++) {
        struct failure why = {0};
        if (report_data_open(&pages[i], folders[i], definitions_folder(), "", NULL, 0, &why) !=
            STATUS_OK) {
            print_error("%s\n", why.message);
            return -1;
        }
    }
    return 0;
}

static int close_folders(NO_STATE)
{
    for (size_t i = 0; i < FOLDERS; i++)
        report_data_close(&pages[i]);
    return 0;
}

/* ---- one set of launches --------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const struct point *const *p = a, *const *q = b;
    return strcmp((*p)->samples->key, (*q)->samples->key);
}

/* Returns all points of all experiments, sorted by key; the caller frees them. */
static const struct point **all_points(const struct report_data *s, size_t *count)
{
    const struct point **all = NULL;
    *count = 0;
    for (size_t i = 0; i < s->count; i++)
        *count += s->experiments[i].analysis.point_count;
    all = calloc(*count + 1, sizeof *all);
    assert_non_null(all);
    *count = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->experiments[i].analysis.point_count; j++)
            all[(*count)++] = &s->experiments[i].analysis.points[j];
    qsort(all, *count, sizeof *all, by_key);
    return all;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_estimate(const struct estimate *a, const struct estimate *b)
{
    return a->launches == b->launches && a->samples == b->samples &&
           same_number(a->value, b->value) && same_number(a->interval.lower, b->interval.lower) &&
           same_number(a->interval.upper, b->interval.upper);
}

TEST(shared_points_are_one)
{
    for (size_t folder = 0; folder < FOLDERS; folder++) {
        size_t count, shared = 0, distinct = 0, differ = 0;
        const struct point **all = all_points(&pages[folder], &count);
        for (size_t i = 0; i < count; i++) {
            const bool repeats = i > 0 && by_key(&all[i - 1], &all[i]) == 0;
            distinct += !repeats;
            shared += repeats;
            if (!repeats)
                continue;
            const struct point *p = all[i - 1], *q = all[i];
            const bool same =
                same_estimate(&p->seconds[METRIC_TOTAL], &q->seconds[METRIC_TOTAL]) &&
                same_estimate(&p->seconds[METRIC_COMPUTE], &q->seconds[METRIC_COMPUTE]) &&
                p->trust == q->trust && p->target == q->target;
            if (!same)
                print_message("%s: %zu and %zu launches, %s and %s\n", p->label,
                              p->seconds[METRIC_TOTAL].launches, q->seconds[METRIC_TOTAL].launches,
                              trust_names[p->trust], trust_names[q->trust]);
            differ += !same;
        }
        print_message("%zu points, %zu distinct, %zu repeated\n", count, distinct, shared);
        assert_int_equal(differ, 0);
        size_t trusted[TRUSTS], reported = 0;
        report_data_trust(&pages[folder], trusted);
        for (size_t t = 0; t < TRUSTS; t++)
            reported += trusted[t];
        assert_int_equal(reported, distinct);
        free(all);
    }
}

/* Opens all experiments of a folder and returns a checksum of their points; 0 if one cannot be
 * opened. */
static double mark_of(struct inventory *in)
{
    double mark = 0.0;
    for (size_t i = 0; i < in->names.count; i++) {
        struct experiment e;
        struct failure why = {0};
        if (experiment_open(&e, in, i, &why) != STATUS_OK)
            return 0.0;
        mark += (double)e.analysis.samples.sample_count;
        for (size_t j = 0; j < e.analysis.point_count; j++) {
            const double seconds = e.analysis.points[j].seconds[METRIC_TOTAL].value;
            mark += seconds > 0.0 ? seconds * (double)(i + j + 1) : 0.0;
        }
        experiment_close(&e);
    }
    return mark;
}

static void copy_samples(const char *folder)
{
    static const char *const names[] = {"hybrid", "strong_scaling", "threads", "isa"};
    char line[2 * PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(line, sizeof line, "cp %s/%s.csv.gz %s", folders[0], names[i], folder);
        assert_int_equal(system(line), 0);
    }
}

static void remove_samples(const char *folder)
{
    char line[PATH_MAX];
    snprintf(line, sizeof line, "rm %s/*.csv.gz && rmdir %s", folder, folder);
    assert_int_equal(system(line), 0);
}

/* The inventory reads all that its experiments need, whether they share points or not: the files
 * may be removed afterwards. */
TEST(files_are_read_once)
{
    char folder[] = "/tmp/shared_points_XXXXXX";
    struct failure why = {0};
    struct inventory before, after;
    assert_non_null(mkdtemp(folder));
    copy_samples(folder);
    assert_int_equal(inventory_open(&before, folder, NULL, 0, &why), STATUS_OK);
    assert_int_equal(inventory_open(&after, folder, NULL, 0, &why), STATUS_OK);
    const double mark = mark_of(&before);
    remove_samples(folder);
    assert_true(mark > 0.0);
    print_message("a mark of %g, of %zu experiments\n", mark, before.names.count);
    assert_true(mark_of(&after) == mark);
    inventory_close(&before);
    inventory_close(&after);
}

/* ---- lack of memory -------------------------------------------------------------------------- */

/* Memory is lacking at this call of numbering_put, counted from 1; 0: never. */
static size_t lacking_call, calls;
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
ptrdiff_t __wrap_numbering_put(struct numbering *n, const char *text);
ptrdiff_t __real_numbering_put(struct numbering *n, const char *text);

ptrdiff_t __wrap_numbering_put(struct numbering *n, const char *text)
{
    return ++calls == lacking_call ? NUMBERING_FULL : __real_numbering_put(n, text);
}
// NOLINTEND(bugprone-reserved-identifier)

static enum status read_folder(struct folder_samples *out, const char *folder, size_t lacking)
{
    struct failure why = {0};
    lacking_call = lacking;
    calls = 0;
    const enum status status = folder_samples_read(out, folder, &why);
    lacking_call = 0;
    return status;
}

/* The keys of all points are the last that are numbered: lack of memory for any of them, the first
 * among them, is a failure. */
TEST(lack_of_memory_is_reported)
{
    char folder[] = "/tmp/shared_points_XXXXXX";
    struct folder_samples all;
    assert_non_null(mkdtemp(folder));
    copy_samples(folder);
    assert_int_equal(read_folder(&all, folder, 0), STATUS_OK);
    size_t points = 0;
    const size_t numbered = calls;
    for (size_t i = 0; i < all.count; i++)
        points += all.sets[i].point_count;
    folder_samples_release(&all);
    assert_true(points > 2 && numbered > points);
    const size_t lacking[] = {numbered - points + 1, numbered - points + 2, numbered};
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
        assert_int_equal(read_folder(&all, folder, lacking[i]), STATUS_RESOURCE);
    remove_samples(folder);
}

/* ---- ratios and the times shown with them ---------------------------------------------------- */

static bool contradicts(double numerator, double denominator, struct interval i)
{
    const double quotient = numerator / denominator;
    return !isnan(i.lower) && !isnan(quotient) &&
           !(i.lower <= quotient * (1.0 + 1e-12) && quotient <= i.upper * (1.0 + 1e-12));
}

static size_t speedups_against_times(const struct analysis *a, size_t *all)
{
    size_t wrong = 0;
    for (size_t i = 0; i < a->point_count; i++)
        for (size_t b = 0; b < BASELINES; b++)
            for (size_t m = 0; m < METRICS; m++) {
                const struct point *p = &a->points[i];
                const struct speedup *s = &p->speedup[b];
                if (s->point < 0 || isnan(s->value[m]))
                    continue;
                ++*all;
                wrong += contradicts(a->points[s->point].seconds[m].value, p->seconds[m].value,
                                     s->interval[m]);
            }
    return wrong;
}

TEST(ratios_hold_the_quotient_of_the_times)
{
    for (size_t folder = 0; folder < FOLDERS; folder++) {
        size_t all = 0, wrong = 0;
        for (size_t i = 0; i < pages[folder].count; i++) {
            const struct analysis *a = &pages[folder].experiments[i].analysis;
            wrong += speedups_against_times(a, &all);
            for (size_t j = 0; j < a->ratio_count; j++) {
                const struct ratio *r = &a->ratios[j];
                all++;
                wrong += contradicts(a->points[r->peer].seconds[METRIC_TOTAL].value,
                                     a->points[r->ours].seconds[METRIC_TOTAL].value, r->interval);
            }
        }
        print_message("%zu of %zu ratios exclude the quotient of the times beside them\n", wrong,
                      all);
        assert_int_equal(wrong, 0);
    }
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* Of twelve 95 % intervals, fewer than nine contain their point in one of ten thousand cases. */
TEST(predictions_hold_what_was_measured)
{
    size_t inside = 0, all = 0;
    for (size_t folder = 0; folder < FOLDERS; folder++)
        for (size_t i = 0; i < pages[folder].count; i++) {
            size_t count;
            inside += forecasts_inside(&pages[folder].experiments[i].forecasts, FORECAST_MEASURED,
                                       &count);
            all += count;
        }
    print_message("%zu of %zu measured points lie within the interval predicted for them\n", inside,
                  all);
    assert_true(all >= 12);
    assert_true(4 * inside >= 3 * all);
}

const struct tests_group tests_group = {open_folders, close_folders};
