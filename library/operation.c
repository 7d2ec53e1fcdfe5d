/* What all operations share: they are made, divided into rows, computed and freed. */
#include "library/operation.h"

#include "harness/machine/memory.h"
#include "kernels/min_max.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- computing by the operator's row ----------------------------------------------------------
 */

static void compute_portion(const struct maxpool_operation *op, const float *input, float *output,
                            const struct block *block, void *scratch)
{
    const struct operation *o = &op->operation;
    const struct image_shape image = o->image, map = o->map;
    const struct operand *right = &o->operands[o->kind->right];
    const int64_t plane = o->kind->begin(o, block->plane, 0, 0).plane;
    const struct portion portion = {
        .block = *block,
        .image = {.data = input + plane * image.rows * image.cols,
                  .row_stride = image.cols,
                  .rows = image.rows,
                  .plane_stride = image.rows * image.cols},
        .right = {.data = right->values,
                  .row_stride = right->shape.cols,
                  .rows = right->shape.rows,
                  .plane_stride = right->shape.rows * right->shape.cols},
        .terms = right->shape.rows,
        .map = {.data = output + block->plane * map.rows * map.cols,
                .row_stride = map.cols,
                .plane_stride = map.rows * map.cols},
        .scratch = scratch};
    o->kind->run(o, &portion, STAGE_ALL);
}

/* Computes strip by strip of columns, if the method limits the width of its blocks. */
static void compute(const struct maxpool_operation *op, const float *input, float *output,
                    const struct group_rows *rows, void *scratch)
{
    struct block block = {.plane = rows->group, .row = rows->row, .rows = rows->rows, .planes = 1};
    for (; block.col < op->output.cols; block.col += op->strip) {
        block.cols = smaller(op->strip, op->output.cols - block.col);
        compute_portion(op, input, output, &block, scratch);
    }
}

static void expect(const struct maxpool_operation *op, const float *input, int64_t line,
                   struct expectation *out)
{
    const struct operation *o = &op->operation;
    const struct block row = {.plane = line / o->map.rows,
                              .row = line % o->map.rows,
                              .rows = 1,
                              .cols = o->map.cols,
                              .planes = 1};
    const struct region held = o->kind->region_needed(o, row.plane, row.row, 0, row.cols, false);
    const int64_t first = (held.plane * o->image.rows + held.row) * o->image.cols;
    o->kind->expect(o, &held, input + first, &row, out);
}

static bool is_exact(const struct maxpool_operation *op, const struct values *input)
{
    return op->operation.kind->is_exact(&op->operation, input->integers, input->max_abs);
}

static double largest(const struct maxpool_operation *op, const struct values *input)
{
    return op->operation.kind->largest(&op->operation, input->max_abs);
}

static const struct operation_kind of_the_row = {compute, expect, is_exact, largest};

/* ---- making -----------------------------------------------------------------------------------
 */

struct values values_of(const float *array, int64_t count)
{
    struct values v = {.integers = true, .finite = true};
    for (int64_t i = 0; i < count; i++) {
        const double value = array[i];
        if (!isfinite(value)) {
            v.finite = false;
            v.at = i;
            return v;
        }
        v.max_abs = fmax(v.max_abs, fabs(value));
        v.integers = v.integers && value == floor(value);
    }
    return v;
}

enum status operation_check_shape(struct image_shape s, const char *what, struct failure *f)
{
    if (s.planes < 1 || s.rows < 1 || s.cols < 1)
        return fail(f, STATUS_USAGE, "the sizes of the %s must be at least 1", what);
    return geometry_elements(s.planes, s.rows, s.cols) >= 0
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "the %s cannot be counted in bytes", what);
}

static struct maxpool_shape planes_of(struct image_shape s)
{
    return (struct maxpool_shape){s.planes, s.rows, s.cols};
}

