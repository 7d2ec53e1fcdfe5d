/* The roof of each step under ceilings that were measured on this machine: the least seconds that
 * what it must move and compute can take (harness/ceilings/roof.h). */
#ifndef MAXPOOL_NETWORK_LAYER_ROOF_H
#define MAXPOOL_NETWORK_LAYER_ROOF_H

#include "harness/ceilings/roof.h"
#include "networks/point/network_run.h"

/* The ceilings of this host in the file of --roof. Status 2 where it holds none, or something else.
 */
enum status layer_roof_read(struct ceilings *out, const char *path, struct failure *f);

/* What steps are compared with. */
struct layer_roofs {
    const struct ceilings *ceilings; /* without rows: nothing is asked */
    double workers;                  /* at once, whoever they are */
};

/* Of --roof, for one method of a point. */
struct layer_roofs layer_roofs_of(const struct point *p, size_t contender);

/* Seconds of a step at the least; NaN where the ceilings do not have as many workers, or are not
 * those of the device that runs it. */
double layer_roof_s(const struct layer_roofs *r, const struct forward *w, int step);

#endif
