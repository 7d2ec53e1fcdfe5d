/* The parallel share f of Amdahl's or Gustafson's law, fitted round by round. Every round measures
 * each worker count once, so each round gives one f, in which the machine's drift cancels. The
 * value is the median over rounds. The interval lies between two rounds, found by rank alone: of
 * nine rounds the 2nd and the 8th (96.1 %), whatever the noise. But rounds also agree on the f of a
 * law that does not hold: if the fit to the medians misses them (fits.h), the interval also
 * contains that fit's own, which its residuals have widened. */
#ifndef MAXPOOL_ROUND_FITS_H
#define MAXPOOL_ROUND_FITS_H

#include "experiments/analysis/analysis.h"

/* f of one round, with seconds[i] on workers[i], by least squares of the relative residuals.
 * Amdahl's law is T = T1 ((1 - f) + f / p), Gustafson's p T1 / T = (1 - f) + f p. NaN without a
 * solution. */
double round_share(bool weak, const double *workers, const double *seconds, size_t count);

struct round_fit {
    double share;
    struct interval interval; /* at least 95 % */
    size_t rounds;            /* that measured every worker count; no fit below six */
};

/* The median of the rounds' shares, which it sorts; no interval below six. */
struct round_fit round_fit_of(double *shares, size_t rounds);

/* Extends the interval to contain that of `fit`, made to the medians of the same points, if its
 * residuals have widened it; otherwise returns `rounds` unchanged. */
struct round_fit round_fit_widened(struct round_fit rounds, bool weak, const struct fit *fit);

/* Fits the total times of a curve: those of points that are not INVALID and share no cores. Status
 * 4 if memory runs out. */
enum status round_fit_curve(struct round_fit *out, const struct analysis *a, const struct curve *c,
                            struct failure *f);

#endif
