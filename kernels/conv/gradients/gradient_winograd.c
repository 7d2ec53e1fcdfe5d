/* F(3 x 3, 2 x 2): the gradient of 3 x 3 weights at stride 1 from 16 products for each tile of 2 x
 * 2 output gradients instead of 36. With tiles e of output gradients, the 4 x 4 elements d under
 * their windows, and products summed over all tiles,
 *
 *   dW = A' [ sum of (G e G') . (B' d B) ] A
 *
 *        1  0 -1  0        1   0         1  1  1  0
 *   B' = 0  1  1  0    G = .5  .5   A' = 0  1 -1  0
 *        0 -1  1  0        .5 -.5        0  1  1 -1
 *        0  1  0 -1        0   1
 *
 * So each of the 16 places is a separate matrix product: filters x tiles times tiles x channels.
 * The sums over tiles come before A, which is applied once for all images. B is that of
 * F(2 x 2, 3 x 3), the forward direction, and G and A follow from it. Source: Lavin & Gray (2016),
 * "Fast Algorithms for Convolutional Neural Networks", arXiv:1509.09308, section 4.1. */
#include "kernels/conv/gradients/bias_gradient_sum.h"
#include "kernels/conv/gradients/gradient_winograd_cut.h"
#include "kernels/conv/winograd/winograd_elements.h"
#include "kernels/matmul/tile.h"

#include <string.h>

_Static_assert((int)GRADIENT_WIDTH % TILE_COLS == 0 && (int)GRADIENT_LANES % LANES == 0 &&
                   (int)GRADIENT_LANES >= TILE_ROWS,
               "rows of channels and filters hold whole vectors");

enum { KERNEL = 3, PLACES = KERNEL * KERNEL };

/* Rows [row, row + rows) of tiles of images [image, image + images), all channels of a group by
 * `filters` filters. */
struct part {
    const struct conv_weight_gradient *call;
    struct gradient_tiles tiles;
    int64_t group, filter, filters;
    int64_t image, images, row, rows;
    float *elements, *d_output;   /* channels, and filters, are contiguous */
    float *transformed, *factors; /* B' d B and G e G': 16 places x tiles x channels, x filters */
    float *sums;                  /* 16 places x filters x channels */
};

static int64_t depth_of(const struct part *p)
{
    return p->call->shape->channels / p->call->shape->groups;
}

/* ---- packing --------------------------------------------------------------------------------- */

/* Transposes one row of `planes` planes, which are `plane_stride` floats apart, into elements of
 * `width` floats. */
static void transpose_row(const float *from, int64_t plane_stride, int64_t planes, int64_t cols,
                          float *to, int64_t width)
{
    const int64_t vectors = planes / LANES * LANES, whole = cols / 4 * 4;
    store_columns(from, plane_stride, vectors, whole, to, width);
    for (int64_t plane = 0; plane < planes; plane++)
        for (int64_t x = plane < vectors ? whole : 0; x < cols; x++)
            to[x * width + plane] = from[plane * plane_stride + x];
}

/* Packs the elements of image n, with zeros on all sides. */
static void pack_elements(const struct part *p, int64_t n, float *to)
{
    const struct conv_shape *s = p->call->shape;
    const struct conv_images *images = &p->call->image;
    const int64_t width = p->tiles.channels, line = (2 * p->tiles.across + 2) * width;
    const float *image =
        images->data + n * images->image_stride + p->group * depth_of(p) * images->channel_stride;
    for (int64_t i = 0; i < 2 * p->rows + 2; i++, to += line) {
        const int64_t row = 2 * p->row + i - s->padding;
        memset(to, 0, (size_t)line * sizeof *to);
        if (row >= 0 && row < s->rows)
            transpose_row(image + row * images->row_stride, images->channel_stride, depth_of(p),
                          s->cols, to + s->padding * width, width);
    }
}

static void pack_d_output(const struct part *p, int64_t n, float *to)
{
    const struct conv_shape *s = p->call->shape;
    const int64_t plane = s->out_rows * s->out_cols, width = p->tiles.filters;
    const int64_t line = 2 * p->tiles.across * width;
    const float *d_output = p->call->d_output + (n * s->filters + p->filter) * plane;
    for (int64_t i = 0; i < 2 * p->rows; i++, to += line) {
        const int64_t row = 2 * p->row + i;
        memset(to, 0, (size_t)line * sizeof *to);
        if (row < s->out_rows)
            transpose_row(d_output + row * s->out_cols, plane, p->filters, s->out_cols, to, width);
    }
}

