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

#include "kernels/maxpool/maxima.h"

#if VECTOR_PICKS

enum { SHORT_TILES = 8, SHORT_KERNEL = 3, SHORT_STRIDE = 2 };
enum { SHORT_REACH = SHORT_STRIDE + SHORT_KERNEL }; /* image rows of a step */

/* What the code of a step is compiled for. */
struct short_kind {
    int64_t k, s;
    int64_t rows; /* output rows of a step */
    bool pair;    /* they share a vector */
};

/* What all steps of a call share. Cells are counted in padded rows: cell 0 is where the first
 * window begins. Output rows are counted from the block's first. */
struct short_pools {
    const struct maxpool_call *call;
    const float *padding; /* a row of pad values, for rows outside the image */
    float *gather;        /* NULL, or room for outputs that gather */
    bool stream;          /* what gathered goes past the caches */
    bool fetch;           /* a step asks for all its cells first */
    bool apart;           /* a step takes its image rows one after the other */
    vec pad;
    vec_indices picks[SHORT_KERNEL];
    int64_t top;                     /* padded row 0 is this image row: it may be negative */
    int64_t middle, end;             /* output rows whose steps have all their image rows */
    int64_t tiles, outputs;          /* of a row; of a tile */
    int64_t first[SHORT_TILES];      /* output of the row that a tile begins with */
    vec_mask inside[SHORT_TILES][2]; /* cells of its two vectors that lie in the image */
    vec_mask stored[2];              /* outputs of one row, of two */
};

/* ---- which blocks -----------------------------------------------------------------------------
 */

/* Outputs whose windows lie within `cells` cells. */
MAXIMA_INLINE int64_t short_outputs(const struct geometry *g, int64_t cells)
{
    return (cells - g->kernel) / g->stride + 1;
}

MAXIMA_INLINE bool short_is_pair(const struct geometry *g)
{
    return 2 * g->out_cols <= LANES && g->out_cols <= short_outputs(g, LANES);
}

/* Most outputs of a tile. */
MAXIMA_INLINE int64_t short_tile(const struct geometry *g)
{
    return short_outputs(g, g->stride * LANES);
}

/* Rows that share image rows are made together. */
MAXIMA_INLINE struct short_kind short_kind_of(int64_t k, int64_t s, bool pair)
{
    return (struct short_kind){k, s, pair || s < k ? 2 : 1, pair};
}

/* Image rows from the first of a step to the last that `rows` output rows need. */
MAXIMA_INLINE int64_t short_reach(struct short_kind a, int64_t rows)
{
    return (rows - 1) * a.s + a.k;
}

/* True where windows are small and rows are short, and the block has them whole. */
MAXIMA_INLINE bool short_serves(const struct maxpool_call *call)
{
    const struct geometry *g = call->geometry;
    return g->kernel >= 2 && g->kernel <= SHORT_KERNEL && g->stride <= SHORT_STRIDE &&
           call->block.cols == g->out_cols && g->out_cols <= SHORT_TILES * short_tile(g);
}

/* ---- what a call's steps share ----------------------------------------------------------------
 */

/* Lanes of the vector from `cell` on that hold cells of the image, up to cell `end`. */
MAXIMA_INLINE vec_mask short_inside(const struct geometry *g, int64_t cell, int64_t end)
{
    const int64_t first = maxima_clamp(g->padding - cell, 0, LANES);
    const int64_t last = smaller(g->padding + g->cols, end) - cell;
    return vec_lanes(first, maxima_clamp(last, first, LANES));
}

/* Tiles of one size: the last is moved back to end where the row ends. */
MAXIMA_INLINE void short_make_tiles(struct short_pools *p, const struct geometry *g)
{
    const int64_t most = short_is_pair(g) ? g->out_cols : short_tile(g);
    p->tiles = (g->out_cols + most - 1) / most;
    p->outputs = (g->out_cols + p->tiles - 1) / p->tiles;
    for (int64_t i = 0; i < p->tiles; i++) {
        p->first[i] = smaller(i * p->outputs, g->out_cols - p->outputs);
        const int64_t cell = p->first[i] * g->stride;
        const int64_t end = cell + (p->outputs - 1) * g->stride + g->kernel;
        p->inside[i][0] = short_inside(g, cell, end);
        p->inside[i][1] = short_inside(g, cell + LANES, end);
    }
}

/* Output i of a tile takes cells i * s + t; those of the second row of a pair, of the second
 * vector. */
MAXIMA_INLINE void short_make_picks(struct short_pools *p, const struct geometry *g, bool pair)
{
    for (int64_t t = 0; t < g->kernel; t++) {
        int32_t cell[LANES];
        for (int64_t i = 0; i < LANES; i++) {
            const bool second = pair && i >= p->outputs;
            const int64_t output = second ? i - p->outputs : i;
            cell[i] = (int32_t)((second ? LANES : 0) + output * g->stride + t);
        }
        p->picks[t] = vec_indices_load(cell);
    }
    p->stored[0] = vec_lanes(0, p->outputs);
    p->stored[1] = vec_lanes(0, pair ? 2 * p->outputs : p->outputs);
}

