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

/* What is gathered of each sample: what a function says, or the seconds of a phase or their share
 * of the total. */
struct asked {
    sample_function *of; /* NULL: the phase */
    enum phase phase;
    bool share;
};

static double answer(const struct asked *asked, const struct launch *l, const struct sample *s)
{
    if (asked->of)
        return asked->of(l, s);
    const double seconds = s->seconds[asked->phase];
    return asked->share ? seconds / s->seconds[PHASE_TOTAL] : seconds;
}

/* Gathers the known values of a launch; none if the launch does not count. */
static struct launch_values gather(const struct samples *s, const struct launch *launch,
                                   const struct asked *asked, double *values)
{
    struct launch_values l = {values, 0};
    for (size_t i = 0; launch_counts(launch) && i < launch->count; i++) {
        const double value = answer(asked, launch, &s->samples[launch->first + i]);
        if (isfinite(value))
            l.values[l.count++] = value;
    }
    return l;
}

static struct estimate estimate_of(const struct samples *s, const struct point *p,
                                   const struct asked *asked)
{
    const struct point_samples *from = p->samples;
    struct estimate e = estimate_none();
    double *values = malloc((count_samples(s, from) + 1) * sizeof *values);
    struct launch_values *launches = malloc((from->count + 1) * sizeof *launches);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t n = 0;
    for (size_t i = 0; values && launches && i < from->count; i++) {
        launches[i] = gather(s, &s->launches[from->first + i], asked, values + n);
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
    return estimate_of(s, p, &(struct asked){.phase = phase});
}

struct estimate point_phase_share(const struct samples *s, const struct point *p, enum phase phase)
{
    return estimate_of(s, p, &(struct asked){.phase = phase, .share = true});
}

struct estimate point_sample_estimate(const struct samples *s, const struct point *p,
                                      sample_function *of)
{
    return estimate_of(s, p, &(struct asked){.of = of});
}
