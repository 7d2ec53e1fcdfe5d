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
 * so that each of the 16 places is a matrix product of its own: filters x channels times channels x
 * tiles. Multiples of 1/4 stay exact, and so does the result on small integers. Source: Lavin &
 * Gray (2016), "Fast Algorithms for Convolutional Neural Networks", arXiv:1509.09308, section 4.1.
 */
#include "kernels/conv/panels.h"
#include "kernels/conv/windows.h"
#include "kernels/conv/winograd_tiles.h"
#include "kernels/matmul/tile.h"

_Static_assert((int)FILTER_BLOCK % TILE_ROWS == 0 && (int)CHUNK_TILES % TILE_COLS == 0,
               "blocks hold whole slivers");

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

/* Floats of one group's transformed filters at one of the 16 places. */
static int64_t place_floats(const struct conv_shape *s)
{
    return padded_filters(s) * (s->channels / s->groups);
}

/* Slivers that end beyond the last filter hold zeros there. */
static void clear_padding(const struct conv_shape *s, float *packed)
{
    for (int64_t i = 0; i < s->groups * TILE_CELLS * place_floats(s); i++)
        packed[i] = 0.0f;
}

/* Slivers as matmul/tile.h reads them: for each channel the filters of the sliver. */
void ISA_FUNCTION(conv_winograd_pack)(const struct conv_shape *s, const float *weights,
                                      float *packed)
{
    const int64_t filters = s->filters / s->groups, depth = s->channels / s->groups;
    float u[TILE_CELLS];
    clear_padding(s, packed);
    for (int64_t f = 0; f < s->filters; f++) {
        const int64_t group = f / filters, of_group = f % filters;
        const int64_t sliver = of_group / TILE_ROWS * TILE_ROWS, row = of_group % TILE_ROWS;
        const int height = sliver_height(smaller(TILE_ROWS, filters - sliver));
        for (int64_t c = 0; c < depth; c++) {
            transform_filter(weights + (f * depth + c) * 9, u);
            for (int64_t place = 0; place < TILE_CELLS; place++) {
                float *to = packed + (group * TILE_CELLS + place) * place_floats(s);
                to[sliver * depth + c * height + row] = u[place];
            }
        }
    }
}

/* ---- a chunk of tiles ----------------------------------------------------------------------- */

/* Tiles [first, first + count) of the call's, which are numbered row by row; one group. */
struct chunk {
    const struct conv_call *call;
    int64_t group, first, count;
    float *cells;    /* 16 places x slivers of tiles x channels x TILE_COLS */
    float *products; /* 16 places x FILTER_BLOCK x CHUNK_TILES */
    float *rows;     /* 4 padded rows of the image */
};

/* B' d B of LANES neighbouring tiles, whose cells begin at each of the four rows. */
WINDOWS_INLINE void transform_cells(const float *const row[4], vec out[TILE_CELLS])
{
    vec d[4][4], t[4][4];
    for (int i = 0; i < 4; i++) {
        const vec a = vec_load(row[i]), b = vec_load(row[i] + LANES);
        const vec c = vec_load(row[i] + 2), e = vec_load(row[i] + 2 + LANES);
        d[i][0] = vec_even(a, b);
        d[i][1] = vec_odd(a, b);
        d[i][2] = vec_even(c, e);
        d[i][3] = vec_odd(c, e);
    }
    for (int j = 0; j < 4; j++) {
        t[0][j] = vec_subtract(d[0][j], d[2][j]);
        t[1][j] = vec_add(d[1][j], d[2][j]);
        t[2][j] = vec_subtract(d[2][j], d[1][j]);
        t[3][j] = vec_subtract(d[1][j], d[3][j]);
    }
    for (int i = 0; i < 4; i++) {
        out[i * 4] = vec_subtract(t[i][0], t[i][2]);
        out[i * 4 + 1] = vec_add(t[i][1], t[i][2]);
        out[i * 4 + 2] = vec_subtract(t[i][2], t[i][1]);
        out[i * 4 + 3] = vec_subtract(t[i][1], t[i][3]);
    }
}

