/* Row products with the filter's columns in the lanes, for strides above 1. With windows in the
 * lanes, shuffles assemble each vector of pixels; if windows share no pixel, that work is not
 * shared and costs as much as the multiply-adds. Here a load broadcasts one pixel, which multiplies
 * one row of the filter, so no shuffle is needed. The lanes are reduced once per window, after all
 * its rows. Lanes beyond the filter repeat its first column, which changes no maximum; a filter
 * that does not fill its vectors therefore wastes multiply-adds. */
#include "kernels/maxpool/row_product.h"

#include "kernels/maxpool/row_product_line.h"
#include "kernels/vector.h"

#if VECTOR_COLUMNS

enum { COLUMN_WINDOWS = 8 /* windows of a tile */ };

/* The filter as vectors: k rows of `pitch` floats, `groups` vectors each. */
struct columns {
    const float *filter;
    int64_t pitch, groups;
    int64_t ahead;             /* prefetch distance in pixels */
    int64_t prefetch_from_row; /* index of the first row that is prefetched */
};

/* Unrolls the loop over a window's pixels. */
#if defined(__clang__)
#define COLUMN_UNROLLED _Pragma("clang loop unroll_count(8)")
#else
#define COLUMN_UNROLLED _Pragma("GCC unroll 8")
#endif

#define COLUMN_VECTOR vec
#define COLUMN_LANES  LANES
#include "kernels/maxpool/column_tile.h"
#if VECTOR_EIGHT
#define COLUMN_VECTOR vec8
#define COLUMN_LANES  8
#include "kernels/maxpool/column_tile.h"
#endif

/* Computes the maxima of LANES windows over `rows` of their rows, starting from `least` if `fresh`,
 * otherwise from the values in `best`. With the stride a constant too, one pointer addresses all
 * pixels. */
VECTOR_TEMPLATE void windows_of(float *best, const float *x, int64_t row_stride, int64_t rows,
                                int64_t stride, const struct columns *c, int64_t k, float least,
                                bool fresh)
{
    const int64_t lanes = VECTOR_EIGHT && k <= 8 ? 8 : LANES;
#if VECTOR_EIGHT
    if (lanes == 8 && stride == k)
        windows_vec8(best, x, row_stride, rows, k, c, k, least, fresh);
    else if (lanes == 8)
        windows_vec8(best, x, row_stride, rows, stride, c, k, least, fresh);
#endif
    if (lanes == LANES && stride == k)
        windows_vec(best, x, row_stride, rows, k, c, k, least, fresh);
    else if (lanes == LANES)
        windows_vec(best, x, row_stride, rows, stride, c, k, least, fresh);
}

/* As windows_of(), with common kernel sizes as constants. */
VECTOR_TEMPLATE void windows(float *best, const float *x, int64_t row_stride, int64_t rows,
                             int64_t stride, const struct columns *c, int64_t k, float least,
                             bool fresh)
{
    switch (k) {
    case 6:
        windows_of(best, x, row_stride, rows, stride, c, 6, least, fresh);
        break;
    case 7:
        windows_of(best, x, row_stride, rows, stride, c, 7, least, fresh);
        break;
    case 8:
        windows_of(best, x, row_stride, rows, stride, c, 8, least, fresh);
        break;
    case 16:
        windows_of(best, x, row_stride, rows, stride, c, 16, least, fresh);
        break;
    default:
        windows_vec(best, x, row_stride, rows, stride, c, k, least, fresh);
        break;
    }
}

/* Returns in lane w the maximum over the lanes of window w. */
VECTOR_TEMPLATE vec reduce_lanes(const float *best, int64_t k)
{
#if VECTOR_EIGHT
    if (k <= 8)
        return reduce_vec8(best);
#endif
    (void)k;
    return reduce_vec(best);
}

static int64_t lanes_of(int64_t k)
{
    return VECTOR_EIGHT && k <= 8 ? 8 : LANES;
}

/* Returns the outputs of LANES windows from column c on, which are read in place. */
VECTOR_TEMPLATE vec columns_inside(const struct row_product *p, const struct columns *f,
                                   int64_t row, int64_t rows, int64_t c, float least)
{
    const struct geometry *g = p->call->geometry;
    const struct view *image = &p->call->image;
    const float *x = view_row(image, row) + c * g->stride - g->padding;
    float best[LANES * LANES];
    windows(best, x, image->row_stride, rows, g->stride, f, g->kernel, least, true);
    return reduce_lanes(best, g->kernel);
}

/* The same for `count` <= LANES windows that may touch padding. */
VECTOR_TEMPLATE vec columns_edge(const struct row_product *p, const struct columns *f, int64_t row,
                                 int64_t rows, int64_t c, int64_t count, float least)
{
    const int64_t k = p->call->geometry->kernel;
    float best[LANES * LANES];
    for (int64_t i = 0; i < rows; i++) {
        row_product_line(p, view_row(&p->call->image, row + i), c, count, LANES, k);
        windows(best, p->line, 0, 1, p->line_stride, f, k, least, i == 0);
    }
    return rows > 0 ? reduce_lanes(best, k) : vec_all(least);
}

static void pool_columns(const struct row_product *p, int64_t row, int64_t rows, int64_t col,
                         int64_t cols, float least, float *out)
{
    const int64_t k = p->call->geometry->kernel, stop = col + cols, lanes = lanes_of(k);
    const int64_t groups = (k + lanes - 1) / lanes;
    const struct columns f = {p->columns, groups * lanes, groups, p->ahead,
                              rows - p->prefetched_rows};
    const int64_t end = smaller(p->end, stop);
    int64_t c = col, first = stop; /* outputs [first, c) come from windows read in place */
    while (c < stop) {
        if (c < end && c + LANES > end && end - LANES >= first)
            c = end - LANES; /* back over outputs that are already stored */
        const bool in_place = c >= p->first && c + LANES <= end;
        const int64_t count = in_place ? LANES : smaller(LANES, stop - c);
        if (in_place) {
            first = smaller(first, c);
            vec_store(out + (c - col), columns_inside(p, &f, row, rows, c, least));
        } else {
            const vec best = columns_edge(p, &f, row, rows, c, count, least);
            vec_store_part(out + (c - col), best, count);
        }
        c += count;
    }
}

/* True if this pays: k >= 6, and the filter fills its vectors well. */
static bool columns_pay(const struct geometry *g)
{
    const int64_t k = g->kernel, lanes = lanes_of(k), groups = (k + lanes - 1) / lanes;
    return g->stride > 1 && k >= 6 && 4 * k >= 3 * groups * lanes;
}

row_product_function *ISA_FUNCTION(row_product_columns)(struct row_product *p,
                                                        const struct maxpool_call *call,
                                                        float *filter)
{
    const struct geometry *g = call->geometry;
    if (!columns_pay(g))
        return NULL;
    const int64_t k = g->kernel, lanes = lanes_of(k), pitch = (k + lanes - 1) / lanes * lanes;
    for (int64_t q = 0; q < k; q++)
        for (int64_t j = 0; j < pitch; j++)
            filter[q * pitch + j] = call->filter[q * k + (j < k ? j : 0)];
    p->columns = filter;
    return pool_columns;
}

#else

row_product_function *ISA_FUNCTION(row_product_columns)(struct row_product *p,
                                                        const struct maxpool_call *call,
                                                        float *filter)
{
    (void)p;
    (void)call;
    (void)filter;
    return NULL;
}

#endif
