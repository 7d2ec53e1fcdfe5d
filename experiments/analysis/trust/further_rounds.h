/* Whether launches of further rounds resemble the planned ones. They are measured later: if the
 * machine changed in between, the median of all launches describes neither. */
#ifndef MAXPOOL_TRUST_FURTHER_ROUNDS_H
#define MAXPOOL_TRUST_FURTHER_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>

/* Compares medians of launches, all above 0, in any order, which is lost. *factor: time of the
 * further ones / time of the planned ones. True if that is beyond 1 + apart in either direction and
 * significant: the sum of ranks is 2.4 standard deviations from its value for equal launches, as by
 * chance in one of sixty points. False for fewer than three on a side. Source: Mann & Whitney
 * (1947), Annals of Mathematical Statistics 18, 50-60. */
bool further_rounds_differ(double *planned, size_t n, double *further, size_t m, double apart,
                           double *factor);

#endif
