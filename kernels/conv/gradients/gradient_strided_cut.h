/* How conv_data_gradient_strided cuts its work; shared by the method, its packed filters and the
 * size of its scratch. */
#ifndef MAXPOOL_CONV_GRADIENT_STRIDED_CUT_H
#define MAXPOOL_CONV_GRADIENT_STRIDED_CUT_H

#include "kernels/conv/bands.h"

/* A band is some rows of the image, or parts of them: at most STRIDED_ELEMENTS elements, whose sums
 * (256 KiB) stay in the second-level cache together with BAND_ELEMENTS output gradients of all
 * filters, or as many as LEAST_COLS columns of `stride` rows (at most LEAST_ROWS) need. */
enum { STRIDED_ELEMENTS = 2048, LEAST_ROWS = 16 };

/* The size of a band; and the output gradients that it needs, with the zeros around them. */
struct strided_cut {
    int64_t rows, cols;
    int64_t copied_rows, copied_cols;
};

/* Places of the window along an axis that phase a has. */
static inline int64_t phase_places(const struct conv_shape *s, int64_t a)
{
    return a < s->kernel ? (s->kernel - a + s->stride - 1) / s->stride : 0;
}

/* Output gradients along an axis that `elements` elements need, wherever these begin. */
static inline int64_t outputs_under(const struct conv_shape *s, int64_t elements)
{
    return (elements + s->stride - 2) / s->stride + phase_places(s, 0);
}

/* Elements along an axis for which `d_output` output gradients suffice. */
static inline int64_t elements_over(const struct conv_shape *s, int64_t d_output)
{
    return (d_output - phase_places(s, 0)) * s->stride + 1;
}

static inline struct strided_cut strided_cut_of(const struct conv_shape *s)
{
    const int64_t filters = s->filters / s->groups;
    const int64_t high = smaller(smaller(s->rows, s->stride), LEAST_ROWS);
    const int64_t across = BAND_ELEMENTS / filters / outputs_under(s, high);
    const int64_t wide = smaller(STRIDED_ELEMENTS / high, elements_over(s, across));
    struct strided_cut c = {.cols = smaller(s->cols, larger(wide, LEAST_COLS))};
    c.copied_cols = outputs_under(s, c.cols);
    const int64_t down = BAND_ELEMENTS / filters / c.copied_cols;
    const int64_t tall = smaller(STRIDED_ELEMENTS / c.cols, elements_over(s, down));
    c.rows = smaller(s->rows, larger(tall - tall % s->stride, high));
    c.copied_rows = outputs_under(s, c.rows);
    return c;
}

/* Channels of a group, rounded up to whole micro-panels. */
static inline int64_t micro_panel_channels(const struct conv_shape *s)
{
    const int64_t channels = s->channels / s->groups;
    return (channels + WIDEST_MICRO_PANEL - 1) / WIDEST_MICRO_PANEL * WIDEST_MICRO_PANEL;
}

#endif
