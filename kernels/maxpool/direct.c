/* The maximum of each window without a product: what a programmer would write who knows that the
 * filter is the identity. Windows are clipped to the image. In a clipped window, padding zeros
 * count in pad mode zero and do not count in pad mode ignore. */
#include "kernels/maxpool/maxpool.h"
#include "kernels/min_max.h"

static float window_maximum(const struct maxpool_call *call, int64_t row, int64_t col)
{
    const struct geometry *g = call->geometry;
    const int64_t top = row * g->stride - g->padding, bottom = top + g->kernel;
    const int64_t left = col * g->stride - g->padding, right = left + g->kernel;
    const int64_t r0 = larger(top, 0), r1 = smaller(bottom, g->rows);
    const int64_t c0 = larger(left, 0), c1 = smaller(right, g->cols);
    const bool clipped = r0 > top || r1 < bottom || c0 > left || c1 < right;
    if (r0 >= r1 || c0 >= c1)
        return geometry_pad_value(g);
    float best = clipped ? geometry_pad_value(g) : view_row(&call->image, r0)[c0];
    for (int64_t r = r0; r < r1; r++) {
        const float *line = view_row(&call->image, r);
        for (int64_t c = c0; c < c1; c++)
            best = line[c] > best ? line[c] : best;
    }
    return best;
}

void maxpool_direct(const struct maxpool_call *call, void *scratch)
{
    (void)scratch;
    const struct block *o = &call->block;
    for (int64_t r = o->row; r < o->row + o->rows; r++)
        for (int64_t c = o->col; c < o->col + o->cols; c++)
            map_row(&call->map, r)[c] = window_maximum(call, r, c);
}
