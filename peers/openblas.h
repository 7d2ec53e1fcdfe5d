/* What both uses of OpenBLAS share. */
#ifndef MAXPOOL_PEERS_OPENBLAS_H
#define MAXPOOL_PEERS_OPENBLAS_H

#include <stddef.h>
#include <stdint.h>

/* Sets its threads and writes "OpenBLAS 0.3.21 Cooperlake": the processor it chose its code for. */
void openblas_ready(int64_t threads, char *name, size_t size);

#endif
