/* What the methods that transform tiles share. With tiles d of elements, filters g and products
 * summed over the channels, the outputs of a tile are
 *
 *   Y = A' [ sum of (G g G') . (B' d B) ] A
 *
 * (Lavin & Gray 2016, "Fast Algorithms for Convolutional Neural Networks", arXiv:1509.09308). So
 * each place of a tile is a separate matrix product: tiles x channels times channels x filters.
 * Filters are the lanes: they usually fill whole vectors, the tiles of a small map do not. The
 * methods differ only in their three transforms. Included once per instruction set. */
#ifndef MAXPOOL_CONV_WINOGRAD_CHUNKS_H
#define MAXPOOL_CONV_WINOGRAD_CHUNKS_H

#include "kernels/conv/bands.h"
#include "kernels/conv/filter_lanes.h"
#include "kernels/conv/windows.h"
#include "kernels/conv/winograd/winograd_lanes.h"
#include "kernels/conv/winograd/winograd_parts.h"
#include "kernels/conv/winograd/winograd_tiles.h"

/* The most elements, and the most outputs along a side, of a tile; and pixels of an output row that
 * are transposed at a time. */
enum {
    MOST_ELEMENTS = 36,
    MOST_SIDE = 4,
    WINDOW = 9, /* weights */
    RUN_PIXELS = LANES > 4 ? LANES : 4,
    RUN_COLS = TILE_COLS > 4 ? TILE_COLS : 4
};

struct transforms {
    const struct tile_form *form;
    int64_t places[MOST_ELEMENTS]; /* for each sum, the places of elements whose products it sums;
                                      all 0: one each */
    bool in_parts;                 /* sums are added up in parts (winograd_parts.h) */
    /* G g G' of LANES windows of weights; stores element i of each to u[i * place ...]. */
    void (*filters)(const float g[WINDOW][LANES], float *u, int64_t place);
    /* B' d B of LANES tiles; stores element i of each to to[i * place ...]. */
    void (*elements)(const struct tile_lanes *tiles, float *to, int64_t place);
    /* A' m A plus `bias` of LANES filters, whose sums at place i are at from[i * place ...]; stores
     * pixel (r, c) of the tile to to[(r * RUN_PIXELS + c) * RUN_COLS]. */
    void (*products)(const float *from, int64_t place, vec bias, float *to);
};

/* Tiles [first, first + count) of the call, numbered row by row, of one group. Rows of tiles begin
 * at output rows that are multiples of `side`, whatever rows the call has. With several images, a
 * chunk has all their tiles: the first tile of every image, the second of every image, and so
 * on. */
struct chunk {
    const struct transforms *by;
    const struct conv_call *call; /* of one image, or of the first of several */
    int64_t images;
    int64_t group, first, count;
    int64_t top;    /* first output row of the tiles, at most the call's */
    int64_t across; /* tiles in a row */
    int64_t depth;  /* channels of the group */
    int64_t step;   /* tiles from channel to channel: at least count */
    int64_t place;  /* floats of the elements at one place: depth x step, and space for a vector */
    struct joined_rows joined; /* how rows of tiles share the lanes */
    float *elements;           /* form.elements places */
    float *products;           /* form.sums places x step x TILE_COLS */
    int32_t *at; /* offset of each channel at one place, or at all places of one sum */
};

/* ---- the filters, transformed once ---------------------------------------------------------- */

/* Offset of the micro-panel of TILE_COLS filters from filter f of the group on: for each place and
 * each channel, its filters are contiguous. */
static int64_t packed_offset(const struct tile_form *form, const struct conv_shape *s,
                             int64_t group, int64_t f)
{
    return (group * micro_panel_filters(s) + f) * form->elements * (s->channels / s->groups);
}

/* Transposes the windows of one channel of LANES filters, which are `stride` floats apart: g[i] has
 * weight i of each. Filters from `filters` on are 0. */
static void transpose_windows(const float *weights, int64_t stride, int64_t filters,
                              float g[WINDOW][LANES])
{
    static const int begins[] = {0, 4, WINDOW - 4}; /* first of four; the last overlap */
    for (int k = 0; k < 3 && filters >= LANES; k++) {
        vec column[4];
        vec_columns4(weights + begins[k], stride, column);
        for (int i = 0; i < 4; i++)
            vec_store(g[begins[k] + i], column[i]);
    }
    for (int i = 0; i < WINDOW && filters < LANES; i++)
        for (int64_t f = 0; f < LANES; f++)
            g[i][f] = f < filters ? weights[f * stride + i] : 0.0f;
}

