/* The table of methods of distances. To add one: write kernels/distances/NAME.c with a
 * distances_function that honours `same` and the shared rows (kernels/distances/halves.h), declare
 * it in kernels/distances/distances.h and add a row below. */
#include "kernels/distances/methods.h"

#include <math.h>

/* ---- what a method needs ----------------------------------------------------------------------
 */

static size_t blocked_scratch(const struct operation *op, int64_t cols)
{
    (void)cols;
    return distances_blocked_scratch(op->image.cols);
}

static size_t gram_scratch(const struct operation *op, int64_t cols)
{
    (void)cols;
    return distances_gram_scratch(op->image.cols);
}

static size_t centre_floats(const struct operation *op)
{
    return (size_t)op->image.cols;
}

/* The centre that gram subtracts from all points: the mean of Y. If all coordinates of Y are
 * integers, it is rounded to integers, so that no difference from it rounds. */
static void find_centre(const struct operation *op, float *centre)
{
    const struct image_shape y = op->operands[OPERAND_AGAINST].shape;
    for (int64_t k = 0; k < y.cols; k++) {
        double sum = 0.0;
        for (int64_t i = 0; i < y.rows; i++)
            sum += (double)op->operands[OPERAND_AGAINST].values[i * y.cols + k];
        const double mean = sum / (double)y.rows;
        centre[k] = (float)(op->operands[OPERAND_AGAINST].integers ? rint(mean) : mean);
    }
}

/* ---- what a method cannot do ------------------------------------------------------------------
 */

static const char *symmetric_refuses(const struct operation *op)
{
    return op->operands[OPERAND_AGAINST].itself
               ? NULL
               : "takes points and themselves alone (--against itself)";
}

/* ---- costs ------------------------------------------------------------------------------------
 */

/* A difference and a multiply-add for each dimension. */
static double cost(const struct operation *op)
{
    return 3.0 * (double)op->image.cols;
}

static double halved_cost(const struct operation *op)
{
    return (op->operands[OPERAND_AGAINST].itself ? 0.5 : 1.0) * cost(op);
}

/* A multiply-add for each dimension. */
static double gram_cost(const struct operation *op)
{
    return halved_cost(op) * 2.0 / 3.0;
}

/* ---- the table --------------------------------------------------------------------------------
 */

/* Every method, the baseline first. */
static const struct distances_method distances_methods[] = {
    {.head = {.name = "literal",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "difference, square, sum and root, pair by pair, as numpy's norm(x - y)",
              .cost = cost,
              .operations_per_s = SCALAR_OPERATIONS_PER_S},
     .run = {distances_literal}},
    {.head = {.name = "symmetric",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "half of the pairs, each stored twice (points and themselves only)",
              .refuses = symmetric_refuses,
              .cost = halved_cost},
     .run = {distances_symmetric}},
    {.head = {.name = "blocked",
              .kind = SPACE_HOST,
              .product = true,
              .vectors = true,
              .idea = "direct differences in register tiles; half of the pairs if symmetric",
              .cost = halved_cost,
              .scratch_bytes = blocked_scratch,
              .piece_rows = 64},
     .run = ISA_VARIANTS(distances_blocked)},
    {.head = {.name = "gram",
              .kind = SPACE_HOST,
              .product = true,
              .vectors = true,
              .idea = "|x|^2 + |y|^2 - 2 x.y by a matrix product; pairs that cancel are recomputed",
              .cost = gram_cost,
              .scratch_bytes = gram_scratch,
              .piece_rows = 192,
              .packed_floats = centre_floats,
              .pack = find_centre},
     .run = ISA_VARIANTS(distances_gram)},
    {.head = {.name = "naive",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "one thread per pair; each reads both points",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = cost,
              .operations_per_s = SCALAR_OPERATIONS_PER_S}},
    {.head = {.name = "tiled",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "tiles of X and Y in shared memory, read by a whole block",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = cost}},
};
static const size_t distances_method_count = sizeof distances_methods / sizeof *distances_methods;

const struct method *distances_method_at(size_t i)
{
    return i < distances_method_count ? &distances_methods[i].head : NULL;
}

const struct distances_method *distances_method_of(const struct method *head)
{
    return (const struct distances_method *)head; /* its first member */
}

bool distances_is_built(const struct method *m, enum isa isa)
{
    return distances_method_of(m)->run[isa] != NULL;
}
