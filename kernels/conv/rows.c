#include "kernels/conv/rows.h"

#include "kernels/conv/methods.h"
#include "kernels/min_max.h"
#include "kernels/windows.h"

#include <stdio.h>

/* ---- options ----------------------------------------------------------------------------------
 */

#define PARAMETER(name) offsetof(struct parameters, name)

const struct parameter conv_kernel = {.option = "kernel-size",
                                      .letter = 'k',
                                      .argument = "K",
                                      .column = "kernel",
                                      .of = "windows",
                                      .least = 1,
                                      .offset = PARAMETER(kernel),
                                      .fallback = 3,
                                      .basic = true,
                                      .help = "side of the window (default 3)"};

const struct parameter conv_stride = {.option = "stride",
                                      .letter = 's',
                                      .argument = "S",
                                      .column = "stride",
                                      .of = "windows",
                                      .least = 1,
                                      .offset = PARAMETER(stride),
                                      .fallback = 1,
                                      .basic = true,
                                      .help = "step from one window to the next (default 1)"};

const struct parameter conv_batch = {.option = "batch",
                                     .argument = "N",
                                     .column = "batch",
                                     .of = "images of several channels",
                                     .least = 1,
                                     .offset = PARAMETER(batch),
                                     .fallback = 1,
                                     .basic = true,
                                     .help = "random images (default 1)",
                                     .random = true};

const struct parameter conv_channels = {.option = "channels",
                                        .argument = "C",
                                        .column = "channels",
                                        .of = "images of several channels",
                                        .least = 1,
                                        .offset = PARAMETER(channels),
                                        .fallback = 3,
                                        .basic = true,
                                        .help = "channels of each random image (default 3)",
                                        .random = true};

const struct parameter conv_filters = {
    .option = "filters",
    .argument = "K",
    .column = "filters",
    .of = "bank of filters",
    .least = 1,
    .offset = PARAMETER(filters),
    .fallback = 16,
    .basic = true,
    .help = "number of filters, the channels of the output (default 16)"};

const struct parameter conv_groups = {
    .option = "groups",
    .argument = "G",
    .column = "groups",
    .of = "bank of filters",
    .least = 1,
    .offset = PARAMETER(groups),
    .fallback = 1,
    .help = "number of groups of channels, each with its own filters (default 1)"};

/* In the order of the argument's words: the convolution itself, dX and dW. */
static const struct operator_row *const directions[] = {
    &conv_operator, &conv_data_gradient_operator, &conv_weight_gradient_operator, NULL};

const struct parameter conv_gradient = {
    .option = "gradient",
    .argument = "none|image|weights",
    .choice = true,
    .column = "gradient",
    .of = "bank of filters",
    .offset = PARAMETER(gradient),
    .selects = directions,
    .help = "run backward from the output gradient: image for the data gradient, weights for the "
            "weight gradient (default none)"};

/* ---- shapes -----------------------------------------------------------------------------------
 */

struct conv_shape conv_shape_of(const struct operation *op)
{
    const struct parameters *p = &op->parameters;
    return (struct conv_shape){.batch = op->image.planes,
                               .channels = p->channels,
                               .rows = op->image.rows,
                               .cols = op->image.cols / p->channels,
                               .filters = p->filters,
                               .groups = p->groups,
                               .kernel = p->kernel,
                               .stride = p->stride,
                               .padding = p->padding,
                               .out_rows = op->geometry.out_rows,
                               .out_cols = op->geometry.out_cols};
}

int64_t conv_image_channels(const struct operation *op)
{
    return op->parameters.channels;
}

struct image_shape conv_random_shape(const struct parameters *p, struct image_shape sizes)
{
    const int64_t planes = geometry_elements(p->batch, p->channels, 1);
    return (struct image_shape){planes < 0 ? INT64_MAX : planes, sizes.rows, sizes.cols};
}

void conv_parameters_from_image(struct parameters *p, struct image_shape planes, int64_t images)
{
    p->batch = images;
    p->channels = planes.planes / images;
}

/* The geometry of a window on any channel. */
static struct geometry geometry_of(const struct conv_shape *s)
{
    return (struct geometry){.planes = s->batch * s->channels,
                             .rows = s->rows,
                             .cols = s->cols,
                             .kernel = s->kernel,
                             .stride = s->stride,
                             .padding = s->padding,
                             .pad_mode = PAD_ZERO};
}

