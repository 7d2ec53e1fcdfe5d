/* The table of max pooling methods.
 *
 * To add one:
 *  1. Write kernels/maxpool_NAME.c with a maxpool_function that computes its call's block, reading
 *     only the image rows of the call's view and writing only the outputs of the block.
 *  2. Declare it in kernels/maxpool/maxpool.h, list the file in kernels/CMakeLists.txt. One that is
 * written with kernels/vector.h is listed under maxpool_isa_sources (kernels/isa.h says how).
 *  3. Add a row below. The test grid, --list-methods, the help, the study and the charts find it.
 * A product method (product = true) must do the whole product for any filter: random integer
 * filters check that. A method's own memory is the scratch that its row declares; it allocates
 * nothing. One that sets whole_planes is called with blocks of several planes too (kernels/call.h).
 * A GPU's kernels are files of cuda/; their recipe stands in cuda/kernels/kernels.h. */
#include "kernels/maxpool/maxpool.h"

#include <math.h>
#include <string.h>

/* k^3 multiply-adds and k^2 comparisons per output. */
static double product_cost(const struct geometry *g)
{
    const double k = (double)g->kernel;
    return 2.0 * k * k * k + k * k;
}

/* k^2 comparisons per output. */
static double maximum_cost(const struct geometry *g)
{
    return (double)g->kernel * (double)g->kernel;
}

/* k - 1 comparisons each way. Rows that several outputs share count for each, cells too. */
static double separable_cost(const struct geometry *g)
{
    const double k = (double)g->kernel, s = (double)(g->stride < g->kernel ? g->stride : g->kernel);
    return fmax(1.0, (k - 1.0) * s + k - 1.0);
}

/* ceil(log2 k) comparisons each way per cell. */
static double doubling_cost(const struct geometry *g)
{
    const double s = (double)(g->stride < g->kernel ? g->stride : g->kernel);
    return fmax(1.0, ceil(log2((double)g->kernel)) * (s * s + s));
}

/* Three comparisons down and those of the line along. */
static double van_herk_cost(const struct geometry *g)
{
    const double s = (double)(g->stride < g->kernel ? g->stride : g->kernel);
    return fmax(1.0, 3.0 * s * s + fmin(6.0, ceil(log2((double)g->kernel))) * s);
}

enum { STAGED_STRIP = 16384 }; /* outputs; bounds the scratch on very wide images */

const struct maxpool_method maxpool_methods[] = {
    {.name = "literal",
     .kind = SPACE_HOST,
     .product = true,
     .idea = "copy the window, multiply it in three loops, then find the maximum (the tesina)",
     .cost = product_cost,
     .scratch_bytes = maxpool_literal_scratch,
     .run = {maxpool_literal}},
    {.name = "staged",
     .kind = SPACE_HOST,
     .product = true,
     .idea = "a row at a time: cut all windows, multiply all, reduce all; clocks the product",
     .cost = product_cost,
     .scratch_bytes = maxpool_staged_scratch,
     .strip_cols = STAGED_STRIP,
     .run = {maxpool_staged},
     .stages = &maxpool_staged_stages},
    {.name = "fused",
     .kind = SPACE_HOST,
     .product = true,
     .idea = "no copy and no stored product: sums stay in registers; k known to the compiler",
     .cost = product_cost,
     .scratch_bytes = maxpool_fused_scratch,
     .run = {maxpool_fused}},
    {.name = "simd",
     .kind = SPACE_HOST,
     .product = true,
     .idea = "neighbouring windows across a vector's lanes; the filter's columns where windows lie "
             "apart",
     .cost = product_cost,
     .scratch_bytes = maxpool_simd_scratch,
     .run = ISA_VARIANTS(maxpool_simd)},
    {.name = "shared_rows",
     .kind = SPACE_HOST,
     .product = true,
     .idea = "overlapping windows share row products: once per image row, then maxima down k rows",
     .cost = product_cost,
     .scratch_bytes = maxpool_shared_rows_scratch,
     .run = ISA_VARIANTS(maxpool_shared_rows)},
    {.name = "direct",
     .kind = SPACE_HOST,
     .product = false,
     .idea = "the maximum alone, no product (identity filter only)",
     .cost = maximum_cost,
     .run = {maxpool_direct}},
    {.name = "separable",
     .kind = SPACE_HOST,
     .product = false,
     .idea = "down the columns, then along the row: 2 (k - 1) comparisons, in vectors",
     .cost = separable_cost,
     .scratch_bytes = maxpool_separable_scratch,
     .whole_planes = true,
     .run = ISA_VARIANTS(maxpool_separable)},
    {.name = "doubling",
     .kind = SPACE_HOST,
     .product = false,
     .idea = "maxima of 2, 4, 8 ... cells, each made of two of those before",
     .cost = doubling_cost,
     .scratch_bytes = maxpool_doubling_scratch,
     .run = ISA_VARIANTS(maxpool_doubling)},
    {.name = "van_herk",
     .kind = SPACE_HOST,
     .product = false,
     .idea = "prefix and suffix maxima of blocks: a few comparisons whatever k is",
     .cost = van_herk_cost,
     .scratch_bytes = maxpool_van_herk_scratch,
     .run = ISA_VARIANTS(maxpool_van_herk)},
    {.name = "naive",
     .kind = SPACE_CUDA,
     .product = true,
     .idea = "one thread per element, an if guards the edge (the tesina's first kernel)",
     .unavailable = CUDA_UNAVAILABLE,
     .cost = product_cost},
    {.name = "loop",
     .kind = SPACE_CUDA,
     .product = true,
     .idea = "loops that step by the grid: any grid does for any work (its second kernel)",
     .unavailable = CUDA_UNAVAILABLE,
     .cost = product_cost},
    {.name = "tiled",
     .kind = SPACE_CUDA,
     .product = true,
     .idea = "tiles of image and filter in shared memory, read by a whole block (its third)",
     .unavailable = CUDA_UNAVAILABLE,
     .cost = product_cost},
};

const size_t maxpool_method_count = sizeof maxpool_methods / sizeof maxpool_methods[0];

const struct maxpool_method *maxpool_method_find(enum space_kind kind, const char *name)
{
    for (size_t i = 0; i < maxpool_method_count; i++)
        if (maxpool_methods[i].kind == kind && strcmp(maxpool_methods[i].name, name) == 0)
            return &maxpool_methods[i];
    return NULL;
}

enum isa maxpool_method_isa(const struct maxpool_method *m, enum isa limit)
{
    while (limit > ISA_BASELINE && !m->run[limit])
        limit--;
    return limit;
}