/* Stores `count` tiles of channel c from tile `at` of the chunk on; they may lie in two slivers. */
WINDOWS_INLINE void store_cells(const struct chunk *k, int64_t c, int64_t at, int64_t count,
                                const vec cells[TILE_CELLS])
{
    const struct conv_shape *s = k->call->shape;
    const int64_t depth = s->channels / s->groups, place = CHUNK_TILES * depth;
    const int64_t here = smaller(count, TILE_COLS - at % TILE_COLS);
    float *to = k->cells + at / TILE_COLS * TILE_COLS * depth + c * TILE_COLS + at % TILE_COLS;
    for (int64_t i = 0; i < TILE_CELLS; i++)
        vec_store_part(to + i * place, cells[i], here);
    if (here == count)
        return;
    float lanes[LANES];
    to = k->cells + (at / TILE_COLS + 1) * TILE_COLS * depth + c * TILE_COLS;
    for (int64_t i = 0; i < TILE_CELLS; i++) {
        vec_store(lanes, cells[i]);
        for (int64_t q = here; q < count; q++)
            to[i * place + q - here] = lanes[q];
    }
}

/* The four image rows of a row of tiles, padded with zeros; the fourth is 0 as well where the
 * tile's second row of outputs is not asked for, since the call need not hold it. */
static void load_rows(const struct chunk *k, int64_t c, int64_t tile_row)
{
    const struct conv_shape *s = k->call->shape;
    const int64_t top = k->call->row + 2 * tile_row - s->padding, width = padded_row(s);
    const int64_t held = smaller(4, k->call->rows - 2 * tile_row + 2);
    for (int64_t i = 0; i < 4; i++)
        copy_cells(i < held ? channel_row(k->call, c, top + i) : NULL, -s->padding, width, 1,
                   s->cols, k->rows + i * width);
}

static void transform_channel(const struct chunk *k, int64_t c)
{
    const struct conv_shape *s = k->call->shape;
    const int64_t across = tiles_across(s), width = padded_row(s);
    const int64_t channel = k->group * (s->channels / s->groups) + c;
    for (int64_t done = 0; done < k->count;) {
        const int64_t tile = k->first + done, x = tile % across;
        const int64_t run = smaller(across - x, k->count - done);
        load_rows(k, channel, tile / across);
        for (int64_t q = 0; q < run; q += LANES) {
            const float *row[4];
            vec cells[TILE_CELLS];
            for (int64_t i = 0; i < 4; i++)
                row[i] = k->rows + i * width + 2 * (x + q);
            transform_cells(row, cells);
            store_cells(k, c, done + q, smaller(LANES, run - q), cells);
        }
        done += run;
    }
}

/* ---- products and outputs ------------------------------------------------------------------- */

/* Filters [f, f + filters) of the group at one place, over all tiles of the chunk. */
static void multiply_place(const struct chunk *k, int64_t place, int64_t f, int64_t filters)
{
    const struct conv_shape *s = k->call->shape;
    const int64_t depth = s->channels / s->groups;
    const float *packed =
        k->call->packed + (k->group * TILE_CELLS + place) * place_floats(s) + f * depth;
    const float *cells = k->cells + place * CHUNK_TILES * depth;
    float *products = k->products + place * FILTER_BLOCK * CHUNK_TILES;
    struct corner to = {.stride = CHUNK_TILES, .cols = TILE_COLS};
    for (int64_t t = 0; t < k->count; t += TILE_COLS, cells += depth * TILE_COLS)
        for (int64_t i = 0; i < filters; i += TILE_ROWS) {
            to.rows = smaller(TILE_ROWS, filters - i);
            to.c = products + i * CHUNK_TILES + t;
            tile_of_height(packed + i * depth, cells, TILE_COLS, depth, &to,
                           sliver_height(to.rows));
        }
}