/* Packs one micro-panel: at each place of each channel, TILE_COLS filters. */
static void pack_micro_panel(const struct transforms *by, const struct conv_shape *s,
                             const float *weights, int64_t filters, float *packed)
{
    const int64_t depth = s->channels / s->groups, place = depth * TILE_COLS;
    float g[WINDOW][LANES];
    for (int64_t c = 0; c < depth; c++)
        for (int64_t f = 0; f < TILE_COLS; f += LANES) {
            transpose_windows(weights + (f * depth + c) * WINDOW, depth * WINDOW, filters - f, g);
            by->filters((const float(*)[LANES])g, packed + c * TILE_COLS + f, place);
        }
}

static void pack_filters(const struct transforms *by, const struct conv_shape *s,
                         const float *weights, float *packed)
{
    const int64_t filters = s->filters / s->groups, depth = s->channels / s->groups;
    for (int64_t g = 0; g < s->groups; g++)
        for (int64_t f = 0; f < filters; f += TILE_COLS)
            pack_micro_panel(by, s, weights + (g * filters + f) * depth * WINDOW,
                             smaller(TILE_COLS, filters - f),
                             packed + packed_offset(by->form, s, g, f));
}

/* ---- elements ------------------------------------------------------------------------------- */

/* Row i of the elements of tile row y. NULL in the padding, and if only outputs above or below the
 * call's rows read it, since the call need not hold it. */
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

/* Elements from tile to tile, along rows and down. */
WINDOWS_INLINE int64_t tile_step(const struct chunk *k)
{
    return k->by->form->side * k->call->shape->stride;
}

/* Sets where tile x of tile row y of channel c is, as the first of the lanes. Leaves `images`, and
 * the rows of further rows of tiles, to the caller. */
WINDOWS_INLINE void find_tiles(const struct chunk *k, int64_t c, int64_t y, int64_t x,
                               enum lanes_are are, struct tile_lanes *t)
{
    t->are = are;
    t->first = tile_step(k) * x - k->call->shape->padding;
    t->cols = k->call->shape->cols;
    t->image_stride = k->call->image_strides.image;
    t->joined = &k->joined;
    for (int i = 0; i < MOST_TILE_ROWS; i++)
        t->rows[i] = elements_row(k, k->group * k->depth + c, y, i);
}

/* Transforms `run` tiles of a row of tiles, from tile `done` of the chunk on. Reads elements in
 * place: copies would have to leave the store queue, after the transformed elements, before they
 * could be loaded. */
static void transform_run(const struct chunk *k, int64_t c, int64_t done, int64_t run)
{
    const int64_t at = k->first + done;
    struct tile_lanes t;
    find_tiles(k, c, at / k->across, at % k->across, ADJACENT_TILES, &t);
    float *to = k->elements + c * k->step + done;
    for (int64_t q = 0; q < run; q += LANES, t.first += tile_step(k) * LANES)
        k->by->elements(&t, to + q, k->place);
}

/* Transforms `rows` whole rows of tiles, 2 .. k->joined.rows, in one vector, from tile `done` of
 * the chunk on, which begins a row. */
static void transform_joined(const struct chunk *k, int64_t c, int64_t done, int64_t rows)
{
    const int64_t y = (k->first + done) / k->across;
    const int64_t read = (rows - 1) * tile_step(k) + MOST_TILE_ROWS;
    struct tile_lanes t;
    find_tiles(k, c, y, 0, JOINED_ROWS, &t);
    for (int64_t i = MOST_TILE_ROWS; i < MOST_ROWS; i++)
        t.rows[i] = i < read ? elements_row(k, k->group * k->depth + c, y, i) : NULL;
    k->by->elements(&t, k->elements + c * k->step + done, k->place);
}

