/* What the two peers by OpenBLAS share. */
#ifndef MAXPOOL_PEERS_OPENBLAS_H
#define MAXPOOL_PEERS_OPENBLAS_H

#include "harness/base/failure.h"

#include <stddef.h>
#include <stdint.h>

/* Sets its threads and writes "OpenBLAS 0.3.21 Cooperlake": name, version and the processor that
 * its code is for. Several threads need an OpenBLAS that uses the team's threads: status 3
 * otherwise. */
enum status openblas_ready(int64_t threads, char *name, size_t size, struct failure *f);

#endif
