/* The probes of kernels/vector.h, one build per instruction set. */
#ifndef MAXPOOL_TEST_VECTOR_PROBE_H
#define MAXPOOL_TEST_VECTOR_PROBE_H

#include "kernels/isa.h"

typedef const char *vector_probe_function(void);
typedef int vector_lanes_function(void);

ISA_DECLARE(vector_probe_function, vector_probe);
ISA_DECLARE(vector_lanes_function, vector_lanes);

#endif
