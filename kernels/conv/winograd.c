/* F(2 x 2, 3 x 3): four outputs of a 3 x 3 window from 16 products a channel instead of 36. With
 * tiles d of 4 x 4 cells, filters g, and products summed over the channels,
 *
 *   Y = A' [ sum of (G g G') . (B' d B) ] A
 *
 *        1  0 -1  0        1   0   0         1  1  1  0
 *   B' = 0  1  1  0    G = .5  .5  .5   A' = 0  1 -1 -1
 *        0 -1  1  0        .5 -.5  .5
 *        0  1  0 -1        0   0   1
 *
 * so that each of the 16 places is a matrix product of its own: tiles x channels times channels x
 * filters. Filters are the lanes: they come in round numbers, the tiles of a small map do not.
 * Multiples of 1/4 stay exact, and so does the result on small integers. Source: Lavin & Gray
 * (2016), "Fast Algorithms for Convolutional Neural Networks", arXiv:1509.09308, section 4.1.
 */
#include "kernels/conv/filter_lanes.h"
#include "kernels/conv/windows.h"
#include "kernels/conv/winograd_cells.h"

/* ---- the filters, transformed once ---------------------------------------------------------- */

/* G g G', both steps by rows: t = G g, u = t G'. */
static void transform_filter(const float *g, float u[TILE_CELLS])
{
    float t[4][3];
    for (int j = 0; j < 3; j++) {
        t[0][j] = g[j];
        t[1][j] = 0.5f * (g[j] + g[3 + j] + g[6 + j]);
        t[2][j] = 0.5f * (g[j] - g[3 + j] + g[6 + j]);
        t[3][j] = g[6 + j];
    }
    for (int64_t i = 0; i < 4; i++) {
        u[i * 4] = t[i][0];
        u[i * 4 + 1] = 0.5f * (t[i][0] + t[i][1] + t[i][2]);
        u[i * 4 + 2] = 0.5f * (t[i][0] - t[i][1] + t[i][2]);
        u[i * 4 + 3] = t[i][2];
    }
}

/* The sliver of TILE_COLS filters from filter f of the group on: for each of the 16 places, for
 * each channel, its filters side by side. */
static int64_t packed_offset(const struct conv_shape *s, int64_t group, int64_t f)
{
    return (group * sliver_filters(s) + f) * TILE_CELLS * (s->channels / s->groups);
}

static void pack_sliver(const struct conv_shape *s, const float *weights, int64_t filters,
                        float *packed)
{
    const int64_t depth = s->channels / s->groups;
    float u[TILE_CELLS];
    for (int64_t c = 0; c < depth; c++)
        for (int64_t f = 0; f < TILE_COLS; f++) {
            if (f < filters)
                transform_filter(weights + (f * depth + c) * 9, u);
            for (int64_t place = 0; place < TILE_CELLS; place++)
                packed[(place * depth + c) * TILE_COLS + f] = f < filters ? u[place] : 0.0f;
        }
}

void ISA_FUNCTION(conv_winograd_pack)(const struct conv_shape *s, const float *weights,
                                      float *packed)
{
    const int64_t filters = s->filters / s->groups, depth = s->channels / s->groups;
    for (int64_t g = 0; g < s->groups; g++)
        for (int64_t f = 0; f < filters; f += TILE_COLS)
            pack_sliver(s, weights + (g * filters + f) * depth * 9, smaller(TILE_COLS, filters - f),
                        packed + packed_offset(s, g, f));
}

/* ---- a chunk of tiles ----------------------------------------------------------------------- */

/* Tiles [first, first + count) of the call's, which are numbered row by row; one group. */
struct chunk {
    const struct conv_call *call;
    int64_t group, first, count;
    int64_t depth;   /* channels of the group */
    int64_t step;    /* tiles from channel to channel: at least count */
    int64_t place;   /* floats of the cells at one place: depth x step, and room for a vector */
    float *cells;    /* 16 places */
    float *products; /* 16 places x step x TILE_COLS */
    int32_t *at;     /* of each channel in the cells at one place */
};

