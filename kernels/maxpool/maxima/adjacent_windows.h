/* Adjacent windows (stride 1), computed a group of output rows at a time, from the image to the map
 * without a line in between.
 *
 * The windows of GROUP neighbouring output rows have all rows in common, except their first and
 * last ones. Down the columns, a group needs the maximum of the common rows once, the suffixes of
 * the rows above them and the prefixes of the rows below. This is van Herk's method with the group
 * as its block, but rows are read again for the next group instead of being kept: that costs a load
 * where keeping costs a store. For large windows the common rows are whole groups, whose maxima
 * form a sliding window.
 *
 * Along the row, registers hold for each of the group's rows the earlier values that windows need.
 * Rows of the map may begin anywhere in a cache line. If whole lines are stored past the caches and
 * a vector is a line, a row's outputs are shifted by as many lanes as alignment takes. Shorter
 * vectors are gathered, and each row's lines are stored one after the other: lines of several rows
 * that are stored half by half reach memory in parts. */
#ifndef MAXPOOL_ADJACENT_WINDOWS_H
#define MAXPOOL_ADJACENT_WINDOWS_H

#include "kernels/maxpool/maxima/maxima.h"
#include "kernels/maxpool/maxima/short_rows_sink.h"

enum {
    GROUP = VECTOR_REGISTERS >= 32 ? 4 : 2,
    GROUP_DIRECT = 2 * GROUP, /* windows up to this many rows are read whole for each group */
    GROUP_ROWS = GROUP_DIRECT + GROUP - 1,
    GROUP_PIECES = 3,  /* most pieces of reach LANES along the row; a line is faster for more */
    GROUP_FAR = 65536, /* most elements to the next group's row that is prefetched; */
    GROUP_NEAR = 1024, /* if it is further, elements of the same row are, this far ahead */
    GROUP_GATHERS =
        (int)LANES < (int)SHORT_LINE, /* outputs that bypass the caches are gathered first */
    GATHER_CHUNK = 128,               /* outputs of a row between two flushes */
    GATHER_FRONT = SHORT_LINE         /* space for lanes before the first output */
};

/* What one build of the loops is compiled for, all constants. */
struct adjacent {
    struct cover cover;
    int64_t kernel; /* 0: any that uses common groups */
    bool stream;
};

/* A group of output rows: its image rows, and where its outputs go. */
struct group {
    const struct strip *strip;
    /* Direct: rows [0, kernel + GROUP - 1) of the windows. Otherwise the first GROUP + rest rows of
     * the windows, then the GROUP rows after the rows that all windows have in common. */
    const float *rows[GROUP_ROWS + GROUP];
    int64_t rest;          /* rows of a window beyond whole groups: kernel % GROUP */
    float *place, *prefix; /* of the common groups, see group_common */
    bool begins;
    const float *const *newest; /* in `rows`: the rows that no earlier group read */
    int64_t ahead;              /* prefetch distance in elements */
    bool emits;        /* false: too few rows so far, only maxima of common groups are collected */
    float *out[GROUP]; /* where the vector of outputs computed at element 0 goes */
    int64_t past[GROUP];
};

/* The earlier values that windows ending in later vectors need, for each row of the group. */
struct group_along {
    struct slide slide[GROUP];
    vec before[GROUP]; /* outputs of the previous vector */
};

/* Returns the maximum of the groups that all windows have in common, then stores the newest group's
 * maximum among them. The places form consecutive blocks: a group that leaves the windows is
 * overwritten in place. */
MAXIMA_INLINE vec group_common(const struct group *g, vec newest, int64_t i)
{
    const vec suffix = vec_load(g->place + i), prefix = vec_load(g->prefix + i);
    vec_store(g->place + i, newest);
    vec_store(g->prefix + i, g->begins ? newest : vec_max(newest, prefix));
    return g->begins ? suffix : vec_max(suffix, prefix);
}