static struct refusal refuse_shape(const struct conv_shape *s, enum conv_status status)
{
    struct geometry g = geometry_of(s);
    if (status == CONV_BAD_GROUPS)
        return refusal_make(REFUSAL_USAGE,
                            "%lld groups need channels and filters that they divide, not %lld and "
                            "%lld",
                            (long long)s->groups, (long long)s->channels, (long long)s->filters);
    if (status == CONV_NO_FIT)
        return windows_refuse(geometry_complete(&g), &g);
    return refusal_make(status == CONV_OVERFLOW ? REFUSAL_RESOURCE : REFUSAL_USAGE,
                        "%lld x %lld images of %lld x %lld under %lld filters of %lld x %lld %s",
                        (long long)s->batch, (long long)s->channels, (long long)s->rows,
                        (long long)s->cols, (long long)s->filters, (long long)s->kernel,
                        (long long)s->kernel,
                        status == CONV_OVERFLOW ? "cannot be counted in bytes" : "are none");
}

struct refusal conv_complete_operation(struct operation *op)
{
    struct conv_shape s = conv_shape_of(op);
    const enum conv_status status = conv_complete(&s);
    if (status != CONV_OK)
        return refuse_shape(&s, status);
    op->geometry = geometry_of(&s);
    op->geometry.out_rows = s.out_rows;
    op->geometry.out_cols = s.out_cols;
    return (struct refusal){.kind = REFUSAL_NONE};
}

/* A sum's error bound is finite below 2^24 terms (oracle_bound), including those of its
 * epilogue. */
struct refusal conv_refuse_terms(const struct operation *op, const char *sum_of)
{
    enum { MOST_TERMS = 1 << 24, MORE_TERMS = 16 };
    if (operation_terms(op) + MORE_TERMS < MOST_TERMS)
        return (struct refusal){.kind = REFUSAL_NONE};
    return refusal_make(REFUSAL_USAGE,
                        "%s is too large: sums of %lld terms have no error bound in float32",
                        sum_of, (long long)operation_terms(op));
}

/* ---- operands ---------------------------------------------------------------------------------
 */

static struct image_shape weights_shape(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return (struct image_shape){s.filters * (s.channels / s.groups), s.kernel, s.kernel};
}

static int64_t weights_count(const struct operation *op)
{
    return op->parameters.filters;
}

/* From a file of K x C/G x k x k; the number of groups is an option. */
static void weights_from_file(struct parameters *p, struct image_shape planes, int64_t count)
{
    p->filters = count;
    p->channels = planes.planes / count * p->groups;
    p->kernel = planes.rows;
}

/* A value for each output of the convolution. */
struct image_shape conv_outputs_shape(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return (struct image_shape){s.batch * s.filters, s.out_rows, s.out_cols};
}

int64_t conv_outputs_count(const struct operation *op)
{
    return op->parameters.batch;
}

const struct operand_row conv_weights = {
    .role = OPERAND_WEIGHTS,
    .option = "weights",
    .column = "weights",
    .argument = "random|FILE.npy",
    .fallback = "random",
    .help = "the filters, K x C/G x k x k: from a file, whose shape gives K, C and k, or random "
            "integers -9 .. 9 (default random)",
    .noun = "bank of filters",
    .symbol = "W",
    .shape = weights_shape,
    .count = weights_count,
    .from_file = weights_from_file};

const struct operand_row conv_d_output = {
    .role = OPERAND_D_OUTPUT,
    .option = "output-gradient",
    .formerly = "slopes",
    .column = "d_output",
    .argument = "random|FILE.npy",
    .fallback = "random",
    .help = "with --gradient: the output gradient dY, N x K x OH x OW (default random)",
    .noun = "output gradient",
    .symbol = "dY",
    .shape = conv_outputs_shape,
    .count = conv_outputs_count};

/* ---- needs ------------------------------------------------------------------------------------
 */

/* Along an axis of n elements, the pairs of an output and an element inside the image that its
 * window covers. */
static double pairs_inside(const struct geometry *g, int64_t n, int64_t outputs)
{
    double pairs = 0.0;
    for (int64_t i = 0; i < g->kernel; i++) {
        const int64_t before = larger(0, g->padding - i), end = n + g->padding - i;
        const int64_t first = (before + g->stride - 1) / g->stride;
        const int64_t past = end > 0 ? smaller((end - 1) / g->stride + 1, outputs) : 0;
        pairs += (double)larger(0, past - first);
    }
    return pairs;
}

double conv_multiplications(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct geometry *g = &op->geometry;
    const int64_t depth = s.channels / s.groups;
    return (double)s.batch * (double)s.filters * (double)depth *
           pairs_inside(g, s.rows, s.out_rows) * pairs_inside(g, s.cols, s.out_cols);
}

/* ---- words ------------------------------------------------------------------------------------
 */

void conv_describe(const struct operation *op, char *text, size_t size)
{
    const struct parameters *p = &op->parameters;
    char apart[48] = "";
    if (p->groups > 1)
        snprintf(apart, sizeof apart, " in %lld groups", (long long)p->groups);
    snprintf(text, size, "%lld filter%s%s, kernel size %lld, stride %lld, padding %lld",
             (long long)p->filters, p->filters == 1 ? "" : "s", apart, (long long)p->kernel,
             (long long)p->stride, (long long)p->padding);
}
