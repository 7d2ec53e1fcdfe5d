/* Stores all windows of the call as the columns of a matrix. Then, group by group, the packed
 * matrix product of filters (K/G x C/G k k) and windows (C/G k k x pixels) is the output. The cost
 * is memory: every element is stored up to k k times. */
#include "kernels/conv/epilogue.h"
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

/* The product of a group: its filters times the windows, a matrix of K/G x pixels. */
static struct matmul_call group_product(const struct conv_call *call, int64_t group,
                                        const float *windows, float *out)
{
    const int64_t filters = call->shape->filters / call->shape->groups;
    const int64_t terms = conv_terms(call->shape), pixels = pixels_of(call);
    return (struct matmul_call){
        .inner = terms,
        .a = {call->weights + group * filters * terms, terms, 0, filters, 0},
        .b = {windows, pixels, 0, terms, 0},
        .c = {out, pixels, 0, 0},
        .block = {.row = 0, .rows = filters, .col = 0, .cols = pixels, .planes = 1},
        .term = 0,
        .terms = terms};
}

/* Stores the product into the map, row by row, and applies bias and epilogue. */
static void store_product(const struct conv_call *call, int64_t group, const float *product)
{
    const struct conv_shape *s = call->shape;
    const int64_t filters = s->filters / s->groups;
    for (int64_t f = group * filters; f < (group + 1) * filters; f++) {
        const vec bias = vec_all(call->bias ? call->bias[f] : 0.0f);
        for (int64_t y = call->row; y < call->row + call->rows; y++, product += s->out_cols) {
            float *to = map_row(&call->map, y) + f * call->map.plane_stride;
            const float *added = residual_at(call, f, y, 0);
            for (int64_t x = 0; x < s->out_cols; x += LANES) {
                const int64_t n = smaller(LANES, s->out_cols - x);
                const vec v = vec_add(vec_load_part(product + x, n, vec_zero()), bias);
                vec_store_part(to + x, apply_epilogue(call, v, added ? added + x : NULL, n), n);
            }
        }
    }
}

static int64_t round_up(int64_t floats)
{
    return (floats + 15) / 16 * 16;
}

void ISA_FUNCTION(conv_im2col)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t pixels = pixels_of(call);
    float *windows = scratch, *product = windows + round_up(conv_terms(s) * pixels);
    for (int64_t g = 0; g < s->groups; g++) {
        store_windows(call, g, windows);
        const struct matmul_call multiply = group_product(call, g, windows, product);
        ISA_FUNCTION(matmul_packed)
        (&multiply, product + round_up(s->filters / s->groups * pixels));
        store_product(call, g, product);
    }
}
