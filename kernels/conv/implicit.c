/* The product of im2col without its matrix. For each band of outputs, the elements under it are
 * copied once, with the zeros of the padding around them and separated by phase: elements a stride
 * apart become contiguous. So adjacent outputs read adjacent elements, whatever the stride and
 * wherever the image ends. The tiles of conv/filter_lanes.h or conv/pixel_lanes.h then read every
 * window in place, from a table of where each term's elements begin, which serves all pixels. The
 * filters are packed once, outside the measured time. A window of one element is read from the
 * image itself: at stride 2 if filters are the lanes, at both strides unless rows are joined; or it
 * is packed first (conv/packed_pixels.h) or kept (conv/kept_pixels.h). At stride 1, if the rows of
 * image and map are contiguous too, all pixels of the call are one row. */
#include "kernels/conv/bands.h"
#include "kernels/conv/filter_lanes.h"
#include "kernels/conv/kept_pixels.h"
#include "kernels/conv/packed_pixels.h"
#include "kernels/conv/pixel_lanes.h"
#include "kernels/conv/wide_pixels.h"
#include "kernels/conv/windows.h"

/* ---- the filters, packed once --------------------------------------------------------------- */

/* Offset of the micro-panel of TILE_COLS filters from filter f of the group on: for each term, its
 * filters are contiguous. */
static int64_t packed_offset(const struct conv_shape *s, int64_t group, int64_t f)
{
    return (group * micro_panel_filters(s) + f) * conv_terms(s);
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

/* Outputs [row, row + rows) x [col, col + cols) of the call, of one group. */
struct band {
    const struct conv_call *call;
    bool in_place; /* reads its elements from the image */
    bool adjacent; /* pixels are the lanes */
    bool joined;   /* and its rows, which are copied, are computed as one */
    int64_t left;  /* last pixels of its only row whose lanes are filters instead */
    int64_t group;
    int64_t row, rows, col, cols;
    const float *elements; /* where the first window begins */
    int64_t plane, line;  /* floats from one channel to the next, from one output row to the next */
    int64_t step;         /* floats from the element of one pixel to that of the next */
    int64_t width;        /* floats of one phase of a copied row */
    int64_t row_elements; /* floats of all its phases */
    float *copied;        /* channels x image rows x phases x width */
    float *sums;          /* pixels x TILE_COLS */
    int32_t *at;          /* for each term, the offset of the first pixel's element */
};

static int64_t depth_of(const struct conv_shape *s)
{
    return s->channels / s->groups;
}

/* Prefetches `count` floats: the part of an image row that the next band copies. */
static void prefetch_row(const float *row, int64_t count)
{
    enum { LINE = 16, PREFETCHES = TILE_BY_SET(0, 1, 0) };
    for (int64_t q = 0; PREFETCHES && q < count; q += LINE)
        __builtin_prefetch(row + q, 0, 2);
}

/* Copies row r of a channel under the band, counted as rows_read() counts, to `to`. */
static void copy_row(const struct band *b, int64_t channel, int64_t r, float *to)
{
    const struct conv_call *call = b->call;
    const struct conv_shape *s = call->shape;
    const int64_t first = b->col * s->stride - s->padding;
    const int64_t y = call->row + b->row + r / phases(s);
    const float *row = channel_row(call, channel, y * s->stride - s->padding + r % phases(s));
    if (row && s->stride == 2 && b->row_elements > b->width) {
        prefetch_row(row + first + b->rows * s->stride * call->image.row_stride, b->row_elements);
        part_elements(row, first, b->width, s->cols, to, to + b->width);
        return;
    }
    for (int64_t phase = 0; phase * b->width < b->row_elements; phase++)
        copy_elements(row, first + phase, b->width, s->stride, s->cols, to + phase * b->width);
}

/* Copies a row of single elements, which are the band's stride apart; the last vector overlaps the
 * one before. */
static void copy_joined_row(const struct band *b, const float *row, float *to)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t last = b->cols - LANES;
    if (s->stride == 1) {
        for (int64_t q = 0; q < last; q += LANES)
            vec_store(to + q, vec_load(row + q));
        vec_store(to + last, vec_load(row + last));
        return;
    }
    for (int64_t q = 0; q < last; q += LANES)
        vec_store(to + q, apart_elements(row, 2 * q, LANES, 2, s->cols));
    vec_store(to + last, apart_elements(row, 2 * last, LANES, 2, s->cols));
}

/* Copies the rows of all channels one after the other, if windows are single elements: rows hold at
 * least a vector, and all columns. */
