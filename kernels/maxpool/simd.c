/* Neighbouring windows in the lanes of a vector: the whole products of 16 windows (AVX-512) take
 * k^3 multiply-adds and, at stride 1, no shuffle. At larger strides the lanes may hold filter
 * columns instead (row_product_columns.c).
 *
 * The plain loops here show the idea, with one window per element of an array; they run if no
 * vector instruction set is known (LANES is 1). With vectors, row products do the work
 * (kernels/maxpool/row_product.h), and rows of windows that are in the padding are skipped. */
#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/row_product.h"
#include "kernels/min_max.h"
#include "kernels/vector.h"

#include <math.h>

enum { NEIGHBOURS = 16 };

/* Returns a pixel of the padded image. */
static float pixel(const struct maxpool_call *call, int64_t row, int64_t col)
{
    const struct geometry *g = call->geometry;
    const bool inside = row >= 0 && row < g->rows && col >= 0 && col < g->cols;
    return inside ? view_row(&call->image, row)[col] : geometry_pad_value(g);
}

/* Computes outputs [col, col + windows) of an output row. Each filter element multiplies one pixel
 * of every window, and the sums of different windows are independent. */
static void plain_neighbours(const struct maxpool_call *call, int64_t row, int64_t col,
                             int64_t windows, float *best)
{
    const struct geometry *g = call->geometry;
    const int64_t k = g->kernel, s = g->stride;
    const int64_t top = row * s - g->padding, left = col * s - g->padding;
    for (int64_t w = 0; w < windows; w++)
        best[w] = -INFINITY;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            float sum[NEIGHBOURS] = {0.0f};
            for (int64_t q = 0; q < k; q++)
                for (int64_t w = 0; w < windows; w++)
                    sum[w] += pixel(call, top + i, left + w * s + q) * call->filter[q * k + j];
            for (int64_t w = 0; w < windows; w++)
                best[w] = sum[w] > best[w] ? sum[w] : best[w];
        }
}

static void plain_block(const struct maxpool_call *call)
{
    const struct block *o = &call->block;
    for (int64_t r = o->row; r < o->row + o->rows; r++)
        for (int64_t c = o->col; c < o->col + o->cols; c += NEIGHBOURS)
            plain_neighbours(call, r, c, smaller(NEIGHBOURS, o->col + o->cols - c),
                             map_row(&call->map, r) + c);
}

static void pool_in_vectors(const struct maxpool_call *call, void *scratch)
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

void ISA_FUNCTION(maxpool_simd)(const struct maxpool_call *call, void *scratch)
{
    if (LANES > 1)
        pool_in_vectors(call, scratch);
    else
        plain_block(call);
}
