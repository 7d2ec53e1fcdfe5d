#include "experiments/analysis/trust/measurement_rules.h"

#include "experiments/plan/simulated.h"
#include "experiments/samples/point.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const rule_verdict_names[] = {"ok", "FAIL", "-"};

const char *const rule_texts[RULES] = {
    "a speedup names its base case and gives its absolute performance",
    "choosing a subset of cases or resources is explained",
    "costs are averaged arithmetically, rates harmonically",
    "ratios are not averaged",
    "it is said whether times vary, and intervals are given where they do",
    "no normal distribution is assumed unless shown",
    "data are compared by a statistical method, not by eye",
    "centre and spread are chosen for the question (median, quartiles, extremes)",
    "all factors, their levels and the setup are recorded",
    "for parallel timings: how ranks start together and how times are summed up over them",
    "measurements stand beside an upper bound of performance",
    "charts carry what is needed to read them, and join points only where that means something",
};

struct ruling {
    const struct analysis *a;
    const struct analysis_request *request;
    const struct chart_contents *drawn;
    struct rule_result *result;
};

static void decide(const struct ruling *r, enum rule_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void decide(const struct ruling *r, enum rule_verdict verdict, const char *format, ...)
{
    va_list arguments;
    r->result->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(r->result->detail, sizeof r->result->detail, format, arguments);
    va_end(arguments);
}

/* The rules concern measurements only. */
static bool is_measured(const struct point *p)
{
    return !is_simulated(&p->samples->identity);
}

static bool is_parallel(const struct point *p)
{
    return p->workers > 1.0 && is_measured(p);
}

static size_t count_parallel(const struct analysis *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->point_count; i++)
        n += is_parallel(&a->points[i]);
    return n;
}

static void rule_baseline(const struct ruling *r)
{
    size_t parallel = count_parallel(r->a), without = 0;
    for (size_t i = 0; i < r->a->point_count; i++) {
        const struct point *p = &r->a->points[i];
        without += is_parallel(p) && p->speedup[BASELINE_BEST].point < 0 &&
                   p->speedup[BASELINE_ONE].point < 0 && isnan(p->weak_efficiency);
    }
    if (!parallel)
        decide(r, RULE_NOT_APPLICABLE, "no parallel point");
    else if (without)
        decide(r, RULE_FAIL,
               "%zu of %zu parallel points have no baseline: a serial or one-worker run "
               "of the same problem, or of the same work per worker, is missing",
               without, parallel);
    else
        decide(r, RULE_PASS, "each of %zu parallel points has a baseline with its seconds",
               parallel);
}

static void rule_subset(const struct ruling *r)
{
    double cores = r->request->machine->cores;
    double most = 0.0;
    for (size_t i = 0; i < r->a->point_count; i++)
        if (is_measured(&r->a->points[i]))
            most = fmax(most, r->a->points[i].workers);
    if (!(cores > 0.0))
        decide(r, RULE_FAIL,
               "field 'cores' of environment.json is missing, so it is unknown "
               "whether all were used");
    else if (most < cores && most > 1.0)
        decide(r, RULE_FAIL, "at most %.0f of %.0f cores are used; the definition should say why",
               most, cores);
    else
        decide(r, RULE_PASS, "%.0f cores; points that were left out are listed with their reason",
               cores);
}