/* Computes the vertical maxima of windows of more than GROUP_DIRECT rows. */
MAXIMA_INLINE void columns_of_many(const struct group *g, int64_t i, bool edge, vec best[GROUP])
{
    const struct strip *p = g->strip;
    vec prefix[GROUP];
    prefix[0] = strip_load(p, g->newest[0], i, edge);
    VECTOR_UNROLLED
    for (int r = 1; r < GROUP; r++)
        prefix[r] = vec_max(prefix[r - 1], strip_load(p, g->newest[r], i, edge));
    vec suffix = group_common(g, prefix[GROUP - 1], i);
    for (int64_t r = 0; r < g->rest; r++)
        suffix = vec_max(suffix, strip_load(p, g->rows[GROUP + r], i, edge));
    VECTOR_UNROLLED
    for (int r = GROUP - 1; r >= 0; r--) {
        suffix = vec_max(suffix, strip_load(p, g->rows[r], i, edge));
        best[r] = r == 0 ? suffix : vec_max(suffix, prefix[r - 1]);
    }
}

/* The same for windows of GROUP .. GROUP_DIRECT rows. */
MAXIMA_INLINE void columns_of_some(const struct group *g, int64_t i, int64_t k, bool edge,
                                   vec best[GROUP])
{
    const struct strip *p = g->strip;
    vec suffix = strip_load(p, g->rows[GROUP - 1], i, edge);
    VECTOR_UNROLLED
    for (int64_t r = GROUP; r < k; r++)
        suffix = vec_max(suffix, strip_load(p, g->rows[r], i, edge));
    best[GROUP - 1] = suffix;
    VECTOR_UNROLLED
    for (int r = GROUP - 2; r >= 0; r--) {
        suffix = vec_max(suffix, strip_load(p, g->rows[r], i, edge));
        best[r] = suffix;
    }
    vec prefix = suffix;
    VECTOR_UNROLLED
    for (int r = 1; r < GROUP; r++) {
        const vec row = strip_load(p, g->rows[k - 1 + r], i, edge);
        prefix = r == 1 ? row : vec_max(prefix, row);
        best[r] = vec_max(best[r], prefix);
    }
}

/* The same for windows of fewer rows, in pairs of neighbouring windows, which have k - 1 rows in
 * common. */
MAXIMA_INLINE void columns_of_few(const struct group *g, int64_t i, int64_t k, bool edge,
                                  vec best[GROUP])
{
    vec row[2 * GROUP];
    VECTOR_UNROLLED
    for (int r = 0; r < GROUP + k - 1; r++)
        row[r] = strip_load(g->strip, g->rows[r], i, edge);
    VECTOR_UNROLLED
    for (int r = 0; r < GROUP; r += 2) {
        vec common = row[r + 1];
        VECTOR_UNROLLED
        for (int64_t t = 2; t < k; t++)
            common = vec_max(common, row[r + t]);
        best[r] = vec_max(row[r], common);
        best[r + 1] = vec_max(common, row[r + k]);
    }
}

MAXIMA_INLINE void group_columns(const struct group *g, int64_t i, struct adjacent h, bool edge,
                                 vec best[GROUP])
{
    if (h.kernel == 0)
        columns_of_many(g, i, edge, best);
    else if (h.kernel < GROUP)
        columns_of_few(g, i, h.kernel, edge, best);
    else
        columns_of_some(g, i, h.kernel, edge, best);
}

/* Processes one vector of columns from element i on: moved[r] becomes the vector to store in row r
 * of the group. */
MAXIMA_INLINE void group_step(const struct group *g, struct group_along *a, int64_t i,
                              struct adjacent h, bool edge, vec moved[GROUP])
{
    vec best[GROUP];
    group_columns(g, i, h, edge, best);
    VECTOR_UNROLLED
    for (int r = 0; r < GROUP; r++) {
        const vec ends = slide_step(&a->slide[r], best[r], h.cover);
        moved[r] = h.stream && !GROUP_GATHERS ? vec_delay(a->before[r], ends, g->past[r]) : ends;
        a->before[r] = ends;
    }
}

/* The same, then stores, where elements may be outside the image or outputs outside the strip. */
MAXIMA_INLINE void group_edge(const struct group *g, struct group_along *a, int64_t i,
                              struct adjacent h)
{
    vec moved[GROUP];
    group_step(g, a, i, h, true, moved);
    for (int r = 0; r < GROUP; r++) {
        const int64_t index = i - (g->strip->kernel - 1) - g->past[r];
        const int64_t first = maxima_clamp(-index, 0, LANES);
        const int64_t end = maxima_clamp(g->strip->outputs - index, first, LANES);
        vec_store_lanes(g->out[r] + i, moved[r], first, end);
    }
}

