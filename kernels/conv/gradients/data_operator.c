/* The operator row of the data gradient: dX from dY and W (kernels/conv/gradients/gradient.h). Its
 * map is batch x rows x (channels x columns), in the image's layout. Of the image only the shape is
 * used; no pixel is read. */
#include "kernels/conv/explain.h"
#include "kernels/conv/gradients/data_methods.h"
#include "kernels/conv/gradients/gradient_oracle.h"
#include "kernels/conv/gradients/gradient_phases.h"
#include "kernels/conv/rows.h"
#include "kernels/windows.h"

#include <math.h>
#include <stdio.h>

/* ---- shapes and needs -------------------------------------------------------------------------
 */

/* The most places along an axis that a phase has (gradient_phases.h). */
static int64_t phase_kernel(const struct conv_shape *s)
{
    return (s->kernel + s->stride - 1) / s->stride;
}

static struct refusal shape(struct operation *op)
{
    const struct refusal refusal = conv_complete_operation(op);
    op->map = op->image;
    return refusal.kind == REFUSAL_NONE ? conv_refuse_terms(op, "K/G k k") : refusal;
}

static int64_t terms(const struct operation *op)
{
    const struct conv_shape s = conv_shape_of(op);
    return s.filters / s.groups * phase_kernel(&s) * phase_kernel(&s);
}

static double parts(const struct operation *op)
{
    return (double)terms(op);
}

/* dY and W are read once, dX is written. The least multiplications are a quarter of all where
 * phases are windows of 3 x 3, as forward. */
static struct need need(const struct operation *op, bool product)
{
    const struct conv_shape s = conv_shape_of(op);
    const double all = conv_multiplications(op);
    const double d_output = (double)shape_elements(conv_outputs_shape(op));
    const double weights = (double)s.filters * (double)conv_terms(&s);
    (void)product;
    return (struct need){.bytes_read = 4.0 * (d_output + weights),
                         .bytes_written = 4.0 * (double)shape_elements(op->map),
                         .least = {phase_kernel(&s) == 3 ? 0.25 * all : all, 0.0},
                         .per_output = {all, 0.0}};
}

/* No image rows: every process has all of dY and W. */
static void rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                        int64_t *count)
{
    (void)op;
    (void)row;
    (void)rows;
    *first = *count = 0;
}

static struct region begin(const struct operation *op, int64_t plane, int64_t row, int64_t col)
{
    (void)col; /* whole lines */
    return own_begin(op, plane, row, 0);
}

static struct region region_needed(const struct operation *op, int64_t plane, int64_t row,
                                   int64_t col, int64_t cols, bool narrow)
{
    (void)row;
    (void)col;
    (void)cols;
    (void)narrow;
    return (struct region){.plane = plane, .planes = 1, .cols = op->image.cols};
}

/* Always whole lines. */
static int64_t strip(const struct operation *op, int64_t most)
{
    (void)most;
    return op->map.cols;
}

/* ---- running ----------------------------------------------------------------------------------
 */

