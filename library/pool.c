/* Max pooling: every window times the filter, then the maximum. */
#include "kernels/min_max.h"
#include "kernels/windows.h"
#include "library/operation.h"

#include "harness/machine/memory.h"

#include <string.h>

static const struct operand *filter_of(const struct maxpool_operation *op)
{
    return &op->operation.operands[OPERAND_FILTER];
}

/* ---- computing --------------------------------------------------------------------------------
 */

/* Computes strip by strip of columns, if the method limits the width of its blocks. */
static void compute(const struct maxpool_operation *op, const float *input, float *output,
                    const struct group_rows *rows, void *scratch)
{
    const struct geometry *g = &op->operation.geometry;
    struct maxpool_call call = {
        .geometry = g,
        .filter = filter_of(op)->values,
        .image = {.data = input + rows->group * g->rows * g->cols,
                  .row_stride = g->cols,
                  .rows = g->rows,
                  .plane_stride = g->rows * g->cols},
        .map = {.data = output + rows->group * g->out_rows * g->out_cols,
                .row_stride = g->out_cols,
                .plane_stride = g->out_rows * g->out_cols},
        .block = {.plane = rows->group, .row = rows->row, .rows = rows->rows, .planes = 1}};
    for (int64_t col = 0; col < g->out_cols; col += op->strip) {
        call.block.col = col;
        call.block.cols = smaller(op->strip, g->out_cols - col);
        op->pool_method->run[op->isa](&call, scratch);
    }
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static void expect(const struct maxpool_operation *op, const float *input, int64_t line,
                   struct expectation *out)
{
    const struct geometry *g = &op->operation.geometry;
    const int64_t plane = line / g->out_rows;
    struct oracle_window w = {.geometry = g,
                              .image = {.data = input + plane * g->rows * g->cols,
                                        .row_stride = g->cols,
                                        .rows = g->rows},
                              .row = line % g->out_rows};
    for (w.col = 0; w.col < g->out_cols; w.col++)
        out[w.col] = filter_of(op)->identity ? oracle_maximum(&w)
                                             : oracle_product(&w, filter_of(op)->values);
}

static bool is_exact(const struct maxpool_operation *op, const struct values *input)
{
    return maxpool_operator.is_exact(&op->operation, input->integers, input->max_abs);
}

static double largest(const struct maxpool_operation *op, const struct values *input)
{
    return maxpool_operator.largest(&op->operation, input->max_abs);
}

static const struct operation_kind kind = {compute, expect, is_exact, largest};

/* ---- making -----------------------------------------------------------------------------------
 */

static bool is_identity(const float *filter, int64_t k)
{
    for (int64_t i = 0; i < k * k; i++)
        if (filter[i] != (i % (k + 1) == 0 ? 1.0f : 0.0f))
            return false;
    return true;
}

static enum status make_identity(struct maxpool_operation *op, int64_t k, struct failure *f)
{
    const size_t bytes = memory_multiply(memory_multiply((size_t)k, (size_t)k), sizeof(float));
    const enum status status = memory_allocate((void **)&op->identity, bytes, "the filter", f);
    if (status != STATUS_OK)
        return status;
    memset(op->identity, 0, bytes);
    for (int64_t i = 0; i < k; i++)
        op->identity[i * (k + 1)] = 1.0f;
    return STATUS_OK;
}

static enum status bind_filter(struct maxpool_operation *op, const struct maxpool_pool *what,
                               struct failure *f)
{
    const int64_t k = what->kernel;
    struct operand *filter = &op->operation.operands[OPERAND_FILTER];
    if (!what->filter && make_identity(op, k, f) != STATUS_OK)
        return f->status;
    /* No function of pooling writes to its filter. */
    filter->values = what->filter ? (float *)what->filter : op->identity;
    filter->shape = (struct image_shape){1, k, k};
    filter->name = "filter";
    op->operand = values_of(filter->values, k * k);
    filter->identity = is_identity(filter->values, k);
    filter->integers = op->operand.integers;
    filter->max_abs = op->operand.max_abs;
    return op->operand.finite ? STATUS_OK
                              : fail(f, STATUS_USAGE, "element %lld of the filter is not finite",
                                     (long long)op->operand.at);
}

static enum status choose_method(struct maxpool_operation *op, const char *name, struct failure *f)
{
    const struct method *m =
        operator_method(&maxpool_operator, SPACE_HOST, name ? name : "literal");
    const char *why = NULL;
    if (!m)
        return fail(f, STATUS_USAGE, "max pooling has no method '%s'", name);
    op->operation.method = m;
    op->pool_method = maxpool_method_of(m);
    op->isa = op->operation.isa = operator_isa(&maxpool_operator, m, isa_best());
    if (m->refuses)
        why = m->refuses(&op->operation);
    return why ? fail(f, STATUS_USAGE, "method %s %s", m->name, why) : STATUS_OK;
}

static enum status set_shape(struct maxpool_operation *op, const struct maxpool_pool *what,
                             struct failure *f)
{
    op->operation.kind = &maxpool_operator;
    op->operation.image =
        (struct image_shape){what->image.planes, what->image.rows, what->image.cols};
    op->operation.parameters.kernel = what->kernel;
    op->operation.parameters.stride = what->stride == 0 ? what->kernel : what->stride;
    op->operation.parameters.padding = what->padding;
    op->operation.parameters.pad_mode =
        what->pad_mode == MAXPOOL_PAD_IGNORE ? PAD_IGNORE : PAD_ZERO;
    const struct refusal r = maxpool_operator.shape(&op->operation);
    if (r.kind != REFUSAL_NONE)
        return fail(f, r.kind == REFUSAL_USAGE ? STATUS_USAGE : STATUS_RESOURCE, "%s", r.text);
    op->input = what->image;
    op->output = (struct maxpool_shape){op->operation.map.planes, op->operation.map.rows,
                                        op->operation.map.cols};
    return STATUS_OK;
}

static enum status set_scratch(struct maxpool_operation *op, struct failure *f)
{
    const struct method *m = op->operation.method;
    const int64_t cols = op->output.cols;
    op->strip = m->strip_cols > 0 ? smaller(m->strip_cols, cols) : cols;
    op->scratch = m->scratch_bytes ? m->scratch_bytes(&op->operation, op->strip) : 0;
    return op->scratch < SIZE_MAX
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "the scratch cannot be counted in bytes");
}

static enum status make(struct maxpool_operation *op, const void *request, struct failure *f)
{
    const struct maxpool_pool *what = request;
    op->kind = &kind;
    op->row_step = 1;
    if (set_shape(op, what, f) != STATUS_OK || bind_filter(op, what, f) != STATUS_OK)
        return f->status;
    op->groups = op->output.planes;
    op->group_rows = op->output.rows;
    if (maxpool_operator.refuses(&op->operation))
        return fail(f, STATUS_USAGE, "MAXPOOL_PAD_IGNORE needs the identity as filter");
    if (choose_method(op, what->method, f) != STATUS_OK)
        return f->status;
    return set_scratch(op, f);
}

enum maxpool_status maxpool_make_pool(struct maxpool_operation **out,
                                      const struct maxpool_pool *what,
                                      struct maxpool_failure *failure)
{
    return operation_make(make, what, out, failure);
}
