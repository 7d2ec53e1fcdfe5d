/* Planes whose rows are a few vectors long. There a row's time goes into the work before and after
 * its maxima, so everything that rows share is prepared once per call (short_rows_plan.h, and the
 * lanes below).
 *
 * A step computes one or two output rows from the image rows under their windows; for two these are
 * s + k rows. Its vectors stay in registers: maxima down the columns; then, for each of the k
 * columns of a window, its elements are moved to the lanes of their outputs; then the maximum of
 * the k. There are three layouts:
 *   - Each row has one vector, and the outputs of both share one. Rows of the map are contiguous,
 *     so that one store writes both.
 *   - A row has one vector, which is shifted by one lane for the next column.
 *   - A tile of a row has one vector, or two at stride 2, which are combined in pairs.
 * If a vector holds a whole row, it has no lanes for elements outside the image: their outputs use
 * another element of the window instead.
 *
 * Included by files that are compiled once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_SHORT_ROWS_H
#define MAXPOOL_SHORT_ROWS_H

#include "kernels/maxpool/maxima/maxima.h"

#if VECTOR_PICKS

#include "kernels/maxpool/maxima/short_rows_plan.h"
#include "kernels/maxpool/maxima/short_rows_sink.h"

/* Which element or output each lane holds. */
struct short_lanes {
    vec_indices
        picks[SHORT_KERNEL]; /* of column t of the windows; of a tile: see short_tile_along */
    vec_mask inside[SHORT_TILES][SHORT_STRIDE]; /* of a tile's vectors: lanes inside the image */
    vec_mask stored[2];                         /* lanes of the outputs of one row, of two */
    vec pad;
    bool padded; /* some elements are outside the image */
};

struct short_pools {
    const struct short_plan *plan;
    struct short_lanes lanes;
    vec floor;          /* of an output row that has all its image rows */
    int64_t stride;     /* floats from row to row of the image */
    int64_t out_stride; /* floats from row to row of the map */
    int64_t skip;       /* floats of the map from the end of a plane to the next */
    float *map;         /* where the first output goes */
    float *gather;      /* NULL, or the buffer that collects outputs */
    bool stream;        /* collected outputs are stored past the caches */
    bool prefetches;    /* a step first prefetches all its elements */
    bool row_by_row;    /* a step processes its image rows one after the other */
};

/* ---- lanes ------------------------------------------------------------------------------------
 */

/* Returns the lanes that hold elements of the image, in the vector that begins at `element` of the
 * padded row. */
MAXIMA_INLINE vec_mask short_inside(const struct geometry *g, int64_t element)
{
    const int64_t first = maxima_clamp(g->padding - element, 0, LANES);
    return vec_lanes(first, maxima_clamp(g->padding + g->cols - element, first, LANES));
}

/* Sets the lanes of tiles. picks[t] shifts a vector by t lanes: to another element of each lane's
 * window, or at stride 2 to every other element. */
MAXIMA_INLINE void short_tile_lanes(struct short_lanes *l, const struct short_plan *p)
{
    const struct geometry *g = p->call->geometry;
    for (int64_t t = 0; t < g->kernel; t++) {
        int32_t lane[LANES];
        for (int64_t i = 0; i < LANES; i++)
            lane[i] = (int32_t)smaller(i + t, LANES - 1);
        l->picks[t] = vec_indices_load(lane);
    }
    for (int64_t i = 0; i < p->tiles; i++)
        for (int64_t v = 0; v < g->stride; v++)
            l->inside[i][v] = short_inside(g, p->first[i] * g->stride + v * LANES);
}

/* Sets the lanes of whole rows. For column t, output i of a row takes element i * s - p + t, or the
 * nearest one that exists; outputs of the second row of a pair take it from the second vector. */
MAXIMA_INLINE void short_row_lanes(struct short_lanes *l, const struct geometry *g, bool pair)
{
    for (int64_t t = 0; t < g->kernel; t++) {
        int32_t element[LANES];
        for (int64_t i = 0; i < LANES; i++) {
            const bool second = pair && i >= g->out_cols;
            const int64_t begins = (second ? i - g->out_cols : i) * g->stride - g->padding;
            element[i] = (int32_t)((second ? LANES : 0) + maxima_clamp(begins + t, 0, g->cols - 1));
        }
        l->picks[t] = vec_indices_load(element);
    }
    l->inside[0][0] = vec_lanes(0, g->cols);
}

