/* Losses, which training minimizes. Each is one row, in its own file. The loss of a batch is the
 * mean of the losses of its images; the output gradient is the derivative of this mean with respect
 * to each output. */
#ifndef MAXPOOL_LOSS_H
#define MAXPOOL_LOSS_H

#include "kernels/oracle.h"

#include <stdbool.h>
#include <stdint.h>

/* The correct outputs: one class per image, or as many values as there are outputs. */
struct targets {
    const int32_t *labels;
    const float *values;
};

struct loss_call {
    const float *outputs; /* images x values */
    struct targets targets;
    int64_t values;
    int64_t whole;   /* images in the whole batch, of which `outputs` holds a part */
    float *d_output; /* images x values */
    double *losses;  /* one per image */
};

struct loss {
    const char *name;
    bool labels; /* its targets are classes */
    /* Computes the loss and the output gradient of image `image`. */
    void (*run)(const struct loss_call *call, int64_t image);
    /* The oracles of both. */
    struct expectation (*expect)(const struct loss_call *call, int64_t image);
    struct expectation (*expect_d_output)(const struct loss_call *call, int64_t image,
                                          int64_t value);
};

/* Softmax with cross-entropy, -log of the class's softmax; and the mean squared error. */
extern const struct loss cross_entropy_loss, mean_squared_loss;

#endif
