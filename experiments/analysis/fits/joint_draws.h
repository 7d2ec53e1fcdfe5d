/* Resamples of the times of several points together: whole rounds are drawn, so that what the
 * points of one round share, they share in every resample. A law fitted to such times is not blamed
 * for the drift of the machine, and its parameters do not gain from it. */
#ifndef MAXPOOL_JOINT_DRAWS_H
#define MAXPOOL_JOINT_DRAWS_H

#include "experiments/analysis/analysis.h"

/* RESAMPLES deviations of the logarithm of each point's time, point by point; the caller frees
 * them. m rounds show only (m - 1) / m of their variance about their own centre, which is made up
 * for. NULL where fewer than six rounds measured all of the points, or memory lacks: each point is
 * then drawn by itself. The same samples give the same draws. */
double *joint_draws(const struct samples *s, const struct point *const *points, size_t count,
                    enum metric metric);

#endif
