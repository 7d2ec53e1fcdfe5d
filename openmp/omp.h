/* The OpenMP space. */
#ifndef MAXPOOL_OMP_H
#define MAXPOOL_OMP_H

#include "harness/space/host.h"

extern const struct space omp_space;

/* Makes a team of exactly `threads` threads, in which a worker is always the same thread. Status 4
 * if the runtime provides fewer. */
enum status omp_team(int64_t threads, struct team *team, struct failure *f);

/* "openmp" if OpenMP binds its threads (OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY,
 * KMP_AFFINITY), otherwise that of the process (machine_binding). */
const char *omp_binding(void);

/* Makes the team for a job, binds it as the job requests, and sets what is reported of it in
 * *resources. */
enum status omp_open_team(const struct job *job, struct team *team, struct resources *resources,
                          struct failure *f);

#endif
