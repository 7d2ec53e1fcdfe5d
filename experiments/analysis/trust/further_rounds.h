/* Whether launches of further rounds resemble the planned ones. They are measured later: if the
 * machine changed in between, the median of all launches describes neither. */
#ifndef MAXPOOL_TRUST_FURTHER_ROUNDS_H
#define MAXPOOL_TRUST_FURTHER_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>

/* Medians of launches, all above 0 and in any order, which is lost. *factor: how many times as long
 * the further ones take. True where that is beyond 1 + apart either way, and more than chance gives
 * in one of sixty points: the sum of ranks is 2.4 standard deviations from what equal launches
 * would have. Fewer than three on a side say nothing. Source: Mann & Whitney (1947), Annals of
 * Mathematical Statistics 18, 50-60. */
bool further_rounds_differ(double *planned, size_t n, double *further, size_t m, double apart,
                           double *factor);

#endif