/* The same where all of them are inside. */
MAXIMA_INLINE void group_inside(const struct group *g, struct group_along *a, int64_t i,
                                struct adjacent h)
{
    vec moved[GROUP];
    group_step(g, a, i, h, false, moved);
    VECTOR_UNROLLED
    for (int r = 0; r < GROUP; r++)
        if (h.stream)
            vec_stream(g->out[r] + i, moved[r]);
        else
            vec_store(g->out[r] + i, moved[r]);
}

/* Prefetches the rows that the next group will be the first to read, or elements of the same rows
 * (group.ahead). */
MAXIMA_INLINE void group_ahead(const struct group *g, int64_t i, int64_t ahead)
{
    VECTOR_UNROLLED
    for (int r = 0; r < GROUP; r++)
        __builtin_prefetch(g->newest[r] + i + ahead, 0, 2);
}

MAXIMA_INLINE void group_begin(struct group_along *a)
{
    VECTOR_UNROLLED
    for (int r = 0; r < GROUP; r++) {
        a->slide[r] = (struct slide){widening_begin(), vec_zero(), vec_zero(), vec_zero()};
        a->before[r] = vec_zero();
    }
}

/* Like group_edge(), but gathers the outputs. */
MAXIMA_INLINE void gather_edge(const struct group *g, struct group_along *a, int64_t i,
                               struct adjacent h, struct short_sink sinks[GROUP])
{
    const int64_t index = i - (g->strip->kernel - 1);
    const int64_t first = maxima_clamp(-index, 0, LANES);
    const int64_t end = maxima_clamp(g->strip->outputs - index, first, LANES);
    vec moved[GROUP];
    group_step(g, a, i, h, true, moved);
    for (int r = 0; r < GROUP; r++) {
        vec_store(sinks[r].out - first, moved[r]);
        short_advance(&sinks[r], end - first);
    }
}

/* Like group_inside(), for the vectors from element i on, as many as there are, but at most a chunk
 * of them. Returns the element after them. */
MAXIMA_INLINE int64_t gather_chunk(const struct group *g, struct group_along *a, int64_t i,
                                   struct adjacent h, struct short_sink sinks[GROUP])
{
    const int64_t end = smaller(g->strip->end - LANES + 1, i + GATHER_CHUNK);
    float *to[GROUP];
    for (int r = 0; r < GROUP; r++)
        to[r] = sinks[r].out - i;
    for (; i < end; i += LANES) {
        vec moved[GROUP];
        group_ahead(g, i, g->ahead);
        group_step(g, a, i, h, false, moved);
        VECTOR_UNROLLED
        for (int r = 0; r < GROUP; r++)
            vec_store(to[r] + i, moved[r]);
    }
    for (int r = 0; r < GROUP; r++) {
        sinks[r].out = to[r] + i;
        short_flush(&sinks[r]);
    }
    return i;
}

/* Returns the element up to which vectors reach outside the image or the strip, at most `last`. */
MAXIMA_INLINE int64_t group_edge_end(const struct strip *p, int64_t last)
{
    const int64_t whole = p->kernel - 1 + LANES; /* from here on all lanes are outputs */
    return smaller(last, larger(p->inside, whole));
}

/* Processes all columns like group_along_columns(), but gathers the outputs. */
MAXIMA_INLINE void group_gathered(const struct group *g, int64_t first, struct adjacent h)
{
    _Alignas(64) float gather[GROUP][GATHER_FRONT + 2 * SHORT_FLUSH + GATHER_CHUNK];
    const struct strip *p = g->strip;
    struct short_sink sinks[GROUP];
    struct group_along a;
    group_begin(&a);
    for (int r = 0; r < GROUP; r++)
        sinks[r] = short_sink_new(g->out[r] + p->kernel - 1, gather[r] + GATHER_FRONT, true);
    int64_t i = first, stop = group_edge_end(p, p->elements);
    for (;; stop = p->elements) { /* a loop, so that the code for edges exists once */
        for (; i < stop; i += LANES)
            gather_edge(g, &a, i, h, sinks);
        if (stop == p->elements)
            break;
        while (i + LANES <= p->end)
            i = gather_chunk(g, &a, i, h, sinks);
    }
    for (int r = 0; r < GROUP; r++)
        short_last(&sinks[r]);
}

