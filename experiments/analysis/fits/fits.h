/* Least-squares fits to measured curves. The intervals come from resampling whole launches, those
 * of all points together if the points were measured in the same rounds.
 *
 * Every model is written so that it is linear in its coefficients. Each fit is then one solve
 * without starting values, and the law's parameters follow from the coefficients. Residuals are
 * relative, because the noise of a time grows with the time.
 *
 * Lack of fit: if the law is true, the residuals are the points' own noise. So the noise of each
 * resample is added to the fitted times, these are fitted anew, and the remaining sum of squares is
 * compared with that of the measured times (a parametric bootstrap; Efron & Tibshirani, 1993,
 * chapter 16). If the law may be wrong, resampling alone shows only how precisely a wrong law is
 * known. The interval then also contains the value -+ t s: s is the standard error from the
 * residuals, and t Student's quantile with points minus parameters degrees of freedom (Draper &
 * Smith, 1998, Applied Regression Analysis, section 2). */
#ifndef MAXPOOL_FITS_H
#define MAXPOOL_FITS_H

#include "experiments/samples/estimate.h"

#include <stdbool.h>

enum fit_model {
    FIT_AMDAHL,      /* T = T1 ((1 - f) + f / p) */
    FIT_GUSTAFSON,   /* p / T = (s + (1 - s) p) / T1, work growing with p */
    FIT_USL,         /* T = T1 (1 + sigma (p - 1) + kappa p (p - 1)) / p */
    FIT_POWER,       /* log T = log c + a log x */
    FIT_EXPONENTIAL, /* log T = log c + a x: a curve that "grows exponentially" */
    FIT_PRODUCT,     /* log T = log c + a log x + b log z */
    FIT_MODELS
};

enum { FIT_PARAMETERS = 3 };

struct fit_description {
    const char *name;
    const char *formula; /* for readers */
    size_t parameters;   /* 2 or 3 */
    const char
        *parameter[FIT_PARAMETERS]; /* names; the last one or two are the parameters of interest */
    size_t minimum;                 /* fewest different x for a fit */
};

extern const struct fit_description fit_descriptions[FIT_MODELS];

/* A measured point of a curve: x is the workers or the size, z the second factor of FIT_PRODUCT. */
struct fit_point {
    double x, z;
    const struct estimate *seconds;
    const double *draws; /* deviations of log(seconds), drawn together with those of the other
                            points; NULL: the estimate's own */
};

struct fit {
    enum fit_model model;
    size_t points;   /* that took part */
    size_t distinct; /* different x among them */
    double least_x;  /* smallest x among them */
    double value[FIT_PARAMETERS];
    struct interval interval[FIT_PARAMETERS]; /* 95 %, bootstrap over launches; NaN: no draws */
    double error;                             /* root mean square of the relative residuals */
    double misfit; /* probability of residuals as large if the law is true; NaN: not tested */
    bool lacks;    /* misfit < fit_misfit: the points do not follow the law */
    bool widened;  /* misfit < fit_widening: the intervals also cover the residuals */
    struct interval local; /* of a power law: least and largest exponent between neighbours */
    char reason[160];      /* why there is no fit; "" if there is one */
    /* For a power law (for a product: its last factor): the exponents at the smallest and the
     * largest x, by a parabola in logarithms, and the change between them. If the change is
     * significantly more than fit_bend, no single power describes the curve: it is bent, and
     * `reason` says so. */
    bool bent;
    double end[2], end_exponent[2], change;
    struct interval change_interval;
};

/* Levels of the test of lack of fit: below fit_misfit the fit lacks, below fit_widening its
 * intervals are widened. The second is less strict, because the test does not detect every law that
 * is wrong by as much as the noise. */
extern const double fit_misfit, fit_widening;

/* The largest change of an exponent that still counts as one power: a tenth on either side. */
extern const double fit_bend;

/* Fits the model to the points; those without a time above 0 are left out. Always fills *fit;
 * returns -1 only if memory runs out. */
int fit_curve(struct fit *fit, enum fit_model model, const struct fit_point *points, size_t count);

/* The fitted seconds at x (and z). */
double fit_seconds(const struct fit *fit, double x, double z);

#endif