/* Steps begin at every `rows`-th row of the block. */
MAXIMA_INLINE void short_make_rows(struct short_pools *p, const struct geometry *g, bool pair)
{
    const struct short_kind a = short_kind_of(g->kernel, g->stride, pair);
    const int64_t rows = p->call->block.rows;
    p->top = p->call->block.row * g->stride - g->padding;
    const int64_t above = p->top < 0 ? (-p->top + a.s - 1) / a.s : 0; /* rows that begin there */
    const int64_t room = g->rows - short_reach(a, a.rows) - p->top;
    const int64_t begins = room < 0 ? 0 : room / a.s + 1; /* rows where a step may begin */
    const int64_t first = (above + a.rows - 1) / a.rows, steps = (begins + a.rows - 1) / a.rows;
    const int64_t whole = smaller(steps, rows / a.rows);
    p->middle = smaller(first * a.rows, rows);
    p->end = whole > first ? whole * a.rows : p->middle;
}

/* Rows of up to this many cells lie so close together that the processor follows a step through
 * them; it has to be led through longer ones, and loses its way in those of more than the second
 * number whatever it is told. */
enum { SHORT_CLOSE = 32, SHORT_WIDE = 128 };

/* A map that does not fit the caches is stored past them, and its image comes from memory. Where
 * stores of some lanes alone take long, outputs gather in any case: there whole vectors are stored,
 * and what they hold beyond their outputs the next ones overwrite. */
enum { SHORT_WHOLE = VECTOR_PICKS > 1 };

MAXIMA_INLINE struct short_pools short_make(const struct maxpool_call *call, float *padding,
                                            float *gather)
{
    const struct geometry *g = call->geometry;
    const bool pair = short_is_pair(g);
    const bool follow =
        call->map.row_stride == g->out_cols &&
        (call->block.planes == 1 || call->map.plane_stride == g->out_rows * g->out_cols);
    struct short_pools p = {
        .call = call, .padding = padding, .pad = vec_all(geometry_pad_value(g))};
    p.stream = maxima_streams(g) && follow;
    p.gather = p.stream || (SHORT_WHOLE && follow) ? gather : NULL;
    p.fetch = p.stream && g->cols > SHORT_CLOSE;
    p.apart = p.stream && g->cols > SHORT_WIDE;
    short_make_tiles(&p, g);
    short_make_picks(&p, g, pair);
    short_make_rows(&p, g, pair);
    for (int64_t i = 0; i < (g->out_cols - 1) * g->stride + g->kernel; i++)
        padding[i] = geometry_pad_value(g);
    return p;
}

/* ---- where outputs go -------------------------------------------------------------------------
 */

/* Outputs are made in the order of the map. They go there at once, or gather first, so that whole
 * cache lines can go past the caches. */
struct short_sink {
    float *out;    /* where the next output is stored */
    float *gather; /* NULL, or where they gather: it begins as `line` does */
    float *line;   /* the next cache line of the map */
    int64_t lost;  /* its first floats, which are not the block's */
    bool stream;
};

/* Floats of a cache line; and those that gather before they go. */
enum { SHORT_LINE = 16, SHORT_FLUSH = MAXIMA_GATHER / 2 };

MAXIMA_INLINE struct short_sink short_sink_new(float *out, const struct short_pools *p)
{
    const int64_t past = (int64_t)((uintptr_t)out / sizeof *out % SHORT_LINE);
    if (!p->gather)
        return (struct short_sink){.out = out};
    return (struct short_sink){p->gather + past, p->gather, out - past, past, p->stream};
}

/* Floats [lost, end) of the line, which is not the block's as a whole. */
MAXIMA_INLINE void short_part(struct short_sink *sink, int64_t end)
{
    for (int64_t i = sink->lost; i < end; i++)
        sink->line[i] = sink->gather[i];
    sink->lost = 0;
}

/* Whole lines go; what is left moves to where the next line begins. */
MAXIMA_INLINE void short_flush(struct short_sink *sink)
{
    const int64_t whole = (sink->out - sink->gather) / SHORT_LINE * SHORT_LINE;
    int64_t i = 0;
    if (whole > 0 && sink->lost > 0) {
        short_part(sink, SHORT_LINE);
        i = SHORT_LINE;
    }
    if (sink->stream)
        for (; i < whole; i += LANES)
            vec_stream(sink->line + i, vec_load(sink->gather + i));
    for (; i < whole; i += LANES)
        vec_store(sink->line + i, vec_load(sink->gather + i));
    for (i = 0; i < SHORT_LINE; i += LANES)
        vec_store(sink->gather + i, vec_load(sink->gather + whole + i));
    sink->line += whole;
    sink->out -= whole;
}

