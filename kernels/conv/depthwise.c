/* One filter per channel (G = C = K): channels share nothing, so no matrix is formed. Adjacent
 * outputs are the lanes. Elements are loaded in place: lanes outside the image are left out, and a
 * row outside it is a row of zeros. Several output rows are summed at a time, so that a vector of
 * elements is loaded once for all rows whose windows contain it, and no sum waits for the one
 * before it. Where the rows of an image's channels are contiguous and short, they are treated as
 * one row whose lanes have different weights, so that no vector is partly empty. Elements of the
 * adjacent channel are then multiplied by 0: its infinities and NaNs spread. */
#include "kernels/conv/depthwise/sliding_rows.h"
#include "kernels/conv/depthwise/small_planes.h"
#include "kernels/conv/depthwise_rows.h"
#include "kernels/conv/depthwise_strips.h"
#include "kernels/conv/epilogue.h"
#include "kernels/conv/windows.h"
#include "kernels/register_tiles.h"

/* Output rows at a time, under any windows and under those of 3 x 3. */
enum { HEIGHT = DEPTHWISE_ROWS, HEIGHT_OF_THREE = DEPTHWISE_ROWS_OF_THREE };
_Static_assert((int)HEIGHT <= DEPTHWISE_TALLEST && (int)HEIGHT_OF_THREE <= DEPTHWISE_TALLEST,
               "room for the rows under them");

/* One channel, for output rows from y on, with the image rows under them. Or all channels, whose
 * rows are contiguous, as one channel that has a weight and a bias for each output column. */
struct channel {
    const struct conv_call *call;
    int64_t number, y;
    int64_t cols, outputs; /* per row */
    const float *const *rows;
    const float *weights; /* k x k; for all channels k x k rows, `apart` floats apart */
    int64_t apart;
    float bias;
    const float *biases;
};

/* The size of the windows: constants wherever the caller knows them, so that the sums stay in
 * registers. `all`: the rows of all channels are one. */
struct size {
    int64_t height, kernel, stride;
    bool all;
};

/* The elements under the window's column j. At stride 2, two columns share their loads. */
WINDOWS_INLINE vec elements_of_column(const float *row, int64_t first, int64_t j, int64_t stride,
                                      int64_t cols, bool inside)
{
    if (stride == 1)
        return elements_at(row, first + j, cols, inside);
    if (stride > 2)
        return apart_elements(row, first + j, LANES, stride, cols);
    const vec a = elements_at(row, first + j / 2 * 2, cols, inside);
    const vec b = elements_at(row, first + j / 2 * 2 + LANES, cols, inside);
    return j % 2 == 0 ? vec_even(a, b) : vec_odd(a, b);
}

/* The weights at place `place` of the windows, for the outputs from column x on. */
WINDOWS_INLINE vec weights_at(const struct channel *w, int64_t x, int64_t place, bool all)
{
    return all ? vec_load(w->weights + place * w->apart + x) : vec_all(w->weights[place]);
}

/* Sums one vector of outputs, from column x on, in each of `size.height` rows. */
WINDOWS_INLINE void sum_vectors(const struct channel *w, int64_t x, struct size size, bool inside,
                                vec sums[HEIGHT])
{
    const int64_t first = x * size.stride - w->call->shape->padding;
    VECTOR_UNROLLED
    for (int64_t h = 0; h < size.height; h++)
        sums[h] = size.all ? vec_load(w->biases + x) : vec_all(w->bias);
    VECTOR_UNROLLED
    for (int64_t r = 0; r < (size.height - 1) * size.stride + size.kernel; r++) {
        const float *row = w->rows[r];
        const bool three = size.kernel == 3 && size.stride == 2;
        vec column[3];
        if (three)
            elements_two_apart(row, first, w->cols, inside, column);
        for (int64_t j = 0; j < size.kernel; j++) {
            const vec elements =
                three ? column[j]
                      : vec_keep(elements_of_column(row, first, j, size.stride, w->cols, inside));
            VECTOR_UNROLLED
            for (int64_t h = 0; h < size.height; h++) {
                const int64_t i = r - h * size.stride;
                if (i >= 0 && i < size.kernel)
                    sums[h] = vec_multiply_add(weights_at(w, x, i * size.kernel + j, size.all),
                                               elements, sums[h]);
            }
        }
    }
}

