/* What the methods that transform tiles share: with tiles d of elements, filters g and products
 * summed over the channels,
 *
 *   Y = A' [ sum of (G g G') . (B' d B) ] A
 *
 * (Lavin & Gray 2016, "Fast Algorithms for Convolutional Neural Networks", arXiv:1509.09308), so
 * that each place of a tile is a matrix product of its own: tiles x channels times channels x
 * filters. Filters are the lanes: they come in round numbers, the tiles of a small map do not. What
 * a method has of its own are its three transforms. Included once per instruction set. */
#ifndef MAXPOOL_CONV_WINOGRAD_CHUNKS_H
#define MAXPOOL_CONV_WINOGRAD_CHUNKS_H

#include "kernels/conv/filter_lanes.h"
#include "kernels/conv/windows.h"
#include "kernels/conv/winograd_tiles.h"

/* The most elements and outputs of a tile, and pixels of an output row that are turned round at a
 * time. */
enum {
    MOST_ELEMENTS = 36,
    MOST_SIDE = 4,
    RUN_PIXELS = LANES > 4 ? LANES : 4,
    RUN_COLS = TILE_COLS > 4 ? TILE_COLS : 4
};

struct chunk;

struct transforms {
    const struct tile_form *form;
    int64_t places[MOST_ELEMENTS]; /* of elements whose products end in a sum; all 0: one each */
    int64_t apart;                 /* channels whose products are summed apart; 0: all together */
    /* G g G' of one window of weights. */
    void (*filter)(const float g[9], float *u);
    /* B' d B of LANES tiles whose elements begin at column `first` of rows[0 ...] (NULL: zeros), to
     * element i of each at to[i * place ...]. */
    void (*elements)(const struct chunk *k, const float *const *rows, int64_t first, float *to);
    /* A' m A and `bias` of LANES filters, whose sum at place i lies at from[i * place ...]: pixel
     * (r, c) of the tile to to[(r * RUN_PIXELS + c) * RUN_COLS]. */
    void (*products)(const float *from, int64_t place, vec bias, float *to);
};

/* Tiles [first, first + count) of the call's, which are numbered row by row; one group. The rows of
 * tiles begin where outputs have a multiple of `side`, whatever rows the call has. */
struct chunk {
    const struct transforms *by;
    const struct conv_call *call;
    int64_t group, first, count;
    int64_t top;     /* first output row of the tiles, at most the call's */
    int64_t across;  /* tiles in a row */
    int64_t depth;   /* channels of the group */
    int64_t step;    /* tiles from channel to channel: at least count */
    int64_t place;   /* floats of the elements at one place: depth x step, and room for a vector */
    float *elements; /* form.elements places */
    float *products; /* form.sums places x step x TILE_COLS */
    int32_t *at;     /* of each channel in the elements at one place, or at the places of one sum */
};

/* ---- the filters, transformed once ---------------------------------------------------------- */

/* The micro-panel of TILE_COLS filters from filter f of the group on: for each place, for each
 * channel, its filters side by side. */
static int64_t packed_offset(const struct tile_form *form, const struct conv_shape *s,
                             int64_t group, int64_t f)
{
    return (group * micro_panel_filters(s) + f) * form->elements * (s->channels / s->groups);
}

static void pack_micro_panel(const struct transforms *by, const struct conv_shape *s,
                             const float *weights, int64_t filters, float *packed)
{
    const int64_t depth = s->channels / s->groups;
    float u[MOST_ELEMENTS];
    for (int64_t c = 0; c < depth; c++)
        for (int64_t f = 0; f < TILE_COLS; f++) {
            if (f < filters)
                by->filter(weights + (f * depth + c) * 9, u);
            for (int64_t place = 0; place < by->form->elements; place++)
                packed[(place * depth + c) * TILE_COLS + f] = f < filters ? u[place] : 0.0f;
        }
}

static void pack_filters(const struct transforms *by, const struct conv_shape *s,
                         const float *weights, float *packed)
{
    const int64_t filters = s->filters / s->groups, depth = s->channels / s->groups;
    for (int64_t g = 0; g < s->groups; g++)
        for (int64_t f = 0; f < filters; f += TILE_COLS)
            pack_micro_panel(by, s, weights + (g * filters + f) * depth * 9,
                             smaller(TILE_COLS, filters - f),
                             packed + packed_offset(by->form, s, g, f));
}

/* ---- elements ------------------------------------------------------------------------------- */

