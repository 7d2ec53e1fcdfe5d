/* Loads the elements that tiles read, one tile per lane: the tiles of a row, those of several rows
 * if the map is so small that one row leaves half of the lanes empty, or the same tile of several
 * images. What is computed from the elements is the same in every lane. Included once per
 * instruction set. */
#ifndef MAXPOOL_CONV_WINOGRAD_LANES_H
#define MAXPOOL_CONV_WINOGRAD_LANES_H

#include "kernels/conv/windows.h"
#include "kernels/conv/winograd/winograd_tiles.h"

#include <string.h>

/* The most elements from one tile to the next; the most rows of elements that a tile reads; the
 * most rows of tiles in a vector; and the most rows of elements that these read. */
enum {
    MOST_STEP = 4,
    MOST_TILE_ROWS = MOST_STEP + 2,
    MOST_JOINED = 4,
    MOST_ROWS = MOST_JOINED * MOST_STEP + 2
};

/* What the lanes are: adjacent tiles of a row, those of several rows of tiles, or the same tile of
 * several images. */
enum lanes_are { ADJACENT_TILES, JOINED_ROWS, IMAGES };

/* How rows of tiles share vectors. Where a row of tiles takes at most half of the lanes, and its
 * elements at most half of the vectors, a vector has several rows, each in an equal part of the
 * lanes. */
struct joined_rows {
    int64_t rows;         /* in a vector: 1, 2 or MOST_JOINED */
    int32_t next[LANES];  /* of each lane, that of the next tile in its row; LANES: none */
    int32_t tiles[LANES]; /* the lanes that have tiles, in order, and then any */
};

/* Where the elements of LANES tiles are. Lanes without an image may hold anything. */
struct tile_lanes {
    enum lanes_are are;
    const float *rows[MOST_ROWS]; /* from the first tile's first on; beyond MOST_TILE_ROWS only if
                                     JOINED_ROWS; NULL: zeros */
    int64_t first;                /* column where the first tile begins */
    int64_t cols;                 /* of the image */
    int64_t images;               /* if IMAGES: how many there are from the first lane on */
    int64_t image_stride;         /* floats from one image to the next */
    const struct joined_rows *joined;
};

/* ---- adjacent tiles ------------------------------------------------------------------------- */

/* d[i] has every fourth element of a, from element i on. */
WINDOWS_INLINE void separate_four(const vec a[4], vec d[4])
{
    for (int i = 0; i < 2; i++) {
        const vec low = i == 0 ? vec_even(a[0], a[1]) : vec_odd(a[0], a[1]);
        const vec high = i == 0 ? vec_even(a[2], a[3]) : vec_odd(a[2], a[3]);
        d[i] = vec_even(low, high);
        d[i + 2] = vec_odd(low, high);
    }
}

/* Columns 0 .. 5 of the elements of LANES adjacent tiles, which begin at row[first] and are four
 * elements apart. Elements outside [0, cols) are 0; if row is NULL, all are. */
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
    separate_four(a, d);
    for (int i = 0; i < 2; i++)
        d[i + 4] = vec_delay(d[i], next[i], LANES - 1);
}

/* Columns 0 .. 3 of the elements of LANES adjacent tiles that are two elements apart. */
WINDOWS_INLINE void load_row_of_four(const float *row, int64_t first, int64_t cols, vec d[4])
{
    const bool inside = first >= 0 && first + 2 * LANES + 2 <= cols;
    for (int j = 0; j < 4; j += 2) {
        const int64_t low = first + j, high = low + LANES;
        vec a = vec_zero(), b = vec_zero();
        if (row && inside) {
            a = vec_load(row + low);
            b = vec_load(row + high);
        } else if (row) {
            a = adjacent_elements(row, low, LANES, cols);
            b = adjacent_elements(row, high, LANES, cols);
        }
        d[j] = vec_even(a, b);
        d[j + 1] = vec_odd(a, b);
    }
}

/* ---- images ----------------------------------------------------------------------------------
 */

/* Loads IMAGE_COLS columns of a row from LANES images. If there are fewer images, the last one
 * fills the other lanes. */
WINDOWS_INLINE void load_images(const float *row, int64_t stride, int64_t images,
                                vec column[IMAGE_COLS])
{
    float copied[LANES * IMAGE_COLS];
    if (images >= LANES) {
        vec_columns4(row, stride, column);
        return;
    }
    for (int64_t n = 0; n < LANES; n++)
        memcpy(copied + n * IMAGE_COLS, row + smaller(n, images - 1) * stride,
               IMAGE_COLS * sizeof *copied);
    vec_columns4(copied, IMAGE_COLS, column);
}

/* Loads row i of a tile's elements, columns 0 .. count - 1, one image per lane. Columns outside the
 * image are 0: the nearest ones inside are loaded instead, and not used. */
WINDOWS_INLINE void load_row_of_images(const struct tile_lanes *t, int i, int count, vec *d)
{
    const int64_t cols = t->cols;
    for (int j = 0; j < count; j += IMAGE_COLS) {
        const int64_t from = windows_clamp(t->first + j, 0, cols - IMAGE_COLS);
        vec column[IMAGE_COLS];
        if (t->rows[i])
            load_images(t->rows[i] + from, t->image_stride, t->images, column);
        for (int c = j; c < count && c < j + IMAGE_COLS; c++) {
            const int64_t at = t->first + c;
            d[c] = t->rows[i] && at >= 0 && at < cols ? column[at - from] : vec_zero();
        }
    }
}

