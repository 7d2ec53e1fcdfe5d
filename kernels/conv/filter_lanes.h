/* The register tile of convolutions: a few output pixels (or tiles of them) by a micro-panel of
 * filters, which are the lanes of vectors. Filters usually fill whole vectors; the pixels of a
 * small map do not, so the height of a tile is chosen to divide the pixels evenly. The tile reads
 * single elements of the image and broadcasts each from its place: no window is packed. The sums of
 * a pixel are contiguous; they are transposed into the planes of the map when they are stored.
 * Included once per instruction set. */
#ifndef MAXPOOL_CONV_FILTER_LANES_H
#define MAXPOOL_CONV_FILTER_LANES_H

#include "kernels/conv/epilogue.h"
#include "kernels/conv/micro_panels.h"
#include "kernels/matmul/tile.h"

_Static_assert((int)WIDEST_MICRO_PANEL % TILE_COLS == 0 && (int)WIDEST_VECTOR >= LANES,
               "room for whole micro-panels and vectors");

/* Filters [first, first + count) of one micro-panel, and the bias of each; 0 without one. */
struct some_filters {
    int64_t first, count;
    float bias[TILE_COLS];
};

TILE_INLINE struct some_filters filters_from(const struct conv_call *call, int64_t first,
                                             int64_t count)
{
    struct some_filters f = {.first = first, .count = count};
    for (int64_t i = 0; i < TILE_COLS; i += LANES) {
        const int64_t n = call->bias ? smaller(larger(count - i, 0), LANES) : 0;
        vec_store(f.bias + i,
                  n > 0 ? vec_load_part(call->bias + first + i, n, vec_zero()) : vec_zero());
    }
    return f;
}

/* Pixels by TILE_COLS filters. Term t of pixel i is elements[at[t] + i * stride], with the stride
 * and the number of pixels that the functions below take; its filters are
 * filters[t * TILE_COLS ...]. After each `run` terms, `gap` terms are skipped; `terms` counts the
 * others, a multiple of `run`. The sums of consecutive pixels are `step` floats apart. */
struct pixel_tile {
    const float *elements;
    const int32_t *at;
    const float *filters;
    int64_t terms, run, gap;
    float *sums; /* pixels x TILE_COLS */
    int64_t step;
    const float
        *start; /* initial values of the TILE_COLS sums; NULL: the stored sums are continued */
    const float *next;       /* `share` floats that later tiles read: prefetched meanwhile, */
    int64_t share, per_term; /* `per_term` of them per term */
};

/* Floats to prefetch per term, so that `steps` terms prefetch all `floats`. 0 if there are no
 * terms, or more terms than floats: the floats are then reused often enough without it. */
TILE_INLINE int64_t floats_per_term(int64_t floats, int64_t steps)
{
    return steps == 0 || floats < steps ? 0 : (floats + steps - 1) / steps;
}

/* Prefetches the filters of a later term: where few pixels share them, they come from the
 * second-level cache or from further away. */
TILE_INLINE void prefetch_filters(const float *filters)
{
    enum { TERMS_AHEAD = 8, LINE = 16 };
    for (int i = 0; i < TILE_COLS; i += LINE)
        __builtin_prefetch(filters + TERMS_AHEAD * TILE_COLS + i, 0, 3);
}

/* Adds term k of one tile. `height`, `vectors` and `stride` are constants wherever this and
 * sum_pixels are inlined. */
TILE_INLINE void add_pixel_term(const struct pixel_tile *t, int64_t k, vec sums[][TILE_VECTORS],
                                int height, int vectors, int stride)
{
    const float *b = t->filters + k * TILE_COLS;
    vec filters[TILE_VECTORS];
    for (int v = 0; v < vectors; v++)
        filters[v] = vec_load(b + v * LANES);
    prefetch_filters(b);
    add_term(sums, t->elements + t->at[k], stride, filters, height, vectors);
}

/* Sums all terms of one tile. */
TILE_INLINE void sum_pixels(const struct pixel_tile *t, int height, int vectors, int stride)
{
    vec sums[TILE_TALLEST][TILE_VECTORS];
    int64_t k = 0;
    const float *next = t->next;
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            sums[i][v] = vec_load((t->start ? t->start : t->sums + i * t->step) + v * LANES);
    for (int64_t left = t->terms; left > 0; left -= t->run, k += t->gap)
        for (const int64_t end = k + t->run; k < end; k++, next += t->per_term) {
            __builtin_prefetch(next, 0, 2);
            add_pixel_term(t, k, sums, height, vectors, stride);
        }
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            vec_store(t->sums + i * t->step + v * LANES, sums[i][v]);
}