/* Computes one vector of outputs of each row, from column x on, and stores it to `out`; `added` is
 * what residual_at() returned. `inside`: the vector is whole, and no window reaches outside the
 * image. */
WINDOWS_INLINE void output_vectors(const struct channel *w, int64_t x, struct size size,
                                   bool inside, float *out, const float *added)
{
    const struct conv_call *call = w->call;
    const int64_t n = inside ? LANES : smaller(LANES, w->outputs - x);
    const int64_t apart = call->finish.residual.row_stride;
    vec sums[HEIGHT];
    sum_vectors(w, x, size, inside, sums);
    VECTOR_UNROLLED
    for (int64_t h = 0; h < size.height; h++) {
        const vec v = apply_epilogue(call, sums[h], added ? added + h * apart + x : NULL, n);
        if (inside)
            vec_store(out + h * call->map.row_stride + x, v);
        else
            vec_store_part(out + h * call->map.row_stride + x, v, n);
    }
}

WINDOWS_INLINE void output_rows(const struct channel *w, struct size size)
{
    const struct conv_call *call = w->call;
    const float *added = residual_at(call, w->number, w->y, 0);
    float *out = map_row(&call->map, w->y) + w->number * call->map.plane_stride;
    for (int64_t x = 0; x < w->outputs; x += LANES) {
        const int64_t first = x * size.stride - call->shape->padding;
        if (first >= 0 && first + size.kernel + LANES * size.stride <= w->cols)
            output_vectors(w, x, size, true, out, added);
        else
            output_vectors(w, x, size, false, out, added);
    }
}

/* ---- any windows ------------------------------------------------------------------------------
 */

WINDOWS_INLINE void rows_of_height(const struct channel *w, int64_t height, bool all)
{
    const struct conv_shape *s = w->call->shape;
    if (s->kernel == 3 && s->stride == 1 && all)
        output_rows(w, (struct size){height, 3, 1, true});
    else if (s->kernel == 3 && s->stride == 2 && all)
        output_rows(w, (struct size){height, 3, 2, true});
    else if (s->kernel == 5 && s->stride == 1)
        output_rows(w, (struct size){height, 5, 1, all});
    else
        output_rows(w, (struct size){height, s->kernel, s->stride, all});
}

WINDOWS_INLINE void sum_rows(const struct channel *w, int64_t height, bool all)
{
    if (height == HEIGHT)
        rows_of_height(w, HEIGHT, all);
    else if (height == 2)
        rows_of_height(w, 2, all);
    else
        rows_of_height(w, 1, all);
}

static void sum_rows_of_one(const struct channel *w, int64_t height)
{
    sum_rows(w, height, false);
}

static void sum_rows_of_all(const struct channel *w, int64_t height)
{
    sum_rows(w, height, true);
}

/* ---- the loops ------------------------------------------------------------------------------ */

/* Finds the addresses of `count` rows of channel c from row `top` on. */
static void find_rows(const struct work *k, int64_t c, int64_t top, int64_t count)
{
    for (int64_t r = 0; r < count; r++) {
        const float *held = channel_row(k->call, c, top + r);
        k->rows[r] = held ? held : k->zeros;
    }
}

/* Computes `height` output rows from y on, of channels [first, first + count). */
static void sum_channels(const struct work *k, int64_t y, int64_t height, int64_t first,
                         int64_t count)
{
    const struct conv_call *call = k->call;
    const struct conv_shape *s = call->shape;
    for (int64_t c = first; c < first + count; c++) {
        const struct channel w = {.call = call,
                                  .number = c,
                                  .y = y,
                                  .cols = s->cols,
                                  .outputs = s->out_cols,
                                  .rows = k->rows,
                                  .weights = call->weights + c * s->kernel * s->kernel,
                                  .bias = call->bias ? call->bias[c] : 0.0f};
        find_rows(k, c, y * s->stride - s->padding, depthwise_rows(s, height));
        sum_rows_of_one(&w, height);
    }
}

/* How many of the `left` remaining rows are summed next. */
static int64_t next_height(int64_t left)
{
    return left >= HEIGHT ? HEIGHT : left >= 2 ? 2 : 1;
}

