/* The OpenMP space. */
#ifndef MAXPOOL_OMP_H
#define MAXPOOL_OMP_H

#include "harness/space/host.h"

extern const struct space omp_space;

/* A team of exactly that many threads, the same thread for the same worker each time. Status 4
 * where the runtime gives fewer. */
enum status omp_team(int64_t threads, struct team *team, struct failure *f);

/* The team that a job asks for, bound as it asks, and what is reported of it. */
enum status omp_open_team(const struct job *job, struct team *team, struct resources *resources,
                          struct failure *f);

#endif
