/* A strip: the wanted rows of a panel by one micro-panel of Y, tile below tile. The sums of a tile
 * occupy the multipliers and little else. The rest of a distance's cost - its root, its store into
 * the map, and for a symmetric pair the transposed store - occupies the other units and memory. So
 * the rows of a tile are finished in small steps between the sums of the next tile. They are
 * transposed once ROWS_TOGETHER of them are finished, so that the transposed rows are whole
 * vectors, whose cache lines are adjacent. Included once per instruction set. */
#ifndef MAXPOOL_DISTANCES_STRIPS_H
#define MAXPOOL_DISTANCES_STRIPS_H

#include "kernels/distances/halves.h"
#include "kernels/distances/panels.h"
#include "kernels/matmul/tile.h"

_Static_assert((int)PANEL_ROWS_LEAST % TILE_ROWS == 0 && (int)PANEL_COLS % TILE_COLS == 0,
               "a panel holds whole micro-panels");

struct panel {
    const struct distances_call *call;
    const float *centre; /* subtracted from all points, or NULL */
    int64_t row, rows;   /* of the map */
    int64_t col, cols;   /* of the micro-panel */
    float *x, *y;
    float *x_squares, *y_squares; /* |x|^2, |y|^2; NULL: not wanted */
    float least;                  /* gram's limit, below which a pair is doubtful */
};

/* A tile whose first row is the panel's row i. Rows after the last point are those of a zero
 * point. */
struct tile_place {
    int64_t i;
    int64_t from, end; /* its wanted rows, counted as rows of the panel */
};

/* What `finish` found in the rows of a tile. None is doubtful if all lanes of `most` are below 0
 * and all lanes of `no_number` are 0. */
struct doubts {
    float most[LANES], no_number[LANES];
    float squares[TILE_ROWS][TILE_COLS]; /* of the distances, by row of the tile */
};

/* What a method does with a tile. */
struct tile_method {
    /* Adds the term of two coordinates to the sum of their points. */
    vec (*add)(vec sum, vec x, vec y);
    /* Turns the sums of the panel's row i into distances. */
    void (*finish)(const struct panel *p, int64_t i, float *row, struct doubts *doubts);
    /* Replaces the doubtful distances of a tile; NULL: there never are any. */
    void (*settle)(const struct panel *p, const struct tile_place *t, const struct doubts *doubts,
                   float *distances);
};

enum {
    TILES_TOGETHER = 4,
    ROWS_TOGETHER = TILES_TOGETHER * TILE_ROWS, /* rows that are transposed together */
    ROWS_KEPT = 2 * ROWS_TOGETHER,              /* rows in memory while the next are summed */
    TERMS_A_STEP = 8                            /* terms between two steps */
};

_Static_assert((int)ROWS_TOGETHER % LANES == 0, "transposed rows are whole vectors");

/* Rows count from the first row of the first tile, which is the panel's row `begin`. */
struct strip {
    const struct panel *p;
    int64_t begin;
    int64_t first, end; /* the wanted rows */
    bool mirrored;
    int64_t summed, finished; /* rows whose sums or distances are known: whole tiles */
    float *kept;              /* a ring buffer of the last ROWS_KEPT rows */
    struct doubts doubts;
};

TILE_INLINE float *kept_row(const struct strip *s, int64_t row)
{
    return s->kept + row % ROWS_KEPT * TILE_COLS;
}

TILE_INLINE float *map_of_row(const struct strip *s, int64_t row)
{
    return map_row(&s->p->call->map, s->p->row + s->begin + row) + s->p->col;
}

TILE_INLINE float *map_of_column(const struct strip *s, int64_t row, int64_t col)
{
    return map_row(&s->p->call->map, s->p->col + col) + s->p->row + s->begin + row;
}

/* ---- storing ------------------------------------------------------------------------------------
 */

TILE_INLINE void store_distances(float *to, const float *distances, int64_t cols)
{
    if (cols == TILE_COLS)
        for (int64_t q = 0; q < TILE_COLS; q += LANES)
            vec_store(to + q, vec_load(distances + q));
    else
        for (int64_t q = 0; q < cols; q += LANES)
            vec_store_part(to + q, vec_load(distances + q), smaller(LANES, cols - q));
}