/* Transforms tile x of tile row y of every image. */
static void transform_images(const struct chunk *k, int64_t c, int64_t y, int64_t x)
{
    struct tile_lanes t;
    find_tiles(k, c, y, x, IMAGES, &t);
    float *to = k->elements + c * k->step + (y * k->across + x) * k->images;
    for (int64_t n = 0; n < k->images; n += LANES) {
        t.images = k->images - n;
        k->by->elements(&t, to + n, k->place);
        for (int i = 0; i < MOST_TILE_ROWS; i++)
            if (t.rows[i])
                t.rows[i] += LANES * t.image_stride;
    }
}

/* Transforms the tiles of one channel. Vectors are stored whole: the next row, tile or channel
 * overwrites what they hold beyond their tiles or beyond the images; after the last one there is
 * space. */
static void transform_channel(const struct chunk *k, int64_t c)
{
    if (k->images > 1) {
        for (int64_t t = 0; t < k->count / k->images; t++)
            transform_images(k, c, t / k->across, t % k->across);
        return;
    }
    for (int64_t done = 0, run; done < k->count; done += run) {
        const int64_t x = (k->first + done) % k->across, left = k->count - done;
        const int64_t rows = x > 0 ? 1 : smaller(k->joined.rows, left / k->across);
        run = rows > 1 ? rows * k->across : smaller(k->across - x, left);
        if (rows > 1)
            transform_joined(k, c, done, rows);
        else
            transform_run(k, c, done, run);
    }
}

/* ---- products ------------------------------------------------------------------------------- */

/* How many places of elements have their products in sum `sum`. */
WINDOWS_INLINE int64_t places_of(const struct transforms *by, int64_t sum)
{
    return by->places[0] > 0 ? by->places[sum] : 1;
}

/* Terms whose elements and filters stay in the first-level cache while all tiles of the chunk are
 * multiplied: of AVX2, whose loads for a multiply-add are twice as many, so that the second-level
 * cache is too slow for them. */
static int64_t terms_near(const struct chunk *k, int64_t terms)
{
    enum { NEAR_FLOATS = 6144, LEAST_TERMS = 64 };
    const int64_t near = larger(NEAR_FLOATS / (k->step + TILE_COLS), LEAST_TERMS);
    return TILE_BY_SET(terms, even_part(terms, near), terms);
}

/* Computes one sum of all tiles of the chunk by a micro-panel of filters. The elements of the sum
 * begin at `elements`. */
static void multiply_sum(const struct chunk *k, const float *elements, const float *filters,
                         int64_t terms, float *sums, int64_t count)
{
    static const float zeros[WIDEST_MICRO_PANEL];
    const int64_t step = k->by->in_parts ? terms : terms_near(k, terms);
    for (int64_t first = 0, some; first < terms; first += some) {
        some = smaller(step, terms - first);
        struct pixel_tile t = {.elements = elements,
                               .at = k->at + first,
                               .filters = filters + first * TILE_COLS,
                               .terms = some,
                               .run = some,
                               .sums = sums,
                               .step = TILE_COLS,
                               .start = first == 0 ? zeros : NULL,
                               .next = filters + (first + terms) * TILE_COLS,
                               .share = some * TILE_COLS};
        if (k->by->in_parts)
            sum_all_in_parts(&t, k->step, k->count, count);
        else
            sum_all_pixels(&t, k->count, count, 1);
    }
}

/* Computes all sums of the chunk. */
static void multiply_micro_panel(const struct chunk *k, const float *filters, int64_t count)
{
    const struct transforms *by = k->by;
    const float *elements = k->elements;
    for (int64_t sum = 0; sum < by->form->sums; sum++) {
        const int64_t places = places_of(by, sum), terms = places * k->depth;
        multiply_sum(k, elements, filters, terms, k->products + sum * k->step * TILE_COLS, count);
        elements += places * k->place;
        filters += terms * TILE_COLS;
    }
}

/* ---- outputs -------------------------------------------------------------------------------- */

/* The output rows of some tiles, as `products` stores them: the filters of a pixel are
 * contiguous. */
struct outputs {
    float rows[MOST_SIDE][RUN_PIXELS][RUN_COLS];
};

/* Adjacent tiles in a row of tiles of one image: the first one's number in the chunk, the distance
 * from one number to the next, and the first one's place among the tiles of the call's rows. */
struct tile_run {
    int64_t first, step, tiles;
    int64_t y, x;
};

/* Stores the outputs of a run that are in the call's rows and in the map. The call has one image.
 */
