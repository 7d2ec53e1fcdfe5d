/* The laws of the speedup figure as roles of its sentences, and a trial of Amdahl's: where the
 * workers share the product alone, does the speedup lie on the curve for the product's share that
 * was measured with one of them? */
#include "experiments/analysis/selections/workers/workers.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

/* One mark beside the law: the point of one worker of the same program, whose product share is f.
 */
struct trial {
    const struct speedup_mark *mark;
    const struct point *one;
    double law;               /* amdahl_speedup(f, workers) ... */
    struct interval interval; /* ... for the ends of f's interval */
};

/* Sets *t from a mark; false if it is of one worker, of another way to share the work, or has no f.
 */
static bool compare(const struct analysis *a, const struct speedup_mark *mark, struct trial *t)
{
    if (!speedup_mark_counts(mark) || mark->workers <= 1.0 || !point_shares_product(mark->record) ||
        mark->point->speedup[BASELINE_ONE].point < 0)
        return false;
    t->mark = mark;
    t->one = &a->points[mark->point->speedup[BASELINE_ONE].point];
    const struct interval f = t->one->share.interval;
    t->law = amdahl_speedup(t->one->share.value, mark->workers);
    t->interval = (struct interval){amdahl_speedup(f.lower, mark->workers),
                                    amdahl_speedup(f.upper, mark->workers)};
    return isfinite(t->law) && isfinite(t->interval.lower) && isfinite(t->interval.upper) &&
           isfinite(mark->interval.lower) && isfinite(mark->interval.upper);
}

/* The mark with most workers, threads before ranks. */
static bool find(const struct analysis *a, const struct speedup_figure *figure, struct trial *best)
{
    bool found = false;
    for (size_t i = 0; i < figure->count; i++) {
        struct trial t = {.mark = NULL};
        if (!compare(a, &figure->marks[i], &t))
            continue;
        const bool threads = worker_kind_of(t.mark->record) == WORKERS_THREADS;
        const bool better = !found || t.mark->workers > best->mark->workers ||
                            (t.mark->workers == best->mark->workers && threads);
        if (better)
            *best = t;
        found = true;
    }
    return found;
}

/* By how much the measured speedup is below or above the law's, as a share of it. An interval that
 * contains 0 is evidence for the law only if it is narrow. */
static void name_miss(const struct trial *t, struct selection *out)
{
    static const double narrow = 0.15;
    const struct interval ends = {1.0 - t->mark->interval.upper / t->interval.lower,
                                  1.0 - t->mark->interval.lower / t->interval.upper},
                          turned = {-ends.upper, -ends.lower};
    const double share = 1.0 - t->mark->speedup / t->law;
    const bool missed = ends.lower > 0.0 || ends.upper < 0.0;
    if (missed && share > 0.0)
        selection_value(out, "under_law", share, ends, QUANTITY_NUMBER);
    else if (missed)
        selection_value(out, "over_law", -share, turned, QUANTITY_NUMBER);
    else if (ends.lower >= -narrow && ends.upper <= narrow)
        selection_value(out, "kept", fmax(-ends.lower, ends.upper), ends, QUANTITY_NUMBER);
    else
        selection_name(out, "undecided");
}

static bool name_trial(const struct speedup_figure *figure, const struct analysis *a,
                       struct selection *out)
{
    struct trial t = {.mark = NULL};
    if (!find(a, figure, &t))
        return false;
    selection_number(out, "alone", t.mark->point, t.mark->speedup, t.mark->interval);
    selection_value(out, "alone_law", t.law, t.interval, QUANTITY_NUMBER);
    selection_value(out, "alone_share", t.one->share.value, t.one->share.interval, QUANTITY_NUMBER);
    name_miss(&t, out);
    return true;
}

static void name_line(const struct law_line *line, const char *share, const char *bound,
                      struct selection *out)
{
    selection_value(out, share, line->share, line->interval, QUANTITY_NUMBER);
    selection_value(out, bound, line->bound, line->bound_interval, QUANTITY_NUMBER);
}

/* The fitted law, and its curve where the sentence tells of another one. */
static void name_fitted(const struct speedup_figure *figure, const struct speedup_mark *mark,
                        const struct analysis *a, struct selection *out)
{
    const struct curve *c = figure->fitted;
    const struct point *p = &a->points[c->points[0]];
    const bool other = mark && strcmp(mark->record->method, p->samples->identity.method) != 0;
    if (other)
        selection_point(out, "fitted_curve", p, NAN);
    name_line(&figure->laws[LAW_FITTED], "fitted_share", "fitted_bound", out);
    selection_count(out, other ? "fitted_other" : "fitted",
                    (double)c->fits[METRIC_TOTAL][0].distinct);
}

/* What the given f allows for the mark's workers. */
static void name_given(const struct speedup_figure *figure, const struct speedup_mark *mark,
                       struct selection *out)
{
    const struct law_line *given = &figure->laws[LAW_GIVEN];
    if (!given->drawn || !mark)
        return;
    name_line(given, "given_share", "given_bound", out);
    selection_plain(out, "given_law", speedup_by_law(figure, given->share, mark->workers));
}

void laws_name(const struct speedup_figure *figure, const struct speedup_mark *mark,
               const struct analysis *a, struct selection *out)
{
    const struct law_line *product = &figure->laws[LAW_PRODUCT];
    if (product->drawn) {
        selection_point(out, "staged", figure->product, NAN);
        name_line(product, "product_share", "product_bound", out);
        if (mark && speedup_exceeds_product(figure, mark))
            selection_name(out, "product_exceeded");
    }
    name_trial(figure, a, out);
    name_given(figure, mark, out);
    if (figure->laws[LAW_FITTED].drawn)
        name_fitted(figure, mark, a, out);
    else
        selection_count(out, figure->counts == 1 ? "one_count" : "few", (double)figure->counts);
}

void laws_name_trial(const struct speedup_figure *figure, const struct experiment *e,
                     const struct language *l, struct selection *out)
{
    (void)l;
    if (!name_trial(figure, &e->analysis, out))
        out->lack = N_("no program was measured both with one worker and with several");
    for (size_t i = 0; !out->lack && i < figure->count; i++)
        if (speedup_mark_counts(&figure->marks[i]))
            selection_list(out, figure->marks[i].point);
}
