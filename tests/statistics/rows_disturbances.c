/* Whether a disturbance that goes along with slow times is found, and an unrelated one is not. */
#include "experiments/analysis/trust/disturbances.h"
#include "tests/statistics/rows.h"
#include "tests/statistics/worlds.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdbool.h>

/* ---- launches -------------------------------------------------------------------------------- */

struct switched_launches {
    double deviation; /* standard deviation of a launch's logarithm */
    double mean;      /* mean number of switches per launch */
    double each;      /* slowdown per switch, as a fraction */
    size_t launches;
};

static double launches_reported(gsl_rng *rng, const void *with)
{
    const struct switched_launches *w = with;
    double times[MOST_LAUNCHES], switches[MOST_LAUNCHES];
    for (size_t i = 0; i < w->launches; i++) {
        switches[i] = (double)gsl_ran_poisson(rng, w->mean);
        times[i] = exp(gsl_ran_gaussian(rng, w->deviation)) * (1.0 + w->each * switches[i]);
    }
    return disturbance_follows_launches(times, switches, w->launches);
}

static const struct switched_launches unrelated = {0.25, 3.0, 0.0, LAUNCHES};
static const struct switched_launches rare = {0.25, 0.3, 0.0, LAUNCHES};
static const struct switched_launches lengthened = {0.02, 3.0, 0.05, LAUNCHES};
static const struct switched_launches lengthened_long = {0.02, 3.0, 0.05, 2 * LAUNCHES};

/* ---- samples --------------------------------------------------------------------------------- */

enum { SAMPLES = 20 }; /* in each of nine launches */

struct switched_samples {
    double slow;      /* probability of a slow sample */
    double disturbed; /* probability of a disturbance in a sample that is not slow */
    double both;      /* ... in a slow sample */
    int burst;        /* consecutive samples with the same state */
};

static double samples_reported(gsl_rng *rng, const void *with)
{
    const struct switched_samples *w = with;
    struct disturbed_samples launches[LAUNCHES] = {{0.0, 0.0, 0.0, 0.0}};
    for (int i = 0; i < LAUNCHES * SAMPLES; i += w->burst) {
        struct disturbed_samples *l = &launches[i / SAMPLES];
        const bool slow = gsl_rng_uniform(rng) < w->slow;
        const bool disturbed = gsl_rng_uniform(rng) < (slow ? w->both : w->disturbed);
        l->all += w->burst;
        l->slow += slow * w->burst;
        l->disturbed += disturbed * w->burst;
        l->both += (slow && disturbed) * w->burst;
    }
    return disturbance_follows_samples(launches, LAUNCHES);
}

static const struct switched_samples apart = {0.33, 0.33, 0.33, 1};
static const struct switched_samples apart_in_bursts = {0.33, 0.33, 0.33, 5};
static const struct switched_samples together = {0.33, 0.2, 0.6, 1};

static const struct row rows[] = {
    {"nine launches, lognormal 25 %, switches that have nothing to do with it: noted", "≤ 1 %",
     launches_reported, &unrelated, 0.0, 0.01, 1},
    {"the same, few launches with any", "≤ 1 %", launches_reported, &rare, 0.0, 0.01, 1},
    {"three switches a launch, each makes it 5 % longer, 2 % noise: noted", "power",
     launches_reported, &lengthened, 0.5, 1.0, 1},
    {"the same, 18 launches", "≥ 95 %", launches_reported, &lengthened_long, 0.95, 1.0, 1},
    {"a third of the samples slow, a third switched, by chance: noted", "≤ 1 %", samples_reported,
     &apart, 0.0, 0.01, 1},
    {"the same, both in bursts of five samples", "≤ 1 %", samples_reported, &apart_in_bursts, 0.0,
     0.01, 1},
    {"60 % of the slow samples switched, 20 % of the others: noted", "power", samples_reported,
     &together, 0.85, 1.0, 1},
};

const struct section rows_of_disturbances = {"What goes along with slow times", rows,
                                             sizeof rows / sizeof *rows};
