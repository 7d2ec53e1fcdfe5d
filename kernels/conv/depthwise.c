/* One filter a channel (G = C = K): nothing is shared between channels, so no matrix is made. The
 * window slides along each row, its weights broadcast, neighbouring outputs in the lanes. */
#include "kernels/conv/windows.h"

#include <string.h>

/* The rows of one output row's windows (NULL: in the padding), and its weights. */
struct window_rows {
    const float *row[CONV_DEPTHWISE_KERNEL];
    const float *weights; /* k x k */
    float bias;
};

/* Cells of one vector: lanes [0, n) of row[first + q stride]. */
WINDOWS_INLINE vec cells(const float *row, int64_t first, int64_t n, int64_t stride, int64_t cols)
{
    float lanes[LANES];
    if (first >= 0 && first + LANES * stride <= cols)
        return stride == 1 ? vec_load(row + first) : vec_load_every(row + first, stride);
    if (stride == 1)
        return adjacent_cells(row, first, n, cols);
    memset(lanes, 0, sizeof lanes);
    copy_cells(row, first, n, stride, cols, lanes);
    return vec_load(lanes);
}

/* The outputs [x, x + n) of one row; k and stride are constants where the caller knows them. */
WINDOWS_INLINE void outputs(const struct window_rows *w, const struct conv_shape *s, int64_t k,
                            int64_t stride, int64_t x, int64_t n, float *to)
{
    vec sum = vec_all(w->bias);
    for (int64_t i = 0; i < k; i++) {
        if (!w->row[i])
            continue;
        for (int64_t j = 0; j < k; j++)
            sum = vec_multiply_add(
                vec_all(w->weights[i * k + j]),
                cells(w->row[i], x * stride + j - s->padding, n, stride, s->cols), sum);
    }
    vec_store_part(to + x, sum, n);
}

WINDOWS_INLINE void output_row(const struct window_rows *w, const struct conv_shape *s, int64_t k,
                               int64_t stride, float *to)
{
    for (int64_t x = 0; x < s->out_cols; x += LANES)
        outputs(w, s, k, stride, x, smaller(LANES, s->out_cols - x), to);
}

static void row_of_outputs(const struct window_rows *w, const struct conv_shape *s, float *to)
{
    if (s->kernel == 3 && s->stride == 1)
        output_row(w, s, 3, 1, to);
    else if (s->kernel == 3 && s->stride == 2)
        output_row(w, s, 3, 2, to);
    else
        output_row(w, s, s->kernel, s->stride, to);
}

void ISA_FUNCTION(conv_depthwise)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    struct window_rows w;
    (void)scratch;
    for (int64_t c = 0; c < s->channels; c++) {
        w.weights = call->weights + c * s->kernel * s->kernel;
        w.bias = call->bias ? call->bias[c] : 0.0f;
        for (int64_t y = call->row; y < call->row + call->rows; y++) {
            for (int64_t i = 0; i < s->kernel; i++)
                w.row[i] = channel_row(call, c, y * s->stride - s->padding + i);
            row_of_outputs(&w, s, map_row(&call->map, y) + c * call->map.plane_stride);
        }
    }
}
