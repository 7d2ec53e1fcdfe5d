#include "experiments/analysis/analysis.h"
#include "experiments/analysis/comparison.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/samples/point.h"
#include "experiments/samples/samples.h"
#include "harness/base/statistics.h"
#include "harness/records/bytes.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SEED = 35 };

struct tally {
    size_t verdicts[COMPARISON_UNDECIDED + 1];
    size_t only_a, only_b, few, suspect, wrong;
};

/* One of the two files, with what is known of the machine of its folder: that tells how far its
 * times can be trusted. */
struct side {
    char folder[PATH_MAX], name[NAME_MAX + 1];
    struct machine_facts machine;
    struct ceilings ceilings;
    struct analysis analysis;
};

struct comparing {
    double margin;
    enum phase phase;
    gsl_rng *dice;
    struct tally tally;
};

/* ---- a side -----------------------------------------------------------------------------------
 */

static void side_close(struct side *s)
{
    analysis_release(&s->analysis);
    ceilings_release(&s->ceilings);
    machine_facts_release(&s->machine);
}

/* R and NAME of R/NAME.csv; "." where there is no folder. */
static void name_side(struct side *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const int span = slash ? (int)(slash - path) : 1;
    snprintf(s->folder, sizeof s->folder, "%.*s", slash == path ? 1 : span, slash ? path : ".");
    snprintf(s->name, sizeof s->name, "%.*s", (int)strcspn(name, "."), name);
}

static enum status side_open(struct side *s, const char *path, struct failure *f)
{
    *s = (struct side){0};
    name_side(s, path);
    const struct results_path journal = results_journal(s->folder, s->name);
    enum status status = machine_facts_read(&s->machine, results_environment(s->folder).text, f);
    if (status == STATUS_OK)
        status = ceilings_read(&s->ceilings, results_file(s->folder, "ceilings.csv").text, f);
    const struct analysis_request request = {.name = s->name,
                                             .path = path,
                                             .baseline_method = "",
                                             .relative_ci = 0.02,
                                             .journal = journal.text,
                                             .machine = &s->machine,
                                             .ceilings = s->ceilings.count ? &s->ceilings : NULL};
    return status == STATUS_OK ? analysis_make(&s->analysis, &request, f) : status;
}

/* The cause by which a time is doubted: the gravest; NULL: it is not. */
static const struct reason *doubt(const struct point *p)
{
    for (size_t i = 0; p->trust >= TRUST_SUSPECT && i < p->reason_count; i++)
        if (p->reasons[i].trust == p->trust)
            return &p->reasons[i];
    return NULL;
}

/* ---- points -----------------------------------------------------------------------------------
 */

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

/* Why there is no verdict: the first side whose times are doubted, or that there are too few. */
static void tell_note(const struct comparison *c, const struct point *p, const struct point *q,
                      char *note, size_t size)
{
    const struct reason *of_a = doubt(p), *of_b = doubt(q), *r = of_a ? of_a : of_b;
    note[0] = '\0';
    if (c->verdict != COMPARISON_UNDECIDED)
        return;
    if (r)
        snprintf(note, size, " (%s in %s: %s)",
                 trust_word(of_a ? p->trust : q->trust, &language_english),
                 of_a && of_b ? "A and B"
                 : of_a       ? "A"
                              : "B",
                 reason_name(r, &language_english));
    else if (!comparison_possible(c->launches_a, c->launches_b))
        snprintf(note, size, " (too few launches: 4 of each decide)");
}

static void print_result(const struct point *p, const struct point *q, const struct comparison *c)
{
    char label[192], note[REASON_TEXT];
    point_label(&p->samples->identity, label, sizeof label);
    tell_note(c, p, q, note, sizeof note);
    printf("%-52s %7.4f [%.4f, %.4f]  %zu/%zu launches  %s%s\n", label, c->ratio, c->lower,
           c->upper, c->launches_a, c->launches_b, comparison_names[c->verdict], note);
}

static enum status compare_times(struct comparing *with, const struct samples *a,
                                 const struct point_samples *p, const struct samples *b,
                                 const struct point_samples *q, struct comparison *c,
                                 struct failure *f)
{
    size_t most = a->sample_count > b->sample_count ? a->sample_count : b->sample_count;
    double *values = malloc((most + 1) * sizeof *values);
    double *medians = malloc((p->count + q->count + 1) * sizeof *medians);
    int result = -1;
    if (values && medians) {
        size_t count_a = launch_medians(a, p, with->phase, medians, values);
        size_t count_b = launch_medians(b, q, with->phase, medians + count_a, values);
        result = compare_launches(c, medians, count_a, medians + count_a, count_b, with->margin,
                                  with->dice);
    }
    free(values);
    free(medians);
    return result == 0 ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory to compare");
}