static void run(const struct operation *op, const struct portion *portion, enum stage stage)
{
    const struct conv_shape s = conv_shape_of(op);
    const int64_t outputs = s.filters * s.out_rows * s.out_cols;
    const float *d_output = op->operands[OPERAND_D_OUTPUT].values;
    struct conv_data_gradient call = {.shape = &s,
                                      .weights = op->operands[OPERAND_WEIGHTS].values,
                                      .d_output = d_output + portion->block.plane * outputs,
                                      .image = portion->map,
                                      .row = portion->block.row,
                                      .rows = portion->block.rows};
    (void)stage; /* there is only one */
    call.image.plane_stride = s.cols;
    for (int64_t i = 0; i < portion->block.planes; i++) {
        conv_data_gradient_by(conv_data_gradient_method_of(op->method), op->isa, &call, op->packed,
                              portion->scratch);
        call.d_output += outputs;
        call.image.data += portion->map.plane_stride;
    }
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

/* The expectation of one pixel; the bound is wider where Winograd's transforms may be used. */
static struct expectation expect_pixel(const struct conv_gradient_operands *o, int64_t plane,
                                       int64_t row, int64_t at)
{
    const int64_t channel = at / o->shape->cols, col = at % o->shape->cols;
    struct expectation e = oracle_conv_data_gradient(o, plane, channel, row, col);
    if (phase_kernel(o->shape) == 3)
        e.bound =
            fmax(e.bound, oracle_conv_data_gradient_winograd_bound(o, plane, channel, row, col));
    return e;
}

static void expect(const struct operation *op, const struct region *held, const float *data,
                   const struct block *outputs, struct expectation *out)
{
    const struct conv_shape s = conv_shape_of(op);
    const struct conv_gradient_operands o = {.shape = &s,
                                             .weights = op->operands[OPERAND_WEIGHTS].values,
                                             .d_output = op->operands[OPERAND_D_OUTPUT].values,
                                             .images = s.batch};
    (void)held;
    (void)data;
    for (int64_t i = 0; i < outputs->cols; i++)
        out[i] = expect_pixel(&o, outputs->plane, outputs->row, outputs->col + i);
}

static double largest(const struct operation *op, double max_abs)
{
    (void)max_abs; /* of the image, which is not read */
    return (double)terms(op) * op->operands[OPERAND_D_OUTPUT].max_abs *
           op->operands[OPERAND_WEIGHTS].max_abs;
}

/* Where Winograd's transforms may be used, sums grow up to 36 times as large, as forward. */
static bool is_exact(const struct operation *op, bool integers, double max_abs)
{
    const struct conv_shape s = conv_shape_of(op);
    const double growth = phase_kernel(&s) == 3 ? 36.0 : 1.0;
    (void)integers;
    return op->operands[OPERAND_D_OUTPUT].integers && op->operands[OPERAND_WEIGHTS].integers &&
           growth * largest(op, max_abs) < 0x1p24;
}

/* ---- the row ----------------------------------------------------------------------------------
 */

static void describe(const struct operation *op, char *text, size_t size)
{
    const int used = snprintf(text, size, "data gradient, ");
    conv_describe(op, text + used, size - (size_t)used);
}

static const struct parameter *const parameters[] = {
    &conv_batch,  &conv_channels,   &conv_filters,  &conv_groups, &conv_kernel,
    &conv_stride, &windows_padding, &conv_gradient, NULL};
static const struct operand_row *const operands[] = {&conv_weights, &conv_d_output, NULL};
static const char *const examples[] = {
    "-n 56 --channels 64 --filters 64 -p 1 --gradient image --method implicit,winograd", NULL};

const struct operator_row conv_data_gradient_operator = {
    .name = "conv_data_gradient",
    .words = {.subject = "the data gradient of a convolution",
              .measures = "the data gradient of a convolution: what the objective changes by with "
                          "each pixel of its images, from the gradient of its outputs.",
              .map = "Data gradient",
              .units = "sums",
              .parts = "products",
              .one_unit = "sum",
              .one_part = "product",
              .packed = "bank of filters",
              .example = "implicit",
              .device_example = "implicit",
              .examples = examples,
              .in_flops = true,
              .with_product = {"conv_data_gradient", N_("Data gradient of a convolution")}},
    .parameters = parameters,
    .operands = operands,
    .right = OPERAND_WEIGHTS,
    .image_channels = conv_image_channels,
    .map_channels = conv_image_channels,
    .random_shape = conv_random_shape,
    .parameters_from_image = conv_parameters_from_image,
    .shape = shape,
    .method = conv_data_gradient_method_at,
    .is_built = conv_data_gradient_is_built,
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
    .explained_elements = conv_data_gradient_explained_elements,
    .explain = conv_data_gradient_explain,
};
