/* The time of a point, and its interval.
 *
 * Samples of one launch are correlated, so a launch counts once, by its median. The value of a
 * point is the median over its launches. With six launches or more, the interval lies between two
 * launches by rank: of nine the 2nd and the 8th (96.1 %), which one bad launch cannot move; of six
 * it is the range (96.9 %). With fewer, whole launches are resampled. A point with one launch shows
 * only the spread within that launch, and has launches == 1. */
#ifndef MAXPOOL_ESTIMATE_H
#define MAXPOOL_ESTIMATE_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

enum { RESAMPLES = 1000 };

/* The timed samples of one launch, in any order. */
struct launch_values {
    double *values; /* sorted in place by estimate_make */
    size_t count;
};

struct interval {
    double lower, upper;
};
extern const struct interval no_interval; /* both NaN */

struct estimate {
    size_t launches;
    size_t samples;
    double value;             /* median over launches of each launch's median; NaN: no samples */
    struct interval interval; /* at least 95 %; NaN if there are too few samples */
    double freedom;  /* degrees of freedom: launches - 1, or samples - 1 for a single launch */
    double variance; /* of log(value), from the resamples */
    double *draws;   /* RESAMPLES deviations of log(value); NULL if value is not above 0 */
};

/* Fills *e from the launches of a point. Only times above 0 have an interval: noise grows with the
 * time, and the logarithm makes it comparable between points. Returns 0, or -1 if memory runs out.
 */
int estimate_make(struct estimate *e, struct launch_values *launches, size_t count, gsl_rng *rng);

void estimate_free(struct estimate *e);

/* Returns an estimate without any value, and one that is given, without its launches. */
struct estimate estimate_none(void);
struct estimate estimate_given(double value, struct interval interval);

/* The 95 % interval of numerator / denominator, both resampled independently; NaN if either has no
 * draws. Source of the widening for few launches: Welch (1947), Biometrika 34, 28-35. */
struct interval estimate_ratio_interval(const struct estimate *numerator,
                                        const struct estimate *denominator);

/* Welch and Satterthwaite's degrees of freedom for the ratio of two estimates with variances. */
double estimate_ratio_freedom(const struct estimate *numerator, const struct estimate *denominator);

/* The central 95 % of draws around a centre, widened from the normal to Student's distribution with
 * `freedom` degrees of freedom: resampling alone is too narrow for few launches. Sorts draws. */
struct interval draws_interval(double centre, double *draws, size_t count, double freedom);

#endif
