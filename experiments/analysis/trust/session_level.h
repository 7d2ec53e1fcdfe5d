/* What a time varies by from session to session (runs of `study run`): the highest level at which
 * it was measured again.
 *
 * Launches are nested in sessions: each scatters about the time of its own session. Where sessions
 * differ by more than that, many launches of few sessions report little more of another session
 * than one launch of each would. So each of the S sessions counts once, by the median m of the
 * logarithms of its launches, and
 *
 *     width = t s / sqrt(S) + |mean of the m - log(value)|
 *
 * is added to the half-width of the logarithm as a square: s is the standard deviation of the m, t
 * the 0.975 quantile of Student's distribution with S - 1 degrees of freedom, and the value, which
 * stands in the middle, is the median of all launches. Source: Kalibera & Jones (2013), ISMM,
 * 63-74. Two sessions have t = 12.7, which is no interval to work with: theirs is of these two, and
 * the reader is reported where they differ.
 *
 * Whether sessions differ is tested by the ranks of their launches at 25 %. A preliminary test at 5
 * % lets too many pass that do differ, and their intervals would be too narrow. Source: Bancroft
 * (1964), Biometrics 20, 427-442. */
#ifndef MAXPOOL_SESSION_LEVEL_H
#define MAXPOOL_SESSION_LEVEL_H

#include "experiments/analysis/trust/launch_order.h"

enum { SESSION_LEVEL_LEAST = 3 /* sessions */ };

/* Times are all above 0, sessions numbered from 1 (0: not known). *width: 0 where fewer than three
 * sessions have launches enough, or they are not seen to differ. False where memory lacks. */
bool session_level_width(const double *times, const size_t *sessions, size_t n, double *width);

#endif
