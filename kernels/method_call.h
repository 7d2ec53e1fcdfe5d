/* The arguments of a method: the image, the map, and the outputs to compute. A view is a band of
 * rows of a plane. Rows keep their global numbers, from which alone the padding follows, so the
 * band of an MPI rank is just another view. All sizes count elements, never bytes. */
#ifndef MAXPOOL_KERNELS_METHOD_CALL_H
#define MAXPOOL_KERNELS_METHOD_CALL_H

#include "kernels/caches.h"
#include "kernels/geometry.h"

#include <stdbool.h>

/* Rows [first_row, first_row + rows) of one matrix, with all columns; row r starts at
 * data + (r - first_row) * row_stride. If the block has several planes, the same rows of the next
 * plane are plane_stride elements further. */
struct view {
    const float *data;
    int64_t row_stride;
    int64_t first_row;
    int64_t rows;
    int64_t plane_stride;
};

/* The same for the output. */
struct map_view {
    float *data;
    int64_t row_stride;
    int64_t first_row;
    int64_t plane_stride;
};

/* Outputs [row, row + rows) x [col, col + cols) of planes [plane, plane + planes) of the map.
 * Several planes only if the block has all of their outputs, and only for methods that accept
 * several (kernels/methods.h). */
struct block {
    int64_t plane;
    int64_t row, rows;
    int64_t col, cols;
    int64_t planes;
};

/* One call of a max pooling method. The image view holds at least the rows that
 * geometry_rows_needed() names for the block. `filter` is kernel x kernel, row-major: a window W
 * becomes the product W * filter. */
struct maxpool_call {
    const struct geometry *geometry;
    const float *filter;
    struct view image;
    struct map_view map;
    struct block block;
};

/* One call of a matmul method: C(block) = A * B over the terms [term, term + terms). The sums are
 * stored if term is 0 and added to C otherwise, so that B may arrive in panels of rows. A is `a`
 * (rows of the block, all `inner` columns), B is `b` (at least the rows of those terms), C is `c`.
 * `panel`, if not NULL, holds those terms of B packed, with all columns; then the block has all
 * columns too. Each of several planes is a product of its own. Its B follows the previous one at a
 * distance of b.plane_stride floats; 0: all planes use the same B. */
struct matmul_call {
    int64_t inner; /* columns of A = rows of B, in total */
    struct view a, b;
    struct map_view c;
    struct block block; /* the views begin with its first plane; planes 0 means one */
    int64_t term, terms;
    const float *panel;
    struct caches caches; /* may be unknown */
    /* Only `packed` reads these. */
    bool b_transposed;  /* `b` is transposed: its row j, `inner` elements long, is column j of B */
    const float *start; /* initial value of each column's sums if term is 0; NULL: 0 */
};

/* Row `row` of a view, by its global number. */
static inline const float *view_row(const struct view *v, int64_t row)
{
    return v->data + (row - v->first_row) * v->row_stride;
}

/* Prefetch distance in elements: from a row of the view to the row `rows` below it, which is
 * prefetched while the former is processed and so has all of that time to arrive in the
 * second-level cache. `instead` if it is more than `most` elements away and would not stay
 * there. */
static inline int64_t prefetch_distance(const struct view *v, int64_t rows, int64_t most,
                                        int64_t instead)
{
    return rows <= most / v->row_stride ? rows * v->row_stride : instead;
}

/* The call for a single plane of the block, counted from its first. */
static inline struct maxpool_call call_plane(const struct maxpool_call *call, int64_t plane)
{
    struct maxpool_call one = *call;
    one.image.data += plane * call->image.plane_stride;
    one.map.data += plane * call->map.plane_stride;
    one.block.plane += plane;
    one.block.planes = 1;
    return one;
}

/* The same for a matrix product. */
static inline struct matmul_call matmul_call_plane(const struct matmul_call *call, int64_t plane)
{
    struct matmul_call one = *call;
    one.a.data += plane * call->a.plane_stride;
    one.b.data += plane * call->b.plane_stride;
    one.c.data += plane * call->c.plane_stride;
    one.block.planes = 1;
    return one;
}

static inline float *map_row(const struct map_view *m, int64_t row)
{
    return m->data + (row - m->first_row) * m->row_stride;
}

#endif
