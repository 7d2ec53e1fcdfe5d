/* The weight gradient of a convolution as a product: filters by columns, summed over outputs. A
 * band of outputs is packed at a time: the output gradients in micro-panels of filters, and the
 * elements under their windows so that the channels of an element are contiguous. Then the elements
 * that one place of the window multiplies are already rows of a matrix, `stride` elements apart,
 * and no element is copied for each window that contains it. The loops around the tile are those of
 * matmul/packed.c. */
#include "kernels/conv/gradients/bias_gradient_sum.h"
#include "kernels/conv/gradients/gradient_cut.h"
#include "kernels/matmul/tile.h"

_Static_assert((int)GRADIENT_FILTERS % TILE_ROWS == 0 && (int)GRADIENT_WIDTH % TILE_COLS == 0,
               "panels hold whole micro-panels");

/* Filters of one group over a band: rows [row, row + rows) of images [image, image + images). */
struct weight_band {
    const struct conv_weight_gradient *call;
    struct gradient_cut cut;
    int64_t group, filter, filters;
    int64_t image, images, row, rows;
    float *d_output, *elements, *sums; /* packed */
};

static int64_t band_pixels(const struct weight_band *b)
{
    return b->images * b->rows * b->call->shape->out_cols;
}

/* The output gradients of the band's rows, of one filter and image: they are contiguous. */
static const float *d_output_run(const struct weight_band *b, int64_t image, int64_t filter)
{
    const struct conv_shape *s = b->call->shape;
    return b->call->d_output +
           (((b->image + image) * s->filters + filter) * s->out_rows + b->row) * s->out_cols;
}

/* ---- packing -------------------------------------------------------------------------------- */

/* Packs one image's output gradients of `rows` filters, which are `stride` floats apart, `height`
 * per output. Takes four outputs at a time if a vector holds the micro-panel and memory has a
 * filter for each of its lanes: the next output overwrites what it stores beyond the micro-panel's
 * height. */
static void pack_run(const float *from, int64_t stride, int64_t rows, bool lanes_exist,
                     int64_t pixels, int height, float *to)
{
    int64_t q = 0;
    if (lanes_exist && rows == height && height <= LANES)
        for (; q + 4 <= pixels; q += 4) {
            vec column[4];
            vec_columns4(from + q, stride, column);
            for (int64_t i = 0; i < 4; i++)
                vec_store(to + (q + i) * height, column[i]);
        }
    for (; q < pixels; q++)
        for (int64_t i = 0; i < height; i++)
            to[q * height + i] = i < rows ? from[i * stride + q] : 0.0f;
}

static void pack_d_output(const struct weight_band *b)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t pixels = b->rows * s->out_cols, plane = s->out_rows * s->out_cols;
    float *to = b->d_output;
    for (int64_t f = 0; f < b->filters; f += TILE_ROWS, to += band_pixels(b) * TILE_ROWS) {
        const int64_t rows = smaller(TILE_ROWS, b->filters - f);
        const int height = micro_panel_height(rows);
        for (int64_t n = 0; n < b->images; n++)
            pack_run(d_output_run(b, n, b->filter + f), plane, rows,
                     b->filter + f + LANES <= s->filters, pixels, height, to + n * pixels * height);
    }
}

/* Packs one row of an image's elements: the channels of an element become contiguous. */
static void pack_row(const struct weight_band *b, const float *from, float *to)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t plane = b->call->image.channel_stride;
    const int64_t width = b->cut.width, whole = s->cols / 4 * 4;
    int64_t c = 0;
    for (; c + LANES <= b->cut.columns; c += LANES)
        for (int64_t x = 0; x < whole; x += 4) {
            vec column[4];
            vec_columns4(from + c * plane + x, plane, column);
            for (int64_t i = 0; i < 4; i++)
                vec_store(to + (x + i) * width + c, column[i]);
        }
    for (int64_t rest = 0; rest < c; rest++)
        for (int64_t x = whole; x < s->cols; x++)
            to[x * width + rest] = from[rest * plane + x];
    for (; c < b->cut.columns; c++)
        for (int64_t x = 0; x < s->cols; x++)
            to[x * width + c] = from[c * plane + x];
}

