#include "experiments/analysis/analysis.h"
#include "experiments/analysis/inventory.h"
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/session_comparison.h"
#include "experiments/commands/commands.h"
#include "experiments/commands/detectable.h"
#include "experiments/common/arguments.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/lists.h"
#include "experiments/common/results.h"
#include "experiments/common/text/numbering.h"
#include "experiments/samples/point.h"
#include "experiments/samples/samples.h"
#include "harness/base/statistics.h"
#include "harness/base/text/screen.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SEED = 35, FEWEST_LAUNCHES = 4 };

struct comparison_counts {
    size_t verdicts[COMPARISON_UNDECIDED + 1];
    size_t only_a, only_b, few, suspect, wrong;
};

/* One of the two files, with the facts about the machine of its folder: they show how far its times
 * can be trusted. */
struct side {
    char folder[PATH_MAX], name[NAME_MAX + 1];
    struct machine_facts machine;
    struct ceilings ceilings;
    struct folder_samples samples; /* unless the path is that of a file */
    struct analysis analysis;
};

/* One point on both sides. */
struct compared {
    char experiment[NAME_MAX + 1], label[192], note[REASON_TEXT];
    double *medians; /* of its launches, first those of A, then those of B; owned */
};

struct comparing {
    double margin;
    enum phase phase;
    gsl_rng *rng;
    struct comparison_counts tally;
    struct numbering keys; /* of the points, so that each is compared only once */
    struct compared *points;
    struct session_point *times; /* one per point, in the order of `points`, as are ... */
    struct comparison *results;
    size_t count;
    struct session_shift shift;
};

/* ---- a side ---------------------------------------------------------------------------------- */

static void side_close(struct side *s)
{
    analysis_release(&s->analysis);
    folder_samples_release(&s->samples);
    ceilings_release(&s->ceilings);
    machine_facts_release(&s->machine);
}

/* Splits R/NAME.csv into the folder R ("." if the path has none) and NAME. */
static void name_side(struct side *s, const char *path)
{
    const char *name = file_name(path);
    const int before = (int)(name - path); /* with the slash */
    snprintf(s->folder, sizeof s->folder, "%.*s", before > 1 ? before - 1 : 1,
             before > 0 ? path : ".");
    snprintf(s->name, sizeof s->name, "%.*s", (int)strcspn(name, "."), name);
}

/* The samples are those of the file at the path, or if there is none, those that R/samples.csv has
 * of the experiment NAME. */
static enum status analyse_side(struct side *s, const char *path, struct failure *f)
{
    const struct results_path journal = results_name_is_safe(s->name)
                                            ? results_own_journal(s->folder, s->name)
                                            : results_journal(s->folder);
    struct analysis_request request = {.name = s->name,
                                       .path = path,
                                       .baseline_method = "",
                                       .journal = journal.text,
                                       .machine = &s->machine,
                                       .ceilings = s->ceilings.count ? &s->ceilings : NULL};
    if (!results_is_there(path) && inventory_is_results(s->folder)) {
        const enum status status = folder_samples_read(&s->samples, s->folder, f);
        if (status != STATUS_OK)
            return status;
        request.index = folder_samples_find(&s->samples, s->name);
        request.samples = request.index < s->samples.count ? &s->samples : NULL;
    }
    return analysis_make(&s->analysis, &request, f);
}

static enum status side_open(struct side *s, const char *path, struct failure *f)
{
    *s = (struct side){0};
    name_side(s, path);
    enum status status = machine_facts_read(&s->machine, results_environment(s->folder).text, f);
    if (status == STATUS_OK)
        status = ceilings_read(&s->ceilings, results_file(s->folder, "ceilings.csv").text, f);
    return status == STATUS_OK ? analyse_side(s, path, f) : status;
}

