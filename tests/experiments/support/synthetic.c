#include "tests/experiments/support/synthetic.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

void synthetic_launch(double *values, size_t samples, double seconds, size_t launch,
                      size_t launches, const struct noise *noise, gsl_rng *rng)
{
    double level = seconds * exp(gsl_ran_gaussian(rng, noise->launch));
    if (launches > 1)
        level *= 1.0 + noise->trend * (double)launch / (double)(launches - 1);
    if (gsl_rng_uniform(rng) < noise->mode)
        level *= 1.0 + noise->slower;
    for (size_t i = 0; i < samples; i++) {
        values[i] = level * exp(gsl_ran_gaussian(rng, noise->sample));
        if (gsl_rng_uniform(rng) < noise->outlier)
            values[i] *= 1.5 + 3.5 * gsl_rng_uniform(rng);
    }
}

int open_generator(void **state)
{
    gsl_set_error_handler_off();
    *state = gsl_rng_alloc(gsl_rng_mt19937);
    if (!*state)
        return -1;
    gsl_rng_set(*state, 35);
    return 0;
}

int close_generator(void **state)
{
    gsl_rng_free(*state);
    return 0;
}

bool long_run(void)
{
    const char *wanted = getenv("MAXPOOL_LONG");
    return wanted && wanted[0] == '1';
}