static const float *image_elements(const struct weight_band *b, int64_t image)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t first = b->group * (s->channels / s->groups);
    return b->call->image.data + (b->image + image) * b->call->image.image_stride +
           first * b->call->image.channel_stride;
}

static void pack_channels(const struct weight_band *b)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t line = b->cut.packed_cols * b->cut.width;
    const int64_t rows = (b->rows - 1) * s->stride + s->kernel;
    for (int64_t n = 0; n < b->images; n++)
        for (int64_t i = 0; i < rows; i++) {
            const int64_t row = b->row * s->stride - s->padding + i;
            float *to = b->elements + (n * b->cut.packed_rows + i) * line;
            for (int64_t k = 0; k < line; k++)
                to[k] = 0.0f;
            if (row >= 0 && row < s->rows)
                pack_row(b, image_elements(b, n) + row * b->call->image.row_stride,
                         to + s->padding * b->cut.width);
        }
}

/* Packs the terms of one output's window. */
static void pack_window(const struct weight_band *b, const float *image, int64_t y, int64_t x,
                        float *to)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t top = y * s->stride - s->padding, left = x * s->stride - s->padding;
    for (int64_t c = 0; c < s->channels / s->groups; c++, image += b->call->image.channel_stride)
        for (int64_t row = top; row < top + s->kernel; row++)
            for (int64_t col = left; col < left + s->kernel; col++)
                *to++ = row >= 0 && row < s->rows && col >= 0 && col < s->cols
                            ? image[row * b->call->image.row_stride + col]
                            : 0.0f;
}

static void pack_windows(const struct weight_band *b)
{
    const struct conv_shape *s = b->call->shape;
    for (int64_t n = 0; n < b->images; n++)
        for (int64_t y = 0; y < b->rows; y++)
            for (int64_t x = 0; x < s->out_cols; x++) {
                float *to = b->elements +
                            ((n * b->cut.packed_rows + y) * b->cut.packed_cols + x) * b->cut.width;
                pack_window(b, image_elements(b, n), b->row + y, x, to);
                for (int64_t k = b->cut.columns; k < b->cut.width; k++)
                    to[k] = 0.0f;
            }
}

/* ---- the product ----------------------------------------------------------------------------- */

/* Where the elements of a tile are: consecutive outputs `step` floats apart, rows of outputs `line`
 * and images `image` floats. */
struct grid {
    const float *elements;
    int64_t images, rows, cols;
    int64_t step, line, image;
};

/* The tile of matmul/tile.h over the outputs of a grid. */
TILE_INLINE void grid_tile(const float *a, const struct grid *g, const struct corner *to,
                           int height)
{
    vec sums[TILE_ROWS][TILE_VECTORS];
    clear_sums(sums, height);
    for (int64_t line = 0; line < g->images * g->rows; line++) {
        const float *b = g->elements + line / g->rows * g->image + line % g->rows * g->line;
        for (int64_t x = 0; x < g->cols; x++, a += height, b += g->step) {
            vec row[TILE_VECTORS];
            for (int v = 0; v < TILE_VECTORS; v++)
                row[v] = vec_load(b + v * LANES);
            add_term(sums, a, 1, row, height, TILE_VECTORS);
        }
    }
    store_sums(to, (const vec(*)[TILE_VECTORS])sums, height);
}

static void grid_tile_of_height(const float *a, const struct grid *g, const struct corner *to,
                                int height)
{
    if (height == TILE_ROWS)
        grid_tile(a, g, to, TILE_ROWS);
    else if (height == TILE_ROWS / 2)
        grid_tile(a, g, to, TILE_ROWS / 2);
    else if (height == TILE_ROWS / 4)
        grid_tile(a, g, to, TILE_ROWS / 4);
    else
        grid_tile(a, g, to, 1);
}