static void store_run(const struct chunk *k, const struct conv_call *call,
                      const struct tile_run *run, const struct some_filters *f)
{
    const int64_t side = k->by->form->side, place = k->step * TILE_COLS;
    const int64_t y = k->top + run->y * side, x = run->x * side;
    const int64_t pixels = smaller(side * run->tiles, call->shape->out_cols - x);
    const float *sums = k->products + run->first * TILE_COLS;
    struct outputs out;
    for (int64_t i = 0; i < run->tiles; i++, sums += run->step * TILE_COLS)
        for (int64_t v = 0; v < TILE_COLS; v += LANES)
            k->by->products(sums + v, place, vec_load(f->bias + v), &out.rows[0][side * i][v]);
    for (int64_t r = larger(0, call->row - y); r < smaller(side, call->row + call->rows - y); r++)
        store_transposed(call, f, out.rows[r][0], RUN_COLS, y + r, x, pixels);
}

/* Stores `count` tiles of an image from tile t on; run.first and run.step say where their sums
 * are. */
static void store_tiles(const struct chunk *k, const struct conv_call *call, int64_t t,
                        int64_t count, struct tile_run run, const struct some_filters *f)
{
    const int64_t most = RUN_PIXELS / k->by->form->side;
    for (int64_t end = t + count; t < end; t += run.tiles, run.first += run.tiles * run.step) {
        run.y = t / k->across;
        run.x = t % k->across;
        run.tiles = smaller(smaller(k->across - run.x, end - t), most);
        store_run(k, call, &run, f);
    }
}

static void store_micro_panel(const struct chunk *k, const struct some_filters *f)
{
    if (k->images == 1)
        store_tiles(k, k->call, k->first, k->count, (struct tile_run){.step = 1}, f);
    for (int64_t n = 0; k->images > 1 && n < k->images; n++) {
        const struct conv_call one = conv_call_image(k->call, n);
        store_tiles(k, &one, 0, k->count / k->images,
                    (struct tile_run){.first = n, .step = k->images}, f);
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

/* Computes all groups, `tiles` tiles each, in chunks of near-equal size, at most `most` tiles. */
static void compute_groups(struct chunk *k, int64_t tiles, int64_t most)
{
    const int64_t parts = (tiles + most - 1) / most;
    k->step = (tiles + parts - 1) / parts;
    k->place = k->depth * k->step + WIDEST_VECTOR;
    k->products = k->elements + k->by->form->elements * k->place;
    k->at = (int32_t *)(k->products + k->by->form->sums * k->step * TILE_COLS);
    number_channels(k);
    for (k->group = 0; k->group < k->call->shape->groups; k->group++)
        for (k->first = 0; k->first < tiles; k->first += k->step) {
            k->count = smaller(k->step, tiles - k->first);
            compute_chunk(k);
        }
}

/* The most tiles of a chunk of one image. Of AVX2 few elements: more filters pass over them, since
 * a micro-panel has half as many as that of AVX-512. */
static int64_t tiles_near(const struct conv_shape *s, const struct tile_form *f)
{
    enum { NEAR_FLOATS = CHUNK_FLOATS / 2 };
    const int64_t fitting = NEAR_FLOATS / f->elements / (s->channels / s->groups);
    const int64_t most = most_tiles(s, f);
    return TILE_BY_SET(most, smaller(most, larger(fitting, LEAST_CHUNK_TILES)), most);
}

/* Computes the whole call, as many images at a time as make one chunk. */
static void compute_tiles(const struct transforms *by, const struct conv_call *call, float *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t side = by->form->side, most = tiles_near(s, by->form);
    const int64_t images = larger(1, call->images), step = images_together(s, by->form, images);
    struct chunk k = {
        .by = by,
        .top = call->row / side * side,
        .across = tiles_along(s->out_cols, side),
        .joined = join_rows(tiles_along(s->out_cols, side), s->cols, s->padding, side * s->stride),
        .depth = s->channels / s->groups,
        .elements = scratch};
    const int64_t tiles = tiles_along(call->row + call->rows - k.top, side) * k.across;
    for (int64_t n = 0; n < images; n += step) {
        const struct conv_call some = conv_call_image(call, n);
        k.call = &some;
        k.images = smaller(step, images - n);
        compute_groups(&k, tiles * k.images, k.images > 1 ? tiles * k.images : most);
    }
}

#endif
