/* Declared precision (--math): the precision to which the operands of a product are rounded before
 * they are multiplied. Sums are in float32. Tensor cores of GPUs multiply such operands much faster
 * than float32, and less exactly. So a result has a bound of its own and is never exact, and points
 * of different precisions are different problems. */
#ifndef MAXPOOL_PRECISION_DECLARED_MATH_H
#define MAXPOOL_PRECISION_DECLARED_MATH_H

#include "kernels/methods.h"
#include "kernels/operators.h"

enum math {
    MATH_FP32, /* the operands stay as they are: 24 significant bits */
    MATH_TF32, /* 11 significant bits, the exponents of float32 */
    MATH_BF16  /* 8 significant bits, the exponents of float32 */
};

/* The words of records, by enum math; and the parameter of the operators that have it. */
extern const char *const math_words[];
extern const struct parameter math_parameter;

/* Returns the unit roundoff of the operands, 2^-11 or 2^-8, as they are rounded to the nearest; 0
 * for float32. */
double math_roundoff(const struct operation *op);

/* True if the operands are rounded, so that no result is exact. */
bool math_rounds(const struct operation *op);

/* Returns the factor by which the rounding of two operands may enlarge their product. */
double math_growth(const struct operation *op);

#endif
