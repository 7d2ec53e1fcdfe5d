/* One filter a channel (G = C = K): nothing is shared between channels, so no matrix is made. The
 * rows that some output rows read are copied once, padded with zeros and parted by phase: cells a
 * stride apart lie side by side, so that neighbouring outputs are the lanes of a vector whatever
 * the stride, and no window needs to know where the image ends. Several output rows are summed at a
 * time, because a sum waits for the one before it. */
#include "kernels/conv/windows.h"

enum { HEIGHT = 4 }; /* output rows at a time */

/* A channel at work. Row r, phase f of the copied cells begins at cells + (r s + f) width; cell x
 * of it is that of column x s + f - p. */
struct channel {
    const struct conv_call *call;
    const float *weights; /* k x k */
    float bias;
    float *cells;
    int64_t width;
};

/* A row of the image between its zeros: cell x of `to` is row[x - padding]. */
static void copy_adjacent_row(const float *row, const struct conv_shape *s, int64_t width,
                              float *to)
{
    const int64_t end = s->padding + s->cols;
    int64_t q = 0;
    for (int64_t x = 0; x < smaller(s->padding, width); x += LANES)
        vec_store(to + x, vec_zero());
    for (int64_t x = row ? larger(0, end - LANES) / LANES * LANES : 0; x < width; x += LANES)
        vec_store(to + x, vec_zero());
    for (; row && q + LANES <= smaller(s->cols, width - s->padding); q += LANES)
        vec_store(to + s->padding + q, vec_load(row + q));
    const int64_t rest = row ? smaller(s->cols, width - s->padding) - q : 0;
    if (rest > 0)
        vec_store_part(to + s->padding + q, vec_load_part(row + q, rest, vec_zero()), rest);
}

/* The rows that output rows [y, y + height) of the channel read. */
static void copy_rows(const struct channel *w, int64_t c, int64_t y, int64_t height)
{
    const struct conv_shape *s = w->call->shape;
    const int64_t rows = (height - 1) * s->stride + s->kernel;
    float *to = w->cells;
    for (int64_t r = 0; r < rows; r++) {
        const float *row = channel_row(w->call, c, y * s->stride - s->padding + r);
        for (int64_t phase = 0; phase < s->stride; phase++, to += w->width)
            if (s->stride == 1)
                copy_adjacent_row(row, s, w->width, to);
            else if (phase < s->kernel)
                copy_cells(row, phase - s->padding, w->width, s->stride, s->cols, to);
    }
}

/* `height` rows of one vector of outputs; height, k and stride are constants where the caller knows
 * them, so that the sums are registers. Each vector of cells is read once, for all rows of outputs
 * whose windows it is in. */
WINDOWS_INLINE void sum_vectors(const struct channel *w, int64_t height, int64_t k, int64_t stride,
                                int64_t x, vec sums[HEIGHT])
{
    VECTOR_UNROLLED
    for (int64_t h = 0; h < height; h++)
        sums[h] = vec_all(w->bias);
    for (int64_t r = 0; r < (height - 1) * stride + k; r++)
        for (int64_t j = 0; j < k; j++) {
            const vec cells =
                vec_load(w->cells + (r * stride + j % stride) * w->width + x + j / stride);
            VECTOR_UNROLLED
            for (int64_t h = 0; h < height; h++) {
                const int64_t i = r - h * stride;
                if (i >= 0 && i < k)
                    sums[h] = vec_multiply_add(vec_all(w->weights[i * k + j]), cells, sums[h]);
            }
        }
}

WINDOWS_INLINE void output_rows(const struct channel *w, int64_t c, int64_t y, int64_t height,
                                int64_t k, int64_t stride)
{
    const struct conv_call *call = w->call;
    float *out = map_row(&call->map, y) + c * call->map.plane_stride;
    for (int64_t x = 0; x < call->shape->out_cols; x += LANES) {
        const int64_t n = smaller(LANES, call->shape->out_cols - x);
        vec sums[HEIGHT];
        sum_vectors(w, height, k, stride, x, sums);
        VECTOR_UNROLLED
        for (int64_t h = 0; h < height; h++)
            vec_store_part(out + h * call->map.row_stride + x, sums[h], n);
    }
}

WINDOWS_INLINE void rows_of_size(const struct channel *w, int64_t c, int64_t y, int64_t height)
{
    const struct conv_shape *s = w->call->shape;
    if (s->kernel == 3 && s->stride == 1)
        output_rows(w, c, y, height, 3, 1);
    else if (s->kernel == 3 && s->stride == 2)
        output_rows(w, c, y, height, 3, 2);
    else if (s->kernel == 5 && s->stride == 1)
        output_rows(w, c, y, height, 5, 1);
    else
        output_rows(w, c, y, height, s->kernel, s->stride);
}

void ISA_FUNCTION(conv_depthwise)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t end = call->row + call->rows;
    struct channel w = {.call = call, .cells = scratch, .width = conv_depthwise_width(s)};
    for (int64_t c = 0; c < s->channels; c++) {
        w.weights = call->weights + c * s->kernel * s->kernel;
        w.bias = call->bias ? call->bias[c] : 0.0f;
        for (int64_t y = call->row; y < end;) {
            const int64_t height = end - y >= HEIGHT ? HEIGHT : 1;
            copy_rows(&w, c, y, height);
            if (height == HEIGHT)
                rows_of_size(&w, c, y, HEIGHT);
            else
                rows_of_size(&w, c, y, 1);
            y += height;
        }
    }
}
