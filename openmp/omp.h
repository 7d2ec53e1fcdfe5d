/* The OpenMP space. */
#ifndef MAXPOOL_OMP_H
#define MAXPOOL_OMP_H

#include "harness/space.h"

extern const struct space omp_space;

#endif
