/* Planes whose rows are a few vectors long, where the time of a row goes into what comes before and
 * after its maxima. Everything that rows share is made once per call: which lanes of a load lie in
 * the image, which cells the outputs of a vector take, where the rows' vectors begin.
 *
 * A step makes two output rows from the s + k image rows that their windows reach, and no vector
 * leaves the registers in between: maxima down the columns, then for each of the k columns of a
 * window one pick of its cells for all lanes, and the maximum of the k picks. A pick takes its
 * cells from two vectors, which hold
 *   - both rows, where one vector holds the cells of a row and the outputs of two: rows of the map
 *     follow each other, so that one store takes both;
 *   - one row, or a tile of one, where the stride is 2 and 32 cells make up to 16 outputs.
 * At stride 1 a tile is one vector of cells.
 *
 * Included by files that are compiled once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_MAXIMA_SHORT_H
#define MAXPOOL_MAXIMA_SHORT_H

#include "kernels/maxima.h"

#ifdef VECTOR_PICKS

enum { SHORT_TILES = 8, SHORT_KERNEL = 3, SHORT_STRIDE = 2 };

/* Where the two vectors of a pick come from. */
enum short_way { SHORT_PAIR, SHORT_TILE };

/* What all steps of a call share. Cells are counted in padded rows: cell 0 is where the first
 * window begins. */
struct short_pools {
    const struct maxpool_call *call;
    const float *padding; /* a row of pad values, for rows outside the image */
    vec pad;
    vec_indices picks[SHORT_KERNEL];
    int64_t clear, obscured;              /* rows [clear, obscured) lie on image rows alone */
    int64_t tiles, outputs;               /* of a row; of a tile */
    int64_t first[SHORT_TILES];           /* output of the row that a tile begins with */
    vec_mask inside[SHORT_TILES][2];      /* cells of its two vectors that lie in the image */
    vec_mask stored[2];                   /* outputs of one row, of two */
};

/* Outputs whose windows `cells` cells hold. */
MAXIMA_INLINE int64_t short_outputs(int64_t cells, int64_t k, int64_t s)
{
    return (cells - k) / s + 1;
}

MAXIMA_INLINE bool short_is_pair(const struct geometry *g)
{
    return 2 * g->out_cols <= LANES && g->out_cols <= short_outputs(LANES, g->kernel, g->stride);
}

MAXIMA_INLINE int64_t short_tile(const struct geometry *g)
{
    return short_outputs(g->stride * LANES, g->kernel, g->stride);
}

/* True where the block is one of short rows and small windows. */
MAXIMA_INLINE bool short_serves(const struct maxpool_call *call)
{
    const struct geometry *g = call->geometry;
    return g->kernel >= 2 && g->kernel <= SHORT_KERNEL && g->stride <= SHORT_STRIDE &&
           call->block.cols == g->out_cols && g->out_cols <= SHORT_TILES * short_tile(g);
}

/* Lanes of the vector from `cell` on that windows take, and that lie in the image. */
MAXIMA_INLINE vec_mask short_inside(const struct geometry *g, int64_t cell, int64_t end)
{
    const int64_t first = maxima_clamp(g->padding - cell, 0, LANES);
    const int64_t last = maxima_smaller(g->padding + g->cols, end) - cell;
    return vec_lanes(first, maxima_clamp(last, first, LANES));
}

MAXIMA_INLINE void short_make_tiles(struct short_pools *p, const struct geometry *g)
{
    const int64_t most = short_is_pair(g) ? g->out_cols : short_tile(g);
    p->tiles = (g->out_cols + most - 1) / most;
    p->outputs = (g->out_cols + p->tiles - 1) / p->tiles;
    for (int64_t i = 0; i < p->tiles; i++) {
        p->first[i] = maxima_smaller(i * p->outputs, g->out_cols - p->outputs);
        const int64_t cell = p->first[i] * g->stride;
        const int64_t end = cell + (p->outputs - 1) * g->stride + g->kernel;
        p->inside[i][0] = short_inside(g, cell, end);
        p->inside[i][1] = short_inside(g, cell + LANES, end);
    }
}

