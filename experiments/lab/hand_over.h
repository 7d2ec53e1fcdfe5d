/* The part of a call that handing the work to a worker and back takes, and the size at which this
 * part is small. */
#ifndef MAXPOOL_LAB_HAND_OVER_H
#define MAXPOOL_LAB_HAND_OVER_H

#include "experiments/lab/trial.h"

extern const double lab_hand_over_most; /* of the kernel's time that it should be at the most */

/* Starting from `size`, doubles rows and columns (what of them follows n) until handing over is no
 * more of the kernel's time than that, twice at the most; *share is what it is at the size
 * found, NaN where the kernel failed. Status of what failed on our side only. */
enum status lab_hand_over_settle(struct lab_size *size, const struct lab_kind *kind,
                                 const struct lab_start *how, uint64_t seed, double *share,
                                 struct failure *f);

#endif
