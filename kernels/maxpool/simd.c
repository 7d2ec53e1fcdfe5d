/* Neighbouring windows in the lanes of a vector: the whole product of 16 windows (AVX-512) takes
 * k^3 multiply-adds and no shuffle at stride 1. Where windows lie apart, the filter's columns take
 * their place. Row products do the work (kernels/maxpool/row_product.h); here are the rows that
 * padding clips. */
#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/row_product.h"
#include "kernels/vector.h"

#include <math.h>

void ISA_FUNCTION(maxpool_simd)(const struct maxpool_call *call, void *scratch)
{
    const struct geometry *g = call->geometry;
    const struct block *o = &call->block;
    struct row_product p;
    row_product_function *pool = ISA_FUNCTION(row_product_prepare)(&p, call, scratch);
    for (int64_t r = o->row; r < o->row + o->rows; r++) {
        int64_t first, count;
        geometry_rows_needed(g, r, 1, &first, &count);
        const float least = count < g->kernel ? geometry_pad_value(g) : -INFINITY;
        pool(&p, first, count, o->col, o->cols, least, map_row(&call->map, r) + o->col);
    }
    if (p.stream)
        vec_fence();
}
