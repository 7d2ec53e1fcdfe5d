/* Windows of 3 x 3 in AVX2, strip by strip: a strip is one vector of outputs wide, and goes down
 * the rows of a band. The nine weights and the sums of the two or three outputs that the current
 * image row adds to are all in registers, and an output is stored as soon as it is summed. The last
 * strip of a row overlaps the one before it instead of having lanes left out. Terms are added in
 * the same order as elsewhere. At stride 2 lanes are mixed until an output is stored. Included once
 * per instruction set. */
#ifndef MAXPOOL_CONV_DEPTHWISE_STRIPS_H
#define MAXPOOL_CONV_DEPTHWISE_STRIPS_H

#include "kernels/conv/depthwise_elements.h"
#include "kernels/conv/depthwise_rows.h"
#include "kernels/conv/epilogue.h"

/* Strips need 9 + 3 + 1 registers, and elements and weights that are operands from memory. */
enum { STRIPS_FIT = VECTOR_REGISTERS >= 16 && VECTOR_REGISTERS < 32 && VECTOR_COLUMNS };

/* The most output rows of a band, whose image rows are in the first-level cache when the next strip
 * reads them: of a plane, at stride 1 and 2, and where the rows of all channels are adjacent, so
 * that rows of a channel are so far apart that few of them fit into the cache's sets. And where
 * rows are a multiple of half a page apart: all of them share two groups of sets, and loads wait
 * for stores to other rows whose addresses within a page are the same. */
enum {
    STRIP_OF_PLANE = 28,
    STRIP_OF_PLANE_BY_TWO = 14,
    STRIP_BY_ONE = 14,
    STRIP_BY_TWO = 7,
    STRIP_OF_SHARED_SETS = 6,
    HALF_A_PAGE = 512,
    ROWS_UNDER_STRIP = 28 + 2
};
_Static_assert((STRIP_OF_PLANE_BY_TWO - 1) * 2 + 3 <= (int)ROWS_UNDER_STRIP, "room for the rows");

/* Elements that are prefetched ahead of the current strip, since the processor foresees no line of
 * a row while a strip goes down the rows: those of three strips at stride 1, of two at stride 2.
 * Of planes at stride 2 each step prefetches a line of the next band: it reads as many lines. */
enum { LINE = 16, AHEAD_BY_ONE = 3 * LANES, AHEAD_BY_TWO = 2 * 2 * LANES };

/* Which elements under a strip may be outside the image row: none; the first one, which is under
 * the first column of the windows; the last one, under the last column; any; any, and the last
 * lanes are no outputs. */
enum edge { EDGE_NONE, EDGE_LEFT, EDGE_RIGHT, EDGE_ANY, EDGE_PART };

/* A band: image rows of `cols` elements, under `height` rows of `outputs` outputs that are `line`
 * floats apart. */
struct strip_band {
    const float *rows[ROWS_UNDER_STRIP];
    int64_t cols, outputs, height, line;
    float *to;
    const float *ahead; /* the rows under the next band, if they are contiguous; or NULL */
};

/* Adds the terms of an image row, from element `first` on, to `count` sums: it is row i of the
 * windows of the first, and row i - stride, i - 2 stride of those of the next. Prefetches a line of
 * the next band, at `*ahead`, or elements of later strips. */
WINDOWS_INLINE void strip_add(const struct strip_band *b, const struct window *w, const float *row,
                              int64_t first, int64_t i, int64_t count, int64_t stride,
                              enum edge edge, vec sums[3], const float **ahead)
{
    vec column[3];
    if (stride == 2 && *ahead) {
        __builtin_prefetch(*ahead, 0, 3);
        *ahead += LINE;
    } else if (edge != EDGE_RIGHT)
        __builtin_prefetch(row + first + 1 + (stride == 1 ? AHEAD_BY_ONE : AHEAD_BY_TWO), 0, 3);
    if (stride == 2)
        elements_mixed(row, first, b->cols, edge == EDGE_NONE, edge == EDGE_LEFT, column);
    VECTOR_UNROLLED
    for (int64_t j = 0; j < 3; j++) {
        const bool inside =
            edge == EDGE_NONE || (edge == EDGE_LEFT && j > 0) || (edge == EDGE_RIGHT && j < 2);
        if (stride == 1)
            column[j] = vec_keep(elements_at(row, first + j, b->cols, inside));
        VECTOR_UNROLLED
        for (int64_t q = 0; q < count; q++)
            sums[q] = vec_multiply_add(w->weights[(i - q * stride) * 3 + j], column[j], sums[q]);
    }
}

/* Stores the outputs of a strip in one row, from column x on. */
WINDOWS_INLINE void strip_store(const struct strip_band *b, float *to, vec v, int64_t x,
                                int64_t stride, enum edge edge)
{
    const vec outputs = stride == 2 ? vec_mix(v) : v;
    if (edge == EDGE_PART)
        vec_store_part(to, outputs, b->outputs - x);
    else
        vec_store(to, outputs);
}

