/* How conv_weight_gradient_tiles cuts its product; shared by the method and the size of its
 * scratch. It depends on the shape alone, so that every worker sums in the same order. */
#ifndef MAXPOOL_CONV_GRADIENT_CUT_H
#define MAXPOOL_CONV_GRADIENT_CUT_H

#include "kernels/conv/gradients/gradient.h"
#include "kernels/min_max.h"

/* Outputs that are packed at a time, so that a micro-panel of their output gradients stays in the
 * first-level cache and their elements in the second; the multiple that columns are rounded up to,
 * the widest tile; and the channels of a group below which whole windows are the columns, since a
 * tile of fewer channels would be mostly empty. */
enum { GRADIENT_PIXELS = 512, GRADIENT_WIDTH = 32, GRADIENT_FEW_CHANNELS = 16 };

struct gradient_cut {
    bool windows;         /* the columns are the terms of a window; otherwise channels */
    int64_t places;       /* sums over the outputs for each column: k k, or 1 */
    int64_t columns;      /* of one element, or of one window */
    int64_t width;        /* columns rounded up */
    int64_t rows, images; /* output rows of an image that are packed at a time, and images */
    int64_t packed_rows;  /* rows of elements that those output rows need, per image */
    int64_t packed_cols;  /* columns, with the padding */
};

static inline int64_t gradient_round(int64_t value, int64_t step)
{
    return (value + step - 1) / step * step;
}

/* The largest of near-equal parts of `all`, each at most `most`. */
static inline int64_t gradient_even(int64_t all, int64_t most)
{
    const int64_t parts = (all + most - 1) / most;
    return (all + parts - 1) / parts;
}

static inline struct gradient_cut gradient_cut_of(const struct conv_shape *s)
{
    const int64_t depth = s->channels / s->groups, window = s->kernel * s->kernel;
    struct gradient_cut c = {.windows = depth < GRADIENT_FEW_CHANNELS};
    c.places = c.windows ? 1 : window;
    c.columns = c.windows ? depth * window : depth;
    c.width = gradient_round(c.columns, GRADIENT_WIDTH);
    c.rows = gradient_even(s->out_rows, larger(1, GRADIENT_PIXELS / s->out_cols));
    c.images = c.rows == s->out_rows ? larger(1, GRADIENT_PIXELS / (c.rows * s->out_cols)) : 1;
    c.packed_rows = c.windows ? c.rows : (c.rows - 1) * s->stride + s->kernel;
    c.packed_cols = c.windows ? s->out_cols : s->cols + 2 * s->padding;
    return c;
}

/* Floats of the parts of the scratch, in their order; each begins on a cache line. */
static inline int64_t gradient_d_output_floats(const struct conv_shape *s,
                                               const struct gradient_cut *c, int64_t filters)
{
    const int64_t pixels = c->images * c->rows * s->out_cols;
    const int64_t widest_vector = 16; /* the last store may go this far beyond its micro-panel */
    return gradient_round(pixels * gradient_round(filters, GRADIENT_FILTERS) + widest_vector, 16);
}

static inline int64_t gradient_element_floats(const struct gradient_cut *c)
{
    return c->images * c->packed_rows * c->packed_cols * c->width;
}

#endif