MAXIMA_INLINE void short_make_picks(struct short_pools *p, const struct geometry *g)
{
    const int64_t outputs = p->outputs, second = short_is_pair(g) ? outputs : LANES;
    for (int64_t t = 0; t < g->kernel; t++) {
        int32_t cell[LANES] = {0};
        for (int64_t i = 0; i < LANES; i++)
            cell[i] = (int32_t)(i < second ? i * g->stride + t
                                           : LANES + (i - second) * g->stride + t);
        p->picks[t] = vec_indices_load(cell);
    }
    p->stored[0] = vec_lanes(0, outputs);
    p->stored[1] = vec_lanes(0, second == LANES ? outputs : 2 * outputs);
}

/* Rows of the block that are made in steps of two without a look at the image's first and last row.
 */
MAXIMA_INLINE void short_make_rows(struct short_pools *p, const struct geometry *g)
{
    const struct block *o = &p->call->block;
    const int64_t top = o->row * g->stride - g->padding, s = g->stride;
    const int64_t reach = s + g->kernel; /* of a step */
    const int64_t clear = top < 0 ? (-top + s - 1) / s : 0;
    const int64_t room = g->rows - reach - top; /* the last row that a step may begin with */
    const int64_t steps = room < 0 ? 0 : room / s + 1;
    p->clear = maxima_smaller(clear + clear % 2, o->rows);
    p->obscured = maxima_clamp(maxima_smaller(steps + 1, o->rows), p->clear, o->rows);
}

MAXIMA_INLINE struct short_pools short_make(const struct maxpool_call *call, float *padding)
{
    const struct geometry *g = call->geometry;
    struct short_pools p = {.call = call, .padding = padding};
    p.pad = vec_all(geometry_pad_value(g));
    short_make_tiles(&p, g);
    short_make_picks(&p, g);
    short_make_rows(&p, g);
    for (int64_t i = 0; i < (g->out_cols - 1) * g->stride + g->kernel; i++)
        padding[i] = geometry_pad_value(g);
    return p;
}

/* ---- steps ------------------------------------------------------------------------------------
 */

/* The image rows of a step. */
struct short_rows {
    const float *row[SHORT_STRIDE + SHORT_KERNEL];
};

/* Maxima down LANES columns from `cell` on, for the windows of the upper row and the lower. */
struct short_columns {
    vec upper, lower;
};

MAXIMA_INLINE struct short_columns short_down(const struct short_pools *p,
                                              const struct short_rows *rows, int64_t cell,
                                              vec_mask inside, int64_t k, int64_t s)
{
    vec cells[SHORT_STRIDE + SHORT_KERNEL];
    VECTOR_UNROLLED
    for (int64_t t = 0; t < s + k; t++)
        cells[t] = vec_load_masked(rows->row[t] + cell, inside, p->pad);
    struct short_columns m = {cells[k - 1], cells[s]};
    VECTOR_UNROLLED
    for (int64_t t = k - 2; t >= 0; t--) /* upwards: what both rows share comes first in either */
        m.upper = vec_max(cells[t], m.upper);
    VECTOR_UNROLLED
    for (int64_t t = s + 1; t < s + k; t++)
        m.lower = vec_max(m.lower, cells[t]);
    return m;
}

/* The outputs whose cells lie in two vectors. */
MAXIMA_INLINE vec short_along(const struct short_pools *p, vec a, vec b, int64_t k)
{
    vec best = vec_pick(a, b, p->picks[0]);
    VECTOR_UNROLLED
    for (int64_t t = 1; t < k; t++)
        best = vec_max(best, vec_pick(a, b, p->picks[t]));
    return best;
}

/* The output rows at `out`, one or two. */
MAXIMA_INLINE void short_step(const struct short_pools *p, const struct short_rows *rows,
                              float *out, int64_t count, int64_t k, int64_t s, enum short_way way)
{
    if (way == SHORT_PAIR) {
        const struct short_columns m = short_down(p, rows, 0, p->inside[0][0], k, s);
        vec_store_masked(out, short_along(p, m.upper, m.lower, k), p->stored[count - 1]);
        return;
    }
    for (int64_t i = 0; i < p->tiles; i++) {
        const int64_t cell = p->first[i] * s;
        float *at = out + p->first[i];
        const struct short_columns m = short_down(p, rows, cell, p->inside[i][0], k, s);
        struct short_columns n = m;
        if (s > 1)
            n = short_down(p, rows, cell + LANES, p->inside[i][1], k, s);
        vec_store_masked(at, short_along(p, m.upper, n.upper, k), p->stored[0]);
        if (count > 1)
            vec_store_masked(at + p->call->map.row_stride, short_along(p, m.lower, n.lower, k),
                             p->stored[0]);
    }
}

