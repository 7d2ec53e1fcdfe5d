/* The method of the tesina, and the baseline of the study: copy the window, multiply it by the
 * filter in three nested loops, store the product, then find its maximum. Five loops deep; it must
 * not be optimised by hand. */
#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/window.h"

size_t maxpool_literal_scratch(const struct operation *op, int64_t cols)
{
    const struct geometry *g = &op->geometry;
    (void)cols;
    return 2 * window_pixels(g) * sizeof(float); /* W and P */
}

static void multiply(const float *w, const float *b, float *p, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            p[i * k + j] = 0.0f;
            for (int64_t q = 0; q < k; q++)
                p[i * k + j] += w[i * k + q] * b[q * k + j];
        }
}

static float maximum(const float *p, int64_t pixels)
{
    float best = p[0];
    for (int64_t i = 1; i < pixels; i++)
        if (p[i] > best)
            best = p[i];
    return best;
}

void maxpool_literal(const struct maxpool_call *call, void *scratch)
{
    const int64_t k = call->geometry->kernel;
    const struct block *o = &call->block;
    float *w = scratch;
    float *p = w + k * k;
    for (int64_t r = o->row; r < o->row + o->rows; r++)
        for (int64_t c = o->col; c < o->col + o->cols; c++) {
            window_cut(call, r, c, k, w);
            multiply(w, call->filter, p, k);
            map_row(&call->map, r)[c] = maximum(p, k * k);
        }
}