static void copy_joined(const struct band *b)
{
    const struct conv_call *call = b->call;
    const struct conv_shape *s = call->shape;
    const int64_t first = b->group * depth_of(s);
    float *to = b->copied;
    for (int64_t c = 0; c < depth_of(s); c++)
        for (int64_t r = 0; r < b->rows; r++, to += b->cols)
            copy_joined_row(b, channel_row(call, first + c, (call->row + b->row + r) * s->stride),
                            to);
}

static void copy_band(struct band *b)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t depth = depth_of(s), rows = rows_read(s, b->rows);
    float *to = b->copied;
    b->width = phase_width(s, b->cols);
    b->row_elements = phases(s) * b->width;
    if (b->joined)
        copy_joined(b);
    for (int64_t c = 0; c < depth && !b->joined; c++)
        for (int64_t r = 0; r < rows; r++, to += b->row_elements)
            copy_row(b, b->group * depth + c, r, to);
    b->elements = b->copied;
    b->plane = rows * b->row_elements;
    b->line = phases(s) * b->row_elements;
    b->step = 1;
}

static void find_in_image(struct band *b)
{
    const struct view *image = &b->call->image;
    const int64_t stride = b->call->shape->stride;
    b->plane = image->plane_stride;
    b->line = image->row_stride * stride;
    b->step = stride;
    b->elements = view_row(image, (b->call->row + b->row) * stride) +
                  b->group * depth_of(b->call->shape) * b->plane + b->col * stride;
}

static void find_terms(const struct band *b)
{
    const struct conv_shape *s = b->call->shape;
    int32_t *at = b->at;
    for (int64_t c = 0; c < depth_of(s); c++)
        for (int64_t i = 0; i < s->kernel; i++)
            for (int64_t j = 0; j < s->kernel; j++)
                *at++ = (int32_t)(c * b->plane + i * b->row_elements + j % s->stride * b->width +
                                  j / s->stride);
}

/* The terms that a micro-panel of filters adds to all pixels at a time: of both, so many stay in
 * the first-level cache; half as many where tiles cross rows of several cache lines. */
enum { TERMS_TOGETHER = TILE_BY_SET(PANEL_TERMS, PANEL_TERMS / 2, PANEL_TERMS), A_LINE = 16 };

/* ---- products ------------------------------------------------------------------------------- */

/* The terms of channels [first, first + depth) for the outputs of row y. Rows of the window in the
 * padding are skipped, since zeros add nothing. */
static struct pixel_tile terms_inside(const struct band *b, int64_t y, int64_t first, int64_t depth,
                                      const float *packed)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t top = (b->call->row + b->row + y) * s->stride - s->padding;
    const int64_t low = windows_clamp(-top, 0, s->kernel);
    const int64_t high = windows_clamp(s->rows - top, low, s->kernel);
    const int64_t window = s->kernel * s->kernel, run = (high - low) * s->kernel;
    const int64_t from = first * window + low * s->kernel;
    const bool whole = run == window;
    return (struct pixel_tile){.elements = b->elements + y * b->line,
                               .at = b->at + from,
                               .filters = packed + from * TILE_COLS,
                               .terms = run * depth,
                               .run = whole ? run * depth : run,
                               .gap = whole ? 0 : window - run,
                               .step = TILE_COLS};
}

/* Whether the elements of the band are copied tile by tile, since many filters read them. */
static bool packs(const struct band *b)
{
    const struct conv_shape *s = b->call->shape;
    const bool few = b->rows * b->cols <= FEW_PIXELS;
    return PACKS_PIXELS && b->in_place &&
           s->filters / s->groups >= (few ? LEAST_PACKED_OF_FEW : LEAST_PACKED);
}

/* Whether tiles cross the rows of the band, where pixels are adjacent: short rows leave tiles with
 * too few pixels. */
static bool scatters(const struct band *b)
{
    return JOINS_ROWS && b->in_place && b->step == 1 && b->rows > 1 && !b->adjacent;
}

static int64_t terms_together(const struct band *b)
{
    return !packs(b) && scatters(b) && b->cols > A_LINE ? TERMS_TOGETHER / 2 : TERMS_TOGETHER;
}

static struct scattered pixels_of(const struct band *b)
{
    return (struct scattered){.cols = b->cols, .step = b->step, .line = b->line};
}

/* Whether tiles cross the rows of a copied band, since those of one row have too few pixels. */
static bool crosses_rows(const struct band *b)
{
    enum { ENOUGH = 5 };
    return JOINS_ROWS && !b->in_place && !b->adjacent && even_part(b->cols, TILE_TALLEST) < ENOUGH;
}

/* How many rows of the band from row y on are multiplied together: all, or those whose windows have
 * no row in the padding; at least one. */
