/* Windows of 3 x 3 in AVX-512, where the rows of a channel are apart: up to four vectors of outputs
 * slide down the rows of a channel. Each image row is loaded once, and the elements under the other
 * two columns of the windows are moved from lane to lane: most loads that begin at another column
 * take two cache lines, and three of them for each vector of outputs take longer than its nine
 * multiply-adds. The image row is added to the two or three output rows whose windows contain it,
 * and an output is stored as soon as it is summed. Terms are added in the same order as elsewhere.
 * Included once per instruction set. */
#ifndef MAXPOOL_CONV_SLIDING_ROWS_H
#define MAXPOOL_CONV_SLIDING_ROWS_H

#include "kernels/conv/depthwise_elements.h"
#include "kernels/conv/depthwise_rows.h"
#include "kernels/conv/epilogue.h"

#if VECTOR_PICKS == 1
/* Most vectors of outputs that slide together: their sums and the weights are in registers. */
enum { SLIDING_VECTORS = 4 };

/* Vectors of outputs of a channel, from column x on; image rows have `cols` elements. */
struct sliding {
    const struct window *window;
    struct clamp_limits end;
    int64_t x, cols, outputs;
};

/* How the vectors slide: constants wherever this is inlined. `whole`: they are whole rows. */
struct slide {
    int vectors;
    int64_t stride;
    bool whole;
};

/* The elements of an image row under the three columns of the windows. */
struct sliding_columns {
    vec under[3][SLIDING_VECTORS];
};

/* At stride 1: the middle column is loaded. At the edges of rows the lanes moved in are 0;
 * elsewhere they are loaded too. */
WINDOWS_INLINE void slide_by_one(const struct sliding *s, const float *row, struct slide how,
                                 struct sliding_columns *c)
{
    const int last = how.vectors - 1;
    VECTOR_UNROLLED
    for (int v = 0; v <= last; v++)
        c->under[1][v] =
            vec_keep(elements_at(row, s->x + v * LANES, s->cols, how.whole && v < last));
    VECTOR_UNROLLED
    for (int v = 0; v <= last; v++) {
        const vec before = v > 0 ? c->under[1][v - 1] : vec_zero();
        const vec after = v < last ? c->under[1][v + 1] : vec_zero();
        c->under[0][v] = vec_keep(how.whole || v > 0 ? vec_up_one(before, c->under[1][v])
                                                     : elements_at(row, s->x - 1, s->cols, false));
        c->under[2][v] = vec_keep(how.whole || v < last
                                      ? vec_down_one(c->under[1][v], after)
                                      : elements_at(row, s->x + last * LANES + 1, s->cols, false));
    }
}

/* At stride 2: the elements under the first column are those under the third of the output
 * before. */
WINDOWS_INLINE void slide_by_two(const struct sliding *s, const float *row, struct slide how,
                                 struct sliding_columns *c)
{
    VECTOR_UNROLLED
    for (int v = 0; v < how.vectors; v++) {
        const int64_t first = 2 * (s->x + v * LANES);
        const bool inside = how.whole && v + 1 < how.vectors;
        const vec a = vec_keep(elements_at(row, first, s->cols, inside));
        const vec b = vec_keep(elements_at(row, first + LANES, s->cols, inside));
        c->under[1][v] = vec_keep(vec_even_in_two(a, b));
        c->under[2][v] = vec_keep(vec_odd_in_two(a, b));
        const vec before = v > 0                    ? c->under[2][v - 1]
                           : how.whole || s->x == 0 ? vec_zero()
                                                    : vec_all(row[first - 1]);
        c->under[0][v] = vec_keep(vec_up_one(before, c->under[2][v]));
    }
}

WINDOWS_INLINE void slide_columns(const struct sliding *s, const float *row, struct slide how,
                                  struct sliding_columns *c)
{
    if (how.stride == 1)
        slide_by_one(s, row, how, c);
    else
        slide_by_two(s, row, how, c);
}

