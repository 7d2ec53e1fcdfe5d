#include "experiments/analysis/trust/round_effects.h"

#include "experiments/common/lists.h"
#include "experiments/plan/simulated.h"
#include "harness/base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double level = 0.05;
static const double correlation = 0.7;

/* ---- effects common to the points ------------------------------------------------------------ */

/* Whether the points rank their rounds alike. `sums` has one element per round. */
static bool rank_alike(const double *logs, size_t points, size_t rounds, double *sums)
{
    const double n = (double)points, k = (double)rounds;
    double squares = 0.0;
    memset(sums, 0, rounds * sizeof *sums);
    for (size_t p = 0; p < points; p++)
        for (size_t i = 0; i < rounds; i++)
            sums[i] += rank_among(logs + p * rounds, rounds, i);
    for (size_t i = 0; i < rounds; i++)
        squares += sums[i] * sums[i];
    const double statistic = 12.0 * squares / (n * k * (k + 1.0)) - 3.0 * n * (k + 1.0);
    return gsl_cdf_chisq_Q(fmax(0.0, statistic), k - 1.0) <= level;
}

/* Stores in `effects`, per round, the median over points of the distance from the point's own
 * median. `centres` and `column` have one element per point. */
static void find_effects(const double *logs, size_t points, size_t rounds, double *effects,
                         double *centres, double *column)
{
    for (size_t p = 0; p < points; p++) {
        memcpy(effects, logs + p * rounds, rounds * sizeof *effects);
        centres[p] = median_of(effects, rounds);
    }
    for (size_t i = 0; i < rounds; i++) {
        for (size_t p = 0; p < points; p++)
            column[p] = logs[p * rounds + i] - centres[p];
        effects[i] = median_of(column, points);
    }
}

bool round_effects_width(const double *logs, size_t points, size_t rounds, double *width)
{
    size_t lower, upper;
    *width = 0.0;
    if (points < ROUND_EFFECTS_LEAST || rounds < ROUND_EFFECTS_LEAST ||
        median_interval_ranks(rounds, 0.95, &lower, &upper) != 0)
        return true;
    double *workspace = malloc((rounds + 2 * points) * sizeof *workspace);
    if (workspace && rank_alike(logs, points, rounds, workspace)) {
        find_effects(logs, points, rounds, workspace, workspace + rounds,
                     workspace + rounds + points);
        sort_samples(workspace, rounds);
        /* The interval of a point includes the effect once already, as if rounds were independent.
         */
        const double inflation = (1.0 + correlation) / (1.0 - correlation);
        *width = sqrt(inflation - 1.0) * 0.5 * (workspace[upper - 1] - workspace[lower - 1]);
    }
    free(workspace);
    return workspace != NULL;
}

struct interval round_effects_widen(struct interval i, double value, double width)
{
    if (!(width > 0.0) || !(value > 0.0) || !(i.lower > 0.0))
        return i;
    return (struct interval){value * exp(-hypot(log(value / i.lower), width)),
                             value * exp(hypot(log(i.upper / value), width))};
}

/* ---- the rounds of a file -------------------------------------------------------------------- */

/* Seconds by point and round: the first launch of each; NaN if there is none. */
struct table {
    double *seconds, *kept;
    size_t *points; /* indices of the points that count */
    bool *chosen;   /* rounds that are used */
    size_t count, rounds;
};

/* Rounds of one file are numbered from 0 and belong to one host; otherwise they count as none. */
static size_t count_rounds(const struct samples *s)
{
    int64_t most = -1;
    for (size_t i = 0; i < s->launch_count; i++) {
        if (s->launches[i].host != s->launches[0].host)
            return 0;
        most = s->launches[i].round > most ? s->launches[i].round : most;
    }
    return most < 4096 ? (size_t)(most + 1) : 0;
}

static bool make(struct table *t, const struct samples *s)
{
    *t = (struct table){.rounds = count_rounds(s)};
    t->seconds = malloc((s->point_count * t->rounds + 1) * sizeof *t->seconds);
    t->kept = malloc((s->point_count * t->rounds + 1) * sizeof *t->kept);
    t->points = malloc((s->point_count + 1) * sizeof *t->points);
    t->chosen = calloc(t->rounds + 1, sizeof *t->chosen);
    return t->seconds && t->kept && t->points && t->chosen;
}

static void release(struct table *t)
{
    free(t->seconds);
    free(t->kept);
    free(t->points);
    free(t->chosen);
}