/* ---- transforms ------------------------------------------------------------------------------ */

/* Transforms LANES channels of one tile: four rows of four elements, `line` floats from row to
 * row. */
static void transform_tile_elements(const float *from, int64_t width, int64_t line, float *to,
                                    int64_t place)
{
    vec d[4][4], out[TILE_ELEMENTS];
    for (int64_t i = 0; i < 4; i++)
        for (int64_t j = 0; j < 4; j++)
            d[i][j] = vec_load(from + i * line + j * width);
    transform_elements((const vec(*)[4])d, out);
    for (int64_t i = 0; i < TILE_ELEMENTS; i++)
        vec_store(to + i * place, out[i]);
}

/* Computes G times two values. */
WINDOWS_INLINE void spread(vec a, vec b, vec out[4])
{
    const vec half = vec_all(0.5f);
    out[0] = a;
    out[1] = vec_multiply(half, vec_add(a, b));
    out[2] = vec_multiply(half, vec_subtract(a, b));
    out[3] = b;
}

/* Computes G e G' of LANES filters of one tile. */
static void transform_tile_d_output(const float *from, int64_t width, int64_t line, float *to,
                                    int64_t place)
{
    vec left[4], right[4], row[4];
    spread(vec_load(from), vec_load(from + line), left);
    spread(vec_load(from + width), vec_load(from + line + width), right);
    for (int64_t i = 0; i < 4; i++) {
        spread(left[i], right[i], row);
        for (int64_t j = 0; j < 4; j++)
            vec_store(to + (i * 4 + j) * place, row[j]);
    }
}

/* Transforms all tiles of image n of the part. */
static void transform(const struct part *p, int64_t n)
{
    const int64_t channels = p->tiles.channels, filters = p->tiles.filters;
    const int64_t across = p->tiles.across, tiles = p->rows * across, all = p->images * tiles;
    const int64_t element_line = (2 * across + 2) * channels, d_output_line = 2 * across * filters;
    for (int64_t t = 0; t < tiles; t++) {
        const int64_t y = t / across * 2, x = t % across * 2;
        for (int64_t c = 0; c < channels; c += LANES)
            transform_tile_elements(p->elements + y * element_line + x * channels + c, channels,
                                    element_line, p->transformed + (n * tiles + t) * channels + c,
                                    all * channels);
        for (int64_t f = 0; f < filters; f += LANES)
            transform_tile_d_output(p->d_output + y * d_output_line + x * filters + f, filters,
                                    d_output_line, p->factors + (n * tiles + t) * filters + f,
                                    all * filters);
    }
}

/* ---- products -------------------------------------------------------------------------------- */

static void sum_tile(const float *a, int64_t a_step, const float *b, int64_t b_step, int64_t terms,
                     const struct corner *to)
{
    const int height = micro_panel_height(to->rows);
    if (height == TILE_ROWS)
        tile(a, a_step, b, b_step, terms, to, TILE_ROWS);
    else if (height == TILE_ROWS / 2)
        tile(a, a_step, b, b_step, terms, to, TILE_ROWS / 2);
    else if (height == TILE_ROWS / 4)
        tile(a, a_step, b, b_step, terms, to, TILE_ROWS / 4);
    else
        tile(a, a_step, b, b_step, terms, to, 1);
}

static void multiply(const struct part *p, bool add)
{
    const int64_t channels = p->tiles.channels, filters = p->tiles.filters;
    const int64_t tiles = p->images * p->rows * p->tiles.across;
    struct corner to = {.stride = channels, .cols = TILE_COLS, .add = add};
    for (int64_t place = 0; place < TILE_ELEMENTS; place++)
        for (int64_t c = 0; c < channels; c += TILE_COLS)
            for (int64_t f = 0; f < p->filters; f += TILE_ROWS) {
                to.c = p->sums + (place * filters + f) * channels + c;
                to.rows = smaller(TILE_ROWS, p->filters - f);
                sum_tile(p->factors + place * tiles * filters + f, filters,
                         p->transformed + place * tiles * channels + c, channels, tiles, &to);
            }
}