/* Columns 0 .. 3 of the cells of LANES neighbouring tiles, which begin at row[first] and lie two
 * cells apart; cells outside of [0, cols), and of no row, are 0. */
WINDOWS_INLINE void load_row(const float *row, int64_t first, int64_t cols, vec d[4])
{
    const bool inside = first >= 0 && first + 2 * LANES + 2 <= cols;
    for (int j = 0; j < 4; j += 2) {
        const int64_t low = first + j, high = low + LANES;
        vec a = vec_zero(), b = vec_zero();
        if (row && inside) {
            a = vec_load(row + low);
            b = vec_load(row + high);
        } else if (row) {
            a = adjacent_cells(row, low, LANES, cols);
            b = adjacent_cells(row, high, LANES, cols);
        }
        d[j] = vec_even(a, b);
        d[j + 1] = vec_odd(a, b);
    }
}

/* Row i of those that the call's outputs read; NULL in the padding, and where only outputs below
 * the call's read it, since the call need not hold it. */
WINDOWS_INLINE const float *cells_row(const struct chunk *k, int64_t channel, int64_t i)
{
    const struct conv_call *call = k->call;
    return i < call->rows + 2 ? channel_row(call, channel, call->row + i - call->shape->padding)
                              : NULL;
}

/* `run` tiles of a row of tiles from tile `done` of the chunk on, which is tile x of row y. They
 * are read where they lie: cells copied first would have to leave the store queue, behind the
 * transformed ones, before they could be loaded. */
static void transform_run(const struct chunk *k, int64_t c, int64_t done, int64_t run)
{
    const struct conv_shape *s = k->call->shape;
    const int64_t across = tiles_across(s), channel = k->group * k->depth + c;
    const int64_t x = (k->first + done) % across, y = (k->first + done) / across;
    const float *row[4];
    const int64_t place = k->place;
    float *to = k->cells + c * k->step + done;
    for (int i = 0; i < 4; i++)
        row[i] = cells_row(k, channel, 2 * y + i);
    for (int64_t q = 0; q < run; q += LANES) {
        vec d[4][4], cells[TILE_CELLS];
        for (int i = 0; i < 4; i++)
            load_row(row[i], 2 * (x + q) - s->padding, s->cols, d[i]);
        transform_cells((const vec(*)[4])d, cells);
        for (int64_t i = 0; i < TILE_CELLS; i++)
            vec_store(to + q + i * place, cells[i]);
    }
}

/* Vectors are stored whole: what they hold beyond a row of tiles is overwritten by the next row or
 * channel, and after the last there is room. */
static void transform_channel(const struct chunk *k, int64_t c)
{
    const int64_t across = tiles_across(k->call->shape);
    for (int64_t done = 0, run; done < k->count; done += run) {
        run = smaller(across - (k->first + done) % across, k->count - done);
        transform_run(k, c, done, run);
    }
}

/* ---- products ------------------------------------------------------------------------------- */

/* The whole chunk by a sliver of filters at one place. */
static void multiply_place(const struct chunk *k, int64_t place, const float *filters,
                           int64_t count)
{
    static const float zeros[WIDEST_SLIVER];
    const int64_t floats = k->depth * TILE_COLS;
    struct pixel_tile t = {.cells = k->cells + place * k->place,
                           .at = k->at,
                           .filters = filters,
                           .terms = k->depth,
                           .run = k->depth,
                           .sums = k->products + place * k->step * TILE_COLS,
                           .step = TILE_COLS,
                           .start = zeros,
                           .next = filters + floats,
                           .share = floats};
    sum_all_pixels(&t, k->count, count);
}

/* ---- outputs -------------------------------------------------------------------------------- */

/* Pixels of an output row that are turned round at a time. */
enum {
    RUN_PIXELS = LANES > 2 ? LANES : 2,
    RUN_TILES = RUN_PIXELS / 2,
    RUN_COLS = TILE_COLS > 4 ? TILE_COLS : 4
};

/* The 2 rows of outputs of RUN_TILES tiles, as the products leave them: filters side by side. */
struct outputs {
    float rows[2][RUN_PIXELS][RUN_COLS];
};

