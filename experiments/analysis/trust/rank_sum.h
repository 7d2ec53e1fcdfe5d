/* Whether one of two groups is shifted against the other, by the sum of its ranks: the exact
 * probability, also with ties. Source: Wilcoxon (1945), Biometrics Bulletin 1, 80-83; Mann &
 * Whitney (1947), Annals of Mathematical Statistics 18, 50-60. */
#ifndef MAXPOOL_TRUST_RANK_SUM_H
#define MAXPOOL_TRUST_RANK_SUM_H

#include <stddef.h>

/* Share of the ways to choose `part` of the n ranks whose sum is at least as far from its mean, on
 * either side, as the sum of the first `part`. Ranks are from 1; equal values share the mean of
 * theirs. NaN if memory runs out. */
double rank_sum_p(const double *ranks, size_t n, size_t part);

#endif
