/* What to do about a cause of doubt where samples were not made by our point programs: they have
 * options that other sources lack. */
#ifndef MAXPOOL_REMEDIES_H
#define MAXPOOL_REMEDIES_H

#include "experiments/analysis/trust/reasons.h"

/* A message id, in which %{again} is remedy_again(); NULL: what reasons.c says of all sources. */
const char *remedy_of_source(enum cause cause, enum sample_source source);

/* How points of a source are measured afresh: a message id. */
const char *remedy_again(enum sample_source source);

#endif
