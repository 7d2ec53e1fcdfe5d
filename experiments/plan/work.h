/* How much one execution of a point is: its shapes, its bytes, its operations. */
#ifndef MAXPOOL_WORK_H
#define MAXPOOL_WORK_H

#include "harness/records/record.h"
#include "kernels/operators.h"

/* False for an image whose sizes only its file has. */
bool work_has_sizes(const struct record *p);

/* The operation of a point, its method too where the operator has it, or why there is none. A
 * program that does not name its operator is taken to have the first. */
struct refusal work_operation(const struct record *p, struct operation *op);

/* Bytes of what every program holds; SIZE_MAX where they cannot be counted. */
size_t work_bytes(const struct record *p);

/* A count that may be left open: 1 then. */
int64_t work_or_one(int64_t value);

/* Arithmetic operations of one execution, roughly. */
double work_operations(const struct record *p);

/* Steps of the oracle that verifies all of it, which programs do up to some 10^9 of them. */
double work_oracle_steps(const struct record *p);

#endif
