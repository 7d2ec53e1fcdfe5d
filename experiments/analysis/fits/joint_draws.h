/* Resamples of the times of several points together. Whole rounds are drawn, so every resample
 * keeps the noise that the points of a round have in common. The drift of the machine then does not
 * count as misfit of a law, nor does it make its parameters look more precise. */
#ifndef MAXPOOL_JOINT_DRAWS_H
#define MAXPOOL_JOINT_DRAWS_H

#include "experiments/analysis/analysis.h"

/* Returns RESAMPLES deviations of the logarithm of each point's time, point by point; the caller
 * frees them. They are scaled, because m rounds show only (m - 1) / m of their variance about their
 * own centre. NULL if fewer than six rounds measured all of the points, or memory runs out: each
 * point is then drawn separately. The same samples give the same draws. */
double *joint_draws(const struct samples *s, const struct point *const *points, size_t count,
                    enum metric metric);

#endif