/* Columns 0 .. 5 of the elements of LANES neighbouring tiles, which begin at row[first] and lie
 * four elements apart; elements outside of [0, cols), and of no row, are 0. */
WINDOWS_INLINE void load_row_of_six(const float *row, int64_t first, int64_t cols, vec d[6])
{
    const bool inside = first >= 0 && first + 5 * LANES + 1 <= cols;
    vec a[4], next[2];
    for (int64_t i = 0; i < 4; i++)
        a[i] = !row     ? vec_zero()
               : inside ? vec_load(row + first + i * LANES)
                        : adjacent_elements(row, first + i * LANES, LANES, cols);
    for (int64_t i = 0; i < 2; i++)
        next[i] = !row     ? vec_zero()
                  : inside ? vec_load(row + first + 4 * LANES + i)
                           : adjacent_elements(row, first + 4 * LANES + i, LANES, cols);
    for (int i = 0; i < 2; i++) {
        const vec low = i == 0 ? vec_even(a[0], a[1]) : vec_odd(a[0], a[1]);
        const vec high = i == 0 ? vec_even(a[2], a[3]) : vec_odd(a[2], a[3]);
        d[i] = vec_even(low, high);
        d[i + 2] = vec_odd(low, high);
        d[i + 4] = vec_delay(d[i], next[i], LANES - 1);
    }
}

/* Row i of the elements of tile row y; NULL in the padding, and where only outputs above or below
 * the call's read it, since the call need not hold it. */
WINDOWS_INLINE const float *elements_row(const struct chunk *k, int64_t channel, int64_t y,
                                         int64_t i)
{
    const struct conv_call *call = k->call;
    const struct conv_shape *s = call->shape;
    const int64_t row = (k->top + y * k->by->form->side) * s->stride + i;
    const int64_t end = (call->row + call->rows - 1) * s->stride + s->kernel;
    return row >= call->row * s->stride && row < end ? channel_row(call, channel, row - s->padding)
                                                     : NULL;
}

/* `run` tiles of a row of tiles from tile `done` of the chunk on, which is tile x of row y. They
 * are read where they lie: elements copied first would have to leave the store queue, behind the
 * transformed ones, before they could be loaded. */
static void transform_run(const struct chunk *k, int64_t c, int64_t done, int64_t run)
{
    const struct conv_shape *s = k->call->shape;
    const int64_t channel = k->group * k->depth + c, apart = k->by->form->side * s->stride;
    const int64_t x = (k->first + done) % k->across, y = (k->first + done) / k->across;
    const float *rows[MOST_SIDE + 2];
    float *to = k->elements + c * k->step + done;
    for (int i = 0; i < MOST_SIDE + 2; i++)
        rows[i] = elements_row(k, channel, y, i);
    for (int64_t q = 0; q < run; q += LANES)
        k->by->elements(k, rows, apart * (x + q) - s->padding, to + q);
}

/* Vectors are stored whole: what they hold beyond a row of tiles is overwritten by the next row or
 * channel, and after the last there is room. */
static void transform_channel(const struct chunk *k, int64_t c)
{
    for (int64_t done = 0, run; done < k->count; done += run) {
        run = smaller(k->across - (k->first + done) % k->across, k->count - done);
        transform_run(k, c, done, run);
    }
}

/* ---- products ------------------------------------------------------------------------------- */

/* Places of elements whose products end in sum `sum`. */
WINDOWS_INLINE int64_t places_of(const struct transforms *by, int64_t sum)
{
    return by->places[0] > 0 ? by->places[sum] : 1;
}

/* Terms [begin, end) of a sum of the whole chunk, whose elements begin at `elements`, by a
 * micro-panel of filters. */
static void multiply_terms(const struct chunk *k, const float *elements, const float *filters,
                           int64_t begin, int64_t end, float *sums, int64_t count)
{
    static const float zeros[WIDEST_MICRO_PANEL];
    const int64_t floats = (end - begin) * TILE_COLS;
    struct pixel_tile t = {.elements = elements,
                           .at = k->at + begin,
                           .filters = filters + begin * TILE_COLS,
                           .terms = end - begin,
                           .run = end - begin,
                           .sums = sums,
                           .step = TILE_COLS,
                           .start = zeros,
                           .add = begin > 0,
                           .next = filters + end * TILE_COLS,
                           .share = floats};
    sum_all_pixels(&t, k->count, count);
}