/* Processes all columns from element `first` on, which is up to a vector before element 0. */
MAXIMA_INLINE void group_along_columns(const struct group *g, int64_t first, struct adjacent h)
{
    const struct strip *p = g->strip;
    struct group_along a;
    if (h.stream && GROUP_GATHERS) {
        group_gathered(g, first, h);
        return;
    }
    group_begin(&a);
    const int64_t last = p->elements + (h.stream ? LANES - 1 : 0);
    int64_t i = first, stop = group_edge_end(p, last);
    for (;; stop = last) { /* a loop, so that the code for edges exists once */
        for (; i < stop; i += LANES)
            group_edge(g, &a, i, h);
        if (stop == last)
            return;
        for (; i + LANES <= p->end; i += LANES) {
            if (h.stream)
                group_ahead(g, i, g->ahead);
            group_inside(g, &a, i, h);
        }
    }
}

/* Processes a group that is too early for outputs: only stores its maxima among the common
 * groups. */
MAXIMA_INLINE void group_gather(const struct group *g, int64_t first)
{
    const struct strip *p = g->strip;
    for (int64_t i = first; i < p->elements; i += LANES) {
        vec best = strip_load(p, g->newest[0], i, true);
        for (int r = 1; r < GROUP; r++)
            best = vec_max(best, strip_load(p, g->newest[r], i, true));
        group_common(g, best, i);
    }
}

/* As group_along_columns(), with the kernel size, or its cover, as a constant. */
MAXIMA_INLINE void group_run(const struct group *g, int64_t first, bool stream)
{
    const int64_t k = g->strip->kernel;
    const struct cover c = maxima_cover(k, maxima_reach(k));
    switch (k) {
    case 2:
        group_along_columns(g, first, (struct adjacent){{2, 1, 0}, 2, stream});
        return;
    case 3:
        group_along_columns(g, first, (struct adjacent){{2, 2, 1}, 3, stream});
        return;
    case 4:
        group_along_columns(g, first, (struct adjacent){{4, 1, 0}, 4, stream});
        return;
#if VECTOR_GROUPS_OF_FOUR
    case 5:
        group_along_columns(g, first, (struct adjacent){{4, 2, 1}, 5, stream});
        return;
    case 6:
        group_along_columns(g, first, (struct adjacent){{4, 2, 2}, 6, stream});
        return;
    case 7:
        group_along_columns(g, first, (struct adjacent){{4, 2, 3}, 7, stream});
        return;
    case 8:
        group_along_columns(g, first, (struct adjacent){{8, 1, 0}, 8, stream});
        return;
#endif
    default:
        break;
    }
    if (c.reach == 4)
        group_along_columns(g, first, (struct adjacent){{4, c.pieces, c.last}, 0, stream});
    else if (c.reach == 8 && c.pieces == 1)
        group_along_columns(g, first, (struct adjacent){{8, 1, 0}, 0, stream});
    else if (c.reach == 8 && c.pieces == 2)
        group_along_columns(g, first, (struct adjacent){{8, 2, c.last}, 0, stream});
    else if (c.pieces == 1)
        group_along_columns(g, first, (struct adjacent){{LANES, 1, 0}, 0, stream});
    else if (c.pieces == 2)
        group_along_columns(g, first, (struct adjacent){{LANES, 2, c.last}, 0, stream});
    else
        group_along_columns(g, first, (struct adjacent){{LANES, 3, c.last}, 0, stream});
}

/* Rows of the scratch: padding, a row for unwanted outputs, the common groups' places and their
 * prefix. */
struct adjacent_room {
    struct maxima_room room;
    float *scratch;
    int64_t common; /* groups that all windows have in common, except the newest; 0: direct */
};

MAXIMA_INLINE const float *group_row(const struct strip *p, int64_t row)
{
    return row < p->rows ? strip_row(p, row) : p->padding;
}

/* Sets where outputs of row `row` of the block go: to the map, or to the scratch if the block has
 * no such row. */