/* Returns the gravest reason to doubt a time; NULL if there is none. */
static const struct reason *doubt(const struct point *p)
{
    for (size_t i = 0; p->trust >= TRUST_SUSPECT && i < p->reason_count; i++)
        if (p->reasons[i].trust == p->trust)
            return &p->reasons[i];
    return NULL;
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Writes the median seconds of each launch of a point. A launch counts only if its median is above
 * 0. Returns how many count. */
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

/* Describes which side's times are doubted, and why; "" if neither is. */
static void describe_doubt(const struct point *p, const struct point *q, char *note, size_t size)
{
    const struct language *l = screen_language();
    const struct reason *of_a = doubt(p), *of_b = doubt(q), *r = of_a ? of_a : of_b;
    note[0] = '\0';
    if (r)
        message_format(note, size, l, " (%{trust} in %{sides}: %{reason})",
                       WITH({"trust", trust_word(of_a ? p->trust : q->trust, l)},
                            {"sides", of_a && of_b ? message(l, "A and B")
                                      : of_a       ? "A"
                                                   : "B"},
                            {"reason", reason_name(r, l)}));
}

/* Adds one point with space for the medians of `launches` launches; NULL if memory is lacking. */
static struct compared *add_compared(struct comparing *with, size_t launches)
{
    struct compared *points = array_grow(with->points, with->count, sizeof *points);
    with->points = points ? points : with->points;
    struct comparison *results = array_grow(with->results, with->count, sizeof *results);
    with->results = results ? results : with->results;
    struct session_point *times = array_grow(with->times, with->count, sizeof *times);
    with->times = times ? times : with->times;
    double *medians = malloc((launches + 1) * sizeof *medians);
    if (!points || !results || !times || !medians) {
        free(medians);
        return NULL;
    }
    points[with->count] = (struct compared){.medians = medians};
    return &points[with->count++];
}

static bool take_point(struct comparing *with, const struct analysis *a, const struct point *p,
                       const struct analysis *b, const struct point *q)
{
    const struct samples *s = &a->samples, *t = &b->samples;
    const size_t most = s->sample_count > t->sample_count ? s->sample_count : t->sample_count;
    double *values = malloc((most + 1) * sizeof *values);
    struct compared *c = values ? add_compared(with, p->samples->count + q->samples->count) : NULL;
    if (c) {
        snprintf(c->experiment, sizeof c->experiment, "%s", a->name);
        point_label(&p->samples->identity, c->label, sizeof c->label);
        describe_doubt(p, q, c->note, sizeof c->note);
        struct session_point *of = &with->times[with->count - 1];
        *of = (struct session_point){
            .medians = c->medians, .anchor = p->peer, .doubted = doubt(p) || doubt(q)};
        of->count_a = launch_medians(s, p->samples, with->phase, c->medians, values);
        of->count_b = launch_medians(t, q->samples, with->phase, c->medians + of->count_a, values);
        with->tally.wrong += any_wrong(t, q->samples);
    }
    free(values);
    return c != NULL;
}

static const struct point *find_point(const struct analysis *a, const char *key)
{
    for (size_t i = 0; i < a->point_count; i++)
        if (strcmp(a->points[i].samples->key, key) == 0)
            return &a->points[i];
    return NULL;
}

/* Gathers the points that both sides have; a point of several experiments is taken once. Status 2
 * if both sides have points, but none in common. */
static enum status gather(struct comparing *with, const struct analysis *a,
                          const struct analysis *b, struct failure *f)
{
    size_t both = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i], *q = find_point(b, p->samples->key);
        const size_t known = with->keys.count;
        const ptrdiff_t at = q ? numbering_put(&with->keys, p->samples->key) : 0;
        both += q != NULL;
        with->tally.only_a += !q;
        if (at < 0 || (q && (size_t)at == known && !take_point(with, a, p, b, q)))
            return fail(f, STATUS_RESOURCE, "not enough memory to compare");
    }
    for (size_t i = 0; i < b->point_count; i++)
        with->tally.only_b += !find_point(a, b->points[i].samples->key);
    if (both || !a->point_count || !b->point_count)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "%s: none of the %zu points of A is among the %zu of B: their definitions differ",
                a->name, a->point_count, b->point_count);
}

/* ---- files and folders ----------------------------------------------------------------------- */