/* A' m A of LANES tiles from tile t on, for filter i of the block. */
WINDOWS_INLINE void transform_products(const struct chunk *k, int64_t i, int64_t t, vec out[4])
{
    const float *from = k->products + i * CHUNK_TILES + t;
    vec s[2][4];
    for (int j = 0; j < 4; j++) {
        vec m[4];
        for (int64_t r = 0; r < 4; r++)
            m[r] = vec_load(from + (r * 4 + j) * FILTER_BLOCK * CHUNK_TILES);
        s[0][j] = vec_add(vec_add(m[0], m[1]), m[2]);
        s[1][j] = vec_subtract(vec_subtract(m[1], m[2]), m[3]);
    }
    for (int r = 0; r < 2; r++) {
        out[2 * r] = vec_add(vec_add(s[r][0], s[r][1]), s[r][2]);
        out[2 * r + 1] = vec_subtract(vec_subtract(s[r][1], s[r][2]), s[r][3]);
    }
}

/* The 2 x 2 outputs of one tile, as far as they lie in the call's rows and the map. */
static void store_tile(const struct chunk *k, float *plane, int64_t tile, const float outputs[4])
{
    const struct conv_call *call = k->call;
    const int64_t y = tile / tiles_across(call->shape) * 2;
    const int64_t x = tile % tiles_across(call->shape) * 2;
    for (int64_t r = 0; r < smaller(2, call->rows - y); r++) {
        float *out = plane + (y + r) * call->map.row_stride + x;
        out[0] = outputs[2 * r];
        if (x + 1 < call->shape->out_cols)
            out[1] = outputs[2 * r + 1];
    }
}

static void store_filter(const struct chunk *k, int64_t i, int64_t filter)
{
    const struct conv_call *call = k->call;
    float *plane = map_row(&call->map, call->row) + filter * call->map.plane_stride;
    const vec bias = vec_all(call->bias ? call->bias[filter] : 0.0f);
    float lanes[4][LANES];
    for (int64_t t = 0; t < k->count; t += LANES) {
        vec out[4];
        transform_products(k, i, t, out);
        for (int v = 0; v < 4; v++)
            vec_store(lanes[v], vec_add(out[v], bias));
        for (int64_t q = 0; q < smaller(LANES, k->count - t); q++) {
            const float outputs[4] = {lanes[0][q], lanes[1][q], lanes[2][q], lanes[3][q]};
            store_tile(k, plane, k->first + t + q, outputs);
        }
    }
}

static void compute_chunk(const struct chunk *k)
{
    const struct conv_shape *s = k->call->shape;
    const int64_t filters = s->filters / s->groups, depth = s->channels / s->groups;
    for (int64_t c = 0; c < depth; c++)
        transform_channel(k, c);
    for (int64_t f = 0; f < filters; f += FILTER_BLOCK) {
        const int64_t count = smaller(FILTER_BLOCK, filters - f);
        for (int64_t place = 0; place < TILE_CELLS; place++)
            multiply_place(k, place, f, count);
        for (int64_t i = 0; i < count; i++)
            store_filter(k, i, k->group * filters + f + i);
    }
}

void ISA_FUNCTION(conv_winograd)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t depth = s->channels / s->groups;
    const int64_t tiles = (call->rows + 1) / 2 * tiles_across(s);
    struct chunk k = {.call = call, .cells = scratch};
    k.products = k.cells + TILE_CELLS * CHUNK_TILES * depth;
    k.rows = k.products + TILE_CELLS * FILTER_BLOCK * CHUNK_TILES;
    for (int64_t i = 0; i < TILE_CELLS * CHUNK_TILES * depth; i += LANES)
        vec_store(k.cells + i, vec_zero()); /* lanes beyond the last tile are multiplied too */
    for (k.group = 0; k.group < s->groups; k.group++)
        for (k.first = 0; k.first < tiles; k.first += CHUNK_TILES) {
            k.count = smaller(CHUNK_TILES, tiles - k.first);
            compute_chunk(&k);
        }
}
