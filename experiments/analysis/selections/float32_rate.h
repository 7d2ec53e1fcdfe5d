/* How much of a GPU's arithmetic float32 alone can use. */
#ifndef MAXPOOL_ANALYSIS_FLOAT32_RATE_H
#define MAXPOOL_ANALYSIS_FLOAT32_RATE_H

#include "experiments/analysis/analysis.h"
#include "harness/limits/cards.h"

/* The card that computed a product, a convolution or a network in float32, if its rates of float32
 * and of bf16 by tensor cores are known; otherwise NULL. */
const struct card *float32_card(const struct analysis *a, const struct point *p);

#endif
