/* The product of im2col without its matrix. Of a band of outputs, the cells under it are copied
 * once, between the zeros of the padding and parted by phase: cells a stride apart lie side by
 * side, so that under neighbouring outputs lie neighbouring cells, whatever the stride and wherever
 * the image ends. Every window is then read where it lies, by the tiles of conv/pixels.h: where a
 * term's cells begin is looked up, once for all pixels. The filters were packed once, before the
 * clock. A window of one cell that steps by one needs no rows either: all pixels of the call are
 * one row. */
#include "kernels/conv/bands.h"
#include "kernels/conv/pixels.h"
#include "kernels/conv/windows.h"

/* ---- the filters, packed once --------------------------------------------------------------- */

/* The sliver of TILE_COLS filters from filter f of the group on: for each term its filters side by
 * side. */
static int64_t packed_offset(const struct conv_shape *s, int64_t group, int64_t f)
{
    return (group * sliver_filters(s) + f) * conv_terms(s);
}

void ISA_FUNCTION(conv_implicit_pack)(const struct conv_shape *s, const float *weights,
                                      float *packed)
{
    const int64_t filters = s->filters / s->groups, terms = conv_terms(s);
    for (int64_t g = 0; g < s->groups; g++)
        for (int64_t f = 0; f < filters; f += TILE_COLS) {
            float *to = packed + packed_offset(s, g, f);
            for (int64_t t = 0; t < terms; t++)
                for (int64_t i = 0; i < TILE_COLS; i++)
                    *to++ = f + i < filters ? weights[(g * filters + f + i) * terms + t] : 0.0f;
        }
}

/* ---- one band ------------------------------------------------------------------------------- */

/* Outputs [row, row + rows) of the call's by columns [col, col + cols), of one group. */
struct band {
    const struct conv_call *call;
    bool one_row; /* all pixels of the call are one row */
    int64_t group;
    int64_t row, rows, col, cols;
    int64_t width;     /* of one phase of a row of copied cells */
    int64_t row_cells; /* of all its phases */
    float *cells;      /* channels x rows of the image x phases x width */
    float *sums;       /* pixels x TILE_COLS */
    int32_t *at;       /* where the terms' cells of the first pixel are */
};

static int64_t rows_under(const struct band *b)
{
    return (b->rows - 1) * b->call->shape->stride + b->call->shape->kernel;
}

/* Copies row r of a channel under the band. */
static void copy_row(const struct band *b, int64_t channel, int64_t r, float *to)
{
    const struct conv_call *call = b->call;
    const struct conv_shape *s = call->shape;
    const int64_t first = b->col * s->stride - s->padding;
    const float *row =
        b->one_row ? view_row(&call->image, call->row) + channel * call->image.plane_stride
                   : channel_row(call, channel, (call->row + b->row) * s->stride - s->padding + r);
    const int64_t cols = b->one_row ? call->rows * s->cols : s->cols;
    for (int64_t phase = 0; phase * b->width < b->row_cells; phase++)
        copy_cells(row, first + phase, b->width, s->stride, cols, to + phase * b->width);
}

static void copy_band(const struct band *b)
{
    const int64_t depth = b->call->shape->channels / b->call->shape->groups;
    float *to = b->cells;
    for (int64_t c = 0; c < depth; c++)
        for (int64_t r = 0; r < rows_under(b); r++, to += b->row_cells)
            copy_row(b, b->group * depth + c, r, to);
}

static void find_terms(const struct band *b)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t plane = rows_under(b) * b->row_cells, depth = s->channels / s->groups;
    int32_t *at = b->at;
    for (int64_t c = 0; c < depth; c++)
        for (int64_t i = 0; i < s->kernel; i++)
            for (int64_t j = 0; j < s->kernel; j++)
                *at++ = (int32_t)(c * plane + i * b->row_cells + j % s->stride * b->width +
                                  j / s->stride);
}

/* ---- products ------------------------------------------------------------------------------- */

/* All pixels of the band by one sliver. */
static void multiply_sliver(const struct band *b, const struct some_filters *f, const float *packed)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t terms = conv_terms(s), step = even_part(terms, PANEL_TERMS);
    for (int64_t first = 0; first < terms; first += step)
        for (int64_t y = 0; y < b->rows; y++) {
            const struct pixel_tile t = {.cells = b->cells + y * s->stride * b->row_cells,
                                         .at = b->at + first,
                                         .filters = packed + first * TILE_COLS,
                                         .terms = smaller(step, terms - first),
                                         .sums = b->sums + y * b->cols * TILE_COLS,
                                         .start = first == 0 ? f->bias : NULL};
            sum_all_pixels(t, b->cols, f->count);
        }
}

static void store_sliver(const struct band *b, const struct some_filters *f)
{
    const struct conv_call *call = b->call;
    const int64_t row = call->row + b->row;
    if (b->rows == 1 || b->cols == call->map.row_stride) {
        store_turned(call, f, b->sums, TILE_COLS, row, b->col, b->rows * b->cols);
        return;
    }
    for (int64_t y = 0; y < b->rows; y++)
        store_turned(call, f, b->sums + y * b->cols * TILE_COLS, TILE_COLS, row + y, b->col,
                     b->cols);
}

static void compute_band(struct band *b)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t filters = s->filters / s->groups;
    b->width = phase_width(s, b->cols);
    b->row_cells = phases(s) * b->width;
    copy_band(b);
    find_terms(b);
    for (int64_t f = 0; f < filters; f += TILE_COLS) {
        const struct some_filters some =
            filters_from(b->call, b->group * filters + f, smaller(TILE_COLS, filters - f));
        multiply_sliver(b, &some, b->call->packed + packed_offset(s, b->group, f));
        store_sliver(b, &some);
    }
}

/* All bands of a group. */
static void compute_group(struct band b, int64_t rows, int64_t cols)
{
    const struct conv_shape *s = b.call->shape;
    const int64_t wide = even_part(cols, band_cols(s, cols));
    const int64_t high = even_part(rows, band_rows(s, rows, wide));
    for (b.row = 0; b.row < rows; b.row += high)
        for (b.col = 0; b.col < cols; b.col += wide) {
            b.rows = smaller(high, rows - b.row);
            b.cols = smaller(wide, cols - b.col);
            compute_band(&b);
        }
}

void ISA_FUNCTION(conv_implicit)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const bool one_row = s->kernel == 1 && s->stride == 1 && s->padding == 0 &&
                         call->image.row_stride == s->cols && call->map.row_stride == s->cols;
    struct band b = {.call = call, .one_row = one_row, .sums = scratch};
    b.cells = b.sums + (BAND_PIXELS + WIDEST_VECTOR) * WIDEST_SLIVER;
    b.at = (int32_t *)(b.cells + band_cells(s));
    for (b.group = 0; b.group < s->groups; b.group++)
        compute_group(b, one_row ? 1 : call->rows, one_row ? call->rows * s->cols : s->out_cols);
}
