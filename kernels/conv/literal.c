/* The seven loops of the definition; nothing is reordered and nothing reused: the frozen
 * baseline. */
#include "kernels/conv/conv.h"

/* The sum over one channel's window; elements outside the image are 0. */
static float window_sum(const struct conv_call *call, const float *plane, const float *filter,
                        int64_t top, int64_t left)
{
    const struct conv_shape *s = call->shape;
    float sum = 0.0f;
    for (int64_t i = 0; i < s->kernel; i++)
        for (int64_t j = 0; j < s->kernel; j++) {
            const int64_t row = top + i, col = left + j;
            if (row < 0 || row >= s->rows || col < 0 || col >= s->cols)
                continue;
            sum += plane[(row - call->image.first_row) * call->image.row_stride + col] *
                   filter[i * s->kernel + j];
        }
    return sum;
}

/* Adds the residual and clamps; NaN stays NaN. */
static float finished_output(const struct conv_call *call, float sum, int64_t f, int64_t y,
                             int64_t x)
{
    const struct conv_finish *e = &call->finish;
    if (e->residual.data)
        sum += view_row(&e->residual, y)[f * e->residual.plane_stride + x];
    if (!e->clamped)
        return sum;
    return sum < e->least ? e->least : sum > e->most ? e->most : sum;
}

static float output(const struct conv_call *call, int64_t f, int64_t y, int64_t x)
{
    const struct conv_shape *s = call->shape;
    const int64_t depth = s->channels / s->groups, first = f / (s->filters / s->groups) * depth;
    const int64_t window = s->kernel * s->kernel;
    float sum = call->bias ? call->bias[f] : 0.0f;
    for (int64_t c = 0; c < depth; c++)
        sum += window_sum(call, call->image.data + (first + c) * call->image.plane_stride,
                          call->weights + (f * depth + c) * window, y * s->stride - s->padding,
                          x * s->stride - s->padding);
    return sum;
}

void conv_literal(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    (void)scratch;
    for (int64_t f = 0; f < s->filters; f++)
        for (int64_t y = call->row; y < call->row + call->rows; y++) {
            float *out = map_row(&call->map, y) + f * call->map.plane_stride;
            for (int64_t x = 0; x < s->out_cols; x++)
                out[x] = finished_output(call, output(call, f, y, x), f, y, x);
        }
}