static int64_t rows_together(const struct band *b, int64_t y)
{
    const struct conv_shape *s = b->call->shape;
    int64_t rows = 0;
    if (packs(b) || scatters(b))
        return b->rows;
    for (bool whole = crosses_rows(b); whole && y + rows < b->rows; rows += whole) {
        const int64_t top = (b->call->row + b->row + y + rows) * s->stride - s->padding;
        whole = top >= 0 && top + s->kernel <= s->rows;
    }
    return larger(rows, 1);
}

/* Sums some terms of all pixels of `rows` rows of the band. */
static void multiply_terms(const struct band *b, struct pixel_tile *t, int64_t first, int64_t rows,
                           int64_t filters)
{
    const int64_t pixels = rows * b->cols;
    if (packs(b))
        sum_all_packed(t, b->copied, first, depth_of(b->call->shape), pixels, filters);
    else if (rows > 1)
        sum_all_scattered(t, pixels_of(b), pixels, filters);
    else
        sum_all_pixels(t, pixels, filters, b->step);
}

/* Sums all pixels of the band with one micro-panel. */
static void multiply_micro_panel(const struct band *b, const struct some_filters *f,
                                 const float *packed)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t depth = depth_of(s), window = s->kernel * s->kernel;
    const int64_t lines = packs(b) || scatters(b) ? 1 : b->rows;
    const int64_t step = even_part(depth, larger(1, terms_together(b) / window));
    const int64_t share = step * window * TILE_COLS / lines;
    for (int64_t first = 0; first < depth; first += step)
        for (int64_t y = 0, rows; y < b->rows; y += rows) {
            struct pixel_tile t = terms_inside(b, y, first, smaller(step, depth - first), packed);
            rows = rows_together(b, y);
            t.sums = b->sums + y * b->cols * TILE_COLS;
            t.start = first == 0 ? f->bias : NULL;
            t.next = packed + (first + step) * window * TILE_COLS + y * share;
            t.share = packs(b) || scatters(b) ? share : share * rows;
            multiply_terms(b, &t, first, rows, f->count);
        }
}

static void store_micro_panel(const struct band *b, const struct some_filters *f)
{
    const struct conv_call *call = b->call;
    const int64_t row = call->row + b->row;
    if (b->rows == 1 || b->cols == call->map.row_stride) {
        store_transposed(call, f, b->sums, TILE_COLS, row, b->col, b->rows * b->cols);
        return;
    }
    for (int64_t y = 0; y < b->rows; y++)
        store_transposed(call, f, b->sums + y * b->cols * TILE_COLS, TILE_COLS, row + y, b->col,
                         b->cols);
}

/* Computes all outputs of the band, one micro-panel of filters after the other. */
static void compute_by_filters(const struct band *b)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t filters = s->filters / s->groups;
    if (packs(b))
        pack_pixels(pixels_of(b), b->elements, b->plane, depth_of(s), b->rows * b->cols, b->copied);
    for (int64_t f = 0; f < filters; f += TILE_COLS) {
        const struct some_filters some =
            filters_from(b->call, b->group * filters + f, smaller(TILE_COLS, filters - f));
        multiply_micro_panel(b, &some, b->call->packed + packed_offset(s, b->group, f));
        store_micro_panel(b, &some);
    }
}

/* Computes all filters of the group for some adjacent pixels. */
static void multiply_adjacent(const struct band *b, const struct adjacent *pixels)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t filters = s->filters / s->groups;
    if (WIDE_TERMS > 0 && pixels->wide) {
        sum_wide_tiles(pixels, b->group * filters, filters,
                       b->call->packed + packed_offset(s, b->group, 0));
        return;
    }
    for (int64_t f = 0; f < filters; f += TILE_COLS) {
        const struct some_filters some =
            filters_from(b->call, b->group * filters + f, smaller(TILE_COLS, filters - f));
        const float *packed = b->call->packed + packed_offset(s, b->group, f);
        if (KEEPS_PIXELS && pixels->copy)
            sum_kept_micro_panel(pixels, &some, packed, f);
        else
            sum_adjacent_micro_panel(pixels, &some, packed);
    }
}

/* Finds where pixels of joined rows are in the map; their column counts those of all rows. */
static void place_in_rows(const struct band *b, struct adjacent *pixels)
{
    const int64_t y = (pixels->col - b->col) / b->cols, x = (pixels->col - b->col) % b->cols;
    pixels->row += y;
    pixels->col = b->col + x;
    pixels->crosses = x + pixels->count > b->cols && b->call->map.row_stride > b->cols;
    find_places(pixels->to, x, b->cols, b->call->map.row_stride);
    find_places(pixels->added, x, b->cols, b->call->finish.residual.row_stride);
}

/* Computes all outputs of the band, at most TILE_COLS adjacent pixels at a time. Rows that are
 * contiguous in both elements and map are treated as one. */