/* Computes the strip from column x on, whose first window begins with element `first`. At stride 1
 * each image row is the last one of an output row, the middle one of the next and the first one of
 * the one after it; at stride 2 each output row takes two more. Stride, edge and the limits'
 * `clamped` are constants wherever this is inlined. */
WINDOWS_INLINE void compute_strip(const struct strip_band *b, const struct window *w,
                                  const struct clamp_limits *end, int64_t x, int64_t first,
                                  int64_t stride, enum edge edge)
{
    const float *const *row = b->rows;
    const float *ahead = b->ahead ? b->ahead + x / LANES * (2 * b->height + 1) * LINE : NULL;
    float *to = b->to + x;
    vec sums[3] = {w->bias, w->bias, w->bias};
    strip_add(b, w, *row++, first, 0, 1, stride, edge, sums, &ahead);
    if (stride == 1)
        strip_add(b, w, *row++, first, 1, 2, stride, edge, sums, &ahead);
    for (int64_t y = 0; y < b->height; y++, to += b->line) {
        if (stride == 2)
            strip_add(b, w, *row++, first, 1, 1, stride, edge, sums, &ahead);
        strip_add(b, w, *row++, first, 2, 4 - stride, stride, edge, sums, &ahead);
        strip_store(b, to, apply_clamp(end, sums[0]), x, stride, edge);
        sums[0] = sums[1];
        sums[1] = stride == 1 ? sums[2] : w->bias;
        sums[2] = w->bias;
    }
}

/* The edge of a strip of a channel; at stride 2 the last element is one of any. */
WINDOWS_INLINE enum edge edge_of(int64_t first, int64_t stride, int64_t cols)
{
    const int64_t behind = first + (stride == 1 ? 2 : 1) + stride * LANES - cols;
    if (first >= 0 && behind <= 0)
        return EDGE_NONE;
    if (first >= 0 && behind == 1 && stride == 1)
        return EDGE_RIGHT;
    return first == -1 && behind <= 0 ? EDGE_LEFT : EDGE_ANY;
}

/* Fills in the band of channel c from output row y on. (A whole struct would be cleared first.) */
WINDOWS_INLINE void find_band(const struct work *k, int64_t c, int64_t y, int64_t rows,
                              int64_t stride, struct strip_band *b)
{
    const struct conv_call *call = k->call;
    const struct conv_shape *s = call->shape;
    const int64_t under = (rows - 1) * stride + 3;
    const struct rows_under held = rows_from(k, c, y * stride - s->padding, under);
    for (int64_t r = 0; r < under; r++)
        b->rows[r] = row_under(&held, r);
    b->cols = s->cols;
    b->outputs = s->out_cols;
    b->height = rows;
    b->line = call->map.row_stride;
    b->to = map_row(&call->map, y) + c * call->map.plane_stride;
    b->ahead =
        stride == 2 && call->image.row_stride == s->cols ? held.first + 2 * rows * s->cols : NULL;
}

/* Bands of near-equal height, of one row or more: the first `higher` of them have a row more. */
struct bands {
    int64_t count, height, higher;
};

WINDOWS_INLINE struct bands bands_of(int64_t rows, int64_t most)
{
    const int64_t count = (rows + most - 1) / most;
    return (struct bands){count, rows / count, rows % count};
}

/* Computes the outputs of a band of one channel. */
WINDOWS_INLINE void strips_of_channel(const struct strip_band *b, const struct window *w,
                                      const struct clamp_limits *end, const struct conv_shape *s,
                                      int64_t stride)
{
    for (int64_t next = 0; next < s->out_cols; next += LANES) {
        const int64_t x = smaller(next, s->out_cols - LANES), first = x * stride - s->padding;
        switch (edge_of(first, stride, s->cols)) {
        case EDGE_NONE:
            compute_strip(b, w, end, x, first, stride, EDGE_NONE);
            break;
        case EDGE_LEFT:
            compute_strip(b, w, end, x, first, stride, EDGE_LEFT);
            break;
        case EDGE_RIGHT:
            compute_strip(b, w, end, x, first, stride, EDGE_RIGHT);
            break;
        default:
            compute_strip(b, w, end, x, first, stride, EDGE_ANY);
        }
    }
}

/* The weights and the biases of the strip of all channels from column x on: of each lane its own.
 */
WINDOWS_INLINE struct window window_of_strip(const struct conv_call *call, const float *biases,
                                             int64_t x, int64_t stride)
{
    const vec bias = vec_load(biases + x);
    struct window w = {.bias = stride == 2 ? vec_mix(bias) : bias};
    VECTOR_UNROLLED
    for (int64_t i = 0; i < 9; i++)
        w.weights[i] = vec_keep(vec_load(call->packed + x * 9 + i * LANES));
    return w;
}

