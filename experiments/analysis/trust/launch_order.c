#include "experiments/analysis/trust/launch_order.h"

#include "experiments/analysis/trust/rank_sum.h"
#include "harness/base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 6, MOST_EXACT = 30 };
static const double trend_deviations = 2.7, correlation_deviations = 2.4;
static const double sessions_apart = 1.0 / 200.0;

static double sign(double x)
{
    return (double)((x > 0.0) - (x < 0.0));
}

static bool is_beyond(double factor, double apart)
{
    return fabs(log(factor)) > log1p(apart);
}

/* ---- between launches ------------------------------------------------------------------------ */

static double median_of_part(const double *times, size_t n)
{
    double *copy = malloc((n + 1) * sizeof *copy), median = NAN;
    if (copy) {
        memcpy(copy, times, n * sizeof *copy);
        median = median_of(copy, n);
    }
    free(copy);
    return median;
}

bool launch_order_has_trend(const double *times, size_t n, double apart, double *factor)
{
    double sum = 0.0;
    const double all = (double)n;
    *factor = 1.0;
    if (n < LEAST)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            sum += sign(times[j] - times[i]);
    const double deviation = sqrt(all * (all - 1.0) * (2.0 * all + 5.0) / 18.0);
    const size_t third = n / 3;
    *factor = median_of_part(times + n - third, third) / median_of_part(times, third);
    return fabs(sum) >= trend_deviations * deviation && is_beyond(*factor, apart);
}

bool launch_order_is_correlated(const double *times, size_t n, double apart, double *correlation)
{
    double steps = 0.0, squares = 0.0, shortest = INFINITY, longest = 0.0, before = NAN;
    const double all = (double)n;
    *correlation = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double rank = rank_among(times, n, i), distance = rank - 0.5 * (all + 1.0);
        steps += i ? (rank - before) * (rank - before) : 0.0;
        squares += distance * distance;
        before = rank;
        shortest = fmin(shortest, times[i]);
        longest = fmax(longest, times[i]);
    }
    if (n < LEAST || !(squares > 0.0))
        return false;
    const double ratio = steps / squares; /* 2 if launches are exchangeable */
    *correlation = 1.0 - 0.5 * ratio;
    return 2.0 - ratio >= correlation_deviations * sqrt(20.0 / (5.0 * all + 7.0)) &&
           is_beyond(longest / shortest, apart);
}

/* ---- within launches ------------------------------------------------------------------------- */

bool launch_order_drifts_within(double *ratios, size_t n, double apart, double *factor)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += sign(ratios[i] - 1.0);
    *factor = median_of(ratios, n);
    return n >= LEAST && fabs(sum) == (double)n && is_beyond(*factor, apart);
}

/* ---- sessions -------------------------------------------------------------------------------- */

/* Copies the times of one session to the front of `chosen`; returns their number. */
static size_t choose(double *chosen, const double *times, const size_t *sessions, size_t n,
                     size_t session)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (sessions[i] == session)
            chosen[count++] = times[i];
    return count;
}

struct ranked {
    double *times, *part;          /* those that count, session by session; workspace for one */
    size_t count, sessions, first; /* launches; sessions; launches of the first session */
    double weighted;               /* sum over sessions of (sum of ranks)^2 / launches */
    double shortest, longest;
};

/* Copies the launches of all sessions with enough of them into r->times. */
static void gather(struct ranked *r, const double *times, const size_t *sessions, size_t n,
                   size_t most)
{
    for (size_t s = 1; s <= most; s++) {
        const size_t m = choose(r->part, times, sessions, n, s);
        if (m < SESSION_LEAST)
            continue;
        memcpy(r->times + r->count, r->part, m * sizeof *r->part);
        r->count += m;
    }
}

static void rank_sessions(struct ranked *r, const double *times, const size_t *sessions, size_t n,
                          size_t most)
{
    size_t first = 0;
    for (size_t s = 1; s <= most; s++) {
        const size_t m = choose(r->part, times, sessions, n, s);
        double sum = 0.0;
        if (m < SESSION_LEAST)
            continue;
        for (size_t i = first; i < first + m; i++)
            sum += rank_among(r->times, r->count, i);
        const double median = median_of(r->part, m);
        r->weighted += sum * sum / (double)m;
        r->shortest = fmin(r->shortest, median);
        r->longest = fmax(r->longest, median);
        r->first = r->sessions++ == 0 ? m : r->first;
        first += m;
    }
}

/* For few launches of two sessions, chi-square's probability is too small: for three and three that
 * do not overlap, 0.0495 instead of 2 / 20. */
static double p_of_sessions(struct ranked *r)
{
    const double all = (double)r->count;
    if (r->sessions == 2 && r->count <= MOST_EXACT) {
        for (size_t i = 0; i < r->count; i++)
            r->part[i] = rank_among(r->times, r->count, i);
        return rank_sum_p(r->part, r->count, r->first);
    }
    const double statistic = 12.0 * r->weighted / (all * (all + 1.0)) - 3.0 * (all + 1.0);
    return gsl_cdf_chisq_Q(fmax(0.0, statistic), (double)r->sessions - 1.0);
}

bool launch_order_sessions(struct session_ranks *out, const double *times, const size_t *sessions,
                           size_t n)
{
    struct ranked r = {.times = malloc((2 * n + 1) * sizeof *r.times), .shortest = INFINITY};
    size_t most = 0;
    *out = (struct session_ranks){.p_value = 1.0, .factor = 1.0};
    if (!r.times)
        return false;
    r.part = r.times + n;
    for (size_t i = 0; i < n; i++)
        most = sessions[i] > most ? sessions[i] : most;
    gather(&r, times, sessions, n, most);
    rank_sessions(&r, times, sessions, n, most);
    out->sessions = r.sessions;
    if (r.sessions > 1) {
        out->p_value = p_of_sessions(&r);
        out->factor = r.longest / r.shortest;
    }
    free(r.times);
    return !isnan(out->p_value);
}

bool session_ranks_differ(const struct session_ranks *s, double apart)
{
    return s->p_value <= sessions_apart && is_beyond(s->factor, apart);
}
