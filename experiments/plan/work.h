/* How much one execution of a point is: its geometry, its bytes, its operations. */
#ifndef MAXPOOL_WORK_H
#define MAXPOOL_WORK_H

#include "harness/records/record.h"
#include "kernels/geometry.h"

bool work_is_pooling(const struct record *p);

/* False for an image whose sizes only its file tells. */
bool work_has_sizes(const struct record *p);

enum geometry_status work_geometry(const struct record *p, struct geometry *g);

/* Bytes of what every program holds; SIZE_MAX where they cannot be counted. */
size_t work_bytes(const struct record *p);

/* A count that may be left open: 1 then. */
int64_t work_or_one(int64_t value);

/* Arithmetic operations of one execution, roughly. */
double work_operations(const struct record *p);

/* Steps of the oracle that verifies all of it, which programs do up to some 10^9 of them. */
double work_oracle_steps(const struct record *p);

#endif
