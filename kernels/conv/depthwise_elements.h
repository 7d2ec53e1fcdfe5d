/* The elements and the weights under windows of 3 x 3 of a depthwise convolution, as vectors of
 * adjacent outputs need them. Included once per instruction set. */
#ifndef MAXPOOL_CONV_DEPTHWISE_ELEMENTS_H
#define MAXPOOL_CONV_DEPTHWISE_ELEMENTS_H

#include "kernels/conv/epilogue.h"
#include "kernels/conv/windows.h"
#include "kernels/vector/mixed.h"

#include <math.h>

/* The elements from row[first] on; lanes [low, high) of them are inside the image. */
struct lane_range {
    int64_t first, low, high;
};

WINDOWS_INLINE struct lane_range lane_range_from(int64_t first, int64_t cols)
{
    const int64_t low = smaller(larger(-first, 0), LANES);
    return (struct lane_range){first, low, smaller(larger(cols - first, low), LANES)};
}

/* Loads a vector of elements; those outside the image are 0. `inside`: none is outside. */
WINDOWS_INLINE vec elements_of(const float *row, struct lane_range at, bool inside)
{
    return inside ? vec_load(row + at.first)
                  : vec_load_lanes(row + at.first, at.low, at.high, vec_zero());
}

WINDOWS_INLINE vec elements_at(const float *row, int64_t first, int64_t cols, bool inside)
{
    return elements_of(row, lane_range_from(first, cols), inside);
}

/* The elements under all columns of windows of 3 x 3 at stride 2. Each is loaded once, except that
 * the elements under the first column are those under the third of the output before: they are
 * shifted in. */
WINDOWS_INLINE void elements_two_apart(const float *row, int64_t first, int64_t cols, bool inside,
                                       vec column[3])
{
    const vec a = vec_keep(elements_at(row, first + 1, cols, inside));
    const vec b = vec_keep(elements_at(row, first + 1 + LANES, cols, inside));
    const bool held = inside || (first >= 0 && first < cols);
    column[1] = vec_even(a, b);
    column[2] = vec_odd(a, b);
    column[0] = vec_delay(vec_all(held ? row[first] : 0.0f), column[2], 1);
}

/* The same with lanes mixed: those under the first column are loaded again, since no shift gets
 * them from mixed lanes. `left`: none but the first one may be outside. */
WINDOWS_INLINE void elements_mixed(const float *row, int64_t first, int64_t cols, bool inside,
                                   bool left, vec column[3])
{
    const vec a = elements_at(row, first, cols, inside);
    const vec b = elements_at(row, first + LANES, cols, inside || left);
    const vec c = vec_keep(elements_at(row, first + 1, cols, inside || left));
    const vec d = vec_keep(elements_at(row, first + 1 + LANES, cols, inside || left));
    column[0] = vec_keep(vec_even_mixed(a, b));
    column[1] = vec_even_mixed(c, d);
    column[2] = vec_odd_mixed(c, d);
}

/* Whether all elements under the columns of windows of 3 x 3 are inside the row: at stride 2 two
 * whole vectors are loaded, one element behind the first. */
WINDOWS_INLINE bool columns_are_inside(int64_t first, int64_t stride, int64_t cols)
{
    const int64_t end = stride == 1 ? first + 2 + LANES : first + 1 + stride * LANES;
    return first >= 0 && end <= cols;
}

/* The window of a channel; `kept`: registers are enough for its weights. */
struct window {
    vec weights[9], bias;
};

WINDOWS_INLINE struct window window_of(const struct conv_call *call, int64_t c, bool kept)
{
    struct window w = {.bias = vec_all(call->bias ? call->bias[c] : 0.0f)};
    VECTOR_UNROLLED
    for (int i = 0; i < 9; i++) {
        const vec all = vec_all(call->weights[c * 9 + i]);
        w.weights[i] = kept ? vec_keep(all) : all;
    }
    return w;
}

/* The limits of the clamp, or infinities, which change nothing: clamping takes less time than
 * asking at each store whether to. */
WINDOWS_INLINE struct clamp_limits limits_of_all(const struct conv_call *call)
{
    const struct clamp_limits e = clamp_limits_of(call);
    return (struct clamp_limits){true, e.clamped ? e.least : vec_all(-INFINITY),
                                 e.clamped ? e.most : vec_all(INFINITY)};
}

/* Rows under some outputs: row r is `first + r * line` if it is inside the image, low <= r < high;
 * otherwise `zeros`. */
struct rows_under {
    const float *first, *zeros;
    int64_t line, low, high;
};

WINDOWS_INLINE const float *row_under(const struct rows_under *p, int64_t r)
{
    return r >= p->low && r < p->high ? p->first + r * p->line : p->zeros;
}

/* A worker's scratch: a row of zeros, and the addresses of the rows under the current output
 * rows. */
struct work {
    const struct conv_call *call;
    const float **rows;
    float *zeros;
};

/* `count` rows of channel c from row `top` on. */
WINDOWS_INLINE struct rows_under rows_from(const struct work *k, int64_t c, int64_t top,
                                           int64_t count)
{
    const struct view *image = &k->call->image;
    const struct conv_shape *s = k->call->shape;
    const int64_t low = smaller(larger(-top, 0), count);
    return (struct rows_under){.first = view_row(image, top) + c * image->plane_stride,
                               .zeros = k->zeros,
                               .line = image->row_stride,
                               .low = low,
                               .high = larger(smaller(s->rows - top, count), low)};
}

#endif
