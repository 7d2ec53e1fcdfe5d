/* Euclidean distances between points. */
#include "kernels/distances/methods.h"
#include "kernels/distances/oracle.h"
#include "kernels/operators.h"
#include "library/operation.h"

#include "harness/machine/memory.h"

/* ---- computing --------------------------------------------------------------------------------
 */

static struct view view_of_points(const float *points, int64_t count, int64_t dimensions)
{
    return (struct view){.data = points, .row_stride = dimensions, .rows = count};
}

static void compute(const struct maxpool_operation *op, const float *input, float *output,
                    const struct group_rows *rows, void *scratch)
{
    const int64_t d = op->input.cols, cols = op->output.cols;
    const struct distances_call call = {
        .dimensions = d,
        .x = view_of_points(input, op->input.rows, d),
        .y = view_of_points(op->b, cols, d),
        .same = op->operation.operands[OPERAND_AGAINST].itself,
        .map = {.data = output, .row_stride = cols},
        .block = {.row = rows->row, .rows = rows->rows, .cols = cols, .planes = 1},
        .centre = op->packed};
    op->distances_method->run[op->isa](&call, scratch);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static void expect(const struct maxpool_operation *op, const float *input, int64_t line,
                   struct expectation *out)
{
    const int64_t d = op->input.cols;
    const struct view y = view_of_points(op->b, op->output.cols, d);
    oracle_distances(input + line * d, &y, d, distances_relative_bound(d), 0, op->output.cols, out);
}

static bool is_exact(const struct maxpool_operation *op, const struct values *input)
{
    return distances_operator.is_exact(&op->operation, input->integers, input->max_abs);
}

static double largest(const struct maxpool_operation *op, const struct values *input)
{
    return distances_operator.largest(&op->operation, input->max_abs);
}

static const struct operation_kind kind = {compute, expect, is_exact, largest};

/* ---- making -----------------------------------------------------------------------------------
 */

static enum status set_shape(struct maxpool_operation *op, const struct maxpool_distances *what,
                             struct failure *f)
{
    const int64_t rows = what->rows, cols = what->cols, d = what->dimensions;
    if (rows < 1 || cols < 1 || d < 1)
        return fail(f, STATUS_USAGE, "rows, cols and dimensions must be at least 1");
    if (what->itself && rows != cols)
        return fail(f, STATUS_USAGE,
                    "distances of points from themselves have as many columns "
                    "as rows");
    if (geometry_elements(1, rows, d) < 0 || geometry_elements(1, cols, d) < 0 ||
        geometry_elements(1, rows, cols) < 0)
        return fail(f, STATUS_RESOURCE, "points or distances cannot be counted in bytes");
    op->input = (struct maxpool_shape){1, rows, d};
    op->output = (struct maxpool_shape){1, rows, cols};
    return STATUS_OK;
}

static enum status bind_points(struct maxpool_operation *op, const struct maxpool_distances *what,
                               struct failure *f)
{
    if (!what->against)
        return fail(f, STATUS_USAGE, "the points Y are missing");
    op->b = what->against;
    op->operand = values_of(what->against, what->cols * what->dimensions);
    op->operation.kind = &distances_operator;
    op->operation.image = (struct image_shape){1, what->rows, what->dimensions};
    op->operation.operands[OPERAND_AGAINST] =
        (struct operand){.values = (float *)what->against, /* nobody writes to it */
                         .shape = {1, what->cols, what->dimensions},
                         .itself = what->itself,
                         .integers = op->operand.integers,
                         .max_abs = op->operand.max_abs};
    return op->operand.finite ? STATUS_OK
                              : fail(f, STATUS_USAGE, "element %lld of the points Y is not finite",
                                     (long long)op->operand.at);
}

static enum status choose_method(struct maxpool_operation *op, const char *name, struct failure *f)
{
    const struct method *m =
        operator_method(&distances_operator, SPACE_HOST, name ? name : "literal");
    if (!m)
        return fail(f, STATUS_USAGE, "distances have no method '%s'", name);
    if (m->refuses && m->refuses(&op->operation))
        return fail(f, STATUS_USAGE, "method %s takes points and themselves alone", m->name);
    op->distances_method = distances_method_of(m);
    op->isa = operator_isa(&distances_operator, m, isa_best());
    op->scratch = m->scratch_bytes ? m->scratch_bytes(&op->operation, op->output.cols) : 0;
    return op->scratch < SIZE_MAX
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "the scratch cannot be counted in bytes");
}

/* The centre of the points, if the method has one. */
static enum status pack(struct maxpool_operation *op, struct failure *f)
{
    const struct method *m = &op->distances_method->head;
    const size_t floats = m->packed_floats ? m->packed_floats(&op->operation) : 0;
    if (floats == 0)
        return STATUS_OK;
    const size_t bytes = memory_multiply(floats, sizeof(float));
    if (memory_allocate((void **)&op->packed, bytes, "the centre of the points", f) == STATUS_OK)
        m->pack(&op->operation, op->packed);
    return f->status;
}

static enum status make(struct maxpool_operation *op, const void *request, struct failure *f)
{
    const struct maxpool_distances *what = request;
    op->kind = &kind;
    op->row_step = 1;
    if (set_shape(op, what, f) != STATUS_OK || bind_points(op, what, f) != STATUS_OK ||
        choose_method(op, what->method, f) != STATUS_OK)
        return f->status;
    op->groups = 1;
    op->group_rows = op->output.rows;
    return pack(op, f);
}

enum maxpool_status maxpool_make_distances(struct maxpool_operation **out,
                                           const struct maxpool_distances *what,
                                           struct maxpool_failure *failure)
{
    return operation_make(make, what, out, failure);
}