TILE_INLINE int at_most_tallest(int height)
{
    return height < TILE_TALLEST ? height : TILE_TALLEST;
}

TILE_INLINE void sum_pixels_of_height(const struct pixel_tile *t, int64_t height, int vectors,
                                      int stride)
{
    switch (height) {
    case 1:
        sum_pixels(t, 1, vectors, stride);
        break;
    case 2:
        sum_pixels(t, 2, vectors, stride);
        break;
    case 3:
        sum_pixels(t, 3, vectors, stride);
        break;
    case 4:
        sum_pixels(t, 4, vectors, stride);
        break;
    case 5:
        sum_pixels(t, 5, vectors, stride);
        break;
    case 6:
        sum_pixels(t, 6, vectors, stride);
        break;
    case 7:
        sum_pixels(t, at_most_tallest(7), vectors, stride);
        break;
    case 8:
        sum_pixels(t, at_most_tallest(8), vectors, stride);
        break;
    case 9:
        sum_pixels(t, at_most_tallest(9), vectors, stride);
        break;
    case 10:
        sum_pixels(t, at_most_tallest(10), vectors, stride);
        break;
    case 11:
        sum_pixels(t, at_most_tallest(11), vectors, stride);
        break;
    case 12:
        sum_pixels(t, at_most_tallest(12), vectors, stride);
        break;
    case 13:
        sum_pixels(t, at_most_tallest(13), vectors, stride);
        break;
    default:
        sum_pixels(t, TILE_TALLEST, vectors, stride);
    }
}

static void sum_micro_panel(const struct pixel_tile *t, int64_t height)
{
    sum_pixels_of_height(t, height, TILE_VECTORS, 1);
}

static void sum_half_micro_panel(const struct pixel_tile *t, int64_t height)
{
    sum_pixels_of_height(t, height, 1, 1);
}

static void sum_micro_panel_strided(const struct pixel_tile *t, int64_t height)
{
    sum_pixels_of_height(t, height, TILE_VECTORS, 2);
}

static void sum_half_micro_panel_strided(const struct pixel_tile *t, int64_t height)
{
    sum_pixels_of_height(t, height, 1, 2);
}

/* Sums `height` pixels whose elements are `stride` apart, 1 or 2, with all filters of the
 * micro-panel or the first half of them. */
TILE_INLINE void sum_tile(const struct pixel_tile *t, int64_t height, bool half, int64_t stride)
{
    if (stride == 2 && half)
        sum_half_micro_panel_strided(t, height);
    else if (stride == 2)
        sum_micro_panel_strided(t, height);
    else if (half)
        sum_half_micro_panel(t, height);
    else
        sum_micro_panel(t, height);
}

/* Sums `pixels` adjacent pixels, whose elements are `stride` apart, 1 or 2, in tiles of near-equal
 * height. Computes the first `filters` filters of the micro-panel; the sums of the others stay
 * unchanged where that is faster. */
TILE_INLINE void sum_all_pixels(struct pixel_tile *t, int64_t pixels, int64_t filters,
                                int64_t stride)
{
    int64_t parts = (pixels + TILE_TALLEST - 1) / TILE_TALLEST;
    t->per_term = floats_per_term(t->share, parts * t->terms);
    for (; parts > 0; parts--) {
        const int64_t height = (pixels + parts - 1) / parts;
        sum_tile(t, height, filters <= LANES, stride);
        t->elements += height * stride;
        t->next += t->per_term * t->terms;
        t->sums += height * t->step;
        pixels -= height;
    }
}

/* Pixels that are not all a stride apart: those of rows of `cols` pixels, `step` floats apart, rows
 * `line` floats apart. The next tile begins at (y, x). */
struct scattered {
    int64_t cols, step, line;
    int64_t y, x;
};

