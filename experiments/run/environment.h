/* What a study ran on: machine, system, build, libraries, MPI, GPU, batch job, as JSON. */
#ifndef MAXPOOL_ENVIRONMENT_H
#define MAXPOOL_ENVIRONMENT_H

#include "harness/base/failure.h"

/* The JSON text; the caller frees it. Status 4 where memory is short. */
enum status environment_text(char **text, struct failure *f);

/* Writes R/environment.json, and R/topology.xml where hwloc is there, whole or not at all. Status 5
 * where they cannot be written. */
enum status environment_write(const char *results, struct failure *f);

#endif