/* Computes the outputs of a band of all channels, which are one row. */
WINDOWS_INLINE void strips_of_all(struct strip_band *b, const struct clamp_limits *end,
                                  const struct conv_call *call, const float *biases, int64_t stride)
{
    const struct conv_shape *s = call->shape;
    b->cols = s->channels * s->cols;
    b->outputs = s->channels * s->out_cols;
    for (int64_t x = 0; x < b->outputs; x += LANES) {
        const struct window w = window_of_strip(call, biases, x, stride);
        const int64_t first = x * stride - s->padding;
        if (x + LANES > b->outputs)
            compute_strip(b, &w, end, x, first, stride, EDGE_PART);
        else if (columns_are_inside(first, stride, b->cols))
            compute_strip(b, &w, end, x, first, stride, EDGE_NONE);
        else
            compute_strip(b, &w, end, x, first, stride, EDGE_ANY);
    }
}

/* The most output rows of a band of all channels. */
WINDOWS_INLINE int64_t strip_of_all(const struct conv_call *call, int64_t stride)
{
    if (call->image.row_stride % HALF_A_PAGE == 0)
        return STRIP_OF_SHARED_SETS;
    return stride == 1 ? STRIP_BY_ONE : STRIP_BY_TWO;
}

/* Computes all channels as one. */
WINDOWS_INLINE void compute_strips_of_all(const struct work *k, const float *biases, int64_t stride,
                                          bool clamped)
{
    const struct conv_call *call = k->call;
    const struct bands bands = bands_of(call->rows, strip_of_all(call, stride));
    struct clamp_limits end = clamp_limits_of(call);
    end.clamped = clamped;
    struct strip_band b;
    for (int64_t n = 0, y = call->row, rows; n < bands.count; n++, y += rows) {
        rows = bands.height + (n < bands.higher);
        find_band(k, 0, y, rows, stride, &b);
        strips_of_all(&b, &end, call, biases, stride);
    }
}

/* The most output rows of a band of a channel. */
WINDOWS_INLINE int64_t strip_of_one(int64_t stride, bool beside)
{
    if (stride == 2)
        return beside ? STRIP_BY_TWO : STRIP_OF_PLANE_BY_TWO;
    return beside ? STRIP_BY_ONE : STRIP_OF_PLANE;
}

/* Computes one channel after the other; if rows of all channels are adjacent, band by band. */
WINDOWS_INLINE void compute_strips_of_channels(const struct work *k, int64_t stride, bool clamped)
{
    const struct conv_call *call = k->call;
    const bool beside = call->image.plane_stride <= call->image.row_stride;
    const int64_t channels = call->shape->channels, together = beside ? channels : 1;
    const struct bands bands = bands_of(call->rows, strip_of_one(stride, beside));
    struct clamp_limits end = clamp_limits_of(call);
    end.clamped = clamped;
    struct strip_band b;
    for (int64_t c = 0; c < channels; c += together)
        for (int64_t n = 0, y = call->row, rows; n < bands.count; n++, y += rows) {
            rows = bands.height + (n < bands.higher);
            for (int64_t i = c; i < c + together; i++) {
                const struct window w = window_of(call, i, true);
                find_band(k, i, y, rows, stride, &b);
                strips_of_channel(&b, &w, &end, call->shape, stride);
            }
        }
}

/* Whether strips take all channels as one row, whose weights are then packed strip by strip. */
WINDOWS_INLINE bool strips_take_all(const struct conv_shape *s)
{
    return STRIPS_FIT && s->kernel == 3 && s->stride <= 2 && s->channels * s->out_cols >= LANES;
}

/* Whether strips take the channels of the call one by one: without a residual, which may be where
 * the outputs go, as strips store some of them twice. */
WINDOWS_INLINE bool strips_take_one(const struct conv_call *call)
{
    const struct conv_shape *s = call->shape;
    return STRIPS_FIT && s->kernel == 3 && s->stride <= 2 && s->out_cols >= LANES &&
           !call->finish.residual.data;
}

/* `biases`: those of a row of all channels as one, or NULL. */
WINDOWS_INLINE void compute_strips_of(const struct work *k, const float *biases, int64_t stride,
                                      bool clamped)
{
    if (biases)
        compute_strips_of_all(k, biases, stride, clamped);
    else
        compute_strips_of_channels(k, stride, clamped);
}

WINDOWS_INLINE void compute_strips(const struct work *k, const float *biases, bool clamped)
{
    if (k->call->shape->stride == 1)
        compute_strips_of(k, biases, 1, clamped);
    else
        compute_strips_of(k, biases, 2, clamped);
}

#endif
