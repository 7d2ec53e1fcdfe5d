/* Convolution. Images and maps are stored plane by plane, as networks have them. */
#include "kernels/conv/methods.h"
#include "kernels/conv/rows.h"
#include "library/operation.h"

#include "harness/machine/memory.h"

#include <math.h>

static const struct operand *weights_of(const struct maxpool_operation *op)
{
    return &op->operation.operands[OPERAND_WEIGHTS];
}

static const struct operand *bias_of(const struct maxpool_operation *op)
{
    return &op->operation.operands[OPERAND_BIAS];
}

static const struct conv_method *method_of(const struct maxpool_operation *op)
{
    return conv_method_of(op->operation.method);
}

/* ---- computing --------------------------------------------------------------------------------
 */

static int64_t input_elements(const struct conv_shape *s)
{
    return s->channels * s->rows * s->cols;
}

static int64_t output_elements(const struct conv_shape *s)
{
    return s->filters * s->out_rows * s->out_cols;
}

static struct view view_of(const struct conv_shape *s, const float *input, int64_t image)
{
    return (struct view){.data = input + image * input_elements(s),
                         .row_stride = s->cols,
                         .rows = s->rows,
                         .plane_stride = s->rows * s->cols};
}

static void compute(const struct maxpool_operation *op, const float *input, float *output,
                    const struct group_rows *rows, void *scratch)
{
    const struct conv_shape s = conv_shape_of(&op->operation);
    const float *weights = weights_of(op)->values;
    const struct conv_call call = {.shape = &s,
                                   .weights = weights,
                                   .packed = op->packed ? op->packed : weights,
                                   .bias = bias_of(op)->values,
                                   .image = view_of(&s, input, rows->group),
                                   .map = {.data = output + rows->group * output_elements(&s),
                                           .row_stride = s.out_cols,
                                           .plane_stride = s.out_rows * s.out_cols},
                                   .row = rows->row,
                                   .rows = rows->rows};
    method_of(op)->run[op->operation.isa](&call, scratch);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static void expect(const struct maxpool_operation *op, const float *input, int64_t line,
                   struct expectation *out)
{
    const struct conv_shape s = conv_shape_of(&op->operation);
    conv_bound_function *const bound = method_of(op)->bound;
    const int64_t row = line % s.out_rows, plane = line / s.out_rows;
    const int64_t filter = plane % s.filters;
    const struct conv_operands o = {.shape = &s,
                                    .image = view_of(&s, input, plane / s.filters),
                                    .weights = weights_of(op)->values,
                                    .bias = bias_of(op)->values};
    for (int64_t col = 0; col < s.out_cols; col++) {
        out[col] = oracle_conv(&o, filter, row, col);
        if (bound)
            out[col].bound = fmax(out[col].bound, bound(&o, filter, row, col));
    }
}

static double largest(const struct maxpool_operation *op, const struct values *input)
{
    return conv_operator.largest(&op->operation, input->max_abs);
}

/* A method with its own bound sums other numbers than the terms, so its results are never required
 * to be exact here. */
static bool is_exact(const struct maxpool_operation *op, const struct values *input)
{
    return !method_of(op)->bound && input->integers && weights_of(op)->integers &&
           bias_of(op)->integers && largest(op, input) < 0x1p24;
}

static const struct operation_kind kind = {compute, expect, is_exact, largest};

/* ---- making -----------------------------------------------------------------------------------
 */

static enum status set_shape(struct maxpool_operation *op, const struct maxpool_convolve *what,
                             struct failure *f)
{
    const int64_t channels = what->channels;
    int64_t cols = 0;
    op->operation.parameters = (struct parameters){.kernel = what->kernel,
                                                   .stride = what->stride == 0 ? 1 : what->stride,
                                                   .padding = what->padding,
                                                   .batch = what->batch,
                                                   .channels = channels,
                                                   .filters = what->filters,
                                                   .groups = what->groups == 0 ? 1 : what->groups};
    if (channels < 1)
        return fail(f, STATUS_USAGE, "channels must be at least 1");
    if (__builtin_mul_overflow(channels, what->cols, &cols))
        return fail(f, STATUS_RESOURCE, "the input cannot be counted in bytes");
    const struct image_shape lines = {what->batch, what->rows, cols};
    return operation_shape(op, &conv_operator, lines, f);
}

/* Packed for planes: the row's own `pack` may pack for lines of all channels. */
static enum status pack(struct maxpool_operation *op, struct failure *f)
{
    const struct conv_shape s = conv_shape_of(&op->operation);
    const struct conv_method *m = method_of(op);
    const size_t floats = m->packed ? m->packed(&s) : 0;
    if (floats == 0)
        return STATUS_OK;
    const size_t bytes = memory_multiply(floats, sizeof(float));
    const enum status status =
        memory_allocate((void **)&op->packed, bytes, "the packed weights", f);
    if (status == STATUS_OK)
        m->pack[op->operation.isa](&s, weights_of(op)->values, op->packed);
    return status;
}

static struct maxpool_shape shape_of(struct image_shape s)
{
    return (struct maxpool_shape){s.planes, s.rows, s.cols};
}

/* Whether anything follows the sum and its bias. */
static bool is_finished(const struct operation *o)
{
    return o->parameters.activation != CONV_LINEAR || o->parameters.epilogue != CONV_STORE ||
           o->operands[OPERAND_RESIDUAL].values || o->operands[OPERAND_FACTOR].values;
}

enum status convolve_adopt(struct maxpool_operation *op, struct failure *f)
{
    if (is_finished(&op->operation))
        return fail(f, STATUS_USAGE, "the library's convolution ends with the bias");
    op->kind = &kind;
    op->input = shape_of(image_planes(&op->operation));
    op->output = shape_of(map_planes(&op->operation));
    op->row_step = conv_tile_rows(method_of(op));
    return pack(op, f);
}

static enum status make(struct maxpool_operation *op, const void *request, struct failure *f)
{
    const struct maxpool_convolve *what = request;
    const struct operand_values values = {
        .of = {[OPERAND_WEIGHTS] = what->weights, [OPERAND_BIAS] = what->bias}};
    return set_shape(op, what, f) == STATUS_OK ? operation_complete(op, &values, what->method, f)
                                               : f->status;
}

enum maxpool_status maxpool_make_convolve(struct maxpool_operation **out,
                                          const struct maxpool_convolve *what,
                                          struct maxpool_failure *failure)
{
    return operation_make(make, what, out, failure);
}