MAXIMA_INLINE struct short_lanes short_lanes_make(const struct short_plan *p)
{
    const struct geometry *g = p->call->geometry;
    const enum short_form form = short_form_of(g);
    struct short_lanes l = {.pad = vec_all(geometry_pad_value(g)), .padded = g->padding > 0};
    if (form == SHORT_TILED)
        short_tile_lanes(&l, p);
    else
        short_row_lanes(&l, g, form <= SHORT_PAIRED);
    l.stored[0] = vec_lanes(0, p->outputs);
    l.stored[1] = vec_lanes(0, form <= SHORT_PAIRED ? 2 * p->outputs : p->outputs);
    return l;
}

/* ---- steps ------------------------------------------------------------------------------------
 */

/* The image rows of a step, from their element 0 on, and the number of its output rows. */
struct short_rows {
    const float *row[SHORT_REACH];
    int64_t count;
    bool floored; /* some outputs have a floor */
    vec floor[2]; /* floors of the first and second output row */
};

/* Maxima down the columns, for the first and the second output row of a step. */
struct short_columns {
    vec upper, lower;
};

/* Loads a vector of which only the lanes `needed` matter. */
MAXIMA_INLINE vec vec_load_needed(const float *p, vec_mask needed)
{
    return VECTOR_PICKS > 1 ? vec_load(p) : vec_load_masked(p, needed, vec_zero());
}

/* Returns the maxima down the columns of the vector at `element`. Both output rows first compare
 * the image rows that they share. */
MAXIMA_INLINE struct short_columns short_down(const struct short_rows *rows, int64_t element,
                                              vec_mask needed, struct short_kind a)
{
    vec elements[SHORT_REACH];
    VECTOR_UNROLLED
    for (int64_t t = 0; t < short_reach(a, a.rows); t++)
        elements[t] = vec_load_needed(rows->row[t] + element, needed);
    struct short_columns m = {elements[a.k - 1], elements[(a.rows - 1) * a.s]};
    VECTOR_UNROLLED
    for (int64_t t = a.k - 2; t >= 0; t--)
        m.upper = vec_max(elements[t], m.upper);
    VECTOR_UNROLLED
    for (int64_t t = a.s + 1; t < short_reach(a, a.rows); t++)
        m.lower = vec_max(m.lower, elements[t]);
    return m;
}

#if VECTOR_EIGHT

/* The same for rows that fit half a vector. Whole vectors would cross a cache line more often, and
 * each load that does takes as long as two. */
MAXIMA_INLINE struct short_columns short_narrow_down(const struct short_rows *rows,
                                                     struct short_kind a)
{
    vec8 elements[SHORT_REACH];
    VECTOR_UNROLLED
    for (int64_t t = 0; t < short_reach(a, a.rows); t++)
        elements[t] = vec8_load(rows->row[t]);
    vec8 upper = elements[a.k - 1], lower = elements[(a.rows - 1) * a.s];
    VECTOR_UNROLLED
    for (int64_t t = a.k - 2; t >= 0; t--)
        upper = vec8_max(elements[t], upper);
    VECTOR_UNROLLED
    for (int64_t t = a.s + 1; t < short_reach(a, a.rows); t++)
        lower = vec8_max(lower, elements[t]);
    return (struct short_columns){vec8_widen(upper), vec8_widen(lower)};
}

#else

MAXIMA_INLINE struct short_columns short_narrow_down(const struct short_rows *rows,
                                                     struct short_kind a)
{
    return short_down(rows, 0, vec_lanes(0, LANES), a);
}

#endif

/* The same for a vector of a tile, where some elements may be outside the image. */
MAXIMA_INLINE struct short_columns short_tile_down(const struct short_lanes *l,
                                                   const struct short_rows *rows, int64_t element,
                                                   vec_mask inside, struct short_kind a)
{
    struct short_columns m = short_down(rows, element, inside, a);
    if (l->padded) {
        m.upper = vec_select(inside, m.upper, l->pad);
        m.lower = vec_select(inside, m.lower, l->pad);
    }
    return m;
}

