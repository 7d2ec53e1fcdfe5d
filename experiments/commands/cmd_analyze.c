#include "experiments/analysis/inventory.h"
#include "experiments/analysis/numbers.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/findings.h"
#include "experiments/report/claims/selected_charts.h"
#include "experiments/samples/point.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the table, the blanks before them included. */
enum { TIME_COLUMNS = 27, RATIO_COLUMNS = 21, TOTAL_COLUMNS = 11, ERROR_COLUMNS = 10 };

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
        screen_say_plural(
            stdout, "  left out: %{n} corrupt row, in line %{line} of %{file}: %{why}\n",
            "  left out: %{n} corrupt rows, the first in line %{line} of %{file}: %{why}\n",
            (size_t)r->corrupt,
            WITH({"line", number_of(r->first_corrupt_line).text}, {"file", e->samples_path},
                 {"why", r->first_corrupt}));
    if (r->torn)
        screen_say(stdout, "  left out: an incomplete last line of %{file}\n",
                   WITH({"file", e->samples_path}));
    if (r->missing_columns || r->unknown_columns)
        screen_say(stdout,
                   "  columns: %{missing} not in the file, %{unknown} unknown to this version\n",
                   WITH({"missing", number_of(r->missing_columns).text},
                        {"unknown", number_of(r->unknown_columns).text}));
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

static void print_reason(const char *before, const struct reason *r, enum sample_source source)
{
    char line[REASON_LINE];
    reason_line(r, screen_language(), source, line);
    printf("%s%s: %s\n", before, reason_word(r, screen_language()), line);
}

static enum sample_source source_of(const struct experiment *e, const struct point *p)
{
    return experiment_source(e, &p->samples->identity);
}

static void print_shared_reasons(const struct experiment *e)
{
    const struct analysis *a = &e->analysis;
    const struct point *p = a->points;
    for (size_t i = 0; a->point_count > 1 && i < p->reason_count; i++)
        if (is_shared(a, &p->reasons[i]))
            print_reason(screen_text(N_("  all points ")), &p->reasons[i], source_of(e, p));
}

static int label_width(const struct analysis *a)
{
    size_t width = 20;
    for (size_t i = 0; i < a->point_count; i++)
        width = strlen(a->points[i].label) > width ? strlen(a->points[i].label) : width;
    return (int)width;
}

static void print_point(const struct experiment *e, const struct point *p, int width)
{
    const struct language *l = screen_language();
    char status[TRUST_TEXT];
    const struct speedup *best = &p->speedup[BASELINE_BEST];
    trust_describe(p, l, status);
    printf("  %-*s", width, p->label);
    screen_right(stdout, number_answer_seconds(l, &p->seconds[METRIC_TOTAL]).text, TIME_COLUMNS);
    screen_right(stdout,
                 number_answer(l, best->value[METRIC_TOTAL], best->interval[METRIC_TOTAL]).text,
                 RATIO_COLUMNS);
    printf("  %s\n", status);
    for (size_t i = 0; i < p->reason_count; i++)
        if (!is_shared(&e->analysis, &p->reasons[i]))
            print_reason("      ", &p->reasons[i], source_of(e, p));
}

static void print_forecast(const struct forecast *row, int width)
{
    const struct language *l = screen_language();
    const struct estimate predicted = {.value = row->predicted.total_s,
                                       .interval = row->predicted.total};
    char label[256];
    point_label(row->problem, label, sizeof label);
    printf("  %-*s", width, label);
    screen_right(stdout, number_seconds(l, row->seconds).text, TOTAL_COLUMNS);
    screen_right(stdout, number_answer_seconds(l, &predicted).text, TIME_COLUMNS);
    screen_right(stdout, number_in(l, "%+.1f %%", 100.0 * row->error).text, ERROR_COLUMNS);
    putchar('\n');
}

/* Prints the model's worst error on the points of one source. */
static void print_worst(const struct forecasts *c, enum forecast_source source)
{
    size_t points, known;
    const double worst = forecasts_worst(c, source, &points);
    const size_t inside = forecasts_inside(c, source, &known);
    if (points > 0)
        screen_say(stdout,
                   source == FORECAST_MEASURED
                       ? N_("  The model's worst error on %{points} measured points, to which it "
                            "was not fitted: %{error} %\n")
                       : N_("  The model's worst error on %{points} simulated points, to which it "
                            "was not fitted: %{error} %\n"),
                   WITH({"points", number_of(points).text},
                        {"error", number_in(screen_language(), "%.1f", 100.0 * worst).text}));
    if (source == FORECAST_MEASURED && known > 0)
        screen_say(stdout,
                   "  %{inside} of %{known} measured points lie within the 95 % interval that was "
                   "predicted\n",
                   WITH({"inside", number_of(inside).text}, {"known", number_of(known).text}));
}

