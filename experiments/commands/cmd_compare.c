#include "experiments/analysis/comparison.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/samples/point.h"
#include "experiments/samples/samples.h"
#include "harness/base/statistics.h"
#include "harness/records/bytes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SEED = 35 };

struct tally {
    size_t verdicts[COMPARISON_UNDECIDED + 1];
    size_t only_a, only_b, few, wrong;
};

struct comparing {
    double margin;
    enum phase phase;
    gsl_rng *dice;
    struct tally tally;
};

/* Median seconds of each launch of a point; returns how many launches have any above 0. */
static size_t launch_medians(const struct samples *s, const struct point_samples *p,
                             enum phase phase, double *medians, double *values)
{
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t count = samples_phase(s, &s->launches[p->first + i], phase, values);
        double median = median_of(values, count);
        if (median > 0.0)
            medians[n++] = median;
    }
    return n;
}

static bool any_wrong(const struct samples *s, const struct point_samples *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(s->launches[p->first + i].verified, "wrong") == 0)
            return true;
    return false;
}

static void print_result(const struct point_samples *p, const struct comparison *c)
{
    char label[192];
    point_label(&p->identity, label, sizeof label);
    const char *note = comparison_possible(c->launches_a, c->launches_b)
                           ? ""
                           : " (too few launches: 4 of each decide)";
    printf("%-52s %7.4f [%.4f, %.4f]  %zu/%zu launches  %s%s\n", label, c->ratio, c->lower,
           c->upper, c->launches_a, c->launches_b, comparison_names[c->verdict], note);
}

static enum status compare_point(struct comparing *with, const struct samples *a,
                                 const struct point_samples *p, const struct samples *b,
                                 const struct point_samples *q, struct failure *f)
{
    size_t most = a->sample_count > b->sample_count ? a->sample_count : b->sample_count;
    double *values = malloc((most + 1) * sizeof *values);
    double *medians = malloc((p->count + q->count + 1) * sizeof *medians);
    struct comparison c;
    int result = -1;
    if (values && medians) {
        size_t count_a = launch_medians(a, p, with->phase, medians, values);
        size_t count_b = launch_medians(b, q, with->phase, medians + count_a, values);
        result = compare_launches(&c, medians, count_a, medians + count_a, count_b, with->margin,
                                  with->dice);
    }
    free(values);
    free(medians);
    if (result != 0)
        return fail(f, STATUS_RESOURCE, "not enough memory to compare");
    with->tally.verdicts[c.verdict]++;
    with->tally.few += !comparison_possible(c.launches_a, c.launches_b);
    with->tally.wrong += any_wrong(b, q);
    print_result(p, &c);
    return STATUS_OK;
}

static const struct point_samples *find_point(const struct samples *s, const char *key)
{
    for (size_t i = 0; i < s->point_count; i++)
        if (strcmp(s->points[i].key, key) == 0)
            return &s->points[i];
    return NULL;
}

static enum status compare_samples(struct comparing *with, const struct samples *a,
                                   const struct samples *b, struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < a->point_count && status == STATUS_OK; i++) {
        const struct point_samples *q = find_point(b, a->points[i].key);
        if (q)
            status = compare_point(with, a, &a->points[i], b, q, f);
        else
            with->tally.only_a++;
    }
    for (size_t i = 0; i < b->point_count; i++)
        with->tally.only_b += !find_point(a, b->points[i].key);
    return status;
}

static enum status compare_files(struct comparing *with, const char *path_a, const char *path_b,
                                 struct failure *f)
{
    struct samples a = {0}, b = {0};
    enum status status = samples_read(&a, path_a, f);
    if (status == STATUS_OK)
        status = samples_read(&b, path_b, f);
    if (status == STATUS_OK)
        status = compare_samples(with, &a, &b, f);
    samples_release(&a);
    samples_release(&b);
    return status;
}

static int select_csv(const struct dirent *item)
{
    const char *dot = strchr(item->d_name, '.');
    return dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".csv.gz") == 0) &&
           strncmp(item->d_name, "ceilings.", strlen("ceilings.")) != 0;
}

/* Every experiment that both folders hold, packed or not. */
static enum status compare_folders(struct comparing *with, const char *a, const char *b,
                                   struct failure *f)
{
    struct dirent **items = NULL;
    int count = scandir(a, &items, select_csv, alphasort);
    size_t both = 0;
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        char *name = items[i]->d_name;
        name[strcspn(name, ".")] = '\0';
        const struct results_path left = results_samples(a, name), right = results_samples(b, name);
        if (status == STATUS_OK && bytes_are_there(right.text)) {
            both++;
            printf("%s.csv\n", name);
            status = compare_files(with, left.text, right.text, f);
        }
        free(items[i]);
    }
    free(items);
    if (status == STATUS_OK && both == 0)
        return fail(f, STATUS_USAGE, "%s and %s have no experiment in common", a, b);
    return status;
}

/* The status that gates: 1 where a point became slower, or its results wrong. */
static enum status conclude(const struct tally *t, struct failure *f)
{
    size_t faster = t->verdicts[COMPARISON_FASTER], slower = t->verdicts[COMPARISON_SLOWER];
    size_t compared =
        faster + slower + t->verdicts[COMPARISON_SAME] + t->verdicts[COMPARISON_UNDECIDED];
    printf(
        "\n%zu points: %zu faster, %zu slower, %zu same, %zu undecided (%zu of too few launches); "
        "%zu only in A, %zu only in B\n",
        compared, faster, slower, t->verdicts[COMPARISON_SAME], t->verdicts[COMPARISON_UNDECIDED],
        t->few, t->only_a, t->only_b);
    printf("By chance alone about %.1f of %zu would be called different.\n",
           0.05 * (double)(compared - t->few), compared);
    if (t->wrong)
        return fail(f, STATUS_WRONG, "%zu points of B have wrong results", t->wrong);
    if (slower)
        return fail(f, STATUS_WRONG, "%zu of %zu points became slower", slower, compared);
    return STATUS_OK;
}

enum status command_compare(int argc, char **argv, struct failure *f)
{
    double margin = 0.02;
    bool compute = false;
    const struct option_row options[] = {
        {"margin", OPTION_REAL, "M", "change that does not matter, as a share (default 0.02)",
         &margin},
        {"compute", OPTION_FLAG, NULL, "compare compute instead of total", &compute},
    };
    const struct usage usage = {
        "A B [OPTION]...",
        "Holds the samples of B against those of A (files or folders of results): per\n"
        "point the ratio of times with its 95 % interval, and whether B is faster,\n"
        "slower, the same within the margin, or undecided. Status 1 where a point is\n"
        "slower or wrong. Whole launches are the unit: 4 of each are needed.",
        options,
        sizeof options / sizeof *options,
        2,
        2};
    int operands;
    bool help = false;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    if (!(margin >= 0.0 && margin < 1.0))
        return fail(f, STATUS_USAGE, "--margin must be from 0 to below 1");
    struct comparing with = {.margin = margin,
                             .phase = compute ? PHASE_COMPUTE : PHASE_TOTAL,
                             .dice = gsl_rng_alloc(gsl_rng_mt19937)};
    if (!with.dice)
        return fail(f, STATUS_RESOURCE, "not enough memory to compare");
    gsl_rng_set(with.dice, SEED);
    struct stat about;
    bool folder = stat(argv[1], &about) == 0 && S_ISDIR(about.st_mode);
    status = (folder ? compare_folders : compare_files)(&with, argv[1], argv[2], f);
    gsl_rng_free(with.dice);
    return status == STATUS_OK ? conclude(&with.tally, f) : status;
}