static void compute_one_by_one(const struct work *k)
{
    const struct conv_call *call = k->call;
    const struct conv_shape *s = call->shape;
    const int64_t end = call->row + call->rows;
    const bool beside = call->image.plane_stride <= call->image.row_stride;
    const int64_t together = beside || call->rows <= HEIGHT ? s->channels : 1;
    for (int64_t c = 0; c < s->channels; c += together)
        for (int64_t y = call->row, height; y < end; y += height) {
            height = next_height(end - y);
            sum_channels(k, y, height, c, together);
        }
}

/* ---- windows of 3 x 3 ------------------------------------------------------------------------ */

/* True if partial loads and stores are as fast as whole ones, so that one path serves all
 * columns. */
enum { LANES_LEFT_OUT_ARE_FREE = VECTOR_PICKS == 1 };

/* Loads the elements under each column. At stride 2, the elements under the first column are those
 * under the third of the window before. `inside`: none is outside the row. */
WINDOWS_INLINE void three_columns(const float *row, int64_t first, int64_t stride, int64_t cols,
                                  bool inside, vec column[3])
{
    if (stride == 1) {
        VECTOR_UNROLLED
        for (int64_t j = 0; j < 3; j++)
            column[j] = vec_keep(elements_at(row, first + j, cols, inside));
        return;
    }
    elements_two_apart(row, first, cols, inside, column);
}

/* Adds the terms of image row r under the band, whose elements under each column are given, to the
 * sums of each output row that has it under a window. */
WINDOWS_INLINE void add_three_columns(const struct window *w, const vec column[3], int64_t r,
                                      struct size size, vec sums[HEIGHT_OF_THREE])
{
    VECTOR_UNROLLED
    for (int64_t j = 0; j < 3; j++) {
        VECTOR_UNROLLED
        for (int64_t h = 0; h < size.height; h++) {
            const int64_t i = r - h * size.stride;
            if (i >= 0 && i < 3)
                sums[h] = vec_multiply_add(w->weights[i * 3 + j], column[j], sums[h]);
        }
    }
}

/* Sums one vector of outputs in each of `height` rows, the first window of each beginning with
 * element `first`. Height, stride and `inside` (all elements are inside the row) are constants
 * wherever this is inlined. */
WINDOWS_INLINE void sum_three_columns(const struct rows_under *rows, const struct window *w,
                                      int64_t first, int64_t cols, struct size size, bool inside,
                                      vec sums[HEIGHT_OF_THREE])
{
    VECTOR_UNROLLED
    for (int64_t h = 0; h < size.height; h++)
        sums[h] = w->bias;
    VECTOR_UNROLLED
    for (int64_t r = 0; r < (size.height - 1) * size.stride + 3; r++) {
        vec column[3];
        three_columns(row_under(rows, r), first, size.stride, cols, inside, column);
        add_three_columns(w, column, r, size, sums);
    }
}

/* Stores the first n lanes of the sums, one row after the other; `added` is what residual_at()
 * returned. */
WINDOWS_INLINE void store_three_columns(const struct conv_call *call,
                                        const struct clamp_limits *end,
                                        const vec sums[HEIGHT_OF_THREE], int64_t height, int64_t n,
                                        float *out, const float *added)
{
    const int64_t line = call->map.row_stride, apart = call->finish.residual.row_stride;
    VECTOR_UNROLLED
    for (int64_t h = 0; h < height; h++, out += line) {
        const vec v = add_and_clamp(end, sums[h], added ? added + h * apart : NULL, n);
        if (LANES_LEFT_OUT_ARE_FREE || n < LANES)
            vec_store_part(out, v, n);
        else
            vec_store(out, v);
    }
}

/* Where a vector of outputs of a band goes. */
struct outputs {
    float *to; /* in the first row */
    int64_t line, count;
    const float *added; /* the residual, as residual_at() returned it */
    int64_t apart;
    bool spills; /* lanes without outputs may go into the next row, which is stored afterwards */
};

/* The most image rows under a band. */
enum { ROWS_OF_THREE = (HEIGHT_OF_THREE - 1) * 2 + 3 };

/* The same where registers are few: stores each row as soon as it is summed, so that the registers
 * hold few sums and most weights. `inside` also: all lanes are outputs. At stride 2, where most
 * time is spent waiting for elements, those of the next band are prefetched. */
