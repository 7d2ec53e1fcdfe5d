/* The table of methods of the weight gradient. To add one: write kernels/conv/gradients/NAME.c with
 * a conv_weight_gradient_function, declare it in gradient.h and add a row below: operator and tests
 * then have it. */
#include "kernels/conv/gradients/weight_methods.h"

#include "kernels/conv/methods.h"

/* ---- the head's functions, for the shape of the operation --------------------------------------
 */

/* A block may have all filters. */
static size_t scratch_bytes(const struct operation *op, int64_t cols)
{
    const struct conv_shape s = conv_shape_of(op);
    (void)cols;
    return conv_weight_gradient_method_of(op->method)->scratch(&s, s.filters);
}

static const char *refuses(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return conv_weight_gradient_method_of(op->method)->refuses(&s);
}

/* Per weight: for each tile of 2 x 2 output gradients, 16 multiply-adds instead of 36 for the 9
 * weights of a window, 32 additions to transform the tile's elements, which all filters share, and
 * 24 operations for the output gradients, which all channels share. */
static double winograd_cost(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    const double tiles = (double)s.batch * (double)(s.out_rows * s.out_cols) / 4.0;
    const int64_t depth = s.channels / s.groups, filters = s.filters / s.groups;
    return tiles * (32.0 + 32.0 / (double)filters + 24.0 / (double)depth) / 9.0;
}

/* ---- the table --------------------------------------------------------------------------------
 */

const struct conv_weight_gradient_method conv_weight_gradient_methods[] = {
    {.head = {.name = "literal",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "the seven loops of the definition",
              .cost = conv_cost,
              .operations_per_s = SCALAR_OPERATIONS_PER_S,
              .whole_rows = true},
     .run = {conv_weight_gradient_literal}},
    {.head = {.name = "winograd",
              .kind = SPACE_HOST,
              .product = true,
              .vectors = true,
              .idea = "F(3 x 3, 2 x 2): 16 multiplications instead of 36 (k = 3, s = 1)",
              .refuses = refuses,
              .cost = winograd_cost,
              .scratch_bytes = scratch_bytes,
              .whole_rows = true,
              .whole_planes = true},
     .run = ISA_VARIANTS(conv_weight_gradient_winograd),
     .scratch = conv_weight_gradient_winograd_scratch,
     .refuses = conv_winograd_refuses,
     .bound = oracle_conv_weight_gradient_winograd_bound},
    {.head = {.name = "tiles",
              .kind = SPACE_HOST,
              .product = true,
              .vectors = true,
              .idea = "dY times pixels: a product of register tiles per element of the window",
              .cost = conv_cost,
              .scratch_bytes = scratch_bytes,
              .whole_rows = true,
              .whole_planes = true},
     .run = ISA_VARIANTS(conv_weight_gradient_tiles),
     .scratch = conv_weight_gradient_scratch},
};
const size_t conv_weight_gradient_method_count =
    sizeof conv_weight_gradient_methods / sizeof *conv_weight_gradient_methods;

const struct method *conv_weight_gradient_method_at(size_t i)
{
    return i < conv_weight_gradient_method_count ? &conv_weight_gradient_methods[i].head : NULL;
}

const struct conv_weight_gradient_method *conv_weight_gradient_method_of(const struct method *head)
{
    return (const struct conv_weight_gradient_method *)head; /* its first member */
}

bool conv_weight_gradient_is_built(const struct method *m, enum isa isa)
{
    return conv_weight_gradient_method_of(m)->run[isa];
}
