/* All windows of the call stored side by side, one a column, and then the packed matrix product:
 * output = filters (K/G x C/G k k) times windows (C/G k k x pixels), group by group. What it costs
 * is the memory: every cell is stored up to k k times. */
#include "kernels/conv/windows.h"
#include "kernels/matmul/matmul.h"

static int64_t pixels_of(const struct conv_call *call)
{
    return call->rows * call->shape->out_cols;
}

static void store_windows(const struct conv_call *call, int64_t group, float *to)
{
    const struct conv_shape *s = call->shape;
    const int64_t depth = s->channels / s->groups, pixels = pixels_of(call);
    for (int64_t c = 0; c < depth; c++)
        pack_channel(call, group * depth + c, 0, pixels, to + c * s->kernel * s->kernel * pixels,
                     pixels);
}

/* The rows of a group's filters in the map, as one matrix of K/G x pixels. */
static struct matmul_call group_product(const struct conv_call *call, int64_t group,
                                        const float *windows)
{
    const struct conv_shape *s = call->shape;
    const int64_t filters = s->filters / s->groups, terms = conv_terms(s);
    const int64_t pixels = pixels_of(call);
    float *map = map_row(&call->map, call->row) + group * filters * call->map.plane_stride;
    return (struct matmul_call){
        .inner = terms,
        .a = {call->weights + group * filters * terms, terms, 0, filters, 0},
        .b = {windows, pixels, 0, terms, 0},
        .c = {map, call->map.plane_stride, 0, 0},
        .block = {.row = 0, .rows = filters, .col = 0, .cols = pixels, .planes = 1},
        .term = 0,
        .terms = terms};
}

static void add_bias(const struct conv_call *call)
{
    for (int64_t f = 0; f < call->shape->filters; f++) {
        float *out = map_row(&call->map, call->row) + f * call->map.plane_stride;
        for (int64_t q = 0; q < pixels_of(call); q++)
            out[q] += call->bias[f];
    }
}

void ISA_FUNCTION(conv_im2col)(const struct conv_call *call, void *scratch)
{
    const int64_t stored = conv_terms(call->shape) * pixels_of(call);
    float *windows = scratch;
    for (int64_t g = 0; g < call->shape->groups; g++) {
        store_windows(call, g, windows);
        const struct matmul_call product = group_product(call, g, windows);
        ISA_FUNCTION(matmul_packed)(&product, windows + (stored + 15) / 16 * 16);
    }
    if (call->bias)
        add_bias(call);
}