/* Adds an image row to sums: it is row i of their windows. Row 0 begins them. */
WINDOWS_INLINE void slide_add(const struct sliding *s, const struct sliding_columns *c, int i,
                              int vectors, vec sums[SLIDING_VECTORS])
{
    VECTOR_UNROLLED
    for (int j = 0; j < 3; j++)
        for (int v = 0; v < vectors; v++)
            sums[v] = vec_multiply_add(s->window->weights[3 * i + j], c->under[j][v],
                                       i == 0 && j == 0 ? s->window->bias : sums[v]);
}

WINDOWS_INLINE void slide_store(const struct sliding *s, const vec sums[SLIDING_VECTORS],
                                int vectors, float *to)
{
    VECTOR_UNROLLED
    for (int v = 0; v < vectors; v++) {
        const vec x = apply_clamp(&s->end, sums[v]);
        if (v + 1 < vectors)
            vec_store(to + v * LANES, x);
        else
            vec_store_part(to + v * LANES, x, smaller(LANES, s->outputs - s->x - v * LANES));
    }
}

/* Adds an image row to `count` output rows: it is row 2 of the windows of the first, and one row,
 * or at stride 2 two rows, further up in those of each next one. */
WINDOWS_INLINE void slide_row(const struct sliding *s, const float *row, struct slide how,
                              int count, vec sums[3][SLIDING_VECTORS])
{
    struct sliding_columns c;
    slide_columns(s, row, how, &c);
    VECTOR_UNROLLED
    for (int q = 0; q < count; q++)
        slide_add(s, &c, 2 - q * (int)how.stride, how.vectors, sums[q]);
}

WINDOWS_INLINE void slide_move(vec to[SLIDING_VECTORS], const vec from[SLIDING_VECTORS],
                               int vectors)
{
    VECTOR_UNROLLED
    for (int v = 0; v < vectors; v++)
        to[v] = from[v];
}

/* Adds the image rows above the last one of the first output row's windows; at stride 1 the second
 * of them begins the next output row, if `two`. */
WINDOWS_INLINE void slide_begin(const struct sliding *s, const struct rows_under *rows,
                                struct slide how, bool two, vec sums[3][SLIDING_VECTORS])
{
    struct sliding_columns c;
    slide_columns(s, row_under(rows, 0), how, &c);
    slide_add(s, &c, 0, how.vectors, sums[0]);
    slide_columns(s, row_under(rows, 1), how, &c);
    slide_add(s, &c, 1, how.vectors, sums[0]);
    if (how.stride == 1 && two)
        slide_add(s, &c, 0, how.vectors, sums[1]);
}

WINDOWS_INLINE void slide_down_by_one(const struct sliding *s, const struct rows_under *rows,
                                      struct slide how, int64_t height, float *to, int64_t line)
{
    vec sums[3][SLIDING_VECTORS];
    slide_begin(s, rows, how, height > 1, sums);
    for (int64_t y = 0; y < height - 2; y++, to += line) {
        slide_row(s, row_under(rows, y + 2), how, 3, sums);
        slide_store(s, sums[0], how.vectors, to);
        slide_move(sums[0], sums[1], how.vectors);
        slide_move(sums[1], sums[2], how.vectors);
    }
    if (height > 1) {
        slide_row(s, row_under(rows, height), how, 2, sums);
        slide_store(s, sums[0], how.vectors, to);
        slide_move(sums[0], sums[1], how.vectors);
        to += line;
    }
    slide_row(s, row_under(rows, height + 1), how, 1, sums);
    slide_store(s, sums[0], how.vectors, to);
}

