#include "classroom/lab/digits/exact_values.h"

#include "harness/base/digest.h"
#include "harness/image/image.h"
#include "harness/machine/memory.h"
#include "kernels/operators.h"

#include <string.h>

enum { MOST = 8191, LEAST = 2304, TERMS = 2047 };

/* Of a product of matrices: numbers of 19 bits, and at most 31 terms that are not 0. */
enum { WIDE = (1 << 19) - 1, FEW_TERMS = 31, USUAL_TERMS = 9 };

/* A product of two matrices, with neither windows nor points. */
static bool is_plain(const struct operation *op)
{
    return !op->kind->points && op->geometry.kernel == 0;
}

/* Whether both operands have digits: only windows over planes share a filter with all of them. */
static bool is_mixed(const struct operation *op)
{
    return is_plain(op) || op->kind->image_channels;
}

/* Whether the digits of some terms are in the image, and their factors in the right operand are -1,
 * 0 or 1; otherwise they are in the right operand, and their factors in the image are 0 or 1. Terms
 * with the same column of A and row of B, or of the same channel, are alike. A kernel that knew
 * which could round the other operand. */
static bool image_is_wide(uint64_t right_seed, int64_t q)
{
    return digest_mix(digest_mix(right_seed) + (uint64_t)q) & 1;
}

static bool of_image(const struct operation *op, struct image_shape shape, uint64_t right_seed,
                     int64_t element)
{
    const int64_t plane = shape.rows * shape.cols;
    return image_is_wide(right_seed, is_plain(op) ? element % shape.cols
                                                  : element / plane % op->kind->image_channels(op));
}

static bool of_right(const struct operation *op, uint64_t right_seed, int64_t element)
{
    const struct image_shape shape = op->operands[op->kind->right].shape;
    const int64_t window = op->geometry.kernel * op->geometry.kernel;
    return !image_is_wide(right_seed, is_plain(op)
                                          ? element / shape.cols % shape.rows
                                          : element / window % op->kind->image_channels(op));
}

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
    if (is_plain(op))
        return WIDE;
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

/* The share of a product's terms that are not 0. Six standard deviations above USUAL_TERMS are
 * still below FEW_TERMS. */
static double share_of_terms(const struct operation *op)
{
    const int64_t terms = operation_terms(op);
    if (!is_plain(op))
        return share_of_units(terms);
    return terms <= FEW_TERMS ? 1.0 : USUAL_TERMS / (double)terms;
}

static void make_mixed_right(struct operation *op, int64_t largest, uint64_t seed)
{
    const double scale = 0x1p-32, share = share_of_terms(op);
    struct operand *right = &op->operands[op->kind->right];
    const int64_t count = shape_elements(right->shape);
    float *values = right->values;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t drawn = digest_mix(seed + (uint64_t)i);
        const bool kept = (double)(drawn >> 32) * scale < share;
        const uint64_t size =
            of_right(op, seed, i) ? 1 + (drawn & UINT32_MAX) / 2 % (uint64_t)largest : 1;
        values[i] = !kept ? 0.0f : drawn & 1 ? (float)size : -(float)size;
    }
    right->max_abs = 1.0; /* no product of two factors is larger than that of units and an image */
}

void exact_values_right(struct operation *op, uint64_t seed)
{
    const double scale = 0x1p-32;
    const double share = share_of_terms(op);
    const int64_t largest = exact_values_largest(op);
    struct operand *right = &op->operands[op->kind->right];
    const int64_t count = shape_elements(right->shape);
    float *values = right->values;
    *right = with_units(op).operands[op->kind->right];
    if (is_mixed(op)) {
        make_mixed_right(op, largest, seed);
        return;
    }
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

static void make_mixed_image(const struct operation *op, struct image_shape shape, uint64_t seed,
                             uint64_t right_seed, float *values)
{
    const uint64_t largest = (uint64_t)exact_values_largest(op);
    const int64_t count = shape_elements(shape);
    for (int64_t i = 0; i < count; i++) {
        const uint64_t drawn = digest_mix(seed + (uint64_t)i);
        values[i] = (float)(of_image(op, shape, right_seed, i) ? 1 + drawn % largest : drawn & 1);
    }
}

enum status exact_values_image(struct source **out, const struct operation *op,
                               struct image_shape planes, uint64_t seed, uint64_t right_seed,
                               struct failure *f)
{
    float *values;
    const size_t bytes = (size_t)shape_elements(planes) * sizeof *values;
    if (!op->kind->points && !is_mixed(op))
        return source_open_random(out, planes, seed, exact_values_largest(op), f);
    const enum status status = memory_allocate((void **)&values, bytes, "the image", f);
    if (status != STATUS_OK)
        return status;
    if (is_mixed(op))
        make_mixed_image(op, planes, seed, right_seed, values);
    else
        exact_values_points(seed, planes.rows, planes.cols, values);
    return source_open_memory(out, planes, values, "random", f);
}