/* If masked stores take long, whole vectors are stored to the buffer that collects outputs: the
 * next outputs overwrite the lanes that are no outputs. */
enum { SHORT_WHOLE = VECTOR_PICKS > 1 };

MAXIMA_INLINE void short_store(float *to, vec v, vec_mask outputs)
{
    if (SHORT_WHOLE)
        vec_store(to, v);
    else
        vec_store_masked(to, v, outputs);
}

/* Stores the output rows of a step, which share a vector, at `out`. */
MAXIMA_INLINE void short_pair(const struct short_pools *p, const struct short_rows *rows,
                              float *out, struct short_kind a)
{
    const struct short_lanes *l = &p->lanes;
    const struct short_columns m = a.form == SHORT_NARROW ? short_narrow_down(rows, a)
                                                          : short_down(rows, 0, l->inside[0][0], a);
    vec best = vec_pick(m.upper, m.lower, l->picks[0]);
    VECTOR_UNROLLED
    for (int64_t t = 1; t < a.k; t++)
        best = vec_max(best, vec_pick(m.upper, m.lower, l->picks[t]));
    short_store(out, vec_max(best, rows->floor[0]), l->stored[rows->count - 1]);
}

/* Returns the outputs of a row whose elements are `v`. */
MAXIMA_INLINE vec short_single_along(const struct short_lanes *l, vec v, vec floor,
                                     struct short_kind a)
{
    vec best = floor;
    VECTOR_UNROLLED
    for (int64_t t = 0; t < a.k; t++)
        best = vec_max(best, vec_permute(v, l->picks[t]));
    return best;
}

/* Stores the output rows of a step, each from its own vector. The second row is stored last,
 * because the store of the first may overwrite its beginning. */
MAXIMA_INLINE void short_single(const struct short_pools *p, const struct short_rows *rows,
                                float *out, struct short_kind a)
{
    const struct short_lanes *l = &p->lanes;
    const struct short_columns m = short_down(rows, 0, l->inside[0][0], a);
    short_store(out, short_single_along(l, m.upper, rows->floor[0], a), l->stored[0]);
    if (rows->count > 1)
        short_store(out + p->out_stride, short_single_along(l, m.lower, rows->floor[1], a),
                    l->stored[0]);
}

/* Returns the outputs of a tile whose elements are in two vectors, at stride 1 in the first
 * alone. */
MAXIMA_INLINE vec short_tile_along(const struct short_lanes *l, vec first, vec second,
                                   struct short_kind a)
{
    if (a.s == 1) {
        const vec two = vec_max(first, vec_permute(first, l->picks[1]));
        return a.k == 2 ? two : vec_max(two, vec_permute(first, l->picks[2]));
    }
    const vec two = vec_pairs(first, second);
    return a.k == 2 ? two : vec_max(two, vec_permute(vec_even(first, second), l->picks[1]));
}

MAXIMA_INLINE void short_tiles(const struct short_pools *p, const struct short_rows *rows,
                               float *out, struct short_kind a)
{
    const struct short_lanes *l = &p->lanes;
    vec below[SHORT_TILES];
    for (int64_t i = 0; i < p->plan->tiles; i++) {
        const int64_t output = p->plan->first[i], element = output * a.s;
        const struct short_columns m = short_tile_down(l, rows, element, l->inside[i][0], a);
        struct short_columns n = m;
        if (a.s > 1)
            n = short_tile_down(l, rows, element + LANES, l->inside[i][a.s - 1], a);
        const vec best = short_tile_along(l, m.upper, n.upper, a);
        short_store(out + output, rows->floored ? vec_max(best, rows->floor[0]) : best,
                    l->stored[0]);
        if (a.rows > 1)
            below[i] = short_tile_along(l, m.lower, n.lower, a);
        if (a.rows > 1 && rows->floored)
            below[i] = vec_max(below[i], rows->floor[1]);
    }
    for (int64_t i = 0; i < p->plan->tiles && rows->count > 1; i++)
        short_store(out + p->out_stride + p->plan->first[i], below[i], l->stored[0]);
}

