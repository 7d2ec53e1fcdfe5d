/* The table of max pooling methods.
 *
 * To add one:
 *  1. Write kernels/maxpool_NAME.c with a maxpool_function that computes its call's block, reading
 *     only the image rows of the call's view and writing only the outputs of the block.
 *  2. Declare it in kernels/maxpool.h, list the file in kernels/CMakeLists.txt. One that is written
 *     with kernels/vector.h is listed under maxpool_isa_sources (kernels/isa.h says how).
 *  3. Add a row below. The test grid, --list-methods, the help, the study and the charts find it.
 * A product method (product = true) must do the whole product for any filter: random integer
 * filters check that. A method's own memory is the scratch that its row declares; it allocates
 * nothing. A GPU's kernels are files of cuda/; their recipe stands in cuda/kernels.h. */
#include "kernels/maxpool.h"

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
    {.name = "direct",
     .kind = SPACE_HOST,
     .product = false,
     .idea = "the maximum alone, no product (identity filter only)",
     .cost = maximum_cost,
     .run = {maxpool_direct}},
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
