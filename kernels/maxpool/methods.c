/* The table of max pooling methods.
 *
 * To add one:
 *  1. Write kernels/maxpool/NAME.c with a maxpool_function that computes its call's block, reading
 *     only the image rows of the call's view and writing only the outputs of the block.
 *  2. Declare it in kernels/maxpool/maxpool.h, list the file in kernels/CMakeLists.txt. One that is
 *     written with kernels/vector.h is listed under maxpool_isa_sources (kernels/isa.h says how).
 *  3. Add a row below. The test grid, --list-methods, the help, the study and the charts find it.
 *     What it cannot do its `refuses` tells (kernels/methods.h).
 *
 * A product method (product = true) must do the whole product for any filter: random integer
 * filters check that. A method's own memory is the scratch that its row declares; it allocates
 * nothing. One that sets whole_planes is called with blocks of several planes too
 * (kernels/method_call.h). A GPU's kernels are files of cuda/kernels/; their recipe stands in
 * cuda/kernels/kernels.h. */
#include "kernels/maxpool/maxpool.h"

#include <math.h>

double maxpool_product_cost(const struct operation *op)
{
    const double k = (double)op->geometry.kernel;
    return 2.0 * k * k * k + k * k;
}

double maxpool_maximum_cost(const struct operation *op)
{
    return (double)op->geometry.kernel * (double)op->geometry.kernel;
}

const char *maxpool_refuses_filters(const struct operation *op)
{
    return op->operands[OPERAND_FILTER].identity
               ? NULL
               : "takes the maximum alone: it needs the identity filter";
}

/* Rows and columns that a window has for itself. */
static double own_side(const struct geometry *g)
{
    return (double)(g->stride < g->kernel ? g->stride : g->kernel);
}

/* k - 1 comparisons each way. Rows that several outputs share count for each, cells too. */
static double separable_cost(const struct operation *op)
{
    const double k = (double)op->geometry.kernel, s = own_side(&op->geometry);
    return fmax(1.0, (k - 1.0) * s + k - 1.0);
}

/* ceil(log2 k) comparisons each way per cell. */
static double doubling_cost(const struct operation *op)
{
    const double s = own_side(&op->geometry);
    return fmax(1.0, ceil(log2((double)op->geometry.kernel)) * (s * s + s));
}

/* Three comparisons down and those of the line along. */
static double van_herk_cost(const struct operation *op)
{
    const double s = own_side(&op->geometry);
    return fmax(1.0, 3.0 * s * s + fmin(6.0, ceil(log2((double)op->geometry.kernel))) * s);
}

enum { STAGED_STRIP = 16384 }; /* outputs; bounds the scratch on very wide images */

const struct maxpool_method maxpool_methods[] = {
    {.head = {.name = "literal",
              .kind = SPACE_HOST,
              .product = true,
              .idea =
                  "copy the window, multiply it in three loops, then find the maximum (the tesina)",
              .cost = maxpool_product_cost,
              .scratch_bytes = maxpool_literal_scratch},
     .run = {maxpool_literal}},
    {.head = {.name = "staged",
              .kind = SPACE_HOST,
              .product = true,
              .idea =
                  "a row at a time: cut all windows, multiply all, reduce all; clocks the product",
              .cost = maxpool_product_cost,
              .scratch_bytes = maxpool_staged_scratch,
              .strip_cols = STAGED_STRIP,
              .staged = true},
     .run = {maxpool_staged},
     .stages = &maxpool_staged_stages},
    {.head = {.name = "fused",
              .kind = SPACE_HOST,
              .product = true,
              .idea =
                  "no copy and no stored product: sums stay in registers; k known to the compiler",
              .cost = maxpool_product_cost,
              .scratch_bytes = maxpool_fused_scratch},
     .run = {maxpool_fused}},
    {.head = {.name = "simd",
              .kind = SPACE_HOST,
              .product = true,
              .idea = "neighbouring windows across a vector's lanes; the filter's columns where "
                      "windows lie "
                      "apart",
              .cost = maxpool_product_cost,
              .scratch_bytes = maxpool_simd_scratch},
     .run = ISA_VARIANTS(maxpool_simd)},
    {.head =
         {.name = "shared_rows",
          .kind = SPACE_HOST,
          .product = true,
          .idea =
              "overlapping windows share row products: once per image row, then maxima down k rows",
          .cost = maxpool_product_cost,
          .scratch_bytes = maxpool_shared_rows_scratch},
     .run = ISA_VARIANTS(maxpool_shared_rows)},
    {.head = {.name = "direct",
              .kind = SPACE_HOST,
              .product = false,
              .refuses = maxpool_refuses_filters,
              .idea = "the maximum alone, no product (identity filter only)",
              .cost = maxpool_maximum_cost},
     .run = {maxpool_direct}},
    {.head = {.name = "separable",
              .kind = SPACE_HOST,
              .product = false,
              .refuses = maxpool_refuses_filters,
              .idea = "down the columns, then along the row: 2 (k - 1) comparisons, in vectors",
              .cost = separable_cost,
              .scratch_bytes = maxpool_separable_scratch,
              .whole_planes = true},
     .run = ISA_VARIANTS(maxpool_separable)},
    {.head = {.name = "doubling",
              .kind = SPACE_HOST,
              .product = false,
              .refuses = maxpool_refuses_filters,
              .idea = "maxima of 2, 4, 8 ... cells, each made of two of those before",
              .cost = doubling_cost,
              .scratch_bytes = maxpool_doubling_scratch},
     .run = ISA_VARIANTS(maxpool_doubling)},
    {.head = {.name = "van_herk",
              .kind = SPACE_HOST,
              .product = false,
              .refuses = maxpool_refuses_filters,
              .idea = "prefix and suffix maxima of blocks: a few comparisons whatever k is",
              .cost = van_herk_cost,
              .scratch_bytes = maxpool_van_herk_scratch},
     .run = ISA_VARIANTS(maxpool_van_herk)},
    {.head = {.name = "naive",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "one thread per element, an if guards the edge (the tesina's first kernel)",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = maxpool_product_cost}},
    {.head = {.name = "loop",
              .kind = SPACE_CUDA,
              .product = true,
              .idea = "loops that step by the grid: any grid does for any work (its second kernel)",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = maxpool_product_cost}},
    {.head = {.name = "tiled",
              .kind = SPACE_CUDA,
              .product = true,
              .idea =
                  "tiles of image and filter in shared memory, read by a whole block (its third)",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = maxpool_product_cost}},
    {.head = {.name = "roof",
              .kind = SPACE_CUDA,
              .product = true,
              .idea =
                  "16 bytes a load, four under way in a thread; k = 2 to 4 = s, else loop's kernel",
              .unavailable = CUDA_UNAVAILABLE,
              .cost = maxpool_product_cost}},
};
const size_t maxpool_method_count = sizeof maxpool_methods / sizeof *maxpool_methods;

const struct method *maxpool_method_at(size_t i)
{
    return i < maxpool_method_count ? &maxpool_methods[i].head : NULL;
}

const struct maxpool_method *maxpool_method_of(const struct method *head)
{
    return (const struct maxpool_method *)head; /* its first member */
}

bool maxpool_is_built(const struct method *m, enum isa isa)
{
    return maxpool_method_of(m)->run[isa] != NULL;
}