/* Refuses different machines: their times do not compare two builds. */
static enum status check_machines(const struct machine_facts *a, const struct machine_facts *b,
                                  struct failure *f)
{
    if (a->cpu[0] && b->cpu[0] && strcmp(a->cpu, b->cpu) != 0)
        return fail(f, STATUS_USAGE,
                    "A was measured on %s, B on %s: 'study report --results A --results B' shows "
                    "machines side by side",
                    a->cpu, b->cpu);
    if (a->cores > 0.0 && b->cores > 0.0 && a->cores != b->cores)
        return fail(f, STATUS_USAGE, "A was measured with %.0f cores, B with %.0f", a->cores,
                    b->cores);
    return STATUS_OK;
}

static enum status compare_files(struct comparing *with, const char *path_a, const char *path_b,
                                 struct failure *f)
{
    struct side a, b = {.folder = ""};
    enum status status = side_open(&a, path_a, f);
    if (status == STATUS_OK)
        status = side_open(&b, path_b, f);
    if (status == STATUS_OK)
        status = check_machines(&a.machine, &b.machine, f);
    if (status == STATUS_OK)
        status = gather(with, &a.analysis, &b.analysis, f);
    side_close(&a);
    side_close(&b);
    return status;
}

static enum status compare_experiment(struct comparing *with, struct inventory *a, size_t of_a,
                                      struct inventory *b, size_t of_b, struct failure *f)
{
    struct experiment p, q;
    if (experiment_open(&p, a, of_a, f) != STATUS_OK)
        return f->status;
    enum status status = experiment_open(&q, b, of_b, f);
    if (status == STATUS_OK) {
        status = gather(with, &p.analysis, &q.analysis, f);
        experiment_close(&q);
    }
    experiment_close(&p);
    return status;
}

/* Compares every experiment that both folders have. */
static enum status compare_inventories(struct comparing *with, struct inventory *a,
                                       struct inventory *b, struct failure *f)
{
    size_t both = 0;
    enum status status = check_machines(&a->machine, &b->machine, f);
    for (size_t i = 0; i < a->names.count && status == STATUS_OK; i++)
        for (size_t j = 0; j < b->names.count && status == STATUS_OK; j++)
            if (strcmp(a->names.items[i], b->names.items[j]) == 0) {
                both++;
                status = compare_experiment(with, a, i, b, j, f);
            }
    if (status == STATUS_OK && both == 0)
        return fail(f, STATUS_USAGE, "%s and %s have no experiment in common", a->folder,
                    b->folder);
    return status;
}

