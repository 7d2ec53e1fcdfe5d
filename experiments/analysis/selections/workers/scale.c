/* What the model predicts for many ranks, and its error at points that it was not fitted to. */
#include "experiments/analysis/selections/workers/workers.h"

#include "experiments/common/folder_files.h"
#include "experiments/common/text/distinct.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

/* ---- curves ---------------------------------------------------------------------------------- */

static bool same_curve(const struct forecast *f, const struct forecast *g)
{
    return f->problem->rows == g->problem->rows &&
           strcmp(f->problem->method, g->problem->method) == 0 &&
           strcmp(f->problem->distribution, g->problem->distribution) == 0 &&
           strcmp(f->problem->platform, g->problem->platform) == 0;
}

/* Draws a time over ranks: a curve's points and its prediction have one colour. */
static void draw(const struct forecast *f, size_t curve, const struct language *l,
                 struct selection *out)
{
    static const enum trust trusts[] = {[FORECAST_MEASURED] = TRUST_PRECISE,
                                        [FORECAST_SIMULATED] = TRUST_SIMULATED,
                                        [FORECAST_PREDICTED] = TRUST_SIMULATED};
    static const char *const sources[] = {[FORECAST_MEASURED] = N_("measured"),
                                          [FORECAST_SIMULATED] = N_("simulated"),
                                          [FORECAST_PREDICTED] = N_("predicted")};
    const bool predicted = f->source == FORECAST_PREDICTED;
    const struct record *r = f->problem;
    const char *platform = file_name(r->platform);
    char method[64], where[64], series[192];
    text_distinct(method, sizeof method, r->method);
    text_distinct(where, sizeof where, platform[0] ? platform : message(l, "here"));
    text_fit_format(series, sizeof series, "%s %s %s, %s", method, r->distribution, where,
                    message(l, sources[f->source]));
    struct selection_row *row = selection_at(out, 1, series, (double)f->ranks,
                                             predicted ? f->predicted.total_s : f->seconds);
    if (!row)
        return;
    row->colour = selection_colour(curve);
    row->dash = predicted ? 2 : 1;
    row->trust = &trusts[f->source];
    if (predicted ? !isnan(f->predicted.total.lower) : !isnan(f->interval.lower))
        row->ends = predicted ? f->predicted.total : f->interval;
}

/* Draws the curves of the image of `best` that were measured or simulated. */
static void draw_curves(const struct forecasts *f, const struct forecast *best,
                        const struct language *l, struct selection *out)
{
    size_t curves = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct forecast *first = &f->rows[i];
        bool known =
            first->source == FORECAST_PREDICTED || first->problem->rows != best->problem->rows;
        for (size_t j = 0; j < i; j++)
            known = known ||
                    (f->rows[j].source != FORECAST_PREDICTED && same_curve(&f->rows[j], first));
        curves += !known;
        for (size_t j = 0; !known && j < f->count; j++)
            if (same_curve(&f->rows[j], first))
                draw(&f->rows[j], curves, l, out);
    }
}

/* ---- findings -------------------------------------------------------------------------------- */

/* The fastest simulated point of the largest image: more ranks than it has gain nothing. */
static const struct forecast *find_fastest(const struct forecasts *f)
{
    const struct forecast *best = NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct forecast *row = &f->rows[i];
        if (row->source != FORECAST_SIMULATED || !(row->seconds > 0.0))
            continue;
        if (!best || row->problem->rows > best->problem->rows ||
            (row->problem->rows == best->problem->rows && row->seconds < best->seconds))
            best = row;
    }
    return best;
}

/* The fastest of the other numbers of ranks for its image whose time is not seen to be longer: by
 * disjoint intervals, or, without, by the times; NULL: none. */
static const struct forecast *find_tie(const struct forecasts *f, const struct forecast *best)
{
    const struct forecast *tie = NULL;
    const double upper = isnan(best->interval.upper) ? best->seconds : best->interval.upper;
    for (size_t i = 0; i < f->count; i++) {
        const struct forecast *row = &f->rows[i];
        const double lower = isnan(row->interval.lower) ? row->seconds : row->interval.lower;
        if (row->source == FORECAST_SIMULATED && row->seconds > 0.0 && row->ranks != best->ranks &&
            row->problem->rows == best->problem->rows && lower <= upper &&
            (!tie || row->seconds < tie->seconds))
            tie = row;
    }
    return tie;
}

/* The numbers of ranks that were simulated for its image: the most, and whether there is another:
 * alone it is not the fastest of any. */
static int64_t most_simulated(const struct forecasts *f, const struct forecast *best, bool *others)
{
    int64_t most = best->ranks;
    *others = false;
    for (size_t i = 0; i < f->count; i++) {
        const struct forecast *row = &f->rows[i];
        if (row->source != FORECAST_SIMULATED || !(row->seconds > 0.0) ||
            row->problem->rows != best->problem->rows)
            continue;
        *others = *others || row->ranks != best->ranks;
        most = row->ranks > most ? row->ranks : most;
    }
    return most;
}

static void name_errors(const struct forecasts *f, struct selection *out)
{
    size_t measured, known, simulated;
    const double worst = forecasts_worst(f, FORECAST_MEASURED, &measured),
                 far = forecasts_worst(f, FORECAST_SIMULATED, &simulated);
    const size_t inside = forecasts_inside(f, FORECAST_MEASURED, &known);
    if (measured > 0) {
        selection_count(out, "measured", (double)measured);
        selection_plain(out, "middle", forecasts_median(f, FORECAST_MEASURED));
        selection_plain(out, "worst", worst);
    }
    if (known > 0) {
        selection_count(out, "known", (double)known);
        selection_count(out, "inside", (double)inside);
    }
    if (simulated > 0) {
        selection_count(out, "simulated", (double)simulated);
        selection_plain(out, "far", far);
    }
}

void scale_name_ranks(const struct experiment *e, const struct language *l, struct selection *out)
{
    const struct forecasts *f = &e->forecasts;
    const struct forecast *best = find_fastest(f);
    if (selection_lacks(out, !best, N_("nothing was simulated")))
        return;
    const int64_t most = forecasts_most_ranks(f, FORECAST_MEASURED);
    draw_curves(f, best, l, out);
    selection_count(out, "n", (double)best->problem->rows);
    selection_count(out, "ranks", (double)best->ranks);
    selection_label(out, "platform", best->problem->platform);
    selection_value(out, "time", best->seconds, no_interval, QUANTITY_TOTAL);
    const struct forecast *tie = find_tie(f, best);
    bool others;
    const bool more_ranks = most_simulated(f, best, &others) > best->ranks;
    if (tie)
        selection_count(out, "tie", (double)tie->ranks);
    else
        selection_label(out, others ? "sole" : "lone", "");
    name_errors(f, out);
    out->finding = more_ranks ? "more_ranks" : "most";
    if (most > 0 && most < best->ranks)
        selection_count(out, "few", (double)most);
}