WINDOWS_INLINE void output_row_by_row(const float *const rows[ROWS_OF_THREE],
                                      const struct window *w, struct clamp_limits end,
                                      int64_t first, int64_t cols, struct size size, bool inside,
                                      struct outputs o)
{
    vec sums[HEIGHT_OF_THREE];
    VECTOR_UNROLLED
    for (int64_t r = 0; r < (size.height - 1) * size.stride + 3; r++) {
        const int64_t begun = r / size.stride, h = begun - 2 / size.stride;
        vec column[3];
        if (size.stride == 2)
            __builtin_prefetch(rows[r] + first + size.height * size.stride * cols, 0, 3);
        three_columns(rows[r], first, size.stride, cols, inside, column);
        if (r % size.stride == 0 && begun < size.height)
            sums[begun] = w->bias;
        add_three_columns(w, column, r, size, sums);
        if (r % size.stride != 0 || h < 0)
            continue;
        const int64_t n = inside ? LANES : o.count;
        const float *added = o.added ? o.added + h * o.apart : NULL;
        const vec v = add_and_clamp(&end, sums[h], added, n);
        if (n < LANES && (h + 1 == size.height || !o.spills))
            vec_store_part(o.to + h * o.line, v, n);
        else
            vec_store(o.to + h * o.line, v);
    }
}

/* Bands of `size.height` output rows from row y on, of channels [first, end): all bands of a
 * channel, then those of the next. */
struct run {
    int64_t first, end;
    int64_t y, bands;
};

/* Computes a band of channel c from row y on, row by row. The last vector of a row overlaps the one
 * before it instead of having lanes left out; not if there is a residual, which may be where the
 * outputs go. */
WINDOWS_INLINE void output_band_by_rows(const struct work *k, const struct window *w, int64_t c,
                                        int64_t y, struct size size, const struct clamp_limits *end)
{
    const struct conv_call *call = k->call;
    const int64_t outputs = call->shape->out_cols, cols = call->shape->cols;
    const int64_t padding = call->shape->padding, rows = (size.height - 1) * size.stride + 3;
    const struct rows_under under = rows_from(k, c, y * size.stride - padding, rows);
    const float *added = residual_at(call, c, y, 0);
    float *out = map_row(&call->map, y) + c * call->map.plane_stride;
    const bool overlaps = !added && outputs >= LANES;
    const bool spills =
        !added && !overlaps && 2 * outputs >= LANES && call->map.row_stride == outputs;
    const float *held[ROWS_OF_THREE];
    VECTOR_UNROLLED
    for (int64_t r = 0; r < rows; r++)
        held[r] = row_under(&under, r);
    for (int64_t next = 0; next < outputs; next += LANES) {
        const int64_t x = overlaps ? smaller(next, outputs - LANES) : next;
        const int64_t first = x * size.stride - padding;
        const struct outputs o = {out + x,
                                  call->map.row_stride,
                                  smaller(LANES, outputs - x),
                                  added ? added + x : NULL,
                                  call->finish.residual.row_stride,
                                  spills};
        if (columns_are_inside(first, size.stride, cols))
            output_row_by_row(held, w, *end, first, cols, size, true, o);
        else
            output_row_by_row(held, w, *end, first, cols, size, false, o);
    }
}

/* The same for all bands, where registers are many. */
WINDOWS_INLINE void output_together(const struct work *k, struct run run, struct size size)
{
    const struct conv_call *call = k->call;
    const int64_t outputs = call->shape->out_cols, cols = call->shape->cols;
    const int64_t padding = call->shape->padding, rows = (size.height - 1) * size.stride + 3;
    const struct clamp_limits end = clamp_limits_of(call);
    for (int64_t c = run.first; c < run.end; c++) {
        const struct window w = window_of(call, c, HEIGHT_OF_THREE > 4);
        for (int64_t b = 0; b < run.bands; b++) {
            const int64_t y = run.y + b * size.height;
            const struct rows_under under = rows_from(k, c, y * size.stride - padding, rows);
            const float *added = residual_at(call, c, y, 0);
            float *out = map_row(&call->map, y) + c * call->map.plane_stride;
            for (int64_t x = 0; x < outputs; x += LANES) {
                const int64_t first = x * size.stride - padding;
                vec sums[HEIGHT_OF_THREE];
                if (!LANES_LEFT_OUT_ARE_FREE && columns_are_inside(first, size.stride, cols))
                    sum_three_columns(&under, &w, first, cols, size, true, sums);
                else
                    sum_three_columns(&under, &w, first, cols, size, false, sums);
                store_three_columns(call, &end, sums, size.height, smaller(LANES, outputs - x),
                                    out + x, added ? added + x : NULL);
            }
        }
    }
}