MAXIMA_INLINE void short_finish(struct short_sink *sink)
{
    if (!sink->gather)
        return;
    short_flush(sink);
    short_part(sink, sink->out - sink->gather);
    if (sink->stream)
        vec_fence();
}

/* `outputs` more were stored. */
MAXIMA_INLINE void short_advance(struct short_sink *sink, int64_t outputs)
{
    sink->out += outputs;
    if (sink->gather && sink->out - sink->gather >= SHORT_FLUSH)
        short_flush(sink);
}

/* ---- steps ------------------------------------------------------------------------------------
 */

/* The image rows of a step, from their padded cell 0 on. */
struct short_rows {
    const float *row[SHORT_REACH];
};

/* Maxima down the columns, for the first output row of a step and the second. */
struct short_columns {
    vec upper, lower;
};

/* The columns of a vector from `cell` on. What both rows share is compared first in either. */
MAXIMA_INLINE struct short_columns short_down(const struct short_pools *p,
                                              const struct short_rows *rows, int64_t cell,
                                              vec_mask inside, struct short_kind a)
{
    vec cells[SHORT_REACH];
    VECTOR_UNROLLED
    for (int64_t t = 0; t < short_reach(a, a.rows); t++)
        cells[t] = vec_load_masked(rows->row[t] + cell, inside, p->pad);
    struct short_columns m = {cells[a.k - 1], cells[(a.rows - 1) * a.s]};
    VECTOR_UNROLLED
    for (int64_t t = a.k - 2; t >= 0; t--)
        m.upper = vec_max(cells[t], m.upper);
    VECTOR_UNROLLED
    for (int64_t t = a.s + 1; t < short_reach(a, a.rows); t++)
        m.lower = vec_max(m.lower, cells[t]);
    return m;
}

/* The outputs whose cells lie in two vectors. */
MAXIMA_INLINE vec short_along(const struct short_pools *p, vec first, vec second,
                              struct short_kind a)
{
    vec best = vec_pick(first, second, p->picks[0]);
    VECTOR_UNROLLED
    for (int64_t t = 1; t < a.k; t++)
        best = vec_max(best, vec_pick(first, second, p->picks[t]));
    return best;
}

/* Outputs at `to`; whole vectors where that spoils nothing. */
MAXIMA_INLINE void short_store(const struct short_pools *p, float *to, vec v, vec_mask outputs)
{
    if (SHORT_WHOLE && p->gather)
        vec_store(to, v);
    else
        vec_store_masked(to, v, outputs);
}

/* The `count` output rows of a step, at `out`. */
MAXIMA_INLINE void short_pair(const struct short_pools *p, const struct short_rows *rows,
                              float *out, int64_t count, struct short_kind a)
{
    const struct short_columns m = short_down(p, rows, 0, p->inside[0][0], a);
    short_store(p, out, short_along(p, m.upper, m.lower, a), p->stored[count - 1]);
}

/* The second row is stored when the first one is there: behind what that may spoil. */
MAXIMA_INLINE void short_tiles(const struct short_pools *p, const struct short_rows *rows,
                               float *out, int64_t count, struct short_kind a)
{
    vec below[SHORT_TILES];
    for (int64_t i = 0; i < p->tiles; i++) {
        const int64_t cell = p->first[i] * a.s;
        const struct short_columns m = short_down(p, rows, cell, p->inside[i][0], a);
        struct short_columns n = m;
        if (a.s > 1)
            n = short_down(p, rows, cell + LANES, p->inside[i][1], a);
        short_store(p, out + p->first[i], short_along(p, m.upper, n.upper, a), p->stored[0]);
        if (a.rows > 1)
            below[i] = short_along(p, m.lower, n.lower, a);
    }
    for (int64_t i = 0; i < p->tiles && count > 1; i++)
        short_store(p, out + p->call->map.row_stride + p->first[i], below[i], p->stored[0]);
}

/* The output row of a step, joined with one image row after the other, so that cells are read in
 * the order of memory. */
MAXIMA_INLINE void short_apart(const struct short_pools *p, const struct short_rows *rows,
                               float *out, struct short_kind a)
{
    for (int64_t t = 0; t < a.k; t++)
        for (int64_t i = 0; i < p->tiles; i++) {
            const float *cells = rows->row[t] + p->first[i] * a.s;
            float *at = out + p->first[i];
            const vec left = vec_load_masked(cells, p->inside[i][0], p->pad);
            const vec right = vec_load_masked(cells + LANES, p->inside[i][1], p->pad);
            vec best = short_along(p, left, right, a);
            if (t > 0)
                best = vec_max(best, vec_load_masked(at, p->stored[0], best));
            vec_store_masked(at, best, p->stored[0]);
        }
}

