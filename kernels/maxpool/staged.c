/* Max pooling by product in three stages per output row: all windows are cut out, then all are
 * multiplied, then all are reduced. The caller can thus time the product alone, which is where the
 * tesina's parallel fraction comes from. Scratch: the windows of one row, then their products. */
#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/window.h"

#include <math.h>

size_t maxpool_staged_scratch(const struct operation *op, int64_t cols)
{
    const struct geometry *g = &op->geometry;
    size_t bytes;
    if (__builtin_mul_overflow(2 * window_pixels(g) * sizeof(float), (size_t)cols, &bytes))
        return SIZE_MAX;
    return bytes;
}

static float *windows(const struct maxpool_call *call, void *scratch)
{
    (void)call;
    return scratch;
}

static float *products(const struct maxpool_call *call, void *scratch)
{
    const int64_t k = call->geometry->kernel;
    return windows(call, scratch) + call->block.cols * k * k;
}

static void cut(const struct maxpool_call *call, void *scratch)
{
    const int64_t k = call->geometry->kernel;
    const struct block *o = &call->block;
    float *w = windows(call, scratch);
    for (int64_t c = 0; c < o->cols; c++)
        window_cut(call, o->row, o->col + c, k, w + c * k * k);
}

static void multiply(const struct maxpool_call *call, void *scratch)
{
    const int64_t k = call->geometry->kernel;
    const float *b = call->filter;
    for (int64_t c = 0; c < call->block.cols; c++) {
        const float *w = windows(call, scratch) + c * k * k;
        float *p = products(call, scratch) + c * k * k;
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = 0; j < k; j++) {
                float sum = 0.0f;
                for (int64_t q = 0; q < k; q++)
                    sum += w[i * k + q] * b[q * k + j];
                p[i * k + j] = sum;
            }
    }
}

static void reduce(const struct maxpool_call *call, void *scratch)
{
    const int64_t k = call->geometry->kernel;
    const struct block *o = &call->block;
    const float *p = products(call, scratch);
    float *out = map_row(&call->map, o->row) + o->col;
    for (int64_t c = 0; c < o->cols; c++) {
        float best = -INFINITY;
        for (int64_t i = 0; i < k * k; i++)
            best = p[c * k * k + i] > best ? p[c * k * k + i] : best;
        out[c] = best;
    }
}

const struct maxpool_stages maxpool_staged_stages = {cut, multiply, reduce};

void maxpool_staged(const struct maxpool_call *call, void *scratch)
{
    struct maxpool_call one = *call;
    one.block.rows = 1;
    for (int64_t i = 0; i < call->block.rows; i++, one.block.row++) {
        cut(&one, scratch);
        multiply(&one, scratch);
        reduce(&one, scratch);
    }
}
