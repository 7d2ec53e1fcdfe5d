/* Three convolutions in bands of rows: one that expands channels, a depthwise one, and a pointwise
 * one that projects them to few channels again. A worker holds only some rows of the two maps
 * between them, and these rows stay in its second-level cache. Written whole, large maps would go
 * to memory and back twice, and of small maps each worker would fetch rows that another has
 * written. The methods are the same as step by step and sum the same terms in the same order, so
 * the bits are the same. */
#ifndef MAXPOOL_NETWORKS_BANDS_H
#define MAXPOOL_NETWORKS_BANDS_H

#include "networks/plan.h"

#include <stdbool.h>

enum { BAND_STEPS = 3 };

/* Marks the steps of a plan that are computed so (step.bands), by the sizes of maps and the number
 * of workers: the machine does not decide. */
void bands_find(struct plan *p);

/* The last step of those that are computed with this one. */
int bands_last(const struct plan *p, int step);

/* Whether a step reads rows of a band, and whether it writes some: not a map of all of them. */
static inline bool bands_read(const struct step *s)
{
    return s->bands < 0;
}

static inline bool bands_written(const struct step *s)
{
    return s->bands != 0 && s->bands > 1 - BAND_STEPS;
}

/* Sets rows and scratch of the chain that ends with this step, all of which are prepared: those of
 * its first step, which is returned. */
struct step *bands_prepare(struct step *last);

/* One worker's share of the chain. Adds to seconds[i] how long its parts of step i took; NULL:
 * nobody asks. */
void bands_run_share(const struct step *first, int64_t worker, void *scratch,
                     double seconds[BAND_STEPS]);

#endif