TILE_INLINE void store_row_of_strip(const struct strip *s, int64_t row)
{
    if (row >= s->first && row < s->end)
        store_distances(map_of_row(s, row), kept_row(s, row), s->p->cols);
}

/* Transposes the wanted rows of [row, row + ROWS_TOGETHER) all at once. */
TILE_INLINE void transpose_rows(const struct strip *s, int64_t row)
{
    const int64_t first = larger(row, s->first), end = smaller(row + ROWS_TOGETHER, s->end);
    if (s->mirrored && first < end)
        store_columns(kept_row(s, first), TILE_COLS, end - first, s->p->cols,
                      map_of_column(s, first, 0), s->p->call->map.row_stride);
}

/* ---- prefetching --------------------------------------------------------------------------------
 */

/* Prefetches `floats` floats of the map into the second-level cache: the first level is full of
 * what the sums read. */
TILE_INLINE void prefetch_floats(const float *to, int64_t floats)
{
    enum { LINE = 16 };
    for (int64_t i = 0; i < floats; i += LINE)
        __builtin_prefetch(to + i, 1, 2);
    __builtin_prefetch(to + floats - 1, 1, 2);
}

/* Prefetches a row of the map for the tile whose sums are being added up, and some of the columns
 * into which the group of rows will be transposed. */
TILE_INLINE void prefetch_map(const struct strip *s, int64_t row)
{
    if (row >= s->first && row < s->end)
        prefetch_floats(map_of_row(s, row), s->p->cols);
    const int64_t step = row % ROWS_TOGETHER;
    const int64_t last = smaller(TILE_COLS * (step + 1) / ROWS_TOGETHER, s->p->cols);
    for (int64_t j = TILE_COLS * step / ROWS_TOGETHER; s->mirrored && j < last; j++)
        prefetch_floats(map_of_column(s, row - step, j), ROWS_TOGETHER);
}

/* Prefetches a point of the next micro-panel of Y, which is packed when this one is finished. */
TILE_INLINE void prefetch_point(const struct panel *p, int64_t point)
{
    const struct block *o = &p->call->block;
    const int64_t row = p->col + p->cols + point;
    enum { LINE = 16, LINES = 64 };
    if (point >= TILE_COLS || row >= o->col + o->cols)
        return;
    for (int64_t k = 0; k < smaller(p->call->dimensions, LINES * LINE); k += LINE)
        __builtin_prefetch(view_row(&p->call->y, row) + k, 0, 2);
}

/* ---- a tile -------------------------------------------------------------------------------------
 */

/* Whether a coordinate of X is read once for each vector of Y that it is combined with, as an
 * operand of the subtraction or multiplication itself: AVX-512 can do that. If it were first
 * broadcast to a register, it would be loaded only once, but by the units that subtract, which
 * would then have half as much again to do (Zen 4). */
enum { COORDINATES_FROM_MEMORY = LANES == 16 };

/* Where the second vector of Y reads the coordinates: the compiler must not see that the address is
 * the same. */
TILE_INLINE const float *coordinates_again(const float *x)
{
    return COORDINATES_FROM_MEMORY ? vec_hide_pointer(x) : x;
}

/* Adds the terms of some dimensions to the sums of a tile. */
TILE_INLINE void add_terms(vec sums[TILE_ROWS][TILE_VECTORS], const struct tile_method *m,
                           const float *x, const float *y, int64_t terms)
{
    const float *again = coordinates_again(x);
    for (int64_t k = 0; k < terms; k++) {
        const vec point[TILE_VECTORS] = {vec_load(y), vec_load(y + LANES)};
        const float *from[TILE_VECTORS] = {x, again};
        prefetch_micro_panels(x, TILE_ROWS, y, TILE_COLS);
        VECTOR_UNROLLED
        for (int i = 0; i < TILE_ROWS; i++)
            for (int v = 0; v < TILE_VECTORS; v++)
                sums[i][v] = m->add(sums[i][v], vec_all(from[v][i]), point[v]);
        x += TILE_ROWS;
        again += TILE_ROWS;
        y += TILE_COLS;
    }
}

/* Finishes one row of the previous tile, and prefetches what one row of this tile will need. */
TILE_INLINE void take_step(struct strip *s, const struct tile_method *m, int64_t step)
{
    const int64_t row = s->finished + step;
    prefetch_map(s, s->summed + step);
    if (row < s->summed) {
        m->finish(s->p, s->begin + row, kept_row(s, row), &s->doubts);
        store_row_of_strip(s, row);
    }
}

