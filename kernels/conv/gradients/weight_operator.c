/* The operator row of the weight gradient: dW from X and dY (kernels/conv/gradients/gradient.h).
 * Its map is filters x 1 x (C/G x k x k), so that filters are distributed as planes are; each
 * filter reads all images. */
#include "kernels/conv/explain.h"
#include "kernels/conv/gradients/gradient_oracle.h"
#include "kernels/conv/gradients/weight_methods.h"
#include "kernels/conv/methods.h"
#include "kernels/conv/rows.h"
#include "kernels/windows.h"

#include <math.h>
#include <stdio.h>

/* ---- shapes and needs -------------------------------------------------------------------------
 */

static int64_t map_channels(const struct operation *op)
{
    return op->parameters.channels / op->parameters.groups;
}

static struct refusal shape(struct operation *op)
{
    const struct refusal refusal = conv_complete_operation(op);
    const struct conv_shape s = conv_shape_of(op);
    if (refusal.kind != REFUSAL_NONE)
        return refusal;
    op->map = (struct image_shape){s.filters, 1, conv_terms(&s)};
    return conv_refuse_terms(op, "N x OH x OW");
}

static int64_t terms(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return s.batch * s.out_rows * s.out_cols;
}

static double parts(const struct operation *op)
{
    return (double)terms(op);
}

/* dY and X are read once, dW is written. The least multiplications are a quarter of all where
 * windows are 3 x 3 at stride 1, as forward. */
static struct need need(const struct operation *op, bool product)
{
    const struct conv_shape s = conv_shape_of(op);
    const double all = conv_multiplications(op);
    const double d_output = (double)shape_elements(conv_outputs_shape(op));
    (void)product;
    return (struct need){.bytes_read = 4.0 * (d_output + (double)shape_elements(op->image)),
                         .bytes_written = 4.0 * (double)shape_elements(op->map),
                         .least = {conv_winograd_refuses(&s) ? all : 0.25 * all, 0.0},
                         .per_output = {all, 0.0}};
}

/* All rows of all images. */
static void rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                        int64_t *count)
{
    (void)row;
    (void)rows;
    *first = 0;
    *count = op->image.planes * op->image.rows;
}

static struct region begin(const struct operation *op, int64_t plane, int64_t row, int64_t col)
{
    (void)op;
    (void)plane;
    (void)row;
    (void)col;
    return (struct region){.plane = 0};
}

static struct region region_needed(const struct operation *op, int64_t plane, int64_t row,
                                   int64_t col, int64_t cols, bool narrow)
{
    (void)plane;
    (void)row;
    (void)col;
    (void)cols;
    (void)narrow;
    return (struct region){
        .planes = op->image.planes, .rows = op->image.rows, .cols = op->image.cols};
}

/* Always whole lines. */
static int64_t strip(const struct operation *op, int64_t most)
{
    (void)most;
    return op->map.cols;
}

/* The images in the operator's layout: line by line, each with a row of every channel. */
static struct conv_images images_of(const struct operation *op, const float *data)
{
    const struct conv_shape s = conv_shape_of(op);
    return (struct conv_images){data, op->image.rows * op->image.cols, s.cols, op->image.cols};
}

/* ---- running ----------------------------------------------------------------------------------
 */

static void run(const struct operation *op, const struct portion *portion, enum stage stage)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_weight_gradient call = {.shape = &s,
                                              .image = images_of(op, portion->image.data),
                                              .d_output = op->operands[OPERAND_D_OUTPUT].values,
                                              .images = s.batch,
                                              .filter = portion->block.plane,
                                              .filters = portion->block.planes,
                                              .weights = portion->map.data};
    (void)stage; /* there is only one */
    conv_weight_gradient_method_of(op->method)->run[op->isa](&call, portion->scratch);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

/* The expectation of weight `at`; the bound is wider where Winograd's transforms may be used. */
static struct expectation expect_weight(const struct conv_gradient_operands *o, int64_t at)
{
    struct expectation e = oracle_conv_weight_gradient(o, at);
    if (!conv_winograd_refuses(o->shape))
        e.bound = fmax(e.bound, oracle_conv_weight_gradient_winograd_bound(o, at, 1));
    return e;
}

static void expect(const struct operation *op, const struct region *held, const float *data,
                   const struct block *outputs, struct expectation *out)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_gradient_operands o = {.shape = &s,
                                             .image = images_of(op, data),
                                             .d_output = op->operands[OPERAND_D_OUTPUT].values,
                                             .images = s.batch};
    (void)held; /* everything is held */
    for (int64_t i = 0; i < outputs->cols; i++)
        out[i] = expect_weight(&o, outputs->plane * conv_terms(&s) + outputs->col + i);
}

static double largest(const struct operation *op, double max_abs)
{
    return (double)terms(op) * op->operands[OPERAND_D_OUTPUT].max_abs * max_abs;
}

/* Where Winograd's transforms may be used, a tile at the edge may have only one output gradient,
 * whose transforms come to 16 times its terms: in quarters, 64. */
static bool is_exact(const struct operation *op, bool integers, double max_abs)
{
    const struct conv_shape s = conv_shape_of(op);
    const double growth = conv_winograd_refuses(&s) ? 1.0 : 64.0;
    return op->operands[OPERAND_D_OUTPUT].integers && integers &&
           growth * largest(op, max_abs) < 0x1p24;
}

/* ---- the row ----------------------------------------------------------------------------------
 */

static void describe(const struct operation *op, char *text, size_t size)
{
    const int used = snprintf(text, size, "weight gradient, ");
    conv_describe(op, text + used, size - (size_t)used);
}

static const struct parameter *const parameters[] = {
    &conv_batch,  &conv_channels,   &conv_filters,  &conv_groups, &conv_kernel,
    &conv_stride, &windows_padding, &conv_gradient, NULL};
static const struct operand_row *const operands[] = {&conv_d_output, NULL};
static const char *const examples[] = {
    "-n 56 --channels 64 --filters 64 -p 1 --gradient weights --method tiles,winograd", NULL};

const struct operator_row conv_weight_gradient_operator = {
    .name = "conv_weight_gradient",
    .words = {.subject = "the weight gradient of a convolution",
              .measures =
                  "the weight gradient of a convolution: what the objective changes by with "
                  "each of its weights, from its images and the gradient of its outputs.",
              .map = "Weight gradient",
              .units = "sums",
              .parts = "products",
              .one_unit = "sum",
              .one_part = "product",
              .example = "tiles",
              .device_example = "tiles",
              .examples = examples,
              .in_flops = true,
              .with_product = {"conv_weight_gradient", N_("Weight gradient of a convolution")}},
    .parameters = parameters,
    .operands = operands,
    .right = OPERAND_D_OUTPUT,
    .image_channels = conv_image_channels,
    .map_channels = map_channels,
    .random_shape = conv_random_shape,
    .parameters_from_image = conv_parameters_from_image,
    .shape = shape,
    .method = conv_weight_gradient_method_at,
    .is_built = conv_weight_gradient_is_built,
    .run = run,
    .device = DEVICE_NONE,
    .need = need,
    .terms = terms,
    .parts = parts,
    .rows_needed = rows_needed,
    .begin = begin,
    .region_needed = region_needed,
    .expect = expect,
    .strip = strip,
    .steps = parts,
    .is_exact = is_exact,
    .largest = largest,
    .describe = describe,
    .explained_elements = conv_weight_gradient_explained_elements,
    .explain = conv_weight_gradient_explain,
};