WINDOWS_INLINE void slide_down_by_two(const struct sliding *s, const struct rows_under *rows,
                                      struct slide how, int64_t height, float *to, int64_t line)
{
    vec sums[3][SLIDING_VECTORS];
    slide_begin(s, rows, how, false, sums);
    for (int64_t y = 0; y < height - 1; y++, to += line) {
        slide_row(s, row_under(rows, 2 * y + 2), how, 2, sums);
        slide_store(s, sums[0], how.vectors, to);
        slide_move(sums[0], sums[1], how.vectors);
        struct sliding_columns c;
        slide_columns(s, row_under(rows, 2 * y + 3), how, &c);
        slide_add(s, &c, 1, how.vectors, sums[0]);
    }
    slide_row(s, row_under(rows, 2 * height), how, 1, sums);
    slide_store(s, sums[0], how.vectors, to);
}

WINDOWS_INLINE void slide_down(const struct sliding *s, const struct rows_under *rows,
                               struct slide how, int64_t height, float *to, int64_t line)
{
    if (how.stride == 1)
        slide_down_by_one(s, rows, how, height, to, line);
    else
        slide_down_by_two(s, rows, how, height, to, line);
}

WINDOWS_INLINE void slide_vectors(const struct sliding *s, const struct rows_under *rows,
                                  int vectors, int64_t stride, bool whole, int64_t height,
                                  float *to, int64_t line)
{
    switch (vectors) {
    case 1:
        slide_down(s, rows, (struct slide){1, stride, whole}, height, to, line);
        break;
    case 2:
        slide_down(s, rows, (struct slide){2, stride, whole}, height, to, line);
        break;
    case 3:
        slide_down(s, rows, (struct slide){3, stride, whole}, height, to, line);
        break;
    default:
        slide_down(s, rows, (struct slide){SLIDING_VECTORS, stride, whole}, height, to, line);
    }
}

/* Computes the rows of channel c. Vectors that are not whole rows are nearly equally many. */
WINDOWS_INLINE void slide_channel(const struct work *k, int64_t c, int64_t stride)
{
    const struct conv_call *call = k->call;
    const struct conv_shape *shape = call->shape;
    const struct window w = window_of(call, c, true);
    const struct rows_under rows =
        rows_from(k, c, call->row * stride - 1, (call->rows - 1) * stride + 3);
    float *to = map_row(&call->map, call->row) + c * call->map.plane_stride;
    const int64_t line = call->map.row_stride;
    struct sliding s = {&w, limits_of_all(call), 0, shape->cols, shape->out_cols};
    int64_t left = (s.outputs + LANES - 1) / LANES;
    if (left <= SLIDING_VECTORS) {
        slide_vectors(&s, &rows, (int)left, stride, true, call->rows, to, line);
        return;
    }
    for (int64_t vectors; left > 0; left -= vectors, s.x += vectors * LANES) {
        const int64_t parts = (left + SLIDING_VECTORS - 1) / SLIDING_VECTORS;
        vectors = (left + parts - 1) / parts;
        slide_vectors(&s, &rows, (int)vectors, stride, false, call->rows, to + s.x, line);
    }
}

/* Whether all channels of a call are computed so. A residual may be where the outputs go. */
WINDOWS_INLINE bool slides(const struct conv_call *call)
{
    const struct conv_shape *s = call->shape;
    return s->kernel == 3 && s->stride <= 2 && s->padding == 1 && s->out_cols > LANES / 2 &&
           call->image.plane_stride > call->image.row_stride && !call->finish.residual.data;
}

static void slide_by_stride_one(const struct work *k)
{
    for (int64_t c = 0; c < k->call->shape->channels; c++)
        slide_channel(k, c, 1);
}

static void slide_by_stride_two(const struct work *k)
{
    for (int64_t c = 0; c < k->call->shape->channels; c++)
        slide_channel(k, c, 2);
}

static void compute_sliding(const struct work *k)
{
    if (k->call->shape->stride == 1)
        slide_by_stride_one(k);
    else
        slide_by_stride_two(k);
}
#else
WINDOWS_INLINE bool slides(const struct conv_call *call)
{
    (void)call;
    return false;
}

WINDOWS_INLINE void compute_sliding(const struct work *k)
{
    (void)k;
}
#endif

#endif
