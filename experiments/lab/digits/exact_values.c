#include "experiments/lab/digits/exact_values.h"

#include "harness/base/digest.h"
#include "harness/image/image.h"
#include "harness/machine/memory.h"
#include "kernels/operators.h"

#include <string.h>

enum { MOST = 8191, LEAST = 2304, TERMS = 2047 };

/* An operation like this one, with a right operand of -1, 0 and 1. */
static struct operation with_units(const struct operation *op)
{
    struct operation units = *op;
    struct operand *right = &units.operands[op->kind->right];
    right->integers = true;
    right->identity = false;
    right->max_abs = 1.0;
    return units;
}

int64_t exact_values_largest(const struct operation *op)
{
    const struct operation units = with_units(op);
    int64_t largest = MOST;
    if (op->kind->points || operation_terms(op) > TERMS)
        return MOST; /* points have other values; of more terms, the others are 0 */
    while (largest >= LEAST && !op->kind->is_exact(&units, true, (double)largest))
        largest -= largest / 8;
    return largest >= LEAST ? largest : 0;
}

/* Of TERMS / terms of the elements, less six standard deviations, so that no sum has more than
 * TERMS that are not 0. */
static double share_of_units(int64_t terms)
{
    static const double margin = 0.86;
    return terms <= TERMS ? 1.0 : margin * TERMS / (double)terms;
}

void exact_values_right(struct operation *op, uint64_t seed)
{
    const double scale = 0x1p-32;
    const double share = share_of_units(operation_terms(op));
    struct operand *right = &op->operands[op->kind->right];
    const int64_t count = shape_elements(right->shape);
    float *values = right->values;
    *right = with_units(op).operands[op->kind->right];
    if (op->kind->points) {
        exact_values_points(seed, right->shape.rows, right->shape.cols, values);
        right->max_abs = (double)MOST;
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        const uint64_t drawn = digest_mix(seed + (uint64_t)i);
        const bool kept = (double)(drawn >> 32) * scale < share;
        values[i] = !kept ? 0.0f : drawn & 1 ? 1.0f : -1.0f;
    }
}

void wide_values_right(struct operation *op, uint64_t seed)
{
    enum { HALF = 1 << 23 };
    static const float most = 9.0f;
    struct operand *right = &op->operands[op->kind->right];
    const int64_t count = shape_elements(right->shape);
    float *values = right->values;
    if (op->kind->points)
        return;
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)((int64_t)(digest_mix(seed + (uint64_t)i) >> 40) - HALF) / HALF * most;
    right->integers = false;
    right->identity = false;
    right->max_abs = (double)most;
}

void exact_values_points(uint64_t seed, int64_t points, int64_t dimensions, float *values)
{
    enum { FIRST = 2049, NUMBERS = 424 }; /* 2049, 2051 ... 2895 */
    memset(values, 0, (size_t)(points * dimensions) * sizeof *values);
    for (int64_t i = 0; i < points; i++) {
        const uint64_t drawn = digest_mix(seed + (uint64_t)i);
        const int64_t place = (int64_t)(drawn % (uint64_t)dimensions);
        values[i * dimensions + place] =
            (float)(FIRST + 2 * (int64_t)(drawn >> 32) % (2 * NUMBERS));
    }
}

enum status exact_values_image(struct source **out, const struct operation *op,
                               struct image_shape planes, uint64_t seed, struct failure *f)
{
    float *values;
    const size_t bytes = (size_t)shape_elements(planes) * sizeof *values;
    if (!op->kind->points)
        return source_open_random(out, planes, seed, exact_values_largest(op), f);
    const enum status status = memory_allocate((void **)&values, bytes, "the points", f);
    if (status != STATUS_OK)
        return status;
    exact_values_points(seed, planes.rows, planes.cols, values);
    return source_open_memory(out, planes, values, "random", f);
}
