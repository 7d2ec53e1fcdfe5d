/* Overlapping windows share their rows. R(t, c), the maximum over j of sum over q of x(t, c s - p +
 * q) B(q, j), depends on the image row t, but not on the window, so it is computed once per image
 * row. An output is the maximum of the k rows of R under its window. At stride 1 this takes k times
 * less arithmetic, for any filter.
 *
 * A ring buffer holds the last k rows of R. A strip of columns is pooled from top to bottom; it is
 * narrow enough for its ring to stay in a cache near the core. Rows count from the top of the
 * block's first window, u = 0. Row u of R is in slot u modulo k, so the slots hold exactly the
 * window that ends in the row computed last. */
#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/row_product.h"
#include "kernels/vector.h"

#include <math.h>

/* If k / s is above this, a running maximum is cheaper than comparing all k rows of R for each
 * output row. */
enum { FEW_ROWS = 8 };

/* A strip, outputs [col, col + cols), while it is pooled from top to bottom. */
struct strip {
    struct row_product product;
    row_product_function *pool;
    float *ring;    /* k slots of `slot` floats, a multiple of every vector length */
    float *running; /* the maximum of the rows since the last u that is a multiple of k */
    int64_t k, slot, col, cols;
    bool stream;
};

static float *row_of(const struct strip *s, int64_t u)
{
    return s->ring + u % s->k * s->slot;
}

VECTOR_TEMPLATE vec column_maximum(const float *top, int64_t count, int64_t distance)
{
    vec best = vec_load(top);
    for (int64_t i = 1; i < count; i++)
        best = vec_max(best, vec_load(top + i * distance));
    return best;
}

/* Sets out[i], i < cols, to the maximum of element i over `count` rows, which are `distance` floats
 * apart. The rows have room for whole vectors; `out` may be one of them. */
VECTOR_TEMPLATE void maximum(const float *rows, int64_t count, int64_t distance, int64_t cols,
                             float *out, bool stream)
{
    const int64_t misaligned = stream ? vec_misaligned(out) : 0;
    int64_t i = 0;
    if (misaligned > 0 && LANES <= cols) {
        vec_store(out, column_maximum(rows, count, distance));
        i = misaligned;
    }
    for (; i + LANES <= cols; i += LANES) {
        const vec best = column_maximum(rows + i, count, distance);
        if (stream)
            vec_stream(out + i, best);
        else
            vec_store(out + i, best);
    }
    if (i < cols)
        vec_store_part(out + i, column_maximum(rows + i, count, distance), cols - i);
}

/* As maximum(), with small numbers of rows as constants. */
static void maximum_of(const float *rows, int64_t count, int64_t distance, int64_t cols, float *out,
                       bool stream)
{
    switch (count) {
    case 1:
        maximum(rows, 1, distance, cols, out, stream);
        break;
    case 2:
        maximum(rows, 2, distance, cols, out, stream);
        break;
    case 3:
        maximum(rows, 3, distance, cols, out, stream);
        break;
    case 4:
        maximum(rows, 4, distance, cols, out, stream);
        break;
    default:
        maximum(rows, count, distance, cols, out, stream);
        break;
    }
}

/* Adds row u of R to the running maximum. After the last slot, each slot except the first is
 * replaced, from the bottom up, by the maximum of itself and the slots below it. These serve the
 * windows that end in the next k - 1 rows. */
static void run_on(const struct strip *s, int64_t u)
{
    const int64_t at = u % s->k;
    const float *row = row_of(s, u);
    if (at == 0)
        maximum_of(row, 1, 0, s->cols, s->running, false);
    else
        maximum_of(row, 2, s->running - row, s->cols, s->running, false);
    for (int64_t i = s->k - 2; at == s->k - 1 && i > 0; i--)
        maximum_of(row_of(s, i), 2, s->slot, s->cols, row_of(s, i), false);
}

/* Stores the outputs of the windows whose last row is u. */
static void emit(const struct strip *s, int64_t u, bool running, float *out)
{
    const float *top = row_of(s, u + 1);
    if (!running)
        maximum_of(s->ring, s->k, s->slot, s->cols, out, s->stream);
    else if (u % s->k == s->k - 1)
        maximum_of(s->running, 1, 0, s->cols, out, s->stream);
    else
        maximum_of(top, 2, s->running - top, s->cols, out, s->stream);
}

/* Computes row u of R, for the block that begins at image row `top`. */
static void row_product(const struct strip *s, int64_t top, int64_t u)
{
    const struct geometry *g = s->product.call->geometry;
    float *to = row_of(s, u);
    if (top + u >= 0 && top + u < g->rows)
        s->pool(&s->product, top + u, 1, s->col, s->cols, -INFINITY, to);
    else /* a row of padding: its products are 0, or the pad value if it is ignored (identity) */
        for (int64_t i = 0; i < s->cols; i++)
            to[i] = geometry_pad_value(g);
}

static void pool_strip(const struct strip *s)
{
    const struct maxpool_call *call = s->product.call;
    const struct geometry *g = call->geometry;
    const struct block *o = &call->block;
    const bool running = s->k > FEW_ROWS * g->stride;
    const int64_t top = o->row * g->stride - g->padding;
    const int64_t rows = (o->rows - 1) * g->stride + s->k;
    for (int64_t u = 0; u < rows; u++) {
        const int64_t above = u - (s->k - 1);
        row_product(s, top, u);
        if (running)
            run_on(s, u);
        if (above >= 0 && above % g->stride == 0)
            emit(s, u, running, map_row(&call->map, o->row + above / g->stride) + s->col);
    }
}

/* Compares multiply-adds per output with and without sharing. The additional cost of the ring, as
 * measured, is about four multiply-adds for each row of the window. */
static bool sharing_pays(const struct geometry *g)
{
    const double k = (double)g->kernel, s = (double)g->stride;
    return s * k * k + 4.0 * (k + 1.0) < k * k * k;
}

void ISA_FUNCTION(maxpool_shared_rows)(const struct maxpool_call *call, void *scratch)
{
    const struct geometry *g = call->geometry;
    const struct block *o = &call->block;
    if (o->rows == 1 || !sharing_pays(g)) {
        ISA_FUNCTION(maxpool_simd)(call, scratch);
        return;
    }
    const int64_t strip = shared_rows_strip(g, o->cols);
    struct strip s = {.k = g->kernel, .slot = shared_rows_slot(strip)};
    s.ring = (float *)scratch + row_product_scratch(g);
    s.running = s.ring + s.k * s.slot;
    s.pool = ISA_FUNCTION(row_product_prepare)(&s.product, call, scratch);
    s.stream = s.product.stream;
    s.product.stream = false;
    if (strip < o->cols)
        s.product.ahead = call->image.row_stride; /* the strip's next row */
    for (int64_t done = 0; done < o->cols; done += strip) {
        s.col = o->col + done;
        s.cols = o->cols - done < strip ? o->cols - done : strip;
        pool_strip(&s);
    }
    if (s.stream)
        vec_fence();
}
