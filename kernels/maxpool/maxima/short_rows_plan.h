/* What all steps over planes of short rows share (kernels/maxpool/maxima/short_rows.h), made once
 * per call: which form the rows take, where tiles begin, and which steps have all their image rows
 * where they can be read.
 *
 * Rows are counted from the block's first output row and from the image row where its window
 * begins, which may lie in the padding. A plane's first steps and its last ones are its edges: they
 * have rows outside the image, or fewer output rows than a step makes. Another row of the window
 * stands there in for each row outside: an element that is compared twice changes no maximum. What
 * the pad value can win is given to outputs in the end, as their floor.
 *
 * Vectors are loaded whole wherever they end: in the next row, or in the next plane. Only before
 * the first element of the view and behind its last one is memory that is not the image's, so in
 * the first planes and the last ones steps that would reach there are edges too, and take their
 * rows from copies. (Loads that leave lanes out need no such care. But AVX2's bring no elements
 * ahead from memory on some processors: passing over 25 MB by them took 1.0 to 1.3 ms instead of
 * 0.5 on Zen 4.)
 *
 * Included by files that are compiled once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_SHORT_ROWS_PLAN_H
#define MAXPOOL_SHORT_ROWS_PLAN_H

#include "kernels/maxpool/maxima/maxima_strip.h"

enum { SHORT_KERNEL = 3, SHORT_STRIDE = 2 };
enum { SHORT_REACH = SHORT_STRIDE + SHORT_KERNEL }; /* image rows of a step, at most */
enum { SHORT_EDGES = 4 }; /* steps of a plane that lack rows, at most, if p < k */
enum { SHORT_TILES = MAXIMA_SHORT / LANES };

enum short_form {
    SHORT_NARROW, /* like the next, but half a vector holds the elements of a row */
    SHORT_PAIRED, /* a vector holds the elements of a row, and the outputs of two */
    SHORT_SINGLE, /* and those of one, at stride 1 */
    SHORT_TILED   /* rows are cut into tiles: as many vectors of elements each as the stride */
};

/* What the code of a step is compiled for. */
struct short_kind {
    int64_t k, s;
    int64_t rows; /* output rows of a step */
    enum short_form form;
};

/* A step whose rows are found before: row t begins so many floats behind its plane, or behind the
 * first of its copies. */
struct short_step {
    int64_t begins[SHORT_REACH];
    int64_t count; /* output rows */
    vec floor[2];  /* of the lanes of the first output row and the second; of a pair's, together */
};

/* Output rows [first, end) are those of whole steps within the image. */
struct short_middle {
    int64_t first, end;
};

struct short_plan {
    const struct maxpool_call *call;
    int64_t planes, out_rows, image_rows; /* of the block; of a plane */
    int64_t image_plane;                  /* floats from plane to plane */
    int64_t skip;                         /* and of the map, from the end of a plane to the next */
    int64_t top;                          /* image row of row 0: it may be negative */
    int64_t left;                         /* image column of element 0: it may be negative */
    int64_t begin, careful_from;          /* planes [begin, careful_from) need no care; */
    struct short_middle usual, careful;   /* steps of these, and of the others */
    struct short_step edges[SHORT_EDGES]; /* of planes that need no care */
    int64_t above, edge_steps;            /* those at the top; all */
    vec floor;                            /* of a row of the others */
    int64_t tiles, outputs;               /* of a row; of a tile */
    int64_t first[SHORT_TILES];           /* output of the row that a tile begins with */
};

/* ---- which blocks -----------------------------------------------------------------------------
 */

/* Outputs whose windows lie within `elements` elements. */
MAXIMA_INLINE int64_t short_outputs(const struct geometry *g, int64_t elements)
{
    return (elements - g->kernel) / g->stride + 1;
}

/* Most outputs of a tile. */
MAXIMA_INLINE int64_t short_tile(const struct geometry *g)
{
    return short_outputs(g, g->stride * LANES);
}

MAXIMA_INLINE enum short_form short_form_of(const struct geometry *g)
{
    if (g->cols <= LANES && 2 * g->out_cols <= LANES)
        return VECTOR_EIGHT && g->cols <= LANES / 2 ? SHORT_NARROW : SHORT_PAIRED;
    return g->cols <= LANES && g->out_cols <= LANES && g->stride == 1 ? SHORT_SINGLE : SHORT_TILED;
}

/* Rows that share image rows are made together. */
MAXIMA_INLINE struct short_kind short_kind_of(int64_t k, int64_t s, enum short_form form)
{
    return (struct short_kind){k, s, form <= SHORT_PAIRED || s < k ? 2 : 1, form};
}