/* A' m A of tile t and what is added to it, for LANES filters. */
WINDOWS_INLINE void transform_products(const struct chunk *k, const float *from, vec bias,
                                       float *above, float *below)
{
    const int64_t place = k->step * TILE_COLS;
    vec s[2][4];
    for (int j = 0; j < 4; j++) {
        vec m[4];
        for (int64_t r = 0; r < 4; r++)
            m[r] = vec_load(from + (r * 4 + j) * place);
        s[0][j] = vec_add(vec_add(m[0], m[1]), m[2]);
        s[1][j] = vec_subtract(vec_subtract(m[1], m[2]), m[3]);
    }
    for (int r = 0; r < 2; r++) {
        const vec left = vec_add(vec_add(s[r][0], s[r][1]), s[r][2]);
        const vec right = vec_subtract(vec_subtract(s[r][1], s[r][2]), s[r][3]);
        vec_store(r == 0 ? above : below, vec_add(left, bias));
        vec_store((r == 0 ? above : below) + RUN_COLS, vec_add(right, bias));
    }
}

/* Tiles [t, t + tiles) of the chunk, neighbours in a row of tiles, as far as their outputs lie in
 * the call's rows and the map. */
static void store_run(const struct chunk *k, int64_t t, int64_t tiles, const struct some_filters *f)
{
    const struct conv_call *call = k->call;
    const int64_t across = tiles_across(call->shape);
    const int64_t y = (k->first + t) / across * 2, x = (k->first + t) % across * 2;
    const int64_t pixels = smaller(2 * tiles, call->shape->out_cols - x);
    struct outputs out;
    for (int64_t i = 0; i < tiles; i++)
        for (int64_t v = 0; v < TILE_COLS; v += LANES)
            transform_products(k, k->products + (t + i) * TILE_COLS + v, vec_load(f->bias + v),
                               &out.rows[0][2 * i][v], &out.rows[1][2 * i][v]);
    for (int64_t r = 0; r < smaller(2, call->rows - y); r++)
        store_turned(call, f, out.rows[r][0], RUN_COLS, call->row + y + r, x, pixels);
}

static void store_sliver(const struct chunk *k, const struct some_filters *f)
{
    const int64_t across = tiles_across(k->call->shape);
    for (int64_t t = 0; t < k->count;) {
        const int64_t left = across - (k->first + t) % across;
        const int64_t tiles = smaller(smaller(left, k->count - t), RUN_TILES);
        store_run(k, t, tiles, f);
        t += tiles;
    }
}

static void compute_chunk(const struct chunk *k)
{
    const struct conv_shape *s = k->call->shape;
    const int64_t filters = s->filters / s->groups;
    for (int64_t c = 0; c < k->depth; c++)
        transform_channel(k, c);
    for (int64_t f = 0; f < filters; f += TILE_COLS) {
        const float *packed = k->call->packed + packed_offset(s, k->group, f);
        const struct some_filters some =
            filters_from(k->call, k->group * filters + f, smaller(TILE_COLS, filters - f));
        for (int64_t place = 0; place < TILE_CELLS; place++)
            multiply_place(k, place, packed + place * k->depth * TILE_COLS, some.count);
        store_sliver(k, &some);
    }
}

void ISA_FUNCTION(conv_winograd)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t most = most_tiles(s);
    const int64_t tiles = (call->rows + 1) / 2 * tiles_across(s);
    const int64_t parts = (tiles + most - 1) / most;
    struct chunk k = {.call = call,
                      .depth = s->channels / s->groups,
                      .step = (tiles + parts - 1) / parts,
                      .cells = scratch};
    k.place = k.depth * k.step + WIDEST_VECTOR;
    k.products = k.cells + TILE_CELLS * k.place;
    k.at = (int32_t *)(k.products + TILE_CELLS * k.step * TILE_COLS);
    for (int64_t c = 0; c < k.depth; c++)
        k.at[c] = (int32_t)(c * k.step);
    for (k.group = 0; k.group < s->groups; k.group++)
        for (k.first = 0; k.first < tiles; k.first += k.step) {
            k.count = smaller(k.step, tiles - k.first);
            compute_chunk(&k);
        }
}