/* Times that are doubted decide nothing, whichever side they are of. */
static enum status compare_point(struct comparing *with, const struct side *a,
                                 const struct point *p, const struct side *b, const struct point *q,
                                 struct failure *f)
{
    struct comparison c;
    const enum status status = compare_times(with, &a->analysis.samples, p->samples,
                                             &b->analysis.samples, q->samples, &c, f);
    if (status != STATUS_OK)
        return status;
    if (doubt(p) || doubt(q)) {
        c.verdict = COMPARISON_UNDECIDED;
        with->tally.suspect++;
    } else {
        with->tally.few += !comparison_possible(c.launches_a, c.launches_b);
    }
    with->tally.verdicts[c.verdict]++;
    with->tally.wrong += any_wrong(&b->analysis.samples, q->samples);
    print_result(p, q, &c);
    return STATUS_OK;
}

static const struct point *find_point(const struct analysis *a, const char *key)
{
    for (size_t i = 0; i < a->point_count; i++)
        if (strcmp(a->points[i].samples->key, key) == 0)
            return &a->points[i];
    return NULL;
}

static enum status compare_sides(struct comparing *with, const struct side *a, const struct side *b,
                                 struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < a->analysis.point_count && status == STATUS_OK; i++) {
        const struct point *p = &a->analysis.points[i];
        const struct point *q = find_point(&b->analysis, p->samples->key);
        if (q)
            status = compare_point(with, a, p, b, q, f);
        else
            with->tally.only_a++;
    }
    for (size_t i = 0; i < b->analysis.point_count; i++)
        with->tally.only_b += !find_point(&a->analysis, b->analysis.points[i].samples->key);
    return status;
}

/* ---- files and folders ------------------------------------------------------------------------
 */

static enum status compare_files(struct comparing *with, const char *path_a, const char *path_b,
                                 struct failure *f)
{
    struct side a, b = {.folder = ""};
    enum status status = side_open(&a, path_a, f);
    if (status == STATUS_OK)
        status = side_open(&b, path_b, f);
    if (status == STATUS_OK)
        status = compare_sides(with, &a, &b, f);
    side_close(&a);
    side_close(&b);
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

static void print_tally(const struct tally *t, size_t compared)
{
    printf("\n%zu point%s: %zu faster, %zu slower, %zu same, %zu undecided (%zu of times that are "
           "doubted, %zu of too few launches); %zu only in A, %zu only in B\n",
           compared, compared == 1 ? "" : "s", t->verdicts[COMPARISON_FASTER],
           t->verdicts[COMPARISON_SLOWER], t->verdicts[COMPARISON_SAME],
           t->verdicts[COMPARISON_UNDECIDED], t->suspect, t->few, t->only_a, t->only_b);
    printf("By chance alone about %.1f of %zu would be called different.\n",
           0.05 * (double)(compared - t->few - t->suspect), compared);
}

/* The status that gates: 1 where a point became slower, or its results wrong; otherwise 3 where the
 * times of a point are doubted: no verdict is to be had of them. */
static enum status conclude(const struct tally *t, struct failure *f)
{
    const size_t slower = t->verdicts[COMPARISON_SLOWER];
    const size_t compared = t->verdicts[COMPARISON_FASTER] + slower + t->verdicts[COMPARISON_SAME] +
                            t->verdicts[COMPARISON_UNDECIDED];
    print_tally(t, compared);
    if (t->wrong)
        return fail(f, STATUS_WRONG, "%zu point%s of B ha%s wrong results", t->wrong,
                    t->wrong == 1 ? "" : "s", t->wrong == 1 ? "s" : "ve");
    if (slower)
        return fail(f, STATUS_WRONG, "%zu of %zu points became slower", slower, compared);
    if (t->suspect)
        return fail(f, STATUS_UNAVAILABLE,
                    "%zu of %zu points are UNDECIDED: their times are SUSPECT or INVALID",
                    t->suspect, compared);
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
        "A B",
        "Holds the samples of B against those of A (files or folders of results): per\n"
        "point the ratio of times with its 95 % interval, and whether B is faster,\n"
        "slower, the same within the margin, or undecided; always undecided where the\n"
        "times of either side are SUSPECT. Status 1 where a point is slower or wrong,\n"
        "otherwise 3 where one is undecided because its times are SUSPECT. Whole\n"
        "launches are the unit: 4 of each are needed.",
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