static bool are_close(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* Recomputes the time of a point from its launches; NaN if memory runs out. */
static double median_anew(const struct point *p)
{
    double *times = malloc((p->samples->count + 1) * sizeof *times), median = NAN;
    size_t n = 0;
    for (size_t i = 0; times && i < p->samples->count; i++)
        if (!isnan(p->medians[METRIC_TOTAL][i]))
            times[n++] = p->medians[METRIC_TOTAL][i];
    if (times)
        median = median_of(times, n);
    free(times);
    return median;
}

/* A rate is work over time, so averaging the time averages the rate harmonically. The times are
 * recomputed here. */
static void rule_means(const struct ruling *r)
{
    size_t measured = 0, other = 0;
    for (size_t i = 0; i < r->a->point_count; i++) {
        const struct point *p = &r->a->points[i];
        const double seconds = p->seconds[METRIC_TOTAL].value;
        measured += seconds > 0.0;
        other += seconds > 0.0 && !are_close(seconds, median_anew(p));
    }
    if (other)
        decide(r, RULE_FAIL, "%zu of %zu times are not the median of their launches' seconds",
               other, measured);
    else
        decide(r, RULE_PASS,
               "%zu times are medians of seconds, computed again; a rate is work over its time",
               measured);
}

/* Whether the interval of a speedup contains the quotient of the two times shown with it: a ratio
 * averaged separately need not. */
static bool holds_quotient(const struct speedup *over, double seconds)
{
    const double quotient = over->seconds[METRIC_TOTAL] / seconds;
    const struct interval i = over->interval[METRIC_TOTAL];
    return isnan(i.lower) || isnan(quotient) ||
           (i.lower <= quotient * (1.0 + 1e-9) && quotient <= i.upper * (1.0 + 1e-9));
}

static void rule_ratios(const struct ruling *r)
{
    size_t stated = 0, other = 0;
    for (size_t i = 0; i < r->a->point_count; i++)
        for (size_t b = 0; b < BASELINES; b++) {
            const struct point *p = &r->a->points[i];
            const bool there = p->speedup[b].point >= 0;
            stated += there;
            other += there && !holds_quotient(&p->speedup[b], p->seconds[METRIC_TOTAL].value);
        }
    if (other)
        decide(r, RULE_FAIL, "the intervals of %zu of %zu ratios exclude the quotient of the times",
               other, stated);
    else if (!stated)
        decide(r, RULE_NOT_APPLICABLE, "no ratio is reported");
    else
        decide(r, RULE_PASS,
               "%zu ratios are medians within rounds, and hold the quotient of the two times",
               stated);
}

static void rule_intervals(const struct ruling *r)
{
    size_t without = 0;
    for (size_t i = 0; i < r->a->point_count; i++)
        without += is_measured(&r->a->points[i]) &&
                   isnan(r->a->points[i].seconds[METRIC_TOTAL].interval.lower);
    if (without)
        decide(r, RULE_FAIL, "%zu of %zu points have too few samples for an interval", without,
               r->a->point_count);
    else
        decide(r, RULE_PASS, "all %zu points carry a 95 %% interval", r->a->point_count);
}

/* From six launches on, the interval comes from ranks alone; with fewer, they are resampled and the
 * interval is widened to Student's distribution. */
static void rule_normal(const struct ruling *r)
{
    enum { LEAST = 6 };
    size_t few = 0, measured = 0;
    for (size_t i = 0; i < r->a->point_count; i++) {
        const struct point *p = &r->a->points[i];
        const size_t launches = p->seconds[METRIC_TOTAL].launches;
        measured += is_measured(p);
        few += is_measured(p) && launches > 1 && launches < LEAST;
    }
    if (few)
        decide(r, RULE_FAIL,
               "%zu of %zu points have fewer than %d launches: their intervals lean on Student's "
               "distribution",
               few, measured, LEAST);
    else
        decide(r, RULE_PASS,
               "ranks of launches and resampling of whole ones, no distribution assumed");
}

static void rule_comparison(const struct ruling *r)
{
    size_t single = 0;
    for (size_t i = 0; i < r->a->point_count; i++)
        single +=
            is_measured(&r->a->points[i]) && r->a->points[i].seconds[METRIC_TOTAL].launches < 2;
    if (single)
        decide(r, RULE_FAIL,
               "%zu of %zu points have one launch: the variation between launches is unknown",
               single, r->a->point_count);
    else
        decide(r, RULE_PASS, "speedups carry intervals over launches; 'study compare' tests");
}

static void rule_spread(const struct ruling *r)
{
    enum { LEAST = 4 }; /* with fewer, a quartile is just an extreme */
    size_t few = 0;
    for (size_t i = 0; i < r->a->point_count; i++)
        few += is_measured(&r->a->points[i]) && r->a->points[i].pooled[METRIC_TOTAL].n < LEAST;
    if (few)
        decide(r, RULE_FAIL, "%zu of %zu points have fewer than %d samples: no quartiles", few,
               r->a->point_count, LEAST);
    else
        decide(r, RULE_PASS, "median, quartiles, minimum and maximum in analysis/%s.points.csv",
               r->a->name);
}

/* Returns the first fact of the setup that was not recorded; NULL if all were. */
static const char *missing_fact(const struct ruling *r)
{
    const struct machine_facts *m = r->request->machine;
    if (!m->known)
        return "environment.json";
    const struct {
        bool there;
        const char *name;
    } facts[] = {{m->cpu[0], "cpu"},
                 {m->cores > 0.0, "cores"},
                 {m->memory_bytes > 0.0, "memory_bytes"},
                 {m->os[0] || m->kernel[0], "os"},
                 {m->compiler[0], "compiler"},
                 {m->flags[0], "flags"},
                 {m->commit[0], "commit"}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!facts[i].there)
            return facts[i].name;
    for (size_t i = 0; i < r->a->samples.launch_count; i++) {
        const struct launch *l = &r->a->samples.launches[i];
        if (!l->commit[0] || !l->host[0])
            return l->commit[0] ? "host (samples)" : "commit (samples)";
    }
    return NULL;
}

static void rule_setup(const struct ruling *r)
{
    const char *missing = missing_fact(r);
    if (missing)
        decide(r, RULE_FAIL, "missing: %s", missing);
    else
        decide(r, RULE_PASS,
               "every point column is recorded with each sample, the machine in "
               "environment.json");
}

static void rule_parallel(const struct ruling *r)
{
    size_t ranks = 0, without = 0;
    for (size_t i = 0; i < r->a->point_count; i++) {
        const struct point *p = &r->a->points[i];
        if (!point_has_ranks(&p->samples->identity))
            continue;
        ranks++;
        without += isnan(p->samples->identity.start_error_s) || isnan(p->phase[PHASE_IMBALANCE]);
    }
    if (!ranks)
        decide(r, RULE_NOT_APPLICABLE, "no point with several processes");
    else if (without)
        decide(r, RULE_FAIL, "%zu of %zu points lack start_error_s or imbalance_s", without, ranks);
    else
        decide(r, RULE_PASS, "maxima over ranks, imbalance and start skew recorded");
}

static void rule_bound(const struct ruling *r)
{
    if (r->a->ceilings.count)
        decide(r, RULE_PASS, "measured bandwidths of the machine (ceilings.csv)");
    else if (r->a->fraction >= 0)
        decide(r, RULE_PASS, "ideal speedup and Amdahl's bound of the measured parallel share");
    else if (count_parallel(r->a))
        decide(r, RULE_PASS, "ideal speedup");
    else
        decide(r, RULE_FAIL, "missing: ceilings.csv, or a serial point of the method 'staged'");
}

static void rule_charts(const struct ruling *r)
{
    const struct chart_contents *d = r->drawn;
    if (!d->there)
        decide(r, RULE_NOT_APPLICABLE, "no chart was drawn; 'study plot' draws them");
    else if (d->faults)
        decide(r, RULE_FAIL, "%zu of %zu charts: %s %s", d->faults, d->there, d->chart, d->fault);
    else
        decide(r, RULE_PASS, "%zu of %zu charts are drawn, whole, with data, title and axes",
               d->there, d->wanted);
}

void rules_check(const struct analysis *a, const struct analysis_request *request,
                 const struct chart_contents *drawn, struct rule_result results[RULES])
{
    static void (*const rules[RULES])(const struct ruling *r) = {
        rule_baseline,   rule_subset, rule_means, rule_ratios,   rule_intervals, rule_normal,
        rule_comparison, rule_spread, rule_setup, rule_parallel, rule_bound,     rule_charts};
    for (size_t i = 0; i < RULES; i++) {
        struct ruling r = {a, request, drawn, &results[i]};
        rules[i](&r);
    }
}
