/* Computes three convolutions together, in bands of rows: one that expands channels, a depthwise
 * one, and a pointwise one that projects to few channels again. A worker holds only some rows of
 * the two maps between them, and these rows stay in its second-level cache. If the maps were
 * written whole, large maps would go to memory and back twice, and workers would fetch rows of
 * small maps that other workers have written. The methods are the same as step by step and sum the
 * same terms in the same order, so the bits are the same. */
#ifndef MAXPOOL_NETWORKS_BANDS_H
#define MAXPOOL_NETWORKS_BANDS_H

#include "networks/plan.h"

#include <stdbool.h>

enum { BAND_STEPS = 3 };

/* Marks the steps of a plan that are computed in bands (step.bands). The sizes of the maps and the
 * number of workers decide, not the machine. */
void bands_find(struct plan *p);

/* Returns the last of the steps that are computed together with this one. */
int bands_last(const struct plan *p, int step);

/* True if a step reads rows of a band instead of a whole map; bands_written: if it writes them. */
static inline bool bands_read(const struct step *s)
{
    return s->bands < 0;
}

static inline bool bands_written(const struct step *s)
{
    return s->bands != 0 && s->bands > 1 - BAND_STEPS;
}

/* Sets band rows and scratch for the chain that ends with this step. All its steps are prepared.
 * Stores both in the chain's first step and returns that. */
struct step *bands_prepare(struct step *last);

/* The number of pieces into which each worker's share of the chain is cut. */
int64_t bands_pieces(const struct step *first);

/* Runs the pieces of the chain that one worker takes. Adds the time of step i's parts to
 * seconds[i], unless it is NULL. */
void bands_run_pieces(const struct step *first, const struct shares *shares, int64_t worker,
                      void *scratch, double seconds[BAND_STEPS]);

#endif
