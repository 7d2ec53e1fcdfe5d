/* The roof of each step under the ceilings measured on this machine: the least seconds that its
 * memory traffic and its arithmetic can take (harness/limits/roof.h). */
#ifndef MAXPOOL_NETWORK_LAYER_ROOF_H
#define MAXPOOL_NETWORK_LAYER_ROOF_H

#include "harness/limits/roof.h"
#include "networks/point/network_run.h"

/* Reads the ceilings of this host from the file of --roof. Status 2 if it holds none, or something
 * else. */
enum status layer_roof_read(struct ceilings *out, const char *path, struct failure *f);

/* What the times of steps are compared with. */
struct layer_roofs {
    const struct ceilings *ceilings; /* empty: not requested */
    double workers;                  /* that compute at once, of this suite or of a library */
};

/* The roofs under --roof, for one method of a point. */
struct layer_roofs layer_roofs_of(const struct point *p, size_t contender);

/* The least seconds of a step; NaN if the ceilings do not cover this number of workers, or a device
 * or a library runs the step. */
double layer_roof_s(const struct layer_roofs *r, const struct forward *w, int step);

#endif
