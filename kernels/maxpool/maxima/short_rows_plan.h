/* The plan that all steps over planes of short rows share (kernels/maxpool/maxima/short_rows.h),
 * made once per call: the form of the rows, where tiles begin, and which steps can read all their
 * image rows in place.
 *
 * Output rows count from the block's first one, image rows from where its window begins, which may
 * be in the padding. The first and last steps of a plane are its edges: they have rows outside the
 * image, or fewer output rows than a step computes. Another row of the window replaces each row
 * outside: an element that is compared twice changes no maximum. Where the pad value can win,
 * outputs have it as their floor, applied at the end.
 *
 * Vectors are loaded whole, even if they end in the next row or the next plane. Only the memory
 * before the first element of the view and after its last one is not the image's. In the first and
 * last planes, steps that would read there are edges too, and take their rows from copies. (Masked
 * loads need no guards. But AVX2's masked loads trigger no prefetching on some processors:
 * reading 25 MB with them took 1.0 to 1.3 ms instead of 0.5 on Zen 4.)
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
    SHORT_NARROW, /* as SHORT_PAIRED, but half a vector holds the elements of a row */
    SHORT_PAIRED, /* one vector holds the elements of a row, one the outputs of two rows */
    SHORT_SINGLE, /* one vector holds the elements of a row, one its outputs; stride 1 */
    SHORT_TILED   /* rows are cut into tiles of `stride` vectors of elements each */
};

/* What a step is compiled for. */
struct short_kind {
    int64_t k, s;
    int64_t rows; /* output rows of a step */
    enum short_form form;
};

/* A step whose rows are located in advance: row t begins begins[t] floats after its plane's first
 * element, or after the beginning of the scratch for copies. */
struct short_step {
    int64_t begins[SHORT_REACH];
    int64_t count; /* output rows */
    vec floor[2];  /* lower bounds of the first and second output row; of a pair, [0] has both */
};

/* Output rows [first, end), those of whole steps within the image. */
struct short_middle {
    int64_t first, end;
};

struct short_plan {
    const struct maxpool_call *call;
    int64_t planes, out_rows, image_rows; /* of the block; image_rows: of a plane */
    int64_t image_plane;                  /* floats from plane to plane of the image */
    int64_t skip;                /* floats of the map from the end of a plane to the next */
    int64_t top;                 /* image row of row 0: it may be negative */
    int64_t left;                /* image column of element 0: it may be negative */
    int64_t begin, guarded_from; /* planes [begin, guarded_from) need no guards; */
    struct short_middle unguarded, guarded; /* no edges: in these planes, and in the others */
    struct short_step edges[SHORT_EDGES];   /* of planes that need no guards */
    int64_t above, edge_steps;              /* number of edges at the top; of all */
    vec floor;                              /* of a row that is no edge */
    int64_t tiles, outputs;                 /* tiles of a row; outputs of a tile */
    int64_t first[SHORT_TILES];             /* first output of each tile */
};

/* ---- which blocks -----------------------------------------------------------------------------
 */

/* Returns the number of outputs whose windows fit in `elements` elements. */
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

/* Output rows that share image rows, or a vector of outputs, are computed together. */
MAXIMA_INLINE struct short_kind short_kind_of(int64_t k, int64_t s, enum short_form form)
{
    return (struct short_kind){k, s, form <= SHORT_PAIRED || s < k ? 2 : 1, form};
}

/* Returns the number of image rows that the first `rows` output rows of a step need. */
MAXIMA_INLINE int64_t short_reach(struct short_kind a, int64_t rows)
{
    return (rows - 1) * a.s + a.k;
}

/* True if the rows of the map are contiguous. */
MAXIMA_INLINE bool map_is_contiguous(const struct maxpool_call *call)
{
    const struct geometry *g = call->geometry;
    return call->map.row_stride == g->out_cols &&
           (call->block.planes == 1 || call->map.plane_stride == g->out_rows * g->out_cols);
}

/* True if the map suits the stores of a step. One store writes a pair of rows, and without fast
 * masked stores outputs are collected in a buffer: both need contiguous rows. */
MAXIMA_INLINE bool short_stores(const struct maxpool_call *call)
{
    const bool alone = VECTOR_PICKS == 1 && short_form_of(call->geometry) > SHORT_PAIRED;
    return alone || map_is_contiguous(call);
}

/* True if windows are small, rows are short, the block has whole rows, and every window has an
 * element of the image. */
MAXIMA_INLINE bool short_serves(const struct maxpool_call *call)
{
    const struct geometry *g = call->geometry;
    return g->kernel >= 2 && g->kernel <= SHORT_KERNEL && g->stride <= SHORT_STRIDE &&
           g->padding < g->kernel && call->block.cols == g->out_cols &&
           g->out_cols <= SHORT_TILES * short_tile(g) && short_stores(call);
}