enum status operation_shape(struct maxpool_operation *op, const struct operator_row *kind,
                            struct image_shape image, struct failure *f)
{
    struct operation *o = &op->operation;
    o->kind = kind;
    o->image = image;
    if (operation_check_shape(image, "input", f) != STATUS_OK)
        return f->status;
    const struct refusal refusal = kind->shape(o);
    return operation_adopt(op, &refusal, f);
}

enum status operation_adopt(struct maxpool_operation *op, const struct refusal *refusal,
                            struct failure *f)
{
    const struct operation *o = &op->operation;
    if (refusal->kind != REFUSAL_NONE)
        return fail(f, refusal->kind == REFUSAL_USAGE ? STATUS_USAGE : STATUS_RESOURCE, "%s",
                    refusal->text);
    op->kind = &of_the_row;
    op->input = planes_of(o->image);
    op->output = planes_of(o->map);
    op->groups = o->map.planes;
    op->group_rows = o->map.rows;
    op->row_step = 1;
    return STATUS_OK;
}

static bool falls_back_to(const struct operand_row *row, const char *word)
{
    return strcmp(row->fallback, word) == 0;
}

static enum status make_identity(struct maxpool_operation *op, struct image_shape shape,
                                 struct failure *f)
{
    const size_t bytes =
        memory_multiply(memory_multiply((size_t)shape.rows, (size_t)shape.cols), sizeof(float));
    if (memory_allocate((void **)&op->identity, bytes, "the filter", f) != STATUS_OK)
        return f->status;
    memset(op->identity, 0, bytes);
    for (int64_t i = 0; i < shape.rows && i < shape.cols; i++)
        op->identity[i * (shape.cols + 1)] = 1.0f;
    return STATUS_OK;
}

static bool is_identity(const float *values, struct image_shape shape)
{
    bool is = shape.planes == 1 && shape.rows == shape.cols;
    for (int64_t i = 0; is && i < shape_elements(shape); i++)
        is = values[i] == (i % (shape.cols + 1) == 0 ? 1.0f : 0.0f);
    return is;
}

/* Binds an operand; if it has no values, to the identity or to none, as far as its row says so. */
static enum status bind(struct maxpool_operation *op, const struct operand_row *row,
                        const float *values, struct failure *f)
{
    struct operand *o = &op->operation.operands[row->role];
    const struct image_shape shape = row->shape(&op->operation);
    const bool identity = falls_back_to(row, "identity");
    o->name = row->noun;
    o->integers = true;
    if (!values && falls_back_to(row, "none"))
        return STATUS_OK;
    if (!values && !identity)
        return fail(f, STATUS_USAGE, "the %s is missing", row->noun);
    if (operation_check_shape(shape, row->noun, f) != STATUS_OK ||
        (!values && make_identity(op, shape, f) != STATUS_OK))
        return f->status;
    values = values ? values : op->identity;
    const struct values known = values_of(values, shape_elements(shape));
    o->values = (float *)values; /* no function writes to its operands */
    o->shape = shape;
    o->identity = identity && is_identity(values, shape);
    o->integers = known.integers;
    o->max_abs = known.max_abs;
    return known.finite ? STATUS_OK
                        : fail(f, STATUS_USAGE, "element %lld of the %s is not finite",
                               (long long)known.at, row->noun);
}

static enum status choose(struct maxpool_operation *op, const char *name, struct failure *f)
{
    struct operation *o = &op->operation;
    const struct method *m = name ? operator_method(o->kind, SPACE_HOST, name) : o->kind->method(0);
    if (!m)
        return fail(f, STATUS_USAGE, "%s has no method '%s'", o->kind->words.subject, name);
    o->method = m;
    o->isa = operator_isa(o->kind, m, isa_best());
    const char *why = method_refuses(m, o);
    if (why)
        return fail(f, STATUS_USAGE, "method %s %s", m->name, why);
    op->strip = m->strip_cols > 0 ? smaller(m->strip_cols, o->map.cols) : o->map.cols;
    op->scratch = m->scratch_bytes ? m->scratch_bytes(o, op->strip) : 0;
    return op->scratch < SIZE_MAX
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "the scratch cannot be counted in bytes");
}

