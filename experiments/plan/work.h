/* The work of one execution of a point: shapes, bytes, operations. */
#ifndef MAXPOOL_WORK_H
#define MAXPOOL_WORK_H

#include "harness/records/record.h"
#include "kernels/operators.h"

/* False for an image whose sizes only its file determines. */
bool work_has_sizes(const struct record *p);

/* Sets the operation of a point, and its method if the operator has it; or returns why there is no
 * such operation. A record without a known operator is taken to have the first. */
struct refusal work_operation(const struct record *p, struct operation *op);

/* Bytes of what every program holds; SIZE_MAX if they overflow. */
size_t work_bytes(const struct record *p);

/* Returns the count, or 1 if it is not set. */
int64_t work_or_one(int64_t value);

/* Arithmetic operations of one execution, roughly. */
double work_operations(const struct record *p);

/* Steps of the oracle for all outputs. Programs verify all of them up to some 10^9 steps. */
double work_oracle_steps(const struct record *p);

#endif
