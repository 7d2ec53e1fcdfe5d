#include "experiments/analysis/inventory.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/findings.h"
#include "experiments/report/claims/selected_charts.h"
#include "experiments/samples/point.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_sentence(const char *sentence, void *context)
{
    (void)context;
    printf("  %s\n", sentence);
}

/* Prints which rows were left out, and where. */
static void print_left_out(const struct experiment *e)
{
    const struct record_report *r = &e->analysis.samples.report;
    if (r->corrupt)
        printf("  left out: %lld corrupt rows, the first in line %lld of %s: %s\n",
               (long long)r->corrupt, (long long)r->first_corrupt_line, e->samples_path,
               r->first_corrupt);
    if (r->torn)
        printf("  left out: an incomplete last line of %s\n", e->samples_path);
    if (r->missing_columns || r->unknown_columns)
        printf("  columns: %lld not in the file, %lld unknown to this version\n",
               (long long)r->missing_columns, (long long)r->unknown_columns);
}

static bool has_reason(const struct point *p, const struct reason *r)
{
    for (size_t i = 0; i < p->reason_count; i++)
        if (p->reasons[i].trust == r->trust &&
            strcmp(reason_cause(&p->reasons[i], &language_english).text,
                   reason_cause(r, &language_english).text) == 0)
            return true;
    return false;
}

/* Whether all points have this reason. It is then printed once, above the table. */
static bool is_shared(const struct analysis *a, const struct reason *r)
{
    for (size_t i = 0; i < a->point_count; i++)
        if (!has_reason(&a->points[i], r))
            return false;
    return a->point_count > 1;
}

static void print_reason(const char *before, const struct reason *r)
{
    char line[REASON_LINE];
    reason_line(r, &language_english, line);
    printf("%s%s: %s\n", before, reason_word(r, &language_english), line);
}

static void print_shared_reasons(const struct analysis *a)
{
    const struct point *p = a->points;
    for (size_t i = 0; a->point_count > 1 && i < p->reason_count; i++)
        if (is_shared(a, &p->reasons[i]))
            print_reason("  all points ", &p->reasons[i]);
}

static int label_width(const struct analysis *a)
{
    size_t width = 20;
    for (size_t i = 0; i < a->point_count; i++)
        width = strlen(a->points[i].label) > width ? strlen(a->points[i].label) : width;
    return (int)width;
}

static void print_point(const struct analysis *a, const struct point *p, int width)
{
    char seconds[80], speedup[80], status[TRUST_TEXT];
    const struct speedup *best = &p->speedup[BASELINE_BEST];
    format_estimate(seconds, sizeof seconds, p->seconds[METRIC_TOTAL].value,
                    p->seconds[METRIC_TOTAL].interval);
    format_ratio(speedup, sizeof speedup, best->value[METRIC_TOTAL], best->interval[METRIC_TOTAL]);
    trust_describe(p, &language_english, status);
    printf("  %-*s %26s %20s  %s\n", width, p->label, seconds, speedup, status);
    for (size_t i = 0; i < p->reason_count; i++)
        if (!is_shared(a, &p->reasons[i]))
            print_reason("      ", &p->reasons[i]);
}

/* Prints the model's errors on points that were not used to fit it. */
static void print_forecasts(const struct experiment *e, int width)
{
    static const enum forecast_source scored[] = {FORECAST_MEASURED, FORECAST_SIMULATED};
    const struct forecasts *c = &e->forecasts;
    if (c->count > 0)
        printf("  %-*s %10s %26s %9s\n", width, "point", "total", "predicted, 95 % interval",
               "error");
    for (size_t i = 0; i < c->count; i++) {
        char label[256], total[80], predicted[80];
        const struct forecast *row = &c->rows[i];
        if (row->source == FORECAST_PREDICTED)
            continue;
        point_label(row->problem, label, sizeof label);
        format_seconds(total, sizeof total, row->seconds);
        format_estimate(predicted, sizeof predicted, row->predicted.total_s, row->predicted.total);
        printf("  %-*s %10s %26s %+7.1f %%\n", width, label, total, predicted, 100.0 * row->error);
    }
    for (size_t i = 0; i < sizeof scored / sizeof *scored; i++) {
        size_t points, known;
        const double worst = forecasts_worst(c, scored[i], &points);
        const size_t inside = forecasts_inside(c, scored[i], &known);
        if (points > 0)
            printf(
                "  The model's worst error on %zu %s points, to which it was not fitted: %.1f %%\n",
                points, forecast_sources[scored[i]], 100.0 * worst);
        if (scored[i] == FORECAST_MEASURED && known > 0)
            printf("  %zu of %zu %s points lie within the 95 %% interval that was predicted\n",
                   inside, known, forecast_sources[scored[i]]);
    }
    if (c->missing[0])
        printf("  Not everything was predicted: %s\n", c->missing);
}