WINDOWS_INLINE void output_three_columns(const struct work *k, struct run run, struct size size)
{
    if (VECTOR_REGISTERS >= 32) {
        output_together(k, run, size);
        return;
    }
    const struct clamp_limits end = limits_of_all(k->call);
    for (int64_t c = run.first; c < run.end; c++) {
        const struct window w = window_of(k->call, c, HEIGHT_OF_THREE > 4);
        for (int64_t b = 0; b < run.bands; b++)
            output_band_by_rows(k, &w, c, run.y + b * size.height, size, &end);
    }
}

/* ---- windows of 3 x 3, rows of at most eight outputs ------------------------------------------
 */

#if VECTOR_EIGHT
/* Half as many lanes: the units take two such vectors in the time of a whole one, which would have
 * more than half of its lanes empty. Each output has the same sums as with whole vectors. */
enum { NARROW = 8 };

struct narrow_window {
    vec8 weights[9], bias;
};

WINDOWS_INLINE struct narrow_window narrow_window_of(const struct conv_call *call, int64_t c)
{
    struct narrow_window w = {.bias = vec8_all(call->bias ? call->bias[c] : 0.0f)};
    VECTOR_UNROLLED
    for (int i = 0; i < 9; i++)
        w.weights[i] = vec8_keep(vec8_all(call->weights[c * 9 + i]));
    return w;
}

/* Loads the elements under each column, 0 outside the row. */
WINDOWS_INLINE void narrow_columns(const float *row, int64_t first, int64_t stride, int64_t cols,
                                   vec8 column[3])
{
    if (stride == 1) {
        VECTOR_UNROLLED
        for (int64_t j = 0; j < 3; j++) {
            const struct lane_range at = lane_range_from(first + j, cols);
            column[j] = vec8_keep(vec8_load_lanes(row + at.first, at.low, at.high));
        }
        return;
    }
    const vec a = elements_at(row, first, cols, false);
    const vec b = elements_at(row, first + 2, cols, false);
    column[0] = vec8_even(a);
    column[1] = vec8_odd(a);
    column[2] = vec8_even(b);
}

WINDOWS_INLINE void sum_narrow_rows(const struct rows_under *rows, const struct narrow_window *w,
                                    int64_t first, int64_t cols, struct size size,
                                    vec8 sums[HEIGHT_OF_THREE])
{
    VECTOR_UNROLLED
    for (int64_t h = 0; h < size.height; h++)
        sums[h] = w->bias;
    VECTOR_UNROLLED
    for (int64_t r = 0; r < (size.height - 1) * size.stride + 3; r++) {
        vec8 column[3];
        narrow_columns(row_under(rows, r), first, size.stride, cols, column);
        VECTOR_UNROLLED
        for (int64_t j = 0; j < 3; j++) {
            VECTOR_UNROLLED
            for (int64_t h = 0; h < size.height; h++) {
                const int64_t i = r - h * size.stride;
                if (i >= 0 && i < 3)
                    sums[h] = vec8_multiply_add(w->weights[i * 3 + j], column[j], sums[h]);
            }
        }
    }
}

WINDOWS_INLINE void store_narrow_rows(const struct conv_call *call,
                                      const vec8 sums[HEIGHT_OF_THREE], int64_t height, float *out,
                                      const float *added)
{
    const struct conv_finish *e = &call->finish;
    const int64_t n = call->shape->out_cols;
    VECTOR_UNROLLED
    for (int64_t h = 0; h < height; h++, out += call->map.row_stride) {
        vec8 v = sums[h];
        if (added)
            v = vec8_add(v, vec8_load_part(added + h * e->residual.row_stride, n, vec8_zero()));
        if (e->clamped)
            v = vec8_clamp(v, vec8_all(e->least), vec8_all(e->most));
        vec8_store_part(out, v, n);
    }
}

