/* One filter a channel (G = C = K): nothing is shared between channels, so no matrix is made.
 * Neighbouring outputs are the lanes; cells are loaded where they lie, lanes outside of the image
 * being left out, and rows outside of it are a row of zeros. Several output rows are summed at a
 * time: each vector of cells is loaded once for all rows whose windows it is in, and a sum need not
 * wait for the one before it. Where the rows of an image's channels lie side by side, channels pass
 * under the same rows one after the other, so that memory is read in its order. */
#include "kernels/conv/depthwise_rows.h"
#include "kernels/conv/finish.h"
#include "kernels/conv/windows.h"

/* Output rows at a time: registers hold their sums, the weights of 3 x 3 and some cells. */
enum { HEIGHT = VECTOR_REGISTERS >= 32 ? 7 : 4 };
_Static_assert((int)HEIGHT <= DEPTHWISE_TALLEST, "room for the rows under them");

/* A channel at work on output rows from y on, and the rows of the image under them. */
struct channel {
    const struct conv_call *call;
    int64_t number, y;
    const float *const *rows;
    const float *weights; /* k x k */
    float bias;
};

/* Windows of some size: constants wherever the caller knows them, so that the sums are registers.
 */
struct size {
    int64_t height, kernel, stride;
};

/* Lanes are the cells from row[first] on, those outside of [0, cols) being 0. `inside`: none is. */
WINDOWS_INLINE vec cells_at(const float *row, int64_t first, int64_t cols, bool inside)
{
    return inside ? vec_load(row + first) : adjacent_cells(row, first, LANES, cols);
}

/* The cells under the window's column j. Of those two apart, two columns share their loads. */
WINDOWS_INLINE vec cells_of_column(const float *row, int64_t first, int64_t j, int64_t stride,
                                   int64_t cols, bool inside)
{
    if (stride == 1)
        return cells_at(row, first + j, cols, inside);
    if (stride > 2)
        return apart_cells(row, first + j, LANES, stride, cols);
    const vec a = cells_at(row, first + j / 2 * 2, cols, inside);
    const vec b = cells_at(row, first + j / 2 * 2 + LANES, cols, inside);
    return j % 2 == 0 ? vec_even(a, b) : vec_odd(a, b);
}

/* `size.height` rows of one vector of outputs; the window of the first begins at column first. */
WINDOWS_INLINE void sum_vectors(const struct channel *w, int64_t first, struct size size,
                                bool inside, vec sums[HEIGHT])
{
    const int64_t cols = w->call->shape->cols;
    VECTOR_UNROLLED
    for (int64_t h = 0; h < size.height; h++)
        sums[h] = vec_all(w->bias);
    VECTOR_UNROLLED
    for (int64_t r = 0; r < (size.height - 1) * size.stride + size.kernel; r++) {
        const float *row = w->rows[r];
        for (int64_t j = 0; j < size.kernel; j++) {
            const vec cells = cells_of_column(row, first, j, size.stride, cols, inside);
            VECTOR_UNROLLED
            for (int64_t h = 0; h < size.height; h++) {
                const int64_t i = r - h * size.stride;
                if (i >= 0 && i < size.kernel)
                    sums[h] =
                        vec_multiply_add(vec_all(w->weights[i * size.kernel + j]), cells, sums[h]);
            }
        }
    }
}

/* One vector of outputs of each row, from column x on, to `out`, where `added` is as residual_at()
 * tells it. `inside`: whole, and no window of them reaches out of the image. */
WINDOWS_INLINE void output_vectors(const struct channel *w, int64_t x, struct size size,
                                   bool inside, float *out, const float *added)
{
    const struct conv_call *call = w->call;
    const int64_t n = inside ? LANES : smaller(LANES, call->shape->out_cols - x);
    const int64_t apart = call->finish.residual.row_stride;
    vec sums[HEIGHT];
    sum_vectors(w, x * size.stride - call->shape->padding, size, inside, sums);
    VECTOR_UNROLLED
    for (int64_t h = 0; h < size.height; h++) {
        const vec v = finished(call, sums[h], added ? added + h * apart + x : NULL, n);
        if (inside)
            vec_store(out + h * call->map.row_stride + x, v);
        else
            vec_store_part(out + h * call->map.row_stride + x, v, n);
    }
}

