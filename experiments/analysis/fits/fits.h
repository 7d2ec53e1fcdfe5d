/* Least-squares fits to measured curves, with intervals by resampling whole launches, of all points
 * together where they were measured in the same rounds.
 *
 * Every model here is linear in its coefficients once it is written the right way, so each fit is
 * one solve without starting values: the law's own parameters follow from the coefficients.
 * Residuals are relative, since the noise of a time grows with the time.
 *
 * Lack of fit: were the law true, the residuals would be those of the points' own noise. So the
 * noise of each resample is added to the fitted times, they are fitted anew, and the sum of squares
 * that is left is compared with that of the measured times (a parametric bootstrap; Efron &
 * Tibshirani, 1993, chapter 16). Where the law may miss, resampling alone would show how
 * well a wrong law is known: the interval then holds the value -+ t s too, s being the standard
 * error from the residuals and t Student's quantile of as many degrees of freedom as there are
 * points more than parameters (Draper & Smith, 1998, Applied Regression Analysis, section 2). */
#ifndef MAXPOOL_FITS_H
#define MAXPOOL_FITS_H

#include "experiments/samples/estimate.h"

#include <stdbool.h>

enum fit_model {
    FIT_AMDAHL,      /* T = T1 ((1 - f) + f / p) */
    FIT_GUSTAFSON,   /* p / T = (s + (1 - s) p) / T1, work growing with p */
    FIT_USL,         /* T = T1 (1 + sigma (p - 1) + kappa p (p - 1)) / p */
    FIT_POWER,       /* log T = log c + a log x */
    FIT_EXPONENTIAL, /* log T = log c + a x: what a curve that "grows exponentially" would follow */
    FIT_PRODUCT,     /* log T = log c + a log x + b log z */
    FIT_MODELS
};

enum { FIT_PARAMETERS = 3 };

struct fit_description {
    const char *name;
    const char *formula; /* as a reader writes it */
    size_t parameters;   /* 2 or 3 */
    const char
        *parameter[FIT_PARAMETERS]; /* names; the last one or two are what the law is about */
    size_t minimum;                 /* distinct x below which no fit is made */
};

extern const struct fit_description fit_descriptions[FIT_MODELS];

/* One measured point of a curve: x is workers or size, z the second factor of FIT_PRODUCT. */
struct fit_point {
    double x, z;
    const struct estimate *seconds;
    const double *draws; /* deviations of log(seconds) drawn together with those of the other
                            points; NULL: the estimate's own */
};

struct fit {
    enum fit_model model;
    size_t points;   /* that took part */
    size_t distinct; /* distinct x among them */
    double least_x;  /* among them */
    double value[FIT_PARAMETERS];
    struct interval interval[FIT_PARAMETERS]; /* 95 %, bootstrap over launches; NaN: no draws */
    double error;                             /* root mean square of the relative residuals */
    double misfit; /* probability of residuals as large, were the law true; NaN: not tested */
    bool lacks;    /* below fit_misfit: the points are seen not to follow the law */
    bool widened;  /* below fit_widening: the intervals include what the residuals show, too */
    struct interval local; /* of a power law: least and largest exponent between neighbours */
    char reason[160];      /* why there is no fit; empty where there is one */
    /* Of a power law (of the last factor of a product): the exponent at the least and at the
     * largest x by a parabola in logarithms, and its change between them. Where the change is seen
     * to be more than fit_bend, no one power describes the curve: it is bent, and `reason` says so.
     */
    bool bent;
    double end[2], slope[2], change;
    struct interval change_interval;
};

/* The level of the test of lack of fit; and the one from which intervals are widened, which is
 * less strict, since the test does not see every law that misses by as much as the noise. */
extern const double fit_misfit, fit_widening;

/* An exponent that holds to a tenth on either side. */
extern const double fit_bend;

/* Fits model to the points; those without a time above 0 are left out. Always fills *fit; returns
 * -1 only where memory lacks. */
int fit_curve(struct fit *fit, enum fit_model model, const struct fit_point *points, size_t count);

/* The fitted seconds at x (and z). */
double fit_seconds(const struct fit *fit, double x, double z);

#endif