/* Prints the model's errors on points that were not used to fit it. */
static void print_forecasts(const struct experiment *e, int width)
{
    const struct forecasts *c = &e->forecasts;
    if (c->count > 0) {
        fputs("  ", stdout);
        screen_left(stdout, screen_text("point"), width);
        screen_right(stdout, screen_text("total"), TOTAL_COLUMNS);
        screen_right(stdout, screen_text("predicted, 95 % interval"), TIME_COLUMNS);
        screen_right(stdout, screen_text("error"), ERROR_COLUMNS);
        putchar('\n');
    }
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].source != FORECAST_PREDICTED)
            print_forecast(&c->rows[i], width);
    print_worst(c, FORECAST_MEASURED);
    print_worst(c, FORECAST_SIMULATED);
    if (c->missing[0])
        screen_say(stdout, "  Not everything was predicted: %{why}\n",
                   WITH({"why", wording_on_screen(c->missing).text}));
}

/* Prints the times of other libraries relative to ours. */
static void print_ratios(const struct analysis *a)
{
    enum { SHAPE = 29, LIBRARY = 19, WORKERS = 8, FASTEST = 23 };
    const struct language *l = screen_language();
    if (a->ratio_count > 0) {
        fputs("  ", stdout);
        screen_left(stdout, screen_text("shape"), SHAPE);
        screen_left(stdout, screen_text("library"), LIBRARY);
        screen_right(stdout, screen_text("workers"), WORKERS);
        fputs("  ", stdout);
        screen_left(stdout, screen_text("our fastest"), FASTEST);
        puts(screen_text("its time / ours, 95 % interval"));
    }
    for (size_t i = 0; i < a->ratio_count; i++) {
        const struct ratio *r = &a->ratios[i];
        const struct point *peer = &a->points[r->peer], *ours = &a->points[r->ours];
        char fastest[80];
        message_format(fastest, sizeof fastest, l, "%{method} of %{methods}",
                       WITH({"method", ours->samples->identity.method},
                            {"methods", number_of(r->methods).text}));
        printf("  %-28s %-18s %8g  ", r->shape, peer->samples->identity.method, peer->workers);
        screen_left(stdout, fastest, FASTEST);
        puts(number_answer(l, r->value, r->interval).text);
    }
}

/* Prints the answers of the experiment's charts; an answer equal to the previous one is omitted. */
static void print_claims(const struct experiment *e)
{
    struct claim claim, before = {0};
    for (size_t i = 0; i < experiment_chart_count(e); i++) {
        claim_make(e, experiment_chart(e, i), screen_language(), &claim);
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
static void print_points(const struct experiment *e, bool all, int width)
{
    const struct analysis *a = &e->analysis;
    const struct point **sorted = calloc(a->point_count + 1, sizeof *sorted);
    const size_t shown = all || a->point_count < WORST ? a->point_count : WORST;
    if (!sorted)
        return;
    for (size_t i = 0; i < a->point_count; i++)
        sorted[i] = &a->points[i];
    if (!all)
        qsort(sorted, a->point_count, sizeof *sorted, by_trouble);
    fputs("  ", stdout);
    screen_left(stdout, screen_text("point"), width);
    screen_right(stdout, screen_text("total, 95 % interval"), TIME_COLUMNS);
    screen_right(stdout, screen_text("over best serial"), RATIO_COLUMNS);
    printf("  %s\n", screen_text("status"));
    for (size_t i = 0; i < shown; i++)
        print_point(e, sorted[i], width);
    if (shown < a->point_count)
        screen_say_plural(stdout, "  ... and %{n} other point; --points lists all\n",
                          "  ... and %{n} other points; --points lists all\n",
                          a->point_count - shown, NULL);
    free(sorted);
}

struct printing {
    bool quiet, points;
};

static void print_analysis(const struct experiment *e, bool all)
{
    const struct analysis *a = &e->analysis;
    const int width = label_width(a);
    screen_say_plural(stdout, "%{name}: %{n} point, %{launches} launches, %{samples} samples;",
                      "%{name}: %{n} points, %{launches} launches, %{samples} samples;",
                      a->point_count,
                      WITH({"name", e->name}, {"launches", number_of(a->samples.launch_count).text},
                           {"samples", number_of(a->samples.sample_count).text}));
    for (enum trust t = 0; t < TRUSTS; t++)
        printf(" %zu %s%s", a->trusted[t], trust_word(t, screen_language()),
               t + 1 < TRUSTS ? "," : "\n");
    print_left_out(e);
    print_claims(e);
    if (all)
        findings_write(a, screen_language(), print_sentence, NULL);
    print_shared_reasons(e);
    print_points(e, all, width);
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
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    struct inventory in;
    struct results_path derived = results_file(folder, "analysis");
    if (definitions_check(definitions, f) != STATUS_OK ||
        inventory_open(&in, folder, argv + 1, (size_t)operands, f) != STATUS_OK)
        return f->status;
    in.definitions = definitions;
    enum status status = results_make(derived.text, f);
    if (status == STATUS_OK) {
        inventory_visit(&in, analyze_one, &printing);
        status = gaps_end(&in.gaps, f);
    }
    inventory_close(&in);
    return status;
}
