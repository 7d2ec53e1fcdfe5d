/* The table of methods of convolution. To add one: write kernels/conv/NAME.c with a conv_function
 * (and, where weights are to lie in another order, a conv_pack_function), declare both in
 * kernels/conv/conv.h, say in kernels/conv/scratch.c what it needs, list the file in
 * kernels/CMakeLists.txt and add a row below: operator, networks and tests then have it. */
#include "kernels/conv/methods.h"

#include "kernels/conv/slivers.h"
#include "kernels/conv/winograd_tiles.h"

#include <string.h>

/* ---- the head's functions, for the shape of the operation ---------------------------------------
 */

/* A block may be all rows of an image. */
static size_t scratch_bytes(const struct operation *op, int64_t cols)
{
    const struct conv_shape s = conv_shape_of(op);
    (void)cols;
    return conv_method_of(op->method)->scratch(&s, s.out_rows);
}

/* With a scale that is done in the weights: those, as K x C/G x k x k has them. */
size_t conv_folded_floats(const struct operation *op)
{
    const size_t line = 16;
    const struct conv_shape s = conv_shape_of(op);
    if (!op->fifth.values || op->parameters.epilogue != CONV_STORE)
        return 0;
    return ((size_t)(s.filters * conv_terms(&s)) + line - 1) / line * line;
}

static size_t packed_floats(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_method *m = conv_method_of(op->method);
    size_t floats;
    return __builtin_add_overflow(conv_folded_floats(op), m->packed ? m->packed(&s) : 0, &floats)
               ? SIZE_MAX
               : floats;
}

static void fold(const struct operation *op, const struct conv_shape *s, float *to)
{
    const int64_t terms = conv_terms(s);
    for (int64_t i = 0; i < s->filters * terms; i++)
        to[i] = op->second.values[i] * op->fifth.values[i / terms];
}

static void pack(const struct operation *op, float *packed)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_method *m = conv_method_of(op->method);
    const size_t folded = conv_folded_floats(op);
    if (folded > 0)
        fold(op, &s, packed);
    if (m->packed)
        m->pack[op->isa](&s, folded > 0 ? packed : op->second.values, packed + folded);
}

static const char *refuses(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return conv_method_of(op->method)->refuses(&s);
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
              .packed_floats = packed_floats,
              .pack = pack,
              .whole_rows = true},
     .run = {conv_literal},
     .align = 1,
     .sliver = 1},
    {.head = {.name = "im2col",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "all windows stored side by side, then the packed matrix product",
              .cost = conv_cost,
              .scratch_bytes = scratch_bytes,
              .packed_floats = packed_floats,
              .pack = pack,
              .whole_rows = true},
     .run = ISA_VARIANTS(conv_im2col),
     .scratch = conv_im2col_scratch,
     .align = 1,
     .sliver = 1},
    {.head = {.name = "implicit",
              .kind = SPACE_HOST,
              .product = true,
              .idea =
                  "windows multiplied where they lie in a padded band of the image, never stored",
              .cost = conv_cost,
              .scratch_bytes = scratch_bytes,
              .packed_floats = packed_floats,
              .pack = pack,
              .whole_rows = true},
     .run = ISA_VARIANTS(conv_implicit),
     .pack = ISA_VARIANTS(conv_implicit_pack),
     .packed = conv_implicit_packed,
     .scratch = conv_implicit_scratch,
     .align = 1,
     .sliver = WIDEST_SLIVER},
    {.head = {.name = "winograd",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "F(2 x 2, 3 x 3): 16 multiplications in the place of 36 (k = 3, s = 1)",
              .refuses = refuses,
              .cost = winograd_cost,
              .scratch_bytes = scratch_bytes,
              .packed_floats = packed_floats,
              .pack = pack,
              .whole_rows = true},
     .run = ISA_VARIANTS(conv_winograd),
     .pack = ISA_VARIANTS(conv_winograd_pack),
     .packed = conv_winograd_packed,
     .scratch = conv_winograd_scratch,
     .refuses = conv_winograd_refuses,
     .bound = oracle_conv_winograd_bound,
     .align = 2,
     .sliver = WIDEST_SLIVER},
    {.head = {.name = "depthwise",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "a filter a channel, straight from the image: no matrix is worth making",
              .refuses = refuses,
              .cost = conv_cost,
              .scratch_bytes = scratch_bytes,
              .packed_floats = packed_floats,
              .pack = pack,
              .whole_rows = true},
     .run = ISA_VARIANTS(conv_depthwise),
     .scratch = conv_depthwise_scratch,
     .refuses = conv_depthwise_refuses,
     .align = 1,
     .sliver = 1},
    {.head = {.name = "naive",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "one thread an output, which reads its window and its filter by itself",
              .unavailable = CUDA_UNAVAILABLE,
              .packed_floats = packed_floats,
              .pack = pack,
              .cost = conv_cost}},
    {.head = {.name = "tiled",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "windows packed into tiles of shared memory, multiplied from registers; "
                      "naive's kernel where groups have 3 filters or fewer",
              .unavailable = CUDA_UNAVAILABLE,
              .packed_floats = packed_floats,
              .pack = pack,
              .cost = conv_cost}},
};

bool conv_has_epilogue(const struct operation *op)
{
    return op->parameters.activation != CONV_LINEAR || op->fourth.values || op->fifth.values;
}

const char *conv_refuses_epilogue(const struct operation *op)
{
    return conv_has_epilogue(op) || op->parameters.epilogue != CONV_STORE
               ? "stores sums and bias alone: no activation, residual, factor or epilogue"
               : NULL;
}

const struct method *conv_method_at(size_t i)
{
    return &conv_methods[i].head;
}

const struct conv_method *conv_method_of(const struct method *head)
{
    return (const struct conv_method *)head; /* its first member */
}

const struct conv_method *conv_method_find(const char *name)
{
    for (size_t i = 0; i < CONV_METHODS; i++)
        if (conv_methods[i].head.kind == SPACE_HOST && strcmp(conv_methods[i].head.name, name) == 0)
            return &conv_methods[i];
    return NULL;
}

bool conv_method_can(const struct conv_method *m, const struct conv_shape *s)
{
    return !m->refuses || !m->refuses(s);
}

enum isa conv_method_isa(const struct conv_method *m, enum isa limit)
{
    while (limit > ISA_BASELINE && !m->run[limit])
        limit--;
    return limit;
}

bool conv_is_built(const struct method *m, enum isa isa)
{
    return conv_method_of(m)->run[isa] != NULL;
}