TILE_INLINE void clear_doubts(struct strip *s)
{
    vec_store(s->doubts.most, vec_all(-1.0f));
    vec_store(s->doubts.no_number, vec_zero());
}

TILE_INLINE bool any_doubt(const struct doubts *d)
{
    bool any = false;
    for (int64_t q = 0; q < LANES; q++)
        any = any || !(d->most[q] < 0.0f && d->no_number[q] == 0.0f);
    return any;
}

/* Replaces the doubtful distances of a tile that is otherwise finished, whose first row is `from`,
 * and stores its rows again. */
TILE_INLINE void settle_tile(const struct strip *s, const struct tile_method *m, int64_t from)
{
    const struct tile_place t = {s->begin + from, s->begin + larger(from, s->first),
                                 s->begin + smaller(from + TILE_ROWS, s->end)};
    m->settle(s->p, &t, &s->doubts, kept_row(s, from));
    for (int64_t i = from; i < from + TILE_ROWS; i++)
        store_row_of_strip(s, i);
}

/* Ends the previous tile after its last step. */
TILE_INLINE void end_steps(struct strip *s, const struct tile_method *m)
{
    if (s->finished == s->summed)
        return;
    if (m->settle && any_doubt(&s->doubts))
        settle_tile(s, m, s->finished);
    s->finished = s->summed;
    if (s->finished % ROWS_TOGETHER == 0)
        transpose_rows(s, s->finished - ROWS_TOGETHER);
}

/* Adds up the sums of the next tile, and meanwhile takes the steps of the previous one: one after
 * the other, with so many terms between them that no unit waits for another. */
TILE_INLINE void sum_tile(struct strip *s, const struct tile_method *m)
{
    vec sums[TILE_ROWS][TILE_VECTORS];
    const int64_t d = s->p->call->dimensions;
    const float *x = s->p->x + (s->begin + s->summed) * d, *y = s->p->y;
    clear_doubts(s);
    prefetch_point(s->p, s->summed / TILE_ROWS);
    clear_sums(sums, TILE_ROWS);
    int64_t step = 0, k = 0;
    for (; k + TERMS_A_STEP <= d; k += TERMS_A_STEP, step++) {
        if (step < TILE_ROWS)
            take_step(s, m, step);
        add_terms(sums, m, x + k * TILE_ROWS, y + k * TILE_COLS, TERMS_A_STEP);
    }
    add_terms(sums, m, x + k * TILE_ROWS, y + k * TILE_COLS, d - k);
    for (; step < TILE_ROWS; step++)
        take_step(s, m, step);
    const struct corner to = {
        .c = kept_row(s, s->summed), .stride = TILE_COLS, .rows = TILE_ROWS, .cols = TILE_COLS};
    store_sums(&to, (const vec(*)[TILE_VECTORS])sums, TILE_ROWS);
    end_steps(s, m);
    s->summed += TILE_ROWS;
}

/* ---- a strip ------------------------------------------------------------------------------------
 */

/* Finishes the last tile, and transposes the last group of rows. */
TILE_INLINE void finish_strip(struct strip *s, const struct tile_method *m)
{
    clear_doubts(s);
    for (int64_t step = 0; step < TILE_ROWS; step++)
        take_step(s, m, step);
    end_steps(s, m);
    if (s->finished % ROWS_TOGETHER != 0)
        transpose_rows(s, s->finished - s->finished % ROWS_TOGETHER);
}

/* Computes the panel's rows of a part by the micro-panel. The first tile may begin before them. */
TILE_INLINE void compute_part(const struct panel *p, const struct half *part,
                              const struct tile_method *m)
{
    float kept[(ROWS_KEPT + LANES) * TILE_COLS + 4]; /* store_columns reads beyond */
    const int64_t first = larger(part->first - p->row, 0);
    const int64_t end = smaller(part->end - p->row, p->rows);
    if (first >= end)
        return;
    struct strip s = {
        .p = p, .begin = first / TILE_ROWS * TILE_ROWS, .mirrored = part->mirrored, .kept = kept};
    s.first = first - s.begin;
    s.end = end - s.begin;
    while (s.summed < s.end)
        sum_tile(&s, m);
    finish_strip(&s, m);
}

#endif
