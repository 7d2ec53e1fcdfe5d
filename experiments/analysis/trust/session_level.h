/* How much a time varies from session to session (runs of `study run`): the highest level at which
 * it is repeated.
 *
 * Launches are nested in sessions: each scatters about the time of its session. If sessions differ
 * by more than that, many launches of a few sessions say little more about another session than one
 * launch of each would. So each of the S sessions counts once, by the median m of the logarithms of
 * its launches, and
 *
 *     width = t s / sqrt(S) + |mean of the m - log(value)|
 *
 * is added to the half-width of the logarithm in quadrature: s is the standard deviation of the m,
 * t the 0.975 quantile of Student's distribution with S - 1 degrees of freedom, and the value, at
 * the centre of the interval, is the median of all launches. Source: Kalibera & Jones (2013), ISMM,
 * 63-74. For two sessions t = 12.7, which gives no useful interval: their interval describes these
 * two only, and a difference between them is reported.
 *
 * Whether sessions differ is tested by the ranks of their launches at 25 %. A preliminary test at 5
 * % misses too many sessions that differ, and their intervals would be too narrow. Source: Bancroft
 * (1964), Biometrics 20, 427-442. */
#ifndef MAXPOOL_SESSION_LEVEL_H
#define MAXPOOL_SESSION_LEVEL_H

#include "experiments/analysis/trust/launch_order.h"

enum { SESSION_LEVEL_LEAST = 3 /* sessions */ };

/* Times are above 0, sessions numbered from 1 (0: unknown). *width is 0 if fewer than three
 * sessions have enough launches, or no difference is shown. Returns false if memory runs out. */
bool session_level_width(const double *times, const size_t *sessions, size_t n, double *width);

#endif