static enum status pack_right(struct maxpool_operation *op, struct failure *f)
{
    const struct method *m = op->operation.method;
    const size_t floats = m->packed_floats ? m->packed_floats(&op->operation) : 0;
    const size_t bytes = memory_multiply(floats, sizeof(float));
    if (floats == 0)
        return STATUS_OK;
    if (memory_allocate((void **)&op->packed, bytes, op->operation.kind->words.packed, f) ==
        STATUS_OK)
        m->pack(&op->operation, op->packed);
    op->operation.packed = op->packed;
    return f->status;
}

/* Operators whose arrays are in another order here than in their rows. */
static const struct own_order {
    const struct operator_row *kind;
    enum status (*adopt)(struct maxpool_operation *op, struct failure *f);
} own_orders[] = {{&conv_operator, convolve_adopt}};

enum status operation_complete(struct maxpool_operation *op, const struct operand_values *values,
                               const char *method, struct failure *f)
{
    const struct operator_row *kind = op->operation.kind;
    for (const struct operand_row *const *row = kind->operands; *row; row++)
        if (bind(op, *row, values->of[(*row)->role], f) != STATUS_OK)
            return f->status;
    const char *why = kind->refuses ? kind->refuses(&op->operation) : NULL;
    if (why)
        return fail(f, STATUS_USAGE, "%s", why);
    if (choose(op, method, f) != STATUS_OK)
        return f->status;
    for (size_t i = 0; i < sizeof own_orders / sizeof *own_orders; i++)
        if (own_orders[i].kind == kind)
            return own_orders[i].adopt(op, f);
    return pack_right(op, f);
}

enum maxpool_status operation_make(operation_maker *make, const void *request,
                                   struct maxpool_operation **out, struct maxpool_failure *failure)
{
    struct failure f = {0};
    if (failure_if_null(out, "the address of the operation", &f) != STATUS_OK)
        return failure_give(&f, failure);
    *out = NULL;
    if (failure_if_null(request, "the description of the operation", &f) != STATUS_OK)
        return failure_give(&f, failure);
    *out = calloc(1, sizeof **out);
    if (!*out) {
        fail(&f, STATUS_RESOURCE, "no memory for an operation");
    } else if (make(*out, request, &f) != STATUS_OK) {
        maxpool_release(*out);
        *out = NULL;
    }
    return failure_give(&f, failure);
}

/* ---- what callers ask -------------------------------------------------------------------------
 */

void maxpool_release(struct maxpool_operation *op)
{
    if (!op)
        return;
    free(op->identity);
    free(op->packed);
    free(op);
}

struct maxpool_shape maxpool_input(const struct maxpool_operation *op)
{
    return op ? op->input : (struct maxpool_shape){0};
}

struct maxpool_shape maxpool_output(const struct maxpool_operation *op)
{
    return op ? op->output : (struct maxpool_shape){0};
}

int64_t maxpool_rows(const struct maxpool_operation *op)
{
    return op ? op->groups * op->group_rows : 0;
}

int64_t maxpool_row_step(const struct maxpool_operation *op)
{
    return op ? op->row_step : 0;
}

size_t maxpool_scratch(const struct maxpool_operation *op)
{
    return op ? op->scratch : 0;
}

void maxpool_compute(const struct maxpool_operation *op, const float *input, float *output,
                     int64_t first, int64_t count, void *scratch)
{
    if (!op || !input || !output || (!scratch && op->scratch > 0) || first < 0 || count < 0 ||
        count > maxpool_rows(op) || first > maxpool_rows(op) - count)
        return;
    const int64_t end = first + count;
    while (first < end) {
        struct group_rows rows = {.group = first / op->group_rows, .row = first % op->group_rows};
        rows.rows = smaller(end - first, op->group_rows - rows.row);
        op->kind->compute(op, input, output, &rows, scratch);
        first += rows.rows;
    }
}
