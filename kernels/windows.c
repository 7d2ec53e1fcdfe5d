#include "kernels/windows.h"

#include "kernels/min_max.h"

#include <math.h>

/* ---- options ----------------------------------------------------------------------------------
 */

#define PARAMETER(name) offsetof(struct parameters, name)

const struct parameter windows_kernel = {.option = "kernel-size",
                                         .letter = 'k',
                                         .argument = "K",
                                         .column = "kernel",
                                         .of = "windows",
                                         .least = 1,
                                         .offset = PARAMETER(kernel),
                                         .fallback = 2,
                                         .basic = true,
                                         .help = "side of the window (default 2)"};

const struct parameter windows_stride = {.option = "stride",
                                         .letter = 's',
                                         .argument = "S",
                                         .column = "stride",
                                         .of = "windows",
                                         .least = 1,
                                         .offset = PARAMETER(stride),
                                         .follows = "kernel-size",
                                         .basic = true,
                                         .help = "step from one window to the next (default K)"};

const struct parameter windows_padding = {.option = "padding",
                                          .letter = 'p',
                                          .argument = "P",
                                          .column = "padding",
                                          .of = "windows",
                                          .offset = PARAMETER(padding),
                                          .basic = true,
                                          .help = "elements added on every side (default 0)"};

const struct parameter windows_pad_mode = {
    .option = "pad-mode",
    .argument = "zero|ignore",
    .choice = true,
    .column = "pad_mode",
    .of = "windows",
    .offset = PARAMETER(pad_mode),
    .help = "added elements are 0 and take part (default), or never win as in PyTorch "
            "(ignore)"};

/* ---- shapes -----------------------------------------------------------------------------------
 */

struct refusal windows_refuse(enum geometry_status status, const struct geometry *g)
{
    switch (status) {
    case GEOMETRY_OK:
        return (struct refusal){.kind = REFUSAL_NONE};
    case GEOMETRY_PAD_TOO_WIDE:
        return refusal_make(REFUSAL_USAGE,
                            "--pad-mode ignore needs a padding below the kernel size: %lld is not "
                            "below %lld",
                            (long long)g->padding, (long long)g->kernel);
    case GEOMETRY_NO_FIT:
        return refusal_make(REFUSAL_USAGE,
                            "a window of %lld x %lld does not fit the image of %lld x %lld padded "
                            "by %lld",
                            (long long)g->kernel, (long long)g->kernel, (long long)g->rows,
                            (long long)g->cols, (long long)g->padding);
    case GEOMETRY_OVERFLOW:
        return refusal_make(REFUSAL_RESOURCE,
                            "the padded image or the map of a %lld x %lld image cannot be counted "
                            "in bytes",
                            (long long)g->rows, (long long)g->cols);
    case GEOMETRY_BAD_SIZE:
    case GEOMETRY_BAD_KERNEL:
    case GEOMETRY_BAD_STRIDE:
    case GEOMETRY_BAD_PADDING:
        break;
    }
    return refusal_make(REFUSAL_USAGE,
                        "sizes, kernel size and stride must be at least 1, padding 0");
}

struct refusal windows_shape(struct operation *op)
{
    const struct parameters *p = &op->parameters;
    op->geometry = (struct geometry){.planes = op->image.planes,
                                     .rows = op->image.rows,
                                     .cols = op->image.cols,
                                     .kernel = p->kernel,
                                     .stride = p->stride,
                                     .padding = p->padding,
                                     .pad_mode = (enum pad_mode)p->pad_mode};
    const enum geometry_status status = geometry_complete(&op->geometry);
    op->map =
        (struct image_shape){op->geometry.planes, op->geometry.out_rows, op->geometry.out_cols};
    return windows_refuse(status, &op->geometry);
}

/* ---- which elements ---------------------------------------------------------------------------
 */

void windows_rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                         int64_t *count)
{
    geometry_rows_needed(&op->geometry, row, rows, first, count);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return smaller(larger(value, low), high);
}

/* Image coordinate where the windows of output coordinate `out` begin. */
static int64_t begin_along(const struct geometry *g, int64_t out, int64_t size)
{
    return out == 0 ? 0 : clamp(out * g->stride - g->padding, 0, size);
}

struct region windows_begin(const struct operation *op, int64_t plane, int64_t row, int64_t col)
{
    return (struct region){.plane = plane,
                           .row = begin_along(&op->geometry, row, op->image.rows),
                           .col = begin_along(&op->geometry, col, op->image.cols)};
}

struct region windows_region(const struct operation *op, int64_t plane, int64_t row, int64_t col,
                             int64_t cols, bool narrow)
{
    const struct geometry *g = &op->geometry;
    struct region c = {.plane = plane, .planes = 1, .cols = g->cols};
    geometry_rows_needed(g, row, 1, &c.row, &c.rows);
    if (narrow) {
        const int64_t end = (col + cols - 1) * g->stride - g->padding + g->kernel;
        c.col = clamp(col * g->stride - g->padding, 0, g->cols);
        c.cols = clamp(end, c.col, g->cols) - c.col;
    }
    return c;
}

int64_t windows_strip(const struct operation *op, int64_t most)
{
    const struct geometry *g = &op->geometry;
    return larger(1, (most / g->kernel - g->kernel) / g->stride);
}

/* ---- what windows touch -----------------------------------------------------------------------
 */

static double outputs(const struct geometry *g, int64_t n)
{
    return (double)geometry_outputs(n, g->kernel, g->stride, g->padding);
}

double windows_elements_touched(const struct geometry *g, int64_t n)
{
    const double step = (double)smaller(g->stride, g->kernel);
    const double span = (outputs(g, n) - 1.0) * step + (double)g->kernel;
    const double end = (outputs(g, n) - 1.0) * (double)g->stride + (double)(g->kernel - g->padding);
    return fmax(0.0, span - (double)g->padding - fmax(0.0, end - (double)n));
}

double windows_apart(const struct geometry *g, int64_t n)
{
    const int64_t step = (g->kernel + g->stride - 1) / g->stride * g->stride;
    const int64_t first = (g->stride - g->padding % g->stride) % g->stride;
    return n - first < g->kernel ? 0.0 : (double)geometry_outputs(n - first, g->kernel, step, 0);
}