/* ---- joined rows -----------------------------------------------------------------------------
 */

/* How rows of `across` tiles share vectors, if images have `cols` columns. `step`: elements from
 * tile to tile, along rows and down. */
WINDOWS_INLINE struct joined_rows join_rows(int64_t across, int64_t cols, int64_t padding,
                                            int64_t step)
{
    struct joined_rows j = {.rows = 1};
    while (VECTOR_PICKS && j.rows < MOST_JOINED && across <= LANES / j.rows / 2 &&
           cols + padding <= step * (LANES / j.rows / 2))
        j.rows *= 2;
    for (int64_t lane = 0, part = LANES / j.rows; lane < LANES && j.rows > 1; lane++) {
        j.next[lane] = (int32_t)(lane % part == part - 1 ? LANES : lane + 1);
        j.tiles[lane] = (int32_t)smaller(lane / across * part + lane % across, LANES - 1);
    }
    return j;
}

#if VECTOR_PICKS

/* Row i of the elements of joined rows of tiles, as load_row_of_six and load_row_of_four load those
 * of one row. A row takes step / joined of the vectors, or half a vector if that is below 1;
 * join_rows() made sure that only zeros follow its elements there. */
WINDOWS_INLINE void load_joined(const struct tile_lanes *t, int i, int step, int joined, vec a[4])
{
    const bool halves = step < joined;
    const int vectors = halves ? 1 : step / joined, per_vector = halves ? 2 : 1;
    for (int n = 0; n < step; n++) {
        const float *const *row = t->rows + n / vectors * per_vector * step + i;
        const int64_t first = t->first + n % vectors * LANES;
        a[n] = *row ? adjacent_elements(*row, first, LANES, t->cols) : vec_zero();
        if (halves && row[step])
            a[n] = elements_or(row[step], first - LANES / 2, LANES, t->cols, a[n]);
    }
}

/* d[0], d[1] ... are the first `step` columns of joined rows of tiles; adds the two behind them,
 * which are the first ones of the next tile. */
WINDOWS_INLINE void add_next_columns(const struct tile_lanes *t, int step, vec *d)
{
    const vec_indices next = vec_indices_load(t->joined->next);
    for (int j = 0; j < 2; j++)
        d[j + step] = vec_pick(d[j], vec_zero(), next);
}

WINDOWS_INLINE void load_joined_four(const struct tile_lanes *t, int i, int joined, vec d[4])
{
    vec a[4];
    load_joined(t, i, 2, joined, a);
    d[0] = vec_even(a[0], a[1]);
    d[1] = vec_odd(a[0], a[1]);
    add_next_columns(t, 2, d);
}

WINDOWS_INLINE void load_joined_six(const struct tile_lanes *t, int i, int joined, vec d[6])
{
    vec a[4];
    load_joined(t, i, 4, joined, a);
    separate_four(a, d);
    add_next_columns(t, 4, d);
}

#endif

/* ---- any of these ----------------------------------------------------------------------------
 */

/* Stores what all tiles have at one place, without the lanes between joined rows. `are` is a
 * constant wherever this, load_six and load_four are inlined. */
WINDOWS_INLINE void store_place(const struct tile_lanes *t, enum lanes_are are, float *to, vec v)
{
    (void)t, (void)are;
#if VECTOR_PICKS
    if (are == JOINED_ROWS)
        v = vec_permute(v, vec_indices_load(t->joined->tiles));
#endif
    vec_store(to, v);
}

/* Loads row i, six elements, of every tile. */
WINDOWS_INLINE void load_six(const struct tile_lanes *t, enum lanes_are are, int i, vec d[6])
{
    if (are == IMAGES)
        load_row_of_images(t, i, 6, d);
#if VECTOR_PICKS
    else if (are == JOINED_ROWS && t->joined->rows == 2)
        load_joined_six(t, i, 2, d);
    else if (are == JOINED_ROWS)
        load_joined_six(t, i, 4, d);
#endif
    else
        load_row_of_six(t->rows[i], t->first, t->cols, d);
}

/* Loads row i, four elements, of every tile. */
WINDOWS_INLINE void load_four(const struct tile_lanes *t, enum lanes_are are, int i, vec d[4])
{
    if (are == IMAGES)
        load_row_of_images(t, i, 4, d);
#if VECTOR_PICKS
    else if (are == JOINED_ROWS && t->joined->rows == 2)
        load_joined_four(t, i, 2, d);
    else if (are == JOINED_ROWS)
        load_joined_four(t, i, 4, d);
#endif
    else
        load_row_of_four(t->rows[i], t->first, t->cols, d);
}

/* Defines the function `name`, which transforms elements. It calls `lanes`, which is inlined once
 * for each kind of lanes, a constant there. */
#define TRANSFORM_ELEMENTS(name, lanes)                                                            \
    static void name(const struct tile_lanes *tiles, float *to, int64_t place)                     \
    {                                                                                              \
        if (VECTOR_PICKS && tiles->are == JOINED_ROWS)                                             \
            lanes(tiles, JOINED_ROWS, to, place);                                                  \
        else if (tiles->are == IMAGES)                                                             \
            lanes(tiles, IMAGES, to, place);                                                       \
        else                                                                                       \
            lanes(tiles, ADJACENT_TILES, to, place);                                               \
    }

#endif
