/* The data gradient at strides above 1, phase by phase, each with only its own places of the window
 * (conv/gradients/gradient_phases.h): the four phases of 3 x 3 at stride 2 have 4, 2, 2 and 1
 * places, where one convolution for all of them multiplies by 16. For each band of the image, the
 * output gradients that it needs are copied once, surrounded by zeros, for all phases and channels.
 * Channels are the lanes, as filters are in conv/filter_lanes.h. The sums of a phase are stored a
 * stride apart, so that all phases together make rows of the image. */
#include "kernels/conv/filter_lanes.h"
#include "kernels/conv/gradients/gradient_phases.h"
#include "kernels/conv/gradients/gradient_strided_cut.h"
#include "kernels/conv/windows.h"

#include <string.h>

/* Elements [row, row + rows) x [col, col + cols) of the image, one group of channels. */
struct strided_band {
    const struct conv_data_gradient *call;
    struct strided_cut cut;
    int64_t filters; /* of the group */
    int64_t group, row, rows, col, cols;
    float *d_output; /* filters x copied rows x copied columns */
    float *sums;     /* rows x cols x TILE_COLS */
    int32_t *at;     /* offsets of the terms' output gradients, phase by phase */
};

/* A phase: the elements whose row is under the places a, a + s ... of windows and whose column is
 * under b, b + s ...; and how many of either places there are. */
struct phase {
    int64_t a, b, tall, wide;
};

static struct phase phase_of(const struct conv_shape *s, int64_t number)
{
    const int64_t a = number / phases(s), b = number % phases(s);
    return (struct phase){a, b, phase_places(s, a), phase_places(s, b)};
}

/* ---- the filters, packed once ---------------------------------------------------------------- */

/* Offset of the micro-panel of TILE_COLS channels from channel c of the group on: phase by phase,
 * and for each term its channels are contiguous. */
static int64_t packed_offset(const struct conv_shape *s, int64_t group, int64_t c)
{
    return (group * micro_panel_channels(s) + c) * s->filters / s->groups * s->kernel * s->kernel;
}

/* Packs place `place` of the windows of filter f, for the micro-panel's channels from c on. */
static void pack_term(const struct conv_shape *s, const float *weights, int64_t f, int64_t c,
                      int64_t place, float *to)
{
    const int64_t depth = s->channels / s->groups, window = s->kernel * s->kernel;
    for (int64_t i = 0; i < TILE_COLS; i++)
        to[i] = c + i < depth ? weights[(f * depth + c + i) * window + place] : 0.0f;
}

static float *pack_phase(const struct conv_shape *s, const struct phase *p, const float *weights,
                         int64_t c, float *to)
{
    for (int64_t f = 0; f < s->filters / s->groups; f++)
        for (int64_t t = p->tall - 1; t >= 0; t--)
            for (int64_t u = p->wide - 1; u >= 0; u--, to += TILE_COLS)
                pack_term(s, weights, f, c,
                          (p->a + s->stride * t) * s->kernel + p->b + s->stride * u, to);
    return to;
}

void ISA_FUNCTION(conv_data_gradient_strided_pack)(const struct conv_shape *s, const float *weights,
                                                   float *packed)
{
    const int64_t depth = s->channels / s->groups;
    for (int64_t g = 0; g < s->groups; g++)
        for (int64_t c = 0; c < depth; c += TILE_COLS) {
            const float *own = weights + g * (s->filters / s->groups) * conv_terms(s);
            float *to = packed + packed_offset(s, g, c);
            for (int64_t number = 0; number < phases(s) * phases(s); number++) {
                const struct phase p = phase_of(s, number);
                to = pack_phase(s, &p, own, c, to);
            }
        }
}

/* ---- the output gradients of a band ---------------------------------------------------------- */

/* The row, or the column, of the first output gradient that is copied. */
static int64_t first_copied(const struct conv_shape *s, int64_t element)
{
    return (element + s->padding) / s->stride - (phase_places(s, 0) - 1);
}

static void copy_d_output(const struct strided_band *b)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t top = first_copied(s, b->row), left = first_copied(s, b->col);
    const int64_t plane = s->out_rows * s->out_cols;
    const float *from = b->call->d_output + b->group * b->filters * plane;
    float *to = b->d_output;
    for (int64_t f = 0; f < b->filters; f++, from += plane)
        for (int64_t y = top; y < top + b->cut.copied_rows; y++, to += b->cut.copied_cols)
            copy_elements(y >= 0 && y < s->out_rows ? from + y * s->out_cols : NULL, left,
                          b->cut.copied_cols, 1, s->out_cols, to);
}

/* Finds the offsets of each phase's terms, from the uppermost and leftmost output gradient of its
 * element. */
