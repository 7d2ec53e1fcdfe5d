/* The table of methods of the data gradient. To add a method of convolution, add a row below that
 * names it. Any other method is a file with a conv_data_gradient_function, declared in
 * kernels/conv/gradients/gradient.h. Operator, networks and tests then have it. */
#include "kernels/conv/gradients/data_methods.h"

#include "kernels/conv/gradients/gradient_phases.h"

#include <string.h>

/* ---- the head's functions, for the shape of the operation --------------------------------------
 */

static size_t scratch_bytes(const struct operation *op, int64_t cols)
{
    const struct conv_shape s = conv_shape_of(op);
    (void)cols;
    return conv_data_gradient_scratch(conv_data_gradient_method_of(op->method), &s);
}

static size_t packed_floats(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return conv_data_gradient_packed(conv_data_gradient_method_of(op->method), &s);
}

static void pack(const struct operation *op, float *packed)
{
    const struct conv_shape s = conv_shape_of(op);
    conv_data_gradient_pack(conv_data_gradient_method_of(op->method), op->isa, &s,
                            op->operands[OPERAND_WEIGHTS].values, packed);
}

static const char *refuses(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return conv_data_gradient_refuses(conv_data_gradient_method_of(op->method), &s);
}

/* The cost of the convolution that computes its phases. */
static double winograd_cost(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_phases p = conv_phases_of(conv_data_gradient_method_of(op->method), &s);
    return conv_winograd_cost(&p.shape);
}

/* ---- the table --------------------------------------------------------------------------------
 */

const struct conv_data_gradient_method conv_data_gradient_methods[] = {
    {.head = {.name = "literal",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "the definition: each pixel sums over the outputs whose windows contain it",
              .cost = conv_cost,
              .operations_per_s = SCALAR_OPERATIONS_PER_S,
              .whole_rows = true},
     .direct = conv_data_gradient_literal},
    {.head = {.name = "im2col",
              .kind = SPACE_HOST,
              .product = true,
              .vectors = true,
              .idea = "a convolution of dY with rotated filters, its windows stored side by side",
              .refuses = refuses,
              .cost = conv_cost,
              .scratch_bytes = scratch_bytes,
              .packed_floats = packed_floats,
              .pack = pack,
              .whole_rows = true},
     .forward = &conv_methods[CONV_IM2COL]},
    {.head = {.name = "implicit",
              .kind = SPACE_HOST,
              .product = true,
              .vectors = true,
              .idea = "a convolution of dY with rotated filters, as implicit GEMM; for s > 1 one "
                      "for each phase",
              .refuses = refuses,
              .cost = conv_cost,
              .scratch_bytes = scratch_bytes,
              .packed_floats = packed_floats,
              .pack = pack,
              .whole_rows = true},
     .forward = &conv_methods[CONV_IMPLICIT],
     .strided = ISA_VARIANTS(conv_data_gradient_strided),
     .pack_strided = ISA_VARIANTS(conv_data_gradient_strided_pack)},
    {.head =
         {.name = "winograd",
          .kind = SPACE_HOST,
          .product = true,
          .vectors = true,
          .idea =
              "a convolution of dY with rotated filters, by transformed tiles for phases of 3 x 3",
          .refuses = refuses,
          .cost = winograd_cost,
          .scratch_bytes = scratch_bytes,
          .packed_floats = packed_floats,
          .pack = pack,
          .piece_rows = CONV_TILE_ROWS,
          .whole_rows = true,
          .whole_planes = true},
     .forward = &conv_methods[CONV_WINOGRAD]},
    {.head = {.name = "depthwise",
              .kind = SPACE_HOST,
              .product = true,
              .vectors = true,
              .idea = "one filter per channel: dX computed straight from dY, without a matrix",
              .refuses = refuses,
              .cost = conv_cost,
              .scratch_bytes = scratch_bytes,
              .packed_floats = packed_floats,
              .pack = pack,
              .whole_rows = true},
     .forward = &conv_methods[CONV_DEPTHWISE]},
};
const size_t conv_data_gradient_method_count =
    sizeof conv_data_gradient_methods / sizeof *conv_data_gradient_methods;

const struct method *conv_data_gradient_method_at(size_t i)
{
    return i < conv_data_gradient_method_count ? &conv_data_gradient_methods[i].head : NULL;
}

const struct conv_data_gradient_method *conv_data_gradient_method_of(const struct method *head)
{
    return (const struct conv_data_gradient_method *)head; /* its first member */
}

const struct conv_data_gradient_method *conv_data_gradient_find(const char *name)
{
    for (size_t i = 0; i < conv_data_gradient_method_count; i++)
        if (strcmp(conv_data_gradient_methods[i].head.name, name) == 0)
            return &conv_data_gradient_methods[i];
    return NULL;
}

/* The definition has one build. */
static bool is_built(const struct conv_data_gradient_method *m, enum isa isa)
{
    return m->forward ? m->forward->run[isa] != NULL : isa == ISA_BASELINE;
}

enum isa conv_data_gradient_isa(const struct conv_data_gradient_method *m, enum isa limit)
{
    while (limit > ISA_BASELINE && !is_built(m, limit))
        limit--;
    return limit;
}

bool conv_data_gradient_is_built(const struct method *m, enum isa isa)
{
    return is_built(conv_data_gradient_method_of(m), isa);
}