/* Multiplies one micro-panel of filters by all columns, at every place of the window. */
static void multiply_micro_panel(const struct weight_band *b, int64_t filter, const float *d_output,
                                 bool add)
{
    const struct conv_shape *s = b->call->shape;
    const struct gradient_cut *cut = &b->cut;
    const int64_t line = cut->packed_cols * cut->width;
    const int64_t padded = gradient_round(b->filters, GRADIENT_FILTERS);
    const int64_t step = cut->windows ? 1 : s->stride; /* elements from output to output */
    struct grid g = {NULL,
                     b->images,
                     b->rows,
                     s->out_cols,
                     step * cut->width,
                     step * line,
                     cut->packed_rows * line};
    struct corner to = {.stride = cut->width,
                        .rows = smaller(TILE_ROWS, b->filters - filter),
                        .cols = TILE_COLS,
                        .add = add};
    for (int64_t place = 0; place < cut->places; place++)
        for (int64_t c = 0; c < cut->columns; c += TILE_COLS) {
            g.elements =
                b->elements + place / s->kernel * line + place % s->kernel * cut->width + c;
            to.c = b->sums + (place * padded + filter) * cut->width + c;
            grid_tile_of_height(d_output, &g, &to, micro_panel_height(to.rows));
        }
}

static void multiply_band(const struct weight_band *b)
{
    const bool add = b->image > 0 || b->row > 0;
    const float *d_output = b->d_output;
    pack_d_output(b);
    if (b->cut.windows)
        pack_windows(b);
    else
        pack_channels(b);
    for (int64_t f = 0; f < b->filters; f += TILE_ROWS, d_output += band_pixels(b) * TILE_ROWS)
        multiply_micro_panel(b, f, d_output, add);
}

/* ---- the bias -------------------------------------------------------------------------------- */

static void sum_bias(const struct weight_band *b)
{
    const int64_t pixels = b->rows * b->call->shape->out_cols;
    const bool add = b->image > 0 || b->row > 0;
    for (int64_t f = b->filter; f < b->filter + b->filters; f++) {
        float *bias = b->call->bias + (f - b->call->filter);
        float sum = add ? *bias : 0.0f;
        for (int64_t n = 0; n < b->images; n++)
            sum += run_sum(d_output_run(b, n, f), pixels);
        *bias = sum;
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Stores the sums in the order of the weights. */
static void store_weights(const struct weight_band *b)
{
    const struct gradient_cut *cut = &b->cut;
    const int64_t terms = cut->columns * cut->places;
    const int64_t padded = gradient_round(b->filters, GRADIENT_FILTERS);
    for (int64_t f = 0; f < b->filters; f++) {
        float *to = b->call->weights + (b->filter - b->call->filter + f) * terms;
        for (int64_t place = 0; place < cut->places; place++) {
            const float *from = b->sums + (place * padded + f) * cut->width;
            for (int64_t c = 0; c < cut->columns; c++)
                to[c * cut->places + place] = from[c];
        }
    }
}

static void multiply_group(struct weight_band *b)
{
    const struct conv_shape *s = b->call->shape;
    for (b->image = 0; b->image < b->call->images; b->image += b->cut.images)
        for (b->row = 0; b->row < s->out_rows; b->row += b->cut.rows) {
            b->images = smaller(b->cut.images, b->call->images - b->image);
            b->rows = smaller(b->cut.rows, s->out_rows - b->row);
            if (b->call->bias)
                sum_bias(b);
            multiply_band(b);
        }
    store_weights(b);
}

/* There are no images: all gradients are 0. */
static void store_nothing(const struct conv_weight_gradient *call, int64_t terms)
{
    for (int64_t i = 0; i < call->filters * terms; i++)
        call->weights[i] = 0.0f;
    for (int64_t f = 0; call->bias && f < call->filters; f++)
        call->bias[f] = 0.0f;
}

void ISA_FUNCTION(conv_weight_gradient_tiles)(const struct conv_weight_gradient *call,
                                              void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t of_group = s->filters / s->groups, end = call->filter + call->filters;
    struct weight_band b = {.call = call, .cut = gradient_cut_of(s), .d_output = scratch};
    b.elements = b.d_output + gradient_d_output_floats(s, &b.cut, call->filters);
    b.sums = b.elements + gradient_element_floats(&b.cut);
    if (call->images == 0)
        store_nothing(call, conv_terms(s));
    for (b.filter = call->filter; call->images > 0 && b.filter < end; b.filter += b.filters) {
        b.group = b.filter / of_group;
        b.filters = smaller((b.group + 1) * of_group, end) - b.filter;
        multiply_group(&b);
    }
}
