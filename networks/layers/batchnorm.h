/* Batch norm of one channel, as scale and shift. Source: Ioffe & Szegedy (2015), arXiv:1502.03167,
 * algorithm 2, with PyTorch's epsilon of 1e-5 under the root. */
#ifndef MAXPOOL_LAYERS_BATCHNORM_H
#define MAXPOOL_LAYERS_BATCHNORM_H

#include "networks/layers/kinds.h"

struct norm {
    double scale, shift; /* y = scale x + shift */
};

struct norm norm_of(const struct layer *l, const float *parameters, int64_t channel);

#endif
