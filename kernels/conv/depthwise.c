/* One filter a channel (G = C = K): nothing is shared between channels, so no matrix is made.
 * Neighbouring outputs are the lanes; cells are loaded where they lie, lanes outside of the image
 * being left out, and rows outside of it are a row of zeros. Several output rows are summed at a
 * time: each vector of cells is loaded once for all rows whose windows it is in, and a sum need not
 * wait for the one before it. */
#include "kernels/conv/finish.h"
#include "kernels/conv/windows.h"

/* Output rows at a time: registers hold their sums, the weights of 3 x 3 and some cells. */
enum { HEIGHT = VECTOR_REGISTERS >= 32 ? 7 : 4 };

/* A channel at work. */
struct channel {
    const struct conv_call *call;
    int64_t number;
    const float *weights; /* k x k */
    float bias;
    const float *zeros; /* a row of the image */
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

/* Row `row` of the image. */
WINDOWS_INLINE const float *row_or_zeros(const struct channel *w, int64_t row)
{
    const float *held = channel_row(w->call, w->number, row);
    return held ? held : w->zeros;
}

/* `size.height` rows of one vector of outputs, from row y on; its window begins at column first. */
WINDOWS_INLINE void sum_vectors(const struct channel *w, int64_t y, int64_t first, struct size size,
                                bool inside, vec sums[HEIGHT])
{
    const struct conv_shape *s = w->call->shape;
    const int64_t top = y * size.stride - s->padding, cols = s->cols;
    VECTOR_UNROLLED
    for (int64_t h = 0; h < size.height; h++)
        sums[h] = vec_all(w->bias);
    VECTOR_UNROLLED
    for (int64_t r = 0; r < (size.height - 1) * size.stride + size.kernel; r++) {
        const float *row = row_or_zeros(w, top + r);
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

WINDOWS_INLINE void output_rows(const struct channel *w, int64_t y, struct size size)
{
    const struct conv_call *call = w->call;
    const struct conv_shape *s = call->shape;
    float *out = map_row(&call->map, y) + w->number * call->map.plane_stride;
    for (int64_t x = 0; x < s->out_cols; x += LANES) {
        const int64_t n = smaller(LANES, s->out_cols - x), first = x * size.stride - s->padding;
        const int64_t end = first + size.kernel + LANES * size.stride;
        vec sums[HEIGHT];
        if (first >= 0 && end <= s->cols)
            sum_vectors(w, y, first, size, true, sums);
        else
            sum_vectors(w, y, first, size, false, sums);
        VECTOR_UNROLLED
        for (int64_t h = 0; h < size.height; h++)
            vec_store_part(out + h * call->map.row_stride + x,
                           finished(call, sums[h], residual_at(call, w->number, y + h, x), n), n);
    }
}

WINDOWS_INLINE void rows_of_height(const struct channel *w, int64_t y, int64_t height)
{
    const struct conv_shape *s = w->call->shape;
    if (s->kernel == 3 && s->stride == 1)
        output_rows(w, y, (struct size){height, 3, 1});
    else if (s->kernel == 3 && s->stride == 2)
        output_rows(w, y, (struct size){height, 3, 2});
    else if (s->kernel == 5 && s->stride == 1)
        output_rows(w, y, (struct size){height, 5, 1});
    else
        output_rows(w, y, (struct size){height, s->kernel, s->stride});
}

/* Sums some rows from row y on, of `left`, and gives their number. */
static int64_t sum_rows(const struct channel *w, int64_t y, int64_t left)
{
    if (left >= HEIGHT) {
        rows_of_height(w, y, HEIGHT);
        return HEIGHT;
    }
    if (left >= 2) {
        rows_of_height(w, y, 2);
        return 2;
    }
    rows_of_height(w, y, 1);
    return 1;
}

void ISA_FUNCTION(conv_depthwise)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t end = call->row + call->rows;
    float *zeros = scratch;
    for (int64_t i = 0; i < s->cols; i++)
        zeros[i] = 0.0f;
    for (int64_t c = 0; c < s->channels; c++) {
        const struct channel w = {.call = call,
                                  .number = c,
                                  .weights = call->weights + c * s->kernel * s->kernel,
                                  .bias = call->bias ? call->bias[c] : 0.0f,
                                  .zeros = zeros};
        for (int64_t y = call->row; y < end;)
            y += sum_rows(&w, y, end - y);
    }
}