/* All sums of the chunk. */
static void multiply_micro_panel(const struct chunk *k, const float *filters, int64_t count)
{
    const struct transforms *by = k->by;
    const float *elements = k->elements;
    for (int64_t sum = 0; sum < by->form->sums; sum++) {
        const int64_t places = places_of(by, sum), terms = places * k->depth;
        const int64_t apart = by->apart > 0 ? by->apart : terms;
        for (int64_t begin = 0; begin < terms; begin += apart)
            multiply_terms(k, elements, filters, begin, smaller(begin + apart, terms),
                           k->products + sum * k->step * TILE_COLS, count);
        elements += places * k->place;
        filters += terms * TILE_COLS;
    }
}

/* ---- outputs -------------------------------------------------------------------------------- */

/* The rows of outputs of some tiles, as the products leave them: filters side by side. */
struct outputs {
    float rows[MOST_SIDE][RUN_PIXELS][RUN_COLS];
};

/* Tiles [t, t + tiles) of the chunk, neighbours in a row of tiles, as far as their outputs lie in
 * the call's rows and the map. */
static void store_run(const struct chunk *k, int64_t t, int64_t tiles, const struct some_filters *f)
{
    const struct conv_call *call = k->call;
    const int64_t side = k->by->form->side, place = k->step * TILE_COLS;
    const int64_t y = k->top + (k->first + t) / k->across * side;
    const int64_t x = (k->first + t) % k->across * side;
    const int64_t pixels = smaller(side * tiles, call->shape->out_cols - x);
    struct outputs out;
    for (int64_t i = 0; i < tiles; i++)
        for (int64_t v = 0; v < TILE_COLS; v += LANES)
            k->by->products(k->products + (t + i) * TILE_COLS + v, place, vec_load(f->bias + v),
                            &out.rows[0][side * i][v]);
    for (int64_t r = larger(0, call->row - y); r < smaller(side, call->row + call->rows - y); r++)
        store_turned(call, f, out.rows[r][0], RUN_COLS, y + r, x, pixels);
}

static void store_micro_panel(const struct chunk *k, const struct some_filters *f)
{
    const int64_t most = RUN_PIXELS / k->by->form->side;
    for (int64_t t = 0; t < k->count;) {
        const int64_t left = k->across - (k->first + t) % k->across;
        const int64_t tiles = smaller(smaller(left, k->count - t), most);
        store_run(k, t, tiles, f);
        t += tiles;
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void compute_chunk(const struct chunk *k)
{
    const struct conv_shape *s = k->call->shape;
    const int64_t filters = s->filters / s->groups;
    for (int64_t c = 0; c < k->depth; c++)
        transform_channel(k, c);
    for (int64_t f = 0; f < filters; f += TILE_COLS) {
        const struct some_filters some =
            filters_from(k->call, k->group * filters + f, smaller(TILE_COLS, filters - f));
        multiply_micro_panel(k, k->call->packed + packed_offset(k->by->form, s, k->group, f),
                             some.count);
        store_micro_panel(k, &some);
    }
}

static void number_channels(struct chunk *k)
{
    const int64_t most = k->by->places[0] > 0 ? 4 : 1;
    for (int64_t p = 0; p < most; p++)
        for (int64_t c = 0; c < k->depth; c++)
            k->at[p * k->depth + c] = (int32_t)(p * k->place + c * k->step);
}

static void compute_tiles(const struct transforms *by, const struct conv_call *call, float *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t side = by->form->side, most = most_tiles(s, by->form);
    struct chunk k = {.by = by,
                      .call = call,
                      .top = call->row / side * side,
                      .across = tiles_along(s->out_cols, side),
                      .depth = s->channels / s->groups,
                      .elements = scratch};
    const int64_t tiles = tiles_along(call->row + call->rows - k.top, side) * k.across;
    const int64_t parts = (tiles + most - 1) / most;
    k.step = (tiles + parts - 1) / parts;
    k.place = k.depth * k.step + WIDEST_VECTOR;
    k.products = k.elements + by->form->elements * k.place;
    k.at = (int32_t *)(k.products + by->form->sums * k.step * TILE_COLS);
    number_channels(&k);
    for (k.group = 0; k.group < s->groups; k.group++)
        for (k.first = 0; k.first < tiles; k.first += k.step) {
            k.count = smaller(k.step, tiles - k.first);
            compute_chunk(&k);
        }
}

#endif