/* Prints the times of other libraries relative to ours. */
static void print_ratios(const struct analysis *a)
{
    for (size_t i = 0; i < a->ratio_count; i++) {
        const struct ratio *r = &a->ratios[i];
        const struct point *peer = &a->points[r->peer], *ours = &a->points[r->ours];
        char ratio[80], fastest[80];
        if (i == 0)
            printf("  %-28s %-18s %8s  %-22s %s\n", "shape", "library", "workers", "our fastest",
                   "its time / ours, 95 % interval");
        format_ratio(ratio, sizeof ratio, r->value, r->interval);
        snprintf(fastest, sizeof fastest, "%.60s of %zu", ours->samples->identity.method,
                 r->methods);
        printf("  %-28s %-18s %8g  %-22s %s\n", r->shape, peer->samples->identity.method,
               peer->workers, fastest, ratio);
    }
}

/* Prints the answers of the experiment's charts; an answer equal to the previous one is omitted. */
static void print_claims(const struct experiment *e)
{
    struct claim claim, before = {0};
    for (size_t i = 0; i < experiment_chart_count(e); i++) {
        claim_make(e, experiment_chart(e, i), &language_english, &claim);
        if (claim.has_answer && claim.answer[0] && strcmp(claim.answer, before.answer) != 0)
            printf("  %s\n", claim.answer);
        before = claim;
    }
}

/* ---- points --------------------------------------------------------------------------------- */

/* Orders by status, the gravest first, then by the width of the interval relative to the target of
 * its scale, the widest first. */
static int by_trouble(const void *a, const void *b)
{
    const struct point *const *p = a, *const *q = b;
    if ((*p)->trust != (*q)->trust)
        return (*q)->trust > (*p)->trust ? 1 : -1;
    const double x = (*p)->half_width / (*p)->target, y = (*q)->half_width / (*q)->target;
    return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (y > x) - (y < x);
}

enum { WORST = 10 };

/* Prints the WORST points, or all in the given order. */
static void print_points(const struct analysis *a, bool all, int width)
{
    const struct point **sorted = calloc(a->point_count + 1, sizeof *sorted);
    const size_t shown = all || a->point_count < WORST ? a->point_count : WORST;
    if (!sorted)
        return;
    for (size_t i = 0; i < a->point_count; i++)
        sorted[i] = &a->points[i];
    if (!all)
        qsort(sorted, a->point_count, sizeof *sorted, by_trouble);
    printf("  %-*s %26s %20s  %s\n", width, "point", "total, 95 % interval", "over best serial",
           "status");
    for (size_t i = 0; i < shown; i++)
        print_point(a, sorted[i], width);
    if (shown < a->point_count)
        printf("  ... and %zu other points; --points lists all\n", a->point_count - shown);
    free(sorted);
}

struct printing {
    bool quiet, points;
};

static void print_analysis(const struct experiment *e, bool all)
{
    const struct analysis *a = &e->analysis;
    const int width = label_width(a);
    printf("%s: %zu points, %zu launches, %zu samples;", e->name, a->point_count,
           a->samples.launch_count, a->samples.sample_count);
    for (enum trust t = 0; t < TRUSTS; t++)
        printf(" %zu %s%s", a->trusted[t], trust_names[t], t + 1 < TRUSTS ? "," : "\n");
    print_left_out(e);
    print_claims(e);
    if (all)
        findings_write(a, &language_english, print_sentence, NULL);
    print_shared_reasons(a);
    print_points(a, all, width);
    if (all)
        print_ratios(a);
    print_forecasts(e, width);
    putchar('\n');
}

static enum status analyze_one(struct experiment *e, struct inventory *in, void *context,
                               struct failure *f)
{
    const struct printing *printing = context;
    enum status status = experiment_write_derived(e, in->folder, f);
    if (status == STATUS_OK)
        status = selected_charts_write(e, in->folder, &language_english, f);
    if (!printing->quiet)
        print_analysis(e, printing->points);
    return status;
}

enum status command_analyze(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default, *definitions = definitions_folder();
    struct printing printing = {false, false};
    const struct option_row options[] = {
        {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
         .target = &folder},
        {"definitions", VALUE_TEXT, "DIR", "folder of the definitions (default: the suite's own)",
         .target = &definitions},
        {"quiet", VALUE_FLAG, NULL, "print nothing, only write the derived data",
         .target = &printing.quiet},
        {"points", VALUE_FLAG, NULL,
         "print every point, fit and comparison instead of the ten worst points",
         .target = &printing.points},
    };
    const struct usage usage = {
        "[NAME]...",
        "Computes medians with intervals, speedups, fits and a status for every point. Prints the\n"
        "findings and the ten worst points, and writes DIR/analysis/NAME.*.csv.",
        options,
        sizeof options / sizeof *options,
        0,
        -1};
    int operands;
    bool help = false;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    struct inventory in;
    struct results_path derived = results_file(folder, "analysis");
    status = definitions_check(definitions, f);
    if (status == STATUS_OK)
        status = inventory_open(&in, folder, argv + 1, (size_t)operands, f);
    if (status != STATUS_OK)
        return status;
    in.definitions = definitions;
    status = results_make(derived.text, f);
    if (status == STATUS_OK) {
        inventory_visit(&in, analyze_one, &printing);
        status = gaps_end(&in.gaps, f);
    }
    inventory_close(&in);
    return status;
}
