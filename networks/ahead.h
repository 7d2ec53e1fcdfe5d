/* Weights that a step would wait for: the convolutions before it prefetch them. A fully connected
 * layer reads each of its weights once per image, from memory if they do not stay in a cache, while
 * convolutions of small maps keep memory idle most of the time. */
#ifndef MAXPOOL_NETWORKS_AHEAD_H
#define MAXPOOL_NETWORKS_AHEAD_H

#include "networks/layers/conv_layer.h"

/* Finds what each step prefetches, after all have been prepared. */
void ahead_find(struct plan *p);

/* What the call for rows `r` of a part of the step's filters prefetches: its share. */
struct conv_ahead ahead_of(const struct step *s, const struct step_part *part,
                           const struct conv_rows *r);

#endif