static void compute_by_pixels(const struct band *b)
{
    const struct conv_call *call = b->call;
    const bool whole_rows = b->cols == call->map.row_stride;
    const bool joined = b->joined || (b->line == b->cols && whole_rows);
    const int64_t lines = joined ? 1 : b->rows;
    const int64_t pixels = (joined ? b->rows * b->cols : b->cols) - b->left;
    const bool within = !b->joined || whole_rows; /* no tile crosses rows of the map */
    const bool wide = takes_wide_tiles(call) && within;
    const bool keeps = keeps_pixels(call) && b->in_place;
    struct adjacent some = {.call = call,
                            .at = b->at,
                            .terms = conv_terms(call->shape),
                            .apart = call->shape->kernel == 1 ? b->plane : 0};
    for (int64_t y = 0; y < lines; y++)
        for (int64_t x = 0, count; x < pixels; x += count) {
            const bool is_wide =
                (wide && pixels - x >= LANES) || (within && one_wide_tile(call, pixels - x));
            count = is_wide ? pixels_of_wide_tile(pixels - x) : pixels_of_tile(pixels - x);
            some.elements = b->elements + y * b->line + x;
            some.row = call->row + b->row + y;
            some.col = b->col + x;
            some.count = count;
            some.wide = is_wide;
            some.copy = keeps && !is_wide && count == KEPT_PIXELS ? b->copied : NULL;
            some.next =
                x + count < pixels ? some.elements + count : b->elements + (y + 1) * b->line;
            if (b->joined)
                place_in_rows(b, &some);
            multiply_adjacent(b, &some);
        }
}

/* Computes the last pixels of the band's only row. */
static void compute_left(struct band b)
{
    const int64_t first = b.cols - b.left;
    b.elements += first;
    b.col += first;
    b.cols = b.left;
    compute_by_filters(&b);
}

static void compute_band(struct band *b)
{
    if (b->in_place)
        find_in_image(b);
    else
        copy_band(b);
    find_terms(b);
    if (b->adjacent)
        compute_by_pixels(b);
    else
        compute_by_filters(b);
    if (b->adjacent && b->left > 0)
        compute_left(*b);
}

/* Columns of a band. If pixels are the lanes, all columns in place, and whole tiles of a copied row
 * that is wider than a band; otherwise near-equal parts. */
static int64_t columns_of(const struct band *b, int64_t cols)
{
    const int64_t most = band_cols(b->call->shape, cols);
    if (b->adjacent && b->in_place)
        return cols;
    if (b->adjacent && most < cols && most >= TILE_COLS)
        return most - most % TILE_COLS;
    return even_part(cols, most);
}

/* Computes all bands of a group. */
static void compute_group(struct band b, int64_t rows, int64_t cols)
{
    const struct conv_shape *s = b.call->shape;
    const int64_t wide = columns_of(&b, cols);
    const int64_t high = even_part(rows, band_rows(s, rows, wide));
    for (b.row = 0; b.row < rows; b.row += high)
        for (b.col = 0; b.col < cols; b.col += wide) {
            b.rows = smaller(high, rows - b.row);
            b.cols = smaller(wide, cols - b.col);
            compute_band(&b);
        }
}

/* True if windows can be read from the image itself: they are single elements, and the offsets of
 * the terms fit into 32 bits. */
static bool can_be_in_place(const struct conv_call *call)
{
    const struct conv_shape *s = call->shape;
    return conv_reads_single_elements(s) && call->image.plane_stride <= INT32_MAX / depth_of(s);
}

void ISA_FUNCTION(conv_implicit)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const bool in_place = can_be_in_place(call);
    struct band b = {.call = call, .sums = scratch};
    const bool one_row = in_place && s->stride == 1 && call->image.row_stride == s->cols &&
                         call->map.row_stride == s->cols;
    const int64_t rows = one_row ? 1 : call->rows;
    const int64_t cols = one_row ? call->rows * s->cols : s->out_cols;
    const int64_t filters = s->filters / s->groups, terms = conv_terms(s);
    b.left = one_row ? pixels_left(cols, filters, terms) : 0;
    b.joined =
        in_place && !one_row && band_cols(s, cols) == cols && prefers_joined(call, filters, terms);
    b.adjacent = b.joined || prefers_adjacent(cols, b.left, filters, terms);
    b.in_place = in_place && !b.joined && (s->stride == 1 || !b.adjacent);
    b.copied = b.sums + (BAND_PIXELS + WIDEST_VECTOR) * WIDEST_MICRO_PANEL;
    b.at = (int32_t *)(b.copied + band_elements(s));
    for (b.group = 0; b.group < s->groups; b.group++)
        compute_group(b, rows, cols);
}
