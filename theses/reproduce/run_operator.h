/* Runs an operator's baseline method on one small image, for known answers. */
#ifndef MAXPOOL_RUN_OPERATOR_H
#define MAXPOOL_RUN_OPERATOR_H

#include "harness/space/operation.h"
#include "kernels/operators.h"

/* Computes op->kind with op->parameters of an image of op->image's shape. The right operand, if the
 * operator has one, is the identity. op->map is set; `map` has room for `room` values. Status 2 if
 * the shape is impossible or the map has more. */
enum status run_operator(struct operation *op, const float *image, float *map, int64_t room,
                         struct failure *f);

#endif
