/* The matrix product C = A B. */
#include "kernels/operators.h"
#include "library/operation.h"

#include <math.h>

/* ---- computing --------------------------------------------------------------------------------
 */

static struct view view_of_b(const struct maxpool_operation *op)
{
    return (struct view){.data = op->b, .row_stride = op->output.cols, .rows = op->inner};
}

static void compute(const struct maxpool_operation *op, const float *input, float *output,
                    const struct group_rows *rows, void *scratch)
{
    const struct matmul_call call = {
        .inner = op->inner,
        .a = {.data = input, .row_stride = op->inner, .rows = op->input.rows},
        .b = view_of_b(op),
        .c = {.data = output, .row_stride = op->output.cols},
        .block = {.row = rows->row, .rows = rows->rows, .cols = op->output.cols, .planes = 1},
        .terms = op->inner};
    op->product_method->run[op->isa](&call, scratch);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static void expect(const struct maxpool_operation *op, const float *input, int64_t line,
                   struct expectation *out)
{
    const struct view b = view_of_b(op);
    oracle_dots(input + line * op->inner, &b, op->inner, 0, op->output.cols, out);
}

static bool is_exact(const struct maxpool_operation *op, const struct values *input)
{
    return oracle_is_exact(input->integers && op->operand.integers, op->inner, input->max_abs,
                           op->operand.max_abs);
}

static double largest(const struct maxpool_operation *op, const struct values *input)
{
    return (double)op->inner * input->max_abs * fmax(op->operand.max_abs, 1.0);
}

static const struct operation_kind kind = {compute, expect, is_exact, largest};

/* ---- making -----------------------------------------------------------------------------------
 */

/* `operation` has what the table of methods reads of an operation: the number of terms. The widest
 * block is the whole output row. */
static enum status choose_method(struct maxpool_operation *op, const char *name, struct failure *f)
{
    const struct operation operation = {.kind = &matmul_operator,
                                        .image = {1, op->input.rows, op->inner}};
    const struct method *m = operator_method(&matmul_operator, SPACE_HOST, name ? name : "naive");
    if (!m)
        return fail(f, STATUS_USAGE, "the matrix product has no method '%s'", name);
    op->product_method = matmul_method_of(m);
    op->isa = operator_isa(&matmul_operator, m, isa_best());
    op->scratch = m->scratch_bytes ? m->scratch_bytes(&operation, op->output.cols) : 0;
    return op->scratch < SIZE_MAX
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "the scratch cannot be counted in bytes");
}

static enum status set_shape(struct maxpool_operation *op, const struct maxpool_multiply *what,
                             struct failure *f)
{
    if (what->rows < 1 || what->inner < 1 || what->cols < 1)
        return fail(f, STATUS_USAGE, "rows, inner and cols must be at least 1");
    if (!what->b)
        return fail(f, STATUS_USAGE, "the matrix B is missing");
    if (geometry_elements(1, what->rows, what->inner) < 0 ||
        geometry_elements(1, what->inner, what->cols) < 0 ||
        geometry_elements(1, what->rows, what->cols) < 0)
        return fail(f, STATUS_RESOURCE, "the matrices cannot be counted in bytes");
    op->inner = what->inner;
    op->input = (struct maxpool_shape){1, what->rows, what->inner};
    op->output = (struct maxpool_shape){1, what->rows, what->cols};
    return STATUS_OK;
}

static enum status make(struct maxpool_operation *op, const void *request, struct failure *f)
{
    const struct maxpool_multiply *what = request;
    op->kind = &kind;
    op->row_step = 1;
    if (set_shape(op, what, f) != STATUS_OK)
        return f->status;
    op->groups = 1;
    op->group_rows = what->rows;
    op->b = what->b;
    op->operand = values_of(what->b, what->inner * what->cols);
    if (!op->operand.finite)
        return fail(f, STATUS_USAGE, "element %lld of the matrix B is not finite",
                    (long long)op->operand.at);
    return choose_method(op, what->method, f);
}

enum maxpool_status maxpool_make_multiply(struct maxpool_operation **out,
                                          const struct maxpool_multiply *what,
                                          struct maxpool_failure *failure)
{
    return operation_make(make, what, out, failure);
}
