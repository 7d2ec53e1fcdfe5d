/* The product of im2col without its matrix: a panel of windows is packed straight from the image
 * into the slivers that the register tile reads, multiplied by all filters, and forgotten. The
 * filters were packed once, before the clock. Loops as in matmul/packed.c; here the rows of C are
 * filters and its columns are output pixels. */
#include "kernels/conv/panels.h"
#include "kernels/conv/windows.h"
#include "kernels/matmul/tile.h"

_Static_assert((int)FILTER_SLIVER % TILE_ROWS == 0 && (int)PANEL_PIXELS % TILE_COLS == 0,
               "panels hold whole slivers");

/* ---- the filters, packed once --------------------------------------------------------------- */

/* Where the filters of a group's channels [channel, ...) begin: panels one after the other, each
 * with room for whole slivers. */
static int64_t packed_offset(const struct conv_shape *s, int64_t group, int64_t channel)
{
    const int64_t depth = s->channels / s->groups;
    return (group * depth + channel) * s->kernel * s->kernel * padded_filters(s);
}

static void pack_panel(const struct conv_shape *s, const struct view *filters, int64_t term,
                       int64_t terms, float *to)
{
    const int64_t count = s->filters / s->groups;
    for (int64_t f = 0; f < count; f += TILE_ROWS, to += terms * TILE_ROWS) {
        const int64_t rows = smaller(TILE_ROWS, count - f);
        pack_sliver_of_a(filters, f, rows, sliver_height(rows), term, terms, to);
    }
}

void ISA_FUNCTION(conv_implicit_pack)(const struct conv_shape *s, const float *weights,
                                      float *packed)
{
    const int64_t filters = s->filters / s->groups, terms = conv_terms(s);
    const int64_t depth = s->channels / s->groups, window = s->kernel * s->kernel;
    const int64_t step = panel_channels(s);
    for (int64_t g = 0; g < s->groups; g++) {
        const struct view of_group = {weights + g * filters * terms, terms, 0, filters, 0};
        for (int64_t c = 0; c < depth; c += step)
            pack_panel(s, &of_group, c * window, smaller(step, depth - c) * window,
                       packed + packed_offset(s, g, c));
    }
}

/* ---- one panel ------------------------------------------------------------------------------ */

/* Channels [channel, channel + channels) of a group by the pixels [first, first + count). */
struct panel {
    const struct conv_call *call;
    float *windows; /* slivers of TILE_COLS pixels */
    int64_t group, channel, channels;
    int64_t first, count;
};

static int64_t panel_terms(const struct panel *p)
{
    return p->channels * p->call->shape->kernel * p->call->shape->kernel;
}

/* One sliver; lanes right of the last pixel are 0, so that nothing undefined is multiplied. */
static void pack_sliver(const struct panel *p, int64_t pixel, float *to)
{
    const struct conv_shape *s = p->call->shape;
    const int64_t count = smaller(TILE_COLS, p->count - pixel), window = s->kernel * s->kernel;
    const int64_t first_channel = p->group * (s->channels / s->groups) + p->channel;
    if (count < TILE_COLS)
        for (int64_t i = 0; i < panel_terms(p) * TILE_COLS; i += LANES)
            vec_store(to + i, vec_zero());
    for (int64_t c = 0; c < p->channels; c++)
        pack_channel(p->call, first_channel + c, p->first + pixel, count,
                     to + c * window * TILE_COLS, TILE_COLS);
}

/* Adds or sets `count` sums where they belong in one row of the map. */
WINDOWS_INLINE void store_run(float *to, const float *sums, int64_t count, bool add)
{
    for (int64_t q = 0; q < count; q += LANES) {
        const int64_t n = smaller(LANES, count - q);
        const vec v = vec_load_part(sums + q, n, vec_zero());
        vec_store_part(to + q, add ? vec_add(vec_load_part(to + q, n, vec_zero()), v) : v, n);
    }
}

/* A tile whose pixels lie in several rows of the map that do not follow each other: its sums, row
 * of TILE_COLS by row, each cut where a row of the map ends. */
static void store_apart(const struct panel *p, int64_t filter, int64_t rows, int64_t pixel,
                        int64_t pixels, const float *sums)
{
    const struct conv_call *call = p->call;
    const int64_t cols = call->shape->out_cols;
    for (int64_t i = 0; i < rows; i++, sums += TILE_COLS)
        for (int64_t done = 0; done < pixels;) {
            const int64_t y = (pixel + done) / cols, x = (pixel + done) % cols;
            const int64_t run = smaller(cols - x, pixels - done);
            store_run(map_row(&call->map, call->row + y) + (filter + i) * call->map.plane_stride +
                          x,
                      sums + done, run, p->channel > 0);
            done += run;
        }
}

/* All filters of the group over one sliver. */
static void multiply_sliver(const struct panel *p, int64_t pixel, const float *windows)
{
    const struct conv_call *call = p->call;
    const struct conv_shape *s = call->shape;
    const int64_t filters = s->filters / s->groups, first = p->group * filters;
    const int64_t terms = panel_terms(p), at = p->first + pixel;
    const int64_t y = at / s->out_cols, x = at % s->out_cols;
    const float *a = call->packed + packed_offset(s, p->group, p->channel);
    float sums[TILE_ROWS * TILE_COLS];
    struct corner to = {.cols = smaller(TILE_COLS, p->count - pixel)};
    const bool together = x + to.cols <= s->out_cols || call->map.row_stride == s->out_cols;
    to.stride = together ? call->map.plane_stride : TILE_COLS;
    to.add = together && p->channel > 0;
    for (int64_t f = 0; f < filters; f += TILE_ROWS, a += terms * TILE_ROWS) {
        to.rows = smaller(TILE_ROWS, filters - f);
        to.c = together
                   ? map_row(&call->map, call->row + y) + (first + f) * call->map.plane_stride + x
                   : sums;
        to.start = call->bias && p->channel == 0 ? call->bias + first + f : NULL;
        tile_of_height(a, windows, TILE_COLS, terms, &to, sliver_height(to.rows));
        if (!together)
            store_apart(p, first + f, to.rows, at, to.cols, sums);
    }
}

static void multiply_panel(const struct panel *p)
{
    const int64_t sliver = panel_terms(p) * TILE_COLS;
    float *to = p->windows;
    for (int64_t pixel = 0; pixel < p->count; pixel += TILE_COLS, to += sliver)
        pack_sliver(p, pixel, to);
    to = p->windows;
    for (int64_t pixel = 0; pixel < p->count; pixel += TILE_COLS, to += sliver)
        multiply_sliver(p, pixel, to);
}

void ISA_FUNCTION(conv_implicit)(const struct conv_call *call, void *scratch)
{
    const struct conv_shape *s = call->shape;
    const int64_t pixels = call->rows * s->out_cols, depth = s->channels / s->groups;
    const int64_t step = panel_channels(s);
    struct panel p = {.call = call, .windows = scratch};
    for (p.group = 0; p.group < s->groups; p.group++)
        for (p.first = 0; p.first < pixels; p.first += PANEL_PIXELS) {
            p.count = smaller(PANEL_PIXELS, pixels - p.first);
            for (p.channel = 0; p.channel < depth; p.channel += step) {
                p.channels = smaller(step, depth - p.channel);
                multiply_panel(&p);
            }
        }
}