/* Image rows from the first of a step to the last that `rows` output rows need. */
MAXIMA_INLINE int64_t short_reach(struct short_kind a, int64_t rows)
{
    return (rows - 1) * a.s + a.k;
}

/* True where each row of the map begins where the one before ends. */
MAXIMA_INLINE bool short_follows(const struct maxpool_call *call)
{
    const struct geometry *g = call->geometry;
    return call->map.row_stride == g->out_cols &&
           (call->block.planes == 1 || call->map.plane_stride == g->out_rows * g->out_cols);
}

/* True where what a step stores is the block's: a pair of rows goes in one store, and whole vectors
 * of a set that leaves no lanes out quickly go where outputs gather. */
MAXIMA_INLINE bool short_stores(const struct maxpool_call *call)
{
    const bool alone = VECTOR_PICKS == 1 && short_form_of(call->geometry) > SHORT_PAIRED;
    return alone || short_follows(call);
}

/* True where windows are small and rows are short, the block has them whole, and every window has
 * an element of the image. */
MAXIMA_INLINE bool short_serves(const struct maxpool_call *call)
{
    const struct geometry *g = call->geometry;
    return g->kernel >= 2 && g->kernel <= SHORT_KERNEL && g->stride <= SHORT_STRIDE &&
           g->padding < g->kernel && call->block.cols == g->out_cols &&
           g->out_cols <= SHORT_TILES * short_tile(g) && short_stores(call);
}

/* ---- planes and rows --------------------------------------------------------------------------
 */

/* Planes whose windows neither reach over their ends nor leave rows between them are one high
 * plane. */
MAXIMA_INLINE bool short_stacks(const struct maxpool_call *call)
{
    const struct geometry *g = call->geometry;
    return g->padding == 0 && g->kernel <= g->stride && g->rows == g->out_rows * g->stride &&
           call->block.rows == g->out_rows &&
           call->image.plane_stride == g->rows * call->image.row_stride &&
           call->map.plane_stride == g->out_rows * call->map.row_stride;
}

MAXIMA_INLINE void short_plan_planes(struct short_plan *p)
{
    const struct geometry *g = p->call->geometry;
    p->planes = p->call->block.planes;
    p->out_rows = p->call->block.rows;
    p->image_rows = g->rows;
    p->image_plane = p->call->image.plane_stride;
    p->top = p->call->block.row * g->stride - g->padding;
    if (p->planes > 1 && short_stacks(p->call)) {
        p->out_rows *= p->planes;
        p->image_rows *= p->planes;
        p->image_plane *= p->planes;
        p->planes = 1;
    }
    if (p->planes > 1)
        p->skip = p->call->map.plane_stride - p->out_rows * p->call->map.row_stride;
}

/* Output rows of whole steps that need only image rows [first, end). */
MAXIMA_INLINE struct short_middle short_middle_of(const struct short_plan *p, struct short_kind a,
                                                  int64_t first, int64_t end)
{
    const int64_t above = p->top < first ? (first - p->top + a.s - 1) / a.s : 0; /* begin earlier */
    const int64_t room = end - short_reach(a, a.rows) - p->top;
    const int64_t begins = room < 0 ? 0 : room / a.s + 1; /* rows where a step may begin */
    const int64_t step = (above + a.rows - 1) / a.rows, steps = (begins + a.rows - 1) / a.rows;
    const int64_t whole = smaller(steps, p->out_rows / a.rows);
    const int64_t middle = smaller(step * a.rows, p->out_rows);
    return (struct short_middle){middle, whole > step ? whole * a.rows : middle};
}

/* Elements of a row, from element 0 on, up to the end of the last vector that is loaded. */
MAXIMA_INLINE int64_t short_span(const struct short_plan *p, struct short_kind a)
{
    return a.form == SHORT_TILED ? p->first[p->tiles - 1] * a.s + a.s * LANES : LANES;
}