WINDOWS_INLINE bool is_narrow(const struct conv_shape *s)
{
    return s->out_cols <= NARROW;
}

WINDOWS_INLINE void output_narrow_rows(const struct work *k, struct run run, struct size size)
{
    const struct conv_call *call = k->call;
    const struct conv_shape *s = call->shape;
    const int64_t rows = (size.height - 1) * size.stride + 3;
    for (int64_t c = run.first; c < run.end; c++) {
        const struct narrow_window w = narrow_window_of(call, c);
        for (int64_t b = 0; b < run.bands; b++) {
            const int64_t y = run.y + b * size.height;
            const struct rows_under under = rows_from(k, c, y * size.stride - s->padding, rows);
            vec8 sums[HEIGHT_OF_THREE];
            sum_narrow_rows(&under, &w, -s->padding, s->cols, size, sums);
            store_narrow_rows(call, sums, size.height,
                              map_row(&call->map, y) + c * call->map.plane_stride,
                              residual_at(call, c, y, 0));
        }
    }
}
#else
WINDOWS_INLINE bool is_narrow(const struct conv_shape *s)
{
    (void)s;
    return false;
}

WINDOWS_INLINE void output_narrow_rows(const struct work *k, struct run run, struct size size)
{
    output_three_columns(k, run, size);
}
#endif

/* ---- bands of any height ----------------------------------------------------------------------
 */

WINDOWS_INLINE void output_bands(const struct work *k, struct run run, struct size size)
{
    if (is_narrow(k->call->shape))
        output_narrow_rows(k, run, size);
    else
        output_three_columns(k, run, size);
}

/* At most as many rows as registers hold. */
WINDOWS_INLINE int64_t at_most_height(int64_t height)
{
    return height < HEIGHT_OF_THREE ? height : HEIGHT_OF_THREE;
}

WINDOWS_INLINE void output_three_by_three(const struct work *k, struct run run, int64_t height,
                                          int64_t stride)
{
    switch (height) {
    case 1:
        output_bands(k, run, (struct size){1, 3, stride, false});
        break;
    case 2:
        output_bands(k, run, (struct size){2, 3, stride, false});
        break;
    case 3:
        output_bands(k, run, (struct size){3, 3, stride, false});
        break;
    case 4:
        output_bands(k, run, (struct size){4, 3, stride, false});
        break;
    case 5:
        output_bands(k, run, (struct size){at_most_height(5), 3, stride, false});
        break;
    case 6:
        output_bands(k, run, (struct size){at_most_height(6), 3, stride, false});
        break;
    default:
        output_bands(k, run, (struct size){HEIGHT_OF_THREE, 3, stride, false});
    }
}

static void output_three(const struct work *k, struct run run, int64_t height)
{
    if (k->call->shape->stride == 1)
        output_three_by_three(k, run, height, 1);
    else
        output_three_by_three(k, run, height, 2);
}

/* Computes bands of near-equal height, channel by channel. If two heights are needed, a channel is
 * finished before the next one begins, since its rows are in the caches. The exception: rows of all
 * channels are adjacent in memory. Then one channel's rows are far apart, and all channels go
 * through the higher bands first. */
static void compute_three(const struct work *k)
{
    const struct conv_call *call = k->call;
    const int64_t channels = call->shape->channels;
    const int64_t bands = (call->rows + HEIGHT_OF_THREE - 1) / HEIGHT_OF_THREE;
    const int64_t height = call->rows / bands, higher = call->rows % bands;
    const int64_t at = call->row + higher * (height + 1);
    const bool beside = call->image.plane_stride <= call->image.row_stride;
    const int64_t together = beside || higher == 0 ? channels : 1;
    for (int64_t c = 0; c < channels; c += together) {
        const int64_t end = c + together;
        if (higher > 0)
            output_three(k, (struct run){c, end, call->row, higher}, height + 1);
        output_three(k, (struct run){c, end, at, bands - higher}, height);
    }
}

/* ---- all channels as one --------------------------------------------------------------------- */

/* The weight of output q of a row of all channels at a place of the window; 0 where the element
 * under that output is in the padding, and beyond the row. */
