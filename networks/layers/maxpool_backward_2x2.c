/* A loop without branches and overlap, which a compiler can vectorize. */
#include "networks/layers/maxpool_backward_2x2.h"

static void scatter(const float *restrict upper, const float *restrict lower,
                    const float *restrict d_output, float *restrict above, float *restrict below,
                    int64_t outputs)
{
    for (int64_t x = 0; x < outputs; x++) {
        const float a = upper[2 * x], b = upper[2 * x + 1];
        const float c = lower[2 * x], d = lower[2 * x + 1];
        const float high = a < b ? b : a, low = c < d ? d : c;
        const float to_above = high < low ? 0.0f : d_output[x];
        const float to_below = high < low ? d_output[x] : 0.0f;
        above[2 * x] = a < b ? 0.0f : to_above;
        above[2 * x + 1] = a < b ? to_above : 0.0f;
        below[2 * x] = c < d ? 0.0f : to_below;
        below[2 * x + 1] = c < d ? to_below : 0.0f;
    }
}

void ISA_FUNCTION(maxpool_pairs)(const struct maxpool_pairs *p)
{
    scatter(p->elements, p->elements + p->cols, p->d_output, p->to, p->to + p->cols, p->outputs);
}