/* Which planes need care, and their steps that need none. */
MAXIMA_INLINE void short_plan_care(struct short_plan *p, struct short_kind a)
{
    const struct view *v = &p->call->image;
    const int64_t held_rows = p->call->block.planes > 1 && p->planes == 1
                                  ? p->image_rows - p->call->geometry->rows + v->rows
                                  : v->rows;
    const int64_t held = (held_rows - 1) * v->row_stride + p->call->geometry->cols;
    const int64_t behind = p->left + short_span(p, a); /* of a row's column 0 */
    const int64_t first = v->first_row + (-p->left + v->row_stride - 1) / v->row_stride;
    const int64_t end =
        behind > held ? v->first_row : v->first_row + (held - behind) / v->row_stride + 1;
    p->usual = short_middle_of(p, a, 0, p->image_rows);
    p->careful = short_middle_of(p, a, larger(0, first), smaller(end, p->image_rows));
    const int64_t plane = larger(1, p->image_plane), over = larger(0, behind - held);
    p->begin = smaller(p->planes, 1 + -p->left / plane);
    p->careful_from = larger(p->begin, p->planes - 1 - (over + plane - 1) / plane);
}

/* ---- steps ------------------------------------------------------------------------------------
 */

/* Image row t of the step at output row `row`, or in its stead the nearest one that the step needs.
 */
MAXIMA_INLINE int64_t short_image_row(const struct short_plan *p, struct short_kind a, int64_t row,
                                      int64_t t)
{
    const int64_t used = short_reach(a, smaller(a.rows, p->out_rows - row));
    return maxima_clamp(p->top + row * a.s + smaller(t, used - 1), 0, p->image_rows - 1);
}

/* What output `col` of row `row` is at the least: the pad value, where its window reaches over an
 * end of its column or, of forms that have rows whole, of its row. */
MAXIMA_INLINE float short_least(const struct short_plan *p, struct short_kind a, int64_t row,
                                int64_t col)
{
    const struct geometry *g = p->call->geometry;
    const int64_t upper = p->top + row * a.s, left = col * a.s - g->padding;
    const bool over = upper < 0 || upper + a.k > p->image_rows;
    const bool beside = a.form != SHORT_TILED && (left < 0 || left + a.k > g->cols);
    return over || beside ? geometry_pad_value(g) : -FLT_MAX;
}

MAXIMA_INLINE vec short_floor(const struct short_plan *p, struct short_kind a, int64_t row)
{
    const int64_t outputs = a.form <= SHORT_PAIRED ? p->call->geometry->out_cols : LANES;
    float least[LANES];
    for (int64_t i = 0; i < LANES; i++)
        least[i] = short_least(p, a, row + i / outputs, i % outputs);
    return vec_load(least);
}

/* All of a step but where its rows begin. */
MAXIMA_INLINE struct short_step short_step_at(const struct short_plan *p, struct short_kind a,
                                              int64_t row)
{
    return (struct short_step){.count = smaller(a.rows, p->out_rows - row),
                               .floor = {short_floor(p, a, row), short_floor(p, a, row + 1)}};
}

/* Blocks of several planes have them whole. */
MAXIMA_INLINE void short_plan_edges(struct short_plan *p, struct short_kind a)
{
    const struct view *v = &p->call->image;
    p->above = p->usual.first / a.rows;
    for (int64_t row = 0; row < p->out_rows; row += a.rows) {
        if (row == p->usual.first)
            row = p->usual.end;
        if (row >= p->out_rows)
            break;
        struct short_step *step = &p->edges[p->edge_steps++];
        *step = short_step_at(p, a, row);
        for (int64_t t = 0; t < short_reach(a, a.rows); t++)
            step->begins[t] =
                (short_image_row(p, a, row, t) - v->first_row) * v->row_stride + p->left;
    }
}

/* Tiles of one size: the last is moved back to end where the row ends. */
MAXIMA_INLINE void short_plan_tiles(struct short_plan *p, enum short_form form)
{
    const struct geometry *g = p->call->geometry;
    const int64_t most = form == SHORT_TILED ? short_tile(g) : g->out_cols;
    p->tiles = (g->out_cols + most - 1) / most;
    p->outputs = (g->out_cols + p->tiles - 1) / p->tiles;
    for (int64_t i = 0; i < p->tiles; i++)
        p->first[i] = smaller(i * p->outputs, g->out_cols - p->outputs);
}

MAXIMA_INLINE struct short_plan short_plan_make(const struct maxpool_call *call)
{
    const struct geometry *g = call->geometry;
    const enum short_form form = short_form_of(g);
    const struct short_kind a = short_kind_of(g->kernel, g->stride, form);
    struct short_plan p = {.call = call};
    p.left = form == SHORT_TILED ? -g->padding : 0;
    short_plan_planes(&p);
    short_plan_tiles(&p, form);
    short_plan_care(&p, a);
    p.floor = short_floor(&p, a, p.careful.first);
    if (p.begin < p.careful_from)
        short_plan_edges(&p, a);
    return p;
}

#endif