MAXIMA_INLINE void group_out(struct group *g, const struct adjacent_room *v, int r, int64_t row,
                             int64_t first)
{
    const struct strip *p = g->strip;
    const bool wanted = row >= 0 && row < p->call->block.rows;
    float *out = wanted ? map_row(&p->call->map, p->call->block.row + row) + p->col
                        : room_row(v->room, v->scratch, 1);
    const uintptr_t at = (uintptr_t)out / sizeof(float) + (uintptr_t)(first - (p->kernel - 1));
    g->past[r] = p->stream && !GROUP_GATHERS ? (int64_t)(at % LANES) : 0;
    g->out[r] = out - (p->kernel - 1) - g->past[r];
}

/* Returns the element at which the vectors of columns begin, so that they are aligned if the
 * image's rows are. */
MAXIMA_INLINE int64_t group_first(const struct strip *p)
{
    const float *row = view_row(&p->call->image, p->top < 0 ? 0 : p->top) + p->left;
    return -(int64_t)((uintptr_t)row / sizeof(float) % LANES);
}

/* Prepares the group whose first output row is `row` of the block. */
static void group_make(struct group *g, const struct adjacent_room *v, const struct strip *p,
                       int64_t row, int64_t first)
{
    *g = (struct group){.strip = p, .emits = row >= 0};
    const int64_t k = p->kernel;
    for (int r = 0; r < GROUP; r++)
        group_out(g, v, r, row + r, first);
    g->ahead = prefetch_distance(&p->call->image, GROUP, GROUP_FAR, GROUP_NEAR);
    if (v->common == 0) {
        for (int64_t r = 0; r < k + GROUP - 1; r++)
            g->rows[r] = group_row(p, row + r);
        g->newest = g->rows + k - 1;
        return;
    }
    g->rest = k % GROUP;
    g->newest = g->rows + GROUP + g->rest;
    for (int64_t r = 0; r < GROUP + g->rest; r++)
        g->rows[r] = row + r >= 0 ? group_row(p, row + r) : p->padding;
    for (int64_t r = 0; r < GROUP; r++)
        g->rows[GROUP + g->rest + r] = group_row(p, row + k + r);
    const int64_t place = (row + k - g->rest) / GROUP % v->common;
    g->place = room_row(v->room, v->scratch, 2 + place);
    g->prefix = room_row(v->room, v->scratch, 2 + v->common);
    g->begins = place == 0;
}

/* Called when a block of common groups is complete: replaces its maxima by their suffixes, in
 * place. */
static void common_suffixes(const struct strip *p, const struct adjacent_room *v, int64_t first)
{
    for (int64_t m = v->common - 2; m >= 0; m--) {
        float *row = room_row(v->room, v->scratch, 2 + m);
        const float *below = room_row(v->room, v->scratch, 3 + m);
        for (int64_t i = first; i < p->elements; i += LANES)
            vec_store(row + i, vec_max(vec_load(row + i), vec_load(below + i)));
    }
}

static void adjacent_strip(const struct strip *p, const struct adjacent_room *v)
{
    const int64_t first = group_first(p);
    struct group g;
    const int64_t gathered = v->common == 0 ? 0 : p->kernel / GROUP * GROUP;
    for (int64_t row = -gathered; row < p->call->block.rows; row += GROUP) {
        group_make(&g, v, p, row, first);
        if (!g.emits)
            group_gather(&g, first);
        else if (p->stream)
            group_run(&g, first, true);
        else
            group_run(&g, first, false);
        if (v->common > 0 && (row + gathered) / GROUP % v->common == v->common - 1)
            common_suffixes(p, v, first);
    }
}

/* True for the windows that this file computes: the earlier values that they need fit in
 * registers. */
MAXIMA_INLINE bool adjacent_windows(const struct geometry *g)
{
    return LANES > 1 && g->stride == 1 && g->kernel >= 2 && g->kernel <= GROUP_PIECES * LANES;
}

static void adjacent_pool(const struct maxpool_call *call, void *scratch)
{
    const struct geometry *g = call->geometry;
    struct adjacent_room v = {.scratch = scratch};
    v.common = g->kernel > GROUP_DIRECT ? g->kernel / GROUP - 1 : 0;
    v.room = maxima_room(g, call->block.cols, maxima_adjacent_kept(g));
    for (int64_t c = 0; c < call->block.cols; c += v.room.outputs) {
        const struct strip p = strip_make(call, v.room, c, room_row(v.room, scratch, 0));
        adjacent_strip(&p, &v);
    }
    maxima_finish(g);
}

#endif
