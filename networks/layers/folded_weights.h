/* Weights and bias as a convolution computes with them: with the batch norm behind it. */
#ifndef MAXPOOL_LAYERS_FOLDED_WEIGHTS_H
#define MAXPOOL_LAYERS_FOLDED_WEIGHTS_H

#include "networks/plan.h"

/* Of a convolution. Allocates *folded, filters x terms, for the caller to free; and step->bias
 * where the step has any, which the layer's release() frees. Each weight and each bias is rounded
 * once. */
enum status step_fold(struct step *s, const struct plan *p, float **folded, struct failure *f);

#endif