static float weight_of_output(const struct conv_shape *s, const float *weights, int64_t place,
                              int64_t q)
{
    const int64_t c = q / s->out_cols;
    const int64_t element = q % s->out_cols * s->stride + place % s->kernel - s->padding;
    const bool held = c < s->channels && element >= 0 && element < s->cols;
    return held ? weights[c * s->kernel * s->kernel + place] : 0.0f;
}

/* For each strip, a vector of weights for each place of the window, as the strip's lanes are. */
static void pack_strips(const struct conv_shape *s, const float *weights, float *packed)
{
    for (int64_t x = 0; x < s->channels * s->out_cols; x += LANES)
        for (int64_t place = 0; place < 9; place++, packed += LANES) {
            for (int64_t q = 0; q < LANES; q++)
                packed[q] = weight_of_output(s, weights, place, x + q);
            if (s->stride == 2)
                vec_store(packed, vec_mix(vec_load(packed)));
        }
}

/* For strips, or for each place of the window a row of weights. */
void ISA_FUNCTION(conv_depthwise_pack)(const struct conv_shape *s, const float *weights,
                                       float *packed)
{
    const int64_t line = depthwise_line(s);
    if (strips_take_all(s)) {
        pack_strips(s, weights, packed);
        return;
    }
    for (int64_t place = 0; place < s->kernel * s->kernel; place++, packed += line)
        for (int64_t q = 0; q < line; q++)
            packed[q] = weight_of_output(s, weights, place, q);
}

/* True if the rows of all channels are one row, in the image and in the map. A single channel is
 * excluded: its rows fit both layouts, and its weights may not be packed. */
static bool is_one_row(const struct conv_call *call)
{
    const struct conv_shape *s = call->shape;
    return call->packed && s->channels > 1 && depthwise_joins(s) &&
           call->image.plane_stride == s->cols && call->image.row_stride == s->channels * s->cols &&
           call->map.plane_stride == s->out_cols &&
           call->map.row_stride == s->channels * s->out_cols && !call->finish.residual.data;
}

static void spread_biases(const struct conv_call *call, float *biases)
{
    const struct conv_shape *s = call->shape;
    for (int64_t c = 0; c < s->channels; c++)
        for (int64_t x = 0; x < s->out_cols; x += LANES)
            vec_store(biases + c * s->out_cols + x, vec_all(call->bias ? call->bias[c] : 0.0f));
}

static void compute_all_at_once(const struct work *k)
{
    const struct conv_call *call = k->call;
    const struct conv_shape *s = call->shape;
    const int64_t end = call->row + call->rows;
    float *biases = k->zeros + s->channels * s->cols;
    struct channel w = {.call = call,
                        .y = call->row,
                        .cols = s->channels * s->cols,
                        .outputs = s->channels * s->out_cols,
                        .rows = k->rows,
                        .weights = call->packed,
                        .apart = depthwise_line(s),
                        .biases = biases};
    spread_biases(call, biases);
    for (int64_t height; w.y < end; w.y += height) {
        height = next_height(end - w.y);
        find_rows(k, 0, w.y * s->stride - s->padding, depthwise_rows(s, height));
        sum_rows_of_all(&w, height);
    }
}

static void compute_by_strips(const struct work *k, bool one)
{
    const struct conv_call *call = k->call;
    float *biases = one ? k->zeros + call->shape->channels * call->shape->cols : NULL;
    if (one)
        spread_biases(call, biases);
    if (call->finish.clamped)
        compute_strips(k, biases, true);
    else
        compute_strips(k, biases, false);
}

void ISA_FUNCTION(conv_depthwise)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t most = depthwise_most_rows(s);
    const bool one = is_one_row(call);
    if (call->rows < 1) /* no bands: their height would be a quotient by 0 */
        return;
    const struct work k = {
        .call = call, .rows = scratch, .zeros = (float *)((const float **)scratch + most)};
    const int64_t cols = one ? s->channels * s->cols : s->cols;
    for (int64_t i = 0; i < cols; i++)
        k.zeros[i] = 0.0f;
    if (one ? strips_take_all(s) : strips_take_one(call))
        compute_by_strips(&k, one);
    else if (one)
        compute_all_at_once(&k);
    else if (has_small_planes(call))
        compute_small_planes(call);
    else if (slides(call))
        compute_sliding(&k);
    else if (s->kernel == 3 && s->stride <= 2)
        compute_three(&k);
    else
        compute_one_by_one(&k);
}