/* Rows of a step that begins at padded row `top`, of which `used` are needed. */
MAXIMA_INLINE struct short_rows short_rows_at_edge(const struct short_pools *p, const float *image,
                                                   int64_t top, int64_t used, int64_t k, int64_t s)
{
    const int64_t rows = p->call->geometry->rows, stride = p->call->image.row_stride;
    struct short_rows at;
    for (int64_t t = 0; t < s + k; t++) {
        const bool inside = t < used && top + t >= 0 && top + t < rows;
        at.row[t] = inside ? image + (top + t) * stride : p->padding;
    }
    return at;
}

/* Output rows [row, end) of the block's plane whose image row 0 is at `image`, with a look at the
 * image's first and last row. */
MAXIMA_INLINE void short_edge(const struct short_pools *p, const float *image, float *out,
                              int64_t row, int64_t end, int64_t k, int64_t s, enum short_way way)
{
    const int64_t top = p->call->block.row * s - p->call->geometry->padding;
    for (; row < end; row += 2) {
        const int64_t count = maxima_smaller(2, p->call->block.rows - row);
        const int64_t used = (count - 1) * s + k;
        const struct short_rows rows =
            short_rows_at_edge(p, image, top + row * s, used, k, s);
        short_step(p, &rows, out + row * p->call->map.row_stride, count, k, s, way);
    }
}

/* The same without. */
MAXIMA_INLINE void short_middle(const struct short_pools *p, const float *image, float *out,
                                int64_t k, int64_t s, enum short_way way)
{
    const int64_t stride = p->call->image.row_stride, pitch = p->call->map.row_stride;
    const int64_t top = p->call->block.row * s - p->call->geometry->padding;
    const float *at = image + (top + p->clear * s) * stride;
    out += p->clear * pitch;
    for (int64_t row = p->clear; row + 2 <= p->obscured; row += 2) {
        struct short_rows rows;
        VECTOR_UNROLLED
        for (int64_t t = 0; t < s + k; t++)
            rows.row[t] = at + t * stride;
        short_step(p, &rows, out, 2, k, s, way);
        at += 2 * s * stride;
        out += 2 * pitch;
    }
}

MAXIMA_INLINE void short_planes(const struct short_pools *p, int64_t k, int64_t s,
                                enum short_way way)
{
    const struct maxpool_call *call = p->call;
    const float *image = view_row(&call->image, 0) - call->geometry->padding;
    float *out = map_row(&call->map, call->block.row);
    const int64_t obscured = p->clear + (p->obscured - p->clear) / 2 * 2;
    for (int64_t i = 0; i < call->block.planes; i++) {
        short_edge(p, image, out, 0, p->clear, k, s, way);
        short_middle(p, image, out, k, s, way);
        short_edge(p, image, out, obscured, call->block.rows, k, s, way);
        image += call->image.plane_stride;
        out += call->map.plane_stride;
    }
}

MAXIMA_INLINE void short_strides(const struct short_pools *p, int64_t k, enum short_way way)
{
    if (p->call->geometry->stride == 1)
        short_planes(p, k, 1, way);
    else
        short_planes(p, k, 2, way);
}

MAXIMA_INLINE void short_kernels(const struct short_pools *p, enum short_way way)
{
    if (p->call->geometry->kernel == 2)
        short_strides(p, 2, way);
    else
        short_strides(p, 3, way);
}

/* The whole block. `padding` is a row of the scratch. */
static __attribute__((unused)) void short_pool(const struct maxpool_call *call, float *padding)
{
    const struct short_pools p = short_make(call, padding);
    if (short_is_pair(call->geometry))
        short_kernels(&p, SHORT_PAIR);
    else
        short_kernels(&p, SHORT_TILE);
}

#else

MAXIMA_INLINE bool short_serves(const struct maxpool_call *call)
{
    (void)call;
    return false;
}

MAXIMA_INLINE void short_pool(const struct maxpool_call *call, float *padding)
{
    (void)call;
    (void)padding;
}

#endif
#endif