MAXIMA_INLINE void short_step(const struct short_pools *p, const struct short_rows *rows,
                              struct short_sink *sink, int64_t count, struct short_kind a)
{
    if (a.pair)
        short_pair(p, rows, sink->out, count, a);
    else if (a.rows == 1 && p->apart)
        short_apart(p, rows, sink->out, a);
    else
        short_tiles(p, rows, sink->out, count, a);
    short_advance(sink, count * p->call->map.row_stride);
}

/* Those of the step that begins at padded row `row`, of which `used` are needed. Rows outside the
 * image, and those that nothing needs, are the padding. */
MAXIMA_INLINE struct short_rows short_rows_at_edge(const struct short_pools *p, const float *image,
                                                   int64_t row, int64_t used, struct short_kind a)
{
    const int64_t stride = p->call->image.row_stride;
    struct short_rows rows;
    for (int64_t t = 0; t < short_reach(a, a.rows); t++) {
        const int64_t r = p->top + row + t;
        const bool inside = t < used && r >= 0 && r < p->call->geometry->rows;
        rows.row[t] = inside ? image + r * stride : p->padding;
    }
    return rows;
}

/* Output rows [row, end) of a plane whose image row 0 is at `image`, where image rows may lack. */
MAXIMA_INLINE void short_edge(const struct short_pools *p, const float *image,
                              struct short_sink *sink, int64_t row, int64_t end,
                              struct short_kind a)
{
    for (; row < end; row += a.rows) {
        const int64_t count = smaller(a.rows, end - row);
        const struct short_rows rows =
            short_rows_at_edge(p, image, row * a.s, short_reach(a, count), a);
        short_step(p, &rows, sink, count, a);
    }
}

/* Asks for the cells of a step in the order of memory. A step reads several rows side by side, in
 * which the processor sees no order that it could go on with. */
MAXIMA_INLINE void short_fetch(const float *cells, int64_t count)
{
    for (int64_t i = 0; i < count; i += 16)
        __builtin_prefetch(cells + i, 0, 3);
}

/* Output rows [middle, end). */
MAXIMA_INLINE void short_middle(const struct short_pools *p, const float *image,
                                struct short_sink *sink, struct short_kind a)
{
    const int64_t stride = p->call->image.row_stride, step = a.rows * a.s * stride;
    const float *at = image + (p->top + p->middle * a.s) * stride;
    for (int64_t row = p->middle; row < p->end; row += a.rows, at += step) {
        struct short_rows rows;
        VECTOR_UNROLLED
        for (int64_t t = 0; t < short_reach(a, a.rows); t++)
            rows.row[t] = at + t * stride;
        if (p->fetch)
            short_fetch(at, step);
        short_step(p, &rows, sink, a.rows, a);
    }
}

MAXIMA_INLINE void short_planes(const struct short_pools *p, struct short_kind a)
{
    const struct maxpool_call *call = p->call;
    const float *image = view_row(&call->image, 0) - call->geometry->padding;
    float *map = map_row(&call->map, call->block.row);
    struct short_sink sink = short_sink_new(map, p);
    for (int64_t i = 0; i < call->block.planes; i++) {
        if (!sink.gather)
            sink.out = map + i * call->map.plane_stride;
        short_edge(p, image, &sink, 0, p->middle, a);
        short_middle(p, image, &sink, a);
        short_edge(p, image, &sink, p->end, call->block.rows, a);
        image += call->image.plane_stride;
    }
    short_finish(&sink);
}

MAXIMA_INLINE void short_kernels(const struct short_pools *p, bool pair)
{
    const struct geometry *g = p->call->geometry;
    if (g->kernel == 2 && g->stride == 1)
        short_planes(p, short_kind_of(2, 1, pair));
    else if (g->kernel == 2)
        short_planes(p, short_kind_of(2, 2, pair));
    else if (g->stride == 1)
        short_planes(p, short_kind_of(3, 1, pair));
    else
        short_planes(p, short_kind_of(3, 2, pair));
}

/* The whole block. `padding` is a row of the scratch, `gather` room for MAXIMA_GATHER floats that
 * begins with a cache line. */
static __attribute__((unused)) void short_pool(const struct maxpool_call *call, float *padding,
                                               float *gather)
{
    const struct short_pools p = short_make(call, padding, gather);
    if (short_is_pair(call->geometry))
        short_kernels(&p, true);
    else
        short_kernels(&p, false);
}

#else

MAXIMA_INLINE bool short_serves(const struct maxpool_call *call)
{
    (void)call;
    return false;
}

MAXIMA_INLINE void short_pool(const struct maxpool_call *call, float *padding, float *gather)
{
    (void)gather;
    (void)call;
    (void)padding;
}

#endif
#endif
