/* Verification step by step: each output of a step is compared with the oracle in double precision,
 * computed from the floats that the step really received. The bound is therefore that of one
 * operator, and does not grow with the depth of the network. */
#ifndef MAXPOOL_NETWORKS_VERIFY_H
#define MAXPOOL_NETWORKS_VERIFY_H

#include "kernels/error_tally.h"
#include "kernels/oracle.h"
#include "networks/step.h"

struct verified_step {
    const struct step *step;
    const float *parameters;      /* the network's, as they were read or seeded */
    const float *from, *residual; /* inputs and residual, all images */
    const float *to;              /* the outputs */
};

/* The expected output (image, channel, row, col) of a step, fused layers included. */
struct expectation verify_expectation(const struct verified_step *j, int64_t image, int64_t channel,
                                      int64_t row, int64_t col);

/* Which outputs of a step are verified: all of them, or the first and last of each image and
 * `drawn` random ones if that is fewer. */
struct verify_extent {
    bool full;
    int64_t drawn;
    uint64_t seed;
    struct error_tally
        *errors; /* per step: collects the errors of the step's outputs; NULL: not wanted */
    struct error_tally *parameters, *inputs; /* the same for the gradients */
};

/* Verifies the share of worker `worker` of `workers`, and adds its errors to *tally. Status 1 names
 * the layer, the place, and the correct value. */
enum status verify_share(const struct verified_step *j, const struct verify_extent *how,
                         int64_t worker, int64_t workers, struct error_tally *tally,
                         struct failure *f);

#endif
