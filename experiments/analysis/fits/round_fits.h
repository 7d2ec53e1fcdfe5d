/* The parallel share f of Amdahl's or Gustafson's law, fitted round by round. Every round measures
 * each worker count once, so it has an f of its own in which the machine's drift cancels; the value
 * is the median over rounds, and the interval lies between two of them, found by their ranks alone:
 * of nine rounds the 2nd and the 8th (96.1 %), whatever the noise. Rounds agree on the f of a law
 * that does not hold, too: where the fit to the medians is seen to miss them (fits.h), the interval
 * also holds that fit's own, which its residuals have widened. */
#ifndef MAXPOOL_ROUND_FITS_H
#define MAXPOOL_ROUND_FITS_H

#include "experiments/analysis/analysis.h"

/* f of one round: seconds[i] on workers[i], least squares of the relative residuals. Amdahl's law
 * is T = T1 ((1 - f) + f / p), Gustafson's p T1 / T = (1 - f) + f p. NaN where there is no
 * solution. */
double round_share(bool weak, const double *workers, const double *seconds, size_t count);

struct round_fit {
    double share;
    struct interval interval; /* 95 % at least */
    size_t rounds;            /* that measured every worker count; below six there is no fit */
};

/* The median of the shares of some rounds, which are sorted; no interval below six. */
struct round_fit round_fit_of(double *shares, size_t rounds);

/* The same with the interval that a fit to the medians of the same points gives it: unchanged where
 * that one is not seen to lack. */
struct round_fit round_fit_widened(struct round_fit rounds, bool weak, const struct fit *fit);

/* That of the total times of a curve: of points that are not INVALID and share no cores. Status 4
 * where memory lacks. */
enum status round_fit_curve(struct round_fit *out, const struct analysis *a, const struct curve *c,
                            struct failure *f);

#endif