/* ---- the weights ----------------------------------------------------------------------------- */

/* Computes A' times four values. */
WINDOWS_INLINE void gather(const vec m[4], vec out[KERNEL])
{
    const vec both = vec_add(m[1], m[2]);
    out[0] = vec_add(m[0], both);
    out[1] = vec_subtract(m[1], m[2]);
    out[2] = vec_subtract(both, m[3]);
}

/* Computes A' m A of LANES channels: the places of a window, each a vector. */
WINDOWS_INLINE void finish_weights(const float *sums, int64_t place, float out[PLACES][LANES])
{
    vec half[4][KERNEL];
    for (int64_t j = 0; j < 4; j++) {
        vec m[4];
        for (int64_t i = 0; i < 4; i++)
            m[i] = vec_load(sums + (i * 4 + j) * place);
        gather(m, half[j]);
    }
    for (int i = 0; i < KERNEL; i++) {
        const vec row[4] = {half[0][i], half[1][i], half[2][i], half[3][i]};
        vec weights[KERNEL];
        gather(row, weights);
        for (int j = 0; j < KERNEL; j++)
            vec_store(out[i * KERNEL + j], weights[j]);
    }
}

static void store_weights(const struct part *p)
{
    const int64_t channels = p->tiles.channels, depth = depth_of(p);
    const int64_t place = p->tiles.filters * channels;
    float out[PLACES][LANES];
    for (int64_t f = 0; f < p->filters; f++)
        for (int64_t c = 0; c < depth; c += LANES) {
            float *to = p->call->weights + ((p->filter - p->call->filter + f) * depth + c) * PLACES;
            finish_weights(p->sums + f * channels + c, place, out);
            for (int64_t lane = 0; lane < smaller(LANES, depth - c); lane++)
                for (int64_t i = 0; i < PLACES; i++)
                    to[lane * PLACES + i] = out[i][lane];
        }
}

static void sum_bias(const struct part *p)
{
    const struct conv_shape *s = p->call->shape;
    const int64_t plane = s->out_rows * s->out_cols;
    for (int64_t f = p->filter; f < p->filter + p->filters; f++) {
        float sum = 0.0f;
        for (int64_t n = 0; n < p->call->images; n++)
            sum += run_sum(p->call->d_output + (n * s->filters + f) * plane, plane);
        p->call->bias[f - p->call->filter] = sum;
    }
}

/* Packs and transforms image by image in the same buffers, so that packed numbers are still in the
 * cache. */
static void transform_part(const struct part *p)
{
    for (int64_t n = 0; n < p->images; n++) {
        pack_elements(p, p->image + n, p->elements);
        pack_d_output(p, p->image + n, p->d_output);
        transform(p, n);
    }
}

static void multiply_group(struct part *p)
{
    memset(p->sums, 0, (size_t)gradient_tile_sums(&p->tiles) * sizeof *p->sums);
    for (p->image = 0; p->image < p->call->images; p->image += p->tiles.images)
        for (p->row = 0; p->row < p->tiles.down; p->row += p->tiles.rows) {
            p->images = smaller(p->tiles.images, p->call->images - p->image);
            p->rows = smaller(p->tiles.rows, p->tiles.down - p->row);
            transform_part(p);
            multiply(p, p->image > 0 || p->row > 0);
        }
    store_weights(p);
    if (p->call->bias)
        sum_bias(p);
}

void ISA_FUNCTION(conv_weight_gradient_winograd)(const struct conv_weight_gradient *call,
                                                 void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t of_group = s->filters / s->groups, end = call->filter + call->filters;
    struct part p = {
        .call = call, .tiles = gradient_tiles_of(s, call->filters), .elements = scratch};
    p.d_output = p.elements + gradient_tile_elements(&p.tiles);
    p.transformed = p.d_output + gradient_tile_d_output(&p.tiles);
    p.factors = p.transformed + gradient_transformed_elements(&p.tiles);
    p.sums = p.factors + gradient_transformed_d_output(&p.tiles);
    for (p.filter = call->filter; p.filter < end; p.filter += p.filters) {
        p.group = p.filter / of_group;
        p.filters = smaller(smaller((p.group + 1) * of_group, end) - p.filter, p.tiles.filters);
        multiply_group(&p);
    }
}
