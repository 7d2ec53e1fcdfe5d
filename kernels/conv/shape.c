#include "kernels/conv/shape.h"

#include "kernels/geometry.h"

/* The pooling geometry of one channel with the same window. */
static struct geometry plane_geometry(const struct conv_shape *s)
{
    return (struct geometry){.planes = 1,
                             .rows = s->rows,
                             .cols = s->cols,
                             .kernel = s->kernel,
                             .stride = s->stride,
                             .padding = s->padding,
                             .pad_mode = PAD_ZERO,
                             .out_rows = s->out_rows,
                             .out_cols = s->out_cols};
}

/* True if a x b x c floats can be counted in bytes. */
static bool countable(int64_t a, int64_t b, int64_t c)
{
    return geometry_elements(a, b, c) >= 0;
}

/* The same for a x b planes of c x d. */
static bool planes_countable(int64_t a, int64_t b, int64_t c, int64_t d)
{
    const int64_t planes = geometry_elements(a, b, 1);
    return planes >= 0 && countable(planes, c, d);
}

static enum conv_status check(const struct conv_shape *s)
{
    if (s->batch < 1 || s->channels < 1 || s->rows < 1 || s->cols < 1 || s->filters < 1 ||
        s->groups < 1 || s->kernel < 1 || s->stride < 1 || s->padding < 0)
        return CONV_BAD_SIZE;
    if (s->channels % s->groups != 0 || s->filters % s->groups != 0)
        return CONV_BAD_GROUPS;
    if (!planes_countable(s->batch, s->channels, s->rows, s->cols) ||
        !planes_countable(s->filters, s->channels / s->groups, s->kernel, s->kernel))
        return CONV_OVERFLOW;
    return CONV_OK;
}

enum conv_status conv_complete(struct conv_shape *s)
{
    s->out_rows = s->out_cols = 0;
    enum conv_status status = check(s);
    if (status != CONV_OK)
        return status;
    struct geometry g = plane_geometry(s);
    const enum geometry_status fits = geometry_complete(&g);
    if (fits != GEOMETRY_OK)
        return fits == GEOMETRY_NO_FIT ? CONV_NO_FIT : CONV_OVERFLOW;
    if (!planes_countable(s->batch, s->filters, g.out_rows, g.out_cols))
        return CONV_OVERFLOW;
    s->out_rows = g.out_rows;
    s->out_cols = g.out_cols;
    return CONV_OK;
}

int64_t conv_terms(const struct conv_shape *s)
{
    return s->channels / s->groups * s->kernel * s->kernel;
}