/* Computes the output row of a step from one image row after the other, so that elements are read
 * in memory order. */
MAXIMA_INLINE void short_row_by_row(const struct short_pools *p, const struct short_rows *rows,
                                    float *out, struct short_kind a)
{
    const struct short_lanes *l = &p->lanes;
    const struct short_kind one = {.k = 1, .s = a.s, .rows = 1, .form = a.form};
    vec best[SHORT_TILES];
    for (int64_t t = 0; t < a.k; t++) {
        struct short_rows row;
        row.row[0] = rows->row[t];
        for (int64_t i = 0; i < p->plan->tiles; i++) {
            const int64_t element = p->plan->first[i] * a.s;
            const vec left = short_tile_down(l, &row, element, l->inside[i][0], one).upper;
            const vec right =
                short_tile_down(l, &row, element + LANES, l->inside[i][a.s - 1], one).upper;
            const vec along = short_tile_along(l, left, right, a);
            best[i] = t == 0 ? along : vec_max(best[i], along);
        }
    }
    for (int64_t i = 0; i < p->plan->tiles; i++)
        short_store(out + p->plan->first[i],
                    rows->floored ? vec_max(best[i], rows->floor[0]) : best[i], l->stored[0]);
}

MAXIMA_INLINE void short_step(const struct short_pools *p, const struct short_rows *rows,
                              struct short_sink *sink, struct short_kind a)
{
    if (a.form <= SHORT_PAIRED)
        short_pair(p, rows, sink->out, a);
    else if (a.form == SHORT_SINGLE)
        short_single(p, rows, sink->out, a);
    else if (a.rows == 1 && p->row_by_row)
        short_row_by_row(p, rows, sink->out, a);
    else
        short_tiles(p, rows, sink->out, a);
    short_advance(sink, rows->count * p->out_stride);
}

/* ---- planes -----------------------------------------------------------------------------------
 */

/* Rows of the scratch that hold copies of image rows. */
struct short_copies {
    struct maxima_room room;
    void *scratch;
};

/* Returns the rows of a step, which begin at offsets from `from`. */
MAXIMA_INLINE struct short_rows short_found_rows(const struct short_step *step, const float *from,
                                                 struct short_kind a)
{
    struct short_rows rows;
    rows.count = step->count;
    rows.floored = true;
    rows.floor[0] = step->floor[0];
    rows.floor[1] = step->floor[1];
    VECTOR_UNROLLED
    for (int64_t t = 0; t < short_reach(a, a.rows); t++)
        rows.row[t] = from + step->begins[t];
    return rows;
}

/* Copies the image rows of the step at output row `row` of plane `plane` to the scratch; returns
 * the step. */
static __attribute__((noinline, unused)) struct short_step
short_copy(const struct short_plan *p, const struct short_copies *c, int64_t plane, int64_t row)
{
    const struct geometry *g = p->call->geometry;
    const struct short_kind a = short_kind_of(g->kernel, g->stride, short_form_of(g));
    struct short_step step = short_step_at(p, a, row);
    for (int64_t t = 0; t < short_reach(a, a.rows); t++) {
        const int64_t r = short_image_row(p, a, row, t);
        const float *elements = view_row(&p->call->image, r) + plane * p->image_plane;
        float *copy = room_row(c->room, c->scratch, t);
        for (int64_t i = 0; i < g->cols; i++)
            copy[i - p->left] = elements[i];
        step.begins[t] = copy - (float *)c->scratch;
    }
    return step;
}

/* Prefetches the elements of a step in memory order. A step reads several rows in parallel, a
 * pattern that the hardware prefetcher cannot follow. */
MAXIMA_INLINE void short_prefetch(const float *elements, int64_t count)
{
    for (int64_t i = 0; i < count; i += 16)
        __builtin_prefetch(elements + i, 0, 3);
}

