#include "experiments/analysis/session_comparison.h"

#include "harness/base/statistics.h"

#include <math.h>
#include <stdlib.h>

static const double most_margin = 0.99;

bool session_point_is_decided(const struct session_point *p)
{
    return !p->doubted && comparison_possible(p->count_a, p->count_b);
}

static int compare_one(struct comparison *c, const struct session_point *p, double margin,
                       gsl_rng *rng)
{
    return compare_launches(c, p->medians, p->count_a, p->medians + p->count_a, p->count_b, margin,
                            rng);
}

/* ---- difference between the sessions --------------------------------------------------------- */

/* Logarithms of the ratios of the compared points, and their standard errors. */
struct moves {
    double *logs, *errors;
    size_t count;
};

static void gather(struct moves *m, const struct session_point *points,
                   const struct comparison *results, size_t count, bool anchors)
{
    const double normal = 1.959964;
    m->count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct comparison *c = &results[i];
        if (!session_point_is_decided(&points[i]) || points[i].anchor != anchors ||
            !(c->lower > 0.0) || !isfinite(c->upper))
            continue;
        m->logs[m->count] = log(c->ratio);
        m->errors[m->count++] = log(c->upper / c->lower) / (2.0 * normal);
    }
}

/* Mean with weights 1 / (error^2 + scatter); *weight is their sum. */
static double weighted_mean(const struct moves *m, double scatter, double *weight)
{
    double sum = 0.0;
    *weight = 0.0;
    for (size_t i = 0; i < m->count; i++) {
        const double each = 1.0 / (m->errors[i] * m->errors[i] + scatter + 1e-12);
        *weight += each;
        sum += each * m->logs[i];
    }
    return sum / *weight;
}

/* Variance of the logarithms beyond their own errors. */
static double scatter_of(const struct moves *m)
{
    double weight, squares = 0.0, spread = 0.0;
    const double mean = weighted_mean(m, 0.0, &weight);
    for (size_t i = 0; i < m->count; i++) {
        const double each = 1.0 / (m->errors[i] * m->errors[i] + 1e-12);
        squares += each * each;
        spread += each * (m->logs[i] - mean) * (m->logs[i] - mean);
    }
    const double divisor = weight - squares / weight;
    return m->count > 1 && divisor > 0.0 ? fmax(0.0, (spread - (double)(m->count - 1)) / divisor)
                                         : 0.0;
}

static void of_anchors(struct session_shift *s, const struct moves *m)
{
    const double normal = 1.959964, scatter = scatter_of(m);
    double weight, farthest = 0.0;
    const double mean = weighted_mean(m, scatter, &weight);
    for (size_t i = 0; i < m->count; i++)
        farthest = fmax(farthest, fabs(m->logs[i]));
    s->source = SESSION_ANCHORS;
    s->points = m->count;
    s->moved = exp(farthest);
    s->reach = exp(fmax(farthest, fabs(mean) + normal * sqrt(scatter + 1.0 / weight)));
}

/* Some points may have changed. The median and its standard error (from the median distance to it)
 * describe the unchanged ones. */
static void of_points(struct session_shift *s, const struct moves *m)
{
    const double normal = 1.959964, of_median = 1.2533, of_distance = 1.4826;
    const double median = median_of(m->logs, m->count);
    for (size_t i = 0; i < m->count; i++)
        m->errors[i] = fabs(m->logs[i] - median);
    const double deviation = of_distance * median_of(m->errors, m->count);
    s->source = SESSION_POINTS;
    s->points = m->count;
    s->moved = exp(median);
    s->reach = exp(fabs(median) + normal * of_median * deviation / sqrt((double)m->count));
}

static void find_shift(struct session_shift *s, struct moves *m, const struct session_point *points,
                       const struct comparison *results, size_t count)
{
    gather(m, points, results, count, true);
    if (m->count) {
        of_anchors(s, m);
        return;
    }
    gather(m, points, results, count, false);
    if (m->count >= SESSION_FEWEST_POINTS)
        of_points(s, m);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Decides together all points that can be decided; `workspace` has `count` elements. */
static int decide(struct comparison *results, const struct session_point *points, size_t count,
                  struct comparison *workspace)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (session_point_is_decided(&points[i]))
            workspace[n++] = results[i];
        else
            results[i].verdict = COMPARISON_UNDECIDED;
    if (compare_together(workspace, n) != 0)
        return -1;
    for (size_t i = 0, at = 0; i < count; i++)
        if (session_point_is_decided(&points[i]))
            results[i] = workspace[at++];
    return 0;
}

/* Without anchors to compare the sessions, no change is attributed to the build. */
static void withhold(struct session_shift *s, struct comparison *results, size_t count)
{
    for (size_t i = 0; s->source == SESSION_UNKNOWN && i < count; i++)
        if (results[i].verdict == COMPARISON_SLOWER || results[i].verdict == COMPARISON_FASTER) {
            results[i].verdict = COMPARISON_UNDECIDED;
            s->withheld++;
        }
}

static int compare_all(struct comparison *results, const struct session_point *points, size_t count,
                       double margin, gsl_rng *rng)
{
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++)
        result = compare_one(&results[i], &points[i], margin, rng);
    return result;
}

int compare_sessions(struct session_shift *shift, struct comparison *results,
                     const struct session_point *points, size_t count, double margin, gsl_rng *rng)
{
    struct moves m = {.logs = malloc(2 * (count + 1) * sizeof *m.logs)};
    struct comparison *workspace = malloc((count + 1) * sizeof *workspace);
    int result = m.logs && workspace ? compare_all(results, points, count, margin, rng) : -1;
    *shift = (struct session_shift){.moved = 1.0, .reach = 1.0, .margin = margin};
    if (result == 0) {
        m.errors = m.logs + count + 1;
        find_shift(shift, &m, points, results, count);
        shift->margin = fmin((1.0 + margin) * shift->reach - 1.0, most_margin);
        if (shift->reach > 1.0)
            result = compare_all(results, points, count, shift->margin, rng);
    }
    if (result == 0)
        result = decide(results, points, count, workspace);
    if (result == 0)
        withhold(shift, results, count);
    free(m.logs);
    free(workspace);
    return result;
}
