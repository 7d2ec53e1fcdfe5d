/* The tesina's model in words: where the workers share the product alone, does the speedup lie on
 * Amdahl's curve for the product's share that was measured with one of them? */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/report/claims/claims.h"
#include "experiments/samples/point.h"

#include <math.h>

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
        struct trial t;
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

/* By how much the measured speedup is below (negative: above) the law's, as a share of it. */
static double miss(const struct trial *t, struct interval *interval)
{
    *interval = (struct interval){1.0 - t->mark->interval.upper / t->interval.lower,
                                  1.0 - t->mark->interval.lower / t->interval.upper};
    return 1.0 - t->mark->speedup / t->law;
}

/* An interval that contains 0 is evidence for the law only if it is narrow. */
enum verdict { KEPT, MISSED, UNDECIDED };
static const double narrow = 0.15;

static enum verdict verdict_of(const struct interval *misses)
{
    if (misses->lower > 0.0 || misses->upper < 0.0)
        return MISSED;
    return misses->lower >= -narrow && misses->upper <= narrow ? KEPT : UNDECIDED;
}

static void title(struct claim *c, const struct interval *misses, const struct language *l)
{
    const double most = fmax(-misses->lower, misses->upper);
    switch (verdict_of(misses)) {
    case KEPT:
        claim_title(c, l,
                    "Where only the product is parallel, Amdahl's law is kept within %{share}",
                    WITH({"share", number_percent(l, most).text}));
        break;
    case MISSED:
        claim_title(c, l, "Where only the product is parallel, the speedup misses Amdahl's law",
                    NULL);
        break;
    case UNDECIDED:
        claim_title(c, l,
                    "Where only the product is parallel: these times do not tell whether Amdahl's "
                    "law is kept",
                    NULL);
        break;
    }
}

/* No cause is named: none was measured apart. */
static void say_miss(struct claim *c, double share, struct interval i, const struct language *l)
{
    const enum verdict verdict = verdict_of(&i);
    if (verdict == UNDECIDED)
        claim_say(c, l, " So wide an interval neither supports the law nor contradicts it.", NULL);
    else if (verdict == MISSED && share > 0.0)
        claim_say(c, l,
                  " The speedup is %{share} below the law, which leaves out what it costs to hand "
                  "windows to the workers and products back. What did cost it was not measured.",
                  WITH({"share", number_answer_share(l, share, i).text}));
    else if (verdict == MISSED)
        claim_say(
            c, l, " The speedup is %{share} above the law. Why was not measured.",
            WITH({"share",
                  number_answer_share(l, -share, (struct interval){-i.upper, -i.lower}).text}));
}

/* `before`: a blank where sentences precede. */
static void say_trial(struct claim *c, const char *before, const struct trial *t,
                      const struct language *l)
{
    const struct speedup_mark *mark = t->mark;
    struct interval misses;
    const double share = miss(t, &misses);
    claim_add(c, before);
    claim_say(
        c, l,
        "With %{workers} that share the product alone, %{method} is %{times} times as fast as "
        "with one worker (total time, %{problem}). Amdahl's law gives %{law} for the product's "
        "share with one worker, f = %{share}.",
        WITH({"workers", words_workers(mark->point, l).text},
             {"method", words_method(mark->point).text},
             {"times", number_answer(l, mark->speedup, mark->interval).text},
             {"problem", words_problem(mark->point, l).text},
             {"law", number_justified(l, t->law, t->interval).text},
             {"share", number_justified(l, t->one->share.value, t->one->share.interval).text}));
    say_miss(c, share, misses, l);
}

void claim_say_product_alone(struct claim *c, const struct analysis *a,
                             const struct speedup_figure *figure, const struct language *l)
{
    struct trial t;
    if (find(a, figure, &t))
        say_trial(c, " ", &t, l);
}

static void describe(struct claim *c, const struct trial *t, const struct language *l)
{
    struct interval misses;
    miss(t, &misses);
    title(c, &misses, l);
    say_trial(c, "", t, l);
    claim_because(c, l,
                  "One worker cuts the windows and takes the maxima; all multiply. What only one "
                  "does limits them all, however many they are.",
                  NULL);
}

void claim_amdahl(const struct experiment *e, const struct language *l, struct claim *c)
{
    struct speedup_figure figure;
    struct failure why = {0};
    struct trial t;
    if (speedup_figure_make(&figure, &e->analysis, &e->forecasts, e->request.machine, false,
                            &why) != STATUS_OK) {
        claim_refuse(c, l, "no program was measured both with one worker and with several");
        return;
    }
    if (find(&e->analysis, &figure, &t)) {
        describe(c, &t, l);
        c->against = AGAINST_ONE_WORKER;
        for (size_t i = 0; i < figure.count; i++)
            if (speedup_mark_counts(&figure.marks[i]))
                evidence_add(c->rows, &c->count, CLAIM_ROWS, figure.marks[i].point);
    } else
        claim_refuse(c, l, "no program was measured both with one worker and with several");
    speedup_figure_release(&figure);
}
