/* The whole product for any filter, without copying windows and without storing the product P: each
 * element of P is summed in a register and folded into the running maximum at once. Windows inside
 * the image are read in place; only windows that touch the padding are copied. Common kernel sizes
 * are compiled with k as a constant. */
#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/window.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

size_t maxpool_fused_scratch(const struct operation *op, int64_t cols)
{
    const struct geometry *g = &op->geometry;
    (void)cols;
    return window_pixels(g) * sizeof(float); /* one window that touches the padding */
}

/* max over (i, j) of sum over q of w(i, q) * b(q, j); rows of w are `stride` floats apart. */
INLINE float product_maximum(const float *w, int64_t stride, const float *b, int64_t k)
{
    float best = -INFINITY;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            float sum = 0.0f;
            for (int64_t q = 0; q < k; q++)
                sum += w[i * stride + q] * b[q * k + j];
            best = sum > best ? sum : best;
        }
    return best;
}

/* Sets [*first, *end) to the block's output columns whose windows are within the image's
 * columns. */
static void inside_columns(const struct geometry *g, const struct block *o, int64_t *first,
                           int64_t *end)
{
    int64_t low, high;
    window_columns_inside(g, 0, &low, &high);
    const int64_t block_end = o->col + o->cols;
    *end = high < block_end ? high : block_end;
    *first = low > o->col ? low : o->col;
    if (*end < o->col)
        *end = o->col;
    if (*first > *end)
        *first = *end;
}

INLINE void outside(const struct maxpool_call *call, float *w, int64_t row, int64_t first,
                    int64_t end, int64_t k)
{
    float *out = map_row(&call->map, row);
    for (int64_t c = first; c < end; c++) {
        window_cut(call, row, c, k, w);
        out[c] = product_maximum(w, k, call->filter, k);
    }
}

INLINE void pool(const struct maxpool_call *call, float *w, int64_t k)
{
    const struct geometry *g = call->geometry;
    const struct block *o = &call->block;
    int64_t first, end;
    inside_columns(g, o, &first, &end);
    for (int64_t r = o->row; r < o->row + o->rows; r++) {
        const int64_t top = r * g->stride - g->padding;
        if (top < 0 || top + k > g->rows) {
            outside(call, w, r, o->col, o->col + o->cols, k);
            continue;
        }
        outside(call, w, r, o->col, first, k);
        const float *line = view_row(&call->image, top) - g->padding;
        float *out = map_row(&call->map, r);
        for (int64_t c = first; c < end; c++)
            out[c] = product_maximum(line + c * g->stride, call->image.row_stride, call->filter, k);
        outside(call, w, r, end, o->col + o->cols, k);
    }
}

void maxpool_fused(const struct maxpool_call *call, void *scratch)
{
    switch (call->geometry->kernel) {
    case 1:
        pool(call, scratch, 1);
        break;
    case 2:
        pool(call, scratch, 2);
        break;
    case 3:
        pool(call, scratch, 3);
        break;
    case 4:
        pool(call, scratch, 4);
        break;
    case 5:
        pool(call, scratch, 5);
        break;
    case 7:
        pool(call, scratch, 7);
        break;
    case 8:
        pool(call, scratch, 8);
        break;
    default:
        pool(call, scratch, call->geometry->kernel);
        break;
    }
}
