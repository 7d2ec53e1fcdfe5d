/* The table of methods of convolution. To add one: write kernels/conv/NAME.c with a conv_function
 * (and, where weights are to lie in another order, a conv_pack_function), declare both in
 * kernels/conv/conv.h, say in kernels/conv/scratch.c what it needs, list the file in
 * kernels/CMakeLists.txt and add a row below. */
#include "kernels/conv/methods.h"

/* ---- what a method needs ----------------------------------------------------------------------
 */

/* A block may be all rows of an image. */
static size_t scratch_of(const struct operation *op,
                         size_t (*scratch)(const struct conv_shape *s, int64_t rows))
{
    const struct conv_shape s = conv_shape_of(op);
    return scratch(&s, s.out_rows);
}

static size_t im2col_scratch(const struct operation *op, int64_t cols)
{
    (void)cols;
    return scratch_of(op, conv_im2col_scratch);
}

static size_t implicit_scratch(const struct operation *op, int64_t cols)
{
    (void)cols;
    return scratch_of(op, conv_implicit_scratch);
}

static size_t winograd_scratch(const struct operation *op, int64_t cols)
{
    (void)cols;
    return scratch_of(op, conv_winograd_scratch);
}

static size_t depthwise_scratch(const struct operation *op, int64_t cols)
{
    (void)cols;
    return scratch_of(op, conv_depthwise_scratch);
}

static size_t implicit_packed(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return conv_implicit_packed(&s);
}

static size_t winograd_packed(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return conv_winograd_packed(&s);
}

static void pack(const struct operation *op, float *packed)
{
    const struct conv_shape s = conv_shape_of(op);
    conv_method_of(op->method)->pack[op->isa](&s, op->second.values, packed);
}

/* ---- what a method cannot do ------------------------------------------------------------------
 */

static const char *winograd_refuses(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return conv_winograd_refuses(&s);
}

static const char *depthwise_refuses(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return conv_depthwise_refuses(&s);
}

/* ---- costs ------------------------------------------------------------------------------------
 */

/* A multiply-add for each term. */
double conv_cost(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return 2.0 * (double)conv_terms(&s);
}

/* Of a tile of 2 x 2 outputs: 16 multiply-adds a channel where there were 36, 32 additions to
 * transform the tile's cells of a channel, which all filters share, and 24 to transform back. */
static double winograd_cost(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    const int64_t depth = s.channels / s.groups, filters = s.filters / s.groups;
    const double shared = 32.0 * (double)depth / (double)filters;
    return (32.0 * (double)depth + shared + 24.0) / 4.0;
}

/* ---- the table --------------------------------------------------------------------------------
 */

const struct conv_method conv_methods[CONV_METHODS] = {
    {.head = {.name = "literal",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "the seven loops of the definition",
              .cost = conv_cost,
              .whole_rows = true},
     .run = {conv_literal}},
    {.head = {.name = "im2col",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "all windows stored side by side, then the packed matrix product",
              .cost = conv_cost,
              .scratch_bytes = im2col_scratch,
              .whole_rows = true},
     .run = ISA_VARIANTS(conv_im2col)},
    {.head = {.name = "implicit",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "windows packed from the image into the product's panels, never stored",
              .cost = conv_cost,
              .scratch_bytes = implicit_scratch,
              .packed_floats = implicit_packed,
              .pack = pack,
              .whole_rows = true},
     .run = ISA_VARIANTS(conv_implicit),
     .pack = ISA_VARIANTS(conv_implicit_pack)},
    {.head = {.name = "winograd",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "F(2 x 2, 3 x 3): 16 multiplications in the place of 36 (k = 3, s = 1)",
              .refuses = winograd_refuses,
              .cost = winograd_cost,
              .scratch_bytes = winograd_scratch,
              .packed_floats = winograd_packed,
              .pack = pack,
              .whole_rows = true},
     .run = ISA_VARIANTS(conv_winograd),
     .pack = ISA_VARIANTS(conv_winograd_pack)},
    {.head = {.name = "depthwise",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "a filter a channel, straight from the image: no matrix is worth making",
              .refuses = depthwise_refuses,
              .cost = conv_cost,
              .scratch_bytes = depthwise_scratch,
              .whole_rows = true},
     .run = ISA_VARIANTS(conv_depthwise)},
};

const struct method *conv_method_at(size_t i)
{
    return &conv_methods[i].head;
}

const struct conv_method *conv_method_of(const struct method *head)
{
    return (const struct conv_method *)head; /* its first member */
}

bool conv_is_built(const struct method *m, enum isa isa)
{
    return conv_method_of(m)->run[isa] != NULL;
}