/* Fills in the median seconds of every launch of the file; `values` can hold the samples of any
 * launch. */
static void fill(struct table *t, const struct samples *s, enum phase phase, double *values)
{
    t->count = 0;
    for (size_t p = 0; p < s->point_count; p++) {
        double *row = t->seconds + t->count * t->rounds;
        if (is_simulated(&s->points[p].identity))
            continue;
        for (size_t i = 0; i < t->rounds; i++)
            row[i] = NAN;
        for (size_t i = 0; i < s->points[p].count; i++) {
            const struct launch *l = &s->launches[s->points[p].first + i];
            if (l->round < 0 || (size_t)l->round >= t->rounds)
                continue;
            const double median = median_of(values, samples_phase(s, l, phase, values));
            if (isnan(row[l->round]) && median > 0.0)
                row[l->round] = median;
        }
        t->points[t->count++] = p;
    }
}

/* Chooses the rounds that at least half of the points have: the last one may be incomplete. Returns
 * their number. */
static size_t choose_rounds(struct table *t)
{
    size_t chosen = 0;
    for (size_t i = 0; i < t->rounds; i++) {
        size_t have = 0;
        for (size_t p = 0; p < t->count; p++)
            have += !isnan(t->seconds[p * t->rounds + i]);
        t->chosen[i] = have > 0 && 2 * have >= t->count;
        chosen += t->chosen[i];
    }
    return chosen;
}

/* Keeps the logarithms of the points that have all of these rounds; returns their number. */
static size_t keep_whole(struct table *t, size_t chosen)
{
    size_t whole = 0;
    for (size_t p = 0; p < t->count; p++) {
        double *to = t->kept + whole * chosen;
        size_t n = 0;
        for (size_t i = 0; i < t->rounds; i++)
            if (t->chosen[i] && !isnan(t->seconds[p * t->rounds + i]))
                to[n++] = log(t->seconds[p * t->rounds + i]);
        whole += n == chosen && chosen > 0;
    }
    return whole;
}

static double *make_values(const struct samples *s)
{
    size_t most = 0;
    for (size_t i = 0; i < s->launch_count; i++)
        most = s->launches[i].count > most ? s->launches[i].count : most;
    return malloc((most + 1) * sizeof(double));
}

static bool find_widths(const struct samples *s, double widths[ROUND_EFFECTS_PHASES])
{
    static const enum phase phases[ROUND_EFFECTS_PHASES] = {PHASE_COMPUTE, PHASE_TOTAL};
    double *values = make_values(s);
    struct table t;
    bool good = make(&t, s) && values;
    for (size_t i = 0; i < ROUND_EFFECTS_PHASES && good; i++) {
        fill(&t, s, phases[i], values);
        const size_t rounds = choose_rounds(&t), points = keep_whole(&t, rounds);
        good = round_effects_width(t.kept, points, rounds, &widths[i]);
    }
    release(&t);
    free(values);
    return good;
}

/* ---- the points of a folder ------------------------------------------------------------------ */

static bool widen_key(struct round_effects *e, const char *key, const double *widths)
{
    const size_t known = e->keys.count;
    const ptrdiff_t at = numbering_put(&e->keys, key);
    if (at < 0)
        return false;
    if ((size_t)at == known) {
        double(*grown)[ROUND_EFFECTS_PHASES] = array_grow(e->widths, known, sizeof *grown);
        if (!grown)
            return false;
        e->widths = grown;
        memset(grown[at], 0, sizeof grown[at]);
        e->count++;
    }
    for (size_t i = 0; i < ROUND_EFFECTS_PHASES; i++)
        e->widths[at][i] = fmax(e->widths[at][i], widths[i]);
    return true;
}

bool round_effects_add(struct round_effects *e, const struct samples *s)
{
    double widths[ROUND_EFFECTS_PHASES] = {0.0, 0.0};
    bool good = s->launch_count == 0 || find_widths(s, widths);
    for (size_t p = 0; p < s->point_count && good; p++)
        if (!is_simulated(&s->points[p].identity))
            good = widen_key(e, s->points[p].key, widths);
    return good;
}

double round_effects_of(const struct round_effects *e, const char *key, size_t phase)
{
    const ptrdiff_t at = numbering_find(&e->keys, key);
    return at >= 0 && (size_t)at < e->count ? e->widths[at][phase] : 0.0;
}

void round_effects_release(struct round_effects *e)
{
    numbering_release(&e->keys);
    free(e->widths);
    *e = (struct round_effects){0};
}