/* ---- planes and rows --------------------------------------------------------------------------
 */

/* True if the planes form one high plane: their windows neither extend beyond a plane nor leave
 * rows between planes. */
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

/* Returns the output rows of whole steps that need only image rows [first, end). */
MAXIMA_INLINE struct short_middle short_middle_of(const struct short_plan *p, struct short_kind a,
                                                  int64_t first, int64_t end)
{
    const int64_t above = p->top < first ? (first - p->top + a.s - 1) / a.s : 0; /* rows before */
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

/* Finds the planes in which loads could leave the view's memory, and which of their steps stay
 * inside. */
MAXIMA_INLINE void short_plan_guards(struct short_plan *p, struct short_kind a)
{
    const struct view *v = &p->call->image;
    const int64_t view_rows = p->call->block.planes > 1 && p->planes == 1
                                  ? p->image_rows - p->call->geometry->rows + v->rows
                                  : v->rows;
    const int64_t view_floats = (view_rows - 1) * v->row_stride + p->call->geometry->cols;
    const int64_t loads_end = p->left + short_span(p, a); /* end of a row's loads, from column 0 */
    const int64_t first = v->first_row + (-p->left + v->row_stride - 1) / v->row_stride;
    const int64_t end = loads_end > view_floats
                            ? v->first_row
                            : v->first_row + (view_floats - loads_end) / v->row_stride + 1;
    p->unguarded = short_middle_of(p, a, 0, p->image_rows);
    p->guarded = short_middle_of(p, a, larger(0, first), smaller(end, p->image_rows));
    const int64_t plane = larger(1, p->image_plane), over = larger(0, loads_end - view_floats);
    p->begin = smaller(p->planes, 1 + -p->left / plane);
    p->guarded_from = larger(p->begin, p->planes - 1 - (over + plane - 1) / plane);
}

/* ---- steps ------------------------------------------------------------------------------------
 */

/* Returns image row t of the step at output row `row`, or the nearest one that the step needs if
 * row t is not needed or outside the image. */
MAXIMA_INLINE int64_t short_image_row(const struct short_plan *p, struct short_kind a, int64_t row,
                                      int64_t t)
{
    const int64_t used = short_reach(a, smaller(a.rows, p->out_rows - row));
    return maxima_clamp(p->top + row * a.s + smaller(t, used - 1), 0, p->image_rows - 1);
}

/* Returns the lower bound of output `col` of row `row`: the pad value if its window extends beyond
 * the top or bottom of the image or, in forms with whole rows, beyond its left or right side. */
MAXIMA_INLINE float short_least(const struct short_plan *p, struct short_kind a, int64_t row,
                                int64_t col)
{
    const struct geometry *g = p->call->geometry;
    const int64_t upper = p->top + row * a.s, left = col * a.s - g->padding;
    const bool beyond_ends = upper < 0 || upper + a.k > p->image_rows;
    const bool beyond_sides = a.form != SHORT_TILED && (left < 0 || left + a.k > g->cols);
    return beyond_ends || beyond_sides ? geometry_pad_value(g) : -FLT_MAX;
}

MAXIMA_INLINE vec short_floor(const struct short_plan *p, struct short_kind a, int64_t row)
{
    const int64_t outputs = a.form <= SHORT_PAIRED ? p->call->geometry->out_cols : LANES;
    float least[LANES];
    for (int64_t i = 0; i < LANES; i++)
        least[i] = short_least(p, a, row + i / outputs, i % outputs);
    return vec_load(least);
}

/* Returns a step without where its rows begin. */
MAXIMA_INLINE struct short_step short_step_at(const struct short_plan *p, struct short_kind a,
                                              int64_t row)
{
    return (struct short_step){.count = smaller(a.rows, p->out_rows - row),
                               .floor = {short_floor(p, a, row), short_floor(p, a, row + 1)}};
}

/* Prepares the edges. Blocks of several planes contain whole planes. */
MAXIMA_INLINE void short_plan_edges(struct short_plan *p, struct short_kind a)
{
    const struct view *v = &p->call->image;
    p->above = p->unguarded.first / a.rows;
    for (int64_t row = 0; row < p->out_rows; row += a.rows) {
        if (row == p->unguarded.first)
            row = p->unguarded.end;
        if (row >= p->out_rows)
            break;
        struct short_step *step = &p->edges[p->edge_steps++];
        *step = short_step_at(p, a, row);
        for (int64_t t = 0; t < short_reach(a, a.rows); t++)
            step->begins[t] =
                (short_image_row(p, a, row, t) - v->first_row) * v->row_stride + p->left;
    }
}

/* Cuts a row into tiles of equal size. The last tile is moved back to end where the row ends. */
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
    short_plan_guards(&p, a);
    p.floor = short_floor(&p, a, p.guarded.first);
    if (p.begin < p.guarded_from)
        short_plan_edges(&p, a);
    return p;
}

#endif
