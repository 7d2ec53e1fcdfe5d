#include "experiments/analysis/fits/joint_draws.h"

#include "experiments/analysis/paired_times.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

enum { LEAST_ROUNDS = 6, SEED = 35 };

/* Stores the logarithms of the times of one round, one per point. Returns false if a point has no
 * time in it. */
static bool gather_round(const struct samples *s, const struct point *const *points, size_t count,
                         enum metric metric, size_t launch, double *logs)
{
    for (size_t i = 0; i < count; i++) {
        const ptrdiff_t at =
            i == 0 ? (ptrdiff_t)launch : paired_launch(s, points[0], launch, points[i]);
        const double seconds = at < 0 ? (double)NAN : points[i]->medians[metric][at];
        if (!(seconds > 0.0))
            return false;
        logs[i] = log(seconds);
    }
    return true;
}

/* The median of one point over n of the rounds. */
static double median_of_rounds(const double *logs, size_t count, size_t point, const size_t *rounds,
                               size_t n, double *workspace)
{
    for (size_t i = 0; i < n; i++)
        workspace[i] = logs[rounds[i] * count + point];
    return median_of(workspace, n);
}

struct drawing {
    const double *logs; /* [rounds][count] */
    size_t rounds, count;
    size_t *drawn; /* rounds of one resample */
    double *workspace, *centres;
    gsl_rng *rng;
};

static void draw_all(const struct drawing *d, double *out)
{
    const double inflate = sqrt((double)d->rounds / ((double)d->rounds - 1.0));
    for (size_t i = 0; i < d->rounds; i++)
        d->drawn[i] = i;
    for (size_t i = 0; i < d->count; i++)
        d->centres[i] = median_of_rounds(d->logs, d->count, i, d->drawn, d->rounds, d->workspace);
    for (size_t draw = 0; draw < RESAMPLES; draw++) {
        for (size_t i = 0; i < d->rounds; i++)
            d->drawn[i] = gsl_rng_uniform_int(d->rng, d->rounds);
        for (size_t i = 0; i < d->count; i++)
            out[i * RESAMPLES + draw] = inflate * (median_of_rounds(d->logs, d->count, i, d->drawn,
                                                                    d->rounds, d->workspace) -
                                                   d->centres[i]);
    }
}

double *joint_draws(const struct samples *s, const struct point *const *points, size_t count,
                    enum metric metric)
{
    const size_t most = count ? points[0]->samples->count : 0;
    if (count == 0 || most < LEAST_ROUNDS)
        return NULL;
    double *logs = malloc(most * count * sizeof *logs);
    double *out = malloc(count * RESAMPLES * sizeof *out);
    struct drawing d = {.logs = logs,
                        .count = count,
                        .drawn = malloc(most * sizeof *d.drawn),
                        .workspace = malloc(most * sizeof *d.workspace),
                        .centres = malloc(count * sizeof *d.centres),
                        .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    const bool whole = logs && out && d.drawn && d.workspace && d.centres && d.rng;
    for (size_t i = 0; whole && i < most; i++)
        d.rounds += gather_round(s, points, count, metric, i, logs + d.rounds * count);
    const bool enough = whole && d.rounds >= LEAST_ROUNDS;
    if (enough) {
        gsl_rng_set(d.rng, SEED);
        draw_all(&d, out);
    }
    gsl_rng_free(d.rng);
    free(d.centres);
    free(d.workspace);
    free(d.drawn);
    free(logs);
    if (!enough)
        free(out);
    return enough ? out : NULL;
}
