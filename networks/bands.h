/* Three convolutions in bands of rows: one that expands channels, a depthwise one, and a pointwise
 * one that projects them to few again. Of the two maps between them a worker holds some rows, which
 * stay in its second-level cache: written whole, wide maps go to memory and come back twice, and of
 * small ones each worker fetches what another wrote. The methods are those of the steps alone, and
 * sum the same terms in the same order: so are the bits.
 */
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
