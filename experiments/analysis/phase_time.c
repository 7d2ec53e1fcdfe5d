#include "experiments/analysis/phase_time.h"

#include <math.h>
#include <stdlib.h>

static size_t count_samples(const struct samples *s, const struct point_samples *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++)
        count += s->launches[p->first + i].count;
    return count;
}

/* Gathers the seconds of the phase in each sample of a launch, or its share of the total; no values
 * if the launch does not count. */
static struct launch_values gather(const struct samples *s, const struct launch *launch,
                                   enum phase phase, bool share, double *values)
{
    struct launch_values l = {values, 0};
    for (size_t i = 0; launch_counts(launch) && i < launch->count; i++) {
        const double *seconds = s->samples[launch->first + i].seconds;
        const double value = share ? seconds[phase] / seconds[PHASE_TOTAL] : seconds[phase];
        if (isfinite(value))
            l.values[l.count++] = value;
    }
    return l;
}

static struct estimate estimate_of(const struct samples *s, const struct point *p, enum phase phase,
                                   bool share)
{
    const struct point_samples *from = p->samples;
    struct estimate e = estimate_none();
    double *values = malloc((count_samples(s, from) + 1) * sizeof *values);
    struct launch_values *launches = malloc((from->count + 1) * sizeof *launches);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t n = 0;
    for (size_t i = 0; values && launches && i < from->count; i++) {
        launches[i] = gather(s, &s->launches[from->first + i], phase, share, values + n);
        n += launches[i].count;
    }
    if (values && launches && rng) {
        gsl_rng_set(rng, point_seed(from->key));
        if (estimate_make(&e, launches, from->count, rng) != 0)
            e = estimate_none();
    }
    gsl_rng_free(rng);
    free(launches);
    free(values);
    return e;
}

struct estimate point_phase_seconds(const struct samples *s, const struct point *p,
                                    enum phase phase)
{
    return estimate_of(s, p, phase, false);
}

struct estimate point_phase_share(const struct samples *s, const struct point *p, enum phase phase)
{
    return estimate_of(s, p, phase, true);
}
