/* The share of a call that passing the order to a worker and the answer back takes, and the size at
 * which this share is small. */
#ifndef MAXPOOL_LAB_HAND_OVER_H
#define MAXPOOL_LAB_HAND_OVER_H

#include "classroom/lab/trial.h"

extern const double lab_hand_over_most; /* largest acceptable share of the kernel's time */

/* Seconds of the shortest of some calls at a size, and of the shortest empty order; NaN if the
 * kernel failed. The status reports only failures of the suite. */
struct lab_shortest {
    double kernel_s, echo_s;
};
enum status lab_shortest_find(struct lab_shortest *out, const struct foreign_sizes *size,
                              const struct operator_row *kind, const struct lab_start *how,
                              uint64_t seed, struct failure *f);

/* Measures the share at `size`. While it is larger than lab_hand_over_most, doubles rows and
 * columns (those that follow n), at most twice. *share: the share at the final size; NaN if the
 * kernel failed. The status reports only failures of the suite. */
enum status lab_hand_over_settle(struct foreign_sizes *size, const struct operator_row *kind,
                                 const struct lab_start *how, uint64_t seed, double *share,
                                 struct failure *f);

/* Whether a kernel works while an empty order, in which it has no part, is handed over: in 10 or
 * more rounds its worker's shortest empty order took as long as the longest of our workers', and
 * ten times as long as usual. Were the workers alike, the first alone would be so once in C(2n, n)
 * runs of n rounds: 184,756 for 10. kernel_s, own_s: seconds by round, own_s the longest of all our
 * workers. *shortest: the kernel's, *usual: the median of ours, in seconds. */
bool lab_hand_over_is_used(const double *kernel_s, const double *own_s, size_t rounds,
                           double *shortest, double *usual);

#endif