static enum status compare_folders(struct comparing *with, const char *path_a, const char *path_b,
                                   struct failure *f)
{
    struct inventory a, b;
    if (inventory_open(&a, path_a, NULL, 0, f) != STATUS_OK)
        return f->status;
    enum status status = inventory_open(&b, path_b, NULL, 0, f);
    if (status == STATUS_OK) {
        status = compare_inventories(with, &a, &b, f);
        inventory_close(&b);
    }
    inventory_close(&a);
    return status;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static bool is_few(const struct comparing *with, size_t i)
{
    return !with->times[i].doubted && !session_point_is_decided(&with->times[i]);
}

static void count_verdicts(struct comparing *with)
{
    struct comparison_counts *t = &with->tally;
    for (size_t i = 0; i < with->count; i++) {
        t->verdicts[with->results[i].verdict]++;
        t->suspect += with->times[i].doubted;
        t->few += is_few(with, i);
    }
}

/* ---- what is printed ------------------------------------------------------------------------- */

static size_t decided(const struct comparing *with)
{
    return with->count - with->tally.suspect - with->tally.few;
}

static void print_points(const struct comparing *with)
{
    const struct language *l = screen_language();
    const char *experiment = "";
    for (size_t i = 0; i < with->count; i++) {
        const struct compared *p = &with->points[i];
        const struct comparison *c = &with->results[i];
        if (strcmp(p->experiment, experiment) != 0)
            puts(p->experiment);
        experiment = p->experiment;
        printf("%-52s ", p->label);
        screen_left(stdout,
                    number_compared(l, c->ratio, (struct interval){c->lower, c->upper}).text, 25);
        screen_say(stdout, "%{a}/%{b} launches  %{verdict}",
                   WITH({"a", number_of(c->launches_a).text}, {"b", number_of(c->launches_b).text},
                        {"verdict", message(l, comparison_names[c->verdict])}));
        fputs(p->note, stdout);
        if (is_few(with, i))
            screen_say(stdout, " (too few launches: %{least} of each decide)",
                       WITH({"least", number_text("%d", FEWEST_LAUNCHES).text}));
        putchar('\n');
    }
}

/* Prints how large a change of one point would have been found. */
static void print_detectable(const struct comparing *with)
{
    bool *left_out = calloc(with->count + 1, sizeof *left_out);
    for (size_t i = 0; left_out && i < with->count; i++)
        left_out[i] = with->times[i].doubted;
    const struct detectable d = {.all = with->results,
                                 .left_out = left_out,
                                 .count = with->count,
                                 .decided = decided(with),
                                 .margin = with->shift.margin,
                                 .needed = comparison_launches_needed(decided(with)),
                                 .unit = N_("launches of each side")};
    if (left_out)
        detectable_print(&d);
    free(left_out);
}

/* Prints by how much the two sessions differ, or may differ. */
static void print_sessions(const struct comparing *with)
{
    const struct language *l = screen_language();
    const struct session_shift *s = &with->shift;
    const double moved = 100.0 * (s->moved - 1.0), reach = 100.0 * (s->reach - 1.0),
                 beyond = 100.0 * s->margin;
    const struct number counts = number_in(l, "%.1f", beyond);
    if (s->source == SESSION_ANCHORS)
        screen_say_plural(
            stdout,
            "A and B are two sessions. %{n} point of other libraries, which no build of ours "
            "changes, moved by up to %{moved} %, or %{reach} % with the uncertainty of that: a "
            "change counts beyond %{beyond} %.\n",
            "A and B are two sessions. %{n} points of other libraries, which no build of ours "
            "changes, moved by up to %{moved} %, or %{reach} % with the uncertainty of that: a "
            "change counts beyond %{beyond} %.\n",
            s->points,
            WITH({"moved", number_in(l, "%.1f", moved).text},
                 {"reach", number_in(l, "%.1f", reach).text}, {"beyond", counts.text}));
    else if (s->source == SESSION_POINTS)
        screen_say(
            stdout,
            "A and B are two sessions, and no point of another library shows what the machine "
            "changed between them. The median of %{points} points moved by %{moved} %, of the "
            "machine or of the build: a change counts beyond %{beyond} %. 'study duet A B' tells "
            "the two apart.\n",
            WITH({"points", number_of(s->points).text},
                 {"moved", number_in(l, "%+.1f", moved).text}, {"beyond", counts.text}));
    else
        screen_say(
            stdout,
            "A and B are two sessions, and neither a point of another library nor %{least} points "
            "of ours show what the machine changed between them: no point is called faster or "
            "slower. 'study duet A B' times both builds in one session.\n",
            WITH({"least", number_text("%d", SESSION_FEWEST_POINTS).text}));
}

static void print_tally(const struct comparing *with)
{
    const struct comparison_counts *t = &with->tally;
    putchar('\n');
    screen_say_plural(
        stdout,
        "%{n} point: %{faster} faster, %{slower} slower, %{same} same, %{undecided} undecided "
        "(%{suspect} of times that are doubted, %{few} of too few launches); %{a} only in A, %{b} "
        "only in B\n",
        "%{n} points: %{faster} faster, %{slower} slower, %{same} same, %{undecided} undecided "
        "(%{suspect} of times that are doubted, %{few} of too few launches); %{a} only in A, %{b} "
        "only in B\n",
        with->count,
        WITH({"faster", number_of(t->verdicts[COMPARISON_FASTER]).text},
             {"slower", number_of(t->verdicts[COMPARISON_SLOWER]).text},
             {"same", number_of(t->verdicts[COMPARISON_SAME]).text},
             {"undecided", number_of(t->verdicts[COMPARISON_UNDECIDED]).text},
             {"suspect", number_of(t->suspect).text}, {"few", number_of(t->few).text},
             {"a", number_of(t->only_a).text}, {"b", number_of(t->only_b).text}));
    screen_say(stdout,
               "Verdicts are corrected for the number of points: of equal builds 95 of 100 "
               "comparisons call none of them faster or slower.\n",
               NULL);
    print_sessions(with);
    print_detectable(with);
}

/* Returns the exit status for scripts: 1 if a point became slower or its results are wrong;
 * otherwise 3 if the times of a point are doubted, or if nothing shows by how much the sessions
 * differ, so that no verdict is possible. */
static enum status conclude(struct comparing *with, struct failure *f)
{
    if (compare_sessions(&with->shift, with->results, with->times, with->count, with->margin,
                         with->rng) != 0)
        return fail(f, STATUS_RESOURCE, "not enough memory to compare");
    const struct comparison_counts *t = &with->tally;
    count_verdicts(with);
    print_points(with);
    print_tally(with);
    if (t->wrong)
        return fail(f, STATUS_WRONG, "%zu point%s of B: wrong results", t->wrong,
                    t->wrong == 1 ? "" : "s");
    if (t->verdicts[COMPARISON_SLOWER])
        return fail(f, STATUS_WRONG, "%zu of %zu points became slower",
                    t->verdicts[COMPARISON_SLOWER], with->count);
    if (t->suspect)
        return fail(f, STATUS_UNAVAILABLE,
                    "%zu of %zu points are UNDECIDED: their times are SUSPECT or INVALID",
                    t->suspect, with->count);
    if (with->shift.withheld)
        return fail(f, STATUS_UNAVAILABLE,
                    "%zu of %zu points took other times in B, by the build or by the session: "
                    "'study duet A B' shows which",
                    with->shift.withheld, with->count);
    return STATUS_OK;
}

static void comparing_close(struct comparing *with)
{
    for (size_t i = 0; i < with->count; i++)
        free(with->points[i].medians);
    free(with->points);
    free(with->times);
    free(with->results);
    numbering_release(&with->keys);
    gsl_rng_free(with->rng);
}

enum status command_compare(int argc, char **argv, struct failure *f)
{
    double margin = 0.02;
    bool compute = false;
    const struct option_row options[] = {
        {"margin", VALUE_REAL, "M",
         "largest relative change that still counts as the same (default 0.02)", .target = &margin},
        {"compute", VALUE_FLAG, NULL, "compare compute times instead of total times",
         .target = &compute},
    };
    const struct usage usage = {
        "A B",
        "Compares the samples of B with those of A (files or folders of results). For each point "
        "it\n"
        "prints the ratio of the times with its 95 % interval and a verdict: B is faster, slower, "
        "or\n"
        "the same within the margin; or the samples leave it undecided. Verdicts are corrected "
        "for\n"
        "the number of points. A point is always undecided where the times of A or B are SUSPECT.\n"
        "Each side needs at least four launches of a point, and more where there are many points.\n"
        "A and B are two sessions: points of other libraries show how far the machine changed, or\n"
        "else ten points or more of ours.\n"
        "\n"
        "Exit status: 1 a point is slower or wrong, otherwise 3 a point is undecided because its\n"
        "times are SUSPECT or nothing shows what the sessions differ by, otherwise 0.",
        options,
        sizeof options / sizeof *options,
        2,
        2};
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (!(margin >= 0.0 && margin < 1.0))
        return fail(f, STATUS_USAGE, "--margin must be from 0 to below 1");
    struct comparing with = {.margin = margin,
                             .phase = compute ? PHASE_COMPUTE : PHASE_TOTAL,
                             .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    if (!with.rng)
        return fail(f, STATUS_RESOURCE, "not enough memory to compare");
    gsl_rng_set(with.rng, SEED);
    struct stat about;
    bool folder = stat(argv[1], &about) == 0 && S_ISDIR(about.st_mode);
    enum status status = (folder ? compare_folders : compare_files)(&with, argv[1], argv[2], f);
    if (status == STATUS_OK)
        status = conclude(&with, f);
    comparing_close(&with);
    return status;
}