/* Sums all terms of `height` pixels, each of which has a pointer. Runs have no gaps. */
TILE_INLINE void sum_scattered(const struct pixel_tile *t, const float *const *pixels, int height,
                               int vectors)
{
    vec sums[TILE_TALLEST][TILE_VECTORS];
    const float *b = t->filters, *next = t->next, *pixel[TILE_TALLEST];
    const int64_t per_term = t->per_term;
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++) {
        pixel[i] = pixels[i];
        for (int v = 0; v < vectors; v++)
            sums[i][v] = vec_load((t->start ? t->start : t->sums + i * t->step) + v * LANES);
    }
    for (const int32_t *at = t->at, *const end = at + t->terms; at < end; at++, b += TILE_COLS) {
        vec filters[TILE_VECTORS];
        const int64_t term = *at;
        __builtin_prefetch(next, 0, 2);
        next += per_term;
        for (int v = 0; v < vectors; v++)
            filters[v] = vec_load(b + v * LANES);
        prefetch_filters(b);
        VECTOR_UNROLLED
        for (int i = 0; i < height; i++)
            for (int v = 0; v < vectors; v++)
                sums[i][v] = vec_multiply_add(vec_all(pixel[i][term]), filters[v], sums[i][v]);
    }
    VECTOR_UNROLLED
    for (int i = 0; i < height; i++)
        for (int v = 0; v < vectors; v++)
            vec_store(t->sums + i * t->step + v * LANES, sums[i][v]);
}

TILE_INLINE void sum_scattered_of_height(const struct pixel_tile *t, const float *const *pixels,
                                         int64_t height, int vectors)
{
    switch (height) {
    case 1:
        sum_scattered(t, pixels, 1, vectors);
        break;
    case 2:
        sum_scattered(t, pixels, 2, vectors);
        break;
    case 3:
        sum_scattered(t, pixels, 3, vectors);
        break;
    case 4:
        sum_scattered(t, pixels, 4, vectors);
        break;
    case 5:
        sum_scattered(t, pixels, 5, vectors);
        break;
    default:
        sum_scattered(t, pixels, TILE_TALLEST, vectors);
    }
}

static void sum_scattered_micro_panel(const struct pixel_tile *t, const float *const *pixels,
                                      int64_t height)
{
    sum_scattered_of_height(t, pixels, height, TILE_VECTORS);
}

static void sum_scattered_half(const struct pixel_tile *t, const float *const *pixels,
                               int64_t height)
{
    sum_scattered_of_height(t, pixels, height, 1);
}

/* Finds the next `height` pixels. */
TILE_INLINE void next_scattered(struct scattered *s, const float *elements, int64_t height,
                                const float *pixels[TILE_TALLEST])
{
    for (int64_t i = 0; i < height; i++) {
        pixels[i] = elements + s->y * s->line + s->x * s->step;
        if (++s->x == s->cols) {
            s->x = 0;
            s->y++;
        }
    }
}

/* Sums `count` pixels of several rows, in tiles of near-equal height: the same as
 * sum_all_pixels(). */
TILE_INLINE void sum_all_scattered(struct pixel_tile *t, struct scattered s, int64_t count,
                                   int64_t filters)
{
    int64_t parts = (count + TILE_TALLEST - 1) / TILE_TALLEST;
    t->per_term = floats_per_term(t->share, parts * t->terms);
    for (; parts > 0; parts--) {
        const int64_t height = (count + parts - 1) / parts;
        const float *pixels[TILE_TALLEST];
        next_scattered(&s, t->elements, height, pixels);
        if (filters <= LANES)
            sum_scattered_half(t, pixels, height);
        else
            sum_scattered_micro_panel(t, pixels, height);
        t->next += t->per_term * t->terms;
        t->sums += height * t->step;
        count -= height;
    }
}

/* Transposes the sums of `pixels` pixels (`step` floats apart, step >= 4), applies the epilogue and
 * stores them: each filter's pixels become contiguous, the first being output (y, x). May read sums
 * up to the next multiple of LANES pixels. */
TILE_INLINE void store_transposed(const struct conv_call *call, const struct some_filters *filters,
                                  const float *sums, int64_t step, int64_t y, int64_t x,
                                  int64_t pixels)
{
    const int64_t plane = call->map.plane_stride,
                  residual_plane = call->finish.residual.plane_stride;
    const float *added = residual_at(call, filters->first, y, x);
    float *to = map_row(&call->map, y) + filters->first * plane + x;
    const struct clamp_limits limits = clamp_limits_of(call);
    for (int64_t f = 0; f < filters->count; f += 4)
        for (int64_t q = 0; q < pixels; q += LANES) {
            const int64_t n = smaller(LANES, pixels - q);
            vec column[4];
            vec_columns4(sums + q * step + f, step, column);
            for (int64_t i = f; i < smaller(f + 4, filters->count); i++)
                vec_store_part(to + i * plane + q,
                               add_and_clamp(&limits, column[i - f],
                                             added ? added + i * residual_plane + q : NULL, n),
                               n);
        }
}

#endif
