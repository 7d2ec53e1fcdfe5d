/* Convolution. Images and maps are stored plane by plane, as networks have them. */
#include "library/operation.h"

#include "harness/machine/memory.h"

#include <math.h>

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
    const struct conv_shape *s = &op->conv;
    const struct conv_call call = {.shape = s,
                                   .weights = op->weights,
                                   .packed = op->packed ? op->packed : op->weights,
                                   .bias = op->bias,
                                   .image = view_of(s, input, rows->group),
                                   .map = {.data = output + rows->group * output_elements(s),
                                           .row_stride = s->out_cols,
                                           .plane_stride = s->out_rows * s->out_cols},
                                   .row = rows->row,
                                   .rows = rows->rows};
    op->conv_method->run[op->isa](&call, scratch);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static void expect(const struct maxpool_operation *op, const float *input, int64_t line,
                   struct expectation *out)
{
    const struct conv_shape *s = &op->conv;
    const int64_t row = line % s->out_rows, plane = line / s->out_rows;
    const int64_t filter = plane % s->filters;
    const struct conv_operands o = {.shape = s,
                                    .image = view_of(s, input, plane / s->filters),
                                    .weights = op->weights,
                                    .bias = op->bias};
    for (int64_t col = 0; col < s->out_cols; col++) {
        out[col] = oracle_conv(&o, filter, row, col);
        if (op->conv_method->bound)
            out[col].bound = fmax(out[col].bound, op->conv_method->bound(&o, filter, row, col));
    }
}

static double largest(const struct maxpool_operation *op, const struct values *input)
{
    return (double)conv_terms(&op->conv) * input->max_abs * op->operand.max_abs +
           op->bias_values.max_abs;
}

/* A method with its own bound sums other numbers than the terms, so its results are never required
 * to be exact here. */
static bool is_exact(const struct maxpool_operation *op, const struct values *input)
{
    return !op->conv_method->bound && input->integers && op->operand.integers &&
           op->bias_values.integers && largest(op, input) < 0x1p24;
}

static const struct operation_kind kind = {compute, expect, is_exact, largest};

/* ---- making -----------------------------------------------------------------------------------
 */

static enum status set_shape(struct maxpool_operation *op, const struct maxpool_convolve *what,
                             struct failure *f)
{
    struct conv_shape *s = &op->conv;
    *s = (struct conv_shape){.batch = what->batch,
                             .channels = what->channels,
                             .rows = what->rows,
                             .cols = what->cols,
                             .filters = what->filters,
                             .groups = what->groups == 0 ? 1 : what->groups,
                             .kernel = what->kernel,
                             .stride = what->stride == 0 ? 1 : what->stride,
                             .padding = what->padding};
    switch (conv_complete(s)) {
    case CONV_OK:
        op->input = (struct maxpool_shape){s->batch * s->channels, s->rows, s->cols};
        op->output = (struct maxpool_shape){s->batch * s->filters, s->out_rows, s->out_cols};
        return STATUS_OK;
    case CONV_BAD_SIZE:
        return fail(f, STATUS_USAGE,
                    "sizes, filters, groups, kernel size and stride must be at least 1, padding 0");
    case CONV_BAD_GROUPS:
        return fail(f, STATUS_USAGE, "%lld groups must divide %lld channels and %lld filters",
                    (long long)s->groups, (long long)s->channels, (long long)s->filters);
    case CONV_NO_FIT:
        return fail(f, STATUS_USAGE,
                    "a window of %lld x %lld does not fit the image of %lld x %lld padded by %lld",
                    (long long)s->kernel, (long long)s->kernel, (long long)s->rows,
                    (long long)s->cols, (long long)s->padding);
    case CONV_OVERFLOW:
        break;
    }
    return fail(f, STATUS_RESOURCE, "image, filters or output cannot be counted in bytes");
}

static enum status bind_weights(struct maxpool_operation *op, const struct maxpool_convolve *what,
                                struct failure *f)
{
    const struct conv_shape *s = &op->conv;
    if (!what->weights)
        return fail(f, STATUS_USAGE, "the weights are missing");
    op->weights = what->weights;
    op->bias = what->bias;
    op->operand = values_of(what->weights, s->filters * conv_terms(s));
    op->bias_values = values_of(what->bias, what->bias ? s->filters : 0);
    if (!op->operand.finite)
        return fail(f, STATUS_USAGE, "element %lld of the weights is not finite",
                    (long long)op->operand.at);
    return op->bias_values.finite ? STATUS_OK
                                  : fail(f, STATUS_USAGE, "element %lld of the bias is not finite",
                                         (long long)op->bias_values.at);
}

static enum status choose_method(struct maxpool_operation *op, const char *name, struct failure *f)
{
    const struct conv_method *m = conv_method_find(name ? name : "literal");
    const char *why;
    if (!m)
        return fail(f, STATUS_USAGE, "convolution has no method '%s'", name);
    why = m->refuses ? m->refuses(&op->conv) : NULL;
    if (why)
        return fail(f, STATUS_USAGE, "method %s %s", m->head.name, why);
    op->conv_method = m;
    op->isa = conv_method_isa(m, isa_best());
    op->row_step = m->align;
    op->scratch = m->scratch ? m->scratch(&op->conv, op->conv.out_rows) : 0;
    return op->scratch < SIZE_MAX
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "the scratch cannot be counted in bytes");
}

static enum status pack(struct maxpool_operation *op, struct failure *f)
{
    const struct conv_method *m = op->conv_method;
    const size_t floats = m->packed ? m->packed(&op->conv) : 0;
    if (floats == 0)
        return STATUS_OK;
    const size_t bytes = memory_multiply(floats, sizeof(float));
    const enum status status =
        memory_allocate((void **)&op->packed, bytes, "the packed weights", f);
    if (status == STATUS_OK)
        m->pack[op->isa](&op->conv, op->weights, op->packed);
    return status;
}

static enum status make(struct maxpool_operation *op, const void *request, struct failure *f)
{
    const struct maxpool_convolve *what = request;
    op->kind = &kind;
    if (set_shape(op, what, f) != STATUS_OK || bind_weights(op, what, f) != STATUS_OK ||
        choose_method(op, what->method, f) != STATUS_OK)
        return f->status;
    op->groups = op->conv.batch;
    op->group_rows = op->conv.out_rows;
    return pack(op, f);
}

enum maxpool_status maxpool_make_convolve(struct maxpool_operation **out,
                                          const struct maxpool_convolve *what,
                                          struct maxpool_failure *failure)
{
    return operation_make(make, what, out, failure);
}
