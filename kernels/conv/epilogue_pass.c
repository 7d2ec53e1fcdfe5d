/* What remains to be done after a convolution without an epilogue: another pass over the stored
 * sums, which scales each filter's sums, adds bias and residual, and clamps. The ladder compares
 * methods that do this as they store with this pass. */
#include "kernels/conv/epilogue.h"

static void finish_row(const struct conv_call *call, const float *scale, int64_t f, int64_t y)
{
    const int64_t cols = call->shape->out_cols;
    const vec factor = vec_all(scale ? scale[f] : 1.0f);
    const vec bias = vec_all(call->bias ? call->bias[f] : 0.0f);
    const float *added = residual_at(call, f, y, 0);
    float *to = map_row(&call->map, y) + f * call->map.plane_stride;
    for (int64_t x = 0; x < cols; x += LANES) {
        const int64_t n = smaller(LANES, cols - x);
        const vec v = vec_multiply_add(factor, vec_load_part(to + x, n, vec_zero()), bias);
        vec_store_part(to + x, apply_epilogue(call, v, added ? added + x : NULL, n), n);
    }
}

void ISA_FUNCTION(conv_pass)(const struct conv_call *call, const float *scale)
{
    for (int64_t f = 0; f < call->shape->filters; f++)
        for (int64_t y = call->row; y < call->row + call->rows; y++)
            finish_row(call, scale, f, y);
}