static void find_terms(const struct strided_band *b)
{
    const struct conv_shape *s = b->call->shape;
    int32_t *at = b->at;
    for (int64_t number = 0; number < phases(s) * phases(s); number++) {
        const struct phase p = phase_of(s, number);
        for (int64_t f = 0; f < b->filters; f++)
            for (int64_t t = 0; t < p.tall; t++)
                for (int64_t u = 0; u < p.wide; u++)
                    *at++ = (int32_t)((f * b->cut.copied_rows + t) * b->cut.copied_cols + u);
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* Terms of some filters in one phase: where their output gradients and weights are. */
struct terms {
    struct phase phase;
    int64_t filters;
    const int32_t *at;
    const float *packed;
    const float *next; /* weights of the following terms: `share` of them are prefetched per row of
                          elements */
    int64_t share;
};

/* The first element, from `first` on, of those a stride apart that belong to phase a. */
static int64_t first_element(const struct conv_shape *s, int64_t first, int64_t a)
{
    const int64_t past = (first + s->padding) % s->stride;
    return first + (a - past + s->stride) % s->stride;
}

/* Sums one row of elements: those of one phase. Rows of output gradients outside are skipped. */
static void multiply_row(const struct strided_band *b, const struct terms *some, int64_t y,
                         bool go_on, int64_t channels)
{
    static const float zeros[WIDEST_MICRO_PANEL];
    const struct conv_shape *s = b->call->shape;
    const struct phase *p = &some->phase;
    const int64_t x = first_element(s, b->col, p->b);
    const int64_t top = (y + s->padding) / s->stride - (p->tall - 1);
    const int64_t left = (x + s->padding) / s->stride - (p->wide - 1);
    const int64_t low = windows_clamp(-top, 0, p->tall);
    const int64_t high = windows_clamp(s->out_rows - top, low, p->tall);
    const int64_t run = (high - low) * p->wide, gap = p->tall * p->wide - run;
    struct pixel_tile t = {.elements = b->d_output +
                                       (top - first_copied(s, b->row)) * b->cut.copied_cols + left -
                                       first_copied(s, b->col),
                           .at = some->at + low * p->wide,
                           .filters = some->packed + low * p->wide * TILE_COLS,
                           .terms = run * some->filters,
                           .run = gap == 0 ? run * some->filters : run,
                           .gap = gap,
                           .sums = b->sums + ((y - b->row) * b->cols + x - b->col) * TILE_COLS,
                           .step = s->stride * TILE_COLS,
                           .start = go_on ? NULL : zeros,
                           .next = some->next,
                           .share = some->share};
    sum_all_pixels(&t, (b->col + b->cols - x + s->stride - 1) / s->stride, channels, 1);
}

/* Sums all elements of one phase, PANEL_TERMS terms at a time, so that their weights stay in the
 * cache. */
static void multiply_phase(const struct strided_band *b, const struct phase *p, const int32_t *at,
                           const float *packed, int64_t channels)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t places = p->tall * p->wide;
    const int64_t step = even_part(b->filters, larger(1, PANEL_TERMS / larger(1, places)));
    const int64_t panel = step * places * TILE_COLS;
    for (int64_t f = 0; f < b->filters; f += step, at += step * places, packed += panel) {
        struct terms some = {*p,
                             smaller(step, b->filters - f),
                             at,
                             packed,
                             packed + panel,
                             panel * s->stride / b->rows};
        for (int64_t y = first_element(s, b->row, p->a); y < b->row + b->rows; y += s->stride) {
            multiply_row(b, &some, y, f > 0, channels);
            some.next += some.share;
        }
    }
}

/* ---- the loops ------------------------------------------------------------------------------- */

static void store_micro_panel(const struct strided_band *b, int64_t first, int64_t count)
{
    const struct conv_call call = {.map = b->call->image};
    const struct some_filters channels = {.first = first, .count = count};
    if (b->cols == call.map.row_stride) {
        store_transposed(&call, &channels, b->sums, TILE_COLS, b->row, b->col, b->rows * b->cols);
        return;
    }
    for (int64_t y = 0; y < b->rows; y++)
        store_transposed(&call, &channels, b->sums + y * b->cols * TILE_COLS, TILE_COLS, b->row + y,
                         b->col, b->cols);
}

static void compute_band(const struct strided_band *b, const float *packed)
{
    const struct conv_shape *s = b->call->shape;
    const int64_t depth = s->channels / s->groups;
    const bool leaves_elements = phases(s) < s->stride;
    copy_d_output(b);
    for (int64_t c = 0; c < depth; c += TILE_COLS) {
        const float *filters = packed + packed_offset(s, b->group, c);
        const int64_t channels = smaller(TILE_COLS, depth - c);
        const int32_t *at = b->at;
        if (leaves_elements)
            memset(b->sums, 0, (size_t)(b->rows * b->cols * TILE_COLS) * sizeof *b->sums);
        for (int64_t number = 0; number < phases(s) * phases(s); number++) {
            const struct phase p = phase_of(s, number);
            const int64_t terms = b->filters * p.tall * p.wide;
            multiply_phase(b, &p, at, filters, channels);
            at += terms;
            filters += terms * TILE_COLS;
        }
        store_micro_panel(b, b->group * depth + c, channels);
    }
}

void ISA_FUNCTION(conv_data_gradient_strided)(const struct conv_data_gradient *call,
                                              const float *packed, void *scratch)
{
    const struct conv_shape *s = call->shape;
    struct strided_band b = {
        .call = call, .cut = strided_cut_of(s), .filters = s->filters / s->groups, .sums = scratch};
    const int64_t end = call->row + call->rows, even = even_part(call->rows, b.cut.rows);
    const int64_t high = smaller(b.cut.rows, (even + s->stride - 1) / s->stride * s->stride);
    b.d_output = b.sums + (b.cut.rows * b.cut.cols + WIDEST_VECTOR) * WIDEST_MICRO_PANEL;
    b.at = (int32_t *)(b.d_output + b.filters * b.cut.copied_rows * b.cut.copied_cols);
    find_terms(&b);
    for (b.group = 0; b.group < s->groups; b.group++)
        for (b.row = call->row; b.row < end; b.row += b.rows) {
            b.rows = smaller(high, end - b.row);
            for (b.col = 0; b.col < s->cols; b.col += b.cols) {
                b.cols = smaller(b.cut.cols, s->cols - b.col);
                compute_band(&b, packed);
            }
        }
}