/* Computes `steps` steps that have all their rows; the first begins at `at`. */
MAXIMA_INLINE void short_inner(const struct short_pools *p, const float *at, int64_t steps,
                               struct short_sink *sink, struct short_kind a)
{
    const int64_t stride = p->stride, step = a.rows * a.s * stride;
    for (; steps > 0; steps--, at += step) {
        struct short_rows rows; /* an initializer would also clear what is not needed */
        rows.count = a.rows;
        rows.floored = false;
        rows.floor[0] = rows.floor[1] = p->floor;
        VECTOR_UNROLLED
        for (int64_t t = 0; t < short_reach(a, a.rows); t++)
            rows.row[t] = at + t * stride;
        if (a.form == SHORT_TILED && p->prefetches)
            short_prefetch(at, step);
        short_step(p, &rows, sink, a);
    }
}

/* Returns where the step at output row `row` of the plane at `from` begins. */
MAXIMA_INLINE const float *short_begins(const struct short_plan *p, const float *from, int64_t row,
                                        struct short_kind a)
{
    const struct view *v = &p->call->image;
    return from + (p->top + row * a.s - v->first_row) * v->row_stride + p->left;
}

/* Computes the planes that need no guards: their loads stay within the view's memory. */
MAXIMA_INLINE void short_unguarded_planes(const struct short_pools *p, struct short_sink *sink,
                                          struct short_kind a)
{
    const struct short_plan *plan = p->plan;
    const float *from = plan->call->image.data + plan->begin * plan->image_plane;
    const float *at = short_begins(plan, from, plan->unguarded.first, a);
    const int64_t steps = (plan->unguarded.end - plan->unguarded.first) / a.rows,
                  plane = plan->image_plane;
    const struct short_step *above = plan->edges + plan->above,
                            *end = plan->edges + plan->edge_steps;
    for (int64_t i = plan->guarded_from - plan->begin; i > 0; i--, from += plane, at += plane) {
        for (const struct short_step *e = plan->edges; e < above; e++) {
            const struct short_rows rows = short_found_rows(e, from, a);
            short_step(p, &rows, sink, a);
        }
        short_inner(p, at, steps, sink, a);
        for (const struct short_step *e = above; e < end; e++) {
            const struct short_rows rows = short_found_rows(e, from, a);
            short_step(p, &rows, sink, a);
        }
        sink->out += p->skip;
    }
}

/* Computes planes [i, end), which need guards: steps that would load beyond the view use copies. */
MAXIMA_INLINE void short_guarded_planes(const struct short_pools *p, const struct short_copies *c,
                                        int64_t i, int64_t end, struct short_sink *sink,
                                        struct short_kind a)
{
    const struct short_plan *plan = p->plan;
    const struct short_middle middle = plan->guarded;
    for (; i < end; i++) {
        const float *from = plan->call->image.data + i * plan->image_plane;
        for (int64_t row = 0; row < plan->out_rows; row += a.rows) {
            if (row == middle.first) {
                short_inner(p, short_begins(plan, from, row, a), (middle.end - row) / a.rows, sink,
                            a);
                row = middle.end;
                if (row >= plan->out_rows)
                    break;
            }
            const struct short_step step = short_copy(plan, c, i, row);
            const struct short_rows rows = short_found_rows(&step, c->scratch, a);
            short_step(p, &rows, sink, a);
        }
        sink->out += p->skip;
    }
}

/* Computes all planes. Each call has its own copy of what steps always need, so that it stays in
 * registers. */
MAXIMA_INLINE void short_planes(const struct short_pools *shared, const struct short_copies *c,
                                struct short_kind a)
{
    const struct short_pools own = *shared;
    const struct short_plan *plan = own.plan;
    struct short_sink sink = short_sink_new(own.map, own.gather, own.stream);
    int64_t first = 0, end = plan->begin;
    for (;;) { /* a loop, so that the code for guarded planes exists once */
        short_guarded_planes(&own, c, first, end, &sink, a);
        if (first > 0 || end == plan->planes)
            break;
        short_unguarded_planes(&own, &sink, a);
        first = plan->guarded_from;
        end = plan->planes;
    }
    short_finish(&sink);
}

static __attribute__((noinline, unused)) void short_paired(const struct short_pools *p,
                                                           const struct short_copies *c)
{
    const struct geometry *g = p->plan->call->geometry;
    if (g->kernel == 2 && g->stride == 1)
        short_planes(p, c, short_kind_of(2, 1, SHORT_PAIRED));
    else if (g->kernel == 2)
        short_planes(p, c, short_kind_of(2, 2, SHORT_PAIRED));
    else if (g->stride == 1)
        short_planes(p, c, short_kind_of(3, 1, SHORT_PAIRED));
    else
        short_planes(p, c, short_kind_of(3, 2, SHORT_PAIRED));
}