WINDOWS_INLINE void output_rows(const struct channel *w, struct size size)
{
    const struct conv_call *call = w->call;
    const struct conv_shape *s = call->shape;
    const float *added = residual_at(call, w->number, w->y, 0);
    float *out = map_row(&call->map, w->y) + w->number * call->map.plane_stride;
    for (int64_t x = 0; x < s->out_cols; x += LANES) {
        const int64_t first = x * size.stride - s->padding;
        if (first >= 0 && first + size.kernel + LANES * size.stride <= s->cols)
            output_vectors(w, x, size, true, out, added);
        else
            output_vectors(w, x, size, false, out, added);
    }
}

WINDOWS_INLINE void rows_of_height(const struct channel *w, int64_t height)
{
    const struct conv_shape *s = w->call->shape;
    if (s->kernel == 3 && s->stride == 1)
        output_rows(w, (struct size){height, 3, 1});
    else if (s->kernel == 3 && s->stride == 2)
        output_rows(w, (struct size){height, 3, 2});
    else if (s->kernel == 5 && s->stride == 1)
        output_rows(w, (struct size){height, 5, 1});
    else
        output_rows(w, (struct size){height, s->kernel, s->stride});
}

static void sum_rows(const struct channel *w, int64_t height)
{
    if (height == HEIGHT)
        rows_of_height(w, HEIGHT);
    else if (height == 2)
        rows_of_height(w, 2);
    else
        rows_of_height(w, 1);
}

/* ---- the loops ------------------------------------------------------------------------------ */

/* A worker's scratch: a row of zeros; the rows under the output rows at work, and how far each is
 * from that of the next channel. */
struct work {
    const struct conv_call *call;
    const float **rows;
    int64_t *steps;
    float *zeros;
};

/* Finds `count` rows from row `top` of channel c on. */
static void find_rows(const struct work *k, int64_t c, int64_t top, int64_t count)
{
    for (int64_t r = 0; r < count; r++) {
        const float *held = channel_row(k->call, c, top + r);
        k->rows[r] = held ? held : k->zeros;
        k->steps[r] = held ? k->call->image.plane_stride : 0;
    }
}

/* `height` output rows from y on, of channels [first, first + count). */
static void sum_channels(const struct work *k, int64_t y, int64_t height, int64_t first,
                         int64_t count)
{
    const struct conv_call *call = k->call;
    const struct conv_shape *s = call->shape;
    const int64_t rows = depthwise_rows(s, height);
    find_rows(k, first, y * s->stride - s->padding, rows);
    for (int64_t c = first; c < first + count; c++) {
        const struct channel w = {.call = call,
                                  .number = c,
                                  .y = y,
                                  .rows = k->rows,
                                  .weights = call->weights + c * s->kernel * s->kernel,
                                  .bias = call->bias ? call->bias[c] : 0.0f};
        if (c > first)
            for (int64_t r = 0; r < rows; r++)
                k->rows[r] += k->steps[r];
        sum_rows(&w, height);
    }
}

/* How many of `left` rows are summed at a time. */
static int64_t next_height(int64_t left)
{
    return left >= HEIGHT ? HEIGHT : left >= 2 ? 2 : 1;
}

void ISA_FUNCTION(conv_depthwise)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t end = call->row + call->rows, most = depthwise_most_rows(s);
    const bool beside = call->image.plane_stride <= call->image.row_stride;
    const int64_t together = beside || call->rows <= HEIGHT ? s->channels : 1;
    const struct work k = {.call = call,
                           .rows = scratch,
                           .steps = (int64_t *)scratch + most,
                           .zeros = (float *)((int64_t *)scratch + 2 * most)};
    for (int64_t i = 0; i < s->cols; i++)
        k.zeros[i] = 0.0f;
    for (int64_t c = 0; c < s->channels; c += together)
        for (int64_t y = call->row, height; y < end; y += height) {
            height = next_height(end - y);
            sum_channels(&k, y, height, c, together);
        }
}