static __attribute__((noinline, unused)) void short_narrow(const struct short_pools *p,
                                                           const struct short_copies *c)
{
    const struct geometry *g = p->plan->call->geometry;
    if (g->kernel == 2 && g->stride == 1)
        short_planes(p, c, short_kind_of(2, 1, SHORT_NARROW));
    else if (g->kernel == 2)
        short_planes(p, c, short_kind_of(2, 2, SHORT_NARROW));
    else if (g->stride == 1)
        short_planes(p, c, short_kind_of(3, 1, SHORT_NARROW));
    else
        short_planes(p, c, short_kind_of(3, 2, SHORT_NARROW));
}

static __attribute__((noinline, unused)) void short_singles(const struct short_pools *p,
                                                            const struct short_copies *c)
{
    if (p->plan->call->geometry->kernel == 2)
        short_planes(p, c, short_kind_of(2, 1, SHORT_SINGLE));
    else
        short_planes(p, c, short_kind_of(3, 1, SHORT_SINGLE));
}

static __attribute__((noinline, unused)) void short_tiled(const struct short_pools *p,
                                                          const struct short_copies *c)
{
    const struct geometry *g = p->plan->call->geometry;
    if (g->kernel == 2 && g->stride == 1)
        short_planes(p, c, short_kind_of(2, 1, SHORT_TILED));
    else if (g->kernel == 2)
        short_planes(p, c, short_kind_of(2, 2, SHORT_TILED));
    else if (g->stride == 1)
        short_planes(p, c, short_kind_of(3, 1, SHORT_TILED));
    else
        short_planes(p, c, short_kind_of(3, 2, SHORT_TILED));
}

/* Rows of up to SHORT_CLOSE elements are so close together that the hardware prefetcher follows a
 * step through them. Longer rows need software prefetches. In rows of more than SHORT_WIDE elements
 * even these do not help: steps of one output row then read one image row after the other. */
enum { SHORT_CLOSE = 32, SHORT_WIDE = 128 };

/* A map that does not fit the caches is stored past them, and its image comes from memory. */

/* Computes the whole block. The scratch has rows for copies; `gather` has room for MAXIMA_GATHER
 * floats and begins on a cache line. */
static __attribute__((unused)) void
short_pool(const struct maxpool_call *call, struct maxima_room room, void *scratch, float *gather)
{
    const struct geometry *g = call->geometry;
    const bool contiguous = map_is_contiguous(call), stream = maxima_streams(g) && contiguous;
    const struct short_copies copies = {room, scratch};
    const struct short_plan plan = short_plan_make(call);
    const struct short_pools p = {.plan = &plan,
                                  .lanes = short_lanes_make(&plan),
                                  .floor = plan.floor,
                                  .stride = call->image.row_stride,
                                  .out_stride = call->map.row_stride,
                                  .skip = plan.skip,
                                  .map = map_row(&call->map, call->block.row),
                                  .gather = stream || SHORT_WHOLE ? gather : NULL,
                                  .stream = stream,
                                  .prefetches = stream && g->cols > SHORT_CLOSE,
                                  .row_by_row = stream && g->cols > SHORT_WIDE};
    if (short_form_of(g) == SHORT_NARROW)
        short_narrow(&p, &copies);
    else if (short_form_of(g) == SHORT_PAIRED)
        short_paired(&p, &copies);
    else if (short_form_of(g) == SHORT_SINGLE)
        short_singles(&p, &copies);
    else
        short_tiled(&p, &copies);
}

#else

MAXIMA_INLINE bool short_serves(const struct maxpool_call *call)
{
    (void)call;
    return false;
}

MAXIMA_INLINE void short_pool(const struct maxpool_call *call, struct maxima_room room,
                              void *scratch, float *gather)
{
    (void)gather;
    (void)call;
    (void)room;
    (void)scratch;
}

#endif
#endif
